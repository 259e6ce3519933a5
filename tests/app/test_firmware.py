"""The firmware under the real MicroPython VM, with a simulated PN5180 and tags, and the real `tablectl run`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from vm_board import VmBoard

from tablectl import wire

RESET = 3
"""The status with which the VM ends when the firmware resets the board."""


@pytest.fixture
def board(bench: Any) -> Iterator[VmBoard]:
    """A board on the bench's port, switched on; whatever happened, the driver did nothing that the chip forbids."""
    made = VmBoard(bench.folder, bench.port)
    yield made
    made.unplug()
    assert made.errors.read_text() == ""


def confirmed(state: dict[str, Any], kind: str) -> dict[str, Any] | None:
    return next((i for i in state["irregularities"] if i["kind"] == kind and i["stage"] == "confirmed"), None)


def cards(state: dict[str, Any]) -> list[int]:
    return [seat["cards"] for seat in state["seats"]]


def test_cards_on_antennas_are_dealt_hands_and_a_wrong_seat_is_called(bench: Any, board: VmBoard) -> None:
    """Three cards in turn are seats 1, 2 and 3; the fourth goes to seat 1 again: the irregularity names seat and
    expected seat. The journal has each deal, no reader complains, no board was lost."""
    table = bench.run(bench.config(panel=bench.panel))
    table.line("READY after")
    assert table.post(do="button", seat=4).status_code == 200
    for uid, antenna in zip(bench.uids, (1, 2, 3), strict=False):
        board.tell("deal", uid, antenna)
    state = table.until(lambda now: cards(now) == [1, 1, 1, 0])
    assert state["irregularities"] == []
    board.tell("deal", bench.uids[3], 1)
    state = table.until(lambda now: confirmed(now, "wrong_seat"))
    found = confirmed(state, "wrong_seat")
    assert (found["seat"], found["expected"]) == (1, 4)
    assert state["panel"]["seat_led:1"] == 1
    assert table.get("state").json()["degraded"] == []


def metric(table: Any, name: str) -> int:
    """A reader's counter, as `/metrics` has it."""
    lines = table.get("metrics").text.splitlines()
    return sum(int(line.split()[-1]) for line in lines if line.startswith(f"tablectl_reader_{name}_total{{"))


def test_a_card_that_leaves_the_shoe_face_up_is_called(bench: Any, board: VmBoard) -> None:
    """The optical sensors at the mouth see white above instead of below: a boxed card, at the seat that got it."""
    table = bench.run(bench.config())
    table.line("READY after")
    table.post(do="button", seat=4)
    board.tell("deal", bench.uids[0], 1)
    table.until(lambda now: cards(now)[0] == 1)
    board.tell("deal", bench.uids[1], 2, "up")
    table.until(lambda now: (confirmed(now, "boxed_card") or {}).get("k") == 2)


def test_a_board_that_restarts_in_mid_hand_loses_no_card(bench: Any, board: VmBoard) -> None:
    """Power fails after two cards and comes back: a new boot, the plan is sent again, the cards that lie there are the
    same ones, the hand goes on to its end, and nobody is accused."""
    table = bench.run(bench.config())
    table.line("READY after")
    table.post(do="button", seat=4)
    for uid, antenna in zip(bench.uids, (1, 2), strict=False):
        board.tell("deal", uid, antenna)
    table.until(lambda now: cards(now) == [1, 1, 0, 0])
    plans = metric(table, "commands")
    board.cut()
    board.start()
    board.tell("lay", 1, bench.uids[0])
    board.tell("lay", 2, bench.uids[1])
    for uid, antenna in zip(bench.uids[2:], (3, 4, 1), strict=False):
        board.tell("deal", uid, antenna)
    state = table.until(lambda now: cards(now) == [2, 1, 1, 1])
    assert state["irregularities"] == []
    assert metric(table, "reboots") == 1
    assert metric(table, "commands") > plans
    assert not any(each for state in table.states for each in state["irregularities"])


def test_a_board_is_told_the_plan_again_by_a_table_that_restarts(bench: Any, board: VmBoard) -> None:
    """The table's computer is stopped and started while the board polls: the board says HELLO and takes the plan a
    second time, and the new table sees what is dealt."""
    config = bench.config()
    first = bench.run(config)
    first.line("READY after")
    first.post(do="button", seat=4)
    board.tell("deal", bench.uids[9], 1)
    first.until(lambda now: cards(now)[0] == 1)
    board.tell("lift", bench.uids[9])
    assert first.ends(signal.SIGTERM) == 0
    second = bench.run(config)
    second.line("READY after")
    second.post(do="button", seat=4)
    board.tell("deal", bench.uids[0], 1)
    second.until(lambda now: cards(now)[0] == 1)
    assert metric(second, "command_failures") == 0
    assert metric(second, "reboots") == 0


def test_a_front_end_that_hangs_suspends_its_zones_and_brings_them_back(bench: Any, board: VmBoard) -> None:
    """BUSY sticks, a reset does not help: the zones are named as degraded, not as empty, and no card is missed. When it
    comes free everything is restored by itself."""
    table = bench.run(bench.config())
    table.line("READY after")
    table.post(do="button", seat=4)
    board.tell("deal", bench.uids[0], 1)
    table.until(lambda now: cards(now)[0] == 1)
    board.tell("stick")
    state = table.until(lambda now: len(now["degraded"]) == 8)
    assert cards(state)[0] == 1
    board.tell("free")
    healed = len(table.states)
    table.until(lambda now: not now["degraded"] and table.states.index(now) >= healed)
    board.tell("deal", bench.uids[1], 2)
    state = table.until(lambda now: cards(now)[:2] == [1, 1])
    assert state["irregularities"] == []


def test_what_the_host_does_not_read_is_dropped_and_counted(board: VmBoard) -> None:
    """Hundreds of questions and nobody reads the answers: the line is full, the board goes on, and what then comes
    is whole frames, gaps in their numbers, and the count of what was dropped."""
    line = os.open(board.link, os.O_RDWR | os.O_NOCTTY)
    try:
        ask = wire.encode(wire.GET_HELLO, 0, b"")
        for _ in range(400):
            os.write(line, ask)
        decoder = wire.Decoder()
        dropped, seqs = 0, []
        while not dropped:
            for kind, seq, body in decoder.feed(os.read(line, 4096)):
                seqs.append(seq)
                if kind == wire.HEARTBEAT:
                    dropped = wire.unpack(kind, body)["tx_dropped"]
        assert (decoder.bad_cobs, decoder.bad_crc, decoder.too_long) == (0, 0, 0)
        assert any((b - a) % 256 != 1 for a, b in pairwise(seqs))
    finally:
        os.close(line)


def test_a_flasher_is_given_the_line_once(board: VmBoard) -> None:
    """Asked to leave the line, the firmware resets; the next start ends at once, for the prompt; the one after that is
    an ordinary one."""
    line = os.open(board.link, os.O_RDWR | os.O_NOCTTY)
    try:
        os.write(line, b"\x00" + b"\x03" * 8 + b"\x00")
        assert board.ended() == RESET
        board.start()
        assert board.ended() == 0
        board.start()
        heard = b""
        while wire.HELLO not in [kind for kind, _, _ in wire.Decoder().feed(heard)]:
            os.write(line, wire.encode(wire.GET_HELLO, 0, b""))
            heard += os.read(line, 4096)
    finally:
        os.close(line)
