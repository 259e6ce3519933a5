"""The line from a board to the table computer: delay, hold-ups, loss in bursts, duplicates.

Owns: what becomes of a frame under way. Refuses: what is in it.

Losses follow Gilbert and Elliott: the line is either good, or for some frames in a row bad.
"""

from __future__ import annotations

from random import Random

from tablectl.sim.noise import Noise


class Line:
    """One board's line. Frames keep their order; between two lines nothing is ordered."""

    def __init__(self, noise: Noise, rng: Random) -> None:
        self._noise, self._rng = noise, rng
        self.offset = rng.uniform(*noise.offset_ms)
        """A constant lag of this board that nobody can see from outside, ms."""
        loss, burst = noise.loss[0], max(1.0, noise.loss_burst[0])
        self._to_good = 1 / burst
        self._to_bad = loss / (1 - loss) / burst if loss < 1 else 1.0
        self._bad = False
        self._late = noise.late[0]
        self._last = 0.0

    def garbled_at(self, t: float) -> float | None:
        """When the remains of a lost frame arrive: half of them do, damaged. None for those that vanish."""
        return max(self._last, t + self.fastest) if self._rng.random() < 0.5 else None

    @property
    def fastest(self) -> float:
        """The delay that no frame undercuts; a host cannot tell it from a clock offset, ms."""
        return self.offset + self._noise.delay_ms[0]

    def carry(self, t: float) -> list[float]:
        """When a frame sent at `t` arrives: nothing if it is lost, twice if it is duplicated."""
        rng = self._rng
        if self._to_bad:
            self._bad = rng.random() >= self._to_good if self._bad else rng.random() < self._to_bad
            if self._bad:
                return []
        delay = rng.uniform(*self._noise.delay_ms)
        if self._late and rng.random() < self._late:
            delay += rng.uniform(*self._noise.late_ms)
        self._last = max(self._last, t + self.offset + delay)
        twice = self._noise.duplicate[0] and rng.random() < self._noise.duplicate[0]
        return [self._last, self._last] if twice else [self._last]
