"""The one place where a table is built and connected.

    readers ─emit─▶ Table.step ─▶ decisions ─▶ alerts ─▶ panel            (at once, in the same call)
                                      └──────▶ journal, recording, display  (queued; none can delay the alarm)

Owns: construction, the order in which outputs are served, start and stop. Refuses: business (`core`) and
devices (`shell`).
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablectl import recording
from tablectl.config import Config, from_recording
from tablectl.core.decisions import Decision
from tablectl.core.sensed import Entry, Sensed
from tablectl.core.settings import Setting, Timing
from tablectl.core.table import Table
from tablectl.rulebooks import load as load_rulebook

if TYPE_CHECKING:
    from tablectl.shell.readers import ReaderState

Say = Callable[[str], None]


def table_of(config: Config) -> Table:
    """The core of one table, as configured."""
    tracker = config.tracker
    setting = Setting(
        id=config.table.id,
        layout=config.layout(),
        game=config.table.game,
        rulebook=config.table.rulebook,
        mode=config.table.mode,
        betting=config.table.betting,
        language=config.table.language,
        confirms=frozenset(config.table.confirms),
        decks=config.decks,
        active_deck=config.active_deck or "",
        timing=Timing(
            correct_ms=tracker.correct_ms,
            fold_grace_ms=tracker.fold_grace_ms,
            lost_ms=tracker.lost_ms,
            held_lost_ms=tracker.held_lost_ms,
            next_card_ms=tracker.next_card_ms,
            hand_gap_ms=tracker.hand_gap_ms,
        ),
    )
    return Table(setting, load_rulebook(config.table.rulebook))


def replay(
    path: Path, *, rulebook: str | None = None, strict: bool = False, say: Say = lambda _: None
) -> Iterator[Decision]:
    """The decisions that a recording, or the last night of a journal, leads to."""
    from tablectl.shell import journal  # noqa: PLC0415 (a replay of a text file needs no database)

    def report(line: int, text: str) -> None:
        say(f"{path}: line {line}: {text}")

    if journal.is_journal(path):
        head, events = recording.from_objects(*journal.as_recording(path), strict=strict, report=report)
    else:
        head, events = recording.read(path, strict=strict, report=report)
    table = table_of(
        from_recording(head.config, head.decks, head.active_deck, shown=str(path), rulebook=rulebook)
    )
    for event in events:
        yield from table.step(event)
