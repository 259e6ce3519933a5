"""The rules of the Poker TDA, 2024, one test per rule, named after it. Expected values are those of rules.md §8.

Hands are dealt on a felt and read by antennas wherever the table can see what happened; what no antenna sees is told
as facts of the reference table: hold'em, seats 1 to 6, button 6, first card to seat 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from court import Court, misdeal_steps
from felt import DECK_WITH_TWIN, TWIN

from tablectl.core.decisions import KINDS, Irregularity
from tablectl.core.facts import Facts
from tablectl.core.ruling import Asked
from tablectl.rulebooks.scenario import on_board, slip, table

TDA = Court("tda2024", decider="floor", authority="floor")
CALL_FLOOR = {"do": "call", "who": "floor"}
FLOP_GAMES = ("holdem", "omaha", "omaha5")
STUD_GAMES = ("stud5", "stud7")
BEFORE_SA = [(), ("3 call",), ("3 fold", "4 fold"), ("3 check", "4 check"), ("3 check", "4 fold")]
AFTER_SA = [
    ("3 call", "4 fold"),
    ("3 raise", "4 call"),
    ("3 fold", "4 fold", "5 fold"),
    ("3 check", "4 check", "5 check"),
]
SA = ("3 raise", "4 call")


def shows(k: int, seat: int = 5, ident: str = "i1", by: str | None = "dealer") -> Irregularity:
    """A hole card that was seen."""
    return slip("exposed_card", ident, seat=seat, k=k, by=by)


def boxed(k: int, ident: str = "i1") -> Irregularity:
    """A card that lay face up in the deck, and is at a seat now."""
    return slip("boxed_card", ident, seat=k, k=k, zone=f"seat:{k}")


EXTRA = slip("too_many_cards", seat=3, expected=3, k=13, count=3, need=2)
SHORT = slip("too_few_cards", seat=4, count=1, need=2)
FIRST = slip("wrong_first_seat", seat=2, expected=1, k=1)
OUT_OF_ORDER = slip("wrong_seat", seat=4, expected=3, k=9)
SKIPPED = slip("seat_skipped", seat=5, expected=4, k=4, count=0, need=2)
STRAY = slip("ineligible_seat", seat=9, expected=2, k=2)
BUTTON = slip("button_misplaced", seat=5, expected=6)
BUTTON_SHORT = slip("too_few_cards", seat=6, count=1, need=2)
JOKER = slip("joker", seat=4, k=4, zone="seat:4")
FOUR = slip("too_many_board_cards", street="flop", count=4, need=3, zone="board", k=17)
UNBURNED = slip("burn_missing", street="flop", count=0, need=1, k=13, zone="board")


def early(street: str, k: int = 14) -> Irregularity:
    """A street that was dealt before the betting was closed."""
    return slip("premature_card", street=street, k=k, zone="board")


def dead(ruling: Any, rule: str, *seats: int) -> None:
    """The hands go to the muck, their bets stay in the pot (R-10)."""
    steps = [{"do": "kill", "seat": seat} for seat in seats]
    TDA.expect(ruling, rule, "dead", steps, seats=seats, bets="pot")


# --- 35-E fouled deck ---------------------------------------------------------------------------------------


def test_tda_35_e_two_equal_cards() -> None:
    """Void at any action, all bets back, another deck (R-03), replayed (R-42); the claim ends with the hand (22)."""
    void = misdeal_steps(deck=True)
    for facts in (table(deal_done=False), table(*SA), on_board("river", "1 bet", "2 call")):
        ruling = TDA.rule(facts, slip("duplicate_card", seat=4, k=4))
        TDA.expect(ruling, "TDA-35-E", "void", void, bets="returned")
    TDA.silent(
        TDA.rule(table(*SA, over=True, ended=True), slip("duplicate_card")), "after the hand has ended"
    )


def test_tda_35_e_from_the_felt() -> None:
    """A second copy of a card on the flop."""
    felt = TDA.dealt(deck=DECK_WITH_TWIN).call_round()
    felt.deal("burn")
    felt.stub.insert(0, TWIN)
    felt.flop(burn=False)
    assert felt.kinds() == ["duplicate_card"]
    TDA.expect(TDA.last(felt), "TDA-35-E", "void", misdeal_steps(deck=True), bets="returned")


@pytest.mark.parametrize("kind", ["foreign_card", "missing_card", "damaged_card", "untagged_card"])
def test_tda_35_e_what_else_fouls_a_deck_the_house_says(kind: str) -> None:
    """Another back, a missing card: house definition, no ruling."""
    TDA.silent(TDA.rule(table(*SA), slip(kind, seat=4, k=4)), "the house defines")


# --- 35-A misdeals, 35-D after substantial action -----------------------------------------------------------


def test_tda_36_substantial_action() -> None:
    """Two actions with chips in one of them, or any three; two folds, two checks, a check and a fold are none."""
    for acts in BEFORE_SA:
        TDA.misdeal(TDA.rule(table(*acts), FIRST), "TDA-35-A2")
    for acts in AFTER_SA:
        TDA.expect(TDA.rule(table(*acts), FIRST), "TDA-35-D", "play_on")


def test_tda_36_the_bracket_is_a_parameter() -> None:
    """R-29: a house may take a check and a fold for substantial; two folds or two checks never are."""
    house = TDA.house(parameters={"check_and_fold": True})
    assert house.rule(table("3 check", "4 fold"), FIRST).rule == "TDA-35-D"
    for acts in (("3 check", "4 check"), ("3 fold", "4 fold"), ("3 call",)):
        assert house.rule(table(*acts), FIRST).rule == "TDA-35-A2"
    for acts in AFTER_SA:
        assert house.rule(table(*acts), FIRST).rule == "TDA-35-D"


def test_tda_35_a1_two_boxed_cards() -> None:
    """On the initial deal; after substantial action played on. One has no rule, nor has one of a later street."""
    for k in (4, 12):
        TDA.misdeal(TDA.rule(table("3 call", boxed=2), boxed(k)), "TDA-35-A1")
        TDA.expect(TDA.rule(table(*SA, boxed=2), boxed(k)), "TDA-35-D", "play_on")
    TDA.misdeal(TDA.rule(table(boxed=2), boxed(4), boxed(9, "i2")), "TDA-35-A1")
    for acts in ((), SA):
        TDA.silent(TDA.rule(table(*acts, boxed=1), boxed(1)), "of one there is no rule")
        TDA.silent(TDA.rule(table(*acts, boxed=2), slip("boxed_card", k=14, zone="board")))


def test_tda_35_a2_first_card_to_the_wrong_seat() -> None:
    """Misdeal, no repair; a later card out of order alone is none (C24)."""
    felt = TDA.felt()
    felt.deal(2)
    TDA.misdeal(TDA.last(felt.wait(800)), "TDA-35-A2")
    for acts in ((), SA):
        TDA.silent(TDA.rule(table(*acts), OUT_OF_ORDER), "35-A2")
    assert TDA.dealt().wait(800).kinds() == []


def test_tda_35_a3_seat_not_entitled_to_a_hand() -> None:
    """Misdeal; after substantial action played on."""
    felt = TDA.felt().enter("seats", eligible=[1, 2, 4, 5, 6]).deal_round([1, 2, 3]).wait(1200)
    TDA.misdeal(TDA.last(felt), "TDA-35-A3")
    TDA.expect(TDA.rule(table(*SA), STRAY), "TDA-35-D", "play_on")
    TDA.misdeal(TDA.rule(table("3 call"), STRAY), "TDA-35-A3")


def test_tda_35_a4_seat_dealt_out() -> None:
    """A seat that gets no card, at once and at the end of the deal; one that is still waiting is not dealt out."""
    felt = TDA.felt().deal_round([1, 2, 3, 5, 6, 1]).wait(800)
    TDA.misdeal(TDA.last(felt), "TDA-35-A4")
    for wrong in (SKIPPED, slip("too_few_cards", seat=4, count=0), slip("wrong_seat", seat=5, expected=4)):
        TDA.misdeal(TDA.rule(table("3 call", held={4: 0}), wrong), "TDA-35-A4")
        TDA.expect(TDA.rule(table(*SA, held={4: 0}), wrong), "TDA-38", "dead", seats=[4], bets="pot")
    waiting = table(deal_done=False, held={3: 0, 4: 1, 5: 0, 6: 0})
    TDA.silent(TDA.rule(waiting, slip("wrong_seat", seat=4, expected=3, k=3)))
    TDA.misdeal(TDA.rule(table(deal_done=False, held={4: 0}), replace(SHORT, count=0)), "TDA-35-A4")
    TDA.silent(TDA.rule(table(held={9: 0}), slip("seat_skipped", seat=4, expected=9)))


def test_tda_35_a5_wrong_number_of_cards() -> None:
    """Too many or too few, whether or not the seat has acted (C5, C6)."""
    felt = TDA.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 3]).wait(2500)
    TDA.misdeal(TDA.last(felt), "TDA-35-A5")
    for acts in BEFORE_SA:
        TDA.misdeal(TDA.rule(table(*acts, held={3: 3}), EXTRA), "TDA-35-A5")
        TDA.misdeal(TDA.rule(table(*acts, held={4: 1}), SHORT), "TDA-35-A5")
    for wrong, held in ((SKIPPED, {4: 1}), (OUT_OF_ORDER, {3: 1, 4: 3})):
        TDA.misdeal(TDA.rule(table(held=held), wrong), "TDA-35-A5")
    TDA.misdeal(TDA.rule(table(deal_done=False, held={3: 3, 6: 1}), EXTRA), "TDA-35-A5")
    TDA.misdeal(TDA.rule(table(deal_done=False, held={4: 1}), SHORT), "TDA-35-A5")


def test_tda_35_a5_near_misses() -> None:
    """Numbers that are right, not complete yet, or of a seat that is not in the hand."""
    for acts in ((), SA):
        TDA.silent(TDA.rule(table(*acts), EXTRA), "35-A5")
        TDA.silent(TDA.rule(table(*acts, held={9: 1}), slip("too_many_cards", seat=9, count=1, need=0)))
    TDA.silent(TDA.rule(table(deal_done=False, held={4: 1}), SKIPPED))


@pytest.mark.parametrize("game", STUD_GAMES)
def test_tda_35_a5_in_stud_every_seat_is_like_the_others(game: str) -> None:
    """There is no button whose last card may come late."""
    held = {6: {"stud5": 1, "stud7": 2}[game]}
    for button in (None, 6):
        facts = replace(table(game=game, held=held), button=button)
        TDA.misdeal(TDA.rule(facts, BUTTON_SHORT), "TDA-35-A5")


def test_tda_35_a6_joker() -> None:
    """A misdeal before substantial action, a scrap of paper after it (35-D, C9)."""
    for acts in BEFORE_SA:
        TDA.misdeal(TDA.rule(table(*acts), JOKER), "TDA-35-A6")
    for acts in AFTER_SA:
        steps = [{"do": "remove", "card": 4}, {"do": "replace", "seat": 4}]
        TDA.expect(TDA.rule(table(*acts), JOKER), "TDA-35-D", "correct", steps)


def test_tda_35_d_joker_elsewhere() -> None:
    """The next card takes its place on the board or as a burn (R-24)."""
    removed = {"do": "remove", "card": 14}
    for zone, steps in (
        ("board", [removed, {"do": "deal", "street": "flop", "count": 1}]),
        ("burn", [removed, {"do": "burn"}]),
        ("shoe", [removed]),
    ):
        TDA.expect(TDA.rule(on_board("flop"), slip("joker", k=14, zone=zone)), "TDA-35-D", "correct", steps)


@pytest.mark.parametrize("k", [1, 2])
def test_tda_35_a7_first_or_second_card_exposed(k: int) -> None:
    """By the dealer, in flop games; after substantial action played on (C1)."""
    felt = TDA.felt().deal_round(range(1, k + 1)).enter("exposed", seat=k, by="dealer").wait(200)
    TDA.misdeal(TDA.last(felt), "TDA-35-A7")
    for game in FLOP_GAMES:
        TDA.misdeal(TDA.rule(table("3 call", game=game), shows(k, k)), "TDA-35-A7")
        TDA.expect(TDA.rule(table(*SA, game=game), shows(k, k)), "TDA-35-D", "play_on")


def test_tda_35_a7_two_down_cards_exposed() -> None:
    """Any two (C3); one later card is no misdeal, and how it is replaced is not said (C2)."""
    felt = TDA.felt().deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    TDA.silent(TDA.last(felt), "how it is replaced is not said")
    felt.deal_round([6, 1, 2, 3]).enter("exposed", seat=3, by="dealer").wait(200)
    TDA.misdeal(TDA.last(felt), "TDA-35-A7")
    late = TDA.judge(table(*SA), shows(5), shows(9, 3, "i2")).rulings
    assert [(each.rule, each.verdict) for each in late] == [("TDA-35-D", "play_on")] * 2
    TDA.silent(TDA.rule(table(*SA), shows(3, 3)))


def test_tda_35_a7_near_misses() -> None:
    """What a player shows is his own matter (68); stud is no flop game."""
    for acts in ((), SA):
        for k in (1, 5):
            TDA.expect(TDA.rule(table(*acts), shows(k, k, by="player")), "TDA-68", "play_on")
        mixed = TDA.judge(table(*acts), shows(5, by="player"), shows(9, 3, "i2")).rulings
        assert [each.rule for each in mixed] == ["TDA-68", None]
        TDA.silent(TDA.rule(table(*acts, game="stud5"), shows(1, 1)))


def test_tda_68_a_player_exposes_his_own_card() -> None:
    """Maybe a penalty; the hand is not dead."""
    felt = TDA.dealt().enter("exposed", seat=3, by="player").wait(200)
    TDA.expect(TDA.last(felt), "TDA-68", "play_on")
    assert "not dead" in (TDA.last(felt).hint or "")


# --- 34 the button ------------------------------------------------------------------------------------------


def test_tda_34_a_button_at_the_wrong_seat() -> None:
    """Corrected before substantial action; after it stands, and is not moved back (C26)."""
    for game in FLOP_GAMES:
        for acts in BEFORE_SA:
            ruling = TDA.rule(table(*acts, game=game), BUTTON)
            TDA.expect(ruling, "TDA-34-A", "correct", button="corrected")
        late = TDA.rule(table(*SA, game=game), BUTTON)
        TDA.expect(late, "TDA-34-A", "play_on")
        assert "not moved back" in (late.hint or "")
    TDA.silent(TDA.rule(table(game="stud7"), BUTTON))


def test_tda_34_b_heads_up() -> None:
    """The button is the small blind and gets the last card: 2, 1, 2, 1 is right, 1 first is a misdeal."""
    felt = TDA.felt(2).enter("button", seat=1)
    assert felt.deal_round([2, 1, 2, 1]).wait(1500).kinds() == []
    wrong = TDA.felt(2).enter("button", seat=1)
    wrong.deal(1)
    TDA.misdeal(TDA.last(wrong.wait(800)), "TDA-35-A2", misdeal_steps(first=2))


# --- 37, 38 wrong numbers that are no misdeal ---------------------------------------------------------------


def test_tda_37_the_button_is_short_of_a_card() -> None:
    """It gets it, also after substantial action; nobody else does (35-B: two in a row are allowed)."""
    felt = TDA.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5]).acts((3, "call"), (4, "call")).wait(3000)
    assert felt.kinds() == ["too_few_cards"]
    steps = [{"do": "replace", "seat": 6}]
    TDA.expect(TDA.last(felt), "TDA-37", "correct", steps, seats=[6])
    for acts in ((), SA):
        for wrong in (BUTTON_SHORT, slip("seat_skipped", seat=1, expected=6)):
            ruling = TDA.rule(table(*acts, held={6: 1}), wrong)
            TDA.expect(ruling, "TDA-37", "correct", steps, seats=[6])
    omaha = TDA.rule(table(game="omaha", held={6: 3}), BUTTON_SHORT)
    TDA.expect(omaha, "TDA-37", "correct", steps, seats=[6])


def test_tda_37_the_button_acts_on_it() -> None:
    """Dead, before substantial action as after it."""
    for acts in (("6 check",), ("6 raise", "1 call")):
        dead(TDA.rule(table(*acts, held={6: 1}), BUTTON_SHORT), "TDA-37", 6)


def test_tda_37_near_misses() -> None:
    """Two cards short, one too many, or still in the deal: no late card."""
    TDA.misdeal(TDA.rule(table(game="omaha", held={6: 2}), BUTTON_SHORT), "TDA-35-A5")
    TDA.misdeal(TDA.rule(table(held={6: 3}), replace(EXTRA, seat=6, expected=6)), "TDA-35-A5")
    TDA.silent(TDA.rule(table(deal_done=False, held={6: 1}), slip("wrong_seat", seat=1, expected=6)))
    dead(TDA.rule(table(*SA, held={6: 3}), replace(EXTRA, seat=6, expected=6)), "TDA-38", 6)


def test_tda_38_wrong_number_after_substantial_action() -> None:
    """The hand is dead, bets stay (R-10), no burn makes up for it (C7)."""
    felt = TDA.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 3]).wait(2500).acts((3, "call"))
    TDA.misdeal(TDA.last(felt), "TDA-35-A5")
    dead(TDA.last(felt.acts((4, "call"))), "TDA-38", 3)
    assert "one burn for each street" in (TDA.last(felt).hint or "")
    for acts in AFTER_SA:
        dead(TDA.rule(table(*acts, held={4: 1}), SHORT), "TDA-38", 4)
    dead(TDA.rule(table(*SA, held={3: 1, 4: 3}), OUT_OF_ORDER), "TDA-38", 4, 3)
    for kind in ("wrong_first_seat", "ineligible_seat"):
        dead(TDA.rule(table(*SA, held={2: 1}), slip(kind, seat=9, expected=2)), "TDA-38", 2)
    dead(TDA.rule(table(*SA, game="omaha", held={4: 5}), replace(EXTRA, seat=4)), "TDA-38", 4)


# --- 39 flops -----------------------------------------------------------------------------------------------


def test_tda_39_a_flop_of_four() -> None:
    """Mixed face down, the floor draws the next burn, three are the flop (C11): the turn needs no other burn."""
    felt = TDA.dealt().call_round().flop(4)
    steps = [
        {"do": "scramble", "zone": "board", "count": 4}, {"do": "pick", "by": "floor"}, {"do": "to_burn"},
        {"do": "no_burn"},
    ]  # fmt: skip
    TDA.expect(TDA.last(felt), "TDA-39-A", "correct", steps)
    unburned = TDA.rule(on_board("flop", cards=4, burns=0), FOUR, replace(UNBURNED, id="i2"))
    TDA.expect(unburned, "TDA-39-A", "correct", steps[:3])
    assert TDA.dealt().call_round().flop().kinds() == []


def test_tda_39_a_near_misses() -> None:
    """Five cards (C12), one of them taken away again, a turn of two: no rule. A turn's burn is a matter of its own."""
    TDA.silent(TDA.rule(on_board("flop", cards=4), replace(FOUR, count=5)))
    TDA.silent(TDA.rule(on_board("flop", cards=5), replace(FOUR, count=5)))
    TDA.silent(TDA.rule(on_board("flop", cards=5), FOUR))
    TDA.silent(TDA.rule(on_board("turn", cards=4), replace(FOUR, street="turn")))
    other = TDA.judge(on_board("turn", burns=0), FOUR, replace(UNBURNED, id="i2", street="turn")).rulings
    assert [each.irregularity for each in other] == ["i1", "i2"]


