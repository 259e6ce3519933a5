"""The bytes of one open port, in and out, on the event loop.

Owns: the descriptor from opening to the first error.
Refuses: frames, retries, and any wait: reads and writes never block, whatever the other end does.
"""

from __future__ import annotations

import asyncio
import os
import termios
from collections.abc import Callable

import serial

from tablectl.shell.readers.ports import UNPLUGGED, broken_line

READ_BYTES = 4096
"""One read at a time, so that a flood on one line leaves the loop to the others."""
MOST_UNSENT = 1024
"""Bytes that may wait for a board that does not read; commands are repeated anyway."""


class Line:
    """One open port. `received` gets bytes as they come; `broke` is called once, at the first error."""

    def __init__(
        self, port: serial.Serial, received: Callable[[bytes], None], broke: Callable[[str], None]
    ) -> None:
        self.dropped = 0
        """Frames not sent because the board does not take bytes."""
        self.stolen = 0
        """Times the port was ready to read and another program had been faster."""
        self._port = port
        self._fd = port.fileno()
        self._received = received
        self._broke = broke
        self._unsent = bytearray()
        self._open = True
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._fd, self._readable)

    def send(self, frame: bytes) -> None:
        """Write what the port takes, the rest when it takes more; a frame is sent whole or not at all."""
        if not self._open:
            return
        if len(self._unsent) + len(frame) > MOST_UNSENT:
            self.dropped += 1
            return
        waiting = bool(self._unsent)
        self._unsent += frame
        if not waiting:
            self._flush()

    def release(self) -> serial.Serial:
        """Stop listening and give the port back to be closed."""
        self._stop()
        return self._port

    def _readable(self) -> None:
        try:
            data = os.read(self._fd, READ_BYTES)
        except (BlockingIOError, InterruptedError):
            self.stolen += 1
            return
        except (OSError, termios.error) as error:
            self._fail(broken_line(error))
            return
        if data:
            self._received(data)
        else:
            self._fail(UNPLUGGED)

    def _flush(self) -> None:
        try:
            sent = os.write(self._fd, self._unsent)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except (OSError, termios.error) as error:
            self._fail(broken_line(error))
            return
        del self._unsent[:sent]
        if self._unsent:
            self._loop.add_writer(self._fd, self._flush)
        else:
            self._loop.remove_writer(self._fd)

    def _fail(self, why: str) -> None:
        if self._open:
            self._stop()
            self._broke(why)

    def _stop(self) -> None:
        if self._open:
            self._open = False
            self._loop.remove_reader(self._fd)
            self._loop.remove_writer(self._fd)
