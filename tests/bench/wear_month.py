"""A month of one deck, landing by landing: what `tablectl wear` must warn of, and when.

    wear_month.py MONTHS [SEED]      prints warnings of healthy decks, and when worn tags were warned of

Only what a landing leaves to count is drawn, by the spans of `sim.noise`: the whole simulator would take hours for a
month. `test_wear.py` proves with the whole of it that the counts of landings are right.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tablectl.app.wear.book import Book
from tablectl.sim.noise import Noise, preset
from tablectl.sim.wear import TagWear

DAYS, HANDS_A_DAY, SEATS = 30, 350, 9
"""A table that is open ten hours a day, 35 hands an hour."""
FLOP = 0.6
"""Share of hands with a board."""


@dataclass(frozen=True)
class Warned:
    """A card was first called worn."""

    uid: str
    day: int
    dealt: int
    gain: float
    """What the tag's wear had left of it then."""


def month(seed: int, noise: Noise, wear: TagWear | None = None, days: int = DAYS) -> Iterator[Warned]:
    """The warnings of one deck's month."""
    rng = Random(f"wear/{seed}")
    book = Book()
    cards = [f"E00401{seed:04X}{n:06X}" for n in range(52)]
    antennas = [rng.uniform(*noise.antenna_gain) for _ in range(SEATS + 1)]
    antennas[rng.randrange(SEATS)] *= 0.7  # one is weak, and no card is to be blamed for it
    warned: set[str] = set()
    for day in range(days):
        evening = noise.evening(rng)
        for _ in range(HANDS_A_DAY):
            deck = rng.sample(cards, 2 * SEATS + 5)
            places = [n // 2 for n in range(2 * SEATS)] + ([SEATS] * 5 if rng.random() < FLOP else [])
            for uid, place in zip(deck, places, strict=False):
                if wear is not None:
                    wear.dealt(uid)
                gain = wear.gain(uid) if wear is not None else 1.0
                reads, looks = _landing(rng, evening, antennas[place] * gain)
                if looks < 12 or not reads:
                    continue
                card = book.dealt(uid, "blue", f"day {day}")
                zone = f"seat:{place + 1}" if place < SEATS else "board"
                book.lay(card, zone, {2 if place < SEATS else 5: (looks, reads)})
                if uid not in warned and book.standing(card).verdict == "worn":
                    warned.add(uid)
                    yield Warned(uid, day, card.dealt, gain)


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
        false = [warned for seed in range(first, first + months) for warned in month(seed, preset(name))]
        sys.stdout.write(f"{name}: healthy: {len(false)} warnings in {months} months of 52 cards {false}\n")
        sys.stdout.flush()
        gains, missed, early = [], 0, 0
        for seed in range(first, first + months):
            wear = TagWear(
                share=(0.08, 0.08), begins=(200, 1500), lasts=(3000, 8000), rng=Random(f"tags/{seed}")
            )
            found = {each.uid: each for each in month(seed, preset(name), wear)}
            left = {uid: wear.gain(uid) for uid in wear.deals}
            gains += [each.gain for each in found.values() if left[each.uid] < 1]
            early += sum(1 for each in found.values() if left[each.uid] == 1)
            missed += sum(1 for uid, gain in left.items() if gain < 0.6 and uid not in found)
        gains.sort()
        sys.stdout.write(
            f"{name}: worn: {len(gains)} warned at gain {gains[0]:.2f} / {gains[len(gains) // 2]:.2f} / "
            f"{gains[-1]:.2f} (least, middle, most); {missed} below 0.6 without a warning; {early} of sound cards\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
