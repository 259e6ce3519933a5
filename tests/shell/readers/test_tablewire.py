"""A reader board on a real pty: found, lost, searched for and found again."""

from __future__ import annotations

import asyncio
import random
import struct
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable
from typing import Any

import pytest
import serial

from tablectl.core.sensed import AntennaHealth, Found, Gap, Lost, Passage, Seen, Sweep

Stage = Callable[[], Any]

HOLD = (
    "import sys, serial; p = serial.Serial(sys.argv[1], exclusive=True); print('held', flush=True); input()"
)
FACE_UP = 2
UID = "E004015012345601"


async def test_a_board_made_from_the_page_alone_is_understood(stage: Stage) -> None:
    """Handshake, plan, sweep, passage and health over a real tty, by a board that shares no code with us."""
    async with stage() as scene:
        board = scene.board()
        reader = await scene.reader()
        await scene.until(lambda: reader.state.state == "ok" and board.plans())
        assert [kind for kind, _, _ in board.heard[:2]] == [0x80, 0x81]
        assert board.plans()[0][0] == 3
        assert (reader.state.firmware, reader.state.board_id) == ("test 1.0", b"board--A".hex())
        board.sweep(1, 0b111, (1, 0, -41, UID), t0=1000)
        board.send(0x13, struct.pack("<IBB", 1010, 0, FACE_UP))
        board.send(0x11, struct.pack("<BBHHH", 2, 2, 0, 0, 0))
        await scene.until(lambda: scene.of(AntennaHealth))
        sweep, passage, health = scene.events
        assert sweep == Sweep(sweep.t, 0, (0, 1, 2), (Seen(1, UID, -41, 0),))
        assert passage == Passage(passage.t, 0, 0, "up")
        assert health == AntennaHealth(health.t, 0, 2, "open")


async def test_a_slow_starting_board_is_asked_until_it_answers(stage: Stage) -> None:
    """GET_HELLO again and again; nothing is lost and the plan goes out once."""
    async with stage() as scene:
        board = scene.board(answers_hello=False)
        await scene.reader()
        await scene.until(lambda: board.asked() >= 3)
        board.answers_hello = True
        await scene.is_state("ok")
        await scene.until(board.plans)
        assert scene.events == []


async def test_bytes_one_at_a_time_and_frames_in_one_piece_are_the_same(stage: Stage) -> None:
    """However the line cuts a frame, it is one sweep."""
    async with stage() as scene:
        board = scene.board()
        await scene.reader()
        await scene.until(board.plans)
        write, board.raw = board.raw, lambda data: None
        data = board.sweep(1, 0b1) + board.sweep(2, 0b1)
        for byte in data:
            write(bytes([byte]))
        await scene.until(lambda: len(scene.of(Sweep)) == 2)
        assert scene.of(Gap) == []


async def test_silence_is_a_loss_and_the_answer_to_hello_brings_it_back(stage: Stage) -> None:
    """A board that hangs and comes back with the port open all the time: Lost, Found, once each."""
    async with stage() as scene:
        board = scene.board()
        reader = await scene.reader(timing={"silence": 300})
        await scene.until(board.plans)
        board.answers_hello = False
        state = await scene.is_state("lost")
        assert "no word" in state.text
        board.answers_hello = True
        await scene.until(lambda: scene.of(Found))
        await scene.is_state("ok")
        assert [type(event) for event in scene.events[:2]] == [Lost, Found]
        assert reader.counters["opened"] == 1


async def test_a_quick_restart_is_a_gap_and_the_plan_goes_out_again(stage: Stage) -> None:
    """New boot_id without a silence: the clock and the sequence start afresh, nothing is Lost."""
    async with stage() as scene:
        board = scene.board()
        await scene.reader()
        await scene.until(board.plans)
        board.sweep(1, 0b1, t0=4_000_000)
        board.restart(boot=2)
        board.hello()
        await scene.until(lambda: len(board.plans()) == 2)
        board.sweep(1, 0b1, (0, 0, -40, UID), t0=5)
        await scene.until(lambda: len(scene.of(Sweep)) == 2)
        assert [type(event) for event in scene.events] == [Sweep, Gap, Sweep]
        assert scene.events[-1].seen[0].age == 0


async def test_unplugged_and_back_under_another_name_behind_the_same_link(stage: Stage) -> None:
    """The by-path link leads to another tty now: Lost at once, Found when it is back, and sweeps flow."""
    async with stage() as scene:
        board = scene.board()
        await scene.reader()
        await scene.until(board.plans)
        board.unplug()
        await scene.until(lambda: scene.of(Lost))
        await scene.is_state("missing")
        returned = scene.board(boot=2)
        await scene.until(lambda: scene.of(Found))
        await scene.until(returned.plans)
        returned.sweep(1, 0b1)
        await scene.until(lambda: scene.of(Sweep))
        assert [type(event) for event in scene.events] == [Lost, Found, Sweep]


