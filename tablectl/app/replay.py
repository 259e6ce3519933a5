"""A recorded night, once more through the core.

Owns: reading a recording or a journal and stepping a fresh table through it.
Refuses: readers, outputs, clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from tablectl import recording
from tablectl.app import table_of
from tablectl.app.log import without_hex
from tablectl.config import from_recording
from tablectl.core.decisions import Decision
from tablectl.core.sensed import Sensed
from tablectl.core.table import Table
from tablectl.errors import RecordingError, UsageError
from tablectl.sealed import AuditSecret


def open_night(
    path: Path,
    *,
    rulebook: str | None = None,
    strict: bool = False,
    night: int | None = None,
    say: Callable[[str], None] = lambda _: None,
    source: IO[bytes] | None = None,
    secret: AuditSecret | None = None,
) -> tuple[Table, Iterator[Sensed]]:
    """A fresh table as the recording, or the night of a journal, configures it, and what was sensed.

    The night is by default the last one that has entries. `say` gets each line that is wrong, without
    identities, and that a night is empty. `source` is read instead of the file itself where somebody wants to
    follow the reading. `secret` opens a sealed night. Raises RecordingError, JournalError, ConfigError, UsageError;
    the iterator raises the first two.
    """
    from tablectl.shell import journal

    def report(line: int, text: str) -> None:
        say(f"{path}: line {line}: {without_hex(text)}")

    try:
        if journal.is_journal(path):
            chosen = journal.chosen(path, night)
            if not chosen.last_seq:
                say(f"{path}: night {chosen.id} is empty: the table sensed nothing in it")
            head, events = recording.from_objects(
                *journal.as_recording(path, chosen.id, secret), strict=strict, report=report
            )
        elif night is not None:
            raise UsageError(f"{path}: this is no journal, and only a journal has nights")
        else:
            head, events = recording.read(source or path, strict=strict, report=report)
    except RecordingError as error:
        raise _discreet(path, error) from None
    config = from_recording(head.config, head.decks, head.active_deck, shown=str(path), rulebook=rulebook)
    return table_of(config), _discreetly(path, events)


def replay(
    path: Path,
    *,
    rulebook: str | None = None,
    strict: bool = False,
    night: int | None = None,
    say: Callable[[str], None] = lambda _: None,
    source: IO[bytes] | None = None,
    secret: AuditSecret | None = None,
) -> Iterator[Decision]:
    """The decisions that a recording, or a journal's night, leads to. Arguments and errors: `open_night`."""
    table, events = open_night(
        path, rulebook=rulebook, strict=strict, night=night, say=say, source=source, secret=secret
    )
    for event in events:
        yield from table.step(event)


def _discreetly(path: Path, events: Iterator[Sensed]) -> Iterator[Sensed]:
    try:
        yield from events
    except RecordingError as error:
        raise _discreet(path, error) from None


def _discreet(path: Path, error: RecordingError) -> RecordingError:
    """The error with the file's name, and without the UIDs it may quote."""
    return RecordingError(f"{path}: {without_hex(str(error).removeprefix(f'{path}: '))}")
