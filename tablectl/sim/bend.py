"""What a slip may look at while it bends the course of a hand.

Owns: that view of the course. Refuses: the slips (`slips`, `stud_slips`).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TypeVar

from tablectl.errors import UsageError
from tablectl.layout import seat_of
from tablectl.sim.course import Course, Mark, Move, Pitch
from tablectl.sim.games import Game
from tablectl.sim.script import HandPlan
from tablectl.sim.setup import TableSetup

_T = TypeVar("_T")


@dataclass(slots=True)
class Bend:
    """What a slip may look at while it bends a course."""

    course: Course
    plan: HandPlan
    setup: TableSetup
    rng: Random

    @property
    def order(self) -> tuple[int, ...]:
        return self.course.order

    @property
    def variant(self) -> str | None:
        return self.plan.chosen_variant

    @property
    def game(self) -> Game:
        return self.course.game

    @property
    def street(self) -> str:
        return self.plan.street_in(self.game)

    @property
    def later(self) -> bool:
        """The slip is one of the deal, on a later street of stud."""
        return self.plan.on_later_street(self.game)

    def zone(self, seat: int, place: int) -> str:
        """Where a card of the seat goes if it is dealt at that place (from 0) of the opening."""
        faces = self.game.faces
        return self.setup.place(seat, up=faces[min(place // len(self.order), len(faces) - 1)])

    def preflop(self) -> list[Move]:
        """The actions of the first betting round."""
        return self.course.rounds[self.game.first_round]

    @property
    def stops(self) -> bool:
        return self.plan.aftermath == "stop"

    def due(self, place: int) -> int:
        """The seat whose card is the one at `place` (from 0) of the deal."""
        return self.order[place % len(self.order)]

    def cards(self, seat: int, before: int) -> int:
        """How many cards that seat has got before `place` of the deal."""
        return sum(seat_of(pitch.zone) == seat for pitch in self.course.deal[:before])

    def mark(self, pitch: Pitch, kind: str, **fields: object) -> None:
        """This card makes the slip; the dealer stops once it lies, unless he deals on."""
        pitch.mark = Mark(kind, fields)
        pitch.stop = self.stops


def some(chances: list[_T], what: str, needed: str) -> list[_T]:
    """The chances, of which there must be one. UsageError that says what the table needs for the slip."""
    if not chances:
        raise UsageError(f"{what} cannot happen at this table: it needs {needed}")
    return chances
