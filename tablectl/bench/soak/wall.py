"""The wall clock as the controller's process sees it.

Owns: a library of ours (`wall.c`) around that process, and how far its clock is ahead. CLOCK_MONOTONIC stays what it
is. Refuses: the machine's own clock, which belongs to others, too. Where there is no C compiler the clock does not
jump, and the report says so. (Debian's libfaketime would do it as well, and makes the process five times slower.)
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("wall.c")


class WallClock:
    """One process's clock."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "wall-clock"
        self._file.write_bytes(bytes(8))
        self._library = _compiled(folder / "wall.so")

    @property
    def can_jump(self) -> bool:
        """There is a library that lets it."""
        return self._library is not None

    def set(self, ahead: float) -> None:
        """From now on it is so many seconds ahead of the true time."""
        with self._file.open("r+b") as file:
            file.write(struct.pack("@q", round(ahead * 1e9)))

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the process."""
        more = (
            {"LD_PRELOAD": str(self._library), "TABLECTL_SOAK_WALL": str(self._file)} if self._library else {}
        )
        return {**os.environ, **more}


def _compiled(library: Path) -> Path | None:
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(SOURCE), "-ldl"]
    done = subprocess.run(command, check=False, capture_output=True)  # noqa: S603 (no shell, nothing from outside)
    return library if done.returncode == 0 else None
