"""A disk of the soak's own that can be full.

Owns: a small file system that is made as large as what lies on it, and larger again: every write of a new byte ends
in ENOSPC. Where this user may not mount one, the controller's process may write no more byte to any file (EFBIG).
Refuses: when (`plan`).
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType

SIZE_MIB = 8192
"""What the disk may hold: a day of a table of nine takes about one gigabyte. It lies in memory, as far as it is
used."""


class Disk:
    """A folder on a disk that can be filled; inside `with`. `process` writes there."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.process = 0
        self.mounted = _mount("-t", "tmpfs", "-o", f"size={SIZE_MIB}m,mode=700", "soak", str(folder))

    @property
    def how(self) -> str:
        """What happens when it is full."""
        return "ENOSPC of a full file system" if self.mounted else "no byte may be written (RLIMIT_FSIZE)"

    def __enter__(self) -> Disk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.folder)], check=False, capture_output=True)  # noqa: S603, S607

    def fill(self) -> None:
        """Not one more block."""
        if self.mounted:
            room = os.statvfs(self.folder)
            used = (room.f_blocks - room.f_bfree) * room.f_frsize
            _mount("-o", f"remount,size={used}", str(self.folder))
        else:
            self._limit(0)

    def free(self) -> None:
        """Room again."""
        if self.mounted:
            _mount("-o", f"remount,size={SIZE_MIB}m", str(self.folder))
        else:
            self._limit(resource.RLIM_INFINITY)

    def _limit(self, most: int) -> None:
        with suppress(ProcessLookupError):
            hard = resource.prlimit(self.process, resource.RLIMIT_FSIZE)[1]
            resource.prlimit(self.process, resource.RLIMIT_FSIZE, (most, hard))


def _mount(*arguments: str) -> bool:
    """True if it was done."""
    command = shutil.which("mount")
    if command is None:
        return False
    return subprocess.run([command, *arguments], check=False, capture_output=True).returncode == 0  # noqa: S603 (ours)
