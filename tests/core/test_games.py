"""Dealing orders of every game: heads-up, the button's two cards in a row, dead buttons, players who are away."""

from __future__ import annotations

import pytest
from felt import Felt

FLOP_GAMES = {"holdem": 2, "omaha": 4, "omaha5": 5}


@pytest.mark.parametrize(("game", "cards"), FLOP_GAMES.items())
def test_a_clean_hand_of_each_flop_game(game: str, cards: int) -> None:
    """So many cards to each of six seats, five on the board, three burns; and one card less is too few."""
    felt = (
        Felt(game=game)
        .deal_all(cards)
        .call_round()
        .flop()
        .call_round()
        .street()
        .call_round()
        .street()
        .call_round()
    )
    felt.enter("showdown").wait(1000).collect()
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])
    assert felt.of("hand")[-1]["counts"] == {
        "board": 5,
        "burn": 3,
        **{f"seat:{n}": cards for n in range(1, 7)},
    }
    short = Felt(game=game).deal_all(cards - 1).deal_round([1, 2, 3, 4, 5])
    short.acts((3, "call")).wait(2000)
    [found] = short.of("irregularity")
    assert (found["kind"], found["seat"], found["count"], found["need"]) == (
        "too_few_cards",
        6,
        cards - 1,
        cards,
    )


@pytest.mark.parametrize(("game", "cards"), FLOP_GAMES.items())
def test_heads_up_the_button_gets_the_last_card(game: str, cards: int) -> None:
    """Big blind first, button last (TDA 34-B); the button first is the wrong first seat."""
    felt = Felt(2, game=game).enter("button", seat=1).deal_round([2, 1] * cards).wait(1500)
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])
    wrong = Felt(2, game=game).enter("button", seat=1).deal_round([1, 2] * cards).wait(1500)
    assert wrong.kinds() == ["wrong_first_seat"]


@pytest.mark.parametrize(("game", "cards"), FLOP_GAMES.items())
def test_the_button_may_get_two_cards_in_a_row(game: str, cards: int) -> None:
    """Seat 6 gets its second card right after its first, and is left out in the second round (TDA 35-B)."""
    felt = Felt(game=game).deal_round([1, 2, 3, 4, 5, 6, 6, 1, 2, 3, 4, 5])
    felt.deal_all(cards - 2) if cards > 2 else felt
    felt.wait(1500).call_round().flop().wait(500)
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])


def test_the_button_is_passed_over_and_gets_two_cards_at_the_end() -> None:
    """Nothing is confirmed while the deal goes on, and the last two cards to seat 6 make it right (TDA 35-B)."""
    felt = Felt().deal_round([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6, 6]).wait(2500)
    assert felt.kinds() == []
    assert {d["why"] for d in felt.of("cleared")} <= {"withdrawn"}
    assert len(felt.of("cleared")) == len(felt.of("suspicion"))


def test_the_button_is_passed_over_for_good() -> None:
    """Seat 6 gets one card only: passed over, told once the dealer has stopped."""
    felt = Felt().deal_round([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6]).wait(2500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["expected"]) == ("seat_skipped", 6)


def test_three_cards_in_a_row_to_the_button_are_too_many() -> None:
    """The third one is no card of any order."""
    felt = Felt().deal_round([1, 2, 3, 4, 5, 6, 6, 6]).wait(1000)
    assert felt.kinds() == ["too_many_cards"]


def test_another_seat_may_not_get_two_cards_in_a_row() -> None:
    """Seat 5 gets seat 6's card right after its own."""
    felt = Felt().deal_round([1, 2, 3, 4, 5, 5]).wait(200)
    felt.deal_round([6, 1, 2, 3, 4, 6]).wait(2500)
    assert felt.kinds() == ["wrong_seat"]


def test_a_button_that_gets_two_cards_and_then_its_third() -> None:
    """Two in a row in mid-deal, and nobody leaves it out later: it has three cards in the end."""
    felt = Felt().deal_round([1, 2, 3, 4, 5, 6, 6, 1, 2, 3, 4, 5, 6]).wait(2500)
    assert felt.kinds() == ["too_many_cards"]


def test_a_dead_button() -> None:
    """The button lies at the empty seat 3: seat 4 gets the first card, seat 2 the last; and no seat two in a row."""
    felt = Felt().enter("seats", eligible=[1, 2, 4, 5, 6]).enter("button", seat=3)
    felt.deal_round([4, 5, 6, 1, 2] * 2).wait(1500)
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])
    wrong = Felt().enter("seats", eligible=[1, 2, 4, 5, 6]).enter("button", seat=3)
    wrong.deal(2)
    wrong.wait(1000)
    assert wrong.kinds() == ["wrong_first_seat"]
    twice = Felt().enter("seats", eligible=[1, 2, 4, 5, 6]).enter("button", seat=3)
    twice.deal_round([4, 5, 6, 1, 2, 2]).wait(1500)
    assert twice.kinds() == ["wrong_seat"]


def test_a_dead_button_heads_up() -> None:
    """Two players are left, the button lies between them: the first seat to its left gets the first card."""
    felt = Felt().enter("seats", eligible=[1, 5]).enter("button", seat=3)
    felt.deal_round([5, 1, 5, 1]).wait(1500)
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])


@pytest.mark.parametrize("game", ["holdem", "omaha", "stud7"])
def test_a_player_who_is_away_or_penalised_is_dealt_in(game: str) -> None:
    """His seat gets its cards (TDA 30, 71-C); passed over, it is skipped like any other."""
    cards = {"holdem": 2, "omaha": 4, "stud7": 3}[game]
    felt = Felt(game=game, book="nl").enter("absent", seat=3)
    for _ in range(cards):
        felt.deal_round([1, 2, 3, 4, 5, 6])
    felt.wait(1500)
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])
    passed = (
        Felt(game=game, book="nl").enter("absent", seat=3).deal_round([1, 2, 4, 5, 6, 1, 2, 3, 4]).wait(1500)
    )
    assert [(d["kind"], d["expected"]) for d in passed.of("irregularity")] == [("seat_skipped", 3)]


def test_the_game_may_change_from_hand_to_hand() -> None:
    """Hold'em, then stud from the dealer's left while the button rests, then hold'em: the button moved by one hand."""
    felt = Felt().deal_all()
    felt.acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold")).move(2, "muck").wait(
        1500
    ).collect()
    felt.enter("game", name="stud5").deal_round([1, 2, 3, 4, 5, 6] * 2)
    felt.acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold")).move(2, "muck").wait(
        1500
    ).collect()
    felt.enter("game", name="holdem").deal_round([2, 3, 4, 5, 6, 1] * 2).wait(1500)
    assert felt.kinds() == []
    assert [d["button"] for d in felt.of("hand") if d["event"] == "start"] == [6, 1, 1]


def test_hold_em_at_a_table_with_two_antennas_a_seat() -> None:
    """Which half of a seat a card lies in says nothing there; a wrong seat is found as ever."""
    felt = Felt(halves=True)
    for seat, half in zip([1, 2, 3, 4, 5, 6] * 2, ["up", "down", "up"] * 4, strict=True):
        felt.deal(f"seat:{seat}/{half}")
    felt.wait(1500)
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])
    wrong = Felt(halves=True)
    for zone in ("seat:1/down", "seat:2/up", "seat:5/down"):
        wrong.deal(zone)
    wrong.wait(1500)
    [found] = wrong.of("irregularity")
    assert (found["kind"], found["seat"], found["expected"], found["zone"]) == (
        "wrong_seat",
        5,
        3,
        "seat:5/down",
    )
