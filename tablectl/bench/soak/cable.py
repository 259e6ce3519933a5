"""What connects the simulated table with the controller: windows of table time over a pipe, and their two ends.

A window is all that happens in WINDOW_MS: bytes that reach the computer, entries of the dealer, ports that are
pulled out and put in again, a look at the controller. The maker of the windows may be DEPTH of them ahead, so that
both processes work at once; what the controller says to the boards reaches them as much later.

Owns: the controller's end: ptys, the order in time, entries by HTTP. Refuses: the loop's time (`clock`) and what the
windows hold (`boards`).
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tablectl.bench.soak.clock import Accelerated
from tablectl.errors import LinkError
from tablectl.sim.ports import PtyPort

WINDOW_MS = 50.0
DEPTH = 2
"""Twice the window is less than half of what a driver grants a board for its answer (250 ms)."""

Happening = tuple[float, str, Any]
"""(ms, `bytes`, `enter`, `unplug`, `replug`, `look` or `end`, what goes with it)."""


@dataclass(slots=True)
class Window:
    """From the simulated table to the controller."""

    until: float
    """ms"""
    happenings: list[Happening]


@dataclass(slots=True)
class Answer:
    """From the controller to the simulated table, one for each window."""

    said: list[tuple[int, bytes]] = field(default_factory=list)
    """(reader, bytes) that the table computer sent to its boards."""
    looks: list[dict[str, Any]] = field(default_factory=list)
    over: bool = False


class Cable:
    """The controller's end; `look` says how the controller is when a window asks for it."""

    def __init__(
        self, loop: Accelerated, pipe: Connection, links: list[Path], look: Callable[[], dict[str, Any]]
    ) -> None:
        self.refused: Counter[tuple[int, str]] = Counter()
        """(hand, what was entered and what the table answered) of the entries that it did not take."""
        self.entered = 0
        self.over = asyncio.Event()
        self.port = 0
        """Of the display, once it is open."""
        self._loop, self._pipe, self._look = loop, pipe, look
        self._ports = [PtyPort(link) for link in links]
        self._coming: deque[Happening] = deque()
        self._horizon = 0.0
        self._answer = Answer()
        self._ended = False
        self._entries: asyncio.Queue[tuple[int, dict[str, Any]]] = asyncio.Queue()
        self._talk: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        for number in range(len(links)):
            self._listen(number)

    @property
    def dropped(self) -> int:
        """Chunks that the ports had to drop because nobody read."""
        return sum(port.dropped for port in self._ports)

    def next_at(self, until: float) -> float:
        """See `Outside`. Asks for the next window when this one holds no more."""
        while not self._coming and self._horizon < until * 1000 and not self._ended:
            self._more()
        if self._coming and self._coming[0][0] <= until * 1000:
            return self._coming[0][0] / 1000
        return inf

    def _more(self) -> None:
        """Waits for the next window; what was said to the boards meanwhile goes back."""
        if self._horizon:
            self._pipe.send(self._answer)
            self._answer = Answer()
        window: Window = self._pipe.recv()
        self._horizon = window.until
        self._coming.extend(window.happenings)

    def bring(self) -> bool:
        """See `Outside`."""
        _, what, given = self._coming.popleft()
        if what == "bytes":
            number, data = given
            self._ports[number].write(data)
            return self._ports[number].fd is not None
        if what == "enter":
            self._entries.put_nowait(given)
        elif what == "look":
            self._answer.looks.append({**self._look(), "table_s": self._loop.time()})
        elif what == "end":
            self._ended = True
            self.over.set()
        else:
            self._plug(given, plugged=what == "replug")
        return False

    def close(self, **last: Any) -> None:
        """The last answer, with a last look, and the end of the lines."""
        for number in range(len(self._ports)):
            self._plug(number, plugged=False)
        self._answer.looks.append({**self._look(), **last, "table_s": self._loop.time()})
        self._answer.over = True
        self._pipe.send(self._answer)

    # --- lines ----------------------------------------------------------------------------------------------

    def _plug(self, number: int, *, plugged: bool) -> None:
        port = self._ports[number]
        if port.fd is not None:
            self._loop.remove_reader(port.fd)
        if plugged:
            port.plug()
            self._listen(number)
        else:
            port.unplug()

    def _listen(self, number: int) -> None:
        fd = self._ports[number].fd
        if fd is not None:
            self._loop.add_reader(fd, self._heard, number)

    def _heard(self, number: int) -> None:
        self._answer.said.append((number, self._ports[number].read()))

    # --- entries --------------------------------------------------------------------------------------------

    async def enter(self) -> None:
        """Hands the dealer's entries on, one after the other, as a page does; never ends by itself."""
        while True:
            hand, entry = await self._entries.get()
            with self._loop.held():
                status, text = await self._post(json.dumps(entry).encode())
            self.entered += 1
            if status >= 400:
                self.refused[hand, f"{entry['do']}: {_words(text)}"] += 1

    async def _post(self, body: bytes) -> tuple[int, str]:
        for again in (True, False):
            try:
                return await self._exchange(body)
            except (OSError, asyncio.IncompleteReadError):
                self._talk = None  # the server ended a connection that was idle for long
                if not again:
                    raise
        raise LinkError("unreachable")

    async def _exchange(self, body: bytes) -> tuple[int, str]:
        if self._talk is None or self._talk[0].at_eof() or self._talk[1].is_closing():
            self._talk = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._talk
        head = (
            f"POST /input HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
        sizes = [line.partition(":")[2] for line in answer if line.startswith("content-length:")]
        text = await reader.readexactly(int(sizes[0])) if sizes else b""
        return int(answer[0].split()[1]), text.decode(errors="replace")


def _words(answer: str) -> str:
    """Why the table did not take it."""
    try:
        return str(json.loads(answer)["error"])
    except (ValueError, KeyError, TypeError):
        return answer
