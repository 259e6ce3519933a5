"""The calibration of a simulated table in simulated time, and what is true of that table."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tablectl.app.technician.figures import around
from tablectl.calibrate.course import Course
from tablectl.core.sensed import Seen, Sweep
from tablectl.layout import Antenna
from tablectl.sim.antennas import Antenna as SimAntenna
from tablectl.sim.hand import Hand
from tablectl.sim.noise import Noise
from tablectl.sim.record import Recorder
from tablectl.sim.setup import TableSetup
from tablectl.sim.stage import Stage

TICK_MS = 20.0
LONGEST_MS = 3_600_000.0
PATIENCE = 60
"""Looks after which the hand's card is known to lie there, read or not."""
DRAWS = 20_000


@dataclass
class Shaded:
    """How far other boards' fields disturbed an antenna's looks at a card."""

    looks: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.looks if self.looks else 1.0


class Calibrated:
    """One table, calibrated by a hand that does at once what the course tells it."""

    def __init__(
        self,
        noise: Noise,
        seed: int | str,
        *,
        seats: int = 9,
        boards: int = 2,
        spoil: Callable[[Stage], None] = lambda _: None,
        only: tuple[str, ...] | None = None,
    ) -> None:
        self.setup = TableSetup(seats=seats, boards=boards)
        self.layout = self.setup.layout
        self._recorder = Recorder(self.setup, noise, seed)
        self.stage = self._recorder.stage
        self.shaded: dict[Antenna, Shaded] = {}
        for board in self.stage.boards:
            self._recorder._begins(board)
            for number, antenna in board.antennas.items():
                self.shaded[board.number, number] = watched(antenna)
        spoil(self.stage)
        orders: list[str] = []
        wanted = [each for each in around(self.layout) if only is None or self.layout.antennas[each] in only]
        self.course = Course(self.layout, wanted, tell=orders.append, patience=PATIENCE)
        hand = Hand(self.stage)
        while not self.course.over:
            for order in orders:
                hand.do(order)
            orders.clear()
            for line in self._lines():
                self.course.took(line)
            assert self.stage.time.now < LONGEST_MS, (self.course.step, self.course.phase)

    def _lines(self) -> Iterator[Sweep]:
        """What arrives in the next moment."""
        self.stage.advance(self.stage.time.now + TICK_MS)
        due = self._recorder._due
        while due and due[0][0] <= self.stage.time.now:
            line: dict[str, Any] = heapq.heappop(due)[2]
            if (sweep := line.get("sweep")) is not None:
                seen = tuple(Seen(*each) for each in sweep["seen"])
                yield Sweep(line["t"], sweep["reader"], tuple(sweep["polled"]), seen)

    # --- what is true ---------------------------------------------------------------------------------------

    def antenna(self, antenna: Antenna) -> SimAntenna:
        """The antenna itself."""
        return self.stage.boards[antenna[0]].antennas[antenna[1]]

    def gain(self, antenna: Antenna) -> float:
        """How well it reads, the fields of other boards included."""
        return self.antenna(antenna).gain * self.shaded[antenna].mean

    def read(self, antenna: Antenna) -> float:
        """Mean read probability of a card that lies there."""
        return (1 - self.stage.noise.miss[0]) * self.gain(antenna)

    def kappa(self) -> float:
        """κ of the Beta with the mean and the variance that layings at this table have: a Beta, scaled by the gain."""
        noise = self.stage.noise
        mean, kappa = 1 - noise.miss[0], noise.miss_kappa[0]
        gains = [self.gain(antenna) for antenna in self.layout.antennas]
        gain = sum(gains) / len(gains)
        variance = gain**2 * mean * (1 - mean) / (kappa + 1)
        return gain * mean * (1 - gain * mean) / variance - 1

    def beside(self, antenna: Antenna, zone: str) -> float:
        """Mean read probability of a card that lies in that other zone."""
        noise, mine = self.stage.noise, self.layout.antennas[antenna]
        near = dict(self.stage.world.felt.neighbours[zone]).get(mine, 0.0)
        rng = Random("beside")
        a, b = noise.cross[0] * noise.cross_kappa[0], (1 - noise.cross[0]) * noise.cross_kappa[0]
        drawn = (min(noise.cross_cap, 2 * rng.betavariate(a, b) * rng.random() * near) for _ in range(DRAWS))
        return sum(drawn) / DRAWS * self.antenna(antenna).gain if near else 0.0


def watched(antenna: SimAntenna) -> Shaded:
    """Notes with which factor the antenna looks at cards that lie there."""
    shaded, look = Shaded(), antenna.look

    def noted(t: float, factor: float = 1.0) -> Any:
        if antenna.field.steady:
            shaded.looks += 1
            shaded.total += factor
        return look(t, factor)

    antenna.look = noted  # type: ignore[method-assign]
    return shaded
