"""A reader board for tests, written by hand from the protocol page with struct and zlib, on a real pty; and a scene
with boards and readers, in which a test waits for what they do.

The board shares nothing with `tablectl.wire`: what both agree on is what the page says.
"""

from __future__ import annotations

import asyncio
import os
import struct
import time
import tty
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablectl.core.sensed import Sensed
from tablectl.shell.readers import Reader, ReaderState, Timing
from tablectl.shell.readers.tablewire import TablewireReader

DEADLINE_S = 20.0
PATIENT = Timing(
    hello=30, reply=60_000, silence=60_000, probe=200, retry_first=20, retry_longest=40, look=5, plan_again=30
)
"""Quick to look and to retry, never out of patience: a busy machine cannot make a test see a silence."""


def cobs(raw: bytes) -> bytes:
    out = bytearray()
    for block in raw.split(b"\x00"):
        out += bytes([len(block) + 1]) + block
    return bytes(out)


def uncobs(encoded: bytes) -> bytes:
    out, at = bytearray(), 0
    while at < len(encoded):
        out += encoded[at + 1 : at + encoded[at]] + b"\x00"
        at += encoded[at]
    return bytes(out[:-1])


def frame(kind: int, seq: int, body: bytes) -> bytes:
    payload = bytes([kind, seq]) + body
    return cobs(payload + struct.pack("<I", zlib.crc32(payload))) + b"\x00"


class Board:
    """A reader board behind `link`: a symlink to its pty, as udev would make it."""

    def __init__(self, scene: Scene, link: Path, **identity: Any) -> None:
        self.scene = scene
        self.link = link
        self.version = identity.get("version", (1, 0))
        self.boot = identity.get("boot", 1)
        self.id = identity.get("id", b"board--A")
        self.firmware = identity.get("firmware", b"test 1.0")
        self.antennas = identity.get("antennas", (0, 1, 2))
        self.capabilities = identity.get("capabilities", 1)
        self.answers_hello = identity.get("answers_hello", True)
        self.plan_status: int | None = identity.get("plan_status", 0)
        self.line_errs = identity.get("line_errs", False)
        self.heard: list[tuple[int, int, bytes]] = []
        self.broken = 0
        self.seq = 0
        self._buffer = b""
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        self.device = os.ttyname(self._slave)
        with suppress(FileNotFoundError):
            link.unlink()
        link.symlink_to(self.device)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self.master, self._readable)

    def unplug(self) -> None:
        """Both ends close: the kernel hangs the line up and the device node goes."""
        if self.master >= 0:
            self._loop.remove_reader(self.master)
            os.close(self.master)
            os.close(self._slave)
            self.master = -1
            self.link.unlink(missing_ok=True)

    def restart(self, boot: int) -> None:
        self.boot, self.seq = boot, 0

    def raw(self, data: bytes) -> None:
        os.write(self.master, data)

    def lose(self, count: int = 1) -> None:
        """Frames that were sent and never came."""
        self.seq = (self.seq + count) % 256

    def send(self, kind: int, body: bytes) -> bytes:
        data = frame(kind, self.seq, body)
        self.seq = (self.seq + 1) % 256
        self.raw(data)
        return data

    def hello(self) -> None:
        antennas = b"".join(bytes([antenna, 0]) for antenna in self.antennas)
        self.send(
            0x01,
            bytes(self.version)
            + struct.pack("<I", self.boot)
            + self.id
            + bytes([len(self.firmware)])
            + self.firmware
            + struct.pack("<HB", self.capabilities, len(self.antennas))
            + antennas,
        )

    def sweep(self, number: int, polled: int, *tags: tuple[int, int, int, str], t0: int = 1000) -> bytes:
        """tags: (antenna, dt_ms, rssi, uid in hex)."""
        body = struct.pack("<HIIB", number, t0, polled, len(tags))
        for antenna, dt, rssi, uid in tags:
            raw = bytes.fromhex(uid)
            body += struct.pack("<BHbB", antenna, dt, rssi, len(raw)) + raw
        return self.send(0x10, body)

    def heartbeat(self, uptime: int) -> None:
        self.send(0x12, struct.pack("<IHHH", uptime, 100, 0, 0))

    def plans(self) -> list[bytes]:
        return [body for kind, _, body in self.heard if kind == 0x81]

    def asked(self) -> int:
        return sum(1 for kind, _, _ in self.heard if kind == 0x80)

    def _readable(self) -> None:
        with suppress(OSError):
            self._buffer += os.read(self.master, 4096)
        *frames, self._buffer = self._buffer.split(b"\x00")
        for encoded in frames:
            raw = uncobs(encoded)
            if len(raw) < 6 or struct.unpack("<I", raw[-4:])[0] != zlib.crc32(raw[:-4]):
                self.broken += 1
                continue
            self.heard.append((raw[0], raw[1], raw[2:-4]))
            if raw[0] == 0x80 and self.answers_hello:
                self.hello()
            if raw[0] == 0x81 and self.plan_status is not None:
                self.send(0x02, bytes([raw[1], raw[0], self.plan_status]) + b"\x04test")
        self.scene.touch()


class Scene:
    """Boards, readers, and everything the readers said, with a way to wait for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[Sensed] = []
        self.states: list[ReaderState] = []
        self._boards: list[Board] = []
        self._readers: list[Reader] = []
        self._changed = asyncio.Event()
        self._began = time.monotonic()

    def now(self) -> int:
        return int((time.monotonic() - self._began) * 1000)

    def touch(self) -> None:
        self._changed.set()

    def board(self, name: str = "port", **identity: Any) -> Board:
        board = Board(self, self.folder / name, **identity)
        self._boards.append(board)
        return board

    async def reader(self, port: str = "port", driver: Any = TablewireReader, **options: Any) -> Any:
        timing = replace(PATIENT, **options.pop("timing", {}))
        reader = driver(
            options.pop("number", 0),
            str(self.folder / port),
            options.pop("antennas", {0: "shoe", 1: "seat:1", 2: "seat:2"}),
            self._emit,
            self.now,
            self._report,
            candidates=options.pop("candidates", list),
            timing=timing,
            **options,
        )
        self._readers.append(reader)
        await reader.start()
        return reader

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait for the condition, looking again whenever a board or a reader did something."""
        async with asyncio.timeout(DEADLINE_S):
            while not (value := condition()):
                await self._changed.wait()
                self._changed.clear()
            return value

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    async def is_state(self, state: str) -> ReaderState:
        await self.until(lambda: self.states and self.states[-1].state == state)
        return self.states[-1]

    async def close(self) -> None:
        for reader in self._readers:
            await reader.close()
        for board in self._boards:
            board.unplug()
            assert board.line_errs or board.broken == 0, "the table sent a broken frame"

    def _emit(self, event: Sensed) -> None:
        self.events.append(event)
        self.touch()

    def _report(self, state: ReaderState) -> None:
        self.states.append(state)
        self.touch()
