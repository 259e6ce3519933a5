"""Decisions in words, one line each, for a person at a terminal.

Owns: the wording of `tablectl replay` and `demo`. Refuses: the contract's JSON (`core.decisions`) and the
dealer's display, which has words of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from tablectl.core.decisions import (
    Cleared,
    Deal,
    Decision,
    Degraded,
    HandEvent,
    Irregularity,
    Question,
    RemedyEvent,
    Reminder,
    Restored,
    Ruling,
    Suspicion,
)


def clock(t: int) -> str:
    """Milliseconds as `1:02:03.4`, or `2:03.4` in the first hour."""
    tenths = t // 100
    minutes, seconds = divmod(tenths // 10, 60)
    hours, minutes = divmod(minutes, 60)
    start = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{start}:{seconds:02}.{tenths % 10}"


def line_of(decision: Decision) -> Text | None:
    """The decision as one line with its time; None for what only a program wants to know."""
    words = _words(decision)
    if words is None:
        return None
    text, style = words
    return Text.assemble((f"{clock(decision.t):>10}  ", "dim"), (text, style))


def _words(decision: Decision) -> tuple[str, str] | None:
    match decision:
        case HandEvent():
            return _hand(decision), "bold" if decision.event == "start" else ""
        case Deal():
            return f"  card {decision.k} to {decision.zone}", "dim"
        case Reminder():
            return (
                f"  seat {decision.seat} is away, its hand is dead ({decision.rule}): {decision.event}",
                "cyan",
            )
        case Degraded():
            return f"{decision.zone} not watched ({decision.why}): {_list(decision.suspends)} off", "yellow"
        case Restored():
            return f"{decision.zone} watched again", "green"
        case _:
            return _of_irregularity(decision)


def _of_irregularity(decision: Decision) -> tuple[str, str] | None:
    match decision:
        case Suspicion():
            return f"  {decision.id} perhaps {slip(decision.as_json())}", "yellow"
        case Irregularity():
            return f"  {decision.id} {slip(decision.as_json())}", "bold red"
        case Cleared():
            return f"  {decision.id} cleared: {decision.why}", "green"
        case Question():
            return f"  {decision.irregularity} {_question(decision)}", "cyan"
        case Ruling():
            return f"  {decision.irregularity} {ruling(decision.as_json())}", "magenta"
        case RemedyEvent():
            return f"  {decision.irregularity} remedy, step {decision.step + 1}: {decision.event}", "magenta"
        case _:
            return None


def _hand(decision: HandEvent) -> str:
    if decision.event == "start":
        return f"hand {decision.hand}: button {decision.button or '?'}, seats {_list(decision.seats)}"
    if decision.event == "resumed":
        return f"hand {decision.hand} goes on: its end was taken back"
    counts = ", ".join(f"{zone} {count}" for zone, count in (decision.counts or {}).items() if count)
    return f"hand {decision.hand} ends: {counts or 'no cards'}"


def _question(decision: Question) -> str:
    if decision.event == "asked":
        return f"{decision.id}? {decision.fact}: {_list(decision.choices)}"
    said = "" if decision.value is None else f" {decision.value}"
    return f"{decision.id} {decision.event}{said}"


def slip(found: Mapping[str, Any]) -> str:
    """An irregularity's JSON in words: its kind and what applies."""
    parts = [
        f"{name} {found[name]}"
        for name in ("seat", "expected", "k", "street", "run", "count", "need", "zone", "by")
        if found.get(name) is not None
    ]
    return f"{found['kind']}: {', '.join(parts)}" if parts else str(found["kind"])


def ruling(found: Mapping[str, Any]) -> str:
    """A ruling's JSON in words: verdict, rule, who decides, what to do."""
    verdict = str(found["verdict"]).replace("_", " ")
    rule = f" by {found['rule']}" if found.get("rule") else f": {found['rulebook']} has no rule"
    for_now = " (provisional)" if found.get("provisional") else ""
    steps = "; ".join(step(each) for each in found.get("steps", ()))
    return f"{verdict}{rule}{for_now}, {found['decider']} decides" + (f": {steps}" if steps else "")


def step(what: Mapping[str, Any]) -> str:
    """A remedy step in words: `shuffle full`, `redeal first 7`."""
    rest = " ".join(f"{name} {_list(value)}" for name, value in what.items() if name != "do")
    return f"{what['do']} {rest}".strip().replace("_", " ")


def _list(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value)) or "none"
    return str(value)
