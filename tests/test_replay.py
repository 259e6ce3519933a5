"""`tablectl replay` as a process: what it prints where, and what it makes of files that are wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from journal_bench import old_journal

from tablectl.sealed import AuditSecret, keygen
from tablectl.shell.journal import Journal
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup

SETUP = TableSetup(seats=4, boards=1)


@pytest.fixture(scope="module")
def night() -> list[str]:
    """A short blind night: the deal begins at the wrong seat, and the dealer deals again."""
    steps = script.parse("wrong_first_seat, joker")
    return [json.dumps(line) for line in generate(SETUP, steps, preset("clean"), seed=1)]


@pytest.fixture
def recording(tmp_path: Path, night: list[str]) -> Path:
    """That night as a file."""
    path = tmp_path / "night.jsonl"
    path.write_text("\n".join(night) + "\n")
    return path


def replay(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, run to its end; a traceback is never right."""
    done = subprocess.run(
        [sys.executable, "-m", "tablectl.cli", "replay", *map(str, args)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        env={**os.environ, "TERM": "dumb"},
    )
    assert "Traceback" not in done.stderr + done.stdout
    return done


def decisions(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def secrets() -> list[str]:
    """Every UID and token of the decks."""
    decks = [deck.enrolled() for deck in SETUP.decks.values()]
    return [word for deck in decks for word in (*deck.cards, *deck.cards.values(), *deck.jokers)]


def test_json_is_all_that_is_printed(recording: Path) -> None:
    """Exit 0; every line of standard output is a decision, `t` never goes back, standard error is empty."""
    done = replay(recording, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    made = decisions(done.stdout)
    assert [each["t"] for each in made] == sorted(each["t"] for each in made)
    kinds = [each["kind"] for each in made if each["type"] == "irregularity"]
    assert kinds == ["wrong_first_seat", "joker"]
    rulings = [each for each in made if each["type"] == "ruling"]
    assert {each["rulebook"] for each in rulings} == {"pl"}


def test_for_people_the_same_in_words(recording: Path) -> None:
    """Without --json: hands, irregularities and rulings a line each; single cards only with --deals."""
    done = replay(recording)
    assert (done.returncode, done.stderr) == (0, "")
    assert "hand 1: button " in done.stdout
    assert "wrong_first_seat: seat " in done.stdout
    assert "misdeal by PL-" in done.stdout
    assert "card 1 to seat:" not in done.stdout
    assert "card 1 to seat:" in replay(recording, "--deals").stdout


def test_the_calibration_in_the_first_line_counts(tmp_path: Path) -> None:
    """A recording tells how well its antennas read: with a poor burn antenna the missing burn is proved later."""
    steps = script.parse("burn_missing")
    lines = [json.dumps(line) for line in generate(SETUP, steps, preset("clean"), seed=1)]
    told = []
    for calibration in ({}, {"read": 0.5, "spread": 8.0}):
        head = json.loads(lines[0])
        [reader] = head["config"]["reader"]
        [burn] = [antenna for antenna, zone in reader["antennas"].items() if zone == "burn"]
        reader["calibration"] = {burn: calibration}
        path = tmp_path / "night.jsonl"
        path.write_text("\n".join([json.dumps(head), *lines[1:]]) + "\n")
        made = decisions(replay(path, "--json").stdout)
        [found] = [each for each in made if each["type"] == "irregularity"]
        assert found["kind"] == "burn_missing"
        told.append(found["t"])
    assert told[0] < told[1]


def test_broken_lines_are_named_and_skipped(recording: Path, night: list[str]) -> None:
    """Garbage among the lines: each is told with its number on standard error, and nothing else changes."""
    broken = [*night[:40], "{ not json", *night[40:60], '{"t": 1, "sweep": 7}', *night[60:]]
    path = recording.with_name("broken.jsonl")
    path.write_text("\n".join(broken) + '\n{"t": 99')
    done = replay(path, "--json")
    assert done.returncode == 0
    assert done.stdout == replay(recording, "--json").stdout
    for number in (41, 62, len(broken) + 1):
        assert f"{path}: line {number}: " in done.stderr


def test_strict_stops_at_the_first_broken_line(recording: Path, night: list[str]) -> None:
    """--strict: what was decided before is printed, then one message with file and line, exit status 2."""
    path = recording.with_name("broken.jsonl")
    path.write_text("\n".join([*night[:400], "{ not json", *night[400:]]))
    done = replay(path, "--json", "--strict")
    assert done.returncode == 2
    assert f"{path}: line 401: " in done.stderr
    assert len(done.stderr.splitlines()) == 1
    whole = replay(recording, "--json").stdout
    assert whole.startswith(done.stdout)
    assert done.stdout != whole


def test_an_unknown_rulebook_is_refused_with_the_known_ones(recording: Path) -> None:
    """--rulebook with a name that no book has: exit status 2, nothing on standard output."""
    done = replay(recording, "--rulebook", "plx")
    assert (done.returncode, done.stdout) == (2, "")
    assert "table.rulebook = 'plx'" in done.stderr
    assert "pl" in done.stderr


def test_a_blind_recording_gives_no_identity_away(recording: Path, night: list[str]) -> None:
    """Neither the decisions nor the words nor the complaints about broken lines name a tag or a token."""
    uid = next(iter(SETUP.decks["blue"].cards))
    path = recording.with_name("broken.jsonl")
    wrong = [
        json.dumps({"t": 5, "sweep": {"reader": 0, "polled": [1], "seen": [[uid, 1]]}}),
        json.dumps({"t": 6, "sweep": {"reader": 0, "polled": [1], "seen": [[1, f"{uid}X"]]}}),
        json.dumps({"t": 7, uid: {}}),
        json.dumps({"t": 8, "input": {"do": uid}}),
    ]
    path.write_text("\n".join([night[0], *wrong, *night[1:]]) + "\n")
    outputs = [replay(path, *options) for options in ((), ("--json",), ("--deals",), ("--strict",))]
    assert [done.returncode for done in outputs] == [0, 0, 0, 2]
    assert "line 2: " in outputs[0].stderr
    for done in outputs:
        assert not [word for word in secrets() if word in done.stdout + done.stderr]


def test_a_broken_header_gives_no_identity_away(tmp_path: Path, night: list[str]) -> None:
    """A deck in which one tag stands twice is refused without naming the tag in full."""
    header = json.loads(night[0])
    uid = next(iter(header["decks"][0]["cards"]))
    header["decks"][0]["jokers"] = [uid]
    path = tmp_path / "twice.jsonl"
    path.write_text(json.dumps(header) + "\n")
    done = replay(path)
    assert done.returncode == 2
    assert "twice" in done.stderr
    assert not [word for word in secrets() if word in done.stdout + done.stderr]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (bytes(range(256)) * 64, "line 1"),
        (b'{"recording": 2}\n', "format 1"),
        (b'{"hello": 1}\n', "not a recording"),
        (b"SQLite format 3\0" + bytes(100), "journal"),
    ],
)
def test_what_is_no_recording_is_one_message(tmp_path: Path, content: bytes, says: str) -> None:
    """Exit status 2 and one line with the file's name for an empty file, garbage, and other files."""
    path = tmp_path / "night.jsonl"
    path.write_bytes(content)
    done = replay(path)
    assert (done.returncode, done.stdout) == (2, "")
    assert str(path) in done.stderr
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Exit status 2 and the path, for a missing file and for a folder."""
    for path in (tmp_path / "none.jsonl", tmp_path):
        done = replay(path)
        assert done.returncode == 2
        assert str(path) in done.stderr


def sealed(folder: Path, nights: list[list[dict[str, Any]]], header: dict[str, Any]) -> tuple[Path, Path]:
    """A journal of these nights, and the private key that opens it."""
    path, key, secret = folder / "journal.sqlite", folder / "audit.key", keygen()
    secret.write(key)
    for lines in nights:
        journal = Journal(path, header, pytest.fail, sensitive=secret.public)
        for line in lines:
            journal.sensed(line)
        journal.close()
    return path, key


def test_a_night_of_a_journal_is_chosen_by_its_number(tmp_path: Path, night: list[str]) -> None:
    """A journal's last night by default, any by --night; an unknown one is refused with those there are."""
    header, *lines = map(json.loads, night)
    path, key = sealed(tmp_path, [lines, lines[:1]], header)
    first = decisions(replay(path, "--json", "--night", "1", "--key", key).stdout)
    assert [each["kind"] for each in first if each["type"] == "irregularity"] == ["wrong_first_seat", "joker"]
    last = replay(path, "--json", "--key", key)
    assert (last.returncode, last.stdout) == (0, "")
    assert replay(path, "--json", "--night", "2", "--key", key).stdout == ""
    done = replay(path, "--night", "3", "--key", key)
    assert done.returncode == 2
    assert "there are: 1, 2" in done.stderr


def test_a_sealed_night_needs_its_key(tmp_path: Path, night: list[str]) -> None:
    """Exit status 2 and one sentence without the private key, with another one, and with its public part."""
    header, *lines = map(json.loads, night)
    path, key = sealed(tmp_path, [lines], header)
    keygen().write(tmp_path / "other.key")
    AuditSecret.read(key).public.write(tmp_path / "audit.pub")
    for options, says in (
        ((), "night 1 is sealed to the audit key"),
        (("--key", tmp_path / "other.key"), "sealed to another key"),
        (("--key", tmp_path / "audit.pub"), "needed is a tablectl audit key, PRIVATE"),
        (("--key", tmp_path / "none.key"), "No such file"),
    ):
        done = replay(path, "--json", *options)
        assert (done.returncode, done.stdout) == (2, "")
        assert says in done.stderr.splitlines()[-1]


def test_a_key_under_a_passphrase_is_opened_by_the_environment(tmp_path: Path, night: list[str]) -> None:
    """TABLECTL_PASSPHRASE opens it; without a terminal and without it, a sentence says what is missing."""
    header, *lines = map(json.loads, night)
    path, key = sealed(tmp_path, [lines], header)
    locked = tmp_path / "locked.key"
    AuditSecret.read(key).write(locked, "seven clubs")
    assert "a passphrase is needed" in replay(path, "--json", "--key", locked).stderr
    os.environ["TABLECTL_PASSPHRASE"] = "seven clubs"
    try:
        done = replay(path, "--json", "--key", locked)
    finally:
        del os.environ["TABLECTL_PASSPHRASE"]
    assert done.stdout == replay(path, "--json", "--key", key).stdout != ""


def test_an_empty_night_is_passed_over_and_said(tmp_path: Path, night: list[str]) -> None:
    """A journal of the first format whose last night is empty, as a start that failed once left it: the night before is
    replayed, without any key; asked for by number, the empty one gives nothing, and standard error says why."""
    path = tmp_path / "journal.sqlite"
    header, *lines = map(json.loads, night)
    old_journal(path, header, [lines, []])
    done = replay(path, "--json")
    assert done.stderr == ""
    assert [each["kind"] for each in decisions(done.stdout) if each["type"] == "irregularity"]
    empty = replay(path, "--json", "--night", "2")
    assert (empty.returncode, empty.stdout) == (0, "")
    assert f"{path}: night 2 is empty" in empty.stderr


def test_readers_and_antennas_that_the_table_lacks_are_told_once(recording: Path, night: list[str]) -> None:
    """Lines of a reader 7, and of an antenna 60 of reader 0: each is told once, with its first line, and
    nothing else changes; --strict does not stop there."""
    strange = [
        '{"t": 0, "sweep": {"reader": 7, "polled": [0], "seen": []}}',
        '{"t": 0, "health": {"reader": 0, "antenna": 60, "state": "open"}}',
        '{"t": 0, "sweep": {"reader": 0, "polled": [60], "seen": []}}',
        '{"t": 0, "lost": {"reader": 7}}',
    ]
    path = recording.with_name("strange.jsonl")
    path.write_text("\n".join([night[0], *strange, *night[1:]]) + "\n")
    for options in ((), ("--strict",)):
        done = replay(path, "--json", *options)
        assert (done.returncode, done.stdout) == (0, replay(recording, "--json").stdout)
        said = done.stderr.splitlines()
        assert len(said) == 2
        assert f"{path}: line 2: reader 7: the configuration has no such reader" in said[0]
        assert f"{path}: line 3: reader 0 has no antenna 60" in said[1]


def test_a_line_from_the_far_future_costs_only_itself(recording: Path, night: list[str]) -> None:
    """A clock that jumps for one line: it is told and skipped, and the night stays as it is."""
    path = recording.with_name("jump.jsonl")
    jump = '{"t": 999999999999, "sweep": {"reader": 0, "polled": [0], "seen": []}}'
    path.write_text("\n".join([*night[:300], jump, *night[300:]]) + "\n")
    done = replay(path, "--json")
    assert (done.returncode, done.stdout) == (0, replay(recording, "--json").stdout)
    assert len(done.stderr.splitlines()) == 1
    assert f"{path}: line 301: t = " in done.stderr
    assert "is more than 24 hours ahead" in done.stderr
    assert replay(path, "--strict").returncode == 2


def test_a_recording_has_no_nights(recording: Path) -> None:
    """--night with a recording is a mistake that is said: exit status 2."""
    done = replay(recording, "--night", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "only a journal has nights" in done.stderr


@pytest.mark.parametrize("option", ["--json", "--deals"])
def test_whoever_reads_may_go_away(recording: Path, option: str) -> None:
    """`replay … | head -1`: the reader closes the pipe, the command ends without a word."""
    with subprocess.Popen(
        [sys.executable, "-m", "tablectl.cli", "replay", str(recording), option],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
