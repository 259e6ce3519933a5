"""What the figures of `make bench` say of a few values, and of many."""

from __future__ import annotations

from figures import LONG, NORMAL, QUICK, spread


def test_a_percentile_needs_values() -> None:
    """Seven alarms have a middle and a worst one; a 99th percentile is said from a hundred values on."""
    assert spread([float(n) for n in range(7)]) == "p50 3.00  worst 6.00  n 7"
    assert "p99" not in spread([1.0] * 99)
    assert spread([float(n) for n in range(200)]) == "p50 100.00  p99 198.00  worst 199.00  n 200"


def test_the_long_bench_paints_two_hundred_alarms() -> None:
    """Each of its hands has an alarm, seven hands a round; the shorter ones promise no percentile."""
    assert LONG.painted * 7 >= 200
    assert 7 * max(QUICK.painted, NORMAL.painted) < 100
