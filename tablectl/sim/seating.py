"""Who sits at the table from hand to hand, and where the button is.

Owns: players who leave for some hands and come back, and the button's way round the table. Refuses: entering
any of it (`dealer`).
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from tablectl.errors import UsageError
from tablectl.sim.script import HandPlan

FEWEST = 3
"""With so few players at the table nobody leaves it, and all who had left come back."""
LONGEST_AWAY = 5
"""For how many hands a player leaves his seat at most [A]."""


class Seating:
    """The players of one evening. UsageError if these seats cannot play."""

    def __init__(self, seats: int, eligible: Collection[int] | None, button: int | None, rng: Random) -> None:
        wrong = [seat for seat in (*(eligible or ()), button or 1) if not 1 <= seat <= seats]
        if wrong or (eligible is not None and len(set(eligible)) < 2):
            raise UsageError(f"two seats at least must be taken, all of them from 1 to {seats}")
        self._seats, self._rng = seats, rng
        self._regulars = self.eligible = tuple(sorted(eligible or range(1, seats + 1)))
        self.button = button or self.eligible[-1]
        self._away: dict[int, int] = {}
        """Who has left his seat, and for how many hands more."""
        self._empty: dict[int, int] = {}
        """The same for a seat that must be empty for a slip: for that hand and the next one."""

    def next_hand(self, plan: HandPlan, *, redeal: bool) -> None:
        """Players come and go as the plan wishes, but not before a hand that is dealt again."""
        self._empty = _later(self._empty)
        if not redeal:
            self._away = _later(self._away)
            if len(self._regulars) - len(self._away) <= FEWEST:
                self._away.clear()
        self._seat()
        if plan.slip == "ineligible_seat" and len(self.eligible) == self._seats > 2:
            self._empty = {self._rng.choice(self._others()): 2}
            self._seat()
        if redeal:
            return
        if "seat_change" in plan.also:
            self._leaves(self._others() if len(self.eligible) > FEWEST else [])
        if "dead_button" in plan.also and self.button in self.eligible:
            self._leaves([self.button] if len(self.eligible) > 2 else [])

    def move_button(self) -> None:
        """The button goes to the next player."""
        after = [seat for seat in self.eligible if seat > self.button]
        self.button = (after or list(self.eligible))[0]

    def _others(self) -> list[int]:
        return [seat for seat in self.eligible if seat != self.button]

    def _leaves(self, who: list[int]) -> None:
        """One of these players leaves his seat for some hands."""
        if not who:
            raise UsageError("nobody can leave this table: too few would be left to play")
        gone = self._rng.choice(who)
        self._away[gone] = self._rng.randint(1, LONGEST_AWAY)
        self._seat()

    def _seat(self) -> None:
        gone = {*self._away, *self._empty}
        self.eligible = tuple(seat for seat in self._regulars if seat not in gone)


def _later(gone: dict[int, int]) -> dict[int, int]:
    """One hand later: who is gone still, and for how many hands more."""
    return {seat: hands - 1 for seat, hands in gone.items() if hands > 1}