async def test_a_link_that_leads_elsewhere_is_followed_when_the_board_falls_silent(stage: Stage) -> None:
    """The old tty hangs without an error, the link leads to the new one already: the board is found there."""
    async with stage() as scene:
        old = scene.board()
        await scene.reader(timing={"silence": 300})
        await scene.until(old.plans)
        old.answers_hello = False
        new = scene.board(boot=2)
        await scene.until(lambda: scene.of(Found))
        await scene.until(new.plans)
        assert [type(event) for event in scene.events[:2]] == [Lost, Found]


async def test_back_on_another_port_the_board_is_known_by_its_own_id(stage: Stage) -> None:
    """The configured port stays away. Of its siblings one is silent, one is another board, one is ours."""
    async with stage() as scene:
        board = scene.board()
        siblings: list[str] = []
        reader = await scene.reader(candidates=lambda: siblings)
        await scene.until(board.plans)
        board.unplug()
        mute = scene.board("mute", answers_hello=False)
        other = scene.board("other", id=b"board--B")
        ours = scene.board("elsewhere", boot=2)
        siblings[:] = [str(one.link) for one in (mute, other, ours)]
        await scene.until(lambda: scene.of(Found))
        await scene.until(ours.plans)
        assert other.asked() >= 1
        assert other.plans() == []
        assert reader.state.board_id == b"board--A".hex()
        assert len(scene.of(Lost)) == 1
        assert "refused" not in [state.state for state in scene.states]


async def test_another_board_where_ours_was_numbered_is_refused_by_name(stage: Stage) -> None:
    """A pattern names no place: the board that turns up there must be ours; the text says which is which."""
    async with stage() as scene:
        board = scene.board("tty0")
        await scene.reader("tty*")
        await scene.until(board.plans)
        board.unplug()
        wrong = scene.board("tty1", id=b"board--B")
        state = await scene.is_state("refused")
        assert b"board--A".hex() in state.text
        assert b"board--B".hex() in state.text
        assert wrong.plans() == []
        wrong.unplug()
        scene.board("tty2", boot=2)
        await scene.is_state("ok")


async def test_a_new_board_in_the_same_place_replaces_the_broken_one(stage: Stage) -> None:
    """A by-path link names a socket: whatever board is plugged in there is this reader's."""
    async with stage() as scene:
        board = scene.board()
        reader = await scene.reader()
        await scene.until(board.plans)
        board.unplug()
        scene.board(id=b"board--C")
        await scene.until(lambda: reader.state.board_id == b"board--C".hex())
        assert reader.state.state == "ok"


async def test_a_missing_port_is_named_and_opened_as_soon_as_it_appears(stage: Stage) -> None:
    """The node is watched: it does not take until the next retry, here ten minutes away."""
    async with stage() as scene:
        await scene.reader(timing={"retry_first": 600_000, "retry_longest": 600_000})
        state = await scene.is_state("missing")
        assert str(scene.folder / "port") in state.text
        assert [type(event) for event in scene.events] == [Lost]
        scene.board()
        await scene.is_state("ok")
        assert [type(event) for event in scene.events] == [Lost, Found]


async def test_a_file_that_is_no_serial_port_is_named(stage: Stage) -> None:
    """A typo in the configuration is told in words, and the reader keeps looking."""
    async with stage() as scene:
        (scene.folder / "port").write_text("not a tty")
        await scene.reader()
        state = await scene.is_state("missing")
        assert "is not a serial port" in state.text
        (scene.folder / "port").unlink()
        scene.board()
        await scene.is_state("ok")


async def test_a_port_held_by_another_program_is_waited_for(stage: Stage) -> None:
    """State 'busy' names port, program and pid; when the other program lets go, the board is found."""
    async with stage() as scene:
        board = scene.board()
        other = await asyncio.create_subprocess_exec(
            sys.executable, "-c", HOLD, board.device, stdin=PIPE, stdout=PIPE
        )
        assert other.stdout is not None
        assert await other.stdout.readline() == b"held\n"
        await scene.reader()
        state = await scene.is_state("busy")
        assert str(scene.folder / "port") in state.text
        assert f"(pid {other.pid})" in state.text
        await other.communicate(b"\n")
        await scene.is_state("ok")
        assert [type(event) for event in scene.events] == [Lost, Found]


async def test_garbage_and_random_bytes_cost_nothing_but_themselves(stage: Stage) -> None:
    """Noise before HELLO, between frames, and 3 kB without a delimiter: every sweep around it arrives."""
    noise = random.Random(7)
    async with stage() as scene:
        board = scene.board()
        board.raw(noise.randbytes(500))
        reader = await scene.reader()
        await scene.until(board.plans)
        for number in range(20):
            board.raw(noise.randbytes(150) + b"\x00")
            board.sweep(number, 0b1)
            await scene.until(lambda number=number: len(scene.of(Sweep)) == number + 1)
        board.raw(b"\xa5" * 3000 + b"\x00")
        board.sweep(20, 0b1)
        await scene.until(lambda: len(scene.of(Sweep)) == 21)
        assert [sweep.polled for sweep in scene.of(Sweep)] == [(0,)] * 21
        assert scene.of(Gap) == scene.of(Lost) == []
        counters = reader.counters
        assert counters["too_long"] >= 1
        assert counters["bad_cobs"] + counters["bad_crc"] >= 20


