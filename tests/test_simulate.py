"""`tablectl simulate` as a process: its ports, its end, and options that make no sense."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import serial

SIMULATE = [sys.executable, "-m", "tablectl.cli", "simulate"]


@pytest.mark.parametrize("stdin", [subprocess.DEVNULL, subprocess.PIPE])
def test_the_ports_are_there_as_long_as_it_runs(tmp_path: Path, stdin: int) -> None:
    """Whatever standard input is, the first line names a configuration whose ports any serial program can
    open; SIGTERM ends it with status 0 and the ports are gone."""
    options = ["--link", str(tmp_path), "--seats", "3", "--boards", "1", "--panel", "simulated"]
    with subprocess.Popen([*SIMULATE, *options], stdin=stdin, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        config = process.stdout.readline().removeprefix("ready ").strip()
        given = tomllib.loads(Path(config).read_text())
        assert given["table"]["seats"] == 3
        assert given["panel"]["pins"] == "simulated"
        port = given["reader"][0]["port"]
        serial.Serial(port, exclusive=True).close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert not os.path.lexists(port)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--seats", "12"], "2 to 10"),
        (["--noise", "loud"], "loud"),
        (["--panel", "brass"], "brass"),
        (["--script", "wrong_sea"], "wrong_sea"),
        (["--pace", "quick"], "--pace quick"),
        (["--pace", "3", "--brisk"], "leave out one"),
        (["--inputs", "https://h/input"], "http://HOST:PORT/input"),
        (["--truth", "/nope/truth.jsonl"], "/nope/truth.jsonl"),
    ],
)
def test_options_that_make_no_sense_are_refused(tmp_path: Path, options: list[str], says: str) -> None:
    """Exit status 2 and one message that names what is wrong; no traceback."""
    command = [*SIMULATE, "--link", str(tmp_path / "t"), *options]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_cannot_be_made_is_named() -> None:
    """Exit status 2 and the path."""
    command = [*SIMULATE, "--link", "/proc/nope"]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    assert done.returncode == 2
    assert "/proc/nope" in done.stderr
