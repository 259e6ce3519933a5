"""Lint: what is wrong with a rulebook although it can be loaded.

Owns: the checks, and the account of the statements of a book's source: which are rules, which are part of rules,
which are left out and why. Refuses: faults of shape, names and facts, which loading finds (`core.rulebook`), the
search for rules that never decide (`core.reach`), and printing (`tablectl.cli.rules`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tablectl import rulebooks
from tablectl.core import schema
from tablectl.core.case import WORDS
from tablectl.core.decisions import KINDS
from tablectl.core.reach import Reach
from tablectl.core.rulebook import Rulebook
from tablectl.core.steps import STEPS
from tablectl.errors import RulebookError

_QUOTED = re.compile(r"`([^`]+)`")
_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_KEYS = frozenset({*schema.RuleShape.model_fields, *schema.BookShape.model_fields, *schema.TABLES})


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that lint found: which check, where in the file, and what is wrong."""

    check: str
    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """The statements of the sources that a book is made of. `carried` and `excluded` say why, by statement."""

    rules: tuple[str, ...]
    carried: Mapping[str, str]
    excluded: Mapping[str, str]
    missing: tuple[str, ...]

    @property
    def total(self) -> int:
        """All statements."""
        return len(self.rules) + len(self.carried) + len(self.excluded) + len(self.missing)

    @property
    def share(self) -> float:
        """The part that is accounted for, 0 to 1."""
        return 1 - len(self.missing) / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Report:
    """What lint has to say of one book. Without `coverage` the book could not be loaded."""

    name: str
    troubles: tuple[Trouble, ...]
    coverage: Coverage | None = None
    rules: int = 0

    def as_json(self) -> dict[str, Any]:
        """The report as `rules lint --json` prints it."""
        out: dict[str, Any] = {
            "book": self.name,
            "rules": self.rules,
            "troubles": [{"check": t.check, "where": t.where, "what": t.what} for t in self.troubles],
        }
        if self.coverage is not None:
            out["statements"] = {
                "total": self.coverage.total,
                "covered": self.coverage.share,
                "rules": list(self.coverage.rules),
                "carried": dict(self.coverage.carried),
                "excluded": dict(self.coverage.excluded),
                "missing": list(self.coverage.missing),
            }
        return out


def lint(name_or_path: str) -> Report:
    """Loads and checks one book. Raises RulebookError only if there is no such book to be read."""
    try:
        book = rulebooks.load(name_or_path)
    except RulebookError as error:
        if not rulebooks.readable(name_or_path):
            raise
        faults = (Trouble("fault", "", line) for line in str(error).splitlines())
        return Report(name_or_path, tuple(faults))
    return check(book)


def check(book: Rulebook) -> Report:
    """Everything that is wrong with a book that was loaded."""
    sources = _sources(book)
    coverage = _coverage(book, sources)
    troubles = [*_statements(book, sources, coverage), *_reach(book)]
    return Report(
        book.name, tuple(troubles), coverage, len([rule for rule in book.rules if rule.id is not None])
    )


def _sources(book: Rulebook) -> Mapping[str, str]:
    """Statement → where it stands, of every source that the book is made of."""
    lists = rulebooks.data("statements")
    mine = (ids for name, ids in lists.items() if name == book.name or not book.covered().isdisjoint(ids))
    return {ident: where for ids in mine for ident, where in ids.items()}


def _coverage(book: Rulebook, sources: Mapping[str, str]) -> Coverage:
    named = {ident: why for ident, why in book.statements.items() if ident in sources}
    rules = {rule.id for rule in book.rules} & set(sources) - set(named)
    excluded = {ident: why for ident, why in named.items() if _class(why) in schema.EXCLUDED}
    return Coverage(
        rules=tuple(ident for ident in sources if ident in rules),
        carried={ident: why for ident, why in named.items() if ident not in excluded},
        excluded=excluded,
        missing=tuple(ident for ident in sources if ident not in named and ident not in rules),
    )


def _class(why: str) -> str:
    return why.partition(":")[0]


def _statements(book: Rulebook, sources: Mapping[str, str], coverage: Coverage) -> Iterator[Trouble]:
    if not sources:
        yield Trouble(
            "statements", book.file, f"statements.toml has no list of the statements of {book.source}"
        )
        return
    for ident in coverage.missing:
        what = f"({sources[ident]}) is no rule, and [statements] does not name it"
        yield Trouble("statement not covered", ident, what)
    for ident in sorted(set(book.statements) - set(sources)):
        yield Trouble("statements", ident, "is named in [statements], but no source says it")
    for ident, why in book.statements.items():
        if any(rule.id == ident for rule in book.rules):
            yield Trouble("statements", ident, "is a rule and in [statements]; it is one or the other")
        elif _class(why) in schema.CARRIED and _class(why) != "house" and not _says_where(book, why):
            yield Trouble(
                "statements", ident, f"{why!r} does not say in `…` which rule or part of the book carries it"
            )
    for rule in book.rules:
        right = sources.get(rule.id or "")
        if right not in (None, "derived", rule.source):
            yield Trouble("source", rule.name, f"source = {rule.source!r}; the statement stands at {right}")


def _says_where(book: Rulebook, why: str) -> bool:
    """In backticks stands something that the book has: a rule, a name it defines, a step, a key, a word."""
    known = {*_KEYS, *STEPS, *WORDS, *book.predicates, *book.parameters, *book.remedies}
    known |= {rule.id for rule in book.rules if rule.id is not None}
    return any(name in known for quoted in _QUOTED.findall(why) for name in _NAME.findall(quoted))


def _reach(book: Rulebook) -> Iterator[Trouble]:
    """Rules that decide in none of their games for none of their kinds, and triggers without an answer."""
    idle = {rule.name for rule in book.rules}
    gaps: dict[str, str] = {}
    for game in sorted(book.games):
        for kind in KINDS:
            reach = Reach(book, kind, game)
            unreachable = {rule.name for rule in reach.unreachable()}
            idle -= {rule.name for rule in reach.rules} - unreachable
            gap = reach.gap()
            if gap is not None and kind not in gaps:
                gaps[kind] = f"in {game}{_shown(gap)}"
    for name in sorted(idle):
        yield Trouble(
            "unreachable", name, "can never decide: an earlier rule does, or its condition is never true"
        )
    for kind, where in gaps.items():
        yield Trouble("no answer", kind, f"no rule and no `silent` answers {where}")


def _shown(values: Mapping[Any, Any]) -> str:
    """Such a case in words."""
    said = [
        f"{word}({', '.join(map(str, args))}) = {value}" if args else f"{word} = {value}"
        for (word, *args), value in values.items()
        if word != "anything"
    ]
    return f", where {', '.join(said)}" if said else ""
