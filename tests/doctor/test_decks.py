"""What the doctor says of the decks: enrolled to the end, and worn."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from wear_store import FADES, SOUND, kept, whole_store

from tablectl.app.wear import store_of
from tablectl.app.wear.book import LEAST, Book
from tablectl.config import Config, load
from tablectl.doctor import Line, table
from tablectl.sim.setup import TableSetup


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A table with two decks, whose cards nobody has counted yet."""
    ports = [str(tmp_path / name) for name in ("reader0", "reader1")]
    return load(TableSetup().write(tmp_path, ports, journal={"path": "j.sqlite"}))


def counted(config: Config, *, poor: int) -> list[str]:
    """A store in which twelve cards of the blue deck were dealt, so many of them read in a third of the looks; their
    UIDs."""
    uids = sorted(next(deck for deck in config.decks if deck.id == "blue").cards)[:12]
    book = Book()
    for _ in range(2 * LEAST):
        for uid in uids:
            book.lay(
                book.dealt(uid, "blue", "2026-01-01"), "seat:1", {2: (100, 30 if uid in uids[:poor] else 90)}
            )
    kept(store_of(config.journal.path), book)
    return uids


def worn(config: Config) -> list[Line]:
    """The lines of wear."""
    return list(table.worn(config))


def test_worn_cards_are_counted_and_not_named(config: Config) -> None:
    """Two worn cards of twelve: a warning with the deck, how many, and the commands that list and replace them. No
    line shows which, and the other deck, of which nothing is known, has none."""
    uids = counted(config, poor=2)
    (line,) = worn(config)
    assert (line.state, line.about, line.text) == ("warning", "blue", "blue: worn cards: 2 of 12")
    assert "tablectl wear" in line.do
    assert "--spare" in line.do
    assert not [uid for uid in uids if uid[-6:] in line.text + line.do]


def test_a_sound_deck_is_ok(config: Config) -> None:
    """All cards are read alike: one line, and nothing to do."""
    counted(config, poor=0)
    assert [(line.state, line.about, line.do) for line in worn(config)] == [("ok", "blue", "")]


def test_before_the_first_night_nothing_is_said_of_wear(config: Config) -> None:
    """No store yet: both decks have their line, and none speaks of wear."""
    decks = table.decks(config.decks, config.active_deck)
    assert [(line.check, line.about) for line in decks] == [("deck", "blue"), ("deck", "red")]
    assert worn(config) == []


Command = Callable[..., subprocess.CompletedProcess[str]]


def told(command: Command, folder: Path) -> list[dict[str, Any]]:
    """What `tablectl doctor --json` says of wear at a table in that folder."""
    done = command(folder / "table.toml", "--json")
    return [line for line in json.loads(done.stdout)["lines"] if line["check"] == "wear"]


def test_a_fallen_deck_is_told_with_what_to_do(tmp_path: Path, command: Command) -> None:
    """The blue deck fell to two thirds, and the red one reads as ever: blue is to be replaced, in words, too; red is
    ok. Without red nobody knows whether it is the deck, and that is said instead."""
    whole_store(tmp_path, {"blue": FADES, "red": SOUND})
    red, blue = told(command, tmp_path)
    assert (blue["state"], blue["about"], red["state"], red["about"]) == ("warning", "blue", "ok", "red")
    assert "% of what it read in its first nights" in blue["text"]
    assert blue["do"].startswith("replace the deck")
    in_words = command(tmp_path / "table.toml").stdout
    assert blue["text"] in in_words
    assert "replace the deck" in in_words
    store_of(tmp_path / "j.sqlite").unlink()
    whole_store(tmp_path, {"blue": FADES})
    (alone,) = told(command, tmp_path)
    assert (alone["state"], alone["about"]) == ("warning", "blue")
    assert alone["do"].startswith("play a new deck for two nights")


def test_a_fallen_antenna_is_told_by_its_zone(tmp_path: Path, command: Command) -> None:
    """One antenna fell to a half for both decks: its zone, its cable and calibration; the decks are ok."""
    whole_store(tmp_path, {"blue": SOUND, "red": SOUND}, weak=("seat:2",))
    *decks, antenna = told(command, tmp_path)
    assert [(line["about"], line["state"]) for line in decks] == [("blue", "ok"), ("red", "ok")]
    assert (antenna["about"], antenna["state"]) == ("seat:2", "warning")
    assert "cable" in antenna["do"]
    assert "calibrate" in antenna["do"]


def test_decks_and_antennas_that_read_as_ever_are_no_warning(tmp_path: Path, command: Command) -> None:
    """The near miss: nights that differ by a twentieth, as players and chips make them differ."""
    whole_store(tmp_path, {"blue": [0.9, 0.86, 0.9, 0.87, 0.88, 0.86] * 2, "red": SOUND})
    assert [(line["about"], line["state"]) for line in told(command, tmp_path)] == [
        ("blue", "ok"),
        ("red", "ok"),
    ]


def test_with_a_faulty_configuration_wear_is_left_out_by_name(tmp_path: Path, command: Command) -> None:
    """A fault in the file, and even the decks unreadable: one line says that wear was not looked at."""
    whole_store(tmp_path, {"blue": FADES})
    table_ = tmp_path / "table.toml"
    table_.write_text(table_.read_text().replace("[table]", "[table]\nnothing = 1", 1))
    for deck in ("", "no deck at all"):
        if deck:
            for path in (tmp_path / "decks").iterdir():
                path.write_text(deck)
        (line,) = told(command, tmp_path)
        assert (line["state"], "was not looked at" in line["text"]) == ("warning", True)
        assert "mend the faults" in line["do"]


def test_a_store_that_is_none_is_a_warning(config: Config) -> None:
    """Another file in its place: named, and nothing breaks."""
    store_of(config.journal.path).write_text("no database at all, and long enough for one " * 20)
    (line,) = worn(config)
    assert (line.check, line.state, "j.wear.sqlite" in line.text) == ("wear", "warning", True)


def cut(store: Path) -> None:
    """A disk lost the second half of the file."""
    store.write_bytes(store.read_bytes()[: store.stat().st_size // 2])


def other_columns(store: Path) -> None:
    """The file says that it is ours, and is not."""
    with closing(sqlite3.connect(store)) as file, file:
        file.execute("DROP TABLE levels")
        file.execute("CREATE TABLE levels (deck TEXT, zone TEXT)")
        file.execute("INSERT INTO levels VALUES ('blue', 'seat:1')")


@pytest.mark.parametrize("harm", [cut, other_columns])
def test_a_store_that_was_harmed_is_a_warning(
    tmp_path: Path, command: Command, harm: Callable[[Path], None]
) -> None:
    """Named, with what to do; no traceback, and everything else is looked at as before."""
    whole_store(tmp_path, {"blue": FADES, "red": SOUND})
    harm(store_of(tmp_path / "j.sqlite"))
    (line,) = told(command, tmp_path)
    assert (line["state"], "j.wear.sqlite" in line["text"]) == ("warning", True)
    assert "move that file away" in line["do"]
