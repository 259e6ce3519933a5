"""Reading a journal, also while a table writes it.

Owns: the nights of a file, their entries, and a night as a recording for `replay`, with the private audit key where
they are sealed. Format 1, which sealed nothing, is read as well. Refuses: any change to the file, and whether it was
altered (`verify`).

A night that went on in the next file lies in several: the parts beside a journal are read with it.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tablectl.errors import JournalError, SealError
from tablectl.sealed import AuditSecret
from tablectl.shell.journal.block import unpacked
from tablectl.shell.journal.file import SEQ_BITS, entry_id, format_of, open_for_reading, opened_in_turn, told
from tablectl.shell.journal.parts import files

MAGIC: Final = b"SQLite format 3\0"
STEPS: Final = 10_000
"""So many steps of SQLite's machine lie between two looks at the clock: a few milliseconds."""

Line = tuple[int, str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Night:
    """One run of the table: its number, when it began (UTC, ISO 8601), and its last `seq` (0: none).

    `public` is what anybody may know of it; empty in format 1. `after` is the last `seq` of it in the file before.
    """

    id: int
    started_at: str
    last_seq: int
    after: int = 0
    public: dict[str, Any] = field(default_factory=dict)

    @property
    def sensitive(self) -> str:
        """What became of the sensed lines: `sealed`, `clear`, or `nothing` (they were not kept)."""
        return str(self.public.get("sensitive", "clear"))

    @property
    def audit_key(self) -> str:
        """The fingerprint of the key to which they are sealed."""
        return str(self.public.get("audit_key"))


def is_journal(path: Path) -> bool:
    """True if the file looks like a journal rather than a recording: it begins as SQLite files do."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def nights(path: Path) -> list[Night]:
    """The nights of the journal, the oldest first. Raises JournalError."""
    with open_for_reading(path) as file:
        return _nights(path, file)


def _nights(path: Path, file: sqlite3.Connection) -> list[Night]:
    if format_of(file) == 1:
        query = """SELECT id, started_at, coalesce((SELECT max(seq) FROM entries WHERE night = nights.id), 0)
                   FROM nights ORDER BY id"""
        return [Night(*row) for row in file.execute(query)]
    # Our own names and numbers only.
    query = f"""SELECT id, started_at, after, public,
                    (SELECT max(entries.id) FROM entries
                     WHERE entries.id BETWEEN nights.id << {SEQ_BITS} AND (nights.id + 1 << {SEQ_BITS}) - 1)
                FROM nights ORDER BY id"""  # noqa: S608
    made = []
    for night, started_at, after, public, last in file.execute(query):
        said = _object(public, f"{path}: night {night}, header")
        made.append(Night(night, started_at, _seq(last) if last is not None else after, after, said))
    return made


def lines(path: Path, night: int, secret: AuditSecret | None = None) -> Iterator[Line]:
    """(`seq`, kind, object) of one night, in order: kind `sensed` a line of a recording, `decision`, or what the
    journal says of itself: `lost`, `note`.

    Sealed lines come as kind `sealed`, a block at a time, unless the secret opens them. Raises JournalError, also on
    the way, and for a secret that does not fit.
    """
    _header(path, night)
    for each, file in opened_in_turn(files(path)):
        with told(each):
            there = {known.id: known for known in _nights(each, file)}.get(night)
            if there is not None:
                yield from _lines(each, file, there, secret)


def _lines(path: Path, file: sqlite3.Connection, night: Night, secret: AuditSecret | None) -> Iterator[Line]:
    where = f"{path}: night {night.id}, entry"
    if format_of(file) == 1:
        query = "SELECT seq, kind, body FROM entries WHERE night = ? ORDER BY seq"
        for seq, kind, body in file.execute(query, (night.id,)):
            yield seq, kind, _object(body, f"{where} {seq}")
        return
    query = "SELECT id, kind, public, sealed FROM entries WHERE id BETWEEN ? AND ? ORDER BY id"
    for number, kind, public, sealed in file.execute(query, _bounds(night.id)):
        seq = _seq(number)
        if kind != "sensed" or sealed is None:
            yield seq, kind, _object(public, f"{where} {seq}")
        elif night.sensitive == "sealed" and secret is None:
            yield seq, "sealed", _object(public, f"{where} {seq}")
        else:
            for line in _unsealed(sealed, night, secret, f"{where} {seq}"):
                yield seq, kind, line


def _bounds(night: int) -> tuple[int, int]:
    """The ids between which the night's entries lie."""
    return entry_id(night, 0), entry_id(night + 1, 0) - 1


def _unsealed(data: bytes, night: Night, secret: AuditSecret | None, where: str) -> list[dict[str, Any]]:
    try:
        return unpacked(data, secret if night.sensitive == "sealed" else None)
    except SealError as error:
        raise JournalError(f"{where}: {error}; it was sealed to {night.audit_key}") from None
    except ValueError as error:
        raise JournalError(f"{where}: damaged: {error}") from None


def chosen(path: Path, night: int | None = None) -> Night:
    """The night with that number; None: the last one with entries, or just the last if none has any.

    Raises JournalError if there is no such night.
    """
    there: dict[int, Night] = {}
    for each, file in opened_in_turn(files(path)):
        with told(each):
            there |= {known.id: known for known in _nights(each, file)}
    if not there:
        raise JournalError(f"{path}: there is no night in this journal yet")
    if night is None:
        return next((each for each in reversed(there.values()) if each.last_seq), list(there.values())[-1])
    if night in there:
        return there[night]
    raise JournalError(f"{path}: there is no night {night}; there are: {', '.join(map(str, there))}")


def as_recording(
    path: Path, night: int | None = None, secret: AuditSecret | None = None
) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """The first line and the sensed lines of one night (`chosen`), as a recording holds them.

    A night that goes on with another one, after a restart in mid-hand, has the lines of that one before its own:
    without them nobody would come to the same decisions. Raises JournalError if there is no such night, if it is sealed
    and the secret does not open it, or holds no sensed lines; and from the iterator if the file is damaged.
    """
    known = chosen(path, night)
    return opened_header(path, known, secret), _sensed(path, known, secret)


def _sensed(path: Path, night: Night, secret: AuditSecret | None) -> Iterator[dict[str, Any]]:
    before = night.public.get("continues")
    if isinstance(before, int) and 0 < before < night.id:
        yield from _sensed(path, chosen(path, before), secret)
    yield from (entry for _, kind, entry in lines(path, night.id, secret) if kind == "sensed")


def run_of(path: Path, run: str) -> tuple[int, int, int] | None:
    """(Night, sensed lines, decisions) of the run of that name as far as they are there; None if it is not there.

    No secret is needed. Raises JournalError.
    """
    found, sensed, decisions = None, 0, 0
    for each in files(path):
        with open_for_reading(each) as file:
            for night in _nights(each, file):
                if night.public.get("run") != run:
                    continue
                found = night.id
                query = "SELECT kind, public FROM entries WHERE id BETWEEN ? AND ?"
                for kind, public in file.execute(query, _bounds(night.id)):
                    if kind == "decision":
                        decisions += 1
                    elif kind in ("sensed", "lost"):  # what was lost is told, and not owed any more
                        said = _object(public, f"{each}: night {night.id}")
                        sensed += said["lines"]
                        decisions += said.get("decisions", 0)
    return None if found is None else (found, sensed, decisions)


def opened(
    path: Path, night: int | None, secret: AuditSecret | None
) -> tuple[Night, dict[str, Any], Iterator[Line]]:
    """A night, the first line of its recording, and all its entries with their sensitive parts. As `as_recording`."""
    known = chosen(path, night)
    return known, opened_header(path, known, secret), lines(path, known.id, secret)


def opened_header(path: Path, night: Night, secret: AuditSecret | None) -> dict[str, Any]:
    """The first line of that night's recording: the configuration and the decks. JournalError as `as_recording`."""
    where = f"{path}: night {night.id}"
    head = _header(path, night.id)
    if isinstance(head, str):
        return _object(head, f"{where}, header")
    if head is None:
        raise JournalError(
            f"{where}: what was sensed was not kept: the table was blind and had no audit key ([journal] audit_key);"
            " only its decisions are there"
        )
    if night.sensitive == "sealed" and secret is None:
        raise JournalError(
            f"{where} is sealed to the audit key {night.audit_key}; give its private part (--key), off the table"
        )
    return _unsealed(head, night, secret, f"{where}, header")[0]


def _header(path: Path, night: int) -> str | bytes | None:
    """The header of the night in the first file that has it: text in format 1, packed or nothing in format 2."""
    for each, file in opened_in_turn(files(path)):
        column = "header" if format_of(file) == 1 else "sealed"
        with told(each):
            row = file.execute(f"SELECT {column} FROM nights WHERE id = ?", (night,)).fetchone()  # noqa: S608 (ours)
        if row is not None:
            header: str | bytes | None = row[0]
            return header
    chosen(path, night)
    raise JournalError(f"{path}: night {night} is no longer there")


def damage(path: Path, seconds: float) -> tuple[str, bool]:
    """(What SQLite finds wrong with the file, empty if nothing; whether it was done in so many seconds).

    Raises JournalError if the file cannot be read at all.
    """
    with open_for_reading(path) as file:
        end = time.monotonic() + seconds
        file.set_progress_handler(lambda: time.monotonic() > end, STEPS)
        try:
            found = str(file.execute("PRAGMA quick_check(1)").fetchone()[0])
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_INTERRUPT:
                raise
            return "", False
        return ("" if found == "ok" else " ".join(found.split())), True


def _seq(number: int) -> int:
    return number & (1 << SEQ_BITS) - 1


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        made = json.loads(text)
    except (TypeError, ValueError):
        made = None
    if not isinstance(made, dict):
        raise JournalError(f"{where}: damaged: it must be a JSON object")
    return made
