"""Counting a deck: whether every card of it was seen, and nothing else.

Owns: what was seen and what that leaves. Refuses: naming cards of a blind deck, which it cannot.

Spares are equal to the card they stand for: one of the two must be there, both are a double. What no antenna read
within the count is missing; a UID that no deck knows counts once it was read twice (see `core.sightings`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tablectl.cards import FACES, Deck
from tablectl.core.sightings import UNKNOWN_UID_MEMORY_MS
from tablectl.enrol.order import said_of


class Count:
    """One count of a deck. `others` are the table's other decks, `button_tags` no cards at all."""

    def __init__(self, deck: Deck, others: Iterable[Deck] = (), button_tags: Iterable[str] = ()) -> None:
        self.deck = deck
        self._others = tuple(others)
        self._button_tags = frozenset(button_tags)
        self._seen: set[str] = set()
        self._foreign: dict[str, str | None] = {}
        self._once: dict[str, int] = {}
        self._tokens = dict.fromkeys(deck.cards.values())

    def read(self, uid: str, t: int) -> bool:
        """A tag was read at `t`, ms; True if that is news."""
        if uid in self._button_tags or uid in self._seen or uid in self._foreign:
            return False
        if uid in self.deck:
            self._seen.add(uid)
            return True
        of = next((deck.id for deck in self._others if uid in deck), None)
        before = self._once.get(uid)
        self._once[uid] = t
        if of is None and (before is None or t == before or t - before > UNKNOWN_UID_MEMORY_MS):
            return False
        self._foreign[uid] = of
        return True

    @property
    def cards(self) -> int:
        """Cards that a whole deck has, spares left out."""
        return len(self._tokens)

    @property
    def seen(self) -> int:
        """Different cards that were seen."""
        return len(self._tokens_seen())

    @property
    def jokers(self) -> int:
        """Jokers of this deck that were seen."""
        return len(self._seen & self.deck.jokers)

    def _tokens_seen(self) -> Counter[str]:
        return Counter(self.deck.cards[uid] for uid in self._seen if uid in self.deck.cards)

    def missing(self) -> list[str]:
        """Tokens of the cards that were not seen."""
        seen = self._tokens_seen()
        return [token for token in self._tokens if token not in seen]

    def doubles(self) -> list[str]:
        """Tokens of which two cards were seen."""
        return [token for token, count in self._tokens_seen().items() if count > 1]

    def faults(self, *, named: bool) -> list[str]:
        """What is wrong with the deck, a sentence each; cards are named only if `named`."""
        missing = self.missing()
        said = [f"{_cards(len(missing))} missing{_names(missing, named=named)}"] if missing else []
        return said + self.too_much(named=named)

    def too_much(self, *, named: bool) -> list[str]:
        """What was seen that should not be there: this is known before the count is over."""
        said = []
        doubles = self.doubles()
        if doubles:
            said.append(f"{_cards(len(doubles))} there twice{_names(doubles, named=named)}")
        decks = Counter(self._foreign.values())
        for of, count in sorted(decks.items(), key=lambda pair: pair[0] or ""):
            cards = "1 card" if count == 1 else f"{count} cards"
            said.append(f"{cards} of {f'deck {of}' if of is not None else 'no deck of this table'}")
        return said


def _cards(count: int) -> str:
    return "1 card is" if count == 1 else f"{count} cards are"


def _names(tokens: list[str], *, named: bool) -> str:
    if not named:
        return ""
    return ": " + ", ".join(said_of(token) if token in FACES else "?" for token in tokens)
