"""What a start does with what another process of the table kept.

Owns: whether it is taken up, the core stepped through the lines, and what the journal does not have of them.
Refuses: spelling (`head`, `moment`, `shell.kept`), and what the gap since means, which the core is told as the loss of
every reader.

What is damaged, old or of another table is refused in one line of the log, and the table starts as after a power cut:
the first sweeps show what lies where, and what they cannot show is said to be unknown (`core.unseen`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl import recording
from tablectl.app.kept.head import Head, Line, Owed, must_be_recent
from tablectl.app.kept.keeping import Keeping, boottime
from tablectl.app.kept.moment import load
from tablectl.app.line import tell
from tablectl.app.log import Say
from tablectl.app.setting import table_of
from tablectl.config import Config
from tablectl.core.alerts import Alerts
from tablectl.core.decisions import Decision
from tablectl.core.sensed import Sensed
from tablectl.core.table import Table
from tablectl.errors import JournalError, KeptError, RecordingError
from tablectl.shell.kept import Folder, boot_id, kept

MOST_TRIES: Final = 3
"""Starts in a row that died while they took it up, or soon after: then it is what they die of."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A table as another process left it; `t` is that of its last line, ms."""

    table: Table
    alerts: Alerts
    t: int
    head: Head
    since: tuple[Owed, ...]
    """The lines since the moment, with the decisions that followed from them."""

    def age_s(self) -> float:
        """How long ago its `t` was 0, s."""
        return boottime() - self.head.origin_ns / 1e9

    def journal(self, path: Path) -> tuple[int | None, Sequence[Owed]]:
        """The night that the journal of this process goes on with, and what is to be added to it first."""
        from tablectl.shell import journal

        owed = [*self.head.owed, *self.since]
        try:
            there = journal.run_of(path, self.head.run)
        except JournalError:  # whoever opens it to write says what is wrong with it
            return None, owed
        if there is None:  # not a line of it came to the disk
            return self.head.continues, owed
        night, lines, decisions = there
        return night, _after(owed, lines - self.head.lines, decisions - self.head.decisions)


def take_up(keeping: Keeping, config: Config, log: Say) -> Taken | None:
    """The table that was kept, brought to where it stood; None if there is none, or none that may be taken up."""
    folder = keeping.folder
    if folder is None:
        return None
    try:
        taken = _taken(folder, keeping.prints, config)
    except Exception as error:  # noqa: BLE001 (whatever lies there, the table must start)
        why = str(error) if isinstance(error, KeptError) else f"{type(error).__name__}: {error}"
        log(f"what was kept of the hand before is not taken up: {why}; the table starts as after a power cut")
        folder.forget()
        return None
    if taken is not None:
        keeping.taken_up = taken.t
        ago = taken.age_s() - taken.t / 1000
        log(f"took up the table where it stood {ago:.1f} s ago: {_words(taken)}")
    return taken


def _words(taken: Taken) -> str:
    hand = taken.table.hand
    where = f"hand {hand.number}" if hand is not None else "between two hands"
    return f"{where}, {len(taken.since)} lines since it was last written down"


def _taken(folder: Folder, prints: tuple[str, str], config: Config) -> Taken | None:
    found = kept(folder)
    if found is None:
        return None
    head, moment = Head.of(found[0])
    head.must_fit(*prints, boot_id())
    if folder.tries() >= MOST_TRIES:
        raise KeptError(f"{MOST_TRIES} starts in a row ended while they took it up, or soon after")
    lines = [_line(record, number, config) for number, record in enumerate(found[1].records, start=1)]
    t = max([head.t, *(event.t for _, event in lines)])
    must_be_recent(t, round((boottime() - head.origin_ns / 1e9) * 1000))
    folder.tried()
    fresh = table_of(config)
    table, alerts = load(moment, fresh.setting, fresh.book)
    return Taken(table, alerts, t, head, tuple(_stepped(table, alerts, lines)))


def _line(record: bytes, number: int, config: Config) -> tuple[Line, Sensed]:
    try:
        line = json.loads(record)
        return line, recording.parse(line, line=number, seats=config.table.seats)
    except (ValueError, RecordingError):
        raise KeptError("it is damaged: it holds what is no line of a recording") from None


def _stepped(table: Table, alerts: Alerts, lines: Sequence[tuple[Line, Sensed]]) -> list[Owed]:
    """The core through the lines, as the process did that kept them: one at which it failed costs itself."""
    out: list[Owed] = []
    failed = False
    for line, event in lines:
        decisions: tuple[Decision, ...] = ()
        try:
            decisions = table.step(event)
            tell(alerts, table, event, decisions)
            failed = False
        except Exception:  # noqa: BLE001 (as in StraightLine.step)
            failed = True
        out.append(Owed(line, tuple(each.as_json() for each in decisions)))
    if failed:
        raise KeptError("the core failed at its last line")
    return out


def _after(owed: Sequence[Owed], lines: int, decisions: int) -> list[Owed]:
    """What is left of it after so many lines and decisions."""
    left = []
    for each in owed:
        line = each.line if lines <= 0 else None
        rest = each.decisions[max(decisions, 0) :]
        lines -= each.line is not None
        decisions -= len(each.decisions)
        if line is not None or rest:
            left.append(Owed(line, rest))
    return left
