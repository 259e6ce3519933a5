"""`tablectl bench accuracy` as a process: its figures, its resuming, and options that make no sense."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ACCURACY = [sys.executable, "-m", "tablectl.cli", "bench", "accuracy"]
FEW = ["--slips", "0", "--noise", "clean", "--seats", "6", "--readers", "1", "--betting", "none"]
TINY = ["--hands", "11", *FEW, "--baseline-hands", "10"]
"""Two chunks; the baselines watch the first one."""


def run(*options: str) -> subprocess.CompletedProcess[str]:
    """One run to its end."""
    return subprocess.run(
        [*ACCURACY, *options],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=100,
        check=False,
    )


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """The figures of one run without interruption, in a process of its own."""
    done = run(*TINY, "--json", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_json_is_one_object_with_every_tracker(whole: dict[str, Any]) -> None:
    """On standard output alone; the baselines have their own count of hands."""
    assert whole["complete"]
    assert whole["campaign"]["noise"] == "clean"
    assert whole["hands"] == 11
    assert {name: each["clean_hands"] for name, each in whole["trackers"].items()} == {
        "tablectl": 11, **{name: 10 for name in whole["trackers"] if name != "tablectl"},
    }  # fmt: skip
    assert len(whole["trackers"]) > 4


def test_a_killed_campaign_goes_on_to_the_same_figures(whole: dict[str, Any], tmp_path: Path) -> None:
    """Killed after the first chunk, then resumed by two workers: not a hand is lost or played twice."""
    ledger = tmp_path / "done.jsonl"
    with subprocess.Popen([*ACCURACY, *TINY, "--json", "--jobs", "1", "--resume", str(ledger)]) as first:
        while not ledger.exists() or ledger.read_bytes().count(b"\n") < 2:
            assert first.poll() is None or ledger.read_bytes().count(b"\n") >= 2
        first.kill()
    kept = ledger.read_bytes()
    ledger.write_bytes(b"".join(kept.splitlines(keepends=True)[:2]) + b'{"chunk":["cl')
    resumed = run(*TINY, "--json", "--jobs", "2", "--resume", str(ledger))
    assert json.loads(resumed.stdout) == whole
    again = run(*TINY, "--json", "--resume", str(ledger))
    assert json.loads(again.stdout) == whole


def test_ctrl_c_shows_what_was_measured(tmp_path: Path) -> None:
    """Status 130, the figures so far as incomplete, and the workers are gone."""
    ledger = tmp_path / "done.jsonl"
    long = [*ACCURACY, *TINY, "--hands", "5000", "--json", "--jobs", "2", "--resume", str(ledger)]
    with subprocess.Popen(long, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not ledger.exists() or ledger.read_bytes().count(b"\n") < 2:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    figures = json.loads(out)
    assert not figures["complete"]
    assert 0 < figures["hands"] < 5000
    assert "interrupted after" in err
    assert "--resume" in err
    assert "Traceback" not in err


def test_a_table_a_picture_and_failures(tmp_path: Path) -> None:
    """A table on standard output, a PNG, and a file of the wrong outcomes."""
    picture, wrong = tmp_path / "a.png", tmp_path / "wrong.jsonl"
    done = run(
        "--hands",
        "1",
        *FEW,
        "--without",
        "line",
        "--pace",
        "4",
        "--plot",
        str(picture),
        "--failures",
        str(wrong),
    )
    assert (done.returncode, done.stderr) == (0, "")
    for part in (
        "clean noise without line, 1 reader board, 6 seats",
        "per 10,000 hands",
        "SMURF",
        "p50 / p90 / p99",
    ):
        assert part in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert wrong.exists()


def test_another_campaigns_file_is_refused(tmp_path: Path) -> None:
    """Status 2, and the option that differs by name."""
    ledger = tmp_path / "done.jsonl"
    few = [
        "--hands",
        "1",
        "--slips",
        "0",
        "--noise",
        "clean",
        "--baseline-hands",
        "0",
        "--resume",
        str(ledger),
    ]
    assert run(*few).returncode == 0
    done = run(*few, "--seed", "7", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--seed 7 instead of 1" in done.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--noise", "loud"], "loud"),
        (["--readers", "3"], "1, 2 or 4"),
        (["--without", "rain"], "misses"),
        (["--pace", "quick"], "--pace quick"),
        (["--jobs", "0"], "--jobs 0"),
        (["--plot", "a.jpg"], "a PNG file"),
        (["--plot", "/nope/a.png"], "/nope"),
        (["--failures", "/nope/wrong.jsonl"], "/nope"),
        (["--resume", "/proc/nope/done.jsonl"], "/proc/nope"),
        (["--hands", "few"], "--hands"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: list[str], says: str) -> None:
    """Status 2 and one message that names what is wrong; no traceback, and nothing is played."""
    done = run("--hands", "1", "--slips", "0", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_picture_without_matplotlib_says_what_to_install() -> None:
    """Before anything is played."""
    without = (
        "import sys; sys.modules['matplotlib'] = None; sys.argv[0] = 'tablectl'; "
        "from tablectl.cli import main; main()"
    )
    command = [sys.executable, "-c", without, "bench", "accuracy", "--hands", "1", "--plot", "a.png"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'tablectl[bench]'" in done.stderr
