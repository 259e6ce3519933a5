"""SECURITY.md keeps its word: each claim names the tests that show it, and these tests are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]


def claims(text: str) -> list[tuple[str, str, str]]:
    """The rows of a page's tables: who could, what stops them, shown by."""
    rows = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [(row[0].strip(), row[1].strip(), row[2].strip()) for row in rows if row[0].strip() != "who could"]


@cache
def known_in(file: str) -> frozenset[str]:
    """The names of the tests in a file that pytest would collect."""
    path = ROOT / file
    if not path.is_file() or not path.name.startswith("test_"):
        return frozenset()
    found = ast.parse(path.read_text(encoding="utf-8")).body
    return frozenset(
        each.name
        for each in found
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name.startswith("test_")
    )


def unproved(text: str) -> list[str]:
    """The claims of a page without a test, and the tests that there are not."""
    without = [who for who, _, shown in claims(text) if not NAMED.search(shown)]
    missing = [
        f"{file}::{name}"
        for _, _, shown in claims(text)
        for file, name in NAMED.findall(shown)
        if name not in known_in(file)
    ]
    return without + missing


def test_every_claim_names_a_test_that_there_is() -> None:
    """No row of SECURITY.md stands without a test, and each that is named is one that pytest collects."""
    assert len(claims(PAGE)) > 30
    assert unproved(PAGE) == []


@pytest.mark.parametrize(
    "row",
    [
        "| a thief reads it | a promise | of course |",
        "| a thief reads it | a lock | `tests/test_security.py::test_that_there_is_not` |",
        "| a thief reads it | a lock | `tests/no_such_file.py::test_it` |",
        "| a thief reads it | a lock | `tests/test_security.py::claims` |",
    ],
)
def test_a_claim_without_its_test_is_noticed(row: str) -> None:
    """The counter-proof: no test, one that is gone, a file that is gone, and a function that is no test."""
    head = "| who could | what stops them | shown by |\n|---|---|---|\n"
    assert unproved(head + row)
    assert (
        unproved(head + "| a | b | `tests/test_security.py::test_a_claim_without_its_test_is_noticed` |")
        == []
    )


def test_every_interface_says_what_is_not_stopped() -> None:
    """A threat model that stops everything is none: each section with claims ends with what it does not claim."""
    with_claims = [each for each in SECTIONS if claims(each)]
    assert len(with_claims) >= 6
    assert [each.partition("\n")[0] for each in with_claims if "What does not:" not in each] == []
