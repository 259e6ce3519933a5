"""Rulebooks: what a rule is, and how the content of a file of rules becomes one that can be applied.

Owns: what the tables of a file (`book`, `parameters`, `predicates`, `remedies`, `statements`, `rule`, `silent`)
mean together, and their validation: every fault of a file at once, each with file, rule and key.
Refuses: reading files (`tablectl.rulebooks`), the shape of a table (`core.schema`), the language (`core.logic`,
`core.case`), the step templates (`core.steps`), inheriting (`core.house`) and deciding anything (`core.ruling`).

Of the rules that apply to one irregularity the first by class decides: void, misdeal, dead, joined, correct
or floor, play on, silent; within a class the first in the file (rules.md §10.2): files are in that order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from tablectl.core import schema, steps
from tablectl.core.case import ASKABLE, CHOICES, PREDICATES, WORDS
from tablectl.core.decisions import KINDS, Bets, Button, Decider, Verdict
from tablectl.core.logic import Expr, Language, Word
from tablectl.core.schema import AnyShape, BookShape, Hints, RuleShape, SilentShape
from tablectl.core.steps import StepTemplate
from tablectl.errors import Fault, RulebookError

_CLASS = {"void": 0, "misdeal": 1, "dead": 2, "joins": 3, "correct": 4, "floor": 4, "play_on": 5}
_SILENT = 6

MAX_WORLDS = 2048
"""Most combinations of unknown facts that the rules for one kind may leave to be gone through."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What is said besides the verdict, as long as `when` is true."""

    when: Expr
    say: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. `id` None: the book is known to say nothing here, and `hints` tell what comes nearest.

    `about` are the seats `when` is tried for, as `x`; without it `when` is evaluated once. `joins` is the
    kind of the other irregularity whose ruling covers this one too; such a rule gives no ruling of its own.
    """

    id: str | None
    variant: str | None
    source: str
    mark: str | None
    """How surely the source was read: `V` in its own text, `v` in a quotation, None where that is no question."""
    games: frozenset[str]
    kinds: frozenset[str]
    about: tuple[str, ...]
    when: Expr
    verdict: Verdict
    joins: str | None
    decider: Decider
    steps: tuple[StepTemplate, ...]
    bets: Bets
    button: Button
    burns: str
    reading: tuple[str, ...]
    hints: tuple[Hint, ...]
    place: tuple[int, int]
    """(class, place in the file): the smaller one decides."""

    @property
    def name(self) -> str:
        """How a message names it: `NL-H6a`, `PL-07.3.d (exposed card)`, `silence on joker`."""
        if self.id is None:
            return f"silence on {', '.join(sorted(self.kinds))}"
        return f"{self.id} ({self.variant})" if self.variant else self.id


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """A house's rules, ready to be applied (`core.ruling.decide`)."""

    name: str
    title: str
    source: str
    games: frozenset[str]
    file: str
    decider: Decider
    """Who decides where a rule does not say it."""
    authority: Decider
    absent: str | None
    """The rule by which a hand whose player is away is dead, if there is one."""
    """Who is called where the book says nothing."""
    parameters: Mapping[str, Any]
    predicates: Mapping[str, Expr]
    remedies: Mapping[str, tuple[StepTemplate, ...]]
    rules: tuple[Rule, ...]
    """In order of precedence, the silent ones last."""
    statements: Mapping[str, str]
    """Statements of the source that are no rule of their own, and why: `remedy: the button stays`."""
    by_kind: Mapping[str, tuple[Rule, ...]]
    mentions: Mapping[str, frozenset[str]]
    """Kind → every word that its rules can look at."""

    def covered(self) -> frozenset[str]:
        """Ids of the source's statements that are a rule here or are named as something else."""
        return frozenset(self.statements) | {rule.id for rule in self.rules if rule.id is not None}


def parse(data: Mapping[str, Any], file: str, origins: Sequence[str | None] = ()) -> Rulebook:
    """The rulebook in `data`, the content of a TOML file; `file` is its name in messages.

    `origins` names for each rule the book that it was inherited from, None or nothing for the file's own.

    Raises RulebookError with one line for every fault: file, rule and key, what stands there, what is right.
    """
    reading = _Reading(data, file, origins)
    book = reading.book()
    if book is None or reading.faults:
        raise RulebookError("\n".join(map(str, reading.faults)))
    return book


