"""The worked orders of the rules, card by card: hold'em, six seats, button 6; `s(1)`, `s(2)` … are the stub.

Each is played to the end of the hand. Following the ruling raises nothing besides the slip itself, every step is
ticked, and the cards that count are exactly those of the rules.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from felt import Felt, uid


def s(n: int) -> str:
    """The n-th card of the stub, counted from 1, top first."""
    return uid(11 + n)


def stub(*numbers: int) -> list[str]:
    """Several of them."""
    return [s(n) for n in numbers]


def dealt(book: str = "nl") -> Felt:
    """The table after a correct deal."""
    return Felt(book=book).deal_all()


def steps(felt: Felt) -> list[str]:
    """What the last ruling that stands orders."""
    return [step["do"] for step in felt.of("ruling")[-1]["steps"]]


def done(felt: Felt, *irregularities: str) -> None:
    """The slips are these and nothing else, each remedy was completed, none left."""
    assert felt.kinds() == list(irregularities)
    events = [(d["irregularity"], d["event"]) for d in felt.of("remedy")]
    assert [e for e in events if e[1] == "violated"] == []
    assert {i for i, event in events if event == "complete"} == {d["id"] for d in felt.of("irregularity")}
    assert felt.of("cleared") == []


def play_out(felt: Felt, *, turn: bool = True) -> Felt:
    """From the flop on (or the turn) an ordinary hand to its end."""
    if turn:
        felt.call_round().street()
    return felt.call_round().street().call_round().wait(1000)


# --- H1 and its kin: an exposed card becomes the burn of the flop -------------------------------------------


@pytest.mark.parametrize("way", ["over the deck", "straight"])
def test_h1_the_exposed_card_is_the_burn_of_the_flop(way: str) -> None:
    """Card 5 shows: replaced by s1 as the very last card, burned; flop s2 s3 s4, burn s5, turn s6, burn s7, river s8.

    The dealer may lay it on top of the deck, or straight on the burn pile.
    """
    felt = Felt(book="nl").deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    shown = felt.at(5)[0]
    felt.deal_round([6, 1, 2, 3, 4, 5, 6]).wait(500)
    felt.deal(5, wait=1500)
    assert s(1) in felt.at(5)
    felt.put(shown, "burn" if way == "straight" else "shoe")
    felt.wait(2000).call_round()
    felt.put(shown, "burn")
    felt.wait(800).flop(burn=False)
    assert felt.at("board") == stub(2, 3, 4)
    done(felt, "exposed_card")
    play_out(felt)
    assert felt.at("burn") == [shown, *stub(5, 7)]
    assert felt.at("board") == stub(2, 3, 4, 6, 8)
    done(felt, "exposed_card")


def test_h1_a_card_of_the_stub_burned_instead_is_not_the_remedy() -> None:
    """The exposed card went back on top, and the dealer burns s2 from below it."""
    felt = Felt(book="nl").deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    shown = felt.at(5)[0]
    felt.deal_round([6, 1, 2, 3, 4, 5, 6]).wait(500)
    felt.deal(5, wait=1500)
    felt.put(shown, None)
    felt.wait(4000).call_round()
    felt.deal("burn")
    assert felt.wait(1000).kinds() == ["exposed_card", "remedy_not_followed"]


def test_h1_the_flop_without_the_replacement_is_not_the_remedy() -> None:
    """The exposed card is burned, its player still has one card, and the flop comes."""
    felt = Felt(book="nl").deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    shown = felt.at(5)[0]
    felt.deal_round([6, 1, 2, 3, 4, 5, 6]).wait(500)
    felt.put(shown, "burn")
    felt.wait(1500).call_round().flop(burn=False)
    assert felt.kinds() == ["exposed_card", "remedy_not_followed"]


# --- H3: the order that correct dealing would have given ----------------------------------------------------

H3 = [
    ("flop", 0, (1,), (2, 3, 4)),
    ("turn", 0, (1, 5), (2, 3, 4, 6)),
    ("river", 0, (1, 5, 7), (2, 3, 4, 6, 8)),
    ("flop", 2, (1,), (2, 3, 4)),
    ("turn", 2, (1, 5), (2, 3, 4, 6)),
    ("river", 2, (1, 5, 7), (2, 3, 4, 6, 8)),
]
"""(street, burns made, burn pile, board) once it is put right, by numbers in the stub."""


@pytest.mark.parametrize(("street", "burns", "pile", "board"), H3)
def test_h3_a_street_without_a_burn_or_with_two(
    street: str, burns: int, pile: tuple[int, ...], board: tuple[int, ...]
) -> None:
    """The table of the rules, and the hand to its end: board s2 s3 s4 s6 s8, burns s1 s5 s7."""
    felt = dealt().call_round()
    for name in ("flop", "turn", "river"):
        wrong = name == street
        for _ in range(burns if wrong else 1):
            felt.deal("burn", wait=700)
        for _ in range(3 if name == "flop" else 1):
            felt.deal("board", wait=100)
        felt.wait(2500)
        if wrong:
            _put_right(felt, burns)
            assert (sorted(felt.at("burn")), sorted(felt.at("board"))) == (
                sorted(stub(*pile)),
                sorted(stub(*board)),
            )
        felt.call_round()
    assert sorted(felt.at("board")) == stub(2, 3, 4, 6, 8)
    assert sorted(felt.at("burn")) == stub(1, 5, 7)
    done(felt.wait(1000), "burn_missing" if burns == 0 else "burn_extra")


def _put_right(felt: Felt, burns: int) -> None:
    """First card to the burn pile and the next one dealt; or second burn turned up and the last card put back."""
    size = 3 if len(felt.at("board")) == 3 else 1
    if burns == 0:
        assert steps(felt) == ["restore_order", "to_burn", "deal"]
        felt.put(felt.at("board")[-size], "burn")
        felt.wait(1200)
        felt.deal("board", wait=1200)
        return
    assert steps(felt) == ["restore_order", "to_top"]
    last = felt.at("board")[-1]
    felt.put(felt.at("burn")[-1], "board")
    felt.wait(600).put(last, None)
    felt.stub.insert(0, last)
    felt.wait(2500)


def test_h3_the_wrong_card_on_the_burn_pile_is_not_the_remedy() -> None:
    """The second card of the flop becomes the burn, not the first."""
    felt = dealt().call_round().flop(burn=False).wait(1500).enter("step_done")
    felt.put(s(2), "burn")
    assert felt.wait(1500).kinds() == ["burn_missing", "remedy_not_followed"]


# --- H2, IT-4: the flop comes again -------------------------------------------------------------------------


@pytest.mark.parametrize("again", [(5, 6, 7), (2, 5, 6), (4, 3, 2)])
def test_h2_the_flop_is_shuffled_in_and_comes_again_without_a_burn(again: tuple[int, ...]) -> None:
    """A flop of four; of the new one none, one or all of the cards were in the old one."""
    felt = dealt().call_round().flop(4)
    _shuffled_in(felt, stub(2, 3, 4, 5), again)
    felt.flop(burn=False)
    assert felt.at("board") == stub(*again)
    play_out(felt)
    done(felt, "too_many_board_cards")
    assert len(felt.at("burn")) == 3


def _shuffled_in(felt: Felt, cards: list[str], first: tuple[int, ...]) -> None:
    """The cards leave the board for the stub, which then begins with those."""
    for card in cards:
        felt.put(card, None)
    top = stub(*first)
    felt.stub = top + [card for card in [*felt.stub, *cards] if card not in top]
    felt.wait(3000)


def test_h2_premature_flop() -> None:
    """Three cards before the betting is over: finished first, then shuffled in and dealt again."""
    felt = dealt().acts((3, "call")).flop()
    assert steps(felt) == ["finish_round", "shuffle", "no_burn", "deal"]
    felt.acts((4, "call"), (5, "call"), (6, "call"), (1, "call"), (2, "check"))
    _shuffled_in(felt, stub(2, 3, 4), (3, 9, 11))
    felt.flop(burn=False)
    play_out(felt)
    done(felt, "premature_card")


def test_a_burn_after_the_reshuffle_is_not_the_remedy() -> None:
    """The flop is shuffled in, and a second burn made."""
    felt = dealt().call_round().flop(4)
    _shuffled_in(felt, stub(2, 3, 4, 5), (5, 6, 7))
    felt.deal("burn")
    assert felt.wait(1000).kinds() == ["too_many_board_cards", "remedy_not_followed"]


def test_a_burn_that_was_shuffled_in_is_not_the_remedy() -> None:
    """The burn s1 comes back on the new flop."""
    felt = dealt().call_round().flop(4)
    felt.put(s(1), None)
    _shuffled_in(felt, stub(2, 3, 4, 5), (6, 1, 7))
    felt.flop(burn=False)
    assert "remedy_not_followed" in felt.kinds()


# --- H4, H5, IT-6: premature turn and river -----------------------------------------------------------------


@pytest.mark.parametrize("river", [6, 9, 14])
def test_h4_premature_turn(river: int) -> None:
    """Turn s6 aside; burn s7, turn s8; shuffle {s6, s9, s10 …}; river without a burn. Burn pile s1 s5 s7."""
    felt = dealt().call_round().flop().acts((1, "check")).street()
    assert steps(felt) == [
        "aside",
        "finish_round",
        "burn",
        "deal",
        "finish_round",
        "shuffle",
        "no_burn",
        "deal",
    ]
    felt.put(s(6), None)
    felt.wait(2000).call_round().street()
    assert felt.at("board") == stub(2, 3, 4, 8)
    felt.call_round()
    _shuffled_in(felt, [s(6)], (river,))
    felt.street(burn=False).call_round().wait(1000)
    assert felt.at("board") == stub(2, 3, 4, 8, river)
    assert felt.at("burn") == stub(1, 5, 7)
    done(felt, "premature_card")


def test_h4_the_river_with_a_burn_is_not_the_remedy() -> None:
    """After the shuffle no burn is due."""
    felt = dealt().call_round().flop().acts((1, "check")).street()
    felt.put(s(6), None)
    felt.wait(2000).call_round().street().call_round()
    _shuffled_in(felt, [s(6)], (9,))
    felt.street()
    assert felt.kinds() == ["premature_card", "remedy_not_followed"]


def test_h4_the_card_set_aside_that_stays_out_is_not_the_remedy() -> None:
    """An antenna where cards are set aside shows that s6 was not shuffled in before the river."""
    zones = ("shoe", "board", "burn", "muck", "aside")
    felt = Felt(book="nl", zones=zones).deal_all().call_round().flop().acts((1, "check")).street()
    felt.put(s(6), "aside")
    felt.wait(2000).call_round().street().call_round().wait(2000).street(burn=False)
    assert felt.kinds() == ["premature_card", "remedy_not_followed"]


def test_h4_with_an_antenna_for_the_card_set_aside() -> None:
    """The same card goes into the stub and comes as the river: nothing else to tell."""
    zones = ("shoe", "board", "burn", "muck", "aside")
    felt = Felt(book="nl", zones=zones).deal_all().call_round().flop().acts((1, "check")).street()
    felt.put(s(6), "aside")
    felt.wait(2000).call_round().street().call_round()
    _shuffled_in(felt, [s(6)], (6,))
    felt.street(burn=False).call_round().wait(1000)
    done(felt, "premature_card")


@pytest.mark.parametrize("river", [8, 9])
def test_h5_premature_river(river: int) -> None:
    """River s8 is shuffled in once the turn's betting is over; the new one comes without a burn, three burns stay."""
    felt = dealt().call_round().flop().call_round().street().acts((1, "check")).street()
    assert steps(felt) == ["finish_round", "shuffle", "no_burn", "deal"]
    felt.call_round()
    _shuffled_in(felt, [s(8)], (river,))
    felt.street(burn=False).call_round().wait(1000)
    assert felt.at("board") == stub(2, 3, 4, 6, river)
    assert felt.at("burn") == stub(1, 5, 7)
    done(felt, "premature_card")


