"""The shuffled deck: which card comes when, strange ones included.

Owns: the order of the cards in the shoe for one hand. Refuses: dealing them.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from tablectl.sim.course import Pitch
from tablectl.sim.setup import TableSetup
from tablectl.sim.world import Card


class Shuffler:
    """Shuffles a deck, and slips in the strange cards that a course asks for."""

    def __init__(self, setup: TableSetup, rng: Random) -> None:
        self._setup, self._rng = setup, rng

    def stub(self, deck_id: str, pitches: Iterable[Pitch]) -> list[Card]:
        """The cards in the order in which they will leave the shoe, one for each pitch at least."""
        deck = self._setup.decks[deck_id]
        cards = [Card(uid, face) for uid, face in deck.cards.items()]
        self._rng.shuffle(cards)
        for place, pitch in enumerate(pitches):
            if pitch.tag == "duplicate":
                self._twin(deck_id, cards, place)
            elif pitch.tag == "untagged":
                cards[place].tagged = False
            elif pitch.tag:
                cards[place] = self._strange(deck_id, pitch.tag)
            cards[place].boxed = pitch.boxed
        return cards

    def _twin(self, deck_id: str, cards: list[Card], place: int) -> None:
        """The card at `place` becomes the spare copy of one that came before it."""
        spares = self._setup.decks[deck_id].spares
        uid, face = self._rng.choice(list(spares.items()))
        first = self._rng.randrange(place)
        now = next(i for i, card in enumerate(cards) if card.face == face)
        cards[first], cards[now] = cards[now], cards[first]
        cards[place] = Card(uid, face)

    def _strange(self, deck_id: str, tag: str) -> Card:
        if tag == "joker":
            return Card(self._rng.choice(self._setup.decks[deck_id].jokers), "joker")
        if tag == "unknown":
            return Card(f"E00401{self._rng.getrandbits(40):010X}", "unknown")
        other = next(deck for deck in self._setup.decks.values() if deck.id != deck_id)
        uid, face = self._rng.choice(list(other.cards.items()))
        return Card(uid, face)
