"""The button from one hand to the next: where it may lie, and where it is expected.

It moves on to the next player once the hand was played. If that player has left, it may lie dead at his empty seat, or
go on to the first one who was there in the hand before; a newcomer in between may be given it, too. With two players,
or when the button was drawn anew, nothing is expected, for then every house has its own way.

A button whose own tag lies elsewhere is no slip by itself: it may have been forgotten, or be moved once the cards are
out. Only a deal that follows it tells of a misplaced button.

Owns: these places. Refuses: what a button at another one means (`core.told` names it, `core.rulebook` rules).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tablectl.core.games import clockwise
from tablectl.layout import MAX_SEATS

FEW = 3
"""With fewer players from one hand to the next the button is placed by agreement: heads-up, or a new table."""


@dataclass(frozen=True, slots=True)
class Due:
    """Where the button may lie, and the seat where it is expected."""

    expected: int
    seats: frozenset[int]


@dataclass(frozen=True, slots=True)
class Held:
    """A hand before: who was dealt in, where the button lay, and where it should have lain."""

    order: Sequence[int]
    button: int
    due: Due | None = None
    played: bool = True
    """It surely came to an end: by folds, a showdown, or the dealer's word. Else it may have to be dealt again."""

    def moved_on(self, eligible: Sequence[int]) -> int:
        """Where the button goes if it simply moves on to the next player."""
        return clockwise(eligible, self.button)[0]

    def after(self, eligible: Collection[int]) -> Due | None:
        """Where the button is due in the next hand, dealt to those seats; None if nothing can be said.

        After a hand with a misplaced button it may move on from there, or from where it should have been: houses
        differ (TDA 34-A; RROP, irregularities 1).
        """
        if len(set(self.order) & set(eligible)) < FEW:
            return None
        usual = _moved_on(self.button, self.order, eligible)
        if not self.played:
            usual = Due(usual.expected, usual.seats | {self.button})
        if self.due is None or self.button in self.due.seats:
            return usual
        return Due(usual.expected, usual.seats | _moved_on(self.due.expected, self.order, eligible).seats)


def either_button(lies: int, again: int | None, due: Due | None, left: int | None) -> tuple[int, ...]:
    """The seats of which the deal tells the button's, the likelier one first; `lies` is where its tag does.

    `again`: where it must lie in a redeal; `left`: where it would have moved on to, if it still lies where it lay in
    the hand before. A button that may lie where it does was put there on purpose, unless it was left there.
    """
    if again is None and due is not None and lies not in due.seats:
        again = due.expected
    likely = (lies, left) if again is None else (again, lies)
    return tuple(dict.fromkeys(seat for seat in likely if seat is not None))


def _moved_on(button: int, order: Sequence[int], eligible: Collection[int]) -> Due:
    """The seats after that one, up to the first player who was there and still is."""
    round_table = [seat for seat in clockwise(range(1, MAX_SEATS + 1), button) if seat != button]
    first = next(seat for seat in round_table if seat in order and seat in eligible)
    return Due(first, frozenset(round_table[: round_table.index(first) + 1]))
