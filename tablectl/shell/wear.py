"""The store of deck wear: one row a card, beside the journal, kept for years.

Owns: the file (SQLite), its schema, and one thread that writes. Refuses: what the rows mean (`app.wear`).

`keep` puts rows into memory and returns at once; the newest row of a card takes the place of one that still waits, so
that what waits is never more than the cards of the table, whatever the disk does. A disk that fails is tried again with
the next rows. A power cut costs the last hand's counts at most: each write is one transaction.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from tablectl.errors import JournalError

APPLICATION_ID: Final = 0x7461626D
"""Marks a file as ours in its SQLite header: "tabm"."""
FORMAT: Final = 1
BUSY_S: Final = 2.0
CLOSE_S: Final = 3.0
RETRY_S: Final = 5.0
"""Pause before a write that failed is tried again, s."""
MODE: Final = 0o640
"""As the journal's."""
MOST_WAITING: Final = 4096
"""Rows that may wait; a table with eight decks and all their spares has a tenth of that."""

TABLES: Final[Mapping[str, tuple[tuple[str, ...], int]]] = {
    "cards": (
        (
            "uid TEXT", "deck TEXT", "first_day TEXT", "last_day TEXT", "days INTEGER", "dealt INTEGER",
            "looks INTEGER", "reads INTEGER", "expected REAL", "judged INTEGER", "recent REAL", "weight REAL",
        ),
        1,
    ),
    "places": (("zone TEXT", "cards INTEGER", "mean REAL", "weight REAL"), 2),
    "table_figures": (("name TEXT", "value REAL"), 1),
    "decks": (
        (
            "deck TEXT", "tags TEXT", "day TEXT", "last_nights TEXT", "nights INTEGER", "left REAL", "last REAL",
            "judged INTEGER", "spread REAL",
        ),
        1,
    ),
    "levels": (
        (
            "deck TEXT", "zone TEXT", "cards INTEGER", "calibrated REAL", "new REAL", "new_landings INTEGER",
            "new_nights INTEGER", "recent REAL", "nights INTEGER", "tonight REAL", "landings INTEGER",
        ),
        3,
    ),
}  # fmt: skip
"""Table → its columns, and of how many of the first ones its key is made."""

Row = tuple[Any, ...]


class WearFile:
    """The store of one running table. Raises JournalError if the file is not one, or cannot be opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fault: str | None = None
        """Why the last write failed; None when all is well."""
        self.dropped = 0
        """Rows that found no room while the disk failed."""
        self._waiting: dict[tuple[str, Row], Row] = {}
        self._change = threading.Condition()
        self._closing = False
        _prepare(path)
        self._thread = threading.Thread(target=self._run, name="wear", daemon=True)
        self._thread.start()

    def keep(self, table: str, rows: Sequence[Row]) -> None:
        """Rows to be written; never waits for the disk. The newest row of a key is the one that counts."""
        _, key = TABLES[table]
        with self._change:
            for row in rows:
                name = (table, row[:key])
                if name not in self._waiting and len(self._waiting) >= MOST_WAITING:
                    self.dropped += 1
                    continue
                self._waiting[name] = row
            self._change.notify_all()

    def close(self) -> None:
        """Writes what waits, if the disk lets it."""
        with self._change:
            self._closing = True
            self._change.notify_all()
        self._thread.join(CLOSE_S)

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting or self._closing)
                rows, self._waiting = self._waiting, {}
                last = self._closing
            if rows and not self._write(rows):
                with self._change:
                    self._waiting = {**rows, **self._waiting}
                    self._change.wait_for(lambda: self._closing, RETRY_S)
            if last:
                return

    def _write(self, rows: Mapping[tuple[str, Row], Row]) -> bool:
        try:
            with closing(_open(self.path)) as file, file:
                for (table, _), row in rows.items():
                    marks = ", ".join("?" * len(row))
                    file.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", row)  # noqa: S608 (our own names)
        except sqlite3.Error as error:
            self.fault = str(error)
            return False
        self.fault = None
        return True


def read(path: Path) -> dict[str, list[Row]]:
    """The rows of every table; none where there is no file yet. Raises JournalError for another file."""
    if not path.exists():
        return {table: [] for table in TABLES}
    try:
        with closing(_open(path, mode="ro")) as file:
            _check(file, path)
            there = _tables(file)
            return {
                table: list(file.execute(_select(table, columns))) if table in there else []
                for table, (columns, _) in TABLES.items()
            }
    except sqlite3.Error as error:
        raise JournalError(f"{path}: the wear of the decks cannot be read: {error}") from None


def _open(path: Path, mode: str = "rwc") -> sqlite3.Connection:
    file = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", timeout=BUSY_S, uri=True)
    file.execute("PRAGMA synchronous = FULL")
    return file


def _prepare(path: Path) -> None:
    # Not for everybody, as the journal: it has the UIDs of the decks. A mode that others could read is narrowed.
    with contextlib.suppress(OSError):  # it is there already, or SQLite finds the words for what is wrong
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, MODE))
    try:
        with closing(_open(path)) as file, file:
            if file.execute("PRAGMA user_version").fetchone()[0] == 0 and not _tables(file):
                file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                file.execute(f"PRAGMA user_version = {FORMAT}")
            _check(file, path)
            for table, (
                columns,
                key,
            ) in TABLES.items():  # a table more than an older version had is no new format
                names = ", ".join(f'"{column.split()[0]}"' for column in columns[:key])
                typed = ", ".join('"{}" {}'.format(*column.split()) for column in columns)
                file.execute(
                    f"CREATE TABLE IF NOT EXISTS {table} ({typed}, PRIMARY KEY ({names})) WITHOUT ROWID"
                )
    except sqlite3.Error as error:
        raise JournalError(f"{path}: the wear of the decks cannot be kept: {error}") from None
    with contextlib.suppress(OSError):  # another user's file
        path.chmod(path.stat().st_mode & MODE)


def _select(table: str, columns: Sequence[str]) -> str:
    # With the table before it, a column that is not there is an error; alone in quotes it would be a text.
    names = ", ".join(f'{table}."{column.split()[0]}"' for column in columns)
    return f"SELECT {names} FROM {table}"  # noqa: S608 (our own names)


def _tables(file: sqlite3.Connection) -> set[str]:
    return {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _check(file: sqlite3.Connection, path: Path) -> None:
    marked, version = (
        file.execute(f"PRAGMA {what}").fetchone()[0] for what in ("application_id", "user_version")
    )
    if marked != APPLICATION_ID:
        raise JournalError(f"{path}: this is no record of deck wear; move the file away")
    if version != FORMAT:
        raise JournalError(f"{path}: was written by a newer tablectl (format {version}); update this one")
