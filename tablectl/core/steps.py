"""Remedy steps: which ones a rulebook may order, and the templates it writes them in.

Owns: the steps of the contract with their arguments, checking a template, writing the steps of a ruling.
Refuses: what a step looks like on the table and whether it was followed (`core.remedy`).

A template is a step of the contract with three additions. A string that begins with `$` is an expression of
the rulebook language (`$first`, `$4 - board('flop')`) or a parameter of the book; where its value is unknown
the argument is left out. `if` is a condition: unless it is true the step is left out. A step that mentions
`x` is written once for every seat the ruling is about. After a `pick`, `to_burn` without `card` means the
drawn card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablectl.core.case import CHOICES, World
from tablectl.core.decisions import Step
from tablectl.core.logic import Expr, Language
from tablectl.errors import RulebookError

STEPS: Mapping[str, Mapping[str, str]] = {
    "collect": {},
    "return_bets": {"to": "all or seat"},
    "shuffle": {"what": "shuffle"},
    "cut": {},
    "redeal": {"first": "int"},
    "remove": {"card": "int"},
    "aside": {"zone": "str"},
    "to_top": {"card": "int"},
    "to_burn": {"card": "int"},
    "replace": {"seat": "int"},
    "burn": {},
    "no_burn": {},
    "deal": {"street": "street", "count": "int"},
    "scramble": {"zone": "str", "count": "int"},
    "pick": {"by": "decider"},
    "kill": {"seat": "int"},
    "change_deck": {"when": "when"},
    "finish_round": {"street": "street"},
    "restore_order": {"street": "street"},
    "swap": {"seats": "seats"},
    "call": {"who": "decider"},
}
"""Every step of the contract, with its arguments and their types."""

OPTIONAL = frozenset({("to_burn", "card")})
"""Arguments that a template may leave out."""

SETS: Mapping[str, tuple[str, ...]] = {
    "street": CHOICES["street"],
    "shuffle": ("full", "stub", "stub+flop", "stub+turn", "stub+river", "stub+aside", "stub+muck"),
    "decider": ("dealer", "floor", "supervisor", "director"),
    "when": ("now", "next"),
}
"""Arguments that are one of a closed set of strings."""


@dataclass(frozen=True, slots=True)
class StepTemplate:
    """A checked template. `args` holds constants, expressions, and tuples of them for a list of seats."""

    do: str
    args: tuple[tuple[str, Any], ...]
    condition: Expr | None
    per_seat: bool
    mentions: frozenset[str]


def read(raw: Mapping[str, Any], language: Language, parameters: Mapping[str, Any]) -> StepTemplate:
    """The template in one step table. Raises RulebookError saying what in it is wrong."""
    do = raw.get("do")
    if not isinstance(do, str) or do not in STEPS:
        raise RulebookError(f"do = {do!r}: no such step; known are {', '.join(STEPS)}")
    types = STEPS[do]
    if extra := set(raw) - set(types) - {"do", "if"}:
        raise RulebookError(
            f"{do}: unknown argument {', '.join(sorted(extra))}; known are {', '.join(types) or 'none'}"
        )
    if missing := [key for key in types if key not in raw and (do, key) not in OPTIONAL]:
        raise RulebookError(f"{do}: {', '.join(missing)} is missing")
    condition = language.parse(raw["if"]) if isinstance(raw.get("if"), str) else None
    if "if" in raw and condition is None:
        raise RulebookError(f"{do}: if = {raw['if']!r}: must be a condition in quotes")
    args = tuple(
        (key, _argument(f"{do}: {key}", raw[key], types[key], language, parameters))
        for key in raw
        if key in types
    )
    parts = [part for _, value in args for part in (value if isinstance(value, tuple) else (value,))]
    exprs = [part for part in (*parts, condition) if isinstance(part, Expr)]
    mentions = frozenset[str]().union(*(expr.mentions for expr in exprs))
    return StepTemplate(do, args, condition, "x" in mentions, mentions)


def _argument(where: str, raw: Any, kind: str, language: Language, parameters: Mapping[str, Any]) -> Any:
    if kind == "seats":
        if not isinstance(raw, list) or len(raw) < 2:
            raise RulebookError(f"{where} = {raw!r}: must be a list of two seats or more")
        return tuple(_argument(where, each, "int", language, parameters) for each in raw)
    if kind == "all or seat":
        return raw if raw == "all" else _argument(where, raw, "int", language, parameters)
    if isinstance(raw, str) and raw.startswith("$"):
        text = raw[1:].strip()
        if text not in parameters:
            want = "str" if kind in SETS and kind not in CHOICES else kind
            try:
                return language.parse(text, want)
            except RulebookError as error:
                raise RulebookError(f"{where} = {raw!r}: {error}") from None
        raw = parameters[text]
    if kind in SETS and raw not in SETS[kind]:
        raise RulebookError(f"{where} = {raw!r}: must be one of {', '.join(SETS[kind])}")
    if kind == "int" and (not isinstance(raw, int) or isinstance(raw, bool)):
        raise RulebookError(f"{where} = {raw!r}: must be a whole number or an expression ($…)")
    if kind == "str" and not isinstance(raw, str):
        raise RulebookError(f"{where} = {raw!r}: must be a string")
    return raw


def write(templates: Sequence[StepTemplate], world: World, seats: Sequence[int]) -> tuple[Step, ...]:
    """The steps as they stand in that world, for a ruling about `seats`."""
    steps: list[Step] = []
    for template in templates:
        for seat in seats if template.per_seat else (None,):
            world.bind(seat)
            if template.condition is not None and template.condition(world) is not True:
                continue
            step: dict[str, Any] = {"do": template.do}
            for key, value in template.args:
                known = _value(value, world)
                if known is not None:
                    step[key] = known
            steps.append(step)
    return tuple(steps)


def _value(value: Any, world: World) -> Any:
    if isinstance(value, tuple):
        values = [_value(each, world) for each in value]
        return None if None in values else values
    return value(world) if isinstance(value, Expr) else value