async def test_a_jump_of_the_sequence_is_a_gap_before_the_sweep(stage: Stage) -> None:
    """The core hears of the gap first; the sweep in which frames are missing polls nothing for certain."""
    async with stage() as scene:
        board = scene.board()
        reader = await scene.reader()
        await scene.until(board.plans)
        board.sweep(1, 0b1)
        board.lose(3)
        board.sweep(2, 0b1, (0, 0, -40, UID))
        board.sweep(3, 0b1)
        await scene.until(lambda: len(scene.of(Sweep)) == 3)
        assert [type(event) for event in scene.events] == [Sweep, Gap, Sweep, Sweep]
        assert [sweep.polled for sweep in scene.of(Sweep)] == [(0,), (), (0,)]
        assert reader.counters["lost_frames"] == 3


async def test_a_list_over_three_frames_with_one_lost_counts_as_not_polled(stage: Stage) -> None:
    """With all frames: all tags at once. The middle one lost: the tags that came, and 'not polled'."""
    async with stage() as scene:
        board = scene.board()
        await scene.reader()
        await scene.until(board.plans)
        tags = [(1, k, -40, f"E0040150000000{k:02X}") for k in range(3)]
        board.sweep(1, 0b001, tags[0])
        board.sweep(1, 0b000, tags[1])
        board.sweep(1, 0b110, tags[2])
        board.sweep(2, 0b001, tags[0])
        board.lose()
        board.sweep(2, 0b110, tags[2])
        board.sweep(3, 0b111)
        await scene.until(lambda: len(scene.of(Sweep)) == 5)
        seen = [(sweep.polled, [int(one.uid[-2:], 16) for one in sweep.seen]) for sweep in scene.of(Sweep)]
        assert seen == [((0,), []), ((1, 2), [0, 1, 2]), ((0,), []), ((), [0, 2]), ((0, 1, 2), [])]


async def test_another_major_version_is_refused_visibly(stage: Stage) -> None:
    """State 'refused' with both versions, Lost, no plan; its sweeps are not believed."""
    async with stage() as scene:
        board = scene.board(version=(2, 0))
        reader = await scene.reader()
        state = await scene.is_state("refused")
        assert "2.0" in state.text
        board.sweep(1, 0b1)
        await scene.until(lambda: reader.counters["before_hello"] == 1)
        assert board.plans() == []
        assert [type(event) for event in scene.events] == [Lost]


async def test_a_board_deaf_to_the_plan_is_offered_it_again(stage: Stage) -> None:
    """Three tries and a pause, over and over; sweeps flow meanwhile and the text says what is wrong."""
    async with stage() as scene:
        board = scene.board(plan_status=None)
        reader = await scene.reader(timing={"reply": 30})
        await scene.until(lambda: "does not answer" in reader.state.text)
        assert len(board.plans()) >= 3
        board.sweep(1, 0b1)
        await scene.until(lambda: scene.of(Sweep))
        board.plan_status = 0
        await scene.until(lambda: reader.state.text == "" and reader.state.state == "ok")


async def test_closing_gives_the_port_back_and_says_nothing(stage: Stage) -> None:
    """The table closes: no Lost, and another program can have the port."""
    async with stage() as scene:
        board = scene.board()
        reader = await scene.reader()
        await scene.until(board.plans)
        await reader.close()
        assert scene.events == []
        serial.Serial(board.device, exclusive=True).close()


async def test_a_reader_can_be_closed_in_every_state(stage: Stage) -> None:
    """Before it was opened, while missing, while asking: close returns."""
    async with stage() as scene:
        never_there = await scene.reader("nowhere")
        await never_there.close()
        missing = await scene.reader("nowhere", timing={"retry_first": 600_000})
        await scene.is_state("missing")
        await missing.close()
        scene.board(answers_hello=False)
        asking = await scene.reader()
        await scene.until(lambda: asking.counters["hello_asked"])
        await asking.close()


@pytest.mark.parametrize("times", [3])
async def test_a_board_that_keeps_falling_off_is_found_every_time(stage: Stage, times: int) -> None:
    """Lost and Found alternate, one of each per fall: no loop of errors, no descriptor left open."""
    async with stage() as scene:
        await scene.reader()
        for fall in range(times):
            board = scene.board(boot=fall)
            await scene.until(lambda board=board: board.plans())
            board.unplug()
            await scene.until(lambda fall=fall: len(scene.of(Lost)) >= fall + 1)
            await scene.is_state("missing")
        kinds = [type(event) for event in scene.events]
        assert kinds[-2 * times + 1 :] == [Lost, *[Found, Lost] * (times - 1)]
