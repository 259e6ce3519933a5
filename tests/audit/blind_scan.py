"""Looks for card names in whatever a table leaves: in text, in files that are packed, and in the memory of its process.

What is looked for, of cards whose truth the test knows:

    quoted      a card's name as JSON, TOML or Python writes it: "As", 'As'
    relation    a card's name beside its own tag's UID or its own token, in any spelling of the two: hexadecimal in
                either case, UTF-16, a UID's raw bytes; `As` or `ace of spades`; at most NEAR bytes between, the name
                standing alone
    pointed     in the memory of CPython: a pointer to a string with the UID or token beside a pointer to a string with
                that card's name, as dicts, tuples and slots hold them

`As` by itself says nothing: in a hundred megabytes of memory every two letters stand somewhere. Only a card's own name
counts, so that what comes together by chance is no finding.
"""

from __future__ import annotations

import gzip
import re
import sqlite3
import struct
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tablectl.cards import FACES
from tablectl.enrol.order import said_of

NEAR = 24
"""Bytes between an identity and a name that still make a relation: `": "`, `","card":"`, ` = ` …"""
REACH = NEAR + 40
"""That and the longest name, in UTF-16."""
POINTERS = 4
"""Words between two pointers that still make a relation: a dict's entry, a tuple, the slots of a card."""
WORD = 8
STRING_HEAD = 16
"""Where a string object has its length; before it reference count and type (CPython's unicodeobject.h)."""
HEAD = sys.getsizeof("") - 1
"""Where it has its text: the scanned process runs the same Python."""
DIGITS = 16
"""Of the UIDs (ISO 15693) and tokens of these tests."""
_DIGIT = rb"[0-9A-Fa-f]"
IDENTITY = re.compile(
    rb"(?<!%s)%s{16}(?!%s)|(?:%s\x00){16}|\xe0\x04[\x00-\xff]{6}" % (_DIGIT, _DIGIT, _DIGIT, _DIGIT)
)
"""Whatever may be one: hexadecimal, the same in UTF-16, and the raw bytes of a UID, which begins with E0 04."""
QUOTED = re.compile(rb"""(["'])(%s)\1""" % "|".join(FACES).encode())
ALONE = rb"[\s\"'=:,;.|()\[\]{}<>/\x00]"
MAGIC = b"SQLite format 3\0"


@dataclass
class Found:
    """What a scan found; `relations` and `pointed` are identities whose card was told."""

    quoted: set[str] = field(default_factory=set)
    relations: set[str] = field(default_factory=set)
    pointed: set[str] = field(default_factory=set)

    def __ior__(self, other: Found) -> Found:
        self.quoted |= other.quoted
        self.relations |= other.relations
        self.pointed |= other.pointed
        return self

    @property
    def nothing(self) -> bool:
        return not (self.quoted or self.relations or self.pointed)


