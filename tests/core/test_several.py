"""More than one irregularity in a hand, one during the remedy of another, rulings that the floor revises, redeals."""

from __future__ import annotations

import pytest
from felt import DECK_WITH_TWIN, TWIN, Felt, uid

from tablectl.rulebooks import known


def exposed_at(seat: int, **options: object) -> Felt:
    """A Dutch table where the first card of that seat lies open."""
    felt = Felt(book="nl", **options).deal_round(range(1, seat + 1))  # type: ignore[arg-type]
    return felt.enter("exposed", seat=seat, by="dealer").wait(200)


def of(felt: Felt, irregularity: str) -> list[tuple[str | None, str]]:
    """(rule, verdict) of every ruling on one irregularity."""
    return [(d["rule"], d["verdict"]) for d in felt.of("ruling") if d["irregularity"] == irregularity]


# --- several at once ----------------------------------------------------------------------------------------


def test_two_slips_that_are_no_misdeal_are_ruled_each_by_itself() -> None:
    """After two actions seat 3 is found with three cards (dead), and the flop has four (scrambled): both are done."""
    felt = Felt(book="pl").deal_all()
    felt.deal(3)
    felt.wait(500).acts((3, "call"))
    felt.move(3, "muck").wait(1500).acts((4, "call"), (5, "call"), (6, "call"), (1, "call"), (2, "check"))
    felt.flop(4)
    assert felt.kinds() == ["too_many_cards", "too_many_board_cards"]
    assert of(felt, "i1")[-1] == ("PL-07.4.e", "dead")
    assert of(felt, "i2")[-1] == ("PL-07.6.1.a", "correct")
    felt.put(felt.at("board")[1], "burn")
    felt.wait(1200).call_round().street(burn=False).call_round()
    assert [d["irregularity"] for d in felt.of("remedy") if d["event"] == "complete"] == ["i1", "i2"]
    assert "remedy_not_followed" not in felt.kinds()


def test_a_misdeal_governs_and_the_other_stays_listed() -> None:
    """A card to the wrong first seat, and a duplicate later: PL voids the hand, and only that is ruled from then on."""
    felt = Felt(book="pl", deck=DECK_WITH_TWIN)
    felt.deal(2)
    felt.wait(800).deal_round([3])
    felt.stub.insert(0, TWIN)
    felt.deal(4)
    felt.wait(1000)
    assert felt.kinds() == ["wrong_first_seat", "duplicate_card"]
    assert felt.rulings() == [("PL-07.1.a", "misdeal"), ("PL-07.2.a", "void")]
    listed = {i["kind"] for i in felt.table.view()["irregularities"]}
    assert listed == {"wrong_first_seat", "duplicate_card"}


def test_a_misdeal_that_was_corrected_governs_no_more() -> None:
    """The first card lay at seat 2 long enough to be told, was put right in time, and a later slip is found."""
    felt = Felt(book="pl")
    card = felt.deal(2, wait=900)
    assert felt.rulings() == [("PL-07.1.a", "misdeal")]
    felt.put(card, 1)
    felt.wait(1500)
    assert [d["why"] for d in felt.of("cleared")] == ["corrected"]
    felt.deal_round([2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]).wait(500).call_round().flop(4)
    assert felt.kinds() == ["wrong_first_seat", "too_many_board_cards"]


# --- during a remedy ----------------------------------------------------------------------------------------


def test_a_second_exposed_card_while_the_first_is_being_put_right() -> None:
    """H1 is under way (the card lies on the deck); another one falls open: M5 misdeal, and collecting is no fault."""
    felt = exposed_at(5)
    shown = felt.at(5)[0]
    felt.put(shown, None)
    felt.wait(3500)
    assert [d["event"] for d in felt.of("remedy")][:1] == ["started"]
    felt.deal_round([6, 1]).enter("exposed", seat=1, by="dealer").wait(300)
    assert felt.rulings()[-1] == ("NL-M5", "misdeal")
    felt.collect().enter("shuffle_done").enter("cut_done").deal_all().wait(1000)
    assert felt.kinds() == ["exposed_card", "exposed_card"]
    assert felt.of("remedy")[-1]["event"] == "complete"


def test_a_duplicate_on_the_flop_that_was_dealt_again() -> None:
    """H2: the flop of four is shuffled in; of the new one a card is a double: M7, whatever was under way."""
    felt = Felt(book="nl", deck=DECK_WITH_TWIN).deal_all().call_round().flop(4)
    felt.into_stub(felt.at("board"), at=20)
    felt.stub.insert(0, TWIN)
    felt.flop(burn=False)
    assert felt.rulings()[-1] == ("NL-M7", "misdeal")
    assert felt.kinds() == ["too_many_board_cards", "duplicate_card"]


