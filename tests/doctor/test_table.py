"""The doctor at a table: simulated boards on real ptys, a running table, and programs that hold ports."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from tablectl.doctor import Line, Machine, boards, table

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
def running(config: Path) -> Iterator[None]:
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
    with running(config):
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
    """It answers and never beats: an old picture. None and another program's are told apart."""
    with silent_server(b'{"faults": []}') as url:
        assert "the core stands" in the(table.display(url), "display").text
    with silent_server(b"<html>") as url:
        assert the(table.display(url), "display").state == "fault"
    nobody = the(table.display(f"http://127.0.0.1:{free_port()}"), "display")
    assert (nobody.state, "no table runs" in nobody.text) == ("ok", True)


@contextmanager
def silent_server(body: bytes) -> Iterator[str]:
    """Answers every GET with the same bytes."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                line, _ = server.accept()
            except OSError:
                return
            with line:
                line.recv(4096)
                line.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
    finally:
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
    """Field failure 27: every byte must come back as it was; flipped bits, and silence, are faults."""
    with joined(bytes) as port:
        assert boards.loopback(Machine(), port).state == "ok"
    with joined(lambda data: data.replace(b"\x80", b"\x81")) as port:
        found = boards.loopback(Machine(), port)
        assert (found.state, "4 of 1024 bytes" in found.text) == ("fault", True)
    with joined(lambda _: b"") as port:
        assert boards.loopback(Machine(), port).state == "fault"
    assert boards.loopback(Machine(), "/dev/none").state == "fault"


def test_a_board_with_older_firmware_is_a_warning() -> None:
    """It works on, and the command that brings it up to date is named; another maker's board is as it is."""
    assert boards.firmware("reader 0", "tablewire", "tablectl 0.0.9", "ab").state == "warning"
    assert boards.firmware("reader 0", "tablewire", "somebody else's 0.0.9", "ab").state == "ok"