def test_tda_39_b_no_burn_before_the_flop() -> None:
    """No action: mix the three, one is the burn, the other two and the next card are the flop (C14)."""
    felt = TDA.dealt().call_round().flop(burn=False).wait(1500)
    assert felt.kinds() == ["burn_missing"]
    steps = [
        {"do": "scramble", "zone": "board", "count": 3}, {"do": "pick", "by": "floor"}, {"do": "to_burn"},
        {"do": "deal", "street": "flop", "count": 1},
    ]  # fmt: skip
    TDA.expect(TDA.last(felt), "TDA-39-B", "correct", steps)
    TDA.expect(TDA.last(felt.acts((1, "check"))), "TDA-39-B", "play_on")
    assert "one burn for the turn" in (TDA.last(felt).hint or "")


def test_tda_39_b_near_misses() -> None:
    """Turn and river (C19), two burns (C18), four cards: not this rule."""
    all_in = replace(on_board("turn", burns=0), street_actions={"flop": 0})
    TDA.silent(TDA.rule(all_in, replace(UNBURNED, street="turn")))
    for acts in ((), ("1 check",)):
        for street in ("turn", "river"):
            TDA.silent(TDA.rule(on_board(street, *acts, burns=0), replace(UNBURNED, street=street)))
        TDA.silent(TDA.rule(on_board("flop", *acts, burns=2), slip("burn_extra", street="flop", count=2)))
        TDA.silent(TDA.rule(on_board("flop", *acts, cards=4, burns=0), UNBURNED), "RP-14")


