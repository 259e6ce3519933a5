"""Does memory grow? A line through samples, with the interval of its slope.

Owns: that fit. Refuses: sampling (`controller`) and what is too much (`verdict`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

Z = 1.959964
"""The normal distribution's 97.5 % point."""


@dataclass(frozen=True, slots=True)
class Slope:
    """Units an hour, with its 95 % interval, over so many hours and samples."""

    an_hour: float
    low: float
    high: float
    hours: float
    samples: int


def slope(pieces: Sequence[Mapping[float, float]]) -> Slope | None:
    """One slope for several pieces (hours → value) that may each lie at a level of their own; None for too few samples.

    Least squares; the interval is Student's, so it supposes samples that do not hang on one another: take means of long
    times. The level is free because memory that was needed once, for a backlog, may stay with the process.
    """
    pieces = [piece for piece in pieces if len(piece) > 1]
    n, free = sum(map(len, pieces)), len(pieces) + 1
    if n - free < 2:
        return None
    centred: list[tuple[float, float]] = []
    for piece in pieces:
        x0, y0 = sum(piece) / len(piece), sum(piece.values()) / len(piece)
        centred += [(x - x0, y - y0) for x, y in piece.items()]
    spread = sum(x * x for x, _ in centred)
    found = sum(x * y for x, y in centred) / spread
    left = sum((y - found * x) ** 2 for x, y in centred)
    half = student(n - free) * sqrt(left / (n - free) / spread)
    hours = max(map(max, pieces)) - min(map(min, pieces))
    return Slope(found, found - half, found + half, hours, n)


def student(freedom: int) -> float:
    """Student's 97.5 % point. Cornish and Fisher's expansion, Abramowitz and Stegun 26.7.5: within 1 % from 3 on."""
    z, z3, z5, z7 = (Z**power for power in (1, 3, 5, 7))
    return (
        z
        + (z3 + z) / (4 * freedom)
        + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom**2)
        + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom**3)
    )
