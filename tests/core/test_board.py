"""The board, the burns and the muck: irregularities after the deal, and the near-misses that must stay silent."""

from __future__ import annotations

from typing import Any

import pytest
from felt import CYCLE_MS, Felt


def dealt(**options: object) -> Felt:
    """A table after a correct deal."""
    return Felt(**options).deal_all()  # type: ignore[arg-type]


def test_premature_flop_is_one_entry_with_a_count() -> None:
    """The flop comes while the betting before it is open."""
    felt = dealt().acts((3, "call")).flop()
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"], found["count"]) == ("premature_card", "flop", 3)


def test_premature_turn_and_river() -> None:
    """Each comes while the round before it is open; a river is never one card too many on the turn."""
    felt = dealt().call_round().flop().acts((1, "check")).street()
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"], found["count"]) == ("premature_card", "turn", 1)
    river = dealt().call_round().flop().call_round().street().acts((1, "check")).street()
    [found] = river.of("irregularity")
    assert (found["kind"], found["street"]) == ("premature_card", "river")


def test_a_board_card_in_mid_deal_is_premature() -> None:
    """Seven cards are still due."""
    felt = Felt().deal_round([1, 2, 3, 4, 5])
    felt.deal("board")
    felt.wait(1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"], found["count"]) == ("premature_card", "flop", 1)


def test_what_follows_a_card_that_was_left_on_the_board_is_no_slip() -> None:
    """The stray card stays, the deal goes on, and the flop comes with its burn: the turn is not premature."""
    felt = Felt().deal_round([1, 2, 3, 4, 5])
    felt.deal("board")
    felt.deal_round(
        [6, 1, 2, 3, 4, 5, 6]
    ).call_round().flop().call_round().street().call_round().street().wait(1500)
    assert set(felt.kinds()) <= {"premature_card", "remedy_not_followed"}
    assert [found["street"] for found in felt.of("irregularity") if found["kind"] == "premature_card"] == [
        "flop"
    ]


def test_rounds_mode_closes_streets_by_one_button() -> None:
    """`round_closed` before each street: silent; without it: premature; pressed twice: still one round."""
    felt = dealt(betting="rounds")
    felt.enter("round_closed").enter("round_closed").flop().enter("round_closed").street()
    felt.enter("round_closed").street().enter("round_closed")
    assert felt.kinds() == []
    early = dealt(betting="rounds").enter("round_closed").flop().street()
    assert early.kinds() == ["premature_card"]


def test_without_betting_nothing_is_premature() -> None:
    """`betting = "none"`: streets follow one another freely, burns are still checked."""
    felt = dealt(betting="none").flop().wait(5000).street().wait(5000).street()
    assert felt.kinds() == []
    bare = dealt(betting="none").flop().wait(5000).street(burn=False).wait(2000)
    assert bare.kinds() == ["burn_missing"]


def test_flop_of_four() -> None:
    """Four cards in one go, no burn after the third."""
    felt = dealt().call_round().flop(4)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"], found["count"], found["need"]) == (
        "too_many_board_cards",
        "flop",
        4,
        3,
    )


def test_two_cards_on_the_turn() -> None:
    """No burn between them."""
    felt = dealt().call_round().flop().call_round()
    felt.deal("burn")
    felt.deal("board", wait=100)
    felt.deal("board", wait=1000)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"], found["count"]) == ("too_many_board_cards", "turn", 2)


def test_flop_of_two() -> None:
    """Two cards, and the dealer burns for the turn."""
    felt = dealt().call_round().flop(2).wait(3000)
    assert felt.kinds() == []
    felt.call_round()
    felt.deal("burn", wait=1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"], found["count"], found["need"]) == (
        "too_few_board_cards",
        "flop",
        2,
        3,
    )


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_burn_missing(street: str) -> None:
    """The street comes without a burn."""
    felt = dealt().call_round().flop(burn=street != "flop")
    if street != "flop":
        felt.call_round().street(burn=street != "turn")
    if street == "river":
        felt.call_round().street(burn=False)
    felt.wait(1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"]) == ("burn_missing", street)


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_burn_extra(street: str) -> None:
    """Two burns before the street."""
    felt = dealt().call_round()
    for name in ("flop", "turn", "river"):
        if name == street:
            felt.deal("burn", wait=800)
        if name == "flop":
            felt.flop()
        else:
            felt.street()
        felt.call_round()
        if name == street:
            break
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"], found["count"], found["need"]) == ("burn_extra", street, 2, 1)


def test_a_burn_seen_late_is_no_missing_burn() -> None:
    """The burn lands badly and is read only after the flop lies there, but it left the shoe first."""
    felt = dealt().call_round()
    burn = felt.stub.pop(0)
    felt.wait(600)
    for _ in range(3):
        felt.deal("board", wait=100)
    felt.wait(1500)
    felt.put(burn, "burn")
    felt.wait(1000).call_round().street()
    assert felt.kinds() == []


def test_without_a_burn_antenna_burns_are_not_checked() -> None:
    """And it is said which checks are off."""
    felt = dealt(zones=("shoe", "board", "muck")).call_round()
    felt.stub.pop(0)
    felt.wait(600).flop(burn=False).wait(2000)
    assert "burn_missing" not in felt.kinds()
    assert {"burn_missing", "burn_extra"} <= set(felt.table.view()["checks_off"])


def test_one_board_antenna_per_street() -> None:
    """With `board:flop`, `board:turn` and `board:river` the place tells the street."""
    zones = ("shoe", "board:flop", "board:turn", "board:river", "burn", "muck")
    felt = dealt(zones=zones).call_round()
    felt.deal("burn")
    for _ in range(3):
        felt.deal("board:flop", wait=100)
    felt.wait(800).acts((1, "check"))
    felt.deal("burn")
    felt.deal("board:turn", wait=1000)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"]) == ("premature_card", "turn")


def test_a_hand_in_the_muck_without_a_fold() -> None:
    """The dealer pulls in seat 4's cards although nobody folded there."""
    felt = dealt().acts((3, "call"))
    felt.move(4, "muck").wait(1500)
    assert felt.kinds() == []
    felt.wait(3000)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["count"]) == ("hand_mucked", 4, 2)


