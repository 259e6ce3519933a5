"""Reading a journal, also while a table writes it.

Owns: the nights of a file, their entries, and a night as a recording for `replay`.
Refuses: any change to the file.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tablectl.errors import JournalError
from tablectl.shell.journal.file import BUSY_S, check_ours, reason

MAGIC: Final = b"SQLite format 3\0"
STEPS: Final = 10_000
"""So many steps of SQLite's machine lie between two looks at the clock: a few milliseconds."""


@dataclass(frozen=True, slots=True)
class Night:
    """One run of the table: its number, when it began (UTC, ISO 8601), and its last `seq` (0: none)."""

    id: int
    started_at: str
    last_seq: int


def is_journal(path: Path) -> bool:
    """True if the file looks like a journal rather than a recording: it begins as SQLite files do."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def nights(path: Path) -> list[Night]:
    """The nights of the journal, the oldest first. Raises JournalError."""
    query = """SELECT id, started_at, coalesce((SELECT max(seq) FROM entries WHERE night = id), 0)
               FROM nights ORDER BY id"""
    return [Night(*row) for row in _rows(path, query, ())]


def lines(path: Path, night: int) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """(`seq`, `sensed` or `decision`, entry) of one night, in order. Raises JournalError, also on the way."""
    _header(path, night)
    query = "SELECT seq, kind, body FROM entries WHERE night = ? ORDER BY seq"
    for seq, kind, body in _rows(path, query, (night,)):
        yield seq, kind, _object(body, f"{path}: night {night}, entry {seq}")


def chosen(path: Path, night: int | None = None) -> Night:
    """The night with that number; None: the last one with entries, or just the last if none has any.

    Raises JournalError if there is no such night.
    """
    there = nights(path)
    if not there:
        raise JournalError(f"{path}: there is no night in this journal yet")
    if night is None:
        return next((each for each in reversed(there) if each.last_seq), there[-1])
    for each in there:
        if each.id == night:
            return each
    known = ", ".join(str(each.id) for each in there)
    raise JournalError(f"{path}: there is no night {night}; there are: {known}")


def as_recording(path: Path, night: int | None = None) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """The first line and the sensed lines of one night (`chosen`), as a recording holds them.

    A night that another one goes on with, after a restart in mid-hand, comes before it: without its lines nobody
    would come to the same decisions. Raises JournalError if there is no such night, and from the iterator if the file
    is damaged.
    """
    night = chosen(path, night).id
    header = _header_of(path, night)
    return header, _sensed(path, night, header)


def run_of(path: Path, run: str) -> tuple[int, int, int] | None:
    """(Night, sensed lines, decisions) of the run of that name as they are in the file; None if it is not in it.

    Raises JournalError.
    """
    for night in reversed(nights(path)):
        if _header_of(path, night.id).get("run") == run:
            query = "SELECT kind, count(*) FROM entries WHERE night = ? GROUP BY kind"
            counts = dict(_rows(path, query, (night.id,)))
            return night.id, counts.get("sensed", 0), counts.get("decision", 0)
    return None


def _sensed(path: Path, night: int, header: dict[str, Any]) -> Iterator[dict[str, Any]]:
    before = header.get("continues")
    if isinstance(before, int) and 0 < before < night:
        yield from _sensed(path, before, _header_of(path, before))
    yield from (entry for _, kind, entry in lines(path, night) if kind == "sensed")


def _header_of(path: Path, night: int) -> dict[str, Any]:
    return _object(_header(path, night), f"{path}: night {night}, header")


def damage(path: Path, seconds: float) -> tuple[str, bool]:
    """(What SQLite finds wrong with the file, empty if nothing; whether it was done in so many seconds).

    Raises JournalError if the file cannot be read at all.
    """
    try:
        with closing(_open(path)) as file:
            end = time.monotonic() + seconds
            file.set_progress_handler(lambda: time.monotonic() > end, STEPS)
            try:
                found = str(file.execute("PRAGMA quick_check(1)").fetchone()[0])
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_INTERRUPT:
                    raise
                return "", False
            return ("" if found == "ok" else " ".join(found.split())), True
    except sqlite3.Error as error:
        raise JournalError(f"{path}: the journal cannot be read: {reason(error)}") from None


def _header(path: Path, night: int) -> str:
    for (header,) in _rows(path, "SELECT header FROM nights WHERE id = ?", (night,)):
        return str(header)
    chosen(path, night)
    raise JournalError(f"{path}: night {night} is no longer there")


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        made = json.loads(text)
    except (TypeError, ValueError):
        made = None
    if not isinstance(made, dict):
        raise JournalError(f"{where}: damaged: it must be a JSON object")
    return made


def _rows(path: Path, query: str, values: tuple[object, ...]) -> Iterator[tuple[Any, ...]]:
    """The rows of a query, one by one, from a connection that cannot write."""
    try:
        with closing(_open(path)) as file:
            yield from file.execute(query, values)
    except sqlite3.Error as error:
        raise JournalError(f"{path}: the journal cannot be read: {reason(error)}") from None


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise JournalError(f"{path}: there is no such journal")
    wal = path.with_name(path.name + "-wal")
    for option in ("mode=ro", "immutable=1"):
        file = sqlite3.connect(
            f"{path.absolute().as_uri()}?{option}", timeout=BUSY_S, isolation_level=None, uri=True
        )
        try:
            if not check_ours(file, path):
                raise JournalError(f"{path}: the file is empty; a journal has at least one night")
        except sqlite3.OperationalError as error:
            file.close()
            # On a read-only disk SQLite cannot make its index of the log; without a log it needs none.
            if (
                option == "mode=ro"
                and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CANTOPEN
                and not wal.exists()
            ):
                continue
            raise
        except (sqlite3.Error, JournalError):
            file.close()
            raise
        return file
    raise AssertionError("the second way returns or raises")
