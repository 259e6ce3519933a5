"""Stores of deck wear whose nights are made up: every card of a deck read in such a share of its looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

from tablectl.app.wear import store_of
from tablectl.app.wear.book import Book
from tablectl.app.wear.levels import NIGHT_LEAST
from tablectl.cards import Deck
from tablectl.config import Config, load
from tablectl.shell.wear import WearFile
from tablectl.sim.setup import TableSetup

SOUND = [0.9] * 11
"""A deck that reads as ever."""
FADES = [0.9] * 5 + [0.6] * 6
"""A deck that fades from its sixth night on."""
SEATS = [f"seat:{seat}" for seat in range(1, 7)]


def nights(book: Book, deck: Deck, shares: list[float], weak: tuple[str, ...] = (), month: int = 1) -> None:
    """Nights of the deck, every card read in such a share of its looks; at the weak antennas in half of that from the
    sixth night on."""
    each = NIGHT_LEAST // len(SEATS) + 1
    for night, share in enumerate(shares, start=1):
        for zone in SEATS:
            here = share * (0.5 if zone in weak and night > 5 else 1.0)
            for uid in sorted(deck.cards)[:each]:
                card = book.dealt(uid, deck.id, f"2026-{month:02}-{night:02}")
                book.lay(card, zone, {2: (1000, round(1000 * here))})


def kept(path: Path, book: Book) -> None:
    """The book in its file."""
    file = WearFile(path)
    lives, levels = book.levels.changed()
    for table, rows_ in (
        ("cards", book.cards.values()), ("places", book.places.values()), ("decks", lives), ("levels", levels),
    ):  # fmt: skip
        file.keep(table, [astuple(row) for row in rows_])
    file.keep("table_figures", [("spread", book.spread)])
    file.close()


def whole_store(folder: Path, shares: Mapping[str, list[float]], weak: tuple[str, ...] = ()) -> Config:
    """A table whose store knows such nights of its decks, blue or red."""
    setup = TableSetup()
    setup.write(folder, [str(folder / "reader0"), str(folder / "reader1")], journal={"path": "j.sqlite"})
    config = load(folder / "table.toml")
    book = Book()
    book.levels.configured(config.decks, dict.fromkeys(config.layout().zones, 0.0))
    for deck in config.decks:
        nights(book, deck, shares.get(deck.id, []), weak)
    kept(store_of(config.journal.path), book)
    return config
