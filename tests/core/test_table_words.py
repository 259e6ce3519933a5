"""What the table is told about itself between or during hands: names at seats, the next game, who deals."""

from __future__ import annotations

from typing import Any

import pytest
from felt import Felt

from tablectl.core.entries import check
from tablectl.errors import UsageError


def names(felt: Felt) -> list[str | None]:
    """The seats' names as `/state` shows them."""
    return [seat["name"] for seat in felt.table.view()["seats"]]


def test_a_seat_has_the_name_that_was_entered() -> None:
    """It stays from hand to hand, is replaced by another one, and goes when a blank one is entered."""
    felt = Felt(3).enter("name", seat=1, text="Anna").enter("name", seat=3, text="Ben")
    assert names(felt) == ["Anna", None, "Ben"]
    felt.deal_all().wait(500).enter("hand_end").collect()
    assert names(felt) == ["Anna", None, "Ben"]
    felt.enter("name", seat=1, text="Zofia").enter("name", seat=3, text="")
    assert names(felt) == ["Zofia", None, None]
    assert names(felt.enter("name", seat=1)) == [None, None, None]


def test_a_name_is_taken_back_by_undo() -> None:
    """The one before it comes back; the same holds for the dealer and for the game that comes next."""
    felt = Felt(3).enter("name", seat=1, text="Anna").enter("name", seat=1, text="Ana")
    assert names(felt.enter("undo")) == ["Anna", None, None]
    felt.enter("dealer", id="d-17").enter("dealer", id="d-18").enter("undo")
    assert felt.table.view()["table"]["dealer"] == "d-17"
    felt.enter("game", name="omaha").enter("undo")
    assert felt.table.view()["table"]["game"] == "holdem"


def test_no_decision_names_a_player() -> None:
    """Names are for the display: nothing that the table concludes carries one."""
    felt = Felt(3).enter("name", seat=2, text="Anna").deal_round([2, 3, 1, 2, 3, 1]).wait(1500)
    assert felt.kinds() == ["wrong_first_seat"]
    assert not [each for each in felt.decisions if "Anna" in repr(each.as_json())]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Anna", "Anna"), ("  Anna \t Maria ", "Anna Maria"), ("Зоя", "Зоя"), ("O'Neill-Łoś 2", "O'Neill-Łoś 2"),
        ("", ""), ("   ", ""), ("x" * 24, "x" * 24),
    ],
)  # fmt: skip
def test_a_name_is_one_short_line(given: str, shown: str) -> None:
    """Spaces around and within it are trimmed; a blank one is none."""
    assert check("name", {"seat": 1, "text": given}, seats=9) == {"seat": 1, "text": shown}


@pytest.mark.parametrize(
    "given", ["x" * 25, "An\x07na", "\u202eannA", "An\u200bna", "\ud800", 7, ["Anna"], True]
)
def test_what_cannot_stand_at_a_seat_is_no_name(given: Any) -> None:
    """Too long, or with characters that cannot be printed: what would be right is said."""
    with pytest.raises(UsageError, match=r"name\.text = .*: must be a line of at most 24 characters"):
        check("name", {"seat": 1, "text": given}, seats=9)


def test_another_game_counts_from_the_next_hand_on() -> None:
    """In mid-hand the game that is on stays on screen, and the one that comes is named beside it."""
    felt = Felt(3).deal_all()
    felt.enter("game", name="omaha")
    shown = felt.table.view()["table"]
    assert (shown["game"], shown["next_game"]) == ("holdem", "omaha")
    felt.call_round().flop().wait(500)
    assert (felt.kinds(), felt.of("suspicion")) == ([], [])
    felt.enter("hand_end")
    shown = felt.table.view()["table"]
    assert (shown["game"], shown["next_game"]) == ("omaha", None)
    felt.collect().deal_all(4).wait(500).call_round()
    assert felt.kinds() == []
    assert [seat["cards"] for seat in felt.table.view()["seats"]] == [4, 4, 4]


def test_another_game_before_the_first_card_counts_at_once() -> None:
    """Between two hands there is none that it could wait for; stud has no button, and no straddle."""
    felt = Felt(3).enter("game", name="stud7")
    shown = felt.table.view()
    assert (shown["table"]["game"], shown["table"]["has_button"]) == ("stud7", False)
    assert shown["hand"]["may_straddle"] == []


def test_a_misplaced_button_stays_one_although_another_game_comes_next() -> None:
    """The next game has no button; that of the hand in play lies wrong all the same."""
    felt = Felt().deal_all().acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold"))
    felt.move(2, "muck").wait(1500).enter("hand_end").collect()
    felt.enter("button", seat=4)
    felt.deal_round([5, 6]).enter("game", name="stud7").enter("seats", eligible=[1, 2, 3, 4, 5, 6]).wait(500)
    assert felt.kinds() == ["button_misplaced"]
    assert felt.of("cleared") == []


def test_who_deals_is_shown() -> None:
    """From his entry on, in mid-hand too; before it nobody is known."""
    felt = Felt(3)
    assert felt.table.view()["table"]["dealer"] is None
    felt.deal_all().enter("dealer", id="d-17")
    assert felt.table.view()["table"]["dealer"] == "d-17"
    assert felt.of("hand")[-1]["event"] == "start"
