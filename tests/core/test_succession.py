"""The button from hand to hand: where it may lie, dead or drawn anew; newcomers, heads-up; tables without a dealer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from felt import Felt
from stud_felt import StudFelt

ALL = (1, 2, 3, 4, 5, 6)


def after_a_hand(felt: Felt, seats: Sequence[int] = ALL) -> Felt:
    """One hand was dealt, and the cards are back: with six seats the button lay at seat 6."""
    felt.deal_all()
    order = felt.table.setup.order()
    for seat in order[2:-1]:
        felt.acts((seat, "fold"))
    felt.acts((order[-1], "fold"), (order[0], "fold")).move(order[1], "muck").wait(1500)
    return felt.collect()


def dealt(felt: Felt) -> Felt:
    """The next hand, dealt from the button's left, wherever it lies."""
    return felt.deal_all().wait(1500)


def misplaced(felt: Felt) -> list[tuple[int, int]]:
    """Where the button was called misplaced: (where it lay, where it was expected)."""
    return [(d["seat"], d["expected"]) for d in felt.of("irregularity") if d["kind"] == "button_misplaced"]


def test_the_button_moves_on_by_itself_and_by_entry() -> None:
    """From seat 6 it goes to seat 1: proposed, or entered, there is nothing to say."""
    assert misplaced(dealt(after_a_hand(Felt()))) == []
    assert misplaced(dealt(after_a_hand(Felt()).enter("button", seat=1))) == []


@pytest.mark.parametrize("seat", [2, 5, 6])
def test_a_button_that_lies_elsewhere(seat: int) -> None:
    """One seat too far, one back, or left where it was: told with the first card, and only that (T06)."""
    felt = dealt(after_a_hand(Felt(book="nl")).enter("button", seat=seat))
    assert (misplaced(felt), felt.kinds()) == ([(seat, 1)], ["button_misplaced"])
    [ruling] = [d for d in felt.of("ruling") if d["rule"] == "NL-M3"]
    assert (ruling["verdict"], ruling["button"]) == ("misdeal", "corrected")


def test_an_entry_in_mid_deal_puts_the_button_right() -> None:
    """The dealer sees it after two cards, and they were right for the true button all the same."""
    felt = after_a_hand(Felt()).enter("button", seat=2)
    felt.deal(3)
    assert misplaced(felt) == [(2, 1)]
    felt.enter("button", seat=1).wait(200)
    assert "button_misplaced" not in [d["kind"] for d in felt.table.view()["irregularities"]]


def test_a_redeal_takes_place_with_the_button_put_right() -> None:
    """After the misdeal the button lies where it should have lain; at the wrong seat again it is misplaced again."""
    for seat, times in ((1, 1), (3, 2)):
        felt = (
            after_a_hand(Felt(book="nl")).enter("button", seat=3).deal_round([4, 5, 6]).wait(1000).collect()
        )
        assert misplaced(dealt(felt.enter("button", seat=seat))) == [(3, 1)] * times


@pytest.mark.parametrize(("seat", "right"), [(1, True), (2, True), (3, False)])
def test_a_dead_button(seat: int, *, right: bool) -> None:
    """Seat 1 has left: the button lies at the empty seat, or goes on to seat 2; not to seat 3."""
    felt = after_a_hand(Felt()).enter("seats", eligible=[2, 3, 4, 5, 6]).enter("button", seat=seat)
    felt.deal_round(felt.table.setup.order()).wait(800)
    assert misplaced(felt) == ([] if right else [(3, 2)])


def test_a_newcomer_between_may_get_it() -> None:
    """Seat 1 was empty and is dealt in now: the button may come to it, or go past it to seat 2."""
    for seat in (1, 2):
        felt = Felt().enter("seats", eligible=[2, 3, 4, 5, 6])
        felt = after_a_hand(felt).enter("seats", eligible=list(ALL)).enter("button", seat=seat)
        assert misplaced(dealt(felt)) == []


