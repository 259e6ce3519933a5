"""The panel that a configuration describes.

Owns: `[panel]` translated into a `Panel` with its pins, rhythms and strengths. Refuses: everything that it does then.
"""

from __future__ import annotations

from collections.abc import Callable

from tablectl.config import Config
from tablectl.shell.panel import Panel, Pins, Strength, Wiring, pins_named
from tablectl.shell.panel.lamp import Clock
from tablectl.shell.panel.patterns import buzzes, lights


def panel_of(
    config: Config,
    pins: Pins | None,
    clock: Clock,
    report: Callable[[str], None],
    pressed: Callable[[str], None],
) -> Panel:
    """The panel, not started yet. `pins` replaces the driver that the configuration names; the rest is `Panel`'s."""
    given = config.panel
    wiring = Wiring(
        seats=config.table.seats,
        buzzer=given.buzzer,
        buzzer_hz=given.buzzer_hz,
        alarm_led=given.alarm_led,
        seat_leds=dict(enumerate(given.seat_leds, start=1)),
        seat_leds_amber=dict(enumerate(given.seat_leds_amber, start=1)),
        buttons=given.buttons.fitted(),
    )
    return Panel(
        wiring,
        pins if pins is not None else pins_named(given.pins, given.simulated_file),
        clock,
        report,
        pressed,
        lights=lights(given.patterns),
        buzzes=buzzes(given.patterns),
        by_day=Strength(given.brightness, given.volume),
        at_night=Strength(given.night.brightness, given.night.volume),
    )
