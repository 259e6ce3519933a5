"""The journal's one writer.

Owns: the thread that writes, and what it says of itself.
Refuses: to hold up the table; to change or remove an entry; what waits in memory (`waiting`), how it comes into the
file (`book`), the chain (`chain`), where old files go (`parts`).

Theory of operation
- One process writes a journal at a time (`lock`); a second one is refused before it has changed anything.
- Each start of the table is a *night*: its number, when it began (UTC), and the first line of its recording, sealed. It
  comes into the file together with its first entry, so that a start that fails leaves none. An entry belongs to a night
  and has a `seq` there: 1, 2, 3 … in the order in which the table handed it over, without a hole.
- `sensed` and `decisions` put entries into memory and return at once. The writer thread packs and seals them, ties each
  to the one before, and commits them in groups, at most `GROUP_S` after the first of a group came, plus what the disk
  takes; at once after an alarm. WAL with synchronous=FULL: when the commit has returned, the group survives a killed
  process and a power cut. Only then `acknowledged` moves.
- With the end of a hand, at the beginning and the end of a night and before a file is put aside, the *head* of the
  chain is signed with the table's own key, in the same commit, and `published` is told.
- If the disk fails, entries stay in memory and the write is tried again, slower and slower up to `RETRY_MAX_S`. `fault`
  says so as long as it lasts, and `report` is told when it begins and when it ends.
- Memory is bounded. What does not fit is dropped and counted, and an entry `lost` says so.
- A file that has grown to `Limits.part` is put aside, also in mid-night; the chain and the numbers go on in the next.

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
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from tablectl.errors import JournalError
from tablectl.said import Said, said_by
from tablectl.shell.journal.block import packed
from tablectl.shell.journal.book import Book, Limits, Sensitive
from tablectl.shell.journal.chain import Head
from tablectl.shell.journal.file import passing, reason
from tablectl.shell.journal.waiting import Row, Waiting

ALARM: Final = "irregularity"
"""A decision of this type is committed at once."""
LAG_ENTRIES: Final = 5_000
"""Lines and decisions that wait before the table says that the journal lags: about a minute of a full table."""
RETRY_S: Final = 0.25
RETRY_MAX_S: Final = 5.0
CLOSE_S: Final = 5.0
"""How long `close` waits for a disk that does not answer, s."""

State = Literal["ok", "lagging", "failing"]


class Journal:
    """Writes the journal of one running table; any thread may call it.

    `header` is the first line of the recording. `report` is told in one sentence of every fault and of its end, and of
    what is put aside, from the writer's thread or from a caller's; `committed` is told the new `acknowledged` after
    every commit, and `published` every signed head, from the writer's thread. None of them may block or raise.

    Raises JournalError if another process writes the file, if it is not a journal, was written by a newer tablectl, or
    may not be written, and if the table's key beside it is damaged.
    A disk that is only full or busy is no reason not to open the table: the journal begins in state `failing`.
    """

    def __init__(
        self,
        path: Path,
        header: Mapping[str, Any],
        report: Callable[[str], None],
        *,
        sensitive: Sensitive,
        committed: Callable[[int], None] | None = None,
        published: Callable[[Head], None] | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.path = path
        self.acknowledged = 0
        """Highest `seq` of this night that is safely on the disk."""
        self.fault: str | None = None
        """What is wrong now, in one sentence; None when all is well."""
        self.state: State = "ok"

        self._report = report
        self._committed = committed
        self._published = published
        self._book = Book(path, header, sensitive, limits or Limits(), report)
        self._waiting = Waiting(time.monotonic, keeps=sensitive != "nothing")
        self._dropped_before = 0  # the fault that lasts began
        self._pause = 0.0  # before the next try, s
        self._tried_at = 0.0
        self._noted = 0  # seq of the entry after which old parts may go
        self._closing = False
        self._hurry = False
        self._change = threading.Condition()
        try:
            self._book.open()
        except JournalError:
            self._book.release()
            raise
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, sqlite3.Error) and not passing(error):
                self._book.release()
                raise JournalError(f"{path}: the journal cannot be opened: {reason(error)}") from None
            self._failed(error)
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    @property
    def night(self) -> int | None:
        """Number of this night in the file; None until its first entry is there."""
        return self._book.night

    @property
    def head(self) -> Head | None:
        """The last head that was signed in this run."""
        return self._book.head

    @property
    def dropped(self) -> int:
        """Lines and decisions that were lost in this run: they did not fit into memory while the disk failed."""
        return self._waiting.dropped

    @property
    def waiting(self) -> int:
        """Lines and decisions that are not on the disk yet."""
        return self._waiting.entries

    # --- for the table: never waits -------------------------------------------------------------------------

    def sensed(self, event: Mapping[str, Any]) -> int:
        """Adds one sensed line, as a recording spells it. Returns the `seq` of the entry that it is a part of."""
        text = json.dumps(event, separators=(",", ":"))
        return self._add(lambda: self._waiting.sense(text, _moment(event)))

    def decisions(self, made: Iterable[Mapping[str, Any]]) -> int:
        """Adds decisions, in their order. Returns the `seq` of the last entry so far."""
        texts = [(json.dumps(each, separators=(",", ":")), each) for each in made]

        def add() -> None:
            for text, each in texts:
                ends = each.get("type") == "hand" and each.get("event") == "end"
                self._waiting.decide(text, _moment(each), told=ends)
                self._hurry = self._hurry or each.get("type") == ALARM

        return self._add(add)

    def _add(self, add: Callable[[], None]) -> int:
        told: str | None = None
        with self._change:
            due, full = self._due_at(), self._lost > 0
            if self._closing:
                self._waiting.dropped += 1
            else:
                add()
            if self._lost and not full:
                why = Said("it is closed") if self._closing else Said("its memory is full")
                self.fault = told = Said("{path}: the journal loses entries: {why}", path=self.path, why=why)
            elif self.state == "ok" and self.waiting > LAG_ENTRIES:
                self.state = "lagging"
                self.fault = told = Said(
                    "{path}: the journal lags: the disk does not keep up; nothing is lost yet", path=self.path
                )
            # The writer sleeps until something is due: only what makes that earlier is worth waking it.
            now = self._due_at()
            if now is not None and (due is None or now < due):
                self._change.notify_all()
            last = self._waiting.seq
        if told:
            self._report(told)
        return last

    @property
    def _lost(self) -> int:
        """Of `dropped`, since the fault that lasts began."""
        return self.dropped - self._dropped_before

    # --- for who must wait ----------------------------------------------------------------------------------

    def flush(self, timeout: float = CLOSE_S) -> bool:
        """Waits until all that was added before is on the disk. False if it is not after `timeout` s."""
        with self._change:
            self._hurry = True
            last = self._waiting.seq
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
            left = self.waiting + self._lost
        if left:
            self._report(f"{self.path}: the journal is closed; {left} entries could not be written")

    # --- the writer's thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self._book.release()
            if not self._closing:  # a bug, also in `report` or `committed`: it must not stay unseen
                self.state = "failing"
                self.fault = Said("{path}: the journal's writer broke down", path=self.path)

    def _work(self) -> None:
        while True:
            with self._change:
                self._sleep()
                closing = self._closing
                if closing:
                    self._waiting.say_lost()
                group = self._waiting.group(hurry=self._hurry or closing)
                last = closing and len(group) == len(self._waiting)
                self._hurry = False
            written = self._write(group, last=last)
            if closing and (last or not written):
                break
        self._book.close()

    def _sleep(self) -> None:
        while (due := self._due_at()) is None or due > time.monotonic():
            self._change.wait(None if due is None else due - time.monotonic())

    def _due_at(self) -> float | None:
        """When there is something to do next, monotonic s; None: not before something comes."""
        if self._closing or (self._hurry and len(self._waiting)):
            return 0.0
        if self._pause:
            return self._tried_at + self._pause
        return self._waiting.due_at() if self._book.is_open else 0.0

    def _write(self, group: list[Row], *, last: bool) -> bool:
        self._seal(group)
        head: Head | None = None
        try:
            self._book.open()
            if group or (last and self._book.is_unsigned):
                head = self._book.commit(group, sign=last or any(row.told for row in group))
        except (sqlite3.Error, OSError) as error:
            self._failed(error)
            return False
        self._succeeded(group)
        if head and self._published:
            self._published(head)
        if not last:
            self._put_aside()
        return True

    def _seal(self, group: list[Row]) -> None:
        """Also while the disk fails: what is packed takes less memory."""
        for row in group:
            if row.lines:
                sealed = packed(row.lines, self._book.seals_to)
                with self._change:
                    self._waiting.sealed(row, sealed)

    def _put_aside(self) -> None:
        try:
            if 0 < self._noted <= self.acknowledged:
                self._noted = 0
                self._book.forget_old()
            note = self._book.put_aside_if_due()
        except (sqlite3.Error, OSError) as error:
            self._failed(error)
            return
        if note is not None:
            with self._change:
                self._noted = self._waiting.note(note)

    def _failed(self, error: sqlite3.Error | OSError) -> None:
        with self._change:
            begins = self.state != "failing"
            self._pause = min(max(self._pause * 2, RETRY_S), RETRY_MAX_S)
            self._tried_at = time.monotonic()
            self.state = "failing"
            if not self._lost:
                self.fault = Said(
                    "{path}: the journal cannot be written: {why}; entries wait in memory",
                    path=self.path, why=_words(error),
                )  # fmt: skip
            text = self.fault
        if begins and text:
            self._report(text)

    def _succeeded(self, group: list[Row]) -> None:
        told: str | None = None
        with self._change:
            self._waiting.written(group)
            if group:
                self.acknowledged = group[-1].seq
            self._pause = 0.0
            if self.fault and not self._waiting.closed:
                lost = f"{self._lost} entries were lost" if self._lost else "nothing was lost"
                self.state, self.fault = "ok", None
                told, self._dropped_before = (
                    f"{self.path}: the journal is written again; {lost}",
                    self.dropped,
                )
            self._change.notify_all()
        if group and self._committed:
            self._committed(self.acknowledged)
        if told:
            self._report(told)


def _moment(event: Mapping[str, Any]) -> int:
    t = event.get("t")
    return t if isinstance(t, int) else 0


def _words(error: sqlite3.Error | OSError) -> str:
    if isinstance(error, sqlite3.Error):
        return reason(error)
    if isinstance(error, JournalError):
        return said_by(error)
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)
