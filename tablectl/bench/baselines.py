"""The baselines, ready to watch a table: each a filter and the plain checker, at several operating points.

Owns: which baselines there are and feeding them. Refuses: filtering (`filters`) and checking (`checker`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tablectl.bench.checker import CHECKS, Checker
from tablectl.bench.filters import Filter, KOfN, LastRead, Smurf
from tablectl.bench.judge import Claim
from tablectl.config import Config
from tablectl.core.betting import Mode
from tablectl.core.games import GAMES, Game
from tablectl.core.sensed import Entry, Sensed, Sweep
from tablectl.core.sightings import Look, Sightings

QUICK_MS, QUICK_SWAPPED_MS = 300, 150
"""A quick checker: how long a card in a wrong place waits for the one that was due; and cards of which one came to
rest so much later than another did so in that order."""
PATIENT_MS, NEVER_MS = 700, 1_000_000
"""A patient one waits for longer and takes no order for a fact: half the false alarms, twice the latency."""


@dataclass(frozen=True, slots=True)
class Point:
    """One operating point of a baseline. `family` is what it is, `named` that the tables show it."""

    family: str
    make: Callable[[], Filter]
    patient: bool = False
    named: bool = False

    def checker(self, game: Game, mode: Mode, seats: int) -> Checker:
        """The checker that goes with it."""
        patience, swapped = (PATIENT_MS, NEVER_MS) if self.patient else (QUICK_MS, QUICK_SWAPPED_MS)
        return Checker(game, mode, seats, patience, swapped)


POINTS: Mapping[str, Point] = {
    "last read, 100 ms": Point("last read", lambda: LastRead(100)),
    "last read, 250 ms": Point("last read", lambda: LastRead(250), named=True),
    "last read, 500 ms, patient": Point("last read", lambda: LastRead(500), patient=True),
    "last read, 1 s, patient": Point("last read", lambda: LastRead(1000), patient=True),
    "3 of 4, 300 ms": Point("k of n", lambda: KOfN(3, 4, 300)),
    "4 of 6, 500 ms": Point("k of n", lambda: KOfN(4, 6, 500), named=True),
    "4 of 6, 500 ms, patient": Point("k of n", lambda: KOfN(4, 6, 500), patient=True),
    "6 of 9, 1 s": Point("k of n", lambda: KOfN(6, 9, 1000), patient=True, named=True),
    "9 of 13, 1.5 s, patient": Point("k of n", lambda: KOfN(9, 13, 1500), patient=True),
    "SMURF δ 0.05, 250 ms": Point("SMURF", lambda: Smurf(0.05, 250), named=True),
    "SMURF δ 0.05, 250 ms, patient": Point("SMURF", lambda: Smurf(0.05, 250), patient=True),
    "SMURF δ 0.05, 500 ms, patient": Point("SMURF", lambda: Smurf(0.05, 500), patient=True),
    "SMURF δ 0.01, 1 s, patient": Point("SMURF", lambda: Smurf(0.01, 1000), patient=True),
}
"""Every baseline by its name in tables and plots."""
NAMED = tuple(name for name, point in POINTS.items() if point.named)


class Baseline:
    """One baseline at one table; `claims` is what it told."""

    checks = CHECKS

    def __init__(self, name: str, checker: Checker) -> None:
        self.name = name
        self._filter, self._checker = POINTS[name].make(), checker

    @property
    def claims(self) -> list[Claim]:
        """All that was told so far."""
        return self._checker.claims

    def enter(self, entry: Entry) -> None:
        """An input of the dealer."""
        if self._checker.enter(entry):
            self._filter.forget()

    def look(self, look: Look) -> None:
        """One antenna was looked at."""
        for rest in self._filter.look(look):
            self._checker.rest(rest)
        self._checker.pass_time(look.t)


class Baselines:
    """All of them at one table, fed with what the table computer gets."""

    def __init__(self, config: Config) -> None:
        table, layout = config.table, config.layout()
        self._sightings = Sightings(layout, lambda uid: any(uid in deck for deck in config.decks))
        self._all = [
            Baseline(name, point.checker(GAMES[table.game], table.betting, layout.seats))
            for name, point in POINTS.items()
        ]

    def step(self, event: Sensed) -> None:
        """Takes what was sensed."""
        if isinstance(event, Entry):
            for each in self._all:
                each.enter(event)
        elif isinstance(event, Sweep):
            for look in self._sightings.looks(event):
                for each in self._all:
                    each.look(look)

    def __iter__(self) -> Iterator[Baseline]:
        return iter(self._all)