# --- RP recommended procedures ------------------------------------------------------------------------------


def again(street: str, before: str, cards: int) -> list[dict[str, Any]]:
    """Finish the round, back into the stub, shuffle, deal without a burn."""
    return [
        {"do": "finish_round", "street": before}, {"do": "shuffle", "what": f"stub+{street}"}, {"do": "no_burn"},
        {"do": "deal", "street": street, "count": cards},
    ]  # fmt: skip


def test_tda_rp_5a_premature_flop() -> None:
    """The burn stays (C13). A burn error or a wrong count of that flop is part of it."""
    felt = TDA.dealt().acts((3, "call")).flop()
    TDA.expect(TDA.last(felt), "TDA-RP-5A", "correct", again("flop", "preflop", 3))
    for kind in ("burn_missing", "burn_extra", "too_many_board_cards", "too_few_board_cards"):
        facts = replace(table("3 call"), board={"flop": 4, "turn": 0, "river": 0})
        ruling = TDA.rule(facts, early("flop"), slip(kind, "i2", street="flop", count=4, need=3))
        assert (ruling.irregularity, ruling.rule) == ("i1", "TDA-RP-5A")
    assert TDA.dealt().call_round().flop().kinds() == []


def test_tda_rp_5b_premature_turn() -> None:
    """Back, reshuffled, dealt again without a burn (C20)."""
    felt = TDA.dealt().call_round().flop().acts((1, "check")).street()
    TDA.expect(TDA.last(felt), "TDA-RP-5B", "correct", again("turn", "flop", 1))


