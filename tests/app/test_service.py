"""`tablectl run` as a service manager sees it: a real datagram socket, real ptys, and a core that is made to fail.

The test is the manager. It gives up on a process exactly as systemd does, when WATCHDOG_USEC pass without WATCHDOG=1.
"""

from __future__ import annotations

import os
import runpy
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

DAMAGED = runpy.run_path(str(Path(__file__).with_name("test_faults_on_screen.py")))["DAMAGED"]
PATIENCE_S = 3.0
"""What the manager grants between two signs of life."""
DEADLINE_S = 30.0


class Manager:
    """The socket on which systemd listens; `address` as it stands in NOTIFY_SOCKET."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.heard: list[dict[str, str]] = []
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)

    def env(self, **more: str) -> dict[str, str]:
        usec = {"WATCHDOG_USEC": str(round(PATIENCE_S * 1e6))}
        return {"NOTIFY_SOCKET": self.address, **usec, **more}

    def hears(self, within_s: float = DEADLINE_S) -> dict[str, str]:
        """The next word; TimeoutError if none comes."""
        self._socket.settimeout(within_s)
        word = dict(line.split("=", 1) for line in self._socket.recv(4096).decode().splitlines())
        self.heard.append(word)
        return word

    def until(self, name: str, text: str = "") -> dict[str, str]:
        """The next word with that variable, and the text in it."""
        end = time.monotonic() + DEADLINE_S
        while True:
            word = self.hears(max(end - time.monotonic(), 0.001))
            if name in word and text in word[name]:
                return word

    def silence(self) -> None:
        """Returns once the process has given no sign of life for as long as the manager grants."""
        try:
            while True:
                assert "WATCHDOG" not in self.hears(PATIENCE_S)
        except TimeoutError:
            return

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(request: Any, tmp_path: Path) -> Iterator[Manager]:
    """A service manager behind a socket in the file system; `abstract`: behind one that has only a name."""
    abstract = getattr(request, "param", "path") == "abstract"
    made = Manager(f"@tablectl-test-{os.getpid()}" if abstract else str(tmp_path / "notify"))
    yield made
    made.close()


@pytest.mark.parametrize("manager", ["path", "abstract"], indirect=True)
def test_ready_once_every_reader_answers(bench: Any, manager: Manager) -> None:
    """One of two boards is there: READY is not said for it alone; it comes with the second one, once, and the status
    line names both. Told to stop, the table says STOPPING."""
    config = bench.config()
    port = bench.split(config)
    bench.board()
    table = bench.run(config, **manager.env())
    table.line(f"reader 0 ({bench.port}): ok")
    manager.until("STATUS", "1 of 2 readers look")
    assert not any("READY" in word for word in manager.heard)
    bench.board(port, b"by-hand2")
    word = manager.until("READY")
    said = [each["STATUS"] for each in manager.heard if "STATUS" in each]
    assert "2 of 2 readers look" in said[-1]
    assert word["READY"] == "1"
    assert table.ends(signal.SIGTERM) == 0
    manager.until("STOPPING", "1")
    assert sum("READY" in word for word in manager.heard) == 1


def test_ready_when_the_missing_reader_is_declared(bench: Any, manager: Manager) -> None:
    """A board that never comes holds nobody up: READY is said when the log has named it, and the status line says which
    one it is. When it comes, and goes again, the status line follows."""
    table = bench.run(bench.config(), **manager.env())
    manager.until("READY")
    assert "missing" in table.line("READY after")
    said = [word["STATUS"] for word in manager.heard if "STATUS" in word]
    assert said[-1] == "0 of 1 readers look; reader 0 missing"
    board = bench.board()
    manager.until("STATUS", "1 of 1 readers look")
    board.unplug()
    manager.until("STATUS", "0 of 1 readers look")


def test_a_quiet_table_lives(bench: Any, manager: Manager) -> None:
    """Nobody deals, and then not even a board is left: the signs of life go on."""
    board = bench.board()
    bench.run(bench.config(), **manager.env())
    manager.until("READY")
    for _ in range(6):
        manager.until("WATCHDOG", "1")
    board.unplug()
    manager.until("STATUS", "0 of 1 readers look")
    for _ in range(6):
        manager.until("WATCHDOG", "1")


@pytest.mark.parametrize("how", ["damage", "hang"])
def test_a_core_that_stops_is_given_up(bench: Any, manager: Manager, how: str) -> None:
    """A core that fails at every sweep, and one that never comes back from a step: no sign of life any more, so that
    the manager's time runs out. SIGABRT, which systemd sends then, ends the process and leaves in the log where it
    stood; the next one is READY."""
    bench.board()
    config = bench.config()
    table = bench.run(config, how, program=DAMAGED, **manager.env())
    manager.until("READY")
    manager.until("WATCHDOG")
    table.process.send_signal(signal.SIGUSR1)
    if how == "damage":
        manager.until("STATUS", "the core has stopped")
    else:
        manager.silence()  # what was on its way when it began to hang
    manager.silence()
    assert table.ends(signal.SIGABRT) == -signal.SIGABRT
    table.line("Fatal Python error: Aborted")
    bench.run(config, **manager.env())
    manager.until("READY")


def test_words_for_another_process_are_not_given(bench: Any, manager: Manager) -> None:
    """WATCHDOG_PID names somebody else: the table says how it stands, and gives no sign of life in his name."""
    bench.board()
    table = bench.run(bench.config(), **manager.env(WATCHDOG_PID="1"))
    manager.until("READY")
    assert table.ends(signal.SIGTERM) == 0
    manager.until("STOPPING")
    assert not any("WATCHDOG" in word for word in manager.heard)


def test_a_manager_that_takes_nothing_holds_nothing_up(bench: Any, manager: Manager) -> None:
    """Its queue is full from the first word on: cards are read all the same. Once it listens again it hears READY."""
    board = bench.board()
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as full,
        suppress(BlockingIOError),
    ):
        while True:
            full.sendto(b"X=", manager.address)
    table = bench.run(bench.config(), **manager.env())
    table.line("READY after")
    board.deal(bench.uids[0], 1)
    table.until(lambda state: state["seats"][0]["cards"] == 1)
    assert manager.until("READY")["READY"] == "1"
