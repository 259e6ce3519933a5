"""What a board's reports mean: SIGHTINGS, PASSAGE, ANTENNA_HEALTH and LOG as sensed events.

Owns: the mapping of board time, tags and antennas of one reader to `core.sensed`.
Refuses: the handshake, lost frames and silence (`session`).

`t` of every event is when it reached the table computer; a tag's `age` is how long before that it was read.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from tablectl import cards, wire
from tablectl.core.sensed import AntennaHealth, Health, Passage, Seen, Sensed, Sweep
from tablectl.said import Said
from tablectl.shell.readers.clock import BoardClock
from tablectl.shell.readers.state import printable
from tablectl.shell.readers.sweeps import Read, Sweeps

MAX_AGE_MS = 5000
"""A read cannot be older: a board silent for that long is lost. Bounds what a mad board clock can do."""
HAS_RSSI = 1
HEALTH: dict[int, Health] = {0: "ok", 1: "weak", 2: "open", 3: "shorted", 4: "silent"}
FACES: dict[int, Literal["up", "down"] | None] = {0: None, 1: "down", 2: "up"}
LOG_LINES = 50
LOG_A_SECOND = 10
"""Lines kept of any second: a board that floods its log must not push out what it said before."""


class Meaning:
    """One reader's reports, understood."""

    def __init__(
        self,
        number: int,
        antennas: Mapping[int, str],
        counters: Counter[str],
        emit: Callable[[Sensed], None],
    ) -> None:
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        """The board's last LOG lines, for the technician; they are kept nowhere else."""
        self._log_second = -1
        self._log_kept = 0
        self._number = number
        self._antennas = frozenset(antennas)
        self._in_mask = sorted(antenna for antenna in antennas if antenna < 32)
        self._mask = sum(1 << antenna for antenna in self._in_mask)
        self._counters = counters
        self._emit = emit
        self._clock = BoardClock()
        self._sweeps = Sweeps()
        self._health: dict[int, Health] = {}
        self._rssi = False

    def board_begins(self, capabilities: int, *, same_boot: bool, mid_sweep: bool) -> None:
        """The board said HELLO: its sweeps start afresh, and after a restart its clock does too."""
        self._rssi = bool(capabilities & HAS_RSSI)
        self._sweeps.restart(mid_sweep=mid_sweep)
        self._health.clear()
        if not same_boot:
            self._clock = BoardClock()

    def frames_lost(self, frames: int) -> None:
        """So many frames before the next one never came."""
        self._sweeps.lost(frames)

    def missing_antennas(self, present: frozenset[int], t: int) -> None:
        """A configured antenna that the board lacks is silent; a board that lists none is not judged."""
        if present:
            for antenna in sorted(self._antennas - present):
                self._antenna_is(antenna, "silent", t)

    def complaint(self, present: frozenset[int]) -> str:
        """The configured antennas that the board does not have, in words; empty if it has all."""
        missing = sorted(self._antennas - present) if present else []
        numbers = ", ".join(map(str, missing))
        return Said("the board has no antenna {antennas}", antennas=numbers) if missing else ""

    def frame(self, kind: int, fields: dict[str, Any], t: int) -> None:
        """One report of a known kind."""
        if kind == wire.SIGHTINGS:
            self._sightings(fields, t)
        elif kind == wire.PASSAGE:
            self._passage(fields, t)
        elif kind == wire.ANTENNA_HEALTH:
            self._antenna_health(fields, t)
        elif kind == wire.LOG:
            self._log_line(fields["text"], t)
        else:  # a host's frame: the board repeats what it hears, or it is no board
            self._counters["unknown_kind"] += 1

    def _sightings(self, fields: dict[str, Any], t: int) -> None:
        bits, t0, seen = fields["polled"], fields["t0_ms"], fields["seen"]
        self._clock.arrived(t0 + max((tag["dt_ms"] for tag in seen), default=0), t)
        self._counters["unmapped_antenna"] += (bits & ~self._mask).bit_count()
        polled = tuple(antenna for antenna in self._in_mask if bits >> antenna & 1)
        for looked_at, reads in self._sweeps.add(fields["sweep"], polled, self._reads(t0, seen)):
            self._emit(Sweep(t, self._number, looked_at, tuple(self._seen(read, t) for read in reads)))
        self._counters["doubted_antennas"] = self._sweeps.doubted

    def _reads(self, t0: int, seen: list[dict[str, Any]]) -> Iterator[Read]:
        for tag in seen:
            if tag["antenna"] not in self._antennas:
                self._counters["unmapped_antenna"] += 1
            elif len(tag["uid"]) not in cards.UID_BYTES:
                self._counters["noise_uids"] += 1
            else:
                rssi = tag["rssi"] if self._rssi else None
                uid = cards.uid_from_bytes(tag["uid"])
                yield Read(tag["antenna"], uid, rssi, self._clock.host(t0 + tag["dt_ms"]))

    def _seen(self, read: Read, t: int) -> Seen:
        return Seen(read.antenna, read.uid, read.rssi, min(max(t - read.at, 0), MAX_AGE_MS))

    def _passage(self, fields: dict[str, Any], t: int) -> None:
        antenna, face = fields["antenna"], fields["face"]
        if antenna not in self._antennas:
            self._counters["unmapped_antenna"] += 1
            return
        if face not in FACES:
            self._counters["unknown_values"] += 1
        self._emit(Passage(t, self._number, antenna, FACES.get(face)))

    def _antenna_health(self, fields: dict[str, Any], t: int) -> None:
        antenna, state = fields["antenna"], fields["state"]
        if antenna not in self._antennas:
            self._counters["unmapped_antenna"] += 1
        elif state not in HEALTH:
            self._counters["unknown_values"] += 1
        else:
            self._antenna_is(antenna, HEALTH[state], t)

    def _antenna_is(self, antenna: int, health: Health, t: int) -> None:
        if self._health.get(antenna) != health:
            self._health[antenna] = health
            self._emit(AntennaHealth(t, self._number, antenna, health))

    def _log_line(self, text: str, t: int) -> None:
        self._counters["log_lines"] += 1
        if t // 1000 != self._log_second:
            self._log_second, self._log_kept = t // 1000, 0
        self._log_kept += 1
        if self._log_kept <= LOG_A_SECOND:
            self.log.append(printable(text))
        else:
            self._counters["log_lines_dropped"] += 1
