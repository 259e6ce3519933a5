"""Boards that send what no board should: each costs itself only, is counted, and is told where somebody can act."""

from __future__ import annotations

import asyncio
import os
import random
import select
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablectl import __version__, wire
from tablectl.core.sensed import AntennaHealth, Found, Gap, Lost, Passage, Seen, Sensed, Sweep
from tablectl.shell.readers import Claims, Timing
from tablectl.shell.readers.meaning import LOG_A_SECOND, LOG_LINES
from tablectl.shell.readers.session import Session
from tablectl.shell.readers.state import printable

Stage = Callable[[], Any]

# A busy machine must not fail a test: no time limit per example.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

UID = "E004015012345601"


def uid(number: int) -> str:
    return f"E00401{number:010X}"


# --- damage on the line -------------------------------------------------------------------------------------


def stream(frames: int) -> list[bytes]:
    """A HELLO, then so many frames, each with a tag of its own; a body full of zeros has many COBS blocks."""
    hello = wire.pack(
        wire.HELLO, major=1, minor=0, boot_id=1, board_id=b"board--A", firmware="test", capabilities=1,
        antennas=[],
    )  # fmt: skip
    sent = [wire.encode(wire.HELLO, 0, hello)]
    for n in range(1, frames):
        seen = [{"antenna": 1, "dt_ms": 0, "rssi": 0, "uid": bytes.fromhex(uid(n))}]
        body = wire.pack(wire.SIGHTINGS, sweep=n, t0_ms=10 * n, polled=2, seen=seen)
        sent.append(wire.encode(wire.SIGHTINGS, n & 0xFF, body))
    return sent


@dataclass
class Damage:
    """Bytes of the whole stream as they arrive: changed, taken out, or put in, and the frames that this touched."""

    frames: list[bytes]

    def __post_init__(self) -> None:
        self.data = [bytes([byte]) for frame in self.frames for byte in frame]
        self.owner = [n for n, frame in enumerate(self.frames) for _ in frame]
        self.closing = {at for at, byte in enumerate(self.data) if byte == b"\x00"}
        self.touched: set[int] = set()

    def hit(self, at: int, how: str, noise: bytes) -> None:
        """Spoil the byte there; without its closing 0x00 a frame runs into the next."""
        self.touched.add(self.owner[at])
        if at in self.closing and how != "insert":
            self.touched.add(self.owner[at] + 1)
        original = self.data[at]
        if how == "flip":
            self.data[at] = bytes([original[0] ^ (noise[0] or 1)]) if len(original) == 1 else original
        elif how == "lose":
            self.data[at] = b""
        else:
            self.data[at] = noise + original


@unhurried
@given(
    st.lists(
        st.tuples(
            st.floats(0, 0.9999),
            st.sampled_from(["flip", "lose", "insert"]),
            st.binary(min_size=1, max_size=9),
        ),
        max_size=25,
    ),
    st.integers(1, 400),
)
def test_damage_anywhere_costs_the_frames_touched_and_no_other(
    hits: list[tuple[float, str, bytes]], piece: int
) -> None:
    """Bytes flipped, lost and inserted anywhere in a stream, cut into pieces of any size: nothing raises, and the tag
    of every frame that was not touched arrives, in order, as one look that is never invented."""
    frames = stream(30)
    damage = Damage(frames)
    first = len(frames[0])
    for where, how, noise in hits:
        at = first + int(where * (len(damage.data) - first))
        damage.hit(at, how, noise)
    events: list[Sensed] = []
    session = Session(
        0, "port", {1: "seat:1"}, emit=events.append, report=lambda _state: None, timing=Timing()
    )  # fmt: skip
    session.opened(0, lambda _data: None)
    line = b"".join(damage.data)
    for start in range(0, len(line), piece):
        session.received(line[start : start + piece], start)
    arrived = [seen.uid for event in events if isinstance(event, Sweep) for seen in event.seen]
    untouched = [uid(n) for n in range(1, len(frames)) if n not in damage.touched]
    assert [each for each in arrived if each in untouched] == untouched
    assert set(arrived) <= {uid(n) for n in range(1, len(frames))}, "a CRC lets no wrong UID through"
    if not damage.touched:
        assert not any(isinstance(event, Gap) for event in events)


