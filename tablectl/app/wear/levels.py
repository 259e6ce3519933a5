"""How well a whole deck is read, and each antenna reads, against the deck's first nights.

Theory of operation. A card that is compared with its peers (`book`) tells nothing when all of them fade alike. So each
*place* (a zone together with how many cards lie in it) keeps for good what share of looks read a card of this deck
in the deck's first nights. A later night gives each zone one number: its reads against those of then. A card comes to
every seat in turn, so a deck that fades reads worse at *all* zones, and an antenna that weakens at its own alone: a
deck's night is what the upper quarter of the zones reaches (`UPPER`), and an antenna is judged by what it differs
from that. What is common to all zones may be the deck or all antennas: another deck that is read today as well as
this one was when new shows that it is the deck; without one both are said. Nights are averaged, not landings: players
and their chips are other ones each night, and how far nights differ is learned.

A configured calibration is no reference itself: it was measured with one card at rest, without chips, hands and
neighbours. But an antenna whose calibration has changed was mended or moved: its reference is taken anew, against what
had become of the deck by then, so that this hides no wear.

Owns: those sums, and the findings. Refuses: single cards (`book`), clocks, files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Literal

from tablectl.cards import Deck

FIRST_NIGHTS = 3
"""Nights of a deck that make its reference."""
NIGHT_LEAST = 150
"""A night with fewer landings goes on with the next one: some seven hands of nine seats."""
PLACE_LEAST = 8
"""A place with fewer landings in a night says nothing of it."""
LATELY = 3.0
"""Nights that the recent mean rests on."""
UPPER = 0.75
"""Share of the zones that may be weaker for reasons of their own without the deck being blamed."""
FALLEN = 0.9
"""A deck or an antenna that surely reads less of what it did at first, by this factor, is told."""
SURE = 3.0
"""Half width of that interval in standard errors. A sound deck stands at 1.0 or a little above (`UPPER`), which is as
far again from FALLEN."""
SPREAD, SPREAD_NIGHTS = 0.04, 10.0
"""Standard deviation of a night, and for how many nights that is believed before any was seen."""
LAST_NIGHTS = 5
"""A card that was dealt in none of so many nights of its deck is in it no more."""
SAME_DECK = 0.5
"""Share of its tags that a deck must still have to be the one that it was; a spare or two change little."""

Kind = Literal["deck", "either", "antenna"]

REMEDY: Mapping[Kind, str] = {
    "deck": "replace the deck: another one is read there as well as ever",
    "either": "play a new deck for two nights: the deck is worn, or the antennas are, and no other deck tells which",
    "antenna": "see to its cable and antenna, then calibrate it: every deck that was dealt reads worse there alone",
}
"""What a technician does about what has fallen."""


@dataclass(slots=True)
class Level:
    """One place for one deck: what was read in its first nights, of late, and in this night."""

    deck: str
    zone: str
    cards: int
    calibrated: float = 0.0
    """Configured read probability of its antenna when the reference was taken; 0 if there was none."""
    new: float = 0.0
    """The reference: mean share of looks that read a card; kept for good."""
    new_landings: int = 0
    new_nights: int = 0
    recent: float = 0.0
    """The same of late."""
    nights: int = 0
    """Nights after the first ones."""
    tonight: float = 0.0
    """Sum of this night's shares."""
    landings: int = 0
    """Landings of this night."""

    def begin_anew(self, calibrated: float) -> None:
        """Another antenna lies here: what was known of this place is no reference."""
        self.calibrated, self.new, self.new_landings, self.new_nights = calibrated, 0.0, 0, 0
        self.recent, self.nights, self.tonight, self.landings = 0.0, 0, 0.0, 0

    def close(self, of_deck: float) -> None:
        """The night is over; the deck reads `of_deck` of what it did when new."""
        mean = self.tonight / self.landings
        if self.new_nights < FIRST_NIGHTS:
            self.new_nights += 1
            self.new_landings += self.landings
            self.new += (mean / of_deck - self.new) * self.landings / self.new_landings
        else:
            self.nights += 1
            self.recent += (mean - self.recent) / min(float(self.nights), LATELY)
        self.tonight, self.landings = 0.0, 0


