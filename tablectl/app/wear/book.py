"""How well each card of a deck is read over its life, against the other cards at the same places.

Theory of operation. Each *landing* of a card gives one number: the share of looks that read it, against the mean
share of the cards that lay there. A *place* is a zone together with how many cards lie in it, so that a weak
antenna, a place under chips and two cards on one another are blamed on no card. A landing keeps its luck: looks of
one landing say the same again and again. So landings are averaged, not looks, and how far landings differ is learned
from all cards. Its recent mean is held against what the better cards of the deck reach (`levels.UPPER`), so that a
deck of which half fades does not hide it. A card is *worn* when even the upper end of its interval is low; the
interval is wide enough (`SURE`) for 52 cards that are looked at every hand for a month. Two sums: a life's, which is
told, and a recent one, which forgets and judges, because a tag that begins to fail has a good past. A deck that fades
as a whole has no better cards: `levels` knows what it was when new.

A card counts as long as it is in its deck: `Book.of` says which are, and everybody asks it.

Owns: those sums, the expectation, the verdict. Refuses: clocks, files, and where a card lies (`counting`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from tablectl.app.wear.levels import Levels, upper
from tablectl.cards import Deck

Verdict = Literal["good", "watch", "worn", "unknown"]

WORN = 0.8
"""A card that surely is read in a smaller share of looks than its peers, by this factor, is worn. At a gain of 0.7 the
tracker misses the place of 4 landings in 100, of a sound card 2; at 0.5 it is 7 (25 hands in light noise, 216
landings)."""
WATCH = 0.9
"""A card that probably (95 %) is below this is told in the table of `tablectl wear`, and nowhere else."""
SURE, PROBABLE = 4.5, 1.96
"""Half widths of the intervals in standard errors: 52 cards judged after each of 350 hands a day, for a month."""
RECENT = 150.0
"""Landings that the recent mean rests on: about two nights of a table of nine."""
LEAST = 40
"""A card is judged after so many landings."""
PLACE_MEMORY = 400.0
PLACE_LEAST = 8
"""Landings that the mean of a place rests on, and without which it tells nothing."""
SPREAD, SPREAD_MEMORY = 0.25, 2000.0
"""Standard deviation of a landing against its peers before much is known, and how many landings it is learned from."""
PEERS = 8
"""Cards that must be judged before the better ones of them are a measure."""
MOST_RATIO = 1.6
"""A single landing counts for no more than this: at a place that is read poorly the ratio has a long tail."""


@dataclass(slots=True)
class Place:
    """What is usual where so many cards lie in a zone: mean share of looks that read a card, and from how much."""

    zone: str
    cards: int
    mean: float = 0.0
    weight: float = 0.0

    def add(self, share: float) -> None:
        """One landing more."""
        self.weight = min(self.weight + 1, PLACE_MEMORY)
        self.mean += (share - self.mean) / self.weight


@dataclass(slots=True)
class Worn:
    """One card: its life, and how it has been of late."""

    uid: str
    deck: str
    first_day: str
    """ISO date, by the wall clock"""
    last_day: str
    days: int = 1
    """Days on which it was dealt."""
    dealt: int = 0
    """Landings at a seat or on the board, which is once a hand."""
    looks: int = 0
    reads: int = 0
    expected: float = 0.0
    """Reads that its peers would have had in the same looks."""
    judged: int = 0
    """Landings at places where enough was known of its peers."""
    recent: float = 1.0
    """Mean of the recent landings against their peers; 1.0 is as good as they are."""
    weight: float = 0.0
    """How many landings that mean rests on; it forgets."""

    def add(self, ratio: float) -> None:
        """One landing against its peers."""
        self.judged += 1
        self.weight = min(self.weight + 1, RECENT)
        self.recent += (ratio - self.recent) / self.weight

    @property
    def life(self) -> float | None:
        """Reads against those of its peers over its whole life."""
        return self.reads / self.expected if self.expected else None


@dataclass(frozen=True, slots=True)
class Standing:
    """How a card stands: against its peers, with a 95 % interval, and the verdict."""

    against: float
    low: float
    high: float
    verdict: Verdict


class Book:
    """All cards of a table. What was changed since the last `changed` is to be kept."""

    def __init__(
        self,
        cards: Iterable[Worn] = (),
        places: Iterable[Place] = (),
        spread: float = SPREAD,
        levels: Levels | None = None,
    ) -> None:
        self.levels = levels or Levels()
        self.cards = {card.uid: card for card in cards}
        self.places = {(place.zone, place.cards): place for place in places}
        self.spread = spread
        """Standard deviation of one landing against its peers, at this table."""
        self._changed: set[str] = set()
        self._landings = SPREAD_MEMORY if spread != SPREAD else 0.0

    def dealt(self, uid: str, deck: str, day: str) -> Worn:
        """The card came to rest somewhere, today."""
        card = self.cards.get(uid)
        if card is None:
            card = self.cards[uid] = Worn(uid, deck, day, day)
        if card.last_day != day:
            card.days += 1
            card.last_day = day
        card.deck = deck
        card.dealt += 1
        self.levels.dealt(deck, day)
        self._changed.add(uid)
        return card

    def lay(self, card: Worn, zone: str, counted: Mapping[int, tuple[int, int]]) -> None:
        """It lay there. `counted`: how many cards lay in the zone → (looks, reads of this card) meanwhile."""
        looks = reads = 0
        expected = 0.0
        for cards, (looked, read) in counted.items():
            place = self.places.setdefault((zone, cards), Place(zone, cards))
            if place.weight >= PLACE_LEAST and place.mean > 0:
                looks, reads = looks + looked, reads + min(read, looked)
                expected += place.mean * looked
            place.add(min(1.0, read / looked))
            self.levels.lay(card.deck, zone, cards, min(1.0, read / looked))
        if expected:
            card.looks += looks
            card.reads += reads
            card.expected += expected
            ratio = min(reads / expected, MOST_RATIO)
            self._learn(ratio - (card.recent if card.weight >= PLACE_LEAST else 1.0))
            card.add(ratio)
        self._changed.add(card.uid)

    def _learn(self, off: float) -> None:
        self._landings = min(self._landings + 1, SPREAD_MEMORY)
        weight = self._landings + PLACE_LEAST
        self.spread = sqrt(self.spread**2 + (off * off - self.spread**2) / weight)

    def of(self, deck: Deck) -> list[Worn]:
        """The cards that are in the deck now, as far as they were dealt.

        Of two tags for one card only the one that was dealt last: a spare retires the card it stands for. Not those
        that were dealt in none of the deck's last nights: they were taken out, or their tag is dead, which the table
        tells of at once.
        """
        since = self.levels.since(deck.id)
        in_play: dict[str, Worn] = {}
        for uid, token in deck.cards.items():
            card = self.cards.get(uid)
            if card is None or card.last_day < since:
                continue
            other = in_play.get(token)
            if other is None or (card.last_day, card.first_day) > (other.last_day, other.first_day):
                in_play[token] = card
        return list(in_play.values())

    def standings(self, deck: Deck) -> list[tuple[Worn, Standing]]:
        """How the cards that are in the deck now stand."""
        cards = self.of(deck)
        judged = [card.recent for card in cards if card.judged >= LEAST]
        peers = max(1.0, upper(judged)) if len(judged) >= PEERS else 1.0
        return [(card, self._standing(card, peers)) for card in cards]

    def worn(self, deck: Deck) -> list[Worn]:
        """The worn cards of a deck."""
        return [card for card, standing in self.standings(deck) if standing.verdict == "worn"]

    def _standing(self, card: Worn, peers: float) -> Standing:
        if card.judged < LEAST:
            return Standing(card.recent, 0.0, MOST_RATIO, "unknown")
        # A mean that forgets rests on up to twice as many landings as a plain one of its weight.
        against, error = card.recent / peers, self.spread / sqrt(min(float(card.judged), RECENT))
        low, high = against - PROBABLE * error, against + PROBABLE * error
        if against + SURE * error < WORN:
            verdict: Verdict = "worn"
        else:
            verdict = "watch" if high < WATCH else "good"
        return Standing(against, max(0.0, low), high, verdict)

    def changed(self) -> list[Worn]:
        """The cards that have changed since this was asked last."""
        found = [self.cards[uid] for uid in sorted(self._changed)]
        self._changed.clear()
        return found
