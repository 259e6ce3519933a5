"""What was entered of one hand besides its actions: who plays, what was confirmed and reported, what was agreed.

Owns: these data, and copies that later inputs do not reach. Refuses: what an input means (`core.inputs`), whether it
fits the moment (`core.moment`), and actions (`core.betting`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tablectl.core.betting import Betting
from tablectl.core.games import Start, Street, clockwise


@dataclass(frozen=True, slots=True)
class Runs:
    """The rest of the board is dealt more than once: the players agreed on it after an all-in."""

    times: int
    first: str
    """The first street that is dealt again."""
    streets: tuple[Street, ...]
    """All streets in the order in which they are dealt."""
    before: Betting
    """The betting when that was agreed; where it is taken back, the rounds that it closed are open again."""


@dataclass(slots=True)
class Entered:
    """What the dealer entered for this hand besides actions."""

    shuffled: bool = False
    cut: bool = False
    cut_exposed: int = 0
    exposed: list[tuple[int, int, int | None, str | None]] = field(default_factory=list)
    """(t, seat, k, by)."""
    reported: list[tuple[int, str, dict[str, Any]]] = field(default_factory=list)
    """(t, do, args) of damaged, stub_disordered, stub_count, up_cards, note."""
    showdown_at: int | None = None
    ended_at: int | None = None
    straddles: tuple[int, ...] = ()
    """Seats with a straddle, in the order in which they were posted."""
    runs: Runs | None = None

    def copy(self) -> Entered:
        """A copy that later inputs do not reach."""
        return replace(self, exposed=list(self.exposed), reported=list(self.reported))


@dataclass(slots=True)
class Setup:
    """Who plays and where the button is, for one hand."""

    eligible: tuple[int, ...]
    button: int | None
    absent: frozenset[int] = frozenset()

    def order(self, start: Start = "button") -> tuple[int, ...]:
        """Dealing order; where no button is known, or none is used, it starts at the dealer's left."""
        return clockwise(self.eligible, self.button if self.button is not None and start == "button" else 0)