async def test_damage_on_a_real_line_costs_the_frames_touched(stage: Stage) -> None:
    """300 frames over a pty, every fifth of them with one bit wrong: the other 240 arrive, in order."""
    chance = random.Random(11)
    async with stage() as scene:
        board = scene.board()
        reader = await scene.reader()
        await scene.until(board.plans)
        write, board.raw = board.raw, lambda data: None
        for n in range(300):
            data = bytearray(board.sweep(n, 0b10, (1, 0, -40, uid(n))))
            if n % 5 == 2:
                at = chance.randrange(len(data) - 1)
                data[at] ^= 1 << chance.randrange(8)
            write(bytes(data))
            if n % 20 == 19:  # a pty holds 4 kB; a board would wait here, too
                await scene.until(
                    lambda n=n: any(one.uid == uid(n) for sweep in scene.of(Sweep) for one in sweep.seen)
                )
        arrived = [one.uid for sweep in scene.of(Sweep) for one in sweep.seen]
        assert arrived == [uid(n) for n in range(300) if n % 5 != 2]
        assert reader.counters["bad_crc"] + reader.counters["bad_cobs"] >= 60
        assert reader.counters["lost_frames"] == 60


# --- frames that are sound and wrong ------------------------------------------------------------------------


async def test_frames_longer_than_any_frame_are_counted_and_cost_only_themselves(stage: Stage) -> None:
    """A body of 241 bytes, and one of a thousand, both with a right CRC: dropped, and the sweep behind them counts."""
    async with stage() as scene:
        board = scene.board()
        reader = await scene.reader()
        await scene.until(board.plans)
        for size in (241, 1000):
            board.send(0x10, (b"\x01\x00" * size)[:size])
        board.sweep(1, 0b1, (0, 0, -40, UID))
        await scene.until(lambda: scene.of(Sweep))
        assert reader.counters["too_long"] == 2
        assert reader.counters["lost_frames"] == 2
        assert scene.of(Lost) == []


async def test_uids_of_lengths_that_no_tag_has_are_noise(stage: Stage) -> None:
    """0, 3, 5, 11 and 200 bytes: counted, never a card; the look counts, and the good tag in it is read."""
    async with stage() as scene:
        board = scene.board()
        reader = await scene.reader()
        await scene.until(board.plans)
        for number, size in enumerate((0, 3, 5, 11, 200)):
            board.sweep(number, 0b10, (1, 0, -40, "E1" * size))
        board.sweep(5, 0b10, (1, 0, -40, "E1" * 3), (1, 0, -40, UID), (1, 0, -40, "E1" * 11))
        await scene.until(lambda: len(scene.of(Sweep)) == 6)
        assert [sweep.polled for sweep in scene.of(Sweep)] == [(1,)] * 6
        assert [sweep.seen for sweep in scene.of(Sweep)] == [()] * 5 + [(Seen(1, UID, -40, 0),)]
        assert reader.counters["noise_uids"] == 7


async def test_antennas_that_nobody_configured_are_counted_and_touch_nothing(stage: Stage) -> None:
    """Antennas 40, 99 and 255 in HELLO, sightings, health and passage, and every bit of `polled`: the configured
    ones are told, nothing else reaches the core."""
    async with stage() as scene:
        board = scene.board(antennas=(0, 1, 2, 40, 99, 255))
        reader = await scene.reader()
        await scene.until(board.plans)
        tags = [(antenna, 0, -40, UID) for antenna in (40, 99, 255)]
        board.sweep(1, 0xFFFFFFFF, *tags, (1, 0, -40, UID))
        board.send(0x11, struct.pack("<BBHHH", 99, 2, 0, 0, 0))
        board.send(0x11, struct.pack("<BBHHH", 1, 200, 0, 0, 0))
        board.send(0x13, struct.pack("<IBB", 5, 255, 2))
        board.send(0x13, struct.pack("<IBB", 5, 0, 77))
        await scene.until(lambda: scene.of(Passage))
        [sweep] = scene.of(Sweep)
        assert (sweep.polled, [one.antenna for one in sweep.seen]) == ((0, 1, 2), [1])
        assert [(one.antenna, one.face) for one in scene.of(Passage)] == [(0, None)]
        assert scene.of(AntennaHealth) == scene.of(Gap) == []
        assert reader.counters["unmapped_antenna"] == 29 + 3 + 1 + 1
        assert reader.counters["unknown_values"] == 2
        assert reader.state.state == "ok"
        assert board.plans()[0][0] == 3, "the board is asked for the configured antennas only"


