"""The audit key: its private part is never on a table.

Owns: the line `audit_key`. Refuses: opening anything with a key, and looking further than beside the table's files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from tablectl.doctor.line import Line
from tablectl.sealed import is_private_audit_key

MOST_FILES = 1000
"""Looked into in one folder; more are no folder of a table's files."""


def private(files: Iterable[Path]) -> Iterator[Line]:
    """Each private audit key that lies beside one of these files. Nothing where there is none."""
    for folder in dict.fromkeys(file.absolute().parent for file in files):
        with suppress(OSError):  # a folder that may not be read: `rights` speaks of it
            for path in sorted(folder.iterdir())[:MOST_FILES]:
                if _is_private(path):
                    text = f"{path}: the private audit key lies at the table: who takes both can open the journal"
                    do = "move it to the computer of whoever audits, and make a new key if this is a real table"
                    yield Line("audit_key", "warning", text, do, path.name)


def _is_private(path: Path) -> bool:
    try:
        return path.is_file() and is_private_audit_key(path)
    except OSError:
        return False
