"""Lint: what it finds in a book that can be loaded, and how it counts statements; the data of `compare`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tablectl import rulebooks
from tablectl.core.case import PREDICATES, WORDS
from tablectl.core.decisions import KINDS
from tablectl.core.rulebook import parse
from tablectl.core.steps import STEPS
from tablectl.rulebooks.compare import cases, compare
from tablectl.rulebooks.lint import Report, check

HEAD = {
    "name": "nl", "title": "", "source": "x", "games": ["holdem", "stud7"], "decider": "dealer", "authority": "floor",
}  # fmt: skip
REST = {"kinds": [kind for kind in KINDS if kind != "joker"]}
"""Silence about everything that a test is not about."""


def report(*rules: Mapping[str, Any], silent: list[Mapping[str, Any]] | None = None, **tables: Any) -> Report:
    """What lint says of a book with these rules for jokers, which calls itself the Dutch one."""
    rows = [
        {"id": f"NL-M{n}", "source": f"L{n + 10}", "kinds": ["joker"], **rule}
        for n, rule in enumerate(rules, 1)
    ]
    quiet = [REST, *(silent if silent is not None else [{"kinds": ["joker"]}])]
    return check(parse({"book": HEAD, "rule": rows, "silent": quiet, **tables}, "x.toml"))


def found(told: Report, kind: str) -> list[str]:
    """Where one check found something."""
    return [trouble.where for trouble in told.troubles if trouble.check == kind]


@pytest.mark.parametrize("name", rulebooks.known())
def test_the_books_that_come_with_tablectl_are_in_order(name: str) -> None:
    """No trouble, and every statement of the source is accounted for."""
    told = check(rulebooks.load(name))
    assert told.troubles == ()
    assert told.coverage is not None
    assert told.coverage.share == 1.0


@pytest.mark.parametrize(
    ("when", "other"),
    [
        ("True", "k == 1"),
        ("actions >= 1", "actions >= 2"),
        ("place == 'seat' or seat == 3", "seat == 3 and place == 'board'"),
        ("not showdown", "actions < 2 and not showdown"),
        ("k == 1", "k < 1 and k > 1"),
        ("k == 1", "street == 'turn' and game == 'stud7'"),
        ("k == 1", "hole_cards == 4"),
    ],
)
def test_a_rule_that_an_earlier_one_covers_or_that_is_never_true_is_unreachable(
    when: str, other: str
) -> None:
    """The second rule cannot decide, in no game of the book."""
    told = report({"when": when, "verdict": "floor"}, {"when": other, "verdict": "floor"})
    assert found(told, "unreachable") == ["NL-M2"] + (["silence on joker"] if when == "True" else [])


@pytest.mark.parametrize(
    ("when", "other"),
    [
        ("actions >= 2", "actions >= 1"),
        ("k <= 2", "k <= 3"),
        ("k == 1", "k == 52"),
        ("seat == 3", "held(seat) == 17 or acted(seat)"),
        ("by == 'dealer'", "by == 'player'"),
        ("k == 1", "hole_cards == 3"),
        ("others('joker') > 0", "street == 'river'"),
    ],
)  # fmt: skip
def test_a_rule_that_can_decide_somewhere_is_not_called_unreachable(when: str, other: str) -> None:
    """Near misses of the same."""
    told = report({"when": when, "verdict": "floor"}, {"when": other, "verdict": "floor"})
    assert "NL-M2" not in found(told, "unreachable")


def test_a_stronger_class_hides_a_rule_wherever_it_stands_in_the_file() -> None:
    """A misdeal goes before a floor ruling."""
    told = report({"verdict": "floor"}, {"verdict": "misdeal"}, silent=[])
    assert found(told, "unreachable") == ["NL-M1"]


def test_a_rule_about_seats_is_tried_for_each_of_them() -> None:
    """The seat that should have had the card; a seat is not always known, so the book needs its silence."""
    rules = {"about": ["seat", "expected"], "when": "x in order and held(x) > 2", "verdict": "dead"}
    assert found(report(rules), "unreachable") == []
    assert found(report(rules, silent=[]), "no answer") == ["joker"]


def test_a_trigger_without_an_answer_is_told_with_a_case() -> None:
    """Two actions and no rule; unknown facts that nobody is asked for; the game for which there is no silence."""
    told = report({"when": "actions < 2", "verdict": "misdeal"}, silent=[])
    [trouble] = [each for each in told.troubles if each.check == "no answer"]
    assert trouble.where == "joker"
    assert "in holdem, where actions = 2" in trouble.what
    both = ({"when": "k <= 2", "verdict": "misdeal"}, {"when": "k > 2", "verdict": "floor"})
    [unknown] = [each for each in report(*both, silent=[]).troubles if each.check == "no answer"]
    assert "k = None" in unknown.what
    stud = report({"games": ["holdem"], "verdict": "floor"}, silent=[])
    assert ["in stud7" in each.what for each in stud.troubles if each.check == "no answer"] == [True]
    all_said = ({"when": "actions < 2", "verdict": "misdeal"}, {"when": "actions >= 2", "verdict": "floor"})
    assert found(report(*all_said, silent=[]), "no answer") == []


def test_statements_that_nobody_covers_and_statements_that_nobody_made() -> None:
    """Each by its id; a statement that is a rule and named besides is told as well."""
    told = report(
        {"verdict": "floor"},
        statements={"NL-G1": "definition: so it is", "NL-X": "definition: ?", "NL-M1": "scope: `games`"},
    )
    missing = found(told, "statement not covered")
    assert {"NL-G2", "NL-H6b"} <= set(missing)
    assert not {"NL-G1", "NL-M1"} & set(missing)
    assert found(told, "statements") == ["NL-X", "NL-M1"]


def test_a_statement_that_is_carried_says_where() -> None:
    """In backticks stands a rule, a predicate, a step or a key that there is; a definition need not."""
    said = {
        "NL-G1": "definition: no",
        "NL-G2": "remedy: somewhere",
        "NL-G4": "remedy: `nothing`",
        "NL-G5": "remedy: `cut`",
    }
    assert found(report({"verdict": "floor"}, statements=said), "statements") == ["NL-G2", "NL-G4"]


def test_a_source_that_does_not_fit_the_statement_is_told() -> None:
    """M1 stands at L11."""
    assert found(report({"source": "L12", "verdict": "floor"}), "source") == ["NL-M1"]
    assert found(report({"verdict": "floor"}), "source") == []


def test_coverage_is_counted() -> None:
    """Rules, what is carried, what is left out and what is missing are all statements of the source."""
    coverage = report(
        {"verdict": "floor"}, statements={"NL-G1": "definition: a", "NL-G6": "remedy: `cut`"}
    ).coverage
    assert coverage is not None
    assert (coverage.rules, list(coverage.carried), list(coverage.excluded)) == (
        ("NL-M1",),
        ["NL-G6"],
        ["NL-G1"],
    )
    assert (coverage.total, len(coverage.missing)) == (39, 36)
    assert coverage.share == pytest.approx(3 / 39)


def test_the_sources_have_as_many_statements_as_their_tables() -> None:
    """38 literal Dutch statements and one derived, 22 Italian, 19 Russian, 56 Polish; none twice."""
    lists = rulebooks.data("statements")
    counts = {name: len(ids) for name, ids in lists.items()}
    assert {name: counts[name] for name in ("nl", "it", "ru", "pl")} == {
        "nl": 39,
        "it": 22,
        "ru": 19,
        "pl": 56,
    }
    every = [ident for ids in lists.values() for ident in ids]
    assert len(every) == len(set(every))


def test_the_conflict_table_has_every_row_of_the_rules() -> None:
    """C1 to C30, with C24 in two parts, in order."""
    rows = list(dict.fromkeys(case.row for case in cases()))
    assert rows == [f"C{n}" for n in range(1, 24)] + ["C24a", "C24b"] + [f"C{n}" for n in range(25, 31)]
    assert len({(case.row, case.what) for case in cases()}) == len(cases())


def test_rows_where_books_order_different_things_are_marked() -> None:
    """C8 (missing card) differs between NL and PL; in C2 one of them is silent; a book never differs from itself."""
    nl, pl = rulebooks.load("nl"), rulebooks.load("pl")
    differ = {line.case.row: line.differ for line in compare([nl, pl])}
    assert (differ["C8"], differ["C2"]) == (True, False)
    assert not any(line.differ for line in compare([nl, nl]))


def test_the_page_for_authors_names_every_word_and_step() -> None:
    """Each word of the language, each given predicate and each step is on the page."""
    page = (Path(rulebooks.__file__).parent / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+)", page))
    assert {*WORDS, *PREDICATES, *STEPS} - named == set()
