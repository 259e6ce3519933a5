"""Whose card is next, and whether the betting is on: what the display says large, from the first card to the last."""

from __future__ import annotations

from typing import Any

import pytest
from felt import Felt
from stud_felt import StudFelt


def following(felt: Felt) -> tuple[Any, ...]:
    """(zone, street, k) of the next card, then whether the betting is on and who acts."""
    hand = felt.table.view()["hand"]
    due = hand["next"] or {}
    return (due.get("zone"), due.get("street"), due.get("k")), hand["round_open"], hand["to_act"]


def test_a_hand_from_the_first_card_to_the_last() -> None:
    """The seat that is due, then burn and street in turn; while the betting is on, the seat that acts as well."""
    felt = Felt()
    assert following(felt) == (("seat:1", None, 1), None, None)
    felt.deal_round((1, 2, 3, 4, 5, 6, 1)).wait(300)
    assert following(felt) == (("seat:2", None, 8), False, None)
    felt.deal_round((2, 3, 4, 5, 6)).wait(500)
    assert following(felt) == (("burn", "flop", 13), True, 3)
    felt.call_round()
    assert following(felt) == (("burn", "flop", 13), False, 1)
    felt.deal("burn", wait=1500)
    assert following(felt) == (("board", "flop", 14), False, 1)
    felt.deal("board")
    felt.wait(500)
    assert following(felt) == (("board", "flop", 15), False, 1)
    felt.deal("board")
    felt.deal("board")
    felt.wait(1300)
    assert following(felt) == (("burn", "turn", 17), True, 1)
    felt.call_round().street()
    assert following(felt) == (("burn", "river", 19), True, 1)
    felt.call_round().street()
    assert following(felt) == ((None, None, None), True, 1)
    felt.call_round()
    assert following(felt) == ((None, None, None), False, None)
    felt.enter("showdown").enter("hand_end")
    assert following(felt)[0] == ("seat:2", None, 1)
    felt.collect()
    assert following(felt) == (("seat:2", None, 1), None, None)


def test_without_betting_only_the_cards_are_told() -> None:
    """Nobody says when a round is closed: the next card is told, and no betting."""
    felt = Felt(betting="none").deal_all().wait(500)
    assert following(felt) == (("burn", "flop", 13), None, None)


@pytest.mark.parametrize(("zones", "due"), [
    (("shoe", "board", "muck"), ("board", "flop", 13)),
    (("shoe", "board:flop", "board:turn", "board:river", "muck"), ("board:flop", "flop", 13)),
])  # fmt: skip
def test_what_no_antenna_sees_is_not_waited_for(zones: tuple[str, ...], due: tuple[Any, ...]) -> None:
    """Without an antenna at the burn pile nobody knows whether the burn was made: the street is named."""
    assert following(Felt(zones=zones).deal_all().wait(500).call_round())[0] == due


def test_where_the_board_is_not_watched_the_next_round_begins_at_once() -> None:
    """No antenna can tell that the flop lies there: who acts first on it is proposed as soon as a round is closed."""
    felt = Felt(zones=("shoe", "burn", "muck")).deal_all().wait(500).call_round()
    assert following(felt)[1:] == (True, 1)


def test_an_action_tells_that_the_street_lies_there() -> None:
    """A card of the flop was not read; the first check of the round says that the betting is on."""
    felt = Felt().deal_all().wait(500).call_round()
    felt.deal("burn")
    felt.deal("board")
    felt.deal("board")
    assert following(felt.wait(800))[1] is False
    assert following(felt.acts((1, "check")))[1:] == (True, 2)


def test_stud_tells_the_burn_and_then_whose_card_it_is() -> None:
    """Who gets the first card of a street no antenna knows; from then on the order is known."""
    felt = StudFelt().opening().wait(500).all_check()
    assert following(felt) == (("burn", "fourth", 19), False, None)
    felt.deal("burn")
    assert following(felt) == ((None, None, None), False, None)
    felt.deal_round((3, 4)).wait(300)
    assert following(felt) == (("seat:5", None, 22), False, None)
    felt.deal_round((5, 6, 1, 2)).wait(500)
    assert following(felt)[0:2] == (("burn", "fifth", 26), True)
