"""Cards that are not what they should be, or not where: foreign ones, copies, lost ones, and those only taken up."""

from __future__ import annotations

from felt import DECK_WITH_TWIN, RED, TWIN, Felt, uid


def test_a_player_who_looks_at_his_cards_takes_nothing_away() -> None:
    """Both cards are lifted for 3 s and put back."""
    felt = Felt()
    felt.deal_all()
    cards = felt.at(3)
    for card in cards:
        felt.put(card, None)
    felt.wait(3000)
    for card in cards:
        felt.put(card, 3)
    felt.wait(1500)
    assert felt.kinds() == []


def test_all_players_holding_their_cards_in_the_air_do_not_end_the_hand() -> None:
    """Heads-up, both lift their cards for 5 s before the flop."""
    felt = Felt(2).enter("button", seat=1)
    felt.deal_round([2, 1, 2, 1])
    lying = dict(felt.lying)
    felt.lying.clear()
    felt.wait(5000)
    felt.lying.update(lying)
    felt.wait(1000).acts((1, "call"), (2, "check")).flop()
    assert felt.kinds() == []
    assert len(felt.of("hand")) == 1


def test_foreign_card_of_another_deck() -> None:
    """A card of the red deck at seat 3 is foreign; a red card equal to a blue one is no duplicate."""
    felt = Felt()
    felt.deal_round([1, 2])
    felt.stub.insert(0, next(iter(RED.cards)))
    felt.deal(3)
    felt.wait(500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["k"]) == ("foreign_card", 3, 3)


def test_a_tag_of_no_deck_that_lies_there_before_the_hand_is_nobodys_card() -> None:
    """A hotel key on the felt, from before the first card, accuses nobody."""
    felt = Felt()
    felt.put("E004DEADBEEF0001", 4)
    felt.wait(3000).deal_all().wait(1500)
    assert felt.kinds() == []


def test_an_unknown_uid_read_once_is_noise() -> None:
    """A shifted UID is read a single time."""
    felt = Felt()
    felt.deal_round([1, 2])
    felt.put("E004DEADBEEF0002", 4)
    felt.wait(50)
    felt.put("E004DEADBEEF0002", None)
    felt.wait(1000).deal_round([3, 4, 5, 6]).wait(1500)
    assert felt.kinds() == []


def test_joker() -> None:
    """A joker of this deck is dealt to seat 3."""
    felt = Felt()
    felt.deal_round([1, 2])
    felt.stub.insert(0, uid(100))
    felt.deal(3)
    felt.wait(500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["k"]) == ("joker", 3, 3)


def test_duplicate_card() -> None:
    """Two tags with the same token in one hand, the second at seat 5."""
    felt = Felt(deck=DECK_WITH_TWIN)
    felt.deal_round([1, 2, 3, 4])
    felt.stub.insert(0, TWIN)
    felt.deal(5)
    felt.wait(500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["k"]) == ("duplicate_card", 5, 5)


def test_card_lost_on_its_way() -> None:
    """The card for seat 3 falls off the table; the next card shows at the mouth of the shoe."""
    felt = Felt()
    felt.deal_round([1, 2])
    lost = felt.stub.pop(0)
    assert lost
    felt.wait(10_000)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["expected"], found["k"]) == ("card_lost", 3, 3)


def test_a_card_held_in_the_air_on_its_way_is_not_lost_yet() -> None:
    """It reaches the seat after 2 s."""
    felt = Felt()
    felt.deal_round([1, 2])
    card = felt.stub.pop(0)
    felt.wait(2000)
    felt.put(card, 3)
    felt.wait(1000).deal_round([4, 5, 6]).wait(1500)
    assert felt.kinds() == []


def test_one_card_of_a_hand_falls_down() -> None:
    """One of seat 4's cards is gone for long while the other lies there."""
    felt = Felt()
    felt.deal_all()
    felt.put(felt.at(4)[0], None)
    felt.wait(5000)
    assert felt.kinds() == []
    felt.wait(10_000)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["expected"]) == ("card_lost", 4)


def test_card_in_another_hand() -> None:
    """A card of seat 2 ends up with seat 3."""
    felt = Felt()
    felt.deal_all()
    felt.put(felt.at(2)[0], 3)
    felt.wait(2500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["expected"]) == ("card_in_other_hand", 3, 2)
