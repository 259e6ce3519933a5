"""Asking a port who is there, for commands that run while no table does.

Owns: one question over the wire, and its answer. Refuses: keeping a board alive (`shell/readers`).

These calls wait; they are for a command line, never for the event loop.
"""

from __future__ import annotations

import os
import select
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tablectl import wire
from tablectl.errors import LinkError, PortBusyError, PortMissingError
from tablectl.shell.readers.ports import close_port, holder, open_port
from tablectl.shell.readers.state import printable
from tablectl.shell.readers.tablewire import BAUD

ASK_EVERY_S = 0.5
"""The protocol's own pace for GET_HELLO."""
ANSWER_S = 2.0
"""A board that runs answers at once; this leaves room for one that is just starting."""
PROMPT = b">>> "
"""MicroPython's prompt."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a board says of itself in HELLO."""

    protocol: str
    board_id: str
    """Eight bytes in hex."""
    firmware: str
    antennas: tuple[int, ...]


def ask(path: str, seconds: float = ANSWER_S) -> Answer | None:
    """Who answers on that port; None if nobody does in time.

    PortBusyError or PortMissingError if it cannot be opened, LinkError if it breaks while we listen.
    """
    with line_to(path) as line:
        return line.hello(seconds)


@contextmanager
def line_to(path: str) -> Iterator[Line]:
    """An open port for the length of a `with`; errors as for `ask`."""
    try:
        port = open_port(path, BAUD)
    except PortBusyError:
        raise PortBusyError(
            f"port {path} is held by {holder(path)}: end that and give the command again"
        ) from None
    try:
        yield Line(path, port.fileno())
    except (OSError, termios.error) as error:
        if isinstance(error, LinkError):
            raise
        raise PortMissingError(f"port {path} broke while the board was asked: {error}") from None
    finally:
        close_port(port)


class Line:
    """The bytes of an open port, with patience."""

    def __init__(self, path: str, fd: int) -> None:
        self.path = path
        self._fd = fd

    def hello(self, seconds: float) -> Answer | None:
        """Ask until a HELLO comes, for so long."""
        decoder = wire.Decoder()
        end = time.monotonic() + seconds
        seq = 0
        while (now := time.monotonic()) < end:
            self.write(wire.encode(wire.GET_HELLO, seq & 0xFF, b""))
            seq += 1
            for data in self.read_for(min(ASK_EVERY_S, end - now)):
                for kind, _, body in decoder.feed(data):
                    answer = _answer(kind, body)
                    if answer:
                        return answer
        return None

    def has_prompt(self, seconds: float) -> bool:
        """Whether MicroPython waits for commands here. It is stopped by this if it ran a program."""
        self.write(b"\r\x03\r\x03")
        return self.waits_for_prompt(seconds)

    def waits_for_prompt(self, seconds: float) -> bool:
        """Read until MicroPython's prompt shows, at most so long; whether it did."""
        seen = b""
        for data in self.read_for(seconds):
            seen = seen[-len(PROMPT) :] + data
            if PROMPT in seen:
                return True
        return False

    def write(self, data: bytes) -> None:
        """Send it all; LinkError if the board takes nothing for `ANSWER_S`."""
        while data:
            if not select.select([], [self._fd], [], ANSWER_S)[1]:
                raise LinkError(
                    f"port {self.path} takes no bytes: is what is plugged in there a reader board?"
                )
            data = data[os.write(self._fd, data) :]

    def read_for(self, seconds: float) -> Iterator[bytes]:
        """The bytes that come within that time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self._fd], [], [], left)[0]:
                data = os.read(self._fd, 4096)
                if not data:
                    raise PortMissingError(f"port {self.path} was unplugged while the board was asked")
                yield data


def _answer(kind: int, body: bytes) -> Answer | None:
    if kind != wire.HELLO:
        return None
    try:
        fields: dict[str, Any] = wire.unpack(kind, body)
    except ValueError:
        return None
    return Answer(
        protocol=f"{fields['major']}.{fields['minor']}",
        board_id=fields["board_id"].hex(),
        firmware=printable(fields["firmware"]),
        antennas=tuple(sorted({item["antenna"] for item in fields["antennas"]})),
    )
