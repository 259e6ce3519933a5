"""The games: hole cards, streets and dealing order, as data.

Owns: what a correct deal of each game looks like. Refuses: what happened at the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

PREFLOP = "preflop"


@dataclass(frozen=True, slots=True)
class Street:
    """One street of the board: its name, its cards, and the betting round that must be closed before it."""

    name: str
    cards: int
    after: str


@dataclass(frozen=True, slots=True)
class Game:
    """A flop game: `hole` cards to each seat one at a time, then the streets of the board, a burn before each."""

    name: str
    hole: int
    streets: tuple[Street, ...]

    def street(self, name: str) -> Street:
        """The street of that name; KeyError if the game has none."""
        for street in self.streets:
            if street.name == name:
                return street
        raise KeyError(name)

    def next_round(self, name: str) -> str | None:
        """The betting round that follows the named one; None after the last."""
        return next((street.name for street in self.streets if street.after == name), None)


_BOARD = (Street("flop", 3, PREFLOP), Street("turn", 1, "flop"), Street("river", 1, "turn"))

GAMES = {
    game.name: game
    for game in (Game("holdem", 2, _BOARD), Game("omaha", 4, _BOARD), Game("omaha5", 5, _BOARD))
}


def clockwise(seats: Iterable[int], after: int) -> tuple[int, ...]:
    """The seats clockwise from the one after `after`; `after` itself, if among them, comes last.

    Seat numbers grow clockwise. With `after` the button this is the dealing order: heads-up too, where the big
    blind gets the first card and the button the last (TDA 34-B).
    """
    return tuple(sorted(set(seats), key=lambda seat: (seat <= after, seat)))