class _Reading:
    """One pass over one file. Faults are gathered; what is whole is checked although other parts are not."""

    def __init__(self, data: Mapping[str, Any], file: str, origins: Sequence[str | None]) -> None:
        self.data, self.file, self.origins = data, file, origins
        self.faults: list[Fault] = []
        self.language = self._language({})
        self.parameters: Mapping[str, Any] = {}

    def book(self) -> Rulebook | None:
        """The whole book; None if there are faults."""
        for key in self.data:
            if key not in schema.TABLES:
                self._fault(key, self.data[key], f"unknown table; known are {', '.join(schema.TABLES)}")
        head = self._shape(BookShape, self._table("book"), "book")
        self._read_parameters()
        self._read_predicates()
        remedies = {
            name: self._steps(f"remedies.{name}", value) for name, value in self._table("remedies").items()
        }
        statements = self._statements()
        rules = self._rules(head, remedies)
        if head is None or self.faults:
            return None
        return self._whole(head, sorted(rules, key=lambda rule: rule.place), remedies, statements)

    def _whole(
        self,
        head: BookShape,
        rules: list[Rule],
        remedies: Mapping[str, tuple[StepTemplate, ...]],
        statements: Mapping[str, str],
    ) -> Rulebook | None:
        by_kind = {kind: tuple(rule for rule in rules if kind in rule.kinds) for kind in KINDS}
        mentions = {kind: frozenset[str]().union(*map(_mentions, each)) for kind, each in by_kind.items()}
        for kind, words in mentions.items():
            seats = max((len(rule.about) for rule in by_kind[kind]), default=1)
            sizes = (
                len(ASKABLE[word][1]) ** (seats if word == "acted" else 1) for word in words & set(ASKABLE)
            )
            if (worlds := prod(sizes)) > MAX_WORLDS:
                self._fault(
                    f"rules for {kind}", worlds, f"combinations of unknown facts; at most {MAX_WORLDS}"
                )
        return Rulebook(
            name=head.name,
            title=head.title,
            source=head.source,
            games=frozenset(head.games),
            file=self.file,
            decider=head.decider,
            authority=head.authority,
            absent=head.absent,
            parameters=MappingProxyType(dict(self.parameters)),
            predicates=MappingProxyType(dict(self.predicates)),
            remedies=MappingProxyType(dict(remedies)),
            rules=tuple(rules),
            statements=MappingProxyType(dict(statements)),
            by_kind=MappingProxyType(by_kind),
            mentions=MappingProxyType(mentions),
        )

    def _rules(self, head: BookShape | None, remedies: Mapping[str, tuple[StepTemplate, ...]]) -> list[Rule]:
        rules: list[Rule] = []
        seen: set[tuple[str, str | None]] = set()
        for place, raw in enumerate(self._rows("rule")):
            where = self._name(raw, place)
            row = self._shape(RuleShape, raw, where)
            if row is None:
                continue
            if (row.id, row.variant) in seen:
                self._fault(f"{where}: id", row.id, "is there twice; give each its own `variant`")
            seen.add((row.id, row.variant))
            rules.append(self._rule(row, where, place, head, remedies))
        for place, raw in enumerate(self._rows("silent")):
            silent = self._shape(SilentShape, raw, f"silent {place + 1}")
            if silent is not None:
                rules.append(self._silent(silent, f"silent {place + 1}", place, head))
        return rules

    def _rule(
        self,
        row: RuleShape,
        where: str,
        place: int,
        head: BookShape | None,
        remedies: Mapping[str, tuple[StepTemplate, ...]],
    ) -> Rule:
        self._check_kinds(row.kinds, where)
        when = self._when(row.when, where)
        if (row.verdict is None) == (row.joins is None):
            self._fault(f"{where}: verdict", row.verdict, "a rule has either `verdict` or `joins`")
        if row.joins is not None and row.joins not in KINDS:
            self._fault(f"{where}: joins", row.joins, f"no such kind; known are {', '.join(KINDS)}")
        if row.verdict == "dead" and not row.about:
            self._fault(
                f"{where}: about", row.about, "a rule that kills hands says whose: seat, expected, order"
            )
        if isinstance(row.steps, str):
            templates = remedies.get(row.steps, ())
            if row.steps not in remedies:
                self._fault(f"{where}: steps", row.steps, f"no such remedy; known are {', '.join(remedies)}")
        else:
            templates = self._steps(f"{where}: steps", row.steps)
        mentions = when.mentions.union(*(template.mentions for template in templates))
        if "x" in mentions and not row.about:
            self._fault(
                f"{where}: about", row.about, "x is used, so `about` must say which seats it stands for"
            )
        return Rule(
            id=row.id,
            variant=row.variant,
            source=row.source,
            mark=row.mark,
            games=frozenset(row.games or (head.games if head else ())),
            kinds=frozenset(row.kinds),
            about=tuple(row.about),
            when=when,
            verdict=row.verdict or "floor",
            joins=row.joins,
            decider=row.decider or (head.decider if head else "floor"),
            steps=templates,
            bets=row.bets,
            button=row.button,
            burns=row.burns,
            reading=tuple(row.reading),
            hints=self._hints(row.hint, where),
            place=(_CLASS[row.verdict or "joins"], place),
        )

    def _silent(self, row: SilentShape, where: str, place: int, head: BookShape | None) -> Rule:
        self._check_kinds(row.kinds, where)
        return Rule(
            id=None,
            variant=None,
            source="",
            mark=None,
            games=frozenset(row.games or (head.games if head else ())),
            kinds=frozenset(row.kinds),
            about=(),
            when=self._when(row.when, where),
            verdict="floor",
            joins=None,
            decider=head.authority if head else "floor",
            steps=(),
            bets="unchanged",
            button="unchanged",
            burns="stay",
            reading=tuple(row.reading),
            hints=self._hints(row.hint, where),
            place=(_SILENT, place),
        )

    def _when(self, text: str, where: str, key: str = "when") -> Expr:
        broken = Expr(text, "bool", frozenset(), lambda _: None)
        return self._try(f"{where}: {key}", text, lambda: self.language.parse(text)) or broken

    def _hints(self, raw: Hints, where: str) -> tuple[Hint, ...]:
        if isinstance(raw, str):
            return (Hint(self._when("True", where), raw),)
        return tuple(Hint(self._when(each.when, where, "hint"), each.say) for each in raw or ())

    def _check_kinds(self, kinds: Sequence[str], where: str) -> None:
        for kind in kinds:
            if kind not in KINDS:
                self._fault(f"{where}: kinds", kind, f"no such kind; known are {', '.join(KINDS)}")

    def _steps(self, where: str, raw: Any) -> tuple[StepTemplate, ...]:
        if not isinstance(raw, list) or not all(isinstance(step, Mapping) for step in raw):
            self._fault(where, raw, "must be a list of step tables")
            return ()
        read = (
            self._try(
                f"{where}[{n}]",
                dict(step),
                lambda step=step: steps.read(step, self.language, self.parameters),
            )
            for n, step in enumerate(raw)
        )
        return tuple(template for template in read if template is not None)

    def _read_parameters(self) -> None:
        types = {bool: "bool", int: "int", str: "str"}
        good: dict[str, Any] = {}
        for name, value in self._table("parameters").items():
            if type(value) not in types:
                self._fault(f"parameters.{name}", value, "must be true or false, a whole number or a string")
            elif name in WORDS or not name.isidentifier():
                self._fault(
                    f"parameters.{name}", value, "the name is a word of the language or not an identifier"
                )
            else:
                good[name] = value
        self.parameters = good
        self.language = self._language({name: Word(types[type(each)]) for name, each in good.items()})

    def _language(self, more: Mapping[str, Word]) -> Language:
        language = Language({**WORDS, **more}, CHOICES)
        for name, text in PREDICATES.items():
            language.define(name, text)
        return language

    def _read_predicates(self) -> None:
        self.predicates: dict[str, Expr] = {}
        for name, text in self._table("predicates").items():
            if not isinstance(text, str):
                self._fault(f"predicates.{name}", text, "must be an expression in quotes")
                continue
            self._try(f"predicates.{name}", text, partial(self.language.define, name, text))
            self.predicates[name] = self.language.predicate(name, text)

    def _statements(self) -> dict[str, str]:
        good: dict[str, str] = {}
        for key, why in self._table("statements").items():
            kind, _, reason = why.partition(":") if isinstance(why, str) else ("", "", "")
            if kind not in schema.STATEMENT_CLASSES or not reason.strip():
                self._fault(
                    f"statements.{key}",
                    why,
                    f"must be {' or '.join(schema.STATEMENT_CLASSES)}, a colon and why",
                )
            good[key] = str(why)
        return good

    def _table(self, key: str) -> Mapping[str, Any]:
        value = self.data.get(key, {})
        if isinstance(value, Mapping):
            return value
        self._fault(key, value, f"must be a table: [{key}]")
        return {}

    def _rows(self, key: str) -> Sequence[Any]:
        value = self.data.get(key, [])
        if isinstance(value, list):
            return value
        self._fault(key, value, f"must be a list of tables: [[{key}]]")
        return []

    def _name(self, raw: Any, place: int) -> str:
        """How a message names the rule: by its id and variant if it has them, else by its place in the file."""
        if not isinstance(raw, Mapping) or not isinstance(raw.get("id"), str):
            return f"rule {place + 1}"
        origin = self.origins[place] if place < len(self.origins) else None
        variant = f" ({raw['variant']})" if "variant" in raw else ""
        return f"rule {raw['id']}{variant}" + (f", inherited from {origin}" if origin else "")

    def _shape(self, model: type[AnyShape], raw: Any, where: str) -> AnyShape | None:
        try:
            return model.model_validate(raw)
        except ValidationError as error:
            self.faults += schema.faults(model, error, where, self.file)
        return None

    def _try(self, key: str, value: object, make: Any) -> Any:
        try:
            return make()
        except RulebookError as error:
            self._fault(key, value, str(error))
            return None

    def _fault(self, key: str, value: object, right: str) -> None:
        self.faults.append(Fault(self.file, key, value, right))


def _mentions(rule: Rule) -> frozenset[str]:
    """Words on which it depends what the rule does; what its hints look at is never worth a question."""
    return rule.when.mentions.union(*(template.mentions for template in rule.steps))
