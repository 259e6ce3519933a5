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


def sixth_street(seats: int, *folds: int) -> StudFelt:
    """Seven-card stud to the end of sixth street, where these fold; silent until that street is dealt."""
    everybody = list(range(1, seats + 1))
    felt = StudFelt(seats=seats).opening(everybody).all_check(everybody)
    for name in ("fourth", "fifth"):
        felt.street_to(name, everybody).wait(1500).all_check(everybody)
    assert felt.wait(500).kinds() == []
    felt.street_to("sixth", everybody).wait(1500)
    felt.acts(*((seat, "fold") for seat in folds)).all_check([s for s in everybody if s not in folds])
    return felt.wait(500)


@pytest.mark.parametrize(
    ("seats", "folds", "short"), [(7, (), [(7, 8)]), (7, (7,), []), (6, (), []), (8, (), [(2, 3)])]
)
def test_in_stud_the_last_street_needs_a_card_for_each_seat_that_is_in(
    seats: int, folds: tuple[int, ...], short: list[tuple[int, int]]
) -> None:
    """RP-10H. Seven players: 21 cards and three times 8 are out, 7 left for a burn and seven seats; with a fold enough.

    The last street's need is known once the betting before it is over, for a player may still fold. Eight players:
    with two cards left while sixth street is still dealt, no showdown is possible: it takes a burn and two seats.
    """
    felt = sixth_street(seats, *folds)
    assert set(felt.kinds()) == ({"stub_short"} if short else set())
    assert [(d["count"], d["need"]) for d in felt.of("irregularity")] == short
