"""Sweeps put together again from the frames that carried them.

Owns: which antennas a sweep has looked at completely. Refuses: UIDs, clocks, frames.

A sweep, and one antenna's list too, may span several frames with the same number; an antenna's bit is set in
the frame that completes its list. So the tags of an antenna wait until that bit comes, and everything else
goes on at once. When a frame was lost, nobody knows what it held: all antennas that complete a list in the
sweep around the loss count as not polled. Their tags are still handed on, because a tag that was read is
evidence; only "nothing else was there" is not. The sweep after a loss is whole if as many sweeps are missing
as frames.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MOST_HELD = 1024
"""Tags held back at most; a board that never completes a list must not fill the memory."""


@dataclass(frozen=True, slots=True)
class Read:
    """One tag as one antenna read it, at `at` milliseconds of the host's clock."""

    antenna: int
    uid: str
    rssi: int | None
    at: int


Part = tuple[tuple[int, ...], list[Read]]
"""(antennas looked at completely, tags seen): what can be handed on."""


class Sweeps:
    """Takes SIGHTINGS one by one, gives what is complete."""

    def __init__(self) -> None:
        self.doubted = 0
        """Antennas that had been polled, but count as not polled because a frame was lost."""
        self._sweep: int | None = None
        self._lost = 0
        self._doubtful = False
        self._held: dict[int, list[Read]] = {}
        self._held_count = 0

    def restart(self, *, mid_sweep: bool) -> None:
        """A new line or a new boot. With `mid_sweep` the first sweep may have begun before we listened."""
        self._sweep = None
        self._lost = 0
        self._doubtful = mid_sweep
        self._drop_held()

    def lost(self, frames: int) -> None:
        """So many frames were lost since the last one, of any kind."""
        self._lost += frames

    def add(self, sweep: int, polled: tuple[int, ...], reads: Iterable[Read]) -> list[Part]:
        """One SIGHTINGS frame: its sweep number, the antennas it completes, its tags."""
        parts: list[Part] = []
        if sweep != self._sweep:
            if unfinished := self._drop_held():
                parts.append(((), unfinished))
            if self._sweep is None:
                self._doubtful = self._doubtful or self._lost > 0
            else:
                whole_sweeps_missing = (sweep - self._sweep - 1) % 0x10000
                self._doubtful = self._lost not in (0, whole_sweeps_missing)
            self._sweep = sweep
        elif self._lost:
            self._doubtful = True
        self._lost = 0
        self._hold(reads)
        done = [read for antenna in polled for read in self._held.pop(antenna, ())]
        self._held_count -= len(done)
        if self._doubtful:
            self.doubted += len(polled)
            polled = ()
        if polled or done:
            parts.append((polled, done))
        return parts

    def _hold(self, reads: Iterable[Read]) -> None:
        for read in reads:
            if self._held_count >= MOST_HELD:
                self._doubtful = True
                return
            self._held.setdefault(read.antenna, []).append(read)
            self._held_count += 1

    def _drop_held(self) -> list[Read]:
        held = [read for reads in self._held.values() for read in reads]
        self._held.clear()
        self._held_count = 0
        return held
