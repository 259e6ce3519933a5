"""`tablectl rules` as a person meets it: exit statuses, what is printed, and what is said of a wrong file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

CLUB = 'inherit = "pl"\n[book]\nname = "club"\n'


def rules(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """`tablectl rules` with no terminal; a traceback is never right."""
    done = subprocess.run(
        [sys.executable, "-m", "tablectl.cli", "rules", *map(str, args)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "100"},
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def test_lint_of_all_books_passes_and_prints_the_coverage() -> None:
    """Status 0, a line a book with its coverage, and what is left out with its reason."""
    done = rules("lint")
    assert (done.returncode, done.stderr) == (0, "")
    assert "✓ nl: 38 rules, 39 statements, 100% covered" in done.stdout
    assert "left out NL-G1: definition: what a dealer's error is" in done.stdout
    assert "✓ pl" in done.stdout


def test_lint_finds_a_fault_and_says_where(tmp_path: Path) -> None:
    """An unknown fact, as a fault with file, rule and key: status 1, not 2, and the other books are told as well."""
    (tmp_path / "club.toml").write_text(f'{CLUB}[[rule]]\nid = "PL-07.H"\nwhen = "strete == 1"\n')
    done = rules("lint", tmp_path / "club.toml", "nl")
    assert done.returncode == 1
    assert (
        "club.toml: rule PL-07.H, inherited from pl: when = 'strete == 1': strete: unknown name"
        in done.stdout
    )
    assert "✓ nl" in done.stdout


def test_lint_as_json(tmp_path: Path) -> None:
    """The same as one object: troubles and statements by class."""
    (tmp_path / "club.toml").write_text(
        f'{CLUB}[[rule]]\nid = "C-1"\nsource = ""\nkinds = ["joker"]\nverdict = "void"\n'
    )
    done = rules("lint", tmp_path / "club.toml", "--json")
    [book] = json.loads(done.stdout)["books"]
    assert done.returncode == 1
    assert {(each["check"], each["where"]) for each in book["troubles"]} >= {("unreachable", "PL-07.1.e")}
    assert (book["statements"]["total"], book["statements"]["covered"]) == (56, 1.0)


def test_a_book_that_is_not_there_is_bad_usage(tmp_path: Path) -> None:
    """Status 2 and the nearest name, for every command."""
    for command in ("lint", "show", "compare"):
        done = rules(command, "plx")
        assert (done.returncode, done.stdout) == (2, "")
        assert "rulebook 'plx': unknown; did you mean 'pl'?" in done.stderr
    assert rules("lint", tmp_path / "none.toml").returncode == 2


def test_show_a_rule() -> None:
    """Trigger, condition, source, reading, decider, steps; only the rules asked for."""
    done = rules("show", "nl", "NL-H4")
    assert done.returncode == 0
    for text in (
        "NL-H4  correct",
        "premature_card",
        "street == 'turn'",
        "L31",
        "dealer; bets unchanged",
        "6. shuffle",
    ):
        assert text in done.stdout
    assert "NL-H5" not in done.stdout
    unknown = rules("show", "nl", "NL-H9")
    assert unknown.returncode == 2
    assert "nl has no rule 'NL-H9'" in unknown.stderr


def test_show_a_whole_book() -> None:
    """Every rule is there, with parameters and predicates; as JSON too."""
    done = rules("show", "pl")
    shown = json.loads(rules("show", "pl", "--json").stdout)
    assert {rule["id"] for rule in shown["rules"]} >= {"PL-07.1.a", "PL-07.8.a", None}
    assert all(rule["id"] in done.stdout for rule in shown["rules"] if rule["id"])
    assert "sa = (actions >= 2 and chips_in >= 1) or actions >= 3" in done.stdout
    assert shown["book"]["parameters"]["picks"] == "director"


def test_compare_on_a_terminal_in_markdown_and_as_json() -> None:
    """The conflict table: a column a book in the order asked for, a dash for silence, ≠ where they differ."""
    assert "MISDEAL PL-07.1.f" in rules("compare", "nl", "pl").stdout
    lines = rules("compare", "pl", "nl", "--markdown").stdout.splitlines()
    assert lines[:2] == ["| # | trigger | pl | nl |", "|---|---|---|---|"]
    [missing] = [line for line in lines if line.startswith("| C8")]
    assert missing == (
        "| C8 ≠ | a card is missing from the deck | VOID PL-07.2.b (director) "
        "| PLAY ON NL-N2 (dealer)<br>change deck when next |"
    )
    assert [line for line in lines if line.startswith("| C27")] == [
        "| C27 | card exposed while cutting | – | – |"
    ]
    rows = json.loads(rules("compare", "pl", "nl", "--json").stdout)["rows"]
    assert rows[0]["books"]["nl"][0]["rule"] == "NL-H1"
    assert rows[0]["differ"]
