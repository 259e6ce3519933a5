"""What is outside the Pi: the simulated table whose reader boards are plugged into it, and the cables.

Owns: the cables and the simulator's process. Refuses: the simulation (`tablectl.sim`).
"""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pi_machine import Machine, Told

ROOM = 4096
"""Bytes that a cable may hold; a real adapter has less."""


class Cable(threading.Thread):
    """From a board's pty to the adapter in the Pi, and back. What the adapter does not take is lost, as it is there."""

    def __init__(self, board: Path, adapter: socket.socket) -> None:
        super().__init__(daemon=True, name=f"cable {board.name}")
        self.lost = 0
        """Reads of the board that did not get through: the Pi had the port closed, or no power."""
        self._board = os.open(board, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._adapter = adapter
        adapter.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
        self._wake, self._end = os.pipe()
        self.start()

    def run(self) -> None:
        with suppress(OSError):
            while True:
                ready, _, _ = select.select([self._board, self._adapter, self._wake], [], [])
                if self._wake in ready:
                    return
                if self._board in ready:
                    self._to_pi(os.read(self._board, 4096))
                if self._adapter in ready:
                    data = self._adapter.recv(4096)
                    if not data:
                        return
                    os.write(self._board, data)

    def _to_pi(self, data: bytes) -> None:
        try:
            self._adapter.send(data, socket.MSG_DONTWAIT)
        except BlockingIOError:
            self.lost += 1

    def pull(self) -> None:
        """The cable is out; again: nothing."""
        if self.is_alive():
            os.write(self._end, b".")
            self.join()


class Dealt:
    """A simulated table in a process of its own, with its boards plugged into a Pi, until `close`.

    `truth` gets what really happens, a JSON line each, while it happens.
    """

    def __init__(self, machine: Machine, folder: Path, script: str, *options: str) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.truth, self.said = Told(), Told()
        pipe = folder / "truth"
        os.mkfifo(pipe)
        command = [
            sys.executable, "-m", "tablectl.sim", str(folder / "lines"), "--boards", str(len(machine.line_ends)),
            "--betting", "none", "--truth", str(pipe), "--inputs", f"{machine.url}input", "--script", script, "--stay",
            *options,
        ]  # fmt: skip
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        # The simulator opens its end of the pipe when it starts: so does this one, or fails with it.
        self._reads(pipe.open, self.truth)
        self._reads(lambda: self.process.stdout, self.said)
        self.said.until(lambda text: text.startswith("ready "))
        self._folder = folder
        self.cables: list[Cable] = []
        self.plug(machine)

    @staticmethod
    def _reads(opened: Callable[[], Any], told: Told) -> None:
        def read() -> None:
            with opened() as lines:
                for line in lines:
                    told.add(line.rstrip())

        threading.Thread(target=read, daemon=True).start()

    def plug(self, machine: Machine) -> None:
        """The boards' cables into this Pi's adapters."""
        for cable in self.cables:
            cable.pull()
        ends = enumerate(machine.line_ends)
        self.cables = [Cable(self._folder / f"lines/reader{number}", end) for number, end in ends]

    def happened(self, fits: Callable[[dict[str, Any]], Any], since: int = 0) -> dict[str, Any]:
        """Waits until something really happened, and says what; `mono` in it is its moment, ms."""

        def that(line: str) -> dict[str, Any]:
            event: dict[str, Any] = json.loads(line)
            return event if fits(event) else {}

        return self.truth.until(that, since)[1]

    def close(self) -> None:
        """No table any more; what really happened stays in the folder."""
        for cable in self.cables:
            cable.pull()
        self.process.terminate()
        self.process.wait(30)
        (self._folder / "truth.jsonl").write_text("".join(f"{line}\n" for _, line in self.truth.all))
