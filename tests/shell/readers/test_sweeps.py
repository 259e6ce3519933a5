"""Sweeps over several frames: what counts as polled, and what a lost frame takes away."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablectl.shell.readers.sweeps import MOST_HELD, Part, Read, Sweeps

# A busy machine must not fail a test: no time limit per example.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read(antenna: int, uid: str = "E0") -> Read:
    return Read(antenna, uid, None, 0)


def fresh() -> Sweeps:
    sweeps = Sweeps()
    sweeps.restart(mid_sweep=False)
    return sweeps


def test_a_sweep_of_one_frame_goes_on_at_once() -> None:
    """Everything is complete: all antennas polled, all tags there."""
    assert fresh().add(1, (0, 1), [read(1)]) == [((0, 1), [read(1)])]


def test_a_list_over_two_frames_is_given_whole_with_its_polled_bit() -> None:
    """Antenna 1 is incomplete at first: its tag waits, antenna 0 goes on; then both tags come at once."""
    sweeps = fresh()
    assert sweeps.add(1, (0,), [read(0, "A"), read(1, "B")]) == [((0,), [read(0, "A")])]
    assert sweeps.add(1, (1,), [read(1, "C")]) == [((1,), [read(1, "B"), read(1, "C")])]


def test_a_list_may_be_completed_by_a_frame_without_tags_of_it() -> None:
    """The bit alone completes the list."""
    sweeps = fresh()
    assert sweeps.add(1, (), [read(1)]) == []
    assert sweeps.add(1, (1,), []) == [((1,), [read(1)])]


def test_a_lost_frame_inside_a_sweep_takes_the_polled_bits_not_the_tags() -> None:
    """What the lost frame held is not known: the tags that came go on, "nothing else there" does not."""
    sweeps = fresh()
    sweeps.add(1, (), [read(1, "A")])
    sweeps.lost(1)
    assert sweeps.add(1, (1, 2), [read(1, "C")]) == [((), [read(1, "A"), read(1, "C")])]
    assert sweeps.doubted == 2
    assert sweeps.add(2, (1, 2), []) == [((1, 2), [])]


def test_a_lost_completing_frame_gives_the_tags_with_the_next_sweep() -> None:
    """Its tag comes without a polled bit; the next sweep may have lost a frame too, so it is in doubt."""
    sweeps = fresh()
    sweeps.add(1, (), [read(1, "A")])
    sweeps.lost(1)
    assert sweeps.add(2, (1,), [read(1, "A")]) == [((), [read(1, "A")]), ((), [read(1, "A")])]
    assert sweeps.add(3, (1,), []) == [((1,), [])]


def test_whole_sweeps_lost_do_not_spoil_the_next() -> None:
    """Two frames and two sweeps are missing: none of the lost frames can belong to the sweep that came."""
    sweeps = fresh()
    sweeps.add(1, (0,), [])
    sweeps.lost(2)
    assert sweeps.add(4, (0,), []) == [((0,), [])]


def test_the_sweep_under_way_when_we_began_to_listen_is_doubtful() -> None:
    """Its first frame may have come before; the next one is whole."""
    sweeps = Sweeps()
    sweeps.restart(mid_sweep=True)
    assert sweeps.add(7, (0,), [read(0)]) == [((), [read(0)])]
    assert sweeps.add(8, (0,), [read(0)]) == [((0,), [read(0)])]


def test_a_board_that_never_completes_a_list_does_not_fill_the_memory() -> None:
    """Tags beyond the limit are dropped, and the antennas of that sweep count as not polled."""
    sweeps = fresh()
    for _ in range(MOST_HELD + 100):
        sweeps.add(1, (), [read(1)])
    [(polled, reads)] = sweeps.add(1, (1,), [])
    assert polled == ()
    assert len(reads) == MOST_HELD


Frame = tuple[int, tuple[int, ...], list[Read]]


@st.composite
def nights(draw: st.DrawFn) -> tuple[list[Frame], dict[tuple[int, int], list[str]]]:
    """A few sweeps cut into frames anywhere, and the truth: the tags of every antenna in every sweep."""
    frames: list[Frame] = []
    truth: dict[tuple[int, int], list[str]] = {}
    first = draw(st.integers(0, 0xFFFF))
    for n in range(draw(st.integers(1, 6))):
        sweep = (first + n) % 0x10000
        items: list[int | Read] = []  # a tag, or an antenna number where its list ends
        for antenna in draw(st.permutations([0, 1, 2])):
            uids = [f"{sweep}-{antenna}-{k}" for k in range(draw(st.integers(0, 4)))]
            truth[sweep, antenna] = uids
            items += [*(read(antenna, uid) for uid in uids), antenna]
        cuts = sorted(draw(st.sets(st.integers(1, len(items) - 1), max_size=4)))
        for start, end in zip([0, *cuts], [*cuts, len(items)], strict=True):
            part = items[start:end]
            polled = tuple(item for item in part if isinstance(item, int))
            frames.append((sweep, polled, [item for item in part if isinstance(item, Read)]))
    return frames, truth


@settings(unhurried, max_examples=400)
@given(nights(), st.data())
def test_whatever_is_lost_a_polled_antenna_has_all_its_tags(
    night: tuple[list[Frame], dict[tuple[int, int], list[str]]], data: st.DataObject
) -> None:
    """The rule of the whole file. Lose any frames: no antenna counts as polled with a tag missing; no tag
    that came is lost or doubled; and with nothing lost, every antenna of every sweep is polled."""
    frames, truth = night
    gone = data.draw(st.sets(st.integers(0, len(frames) - 1)))
    sweeps = fresh()
    given_on: list[str] = []
    polled_count = 0
    for n, (sweep, polled, reads) in enumerate(frames):
        if n in gone:
            sweeps.lost(1)
            continue
        parts: list[Part] = sweeps.add(sweep, polled, reads)
        for looked_at, seen in parts:
            given_on += [one.uid for one in seen]
            for antenna in looked_at:
                assert [one.uid for one in seen if one.antenna == antenna] == truth[sweep, antenna]
                polled_count += 1
    given_on += [one.uid for one in sweeps._drop_held()]
    assert sorted(given_on) == sorted(
        one.uid for n, (_, _, reads) in enumerate(frames) if n not in gone for one in reads
    )
    if not gone:
        assert polled_count == len(truth)
