"""`tablectl journal` as a process: what it proves and tells, its exit statuses, and what it says of wrong files."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from journal_bench import HEADER, old_journal

from tablectl import recording
from tablectl.app.replay import replay
from tablectl.sealed import keygen
from tablectl.shell.journal import Head, Journal
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup

SETUP = TableSetup(seats=4, boards=1)


def tablectl(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, run to its end; a traceback is never right."""
    done = subprocess.run(
        [sys.executable, "-m", "tablectl.cli", "journal", *map(str, args)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        env={**os.environ, "TERM": "dumb"},
    )
    assert "Traceback" not in done.stderr + done.stdout
    return done


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Head], list[dict[str, Any]]]:
    """The journal of a night of three hands with two slips, its published heads, and the night's decisions."""
    folder = tmp_path_factory.mktemp("table")
    night = list(generate(SETUP, script.parse("wrong_first_seat, clean, joker"), preset("clean"), seed=1))
    (folder / "night.jsonl").write_text("\n".join(json.dumps(line) for line in night) + "\n")
    heads: list[Head] = []
    path = folder / "journal.sqlite"
    journal = Journal(path, night[0], pytest.fail, sensitive=keygen().public, published=heads.append)
    decisions = [each.as_json() for each in replay(folder / "night.jsonl")]
    _, events = recording.read(folder / "night.jsonl")
    left = list(decisions)
    for event in events:
        journal.sensed(recording.dump(event))
        now = [each for each in left if each["t"] <= event.t]
        journal.decisions(now)
        left = left[len(now) :]
    journal.decisions(left)
    journal.close()
    return path, heads, decisions


@pytest.fixture
def spoiled(table: tuple[Path, Any, Any], tmp_path: Path) -> Path:
    """A copy of it in which one decision says something else."""
    path = tmp_path / "copy.sqlite"
    path.write_bytes(table[0].read_bytes())
    with closing(sqlite3.connect(path)) as file, file:
        (number,) = file.execute(
            "SELECT id FROM entries WHERE public LIKE '%irregularity%' LIMIT 1"
        ).fetchone()
        file.execute("UPDATE entries SET public = replace(public, 'wrong', 'other') WHERE id = ?", (number,))
    return path


def test_what_is_whole_is_proved(table: tuple[Path, list[Head], Any], tmp_path: Path) -> None:
    """Exit status 0, with the table's key, its published heads from a file and by hand; it says where it ends, and what
    it cannot know."""
    path, heads, _ = table
    done = tablectl("key", path, tmp_path / "t.pub")
    assert (done.returncode, done.stderr) == (0, "")
    published = tmp_path / "heads.jsonl"
    states = [{"journal": {"head": head.as_json()}} for head in heads]
    published.write_text(
        "\n".join(json.dumps(each) for each in (*states, {"head": heads[0].as_json()})) + "\n"
    )
    last = f"{heads[-1].night}:{heads[-1].seq}:{heads[-1].hash.hex()}"
    done = tablectl("verify", path, "--key", tmp_path / "t.pub", "--heads", published, "--head", last)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"it ends with {last}" in done.stdout
    assert "cut off at the end" in done.stdout
    told = json.loads(tablectl("verify", path, "--json").stdout)
    assert (told["fault"], told["last"], told["heads"]) == (None, last, len(heads))


def test_what_is_not_whole_is_named(
    table: tuple[Path, list[Head], Any], spoiled: Path, tmp_path: Path
) -> None:
    """Exit status 1 and the first entry that does not fit; the same for a head that is not of this journal."""
    done = tablectl("verify", spoiled)
    assert done.returncode == 1
    assert "night 1, entry " in done.stdout
    assert "altered" in done.stdout
    done = tablectl("verify", table[0], "--head", f"1:3:{bytes(32).hex()}")
    assert done.returncode == 1
    assert "night 1, entry 3: it is not what was published" in done.stdout


def test_bad_input_is_told(table: tuple[Path, Any, Any], tmp_path: Path) -> None:
    """Exit status 2 and what would be right: no journal, format 1, a head that is none, a key of another sort."""
    (tmp_path / "x.jsonl").write_text('{"night": 1}\n')
    (tmp_path / "x").write_text("no journal at all, and long enough to be looked at")
    old_journal(tmp_path / "old.db", HEADER, [[]])
    keygen().public.write(tmp_path / "audit.pub")
    for args, says in (
        (("verify", tmp_path / "none"), "there is no such journal"),
        (("verify", tmp_path / "x"), "not a journal"),
        (("verify", tmp_path / "old.db"), "a journal of format 1 has no chain"),
        (("verify", table[0], "--head", "1:2"), "a head is written NIGHT:SEQ:HASH"),
        (("verify", table[0], "--heads", tmp_path / "x.jsonl"), "line 1: a head has night, seq, hash"),
        (("verify", table[0], "--key", tmp_path / "audit.pub"), "needed is a tablectl table key, public"),
        (("show", table[0], "9"), "night 1 has no hand 9"),
        (("hands", table[0], "--night", "7"), "there is no night 7; there are: 1"),
        (("export", table[0], "--night", "7"), "there is no night 7; there are: 1"),
    ):
        done = tablectl(*args)
        assert (done.returncode, done.stdout) == (2, ""), args
        assert says in " ".join(done.stderr.split()), (args, done.stderr)


def test_hands_are_listed_and_shown(table: tuple[Path, Any, list[dict[str, Any]]]) -> None:
    """Each hand of the night with its cards and slips, and one of them decision by decision, without any key."""
    path, _, decisions = table
    hands = [json.loads(line) for line in tablectl("hands", path, "--json").stdout.splitlines()]
    starts = [each for each in decisions if each["type"] == "hand" and each["event"] == "start"]
    assert [(each["hand"], each["start"]) for each in hands] == [(each["hand"], each["t"]) for each in starts]
    found = [kind for each in hands for kind in each["irregularities"]]
    assert found == [each["kind"] for each in decisions if each["type"] == "irregularity"]
    assert sum(each["cards"] for each in hands) == len([each for each in decisions if each["type"] == "deal"])
    words = tablectl("hands", path).stdout.splitlines()
    assert len(words) == len(hands)
    assert "wrong_first_seat" in words[0]
    shown = [json.loads(line) for line in tablectl("show", path, "1", "--json").stdout.splitlines()]
    first = decisions.index(starts[0])
    assert shown == decisions[first : decisions.index(starts[1])]
    assert "wrong_first_seat: seat " in tablectl("show", path, "1").stdout


def test_the_export_holds_all_that_is_public(table: tuple[Path, list[Head], list[dict[str, Any]]]) -> None:
    """Every decision and head, and no tag: what is sealed is there by its digest alone."""
    path, heads, decisions = table
    done = tablectl("export", path)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["public"] for each in lines if each.get("kind") == "decision"] == decisions
    assert [each["head"] for each in lines if "head" in each] == [head.as_json() for head in heads]
    assert all(len(each["sealed"]) == 64 for each in lines if each.get("kind") == "sensed")
    deck = SETUP.decks["blue"].enrolled()
    assert not [uid for uid in (*deck.cards, *deck.cards.values()) if uid in done.stdout]
