"""The book: the file that is written now, and the chain in it.

Owns: one connection, the table's key, the night in the file, each commit with its hashes and its signed head. Refuses:
threads, waiting and trying again (`writer`); its one user calls it from one thread at a time.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from tablectl import __version__
from tablectl.errors import JournalError, SealError
from tablectl.sealed import AuditKey, TableKey
from tablectl.shell.journal import parts
from tablectl.shell.journal.block import packed
from tablectl.shell.journal.chain import Head, entry_hash, night_hash
from tablectl.shell.journal.file import OldFormatError, entry_id, open_for_writing, tail
from tablectl.shell.journal.lock import WriterLock, claim
from tablectl.shell.journal.waiting import Row

Sensitive = AuditKey | Literal["clear", "nothing"]
"""What becomes of what nobody at the table may read: sealed to that key; kept as it is (an open table); not kept."""
MIB: Final = 1 << 20
ASIDE_RETRY_S: Final = 60.0
"""How soon it is tried again to put a file aside that somebody reads, s."""
OF_A_RESTART: Final = ("run", "continues")
"""Which run of the table it is, and the night that it goes on with after a restart in mid-hand."""
SHOWN: Final = ("id", "seats", "game", "rulebook", "mode", "betting")
"""What anybody may know of the table's configuration; the rest may hold tags."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a file grows, and how much of the parts before it is kept, bytes."""

    part: int = 256 * MIB
    keep: int = 4096 * MIB


