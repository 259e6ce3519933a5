"""One output that plays a pattern: an LED or the buzzer.

Owns: when the level changes. Refuses: how a level reaches a pin (it calls `changed`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tablectl.shell.panel.patterns import OFF, Pattern
from tablectl.shell.panel.pins import Level


class Timer(Protocol):
    """A call that is due later."""

    def cancel(self) -> None:
        """Do not make the call."""


class Clock(Protocol):
    """What the panel needs of an asyncio event loop."""

    def time(self) -> float:
        """Seconds, never going backwards."""

    def call_at(self, when: float, callback: Callable[[], object], /) -> Timer:
        """Call back once, when `time()` has reached `when`."""


class Lamp:
    """An output by its name in `/state`; `pin` is None where none is wired, the level is kept anyway."""

    def __init__(self, name: str, pin: int | None, clock: Clock, changed: Callable[[Lamp], None]) -> None:
        self.name = name
        self.pin = pin
        self.level: Level = 0
        self.share = 100
        """How strong it is while it is on, in percent of what an alarm gets."""
        self._clock = clock
        self._changed = changed
        self._pattern = OFF
        self._phase = 0
        self._due = 0.0
        self._timer: Timer | None = None

    def play(self, pattern: Pattern) -> None:
        """Begin a pattern, its first level set on return. The one that plays already goes on undisturbed."""
        if pattern == self._pattern:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._pattern = pattern
        if not pattern.times:
            self._set(pattern.rest)
            return
        now = self._clock.time()
        self._phase, into = pattern.first(now * 1000)
        self._due = now - into / 1000
        self._begin_phase()

    def _begin_phase(self) -> None:
        level, duration = self._pattern.phase(self._phase)
        while not duration:
            self._phase += 1
            level, duration = self._pattern.phase(self._phase)
        self._set(level)
        # Counted from when it was due, so that delays do not add up; after a stall from now, so that no
        # phases are rushed through to catch up.
        self._due = max(self._due + duration / 1000, self._clock.time())
        self._timer = self._clock.call_at(self._due, self._end_phase)

    def _end_phase(self) -> None:
        self._phase += 1
        self._begin_phase()

    def _set(self, level: Level) -> None:
        share = self._pattern.share if level else self.share
        if (level, share) != (self.level, self.share):
            self.level, self.share = level, share
            self._changed(self)