def test_tda_rp_5c_premature_river() -> None:
    """The same (C21)."""
    felt = TDA.dealt().call_round().flop().call_round().street().acts((1, "check")).street()
    TDA.expect(TDA.last(felt), "TDA-RP-5C", "correct", again("river", "turn", 1))


def test_tda_rp_5d_premature_card_in_stud() -> None:
    """Back on the stub, reshuffled; the new street for every seat left, without a burn."""
    facts = table("third 1 call", "third 2 fold", game="stud7")
    ruling = TDA.rule(facts, slip("premature_card", seat=3, street="fourth", k=20))
    TDA.expect(
        ruling, "TDA-RP-5D", "correct",
        [
            {"do": "to_top", "card": 20}, {"do": "finish_round", "street": "third"},
            {"do": "shuffle", "what": "stub"}, {"do": "no_burn"},
            {"do": "deal", "street": "fourth", "count": 5},
        ],
    )  # fmt: skip


def test_tda_rp_5_outside_its_streets() -> None:
    """A board card during the deal of which nobody knows the street: no rule."""
    TDA.silent(TDA.rule(table(), slip("premature_card", zone="board", k=5)))


def test_tda_rp_4_disordered_stub() -> None:
    """Its order first, else the stub alone is shuffled and cut."""
    felt = TDA.dealt().call_round().enter("stub_disordered").wait(200)
    TDA.expect(TDA.last(felt), "TDA-RP-4", "correct", [{"do": "shuffle", "what": "stub"}, {"do": "cut"}])
    assert "rebuild the order" in (TDA.last(felt).hint or "")


