"""Board time to host time, without any clock."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablectl.shell.readers.clock import BACKWARD_MS, WINDOW_MS, WRAP, BoardClock

# A busy machine must not fail a test: no time limit per example.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@unhurried
@given(st.integers(0, WRAP - 1), st.lists(st.tuples(st.integers(1, 900), st.integers(0, 50)), min_size=1))
def test_a_read_is_never_placed_in_the_future_nor_before_its_earliest_time(
    start: int, frames: list[tuple[int, int]]
) -> None:
    """Delays of 0 to 50 ms, the counter wrapping anywhere: a read maps to its true time or a bit later."""
    clock, true = BoardClock(), 0
    for step, delay in frames:
        true += step
        board = (start + true) % WRAP
        clock.arrived(board, true + delay)
        assert true <= clock.host(board) <= true + delay


@unhurried
@given(st.integers(0, WRAP - 1))
def test_one_prompt_frame_makes_later_late_ones_exact(start: int) -> None:
    """The smallest offset counts: after one frame without delay, a frame 40 ms late is dated exactly."""
    clock = BoardClock()
    clock.arrived(start, 1000)
    clock.arrived((start + 500) % WRAP, 1540)
    assert clock.host((start + 500) % WRAP) == 1500


def test_the_counter_wraps_without_a_jump() -> None:
    """Across 2³² the host time goes on, for the frame and for a read dated just before the wrap."""
    clock = BoardClock()
    clock.arrived(WRAP - 10, 5000)
    clock.arrived(30, 5040)
    assert clock.host(30) == 5040
    assert clock.host(WRAP - 5) == 5005


def test_a_slow_board_clock_is_followed() -> None:
    """50 ppm slow for an hour: old offsets are forgotten, a read stays within 3 ms of the truth."""
    clock = BoardClock()
    for true in range(0, 3_600_000, 1000):
        board = true - true * 50 // 1_000_000
        clock.arrived(board, true)
        assert abs(clock.host(board) - true) <= 3


def test_a_pause_longer_than_two_windows_forgets_all_offsets() -> None:
    """What was measured long ago says nothing about a clock that drifted meanwhile."""
    clock = BoardClock()
    clock.arrived(0, 1000)
    clock.arrived(3 * WINDOW_MS, 1500 + 3 * WINDOW_MS)
    assert clock.host(3 * WINDOW_MS) == 1500 + 3 * WINDOW_MS


def test_a_counter_set_back_starts_a_new_mapping() -> None:
    """A board clock that jumps back does not make every later read seem ages old."""
    clock = BoardClock()
    clock.arrived(1_000_000, 1000)
    clock.arrived(0, 1000 + BACKWARD_MS)
    assert clock.host(0) == 1000 + BACKWARD_MS
