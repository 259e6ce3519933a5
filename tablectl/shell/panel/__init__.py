"""The panel: LEDs at the seats, the alarm LED, the buzzer and the push buttons.

Owns: signals turned into pin levels over time, bright or soft, presses turned into calls, and carrying on when there
are no pins: the table must run on without its panel. Refuses: what is an alarm (`tablectl.core.alerts`), what a
press means (the app), and GPIO itself (`pins`, `rpi`, `simulated`).

The first level of every signal is written before `show` returns, so the alarm is as late as one pin write.
The rest of a pattern (`patterns`) is driven by the event loop's clock.

LEDs are dimmed by switching them fast. A buzzer that needs a tone gets one, shorter pulses make it quieter; one that
makes its own tone can only be switched, so its beeps get shorter. Pins that cannot be pulsed are switched: a lamp that
is too bright is better than none.

No pins, or pins that fail: one line through `report`, the levels are kept for `/state` as if they were
written, and unless nothing can help (no Pi) opening is tried again after 1, 2, 5, 10 and then every 30 s.

`close` brings every output to its safe level, low. It is called, too, when Python ends without it; a process that is
killed leaves its outputs as they are (`tablectl panel-safe` is for that).
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tablectl.core.alerts import Buzz, Light, Signals
from tablectl.said import Said, said_by
from tablectl.shell.panel.buttons import POLL_S, Buttons
from tablectl.shell.panel.lamp import Clock, Lamp, Timer
from tablectl.shell.panel.patterns import BUZZES, LIGHTS, OFF, Pattern
from tablectl.shell.panel.pins import Level, NoGpioError, PanelError, Pins
from tablectl.shell.panel.rpi import RpiPins
from tablectl.shell.panel.simulated import SimulatedPins

__all__ = [
    "NoGpioError",
    "Panel",
    "PanelError",
    "Pins",
    "RpiPins",
    "SimulatedPins",
    "Strength",
    "Wiring",
    "pins_named",
]

RETRY_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before each attempt to open failed pins again; the last one for all further attempts."""

HEALTHY_S = 60.0
"""Pins that worked for this long (seconds) start with the shortest wait again when they fail."""

LED_HZ = 200
"""How often a second a dimmed LED is switched: an eye that moves does not see it as dots yet (assumption), and a Pi's
software keeps up with a dozen of them."""
TONE_DUTY = 50
"""Percent of a tone's time that it is on at full volume: a square wave is loudest there."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How bright the LEDs are and how loud the buzzer is, in percent."""

    brightness: int = 100
    volume: int = 100


FULL = Strength()


@dataclass(frozen=True, slots=True)
class Wiring:
    """What is connected to which pin (BCM numbers). What is not connected has a level for `/state` only."""

    seats: int
    buzzer: int | None = None
    buzzer_hz: int | None = None
    """The tone that the buzzer needs, Hz; None for one that makes its own."""
    alarm_led: int | None = None
    seat_leds: Mapping[int, int] = field(default_factory=dict)
    """Seat number to pin."""
    seat_leds_amber: Mapping[int, int] = field(default_factory=dict)
    """Seat number to the pin of its second colour, where fitted."""
    buttons: Mapping[str, int] = field(default_factory=dict)
    """The name of each button that is fitted, to pin."""


def pins_named(name: Literal["rpi", "simulated", "none"], file: Path | None = None) -> Pins | None:
    """The pin driver that the configuration names; None for `none`. Simulated pins are shown in `file`."""
    if name == "rpi":
        return RpiPins()
    return SimulatedPins(file=file) if name == "simulated" else None


