"""House files: what a house says otherwise, and what is said of a house file that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl import rulebooks
from tablectl.core.rulebook import Rulebook
from tablectl.errors import RulebookError

CLUB = 'inherit = "pl"\n[book]\nname = "club"\n'


def house(folder: Path, text: str, name: str = "club.toml") -> Rulebook:
    """The book in a house file with this text."""
    (folder / name).write_text(text)
    return rulebooks.load(str(folder / name))


def fault(folder: Path, text: str) -> str:
    """What is said of a house file with this text."""
    with pytest.raises(RulebookError) as caught:
        house(folder, text)
    return str(caught.value).replace(str(folder), "…")


def ids(book: Rulebook, kind: str) -> list[str | None]:
    """The rules for one kind, in order of precedence."""
    return [rule.id for rule in book.by_kind[kind]]


def test_a_house_that_says_nothing_is_the_inherited_book_under_its_own_name(tmp_path: Path) -> None:
    """Rules, precedence, parameters and statements are the same."""
    club, pl = house(tmp_path, CLUB), rulebooks.load("pl")
    assert (club.name, club.title, club.authority) == ("club", pl.title, "director")
    assert [rule.name for rule in club.rules] == [rule.name for rule in pl.rules]
    assert (club.parameters, club.statements) == (pl.parameters, pl.statements)


def test_single_keys_of_a_rule(tmp_path: Path) -> None:
    """Only the keys that the house names differ; the rule keeps its place and its kinds."""
    club = house(tmp_path, CLUB + '[[rule]]\nid = "PL-07.1.e"\nverdict = "floor"\nsteps = []\n')
    (rule,) = [each for each in club.rules if each.id == "PL-07.1.e"]
    assert (rule.verdict, rule.steps, rule.source, rule.kinds) == ("floor", (), "L9", {"joker"})


def test_a_rule_that_joins_gets_a_verdict_and_the_other_way_round(tmp_path: Path) -> None:
    """A verdict replaces `joins` and `joins` a verdict with its steps: nobody has to take the other out."""
    variant = "a premature street with a burn error or a wrong count"
    text = f'[[rule]]\nid = "PL-07.7.a"\nvariant = "{variant}"\nverdict = "floor"\n'
    club = house(tmp_path, f'{CLUB}{text}[[rule]]\nid = "PL-07.H"\njoins = "burn_missing"\n')
    joined, turn = (
        next(each for each in club.rules if each.id == ident) for ident in ("PL-07.7.a", "PL-07.H")
    )
    assert (joined.verdict, joined.joins) == ("floor", None)
    assert (turn.joins, turn.steps) == ("burn_missing", ())


def test_parameters_predicates_and_remedies_are_replaced_by_name(tmp_path: Path) -> None:
    """The inherited rules follow: who draws, what counts as substantial action, what a misdeal is."""
    text = '[parameters]\npicks = "dealer"\n[predicates]\nsa = "actions >= 5"\n'
    text += '[remedies]\nmisdeal = [{ do = "collect" }]\n'
    club = house(tmp_path, CLUB + text)
    four = next(each for each in club.by_kind["too_many_board_cards"] if each.id == "PL-07.6.1.a")
    assert dict(four.steps[1].args) == {"by": "dealer"}
    assert club.predicates["sa"].text == "actions >= 5"
    assert [step.do for step in club.by_kind["wrong_first_seat"][0].steps] == ["collect"]


def test_a_removed_rule_leaves_silence_and_is_accounted_for(tmp_path: Path) -> None:
    """The id, or one of its variants; the statement is named as removed by the house."""
    club = house(tmp_path, f'remove = ["PL-07.8.a", "PL-07.3.d (exposed card)"]\n{CLUB}')
    assert ids(club, "stub_disordered") == [None]
    assert club.by_kind["stub_disordered"][0].hints[0].say == "this house has taken out PL-07.8.a"
    assert club.statements["PL-07.8.a"].startswith("house: removed by")
    assert "PL-07.3.d" in ids(club, "ineligible_seat")
    assert "PL-07.3.d" not in ids(club, "exposed_card")
    assert club.covered() == rulebooks.load("pl").covered()


def test_a_rule_of_the_houses_own_goes_before_the_inherited_ones_of_its_class(tmp_path: Path) -> None:
    """A new id is a whole rule; a new silence goes before the inherited ones as well."""
    text = (
        '[[rule]]\nid = "C-1"\nsource = "rule 1"\nkinds = ["joker"]\nwhen = "k == 1"\nverdict = "misdeal"\n'
    )
    club = house(tmp_path, f'{CLUB}{text}[[silent]]\nkinds = ["joker"]\nhint = "ask the floor"\n')
    assert ids(club, "joker")[:2] == ["C-1", "PL-07.1.e"]
    assert next(each.hints[0].say for each in club.by_kind["joker"] if each.id is None) == "ask the floor"


def test_a_house_inherits_a_house_by_its_path(tmp_path: Path) -> None:
    """Paths are relative to the file that names them."""
    (tmp_path / "houses").mkdir()
    house(tmp_path / "houses", CLUB + '[parameters]\npicks = "dealer"\n')
    branch = house(tmp_path, 'inherit = "houses/club.toml"\n[book]\nname = "branch"\n', "branch.toml")
    assert (branch.name, branch.parameters["picks"]) == ("branch", "dealer")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('inherit = "pl"\n', "…/club.toml: book.name: is missing"),
        ('inherit = "pol"\n[book]\nname = "c"\n', "inherit = 'pol': rulebook 'pol': unknown; did you mean 'pl'?"),
        ('inherit = "no.toml"\n[book]\nname = "c"\n', "inherit = 'no.toml': …/no.toml: cannot be read: No such"),
        ('inherit = 3\n[book]\nname = "c"\n', "inherit = 3: must be the name of a rulebook"),
        ('inherit = "club.toml"\n[book]\nname = "c"\n', "goes round in circles"),
        ('remove = ["PL-07.1.k"]\n' + CLUB, "remove = 'PL-07.1.k': pl has no such rule; did you mean 'PL-07.1."),
        ('remove = "PL-07.1.a"\n' + CLUB, "remove = 'PL-07.1.a': must be a list"),
        (CLUB + '[[rule]]\nid = "PL-07.H"\nvariant = "x"\n', "rule PL-07.H: variant = 'x': pl has PL-07.H with the"),
        (CLUB + '[[rule]]\nid = "PL-07.H"\n' * 2, "rule PL-07.H: is there twice"),
        (CLUB + '[[rule]]\nid = "PL-07.H"\nverdict = "die"\n', "rule PL-07.H, inherited from pl: verdict = 'die'"),
        (CLUB + '[[rule]]\nid = "PL-07.H"\nwen = "x"\n', "from pl: wen = 'x': unknown key; did you mean 'when'?"),
        (CLUB + '[[rule]]\nid = ["PL-07.H"]\n', "club.toml: rule 1: id = ['PL-07.H']: Input should be a valid string"),
        (CLUB + '[[rule]]\nid = "PL-7.1.a"\nverdict = "floor"\n', "club.toml: rule PL-7.1.a: source: is missing"),
        (CLUB + '[parameters]\npicks = "nobody"\n', "rule PL-07.6.1.a, inherited from pl: steps[1]"),
        (CLUB + '[predicates]\nsa = "actons > 1"\n', "club.toml: predicates.sa = 'actons > 1': actons: unknown"),
        (CLUB + '[book]\n', "not a TOML file"),
        (CLUB + '[rule]\nid = "C-1"\n', "must be a list of tables: [[rule]]"),
        ('inherit = "pl"\nbook = 3\n', "book.name: is missing"),
        ('inherit = "pl"\nsilent = 3\n[book]\nname = "c"\n', "silent = 3: must be a list of tables"),
    ],
)  # fmt: skip
def test_a_fault_of_a_house_file_names_file_rule_and_key(tmp_path: Path, text: str, says: str) -> None:
    """Where it stands, what stands there, what would be right; an inherited rule is told as such."""
    assert says in fault(tmp_path, text)


def test_a_fault_of_the_inherited_file_is_charged_to_that_file(tmp_path: Path) -> None:
    """The house file itself is right."""
    (tmp_path / "base.toml").write_text('[book]\nname = "base"\n')
    told = fault(tmp_path, 'inherit = "base.toml"\n[book]\nname = "c"\n')
    assert "…/base.toml: book: title: is missing" in told
