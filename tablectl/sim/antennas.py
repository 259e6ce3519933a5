"""Antennas: one look at a field, and which tags it reads.

Owns: chance of each read, signal strength, garbled UIDs, and through `airtime` the time a look takes.
Refuses: when to look (`board`) and where the cards are (`world`).
"""

from __future__ import annotations

from random import Random

from tablectl.sim import airtime
from tablectl.sim.noise import Noise
from tablectl.sim.world import Field

Read = tuple[float, str, int | None]
"""(ms since the look began, UID as read, RSSI in dBm or None)"""


WEAK_BELOW = 0.6
"""An antenna that reads worse than this share of a sound one reports itself as weak."""


class Antenna:
    """One antenna over one zone."""

    def __init__(self, number: int, zone: str, field: Field, noise: Noise, rng: Random) -> None:
        self.number, self.zone, self.field = number, zone, field
        self.gain = rng.uniform(*noise.antenna_gain)
        if rng.random() < noise.weak_antenna[0]:
            self.gain *= rng.uniform(*noise.weak_antenna_gain)
        self.level = rng.uniform(*noise.rssi_level)
        self.dead = bool(noise.dead_antenna[0]) and rng.random() < noise.dead_antenna[0]
        self.looks = 0
        self.neighbours: frozenset[str] = frozenset()
        """Zones whose field, if on at the same time on another board, disturbs this one."""
        self._noise, self._rng = noise, rng
        self._corrupt = noise.uid_corrupt[0]
        self._rows: list[tuple[float, str, float]] = []
        self._version = -1
        self._several = False
        """The last look heard more than one tag."""

    @property
    def state(self) -> str:
        """What the board says of it: ok, weak, or open if it reads nothing."""
        if self.dead:
            return "open"
        return "weak" if self.gain < WEAK_BELOW else "ok"

    def look(self, t: float, factor: float = 1.0) -> tuple[float, list[Read]]:
        """One look that begins at `t`: how long it takes (ms, without guard time), and what was read.

        `factor` scales every read probability (interference).
        """
        self.looks += 1
        if self.dead:
            return airtime.LOOK_EMPTY, []
        field, chance = self.field, self._rng.random
        if self._version != field.version:
            self._see(field)
        heard = [(uid, level) for p, uid, level in self._rows if chance() < p * factor] if self._rows else []
        if field.passing:
            heard += self._hear_passing(t, factor)
        several, self._several = self._several, len(heard) > 1
        if len(heard) < 2 and not several:
            if not heard:
                return airtime.LOOK_EMPTY, []
            uid, level = heard[0]
            return airtime.LOOK_ONE, [(airtime.LOOK_ONE, self._uid(uid), self._rssi(level))]
        long, times = airtime.look(tuple([uid for uid, _ in heard]), several=several)
        reads: dict[str, Read] = {}
        for (uid, level), at in zip(heard, times, strict=True):
            if at >= 0:
                reads[uid] = (at, self._uid(uid), self._rssi(level))
        return long, list(reads.values())

    def _see(self, field: Field) -> None:
        """The steady reaches as (probability, UID, level); valid until the field's version changes."""
        gain = self.gain * field.gain
        self._rows = [
            (
                reach.p * reach.card.gain * reach.card.cover_factor * gain,
                reach.card.uid,
                self.level + reach.db,
            )
            for reach in field.steady
        ]
        self._version = field.version

    def _hear_passing(self, t: float, factor: float) -> list[tuple[str, float]]:
        field = self.field
        if any(reach.end <= t for reach in field.passing):
            field.passing = [reach for reach in field.passing if reach.end > t]
        scale = self.gain * field.gain * factor
        return [
            (reach.card.uid, self.level + reach.db)
            for reach in field.passing
            if reach.start <= t
            and self._rng.random() < reach.p * reach.card.gain * reach.card.cover_factor * scale
        ]

    def _rssi(self, level: float) -> int | None:
        noise = self._noise
        if not noise.rssi:
            return None
        if noise.rssi_read_db:
            level += self._rng.gauss(0, noise.rssi_read_db)
        if noise.rssi_outlier and self._rng.random() < noise.rssi_outlier:
            level += self._rng.choice((-1, 1)) * self._rng.uniform(*noise.rssi_outlier_db)
        step = noise.rssi_step_db
        return max(-128, min(127, step * round(level / step)))

    def _uid(self, uid: str) -> str:
        """The UID, or what noise made of it: shifted by one bit, as neighbouring fields do."""
        if not self._corrupt or self._rng.random() >= self._corrupt:
            return uid
        width = len(uid)
        return f"{int(uid, 16) << 1 & (1 << 4 * width) - 1 | self._rng.getrandbits(1):0{width}X}"
