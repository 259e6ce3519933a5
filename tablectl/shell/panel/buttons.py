"""The buttons of the panel, polled and debounced.

Owns: when a press is a press. Refuses: what a press means. Edge detection is never used: it fails with
RPi.GPIO on kernels from 6.6 (raspberrypi/linux#6037).

A button connects its pin to ground; the internal pull-up holds the pin high otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

from tablectl.shell.panel.pins import Pins

POLL_S = 0.008
"""Time between two looks at the buttons, seconds."""

STABLE_POLLS = 4
"""Equal readings in a row that make a new state: 4, 8 ms apart, outlast a switch's bounce (5 to 20 ms)."""


class Buttons:
    """The buttons by name. One that is down already when it is set up counts only after it was let go."""

    def __init__(self, pins: Pins, wiring: Mapping[str, int]) -> None:
        self._pins = pins
        self._wiring = dict(wiring)
        self._down: dict[str, bool] = {}
        self._differing: dict[str, int] = {}

    def setup(self) -> None:
        """Make the pins inputs and begin with the state they have now. Raises PanelError."""
        for name, pin in self._wiring.items():
            self._pins.setup_input(pin, "up")
            self._down[name] = self._pins.read(pin) == 0
            self._differing[name] = 0

    def poll(self) -> list[str]:
        """Look at every button once; the names of those just found pressed. Raises PanelError."""
        pressed = []
        for name, pin in self._wiring.items():
            down = self._pins.read(pin) == 0
            if down == self._down[name]:
                self._differing[name] = 0
                continue
            self._differing[name] += 1
            if self._differing[name] < STABLE_POLLS:
                continue
            self._down[name] = down
            self._differing[name] = 0
            if down:
                pressed.append(name)
        return pressed
