"""A night out of a journal, as its hands: with the key or without.

Owns: which parts can be read, and that nothing is read that was not opened. Refuses: the access record (`access`),
which whoever opens has written by then.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tablectl.audit.hands import PlayedHand, hands_of
from tablectl.audit.names import Names
from tablectl.audit.told import Told
from tablectl.sealed import AuditSecret
from tablectl.shell import journal
from tablectl.shell.journal import Night

OF_THE_TABLE = ("id", "seats", "game", "rulebook", "mode", "betting")


def is_readable(night: Night, secret: AuditSecret | None) -> bool:
    """Whether what was sensed that night can be read: it was kept, and is not sealed or there is a key."""
    return night.sensitive == "clear" or (night.sensitive == "sealed" and secret is not None)


def played(path: Path, night: Night, secret: AuditSecret | None, names: Names) -> Iterator[PlayedHand]:
    """The hands of that night. Of a night that is not readable, what its decisions tell.

    JournalError for a key that does not fit and for a damaged file, RecordingError and ConfigError for a header that
    cannot be used.
    """
    told = Told()
    table = dict(night.public.get("table", {}))
    if not is_readable(night, secret):
        for _, kind, entry in journal.lines(path, night.id):
            if kind == "decision":
                told.take(entry)
        yield from hands_of(night, told, {}, table)
        return
    from tablectl.audit.replayed import replayed  # the core and a configuration: not for decisions alone

    _, header, entries = journal.opened(path, night.id, secret)
    given = header.get("config", {}).get("table", {})
    table |= {name: given[name] for name in OF_THE_TABLE if name in given}
    known = replayed(header, entries, told.take, names.card, f"{path}: night {night.id}")
    yield from hands_of(night, told, known, table)
