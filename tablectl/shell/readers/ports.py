"""Serial ports: opening one for ourselves alone, and finding where a board went.

Owns: the pyserial settings, who else holds a port, and the order in which ports are tried.
Refuses: bytes (`line`) and what a board says (`session`).
"""

from __future__ import annotations

import errno
import fcntl
import glob
import os
import re
import stat
import termios
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import serial

from tablectl.errors import LinkError, PortBusyError, PortMissingError
from tablectl.said import Said

BY_ID = Path("/dev/serial/by-id")
"""Where udev keeps a name for each serial device on USB, made of its vendor, product and serial number."""

UNPLUGGED = Said("unplugged: the port is ready to read but returns no data")
"""A tty that is always ready and never has anything is one whose device has gone."""

_NUMBERED = re.compile(r"/dev/tty(USB|ACM)\d+")
_PTY_MAJORS = range(136, 144)
_BUSY = (errno.EBUSY, errno.EAGAIN)  # of TIOCEXCL, of flock


def open_port(path: str, baud: int) -> serial.Serial:
    """Open a tty non-blocking, raw, 8N1, and lock it. This may wait for a USB device: not for the event loop.

    `baud` is the speed in bit/s; a pty and a USB CDC port ignore it.

    PortBusyError if another program holds it, PortMissingError if there is no usable port, both with a text
    for the technician.
    """
    _check_serial(path)
    try:
        # inter_byte_timeout=0 sets VMIN=1: a read that returns nothing means "hung up", never "no data yet".
        port = serial.Serial(path, baud, timeout=0, write_timeout=0, inter_byte_timeout=0, exclusive=True)
    except OSError as error:  # SerialException is one
        raise _as_ours(path, error) from error
    except (termios.error, ValueError) as error:  # termios.error is not an OSError
        raise PortMissingError(f"port {path} cannot be set up as a serial port: {error}") from error
    if not _is_pty(path):
        # Keeps out programs that do not know flock. Not on a pty: there the flag would outlive a crash of
        # ours for as long as the program at the other end keeps the pty, and lock us out.
        with suppress(OSError):
            fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
    return port


def close_port(port: serial.Serial) -> None:
    """Close, dropping what was not sent: a device that is gone would make the close wait for it."""
    with suppress(OSError, termios.error, serial.SerialException):
        termios.tcflush(port.fileno(), termios.TCIOFLUSH)
        fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
    with suppress(OSError, termios.error):
        port.close()


def broken_line(error: Exception) -> Said:
    """What to say when reading or writing an open port fails."""
    return Said("the line broke: {error}", error=error)


def _check_serial(path: str) -> None:
    try:
        mode = Path(path).stat().st_mode
    except OSError as error:
        raise _as_ours(path, error) from error
    if not stat.S_ISCHR(mode):
        raise PortMissingError(
            Said("{port} is not a serial port: name a tty, such as one in /dev/serial/by-path", port=path)
        )


def _as_ours(path: str, error: OSError) -> LinkError:
    code = error.errno
    if code == errno.ENOENT or code == errno.ENOTDIR:
        return PortMissingError(
            Said("port {port} is not there: is the board plugged in and powered?", port=path)
        )
    if code == errno.EACCES:
        return PortMissingError(
            Said("port {port} may not be opened by this user: add it to the group that owns it", port=path)
        )
    if code in _BUSY:
        return PortBusyError(
            Said(
                "port {port} is held by {holder}: close it there, tablectl tries again",
                port=path,
                holder=holder(path),
            )
        )
    if code in (errno.ENODEV, errno.ENXIO, errno.EIO):
        return PortMissingError(
            Said("port {port} has no device behind it: is the board plugged in and powered?", port=path)
        )
    return PortMissingError(
        Said("port {port} is not a serial port that can be opened: {error}", port=path, error=error)
    )


def holder(path: str) -> str:
    """Who holds the port, in words: `minicom (pid 812)`, or `another program` if the system does not tell."""
    pids = _lock_owners(path) or _openers(path)
    others = [f"{_program(pid)} (pid {pid})" for pid in sorted(pids) if pid != os.getpid()]
    if not others and os.getpid() in pids:
        return Said("another reader of this table")
    return ", ".join(others) or Said("another program")


