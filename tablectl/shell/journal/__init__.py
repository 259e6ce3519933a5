"""The journal of a table: every sensed line and every decision, in one SQLite file.

Owns: the file and its one writer (`writer`, `lock`), its schema (`file`) and reading it back (`reading`).
Refuses: what the entries mean; they come and go as JSON objects.
"""

from __future__ import annotations

from tablectl.shell.journal.reading import Night, as_recording, chosen, is_journal, lines, nights, run_of
from tablectl.shell.journal.writer import Journal

__all__ = ["Journal", "Night", "as_recording", "chosen", "is_journal", "lines", "nights", "run_of"]
