"""Intervals against values that are published or can be worked out by hand."""

from __future__ import annotations

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.bench import intervals


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),
        (1, 10, 0.002529, 0.445016),
        (5, 10, 0.187086, 0.812914),
        (10, 10, 0.6915, 1.0),
        (2, 100, 0.002431, 0.070384),
        (50, 100, 0.398321, 0.601679),
    ],
)
def test_clopper_pearson_as_published(count: int, of: int, low: float, high: float) -> None:
    """The values of the usual tables, to their last digit."""
    assert intervals.share(count, of) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(
    ("count", "low", "high"),
    [
        (0, 0.0, 3.6889),
        (1, 0.0253, 5.5716),
        (3, 0.6187, 8.7673),
        (10, 4.7954, 18.3904),
        (100, 81.364, 121.627),
    ],
)
def test_garwood_as_published(count: int, low: float, high: float) -> None:
    """The values of the usual tables, to their last digit."""
    assert intervals.rate(count) == pytest.approx((low, high), abs=5e-4)


def test_none_seen_has_the_limit_that_follows_by_hand() -> None:
    """With none of n the upper limit solves (1 − p)ⁿ = 2.5 %; of a rate it is −ln 2.5 %."""
    n = 30_000
    assert intervals.share(0, n)[1] == pytest.approx(1 - exp(log(0.025) / n), rel=1e-9)
    assert intervals.rate(0)[1] == pytest.approx(-log(0.025), rel=1e-9)


@given(st.integers(0, 3000), st.integers(1, 3000))
def test_an_interval_holds_the_share_and_mirrors(count: int, of: int) -> None:
    """The share lies in its interval, and misses and hits have mirrored intervals."""
    count = min(count, of)
    low, high = intervals.share(count, of)
    assert 0 <= low <= count / of <= high <= 1
    other = intervals.share(of - count, of)
    assert (1 - other[1], 1 - other[0]) == pytest.approx((low, high), abs=1e-6)


def test_large_counts_are_no_trouble() -> None:
    """Ten thousand false alarms have an interval of about ± 2 %."""
    low, high = intervals.rate(10_000)
    assert (low, high) == pytest.approx((9805, 10_198), abs=2)
    assert intervals.share(5000, 10_000) == pytest.approx((0.49016, 0.50984), abs=1e-4)


def test_impossible_counts_are_refused() -> None:
    """More hits than trials, or less than none, is an error."""
    with pytest.raises(ValueError, match="11 of 10"):
        intervals.share(11, 10)
    with pytest.raises(ValueError, match="-1"):
        intervals.rate(-1)


def test_percentiles_are_values_that_were_measured() -> None:
    """The smallest value that so many percent do not exceed; none without values."""
    values = [30, 10, 20, 40]
    assert [intervals.percentile(values, of) for of in (25, 50, 90, 99)] == [10, 20, 40, 40]
    assert intervals.percentile([], 50) is None