def _lock_owners(path: str) -> set[int]:
    """The processes that lock the file. /proc/locks: `1: FLOCK ADVISORY WRITE 812 00:18:5 0 EOF`."""
    owners = set()
    with suppress(OSError, ValueError):
        wanted = Path(path).stat()
        for entry in Path("/proc/locks").read_text().splitlines():
            fields = entry.split()
            if "->" in fields or len(fields) < 6:
                continue
            major, minor, inode = fields[5].split(":")
            if os.makedev(int(major, 16), int(minor, 16)) == wanted.st_dev and int(inode) == wanted.st_ino:
                owners.add(int(fields[4]))
    return {pid for pid in owners if pid > 0}


def _openers(path: str) -> set[int]:
    """The processes that have the device open, as far as this user may see them."""
    device = Path(device_of(path))
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            for descriptor in (process / "fd").iterdir():
                with suppress(OSError):
                    if descriptor.readlink() == device:
                        found.add(int(process.name))
    return found


def _program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "a program"


def _is_pty(path: str) -> bool:
    return os.major(Path(path).stat().st_rdev) in _PTY_MAJORS


def device_of(path: str) -> str:
    """The device node that a symlink or path leads to."""
    return os.path.realpath(path)


def matching(pattern: str) -> list[str]:
    """The paths that a shell pattern stands for, absolute or relative."""
    return sorted(glob.glob(pattern))  # noqa: PTH207  (Path.glob takes relative patterns only)


class KnownNames:
    """Where a reader may turn up again: under the name that its device had by id, wherever that is plugged in now.

    A device under any other name is a stranger and is never opened: opening alone can reset it, hang, or start a talk
    with whatever poses as a serial port.
    """

    def __init__(self, folder: Path = BY_ID) -> None:
        self._folder = folder
        self._known: tuple[str, ...] = ()

    def learn(self, device: str) -> None:
        """The reader answers on `device` (a real path): its names by id are those to look for from now on."""
        names = matching(str(self._folder / "*"))
        self._known = tuple(name for name in names if device_of(name) == device)

    def __call__(self) -> Iterable[str]:
        """Those of the names that are there now."""
        return [name for name in self._known if Path(name).exists()]


class Whereabouts:
    """Where one reader's board may be found: the configured port first, then its siblings.

    The configured port is a path, a symlink or a glob pattern. `names_a_place` tells whether it stands for a
    socket of the hub or a UART: what is plugged in there is this reader's board, even a new one. A pattern or
    a `/dev/ttyUSB0` stands for whatever the kernel numbered first, so there only the board's own id counts.
    `candidates` names its siblings; without them they are KnownNames.
    """

    def __init__(self, port: str, candidates: Callable[[], Iterable[str]] | None) -> None:
        self.port = port
        self._is_pattern = glob.has_magic(port) and not os.path.lexists(port)
        self.names_a_place = not self._is_pattern and not _NUMBERED.fullmatch(port)
        self._candidates = candidates if candidates is not None else KnownNames()

    def met(self, device: str) -> None:
        """The reader answers on that device (a real path)."""
        if isinstance(self._candidates, KnownNames):
            self._candidates.learn(device)

    def configured(self) -> list[str]:
        """What the configured port stands for now: itself, even if absent, or what the pattern matches."""
        return matching(self.port) if self._is_pattern else [self.port]

    def elsewhere(self) -> list[str]:
        """Other ports worth asking, none of them the configured one."""
        own = {device_of(path) for path in self.configured()}
        others = {device_of(path): path for path in self._candidates()}
        return [path for real, path in others.items() if real not in own]

    def leads_to(self, device: str) -> bool:
        """False if `device` (a real path) is gone, or the configured port now leads to another device."""
        if not Path(device).exists():
            return False
        present = [path for path in self.configured() if Path(path).exists()]
        return not present or device in map(device_of, present)

    def nodes(self, *, elsewhere: bool) -> frozenset[tuple[str, int, int]]:
        """The devices that exist now, to notice a new one."""
        found = set()
        for path in self.configured() + (self.elsewhere() if elsewhere else []):
            with suppress(OSError):
                status = Path(path).stat()
                found.add((device_of(path), status.st_rdev, status.st_ino))
        return frozenset(found)
