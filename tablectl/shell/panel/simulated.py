"""Pins without hardware: for a table on a laptop, the demo, and every test of the panel.

Owns: what was written to each pin and when, and levels on inputs as somebody presses buttons, in this process or
in a file that others see (`sheet`). Refuses, as the real thing does, pins that were not set up or do not exist.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tablectl.shell.panel.pins import Level, PanelError, Pull
from tablectl.shell.panel.sheet import Sheet

PINS = range(54)
"""GPIO numbers of a Raspberry Pi's SoC."""

KEPT = 4096
"""Level changes kept per pin; older ones are forgotten: a night of blinking must not fill the memory."""


class Change(NamedTuple):
    """A pin took a level at a time, in the seconds of the clock given to `SimulatedPins`."""

    at: float
    level: Level
    duty: int = 100
    """Percent of the time that it is on, if it is on …"""
    hz: int = 0
    """… so many times a second; 0 if it is simply on, or off."""


class SimulatedPins:
    """A pin driver that remembers. `now` gives the times in seconds: those of the event loop by default.

    With a `file` other processes see the pins, too, and may press the buttons.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, file: Path | None = None) -> None:
        self._now = now
        self._sheet = Sheet(file, PINS) if file is not None else None
        self._outputs: dict[int, Level] = {}
        self._inputs: dict[int, Level] = {}
        self._pulls: dict[int, Pull] = {}
        self._history: dict[int, deque[Change]] = {}
        self._waiting: list[tuple[int, Level, asyncio.Future[float]]] = []
        self._broken: str | None = None

    # The seam

    def setup_output(self, pin: int) -> None:
        """See `Pins`."""
        self._check(pin)
        self._inputs.pop(pin, None)
        self._outputs[pin] = 0
        self._record(pin, Change(self._now(), 0))

    def setup_input(self, pin: int, pull: Pull) -> None:
        """See `Pins`. An input that nobody presses has the level of its pull resistor."""
        self._check(pin)
        self._outputs.pop(pin, None)
        self._pulls[pin] = pull
        self._inputs.setdefault(pin, 1 if pull == "up" else 0)
        if self._sheet is not None:
            self._sheet.put(pin, out=False, level=self._inputs[pin])

    def write(self, pin: int, level: Level) -> None:
        """See `Pins`."""
        self._put_out(pin, Change(self._now(), level))

    def pulse(self, pin: int, hz: int, duty: int) -> None:
        """See `Pins`."""
        self._put_out(pin, Change(self._now(), 1, duty, hz))

    def read(self, pin: int) -> Level:
        """See `Pins`."""
        self._check(pin)
        if pin not in self._inputs:
            raise PanelError(f"pin {pin} was not set up as an input")
        return self._inputs[pin] if self._sheet is None else self._sheet.level(pin)

    def close(self) -> None:
        """See `Pins`. Works on broken pins too: what is in nobody's power is low."""
        outputs, self._outputs = self._outputs, {}
        self._inputs.clear()
        for pin in outputs:
            self._record(pin, Change(self._now(), 0), out=False)
        if self._sheet is not None:
            self._sheet.close()

    # The world outside

    def press(self, pin: int) -> None:
        """Hold a button down: connect its pin to ground, or to 3.3 V where the pull is down."""
        self._set_input(pin, pressed=True)

    def release(self, pin: int) -> None:
        """Let go of a button."""
        self._set_input(pin, pressed=False)

    def break_(self, text: str) -> None:
        """From now on every access to a pin fails with that text."""
        self._broken = text

    def mend(self) -> None:
        """Pins work again."""
        self._broken = None

    # What can be asserted

    def levels(self) -> dict[int, Level]:
        """Every pin that is an output now, with its level."""
        return dict(sorted(self._outputs.items()))

    def history(self, pin: int) -> tuple[Change, ...]:
        """The level changes of a pin, oldest first; the first one is the low level at set-up."""
        return tuple(self._history.get(pin, ()))

    async def wait_for(self, pin: int, level: Level, deadline: float) -> float:
        """Wait at most `deadline` seconds until the output has that level; the time at which it took it.

        Raises TimeoutError, saying what the pin did instead.
        """
        if self._outputs.get(pin) == level:
            return self._history[pin][-1].at
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        entry = (pin, level, future)
        self._waiting.append(entry)
        try:
            return await asyncio.wait_for(future, deadline)
        except TimeoutError:
            changes = ", ".join(f"{each.level} at {each.at:.3f} s" for each in self.history(pin)[-5:])
            raise TimeoutError(
                f"pin {pin} did not become {level} within {deadline} s; it was: {changes or 'never set up'}"
            ) from None
        finally:
            self._waiting.remove(entry)

    def _set_input(self, pin: int, *, pressed: bool) -> None:
        if pin not in self._inputs:
            raise PanelError(f"there is no button on pin {pin}; inputs are {sorted(self._inputs)}")
        resting: Level = 1 if self._pulls[pin] == "up" else 0
        other: Level = 0 if resting else 1
        self._inputs[pin] = other if pressed else resting
        if self._sheet is not None:
            self._sheet.put(pin, out=False, level=self._inputs[pin])

    def _put_out(self, pin: int, change: Change) -> None:
        self._check(pin)
        if pin not in self._outputs:
            raise PanelError(f"pin {pin} was not set up as an output")
        self._outputs[pin] = change.level
        self._record(pin, change)

    def _check(self, pin: int) -> None:
        if self._broken is not None:
            raise PanelError(self._broken)
        if pin not in PINS:
            raise PanelError(f"there is no pin {pin}; pins are {PINS.start} to {PINS.stop - 1}")

    def _record(self, pin: int, change: Change, *, out: bool = True) -> None:
        if self._sheet is not None:
            self._sheet.put(pin, out=out, level=change.level, duty=change.duty, hz=change.hz)
        changes = self._history.setdefault(pin, deque(maxlen=KEPT))
        if changes and changes[-1][1:] == change[1:]:
            return
        changes.append(change)
        for wanted, level, future in self._waiting:
            if (wanted, level) == (pin, change.level) and not future.done():
                future.set_result(change.at)
