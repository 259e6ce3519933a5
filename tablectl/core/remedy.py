"""A remedy under way: the steps of a ruling, checked against what the cards do.

Theory of operation. The steps are done in order. Some can be seen (a card reaches the burn pile, the board is
dealt), some show in the state of the hand (a betting round is closed, the seats are empty), some cannot be seen
at all (bets go back, cards are scrambled): these pass as soon as a later step is seen, or when the dealer says so.

    waiting ──first step seen or entered──▶ under way ──last step──▶ complete
                                               └──a card goes elsewhere──▶ violated (once)

Before the first step nothing is a violation: until then the hand simply goes on.
Owns: the progress. Refuses: choosing the remedy (`core.rulebook`) and alarming (`core.docket`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from tablectl.core.decisions import Step
from tablectl.core.hand import Hand
from tablectl.core.streets import Base
from tablectl.layout import ASIDE, BURN, SHOE, is_board, is_community, lies_in, seat_of

Event = Literal["started", "done", "violated", "complete"]

SILENT = frozenset({"return_bets", "shuffle", "cut", "scramble", "pick", "call", "change_deck", "no_burn",
                    "restore_order", "swap"})  # fmt: skip
"""Steps that no antenna can see."""

ENTRY_OF = {"shuffle": "shuffle_done", "cut": "cut_done", "change_deck": "deck", "call": "call_floor"}
"""Steps that an input of the dealer confirms."""

HELD_UP_MS = 3000
"""A player looks at his cards for 1–3 s."""
OFF_BOARD_MS = 1500
"""A board card that is not read this long was taken away, not merely missed."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something a step may be waiting for: a card that came to rest (`zone`), or an input (`do`)."""

    t: int
    uid: str = ""
    zone: str = ""
    do: str = ""
    came_from: str | None = None


@dataclass(slots=True)
class Remedy:
    """One ruling's steps and how far they have come."""

    irregularity: str
    steps: Sequence[Step]
    cards: tuple[str, ...]
    """The cards the irregularity is about."""
    at: int = 0
    dealt: int = 0
    started: bool = False
    violated: bool = False
    complete: bool = False
    done: list[int] = field(default_factory=list)

    def step_done(self) -> list[tuple[int, Event]]:
        """The dealer says that the current step is done."""
        return [] if self.complete or not self.steps else self._tick(self.at)

    def happened(self, what: Happening, hand: Hand) -> list[tuple[int, Event]]:
        """A card came to rest or an input was made."""
        if self.complete or self.violated:
            return []
        for index in range(self.at, len(self.steps)):
            step = self.steps[index]
            if what.do and ENTRY_OF.get(str(step["do"])) == what.do:
                return self._tick(index)
            if what.zone and self._is(step, what, hand):
                if step["do"] == "deal":
                    self.dealt += 1
                    if self.dealt < int(step.get("count", 1)):
                        return self._begin(index)
                return self._tick(index)
            if step["do"] not in SILENT and not self._shows(step, hand, what.t):
                break
        return self._maybe_violated(what)

    def look(self, hand: Hand, now: int) -> list[tuple[int, Event]]:
        """Ticks what shows in the state of the hand by now."""
        events: list[tuple[int, Event]] = []
        moving = True
        while moving and not self.complete and not self.violated:
            moving = False
            for index in range(self.at, len(self.steps)):
                if self._shows(self.steps[index], hand, now):
                    events += self._tick(index)
                    moving = True
                    break
                if self.steps[index]["do"] not in SILENT or not self.started:
                    break
        return events

    def redealt(self) -> list[tuple[int, Event]]:
        """The next hand has begun: a redeal ends the remedy, whatever could not be seen of it."""
        return [] if self.complete or not self.steps else self._tick(len(self.steps) - 1)

    def _tick(self, index: int) -> list[tuple[int, Event]]:
        events = self._begin(self.at)
        for number in range(self.at, index + 1):
            self.done.append(number)
            events.append((number, "done"))
        self.at = index + 1
        self.dealt = 0
        # A last `no_burn` speaks of a street that is still to come: it is a credit, not something to wait for.
        if self.at == len(self.steps) - 1 and self.steps[self.at]["do"] == "no_burn":
            events += [(self.at, "done")]
            self.done.append(self.at)
            self.at += 1
        if self.at >= len(self.steps):
            self.complete = True
            events.append((len(self.steps) - 1, "complete"))
        return events

    def _begin(self, index: int) -> list[tuple[int, Event]]:
        if self.started:
            return []
        self.started = True
        return [(index, "started")]

    def _maybe_violated(self, what: Happening) -> list[tuple[int, Event]]:
        material = is_community(what.zone) or seat_of(what.zone) is not None
        if not (self.started and material and not self.violated and what.came_from is None):
            return []
        if self.steps[min(self.at, len(self.steps) - 1)]["do"] in {"collect", "redeal"}:
            return []  # cards going anywhere are being collected
        self.violated = True
        return [(self.at, "violated")]

    def _is(self, step: Step, what: Happening, hand: Hand) -> bool:
        """The happening is what the step asks for."""
        check = _SEEN.get(str(step["do"]))
        return check is not None and check(step, what, hand)

    def _shows(self, step: Step, hand: Hand, now: int) -> bool:
        """The step shows in the state of the hand."""
        do = step["do"]
        if do == "collect":
            return hand.emptied()
        if do == "finish_round":
            return hand.betting.closed_at(str(step["street"])) is not None
        if do in {"aside", "remove", "to_top"}:
            moved = [hand.cards[uid] for uid in self._cards_of(step, hand) if uid in hand.cards]
            return bool(moved) and all(_away(card.zone) for card in moved)
        if do == "kill":
            return _taken_away(hand, int(step["seat"]), now)
        return False

    def _cards_of(self, step: Step, hand: Hand) -> tuple[str, ...]:
        k = step.get("card")
        return tuple(c.uid for c in hand.cards.values() if c.k == k) if isinstance(k, int) else self.cards


