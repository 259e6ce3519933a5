"""Recordings: what the table sensed, one JSON object a line.

Owns: reading with tolerance for broken lines; the spelling of an event (`event`), of the first line (`first`), and of a
line at all (`lines`).
Refuses: what the events mean (`core`), whether the configuration in the first line is valid (`config`), the
file that is being written (`shell.recorder`), and decisions (they are concluded again on every replay).

What a reader may rely on:
- A malformed line costs only itself: it is reported with its number and skipped, or with `strict` it ends the
  reading. Empty lines are nothing. A last line without its newline that does not parse was cut off by a power
  loss and is reported as such. A broken *first* line is always an error: without it nothing can be
  understood.
- `t` never goes back. A line whose `t` is below the one before is reported (with `strict`: an error) and its
  event is taken at the time of the line before: what a reader saw is evidence, its place in the file is its
  order. A line that is alone more than 24 hours ahead is reported and skipped (`order`).
- A reader or an antenna that the configuration in the first line does not have is reported once.
- Names that this version does not know are reported and ignored, with `strict` too: later versions may add
  some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from tablectl.core.sensed import Sensed
from tablectl.errors import RecordingError
from tablectl.recording.event import dump, event_of, parse
from tablectl.recording.fields import MAX_T, Report, Wrong, silent
from tablectl.recording.first import Header, header, header_of, read_header
from tablectl.recording.lines import MAX_LINE, numbered, value_of
from tablectl.recording.order import Order, antennas_of

__all__ = [
    "MAX_LINE",
    "MAX_T",
    "Header",
    "Report",
    "dump",
    "from_objects",
    "header",
    "parse",
    "read",
    "read_header",
]


def read(
    source: Path | IO[str] | IO[bytes], *, strict: bool = False, report: Report = silent
) -> tuple[Header, Iterator[Sensed]]:
    """The recording's first line and, as they are asked for, its events in order of `t`.

    Raises RecordingError if the file cannot be read or its first line is broken, and with `strict` at the
    first malformed line (from the iterator); its text starts with the line number. Otherwise `report` gets
    each fault.
    """
    lines = numbered(source)
    line, first = next(lines, (1, b""))
    try:
        if not first.strip():
            raise Wrong("the recording is empty: its first line must be the header")
        head = header_of(value_of(first.removeprefix(b"\xef\xbb\xbf")), lambda text: report(line, text))
    except Wrong as wrong:
        raise RecordingError(f"line {line}: {wrong}") from None
    return head, _events(lines, head, strict=strict, report=report)


def from_objects(
    first: object, objects: Iterable[object], *, strict: bool = False, report: Report = silent
) -> tuple[Header, Iterator[Sensed]]:
    """As `read`, from lines that are objects already: a night out of a journal."""
    head = read_header(first, report=report)
    return head, _events(enumerate(objects, start=2), head, strict=strict, report=report)


def _events(
    lines: Iterable[tuple[int, object]], head: Header, *, strict: bool, report: Report
) -> Iterator[Sensed]:
    order = Order(antennas_of(head.config), report, strict=strict)
    for line, text in lines:

        def tell(what: str, line: int = line) -> None:
            report(line, what)

        try:
            obj = value_of(text) if isinstance(text, bytes) else text
            event = event_of(obj, head.seats, tell)
        except Wrong as wrong:
            if strict:
                raise RecordingError(f"line {line}: {wrong}") from None
            tell(f"{wrong}; skipped")
            continue
        yield from order.take(line, event)
    order.end()