async def test_a_host_frame_from_a_board_is_counted(stage: Stage) -> None:
    """A line that echoes, or two tables wired to each other: commands that come back mean nothing."""
    async with stage() as scene:
        board = scene.board()
        reader = await scene.reader()
        await scene.until(board.plans)
        for kind in (0x80, 0x81, 0x82, 0x83):
            board.send(kind, b"\x00" * 6)
        board.sweep(1, 0b1)
        await scene.until(lambda: scene.of(Sweep))
        assert reader.counters["unknown_kind"] == 4
        assert scene.of(Gap) == []


# --- who the board is ---------------------------------------------------------------------------------------


async def test_of_two_boards_with_one_id_the_second_is_refused_with_both_ports(stage: Stage) -> None:
    """The first goes on; the second is Lost and named with both ports, and gets no plan. Given an id of its own,
    it is found at once."""
    async with stage() as scene:
        claims = Claims()
        first, second = scene.board("one"), scene.board("two")
        reader = await scene.reader("one", claims=claims)
        await scene.until(first.plans)
        await scene.reader("two", number=1, claims=claims)
        state = await scene.is_state("refused")
        assert state.number == 1
        assert str(scene.folder / "one") in state.text
        assert str(scene.folder / "two") in state.text
        assert scene.of(Lost) == [Lost(scene.of(Lost)[0].t, 1)]
        second.sweep(1, 0b1)
        first.sweep(1, 0b1)
        await scene.until(lambda: scene.of(Sweep))
        assert [sweep.reader for sweep in scene.of(Sweep)] == [0]
        assert (reader.state.state, second.plans()) == ("ok", [])
        second.id = b"board--B"
        await scene.until(lambda: scene.of(Found))
        await scene.until(second.plans)


async def test_a_board_that_moves_to_another_readers_port_is_taken_once_it_is_lost_at_the_first(
    stage: Stage,
) -> None:
    """Two cables changed: the id is free as soon as the first reader has lost the board."""
    async with stage() as scene:
        claims = Claims()
        board = scene.board("one")
        await scene.reader("one", claims=claims)
        await scene.until(board.plans)
        moved = scene.board("two")
        other = await scene.reader("two", number=1, claims=claims)
        await scene.is_state("refused")
        board.unplug()
        await scene.until(lambda: other.state.state == "ok")
        await scene.until(moved.plans)


@pytest.mark.parametrize("blank", [bytes(8), b"\xff" * 8])
async def test_boards_that_were_never_given_an_id_do_not_shut_each_other_out(
    stage: Stage, blank: bytes
) -> None:
    """All zeros or all ones prove nothing: both work."""
    async with stage() as scene:
        claims = Claims()
        for number, name in enumerate(("one", "two")):
            board = scene.board(name, id=blank)
            await scene.reader(name, number=number, claims=claims)
            await scene.until(board.plans)
        assert scene.of(Lost) == []


async def test_a_board_with_older_firmware_works_and_is_told(stage: Stage) -> None:
    """Both versions stand in the state's text while all is well otherwise; the same board, flashed, says nothing."""
    async with stage() as scene:
        board = scene.board(firmware=b"tablectl 0.0.1", antennas=(0, 1))
        reader = await scene.reader()
        await scene.until(lambda: board.plans() and reader.state.state == "ok")
        assert "0.0.1" in reader.state.text
        assert __version__ in reader.state.text
        assert "no antenna 2" in reader.state.text
        board.firmware, board.antennas = b"tablectl " + __version__.encode(), (0, 1, 2)
        board.restart(boot=2)
        board.hello()
        await scene.until(lambda: reader.state.text == "")
        assert scene.of(Lost) == []


# --- boards that do not stop --------------------------------------------------------------------------------


