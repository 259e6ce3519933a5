"""How a dealer deals and enters: pace, pauses, how late each entry comes.

Owns: the dealer's parameters, ms unless said otherwise. All are assumptions [A] of
`shared/spec/tracking.md` §5.11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tablectl.errors import UsageError
from tablectl.sim.noise import Span

PAUSE_AFTER: Mapping[str, float] = MappingProxyType(
    {"hand_mucked": 5000.0, "card_lost": 9000.0, "card_lost:hand": 15_000.0}
)
"""Slips that nobody can be sure of at once: the dealer looks longer for what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """One dealer."""

    pace: Span = (1.5, 5.0)
    """Cards per second of a deal, drawn per hand."""
    unevenness: float = 0.15
    """How far single cards come earlier or later, as a share of the interval."""
    burn_pause: Span = (350.0, 800.0)
    """Before a burn, and between it and the board."""
    board_interval: Span = (250.0, 500.0)
    """Between two cards of the board."""
    think: Span = (300.0, 1200.0)
    """How long a player takes to act; real ones take longer, during which nothing would happen."""
    fold_push: Span = (350.0, 800.0)
    """How long a folded hand is on its way to the muck."""
    entry: Span = (150.0, 600.0)
    """From a check, call, bet or raise to its entry."""
    fold_entry: Span = (200.0, 1500.0)
    """From a folded hand's reaching the muck to the entry."""
    round_gap: Span = (400.0, 1000.0)
    """From the last entry of a round to the next burn."""
    ruling_pause: float = 2000.0
    """After a slip that the dealer notices: time to see what tablectl says."""
    collect_each: Span = (150.0, 400.0)
    """Between two hands that are pulled in."""
    pick_up: Span = (600.0, 1500.0)
    """From the last card in the muck to the pile's being picked up."""
    shuffle: Span = (1500.0, 3000.0)
    """From the pick-up to the next first card; a shuffling machine's cards lie ready."""
    show: float = 800.0
    """How long hands are held up when they are shown."""
    enters_confirms: bool = True
    """Shuffle and cut are confirmed."""
    enters_hand_end: bool = True
    """The end of the hand is entered, before the cards are pulled in."""
    pause_after: Mapping[str, float] = field(default_factory=lambda: PAUSE_AFTER)

    def __post_init__(self) -> None:
        if not 0 < self.pace[0] <= self.pace[1]:
            raise UsageError(
                f"pace = {self.pace}: must be two numbers of cards per second, the lower one first"
            )

    def pause_for(self, slip: str, variant: str | None) -> float:
        """How long the dealer waits after that slip."""
        special = self.pause_after.get(f"{slip}:{variant}", self.pause_after.get(slip, 0.0))
        return max(self.ruling_pause, special)
