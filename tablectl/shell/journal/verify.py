"""Proving a journal: that nothing in it was altered, removed, put elsewhere or cut off since it was written.

Owns: walking the chain through all files of a journal, its signed heads and those that were published elsewhere, and
the words for the first thing that is wrong. Refuses: what the entries mean, and opening what is sealed: a chain is
proved without any secret.

What can be known: the hashes alone show a change by whoever did not compute the chain anew. Whoever did is found by the
next head, for only the table's key signs one; and whoever has that key as well, by a head that was published before.
What cannot: entries after the last head that anybody else has may have been replaced or cut off. It is said how many
those are.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tablectl.errors import JournalError
from tablectl.sealed import TablePublic
from tablectl.shell.journal.chain import NOTHING, Head, blob_digest, entry_hash_of_digest, night_hash
from tablectl.shell.journal.file import SEQ_BITS, EmptyError, entry_id, format_of, open_for_reading
from tablectl.shell.journal.parts import files, is_part

SEQ_MASK: Final = (1 << SEQ_BITS) - 1
TOLD_EVERY: Final = 100_000
"""Entries between two looks at how far it is."""
HAND_END: Final = b'"type":"hand","event":"end"'
"""In the public part of a decision that ends a hand, as the table writes it."""


class Broken(Exception):  # noqa: N818 - it is the result of a walk, not an error of it
    """The first thing that is wrong, in a sentence."""


@dataclass(slots=True)
class Proof:
    """What was proved. `fault` names the first thing that is wrong; `notes` say what cannot be known or is no fault."""

    entries: int = 0
    nights: int = 0
    heads: int = 0
    fault: str | None = None
    notes: list[str] = field(default_factory=list)
    last: Head | None = None
    """Where the journal stands: its last entry, without a signature."""
    unsigned: int = 0
    """Entries after the last head."""


def verify(
    path: Path,
    *,
    keys: Sequence[TablePublic] = (),
    published: Sequence[Head] = (),
    alone: bool = False,
    tell: Callable[[int], None] = lambda _: None,
) -> Proof:
    """Proves the journal with the parts beside it, or `alone` this file.

    `keys` are those of the table, by default what it names itself. `tell` gets the number of entries so far. Raises
    JournalError if there is nothing that could be proved.
    """
    walk = _Walk(keys, published, tell)
    try:
        there = [path] if alone else files(path)
        for each in there:
            walk.through(each)
        walk.end(whole=not (alone or is_part(path)))
    except Broken as broken:
        walk.proof.fault = str(broken)
    return walk.proof


class _Walk:
    """From the first entry to the last."""

    def __init__(
        self, keys: Sequence[TablePublic], published: Sequence[Head], tell: Callable[[int], None]
    ) -> None:
        self.proof = Proof()
        self._keys = keys
        self._tell = tell
        self._outside = {(head.night, head.seq): head for head in published}
        self._first: tuple[int, int] | None = None
        self._before = NOTHING  # hash of what was before the first
        self._removed: set[str] = set()  # hashes at the ends of parts that the table itself removed
        self._night = self._seq = 0
        self._hash: bytes | None = None  # None: nothing was read yet
        self._head_seq = 0  # of the last head of this night
        self._end_seq = 0  # of the last end of a hand in this night
        self._signed = 0  # entries up to the last head
        self._at = ""
        self._signer: TablePublic | None = None
        self._path = Path()

    def through(self, path: Path) -> None:
        """One file. Broken; JournalError if it is no journal of format 2."""
        self._path = path
        try:
            with open_for_reading(path) as file:
                if format_of(file) < 2:
                    raise _NothingError(
                        f"{path}: a journal of format 1 has no chain: nothing in it can be proved, only read"
                    )
                file.execute("BEGIN")  # one moment of it, whatever a table writes meanwhile
                self._nights(file)
        except EmptyError:
            if self._hash is None:  # else the one before was just put aside
                raise
        except _NothingError:
            raise
        except JournalError as error:
            if self._hash is None:
                raise
            raise Broken(f"{error} (after {self._place()})") from None

    def _place(self) -> str:
        return f"night {self._night}, entry {self._seq}"

    # --- nights ---------------------------------------------------------------------------------------------

    def _nights(self, file: sqlite3.Connection) -> None:
        self._no_orphans(file)
        query = "SELECT id, after, started_at, public, sealed, before, hash FROM nights ORDER BY id"
        for night, after, started_at, public, sealed, before, stored in file.execute(query).fetchall():
            self._begin(night, after, bytes(before), public)
            try:
                made = night_hash(bytes(before), night, after, started_at, public, sealed)
            except (TypeError, ValueError, AttributeError):
                made = NOTHING
            if made != stored:
                raise Broken(f"{self._path}: night {night}: its header was altered")
            if night != self._night:
                self._night, self._seq, self._head_seq, self._end_seq = night, after, 0, 0
                self.proof.nights += 1
            self._hash = stored
            self._entries(file, night)

    def _no_orphans(self, file: sqlite3.Connection) -> None:
        """Every entry belongs to a night of its file."""
        query = f"SELECT id FROM entries WHERE id >> {SEQ_BITS} NOT IN (SELECT id FROM nights) ORDER BY id LIMIT 1"  # noqa: S608
        for (number,) in file.execute(query):
            raise Broken(
                f"{self._path}: night {number >> SEQ_BITS} was removed: its entry {number & SEQ_MASK} is there"
            )

    def _begin(self, night: int, after: int, before: bytes, public: str) -> None:
        where = f"{self._path}: night {night}"
        if self._hash is None:
            self._first, self._before = (night, after), before
        elif night == self._night and after != self._seq:
            raise Broken(
                f"{where}: it goes on after entry {after}, but {self._place()} is the last one before"
            )
        elif night not in (self._night, self._night + 1):
            raise Broken(f"{where}: it follows on night {self._night}: what lay between was removed")
        elif before != self._hash:
            raise Broken(
                f"{where}: it began after another entry than {self._place()}: what stood at the end of night"
                f" {self._night} was removed or replaced"
            )
        self._leave(night)
        try:
            signer = TablePublic(bytes.fromhex(json.loads(public)["table_key"]))
        except (KeyError, TypeError, ValueError):
            raise Broken(f"{where}: its header was altered") from None
        if self._signer is not None and signer.raw != self._signer.raw and not self._keys:
            self.proof.notes.append(
                f"from night {night} on the table signs with another key ({signer.fingerprint})"
            )
        self._signer = signer

    def _leave(self, night: int) -> None:
        """The heads of the night that ends: the end of a hand is signed in the same commit."""
        if night != self._night and self._end_seq > self._head_seq:
            raise Broken(
                f"{self._path}: night {self._night}, entry {self._end_seq}: the head that was signed at the end of"
                " this hand was removed"
            )

    # --- entries --------------------------------------------------------------------------------------------

    def _entries(self, file: sqlite3.Connection, night: int) -> None:
        heads = self._heads(file, night)
        head = next(heads, None)
        outside = {seq for each, seq in self._outside if each == night}
        last, seq = self._hash or NOTHING, self._seq
        query = """SELECT id, CAST(kind AS BLOB), CAST(public AS BLOB), sealed, hash FROM entries
                   WHERE id BETWEEN ? AND ? ORDER BY id"""
        for number, kind, public, sealed, stored in file.execute(query, _bounds(night)):
            seq += 1
            if number & SEQ_MASK != seq:
                raise self._missing(night, seq, number & SEQ_MASK)
            made = _made(last, night, seq, kind, public, sealed)
            self._seq = seq
            if made != stored:
                raise self._altered(file, night)
            last = made
            self._counted()
            if kind != b"sensed":
                self._said(seq, kind, public)
            if head is not None and head.seq == seq:
                self._proved(head, last)
                head = next(heads, None)
            if seq in outside:
                self._same(self._outside.pop((night, seq)), last)
        self._hash = last
        if head is not None:
            raise Broken(
                f"{self._path}: {self._place()} is the last one of its night, but the table signed one with seq"
                f" {head.seq}: from entry {seq + 1} on it was cut off"
            )

    def _counted(self) -> None:
        self.proof.entries += 1
        if not self.proof.entries % TOLD_EVERY:
            self._tell(self.proof.entries)

    def _said(self, seq: int, kind: bytes, public: bytes) -> None:
        """A decision, or what the journal says of itself."""
        if kind == b"decision":
            if HAND_END in public:
                self._end_seq = seq
            return
        said = json.loads(public)
        if kind == b"note":
            self._removed |= {old["hash"] for old in said.get("removed", ())}
        elif kind == b"lost":
            lost = f"{said['lines']} lines and {said['decisions']} decisions"
            self.proof.notes.append(
                f"night {self._night}, entry {seq}: the table itself lost {lost} here: its disk failed and its memory"
                " was full"
            )

    def _missing(self, night: int, seq: int, there: int) -> Broken:
        which = f"entry {seq} is" if there == seq + 1 else f"the entries from {seq} to {there - 1} are"
        return Broken(f"{self._path}: night {night}: {which} missing: removed (entry {there} follows)")

    def _altered(self, file: sqlite3.Connection, night: int) -> Broken:
        """What happened to the entry that does not fit: it stood elsewhere, or is another one now."""
        where = f"{self._path}: {self._place()}"
        query = "SELECT CAST(kind AS BLOB), CAST(public AS BLOB), sealed, hash FROM entries WHERE id = ?"
        kind, public, sealed, stored = file.execute(query, (entry_id(night, self._seq),)).fetchone()
        around = "SELECT id, hash FROM entries WHERE id BETWEEN ? AND ?"
        for number, before in file.execute(around, _bounds(night)):
            there = number & SEQ_MASK
            for seq in {there, there + 1} - {self._seq}:
                if _made(before, night, seq, kind, public, sealed) == stored:
                    return Broken(f"{where}: put elsewhere: it was written as entry {seq}")
        return Broken(f"{where}: altered: it does not fit the entry before it and its own hash")

    # --- heads ----------------------------------------------------------------------------------------------

    def _heads(self, file: sqlite3.Connection, night: int) -> Iterator[Head]:
        """Those of the night in this file, in order."""
        query = "SELECT night, seq, hash, at, signature FROM heads WHERE night = ? AND seq > ? ORDER BY seq"
        for _, seq, digest, at, signature in file.execute(query, (night, self._seq)):
            yield Head(night, seq, bytes(digest), str(at), bytes(signature))

    def _proved(self, head: Head, there: bytes) -> None:
        where = f"{self._path}: night {head.night}, entry {head.seq}"
        if not self._is_signed(head):
            raise Broken(f"{where}: its head was not signed by the table's key")
        if head.hash != there:
            raise Broken(
                f"{where}: it is not what the table signed here: an entry from {self._head_seq + 1} to {head.seq} was"
                " altered, and the chain was computed anew"
            )
        if head.at < self._at:
            self.proof.notes.append(f"the clock of the table went back from {self._at} to {head.at}")
        self._at = head.at
        self._head_seq, self._signed = head.seq, self.proof.entries
        self.proof.heads += 1

    def _is_signed(self, head: Head) -> bool:
        assert self._signer is not None  # noqa: S101 - a night has begun
        return any(key.signed(head.signed, head.signature) for key in self._keys or [self._signer])

    def _same(self, head: Head, there: bytes) -> None:
        if head.hash != there:
            raise Broken(
                f"{self._path}: night {head.night}, entry {head.seq}: it is not what was published: this entry or one"
                " before it was altered"
            )
        if head.signature and not self._is_signed(head):
            raise Broken(
                f"{self._path}: night {head.night}, entry {head.seq}: the published head has another table's signature"
            )

    # --- the end --------------------------------------------------------------------------------------------

    def end(self, *, whole: bool) -> None:
        """All files are read; `whole` if nothing may lie before them. Broken; JournalError if they were empty."""
        if self._hash is None or self._first is None:
            raise JournalError(f"{self._path}: there is no night in this journal yet")
        self._leave(-1)
        self._begins(*self._first, whole=whole)
        for place, head in sorted(self._outside.items()):
            if place <= self._first:
                self.proof.notes.append(
                    f"the head of night {head.night}, entry {head.seq} lies before what is here"
                )
                continue
            raise Broken(
                f"{self._path}: it ends with {self._place()}, but a head was published of night {head.night}, entry"
                f" {head.seq}: cut off"
            )
        self.proof.last = Head(self._night, self._seq, self._hash, self._at)
        self.proof.unsigned = self.proof.entries - self._signed
        self._say_what_is_unknown()

    def _begins(self, night: int, after: int, *, whole: bool) -> None:
        """What was before the first entry: nothing, parts that the table itself removed, or it is a fault."""
        if self._before == NOTHING:
            return
        there = f"the journal begins here with night {night}, entry {after + 1}"
        if self._before.hex() in self._removed:
            self.proof.notes.append(f"{there}: the table has removed its oldest parts, and noted it")
        elif whole:
            raise Broken(
                f"{there}: what was before is missing: there is neither a part of it beside this file nor a note that"
                " the table removed it"
            )
        else:
            self.proof.notes.append(f"{there}: what was before was not looked at")

    def _say_what_is_unknown(self) -> None:
        notes = self.proof.notes
        if not self._keys and self._signer is not None:
            notes.append(
                f"the signatures are those of the key that the journal names itself ({self._signer.fingerprint});"
                " whether that is the table's, --key says"
            )
        if self.proof.unsigned:
            notes.append(
                f"the last {self.proof.unsigned} entries come after the last head: nobody has signed them yet"
            )
        notes.append(
            "whether something was cut off at the end, only a head that was published later can show (--head)"
        )


def _bounds(night: int) -> tuple[int, int]:
    return entry_id(night, 0), entry_id(night + 1, 0) - 1


def _made(before: bytes, night: int, seq: int, kind: bytes, public: bytes, sealed: bytes | None) -> bytes:
    """The hash that the entry must have; NOTHING for one that cannot be hashed: nobody wrote that."""
    try:
        return entry_hash_of_digest(before, night, seq, kind, public, blob_digest(sealed))
    except (TypeError, ValueError):
        return NOTHING


class _NothingError(JournalError):
    """There is nothing that could be proved."""
