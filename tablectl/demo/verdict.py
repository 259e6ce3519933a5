"""What was done wrong at a simulated table against what the controller said of it.

Owns: matching the simulator's truth with a journal, and the table of results. Refuses: starting anything
(`demo`). The controller never sees any of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from statistics import median
from typing import Any

from rich.table import Table

from tablectl.timeline import slip

Event = Mapping[str, Any]

COMPARED = ("seat", "expected", "street", "count", "need")
"""What must agree beside the kind, as far as both sides name it."""
EARLY_MS = 200.0
"""A decision may come that much before the card is at rest: its antenna reads it as it slides in."""
LIGHT_SUFFICES = frozenset({"card_lost"})
"""Where cards may lie unreadable, a card that is nowhere is never accused: the right answer is the soft light."""
RULED_MS = 1500.0
"""The ruling shown is the one that stands this long after the alarm, before the dealer acts on it."""


NUMBERS = ("hand", "light ms", "alarm ms")


@dataclass
class Injected:
    """One slip of the dealer, and what became of it."""

    hand: int
    truth: Event
    found: Event | None = None
    first_light_ms: float | None = None
    """From the card's coming to rest to the first soft or steady light; negative if it was lit already: what is strange
    about a card itself is told as soon as an antenna reads it, at the shoe."""
    confirmed_ms: float | None = None
    ruling: Event | None = None

    @property
    def told(self) -> bool:
        """It was found, or lit the lamp where that is all it may do."""
        lit = self.truth["kind"] in LIGHT_SUFFICES and self.first_light_ms is not None
        return self.found is not None or lit


@dataclass
class Verdict:
    """The outcome of a run."""

    hands: int
    near_misses: int
    injected: list[Injected] = field(default_factory=list)
    false_alarms: list[tuple[int, Event]] = field(default_factory=list)
    """Hand and irregularity."""
    corrected: int = 0
    """Irregularities that the dealer put right in time."""
    blinks: int = 0
    """Soft lights that went out again without an alarm."""

    @property
    def found(self) -> int:
        """How many slips were told, those included that only a light may tell."""
        return sum(1 for each in self.injected if each.told)

    @property
    def perfect(self) -> bool:
        """All found, nothing invented."""
        return not self.false_alarms and self.found == len(self.injected)

    def summary(self) -> str:
        """The outcome in one sentence."""
        times = [each.confirmed_ms for each in self.injected if each.confirmed_ms is not None]
        speed = (
            f", the alarm after {median(times):.0f} ms (median), {max(times):.0f} ms (worst)" if times else ""
        )
        parts = (
            f"{self.hands} hands, {self.near_misses} of them near misses",
            f"{self.found} of {len(self.injected)} irregularities found{speed}",
            f"false alarms: {len(self.false_alarms)}",
            f"corrected in time: {self.corrected}",
            f"soft lights that went out by themselves: {self.blinks}",
        )
        return "; ".join(parts)


def judge(truth: Iterable[Event], decisions: Iterable[Event], began_ms: float) -> Verdict:
    """The verdict on one night. `began_ms` is when the decisions' `t` was 0, on the clock of `mono` (ms)."""
    hands = _hands(list(truth))
    told = list(decisions)
    raised = {each["id"]: each for each in told if each["type"] == "irregularity"}
    lights: dict[str, float] = {}
    for each in told:
        if each["type"] in ("suspicion", "irregularity"):
            lights.setdefault(each["id"], began_ms + each["t"])
    cleared = {each["id"]: each["why"] for each in told if each["type"] == "cleared"}
    verdict = Verdict(len(hands), sum(1 for hand in hands if hand.near_miss))
    verdict.blinks = sum(1 for name in lights if name in cleared and name not in raised)
    for hand in hands:
        mine = {
            name: each for name, each in raised.items() if hand.begins <= began_ms + each["t"] < hand.ends
        }
        for made in hand.slips:
            verdict.injected.append(_found(hand.number, made, mine, lights, told, began_ms, hand.ends))
        for name, each in mine.items():
            if hand.near_miss == "corrected" and cleared.get(name) == "corrected":
                verdict.corrected += 1
            else:
                verdict.false_alarms.append((hand.number, each))
    return verdict


