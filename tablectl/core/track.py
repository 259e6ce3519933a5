"""One card as the antennas saw it, and the movements that the tracker reports.

Owns: the record of one card's home, reads and running trial, and the words in which the rest of the core hears of it.
Refuses: deciding anything (`core.tracker`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tablectl.core.trial import Count, Trial


@dataclass(frozen=True, slots=True)
class Placed:
    """A card came to rest in `zone` at `since`; `settled` False means probably.

    `around` is since when it has been read in other places than the shoe, ms: a card that comes from the deck
    has not been around before it lands.
    """

    uid: str
    zone: str
    since: int
    t: int
    settled: bool
    around: int


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A card that probably rested in `zone` does not."""

    uid: str
    zone: str
    t: int


@dataclass(frozen=True, slots=True)
class Lifted:
    """A card is no longer read where it rested; last read there at `since`. It may come back, or go elsewhere."""

    uid: str
    zone: str
    since: int
    t: int


Movement = Placed | Unplaced | Lifted


@dataclass(slots=True)
class Track:
    """What is known of one card: its home, since when, and the running trial."""

    uid: str
    home: str | None = None
    since: int = 0
    last: int = 0
    missed: int = 0
    lifted: bool = False
    picked_up: bool = False
    """It was lifted and came back since it came to its home."""
    trial: Trial | None = None
    dealt_to: str | None = None
    """Its first home after the shoe."""
    heard: dict[str, Count] = field(default_factory=dict)
    """Reads per zone since it came to its home."""

    def read(self, zone: str, strength: int | None) -> int:
        """Counts one read since it came to its home; returns how many there are."""
        count = self.heard.get(zone)
        if count is None:
            count = self.heard[zone] = Count()
        count.read(strength)
        return count.r
