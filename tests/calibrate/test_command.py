"""`tablectl calibrate` against a simulated table on real ptys: a hand lays what the command asks for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

DEADLINE_S = 90.0
SEATS = ("--seats", "2", "--boards", "4", "--noise", "clean")


class Rig:
    """A simulated table with a hand that is told what to do over a pipe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hand = folder / "hand"
        os.mkfifo(self.hand)
        self._pipe = os.open(self.hand, os.O_RDWR)
        self._table = subprocess.Popen(
            [sys.executable, "-m", "tablectl.sim", str(folder / "table"), "--by-hand", *SEATS],
            stdin=self._pipe, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._table.stdout is not None
        assert self._table.stdout.readline().startswith("ready ")
        self.config = folder / "table" / "table.toml"

    def start(self, *args: str | Path, tell: bool = True) -> subprocess.Popen[str]:
        """The command, with a pipe for its keyboard."""
        more = ["--tell", str(self.hand)] if tell else []
        return subprocess.Popen(
            [sys.executable, "-m", "tablectl.cli", "calibrate", str(self.config), *map(str, args), *more],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def close(self) -> None:
        """Ends the table."""
        self._table.kill()
        self._table.wait()
        os.close(self._pipe)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """A table of two seats with four boards: its antennas look often, so that a course is short."""
    made = Rig(tmp_path)
    yield made
    made.close()


def test_a_calibration_goes_on_where_it_was_broken_off_and_is_written(rig: Rig) -> None:
    """Ctrl-C keeps the layings; the same command asks for what is missing only. One seat and its neighbours: figures as
    JSON, in the configuration, and in a picture; what was kept is gone then."""
    before = rig.config.read_text()
    kept_at = rig.config.parent / "table.toml.calibrating"
    first = rig.start("--antenna", "seat:1")
    assert first.stdout is not None
    assert any("again, as a player would" in line for line in first.stdout)
    first.send_signal(signal.SIGINT)
    _, err = first.communicate(timeout=DEADLINE_S)
    assert (first.returncode, "keeps what was measured" in err) == (130, True)
    assert sum(len(each["one"]) for each in json.loads(kept_at.read_text())["antennas"]) >= 1

    command = rig.start(
        "--antenna", "seat:1", "--write", rig.config, "--plot", rig.folder / "t.svg", "--json"
    )  # fmt: skip
    out, err = command.communicate(timeout=DEADLINE_S)
    assert command.returncode == 0, err
    assert "goes on from" in err
    assert "Take every card" not in err
    assert "Lay two cards exactly on each other at seat 1" in err
    (antenna,) = json.loads(out)["antennas"]
    assert (antenna["zone"], antenna["unfit"]) == ("seat:1", [])
    assert antenna["read"]["mean"] > 0.85
    readers = tomllib.loads(rig.config.read_text())["reader"]
    written = [figures for reader in readers for figures in reader.get("calibration", {}).values()]
    assert written == [antenna["calibration"]]
    assert (rig.config.parent / "table.toml.bak").read_text() == before
    assert "seat:1" in {each.text for each in ElementTree.parse(rig.folder / "t.svg").iter()}
    assert not kept_at.exists()
    checked = [sys.executable, "-m", "tablectl.cli", "check-config", str(rig.config)]
    assert "calibrated" in subprocess.run(checked, capture_output=True, text=True, check=True).stdout


def test_keys_skip_and_leave(rig: Rig) -> None:
    """Enter skips each step, so that nothing is measured: exit status 1, and nothing is written."""
    command = rig.start("--antenna", "seat:1", "--write", rig.config, tell=False)
    assert command.stdout is not None
    assert command.stdin is not None
    for line in command.stdout:
        if line.startswith(("Take", "Lay")):
            command.stdin.write("\n")
            command.stdin.flush()
        if line.startswith("antenna"):
            break
    _, err = command.communicate(timeout=DEADLINE_S)
    assert (command.returncode, "nothing is written" in err) == (1, True)
    assert "calibration" not in rig.config.read_text()


def test_a_port_that_a_table_holds_is_told_with_what_to_do(rig: Rig) -> None:
    """The technician forgot the running table: which program has the port, and how a service is stopped."""
    with serial.Serial(str(rig.config.parent / "reader0"), exclusive=True):
        command = rig.start(tell=False)
        assert command.stdout is not None
        assert any("held by" in line and "systemctl stop tablectl" in line for line in command.stdout)
        command.send_signal(signal.SIGINT)
        command.communicate(timeout=DEADLINE_S)
    assert command.returncode == 130


def test_a_course_that_is_over_is_measured_anew_the_next_time(rig: Rig) -> None:
    """Without --write, too: after a repair the same command asks for every card again, and does not print what was."""
    kept_at = rig.config.parent / "table.toml.calibrating"
    for _ in range(2):
        command = rig.start("--antenna", "seat:1", "--json")
        _, err = command.communicate(timeout=DEADLINE_S)
        assert command.returncode == 0, err
        assert "goes on from" not in err
        assert "Lay one card at seat 1" in err
        assert not kept_at.exists()


@pytest.mark.parametrize(
    "args",
    [
        ("--antenna", "seat:9"), ("--write", "/nowhere/t.toml"), ("--plot", "t.png"), ("--plot", "/nowhere/t.svg"),
        ("--write", "{folder}/other.toml"),
    ],
)  # fmt: skip
def test_bad_usage_is_told_before_anything_is_opened(rig: Rig, args: tuple[str, str]) -> None:
    """An antenna that is not there, a configuration that is not there or of another table, a picture that is no SVG or
    has no folder: nobody lays cards for half an hour and learns it then."""
    (rig.folder / "other.toml").write_text("[table]\n")
    option, given = args[0], args[1].format(folder=rig.folder)
    command = rig.start(option, given, tell=False)
    out, err = command.communicate(timeout=DEADLINE_S)
    assert (command.returncode, "Take every card" in out) == (2, False)
    assert given in err