def test_tda_rp_10a_down_card_exposed_in_seven_card_stud() -> None:
    """One of the first two: it becomes the up card, the third comes down."""
    facts = table(game="stud7", deal_done=False, held={4: 2})
    for wrong in (shows(4, 4), shows(10, 4), slip("up_card_error", seat=4, count=1)):
        ruling = TDA.rule(facts, wrong)
        TDA.expect(ruling, "TDA-RP-10A", "correct")
        assert "comes down" in (ruling.hint or "")


def test_tda_rp_10a_near_misses() -> None:
    """The third card is there; both are up; a later card; a player's doing; five-card stud; a later street."""
    facts = table(game="stud7", deal_done=False, held={4: 2})
    TDA.silent(TDA.rule(replace(facts, held={**facts.held, 4: 3}), shows(4, 4)))
    two = TDA.judge(facts, shows(4, 4), shows(10, 4, "i2")).rulings
    assert [each.rule for each in two] == [None, None]
    others = TDA.judge(facts, shows(4, 4), shows(5, 5, "i2")).rulings
    assert others[0].rule == "TDA-RP-10A"
    TDA.silent(TDA.rule(facts, shows(20, 4)))
    assert TDA.rule(facts, shows(4, 4, by="player")).rule == "TDA-68"
    TDA.silent(TDA.rule(table(game="stud5", held={4: 1}), shows(4, 4)))
    for held, count, street in ((3, 1, "third"), (2, 2, "third"), (2, 1, "fourth")):
        other = replace(facts, held={**facts.held, 4: held}, street=street)
        TDA.silent(TDA.rule(other, slip("up_card_error", seat=4, count=count)))