def test_a_premature_river_after_a_lawful_h4_is_h5() -> None:
    """No burn is due for that river, so that its coming without one is no burn error (H3); both remedies end."""
    felt = dealt().call_round().flop().acts((1, "check")).street()
    felt.put(s(6), None)
    felt.wait(2000).call_round().street().acts((1, "check")).street(burn=False)
    assert felt.kinds() == ["premature_card", "premature_card"]
    assert felt.rulings()[-1] == ("NL-H5", "correct")
    felt.call_round()
    _shuffled_in(felt, stub(6, 9), (9,))
    felt.street(burn=False).call_round().wait(1000)
    assert felt.at("board") == stub(2, 3, 4, 8, 9)
    done(felt, "premature_card", "premature_card")


def test_a_premature_turn_without_a_burn_is_that_burn() -> None:
    """Turn s5 came early and unburned: it becomes the burn; round finished, then s6; no H4."""
    felt = dealt().call_round().flop().acts((1, "check")).street(burn=False)
    assert felt.rulings()[-1] == ("NL-H3a", "correct")
    felt.put(s(5), "burn")
    felt.wait(1500).call_round()
    felt.deal("board", wait=1500)
    felt.call_round().street().call_round().wait(1000)
    assert felt.at("burn") == stub(1, 5, 7)
    assert felt.at("board") == stub(2, 3, 4, 6, 8)
    done(felt, "premature_card")


