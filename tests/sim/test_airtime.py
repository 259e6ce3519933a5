"""Air time against the figures computed from ISO 15693 in the tracking specification."""

from __future__ import annotations

import pytest

from tablectl.sim import airtime
from tablectl.sim.noise import Noise


def uid(low: int) -> str:
    return f"E00401{low:010X}"


def test_one_slot_takes_what_the_standard_says() -> None:
    """An empty one-slot inventory takes 2.1 ms, one with a tag 6.2 ms."""
    assert airtime.look(()) == (pytest.approx(2.1, abs=0.05), ())
    assert airtime.look((uid(1),))[0] == pytest.approx(6.2, abs=0.05)


@pytest.mark.parametrize(("tags", "ms"), [(0, 9.8), (1, 13.9), (2, 18.0), (3, 22.0), (5, 30.2)])
def test_sixteen_slots_take_what_the_standard_says(tags: int, ms: float) -> None:
    """Each occupied slot of a sixteen-slot inventory adds the time of one answer."""
    assert airtime.sixteen_slots(tags) == pytest.approx(ms, abs=0.06)


def test_two_tags_cost_a_collision_and_sixteen_slots() -> None:
    """A look is adaptive: two tags first collide, then each is read in the slot of its low four bits."""
    long, times = airtime.look((uid(0x3), uid(0x9)))
    assert long == pytest.approx(airtime.LOOK_ONE + airtime.sixteen_slots(2))
    assert airtime.LOOK_ONE < times[0] < times[1] < long


@pytest.mark.parametrize("tags", [0, 1, 2])
def test_a_look_that_expects_several_tags_begins_with_sixteen_slots(tags: int) -> None:
    """Where several tags answered last time the one slot in which they would collide is saved."""
    long, times = airtime.look(tuple(uid(n) for n in range(tags)), several=True)
    assert long == pytest.approx(airtime.sixteen_slots(tags))
    assert len(times) == tags


def test_tags_of_one_slot_cost_another_round() -> None:
    """Tags that share their low four bits are told apart by the next four, in a round of their own."""
    apart, _ = airtime.look((uid(0x13), uid(0x29)))
    together, times = airtime.look((uid(0x13), uid(0x23)))
    assert together > apart
    assert all(time > 0 for time in times)


def test_equal_uids_speak_with_one_voice() -> None:
    """Two tags with one UID answer in the same slot with the same bits: the reader hears one tag."""
    assert airtime.look((uid(7), uid(7))) == (airtime.LOOK_ONE, (airtime.LOOK_ONE,) * 2)


def test_tags_that_cannot_be_told_apart_are_not_read() -> None:
    """Tags equal in their low 16 bits are beyond the rounds that a reader tries."""
    _, times = airtime.look((uid(0x1_0000), uid(0x2_0000)))
    assert times == (-1.0, -1.0)


@pytest.mark.parametrize(("seat_tags", "mouth", "ms"), [(0, 0, 52), (1, 1, 97), (2, 1, 276)])
def test_a_cycle_of_fourteen_antennas_equals_the_formula(seat_tags: int, mouth: int, ms: float) -> None:
    """One board with 14 antennas: all empty 52 ms, a card at each of ten seats 97, two cards 276."""
    noise = Noise()
    looks = [seat_tags] * 10 + [mouth] + [0] * 3
    total = sum(
        noise.guard_ms + noise.overhead_ms + airtime.look(tuple(uid(n) for n in range(tags)))[0]
        for tags in looks
    )
    assert total == pytest.approx(ms, abs=1.0)
