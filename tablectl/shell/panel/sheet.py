"""The pins of a simulated panel in a file, so that another process can see them and press their buttons.

Owns: that file. Refuses: what a pin is for. As on a real header, levels outlive the process that set them: when it is
killed, its buzzer stays on in the file until somebody switches it off.

One line a pin, each of the same length, in the order of their numbers:

    18 out 1 100    0       pin, in or out, level, percent of the time that it is on, times a second (0: all the time)

Whoever writes a 0 into the level of an input presses the button there (they connect their pin to ground).
"""

from __future__ import annotations

import os
from pathlib import Path

from tablectl.shell.panel.pins import Level, PanelError

_LINE = "{:>2} {:<3} {} {:>3} {:>5}\n"
_LENGTH = len(_LINE.format(0, "in", 0, 0, 0))
_LEVEL_AT = len("18 out ")


class Sheet:
    """The file at `path`, made if it is not there, opened anew when it was closed. Raises PanelError only."""

    def __init__(self, path: Path, pins: range) -> None:
        self.path = path
        self._pins = pins
        self._file: int | None = None

    def put(self, pin: int, *, out: bool, level: Level, duty: int = 100, hz: int = 0) -> None:
        """Shows a pin."""
        line = _LINE.format(pin, "out" if out else "in", level, duty if level else 0, hz)
        try:
            os.pwrite(self._opened(), line.encode("ascii"), self._pins.index(pin) * _LENGTH)
        except OSError as error:
            raise self._trouble(error) from error

    def level(self, pin: int) -> Level:
        """The level that a pin has in the file, whoever set it."""
        try:
            return (
                1 if os.pread(self._opened(), 1, self._pins.index(pin) * _LENGTH + _LEVEL_AT) == b"1" else 0
            )
        except OSError as error:
            raise self._trouble(error) from error

    def close(self) -> None:
        """Lets go of the file, which stays as it is."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _opened(self) -> int:
        if self._file is None:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            blank = "".join(_LINE.format(pin, "in", 0, 0, 0) for pin in self._pins).encode("ascii")
            if os.fstat(self._file).st_size != len(blank):
                os.ftruncate(self._file, 0)
                os.pwrite(self._file, blank, 0)
        return self._file

    def _trouble(self, error: OSError) -> PanelError:
        return PanelError(f"the file of the simulated pins, {self.path}: {error.strerror or error}")
