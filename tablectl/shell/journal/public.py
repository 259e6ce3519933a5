"""What anybody may have of a journal: its public parts, with what proves them.

Owns: one JSON object for each night, entry and head of it. Refuses: the sealed parts, of which only the digests are
here: with those the chain can be computed anew (`chain`), and nothing can be opened.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablectl.errors import JournalError
from tablectl.shell.journal.chain import Head, blob_digest
from tablectl.shell.journal.file import SEQ_BITS, entry_id, format_of, opened_in_turn, told
from tablectl.shell.journal.parts import files


def public_lines(path: Path, night: int | None = None) -> Iterator[dict[str, Any]]:
    """The journal with the parts beside it, or one night of it, in order. JournalError, also on the way."""
    for each, file in opened_in_turn(files(path)):
        if format_of(file) < 2:
            raise JournalError(f"{each}: a journal of format 1 has no chain: only `tablectl replay` reads it")
        with told(each):
            yield from _of(file, night)


def _of(file: sqlite3.Connection, night: int | None) -> Iterator[dict[str, Any]]:
    file.execute("BEGIN")
    query = "SELECT id, after, started_at, public, sealed, before, hash FROM nights ORDER BY id"
    for number, after, started_at, public, sealed, before, digest in file.execute(query).fetchall():
        if night not in (None, number):
            continue
        yield {
            "night": number, "after": after, "started_at": started_at, "public": json.loads(public),
            "sealed": blob_digest(sealed).hex(), "before": before.hex(), "hash": digest.hex(),
        }  # fmt: skip
        bounds = (entry_id(number, 0), entry_id(number + 1, 0) - 1)
        rows = "SELECT id, kind, public, sealed, hash FROM entries WHERE id BETWEEN ? AND ? ORDER BY id"
        for place, kind, public, sealed, digest in file.execute(rows, bounds):
            yield {
                "night": number, "seq": place & (1 << SEQ_BITS) - 1, "kind": kind,
                "public": json.loads(public), "sealed": blob_digest(sealed).hex(), "hash": digest.hex(),
            }  # fmt: skip
        heads = "SELECT night, seq, hash, at, signature FROM heads WHERE night = ? ORDER BY seq"
        for row in file.execute(heads, (number,)):
            yield {"head": Head(*row).as_json()}