class Panel:
    """The panel of one table: `start()`, any number of `show(…)` and `night(…)`, `close()`. No PanelError leaves it.

    `clock` is the running event loop. `report` gets one line when the panel is lost and one when it is back.
    `pressed` gets the name of a button once for each press.
    """

    def __init__(
        self,
        wiring: Wiring,
        pins: Pins | None,
        clock: Clock,
        report: Callable[[str], None],
        pressed: Callable[[str], None],
        *,
        lights: Mapping[Light, Pattern] = LIGHTS,
        buzzes: Mapping[Buzz, Pattern] = BUZZES,
        by_day: Strength = FULL,
        at_night: Strength = FULL,
    ) -> None:
        self._pins = pins
        self._clock = clock
        self._report = report
        self._pressed = pressed
        self._lights = lights
        self._buzzes = buzzes
        self._tone = wiring.buzzer_hz
        self._by_day = by_day
        self._at_night = at_night
        self._strength = by_day
        self._signals = Signals()
        self._pulses = True
        """The pins can be pulsed, as far as is known."""
        self._has_buttons = bool(wiring.buttons)
        self._buttons = Buttons(pins, wiring.buttons) if pins is not None else None
        self._alarm = self._lamp("alarm_led", wiring.alarm_led)
        self._buzzer = self._lamp("buzzer", wiring.buzzer)
        self._seats = {
            n: self._lamp(f"seat_led:{n}", wiring.seat_leds.get(n)) for n in range(1, wiring.seats + 1)
        }
        self._amber = {
            n: self._lamp(f"seat_led_amber:{n}", pin) for n, pin in sorted(wiring.seat_leds_amber.items())
        }
        self._fault: str | None = None
        self._live = False
        self._closed = False
        self._timer: Timer | None = None
        self._failures = 0
        self._live_since = 0.0

    @property
    def fault(self) -> str | None:
        """Why the pins are not driven as they should be, in one line; None while they are, or none are wanted."""
        if self._fault is None and self._tone is not None and not self._pulses:
            return Said("the buzzer is silent: it needs a tone, and these pins cannot give one")
        return self._fault

    def panel_state(self) -> dict[str, Level]:
        """The level of every light and of the buzzer as last set, by its name in `/state`."""
        return {lamp.name: lamp.level for lamp in self._all()}

    def start(self) -> None:
        """Open the pins, all outputs low, and begin to look at the buttons."""
        if self._pins is not None and not self._live and not self._closed:
            self._open(self._pins)

    def show(self, signals: Signals) -> None:
        """Show this from now on. A pattern that plays already goes on undisturbed."""
        if self._closed:
            return
        self._signals = signals
        for lamp, pattern in self._wanted(signals):
            lamp.play(pattern)

    def night(self, *, on: bool) -> None:
        """As bright and as loud as at night, or as by day, from now on."""
        strength = self._at_night if on else self._by_day
        if self._closed or strength == self._strength:
            return
        self._strength = strength
        for lamp in self._all():
            self._write(lamp)
        self.show(self._signals)

    def close(self) -> None:
        """Everything off, every pin at its safe level, the driver closed; `show` does nothing any more."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        for lamp in self._all():
            lamp.play(OFF)
        trouble = self._let_go()
        if trouble is not None and self._fault is None:
            self._report(f"panel: not every pin could be brought to its safe level: {trouble}")

    def _lamp(self, name: str, pin: int | None) -> Lamp:
        return Lamp(name, pin, self._clock, self._write)

    def _all(self) -> Iterator[Lamp]:
        yield self._alarm
        yield self._buzzer
        yield from self._seats.values()
        yield from self._amber.values()

    def _wanted(self, signals: Signals) -> Iterator[tuple[Lamp, Pattern]]:
        for seat, lamp in self._seats.items():
            light = signals.seats.get(seat, "off")
            amber, calm = self._amber.get(seat), light in ("slow", "complete")
            if amber is not None:
                yield amber, self._lights[light if calm else "off"]
                light = "off" if calm else light
            yield lamp, self._lights[light]
        yield self._alarm, self._lights[signals.alarm]
        yield self._buzzer, OFF if signals.buzzer is None else self._sound(self._buzzes[signals.buzzer])

    def _sound(self, pattern: Pattern) -> Pattern:
        return pattern if self._tone is not None else pattern.softened(self._strength.volume)

    def _write(self, lamp: Lamp) -> None:
        if not self._live or self._pins is None or lamp.pin is None:
            return
        try:
            self._drive(self._pins, lamp, lamp.pin)
        except PanelError as error:
            self._failed(error)

    def _drive(self, pins: Pins, lamp: Lamp, pin: int) -> None:
        hz, duty = self._pulse(lamp)
        if not lamp.level or not hz or not self._pulses:
            pins.write(pin, lamp.level)
            return
        try:
            pins.pulse(pin, hz, duty)
        except PanelError as error:
            pins.write(pin, lamp.level)
            self._pulses = False
            self._report(f"panel: LEDs and buzzer can be switched, but not softened: {error}")

    def _pulse(self, lamp: Lamp) -> tuple[int, int]:
        """How often a second it is switched while it is on, and for how many percent of the time; 0: not at all."""
        if lamp is self._buzzer:
            return (0, 100) if self._tone is None else (self._tone, self._strength.volume * TONE_DUTY // 100)
        duty = max(1, self._strength.brightness * lamp.share // 100)
        return (LED_HZ if duty < 100 else 0), duty

    def _open(self, pins: Pins) -> None:
        try:
            for lamp in self._all():
                if lamp.pin is not None:
                    pins.setup_output(lamp.pin)
                    if lamp.level:  # what is on by now, while the pins were away or not yet open
                        self._drive(pins, lamp, lamp.pin)
            if self._buttons is not None:
                self._buttons.setup()
        except PanelError as error:
            self._failed(error)
            return
        self._live = True
        atexit.register(self.close)
        self._live_since = self._clock.time()
        if self._fault is not None:
            self._fault = None
            self._report("panel: works again")
        if self._has_buttons:
            self._poll_later()

    def _poll_later(self) -> None:
        self._timer = self._clock.call_at(self._clock.time() + POLL_S, self._poll)

    def _poll(self) -> None:
        if self._buttons is None:
            return
        try:
            names = self._buttons.poll()
        except PanelError as error:
            self._failed(error)
            return
        # First, so that whatever a press sets off cannot end the polling (unless it closes the panel).
        self._poll_later()
        for name in names:
            self._pressed(name)

    def _failed(self, error: PanelError) -> None:
        """The pins are lost: say so once, leave them as safe as can be, come back later if that may help."""
        if self._live and self._clock.time() - self._live_since > HEALTHY_S:
            self._failures = 0
        self._let_go()
        again = not isinstance(error, NoGpioError) and not self._closed
        if self._fault is None:
            outlook = ", trying again" if again else ""
            self._report(f"no panel: {error}; the table runs on without it{outlook}")
        self._fault = said_by(error)
        if again:
            wait = RETRY_S[min(self._failures, len(RETRY_S) - 1)]
            self._failures += 1
            self._timer = self._clock.call_at(self._clock.time() + wait, self.start)

    def _let_go(self) -> PanelError | None:
        """Stop looking at buttons, close the driver; what went wrong with that."""
        self._live = False
        self._pulses = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._pins is not None:
            try:
                self._pins.close()
            except PanelError as error:
                return error
        return None
