"""Deck wear: how well each card is read over its life, and a warning before one becomes unreliable.

    core's tracks ─every 2 s, after the alarm─▶ counting ─landings─▶ book ─after each hand─▶ shell.wear (a thread,
    SQLite)

Owns: this at a running table, the store's path, and reading it for whoever wants to know: `tablectl wear`, doctor.
Refuses: identities: on the display and in the log a deck has so many worn cards, and none is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass
from datetime import date
from pathlib import Path

from tablectl.app.wear.book import Book, Place, Standing, Worn
from tablectl.app.wear.counting import Counting
from tablectl.cards import Deck
from tablectl.config import Config
from tablectl.core.decisions import Decision, HandEvent
from tablectl.core.sensed import Sensed
from tablectl.core.table import Table
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
        self.book = read_book(path)
        self._table = table
        self._file = store.WearFile(path)
        of = {uid: deck.id for deck in decks for uid in deck.cards}
        self._counting = Counting(self.book, table.tracker, of, day)
        self._worn: dict[str, int] = {}
        self._judge()

    def took(self, event: Sensed, decisions: Iterable[Decision]) -> None:
        """After an event went through the core; nearly always one comparison."""
        self._counting.look(event.t)
        if any(isinstance(each, HandEvent) and each.event == "end" for each in decisions):
            self._keep()

    @property
    def notice(self) -> Said | None:
        """For the display between two hands: that cards of the deck in play are worn; None if none is."""
        deck = self._table.deck
        worn = self._worn.get(deck.id, 0) if deck is not None else 0
        if deck is None or not worn:
            return None
        return Said("Deck {deck}: worn cards: {worn}. Replace them after the game.", deck=deck.id, worn=worn)

    def close(self) -> None:
        """Keeps what was counted."""
        self._keep()
        self._file.close()

    def _keep(self) -> None:
        self._judge()
        self._file.keep("cards", [astuple(card) for card in self.book.changed()])
        self._file.keep("places", [astuple(place) for place in self.book.places.values()])
        self._file.keep("table_figures", [(SPREAD, self.book.spread)])

    def _judge(self) -> None:
        decks = {card.deck for card in self.book.cards.values()}
        self._worn = {deck: len(self.book.worn(deck)) for deck in decks}


def read_book(path: Path) -> Book:
    """What is known of the cards; an empty book where there is no store yet. Raises JournalError for another file."""
    rows = store.read(path)
    figures: dict[str, float] = dict(row[:2] for row in rows["table_figures"])
    cards, places = [Worn(*row) for row in rows["cards"]], [Place(*row) for row in rows["places"]]
    return Book(cards, places, figures[SPREAD]) if SPREAD in figures else Book(cards, places)


@dataclass(frozen=True, slots=True)
class CardWear:
    """One card of a deck, for a technician."""

    card: Worn
    standing: Standing


def read(config: Config) -> Mapping[str, list[CardWear]]:
    """Deck → its cards that were ever dealt, the worst first; decks that the configuration does not have are left out.

    For `tablectl wear` and doctor, also while the table runs. Raises JournalError if the store cannot be read.
    """
    book = read_book(store_of(config.journal.path))
    found: dict[str, list[CardWear]] = {}
    for deck in config.decks:
        cards = [
            CardWear(card, book.standing(card)) for card in book.cards.values() if card.uid in deck.cards
        ]
        found[deck.id] = sorted(
            cards, key=lambda each: (each.standing.verdict == "unknown", each.standing.against)
        )
    return found
