"""What few landings tell of an antenna: means with intervals, as the core understands them.

Owns: the posterior of a read probability whose landings differ (Beta-binomial, tracking notes §3), how alike the
landings of one table are, and the level of a signal. Refuses: where the counts come from (`course`).

Landings differ more than looks: forty looks at one card tell much of where it lies and little of the antenna. So an
interval comes from the landings, and how alike they are (κ) is taken from all antennas of the table together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, sqrt
from statistics import NormalDist, fmean

from tablectl.core.evidence import ReadModel, reads

LEVEL = 0.95
"""Every interval holds the truth this often."""
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
KAPPAS = tuple(exp(log(0.7) + step * (log(60) - log(0.7)) / 23) for step in range(24))
USUAL_KAPPA, KAPPA_SPREAD = log(5.0), 0.7
"""κ is 2 to 10 at real tables (tracking notes §5.1, an assumption): ln κ scatters so around ln 5 before anything is
measured."""
MEANS = tuple((step + 0.5) / 80 for step in range(80))
SMALL = tuple(0.002 * 300 ** (step / 79) for step in range(80))
"""Means that a neighbour's reads may have, 0.2 to 60 %: each tenfold step as likely as the next (0.5 to 10 % are usual,
tracking notes §5.2)."""

Landing = tuple[int, int]
"""(looks that read the card, looks) while it lay in one place."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the interval around it that holds the truth in 95 of 100 cases."""

    mean: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class Landings:
    """The read probabilities of one table: one antenna's mean, and κ of all together.

    `means` are the values that a mean may have, all equally likely beforehand.
    """

    def __init__(self, means: tuple[float, ...] = MEANS) -> None:
        self._means = means

    def kappa(self, antennas: Iterable[Sequence[Landing]]) -> list[float]:
        """The posterior of κ over KAPPAS, from the landings of every antenna."""
        logs = [-((log(kappa) - USUAL_KAPPA) ** 2) / (2 * KAPPA_SPREAD**2) for kappa in KAPPAS]
        for landings in antennas:
            if landings:
                logs = [a + _log_sum(row) for a, row in zip(logs, self._rows(landings), strict=True)]
        return _normal(logs)

    def mean(self, landings: Sequence[Landing], kappas: Sequence[float]) -> Estimate:
        """The mean read probability of one antenna, given how probable each of KAPPAS is."""
        weights = [0.0] * len(self._means)
        for row, share in zip(self._rows(landings), kappas, strict=True):
            # The evidence of this antenna for κ is in `kappas` already, so each row counts by that alone.
            for place, part in enumerate(_normal(row)):
                weights[place] += share * part
        return _estimate(self._means, weights)

    def _rows(self, landings: Sequence[Landing]) -> list[list[float]]:
        """ln P(landings | mean, κ): a row for each κ."""
        tables = [_table(landing, small=self._means is SMALL) for landing in landings]
        return [
            [sum(parts) for parts in zip(*(table[row] for table in tables), strict=True)]
            for row in range(len(KAPPAS))
        ]


@lru_cache(maxsize=4096)
def _table(landing: Landing, *, small: bool) -> tuple[tuple[float, ...], ...]:
    """ln P(this landing | mean, κ) for each κ and mean."""
    r, n = landing
    means = SMALL if small else MEANS
    return tuple(tuple(reads(ReadModel(mean, kappa), r, n) for mean in means) for kappa in KAPPAS)


def kappa_of(posterior: Sequence[float]) -> Estimate:
    """κ with its interval; the mean is the geometric one."""
    found = _estimate([log(kappa) for kappa in KAPPAS], posterior)
    return Estimate(exp(found.mean), exp(found.low), exp(found.high))


def landing_half(r: int, n: int) -> float:
    """Half the 95 % interval of one landing's own probability after r reads in n looks (Jeffreys, normal form)."""
    mean = (r + 0.5) / (n + 1)
    return Z * sqrt(mean * (1 - mean) / (n + 2))


def level(strengths: Sequence[float], sigma: float) -> Estimate:
    """The usual strength where each landing's is known; `sigma`: how far landings scatter at this table, dB."""
    mean = fmean(strengths)
    half = Z * sigma / sqrt(len(strengths))
    return Estimate(mean, mean - half, mean + half)


def scatter(groups: Iterable[Sequence[float]], usual: float, weight: float = 4.0) -> float:
    """How far landings scatter around the level of their antenna, dB. `usual` weighs as much as `weight` landings."""
    total, free = usual**2 * weight, weight
    for group in groups:
        if len(group) > 1:
            mean = fmean(group)
            total += sum((each - mean) ** 2 for each in group)
            free += len(group) - 1
    return sqrt(total / free)


def _estimate(values: Sequence[float], weights: Sequence[float]) -> Estimate:
    """Mean and interval of a posterior on a grid, the borders between its points interpolated."""
    mean = sum(value * weight for value, weight in zip(values, weights, strict=True))
    return Estimate(
        mean, _quantile(values, weights, (1 - LEVEL) / 2), _quantile(values, weights, (1 + LEVEL) / 2)
    )


def _quantile(values: Sequence[float], weights: Sequence[float], share: float) -> float:
    below = 0.0
    for place, weight in enumerate(weights):
        if below + weight >= share:
            inside = (share - below) / weight if weight else 0.5
            low = values[max(0, place - 1)] if place else values[0]
            high = values[min(len(values) - 1, place + 1)]
            left, right = (low + values[place]) / 2, (values[place] + high) / 2
            return left + inside * (right - left)
        below += weight
    return values[-1]


def _normal(logs: Sequence[float]) -> list[float]:
    top = max(logs)
    parts = [exp(each - top) for each in logs]
    total = sum(parts)
    return [part / total for part in parts]


def _log_sum(logs: Sequence[float]) -> float:
    top = max(logs)
    return top + log(sum(exp(each - top) for each in logs))
