"""What was measured at each antenna: counts alone, so that they can be kept and added to.

Owns: the counts of looks and reads, landing by landing. Refuses: what they mean (`results`), and any UID: none is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import Any

from tablectl.layout import Antenna

ENOUGH = 4
"""A mean of fewer layings says next to nothing of the antenna: they differ by 0.1 to 0.2 from one another."""


@dataclass(slots=True)
class Laid:
    """One laying of a card, or of two on each other, as one antenna read it."""

    n: int = 0
    """Whole looks."""
    r: int = 0
    """Looks that read the card; of two cards, reads of either."""
    both: int = 0
    """Of two cards: looks that read both."""
    strengths: list[int] = field(default_factory=list)
    """As the reader gave them, dBm or its own figure."""

    @property
    def strength(self) -> float | None:
        """The middle one: a figure that is far off now and then does not move it."""
        return float(median(self.strengths)) if self.strengths else None


@dataclass(slots=True)
class Measured:
    """One antenna."""

    zone: str
    empty: int = 0
    """Looks while nothing lay there or beside it …"""
    ghosts: int = 0
    """… and reads in them."""
    one: list[Laid] = field(default_factory=list)
    two: list[Laid] = field(default_factory=list)
    beside: dict[str, list[Laid]] = field(default_factory=dict)
    """Another zone → what this antenna read of the card while it lay there."""
    skipped: bool = False

    @property
    def done(self) -> bool:
        """Enough was measured with a card to write it down."""
        return len(self.one) >= ENOUGH


Table = dict[Antenna, Measured]


def as_json(table: Table) -> list[dict[str, Any]]:
    """The counts, to be kept until the next time."""
    return [
        {
            "reader": reader, "antenna": antenna, "zone": each.zone, "empty": each.empty, "ghosts": each.ghosts,
            "one": [_laid(one) for one in each.one], "two": [_laid(two) for two in each.two],
            "beside": {zone: [_laid(laid) for laid in many] for zone, many in each.beside.items()},
        }
        for (reader, antenna), each in table.items()
    ]  # fmt: skip


def _laid(laid: Laid) -> list[Any]:
    return [laid.n, laid.r, laid.both, laid.strengths]


def from_json(rows: Any) -> Table:
    """The counts that were kept. ValueError, TypeError or KeyError if these are none."""
    table: Table = {}
    for row in rows:
        measured = Measured(str(row["zone"]), int(row["empty"]), int(row["ghosts"]))
        measured.one = [_read(each) for each in row["one"]]
        measured.two = [_read(each) for each in row["two"]]
        measured.beside = {str(zone): [_read(each) for each in many] for zone, many in row["beside"].items()}
        table[int(row["reader"]), int(row["antenna"])] = measured
    return table


def _read(given: Any) -> Laid:
    n, r, both, strengths = given
    return Laid(int(n), int(r), int(both), [int(each) for each in strengths])