# --- PL-07.6, PL-07.7 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", [2, 4, 5])
def test_pl_07_6_1_the_drawn_card_is_the_burn_of_the_turn(drawn: int) -> None:
    """Flop s2 s3 s4 s5, one drawn: the turn is s6 without a burn, then burn s7, river s8 (R-26)."""
    felt = dealt("pl").call_round().flop(4)
    felt.put(s(drawn), "burn")
    felt.wait(1200).call_round().street(burn=False)
    assert felt.at("board")[-1] == s(6)
    felt.call_round().street().call_round().wait(1000)
    assert felt.at("burn") == stub(1, drawn, 7)
    done(felt, "too_many_board_cards")


def test_pl_07_6_1_without_the_burn_of_the_flop_the_drawn_card_is_it() -> None:
    """Flop s1 s2 s3 s4 unburned: s2 is drawn; burn s5, turn s6, burn s7, river s8."""
    felt = dealt("pl").call_round().flop(4, burn=False).wait(1500)
    felt.put(s(2), "burn")
    felt.wait(1200)
    play_out(felt)
    assert felt.at("burn") == stub(2, 5, 7)
    assert felt.at("board") == stub(1, 3, 4, 6, 8)
    assert "remedy_not_followed" not in felt.kinds()
    assert set(felt.kinds()) == {"burn_missing", "too_many_board_cards"}