def test_tda_rp_10b_last_card_face_up() -> None:
    """Replaced while betting remains; else, on another street, of the deal, or by the player: not this rule."""
    facts = table("third 1 call", "third 2 call", "seventh 1 check", game="stud7")
    last = shows(40, 4)
    steps = [{"do": "remove", "card": 40}, {"do": "replace", "seat": 4}]
    TDA.expect(TDA.rule(facts, last), "TDA-RP-10B", "correct", steps)
    TDA.silent(TDA.rule(replace(facts, round_open={"seventh": False}), last))
    TDA.silent(TDA.rule(replace(facts, street="sixth", round_open={"seventh": True}), last))
    TDA.silent(TDA.rule(facts, shows(4, 4)))
    assert TDA.rule(facts, shows(40, 4, by="player")).rule == "TDA-68"
    TDA.silent(TDA.rule(replace(facts, game="stud5", need=2), last))


def test_tda_rp_10h_stub_too_short() -> None:
    """Seven-card stud: the floor, by its rule; elsewhere there is none."""
    TDA.expect(TDA.rule(table(game="stud7"), slip("stub_short")), "TDA-RP-10H", "floor", [CALL_FLOOR])
    TDA.silent(TDA.rule(table(), slip("stub_short")))


# --- 65, 28 -------------------------------------------------------------------------------------------------


