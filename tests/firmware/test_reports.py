"""What a board sees, what it does when nobody listens, and when it fails itself."""

from __future__ import annotations

from typing import Any

import pytest
from desk import OTHER, UID, Desk, Look
from main import MOST_FAULTS
from simulated_board import PERIOD
from sweep import Sweep

from tablectl import wire

# --- sightings -----------------------------------------------------------------------------------------------


def test_what_failed_is_never_absent() -> None:
    """A look that fails half-way: what it read is told, the antenna's bit is not set; the next whole look sets it in
    a sweep of its own."""

    def play(_antenna: int, nth: int) -> Look:
        return (
            6,
            [(5, -40, UID)] if nth == 2 else [(4, -41, UID), (5, -44, OTHER)],
            "protocol" if nth == 2 else None,
        )

    desk = Desk(play)
    desk.plan(0)
    frames = desk.run(400).fields(wire.SIGHTINGS)
    assert [each["polled"] for each in frames[:4]] == [1, 1, 0, 1]
    assert [len(each["seen"]) for each in frames[:4]] == [2, 2, 1, 2]
    assert [each["sweep"] for each in frames[:4]] == [0, 1, 2, 3]


def test_a_look_that_failed_with_nothing_read_says_nothing() -> None:
    """No frame at all rather than one that could be read as an empty antenna."""
    desk = Desk(lambda _antenna, _nth: (6, [], "protocol"))
    desk.plan(0)
    assert desk.run(1000).fields(wire.SIGHTINGS) == []


def test_several_tags_are_asked_for_in_slots_next_time() -> None:
    """After two tags the next look begins with sixteen slots, after one or none with one."""
    begun_with_slots: list[bool] = []

    def play(_antenna: int, nth: int) -> Look:
        begun_with_slots.append(desk.radios[0].asked[2])
        return 6, [(4, -41, UID), (5, -44, OTHER)][: (0, 1, 2, 2, 1, 0)[nth % 6]], None

    desk = Desk(play)
    desk.plan(0)
    desk.run(1000)
    assert begun_with_slots[:12] == [False, False, False, True, True, False] * 2


def test_a_lone_tag_is_now_and_then_asked_for_in_slots() -> None:
    """A strong tag can drown the one under it: every ninth look at a lone tag begins with sixteen slots."""
    begun_with_slots: list[bool] = []

    def play(_antenna: int, _nth: int) -> Look:
        begun_with_slots.append(desk.radios[0].asked[2])
        return 6, [(4, -41, UID)], None

    desk = Desk(play)
    desk.plan(0)
    desk.run(2000)
    assert begun_with_slots[:18] == ([False] * 8 + [True]) * 2


def test_board_time_goes_on_when_the_ticks_wrap() -> None:
    """MicroPython's ticks wrap after twelve days: t0 and uptime go on as a 32-bit counter does."""
    desk = Desk(start_ms=PERIOD - 3000)
    desk.plan(0)
    found = desk.run(6000).got(wire.SIGHTINGS, wire.HEARTBEAT)
    t0 = [fields["t0_ms"] for kind, fields in found if kind == wire.SIGHTINGS]
    assert t0 == sorted(t0)
    assert 5900 < t0[-1] < 6100
    ups = [fields["uptime_ms"] for kind, fields in found if kind == wire.HEARTBEAT]
    assert [round(up / 1000) for up in ups] == [1, 2, 3, 4, 5, 6][: len(ups)]
    assert len(ups) >= 5


# --- a host that does not read -------------------------------------------------------------------------------


def test_nobody_reads_and_the_board_polls_on_in_the_same_memory() -> None:
    """What finds no room is dropped whole and counted; the host that comes back finds a gap in the numbers, an answer
    to its GET_HELLO, and the count in the heartbeat."""
    desk = Desk(lambda _antenna, _nth: (6, [(4, -41, UID), (5, -44, OTHER)], None))
    desk.plan(0, 1, 2)
    desk.run(200)
    before = sum(desk.radios[0].looks.values())
    desk.board.room = 0
    desk.got()
    desk.run(60_000)
    assert sum(desk.radios[0].looks.values()) > before + 2000
    desk.say(wire.GET_HELLO)
    desk.run(50)
    desk.board.room = None
    found = desk.run(3000).got()
    assert wire.HELLO in [kind for kind, _ in found]
    dropped = [fields["tx_dropped"] for kind, fields in found if kind == wire.HEARTBEAT][-1]
    assert dropped > 1000
    gaps = [(b - a) % 256 for a, b in zip(desk.seqs, desk.seqs[1:], strict=False)]
    assert [gap for gap in gaps if gap != 1]
    assert sum(1 for gap in gaps if gap != 1) <= 3


