"""A hand that lays cards where it is told: for whoever measures the antennas of a simulated table.

Owns: one hand with two cards of the deck. Refuses: dealing (`dealer`), and when to lay what: it is told.
"""

from __future__ import annotations

from tablectl.errors import UsageError
from tablectl.layout import ASIDE
from tablectl.sim.stage import Stage
from tablectl.sim.world import Card

HAND_WORDS = frozenset({"lay", "lift", "over"})
"""What a hand is told begins with one of these."""
CARRY_MS = 300.0
"""From beside the antennas to the felt: a hand is quicker than a pitch is slow [A]."""
ON_EACH_OTHER = 1.0
"""How far two cards cover each other that lie exactly on each other, 0 to 1."""


class Hand:
    """A technician's hand at the table of that stage, which nobody plays at."""

    def __init__(self, stage: Stage) -> None:
        self._world = stage.world
        self._world.landed = lambda _card: None  # no player takes the card up
        uids = list(stage.setup.decks[stage.setup.deck_ids[0]].cards)[:2]
        self._cards = [Card(uid, "As", gain=self._world.tag_gain(uid)) for uid in uids]

    def do(self, words: str) -> None:
        """`lay seat:3`, `lay seat:3 2` or `lift`. UsageError for anything else."""
        match words.split():
            case ["lift" | "over"]:
                self.lift()
            case ["lay", zone]:
                self.lay(zone, 1)
            case ["lay", zone, "1" | "2" as count]:
                self.lay(zone, int(count))
            case _:
                raise UsageError(f"{words!r}: must be lift, lay ZONE, or lay ZONE 2")

    def lay(self, zone: str, count: int) -> None:
        """Lay so many cards there on each other, and lift what lay elsewhere."""
        if zone not in self._world.felt.places:
            raise UsageError(f"{zone!r}: there is no such place on the felt")
        self.lift()
        for card in self._cards[:count]:
            self._world.fly(card, zone, CARRY_MS, start=ASIDE, slide=False)
        if count == len(self._cards):
            # Before they land: what lies on each other from the start needs no overlap drawn.
            one, other = self._cards
            one.covers[other] = other.covers[one] = ON_EACH_OTHER

    def lift(self) -> None:
        """Take all cards off the table."""
        for card in self._cards:
            self._world.release(card)
