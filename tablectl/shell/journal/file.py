"""The journal's file: its schema and how it is opened.

Owns: the SQLite schema and its version, the settings of a connection, and what SQLite's errors mean to a
person. Refuses: when to write (`writer`), and what is in the entries.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablectl.errors import JournalError
from tablectl.said import Said

APPLICATION_ID: Final = 0x7461626C
"""Marks a file as ours in its SQLite header: "tabl"."""
FORMAT: Final = 2
"""`user_version` of the schema below. Format 1 had no chain and nothing sealed: it is read, and moved aside before
anything is written (`parts`)."""
BUSY_S: Final = 2.0
"""How long a write waits for another program that holds the file, s."""
WAL_BYTES: Final = 8 << 20
"""What the write-ahead log shrinks to after a time in which it could not be folded into the file, bytes."""

SEQ_BITS: Final = 40
"""An entry's `id` is its night's number, then its `seq` in so many bits: the file grows at its end only."""

SCHEMA: Final = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    """CREATE TABLE nights (
        id INTEGER PRIMARY KEY,
        after INTEGER NOT NULL,    -- last seq of this night that lies in an earlier file; 0: it begins here
        started_at TEXT NOT NULL,  -- UTC, ISO 8601
        public TEXT NOT NULL,      -- what anybody may know of the table that night, JSON
        sealed BLOB,               -- the first line of the recording, packed, and sealed if the table seals
        before BLOB NOT NULL,      -- hash of what was last before
        hash BLOB NOT NULL
    )""",
    f"""CREATE TABLE entries (
        id INTEGER PRIMARY KEY,    -- night << {SEQ_BITS} | seq; seq is 1, 2, 3 … within the night, without a hole
        kind TEXT NOT NULL,        -- sensed (a block of lines), decision, lost, note
        public TEXT NOT NULL,      -- JSON
        sealed BLOB,               -- packed, and sealed if the table seals
        hash BLOB NOT NULL         -- of this entry and, through the one before, of all before it
    )""",
    """CREATE TABLE heads (
        night INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL,
        at TEXT NOT NULL,          -- UTC, ISO 8601
        signature BLOB NOT NULL,   -- by the table's key
        PRIMARY KEY (night, seq)
    ) WITHOUT ROWID""",
    f"PRAGMA user_version = {FORMAT}",
)

_PASSING = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR})
_REASONS = {
    sqlite3.SQLITE_FULL: Said("the disk is full; free some space"),
    sqlite3.SQLITE_BUSY: Said("another program holds the file"),
    sqlite3.SQLITE_LOCKED: Said("another program holds the file"),
    sqlite3.SQLITE_IOERR: Said("the disk reports an error (full, failing or removed?)"),
    sqlite3.SQLITE_READONLY: Said("the file or its directory is read-only; it must be writable for tablectl"),
    sqlite3.SQLITE_PERM: Said("the file may not be written; it must be writable for tablectl"),
    sqlite3.SQLITE_CANTOPEN: Said(
        "it cannot be created or opened there; the directory must exist and be writable"
    ),
    sqlite3.SQLITE_NOTADB: Said("this is not a journal (no SQLite file); move it away or name another path"),
    sqlite3.SQLITE_CORRUPT: Said("the file is damaged; keep it for recovery and name another path"),
}


def _primary(error: sqlite3.Error) -> int:
    """SQLite's primary result code; -1 for an error that carries none."""
    code = getattr(error, "sqlite_errorcode", None)
    return -1 if code is None else code & 0xFF


def passing(error: sqlite3.Error) -> bool:
    """True for a fault that is no fault of the path: a full or failing disk, another program's lock."""
    return _primary(error) in _PASSING


def reason(error: sqlite3.Error) -> str:
    """What the error means and what would be right, with SQLite's own words behind it."""
    known = _REASONS.get(_primary(error))
    return Said("{why} ({error})", why=known, error=error) if known else str(error)


class OldFormatError(JournalError):
    """The file is a journal of format 1, to which nothing is added any more."""


def open_for_writing(path: Path) -> sqlite3.Connection:
    """The journal at `path`, created if there is none, ready to append to.

    Raises JournalError if the file is someone else's, older (see `parts`) or newer, sqlite3.Error for all that the
    disk can do.
    """
    # Not for everybody: in an open table the journal names cards. SQLite gives its side files the same mode.
    with contextlib.suppress(OSError):  # it is there already, or SQLite finds the words for what is wrong
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o640))
    # The thread that opens it first hands it over to the writer; never two at a time.
    file = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        made = check_ours(file, path)
        if made and format_of(file) < FORMAT:
            raise OldFormatError(f"{path}: this is a journal of format 1")
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = FULL")
        file.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
        if not made:
            _create(file, path)
        file.execute("BEGIN IMMEDIATE")  # a file that cannot be written is known now, not at the first card
        file.execute("ROLLBACK")
    except (sqlite3.Error, JournalError):
        file.close()
        raise
    return file


