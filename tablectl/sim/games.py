"""What the simulated dealers know of each game: cards of a seat, streets, betting rounds.

Owns: the games as dealers deal them. Refuses: what tablectl makes of it; it has its own description, so that an error
in the one is found by the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Street:
    """A street: so many cards on the board, or in stud (`up` is not None) one to each player who is still in."""

    name: str
    cards: int
    up: bool | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game: a card a round to each seat, face up where it says so, then the streets."""

    name: str
    faces: tuple[bool, ...]
    first_round: str
    streets: tuple[Street, ...]

    @property
    def stud(self) -> bool:
        """It is dealt from the dealer's left, knows no blinds, and its streets go to the players."""
        return self.streets[0].up is not None

    @property
    def rounds(self) -> tuple[str, ...]:
        """The betting rounds."""
        return (self.first_round, *self.street_names)

    @property
    def street_names(self) -> tuple[str, ...]:
        """The streets in order."""
        return tuple(street.name for street in self.streets)

    def street(self, name: str) -> Street:
        """The street of that name."""
        return next(street for street in self.streets if street.name == name)

    def round_before(self, street: str) -> str:
        """The betting round that must be closed before the street is dealt."""
        return self.rounds[self.street_names.index(street)]


_BOARD = (Street("flop", 3), Street("turn", 1), Street("river", 1))
_UP = {name: Street(name, 1, up=True) for name in ("third", "fourth", "fifth", "sixth")}

GAMES: Mapping[str, Game] = {
    "holdem": Game("holdem", (False,) * 2, "preflop", _BOARD),
    "omaha": Game("omaha", (False,) * 4, "preflop", _BOARD),
    "omaha5": Game("omaha5", (False,) * 5, "preflop", _BOARD),
    "stud5": Game("stud5", (False, True), "second", (_UP["third"], _UP["fourth"], _UP["fifth"])),
    "stud7": Game(
        "stud7",
        (False, False, True),
        "third",
        (_UP["fourth"], _UP["fifth"], _UP["sixth"], Street("seventh", 1, up=False)),
    ),
}
