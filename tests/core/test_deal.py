"""The deal: who gets which card in which order, and the near-misses that must stay silent."""

from __future__ import annotations

import pytest
from felt import Felt


def test_a_correct_hand_raises_nothing_and_every_card_is_told_in_order() -> None:
    """A clean hand to the showdown: no suspicion, 20 cards in order, start and end of the hand."""
    felt = Felt()
    felt.deal_all().call_round().flop().call_round().street().call_round().street().call_round()
    felt.enter("showdown").wait(1000).collect()
    assert felt.of("suspicion") == []
    assert felt.kinds() == []
    order = ["seat:1", "seat:2", "seat:3", "seat:4", "seat:5", "seat:6"] * 2
    board = ["burn", "board", "board", "board", "burn", "board", "burn", "board"]
    assert [(d["k"], d["zone"]) for d in felt.of("deal")] == list(enumerate(order + board, 1))
    start, end = felt.of("hand")
    assert (start["event"], start["hand"], start["button"]) == ("start", 1, 6)
    assert end["event"] == "end"
    assert end["counts"] == {"board": 5, "burn": 3, **{f"seat:{n}": 2 for n in range(1, 7)}}
    assert end["sequence"] == [[k, zone] for k, zone in enumerate(order + board, 1)]


def test_the_next_hand_is_recognised_by_its_cards_and_the_button_moves_on() -> None:
    """After the cards are collected the next card to the seat left of the moved button is no irregularity."""
    felt = Felt()
    felt.deal_all()
    felt.acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold"))
    felt.move(2, "muck").wait(1500).collect()
    felt.deal_round([2, 3, 4, 5, 6, 1]).deal_round([2, 3, 4, 5, 6, 1])
    assert felt.kinds() == []
    assert [d["button"] for d in felt.of("hand") if d["event"] == "start"] == [6, 1]


def test_heads_up_the_big_blind_gets_the_first_card() -> None:
    """Two seats, button 1: 2, 1, 2, 1 is right (TDA 34-B), and 1 first is wrong."""
    felt = Felt(2).enter("button", seat=1)
    felt.deal_round([2, 1, 2, 1]).wait(1500)
    assert felt.kinds() == []
    wrong = Felt(2).enter("button", seat=1)
    wrong.deal(1)
    wrong.wait(1000)
    assert wrong.kinds() == ["wrong_first_seat"]


def test_wrong_first_seat() -> None:
    """The first card goes to seat 2 instead of 1: one irregularity, however the deal goes on."""
    felt = Felt()
    felt.deal_round([2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1]).wait(1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["expected"], found["k"]) == ("wrong_first_seat", 2, 1, 1)


def test_wrong_seat_further_on_is_confirmed_before_the_next_card() -> None:
    """The third card goes to seat 6 instead of 3; the deal goes on with seat 4."""
    felt = Felt()
    felt.deal_round([1, 2]).deal(6)
    felt.wait(200)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["expected"], found["k"]) == ("wrong_seat", 6, 3, 3)
    felt.deal_round([4, 5, 6, 1, 2, 3, 4, 5]).wait(2000)
    assert len(felt.of("irregularity")) == 1


def test_wrong_seat_to_the_next_seat_is_told_from_a_skip_by_the_next_card() -> None:
    """Seat 4 gets the card of seat 3; when the next card goes to 4, it was a wrong seat."""
    felt = Felt()
    felt.deal_round([1, 2, 4])
    assert felt.kinds() == []
    felt.deal_round([4, 5, 6]).wait(500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["expected"], found["k"]) == ("wrong_seat", 4, 3, 3)


def test_seat_skipped() -> None:
    """Seat 3 is passed over and the later seats get theirs in the right order."""
    felt = Felt()
    felt.deal_round([1, 2, 4, 5, 6, 1, 2, 3, 4, 5, 6]).wait(2000)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["expected"], found["seat"], found["k"]) == ("seat_skipped", 3, 4, 3)


def test_a_dealer_who_stops_after_a_wrong_card_is_told_so() -> None:
    """Nobody deals on: after a second the card at seat 4 is at the wrong seat."""
    felt = Felt()
    felt.deal_round([1, 2, 4]).wait(1500)
    assert felt.kinds() == ["wrong_seat"]


