"""What the docket tells again after an input was taken back: whoever took an irregularity for settled hears of it.

Owns: acknowledgements, rulings of the floor, answers and ticked steps, as they were before that input.
Refuses: what else the input changed (`core.undo`), and deciding the rulings anew, which the docket does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablectl.core.decisions import Cleared, Decision, RemedyEvent

if TYPE_CHECKING:
    from tablectl.core.docket import Docket
    from tablectl.core.listed import Entry
    from tablectl.core.undo import Change


def taken_back(docket: Docket, changes: Sequence[Change], t: int, *, anew: bool) -> list[Decision]:
    """Puts the entries back; `anew` tells all that is open, for the hand was told to have ended."""
    out: list[Decision] = []
    for entry in docket.entries:
        mine = {change.name: change for change in changes if change.owner is entry}
        if "acknowledged" in mine:
            mine["acknowledged"].take_back()
        out += _overruled_no_more(entry, mine, t)
        out += _undone(docket, entry, mine, changes, t)
        if anew and entry.open:
            out += docket.again(entry, t)
    for change in changes:
        if change.owner is docket:
            out += _unanswered(docket, set(change.after) - set(change.before), t)
    docket.reconsider()
    return out


def _overruled_no_more(entry: Entry, mine: dict[str, Change], t: int) -> list[Decision]:
    """The floor has not ruled: what stood before it stands, and is decided anew unless its remedy was under way."""
    if "ruling" not in mine or not (entry.open and entry.overridden):
        return []
    for name in ("overridden", "ruling", "remedy"):
        if name in mine:
            mine[name].take_back()
    return [replace(entry.ruling, t=t)] if entry.ruling is not None else []


def _undone(
    docket: Docket, entry: Entry, mine: dict[str, Change], changes: Sequence[Change], t: int
) -> list[Decision]:
    """The steps that the input ticked are due again."""
    steps: dict[str, Any] = {change.name: change for change in changes if change.owner is entry.remedy}
    if entry.remedy is None or "done" not in steps:
        return []
    out: list[Decision] = []
    if "complete" in steps and "open" in mine:
        mine["open"].take_back()
        out += docket.again(entry, t)
    ticked = [step for step in steps["done"].after if step not in steps["done"].before]
    return out + [
        RemedyEvent(t=t, irregularity=entry.id, step=step, event="undone") for step in reversed(ticked)
    ]


def _unanswered(docket: Docket, answered: set[tuple[str, str]], t: int) -> list[Decision]:
    """A finding that the dealer was asked about is as unsure as it was; it will be asked about again."""
    out: list[Decision] = []
    for entry in docket.entries:
        doubted = (entry.id, entry.finding.asks) in answered
        if doubted and entry.open and entry.confirmed and not entry.started:
            entry.open, entry.ruling, entry.remedy = False, None, None
            out.append(Cleared(t=t, id=entry.id, why="withdrawn"))
    return out
