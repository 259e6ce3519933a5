"""How many backups of a table are kept.

Owns: the names of archives in a folder, which one is the newest, and which old ones go. Refuses: whatever else
lies in that folder.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from tablectl.errors import BackupError

ENDING = ".tablectl.tar.gz"
TAKEN = rf"\d{{8}}T\d{{6}}Z{re.escape(ENDING)}"


def name_of(table: str, taken: datetime) -> str:
    """What an archive is called: names that sort are times that sort."""
    return f"{_plain(table)}-{taken.astimezone(UTC):%Y%m%dT%H%M%SZ}{ENDING}"


def forget_old(folder: Path, table: str, keep: int) -> list[Path]:
    """Removes all but the newest `keep` archives of this table, and says which. OSError if one cannot be removed."""
    ours = re.compile(rf"{re.escape(_plain(table))}-{TAKEN}")
    there = sorted((path for path in folder.iterdir() if ours.fullmatch(path.name)), reverse=True)
    for path in there[keep:]:
        path.unlink()
    return there[keep:]


def newest(folder: Path) -> list[Path]:
    """The newest archive of each table in the folder. BackupError if there is none; OSError as the folder has it."""
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        named = re.fullmatch(rf"(.+)-{TAKEN}", path.name)
        if named is not None:
            found[named[1]] = path
    if not found:
        raise BackupError(f"{folder}: there is no backup of tablectl in this folder")
    return list(found.values())


def _plain(table: str) -> str:
    """The table's name, as a file may be called."""
    return re.sub(r"[^\w.-]", "_", table).lstrip(".") or "table"