def test_a_four_card_flop_after_an_exposed_card() -> None:
    """H1 ends with the flop, which has one card too many: H2b, and its own remedy to the end."""
    felt = exposed_at(5)
    shown = felt.at(5)[0]
    felt.deal_round([6, 1, 2, 3, 4, 5, 6]).wait(500)
    felt.deal(5, wait=1500)
    felt.put(shown, "burn")
    felt.wait(1500).call_round().flop(4, burn=False)
    assert felt.kinds() == ["exposed_card", "too_many_board_cards"]
    assert felt.rulings()[-1] == ("NL-H2b", "correct")
    felt.into_stub(felt.at("board"), at=10).flop(burn=False)
    felt.call_round().street().call_round().street().call_round().wait(500)
    assert felt.kinds() == ["exposed_card", "too_many_board_cards"]
    assert [d["irregularity"] for d in felt.of("remedy") if d["event"] == "complete"] == ["i1", "i2"]
    assert felt.of("cleared") == []


def test_a_premature_flop_while_an_exposed_card_waits_for_its_burn() -> None:
    """It is told as what it is, not as a remedy that was left."""
    felt = exposed_at(5)
    shown = felt.at(5)[0]
    felt.deal_round([6, 1, 2, 3, 4, 5, 6]).wait(500)
    felt.deal(5, wait=1500)
    felt.put(shown, "burn")
    felt.wait(1500).acts((3, "call")).flop(burn=False)
    assert felt.kinds() == ["exposed_card", "premature_card"]
    assert felt.rulings()[-1] == ("NL-H2a", "correct")


# --- the floor's word ---------------------------------------------------------------------------------------


def overrule(felt: Felt, verdict: str, irregularity: str = "i1", who: str = "Floor 2") -> dict[str, object]:
    """The floor says so; the ruling that comes of it."""
    felt.enter("override", irregularity=irregularity, verdict=verdict, why=f"because {verdict}", who=who)
    return felt.of("ruling")[-1]


def test_the_floor_turns_a_misdeal_into_play_on() -> None:
    """The hand is judged again as a hand: what comes later is found and ruled."""
    felt = Felt(book="pl")
    felt.deal(2)
    felt.wait(800)
    ruling = overrule(felt, "play_on")
    assert (ruling["verdict"], ruling["why"], ruling["who"]) == ("play_on", "because play_on", "Floor 2")
    felt.deal_round([3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1]).wait(1000).call_round().flop(4)
    assert felt.kinds() == ["wrong_first_seat", "too_many_board_cards"]
    assert of(felt, "i2")[-1] == ("PL-07.6.1.a", "correct")
    assert of(felt, "i1") == [("PL-07.1.a", "misdeal"), (None, "play_on")]


def test_the_floor_declares_a_misdeal_and_the_cards_are_dealt_again() -> None:
    """PL-07.1.0c: the list is open. The redeal from the same seat ends the floor's remedy."""
    felt = Felt(book="pl").deal_round([1, 2, 3]).enter("exposed", seat=3, by="dealer").wait(200)
    assert felt.rulings()[-1] == (None, "floor")
    ruling = overrule(felt, "misdeal")
    assert [step["do"] for step in ruling["steps"]] == ["collect", "return_bets", "shuffle", "cut", "redeal"]  # type: ignore[attr-defined]
    assert (ruling["bets"], ruling["steps"][-1]["first"]) == ("returned", 1)  # type: ignore[index]
    felt.collect().enter("shuffle_done").deal_all().wait(1000)
    assert felt.of("remedy")[-1]["event"] == "complete"
    assert felt.kinds() == ["exposed_card"]


def test_a_ruling_of_the_floor_is_revised_by_the_floor() -> None:
    """Another supervisor sees it otherwise; both are on record with their reasons."""
    felt = Felt(book="pl").deal_all()
    felt.deal(3)
    felt.wait(500)
    first, second = overrule(felt, "play_on"), overrule(felt, "dead", who="Director")
    assert (first["who"], second["who"], second["why"]) == ("Floor 2", "Director", "because dead")
    assert (second["seats"], second["steps"]) == ([3], [{"do": "kill", "seat": 3}])
    felt.move(3, "muck").wait(5000)
    assert felt.of("remedy")[-1]["event"] == "complete"
    assert felt.kinds() == ["too_many_cards"]


def test_the_floor_revises_a_ruling_whose_remedy_has_begun() -> None:
    """The flop of four is being scrambled when the floor lets it stand: what follows is no violation."""
    felt = Felt(book="pl").deal_all().call_round().flop(4).enter("step_done")
    overrule(felt, "play_on")
    felt.call_round().street().call_round().street().call_round().wait(1000)
    assert felt.kinds() == ["too_many_board_cards"]


