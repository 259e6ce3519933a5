"""Doubled frames, from the bytes on: a simulated evening is sent once more as the frames that boards would send."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from tablectl import recording, wire
from tablectl.core.sensed import Gap, Seen, Sensed, Sweep
from tablectl.layout import Layout
from tablectl.shell.readers import Timing
from tablectl.shell.readers.session import Session
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup


@pytest.mark.parametrize(("noise", "seats", "boards"), [("light", 10, 4), ("heavy", 8, 2)])
def test_doubled_frames_change_nothing(noise: str, seats: int, boards: int) -> None:
    """One frame in ten comes twice, the second time among the frames after it: the core is told each sweep once."""
    setup = TableSetup(seats=seats, boards=boards)
    lines = generate(setup, script.parse("clean, wrong_seat:next, clean"), preset(noise), seed=1)
    _, sensed = recording.from_objects(next(lines), lines, strict=True)
    events = list(sensed)
    doubled = _by_wire(setup.layout, events, Random(1), 0.1)
    assert doubled == _by_wire(setup.layout, events, Random(1), 0.0)
    sweeps = [event.t for event in events if isinstance(event, Sweep) and event.polled]
    assert [event.t for event in doubled if isinstance(event, Sweep) and event.polled] == sweeps


class _Board:
    """Sends sweeps as frames; what the table's side of the line makes of them goes to `out`."""

    TAGS = 16
    """So many fit into a frame of 240 bytes."""

    def __init__(self, number: int, zones: dict[int, str], out: list[Sensed]) -> None:
        self.seq = self.sweeps = 0
        self.repeats: list[bytes] = []
        self.session = Session(
            number, "port", zones, emit=out.append, report=lambda _: None, timing=Timing(silence=1 << 30)
        )
        self.session.opened(0, lambda _: None)
        self._send(
            wire.HELLO, 0, major=1, minor=0, boot_id=1, board_id=b"board--%d" % number, firmware="", capabilities=1,
            antennas=[],
        )  # fmt: skip

    def lose(self) -> None:
        """A frame was sent that never came."""
        self.seq += 1
        self.sweeps += 1

    def sweep(self, sweep: Sweep) -> bytes:
        """The sweep's frames, the last of which completes its lists; returns the last one."""
        self.sweeps += 1
        oldest = max((seen.age for seen in sweep.seen), default=0)
        sent, tags = b"", list(sweep.seen)
        while tags or not sent:
            part, tags = tags[: self.TAGS], tags[self.TAGS :]
            sent = self._send(
                wire.SIGHTINGS, sweep.t, sweep=self.sweeps % 0x10000, t0_ms=sweep.t - oldest,
                polled=0 if tags else sum(1 << antenna for antenna in sweep.polled),
                seen=[self._tag(seen, oldest) for seen in part],
            )  # fmt: skip
        return sent

    @staticmethod
    def _tag(seen: Seen, oldest: int) -> dict[str, Any]:
        strength, dt = seen.rssi or 0, oldest - seen.age
        return {"antenna": seen.antenna, "dt_ms": dt, "rssi": strength, "uid": bytes.fromhex(seen.uid)}

    def _send(self, kind: int, t: int, **fields: Any) -> bytes:
        frame = wire.encode(kind, self.seq % 256, wire.pack(kind, **fields))
        self.seq += 1
        self.session.received(frame, t)
        return frame


def _by_wire(layout: Layout, events: Iterable[Sensed], rng: Random, doubled: float) -> list[Sensed]:
    """What was sensed, once more through frames and the readers' side of the table computer."""
    out: list[Sensed] = []
    zones: dict[int, dict[int, str]] = defaultdict(dict)
    for (reader, antenna), zone in layout.antennas.items():
        zones[reader][antenna] = zone
    boards = {reader: _Board(reader, zones[reader], out) for reader in zones}
    repeated = 0
    for event in events:
        if isinstance(event, Gap):
            boards[event.reader].lose()
        elif isinstance(event, Sweep):
            board = boards[event.reader]
            sent = board.sweep(event)
            while board.repeats and rng.random() < 0.5:
                board.session.received(board.repeats.pop(0), event.t)
                repeated += 1
            if rng.random() < doubled:
                board.repeats.append(sent)
        else:
            out.append(event)
    assert sum(board.session.counters["duplicates"] for board in boards.values()) == repeated
    assert bool(repeated) == bool(doubled)
    return out