def test_tda_65_hand_mucked_by_mistake() -> None:
    """Identified it stays live; if not, dead without redress, and only an uncalled bet goes back (C29)."""
    felt = TDA.dealt().acts((3, "call"))
    felt.move(4, "muck").wait(5000)
    TDA.expect(TDA.last(felt), "TDA-65", "correct")
    half = slip("hand_mucked", seat=4, count=1, zone="muck")
    assert TDA.judge(table("3 call"), half).questions == (
        Asked("i1", "retrievable", (True, False), default=True),
    )
    lost = TDA.rule(table("3 call"), half, retrievable=False)
    TDA.expect(lost, "TDA-65", "dead", [{"do": "kill", "seat": 4}], seats=[4], bets="uncalled_returned")
    TDA.silent(TDA.rule(table(retrievable=False), slip("hand_mucked")))


def test_tda_28_card_dealt_after_the_end() -> None:
    """No rabbit hunting; what is to be done is not said."""
    felt = TDA.dealt().acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold")).wait(800)
    felt.deal("burn", wait=800)
    assert felt.kinds() == ["dealt_after_end"]
    TDA.expect(TDA.last(felt), "TDA-28", "floor", [CALL_FLOOR])


# --- each rule for itself -----------------------------------------------------------------------------------

NOT_HERE: list[tuple[str, Facts, Irregularity]] = [
    ("TDA-38", table("3 call", held={3: 3}), EXTRA),
    ("TDA-37", table(held={4: 1}), SHORT),
    ("TDA-35-D (boxed cards)", table("3 call", boxed=2), boxed(9)),
    ("TDA-35-D (open cards)", table("3 call"), shows(1, 1)),
    ("TDA-39-B (after an action on the flop)", on_board("flop", burns=0), UNBURNED),
    ("TDA-37", table("6 call", held={6: 1}), BUTTON_SHORT),
]


@pytest.mark.parametrize(("rule", "facts", "wrong"), NOT_HERE)
def test_tda_a_rule_claims_only_what_it_says(rule: str, facts: Facts, wrong: Irregularity) -> None:
    """In a house that has kept this one rule, what another rule decides is silence."""
    TDA.alone(rule).silent(TDA.alone(rule).rule(facts, wrong))


# --- the whole book -----------------------------------------------------------------------------------------


def test_tda_what_the_rules_leave_open_is_a_parameter() -> None:
    """A house that cuts after a reshuffle, does not cut before a redeal, keeps a fouled deck, lets the dealer draw."""
    house = TDA.house(
        parameters={
            "cut_after_reshuffle": True, "cut_before_redeal": False, "new_deck_after_foul": False, "picks": "dealer",
        }
    )  # fmt: skip
    for street in ("flop", "turn", "river"):
        assert house.rule(table(), early(street)).steps[2] == {"do": "cut"}
    stud = house.rule(table(game="stud7"), slip("premature_card", seat=3, street="fourth", k=20))
    assert stud.steps[3] == {"do": "cut"}
    for wrong in (FIRST, slip("duplicate_card", k=4)):
        assert list(house.rule(table(), wrong).steps) == list(misdeal_steps(cut=False))
    assert house.rule(on_board("flop", cards=4), FOUR).steps[1] == {"do": "pick", "by": "dealer"}