@dataclass(slots=True)
class Life:
    """One deck: its tags, its nights, and what is left of its reading."""

    deck: str
    tags: str
    """UIDs, as they were configured last, with blanks between."""
    day: str = ""
    """ISO date of the night that is being counted."""
    last_nights: str = ""
    """ISO dates of its last nights, with blanks between."""
    nights: int = 0
    left: float = 1.0
    """What it reads of late against its first nights."""
    last: float = 1.0
    """What it read in the last night."""
    judged: int = 0
    """Nights after the first ones."""
    spread: float = SPREAD
    """Standard deviation of one night."""

    def close(self, share: float | None) -> None:
        """A night is over; against the first ones it read that share."""
        self.nights += 1
        if share is None:
            return
        if self.judged:
            off, weight = share - self.last, min(float(self.judged), 2 * SPREAD_NIGHTS) + SPREAD_NIGHTS
            # Two nights in turn differ by the luck of both, and hardly by what the deck lost in between.
            self.spread = sqrt(self.spread**2 + (off * off / 2 - self.spread**2) / weight)
        self.judged += 1
        self.left += (share - self.left) / min(float(self.judged), LATELY)
        self.last = share

    @property
    def error(self) -> float:
        """Standard error of `left`: of the nights lately and of the first ones."""
        return self.spread * sqrt(1 / min(float(max(self.judged, 1)), LATELY) + 1 / FIRST_NIGHTS)


@dataclass(frozen=True, slots=True)
class Fallen:
    """What reads worse than at first: a deck, an antenna, or one cannot tell which of both."""

    kind: Kind
    name: str
    """The deck, or the antenna's zone."""
    left: float
    """What it reads of what it did."""

    @property
    def text(self) -> str:
        """What is wrong, for a technician."""
        if self.kind == "antenna":
            return f"{self.name} reads {100 * self.left:.0f} % of what it read in the decks' first nights"
        return f"deck {self.name} reads {100 * self.left:.0f} % of what it read in its first nights"

    @property
    def do(self) -> str:
        """What would put it right, and why that."""
        return REMEDY[self.kind]


