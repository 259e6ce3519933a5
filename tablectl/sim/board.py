"""A reader board: looks at its antennas one after the other and reports what it saw, frame by frame.

Owns: the poll order, real air time, sweeps and how they are cut into frames; the board's own clock.
Refuses: the bytes (`device`) and the line (`line`). The same board serves the real-time simulation and
recordings.

A sweep ends when an antenna's turn comes that is in it already. A frame goes out when it is full,
`FLUSH_MS` after its first look, before the board idles, or when a new plan comes: late reports would cost the
table more than a few bytes do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from random import Random

from tablectl.sim.antennas import Antenna, Read
from tablectl.sim.noise import Noise

FLUSH_MS = 20.0
"""A frame is sent at the latest so long after its first look began, ms."""
NEWS = 3.0
"""An antenna that read a new tag is looked at so many times as often …"""
NEWS_MS = 350.0
"""… for so long, ms: the questions that a new card raises are answered by then."""
FORGET_MS = 1500.0
"""A tag not read for so long is new again, ms."""
KNOWN_TAGS = 64
SEEN_PER_FRAME = 17
"""So many reads of 8-byte UIDs fit the 240 bytes of a body."""


Reading = tuple[int, float, str, int | None]
"""(antenna, time of the read, UID, RSSI)"""


@dataclass(slots=True)
class Frame:
    """A part of a sweep, as it leaves the board. Times are the simulation's, in ms."""

    reader: int
    sweep: int
    begun: float
    sent: float = 0.0
    polled: list[int] = field(default_factory=list)
    """Antennas whose list is complete with this frame."""
    seen: list[Reading] = field(default_factory=list)


class Board:
    """One multiplexed reader. `plan` maps antenna → period in ms (0 or left out: off)."""

    def __init__(
        self,
        number: int,
        antennas: Mapping[int, Antenna],
        noise: Noise,
        rng: Random,
        send: Callable[[Frame], None],
    ) -> None:
        self.number, self.antennas, self.noise, self.rng, self.send = number, antennas, noise, rng, send
        self._disturb = noise.interference[0]
        self.skew = 1 + rng.uniform(*noise.skew_ppm) / 1e6
        self.time = inf
        """When the next look begins; infinity while there is nothing to do."""
        self.on_zone: str | None = None
        """The zone whose field is on until `on_until`."""
        self.on_until = 0.0
        self.others: list[Board] = []
        """The other boards of the table, whose fields disturb."""
        self.plan: dict[int, int] = {}
        self.reboot(0.0)

    def reboot(self, t: float) -> None:
        """The board starts at `t`: a new boot id, its clock anywhere, nothing polled until a plan comes."""
        self.boot_id = self.rng.getrandbits(32)
        self.booted, self._clock_at_boot = t, self.rng.randrange(1000, 100_000)
        self.sweep = 0
        self._free = t
        """When the last look is over: it was reckoned ahead, so this may lie in the future."""
        self._frame: Frame | None = None
        self._in_sweep: set[int] = set()
        self._last: dict[int, float] = {}
        """When the last look at each antenna of the plan was over."""
        self.plan = {}
        self.time = inf

    def clock(self, t: float) -> int:
        """The board's own millisecond counter (u32) at simulated time `t`."""
        return int(self._clock_at_boot + (t - self.booted) * self.skew) & 0xFFFFFFFF

    def set_plan(self, plan: Mapping[int, int], t: float) -> None:
        """Poll these antennas from `t` on; antennas that the board does not have are left out.

        A look under way is finished first, and its frame goes out: no frame begins after a read of it, and none
        stays open while nothing is polled.
        """
        begin = max(t, self._free)
        self._flush(begin)
        self.plan = {number: period for number, period in plan.items() if period and number in self.antennas}
        self._last = {number: t - period for number, period in sorted(self.plan.items())}
        self._attended = dict.fromkeys(self._last, -inf)
        """Until when each antenna is looked at more often, because a new tag was read there."""
        self._known: dict[int, dict[str, float]] = {number: {} for number in self._last}
        """Antenna → tag → when it was read last."""
        self.time = begin if self._last else inf

    def poll_all(self, t: float) -> None:
        """Poll every antenna as often as air time allows."""
        self.set_plan(dict.fromkeys(self.antennas, 1), t)

    def step(self) -> None:
        """Look at the antenna that is most overdue against its period, once it is due, and report."""
        number, start = self._next(self.time)
        if start > self.time:
            self._flush(self.time)
        antenna = self.antennas[number]
        field_on = start + self.noise.guard_ms
        long, reads = antenna.look(field_on, self._disturbed(antenna, field_on) if self._disturb else 1.0)
        end = field_on + long + self.noise.overhead_ms
        self.on_zone, self.on_until = antenna.zone, end
        if reads:
            self._attend(number, reads, end)
        self._report(number, start, field_on, reads, end)
        self._last[number] = self.time = self._free = end

    def _next(self, t: float) -> tuple[int, float]:
        """The antenna to look at next and when. A board that is short of air time keeps the plan's proportions."""
        plan, chosen, most, following, at = self.plan, -1, -inf, -1, inf
        for number, last in self._last.items():
            period = plan[number] / NEWS if t < self._attended[number] else plan[number]
            overdue = (t - last) / period
            if overdue > most:
                chosen, most = number, overdue
            if last + period < at:
                following, at = number, last + period
        return (chosen, t) if most >= 1 else (following, at)

    def _attend(self, number: int, reads: list[Read], t: float) -> None:
        """A tag that was not there a moment ago: the antenna is looked at more often for a while."""
        known = self._known[number]
        for _, uid, _ in reads:
            if t - known.get(uid, -inf) > FORGET_MS:
                self._attended[number] = t + NEWS_MS
            known[uid] = t
        if len(known) > KNOWN_TAGS:
            self._known[number] = {uid: at for uid, at in known.items() if t - at <= FORGET_MS}

    def _disturbed(self, antenna: Antenna, t: float) -> float:
        for other in self.others:
            if other.on_until > t and other.on_zone in antenna.neighbours:
                return 1 - self._disturb
        return 1.0

    def _report(self, number: int, start: float, field_on: float, reads: list[Read], end: float) -> None:
        if number in self._in_sweep:
            self._flush(start)
            self.sweep = self.sweep + 1 & 0xFFFF
            self._in_sweep.clear()
        self._in_sweep.add(number)
        frame = self._frame
        if frame and len(frame.seen) + len(reads) > SEEN_PER_FRAME:
            self._flush(start)
            frame = None
        if frame is None:
            frame = self._frame = Frame(self.number, self.sweep, start)
        for at, uid, rssi in reads:
            if len(frame.seen) == SEEN_PER_FRAME:
                self._flush(end)
                frame = self._frame = Frame(self.number, self.sweep, start)
            frame.seen.append((number, field_on + at, uid, rssi))
        frame.polled.append(number)
        if end - frame.begun >= FLUSH_MS:
            self._flush(end)

    def _flush(self, t: float) -> None:
        frame, self._frame = self._frame, None
        if frame:
            frame.sent = t
            self.send(frame)
