"""One writer for each journal.

Owns: the file `<journal>.lock` beside the journal, locked for as long as one process writes there.
Refuses: SQLite's own locks, which only hold for single transactions; readers need no lock at all.

The lock is the kernel's (`flock`) and not the file: however the writer ends, SIGKILL and power cut included,
nothing stays locked. It is a file of its own because SQLite's locks on the journal are POSIX locks, which a
process loses as soon as it closes any descriptor of that file.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from typing import Final

from tablectl.errors import JournalError
from tablectl.said import Said

PID_BYTES: Final = 20
"""More than the number of a process takes in the file."""


class WriterLock:
    """Held from `claim` to `release`."""

    def __init__(self, place: Path, descriptor: int) -> None:
        self._place = place
        self._descriptor = descriptor

    def holds(self) -> bool:
        """True if the locked file is still the one at its place: a disk may have been mounted over it."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), self._place.stat())
        except OSError:
            return False

    def release(self) -> None:
        """Takes the file away and lets the next writer in."""
        if self.holds():
            with contextlib.suppress(OSError):
                self._place.unlink()
        os.close(self._descriptor)


def claim(journal: Path) -> WriterLock | None:
    """The right to write the journal; JournalError, at once, while another process has it.

    None if there can be no lock file there: a disk that is full or read-only, or that knows no locks. What
    is wrong with the place is for SQLite to find; that no lock can be had is no reason to write nothing.
    """
    place = Path(f"{os.path.realpath(journal)}.lock")  # two links to one file are one journal
    while True:
        try:
            descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            who = _writer(descriptor)
            os.close(descriptor)
            raise JournalError(
                Said(
                    "{path}: another tablectl{who} writes this journal; stop it first, or name another path"
                    " in [journal]",
                    path=journal,
                    who=who,
                )
            ) from None
        except OSError:
            os.close(descriptor)
            return None
        lock = WriterLock(place, descriptor)
        if lock.holds():  # else the writer before took its file away while this one opened it
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, str(os.getpid()).encode(), 0)
            return lock
        os.close(descriptor)


def _writer(descriptor: int) -> str:
    """Who holds the lock, as far as it has said so."""
    pid = os.pread(descriptor, PID_BYTES, 0)
    return f" (pid {pid.decode()})" if pid.isdigit() else ""
