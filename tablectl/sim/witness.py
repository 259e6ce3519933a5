"""The one who stands beside the dealer and writes down what is true of his slips.

Owns: which card makes which slip, when a slip counts as made, and when one that only a missing card makes shows.
Refuses: the course of the hand and the dealer's reaction (`dealer`); the spelling of the truth (`truth`).
"""

from __future__ import annotations

from typing import Any

from tablectl.layout import BURN
from tablectl.sim.course import Mark
from tablectl.sim.timeline import Timeline
from tablectl.sim.truth import Truth
from tablectl.sim.world import Card


class Witness:
    """Follows one dealer, hand by hand."""

    def __init__(self, truth: Truth, time: Timeline) -> None:
        self._truth, self._time = truth, time
        self._marks: dict[Card, Mark] = {}
        self._lacking: Mark | None = None
        self.shown = False
        """What was missing in this hand has shown: the dealer could see it."""

    def new_hand(self) -> None:
        """Another hand begins: nothing of the last one is expected any more."""
        self._truth.hand += 1
        self._marks.clear()
        self._lacking, self.shown = None, False

    def expect(self, card: Card, mark: Mark) -> None:
        """The card will make this slip, when it comes to rest or falls down."""
        self._marks[card] = mark

    def lacks(self, mark: Mark | None) -> None:
        """What is missing now, if anything; nobody can see it before the next entry or burn."""
        self._lacking = mark

    def came_to_rest(self, card: Card) -> None:
        """A card lies: its slip is made, and a burn shows what is missing since the deal or the street."""
        self.makes_slip(card)
        if card.zone == BURN:
            self.evidence()

    def makes_slip(self, card: Card) -> None:
        """The slip of this card, if it has one, counts from now on; once."""
        mark = self._marks.pop(card, None)
        if mark:
            self.slip(mark, card)

    def evidence(self) -> None:
        """What is missing shows now."""
        if self._lacking:
            self.slip(self._lacking, None)
            self._lacking, self.shown = None, True

    def slip(self, mark: Mark, card: Card | None) -> None:
        """A slip was made now, by this card if by any."""
        fields = {name: value for name, value in mark.fields.items() if value is not None}
        if card is not None:
            fields.update(k=card.k, uid=card.uid)
            if card.zone is not None:
                fields.setdefault("zone", card.zone)
        self.note("irregularity", kind=mark.kind, at=round(self._time.now), **fields)

    def note(self, event: str, **what: Any) -> None:
        """Anything else that is true, at this moment."""
        self._truth.note(self._time.now, event, **what)
