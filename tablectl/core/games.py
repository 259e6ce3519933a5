"""The games: who gets how many cards, in which rounds, up or down, and what is burned; as data.

    hold'em, Omaha       the opening goes to the seats, all cards down; then flop, turn and river on the board
    five-card stud       one card down and one up (second street); then an up card a street, to the fifth
    seven-card stud      two down and one up (third street); then up cards to the sixth street, the seventh down

Every street after the opening is dealt once the betting before it is closed, and with a burn first.
Owns: what a correct deal of each game looks like. Refuses: what happened at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

PREFLOP = "preflop"
BLINDS = 2
"""The first two seats in dealing order have the small blind and the big blind (heads-up it is the other way round)."""
Start = Literal["button", "dealer"]
"""From whose left the opening is dealt: the button's, or in stud, which knows no button, the dealer's."""
DealtBy = Literal["dealer", "players"]
"""Who deals: the house's dealer, or one player after the other; then the button shows whose turn it is, in stud too."""


@dataclass(frozen=True, slots=True)
class Street:
    """One street after the opening: its name, its cards, and the betting round that must be closed before it.

    `up` None: the cards lie on the board. Else so many go to each seat that is still in, face up or face down.
    `run` is 2 or 3 where the board is dealt again after an all-in.
    """

    name: str
    cards: int
    after: str
    up: bool | None = None
    run: int = 1

    @property
    def key(self) -> str:
        """Its name, told apart from that of the same street in another run."""
        return self.name if self.run == 1 else f"{self.name}/{self.run}"


@dataclass(frozen=True, slots=True)
class Game:
    """One game. `hole` cards go to each seat one at a time, then come the streets, a burn before each."""

    name: str
    hole: int
    streets: tuple[Street, ...]
    opening: str = PREFLOP
    """The betting round that follows the opening deal."""
    up: tuple[bool, ...] = ()
    """Which of a seat's cards of the opening are dealt face up; none where nothing is said."""
    start: Start = "button"

    @property
    def has_button(self) -> bool:
        """It is dealt from the button's left, and the button moves on from hand to hand."""
        return self.start == "button"

    @property
    def to_seats(self) -> bool:
        """Its streets go to the seats: stud."""
        return self.streets[0].up is not None

    @property
    def rounds(self) -> tuple[str, ...]:
        """The betting rounds in order."""
        return (self.opening, *(street.name for street in self.streets))

    def street(self, name: str) -> Street:
        """The street of that name; KeyError if the game has none."""
        for street in self.streets:
            if street.name == name:
                return street
        raise KeyError(name)

    def next_round(self, name: str) -> str | None:
        """The betting round that follows the named one; None after the last."""
        return next((street.name for street in self.streets if street.after == name), None)

    def run_again(self, times: int, first: str) -> tuple[Street, ...]:
        """The streets in the order in which they are dealt, if those from `first` on are dealt so many times.

        Each run is dealt whole before the next one, with a burn before each of its streets. No rulebook of ours says
        how; it is what card rooms that offer it publish (Casino Apollonia, "Run it twice").
        """
        at = [street.name for street in self.streets].index(first)
        again = (replace(street, run=run) for run in range(2, times + 1) for street in self.streets[at:])
        return (*self.streets, *again)

    def may_straddle(self, order: Sequence[int]) -> tuple[int, ...]:
        """The seats, of those dealt in, that may post a straddle: all but the blinds, with three players or more.

        WSOP live action rules, 11: in all games with blinds, under the gun or on the button; houses that play it from
        any other seat let the blinds stay blinds, too.
        """
        return () if self.to_seats or len(order) < BLINDS + 1 else tuple(order[BLINDS:])

    def up_cards(self, cards: int) -> int:
        """How many of a seat's first cards of the opening are dealt face up."""
        return sum(self.up[:cards])


def _upright(*names: str, last: bool = True) -> tuple[Street, ...]:
    """Streets of stud, the first name being that of the opening; `last`: the last card is dealt face up, too."""
    pairs = list(pairwise(names))
    return tuple(Street(name, 1, after, up=last or (after, name) != pairs[-1]) for after, name in pairs)


_BOARD = (Street("flop", 3, PREFLOP), Street("turn", 1, "flop"), Street("river", 1, "turn"))
_FIVE = _upright("second", "third", "fourth", "fifth")
_SEVEN = _upright("third", "fourth", "fifth", "sixth", "seventh", last=False)

GAMES = {
    game.name: game
    for game in (
        Game("holdem", 2, _BOARD),
        Game("omaha", 4, _BOARD),
        Game("omaha5", 5, _BOARD),
        Game("stud5", 2, _FIVE, "second", (False, True), "dealer"),
        Game("stud7", 3, _SEVEN, "third", (False, False, True), "dealer"),
    )
}


def game_of(name: str, dealt_by: DealtBy = "dealer") -> Game:
    """The game of that name as it is dealt there; KeyError if there is none."""
    game = GAMES[name]
    return replace(game, start="button") if dealt_by == "players" else game


def clockwise(seats: Iterable[int], after: int) -> tuple[int, ...]:
    """The seats clockwise from the one after `after`; `after` itself, if among them, comes last.

    Seat numbers grow clockwise. With `after` the button this is the dealing order: heads-up too, where the big
    blind gets the first card and the button the last (TDA 34-B); and with a dead button at an empty seat.
    Seat 1 is at the dealer's left: with 0 the order starts there.
    """
    return tuple(sorted(set(seats), key=lambda seat: (seat <= after, seat)))
