"""The doctor at a table: simulated boards on real ptys, a running table, and programs that hold ports."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tablectl.doctor import Line, Machine, boards, running, table

if TYPE_CHECKING:
    from conftest import Simulated

Start = Callable[..., "Simulated"]
Command = Callable[..., subprocess.CompletedProcess[str]]


def told(done: subprocess.CompletedProcess[str], check: str) -> list[dict[str, Any]]:
    """The lines of one check out of `--json`."""
    return [line for line in json.loads(done.stdout)["lines"] if line["check"] == check]


def free_port() -> int:
    """A TCP port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def run_of(config: Path) -> Iterator[None]:
    """`tablectl run`, ready."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tablectl.cli", "run", str(config)], stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        assert any(line.startswith("READY") for line in process.stderr)
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield
    finally:
        process.terminate()
        process.wait()


def test_boards_are_asked_who_they_are(simulated: Start, command: Command) -> None:
    """Without a table each board answers itself, every antenna looks, exit status 0; in words and as JSON."""
    config = simulated().config
    done = command(config, "--json")
    assert [(line["about"], line["state"]) for line in told(done, "reader")] == [
        ("reader 0", "ok"),
        ("reader 1", "ok"),
    ]
    assert "(simulated), board 53494d" in told(done, "reader")[0]["text"]
    assert {line["state"] for line in told(done, "antenna")} == {"ok"}
    assert json.loads(done.stdout)["worst"] in ("ok", "warning")
    assert done.returncode == 0
    in_words = command(config)
    assert (in_words.returncode, " 0 faults" in in_words.stdout) == (0, True)


def test_a_dead_antenna_and_a_missing_board_are_faults(simulated: Start, command: Command) -> None:
    """The board's own word of a dead antenna, with its zone; a port that is gone. Exit status 1."""
    table = simulated()
    table.tell("dead 0.0")
    table.tell("unplug 1")
    done = command(table.config, "--json")
    assert done.returncode == 1
    bad = [line for line in told(done, "antenna") if line["state"] == "fault"]
    assert [(line["about"], "cable" in line["do"]) for line in bad] == [("reader 0, antenna 0, seat:1", True)]
    assert [line["state"] for line in told(done, "reader")] == ["ok", "fault"]
    assert [line["state"] for line in told(done, "port")] == ["ok", "fault"]


def test_a_running_table_is_asked_instead_of_its_boards(simulated: Start, command: Command) -> None:
    """Its ports are held and stay so: the table never loses a reader while the doctor looks."""
    url_port = free_port()
    config = simulated("--display-port", str(url_port)).config
    with run_of(config):
        done = command(config, "--json")
        assert done.returncode == 0
        assert all("held by the running table" in line["text"] for line in told(done, "reader"))
        assert "healthy" in told(done, "display")[0]["text"]
        assert len(told(done, "antenna")) == 6
        state = httpx.get(f"http://127.0.0.1:{url_port}/technician/state").json()
        assert [reader["counters"].get("opened") for reader in state["readers"]] == [1, 1]


