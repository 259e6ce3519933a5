"""How many backups of a table are kept.

Owns: the names of archives in a folder, and which old ones go. Refuses: whatever else lies in that folder.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

ENDING = ".tablectl.tar.gz"


def name_of(table: str, taken: datetime) -> str:
    """What an archive is called: names that sort are times that sort."""
    return f"{_plain(table)}-{taken.astimezone(UTC):%Y%m%dT%H%M%SZ}{ENDING}"


def forget_old(folder: Path, table: str, keep: int) -> list[Path]:
    """Removes all but the newest `keep` archives of this table, and says which. OSError if one cannot be removed."""
    ours = re.compile(rf"{re.escape(_plain(table))}-\d{{8}}T\d{{6}}Z{re.escape(ENDING)}")
    there = sorted((path for path in folder.iterdir() if ours.fullmatch(path.name)), reverse=True)
    for path in there[keep:]:
        path.unlink()
    return there[keep:]


def _plain(table: str) -> str:
    """The table's name, as a file may be called."""
    return re.sub(r"[^\w.-]", "_", table).lstrip(".") or "table"
