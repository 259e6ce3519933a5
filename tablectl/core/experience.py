"""What is usual at this table: how well, and how strong, cards are read in each zone.

Owns: the read model and the usual strength of every zone, by default, as calibrated, and as the night goes on, and
how many cards of this table are hardly ever read.
Refuses: where a card lies (`core.tracker`), and what one run of looks means (`core.evidence`).
"""

from __future__ import annotations

from collections.abc import Mapping

from tablectl.core.evidence import BURNED, OWN, PILE, SPREAD, ReadModel
from tablectl.core.settings import Calibration
from tablectl.layout import BURN, MUCK, Layout, is_board

POOR = 0.02
"""Where one look in so many misses its card, one landing in fifty times as many is hardly ever read."""
SAMPLE_READS = 12
"""A landing that was read so often tells how well, and how strong, cards are read in its zone."""
BAD_RATE = 0.12
"""A landing that is read in no larger share of the looks is a bad one."""
SOUND_BAD, SOUND_LANDINGS = 0.02, 100
"""What is supposed of a table that nothing is known of yet: one landing in five thousand is bad."""
LEVEL_LANDINGS = 2
"""So many landings make a usual level."""
LEVEL_MEMORY = 60
"""Landings that the usual level is the mean of."""
CALIBRATED_LANDINGS = 4
"""A calibrated level weighs as much as so many landings: antennas and decks change after a calibration."""


def _default(zone: str) -> ReadModel:
    if is_board(zone):
        return SPREAD
    return {MUCK: PILE, BURN: BURNED}.get(zone, OWN)


class Experience:
    """What is known of the zones of one table."""

    def __init__(self, layout: Layout, calibration: Mapping[str, Calibration]) -> None:
        self._calibration = calibration
        self._own = {zone: self.model(zone, _default(zone)) for zone in layout.zones}
        self.levels: dict[str, int] = {}
        """Zone → how strong cards that lie there are usually read, where that is known."""
        self._level: dict[str, tuple[int, float]] = {}
        """Zone → (landings, mean strength)."""
        for zone, measured in calibration.items():
            if measured.strength is not None:
                self.levels[zone] = measured.strength
                self._level[zone] = CALIBRATED_LANDINGS, float(measured.strength)
        self._landings = self._looks = self._bad = 0

    def own(self, zone: str) -> ReadModel:
        """How well a card that lies in the zone is read there."""
        return self._own.get(zone) or _default(zone)

    def model(self, zone: str, usual: ReadModel) -> ReadModel:
        """The same for a card that would be read there as `usual`, where no calibration says otherwise."""
        measured = self._calibration.get(zone)
        return usual if measured is None else measured.model(usual)

    @property
    def missed(self) -> float:
        """Share of looks that miss a card that lies there, at this table; 0 while nothing is known."""
        return 1 - self._landings * SAMPLE_READS / self._looks if self._looks else 0.0

    def hardly_read(self) -> float:
        """Share of landings at this table that are hardly ever read: weak tags, cards half off."""
        return (SOUND_BAD + self._bad) / (SOUND_LANDINGS + self._landings) + POOR * self.missed

    def sampled(self, zone: str, looks: int, strength: float | None) -> None:
        """A landing was read for the SAMPLE_READS-th time, in so many looks, with that mean strength."""
        looks = max(SAMPLE_READS, looks)
        self._landings += 1
        self._looks += looks
        self._bad += looks * BAD_RATE >= SAMPLE_READS
        if strength is None:
            return
        landings, mean = self._level.get(zone, (0, 0.0))
        landings = min(landings + 1, LEVEL_MEMORY)
        mean += (strength - mean) / landings
        self._level[zone] = landings, mean
        if landings >= LEVEL_LANDINGS:
            self.levels[zone] = round(mean)

    def left(self, reads: int, looks: int) -> None:
        """A card left a seat; if it was hardly ever read there, though it lay there long enough, it is counted."""
        if reads < SAMPLE_READS <= looks * BAD_RATE:
            self._bad += 1
