"""What the lights and the buzzer do over time.

Owns: rhythms turned into levels with their durations. Refuses: which light is lit when (`tablectl.core.alerts`), and
the rhythms themselves (`tablectl.config.panel`; the README has the table of them).

All patterns repeat until the signal ends. The soft stage is silent. A light that means "a check is off" begins
dark, so that a zone that is gone for an instant only does not flash. Where a seat has an amber light, the soft stage
blinks amber and the confirmed one is steady red; the rhythm tells them apart without colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from tablectl.config.panel import PatternsSection, Rhythm
from tablectl.core.alerts import Buzz, Light
from tablectl.shell.panel.pins import Level

COMPLETE_SHARE = 30
"""A seat that has its cards is lit by this percentage of what an alarm gets."""
SHORTEST_BEEP_MS = 40
"""A beep is never made shorter than this: a buzzer takes some milliseconds to swing (assumption)."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Durations in ms, on and off in turn, repeated for ever; without durations the level is `rest`."""

    times: tuple[int, ...] = ()
    rest: Level = 0
    share: int = 100
    """How strong it is, in percent of what an alarm gets."""
    together: bool = False
    """Counted from the clock and not from its beginning: all lamps that play it flash in one moment."""

    def __post_init__(self) -> None:
        if any(ms < 0 for ms in self.times) or (self.times and not sum(self.times)):
            raise ValueError(f"a pattern needs durations of 0 ms or more, and one above 0: {self.times}")

    @property
    def _cycle(self) -> tuple[int, ...]:
        return self.times if len(self.times) % 2 == 0 else (*self.times, 0)

    def phase(self, number: int) -> tuple[Level, int]:
        """Level and duration (ms) of the phase with that number, counted from 0 through all repetitions."""
        cycle = self._cycle
        return (1 if number % 2 == 0 else 0), cycle[number % len(cycle)]

    def first(self, now: float) -> tuple[int, float]:
        """The phase with which it begins at `now` (ms), and for how long (ms) that one is on by then."""
        number, into = 0, now % sum(self.times) if self.together else 0.0
        while self.together and into >= self._cycle[number]:
            into -= self._cycle[number]
            number += 1
        return number, into

    def softened(self, volume: int) -> Pattern:
        """The same with each beep cut to `volume` percent of its length; each begins when it did."""
        times: list[int] = []
        for on, off in zip(self._cycle[::2], self._cycle[1::2], strict=True):
            short = max(on * volume // 100, min(on, SHORTEST_BEEP_MS))
            times += [short, off + on - short]
        return replace(self, times=tuple(times))


OFF = Pattern()


def lights(given: PatternsSection) -> Mapping[Light, Pattern]:
    """What each light does, by the rhythms of a configuration."""
    complete = replace(_pattern(given.complete), share=COMPLETE_SHARE, together=True)
    return MappingProxyType(
        {
            "off": OFF,
            "complete": complete,
            "wink": _pattern(given.degraded),
            "slow": _pattern(given.soft),
            "steady": _pattern(given.confirmed),
        }
    )


def buzzes(given: PatternsSection) -> Mapping[Buzz, Pattern]:
    """What the buzzer does, by the rhythms of a configuration."""
    return MappingProxyType({"alarm": _pattern(given.alarm), "floor": _pattern(given.floor)})


def _pattern(rhythm: Rhythm) -> Pattern:
    return Pattern(rhythm) if rhythm else Pattern(rest=1)


LIGHTS = lights(PatternsSection())
BUZZES = buzzes(PatternsSection())
