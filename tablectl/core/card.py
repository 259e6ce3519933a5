"""One card in play: when it left the deck, where it came to rest, and where it lies now.

Owns: what is known of the card, between which moments it can have left the deck, and how it moves in an order of cards.
Refuses: the other cards (`core.hand`), and how sure its place is (`core.tracker`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tablectl.core.evidence import BOARD_MS
from tablectl.layout import BURN, MUCK, is_board, seat_of

FLIGHT_MS = 250
"""From the shoe to the felt, for cards that the shoe did not read (180–350 ms; assumption)."""
SHORTEST_FLIGHT_MS = 120
"""No card reaches the felt sooner (assumption)."""
HELD_MS = 1500
"""A card first found so long after it left the shoe was in a hand meanwhile, and may be on its way to the muck …"""
LIES_MS = 800
"""… unless it lies there for longer than it is pushed over another seat."""
LATE_PILE_MS = 6000
"""The same on a pile, where cards hide one another (assumption)."""
LATE_READ_MS = 900
"""A card may have left the shoe this long before it is first read, if it lies badly (assumption)."""


@dataclass(frozen=True, slots=True)
class Landing:
    """The first place where a card came to rest; `settled` False: probably."""

    zone: str
    since: int
    settled: bool


@dataclass(slots=True)
class Card:
    """A card in play. `zone` is where it lies now; None in the air, in a hand, or not known."""

    uid: str
    sort: str
    """deck, joker or foreign."""
    token: str | None
    out_at: int
    """When it left the deck, ms: read at the shoe last, or judged from its landing."""
    from_shoe: bool
    """`out_at` was read at the shoe; else it is judged from the landing."""
    landing: Landing | None = None
    zone: str | None = None
    since: int = 0
    """When it came to rest in `zone`, or when it was last read there if it is gone."""
    mucked_since: int | None = None
    """Since when it is known to be in the muck or aside, ms, as long as it is not found in play again."""
    k: int | None = None
    shoe_read: int = 0
    """When the shoe read it last, ms, if `from_shoe`."""
    surely_there: int | None = None
    """When the shoe read it last before it was read anywhere else, ms."""
    counts_in: str | None = None
    """The zone a remedy moved it to, for the record of the hand; None: where it came to rest first."""
    left: bool = False
    """It was seen to leave the shoe before it came to rest anywhere."""
    found: bool = False
    """It was found lying after an outage, or long after it left the deck: when it came there is not known."""
    held: bool = True
    """False once it left play: back in the deck, or removed by a remedy."""
    removed: bool = False
    """A remedy took it out of play, or back into the deck, as if it had not been dealt: it took nobody's place."""
    lay_in: str | None = None
    """The zone where it came to rest last …"""
    arrived: int = 0
    """… and when, ms."""
    told: bool = False
    """Where it came to rest was told."""
    in_passing: bool = False
    """It was found so late, and so briefly yet, that it may only pass there; or it has passed."""

    def may_be_passing(self, now: int) -> bool:
        """Whether it may only be pushed over the place where it was first found, or glided over the board."""
        if self.glided_over_board:
            return True
        if self.landing is None or not self.found_late:
            return False
        return not self.landing.settled or now - self.landing.since < LIES_MS

    @property
    def glided_over_board(self) -> bool:
        """It was read on the board for no longer than a slide across it takes, and is not there any more."""
        if self.landing is None or not is_board(self.landing.zone):
            return False
        if not self.landing.settled or self.zone is not None:
            return False
        return self.since - self.landing.since <= BOARD_MS

    @property
    def lies_at(self) -> str | None:
        """Where it lies, or first lay if it is held up; None if it has come to rest nowhere."""
        return self.zone or (self.landing.zone if self.landing is not None else None)

    @property
    def found_late(self) -> bool:
        """It was first found so long after it left the shoe that it was in a hand meanwhile, or lay unread."""
        return self.from_shoe and self.landing is not None and self.landing.since - self.shoe_read > HELD_MS

    @property
    def earliest_out(self) -> int:
        """The earliest it can have left the deck, ms."""
        if self.from_shoe:
            there = self.shoe_read if self.surely_there is None else self.surely_there
            return min(self.out_at, self.shoe_read, there)
        if self.landing is None:
            return self.out_at
        piled = self.landing.zone in {BURN, MUCK}
        return self.landing.since - (LATE_PILE_MS if piled else LATE_READ_MS)

    @property
    def latest_out(self) -> int:
        """The latest it can have left the deck, ms."""
        return (
            self.landing.since - SHORTEST_FLIGHT_MS
            if self.landing is not None
            else self.out_at + LATE_READ_MS
        )

    @property
    def owner(self) -> int | None:
        """The seat whose card it is: the one it first came to rest at."""
        return seat_of(self.landing.zone) if self.landing else None


def earlier_places(
    cards: Sequence[Card], may_have_come_first: Callable[[Card, Card], bool]
) -> Iterator[tuple[int, int]]:
    """(from, to): where a card of that order may be moved to, forward past cards that it may have come before;
    card by card, the smallest move first."""
    for at, card in enumerate(cards):
        for to in range(at - 1, -1, -1):
            if not may_have_come_first(card, cards[to]):
                break
            yield at, to


def moved(cards: list[Card], at: int, to: int) -> list[Card]:
    """The cards in the order after that move."""
    return [*cards[:to], cards[at], *cards[to:at], *cards[at + 1 :]]