class Scan:
    """`truth` is identity (UID or token) → the card's name."""

    def __init__(self, truth: Mapping[str, str]) -> None:
        self.truth = {identity: face for identity, face in truth.items() if identity != face}
        assert all(len(identity) == DIGITS for identity in self.truth)
        self._spelled = {spelling: identity for identity in self.truth for spelling in _spellings(identity)}
        self._names = {face: _names(face) for face in set(self.truth.values())}

    def bytes(self, data: bytes) -> Found:
        """In these bytes as they are."""
        found = Found(quoted={match[2].decode() for match in QUOTED.finditer(data)})
        for match in IDENTITY.finditer(data):
            identity = self._spelled.get(match[0])
            if (
                identity is not None
                and identity not in found.relations
                and self._told(data, *match.span(), self.truth[identity])
            ):
                found.relations.add(identity)
        return found

    def _told(self, data: bytes, begin: int, end: int, face: str) -> bool:
        """The card's name stands alone before or behind, near enough."""
        first = max(0, begin - REACH)
        around = data[first : end + REACH]
        begin, end = begin - first, end - first
        for name, alone in self._names[face]:
            if name in around:  # a pattern for each of a million identities would take minutes
                for match in alone.finditer(around):
                    between = match.start() - end if match.start() >= end else begin - match.end()
                    if 0 <= between <= NEAR:
                        return True
        return False

    def text(self, texts: Iterable[str]) -> Found:
        """In what was answered or logged."""
        return self.bytes("\n".join(texts).encode())

    def folder(self, folder: Path) -> Found:
        """In every file below, as it is and unpacked; of a database also its cells."""
        found = Found()
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                for data in _inside(path):
                    found |= self.bytes(data)
        return found

    def memory(self, pid: int) -> Found:
        """In the memory of that process, which is a child of ours."""
        regions = list(_regions(pid))
        found = Found()
        for _, data in regions:
            found |= self.bytes(data)
        found.pointed = self._pointed(regions)
        return found

    def _pointed(self, regions: list[tuple[int, bytes]]) -> set[str]:
        kind = self._kind_of_strings(regions)
        strings: dict[str, list[int]] = {text: [] for text in (*self.truth, *FACES)}
        for length in {len(text) for text in strings}:
            mark = re.compile(re.escape(kind + struct.pack("<Q", length)))
            for base, data in regions:
                for match in mark.finditer(data):
                    begin = match.start() - WORD
                    text = data[begin + HEAD : begin + HEAD + length].decode("latin-1")
                    if text in strings:
                        strings[text].append(base + begin)
        return self._beside(regions, strings)

    def _kind_of_strings(self, regions: list[tuple[int, bytes]]) -> bytes:
        """The pointer to the type of strings: what stands before the UIDs that are strings."""
        kinds = Counter(
            data[begin + WORD : begin + STRING_HEAD]
            for _, data in regions
            for match in IDENTITY.finditer(data)
            if match[0] in self._spelled
            and (begin := match.start() - HEAD) >= 0
            and data[begin + STRING_HEAD : begin + STRING_HEAD + WORD] == struct.pack("<Q", len(match[0]))
        )
        assert kinds, "no UID is a string of CPython in this memory"
        return kinds.most_common(1)[0][0]

    def _beside(self, regions: list[tuple[int, bytes]], strings: Mapping[str, list[int]]) -> set[str]:
        names = {at: text for text, places in strings.items() if text in FACES for at in places}
        tags = {at: text for text, places in strings.items() if text in self.truth for at in places}
        own = np.array(sorted(tags), dtype=np.uint64)
        found: set[str] = set()
        for _, data in regions:
            words = np.frombuffer(data[: len(data) // WORD * WORD], dtype="<u8")
            for place in np.flatnonzero(np.isin(words, own)).tolist():
                identity = tags[int(words[place])]
                near = words[max(0, place - POINTERS) : place + POINTERS + 1].tolist()
                if identity not in found and any(names.get(each) == self.truth[identity] for each in near):
                    found.add(identity)
        return found


def _spellings(identity: str) -> set[bytes]:
    words = (identity, identity.lower(), identity.upper())
    return {word.encode(code) for word in words for code in ("ascii", "utf-16-le")} | {
        bytes.fromhex(identity)
    }


def _names(face: str) -> list[tuple[bytes, re.Pattern[bytes]]]:
    """The card's name in each spelling, and how it looks where it stands alone."""
    words = (face, face.upper(), face.lower(), said_of(face).removeprefix("the "))
    names = {word.encode(code) for word in words for code in ("ascii", "utf-16-le")}
    return [
        (name, re.compile(rb"(?<=%s)%s(?=%s)" % (ALONE, re.escape(name), ALONE))) for name in sorted(names)
    ]


def _inside(path: Path) -> Iterator[bytes]:
    data = path.read_bytes()
    yield data
    if data[:2] == b"\x1f\x8b":
        yield gzip.decompress(data)
    if data.startswith(MAGIC):
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            for (table,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
                for row in file.execute(f'SELECT * FROM "{table}"'):
                    yield from _cells(row)


def _cells(row: tuple[object, ...]) -> Iterator[bytes]:
    for cell in row:
        if isinstance(cell, str):
            yield cell.encode()
        elif isinstance(cell, bytes):
            yield cell
            with suppress(zlib.error):
                yield zlib.decompress(cell)


def _regions(pid: int) -> Iterator[tuple[int, bytes]]:
    """(address, content) of everything that the process can write to and that is not a device's."""
    with Path(f"/proc/{pid}/maps").open() as maps, Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in maps:
            fields = line.split(maxsplit=5)
            begin, end = (int(each, 16) for each in fields[0].split("-"))
            name = fields[5].strip() if len(fields) > 5 else ""
            if not fields[1].startswith("r") or name in ("[vvar]", "[vsyscall]", "[vvar_vclock]"):
                continue
            with suppress(OSError):  # a mapping that has gone since, or one that cannot be read
                memory.seek(begin)
                data = memory.read(end - begin)
                while data and len(data) < end - begin and (more := memory.read(end - begin - len(data))):
                    data += more
                yield begin, data
