"""Versions as boards name them, and which is older."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tablectl import __version__
from tablectl.versions import firmware_name, is_older, named


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("1.9", "1.10"),
        ("1.9.12", "1.10.0"),
        ("0.9.9", "1"),
        ("1.4", "1.4.1"),
        ("0", "0.0.1"),
        ("9.0", "10.0"),
    ],
)
def test_versions_are_compared_number_by_number(theirs: str, ours: str) -> None:
    """1.9 came before 1.10, and never the other way round."""
    assert is_older(firmware_name(theirs), ours)
    assert not is_older(firmware_name(ours), theirs)


@pytest.mark.parametrize(("one", "other"), [("1.4", "1.4.0"), ("1.04", "1.4"), ("0.1.0", "0.1.0")])
def test_a_zero_at_the_end_changes_nothing(one: str, other: str) -> None:
    """1.4 is 1.4.0: neither is older."""
    assert not is_older(firmware_name(one), other)
    assert not is_older(firmware_name(other), one)


@pytest.mark.parametrize(
    "words",
    ["", "test 1.0", "0.0.1", "tablectl", "tablectl one", "tablectl 1.", "tablectl 0.0.1rc2", "tablectl 0..1",
     "mytablectl 0.0.1", "tablectl \u0660.\u0660", "tablectl " + "9" * 5000],
)  # fmt: skip
def test_what_nobody_knows_is_not_judged(words: str) -> None:
    """Another maker's board, or a form of ours that does not exist: it names no version and is not older."""
    assert named(words) is None
    assert not is_older(words, "99.0")


def test_words_may_follow_the_version() -> None:
    """A simulated board says that it is one, and still names its version."""
    assert named("tablectl 1.4.2 (simulated)") == "1.4.2"
    assert is_older("tablectl 1.4.2 (simulated)", "1.4.3")


def test_this_version_is_one_that_can_be_compared_and_stands_in_one_place() -> None:
    """A board of this release is not older than its table; the package takes its version from the code."""
    assert named(firmware_name()) == __version__
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "tablectl/__init__.py"