def test_a_host_that_takes_a_few_bytes_at_a_time_gets_whole_frames() -> None:
    """However the line cuts what is sent, and wherever the queue wraps: not one frame is damaged."""
    desk = Desk(lambda _antenna, _nth: (6, [(4, -41, UID), (5, -44, OTHER)], None))
    desk.plan(0, 1, 2)
    for n in range(2000):
        desk.board.room = (n * 7) % 23
        desk.firmware.turn()
    desk.board.room = None
    assert len(desk.run(500).got()) > 100
    assert (desk._decoder.bad_cobs, desk._decoder.bad_crc, desk._decoder.too_long) == (0, 0, 0)


# --- faults of our own ---------------------------------------------------------------------------------------


def test_a_fault_of_ours_is_told_and_the_loop_goes_on() -> None:
    """One look raises what nobody expected: a LOG names it, that antenna is not "polled" by it, polling goes on."""

    def play(_antenna: int, nth: int) -> Look:
        if nth == 3:
            raise ValueError("what nobody expected")
        return 6, [], None

    desk = Desk(play)
    desk.plan(0)
    found = desk.run(1000).got(wire.LOG, wire.SIGHTINGS)
    assert [f["text"] for kind, f in found if kind == wire.LOG][-1] == "ValueError: what nobody expected"
    assert len([1 for kind, _ in found if kind == wire.SIGHTINGS]) == desk.radios[0].looks[0] - 1
    assert desk.board.resets == 0


def test_a_fault_that_stays_restarts_the_board() -> None:
    """Turn after turn the same fault: it is told once, and the board starts afresh. The watchdog is fed by every turn
    of the loop and by nothing else."""

    def play(_antenna: int, nth: int) -> Look:
        raise ValueError("always")

    desk = Desk(play)
    desk.plan(0)
    for _ in range(MOST_FAULTS + 15):
        desk.firmware.turn()
    assert desk.board.resets == 1
    assert desk.board.fed == MOST_FAULTS + 15


def test_a_flasher_gets_the_line(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked by bytes that are no frame, the firmware leaves the mark that the next start looks for, and resets."""
    monkeypatch.chdir(tmp_path)
    import update

    desk = Desk()
    desk.plan(0)
    desk.run(100)
    desk.board.heard = update.ASKED
    desk.firmware.run()
    assert desk.board.resets == 1
    assert update.begins()
    assert not update.begins()


# --- times of reads ------------------------------------------------------------------------------------------


def test_a_frame_does_not_span_the_time_without_a_plan() -> None:
    """The host takes its plan away in the middle of a sweep and comes back minutes later: what was read before goes
    out at once, and no read of the new sweep is dated by the old one."""
    desk = Desk(lambda _antenna, _nth: (6, [(5, -40, UID)], None))
    desk.plan(0, 1, 2)
    desk.run(95)
    desk.plan()
    desk.run(300)
    before = desk.fields(wire.SIGHTINGS)
    desk.run(120_000)
    assert desk.fields(wire.SIGHTINGS) == []
    back = desk.board.us // 1000
    desk.plan(0, 1, 2)
    after = desk.run(200).fields(wire.SIGHTINGS)
    assert len(after) > 2
    assert after[0]["t0_ms"] >= back > before[-1]["t0_ms"]
    assert all(each["dt_ms"] < 40 for frame in (*before, *after) for each in frame["seen"])


@pytest.mark.parametrize("start", [990, 0, 1015, 90_000])
def test_a_look_that_a_frame_cannot_date_begins_a_new_one(start: int) -> None:
    """A look before the frame's first one, or long after it, is dated by a frame of its own; the time of a read is
    always one that the line can carry."""
    sent: list[dict[str, Any]] = []
    sweep = Sweep(lambda _kind, **fields: sent.append({**fields, "seen": list(fields["seen"])}))
    sweep.add(0, 1000, [(3, -40, UID)], 1006, whole=True)
    sweep.add(1, start, [(-2 if start == 0 else 3, -40, OTHER), (70_000, -40, UID)], start + 6, whole=True)
    sweep.flush()
    told = {frame["t0_ms"] + each["dt_ms"]: each["dt_ms"] for frame in sent for each in frame["seen"]}
    assert {1003, max(start - 2, 0) if start == 0 else start + 3} <= set(told)
    assert all(0 <= dt <= 0xFFFF for dt in told.values())
