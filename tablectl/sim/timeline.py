"""Simulated time: what happens next, in order.

Owns: the order of events. Refuses: the wall clock; whoever drives the timeline decides how fast it runs.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator
from math import inf

Act = Generator[float, None, None]
"""Somebody who acts: yields how many ms to wait before going on."""


class Timeline:
    """Events by time, in ms since the start; events of the same time happen in the order they were set."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._set = 0

    @property
    def next_at(self) -> float:
        """When the next event is due; infinity if there is none."""
        return self._events[0][0] if self._events else inf

    def at(self, t: float, event: Callable[[], None]) -> None:
        """Let `event` happen at `t`, or now if `t` is past."""
        self._set += 1
        heapq.heappush(self._events, (max(t, self.now), self._set, event))

    def after(self, ms: float, event: Callable[[], None]) -> None:
        """Let `event` happen in `ms`."""
        self.at(self.now + ms, event)

    def play(self, act: Act) -> None:
        """Let an act begin now."""
        self.at(self.now, lambda: self._go_on(act))

    def _go_on(self, act: Act) -> None:
        try:
            wait = next(act)
        except StopIteration:
            return
        self.after(wait, lambda: self._go_on(act))

    def step(self) -> None:
        """Let the next event happen, and with it the time advance."""
        self.now, _, event = heapq.heappop(self._events)
        event()

    def pass_until(self, t: float) -> None:
        """Let time pass without an event, up to `t`; never beyond the next event."""
        self.now = max(self.now, min(t, self.next_at))
