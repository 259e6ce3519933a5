"""Files that are on the disk whole, or not at all.

Owns: writing a text so that a power cut leaves the old file or the new one. Refuses: what is in it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

USUAL = 0o644


def write_whole(path: Path, text: str, mode: int | None = None) -> None:
    """Write the file so that a power cut leaves the old one or the new one. OSError if it cannot be written.

    Without a mode it keeps the one that it has.
    """
    if mode is None:
        mode = path.stat().st_mode & 0o777 if path.exists() else USUAL
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Waits until the names in the folder are on the disk: a new file is there only once its folder is. OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