def test_a_card_put_right_in_time_is_corrected() -> None:
    """The card lies at seat 5 for 700 ms, then goes to seat 3 where it belonged, before the next card."""
    felt = Felt()
    felt.deal_round([1, 2])
    card = felt.deal(5, wait=700)
    felt.put(card, 3)
    felt.wait(800)
    felt.deal_round([4, 5, 6, 1, 2, 3, 4, 5, 6]).wait(2000)
    assert [d["why"] for d in felt.of("cleared")] == ["corrected"]
    assert {d["id"] for d in felt.of("irregularity")} <= {d["id"] for d in felt.of("cleared")}


def test_a_card_put_right_too_late_stays_irregular() -> None:
    """After 3 s it is not the dealer's own correction any more."""
    felt = Felt()
    felt.deal_round([1, 2])
    card = felt.deal(5, wait=3000)
    felt.put(card, 3)
    felt.wait(800)
    assert felt.kinds() == ["wrong_seat"]
    assert felt.of("cleared") == []


def test_a_card_put_right_after_the_next_card_left_stays_irregular() -> None:
    """A further card left the shoe: the order of the deck is no longer what it would have been."""
    felt = Felt()
    felt.deal_round([1, 2])
    card = felt.deal(5, wait=400)
    felt.deal(4, wait=400)
    felt.put(card, 3)
    felt.wait(2000)
    assert felt.kinds() == ["wrong_seat"]
    assert felt.of("cleared") == []


def test_ineligible_seat() -> None:
    """A card for a seat that does not play."""
    felt = Felt().enter("seats", eligible=[1, 2, 4, 5, 6])
    felt.deal_round([1, 2, 3]).wait(1200)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["expected"]) == ("ineligible_seat", 3, 4)


def test_a_seat_entered_late_withdraws_the_accusation() -> None:
    """The dealer had forgotten to enter the player in seat 3."""
    felt = Felt().enter("seats", eligible=[1, 2, 4, 5, 6])
    felt.deal_round([1, 2, 3]).wait(1200)
    felt.enter("seats", eligible=[1, 2, 3, 4, 5, 6])
    assert [d["why"] for d in felt.of("cleared")] == ["withdrawn"]
    felt.deal_round([4, 5, 6]).wait(1500)
    assert felt.kinds() == ["ineligible_seat"]


def test_an_absent_player_is_dealt_in() -> None:
    """A player who is away or penalised gets his cards (TDA 30): no irregularity."""
    felt = Felt().enter("absent", seat=3)
    felt.deal_all().wait(2000)
    assert felt.kinds() == []


def test_too_many_cards() -> None:
    """In the second round seat 2 gets two cards: its third is one too many, at once."""
    felt = Felt()
    felt.deal_round([1, 2, 3, 4, 5, 6, 1, 2, 2]).wait(200)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["count"], found["need"]) == ("too_many_cards", 2, 3, 2)
    felt.deal_round([3, 4, 5, 6]).wait(2000)
    assert len(felt.of("irregularity")) == 1


def test_an_extra_card_after_the_deal() -> None:
    """The deal is complete and the first seat gets one more (IT-2a)."""
    felt = Felt()
    felt.deal_all().deal(1)
    felt.wait(1000)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["k"], found["count"]) == ("too_many_cards", 1, 13, 3)


def test_two_stuck_cards_in_the_first_round_are_one_slip() -> None:
    """Seat 3 gets two cards at once and a third in the second round: the slip is told once."""
    felt = Felt()
    felt.deal_round([1, 2])
    felt.deal(3, wait=50)
    felt.deal(3)
    felt.deal_round([4, 5, 6, 1, 2, 3, 4, 5, 6]).wait(2000)
    assert len(felt.of("irregularity")) == 1


def test_too_few_cards() -> None:
    """The button's second card is forgotten; the dealer burns."""
    felt = Felt()
    felt.deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5]).wait(3000)
    assert felt.kinds() == []
    felt.deal("burn", wait=1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["count"], found["need"]) == ("too_few_cards", 6, 1, 2)


def test_a_pause_in_the_deal_is_no_irregularity() -> None:
    """The dealer stops for 5 s in mid-deal and goes on."""
    felt = Felt()
    felt.deal_round([1, 2, 3]).wait(5000).deal_round([4, 5, 6, 1, 2, 3, 4, 5, 6]).wait(1500)
    assert felt.kinds() == []
    assert felt.of("suspicion") == []


def test_a_card_that_slides_over_the_neighbour_is_no_irregularity() -> None:
    """The card for seat 3 is over seat 2 for 150 ms first."""
    felt = Felt()
    felt.deal_round([1, 2])
    card = felt.deal(2, wait=150)
    felt.put(card, 3)
    felt.wait(400).deal_round([4, 5, 6, 1, 2, 3, 4, 5, 6]).wait(1500)
    assert felt.kinds() == []
    assert [d["zone"] for d in felt.of("deal")][:4] == ["seat:1", "seat:2", "seat:3", "seat:4"]


