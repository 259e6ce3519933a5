"""What the doctor says of the decks: enrolled to the end, and worn."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import pytest

from tablectl.app.wear import store_of
from tablectl.app.wear.book import LEAST, Book
from tablectl.config import Config, load
from tablectl.doctor import Line, table
from tablectl.shell.wear import WearFile
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
    file = WearFile(store_of(config.journal.path))
    file.keep("cards", [astuple(card) for card in book.cards.values()])
    file.keep("table_figures", [("spread", book.spread)])
    file.close()
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


def test_a_store_that_is_none_is_a_warning(config: Config) -> None:
    """Another file in its place: named, and nothing breaks."""
    store_of(config.journal.path).write_text("no database at all, and long enough for one " * 20)
    (line,) = worn(config)
    assert (line.check, line.state, "j.wear.sqlite" in line.text) == ("wear", "warning", True)
