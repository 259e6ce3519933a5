"""Laws of the tracker as a whole, on simulated evenings: what must hold whatever was read, lost, late or doubled.

Each evening is simulated once. A law that is about a change (frames in another order, a read that is missing, another
clock) plays the same evening again with that change, and compares what the table concluded.
"""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from random import Random
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import pytest

from tablectl import recording
from tablectl.app import table_of
from tablectl.cards import find_deck
from tablectl.config import Config, from_recording
from tablectl.core.decisions import Deal, Decision, HandEvent, Irregularity
from tablectl.core.hand import Hand
from tablectl.core.sensed import Entry, Gap, Sensed, Sweep
from tablectl.core.table import Table
from tablectl.layout import BURN, MUCK, is_board, seat_zone
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth

TOLERANCE_MS = 20
"""So much later than another board's a frame may come (spec: 2–20 ms on the line, ±20 ms of clock offset)."""
LANDING_MS = 600
"""The reads of a card's first moments in a zone decide most; half of all trials take away one of these."""
CLEAN = "clean*3"
SLIPS = "clean, wrong_seat:next+deal_on, premature_card@turn+deal_on, too_many_cards:after+deal_on, burn_missing@river"


@dataclass(frozen=True)
class Evening:
    """One simulated evening: what was sensed, and what was true."""

    config: Config
    events: tuple[Sensed, ...]
    truth: Truth

    def table(self) -> Table:
        """A fresh table, configured as that evening's was."""
        return table_of(self.config)

    def play(self, events: Iterable[Sensed] | None = None) -> list[Decision]:
        """What a fresh table concludes, from other events than the evening's own if they are given."""
        table = self.table()
        return [made for event in (self.events if events is None else events) for made in table.step(event)]


@cache
def evening(noise: str, seats: int, boards: int, steps: str, seed: int, deck_seed: int = 0) -> Evening:
    """The evening of these hands; the same arguments give the same one."""
    truth = Truth()
    setup = TableSetup(seats=seats, boards=boards, rulebook="pl", deck_seed=deck_seed)
    lines = generate(setup, script.parse(steps), preset(noise), seed=seed, truth=truth)
    head, events = recording.from_objects(next(lines), lines, strict=True)
    return Evening(from_recording(head.config, head.decks, head.active_deck), tuple(events), truth)