def test_a_port_that_another_program_holds_is_never_opened(simulated: Start, command: Command) -> None:
    """A second process holds the line: its name and number are told, and nothing is written to the board."""
    table = simulated()
    script = "import serial, sys; p = serial.Serial(sys.argv[1], exclusive=True); print(flush=True); sys.stdin.read()"
    holder = subprocess.Popen(
        [sys.executable, "-c", script, table.folder / "reader0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    try:
        done = command(table.config, "--json")
    finally:
        holder.communicate()
    first, second = sorted(told(done, "reader"), key=lambda line: line["about"])
    assert (first["state"], f"(pid {holder.pid})" in first["text"], second["state"]) == ("fault", True, "ok")
    assert done.returncode == 1


def test_a_display_whose_core_stands_is_a_fault(the: Callable[..., Line]) -> None:
    """It answers and never beats: an old picture. None is told apart."""
    with silent_server(b'{"table": {"id": "T"}, "faults": []}') as url:
        assert "the core stands" in the(table.display(url, "T"), "display").text
    nobody = the(table.display(f"http://127.0.0.1:{free_port()}", "T"), "display")
    assert (nobody.state, "no table runs" in nobody.text) == ("ok", True)


STRANGE = (
    b'{"readers": "x"}', b'{"readers": [], "antennas": []}', b"[1, 2]", b"7", b"<html>hello</html>", b"", b"\xff\xfe",
    b'{"table": {"id": "T9"}, "faults": []}', b'{"table": {"id": "SIM1"}, "faults": "none"}', b" " * (5 << 20),
    b'{"table": {"id": "T9"}, "stopped": false, "readers": [], "antennas": []}',
)  # fmt: skip


@pytest.mark.parametrize("body", STRANGE, ids=range(len(STRANGE)))
def test_another_program_on_the_displays_port_is_told_so(body: bytes, the: Callable[..., Line]) -> None:
    """Whatever it answers: no word of it is repeated, and no word of Python's is said."""
    with silent_server(body) as url:
        assert running.state_of(url, "SIM1") is None
        found = the(table.display(url, "SIM1"), "display")
        assert found.state == "fault"
        assert re.fullmatch(f"{url}: another program answers there: (it|its answer) [a-z ]+", found.text)
        assert "ss -ltnp" in found.do


def test_the_boards_are_asked_while_another_program_has_the_displays_port(
    simulated: Start, command: Command
) -> None:
    """It is not taken for the table that holds them; exit status 1 for the port, no bug."""
    with silent_server(STRANGE[0]) as url:
        done = command(simulated("--display-port", url.rpartition(":")[2]).config, "--json")
    assert done.returncode == 1
    assert "another program" in told(done, "display")[0]["text"]
    assert [line["state"] for line in told(done, "reader")] == ["ok", "ok"]


def test_a_program_that_answers_drop_by_drop_is_not_waited_for(the: Callable[..., Line]) -> None:
    """Headers that never end and a body that never ends: each byte is in time, the answer as a whole is not."""
    for head in (b"HTTP/1.0 200 OK\r\n", b"HTTP/1.0 200 OK\r\nContent-Length: 99999\r\n\r\n"):
        with silent_server(b"", head=head, drip=b"X") as url:
            found = the(table.display(url, "T"), "display")
            assert (found.state, "another program" in found.do) == ("fault", True)


def test_a_program_that_speaks_no_http_is_told_so(the: Callable[..., Line]) -> None:
    """A port of a mail server, say."""
    with silent_server(b"", head=b"220 mail.example ESMTP\r\n") as url:
        assert "does not speak HTTP" in the(table.display(url, "T"), "display").text


@contextmanager
def silent_server(body: bytes, *, head: bytes | None = None, drip: bytes = b"") -> Iterator[str]:
    """Answers every GET with the same bytes; with `drip`, then byte by byte until nobody listens any more."""
    server = socket.create_server(("127.0.0.1", 0))
    if head is None:
        head = b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
    over = threading.Event()

    def serve() -> None:
        while True:
            try:
                line, _ = server.accept()
            except OSError:
                return
            with line, suppress(OSError):
                line.recv(4096)
                line.sendall(head + body)
                while drip and not over.wait(0.2):
                    line.sendall(drip)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
    finally:
        over.set()
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()


def test_a_bad_configuration_ends_with_2(tmp_path: Path, command: Command) -> None:
    """All that can be seen without it is told all the same; a file that is not there is bad usage."""
    config = tmp_path / "t.toml"
    config.write_text('[table]\nid = "T"\n')
    done = command(config, "--json")
    assert done.returncode == 2
    assert told(done, "config")[0]["state"] == "fault"
    assert told(done, "python")
    assert command(tmp_path / "none.toml").returncode == 2


def test_a_faulty_configuration_keeps_nobody_from_looking(simulated: Start, command: Command) -> None:
    """Seats, a driver and a key are wrong: the other board is asked, journal and display are looked at, what was left
    out is told. Exit status 2 all the same."""
    config = simulated().config
    text = config.read_text().replace("seats = 2", 'seats = "two"', 1)
    first, second = text.split("[[reader]]")[1:3]
    broken = second.replace('driver = "tablewire"', 'driver = "nobody\'s"', 1)
    assert broken != second
    config.write_text(text.replace(second, broken) + "\n[journal]\npth = 'x'\n")
    assert first
    done = command(config, "--json")
    assert done.returncode == 2
    asked, left = told(done, "reader")
    assert (asked["about"], asked["state"], "board 53494d" in asked["text"]) == ("reader 0", "ok", True)
    assert (left["about"], left["state"], "was not looked at" in left["text"]) == (
        "reader 1",
        "warning",
        True,
    )
    assert {line["about"] for line in told(done, "antenna")} == {
        f"reader 0, antenna {n}, {zone}" for n, zone in enumerate(("seat:1", "muck", "shoe"))
    }
    assert [line["text"].endswith("not there yet") for line in told(done, "journal")] == [True]
    assert told(done, "display")
    assert told(done, "disk")
    assert ["was not looked at" in line["text"] for line in told(done, "wear")] == [True]


@contextmanager
def joined(change: Callable[[bytes], bytes]) -> Iterator[str]:
    """A serial line whose two wires are joined; what comes back passes `change`."""
    master, slave = os.openpty()
    tty.setraw(slave)

    def echo() -> None:
        while True:
            try:
                os.write(master, change(os.read(master, 512)))
            except OSError:
                return

    thread = threading.Thread(target=echo, daemon=True)
    thread.start()
    try:
        yield os.ttyname(slave)
    finally:
        os.close(slave)
        thread.join()
        os.close(master)


def test_the_loop_back_test_tells_a_good_line_from_a_bad_one() -> None:
    """Field failure 27: every byte must come back as it was; flipped bits, bytes more, and silence, are faults."""
    with joined(bytes) as port:
        assert boards.loopback(Machine(), port).state == "ok"
    with joined(lambda data: data.replace(b"\x80", b"\x81")) as port:
        found = boards.loopback(Machine(), port)
        assert (found.state, "4 of 1024 bytes" in found.text) == ("fault", True)
    with joined(lambda data: data + b"\x00" * (data[-1:] == b"\xff")) as port:
        assert boards.loopback(Machine(), port).state == "fault"
    with joined(lambda _: b"") as port:
        assert boards.loopback(Machine(), port).state == "fault"
    assert boards.loopback(Machine(), "/dev/none").state == "fault"


def test_a_board_with_older_firmware_is_a_warning() -> None:
    """It works on, and the command that brings it up to date is named; another maker's board is as it is."""
    assert boards.firmware("reader 0", "tablewire", "tablectl 0.0.9", "ab").state == "warning"
    assert boards.firmware("reader 0", "tablewire", "somebody else's 0.0.9", "ab").state == "ok"
