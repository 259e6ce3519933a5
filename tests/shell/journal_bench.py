"""Journals for tests: one that seals to a key of the test's own, what it kept, what it said, processes that write."""

from __future__ import annotations

import base64
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablectl import recording
from tablectl.sealed import keygen
from tablectl.shell.journal import Journal, lines
from tablectl.shell.journal.file import APPLICATION_ID

DEADLINE_S = 30.0
ROOT = Path(__file__).parents[2]
SECRET = keygen()
HEADER = recording.header({"table": {"id": "T12", "seats": 9, "mode": "blind"}}, [], None)
HAND_END = {"t": 1, "type": "hand", "event": "end", "hand": 1, "button": 1, "seats": [1, 2]}


def note(n: int, size: int = 0) -> dict[str, Any]:
    """The n-th sensed line of a test: its content can be told from its number, and cannot be packed into less."""
    text = base64.b85encode(random.Random(n).randbytes(size * 4 // 5)).decode()
    return {"t": n, "input": {"do": "note", "text": f"{n} {text}"}}


@contextmanager
def opened(path: Path, told: Callable[[str], None] | None = None, **options: Any) -> Iterator[Journal]:
    """A journal of one night, closed in the end."""
    options = {"sensitive": SECRET.public, **options}
    journal = Journal(path, HEADER, told or (lambda text: pytest.fail(text)), **options)
    try:
        yield journal
    finally:
        journal.close()


def kept(path: Path, night: int = 1) -> list[tuple[int, str, dict[str, Any]]]:
    """Every entry of that night, unsealed."""
    return list(lines(path, night, SECRET))


def sensed(path: Path, night: int = 1) -> list[dict[str, Any]]:
    """The sensed lines of that night."""
    return [entry for _, kind, entry in kept(path, night) if kind == "sensed"]


FORMAT_1 = f"""
PRAGMA application_id = {APPLICATION_ID};
CREATE TABLE nights (id INTEGER PRIMARY KEY, started_at TEXT NOT NULL, header TEXT NOT NULL);
CREATE TABLE entries (night INTEGER NOT NULL REFERENCES nights (id), seq INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('sensed', 'decision')), body TEXT NOT NULL, PRIMARY KEY (night, seq)
) WITHOUT ROWID;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
"""


def old_journal(path: Path, header: dict[str, Any], nights: list[list[dict[str, Any]]]) -> None:
    """A journal as earlier versions wrote it, with these sensed lines in each night."""
    with closing(sqlite3.connect(path)) as file:
        file.executescript(FORMAT_1)
        for night, entries in enumerate(nights, start=1):
            file.execute("INSERT INTO nights VALUES (?, '2026-01-01', ?)", (night, json.dumps(header)))
            rows = [(night, seq, json.dumps(entry)) for seq, entry in enumerate(entries, start=1)]
            file.executemany("INSERT INTO entries VALUES (?, ?, 'sensed', ?)", rows)
        file.commit()


class Told:
    """Collects what a journal reports and lets a test wait for it."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._change = threading.Condition()

    def __call__(self, text: str) -> None:
        with self._change:
            self.texts.append(text)
            self._change.notify_all()

    def wait(self, part: str) -> str:
        """The first report that contains `part`, as soon as it comes."""
        with self._change:
            assert self._change.wait_for(lambda: any(part in text for text in self.texts), DEADLINE_S), (
                part,
                self.texts,
            )
            return next(text for text in self.texts if part in text)


def child(code: str, *args: str, **kwargs: Any) -> subprocess.Popen[str]:
    """A Python process of its own that can import tablectl."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *args], stdout=subprocess.PIPE, text=True, cwd=ROOT, **kwargs
    )


def can_mount() -> bool:
    """True if this process may mount a file system."""
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], check=False, capture_output=True)
        if done.returncode == 0:
            subprocess.run(["umount", place], check=True)
        return done.returncode == 0
