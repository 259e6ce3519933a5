"""Which rules of a book can ever decide, and whether a trigger can be left without any answer.

A rule decides where its condition is true and no rule before it is. This is looked for by trying: a condition is
evaluated, and whenever it looks at a word that has no value yet, every value is tried that could make a difference
(the numbers next to those the book mentions, both truths, every street of the game). The rule's own condition is
evaluated first, so that most tries end early. Words are tried independently of one another: what is called
unreachable surely is, but a rule may be called reachable although no hand leads to it.
Owns: that search. Refuses: what lint says about it (`tablectl.rulebooks.lint`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tablectl.core.case import ASKABLE, CHOICES, FLOP_STREETS, STUD_STREETS, WORDS, before
from tablectl.core.logic import Slot
from tablectl.core.rulebook import Rule, Rulebook

ORDER = (1, 2, 3, 4, 5, 6)
HOLE = {"holdem": 2, "omaha": 4, "omaha5": 5, "stud5": 2, "stud7": 3}
"""Cards of the initial deal in each game."""
ALWAYS_KNOWN = frozenset({
    "also_exposed", "boxed_before", "boxed", "exposed_by_player", "others", "others_at", "others_on", "burns",
    "burns_due", "seats_up", "players_left",
})  # fmt: skip
"""Counts that start at nought, so that they are never unknown."""
MAX_TRIES = 200_000
"""After so many tries a question stays open, and nothing is said against the book."""

Values = Mapping[Slot, Any]


class _Undecided(Exception):  # noqa: N818 - not an error: the search asks for another value
    def __init__(self, slot: Slot) -> None:
        super().__init__(slot)
        self.slot = slot


class _Try:
    """A scope with the values that were chosen so far."""

    def __init__(self, fixed: Mapping[str, Any], values: Values) -> None:
        self.fixed, self.values = fixed, values
        self.x: int | None = None

    def look(self, slot: Slot) -> Any:
        """The value of a word; raises _Undecided if it has none yet."""
        if slot == ("x",):
            return self.x
        if slot == ("previous_street",):
            return before(self.look(("street",)))
        if len(slot) == 1 and slot[0] in self.fixed:
            return self.fixed[slot[0]]
        if slot not in self.values:
            raise _Undecided(slot)
        return self.values[slot]


class Reach:
    """One book's rules for one kind in one game, searched."""

    def __init__(self, book: Rulebook, kind: str, game: str) -> None:
        self.rules = [rule for rule in book.by_kind[kind] if game in rule.games]
        self.fixed = {
            **book.parameters, "kind": kind, "game": game, "order": ORDER, "first": ORDER[0],
            "players": len(ORDER), "hole_cards": HOLE[game],
        }  # fmt: skip
        texts = [rule.when.text for rule in self.rules] + [each.text for each in book.predicates.values()]
        constants = {number for text in texts for number in _numbers(text)}
        near = {number + step for number in constants for step in (-1, 0, 1)}
        self.numbers = sorted(
            {0, 1, HOLE[game] - 1, HOLE[game], HOLE[game] + 1} | {n for n in near if n >= 0}
        )
        self.streets = STUD_STREETS if game.startswith("stud") else FLOP_STREETS

    def unreachable(self) -> Iterator[Rule]:
        """Rules that decide nowhere: never true, or only where an earlier one is true as well."""
        for place, rule in enumerate(self.rules):
            if self._witness(rule, self.rules[:place]) is None:
                yield rule

    def gap(self) -> Values | None:
        """Values for which no rule and no `silent` answers; None if there are none (or the search was cut off)."""
        if any(rule.when.text == "True" and not rule.about for rule in self.rules):
            return None
        return self._witness(None, self.rules) or None

    def _witness(self, wanted: Rule | None, earlier: Sequence[Rule]) -> Values | None:
        """Values for which the wanted rule is true and no earlier one; {} if the search was cut off."""
        earlier = sorted(
            earlier, key=lambda rule: len(rule.when.mentions)
        )  # what asks least ends a try first
        stack: list[Values] = [{}]
        for _ in range(MAX_TRIES):
            if not stack:
                return None
            values = stack.pop()
            scope = _Try(self.fixed, values)
            try:
                if wanted is not None and not _true(wanted, scope):
                    continue
                if any(_true(rule, scope) for rule in earlier):
                    continue
            except _Undecided as undecided:
                slot = undecided.slot
                stack += [{**values, slot: value} for value in reversed(self._domain(slot))]
                continue
            return values or {("anything",): True}
        return {}

    def _domain(self, slot: Slot) -> Sequence[Any]:
        """Every value worth trying; None where the table may not know it, and nobody is asked."""
        word = slot[0]
        match WORDS[word].type:
            case "bool":
                return (True, False)
            case "street":
                return (*self.streets, None)
            case "seats":
                return (ORDER, (3,), ())
            case "str":
                return ("shoe", "seat:3", "board", None)
            case "int" if word == "seat":
                return (3, 1, 9, None)
            case "int" if word == "expected":
                return (4, 1, None)
            case "int" if word == "k":
                full = HOLE[str(self.fixed["game"])] * len(ORDER)
                return (1, 2, 3, full, full + 1, *self.numbers, None)
            case "int":
                return self.numbers if word in ASKABLE or word in ALWAYS_KNOWN else (*self.numbers, None)
            case other:
                return (*CHOICES[other], None) if word == "place" else CHOICES[other]


def _true(rule: Rule, scope: _Try) -> bool:
    """The rule's condition is true, for one of its seats if it is about seats."""
    for seat in _seats(rule, scope):
        scope.x = seat
        if rule.when(scope) is True:
            return True
    return False


def _seats(rule: Rule, scope: _Try) -> Iterator[int | None]:
    if not rule.about:
        yield None
    for name in rule.about:
        value = scope.look((name,))
        yield from value if isinstance(value, tuple) else [] if value is None else [value]


def _numbers(text: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(text.strip(), mode="eval")):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield node.value