def test_a_fold_entered_late_is_no_mucked_hand() -> None:
    """The cards are in the muck 2 s before the fold is entered."""
    felt = dealt().acts((3, "call"))
    felt.move(4, "muck").wait(2000).enter("action", seat=4, action="fold").wait(4000)
    assert felt.kinds() == []


def test_mucked_hands_need_actions() -> None:
    """With `rounds` a hand in the muck is a fold that nobody enters."""
    felt = dealt(betting="rounds").move(4, "muck").wait(6000)
    assert felt.kinds() == []
    assert "hand_mucked" in felt.table.view()["checks_off"]


def test_dealt_after_the_end() -> None:
    """All but one have folded; the dealer turns up the next cards all the same."""
    felt = dealt().acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold"))
    felt.flop(burn=False).wait(500)
    [found] = felt.of("irregularity")
    assert found["kind"] == "dealt_after_end"


def test_the_end_of_a_hand_by_folds_is_silent() -> None:
    """The winner's cards go to the muck and everything is collected."""
    felt = dealt().acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold"))
    felt.wait(1000).move(2, "muck").wait(4000).collect()
    assert felt.kinds() == []


def test_the_showdown_is_silent() -> None:
    """After the river the losers' cards go to the muck without a fold."""
    felt = dealt().call_round().flop().call_round().street().call_round().street().call_round()
    felt.enter("showdown").wait(500)
    for seat in (1, 2, 3, 5, 6):
        felt.move(seat, "muck").wait(4000)
    felt.collect()
    assert felt.kinds() == []


def test_folds_pushed_over_other_seats_are_silent() -> None:
    """Seat 3's cards pass over seats 2 and 1 on their way to the muck."""
    felt = dealt()
    cards = felt.at(3)
    felt.enter("action", seat=3, action="fold")
    for zone in (2, 1, "muck"):
        for card in cards:
            felt.put(card, zone)
        felt.wait(100)
    felt.wait(3000)
    assert felt.kinds() == []


def test_all_in_before_the_flop_opens_the_streets() -> None:
    """Nobody can act any more: the board runs out without a closed round being entered."""
    felt = dealt().acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"))
    felt.enter("action", seat=1, action="raise", all_in=True).enter(
        "action", seat=2, action="call", all_in=True
    )
    felt.flop().street().street().wait(500)
    assert felt.kinds() == []


def test_undo_of_an_action_makes_the_flop_premature_again() -> None:
    """The last action was entered by mistake and taken back."""
    felt = dealt().acts((3, "call"), (4, "call"), (5, "call"), (6, "call"), (1, "call"), (2, "check"))
    felt.enter("undo").flop()
    assert felt.kinds() == ["premature_card"]


def test_omaha_deals_four_cards_to_a_seat() -> None:
    """24 cards to six seats, then the same streets."""
    felt = Felt(game="omaha").deal_all(4).call_round().flop()
    assert felt.kinds() == []
    assert felt.table.view()["seats"][0]["cards"] == 4


def test_hole_cards_shown_across_the_table_are_no_board_cards() -> None:
    """At the showdown a player turns his cards over within reach of the board's antenna."""
    felt = dealt().call_round().flop().call_round().street().call_round().street().call_round()
    felt.enter("showdown").move(4, "board").wait(2000)
    assert felt.kinds() == []
    assert felt.table.view()["board"] == 5


class Shaded(Felt):
    """A felt on which some cards are read by other antennas than their own, and not at every look."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.heard: dict[str, dict[str, int]] = {}
        """Card → zone → it is read there at every so-manieth sweep; its own zone included."""

    def read_in(self, zone: str) -> list[tuple[str, int]]:
        """The cards that lie there and are read well, and those that this antenna hears now and then."""
        sweep = self.t // CYCLE_MS
        plain = [(card, dbm) for card, dbm in super().read_in(zone) if card not in self.heard]
        return plain + [
            (card, -44) for card, zones in self.heard.items() if zone in zones and sweep % zones[zone] == 0
        ]


def test_a_flop_card_that_the_burn_piles_antenna_reads_better_is_no_burn() -> None:
    """The middle card of the flop lies under another one: nothing is told, and the next streets are read right."""
    felt = Shaded().deal_all().call_round()
    felt.deal("burn")
    felt.deal("board")
    felt.heard[felt.stub[0]] = {"board": 13, "burn": 2}
    felt.deal("board")
    felt.deal("board")
    felt.wait(2000).call_round().street().call_round().street().call_round().wait(1000)
    assert felt.kinds() == []


def test_a_card_that_lies_well_on_the_burn_pile_in_mid_flop_is_told() -> None:
    """The near miss of the one above: burn, one card, another burn and the rest; the street's count is wrong."""
    felt = Felt().deal_all().call_round()
    felt.deal("burn")
    felt.deal("board")
    felt.deal("burn")
    felt.deal("board")
    felt.wait(4000)
    assert felt.kinds()
