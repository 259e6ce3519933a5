"""The seam between the panel and whatever drives its pins.

Owns: what a pin driver must offer, and the errors it may raise. Refuses: patterns, names and meanings of pins
(`tablectl.shell.panel`). Pins are BCM numbers, levels 0 or 1; an output is on at 1.
"""

from __future__ import annotations

from typing import Literal, Protocol

from tablectl.errors import TablectlError

Level = Literal[0, 1]
Pull = Literal["up", "down", "off"]


class PanelError(TablectlError, OSError):
    """A pin cannot be set up, read or written; a later attempt may work."""


class NoGpioError(PanelError):
    """There are no pins to drive here, and there will be none as long as this program runs."""


class Pins(Protocol):
    """A pin driver. Nothing is touched before the first `setup_…`; every method raises `PanelError` only.

    After `close` the driver may be opened again by setting pins up again.
    """

    def setup_output(self, pin: int) -> None:
        """Make the pin an output that is low from the first moment."""

    def setup_input(self, pin: int, pull: Pull) -> None:
        """Make the pin an input with that pull resistor."""

    def write(self, pin: int, level: Level) -> None:
        """Set an output."""

    def pulse(self, pin: int, hz: int, duty: int) -> None:
        """Switch an output on at once, and from then on `hz` times a second for `duty` percent of the time.

        It goes on by itself until the next `write` or `pulse` of that pin. A failure leaves the pin to be written.
        """

    def read(self, pin: int) -> Level:
        """The level of an input now."""

    def close(self) -> None:
        """Bring every output to its safe level, low, and let go of all pins, as far as still possible."""