class EmptyError(JournalError):
    """There is no journal yet: no file, or one without a night's place in it."""


def opened_in_turn(files: list[Path]) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """Each of these files of one journal, open for reading. JournalError.

    The last may be empty or not there: the power went after the one before was put aside, or that is happening now.
    """
    for place in files:
        try:
            with open_for_reading(place) as file:
                yield place, file
        except EmptyError:
            if place is not files[-1] or len(files) == 1:
                raise


@contextlib.contextmanager
def told(path: Path) -> Iterator[None]:
    """What SQLite finds wrong while `path` is read, as a JournalError with words for a person."""
    try:
        yield
    except sqlite3.Error as error:
        raise JournalError(f"{path}: the journal cannot be read: {reason(error)}") from None


@contextlib.contextmanager
def open_for_reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The journal at `path`, which is not changed. JournalError for whatever is wrong, also while it is read."""
    if not path.is_file():
        raise EmptyError(f"{path}: there is no such journal")
    with told(path), contextlib.closing(_readable(path)) as file:
        yield file


def _readable(path: Path) -> sqlite3.Connection:
    wal = path.with_name(path.name + "-wal")
    for option in ("mode=ro", "mode=ro", "immutable=1"):
        file = sqlite3.connect(
            f"{path.absolute().as_uri()}?{option}", timeout=BUSY_S, isolation_level=None, uri=True
        )
        try:
            if not check_ours(file, path):
                raise EmptyError(f"{path}: the file is empty; a journal has at least one night")
        except sqlite3.OperationalError as error:
            file.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK:
                _take_back(path)
                continue
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
    raise AssertionError("the last way returns or raises")


def _take_back(path: Path) -> None:
    """A power cut while a file was begun or folded leaves a change half done: SQLite takes it back before anybody may
    read, as the table itself would at its next start."""
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as file:
        file.execute("SELECT count(*) FROM sqlite_schema")


def _create(file: sqlite3.Connection, path: Path) -> None:
    """The schema in one transaction: a process killed here leaves an empty file, which counts as none."""
    file.execute("BEGIN IMMEDIATE")
    try:
        if not check_ours(file, path):  # another process may have been first
            for statement in SCHEMA:
                file.execute(statement)
        file.execute("COMMIT")
    except (sqlite3.Error, JournalError):
        with contextlib.suppress(sqlite3.Error):
            file.execute("ROLLBACK")
        raise


def check_ours(file: sqlite3.Connection, path: Path) -> bool:
    """True for a journal, False for an empty file; JournalError for anything else."""
    mark = file.execute("PRAGMA application_id").fetchone()[0]
    version = file.execute("PRAGMA user_version").fetchone()[0]
    if mark == 0 and version == 0 and file.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        return False
    if mark != APPLICATION_ID:
        raise JournalError(
            Said(
                "{path}: this is the SQLite file of another program; name another path for the journal",
                path=path,
            )
        )
    if version > FORMAT:
        raise JournalError(
            Said(
                "{path}: a newer tablectl wrote this journal (format {theirs}); this one knows format {ours}",
                path=path,
                theirs=version,
                ours=FORMAT,
            )
        )
    return True


def format_of(file: sqlite3.Connection) -> int:
    """The format of a journal's file."""
    return int(file.execute("PRAGMA user_version").fetchone()[0])


def entry_id(night: int, seq: int) -> int:
    """Where an entry stands in the file."""
    return night << SEQ_BITS | seq


def tail(file: sqlite3.Connection) -> tuple[int, int, bytes] | None:
    """Night, seq (0: the night has no entry) and hash of what is last in the file; None if there is no night."""
    night = file.execute("SELECT id, after, hash FROM nights ORDER BY id DESC LIMIT 1").fetchone()
    if night is None:
        return None
    last = file.execute(
        "SELECT id, hash FROM entries WHERE id > ? ORDER BY id DESC LIMIT 1", (entry_id(night[0], 0),)
    ).fetchone()
    if last is None:
        return night[0], night[1], night[2]
    return night[0], last[0] & (1 << SEQ_BITS) - 1, last[1]
