"""The parts of a journal: what was written before, moved aside, and how much of it is kept.

Owns: the names `journal.part-0001.sqlite` and `journal.format-1.sqlite` beside `journal.sqlite`, moving a file there,
and which of them are too much. Refuses: when that is due (`writer`), and what is in them.

A file is moved only when its write-ahead log is folded in and gone: a log that stayed behind would be taken for that of
the next file. Whoever reads the file holds that up, and it is tried again later. A part never changes any more. What is
kept is counted in bytes, not in days: a small computer without a battery may wake up in any year.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tablectl.errors import JournalError
from tablectl.shell.journal.chain import NOTHING
from tablectl.shell.journal.file import check_ours, tail
from tablectl.whole import sync_folder


def parts(journal: Path) -> list[Path]:
    """The parts of the journal at that path, the oldest first. OSError if its folder cannot be read."""
    named = re.compile(rf"{re.escape(journal.stem)}\.part-\d{{4,}}{re.escape(journal.suffix)}")
    found = [each for each in journal.parent.iterdir() if named.fullmatch(each.name)]
    return sorted(found, key=_number)


def is_aside(journal: Path, other: Path) -> bool:
    """Whether `other` is a part of the journal, or its file of format 1."""
    kind = rf"{re.escape(journal.stem)}\.(part-\d{{4,}}|format-1(-\d+)?){re.escape(journal.suffix)}"
    return other.parent == journal.parent and re.fullmatch(kind, other.name) is not None


def is_part(path: Path) -> bool:
    """Whether the file is called as a part of a journal is."""
    return re.fullmatch(r".+\.part-\d{4,}", path.stem) is not None


def files(path: Path) -> list[Path]:
    """The journal at that path with the parts before it, the oldest first; a part stands alone."""
    try:
        return [path] if is_part(path) else [*parts(path), path]
    except OSError:  # its folder may not be read
        return [path]


def _number(part: Path) -> int:
    return int(part.stem.rpartition("-")[2])


def last_before(journal: Path) -> tuple[int, int, bytes]:
    """Night, seq and hash from which the first night of a new file goes on. (0, 0, NOTHING) if it is the first.

    Raises sqlite3.Error, JournalError, OSError if the last part cannot be read: a chain that began anew would look
    as if that part had never been.
    """
    for part in reversed(parts(journal)):
        with closing(sqlite3.connect(f"{part.absolute().as_uri()}?mode=ro", uri=True)) as file:
            found = tail(file) if check_ours(file, part) else None
            if found is not None:
                return found
    return 0, 0, NOTHING


def fold(file: sqlite3.Connection) -> bool:
    """Folds the log into the file, so that nothing but the file is left. False while somebody reads it."""
    wait = file.execute("PRAGMA busy_timeout").fetchone()[0]
    file.execute("PRAGMA busy_timeout = 0")  # readers may take minutes, and entries wait meanwhile
    try:
        return bool(file.execute("PRAGMA journal_mode = DELETE").fetchone()[0] == "delete")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise
        return False
    finally:
        file.execute(f"PRAGMA busy_timeout = {wait}")


def put_aside(journal: Path) -> Path:
    """Moves a folded file to its place as a part. OSError."""
    there = parts(journal)
    number = _number(there[-1]) + 1 if there else 1
    return _moved(journal, journal.with_name(f"{journal.stem}.part-{number:04}{journal.suffix}"))


def put_old_aside(journal: Path) -> Path:
    """Moves a journal of format 1 aside. JournalError if somebody reads it, sqlite3.Error, OSError."""
    with closing(sqlite3.connect(journal, isolation_level=None)) as file:
        if not fold(file):
            raise JournalError(
                f"{journal}: a journal of format 1, which must be moved aside, and another program reads it;"
                " end that program first"
            )
    number, place = 1, journal.with_name(f"{journal.stem}.format-1{journal.suffix}")
    while place.exists():
        number += 1
        place = journal.with_name(f"{journal.stem}.format-1-{number}{journal.suffix}")
    return _moved(journal, place)


def _moved(journal: Path, place: Path) -> Path:
    if place.exists():
        raise FileExistsError(17, "is there already", str(place))
    journal.rename(place)
    sync_folder(journal.parent)  # else, after a power cut, the next file might lie over this one
    return place


@dataclass(frozen=True, slots=True)
class Old:
    """A part that is too much, and the night, seq and hash at its end: the next one goes on from there."""

    path: Path
    night: int
    seq: int
    hash: bytes


def too_much(journal: Path, keep_bytes: int) -> list[Old]:
    """The oldest parts beyond so many bytes, the oldest first; the newest part never. OSError, sqlite3.Error."""
    there = parts(journal)
    sizes = [each.stat().st_size for each in there]
    found = []
    while len(there) > 1 and sum(sizes) > keep_bytes:
        part = there.pop(0)
        sizes.pop(0)
        with closing(sqlite3.connect(f"{part.absolute().as_uri()}?mode=ro", uri=True)) as file:
            found.append(Old(part, *(tail(file) or (0, 0, NOTHING))))
    return found
