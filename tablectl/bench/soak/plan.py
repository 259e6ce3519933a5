"""What happens in a soak: hands and slips without end, and when what fails, all from a seed.

Owns: the times and kinds of the faults, and which hands have a slip. Refuses: doing any of it (`boards`, `command`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tablectl.sim import script
from tablectl.sim.script import BoardStep, HandPlan

HOUR_MS = 3_600_000.0
SLIP_EVERY = 8
"""One hand in so many has a slip; a clean hand follows it, so that what it leaves behind cannot spoil another one."""
QUIET_MS = 60_000.0
"""Nothing fails in the first minute."""
RESTARTS_AN_HOUR, UNPLUGS_AN_HOUR, ANTENNAS_AN_HOUR = 2, 1, 1
UNPLUGGED_MS = (10_000.0, 120_000.0)
ANTENNA_MS = (60_000.0, 240_000.0)
"""How long a reader, or the cable of one antenna, is off."""
AFTER_MS = 3_000.0
"""A fault counts until so long after its end: a restarted board is blind for up to 3 s."""
DISK_SHARE = 10 / 24
"""When the disk becomes full, of the run; for an hour of 24, and the same share of a shorter run …"""
FULL_MS = 120_000.0
"""… but at least so long: the journal's thread, which keeps real seconds, must come to try and fail."""
JUMPS = ((6 / 24, 3600.0), (14 / 24, -3600.0), (16 / 24, -0.6), (19 / 24, 0.4))
"""(share of the run, seconds): steps of the wall clock: an hour ahead, back, and two steps as NTP makes them."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that fails at the table's eyes from `begin` to `end`, ms."""

    what: str
    begin: float
    end: float
    steps: tuple[tuple[float, BoardStep], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """One soak."""

    hours: float
    seed: int
    noise: str
    antennas: tuple[tuple[int, int], ...]
    """(reader, antenna) of the table."""
    full_h: float | None = None
    """How long the disk is full, in hours of table time; by default a 24th of the run."""

    @property
    def end_ms(self) -> float:
        """How long it lasts in table time."""
        return self.hours * HOUR_MS

    def source(self, name: str) -> Random:
        """A random source of its own for each thing."""
        return Random(f"soak {self.seed}/{name}")  # noqa: S311 - repeatable on purpose

    @property
    def disk_full(self) -> tuple[float, float]:
        """From when to when the disk is full, ms."""
        begin, long = (
            DISK_SHARE * self.end_ms,
            self.end_ms / 24 if self.full_h is None else self.full_h * HOUR_MS,
        )
        return begin, begin + max(long, FULL_MS)

    def jumps(self) -> list[tuple[float, float]]:
        """(ms, what the wall clock is ahead of the true time from then on, s)."""
        ahead, found = 0.0, []
        for share, seconds in JUMPS:
            ahead += seconds
            found.append((share * self.end_ms, ahead))
        return found

    def hands(self, now: Callable[[], float], ending: Callable[[], bool]) -> Iterator[HandPlan]:
        """Hands as long as there is time and nobody ends it; `now` gives the table's, ms."""
        rng = self.source("hands")
        slips: list[HandPlan] = []
        while now() < self.end_ms and not ending():
            if rng.random() * SLIP_EVERY < 1:
                if not slips:
                    slips = rng.sample(variants := script.all_variants(), len(variants))
                yield _dealt_on(slips.pop(), rng)
                yield HandPlan()
            else:
                yield from script.evening(1, rng)

    def faults(self) -> list[Fault]:
        """What fails at the readers, in order."""
        rng = self.source("faults")
        readers = sorted({reader for reader, _ in self.antennas})
        found: list[Fault] = []
        for what, an_hour in (
            ("restart", RESTARTS_AN_HOUR), ("unplug", UNPLUGS_AN_HOUR), ("antenna", ANTENNAS_AN_HOUR),
        ):  # fmt: skip
            for _ in range(max(1, round(an_hour * self.hours))):
                begin = rng.uniform(QUIET_MS, max(QUIET_MS, self.end_ms - ANTENNA_MS[1] - QUIET_MS))
                found.append(self._fault(what, begin, rng, readers))
        return sorted(found, key=lambda fault: fault.begin)

    def _fault(self, what: str, begin: float, rng: Random, readers: list[int]) -> Fault:
        if what == "restart":
            step = BoardStep("restart", rng.choice(readers))
            return Fault(what, begin, begin + AFTER_MS, ((begin, step),))
        pairs: dict[str, tuple[str, str, Any]] = {
            "unplug": ("unplug", "replug", UNPLUGGED_MS),
            "antenna": ("dead", "mend", ANTENNA_MS),
        }
        off, on, span = pairs[what]
        end = begin + rng.uniform(*span)
        reader, antenna = rng.choice(self.antennas)
        which = antenna if what == "antenna" else None
        steps = ((begin, BoardStep(off, reader, which)), (end, BoardStep(on, reader, which)))
        return Fault(what, begin, end + AFTER_MS, steps)


def _dealt_on(plan: HandPlan, rng: Random) -> HandPlan:
    """Mostly nobody notices, as in `bench accuracy`."""
    stops = plan.slip in script.STOP_ONLY or rng.random() < 0.2
    return plan if stops else replace(plan, aftermath="deal_on")
