"""The balance of the deck: counts of the stub that are entered, and what the hand still needs."""

from __future__ import annotations

import pytest
from felt import DECK_WITH_TWIN, Felt
from stud_felt import StudFelt


def dealt(**options: object) -> Felt:
    """A table after a correct deal: 12 cards are out, 40 in the stub."""
    return Felt(**options).deal_all()  # type: ignore[arg-type]


def test_a_stub_with_a_card_too_few_shows_a_missing_card() -> None:
    """39 are counted where 40 must be."""
    felt = dealt().enter("stub_count", count=39).wait(200)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["count"], found["need"]) == ("missing_card", 39, 40)


@pytest.mark.parametrize("count", [40, 41])
def test_a_stub_that_is_complete_or_too_full_accuses_nobody(count: int) -> None:
    """Too full is a card that nobody saw come back, or one too many: no card is missing."""
    assert dealt().enter("stub_count", count=count).wait(500).kinds() == []


def test_burns_and_board_count_as_out() -> None:
    """After the turn 18 cards are out: 34 is right, 33 is one too few."""
    felt = dealt().call_round().flop().call_round().street()
    assert felt.enter("stub_count", count=34).wait(300).kinds() == []
    assert felt.enter("stub_count", count=33).wait(300).kinds() == ["missing_card"]


def test_a_spare_copy_that_was_enrolled_is_no_card_of_the_deck() -> None:
    """The manifest has 53 tags of 52 different cards."""
    assert dealt(deck=DECK_WITH_TWIN).enter("stub_count", count=40).wait(300).kinds() == []


def test_where_a_card_may_have_left_unseen_it_is_only_a_suspicion() -> None:
    """Without a burn antenna nobody knows whether a card was burned."""
    felt = dealt(zones=("shoe", "board", "muck")).call_round().flop(burn=False).enter("stub_count", count=36)
    felt.wait(1000)
    assert felt.kinds() == []
    assert [d["kind"] for d in felt.of("suspicion")] == ["missing_card"]


def test_the_sensor_at_the_mouth_proves_that_nothing_left_unseen() -> None:
    """The same table with the optical sensor."""
    felt = dealt(zones=("shoe", "board", "muck"), optical=True).call_round().flop(burn=False)
    assert felt.enter("stub_count", count=36).wait(500).kinds() == ["missing_card"]


def test_a_count_between_two_hands_is_of_the_whole_deck() -> None:
    """51 before the deal; it is told when the next hand begins."""
    felt = dealt().call_round().flop().call_round().street().call_round().street().call_round()
    felt.enter("hand_end").collect().enter("stub_count", count=51)
    assert felt.kinds() == []
    felt.deal_round([2]).wait(300)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["count"], found["need"], found["hand"]) == ("missing_card", 51, 52, 2)


def test_a_count_of_the_stub_after_the_hand_while_its_cards_still_lie() -> None:
    """The river is dealt, 20 cards are out."""
    felt = dealt().call_round().flop().call_round().street().call_round().street().call_round()
    assert felt.enter("hand_end").enter("stub_count", count=32).wait(300).kinds() == []
    assert felt.enter("stub_count", count=31).wait(300).kinds() == ["missing_card"]


def test_a_count_entered_by_mistake_is_taken_back() -> None:
    """Undo: the finding goes with its ground."""
    felt = dealt().enter("stub_count", count=3).wait(200).enter("undo").wait(200)
    assert {d["why"] for d in felt.of("cleared")} == {"withdrawn"}


def test_a_stub_that_cannot_finish_the_hand_is_short() -> None:
    """Five-card Omaha at ten seats: 50 cards are out, two are left, eight are needed."""
    felt = Felt(10, game="omaha5", book="nl").deal_all(5).wait(500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["count"], found["need"]) == ("stub_short", 2, 8)


def test_a_stub_that_just_suffices_is_not_short() -> None:
    """Eight seats: 40 cards are out, twelve are left."""
    assert Felt(8, game="omaha5", book="nl").deal_all(5).wait(500).kinds() == []


@pytest.mark.parametrize(("count", "kinds"), [(4, []), (3, ["stub_short"])])
def test_a_counted_stub_is_held_against_what_is_still_to_come(count: int, kinds: list[str]) -> None:
    """After the flop of a short deck turn and river need four cards; which cards are missing is another matter."""
    felt = dealt().call_round().flop().enter("stub_count", count=count).wait(500)
    assert [kind for kind in felt.kinds() if kind != "missing_card"] == kinds


def seven_handed() -> StudFelt:
    """Seven-card stud, seven players, none of whom folds: after sixth street 45 cards are out, seven are left."""
    seats = range(1, 8)
    felt = StudFelt(seats=7).opening(seats)
    for name in ("fourth", "fifth", "sixth"):
        felt.all_check(seats).street_to(name, seats)
    return felt


def test_in_stud_every_seat_that_is_in_needs_a_card_of_the_next_street() -> None:
    """Seventh street needs a burn and seven cards; told once the betting is over, for until then a seat may fold."""
    felt = seven_handed().all_check(range(1, 7))
    assert felt.kinds() == []
    felt.all_check([7])
    [found] = felt.of("irregularity")
    assert (found["kind"], found["count"], found["need"]) == ("stub_short", 7, 8)


def test_in_stud_a_fold_leaves_enough() -> None:
    """The same, and one of them folds on sixth street: a burn and six cards; the street is dealt, nothing is short."""
    felt = seven_handed().acts((1, "fold")).all_check(range(2, 8)).street_to("seventh", range(2, 8))
    assert felt.all_check(range(2, 8)).wait(1500).kinds() == []


def test_in_stud_the_streets_after_the_next_one_need_two_cards_and_a_burn() -> None:
    """Eight players after fifth street: 42 are out, sixth street takes nine, the one card left is no seventh street."""
    seats = range(1, 9)
    felt = StudFelt(seats=8).opening(seats)
    for name in ("fourth", "fifth"):
        felt.all_check(seats).street_to(name, seats)
    assert felt.kinds() == []
    [found] = felt.all_check(seats).of("irregularity")
    assert (found["kind"], found["count"], found["need"]) == ("stub_short", 10, 12)


@pytest.mark.parametrize(("count", "kinds"), [(8, []), (7, ["stub_short"])])
def test_in_stud_a_counted_stub_is_held_against_the_next_street(count: int, kinds: list[str]) -> None:
    """Five-card stud, seven players, fourth street dealt: fifth needs a burn and seven cards."""
    seats = range(1, 8)
    felt = StudFelt("stud5", seats=7).opening(seats)
    for name in ("third", "fourth"):
        felt.all_check(seats).street_to(name, seats)
    felt.all_check(seats).enter("stub_count", count=count).wait(500)
    assert [kind for kind in felt.kinds() if kind != "missing_card"] == kinds


def test_a_stub_that_ends_in_mid_street_is_short_where_no_betting_is_entered() -> None:
    """Nobody knows who folds; the burn and the first card of seventh street show that seven are due, and five left."""
    seats = range(1, 8)
    felt = StudFelt(seats=7, betting="none").opening(seats)
    for name in ("fourth", "fifth", "sixth"):
        felt.wait(3000).street_to(name, seats)
    assert felt.wait(3000).kinds() == []
    felt.street_to("seventh", [1]).wait(500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["count"], found["need"]) == ("stub_short", 5, 6)
