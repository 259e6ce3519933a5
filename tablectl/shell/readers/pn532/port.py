"""The serial line to a PN532, as nfcpy wants its transport.

Owns: the descriptor from opening to the first error, whole frames out of bytes, and every wait of the reader's
thread. Refuses: what frames mean (nfcpy) and what to do about errors (`life`).

nfcpy's own transport finds only names in /dev/tty*, opens them for everybody, cannot be interrupted, and lets
termios.error through, which is no OSError. This one has the same few methods, which is all that nfcpy asks for.
"""

from __future__ import annotations

import errno
import os
import select
import termios
import time
from collections import Counter
from typing import Final

import serial

from tablectl.shell.readers.ports import UNPLUGGED, broken_line, close_port, device_of, open_port

START = b"\x00\xff"
"""Begins every frame, after a preamble of any length (UM0701-02, 6.2.1)."""
ACK_REST, TAIL = 3, 2
"""Bytes after START of an ACK; a frame's checksum and postamble."""
FIRST_RATE = 115_200
"""The chip's bit rate after power-up, bit/s."""
READ_BYTES = 4096
WRITE_S = 0.5
"""How long a line may take to accept a command, s; a frame of 11 bytes takes 1 ms at FIRST_RATE."""


class Stopped(Exception):  # noqa: N818 (nothing went wrong: the table is closing)
    """The reader is to end; not an OSError, which nfcpy would take for the chip's silence."""


class ChipPort:
    """One open port. `stop` is a descriptor that becomes readable when the reader is to end: every wait ends then.

    The first answer gets `first_ms` at least: on a Raspberry Pi the first bytes from a USB adapter that was just
    opened may come a second late (nfcpy, `clf/pn532.py`). `counters` counts the `bytes` and `frames` that came.

    PortBusyError or PortMissingError if the port cannot be opened for us alone.
    """

    TYPE: Final = "TTY"

    def __init__(self, path: str, stop: int, counters: Counter[str], *, first_ms: int) -> None:
        self.port = device_of(path)
        self.gone = ""
        """Why there is no line any more, in words; empty as long as there is one."""
        self._stop: int | None = stop
        self._counters = counters
        self._first_ms = first_ms
        self._until = float("inf")
        self._serial: serial.Serial = open_port(path, FIRST_RATE)
        self._fd = self._serial.fileno()
        self._buffer = bytearray()

    @property
    def baudrate(self) -> int:
        """The line's bit rate, bit/s."""
        return int(self._serial.baudrate)

    @baudrate.setter
    def baudrate(self, rate: int) -> None:
        try:
            self._serial.baudrate = rate
        except (OSError, ValueError, termios.error) as error:
            raise self._lost(broken_line(error)) from error

    def read(self, timeout: int) -> bytearray:
        """The next frame, within `timeout` ms. OSError (ETIMEDOUT) if none came, OSError (ENODEV) if unplugged."""
        until = time.monotonic() + max(timeout, self._first_ms) / 1000
        self._first_ms = 0
        while (frame := self._next_frame()) is None:
            if not self._wait(until, read=True):
                raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            self._receive()
        return frame

    def write(self, frame: bytes) -> None:
        """Send; what came before is stale and dropped. OSError as `read`."""
        self._buffer.clear()
        rest = bytes(frame)
        until = time.monotonic() + WRITE_S
        try:
            termios.tcflush(self._fd, termios.TCIFLUSH)
            while rest:
                if not self._wait(until, read=False):
                    raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
                rest = rest[os.write(self._fd, rest) :]
        except (BlockingIOError, TimeoutError):
            raise
        except (OSError, termios.error) as error:
            raise self._lost(broken_line(error)) from error

    def pause(self, ms: float) -> None:
        """Wait, unless the reader is to end."""
        until = min(time.monotonic() + ms / 1000, self._until)
        while (left := until - time.monotonic()) > 0:
            self._select([], [], left)

    def hurry(self, ms: int) -> None:
        """From now on nothing interrupts, and all waits together end after `ms`: time for last words."""
        self._stop = None
        self._first_ms = 0
        self._until = time.monotonic() + ms / 1000

    def close(self) -> None:
        """Give the port back; nothing is raised, whatever has become of it."""
        close_port(self._serial)

    def _wait(self, until: float, *, read: bool) -> bool:
        """Until the line is ready; False if the time is over."""
        left = max(0.0, min(until, self._until) - time.monotonic())
        return self._select([self._fd] if read else [], [] if read else [self._fd], left)

    def _select(self, reading: list[int], writing: list[int], left: float) -> bool:
        stops = [] if self._stop is None else [self._stop]
        ready, writable, _ = select.select([*reading, *stops], writing, [], left)
        if self._stop in ready:
            raise Stopped
        return bool(ready or writable)

    def _receive(self) -> None:
        try:
            data = os.read(self._fd, READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            raise self._lost(broken_line(error)) from error
        if not data:
            raise self._lost(UNPLUGGED)
        self._counters["bytes"] += len(data)
        self._buffer += data

    def _next_frame(self) -> bytearray | None:
        """The first frame that is whole, in the form that nfcpy expects; what is before it is noise."""
        buffer = self._buffer
        while (at := buffer.find(START)) >= 0:
            del buffer[:at]
            if len(buffer) < len(START) + 5:  # an ACK is that short; every other frame is longer
                return self._cut(ACK_REST) if buffer[2:5] == b"\x00\xff\x00" else None
            if buffer[2:4] == b"\x00\xff":
                return self._cut(ACK_REST)
            if buffer[2:4] == b"\xff\xff":
                head, length, check = 5, buffer[4] << 8 | buffer[5], sum(buffer[4:7])
            else:
                head, length, check = 2, buffer[2], sum(buffer[2:4])
            if check & 0xFF == 0:
                return self._cut(head + length + TAIL)
            del buffer[: len(START)]
        del buffer[:-1]
        return None

    def _cut(self, rest: int) -> bytearray | None:
        """Take a frame with so many bytes after START out of the buffer, if all of them are there."""
        size = len(START) + rest
        if len(self._buffer) < size:
            return None
        frame = bytearray(1) + self._buffer[:size]
        del self._buffer[:size]
        self._counters["frames"] += 1
        return frame

    def _lost(self, why: str) -> OSError:
        self.gone = self.gone or why
        return OSError(errno.ENODEV, os.strerror(errno.ENODEV))