def test_after_a_hand_that_was_played_with_a_wrong_button() -> None:
    """It may go on from there (TDA 34-A) or from where it should have been (RROP): both are right afterwards."""
    for seat, right in ((5, True), (2, True), (3, False)):
        felt = after_a_hand(after_a_hand(Felt(book="tda2024")).enter("button", seat=4)).enter(
            "button", seat=seat
        )
        assert len(misplaced(dealt(felt))) == (1 if right else 2)


def test_a_hand_that_was_not_played_may_be_dealt_again() -> None:
    """The cards were gathered before anybody had won: the button may stay where it is, or move on; not go elsewhere."""
    for seat, right in ((6, True), (1, True), (2, False)):
        felt = Felt().deal_all().acts((3, "fold")).wait(500).collect().enter("button", seat=seat)
        assert misplaced(dealt(felt)) == ([] if right else [(2, 1)])


def test_heads_up_or_drawn_anew_nothing_is_expected() -> None:
    """Two players are left, or the button was drawn: it may lie anywhere; without the draw it is misplaced."""
    two = after_a_hand(Felt()).enter("seats", eligible=[3, 5]).enter("button", seat=3)
    assert misplaced(dealt(two)) == []
    drawn = after_a_hand(Felt()).enter("button", seat=4, drawn=True)
    assert misplaced(dealt(drawn)) == []
    taken_back = (
        after_a_hand(Felt()).enter("button", seat=4, drawn=True).enter("undo").enter("button", seat=4)
    )
    assert misplaced(dealt(taken_back)) == [(4, 1)]


def test_stud_between_two_hands_of_hold_em_moves_no_button() -> None:
    """The button of the last hand of hold'em was at seat 6: after stud it is due at seat 1, not at seat 2."""
    felt = after_a_hand(Felt()).enter("game", name="stud5").deal_all(2)
    felt.acts(*((seat, "fold") for seat in (2, 3, 4, 5, 6))).move(1, "muck").wait(1500).collect()
    assert misplaced(dealt(felt.enter("game", name="holdem").enter("button", seat=2))) == [(2, 1)]


def test_stud_without_a_dealer_begins_left_of_the_player_who_deals() -> None:
    """The players deal in turn, the button shows who: seat 3 deals, so seat 4 gets the first card; next time seat 5."""
    felt = StudFelt("stud5", dealt_by="players").enter("button", seat=3)
    felt.opening([4, 5, 6, 1, 2, 3])
    felt.acts(*((seat, "fold") for seat in (5, 6, 1, 2, 3))).move(4, "muck").wait(1500).collect()
    felt.opening([5, 6, 1, 2, 3, 4]).wait(1000)
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])
    assert [d["button"] for d in felt.of("hand") if d["event"] == "start"] == [3, 4]
    assert felt.table.view()["table"]["has_button"] is True


def test_stud_without_a_dealer_that_begins_elsewhere() -> None:
    """There the seat at a dealer's left is nothing: seat 1 first is the wrong first seat while seat 3 deals."""
    felt = StudFelt("stud5", dealt_by="players").enter("button", seat=3).opening()
    assert felt.kinds()[:1] == ["wrong_first_seat"]
    fixed = StudFelt("stud5").enter("button", seat=3).opening()
    assert fixed.kinds() == []


def test_a_stray_button_in_stud_without_a_dealer() -> None:
    """The deal went to the wrong player's left because the deck was passed to the wrong one."""
    felt = StudFelt("stud5", dealt_by="players").enter("button", seat=3).opening([4, 5, 6, 1, 2, 3])
    felt.acts(*((seat, "fold") for seat in (5, 6, 1, 2, 3))).move(4, "muck").wait(1500).collect()
    felt.enter("button", seat=6).opening([1, 2, 3, 4, 5, 6]).wait(1000)
    assert misplaced(felt) == [(6, 4)]


def test_in_stud_nobody_gets_two_cards_in_a_row() -> None:
    """The player who deals has no right to it: that is the button's in flop games (TDA 35-B)."""
    felt = StudFelt("stud5", dealt_by="players").enter("button", seat=6)
    felt.deal_round([1, 2, 3, 4, 5, 6, 6, 1, 2, 3, 4, 5]).wait(2500)
    assert felt.kinds() != []