@dataclass(slots=True)
class Levels:
    """All decks and places of a table."""

    levels: dict[tuple[str, str, int], Level] = field(default_factory=dict)
    lives: dict[str, Life] = field(default_factory=dict)
    calibrated: Mapping[str, float] = field(default_factory=dict)
    """Zone → configured read probability of its antenna; 0 where none is."""
    _touched: set[str] = field(default_factory=set)
    """Decks whose rows are to be kept."""

    def configured(self, decks: Iterable[Deck], calibrated: Mapping[str, float]) -> None:
        """The decks of the configuration, and its zones with what is known of their antennas; before all else.

        A deck of which hardly a tag is left is another one under the same id, and begins anew.
        """
        self.calibrated = calibrated
        for deck in decks:
            life = self.lives.get(deck.id)
            tags = set(life.tags.split()) if life is not None else set()
            other = len(tags & set(deck.cards)) < SAME_DECK * len(tags)
            if life is None or other:
                life = self.lives[deck.id] = Life(deck.id, "")
            for level in self._of(deck.id):
                now = calibrated.get(level.zone, 0.0)
                if other or (level.new_nights and level.calibrated != now):
                    level.begin_anew(now)
            life.tags = " ".join(sorted(deck.cards))
            self._touched.add(deck.id)

    def changed(self) -> tuple[list[Life], list[Level]]:
        """The decks that have changed since this was asked last, and their places."""
        decks, self._touched = self._touched, set()
        return (
            [self.lives[deck] for deck in sorted(decks)],
            [level for level in self.levels.values() if level.deck in decks],
        )

    def dealt(self, deck: str, day: str) -> None:
        """A card of the deck came to rest, today."""
        self._touched.add(deck)
        life = self.lives.setdefault(deck, Life(deck, ""))
        if life.day == day:
            return
        if sum(level.landings for level in self._of(deck)) >= NIGHT_LEAST:
            self._close(life)
        life.day = day
        life.last_nights = " ".join([*life.last_nights.split(), day][-LAST_NIGHTS:])

    def lay(self, deck: str, zone: str, cards: int, share: float) -> None:
        """One landing of one of its cards: the share of looks that read it."""
        key = (deck, zone, cards)
        level = self.levels.get(key)
        if level is None:
            level = self.levels[key] = Level(*key, calibrated=self.calibrated.get(zone, 0.0))
        level.tonight += share
        level.landings += 1

    def since(self, deck: str) -> str:
        """ISO date before which a card of the deck must not have been dealt last; empty if no night was counted."""
        nights = self.lives[deck].last_nights.split() if deck in self.lives else []
        return nights[0] if len(nights) == LAST_NIGHTS else ""

    def fallen(self, decks: Iterable[Deck]) -> list[Fallen]:
        """What surely reads worse than at first, of these decks and the configured zones."""
        lives = [self.lives[deck.id] for deck in decks if deck.id in self.lives]
        found = [self._of_deck(life, lives) for life in lives if self._low(life.left, life)]
        return [*found, *self._antennas(lives)]

    # --- inside ---------------------------------------------------------------------------------------------

    def _of(self, deck: str) -> Iterator[Level]:
        return (level for level in self.levels.values() if level.deck == deck)

    def _close(self, life: Life) -> None:
        counted = [level for level in self._of(life.deck) if level.landings >= PLACE_LEAST]
        zones: dict[str, list[float]] = {}
        for level in counted:
            if level.new_nights >= FIRST_NIGHTS and level.new > 0:
                sums = zones.setdefault(level.zone, [0.0, 0.0])
                sums[0] += level.tonight
                sums[1] += level.new * level.landings
        shares = [read / expected for read, expected in zones.values()]
        life.close(upper(shares) if shares else None)
        for level in counted:
            level.close(max(life.left, 0.01))

    @staticmethod
    def _low(left: float, life: Life) -> bool:
        return life.judged >= 2 and left + SURE * life.error < FALLEN

    def _of_deck(self, life: Life, lives: Iterable[Life]) -> Fallen:
        """Is it the deck? Only if another one is read better today, at the same antennas, than it is."""
        others = [self._today(life.deck, other.deck) for other in lives if other is not life and other.nights]
        best = min(1.0, max(others, default=0.0))
        sure = best > 0 and self._low(life.left / best, life)
        return Fallen("deck" if sure else "either", life.deck, life.left)

    def _today(self, deck: str, other: str) -> float:
        """How the other deck is read today against how this one was when new; 0 if that is not known."""
        shares = []
        for level in self._of(deck):
            same = self.levels.get((other, level.zone, level.cards))
            if same is not None and level.new > 0 and (same.nights or same.new_nights):
                shares.append((same.recent if same.nights else same.new) / level.new)
        return upper(shares) if shares else 0.0

    def _antennas(self, lives: Iterable[Life]) -> Iterator[Fallen]:
        """Zones that read worse than the others do, for every deck that tells of them."""
        told: dict[str, list[tuple[float, Life]]] = {}
        for life in lives:
            zones: dict[str, list[Level]] = {}
            for level in self._of(life.deck):
                if level.zone in self.calibrated and level.nights >= LATELY and level.new > 0:
                    zones.setdefault(level.zone, []).append(level)
            for zone, levels in zones.items():
                expected = sum(level.new * level.new_landings for level in levels)
                share = sum(level.recent * level.new_landings for level in levels) / expected
                told.setdefault(zone, []).append((share / max(life.left, 0.01), life))
        for zone, shares in told.items():
            if all(self._low(share, life) for share, life in shares):
                yield Fallen("antenna", zone, sum(share for share, _ in shares) / len(shares))


def upper(shares: list[float]) -> float:
    """What the upper quarter of them reaches."""
    return sorted(shares)[min(len(shares) - 1, int(UPPER * len(shares)))]
