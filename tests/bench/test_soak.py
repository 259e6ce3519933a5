"""`tablectl bench soak`: a long run of a whole table, which must notice what goes wrong slowly."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tablectl.bench.soak import verdict as verdicts
from tablectl.bench.soak.command import Soak
from tablectl.bench.soak.plan import Plan
from tablectl.bench.soak.trend import slope
from tablectl.bench.soak.verdict import Run

SOAK = [sys.executable, "-m", "tablectl.cli", "bench", "soak", "--seed", "3"]


def run(tmp_path: Path, *options: str) -> tuple[int, dict[str, Any], str]:
    """One soak to its end: exit status, figures, what it printed."""
    report = tmp_path / "soak.json"
    done = subprocess.run(
        [*SOAK, "--report", str(report), *options],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert report.exists(), done.stderr
    return done.returncode, json.loads(report.read_text()), done.stdout


@pytest.mark.timeout(600)
def test_a_short_soak_keeps_all_and_says_what_failed(tmp_path: Path) -> None:
    """Restart, unplugged reader, dead antenna and a full disk in a few minutes at the table: the table says that the
    disk is full and that it is written again, alarms are given, no acknowledged entry and no decision is lost, exit
    status 0."""
    status, found, told = run(tmp_path, "--hours", "0.1")
    assert (status, found["wrong"]) == (0, []), told
    assert found["faults"] == {"restart": 1, "unplug": 1, "antenna": 1}
    journal = found["journal"]
    assert journal["rows"] == journal["acknowledged"] > 300
    assert journal["lines"] > 5_000
    assert journal["chain"] == "whole"
    assert (journal["acknowledged_lost"], journal["decisions_lost"], journal["missing"]) == (0, 0, 0)
    said = " ".join(found["disk_full"]["said_on_the_page"])
    assert "cannot be written" in said
    assert any("written again; nothing was lost" in line for line in found["disk_full"]["said_in_the_log"])
    assert found["page"]["beats"] > 100
    assert told.rstrip().endswith("good")


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("spoil", "told"), [("leak", "memory grows"), ("lost", "are lost that the journal had acknowledged")]
)
def test_what_a_soak_is_for_makes_it_fail(tmp_path: Path, spoil: str, told: str) -> None:
    """Memory that is kept with each sweep, or one acknowledged entry that vanishes, ends it with exit status 1."""
    status, found, _ = run(tmp_path, "--hours", "0.1", "--spoil", spoil)
    assert status == 1
    assert any(told in fault for fault in found["wrong"]), found["wrong"]


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_four_hours_at_the_table(tmp_path: Path) -> None:
    """Four hours with everything that fails: nothing is lost, memory stays, alarms are right."""
    status, found, told = run(tmp_path, "--hours", "4")
    assert (status, found["wrong"]) == (0, []), told


def test_hours_that_make_no_sense_are_refused() -> None:
    """A run too short for its faults is a usage error that says what would be right."""
    done = subprocess.run([*SOAK, "--hours", "0"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--hours 0: must be from 0.05" in done.stderr


def test_a_report_that_cannot_be_written_is_told_before_the_run(tmp_path: Path) -> None:
    """A folder that is not there: told at once, with exit status 2, and not after a day. A report that is there stays
    as it is."""
    for report in (tmp_path / "nodir" / "a.json", tmp_path):
        done = subprocess.run(
            [*SOAK, "--hours", "24", "--report", str(report)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2, done.stderr
        assert f"--report {report}: cannot be written" in done.stderr.replace("\n", " ")
    old = tmp_path / "old.json"
    old.write_text("{}")
    Soak(report=old)
    Soak(report=tmp_path / "new.json")
    assert old.read_text() == "{}"
    assert not (tmp_path / "new.json").exists()


def run_of(slip: int) -> Run:
    """Ten hands of a minute each, of which one had a slip."""
    truth = [
        {
            "t": 60_000 * n,
            "event": "hand_start",
            "hand": n + 1,
            "slip": "wrong_seat" if n + 1 == slip else None,
        }
        for n in range(10)
    ]

    plan = Plan(1, 1, "light", ((0, 0),))
    return Run(plan, truth, [{"table_s": 600.0}], Path("none"), "", jumped=False)


def test_entries_that_were_not_taken_are_explained_or_judged() -> None:
    """An entry of a hand with a fault or a slip is explained; of any other hand it is not, and more than a hundredth of
    them makes a soak fail."""
    run = run_of(5)
    refused = verdicts._refused(
        run, {(2, "action: no"): 3, (5, "action: no"): 4, (6, "cut: no"): 1, (8, "x"): 2}, {2}
    )
    assert refused == {
        "in faults": {"action: no": 3}, "after a slip": {"action: no": 4, "cut: no": 1}, "unexplained": {"x": 2},
    }  # fmt: skip
    assert verdicts._wrong_entries({"made": 1000, "refused": refused}) == []
    assert "2 × x" in verdicts._wrong_entries({"made": 10, "refused": refused})[0]


def test_false_alarms_in_disturbed_hands_have_a_bound() -> None:
    """A few are what a reader that is away costs; half of the hands is too much, and says so."""
    quiet = {"hands": 100, "hands_with_false": 0, "found": 10, "missed": 0}
    few, many = ({"hands": 40, "hands_with_false": n, "found": 0, "missed": 0} for n in (5, 24))
    assert verdicts._wrong_alarms({"undisturbed": quiet, "in faults": few}) == []
    assert verdicts._wrong_alarms({"undisturbed": quiet, "in faults": many}) == [
        "false alarms in 24 of 40 hands in faults: surely more than 30 %"
    ]


def test_the_plan_comes_from_the_seed() -> None:
    """Faults of the same seed are the same, of another one they are not; all lie within the run."""
    antennas = ((0, 0), (0, 1), (1, 0))
    plan, same, other = (Plan(24, seed, "light", antennas) for seed in (1, 1, 2))
    assert plan.faults() == same.faults() != other.faults()
    assert all(0 < fault.begin < fault.end < plan.end_ms for fault in plan.faults())


def test_a_slope_is_found_over_a_step() -> None:
    """A line with a step in it, each side at a level of its own, has the slope of its sides, and noise an interval
    around it; one sample tells nothing."""
    before = {float(hour): 2.0 * hour + (-1) ** hour for hour in range(10)}
    after = {float(hour): 2.0 * hour + 500 + (-1) ** hour for hour in range(12, 24)}
    found = slope([before, after])
    assert found is not None
    assert found.low < 2.0 < found.high
    assert found.high - found.low < 0.5
    assert slope([{1.0: 1.0}]) is None
