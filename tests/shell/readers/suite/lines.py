"""Lines between a device's pty and the pty that a table opens: clean, byte by byte, delayed, lossy.

A line carries bytes both ways on the test's own loop and knows no protocol.
"""

from __future__ import annotations

import asyncio
import os
import random
import tty
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

Write = Callable[[bytes], None]


class CleanLine:
    """Everything arrives, as it was sent."""

    errs = False

    def __init__(self, device: Path, link: Path) -> None:
        self._loop = asyncio.get_running_loop()
        self._chance = random.Random(5)
        self._device = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._table, self._kept_open = os.openpty()
        for end in (self._device, self._kept_open):
            tty.setraw(end)
        os.set_blocking(self._table, False)
        link.symlink_to(os.ttyname(self._kept_open))
        self._ends = (self._device, self._table, self._kept_open)
        self._loop.add_reader(self._device, self._pass, self._device, self._table)
        self._loop.add_reader(self._table, self._pass, self._table, self._device)

    def close(self) -> None:
        """Hang up on both sides."""
        for end in self._ends:
            self._loop.remove_reader(end)
            os.close(end)
        self._ends = ()

    def _pass(self, source: int, target: int) -> None:
        with suppress(OSError):
            data = os.read(source, 4096)
            self._carry(data, lambda part: self._write(target, part))

    def _write(self, target: int, part: bytes) -> None:
        with suppress(OSError):
            if target in self._ends:
                os.write(target, part)

    def _carry(self, data: bytes, write: Write) -> None:
        write(data)


class ByteByByteLine(CleanLine):
    """Every byte comes alone, and the loop turns between two of them."""

    def __init__(self, device: Path, link: Path) -> None:
        super().__init__(device, link)
        self._waiting: deque[tuple[Write, bytes]] = deque()

    def _carry(self, data: bytes, write: Write) -> None:
        idle = not self._waiting
        self._waiting.extend((write, bytes([byte])) for byte in data)
        if idle:
            self._next()

    def _next(self) -> None:
        write, byte = self._waiting.popleft()
        write(byte)
        if self._waiting:
            self._loop.call_soon(self._next)


class DelayedLine(CleanLine):
    """Everything comes 2 to 15 ms late, in order, often two messages in one piece."""

    LATE_S = (0.002, 0.015)

    def __init__(self, device: Path, link: Path) -> None:
        super().__init__(device, link)
        self._last = 0.0

    def _carry(self, data: bytes, write: Write) -> None:
        self._last = max(self._last, self._loop.time() + self._chance.uniform(*self.LATE_S))
        self._loop.call_at(self._last, write, data)


class LossyLine(CleanLine):
    """Of a thousand bytes two vanish and two are changed."""

    errs = True
    LOST = DAMAGED = 0.002

    def _carry(self, data: bytes, write: Write) -> None:
        kept = bytearray()
        for byte in data:
            fate = self._chance.random()
            if fate >= self.LOST:
                kept.append(
                    byte ^ 1 << self._chance.randrange(8) if fate < self.LOST + self.DAMAGED else byte
                )
        write(bytes(kept))


LINES = {"clean": CleanLine, "byte by byte": ByteByByteLine, "delayed": DelayedLine, "lossy": LossyLine}
