"""`tablectl rules` as a person meets it: exit statuses, what is printed, and what is said of a wrong file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tablectl import rulebooks

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


def test_show_says_what_became_of_a_statement_that_is_no_rule() -> None:
    """By its id, and all of them after the rules; in JSON beside them."""
    assert "definition: what a dealer's error is" in rules("show", "nl", "NL-G1").stdout
    assert "NL-H4" not in rules("show", "nl", "NL-G1").stdout
    whole = rules("show", "it").stdout
    assert whole.index("IT-5d") < whole.index("statements that are no rules") < whole.rindex("IT-3b")
    found = json.loads(rules("show", "it", "IT-3b", "IT-2a", "--json").stdout)
    assert ([rule["id"] for rule in found["rules"]], list(found["statements"])) == (
        ["IT-2a", "IT-2a"],
        ["IT-3b"],
    )


FULL = """
[book]
name = "small"
title = "a small book"
source = "house.txt"
games = ["holdem"]
decider = "dealer"
authority = "floor"
"""
RULE = '[[rule]]\nid = "H-1"\nsource = "1"\nkinds = ["joker"]\nverdict = "floor"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (FULL + RULE + 'when = "players_actd < 2"\n', "rule H-1: when = 'players_actd < 2': players_actd: unknown"),
        (FULL + RULE + RULE.replace("H-1", "H-2"), "unreachable: H-2: can never decide: an earlier rule does"),
        (FULL + RULE, "no answer: duplicate_card: no rule and no `silent` answers in holdem"),
        (FULL + RULE + 'when = "actions < 2"\n', "no answer: joker: no rule and no `silent` answers in holdem, where"),
        (FULL.replace("small", "nl") + RULE, "statement not covered: NL-M1: (L11) is no rule, and"),
        (FULL + RULE.replace('"1"', "3"), "rule H-1: source = 3: Input should be a valid string"),
        (FULL + RULE.replace("joker", "jokr"), "rule H-1: kinds = 'jokr': "),
        (FULL + RULE + 'steps = [{ do = "brun" }]\n', "steps[0] = {'do': 'brun'}: do = 'brun': no such step; known"),
        ("book = 3", "book"),
        ("[book", "not a TOML file"),
    ],
)  # fmt: skip
def test_lint_of_a_faulty_file(tmp_path: Path, text: str, says: str) -> None:
    """Each kind of fault: status 1, the file, the rule and the key, and what would be right; the other commands refuse
    a file that cannot be loaded, with status 2 and the same words.
    """
    (tmp_path / "house.toml").write_text(text)
    done = rules("lint", tmp_path / "house.toml")
    assert done.returncode == 1
    assert says in done.stdout
    if "fault: " in done.stdout:
        for command in ("show", "compare"):
            refused = rules(command, tmp_path / "house.toml")
            assert (refused.returncode, refused.stdout) == (2, "")
            assert says in refused.stderr


def test_compare_any_set_of_books(tmp_path: Path) -> None:
    """One book, seven, and a house file beside the book that it inherits: a column each, in Markdown too."""
    (tmp_path / "club.toml").write_text(
        f'{CLUB}[[rule]]\nid = "PL-07.2.b"\nverdict = "play_on"\nsteps = []\n'
    )
    house = rules("compare", "pl", tmp_path / "club.toml", "--markdown").stdout.splitlines()
    assert house[0] == "| # | trigger | pl | club |"
    assert [line.split(" | ")[0] for line in house if "≠" in line] == ["| C8 ≠"]
    every = rules("compare", "--markdown").stdout.splitlines()
    assert every[0].count("|") == 2 + 1 + len(rulebooks.known())
    assert {line.count("|") for line in every} == {every[0].count("|")}
    assert rules("compare", "ru").returncode == 0


def test_compare_in_two_forms_at_once_is_bad_usage() -> None:
    """Status 2, and nothing printed; so is a book in capitals, and the right name is said."""
    both = rules("compare", "nl", "--markdown", "--json")
    assert (both.returncode, both.stdout) == (2, "")
    assert "give one of them" in both.stderr
    assert "did you mean 'nl'?" in rules("show", "NL").stderr
    assert "did you mean 'NL-H4'?" in rules("show", "nl", "nl-h4").stderr