@pytest.mark.parametrize("drawn", [1, 2, 3])
def test_pl_07_6_2_the_flop_is_rebuilt(drawn: int) -> None:
    """Flop s1 s2 s3 unburned, one drawn as the burn, s4 completes it (R-27); burn s5, turn s6, burn s7, river s8."""
    felt = dealt("pl").call_round().flop(burn=False).wait(1500)
    felt.put(s(drawn), "burn")
    felt.wait(1200)
    felt.deal("board", wait=1500)
    play_out(felt)
    assert felt.at("burn") == stub(drawn, 5, 7)
    assert s(4) in felt.at("board")
    done(felt, "burn_missing")


def test_pl_07_7_premature_turn() -> None:
    """Turn s6 aside; after the flop's betting burn s7, turn s8; burn s9, river s10: the card set aside stays out."""
    felt = dealt("pl").call_round().flop().acts((1, "check")).street()
    felt.put(s(6), None)
    felt.wait(2000).call_round().street().call_round().street().call_round().wait(1000)
    assert felt.at("burn") == stub(1, 5, 7, 9)
    assert felt.at("board") == stub(2, 3, 4, 8, 10)
    done(felt, "premature_card")


def test_pl_07_7_premature_flop_is_the_directors() -> None:
    """Set aside, the director is called, and what he orders on the board is not judged again."""
    felt = dealt("pl").acts((3, "call")).flop()
    assert felt.rulings()[-1] == ("PL-07.7.b", "floor")
    felt.move("board", None)
    felt.wait(2500).enter("call_floor").acts((4, "call"), (5, "call"), (6, "call"), (1, "call"), (2, "check"))
    felt.flop().call_round().wait(1000)
    done(felt, "premature_card")


