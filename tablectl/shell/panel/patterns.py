"""What the lights and the buzzer do over time.

Owns: the tables of patterns. Refuses: which light is lit when (`tablectl.core.alerts`).

Times are milliseconds on, off, on, off, … from the moment the signal begins; all patterns repeat until the
signal ends.

    light    on, off …                      meaning
    off      dark
    wink     0, 2900, 100                   a check is off (a zone is degraded); nobody is accused
    slow     500, 500                       soft: look here, an irregularity is probable
    steady   on                             confirmed irregularity

    buzzer   on, off …                      meaning
    alarm    300, 100, 300, 100, 300, 900   confirmed irregularity, not acknowledged yet: three beeps
    floor    900, 300                       the same, and the ruling is not the dealer's: long beeps

The soft stage is silent. A wink begins dark, so that a zone that is gone for an instant only does not flash.
Where a seat has an amber light, the soft stage blinks amber and the confirmed one is steady red; the blinking
tells them apart without colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tablectl.core.alerts import Buzz, Light
from tablectl.shell.panel.pins import Level


@dataclass(frozen=True, slots=True)
class Pattern:
    """Durations in ms, on and off in turn, repeated for ever; without durations the level is `rest`."""

    times: tuple[int, ...] = ()
    rest: Level = 0

    def __post_init__(self) -> None:
        if any(ms < 0 for ms in self.times) or (self.times and not sum(self.times)):
            raise ValueError(f"a pattern needs durations of 0 ms or more, and one above 0: {self.times}")

    def phase(self, number: int) -> tuple[Level, int]:
        """Level and duration (ms) of the phase with that number, counted from 0 through all repetitions."""
        cycle = self.times if len(self.times) % 2 == 0 else (*self.times, 0)
        return (1 if number % 2 == 0 else 0), cycle[number % len(cycle)]


OFF = Pattern()

LIGHTS: Mapping[Light, Pattern] = MappingProxyType(
    {
        "off": OFF,
        "wink": Pattern((0, 2900, 100)),
        "slow": Pattern((500, 500)),
        "steady": Pattern(rest=1),
    }
)

BUZZES: Mapping[Buzz, Pattern] = MappingProxyType(
    {
        "alarm": Pattern((300, 100, 300, 100, 300, 900)),
        "floor": Pattern((900, 300)),
    }
)
