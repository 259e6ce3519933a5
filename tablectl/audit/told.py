"""The hands of a night from its decisions alone: what anybody may know who has the journal.

Owns: which decision belongs to which hand, and what became of each irregularity. Refuses: identities.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OF_IRREGULARITY = frozenset({"irregularity", "suspicion"})


@dataclass(slots=True)
class Found:
    """One irregularity, with the last word of everything that was decided of it."""

    first: dict[str, Any]
    """The decision that told it; the confirmed one if there is one."""
    cleared: str | None = None
    ruling: dict[str, Any] | None = None
    questions: dict[str, dict[str, Any]] = field(default_factory=dict)
    remedy: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The irregularity as the contract spells it, with `confirmed`, `cleared`, `ruling`, `questions`, `remedy`."""
        made = {name: value for name, value in self.first.items() if name != "type"}
        made["confirmed"] = self.first["type"] == "irregularity"
        ruling = {name: each for name, each in (self.ruling or {}).items() if name not in _KNOWN}
        asked = [
            {name: each for name, each in one.items() if name not in _KNOWN}
            for one in self.questions.values()
        ]
        rest = {"cleared": self.cleared, "ruling": ruling, "questions": asked, "remedy": self.remedy}
        return made | {name: value for name, value in rest.items() if value}


_KNOWN = frozenset({"type", "irregularity"})


@dataclass(slots=True)
class ToldHand:
    """One hand; times in ms of the night."""

    number: int
    t: int
    button: int | None = None
    seats: tuple[int, ...] = ()
    cards: dict[int, tuple[str, int]] = field(default_factory=dict)
    """k → where it came to rest, and when."""
    found: dict[str, Found] = field(default_factory=dict)
    ended: bool = False
    here: bool = True
    """Something of it was decided in the night that is asked for, not only in one that this night goes on with."""


class Told:
    """Takes the decisions of a night in their order."""

    def __init__(self) -> None:
        self.hands: dict[int, ToldHand] = {}
        self._last: ToldHand | None = None
        self._of: dict[str, Found] = {}
        """Id → irregularity, of whichever hand."""

    def next_night(self) -> None:
        """What comes from here on is of a night that goes on with those before, after a restart in mid-hand."""
        for hand in self.hands.values():
            hand.here = False

    def of_this_night(self) -> list[ToldHand]:
        """The hands of the last night, in their order."""
        return [hand for hand in self.hands.values() if hand.here]

    def take(self, decision: Mapping[str, Any]) -> None:
        """One decision, as the contract spells it. What is no decision of a hand, or is damaged, changes nothing."""
        match decision:
            case {"type": "hand", "hand": int() as number, "event": str() as event, "t": int() as t}:
                self._hand(number, event, t, decision)
            case {"type": "deal", "k": int() as k, "zone": str() as zone, "seen_at": int() as seen_at}:
                if self._last is not None:
                    self._last.cards[k], self._last.here = (zone, seen_at), True
            case {"type": str() as kind, "id": str() as name} if kind in OF_IRREGULARITY:
                self._irregularity(name, decision)
            case {"type": "cleared", "id": str() as name, "why": str() as why}:
                if name in self._of:
                    self._of[name].cleared = why
            case {"irregularity": str() as name} if name in self._of:
                self._of_irregularity(self._of[name], decision)

    def _hand(self, number: int, event: str, t: int, decision: Mapping[str, Any]) -> None:
        hand = self._last = self.hands.setdefault(number, ToldHand(number, t))
        hand.button = decision.get("button")
        hand.seats = tuple(decision.get("seats", ()))
        hand.ended, hand.here = event == "end", True
        for k, zone in decision.get("sequence") or ():
            # A correction may have moved a card since its deal was told.
            hand.cards[k] = zone, hand.cards[k][1] if k in hand.cards else t

    def _irregularity(self, name: str, decision: Mapping[str, Any]) -> None:
        number = decision.get("hand", self._last.number if self._last is not None else None)
        hand = self.hands.get(number) if number is not None else None
        hand = hand or self._last
        if hand is None:
            return
        found = self._of.setdefault(name, Found(dict(decision)))
        found.first, found.cleared = dict(decision), None
        hand.found.setdefault(name, found)

    @staticmethod
    def _of_irregularity(found: Found, decision: Mapping[str, Any]) -> None:
        match decision.get("type"):
            case "ruling":
                found.ruling = dict(decision)
            case "question":
                found.questions[str(decision.get("id"))] = dict(decision)
            case "remedy":
                found.remedy = f"step {int(decision.get('step', 0)) + 1} {decision.get('event')}"
