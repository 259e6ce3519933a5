"""The journal of a table: every sensed line and every decision, in one SQLite file and the parts before it.

Owns: the file and its one writer (`writer`, `waiting`, `book`, `lock`), its schema (`file`), what ties its entries
together (`chain`, `block`), its parts (`parts`), reading it back (`reading`) and proving it (`verify`).
Refuses: what the entries mean; they come and go as JSON objects.
"""

from __future__ import annotations

from tablectl.shell.journal.book import Limits, Sensitive, key_of
from tablectl.shell.journal.chain import Head
from tablectl.shell.journal.reading import (
    Night,
    as_recording,
    chosen,
    is_journal,
    lines,
    nights,
    opened,
    run_of,
)
from tablectl.shell.journal.writer import Journal

__all__ = [
    "Head", "Journal", "Limits", "Night", "Sensitive", "as_recording", "chosen", "is_journal", "key_of", "lines",
    "nights", "opened", "run_of",
]  # fmt: skip
