"""`tablectl bench limits`: the same hands without one effect at a time, as one table."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tablectl.bench import limits, readme, report
from tablectl.bench.campaign import Campaign
from tablectl.bench.tally import Tally
from tablectl.sim.noise import EFFECTS

LIMITS = [sys.executable, "-m", "tablectl.cli", "bench", "limits", "--readers", "1", "--jobs", "1"]
WITHOUT_MARKERS = "# no place for a table\n"


def run(*options: str) -> subprocess.CompletedProcess[str]:
    """One run to its end."""
    return subprocess.run(
        [*LIMITS, *options],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=200,
        check=False,
    )


def figures(without: str, late: int = 0) -> dict[str, Any]:
    """What was measured without one effect: 1 of 4 premature cards missed, 2 false alarms in 100 clean hands."""
    tally = Tally(Campaign(hands=100, slips=1, noise="heavy", without=without))
    found = [["premature_card@turn", "premature_card", "found", True, 200 + late + n, 90] for n in range(3)]
    missed = ["premature_card@turn", "premature_card", "missed", True, None, None]
    for kind, hands, slips in (("clean", 100, []), ("slips", 8, [*found, missed])):
        counts = {"false": 2, "false_hands": 2, "soft": 0, "corrected": 0, "doubles": 0, "slips": slips}
        floor = [["premature_card", True, 50, 120 + late, slip[4]] for slip in slips]
        tally.add(
            {
                "chunk": [kind, 0],
                "hands": hands,
                "trackers": {"tablectl": counts},
                "floor": floor,
                "wrong": [],
            }
        )
    return tally.as_json()


def test_every_effect_of_the_noise_is_taken_away_once() -> None:
    """The campaign as it is comes first; what the noise does not have is left out; all else stays the same."""
    heavy = list(limits.campaigns(Campaign(hands=10, noise="heavy", seed=4)))
    assert [each.without for each in heavy] == ["", *EFFECTS]
    played = [[(each.seed_of(chunk), each.plans(chunk)) for chunk in each.chunks] for each in heavy]
    assert all(each == played[0] for each in played)
    assert [each.without for each in limits.campaigns(Campaign(hands=10, noise="clean"))] == [""]


def test_one_table_for_all(capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each campaign, not cut off where there is no terminal."""
    report.terminal().print(limits.shown([figures(""), figures("misses", 30)]))
    said = capsys.readouterr().out
    assert "heavy noise, 4 reader boards" in said
    rows = {
        line.split()[0]: line.split() for line in said.splitlines() if line.startswith(("nothing", "misses"))
    }
    share = ["2", "in", "100", "75.0", "%", "(19.4–99.37)", "–", "–"]
    assert rows["nothing"][1:] == [*share, "201", "/", "202", "–", "120", "/", "–"]
    assert rows["misses"][1:] == [*share, "231", "/", "232", "–", "150", "/", "–"]
    assert "…" not in said


def test_the_readme_gets_its_table(tmp_path: Path) -> None:
    """Between markers of its own, with counts and intervals."""
    path, (begin, end) = tmp_path / "README.md", readme.markers(limits.TABLE)
    path.write_text(f"before\n{begin}\nnot measured yet\n{end}\nafter\n")
    readme.fill(path, limits.TABLE, limits.markdown([figures(""), figures("line")]))
    text = path.read_text()
    assert text.startswith(f"before\n{begin}\nheavy noise")
    assert (
        "| line | 2 in 100 = 200 (24–722) per 10,000 | 75.0 % (19.4–99.37): 3 of 4 | – | – | 201 / 202 | – |"
        in text
    )


def test_a_run_from_the_command_line(tmp_path: Path) -> None:
    """One JSON object with a campaign for each effect; the same command then plays nothing and fills the README."""
    path, (begin, end) = tmp_path / "README.md", readme.markers(limits.TABLE)
    path.write_text(f"{begin}\n{end}\n")
    few = ["--hands", "1", "--slips", "0", "--noise", "light", "--folder", str(tmp_path / "kept")]
    done = run(*few, "--json")
    made = json.loads(done.stdout)
    assert (done.returncode, made["complete"]) == (0, True)
    assert {each["campaign"]["without"] for each in made["campaigns"]} == {"", *EFFECTS} - {"tags"}
    assert all(each["hands"] == 1 for each in made["campaigns"])
    kept = {each: each.read_bytes() for each in (tmp_path / "kept").rglob("*.jsonl")}
    assert len(kept) == len(made["campaigns"])
    again = run(*few, "--readme", str(path))
    assert again.returncode == 0
    assert {each: each.read_bytes() for each in (tmp_path / "kept").rglob("*.jsonl")} == kept
    assert path.read_text().count("in 1 = ") == len(kept)


def test_ctrl_c_shows_what_is_complete() -> None:
    """Status 130, and the campaigns that were played to their end; no traceback."""
    command = [*LIMITS, "--hands", "8", "--slips", "0", "--noise", "light", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("2 of "):
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    made = json.loads(out)
    assert (process.returncode, made["complete"]) == (130, False)
    assert 1 <= len(made["campaigns"]) < len(EFFECTS)
    assert all(each["complete"] for each in made["campaigns"])
    assert "interrupted after" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--noise", "loud"], "loud"),
        (["--jobs", "0"], "--jobs 0"),
        (["--readme", "/nope/README.md"], "/nope"),
        (["--folder", "/proc/nope"], "/proc/nope"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: list[str], says: str) -> None:
    """Status 2 and one message that names what is wrong; nothing is played."""
    done = run("--hands", "1", "--slips", "0", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_readme_without_markers_is_refused(tmp_path: Path) -> None:
    """Before hours are spent, and the file is left as it is."""
    path = tmp_path / "README.md"
    path.write_text(WITHOUT_MARKERS)
    done = run("--hands", "1", "--slips", "0", "--readme", str(path))
    assert done.returncode == 2
    assert "<!-- limits -->" in done.stderr
    assert path.read_text() == WITHOUT_MARKERS
