"""The figures of one table that the core works with, all in milliseconds unless named otherwise.

Owns: what a house may set, and what was measured of its antennas, with defaults that work.
Refuses: the configuration file (`tablectl.config`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tablectl.cards import Deck
from tablectl.core.betting import Mode
from tablectl.core.evidence import ReadModel
from tablectl.core.games import DealtBy
from tablectl.layout import Layout, is_up

MEAN_LIMITS = (0.01, 0.99)
"""No antenna reads every card, or none: what was measured beyond this was measured too briefly."""
KAPPA_LIMITS = (0.1, 1000.0)
"""Beyond these the landings of a zone are as different, or as alike, as the arithmetic can still tell."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long tablectl waits before it takes something for a fact."""

    correct_ms: int = 1500
    """A card that reaches its right place within this time of coming to rest wrongly was corrected."""
    fold_grace_ms: int = 3000
    """A fold may be entered this long after the cards reached the muck."""
    lost_ms: int = 6000
    """A card that left the shoe and came to rest nowhere for this long is lost."""
    held_lost_ms: int = 12000
    """One card of a hand that is gone this long, while the others lie there, is lost."""
    next_card_ms: int = 1000
    """How long the next card may take to tell a skipped seat from a wrong one."""
    hand_gap_ms: int = 800
    """Seats and board must be empty this long before the hand counts as collected."""
    flop_ms: int = 900
    """The cards of a street lie still for this long once all of them are there."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured of the antennas of one zone; None where nothing was, and the core's own figure holds."""

    read: float | None = None
    """Mean probability, between 0 and 1, that one look reads a card that rests in the zone."""
    spread: float | None = None
    """How alike the landings are: α + β of the Beta distribution of their read probabilities, above 0."""
    strength: int | None = None
    """Usual signal of a card that lies well there, in dBm or the reader's own figure."""

    def model(self, usual: ReadModel) -> ReadModel:
        """How well a card that rests in the zone is read there: as measured, and for the rest as usual."""
        mean = usual.mean if self.read is None else _within(self.read, MEAN_LIMITS)
        kappa = usual.kappa if self.spread is None else _within(self.spread, KAPPA_LIMITS)
        return ReadModel(mean, kappa)


def _within(value: float, limits: tuple[float, float]) -> float:
    return min(max(value, limits[0]), limits[1])


@dataclass(frozen=True, slots=True)
class Setting:
    """One table: its name, its zones, its game and rulebook, and the decks it knows."""

    id: str
    layout: Layout
    game: str
    rulebook: str
    mode: str
    betting: Mode
    language: str = "en"
    night: bool = False
    """The room is dark and quiet when the table starts: lamps and buzzer are softer."""
    dealt_by: DealtBy = "dealer"
    confirms: frozenset[str] = frozenset()
    decks: tuple[Deck, ...] = ()
    active_deck: str = ""
    timing: Timing = field(default_factory=Timing)
    calibration: Mapping[str, Calibration] = field(default_factory=dict)
    """Zone → what was measured of its antennas."""
    button_tags: frozenset[str] = frozenset()
    """UIDs of the dealer button's own tags; none: its seat is entered, or goes on by itself."""
    names: Mapping[int, str] = field(default_factory=dict)
    """Seat → what the display calls whoever sits there."""
    shuffle_p: float = 0.0
    """Cards that come so improbably in the order in which they were picked up are asked about; 0: never."""

    @property
    def deck_ids(self) -> tuple[str, ...]:
        """The decks this table has a manifest of."""
        return tuple(deck.id for deck in self.decks)


CHECKS_OF_ZONE: Mapping[str, tuple[str, ...]] = {
    "shoe": ("card_lost", "untagged_card", "boxed_card"),
    "seat": (
        "wrong_seat", "seat_skipped", "ineligible_seat", "too_few_cards", "too_many_cards", "hand_mucked",
        "card_in_other_hand", "card_lost",
    ),
    "board": ("premature_card", "too_many_board_cards", "too_few_board_cards", "dealt_after_end"),
    "burn": ("burn_missing", "burn_extra"),
    "muck": ("hand_mucked",),
    "aside": ("remedy_not_followed",),
}  # fmt: skip
"""Which checks rest on a zone: they are off while it cannot be trusted, and where the table does not have it."""


def checks_of(zone: str) -> tuple[str, ...]:
    """The checks that rest on the zone; those of `seat:3` are the checks of every seat."""
    checks = CHECKS_OF_ZONE.get(zone.partition(":")[0], ())
    return (*checks, "up_card_error") if is_up(zone) is not None else checks