async def test_a_flood_of_log_keeps_the_first_lines_and_counts_the_rest(stage: Stage) -> None:
    """Three thousand lines of 235 bytes: the log stays short, what the board said before is still there, the lines
    are counted, and the sweep in their midst arrives."""
    async with stage() as scene:
        board = scene.board()
        reader = await scene.reader()
        await scene.until(board.plans)
        board.send(0x1F, b"\x00\x07tuned 3")
        text = b"\x02\xeb" + b"!" * 235
        for n in range(3000):
            board.send(0x1F, text)
            if n % 10 == 9:
                board.sweep(n, 0b1)
                await scene.until(lambda n=n: len(scene.of(Sweep)) > n // 10)
        counters = reader.counters
        assert counters["log_lines"] == 3001
        assert counters["log_lines_dropped"] > 0
        assert len(reader.log) <= LOG_LINES
        assert max(map(len, reader.log)) <= 240
        assert scene.of(Gap) == []


def test_a_second_of_flood_pushes_out_nothing_that_was_said_before() -> None:
    """Of each second so many lines are kept, the next second is a new one: one bad second costs one share."""
    session = Session(0, "port", {1: "seat:1"}, emit=lambda _e: None, report=lambda _s: None, timing=Timing())
    session.opened(0, lambda _data: None)
    session.received(stream(1)[0], 0)

    def says(t: int, text: str, seq: int) -> None:
        session.received(wire.encode(wire.LOG, seq & 0xFF, wire.pack(wire.LOG, level=1, text=text)), t)

    says(500, "front end 1 was reset", 1)
    for n in range(200):
        says(1000 + n, "again", 2 + n)
    says(2100, "all is well", 202)
    assert list(session.log) == ["front end 1 was reset", *["again"] * LOG_A_SECOND, "all is well"]
    assert session.counters["log_lines_dropped"] == 200 - LOG_A_SECOND
    assert session.counters["log_lines"] == 202


class Flood(threading.Thread):
    """Bytes into a pty as fast as it takes them, until told to stop; the pattern begins anew at each round."""

    def __init__(self, master: int, pattern: bytes) -> None:
        super().__init__(name="flood", daemon=True)
        self._master, self._pattern = os.dup(master), pattern
        self._ended = threading.Event()
        self.sent = 0

    def run(self) -> None:
        rest = b""
        while not self._ended.is_set():
            rest = rest or self._pattern
            if select.select([], [self._master], [], 0.05)[1]:
                try:
                    taken = os.write(self._master, rest)
                except BlockingIOError:
                    continue
                self.sent, rest = self.sent + taken, rest[taken:]
        os.close(self._master)

    def end(self) -> None:
        self._ended.set()
        self.join(20)


def valid_frames() -> bytes:
    """One round of all sequence numbers: empty sweeps, heartbeats and log lines."""
    return b"".join(
        wire.encode(kind, seq, body)
        for seq, (kind, body) in enumerate([
            (wire.SIGHTINGS, wire.pack(wire.SIGHTINGS, sweep=1, t0_ms=1, polled=7, seen=[])),
            (wire.HEARTBEAT, wire.pack(wire.HEARTBEAT, uptime_ms=1, free_kib=1, rx_errors=0, tx_dropped=0)),
            (wire.LOG, wire.pack(wire.LOG, level=0, text="busy")),
            (wire.PASSAGE, wire.pack(wire.PASSAGE, t_ms=1, antenna=0, face=0)),
        ] * 64)
    )  # fmt: skip


FLOODS = {"valid frames": valid_frames(), "no zero": b"\xa5" * 4096, "only zeros": bytes(4096)}


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_board_that_never_stops_sending_holds_no_other_reader_up(stage: Stage, kind: str) -> None:
    """One line is full all the time. On the other one every sweep arrives, each while the flood went on: between two
    sweeps the flooding board got rid of bytes, too, so neither waits for the other's end."""
    async with stage() as scene:
        loud, quiet = scene.board("loud"), scene.board("quiet", id=b"board--Q")
        flooded = await scene.reader("loud", antennas={0: "burn"})
        await scene.until(loud.plans)
        await scene.reader("quiet", number=1)
        await scene.until(quiet.plans)
        flood = Flood(loud.master, FLOODS[kind])
        flood.start()
        try:
            for n in range(10):
                before = flooded.counters["bytes"]
                quiet.sweep(n, 0b1, (0, 0, -40, UID))
                await scene.until(lambda n=n: sum(sweep.reader == 1 for sweep in scene.of(Sweep)) == n + 1)
                while flooded.counters["bytes"] <= before:  # noqa: ASYNC110  (it is the loop that must turn)
                    await asyncio.sleep(0)
        finally:
            flood.end()
        assert [event for event in scene.events if isinstance(event, Lost)] == []
        assert flood.sent > 0
        assert [sweep.seen[0].uid for sweep in scene.of(Sweep) if sweep.reader == 1] == [UID] * 10
        assert printable(flooded.state.text) == ""