def _taken_away(hand: Hand, seat: int, now: int) -> bool:
    """The seat's cards are in the muck, or gone for longer than a player would hold them up."""
    cards = hand.at_seat(seat)
    if any(card.zone is not None and seat_of(card.zone) is not None for card in cards):
        return False
    return hand.gone_from_seat(seat) or (
        bool(cards) and all(now - card.since >= HELD_UP_MS for card in cards)
    )


def _full(hand: Hand, seat: int) -> bool:
    """The seat has been dealt more cards than its hand: the last one is no card of the deal itself."""
    return sum(card.owner == seat for card in hand.cards.values()) > hand.need


def _away(zone: str | None) -> bool:
    return zone is None or zone == SHOE or not (is_community(zone) or seat_of(zone) is not None)


_SEEN: dict[str, Callable[[Step, Happening, Hand], bool]] = {
    "burn": lambda _, what, __: what.zone == BURN and what.came_from is None,
    "to_burn": lambda _, what, __: what.zone == BURN and what.came_from is not None,
    "deal": lambda _, what, __: is_board(what.zone) and what.came_from is None,
    "replace": lambda step, what, hand: (
        lies_in(what.zone, f"seat:{step['seat']}") and _full(hand, int(step["seat"]))
    ),
    "to_top": lambda _, what, __: what.zone == SHOE,
    "remove": lambda _, what, __: what.zone in {"muck", "aside"},
    "aside": lambda _, what, __: what.zone == "aside",
}


def suspend_board(hand: Hand, now: int, surely_gone: Callable[[str], bool]) -> None:
    """A board card was taken away without a remedy that says so: the floor is at work on the board."""
    for card in hand.cards.values():
        landed = card.landing is not None and card.landing.settled and is_board(card.landing.zone)
        if not landed or card.uid in hand.base.settled or (card.zone is not None and is_board(card.zone)):
            continue
        moved = card.zone is not None and now - card.since >= OFF_BOARD_MS
        if moved or (now - card.since >= OFF_BOARD_MS and surely_gone(card.uid)):
            hand.board_suspended = True


def lay_anew(hand: Hand, steps: Sequence[Step] = (), verdict: str = "", *, burn_unsure: bool = False) -> None:
    """After a remedy, or an outage, the board is read from what lies there now."""
    if verdict == "floor":
        hand.board_suspended = True
        return
    for card in hand.cards.values():
        if card.owner is None and card.landing is not None and card.zone is None:
            card.counts_in = ASIDE
    if hand.game.to_seats:
        # The streets lie at the seats, as before; but the burn of the one that comes next may be made already.
        names = [each.name for each in hand.game.streets]
        next_ones = names[max(hand.board.current, 0) : hand.board.current + 2]
        taken_back = frozenset(card.uid for card in hand.cards.values() if not card.held)
        hand.base = replace(hand.base, no_burn=hand.base.no_burn | set(next_ones), settled=taken_back)
        return
    lying, counts, street = len(hand.on_board()), [], -1
    for index, each in enumerate(hand.game.streets):
        counts.append(min(lying, each.cards))
        lying -= counts[-1]
        if counts[-1]:
            street = index
    community = (
        c.uid for c in hand.cards.values() if c.landing is not None and seat_of(c.landing.zone) is None
    )
    paid = bool(steps) and steps[-1]["do"] == "no_burn"
    hand.base = Base(street, tuple(counts), paid, burn_unsure, frozenset(community))
