"""The command line as a person meets it: a real process, its exit status and what it prints."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tablectl import __version__
from tablectl.cards import FACES, Deck
from tablectl.config.decks import deck_as_toml

COMMAND = [sys.executable, "-m", "tablectl.cli"]
CONFIG = """
[table]
id = "[bold]T12"
seats = 2
game = "holdem"
rulebook = "pl"
mode = "open"
betting = "rounds"
[[deck]]
file = "blue.toml"
active = true
[[reader]]
driver = "tablewire"
port = "/dev/serial/by-path/none"
antennas = { 0 = "shoe", 1 = "seat:1", 2 = "seat:2", 3 = "board" }
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration in which everything fits, with its deck beside it."""
    deck = Deck("blue", {f"E0040150{n:08X}": face for n, face in enumerate(FACES)})
    (tmp_path / "blue.toml").write_text(deck_as_toml(deck), encoding="utf-8")
    path = tmp_path / "t12.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


def run(*args: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    """The command run to its end, with no terminal; a traceback is never right."""
    done = subprocess.run(
        [*COMMAND, *map(str, args)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "100", **env},
    )
    assert "Traceback" not in done.stderr
    assert "Traceback" not in done.stdout
    return done


def test_a_good_configuration_is_summed_up(config: Path) -> None:
    """Exit 0, and the summary names the antennas, the absent port and what is off, with the reason."""
    done = run("check-config", config)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"✓ {config}: everything fits" in done.stdout
    for line in (
        "[bold]T12: holdem, 2 seats, rulebook pl",
        "tablewire /dev/serial/by-path/none (the port is not there now): 0 shoe, 1 seat:1, 2 seat:2, 3 board",
        "burn_missing, burn_extra (no antenna at the burn)",
        "hand_mucked (no antenna at the muck)",
        "dealt_after_end (betting = rounds: folds are not entered)",
    ):
        assert line in done.stdout


def test_the_summary_says_whether_the_shuffle_is_watched(config: Path) -> None:
    """With a shoe the dealer may be asked, so nothing is off; where that is switched off, the reason is told."""
    unwatched = "not_shuffled (the shuffle need not be confirmed)"
    assert unwatched not in run("check-config", config).stdout
    config.write_text(config.read_text() + "[tracker]\nshuffle_p = 0.0\n")
    assert unwatched in run("check-config", config).stdout


def test_the_summary_names_the_antennas_that_are_calibrated(config: Path) -> None:
    """Where figures were measured, the antenna's number is told; without any, nothing is said of it."""
    assert "calibrated" not in run("check-config", config).stdout
    measured = "[reader.calibration.2]\nread = 0.7\n[reader.calibration.0]\nstrength = -40\n"
    config.write_text(CONFIG + measured, encoding="utf-8")
    assert "calibrated: antennas 0, 2" in run("check-config", config).stdout


def test_every_fault_is_printed_and_nothing_else(config: Path) -> None:
    """Exit 2, one line a fault on standard error however long it is, nothing on standard output."""
    wrong = CONFIG.replace("seats = 2", "seats = 12").replace("holdem", "holdm").replace("board", "bord" * 60)
    config.write_text(wrong + '[panel]\npin = "rpi"\n', encoding="utf-8")
    done = run("check-config", config)
    assert (done.returncode, done.stdout) == (2, "")
    heading, *lines = done.stderr.splitlines()
    assert "4 faults" in heading
    assert all(line.startswith(f"  {config}: ") for line in lines)
    assert [re.split(r" = |: ", line)[1] for line in lines] == [
        "table.seats",
        "table.game",
        "panel.pin",
        "reader[0].antennas.3",
    ]


@pytest.mark.parametrize("path", ["none.toml", ".", "[red]x[/red].toml", "bad\udcff.toml", "a/b.toml"])
def test_a_file_that_cannot_be_read_is_one_message(tmp_path: Path, path: str) -> None:
    """Exit 2 and one line for a missing file, a folder, and names that are markup or not even text."""
    done = run("check-config", tmp_path / path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "one fault" in done.stderr


@pytest.mark.parametrize(
    "args", [["chek-config"], ["check-config"], ["check-config", "a", "b"], ["--nope"], []]
)
def test_bad_usage_is_status_2(args: list[str]) -> None:
    """A command, argument or option that does not exist is explained, with status 2."""
    done = run(*args)
    assert done.returncode == 2
    assert "Usage" in done.stderr + done.stdout


def test_a_misspelt_command_gets_a_suggestion() -> None:
    """The nearest command is named."""
    assert "check-config" in run("chek-config").stderr


def test_help_of_every_command_shows_an_example() -> None:
    """`--help` lists the commands, and the help of each has an example that begins with `tablectl`."""
    overview = run("--help").stdout
    commands = re.findall(r"^│ ([a-z][a-z-]*) ", overview.partition("Commands")[2], re.MULTILINE)
    assert "check-config" in commands
    for command in commands:
        done = run(command, "--help")
        assert done.returncode == 0
        assert f"tablectl {command}" in done.stdout.partition("Example")[2], command


def test_version() -> None:
    """`--version` says which version this is."""
    assert run("--version").stdout.strip() == f"tablectl {__version__}"


def test_a_terminal_without_utf8_and_a_plain_locale_work(config: Path) -> None:
    """Signs that the terminal lacks are replaced; the command works all the same."""
    done = run("check-config", config, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == 0
    assert "? " in done.stdout


def test_whoever_reads_the_output_may_go_away(config: Path) -> None:
    """A closed pipe ends the command quietly."""
    with subprocess.Popen(
        [*COMMAND, "check-config", str(config)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_a_full_disk_behind_the_output_is_said(config: Path) -> None:
    """Output that cannot be written is one message and status 2."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "check-config", str(config)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert done.returncode == 2
    assert re.fullmatch(r"tablectl: .*No space left on device\n", done.stderr)


def test_closed_output_is_no_trouble(config: Path) -> None:
    """A service may start the command without any standard output."""
    done = subprocess.run(
        ["sh", "-c", '"$@" >&- 2>&-', "sh", *COMMAND, "check-config", str(config)], timeout=60, check=False
    )
    assert done.returncode == 0


def test_interrupted_is_130(tmp_path: Path) -> None:
    """Ctrl-C while the command waits (here for an empty pipe) ends it with 130 and no traceback."""
    pipe = tmp_path / "t.toml"
    os.mkfifo(pipe)
    with (
        subprocess.Popen(
            [*COMMAND, "check-config", str(pipe)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process,
        pipe.open("wb"),
    ):  # opens only once the command has begun to read
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in out + err
