"""The shape of a rulebook file: which tables and keys there are, and which values fit.

Owns: the tables as pydantic models, and the fault for everything that does not have their shape.
Refuses: what the values mean together (`core.rulebook`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WrapValidator

from tablectl.core.decisions import Bets, Button, Decider, Verdict
from tablectl.errors import ABSENT, Fault
from tablectl.said import Said

TABLES = ("book", "parameters", "predicates", "remedies", "statements", "rule", "silent")
"""What a book may hold; a house file also has `inherit` and `remove` (`core.house`)."""

CARRIED = ("scope", "condition", "invariant", "permission", "remedy", "joined", "house")
"""What a statement can be that is part of other rules, or of the book as a whole."""
EXCLUDED = ("definition", "illustration", "not observable")
"""What a statement can be of which no rule can come."""
STATEMENT_CLASSES = (*CARRIED, *EXCLUDED)
"""What a statement that is no rule of its own can be; its reason follows after a colon."""

Game = Literal["holdem", "omaha", "omaha5", "stud5", "stud7"]
About = Literal["seat", "expected", "order"]


class Shape(BaseModel):
    """Base of all tables: no other keys, no conversions."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class BookShape(Shape):
    """The table `book`."""

    name: str = Field(min_length=1)
    title: str
    source: str
    games: list[Game] = Field(min_length=1)
    decider: Decider
    authority: Decider
    absent: str | None = Field(None, min_length=1)
    """The rule by which the hand of a player who is away is dead once all have their cards, if there is one."""


Words = Annotated[str, WrapValidator(lambda text, check: text if isinstance(text, Said) else check(text))]
"""A text for the dealer; what `core.house` says itself stays the `Said` that it is."""


class HintShape(Shape):
    """A hint that is said only under a condition."""

    when: str = Field(default="True", alias="if")
    say: Words = Field(min_length=1)


Hints = Words | list[HintShape] | None


class RuleShape(Shape):
    """A table `rule`."""

    id: str = Field(min_length=1)
    variant: str | None = None
    source: str
    mark: Literal["V", "v"] | None = None
    games: list[Game] | None = None
    kinds: list[str] = Field(min_length=1)
    about: list[About] = []
    when: str = "True"
    verdict: Verdict | None = None
    joins: str | None = None
    decider: Decider | None = None
    steps: str | list[dict[str, Any]] = []
    bets: Bets = "unchanged"
    button: Button = "unchanged"
    burns: Literal["stay", "collected"] = "stay"
    reading: list[str] = []
    hint: Hints = None


class SilentShape(Shape):
    """A table `silent`."""

    kinds: list[str] = Field(min_length=1)
    games: list[Game] | None = None
    when: str = "True"
    reading: list[str] = []
    hint: Hints = None


AnyShape = TypeVar("AnyShape", bound=Shape)


def faults(model: type[Shape], error: ValidationError, where: str, file: str) -> Iterator[Fault]:
    """A fault for each place at which the table misses its shape."""
    for each in error.errors():
        kind, value = each["type"], each["input"]
        path = ".".join(str(part) for part in each["loc"])
        key = f"{where}: {path}" if path else where
        if kind == "missing":
            yield Fault(file, key, ABSENT, "is missing")
        elif kind == "extra_forbidden":
            yield Fault(file, key, value, unknown_key(str(each["loc"][-1]), model))
        else:
            yield Fault(file, key, value, each["msg"])


def unknown_key(key: str, model: type[Shape]) -> str:
    """What to say of a key that nobody reads."""
    known = ", ".join(field.alias or name for name, field in model.model_fields.items())
    return f"unknown key;{nearest(key, list(model.model_fields))} known are {known}"


def nearest(word: str, known: list[str]) -> str:
    """` did you mean 'joker'?` if a known word is near, else nothing."""
    near = difflib.get_close_matches(word[:200], known, n=1)
    return f" did you mean {near[0]!r}?" if near else ""
