"""The ptys of the simulated boards, with links that stay where they are.

Owns: opening, linking, unplugging and replugging a pty, and bytes through it. Refuses: what the bytes mean.

The simulator keeps the slave side open, so that the line survives a table computer that comes and goes.
"""

from __future__ import annotations

import contextlib
import os
import termios
import tty
from pathlib import Path

from tablectl.errors import UsageError

BACKLOG = 8192
"""Bytes held back while nobody reads; what comes on top of them is lost, as it is on a real line."""
CHUNK = 4096
SPEEDS = {
    termios.B115200: 115_200,
    termios.B230400: 230_400,
    termios.B460800: 460_800,
    termios.B921600: 921_600,
}
"""termios's name of a bit rate → bit/s. A pty carries bytes at any rate, but remembers which one was set."""


class PtyPort:
    """One serial line. `link` is the path that a table computer opens."""

    def __init__(self, link: Path, *, any_user: bool = False) -> None:
        self.link = link
        self.dropped = 0
        """Chunks lost because nobody read."""
        self._any_user = any_user
        self._master: int | None = None
        self._slave: int | None = None
        self._backlog = b""
        self.plug()

    @property
    def fd(self) -> int | None:
        """The descriptor to wait on; None while unplugged."""
        return self._master

    @property
    def speed(self) -> int:
        """The bit rate to which the table computer has set the line, bit/s; 0 for one that was never set, or that no
        reader uses."""
        if self._slave is None:
            return 0
        return SPEEDS.get(termios.tcgetattr(self._slave)[5], 0)

    def plug(self) -> None:
        """Open a new pty and point the link at it. UsageError if the link cannot be made."""
        if self._master is not None:
            return
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        path = os.ttyname(slave)
        if self._any_user:
            Path(path).chmod(0o666)
        self._master, self._slave, self._backlog = master, slave, b""
        try:
            self._point_to(path)
        except OSError as wrong:
            self._close()
            raise UsageError(f"{self.link}: the link cannot be made: {wrong.strerror}") from None

    def _point_to(self, path: str) -> None:
        if self.link.exists() and not self.link.is_symlink():
            raise UsageError(f"{self.link}: this is no link of a simulator and is left alone; move it away")
        new = self.link.with_name(f".{self.link.name}.{os.getpid()}")
        new.unlink(missing_ok=True)
        new.symlink_to(path)
        new.replace(self.link)

    def unplug(self) -> None:
        """Hang up: the reader sees end of file or an I/O error, and the link is gone."""
        if self._master is not None:
            self.link.unlink(missing_ok=True)
            self._close()

    def _close(self) -> None:
        for descriptor in (self._master, self._slave):
            if descriptor is not None:
                os.close(descriptor)
        self._master = self._slave = None

    def read(self) -> bytes:
        """What the table computer has sent since; empty if nothing."""
        if self._master is None:
            return b""
        with contextlib.suppress(BlockingIOError):
            return os.read(self._master, CHUNK)
        return b""

    def write(self, data: bytes) -> None:
        """Send what fits, keep a little, drop the rest."""
        if self._master is None:
            return
        if len(self._backlog) + len(data) > BACKLOG:
            self.dropped += 1
        else:
            self._backlog += data
        while self._backlog:
            try:
                sent = os.write(self._master, self._backlog)
            except BlockingIOError:
                return
            self._backlog = self._backlog[sent:]
