"""The journal's one writer.

Owns: the thread that writes, and the memory in which entries wait for the disk.
Refuses: to hold up the table; to change or remove an entry; the schema (`file`).

Theory of operation
- One process writes a journal at a time (`lock`); a second one is refused before it has changed anything.
- Each start of the table is a *night*: its number, when it began (UTC), and the first line of its recording.
  It comes into the file together with its first entry, so that a start that fails leaves none. An entry
  belongs to a night and has a `seq` there: 1, 2, 3 … in the order in which the table handed it over.
- `sensed` and `decisions` put entries into memory and return at once. The writer thread commits them in
  groups, at most `GROUP_S` after the first of a group came, plus what the disk takes. WAL with
  synchronous=FULL: when the commit has returned, the group survives a killed process and a power cut. Only
  then `acknowledged` moves.
- If the disk fails, entries stay in memory and the write is tried again, slower and slower up to
  `RETRY_MAX_S`. `fault` says so as long as it lasts, and `report` is told when it begins and when it ends.
- Memory is bounded: `SENSED_BYTES` for sensed lines; decisions may use a little more (`DECISION_BYTES`),
  because they are few and matter most. What does not fit is dropped and counted, and leaves its `seq` empty
  in the file: a hole can be seen.

Transitions of the writer (`state`):
    ok → failing      a commit or an open failed
    ok → lagging      more than LAG_ENTRIES wait although no error came back: the disk stalls
    lagging → ok      all is written
    lagging → failing as from ok
    failing → ok      a commit went through and all is written
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

from tablectl.errors import JournalError
from tablectl.said import Said, said_by
from tablectl.shell.journal.file import add_night, open_for_writing, passing, reason
from tablectl.shell.journal.lock import WriterLock, claim

GROUP_S: Final = 0.04
"""How long the first entry of a group waits for others, s: one fsync for many, and an SD card lives."""
GROUP_ENTRIES: Final = 2_000
"""Most entries of one transaction, so that a long backlog is acknowledged piece by piece."""
LAG_ENTRIES: Final = 5_000
"""Entries that wait before the table says that the journal lags: about a minute of a full table."""
SENSED_BYTES: Final = 24 << 20
"""Memory for entries that wait, bytes: some ten minutes of a full table without a disk."""
DECISION_BYTES: Final = SENSED_BYTES + (4 << 20)
ENTRY_BYTES: Final = 200
"""What an entry takes in memory beside its text, bytes (tuple, number, string header; CPython 3.11: 153)."""
RETRY_S: Final = 0.25
RETRY_MAX_S: Final = 5.0
CLOSE_S: Final = 5.0
"""How long `close` waits for a disk that does not answer, s."""

State = Literal["ok", "lagging", "failing"]
_Row = tuple[int, str, str]


class Journal:
    """Writes the journal of one running table; any thread may call it.

    `report` is told in one sentence of every fault and of its end, from the writer's thread or from a
    caller's; `committed` is told the new `acknowledged` after every commit, from the writer's thread. Neither
    may block or raise.

    Raises JournalError if another process writes the file, if it is not a journal, was written by a newer
    tablectl, or may not be written.
    A disk that is only full or busy is no reason not to open the table: the journal begins in state
    `failing`.
    """

    def __init__(
        self,
        path: Path,
        header: Mapping[str, Any],
        report: Callable[[str], None],
        *,
        committed: Callable[[int], None] | None = None,
    ) -> None:
        self.path = path
        self.night: int | None = None
        """Number of this night in the file; None until its first entry is there."""
        self.acknowledged = 0
        """Highest `seq` of this night that is safely on the disk."""
        self.dropped = 0
        """Entries that were lost in this run: they did not fit into memory while the disk failed."""
        self.fault: str | None = None
        """What is wrong now, in one sentence; None when all is well."""
        self.state: State = "ok"

        self._report = report
        self._committed = committed
        self._header = json.dumps(header, separators=(",", ":"))
        self._started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._waiting: deque[_Row] = deque()
        self._bytes = 0
        self._seq = 0
        self._lost = 0  # of `dropped`, since the fault that lasts began
        self._pause = 0.0  # before the next try, s
        self._closing = False
        self._hurry = False
        self._begun = False  # this night is in the file that is open
        self._change = threading.Condition()
        self._file: sqlite3.Connection | None = None
        self._lock: WriterLock | None = None
        try:
            self._open()
        except JournalError:
            self._release()
            raise
        except sqlite3.Error as error:
            if not passing(error):
                self._release()
                raise JournalError(f"{path}: the journal cannot be opened: {reason(error)}") from None
            self._failed(reason(error))
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    # --- for the table: never waits -------------------------------------------------------------------------

    def sensed(self, event: Mapping[str, Any]) -> int:
        """Adds one sensed line, as a recording spells it. Returns its `seq`."""
        return self._add("sensed", (event,), SENSED_BYTES)

    def decisions(self, made: Iterable[Mapping[str, Any]]) -> int:
        """Adds decisions, in their order. Returns the `seq` of the last entry so far."""
        return self._add("decision", made, DECISION_BYTES)

    def _add(self, kind: str, objects: Iterable[Mapping[str, Any]], bound: int) -> int:
        texts = [json.dumps(each, separators=(",", ":")) for each in objects]
        told: str | None = None
        with self._change:
            waited = len(self._waiting)
            for text in texts:
                self._seq += 1
                size = len(text) + ENTRY_BYTES
                if self._closing or self._bytes + size > bound:
                    self.dropped += 1
                    self._lost += 1
                    if self._lost == 1:
                        why = Said("it is closed") if self._closing else Said("its memory is full")
                        self.fault = told = Said(
                            "{path}: the journal loses entries: {why}", path=self.path, why=why
                        )
                    continue
                self._waiting.append((self._seq, kind, text))
                self._bytes += size
            if self.state == "ok" and len(self._waiting) > LAG_ENTRIES:
                self.state = "lagging"
                self.fault = told = Said(
                    "{path}: the journal lags: the disk does not keep up; nothing is lost yet", path=self.path
                )
            last = self._seq
            # The writer sleeps on a group's time: only its first entry, or one too many, is worth waking it.
            if not waited or len(self._waiting) >= GROUP_ENTRIES:
                self._change.notify_all()
        if told:
            self._report(told)
        return last

    # --- for who must wait ----------------------------------------------------------------------------------

    def flush(self, timeout: float = CLOSE_S) -> bool:
        """Waits until all that was added before is on the disk. False if it is not after `timeout` s."""
        with self._change:
            self._hurry = True
            last = self._waiting[-1][0] if self._waiting else 0
            self._change.notify_all()
            return self._change.wait_for(lambda: self.acknowledged >= last, timeout)

    def close(self) -> None:
        """Writes what waits, if the disk lets it, and closes the file. Reports what could not be written."""
        with self._change:
            if self._closing:
                return
            self._closing = True
            self._change.notify_all()
        self._thread.join(CLOSE_S)
        with self._change:
            left = len(self._waiting)
            lost = self._lost
        if left or lost:
            self._report(f"{self.path}: the journal is closed; {left + lost} entries could not be written")

    # --- the writer's thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self._release()
            if not self._closing:  # a bug, also in `report` or `committed`: it must not stay unseen
                self.state = "failing"
                self.fault = Said("{path}: the journal's writer broke down", path=self.path)

    def _work(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting or self._closing or self._file is None)
                if self._pause:
                    self._change.wait_for(lambda: self._closing or self._hurry, self._pause)
                else:
                    self._change.wait_for(self._due, GROUP_S)
                self._hurry = False
                last_try = self._closing
                group = list(islice(self._waiting, GROUP_ENTRIES))
            written = self._write(group)
            if last_try and (not written or not self._waiting):
                break
        if self._file is not None:
            self._file.close()

    def _due(self) -> bool:
        return self._closing or self._hurry or len(self._waiting) >= GROUP_ENTRIES

    def _write(self, group: list[_Row]) -> bool:
        try:
            file = self._file or self._open()
            if group:
                self._commit(file, group)
        except (sqlite3.Error, JournalError) as error:
            self._failed(reason(error) if isinstance(error, sqlite3.Error) else said_by(error))
            return False
        self._succeeded(group)
        return True

    def _open(self) -> sqlite3.Connection:
        if self._lock is not None and not self._lock.holds():
            self._release()
        if self._lock is None:
            self._lock = claim(self.path)
        self._file = open_for_writing(self.path)
        self._begun = False
        return self._file

    def _release(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()

    def _commit(self, file: sqlite3.Connection, group: list[_Row]) -> None:
        try:
            file.execute("BEGIN IMMEDIATE")
            if not self._begun:
                self.night = add_night(file, self.night, self._started_at, self._header)
            # A commit whose last fsync failed may be in the file all the same: then it is the same entry.
            file.executemany(
                "INSERT OR IGNORE INTO entries (night, seq, kind, body) VALUES (?, ?, ?, ?)",
                ((self.night, *row) for row in group),
            )
            file.execute("COMMIT")
            self._begun = True
        except sqlite3.Error:
            # The next try opens the file anew: the disk may have been replaced or mounted again meanwhile.
            self._file = None
            file.close()
            raise

    def _failed(self, why: str) -> None:
        with self._change:
            begins = self.state != "failing"
            self._pause = min(max(self._pause * 2, RETRY_S), RETRY_MAX_S)
            self.state = "failing"
            if self._lost == 0:
                self.fault = Said(
                    "{path}: the journal cannot be written: {why}; entries wait in memory",
                    path=self.path, why=why,
                )  # fmt: skip
            text = self.fault
        if begins and text:
            self._report(text)

    def _succeeded(self, group: list[_Row]) -> None:
        told: str | None = None
        with self._change:
            for _, _, text in group:
                self._waiting.popleft()
                self._bytes -= len(text) + ENTRY_BYTES
            if group:
                self.acknowledged = group[-1][0]
            self._pause = 0.0
            if self.fault and not self._waiting:
                self.state, self.fault = "ok", None
                lost = f"{self._lost} entries were lost" if self._lost else "nothing was lost"
                told, self._lost = f"{self.path}: the journal is written again; {lost}", 0
            self._change.notify_all()
        if group and self._committed:
            self._committed(self.acknowledged)
        if told:
            self._report(told)
