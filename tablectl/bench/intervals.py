"""Exact confidence intervals of counts.

Owns: Clopper-Pearson for shares, Garwood for rates, and percentiles. Refuses: approximations that fail where counts
are near zero, which is where a good tracker's counts are.

Both intervals are found by bisection on the tail of the distribution itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, lgamma, log, log1p, sqrt

CONFIDENCE = 0.95
_STEPS = 60
"""Halvings of a bisection: more than a double can tell apart."""
_NEGLIGIBLE = 1e-18


def share(count: int, of: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The Clopper-Pearson interval of a share `count / of`, from 0 to 1. ValueError unless 0 ≤ count ≤ of."""
    if not 0 <= count <= of:
        raise ValueError(f"{count} of {of}: the count must be from 0 to the total")
    if of == 0:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = 0.0 if count == 0 else _root(lambda p: 1 - binomial(count - 1, of, p) >= tail, 0.0, 1.0)
    high = 1.0 if count == of else _root(lambda p: binomial(count, of, p) <= tail, 0.0, 1.0)
    return low, high


def rate(count: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Garwood's interval of a Poisson mean of which `count` events were seen. ValueError if that is negative."""
    if count < 0:
        raise ValueError(f"{count}: a count of events is not negative")
    tail = (1 - confidence) / 2
    top = count + 10 * sqrt(count + 1) + 20
    low = 0.0 if count == 0 else _root(lambda mean: 1 - poisson(count - 1, mean) >= tail, 0.0, float(count))
    return low, _root(lambda mean: poisson(count, mean) <= tail, float(count), top)


def binomial(most: int, of: int, p: float) -> float:
    """P(X ≤ most) of `of` trials that each succeed with `p`."""
    if most < 0 or p >= 1:
        return 0.0 if most < of else 1.0
    if most >= of or p <= 0:
        return 1.0
    odds = p / (1 - p)

    def first(k: int) -> float:
        return (
            lgamma(of + 1) - lgamma(k + 1) - lgamma(of - k + 1) + k * log(p) + (of - k) * log1p(-p)
        )  # fmt: skip

    return _below(most, of * p, of, first, lambda k: (of - k) / (k + 1) * odds)


def poisson(most: int, mean: float) -> float:
    """P(X ≤ most) of a Poisson variable."""
    if most < 0:
        return 0.0
    if mean <= 0:
        return 1.0
    return _below(most, mean, None, lambda k: k * log(mean) - mean - lgamma(k + 1), lambda k: mean / (k + 1))


def _below(
    most: int,
    mean: float,
    end: int | None,
    first: Callable[[int], float],
    ratio: Callable[[int], float],
) -> float:
    """P(X ≤ most): the thinner side is summed, from `most` outwards, until nothing more comes.

    `first(k)` is ln P(X = k), `ratio(k)` is P(X = k + 1) / P(X = k).
    """
    total = 0.0
    if most < mean:
        k, term = most, exp(first(most))
        while k >= 0 and term > total * _NEGLIGIBLE:
            total += term
            k -= 1
            term = term / ratio(k) if k >= 0 else 0.0
        return min(1.0, total)
    k = most + 1
    term = exp(first(k)) if end is None or k <= end else 0.0
    while term > total * _NEGLIGIBLE and (end is None or k <= end):
        total += term
        term *= ratio(k)
        k += 1
    return max(0.0, 1 - total)


def _root(beyond: Callable[[float], bool], low: float, high: float) -> float:
    """Where `beyond` turns from false to true between `low` and `high`."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return (low + high) / 2


def percentile(values: Sequence[float], of_hundred: float) -> float | None:
    """The smallest value that so many percent of the values do not exceed; None if there is none."""
    if not values:
        return None
    ordered = sorted(values)
    rank = max(1, -(-len(ordered) * of_hundred // 100))
    return ordered[int(rank) - 1]