# --- IT-2, IT-4, IT-6 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["over the deck", "straight"])
def test_it_2_the_extra_card_is_the_burn(way: str) -> None:
    """s1 went to seat 1 by mistake: back on top and burned; flop s2 s3 s4, burn s5, turn s6, burn s7, river s8."""
    felt = dealt("it")
    felt.deal(1, wait=2500)
    assert felt.rulings()[-1][1] == "correct"
    felt.put(s(1), "burn" if way == "straight" else "shoe")
    felt.wait(1500).call_round()
    felt.put(s(1), "burn")
    felt.wait(800).flop(burn=False)
    play_out(felt)
    assert felt.at("burn") == stub(1, 5, 7)
    assert felt.at("board") == stub(2, 3, 4, 6, 8)
    done(felt, "too_many_cards")


def test_it_4_the_flop_is_dealt_again_after_a_cut() -> None:
    """Flop of four, shuffled with the stub, cut, no burn; the first burn stays out."""
    felt = dealt("it").call_round().flop(4)
    _shuffled_in(felt, stub(2, 3, 4, 5), (12, 3, 8))
    felt.enter("cut_done").flop(burn=False)
    play_out(felt)
    assert felt.at("burn")[0] == s(1)
    done(felt, "too_many_board_cards")


def test_it_6_the_would_be_river_is_the_turn() -> None:
    """Turn s6 aside, burn s7, turn s8; shuffled with s6, cut, river without a burn."""
    felt = dealt("it").call_round().flop().acts((1, "check")).street()
    felt.put(s(6), None)
    felt.wait(2000).call_round().street().call_round()
    _shuffled_in(felt, [s(6)], (10,))
    felt.enter("cut_done").street(burn=False).call_round().wait(1000)
    assert felt.at("burn") == stub(1, 5, 7)
    assert felt.at("board") == stub(2, 3, 4, 8, 10)
    done(felt, "premature_card")


# --- cards that are taken out of play, and cards that change seats ------------------------------------------


def test_a_boxed_hole_card_is_removed_and_replaced_at_once() -> None:
    """NL-H6a: card 3 lies face up in the deck, goes to the muck, and the next card goes to the same seat."""
    felt = Felt(book="nl", optical=True).wait(600).deal_round([1, 2])
    boxed = felt.deal(3, face="up")
    felt.wait(1200).put(boxed, "muck")
    felt.wait(800).deal_round([3, 4, 5, 6, 1, 2, 3, 4, 5, 6]).call_round().flop()
    play_out(felt)
    assert felt.at(3) == [uid(3), uid(9)]
    done(felt, "boxed_card")


def test_a_boxed_card_of_the_flop_is_removed_and_the_next_one_takes_its_place() -> None:
    """Flop s2 s3 s4 with s3 face up: s2 s4 s5; burn s6, turn s7, burn s8, river s9."""
    felt = Felt(book="nl", optical=True).wait(600).deal_all().call_round()
    felt.deal("burn")
    for face in ("down", "up", "down"):
        felt.deal("board", wait=200, face=face)
    felt.wait(2500).put(s(3), "muck")
    felt.wait(1200).deal("board", wait=1500)
    play_out(felt)
    assert felt.at("board") == stub(2, 4, 5, 7, 9)
    assert felt.at("burn") == stub(1, 6, 8)
    done(felt, "boxed_card")


SWAP = """
[book]
name = "swap"
title = "cards that lie at each other's seats change places"
source = "house.txt"
games = ["holdem"]
decider = "dealer"
authority = "floor"

[[rule]]
id = "H-1"
source = "L1"
kinds = ["wrong_seat"]
when = "seat != expected and deal_done"
verdict = "correct"
steps = [{ do = "swap", seats = ["$seat", "$expected"] }]
"""


def test_two_cards_that_lie_at_each_others_seats_change_places(tmp_path: Path) -> None:
    """Cards 9 and 10 went to seats 4 and 3; swapped, nobody holds a strange card."""
    file = tmp_path / "swap.toml"
    file.write_text(SWAP)
    felt = Felt(book=str(file)).deal_round([1, 2, 3, 4, 5, 6, 1, 2, 4, 3, 5, 6]).wait(2000)
    assert set(felt.kinds()) == {"wrong_seat"}
    one, other = felt.at(4)[-1], felt.at(3)[-1]
    felt.put(one, 3)
    felt.put(other, 4)
    felt.wait(4000)
    assert set(felt.kinds()) == {"wrong_seat"}
    assert {d["event"] for d in felt.of("remedy")} == {"started", "done", "complete"}
