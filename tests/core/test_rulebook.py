"""Reading a rulebook: what a file may say, and that every fault in it is told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablectl import rulebooks
from tablectl.core.rulebook import parse
from tablectl.errors import RulebookError

HEAD = {
    "name": "house",
    "title": "House rules",
    "source": "house.txt",
    "games": ["holdem"],
    "decider": "dealer",
    "authority": "floor",
}


def rule(**keys: Any) -> dict[str, Any]:
    """One whole rule, with the given keys changed."""
    return {"id": "H-1", "source": "L1", "kinds": ["joker"], "verdict": "play_on", **keys}


def faults(**tables: Any) -> list[str]:
    """The faults of a book with these tables, one text each."""
    with pytest.raises(RulebookError) as caught:
        parse({"book": HEAD, **tables}, "house.toml")
    return str(caught.value).splitlines()


def test_a_rule_has_everything_the_book_says_and_the_books_own_defaults() -> None:
    """Decider and games come from the book unless the rule has its own; conditions and steps are ready to
    use.
    """
    book = parse(
        {
            "book": HEAD,
            "rule": [rule(), rule(id="H-2", decider="director", games=["omaha"], reading=["R-01"])],
        },
        "house.toml",
    )
    first, second = book.rules
    assert (first.id, first.decider, first.games, first.bets, first.button) == (
        "H-1",
        "dealer",
        frozenset({"holdem"}),
        "unchanged",
        "unchanged",
    )
    assert (second.decider, second.games, second.reading) == ("director", frozenset({"omaha"}), ("R-01",))
    assert book.by_kind["joker"] == book.rules
    assert book.by_kind["burn_extra"] == ()


def test_rules_stand_in_order_of_class_then_of_the_file() -> None:
    """Void before misdeal, dead, joined, correct or floor as they come, play on, and silence last."""
    verdicts = ["play_on", "floor", "correct", "dead", "misdeal", "void"]
    rows = [rule(id=f"H-{verdict}", verdict=verdict, about=["seat"]) for verdict in verdicts]
    rows.append(rule(id="H-joined", verdict=None, joins="burn_missing"))
    del rows[-1]["verdict"]
    book = parse({"book": HEAD, "rule": rows, "silent": [{"kinds": ["joker"], "hint": "?"}]}, "house.toml")
    assert [each.id for each in book.rules] == [
        "H-void",
        "H-misdeal",
        "H-dead",
        "H-joined",
        "H-floor",
        "H-correct",
        "H-play_on",
        None,
    ]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"verdict": "redeal"}, "house.toml: rule H-1: verdict = 'redeal': Input should be 'misdeal'"),
        ({"verdit": "dead"}, "house.toml: rule H-1: verdit = 'dead': unknown key; did you mean 'verdict'? known"),
        ({"kinds": []}, "house.toml: rule H-1: kinds = []: List should have at least 1 item"),
        ({"kinds": ["jokers"]}, "house.toml: rule H-1: kinds = 'jokers': no such kind"),
        ({"when": "actons >= 2"}, "house.toml: rule H-1: when = 'actons >= 2': actons: unknown name"),
        ({"when": "street == 'trun'"}, "house.toml: rule H-1: when = \"street == 'trun'\": 'trun'"),
        ({"when": "others('jokr') > 0"}, "'jokr': no such kind"),
        ({"when": "acted(x)"}, "house.toml: rule H-1: about = []: x is used"),
        ({"about": ["dealer"]}, "house.toml: rule H-1: about.0 = 'dealer': Input should be 'seat'"),
        ({"verdict": "dead"}, "house.toml: rule H-1: about = []: a rule that kills hands says whose"),
        ({"joins": "joker"}, "house.toml: rule H-1: verdict = 'play_on': a rule has either"),
        ({"bets": "kept"}, "house.toml: rule H-1: bets = 'kept': Input should be 'unchanged'"),
        ({"games": ["bridge"]}, "house.toml: rule H-1: games.0 = 'bridge'"),
        ({"steps": "misdeal"}, "house.toml: rule H-1: steps = 'misdeal': no such remedy"),
        ({"steps": [{"do": "shout"}]}, "H-1: steps[0] = {'do': 'shout'}: do = 'shout': no such step"),
        ({"steps": [{"do": "kill"}]}, "steps[0] = {'do': 'kill'}: kill: seat is missing"),
        ({"steps": [{"do": "cut", "who": "me"}]}, "cut: unknown argument who; known are none"),
        ({"steps": [{"do": "redeal", "first": "seat"}]}, "redeal: first = 'seat': must be a whole number"),
        ({"steps": [{"do": "redeal", "first": "$street"}]}, "redeal: first = '$street': street: is street"),
        ({"steps": [{"do": "deal", "street": "trun", "count": 1}]}, "deal: street = 'trun': must be one of"),
        ({"steps": [{"do": "shuffle", "what": "deck"}]}, "shuffle: what = 'deck': must be one of full"),
        ({"steps": [{"do": "aside", "zone": 3}]}, "aside: zone = 3: must be a string"),
        ({"steps": [{"do": "swap", "seats": "$seat"}]}, "swap: seats = '$seat': must be a list"),
        ({"steps": [{"do": "return_bets", "to": "none"}]}, "return_bets: to = 'none': must be a whole"),
        ({"steps": [{"do": "cut", "if": True}]}, "cut: if = True: must be a condition in quotes"),
        ({"steps": [{"do": "kill", "seat": "$x"}]}, "house.toml: rule H-1: about = []: x is used"),
        ({"steps": ["cut"]}, "house.toml: rule H-1: steps"),
    ],
)  # fmt: skip
def test_a_faulty_rule_is_told_with_file_rule_and_key(bad: dict[str, Any], says: str) -> None:
    """Each mistake names the file, the rule by its id, the key, what stands there and what would be right."""
    assert any(says in fault for fault in faults(rule=[rule(**bad)]))


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        ({"rules": []}, "house.toml: rules = []: unknown table; known are book, parameters"),
        ({"rule": {"id": "H-1"}}, "must be a list of tables: [[rule]]"),
        ({"rule": [{"kinds": ["joker"], "verdict": "floor"}]}, "house.toml: rule 1: id: is missing"),
        ({"rule": ["joker"]}, "house.toml: rule 1 = 'joker'"),
        ({"rule": [rule(), rule()]}, "house.toml: rule H-1: id = 'H-1': is there twice"),
        ({"book": {**HEAD, "authority": "owner"}}, "house.toml: book: authority = 'owner': Input should be"),
        ({"book": "pl"}, "house.toml: book = 'pl': must be a table"),
        ({"silent": [{"hint": "?"}]}, "house.toml: silent 1: kinds: is missing"),
        ({"silent": [{"kinds": ["joke"], "hint": "?"}]}, "silent 1: kinds = 'joke': no such kind"),
        ({"parameters": {"picks": ["dealer"]}}, "house.toml: parameters.picks = ['dealer']: must be true or"),
        ({"parameters": {"actions": 2}}, "house.toml: parameters.actions = 2: the name is a word"),
        ({"predicates": {"sa": "actions => 2"}}, "house.toml: predicates.sa = 'actions => 2': not an"),
        ({"predicates": {"sa": 3}}, "house.toml: predicates.sa = 3: must be an expression in quotes"),
        ({"predicates": {"acted": "True"}}, "house.toml: predicates.acted = 'True': 'acted' cannot be"),
        ({"remedies": {"again": {"do": "redeal"}}}, "remedies.again = {'do': 'redeal'}: must be a list"),
        ({"remedies": {"again": [{"do": "redeal"}]}}, "house.toml: remedies.again[0]"),
        ({"statements": {"H-3": "why not"}}, "house.toml: statements.H-3 = 'why not': must be scope or"),
        ({"statements": {"H-3": "definition:"}}, "house.toml: statements.H-3 = 'definition:': must be"),
    ],
)  # fmt: skip
def test_a_faulty_table_is_told_with_file_and_key(tables: dict[str, Any], says: str) -> None:
    """Everything outside the rules is checked in the same way."""
    assert any(says in fault for fault in faults(**tables))


def test_all_faults_of_a_file_are_told_at_once_and_none_twice() -> None:
    """Five mistakes in five places give five lines: a broken predicate is not charged to those who use it."""
    found = faults(
        parameters={"picks": 1.5},
        predicates={"sa": "actions > two"},
        rule=[rule(when="not sa", verdict="redeal"), rule(id="H-2", when="not sa", steps=[{"do": "shout"}])],
        silent=[{"kinds": ["joker"], "when": "sa and k", "hint": "?"}],
    )
    assert len(found) == 5


def test_too_many_unknown_facts_for_one_kind_are_a_fault_of_the_book() -> None:
    """The worlds to go through are bounded when the book is loaded, not while a hand waits."""
    when = (
        "actions > 0 or players_acted > 0 or chips_in > 0 or looked_at or flop_exposed or retrievable "
        "or round_open('flop') or actions_on('flop') > 0 or players_on('flop') > 0 or by == 'dealer'"
    )
    assert faults(rule=[rule(when=when)]) == [
        "house.toml: rules for joker = 9216: combinations of unknown facts; at most 2048"
    ]


def test_a_parameter_stands_in_a_step_and_in_a_condition() -> None:
    """What a house may want otherwise is a value in its file: it is checked where it is used."""
    rows = [rule(steps=[{"do": "pick", "by": "$picks"}, {"do": "cut", "if": "cut_again"}])]
    parse({"book": HEAD, "parameters": {"picks": "floor", "cut_again": False}, "rule": rows}, "house.toml")
    assert "pick: by = 'nobody': must be one of dealer" in faults(
        parameters={"picks": "nobody", "cut_again": True}, rule=rows
    )[0]  # fmt: skip


def test_known_books_load_by_name_and_any_file_by_its_path(tmp_path: Path) -> None:
    """`pl` comes with tablectl; a copy of it elsewhere is the same book."""
    assert "pl" in rulebooks.known()
    copy = tmp_path / "club.toml"
    copy.write_bytes((Path(rulebooks.__file__).parent / "pl.toml").read_bytes())
    assert rulebooks.load("pl").name == rulebooks.load(str(copy)).name == "pl"


def test_a_book_that_cannot_be_loaded_is_a_clear_error(tmp_path: Path) -> None:
    """Unknown name (with the known ones), missing file, a folder, not TOML, not text, a faulty book."""
    broken = tmp_path / "broken.toml"
    broken.write_text("[book\n")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    for name, says in (
        ("polish", "rulebook 'polish': unknown; known are .*pl"),
        ("", "unknown; known are"),
        (str(tmp_path / "none.toml"), "none.toml: cannot be read: No such file"),
        (f"{tmp_path}/", "cannot be read: Is a directory"),
        (str(broken), "broken.toml: not a TOML file"),
        (str(binary), "binary.toml: not a TOML file"),
        (str(empty), "empty.toml: book: name: is missing"),
    ):
        with pytest.raises(RulebookError, match=says):
            rulebooks.load(name)