SILENT = (
    "not_shuffled", "not_cut", "exposed_in_cut", "foreign_card", "missing_card", "damaged_card", "untagged_card",
    "too_few_board_cards", "burn_extra", "card_lost", "card_in_other_hand", "stub_short", "up_card_error",
    "remedy_not_followed",
)  # fmt: skip


@pytest.mark.parametrize("kind", SILENT)
def test_tda_is_silent(kind: str) -> None:
    """Triggers the rules do not mention, before and after substantial action."""
    for facts in (table(), table(*SA), on_board("flop", "1 check")):
        TDA.silent(TDA.rule(facts, slip(kind, seat=3, k=5)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gets_an_answer(kind: str) -> None:
    """No trigger is without a ruling, whatever is missing from it, with betting known and unknown, in every game."""
    TDA.answers(kind, (*FLOP_GAMES, *STUD_GAMES), prefix="TDA-", decider="floor")


COLUMN = """
C1: TDA-35-A7 misdeal
C2: – floor
C3 cards 5 and 7: TDA-35-A7 misdeal
C3 cards 5 and 1: TDA-35-A7 misdeal
C3 after two calls: TDA-35-D play_on, TDA-35-D play_on
C4 after two folds: TDA-35-A5 misdeal
C4 after two checks: TDA-35-A5 misdeal
C4 after a raise and a call: TDA-38 dead
C5 one extra to the first player after the deal: TDA-35-A5 misdeal
C5 two extra to the first player: TDA-35-A5 misdeal
C5 one extra to another player: TDA-35-A5 misdeal
C5 one too few, a call by another: TDA-35-A5 misdeal
C6: TDA-35-A5 misdeal
C7: TDA-38 dead
C8: – floor
C9 in a hand, nobody has acted: TDA-35-A6 misdeal
C9 in a hand, after two calls: TDA-35-D correct
C10 duplicate: TDA-35-E void
C10 foreign: – floor
C11: TDA-39-A correct
C12: – floor
C13: TDA-RP-5A correct
C14: TDA-39-B correct
C15: TDA-39-B play_on
C16: TDA-39-B play_on
C17: TDA-39-B correct
C18 flop not seen yet: – floor
C18 flop seen: – floor
C18 two players acted on it: – floor
C19 no burn before the turn: – floor
C19 no burn before the river: – floor
C20: TDA-RP-5B correct
C21: TDA-RP-5C correct
C22 fifth card: – floor
C22 first card of the deck: – floor
C23 nobody has acted: – floor
C23 one call: – floor
C23 two calls: – floor
C24a: TDA-35-A2 misdeal
C24b: – floor
C25 skipped: TDA-35-A4 misdeal
C25 seat not in the hand: TDA-35-A3 misdeal
C26: TDA-34-A correct
C27: – floor
C28: TDA-38 dead
C29 every card of it is known to lie in the muck: TDA-65 correct
C29 it cannot be told from the muck: TDA-65 dead
C30 a misdeal, two exposed cards: TDA-35-A7 misdeal
C30 a repair, no burn before the flop: TDA-39-B correct
"""


def test_tda_column_as_compared() -> None:
    """What rules.md §8.1 says of the rows of §6."""
    TDA.column(COLUMN)


def test_tda_every_rule_was_read_in_its_own_text() -> None:
    """§8: only what is marked V is encoded."""
    assert {rule.mark for rule in TDA.book.rules if rule.id is not None} == {"V"}


def test_every_statement_of_the_tda_is_covered_and_no_other_is_claimed() -> None:
    """The numbers of rules.md §8.1: rules, or named with a reason."""
    rules = "28 34-A 35-A1 35-A2 35-A3 35-A4 35-A5 35-A6 35-A7 35-D 35-E 37 38 39-A 39-B 65 68"
    procedures = "RP-4 RP-5A RP-5B RP-5C RP-5D RP-10A RP-10B RP-10H"
    named = "1 13-A 22 23 26 30 34-B 35-B 35-C 36 39-D 71-C RP-14"
    assert TDA.book.covered() == {f"TDA-{ident}" for ident in f"{rules} {procedures} {named}".split()}
    assert set(TDA.book.statements) == {f"TDA-{ident}" for ident in named.split()}
