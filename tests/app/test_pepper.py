"""`tablectl run` with a Pepper C1 MUX: the simulated reader as a process of its own, and the line between them."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablectl.app.metrics import Metrics

CONNECTORS = (
    '1 = "shoe", 2 = "seat:1", 3 = "seat:2", 4 = "seat:3", 5 = "seat:4", 6 = "board", 7 = "burn", 8 = "muck"'
)


class Pepper:
    """The simulator, told by its standard input."""

    def __init__(self, link: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tablectl.sim.pepper", str(link)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def told(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


@pytest.fixture
def pepper(bench: Any) -> Iterator[Pepper]:
    """The simulated reader at the bench's port."""
    running = Pepper(bench.port)
    yield running
    running.process.communicate("quit\n", timeout=30)
    assert running.process.returncode == 0


def configured(bench: Any) -> Path:
    """The bench's table with its antennas at the eight connectors of one Pepper."""
    path: Path = bench.config(panel=bench.panel)
    text = path.read_text()
    start = text.index("antennas = {")
    end = text.index("}", start)
    text = text[:start] + "antennas = { " + CONNECTORS + " " + text[end:]
    path.write_text(text.replace('driver = "tablewire"', 'driver = "pepper"'))
    return path


def dealt(state: dict[str, Any]) -> int:
    """Cards that have come to rest at the seats."""
    return sum(seat["cards"] for seat in state["seats"])


def test_a_card_for_the_wrong_seat_is_found_through_a_pepper(bench: Any, pepper: Pepper) -> None:
    """The whole way: eight antennas asked in turn, the fourth card lies at seat 1 instead of 4, its lamp is lit; the
    reader is unplugged and comes back, the table says both; and no UID leaves the table."""
    table = bench.run(configured(bench))
    table.line("READY after")
    # A card that comes later comes before the table's eyes.
    table.counted("tablectl_reader_looks_total", 2 * CONNECTORS.count("="))
    assert table.post(do="button", seat=4).status_code == 200
    for number, antenna in enumerate((2, 3, 4, 2)):
        pepper.told(f"put {antenna} {bench.uids[number]}")
        table.until(lambda state, number=number: dealt(state) > number)
    state = table.until(lambda now: [i for i in now["irregularities"] if i["kind"] == "wrong_seat"])
    found = next(i for i in state["irregularities"] if i["kind"] == "wrong_seat")
    assert (found["seat"], found["expected"]) == (1, 4)
    assert table.until(lambda now: now["panel"].get("seat_led:1"))
    reader = state["readers"][0]
    assert (reader["state"], reader["firmware"]) == ("ok", "2.56 simulated")
    pepper.told("unplug")
    table.until(lambda now: now["readers"][0]["state"] == "missing")
    pepper.told("replug")
    table.line("ok")
    assert 'tablectl_reader_looks_total{reader="0"}' in table.get("metrics").text
    assert table.ends(signal.SIGTERM) == 0
    assert not any(uid in line for line in table.log for uid in bench.uids)


def test_a_link_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """The simulator leaves a file alone, says so, and ends with status 2; without a path it says what it wants."""
    (tmp_path / "file").write_text("mine")
    for args, words in (([str(tmp_path / "file")], "no link of a simulator"), ([], "usage")):
        done = subprocess.run(
            [sys.executable, "-m", "tablectl.sim.pepper", *args],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 2
        assert words in done.stderr
        assert "Traceback" not in done.stderr


def test_a_word_that_the_simulator_does_not_know_is_told_and_changes_nothing(tmp_path: Path) -> None:
    """A connector that is none, a UID that is none: each gets a line that says what would be right."""
    done = subprocess.run(
        [sys.executable, "-m", "tablectl.sim.pepper", str(tmp_path / "port")],
        input="put 9 E004015012345601\nput 1 E0040150123456\nput 1 xyz\nfly\n\nquit\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr.count("not understood") == 3


def test_readers_that_count_different_things_are_told_side_by_side() -> None:
    """A counter has a sample for each reader that counts it, and none for the others."""
    text = Metrics(0.0).text(
        [(0, "ok", {"frames": 5, "reboots": 1}), (1, "ok", {"frames": 7, "looks": 9})], {}
    )
    lines = [line for line in text.splitlines() if "_total{" in line]
    assert [line for line in lines if "frames" in line] == [
        'tablectl_reader_frames_total{reader="0"} 5',
        'tablectl_reader_frames_total{reader="1"} 7',
    ]
    assert [line for line in lines if "reboots" in line] == ['tablectl_reader_reboots_total{reader="0"} 1']
    assert [line for line in lines if "looks" in line] == ['tablectl_reader_looks_total{reader="1"} 9']
