"""A panel on a clock that is moved by hand, for tests that look at levels *and* times."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from typing import Any

from tablectl.core.alerts import Signals
from tablectl.shell.panel import Panel, SimulatedPins, Wiring

BUZZER, ALARM, SEAT1, SEAT2, SEAT2_AMBER, ACK, FLOOR = 18, 17, 5, 6, 13, 24, 25
WIRING = Wiring(
    seats=3,
    buzzer=BUZZER,
    alarm_led=ALARM,
    seat_leds={1: SEAT1, 2: SEAT2},
    seat_leds_amber={2: SEAT2_AMBER},
    buttons={"acknowledge": ACK, "call_floor": FLOOR},
)
SOFT = Signals(seats={1: "slow"})
LOUD = Signals(seats={1: "steady"}, alarm="steady", buzzer="alarm")


class HandClock:
    """A clock that stands until it is moved, then makes every call that is due, in order, at its time."""

    def __init__(self) -> None:
        self.ms = 0.0
        self._calls: list[tuple[float, int, HandTimer]] = []
        self._number = itertools.count()

    def time(self) -> float:
        return self.ms / 1000

    def call_at(self, when: float, callback: Callable[[], object], /) -> HandTimer:
        timer = HandTimer(callback)
        heapq.heappush(self._calls, (when, next(self._number), timer))
        return timer

    def move_to(self, ms: float) -> None:
        while self._calls and self._calls[0][0] * 1000 <= ms + 1e-6:
            when, _, timer = heapq.heappop(self._calls)
            self.ms = max(self.ms, when * 1000)
            if not timer.cancelled:
                timer.callback()
        self.ms = ms

    @property
    def pending(self) -> int:
        return sum(not timer.cancelled for _, _, timer in self._calls)


class HandTimer:
    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback = callback
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Rig:
    """A started panel, its pins (or what makes them), its clock, and what it said."""

    def __init__(
        self, wiring: Wiring = WIRING, pins: Any = SimulatedPins, *, start: bool = True, **more: Any
    ) -> None:
        self.clock = HandClock()
        self.pins = pins(self.clock.time) if isinstance(pins, type) else pins
        self.reports: list[str] = []
        self.presses: list[tuple[int, str]] = []
        self.panel = Panel(wiring, self.pins, self.clock, self.reports.append, self._press, **more)
        self.then: Callable[[], None] = lambda: None
        if start:
            self.panel.start()

    def _press(self, name: str) -> None:
        self.presses.append((round(self.clock.ms), name))
        self.then()

    def changes(self, pin: int, since: int = 0) -> list[tuple[int, int]]:
        """(ms, level) of each change of a pin, without the low level at set-up."""
        all_of_it = [(round(each.at * 1000), int(each.level)) for each in self.pins.history(pin)[1:]]
        return [each for each in all_of_it if each[0] >= since]

    def driven(self, pin: int, since: int = 0) -> list[tuple[int, int, int, int]]:
        """(ms, level, percent of the time on, times a second) of each change of a pin after its set-up."""
        all_of_it = [
            (round(each.at * 1000), int(each.level), each.duty, each.hz)
            for each in self.pins.history(pin)[1:]
        ]
        return [each for each in all_of_it if each[0] >= since]
