"""`tablectl export`: PHH that pokerkit loads, CSV and JSON, with what is known and nothing else."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from audit_night import Kept, keep
from pokerkit import HandHistory

from tablectl.audit import sheet
from tablectl.audit.hands import PlayedHand

CARD = r"(?:[2-9TJQKA][cdhs]|\?\?)"
GRAMMAR = re.compile(rf"(?:d db {CARD}+|d dh p\d+ {CARD}+|p\d+ (?:f|cc))?(?: ?# .+)?")
"""The actions that a table can know, as the specification spells them (required.rst, "Actions")."""


@pytest.fixture(scope="module")
def entered(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Four hands with every action entered; in the second one a card goes to a wrong seat."""
    script = "clean, wrong_seat:next+deal_on, clean, clean"
    return keep(tmp_path_factory.mktemp("entered"), script)


@pytest.fixture(scope="module")
def cards_only(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Three hands at a table where nothing of the betting is entered."""
    return keep(tmp_path_factory.mktemp("cards"), "clean*3", betting="none", seats=4)


def histories(kept: Kept, *options: str, status: int = 0) -> list[HandHistory]:
    """What `export --phh` writes, as pokerkit loads it. A field that it does not know is an error."""
    done = kept.ask("export", "journal.sqlite", "--phh", *options)
    assert done.returncode == status, done.stderr
    return list(HandHistory.loads_all(done.stdout))


@pytest.mark.filterwarnings("error")
def test_hands_with_their_actions(entered: Kept) -> None:
    """Loaded: every hand with its seats, cards and actions in the specification's grammar; no amount was made up."""
    loaded = histories(entered, *entered.keyed)
    assert [history.hand for history in loaded] == [1, 2, 3, 4]
    for history in loaded:
        assert history.variant == "NT"
        true = entered.dealt(int(history.hand or 0))
        dealt = [action for action in history.actions if action.startswith("d dh")]
        assert dealt == [
            f"d dh p{number} {''.join(true[f'seat:{seat}'])}"
            for number, seat in enumerate(history.seats or [], 1)
        ]
        board = "".join(action.split()[2] for action in history.actions if action.startswith("d db"))
        assert board == "".join(true.get("board", []))
        assert all(GRAMMAR.fullmatch(action) for action in history.actions), history.actions
        assert not any(" cbr " in action or " sm" in action for action in history.actions)
        assert set(history.antes) | set(history.blinds_or_straddles or []) == {0}
        assert all(str(stack).lower() in ("inf", "infinity") for stack in history.starting_stacks)
        own = history.user_defined_fields
        assert "not recorded" in own["_amounts"]
        assert own["_burns"] == true.get("burn", [])
        assert own["_betting"] == "actions"
    words = " ".join(action for history in loaded for action in history.actions)
    assert re.search(r"p\d f", words)
    assert "raises, amount not recorded" in words or "bets, amount not recorded" in words
    slips = loaded[1].user_defined_fields["_irregularities"]
    assert any(slip["kind"] == "wrong_seat" and slip["ruling"]["rulebook"] == "pl" for slip in slips)


def test_the_order_of_actions_is_that_of_the_hand(entered: Kept) -> None:
    """All hole cards, then the preflop actions, then the flop: as entered, seat by seat."""
    history, hand = histories(entered, *entered.keyed)[0], entered.opened()[0]
    seats = history.seats or []
    places = {street: [] for street in ("preflop", "flop", "turn", "river")}  # type: dict[str, list[int]]
    names = iter(places)
    now = next(names)
    for action in history.actions:
        if action.startswith("d db"):
            now = next(names)
        elif not action.startswith("d dh"):
            places[now].append(seats[int(re.search(r"p(\d+)", action)[1]) - 1])  # type: ignore[index]
    for street, acted in places.items():
        assert acted == [each["seat"] for each in hand["actions"] if each["street"] == street]


@pytest.mark.filterwarnings("error:The field")
def test_hands_of_which_only_the_cards_are_known(cards_only: Kept) -> None:
    """Loaded, and with antes of his own whoever reads it can play it: before each seat and on the board lie the cards
    that truly lay there."""
    text = cards_only.ask("export", "journal.sqlite", "--phh", *cards_only.keyed).stdout
    for history in HandHistory.loads_all(text, antes=[1] * 4):
        assert all(action.startswith("d ") for action in history.actions)
        true = cards_only.dealt(int(history.hand or 0))
        boards = [[repr(card) for card in state.get_board_cards(0)] for state in history]
        assert true["board"] in boards
        hole = next(state for state in history if all(len(each) == 2 for each in state.hole_cards))
        shown = [[repr(card) for card in each] for each in hole.hole_cards]
        assert shown == [true[f"seat:{seat}"] for seat in history.seats or []]


def test_without_the_key_every_card_is_unknown(entered: Kept, cards_only: Kept) -> None:
    """The same hands, loaded: ?? for each card, no action, the irregularities all the same."""
    for kept in (entered, cards_only):
        loaded = histories(kept)
        assert [history.hand for history in loaded] == [h.hand for h in histories(kept, *kept.keyed)]
        for history in loaded:
            assert set(re.findall(CARD, " ".join(history.actions))) == {"??"}
            assert all(action.startswith("d ") for action in history.actions)
            assert set(history.user_defined_fields["_burns"]) <= {"??"}
    kinds = {slip["kind"] for slip in histories(entered)[1].user_defined_fields["_irregularities"]}
    assert "wrong_seat" in kinds


@pytest.mark.parametrize(("game", "variant"), [("omaha", "PO"), ("stud7", "F7S")])
def test_other_games(tmp_path: Path, game: str, variant: str) -> None:
    """Omaha and seven-card stud have their codes; of stud each street is dealt to the seats."""
    kept = keep(tmp_path, "clean", game=game, rulebook="nl" if game == "stud7" else "pl", seats=6)
    (history,) = histories(kept, *kept.keyed)
    assert history.variant == variant
    true = kept.dealt(1)
    for number, seat in enumerate(history.seats or [], start=1):
        hole = [action.split()[3] for action in history.actions if action.startswith(f"d dh p{number} ")]
        assert "".join(hole) == "".join(true[f"seat:{seat}"])
    assert len(history.starting_stacks) == len(history.antes) == 6


def test_a_game_without_a_code_is_left_out_and_said(tmp_path: Path) -> None:
    """PHH knows no five-card Omaha: exit status 1 and how many; JSON has the hand."""
    kept = keep(tmp_path, "clean", game="omaha5", seats=4)
    done = kept.run("export", "journal.sqlite", "--phh")
    assert (done.returncode, done.stdout) == (1, "")
    assert "1 hands left out: PHH has no code for omaha5" in done.stderr
    assert json.loads(kept.run("export", "journal.sqlite", "--json").stdout)["game"] == "omaha5"


def test_a_sheet(entered: Kept) -> None:
    """CSV: a head, then a line a hand, with cards only for the key."""
    for options in ([], entered.keyed):
        done = entered.run("export", "journal.sqlite", "--csv", *options)
        assert done.returncode == 0, done.stderr
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        assert [row["hand"] for row in rows] == ["1", "2", "3", "4"]
        true = entered.dealt(1)
        own = " ".join(true["seat:2"]) if options else "?? ??"
        assert (rows[0]["seat 2"], rows[0]["opened"]) == (own, "yes" if options else "no")
        assert "wrong_seat" in rows[1]["irregularities"]
        assert ("fold" in rows[0]["actions"]) == bool(options)


def test_a_name_is_no_formula(entered: Kept) -> None:
    """What a spreadsheet would compute is text: a table may be called =1+1."""
    from tablectl.audit.names import Names
    from tablectl.audit.opening import played
    from tablectl.shell import journal

    (hand, *_) = played(entered.journal, journal.chosen(entered.journal), None, Names({}, frozenset()))
    hand.table = {**hand.table, "id": '=HYPERLINK("x")'}
    assert isinstance(hand, PlayedHand)
    assert (
        next(iter(csv.DictReader(io.StringIO("".join(sheet.lines([hand]))))))["table"] == '\'=HYPERLINK("x")'
    )


def test_json_has_no_tags(entered: Kept) -> None:
    """Exported JSON tells cards to the key, and never a tag's UID: that is for an audit."""
    done = entered.run("export", "journal.sqlite", "--json", *entered.keyed, "--hand", "1", "--hand", "3")
    hands = [json.loads(line) for line in done.stdout.splitlines()]
    assert [hand["hand"] for hand in hands] == [1, 3]
    assert hands[0]["hole"]["1"] == entered.dealt(1)["seat:1"]
    assert not any(uid in done.stdout for deck in entered.setup.decks.values() for uid in deck.cards)


def test_an_open_table_needs_no_key(tmp_path: Path) -> None:
    """Its journal names the cards in clear, so nothing is opened and no reason is asked for."""
    kept = keep(tmp_path, "clean", sealed="clear", mode="open", seats=3)
    hand = json.loads(kept.run("export", "journal.sqlite", "--json").stdout)
    assert hand["hole"]["1"] == kept.dealt(1)["seat:1"]


def test_a_file_of_its_own(entered: Kept, tmp_path: Path) -> None:
    """--out writes a new file for its owner alone, and never over another one; the exit status says so."""
    out = tmp_path / "night.phhs"
    done = entered.run("export", "journal.sqlite", "--phh", "--out", str(out))
    assert (done.returncode, done.stdout) == (0, "")
    sections: dict[str, Any] = tomllib.loads(out.read_text())
    assert list(sections) == ["1", "2", "3", "4"]
    assert out.stat().st_mode & 0o077 == 0
    again = entered.run("export", "journal.sqlite", "--phh", "--out", str(out))
    assert (again.returncode, "is there already" in again.stderr) == (2, True)


def test_bad_usage(entered: Kept) -> None:
    """No format, two, a key without a reason, a reason without a key: exit status 2, and what would be right."""
    for options, says in (
        ((), "name one format: --phh, --csv or --json"),
        (("--phh", "--csv"), "name one format"),
        (("--phh", "--key", "audit.key"), "--why"),
        (("--phh", "--deck", "blue.toml.sealed"), "are for --key"),
    ):
        done = entered.run("export", "journal.sqlite", *options)
        assert (done.returncode, says in done.stderr, "Traceback" in done.stderr) == (2, True, False), (
            done.stderr
        )
