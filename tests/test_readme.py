"""README's pictures are part of the project, and the commands of its way to the first hand are real."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tablectl import __version__

ROOT = Path(__file__).parents[1]
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]*\ssrc=\"([^\"]+)\"")
PNG = b"\x89PNG\r\n\x1a\n"


def shown() -> list[str]:
    """The files of the pictures in README, relative to the project."""
    found = [one or other for one, other in IMAGE.findall((ROOT / "README.md").read_text(encoding="utf-8"))]
    return [path for path in found if "://" not in path]


def test_readme_shows_a_calm_table_and_an_alarm() -> None:
    """Both pictures that `make screenshots` takes, as pictures and not as something else by that name."""
    assert {Path(path).name for path in shown()} >= {"calm.png", "display.png"}
    for path in shown():
        assert (ROOT / path).read_bytes().startswith(PNG), path


def test_every_picture_of_readme_is_tracked() -> None:
    """A file that lies here and is not committed is missing for everybody else (a copy without git has what it
    has)."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        assert all((ROOT / path).is_file() for path in shown())
        return
    known = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(shown()) <= set(known.stdout.splitlines())


FIRST_HAND = (
    (ROOT / "README.md").read_text(encoding="utf-8").split("## From box to first hand")[1].split("\n## ")[0]
)
COMMANDS = [line.strip() for line in FIRST_HAND.splitlines() if line.startswith(" " * 8)]


def test_the_first_hand_is_under_fifteen_steps_away() -> None:
    """The steps are numbered through, and what the table below says of failures speaks of steps that are there."""
    steps = [int(number) for number in re.findall(r"^(\d+)\. ", FIRST_HAND, re.MULTILINE)]
    assert steps == list(range(1, len(steps) + 1))
    assert len(steps) < 15
    rows = re.findall(r"^\| ([\d, ]+) \|", FIRST_HAND, re.MULTILINE)
    assert {int(number) for row in rows for number in row.split(",")} <= set(steps)


@pytest.mark.parametrize(
    "line", [line for line in COMMANDS if "tablectl " in line and "systemctl" not in line]
)
def test_a_step_gives_a_command_that_there_is(line: str) -> None:
    """The program takes each command of the steps, with its options."""
    found = re.search(r"\btablectl ((?:[a-z-]+ ?)+)(.*)", line)
    if found is None:
        return  # a file's name
    words = shlex.split(found.group(1))
    words = words[:2] if words[0] == "firmware" else words[:1]
    told = subprocess.run(
        [sys.executable, "-m", "tablectl.cli", *words, "--help"],
        capture_output=True, text=True, timeout=60, env={"COLUMNS": "200", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert told.returncode == 0, told
    for option in re.findall(r"(--[a-z-]+)", line):
        assert option in told.stdout, option


def test_what_the_steps_name_is_shipped() -> None:
    """The sample is one of ours, the package has this version, and each service has its unit."""
    text = "\n".join(COMMANDS)
    (sample,) = re.findall(r"/config/(\S+\.toml)", text)
    assert (ROOT / "systemd/config" / sample).is_file()
    assert f"tablectl_{__version__}_arm64.deb" in text
    units = re.findall(r"systemctl (?:enable --now|start|status) (.*)", text)
    for unit in " ".join(units).split():
        assert (ROOT / "systemd" / (unit if "." in unit else f"{unit}.service")).is_file(), unit
