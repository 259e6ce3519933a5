"""The optical sensor at the mouth of the shoe: cards that lie face up in the deck, and cards without a tag."""

from __future__ import annotations

import pytest
from felt import Felt


def felt(**options: object) -> Felt:
    """A table with the sensor."""
    return Felt(optical=True, **options).wait(600)  # type: ignore[arg-type]


def test_a_correct_hand_passes_in_silence() -> None:
    """Every card goes by face down, from the deal to the river."""
    table = felt().deal_all().call_round().flop().call_round().street().call_round().street().call_round()
    assert table.kinds() == []
    assert table.of("suspicion") == []


@pytest.mark.parametrize(("before", "k"), [(0, 1), (1, 2), (4, 5)])
def test_a_card_that_goes_by_face_up_is_boxed(before: int, k: int) -> None:
    """It is named by its place in the deck, and where it lies."""
    table = felt()
    order = [1, 2, 3, 4, 5, 6]
    table.deal_round(order[:before])
    table.deal(order[before], face="up")
    table.wait(600)
    [found] = table.of("irregularity")
    assert (found["kind"], found["k"], found["seat"]) == ("boxed_card", k, order[before])


def test_a_face_that_the_sensor_cannot_tell_is_no_boxed_card() -> None:
    """Unknown is not up."""
    table = felt().deal_round([1, 2])
    table.deal(3, face=None)  # type: ignore[arg-type]
    assert table.wait(3000).kinds() == []


def test_a_boxed_board_card_is_told_with_its_place() -> None:
    """The second card of the flop was face up in the deck."""
    table = felt().deal_all().call_round()
    table.deal("burn")
    table.deal("board", wait=200)
    table.deal("board", wait=200, face="up")
    table.deal("board", wait=200)
    [found] = table.wait(1500).of("irregularity")
    assert (found["kind"], found["k"], found["zone"]) == ("boxed_card", 15, "board")


@pytest.mark.parametrize("place", range(12))
def test_a_card_without_a_tag_in_the_deal(place: int) -> None:
    """Any card of the deal: one finding, no seat skipped, none short; the later cards keep their true numbers."""
    table = Felt(optical=True).strip(place).wait(600)
    table.deal_all().wait(4000).call_round().flop().wait(1500)
    [found] = table.of("irregularity")
    assert (found["kind"], found["k"]) == ("untagged_card", place + 1)
    assert found.get("seat") in {None, place % 6 + 1}
    assert [d["k"] for d in table.of("deal")] == [k for k in range(1, 17) if k != place + 1]


def test_the_seat_of_a_card_without_a_tag_follows_from_the_order() -> None:
    """The third card went to seat 3: those before and after it lie at seats 2 and 4."""
    table = felt().strip(2).deal_all().wait(4000)
    [found] = table.of("irregularity")
    assert found["seat"] == 3


@pytest.mark.parametrize(("place", "k"), [(12, 13), (13, 14), (15, 16), (16, 17), (17, 18)])
def test_a_board_or_burn_card_without_a_tag(place: int, k: int) -> None:
    """It is there, so neither a burn nor a board card is missing."""
    table = Felt(optical=True).strip(place).deal_all().call_round()
    table.flop().wait(3000).call_round().street().wait(3000)
    [found] = table.of("irregularity")
    assert (found["kind"], found["k"]) == ("untagged_card", k)


def test_a_tag_that_only_the_shoe_missed_is_there() -> None:
    """The mouth of the shoe reads nothing of the card; seat 3 does, two seconds later."""
    table = felt().deal_round([1, 2])
    card = table.stub.pop(0)
    table.t += 100
    table.stub.insert(0, "")
    table.passes().wait(400)
    table.stub.pop(0)
    table.wait(1600).put(card, 3)
    table.wait(1000).deal_round([4, 5, 6]).wait(4000)
    assert table.kinds() == []


def test_while_the_shoe_cannot_be_read_nobody_is_accused_of_a_missing_tag() -> None:
    """The sensor works, the antenna beside it does not."""
    table = felt(apart=["shoe"]).deal_round([1, 2])
    table.lose_reader(1).strip()
    table.deal_round([3, 4, 5, 6]).wait(5000)
    assert "untagged_card" not in table.kinds()


def test_reports_that_were_lost_or_doubled_accuse_nobody() -> None:
    """No report of the cards to seats 2 and 5, two of the card to seat 3."""
    table = felt().deal_round([1])
    table.optical = False
    table.deal(2)
    table.optical = True
    table.deal(3, wait=50)
    table.t -= 40
    table.passes()
    table.t += 40
    table.wait(400).deal_round([4])
    table.optical = False
    table.deal(5)
    table.optical = True
    table.deal_round([6, 1, 2, 3, 4, 5, 6]).wait(5000)
    assert table.kinds() == []


def test_cards_that_go_by_between_hands_belong_to_none() -> None:
    """The dealer empties the shoe after the hand: no tag of these is ever dealt."""
    table = felt().deal_all().acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold"))
    for _ in range(5):
        table.wait(200).passes()
    table.collect().deal_all().wait(4000)
    assert table.kinds() == []


def test_what_needs_the_sensor_is_off_until_it_reports() -> None:
    """The view says so, at a table without one and at one whose sensor has not seen a card yet."""
    needs = {"boxed_card", "untagged_card"}
    assert needs <= set(Felt().deal_all().table.view()["checks_off"])
    table = felt()
    assert needs <= set(table.table.view()["checks_off"])
    assert not needs & set(table.deal_all().table.view()["checks_off"])
