"""What an explanation of the deal is: card by card, how it came where it lies.

Owns: the vocabulary, and the parts of a deal: the opening, and in stud each later street.
Refuses: finding the explanation (`core.order`), and what follows from it (`core.slips`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class How(Enum):
    """How one card of the deal is explained."""

    REGULAR = "regular"
    UNSEEN = "unseen"
    MISLAID = "mislaid"
    WRONG = "wrong"
    EXTRA = "extra"
    SKIP = "skip"
    LATE = "late"


SLIPS = frozenset({How.WRONG, How.EXTRA, How.SKIP})
INNOCENT = frozenset({How.REGULAR, How.UNSEEN, How.MISLAID, How.LATE})
ANY = SLIPS | INNOCENT


@dataclass(frozen=True, slots=True)
class Item:
    """One card of the initial deal. `seat` None: it left the deck and has not been located yet."""

    uid: str
    seat: int | None
    since: int = 0
    settled: bool = True
    from_shoe: bool = False
    """It was read as it left the shoe: then is known when."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How one card is explained: the seat that was due, how many deal positions it passed over, and how sure."""

    item: Item
    how: How
    due: int | None
    """Seat that was due; None after the last card."""
    position: int
    """Place in the deal, counted from 0, at which this card was due or came."""
    passed: tuple[int, ...] = ()
    """Seats that were passed over (skip) or got an unseen card (unseen)."""
    sure: float = 0.0
    """Margin (nats) of a slip against the best explanation without it."""
    decided: bool = True
    """False while another kind of slip explains the cards as well."""
    served: int | None = None
    """The place in the deal, counted from 0, that this card served; None if it was for none of them."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The whole deal: a reading per card, how far the deal has come, and the order that was followed."""

    readings: tuple[Reading, ...]
    dealt: int
    """Positions of the deal that are served: equal to `total` when the deal is complete."""
    total: int
    order: tuple[int, ...]
    full: frozenset[int] = frozenset()
    """Seats that have all their cards."""
    value: float = 0.0
    """ln P of the explanation, up to a constant."""

    @property
    def next_seat(self) -> int | None:
        """The seat that is due next."""
        return next(iter(self.missing), None)

    @property
    def missing(self) -> tuple[int, ...]:
        """Seats of the positions that are not served yet."""
        due = (self.order[p % len(self.order)] for p in range(self.dealt, self.total))
        return tuple(seat for seat in due if seat not in self.full)


@dataclass(slots=True)
class Part:
    """One part of the deal: the opening, or a later street of stud that goes to the seats."""

    street: str | None
    """The later street's name; None for the opening."""
    order: tuple[int, ...]
    """The seats that get cards, in their order."""
    need: int
    """Cards each of them gets in this part."""
    explanation: Explanation | None = None
    basis: tuple[object, ...] = ()
    """What the explanation was made from."""
    dealt_at: int | None = None
    """When the last card of it came to rest."""
    closed_at: int | None = None
    """When the dealer went on without completing it."""

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The explanation, card by card."""
        return self.explanation.readings if self.explanation is not None else ()

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that still wait for a card of this part."""
        return self.explanation.missing if self.explanation is not None else self.order * self.need

    @property
    def over_at(self) -> int | None:
        """When it was complete, or the dealer went on without completing it, ms."""
        return self.dealt_at if self.dealt_at is not None else self.closed_at
