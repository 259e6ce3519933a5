"""Leaving the line to whoever brings a new firmware.

Owns: the bytes that ask for it, and the mark in the flash that outlives the reset. Refuses: the reset itself
(`board`), the protocol (`wire`), and any copying: mpremote does that over the REPL.

A board's USB port is also its REPL, but main.py switches Ctrl-C off, because frames hold that byte too, and it
starts a watchdog that nothing can stop. So `tablectl firmware flash` asks with bytes that are no frame. The board
leaves a mark and resets; the next start takes the mark away and ends before the watchdog starts, and the REPL has
the port. If no flasher comes, the start after that is an ordinary one.

    if update.begins():  # before the watchdog, before kbd_intr(-1)
        return
    listener = update.Listener()
    …
    if listener.heard(data):
        update.leave_mark()
        board.reset()
"""

import os

ASKED = b"\x00" + b"\x03" * 8 + b"\x00"
"""Eight Ctrl-C between two ends of frames: COBS that ends too early, so no frame can be this."""
MARK = "flash-me"
"""A file in the board's flash: the next start leaves the port to the REPL."""


class Listener:
    """Looks for ASKED in the bytes as they come, in whatever pieces."""

    def __init__(self) -> None:
        self._tail = b""

    def heard(self, data: bytes) -> bool:
        """Whether a flasher has asked for the board with these bytes."""
        seen = self._tail + bytes(data)
        self._tail = seen[-(len(ASKED) - 1) :]
        return ASKED in seen


def leave_mark() -> None:
    """The next start is for the flasher."""
    with open(MARK, "w"):  # noqa: PTH123  (MicroPython has no pathlib)
        pass


def begins() -> bool:
    """Whether this start is for the flasher; the one after it is not."""
    try:
        os.remove(MARK)  # noqa: PTH107  (MicroPython has no pathlib)
    except OSError:
        return False
    return True
