"""A card that replaces another one: no slip of the deal, whatever happens at that seat before and after it."""

from __future__ import annotations

import pytest
from felt import Felt, uid

DEAL = (1, 2, 3, 4, 5, 6) * 2
BOOKS = ("nl", "it", "rrop")
"""The books that have an exposed hole card replaced after the deal and burned before the flop."""


def shown(book: str, k: int, **named: int) -> tuple[Felt, int, str]:
    """A complete deal of which the dealer exposed the k-th card; with the seat that got it, and the card."""
    felt = Felt(book=book).deal_round(DEAL[:k])
    seat = DEAL[k - 1]
    card = felt.at(seat)[-1]
    felt.enter("exposed", seat=seat, by="dealer", **named).wait(200).deal_round(DEAL[k:]).wait(1500)
    return felt, seat, card


def replaced(felt: Felt, seat: int, card: str, *, first: str = "replace") -> str:
    """The top card goes to the seat and the exposed one to the burns, in that order or the other way round."""
    if first == "burn":
        felt.put(card, "burn")
        felt.wait(1200)
    given = felt.deal(seat, wait=1500)
    felt.put(card, "burn")
    felt.wait(1500)
    return given


@pytest.mark.parametrize("first", ["replace", "burn"])
@pytest.mark.parametrize("k", [3, 6, 7, 12])
@pytest.mark.parametrize("book", BOOKS)
def test_the_replacement_of_an_exposed_card_is_no_slip(book: str, k: int, first: str) -> None:
    """Any card, of the first round or the second, named by its seat only: the hand is played out in silence."""
    felt, seat, card = shown(book, k)
    given = replaced(felt, seat, card, first=first)
    felt.call_round().flop(burn=False).call_round().street().call_round().street().call_round().wait(1000)
    assert (felt.kinds(), felt.of("suspicion")) == (["exposed_card"], [])
    assert [each["event"] for each in felt.of("remedy")][-1] == "complete"
    assert given in felt.at(seat)
    assert card not in felt.at(seat)


def test_the_exposed_card_stays_the_same_card_when_it_has_gone() -> None:
    """Named by its seat only, it is card 7 in every ruling and on the display, from its entry until it is burned."""
    felt, seat, card = shown("it", 7)
    assert [each["k"] for each in felt.table.view()["irregularities"]] == [7]
    replaced(felt, seat, card)
    assert [each["k"] for each in felt.table.view()["irregularities"]] == [7]
    burned = {step["card"] for each in felt.of("ruling") for step in each["steps"] if step["do"] == "to_burn"}
    assert burned == {7}


def test_a_second_card_exposed_at_the_same_seat_is_the_newer_one() -> None:
    """Cards 5 and 11 are both seat 5's: each entry means the one that was dealt last by then."""
    felt = Felt(book="nl").deal_round(DEAL[:5]).enter("exposed", seat=5, by="dealer").wait(200)
    felt.deal_round(DEAL[5:11]).enter("exposed", seat=5, by="dealer").wait(200).deal_round(DEAL[11:]).wait(
        1500
    )
    assert [each["k"] for each in felt.of("irregularity")] == [5, 11]


@pytest.mark.parametrize("when", ["before the burn", "after it", "after the flop"])
@pytest.mark.parametrize("book", BOOKS)
def test_one_card_more_for_that_seat_is_a_slip_of_its_own(book: str, when: str) -> None:
    """The near miss: the seat has its replacement and gets yet another card; that one is told, and it alone."""
    felt, seat, card = shown(book, 7)
    if when == "before the burn":
        felt.deal(seat, wait=1500)
    else:
        replaced(felt, seat, card)
    if when == "after the flop":
        felt.call_round().flop(burn=False)
    extra = felt.deal(seat, wait=1500)
    if when == "before the burn":
        felt.put(card, "burn")
        felt.wait(1500)
    [_, found] = felt.of("irregularity")
    hand = felt.table.hand
    assert hand is not None
    assert (found["kind"], found["seat"], found["k"]) == ("too_many_cards", seat, hand.cards[extra].k)


@pytest.mark.parametrize("later", [2000, 3000, 10_000])
@pytest.mark.parametrize("flop", ["without a flop", "after the flop"])
def test_an_extra_card_long_after_the_deal_is_confirmed(later: int, flop: str) -> None:
    """It comes off the deck seconds after the deal, or after the flop: not only suspected."""
    felt = Felt().deal_all().wait(later)
    if flop == "after the flop":
        felt.call_round().flop()
    felt.deal(1, wait=1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["count"]) == ("too_many_cards", 1, 3)


@pytest.mark.parametrize("pause", [300, 900, 1500, 4000])
@pytest.mark.parametrize("betting", ["rounds", "none"])
@pytest.mark.parametrize("book", ["nl", "tda2024"])
def test_a_hand_with_a_joker_that_is_given_up_needs_no_other_card(
    book: str, betting: str, pause: int
) -> None:
    """The joker was dealt on, and its player folds before anybody takes it out: the hand goes on in silence.

    With a short pause the remedy comes to its end while the flop is being dealt: that takes nothing from the flop.
    """
    felt = Felt(book=book, betting=betting)
    felt.stub.insert(1, uid(100))
    felt.deal_all().move(2, "muck").wait(pause)
    for street in (felt.flop, felt.street, felt.street):
        if betting == "rounds":
            felt.enter("round_closed")
        street()
        felt.wait(1500)
    assert felt.kinds() == ["joker"]


def test_a_hand_with_a_joker_that_stays_in_must_get_another_card() -> None:
    """The near miss: the joker goes to the muck, the player keeps the other card, and the dealer goes on."""
    felt = Felt(book="nl", betting="rounds")
    felt.stub.insert(1, uid(100))
    felt.deal_all()
    felt.put(uid(100), "muck")
    felt.wait(4000).enter("round_closed").flop().wait(1500)
    assert felt.kinds() == ["joker", "remedy_not_followed"]
