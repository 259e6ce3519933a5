"""A remedy under way: the steps of a ruling, checked against what the cards do.

Theory of operation. The steps are done in order; those that are about cards of their own may come earlier (`LOOSE`).
Some can be seen (a card reaches the burn pile, the board is dealt), some show in the state of the hand (a betting
round is closed, the seats are empty), some cannot be seen at all (bets go back, cards are scrambled): these pass as
soon as a later step is seen, or when the dealer says so.

    waiting ──first step seen or entered──▶ under way ──last step──▶ complete
                                            │      ▲
                                   a round must be finished first: *calm*, the hand simply goes on
                                            └──a card goes elsewhere──▶ violated (once)

Before the first step nothing is a violation: until then the hand simply goes on.
Owns: the progress. Refuses: what a step looks like (`core.handwork`), choosing the remedy (`core.rulebook`) and
alarming (`core.docket`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from tablectl.core.decisions import Step
from tablectl.core.games import Street
from tablectl.core.hand import Hand
from tablectl.core.handwork import ENTRY_OF, LOOSE, Happening, Work
from tablectl.layout import BURN, MUCK, is_board, is_community

Event = Literal["started", "done", "violated", "complete"]
Events = list[tuple[int, Event]]
GATHERED = frozenset({"collect", "redeal"})
"""While these are due, cards going anywhere are being collected."""
OF_SEATS = frozenset({"kill", "replace", "remove", "return_bets"})
"""Steps that are done at the seats; a card that is removed and not replaced may be one of the board."""


@dataclass(slots=True)
class Remedy:
    """One ruling's steps and how far they have come."""

    irregularity: str
    steps: Sequence[Step]
    cards: tuple[str, ...]
    """The cards the irregularity is about."""
    street: str | None = None
    """The street it is about, if any …"""
    run: int = 1
    """… and the run of the board."""
    dealt: int = 0
    """Cards dealt for the `deal` that is going on."""
    started: bool = False
    violated: bool = False
    complete: bool = False
    done: list[int] = field(default_factory=list)
    laid: set[int] = field(default_factory=set)
    """Steps that the board was laid anew for."""
    burnt: set[str] = field(default_factory=set)
    """Cards that became burns by it."""
    given: set[str] = field(default_factory=set)
    """Cards that it gave to seats in place of others."""

    @property
    def at(self) -> int:
        """The step that is due."""
        return next((index for index in range(len(self.steps)) if index not in self.done), len(self.steps))

    # --- what the cards do ---------------------------------------------------------------------------------

    def step_done(self, hand: Hand, now: int) -> Events:
        """The dealer says that the current step is done."""
        return [] if self.complete or not self.steps else self._tick(self.at, hand, now)

    def happened(self, what: Happening, hand: Hand) -> Events | None:
        """A card came to rest or an input was made; None if that is none of the steps."""
        if self.complete or self.violated:
            return None
        for index in self._open():
            work = self._work(index, hand, what.t)
            if what.do and ENTRY_OF.get(work.do) == what.do and not self._blocked(index, hand, what.t):
                return self._tick(index, hand, what.t)
            if not work.is_done_by(what) or self._blocked(index, hand, what.t):
                continue
            if work.do == "deal":
                return self._deal(index, what, hand)
            return self._tick(index, hand, what.t, by=what.uid)
        return None

    def _deal(self, index: int, what: Happening, hand: Hand) -> Events | None:
        """One more card of a street; with the first one, what was to be shuffled in must not lie there still."""
        before = [self._work(each, hand, what.t) for each in self._open() if each < index]
        if not self.dealt and any(work.left_lying(but=what.uid) for work in before):
            return self._violate() if self.started else None
        self.dealt += 1
        if self.dealt >= self._count(index, hand):
            return self._tick(index, hand, what.t, by=what.uid)
        events = self._begin(self.at)
        for number in self._silent_before(index, hand, what.t):
            events += self._do(number, hand, what.t, what.uid)
        return events

    def _count(self, index: int, hand: Hand) -> int:
        """How many cards the street has; in stud one for each seat that is in by then."""
        step = self.steps[index]
        if hand.game.to_seats:
            return hand.cards_on(hand.game.street(str(step["street"])))
        return int(step.get("count", 1))

    def look(self, hand: Hand, now: int) -> Events:
        """Ticks what shows in the state of the hand by now."""
        events: Events = []
        moving = True
        while moving and not self.complete and not self.violated:
            moving = False
            for index in self._open():
                if self._work(index, hand, now).shows() and not self._blocked(index, hand, now):
                    events += self._tick(index, hand, now)
                    moving = True
                    break
        return events

    def goes_elsewhere(self, what: Happening, hand: Hand) -> Events:
        """The happening was no step of any remedy: is it against this one?"""
        if not self.started or self.violated or self.complete or not what.zone:
            return []
        due = self.due(hand, what.t)
        if due is None or due in GATHERED:
            return []
        mislaid = self._mislaid(what, hand)
        if mislaid or self._old_burn(what, due):
            return self._violate()
        if hand.game.to_seats and self.dealt and what.zone == BURN:
            return []  # the street was dealt as it should, if a card of it went unread: this is the next one's burn
        premature = due == "finish_round" and is_board(what.zone)  # told as what it is
        return self._violate() if what.from_deck and is_community(what.zone) and not premature else []

    def redealt(self, hand: Hand, now: int) -> Events:
        """The next hand has begun: a redeal ends the remedy, whatever could not be seen of it."""
        return [] if self.complete or not self.steps else self._tick(len(self.steps) - 1, hand, now)

    # --- where it stands -----------------------------------------------------------------------------------

    def due(self, hand: Hand, now: int) -> str | None:
        """The next step that must show; None if there is none."""
        works = (self._work(index, hand, now) for index in self._open())
        return next((work.do for work in works if not work.is_silent()), None)

    def waits_for(self, do: str) -> bool:
        """One of the steps that are left is confirmed by that input."""
        return not self.violated and any(
            ENTRY_OF.get(self.steps[index]["do"]) == do for index in self._open()
        )

    def calm(self, hand: Hand, now: int) -> bool:
        """Under way, and waiting for a betting round: what is dealt now is judged as in any hand."""
        return self.started and not self.complete and self.due(hand, now) == "finish_round"

    def comes_back(self, uid: str, hand: Hand, now: int) -> bool:
        """The card was put into the deck by a shuffle that nobody has seen, so that it may be dealt again."""
        for index in self._open():
            work = self._work(index, hand, now)
            if not work.is_silent():
                return False
            if work.do == "shuffle" and uid in work.into_deck() and not self._blocked(index, hand, now):
                return self.started
        return False

    def leaves_board(self) -> bool:
        """It is about cards at seats alone: neither the board nor the burns are other than they were."""
        do = {str(step["do"]) for step in self.steps}
        return do <= OF_SEATS and ("remove" not in do or "replace" in do)

    def pays(self, street: Street) -> int:
        """How many cards became burns for that street, the next one, since the board was laid last."""
        fresh = [
            index for index in self.done if index not in self.laid and self.steps[index]["do"] == "to_burn"
        ]
        return sum(self._street_of(index) is None or self._serves(index, street) for index in fresh)

    def orders_burn(self, street: Street) -> bool | None:
        """What is due before that street comes: a burn, or none (False); None if the steps say nothing of it."""
        for index in self._open():
            if self.steps[index]["do"] in {"burn", "no_burn"} and self._serves(index, street):
                return bool(self.steps[index]["do"] == "burn")
        return None

    def _serves(self, index: int, street: Street) -> bool:
        """The step serves that street, in the run that the remedy is about."""
        return self._street_of(index) == street.name and self.run == street.run

    def _street_of(self, index: int) -> str | None:
        """The street that a step serves: the next one dealt by the remedy, else its own, None for the next at all."""
        dealt = (str(step["street"]) for step in self.steps[index:] if step["do"] == "deal")
        return next(dealt, self.street)

    # --- ticking -------------------------------------------------------------------------------------------

    def _open(self) -> list[int]:
        return [index for index in range(len(self.steps)) if index not in self.done]

    def _work(self, index: int, hand: Hand, now: int) -> Work:
        replaced = any(step["do"] == "replace" for step in self.steps)
        return Work(self.steps[index], self.cards, hand, now, self.run, replaced)

    def _blocked(self, index: int, hand: Hand, now: int) -> bool:
        """A step before it must be seen first."""
        do = self.steps[index]["do"]
        if do in LOOSE and not (do == "to_burn" and "card" not in self.steps[index]):
            return False
        before = [self._work(each, hand, now) for each in self._open() if each < index]
        # A burn that is made before the round is closed is no street dealt too early.
        waits = [work for work in before if not (do == "burn" and work.do == "finish_round")]
        return any(not work.is_silent() for work in waits)

    def _tick(self, index: int, hand: Hand, now: int, by: str = "") -> Events:
        events = self._begin(self.at)
        passed = [] if self.steps[index]["do"] in LOOSE else [each for each in self._open() if each < index]
        passed = passed or [*self._implied(index), *self._silent_before(index, hand, now)]
        for number in [*sorted(set(passed)), index]:
            events += self._do(number, hand, now, by)
        self.dealt = 0
        # A last `no_burn` speaks of a street that is still to come: it is a credit, not something to wait for.
        left = self._open()
        if [self.steps[each]["do"] for each in left] == ["no_burn"]:
            events += self._do(left[0], hand, now, by)
        if not self._open():
            self.complete = True
            events.append((len(self.steps) - 1, "complete"))
        return events

    def _implied(self, index: int) -> list[int]:
        """Steps before it that would have brought the same card on its way."""
        card = self.steps[index].get("card")
        if card is None:
            return []
        return [each for each in self._open() if each < index and self.steps[each].get("card") == card]

    def _silent_before(self, index: int, hand: Hand, now: int) -> list[int]:
        """The steps just before a loose one that nobody can see."""
        found: list[int] = []
        for each in reversed([each for each in self._open() if each < index]):
            if not self._work(each, hand, now).is_silent():
                break
            found.insert(0, each)
        return found

    def _do(self, index: int, hand: Hand, now: int, by: str) -> Events:
        self.done.append(index)
        work = self._work(index, hand, now)
        if work.do == "to_burn":
            self.burnt.add(work.uid or by)
        elif work.do == "replace" and by:
            self.given.add(by)
        work.carry_out(by)
        return [(index, "done")]

    def _begin(self, index: int) -> Events:
        if self.started:
            return []
        self.started = True
        return [(index, "started")]

    # --- cards that go elsewhere ---------------------------------------------------------------------------

    def _violate(self) -> Events:
        self.violated = True
        return [(min(self.at, len(self.steps) - 1), "violated")]

    def _mislaid(self, what: Happening, hand: Hand) -> bool:
        """The card that is to be a burn goes to the muck, or another one becomes the burn in its stead."""
        for index in self._open():
            work = self._work(index, hand, what.t)
            if work.do != "to_burn" or work.uid is None:
                continue
            instead = what.zone == BURN and what.came_from is not None and is_board(what.came_from)
            if (what.uid == work.uid and what.zone == MUCK) or (what.uid != work.uid and instead):
                return True
        return False

    def _old_burn(self, what: Happening, due: str) -> bool:
        """A burn, or a card of the muck, was shuffled in and comes out again."""
        shuffled = any(step["do"] == "shuffle" for step in self.steps)
        return shuffled and due == "deal" and what.came_from in {BURN, MUCK} and is_board(what.zone)