class Book:
    """One night's place in the journal at `path`.

    `header` is the first line of its recording; `tell` gets a sentence of what is no fault: a file that was put aside,
    a part that was removed.
    """

    def __init__(
        self,
        path: Path,
        header: Mapping[str, Any],
        sensitive: Sensitive,
        limits: Limits,
        tell: Callable[[str], None],
    ) -> None:
        self.night: int | None = None
        """None until its first entry is there."""
        self.seq = 0
        """Of the last entry that was committed."""
        self.head: Head | None = None
        self._path = path
        self._header = header
        self._sensitive = sensitive
        self._limits = limits
        self._tell = tell
        self._started_at = now()
        self._number: int | None = None  # of the night, as it was tried last
        self._tail: bytes | None = None  # hash of the last entry, or of the night
        self._begun = False  # this night is in the file that is open
        self._aside_at = 0.0
        self._old: list[parts.Old] = []
        self._file: sqlite3.Connection | None = None
        self._lock: WriterLock | None = None
        self._key: TableKey | None = None
        self._sealed: bytes | None = None

    # --- opened and closed ----------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """A commit may go through."""
        return self._file is not None

    @property
    def is_unsigned(self) -> bool:
        """There are entries after the last head."""
        return self.night is not None and (self.head is None or self.head.seq < self.seq)

    def open(self) -> None:
        """Opens the file, after a fault anew. JournalError, sqlite3.Error, OSError (the table's key)."""
        if self._file is not None:
            return
        if self._lock is not None and not self._lock.holds():
            self.release()
        if self._lock is None:
            self._lock = claim(self._path)
        try:
            file = open_for_writing(self._path)
        except OldFormatError:
            place = parts.put_old_aside(self._path)
            self._tell(
                f"{self._path}: a journal of format 1 was there; it is now {place.name}, and can be read"
            )
            file = open_for_writing(self._path)
        self._file, self._begun = file, False
        if self._key is None:
            try:
                self._key = TableKey.at(key_of(self._path))
            except SealError as error:
                self.close()
                raise JournalError(str(error)) from None
            except OSError:
                self.close()
                raise

    def close(self) -> None:
        """Closes the file; the right to write stays."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def release(self) -> None:
        """Another process may write now."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()

    # --- written --------------------------------------------------------------------------------------------

    def commit(self, rows: Sequence[Row], *, sign: bool) -> Head | None:
        """Adds sealed rows in one transaction, and a head behind them: its, if one was signed.

        sqlite3.Error, JournalError: nothing is acknowledged, and the file is to be opened anew: the disk may have been
        replaced or mounted again meanwhile.
        """
        file = self._file
        assert file is not None and self._key is not None  # noqa: S101, PT018 - it was opened
        try:
            file.execute("BEGIN IMMEDIATE")
            fresh = not self._begun
            last = self._begin(file) if fresh or self._tail is None else self._tail
            assert self._number is not None  # noqa: S101 - it has begun
            made = []
            for row in rows:
                last = entry_hash(last, self._number, row.seq, row.kind, row.public, row.sealed)
                made.append((entry_id(self._number, row.seq), row.kind, row.public, row.sealed, last))
            # A commit whose last fsync failed may be in the file all the same: then it is the same entry.
            file.executemany("INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?, ?)", made)
            seq = rows[-1].seq if rows else self.seq
            head = self._signed(file, seq, last) if sign or fresh else None
            file.execute("COMMIT")
        except (sqlite3.Error, JournalError, OSError):
            self.close()
            raise
        self._begun = True
        self.night, self.seq, self._tail = self._number, seq, last
        self.head = head or self.head
        return head

    def _begin(self, file: sqlite3.Connection) -> bytes:
        """The night is in the file; the hash after which its entries come."""
        there = file.execute("SELECT started_at, hash FROM nights WHERE id = ?", (self._number,)).fetchone()
        if there is not None and there[0] == self._started_at:
            return self._tail or bytes(there[1])
        night, seq, before = tail(file) or parts.last_before(self._path)
        if self._number is None or (night, seq) != (self.night, self.seq):  # else it goes on in a new file
            self._number = night + 1
        public, sealed = self._public(), self._packed_header()
        made = night_hash(before, self._number, self.seq, self._started_at, public, sealed)
        file.execute(
            "INSERT INTO nights VALUES (?, ?, ?, ?, ?, ?, ?)",
            (self._number, self.seq, self._started_at, public, sealed, before, made),
        )
        return made

    def _public(self) -> str:
        assert self._key is not None  # noqa: S101 - the file is open
        config = self._header.get("config")
        table = config.get("table") if isinstance(config, Mapping) else None
        shown = {name: table[name] for name in SHOWN if name in table} if isinstance(table, Mapping) else {}
        sealed = isinstance(self._sensitive, AuditKey)
        said = {
            "table": shown,
            "sensitive": "sealed" if sealed else self._sensitive,
            "audit_key": self._sensitive.fingerprint if isinstance(self._sensitive, AuditKey) else None,
            "table_key": self._key.public.raw.hex(),
            "tablectl": __version__,
            **{name: self._header[name] for name in OF_A_RESTART if name in self._header},
        }
        return json.dumps(said, separators=(",", ":"))

    def _packed_header(self) -> bytes | None:
        """The same bytes in each file, for a sealed box is another one each time."""
        if self._sealed is None and self._sensitive != "nothing":
            self._sealed = packed([json.dumps(self._header, separators=(",", ":"))], self.seals_to)
        return self._sealed

    @property
    def seals_to(self) -> AuditKey | None:
        """The key to which blocks are sealed."""
        return self._sensitive if isinstance(self._sensitive, AuditKey) else None

    def _signed(self, file: sqlite3.Connection, seq: int, last: bytes) -> Head:
        assert self._number is not None and self._key is not None  # noqa: S101, PT018 - it has begun
        bare = Head(self._number, seq, last, now())
        head = Head(self._number, seq, last, bare.at, self._key.sign(bare.signed))
        file.execute(
            "INSERT OR IGNORE INTO heads VALUES (?, ?, ?, ?, ?)",
            (head.night, head.seq, head.hash, head.at, head.signature),
        )
        return head

    # --- put aside ------------------------------------------------------------------------------------------

    def put_aside_if_due(self) -> str | None:
        """A file that is large enough becomes a part. What the journal must note of it, JSON; then `forget_old`.

        sqlite3.Error, JournalError, OSError: as `commit`.
        """
        if self._file is None or self.night is None or time.monotonic() < self._aside_at:
            return None
        pages, size = (
            self._file.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "page_size")
        )
        if pages * size < self._limits.part:
            return None
        self._aside_at = time.monotonic() + ASIDE_RETRY_S
        if self.is_unsigned:
            self.commit([], sign=True)
        if not parts.fold(self._file):
            return None
        self.close()
        part = parts.put_aside(self._path)
        self._aside_at = 0.0
        self._tell(f"{self._path}: put aside as {part.name}; the journal goes on in a new file")
        self._old = parts.too_much(self._path, self._limits.keep)
        removed = [
            {"part": old.path.name, "night": old.night, "seq": old.seq, "hash": old.hash.hex()}
            for old in self._old
        ]
        return json.dumps({"put_aside": part.name, "removed": removed}, separators=(",", ":"))

    def forget_old(self) -> None:
        """Removes the parts of which the last note spoke: it is on the disk, so that nobody takes them for stolen.
        OSError."""
        old, self._old = self._old, []
        for each in old:
            each.path.unlink()
            self._tell(
                f"{self._path}: {each.path.name} was removed: the parts had more than [journal] keep_mb"
            )


def key_of(journal: Path) -> Path:
    """Where a table keeps its own key."""
    return journal.with_name(f"{journal.stem}.key")


def now() -> str:
    """The wall clock's UTC, ISO 8601; it may jump, and nothing is ordered by it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
