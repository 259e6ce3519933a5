"""The first card of a night, and what lies about when a hand is over: nobody is accused for it, and a slip is found."""

from __future__ import annotations

import pytest
from felt import CYCLE_MS, Felt

from tablectl.layout import SHOE


class NearShoe(Felt):
    """The shoe's antenna reads what lies at seat 1 as well, much more weakly; seat 1 is slow to be read."""

    SLOW_MS = 1050

    def read_in(self, zone: str) -> list[tuple[str, int]]:
        """Weakly at the shoe at once, and at the seat only once the second card has left."""
        if zone == SHOE:
            return [
                (card, -62) for card in self.at(1) if self.t <= self.SLOW_MS or self.t // CYCLE_MS % 3 == 0
            ]
        if zone == "seat:1" and self.t < self.SLOW_MS:
            return []
        return super().read_in(zone)


@pytest.mark.parametrize(("seats", "kinds"), [([1, 2, 3, 4, 5, 6], []), ([1, 2, 4], ["wrong_seat"])])
def test_the_first_card_of_a_night_is_read_at_the_shoe_from_where_it_lies(
    seats: list[int], kinds: list[str]
) -> None:
    """It is read weakly there while the second card is at the mouth and leaves: it left first all the same. A card for
    the wrong seat a moment later is found."""
    felt = NearShoe().wait(500)
    for seat in seats:
        felt.deal(seat, wait=200)
    felt.wait(2500)
    assert felt.kinds() == kinds
    assert [d["k"] for d in felt.of("deal") if d["zone"] == "seat:1"][:1] == [1]


def test_a_card_of_the_last_hand_flies_over_the_board_to_its_seat() -> None:
    """Four of six seats are away when a hand ends and the next is dealt. A card that lay at one of them comes from the
    shoe, is read on the board on its way, and begins the next hand: nothing is dealt after the end of the last one."""
    felt = Felt(apart=[f"seat:{seat}" for seat in (1, 2, 3, 4)]).deal_all().call_round()
    felt.wait(500).lose_reader(1).acts(*((seat, "fold") for seat in (1, 2, 3, 4, 5)))
    first = felt.dealt[0]
    felt.enter("hand_end").collect().enter("button", seat=4)
    felt.stub.remove(first)
    felt.stub.insert(0, first)
    felt.wait(1000)
    felt.deal("board", wait=300)
    felt.put(first, 5)
    felt.wait(400).deal_round([6, 1, 2, 3, 4, 5, 6]).wait(2000)
    assert felt.kinds() == []
    assert [d["event"] for d in felt.of("hand")] == ["start", "end", "start"]


def test_a_shuffle_after_a_hand_that_is_not_followed_is_for_the_next_one() -> None:
    """The table was started in mid-hand; it cannot know that the cards are gathered. The dealer can."""
    felt = Felt(confirms=["shuffle"], looked=False)
    for number in (1, 2, 3, 4, 5, 6) * 2:
        felt.put(felt.stub.pop(0), number)
    felt.wait(4000)
    felt.enter("shuffle_done").collect().enter("button", seat=1).deal_round([2, 3, 4, 5, 6, 1]).wait(2000)
    assert felt.kinds() == []


def test_a_card_on_the_burn_pile_after_the_end_that_the_shoe_did_not_see_go() -> None:
    """Shoe and board are away: it may have lain on the board, and is on its way to the muck. While the shoe is seen, a
    card that leaves it after the end is one too many."""
    away = Felt(apart=["shoe", "board", "muck"]).deal_all().call_round().lose_reader(1).flop()
    card = away.at("board")[0]
    away.enter("hand_end").wait(500)
    away.put(card, "burn")
    assert away.wait(3000).kinds() == []
    seen = Felt().deal_all().call_round().flop().enter("hand_end").wait(500)
    seen.deal("burn")
    assert seen.wait(3000).kinds() == ["dealt_after_end"]


@pytest.mark.parametrize(("seats", "kinds"), [([2, 3, 4, 1, 2, 3, 4, 1], []), ([2, 3, 1], ["wrong_seat"])])
def test_a_hand_that_is_given_up_at_once_and_dealt_again(seats: list[int], kinds: list[str]) -> None:
    """The shoe read its last cards only seconds before the next hand begins: they have lain on the felt since, and are
    none that left the shoe unseen."""
    felt = Felt(4).deal_all().enter("hand_end").wait(200)
    felt.lying.clear()
    felt.wait(1400).enter("button", seat=1)
    felt.deal_round(seats).wait(2500)
    assert felt.kinds() == kinds
    (first,) = [d for d in felt.of("deal") if d["t"] > felt.of("hand")[-1]["t"] - 1][:1]
    assert (first["k"], first["zone"]) == (1, "seat:2")
