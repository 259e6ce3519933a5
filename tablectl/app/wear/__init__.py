"""Deck wear: how well each card is read over its life, and a warning before one becomes unreliable.

    core's tracks ─every 2 s, after the alarm─▶ counting ─landings─▶ book, levels ─after each hand─▶ shell.wear
    (a thread, SQLite)

Owns: this at a running table, the store's path, and reading it for whoever wants to know: `tablectl wear`, doctor.
Refuses: identities: on the display and in the log a deck has so many worn cards, and none is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass
from datetime import date
from pathlib import Path

from tablectl.app.wear.book import SPREAD as UNLEARNED
from tablectl.app.wear.book import Book, Place, Standing, Worn
from tablectl.app.wear.counting import Counting
from tablectl.app.wear.levels import Fallen, Level, Levels, Life
from tablectl.cards import Deck
from tablectl.config import Config
from tablectl.core.decisions import Decision, HandEvent
from tablectl.core.sensed import Sensed
from tablectl.core.settings import Calibration
from tablectl.core.table import Table
from tablectl.layout import Layout
from tablectl.said import Said
from tablectl.shell import wear as store

SPREAD = "spread"


def store_of(journal: Path) -> Path:
    """Where a table with that journal keeps the wear of its decks."""
    return journal.with_name(f"{journal.stem}.wear.sqlite")


def today() -> str:
    """The date by the wall clock. One that is wrong makes a card older or younger, and no more."""
    return date.today().isoformat()  # noqa: DTZ011 - the day of the card room


class Wear:
    """The wear of one running table's decks. Raises JournalError if the store cannot be opened."""

    def __init__(
        self, table: Table, decks: Iterable[Deck], path: Path, day: Callable[[], str] = today
    ) -> None:
        self._decks = tuple(decks)
        self.book = read_book(path, self._decks, _calibrated(table.setting.layout, table.setting.calibration))
        self._table = table
        self._file = store.WearFile(path)
        of = {uid: deck.id for deck in self._decks for uid in deck.cards}
        self._counting = Counting(self.book, table.tracker, of, day)
        self._worn: dict[str, int] = {}
        self._fallen: list[Fallen] = []
        self._judge()

    def took(self, event: Sensed, decisions: Iterable[Decision]) -> None:
        """After an event went through the core; nearly always one comparison."""
        self._counting.look(event.t)
        if any(isinstance(each, HandEvent) and each.event == "end" for each in decisions):
            self._keep()

    @property
    def notice(self) -> Said | None:
        """For the display between two hands: that the deck in play, some of its cards, or antennas are worn."""
        deck = self._table.deck
        worn = self._worn.get(deck.id, 0) if deck is not None else 0
        fallen = next((each for each in self._fallen if deck is not None and each.name == deck.id), None)
        if fallen is not None and fallen.kind == "deck":
            return Said(
                "Deck {deck} reads worse than when it was new. Replace it after the game.", deck=fallen.name
            )
        if deck is not None and worn:
            return Said(
                "Deck {deck}: worn cards: {worn}. Replace them after the game.", deck=deck.id, worn=worn
            )
        if fallen is not None:
            return Said(
                "Deck {deck} reads worse than when it was new. The deck is worn, or the antennas are: try a new deck.",
                deck=fallen.name,
            )
        antennas = sum(each.kind == "antenna" for each in self._fallen)
        if antennas:
            return Said(
                "Antennas that read worse than at first: {antennas}. Have them tested.", antennas=antennas
            )
        return None

    def close(self) -> None:
        """Keeps what was counted."""
        self._keep()
        self._file.close()

    def _keep(self) -> None:
        self._judge()
        self._file.keep("cards", [astuple(card) for card in self.book.changed()])
        self._file.keep("places", [astuple(place) for place in self.book.places.values()])
        self._file.keep("table_figures", [(SPREAD, self.book.spread)])
        lives, levels = self.book.levels.changed()
        self._file.keep("decks", [astuple(life) for life in lives])
        self._file.keep("levels", [astuple(level) for level in levels])

    def _judge(self) -> None:
        self._worn = {deck.id: len(self.book.worn(deck)) for deck in self._decks}
        self._fallen = self.book.levels.fallen(self._decks)


def read_book(path: Path, decks: Iterable[Deck] = (), calibrated: Mapping[str, float] | None = None) -> Book:
    """What is known of the cards; an empty book where there is no store yet. Raises JournalError for another file.

    `calibrated`: each zone of the table → the read probability that is configured for it, or 0.
    """
    rows = store.read(path)
    figures: dict[str, float] = dict(row[:2] for row in rows["table_figures"])
    cards, places = [Worn(*row) for row in rows["cards"]], [Place(*row) for row in rows["places"]]
    levels = Levels(
        {row[:3]: Level(*row) for row in rows["levels"]}, {row[0]: Life(*row) for row in rows["decks"]}
    )
    levels.configured(decks, calibrated or {})
    return Book(cards, places, figures.get(SPREAD, UNLEARNED), levels)


@dataclass(frozen=True, slots=True)
class CardWear:
    """One card of a deck, for a technician."""

    card: Worn
    standing: Standing


def read(config: Config) -> Mapping[str, list[CardWear]]:
    """Deck → the cards that are in it now and were dealt, the worst first; of the decks of the configuration.

    For `tablectl wear` and doctor, also while the table runs. Raises JournalError if the store cannot be read.
    """
    book = _book_of(config)
    found: dict[str, list[CardWear]] = {}
    for deck in config.decks:
        cards = [CardWear(card, standing) for card, standing in book.standings(deck)]
        found[deck.id] = sorted(
            cards, key=lambda each: (each.standing.verdict == "unknown", each.standing.against)
        )
    return found


def read_fallen(config: Config) -> list[Fallen]:
    """The decks and antennas that read worse than at first. Raises JournalError if the store cannot be read."""
    return _book_of(config).levels.fallen(config.decks)


def _book_of(config: Config) -> Book:
    calibrated = _calibrated(config.layout(), config.calibration())
    return read_book(store_of(config.journal.path), config.decks, calibrated)


def _calibrated(layout: Layout, measured: Mapping[str, Calibration]) -> dict[str, float]:
    """Each zone → the read probability that is configured for its antenna; 0 where none is."""
    return {zone: (measured[zone].read or 0.0) if zone in measured else 0.0 for zone in layout.zones}
