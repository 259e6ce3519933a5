"""Lost and repeated frames, told from their numbers."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablectl.shell.readers.sequence import Sequence

# A busy machine must not fail a test: no time limit per example.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@unhurried
@given(st.integers(0, 255), st.lists(st.integers(0, 200), max_size=40))
def test_every_loss_is_counted_across_the_wrap(first: int, losses: list[int]) -> None:
    """Up to 200 frames missing between two, the number wrapping anywhere: the count is right."""
    sequence = Sequence()
    assert sequence.step(0x12, first, b"first") == 0
    seq = first
    for n, lost in enumerate(losses):
        seq = (seq + 1 + lost) % 256
        assert sequence.step(0x12, seq, n.to_bytes(2, "big")) == lost


@unhurried
@given(st.integers(0, 255), st.integers(0, 7))
def test_a_repeat_is_known_and_changes_nothing(first: int, back: int) -> None:
    """The last frame again, or one of a few before it: no loss, and the next number is still expected."""
    sequence = Sequence()
    for n in range(8):
        sequence.step(0x10, (first + n) % 256, bytes([n]))
    assert sequence.step(0x10, (first + 7 - back) % 256, bytes([7 - back])) is None
    assert sequence.step(0x10, (first + 8) % 256, b"next") == 0


def test_the_same_number_with_other_content_is_a_loss_not_a_repeat() -> None:
    """255 frames went missing: a repeat would be equal."""
    sequence = Sequence()
    sequence.step(0x12, 5, b"one")
    assert sequence.step(0x12, 5, b"two") == 255


def test_after_a_restart_any_number_is_right() -> None:
    """A rebooted board counts from anywhere."""
    sequence = Sequence()
    sequence.step(0x12, 200, b"")
    sequence.restart()
    assert sequence.step(0x12, 200, b"") == 0