def test_the_word_of_the_floor_stands_whatever_is_entered_then() -> None:
    """Actions that would have changed the book's ruling change nothing."""
    felt = Felt(book="pl")
    felt.deal(2)
    felt.wait(800)
    overrule(felt, "correct")
    felt.deal_round([3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1]).wait(500).acts((3, "raise"), (4, "call"))
    assert felt.rulings()[-1] == (None, "correct")


# --- the redeal ---------------------------------------------------------------------------------------------


SOON, LATE = 800, 30_000
"""The cards are collected at once, or after the floor was there, ms."""


def voided(book: str, wait: int = SOON) -> Felt:
    """A deal that the book calls a misdeal, and the cards collected: card 1 shows, or went to the wrong seat."""
    felt = Felt(book=book)
    if book in ("it", "ru"):
        felt.deal(1)
        felt.enter("exposed", seat=1, by="dealer")
    else:
        felt.deal(2)
    felt.wait(wait)
    assert felt.rulings()[-1][1] == "misdeal"
    return felt.collect().enter("shuffle_done").enter("cut_done")


@pytest.mark.parametrize("wait", [SOON, LATE])
@pytest.mark.parametrize("book", known())
def test_a_redeal_starts_at_the_same_seat(book: str, wait: int) -> None:
    """Same button, same first seat: silent, and the remedy is complete; however long the floor took to come."""
    felt = voided(book, wait)
    slip = felt.kinds()
    felt.deal_round([1, 2, 3, 4, 5, 6] * 2).wait(1000)
    assert felt.kinds() == slip
    assert felt.of("remedy")[-1]["event"] == "complete"
    assert [d["button"] for d in felt.of("hand") if d["event"] == "start"] == [6, 6]


@pytest.mark.parametrize("wait", [SOON, LATE])
@pytest.mark.parametrize("book", known())
def test_a_redeal_that_starts_elsewhere_is_a_wrong_first_seat(book: str, wait: int) -> None:
    """The second attempt begins at seat 3."""
    felt = voided(book, wait)
    felt.deal(3)
    felt.wait(1000)
    again = felt.of("irregularity")[-1]
    assert (again["kind"], again["seat"], again["expected"]) == ("wrong_first_seat", 3, 1)


@pytest.mark.parametrize("cards", [1, 12])
def test_a_hand_that_is_played_out_in_spite_of_a_misdeal_moves_the_button(cards: int) -> None:
    """The dealer deals on for longer than it takes to hear the alarm: the next hand is another one."""
    felt = Felt(book="nl")
    felt.deal(2)
    felt.wait(8000).deal_round([3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1][:cards]).wait(LATE).collect()
    felt.deal_round([2, 3]).wait(1000)
    assert felt.kinds() == ["wrong_first_seat"]
    assert [d["button"] for d in felt.of("hand") if d["event"] == "start"] == [6, 1]


def test_a_redeal_with_a_moved_button_is_told() -> None:
    """The button moved to seat 1, and the deal with it."""
    felt = Felt(book="pl")
    felt.deal(2)
    felt.wait(800).collect().enter("button", seat=1).deal_round([2, 3]).wait(1000)
    assert felt.kinds() == ["wrong_first_seat", "button_misplaced"]


def test_after_a_redeal_the_button_moves_on_as_ever() -> None:
    """The hand after it begins one seat further."""
    felt = Felt(book="pl")
    felt.deal(2)
    felt.wait(800).collect().enter("shuffle_done").deal_all().call_round().flop().call_round().street()
    felt.call_round().street().call_round().enter("hand_end").collect()
    felt.deal_round([2, 3]).wait(1000)
    assert felt.kinds() == ["wrong_first_seat"]
    assert [d["button"] for d in felt.of("hand") if d["event"] == "start"] == [6, 6, 1]


def test_jokers_of_the_deck_are_replaced_at_once_or_after_the_deal() -> None:
    """NL R-04: it is taken away and the next card goes to the same seat; nothing is out of order."""
    felt = Felt(book="nl").deal_round([1, 2])
    felt.stub.insert(0, uid(100))
    joker = felt.deal(3, wait=1200)
    felt.put(joker, "muck")
    felt.wait(800).deal_round([3, 4, 5, 6, 1, 2, 3, 4, 5, 6]).wait(1500)
    assert felt.kinds() == ["joker"]
    assert felt.of("remedy")[-1]["event"] == "complete"
    later = Felt(book="nl").deal_round([1, 2])
    later.stub.insert(0, uid(100))
    joker = later.deal(3)
    later.deal_round([4, 5, 6, 1, 2, 3, 4, 5, 6]).wait(500).put(joker, "muck")
    later.wait(800).deal(3)
    later.wait(1500)
    assert later.kinds() == ["joker"]
    assert later.of("remedy")[-1]["event"] == "complete"
