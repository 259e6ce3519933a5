"""Months of decks at one table, landing by landing: what `tablectl wear` must warn of, and when.

    wear_month.py MONTHS [SEED]      healthy decks: warnings; worn tags, fading decks, a weak antenna: when

Only what a landing leaves to count is drawn, by the spans of `sim.noise`: the whole simulator would take hours for a
month. `test_wear.py` proves with the whole of it that the counts of landings are right.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from tablectl.app.wear.book import Book
from tablectl.app.wear.levels import Fallen, Levels
from tablectl.cards import Deck
from tablectl.sim.noise import Noise, preset
from tablectl.sim.wear import TagWear

DAYS, HANDS_A_DAY, SEATS = 30, 350, 9
"""A table that is open ten hours a day, 35 hands an hour."""
FLOP = 0.6
"""Share of hands with a board."""
ZONES = [*(f"seat:{seat}" for seat in range(1, SEATS + 1)), "board"]
FADED = 0.3
"""What a fading deck answers at the end of its month."""


@dataclass(frozen=True)
class Warned:
    """A card was first called worn, or a deck or antenna was first said to read worse than at first."""

    uid: str
    """Of the card; of a deck or an antenna what it is called."""
    day: int
    dealt: int
    gain: float
    """What was left then: of the tag, or of the deck's worst tag, or of the antenna."""
    kind: str = "card"