@dataclass
class _Hand:
    number: int
    begins: float
    ends: float
    near_miss: str | None
    slips: list[Event]


def _hands(truth: Sequence[Event]) -> list[_Hand]:
    """The hands with the time that is theirs: what is said until the next one begins is said of this one."""
    starts = [each for each in truth if each["event"] == "hand_start"]
    borders = [-inf, *(each["mono"] for each in starts[1:]), inf]
    slips: dict[int, list[Event]] = {}
    for each in truth:
        if each["event"] == "irregularity":
            slips.setdefault(each["hand"], []).append(each)
    return [
        _Hand(each["hand"], *window, each.get("near_miss"), slips.get(each["hand"], []))
        for each, window in zip(starts, pairwise(borders), strict=True)
    ]


def _found(
    hand: int,
    made: Event,
    raised: dict[str, Event],
    lights: Mapping[str, float],
    told: Sequence[Event],
    began_ms: float,
    until: float,
) -> Injected:
    """The slip with the irregularity that names it, which is taken out of `raised`."""
    result = Injected(hand, made)
    for name, each in raised.items():
        if _same(made, each) and began_ms + each["t"] >= made["mono"] - EARLY_MS:
            result.found = raised.pop(name)
            result.first_light_ms = lights[name] - made["mono"]
            result.confirmed_ms = began_ms + each["t"] - made["mono"]
            rulings = [one for one in told if one["type"] == "ruling" and one["irregularity"] == name]
            result.ruling = next((one for one in reversed(rulings) if one["t"] <= each["t"] + RULED_MS), None)
            return result
    soft = (began_ms + each["t"] for each in told if each["type"] == "suspicion" and _same(made, each))
    lit = min((t for t in soft if made["mono"] - EARLY_MS <= t < until), default=None)
    result.first_light_ms = None if lit is None else lit - made["mono"]
    return result


def _same(made: Event, raised: Event) -> bool:
    if made["kind"] != raised["kind"]:
        return False
    return all(
        made.get(name) is None or raised.get(name) is None or made[name] == raised[name] for name in COMPARED
    )


def results(verdict: Verdict) -> Table:
    """Injected, detected, latency, ruling; then what was raised for nothing."""
    table = Table(title=None, box=None, pad_edge=False, header_style="bold")
    for name in ("hand", "injected", "detected", "light ms", "alarm ms", "ruling"):
        table.add_column(name, justify="right" if name in NUMBERS else "left", overflow="fold")
    for each in verdict.injected:
        table.add_row(
            str(each.hand),
            slip(_plain(each.truth)),
            _detected(each),
            _light(each.first_light_ms),
            _ms(each.confirmed_ms),
            _ruling(each.ruling) if each.found else "",
        )
    for number, alarm in verdict.false_alarms:
        said = f"[bold red]FALSE ALARM[/bold red]: {slip(_plain(alarm))}"
        table.add_row(str(number), said, "", "", "", "")
    return table


def _detected(each: Injected) -> str:
    if each.found:
        return "[green]yes[/green]"
    return "[yellow]light only[/yellow]" if each.told else "[bold red]NO[/bold red]"


def _plain(event: Event) -> dict[str, Any]:
    """What the table shows of an irregularity: no card is named."""
    return {name: event[name] for name in ("kind", "seat", "expected", "street", "count") if name in event}


def _light(value: float | None) -> str:
    return "before" if value is not None and value < 0 else _ms(value)


def _ms(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"


def _ruling(ruling: Event | None) -> str:
    if ruling is None:
        return "governed by another"
    return f"{ruling['verdict'].replace('_', ' ')} ({ruling['rule'] or 'no rule: the floor decides'})"
