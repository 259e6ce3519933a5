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

    A hand that went on after a restart is whole in the night in which it ended. JournalError for a key that does not
    fit and for a damaged file, RecordingError and ConfigError for a header that cannot be used.
    """
    chain = _chain(path, night)
    told = Told()
    for each in chain:
        told.next_night()
        for _, kind, entry in journal.lines(path, each.id):
            if kind == "decision":
                told.take(entry)
    table, known = dict(night.public.get("table", {})), {}
    if is_readable(night, secret):
        from tablectl.audit.replayed import replayed  # the core and a configuration: not for decisions alone

        header, sensed = journal.as_recording(path, night.id, secret)
        given = header.get("config", {}).get("table", {})
        table |= {name: given[name] for name in OF_THE_TABLE if name in given}
        known = replayed(header, sensed, names.card, f"{path}: night {night.id}")
    yield from hands_of(night.id, chain[0].started_at, told, known, table)


def _chain(path: Path, night: Night) -> list[Night]:
    """The night, after those that it goes on with."""
    chain = [night]
    while isinstance(before := chain[0].public.get("continues"), int) and 0 < before < chain[0].id:
        chain.insert(0, journal.chosen(path, before))
    return chain