@dataclass
class Month:
    """One table. `fade` gives what is left of a tag, `antenna` of an antenna, at a day; `decks` are played in turn."""

    seed: int
    noise: Noise
    days: int = DAYS
    wear: TagWear | None = None
    decks: int = 1
    fade: Callable[[Deck, str, int], float] = lambda *_: 1.0
    antenna: Callable[[str, int], float] = lambda *_: 1.0
    book: Book = field(default_factory=Book)
    enrolled: list[Deck] = field(default_factory=list)

    def __post_init__(self) -> None:
        names = ("blue", "red", "green")[: self.decks]
        self.enrolled = [
            Deck(name, {f"E0040{number}{self.seed:04X}{n:06X}": f"{n}" for n in range(52)})
            for number, name in enumerate(names, start=1)
        ]
        self.book = Book(levels=Levels())
        self.book.levels.configured(self.enrolled, dict.fromkeys(ZONES, 0.0))

    def gain(self, deck: Deck, uid: str, day: int) -> float:
        """What is left of a tag."""
        return self.fade(deck, uid, day) * (self.wear.gain(uid) if self.wear is not None else 1.0)

    def play(self) -> Iterator[Warned]:
        """The warnings, as they come."""
        rng = Random(f"wear/{self.seed}")
        antennas = {zone: rng.uniform(*self.noise.antenna_gain) for zone in ZONES}
        antennas[rng.choice(ZONES[:SEATS])] *= 0.7  # one is weak, and no card is to be blamed for it
        told: set[str] = set()
        for day in range(self.days):
            evening = self.noise.evening(rng)
            here = {zone: gain * self.antenna(zone, day) for zone, gain in antennas.items()}
            for hand in range(HANDS_A_DAY):
                deck = self.enrolled[(hand // 40 + day) % len(self.enrolled)]
                self._hand(rng, evening, here, deck, day)
                for card in self.book.worn(deck):
                    if card.uid not in told:
                        told.add(card.uid)
                        yield Warned(card.uid, day, card.dealt, self.gain(deck, card.uid, day))
            for each in self.book.levels.fallen(self.enrolled):
                if (name := f"{each.kind} {each.name}") not in told:
                    told.add(name)
                    yield Warned(each.name, day, 0, self._left(each, day), each.kind)

    def _left(self, fallen: Fallen, day: int) -> float:
        if fallen.kind == "antenna":
            return self.antenna(fallen.name, day)
        deck = next(deck for deck in self.enrolled if deck.id == fallen.name)
        return min(self.gain(deck, uid, day) for uid in deck.cards)

    def _hand(self, rng: Random, evening: Noise, antennas: dict[str, float], deck: Deck, day: int) -> None:
        cards = rng.sample(sorted(deck.cards), 2 * SEATS + 5)
        zones = [ZONES[n // 2] for n in range(2 * SEATS)] + (["board"] * 5 if rng.random() < FLOP else [])
        for uid, zone in zip(cards, zones, strict=False):
            if self.wear is not None:
                self.wear.dealt(uid)
            reads, looks = _landing(rng, evening, antennas[zone] * self.gain(deck, uid, day))
            if looks < 12 or not reads:
                continue
            card = self.book.dealt(uid, deck.id, f"2026-{1 + day // 28:02}-{1 + day % 28:02}")
            self.book.lay(card, zone, {5 if zone == "board" else 2: (looks, reads)})


def month(seed: int, noise: Noise, wear: TagWear | None = None, days: int = DAYS) -> Iterator[Warned]:
    """The warnings of one deck's month."""
    return Month(seed, noise, days, wear).play()


def fading(share: float, begins: int = 4, ends: int = DAYS) -> Callable[[Deck, str, int], float]:
    """So many of the blue deck's tags fade evenly to FADED, from the one day to the other."""

    def left(deck: Deck, uid: str, day: int) -> float:
        fades = deck.id == "blue" and int(deck.cards[uid]) < 52 * share
        return 1 - (1 - FADED) * min(1.0, max(0, day - begins) / (ends - begins)) if fades else 1.0

    return left


def weakening(zones: int, begins: int = 4, ends: int = DAYS) -> Callable[[str, int], float]:
    """So many of the antennas weaken evenly to FADED."""

    def left(zone: str, day: int) -> float:
        weak = zone in ZONES[:zones]
        return 1 - (1 - FADED) * min(1.0, max(0, day - begins) / (ends - begins)) if weak else 1.0

    return left


def _landing(rng: Random, noise: Noise, gain: float) -> tuple[int, int]:
    """Reads and looks of one landing: its luck, the card beside it, metal on it."""
    miss, kappa = noise.miss[0], noise.miss_kappa[0]
    p = 1 - rng.betavariate(miss * kappa, (1 - miss) * kappa)
    p *= gain * 0.5 ** rng.uniform(*noise.overlap)
    if rng.random() < noise.protector[0]:
        p *= rng.uniform(*noise.protector_gain)
    looks = round(rng.uniform(15, 300))
    reads = round(rng.gauss(looks * p, (looks * p * (1 - p)) ** 0.5))
    return max(0, min(looks, reads)), looks


def main(months: int, first: int) -> None:
    for name in ("light", "heavy"):
        noise, seeds = preset(name), range(first, first + months)
        cases: dict[str, Callable[[int], Month]] = {
            "sound": lambda seed, noise=noise: Month(seed, noise, decks=2),  # type: ignore[misc]
            "worn tags": lambda seed, noise=noise: Month(seed, noise, wear=_worn_tags(seed)),  # type: ignore[misc]
            "a quarter fades": lambda seed, noise=noise: Month(seed, noise, fade=fading(0.25)),  # type: ignore[misc]
            "half fades": lambda seed, noise=noise: Month(seed, noise, fade=fading(0.5)),  # type: ignore[misc]
            "all fade, one deck": lambda seed, noise=noise: Month(seed, noise, fade=fading(1)),  # type: ignore[misc]
            "all fade, two decks": lambda seed, noise=noise: Month(seed, noise, decks=2, fade=fading(1)),  # type: ignore[misc]
            "an antenna weakens": lambda seed, noise=noise: Month(seed, noise, decks=2, antenna=weakening(1)),  # type: ignore[misc]
        }
        for case, make in cases.items():
            sys.stdout.write(f"{name}, {case}, {months} months: {_shown([make(seed) for seed in seeds])}\n")
            sys.stdout.flush()


def _worn_tags(seed: int) -> TagWear:
    return TagWear(share=(0.08, 0.08), begins=(200, 1500), lasts=(3000, 8000), rng=Random(f"tags/{seed}"))


def _shown(tables: list[Month]) -> str:
    """What was told, with what was left then (least, middle, most), and what was missed of the cards."""
    gains: dict[str, list[float]] = {}
    missed = 0
    for table in tables:
        found = list(table.play())
        for each in found:
            gains.setdefault(each.kind if each.gain < 1 else f"sound {each.kind}", []).append(each.gain)
        told = {each.uid for each in found}
        last = table.days - 1
        missed += sum(
            table.gain(deck, uid, last) < 0.6 and not {uid, deck.id} & told
            for deck in table.enrolled
            for uid in deck.cards
        )
    parts = []
    for kind, left in gains.items():
        left.sort()
        parts.append(f"{len(left)} × {kind} at {left[0]:.2f} / {left[len(left) // 2]:.2f} / {left[-1]:.2f}")
    return f"{', '.join(parts) or 'nothing told'}; {missed} cards below 0.6 untold"


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
