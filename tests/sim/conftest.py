"""A felt with antennas and nobody at it, so that one physical effect at a time can be looked at."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from tablectl.sim.antennas import Antenna, Read
from tablectl.sim.felt import Felt
from tablectl.sim.noise import Noise
from tablectl.sim.timeline import Timeline
from tablectl.sim.truth import Truth
from tablectl.sim.world import Card, World

SEATS = 9


class Lab:
    """One world whose cards are laid by hand, and an antenna over every zone."""

    def __init__(self, noise: Noise, seed: int = 1) -> None:
        self.noise = noise.evening(Random(seed))
        self.time, self.truth = Timeline(), Truth()
        felt = Felt(SEATS)
        zones = frozenset(felt.places)
        self.world = World(felt, zones, self.noise, Random(seed + 1), self.time, self.truth)
        self.antennas = {
            zone: Antenna(number, zone, self.world.fields[zone], self.noise, Random(seed + number))
            for number, zone in enumerate(sorted(zones))
        }
        self._uids = 0

    def card(self) -> Card:
        """A card that nobody dealt yet."""
        self._uids += 1
        return Card(f"E00401{self._uids * 0x1234567 & 0xFFFFFFFFFF:010X}", "As", k=self._uids)

    def lay(self, zone: str, count: int = 1) -> list[Card]:
        """So many cards, pushed to the zone from beside it and at rest there now."""
        cards = [self.card() for _ in range(count)]
        for card in cards:
            self.world.fly(card, zone, 1.0, start="aside", slide=False)
            self.wait(2.0)
        return cards

    def wait(self, ms: float) -> None:
        """Let that much time pass, with everything that is due in it."""
        end = self.time.now + ms
        while self.time.next_at <= end:
            self.time.step()
        self.time.pass_until(end)

    def look(self, zone: str) -> list[Read]:
        """What one look at the zone reads now."""
        return self.antennas[zone].look(self.time.now)[1]

    def share(self, zone: str, card: Card, looks: int = 400) -> float:
        """In which share of so many looks the card is read there."""
        return sum(any(uid == card.uid for _, uid, _ in self.look(zone)) for _ in range(looks)) / looks


@pytest.fixture
def lab() -> Callable[..., Lab]:
    """Makes a lab from a noise."""
    return Lab
