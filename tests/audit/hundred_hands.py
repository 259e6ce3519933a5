"""A hundred hands at a whole table on an accelerated clock, stopped in mid-hand so that somebody can look at it.

The real app in a process of its own (`bench.soak`): boards on ptys, the serial driver, the core, journal, recording,
display with a page that follows it, entries by HTTP. Here is the table that is simulated, with the truth.
"""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

from tablectl.bench.soak.boards import Boards
from tablectl.bench.soak.cable import DEPTH
from tablectl.bench.soak.plan import Plan
from tablectl.sim.setup import TableSetup

PATHS = ("/", "/state", "/metrics", "/healthz", "/technician", "/technician/figures")
HOURS = 8.0
"""More than a hundred hands take."""
PANEL = {"pins": "simulated", "buzzer": 18, "alarm_led": 17, "seat_leds": [5, 6, 13, 19, 26, 16, 20, 21, 12]}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Page(threading.Thread):
    """Asks for everything that the table serves, again and again, and keeps each answer once."""

    def __init__(self, port: int) -> None:
        super().__init__(name="page", daemon=True)
        self.port = port
        self.answers: set[bytes] = set()
        self.ending = threading.Event()

    def run(self) -> None:
        while not self.ending.is_set():
            for path in PATHS:
                with suppress(OSError, http.client.HTTPException):  # it is not there yet, or not any more
                    connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                    connection.request("GET", path)
                    self.answers.add(connection.getresponse().read())
                    connection.close()
            self.ending.wait(0.2)


class Played:
    """One run: `folder` is the table's, `truth` is identity → card."""

    def __init__(self, folder: Path, mode: str, journal: Mapping[str, Any], hands: int) -> None:
        self.folder, self.hands = folder, hands
        self.setup = TableSetup(mode=mode)
        self.truth = {
            identity: face
            for deck in self.setup.decks.values()
            for uid, face in {**deck.cards, **deck.spares}.items()
            for identity in (uid, deck.tokens[face])
        }
        plan = Plan(HOURS, 1, "light", tuple(self.setup.layout.antennas))
        self.boards = Boards(plan, self.setup)
        self.page = Page(free_port())
        ports = [str(folder / f"reader{number}") for number in range(self.setup.boards)]
        self.table = self.setup.write(
            folder, ports, panel=PANEL, display={"port": self.page.port}, journal=journal
        )
        self.log = folder / "run.log"

    def play(self, look: Callable[[int], None]) -> None:
        """Until so many hands were dealt; then `look` is called with the process, and it ends in order."""
        ours, theirs = Pipe()
        command = [
            sys.executable,
            "-m",
            "tablectl.bench.soak.controller",
            str(theirs.fileno()),
            str(self.table),
        ]
        command += [str(self.folder / "recording.jsonl"), ""]
        with self.log.open("wb") as log:
            process = subprocess.Popen(
                command,
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ,
            )
        theirs.close()
        self.page.start()
        try:
            self._talk(ours, lambda: look(process.pid))
            process.wait()
        finally:
            self.page.ending.set()
            if process.poll() is None:
                process.kill()
                process.wait()

    def _talk(self, pipe: Any, look: Callable[[], None]) -> None:
        ahead = 0
        while True:
            if not self.boards.over:
                pipe.send(self.boards.window())
                ahead += 1
            while ahead >= DEPTH or self.boards.over:
                answer = pipe.recv()
                ahead -= 1
                self.boards.heard(answer)
                if answer.over:
                    return
            if not self.boards.ending and self.boards.truth.hand >= self.hands:
                look()
                self.boards.ending = True
