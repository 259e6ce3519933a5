"""`tablectl run` while its display is attacked from all sides: the alarm comes all the same."""

from __future__ import annotations

import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import pytest
from network import CERTIFICATE, key_in, trust

from tablectl.config import tokens

DEADLINE_S = 30.0
GARBAGE = bytes(range(256)) * 64
SLOW = b"POST /input HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n"
NOTE = SLOW.replace(b"\r\n\r\n", b"\r\nContent-Type: application/json\r\n\r\n") + b'{"do": 1}'


def wrong_seat(state: dict[str, Any]) -> bool:
    return any(i["kind"] == "wrong_seat" and i["stage"] == "confirmed" for i in state["irregularities"])


class Attack:
    """Threads that do the same over and over until the end, and how often they did."""

    def __init__(self) -> None:
        self.rounds = 0
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []

    def by(self, port: int, what: bytes, *, reads: bool, tls: bool = False) -> None:
        """One more attacker: connects, says that, reads or not."""
        self._threads.append(threading.Thread(target=self._run, args=(port, what, reads, tls), daemon=True))
        self._threads[-1].start()

    def _run(self, port: int, what: bytes, reads: bool, tls: bool) -> None:  # noqa: FBT001 - threads pass them on
        held: list[socket.socket] = []
        while not self._over.is_set():
            with suppress(OSError):
                one: socket.socket = socket.create_connection(("127.0.0.1", port), 2)
                if tls:
                    one = trust().wrap_socket(one, server_hostname="127.0.0.1")
                one.sendall(what)
                if reads:
                    one.recv(65536)
                held.append(one)
            if len(held) > 20:
                held.pop(0).close()
            self.rounds += 1
        for one in held:
            one.close()

    def end(self) -> None:
        """They stop."""
        self._over.set()
        for each in self._threads:
            each.join(DEADLINE_S)


@contextmanager
def attack() -> Iterator[Attack]:
    """Attackers that end with the block."""
    one = Attack()
    yield one
    one.end()


@pytest.mark.parametrize("door", ["network", "own"])
def test_an_attack_on_the_display_holds_up_no_alarm(bench: Any, door: str) -> None:
    """Garbage, connections without an end, handshakes that are begun and dropped, floods of requests: the card for the
    wrong seat lights its lamp meanwhile. From the network the table's own page sees it, too; when the attack is over,
    the table is as it was, and its log has not a line of it."""
    key_in(bench.folder)
    tokens.make_token(bench.folder / "display.tokens", "floor", "a")
    display = {
        "host": "0.0.0.0",
        "port": 0,
        "local_port": 0,
        "certificate": str(CERTIFICATE),
        "key": "table.key",
    }
    header = bench.folder / "pins"
    board = bench.board()
    table = bench.run(bench.config(display=display, panel={**bench.panel, "simulated_file": str(header)}))
    table.line("READY after")
    opened = int(re.findall(r":(\d+)/", table.line("for whoever has a token"))[0])
    own = int(re.findall(r":(\d+)/", table.url)[0])
    assert table.post(do="button", seat=4).status_code == 200
    table.until(lambda now: now["setup"]["button"] == 4 or now["hand"]["button"] == 4)
    port, tls = (opened, True) if door == "network" else (own, False)
    with attack() as attackers:
        for what, reads in ((GARBAGE, True), (SLOW, False), (b"", False), (NOTE, True)):
            attackers.by(port, what, reads=reads, tls=tls)
        attackers.by(port, GARBAGE, reads=False)
        while attackers.rounds < 20:
            pass
        for uid, antenna in zip(bench.uids, (1, 2, 3, 1), strict=False):
            board.deal(uid, antenna)
        while not lit(header, bench.panel["alarm_led"]):
            assert table.process.poll() is None
        assert attackers.rounds > 20
        if door == "network":
            assert table.until(wrong_seat)["panel"]["seat_led:1"] == 1
    until_answered = httpx.HTTPTransport(retries=20)
    with httpx.Client(transport=until_answered, timeout=DEADLINE_S) as client:
        state = client.get(f"{table.url}state").json()
    assert wrong_seat(state)
    assert {each["kind"] for each in state["irregularities"]} == {"wrong_seat"}
    assert table.ends(signal.SIGTERM) == 0
    assert not any("Traceback" in line or "Invalid HTTP" in line for line in table.log)


def lit(header: Any, pin: int) -> bool:
    """The pin of the simulated panel is high."""
    with suppress(OSError):
        return f"{pin} out 1" in re.sub(r" +", " ", header.read_text())
    return False