def test_a_reader_that_is_lost_accuses_nobody() -> None:
    """The reader goes silent in mid-deal; two cards are dealt unseen; when it is back all is well."""
    felt = Felt()
    felt.deal_round([1, 2]).lose_reader()
    for seat in (3, 4):
        felt.put(felt.stub.pop(0), seat)
        felt.t += 500
    felt.find_reader()
    felt.wait(500).deal_round([5, 6, 1, 2, 3, 4, 5, 6]).wait(1500)
    assert felt.kinds() == []
    assert {d["zone"] for d in felt.of("degraded")} == {d["zone"] for d in felt.of("restored")}


def test_a_blind_antenna_suspends_its_own_seat_only() -> None:
    """Seat 3's antenna is not polled for a while: no skip is claimed for it; seat 6's error is found all the same."""
    felt = Felt()
    felt.blind.add("seat:3")
    felt.deal_round([1, 2])
    felt.stub.pop(0)
    felt.wait(400).deal_round([4, 5, 2]).wait(1500)
    assert [(d["kind"], d["seat"]) for d in felt.of("irregularity")] == [("wrong_seat", 2)]


def test_works_without_a_shoe_antenna() -> None:
    """Order and slips come from the seats alone."""
    felt = Felt(zones=("board", "burn", "muck"))
    felt.deal_all().wait(1500)
    assert felt.kinds() == []
    wrong = Felt(zones=("board", "burn", "muck"))
    wrong.deal_round([1, 2, 5]).wait(2500)
    assert wrong.kinds() == ["wrong_seat"]


def test_a_redeal_that_starts_at_another_seat() -> None:
    """After a misdeal the same seat gets the first card; another one is an irregularity of the redeal."""
    felt = Felt()
    felt.deal(3)
    felt.wait(1000)
    assert felt.kinds() == ["wrong_first_seat"]
    felt.collect().enter("shuffle_done").enter("cut_done")
    felt.deal_all().wait(1000)
    assert felt.kinds() == ["wrong_first_seat"]
    again = Felt()
    again.deal(3)
    again.wait(1000).collect()
    again.deal(2)
    again.wait(1000)
    assert again.kinds() == ["wrong_first_seat", "wrong_first_seat"]


def test_a_redeal_with_a_moved_button() -> None:
    """After a misdeal the button stays; without a misdeal it moves on as usual."""
    felt = Felt()
    felt.deal(3)
    felt.wait(1000).collect().enter("button", seat=1)
    felt.deal_all().wait(1000)
    assert felt.kinds() == ["wrong_first_seat", "button_misplaced"]
    found = felt.of("irregularity")[-1]
    assert (found["seat"], found["expected"]) == (1, 6)
    usual = Felt().deal_all()
    usual.call_round().flop().call_round().street().call_round().street().call_round().collect()
    usual.enter("button", seat=1).deal_all().wait(1000)
    assert usual.kinds() == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([1, 3, 2, 4, 5, 6], [1, 2, 3, 4, 5, 6]),
        ([1, 2, 3, 4, 5, 6], [1, 3, 2, 4, 5, 6]),
        ([1, 2, 5, 3, 4, 6], [1, 2, 3, 4, 5, 6]),
    ],
)
def test_two_seats_in_the_wrong_order_are_one_slip(first: list[int], second: list[int]) -> None:
    """A card goes too far, the seat passed over gets the next one, and all counts are right in the end."""
    felt = Felt().deal_round(first).deal_round(second).wait(2500)
    assert felt.kinds() == ["wrong_seat"]


def test_the_button_first_and_then_in_order_is_one_slip() -> None:
    """The first card goes to seat 6, which is then left out when its turn comes."""
    felt = Felt().deal_round([6, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6]).wait(2500)
    assert felt.kinds() == ["wrong_first_seat"]


def test_a_seat_passed_over_in_both_rounds_is_one_slip() -> None:
    """To the dealer seat 3 is not in the hand: the order without it explains everything."""
    felt = Felt().deal_round([1, 2, 4, 5, 6, 1, 2, 4, 5, 6]).wait(2500)
    assert [(d["kind"], d["expected"]) for d in felt.of("irregularity")] == [("seat_skipped", 3)]
    assert felt.rulings()[-1] == ("PL-07.1.c", "misdeal")
