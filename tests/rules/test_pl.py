"""The Polish rules, one test per rule, named after it. Expected values are those of rules.md.

T6 is the reference table of rules.md §1.5: hold'em, seats 1 to 6, button 6, first card to seat 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from court import Court, misdeal_steps
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tablectl.core.decisions import KINDS, Irregularity, Ruling
from tablectl.core.facts import Facts
from tablectl.core.ruling import Asked, decide
from tablectl.rulebooks.scenario import SEATS, UNKNOWN_BETTING, on_board, slip, table

COURT = Court("pl", decider="director", authority="director")
PL = COURT.book
MISDEAL = misdeal_steps()
VOID = misdeal_steps(deck=True)
CALL = {"do": "call", "who": "director"}
judge = COURT.judge


def rule(facts: Facts, *slips: Irregularity, **answers: Any) -> Ruling:
    """The one ruling, which must be certain and the director's."""
    ruling = COURT.rule(facts, *slips, **answers)
    assert (ruling.decider, ruling.button) == ("director", "unchanged")
    return ruling


def is_misdeal(ruling: Ruling, ident: str) -> None:
    """PL-07.1.g to i, R-22, R-41: everything back, bets returned, the same first seat."""
    assert (ruling.rule, ruling.verdict, ruling.bets) == (ident, "misdeal", "returned")
    assert (ruling.steps, ruling.seats) == (MISDEAL, ())


def is_dead(ruling: Ruling, ident: str, *seats: int) -> None:
    """The hands go to the muck, their bets stay in the pot (R-10)."""
    assert (ruling.rule, ruling.verdict, ruling.bets, ruling.seats) == (ident, "dead", "pot", seats)
    assert ruling.steps == tuple({"do": "kill", "seat": seat} for seat in seats)


is_silent = COURT.silent


EXTRA = slip("too_many_cards", seat=3, expected=3, k=13, count=3, need=2)
THREE = {3: 3}
SHORT = slip("too_few_cards", seat=4, count=1, need=2)
ONE = {4: 1}


# --- 07.1 misdeal -------------------------------------------------------------------------------------------


def test_pl_07_1_a_first_card_to_the_wrong_seat() -> None:
    """Illustration A: seat 7 instead of seat 1, no SA: misdeal, the button stays, redeal. After SA: play
    on.
    """
    first = slip("wrong_first_seat", seat=7, expected=1, k=1)
    is_misdeal(rule(table(deal_done=False), first), "PL-07.1.a")
    is_misdeal(rule(table("3 call"), first), "PL-07.1.a")
    late = rule(table("3 call", "4 call"), first)
    assert (late.rule, late.verdict, late.steps) == ("PL-07.3.d", "play_on", ())


def test_pl_07_1_b_card_to_a_seat_not_entitled() -> None:
    """A card to seat 8, which is not in the hand: misdeal before SA, play on after."""
    wrong = slip("ineligible_seat", seat=8, expected=2, k=2)
    is_misdeal(rule(table(), wrong), "PL-07.1.b")
    assert rule(table("3 raise", "4 call"), wrong).verdict == "play_on"


def test_pl_07_1_c_entitled_seat_gets_no_cards() -> None:
    """A skipped seat without a card is a misdeal by c, not d; while the deal is on only if it was passed
    over.
    """
    is_misdeal(rule(table(held={4: 0}), slip("seat_skipped", seat=4, expected=4, k=4)), "PL-07.1.c")
    is_misdeal(rule(table(held={4: 0}), slip("too_few_cards", seat=4, count=0, need=2)), "PL-07.1.c")
    half = table(deal_done=False, held={1: 1, 2: 1, 3: 1, 4: 0, 5: 1, 6: 0})
    is_misdeal(rule(half, slip("seat_skipped", seat=4, expected=4, k=4)), "PL-07.1.c")
    not_yet = table(deal_done=False, held={1: 1, 2: 1, 3: 2, 4: 0, 5: 0, 6: 0})
    is_silent(rule(not_yet, slip("wrong_seat", seat=3, expected=4, k=4)))


def test_pl_07_1_c_by_the_seat_that_should_have_had_the_cards() -> None:
    """Both cards of seat 4 lie elsewhere: it is seat 4 that got none. A seat outside the hand needs none."""
    is_misdeal(rule(table(held={3: 4, 4: 0}), slip("wrong_seat", seat=3, expected=4)), "PL-07.1.c")
    is_silent(rule(table(held={9: 0}), slip("too_few_cards", seat=9, count=0)))


def test_pl_07_1_d_wrong_number_of_cards() -> None:
    """Too many or too few, not 2 in hold'em or not 4 in Omaha, no SA and the seat has not acted: misdeal."""
    is_misdeal(rule(table(held=THREE), EXTRA), "PL-07.1.d")
    is_misdeal(rule(table("4 check", held=THREE), EXTRA), "PL-07.1.d")
    is_misdeal(rule(table(held=ONE), SHORT), "PL-07.1.d")
    is_misdeal(
        rule(table(game="omaha", held={5: 5}), slip("too_many_cards", seat=5, count=5, need=4)), "PL-07.1.d"
    )
    is_misdeal(rule(table(held={3: 3, 4: 1}), slip("wrong_seat", seat=3, expected=4)), "PL-07.1.d")
    is_misdeal(rule(table(held=ONE), slip("seat_skipped", seat=4, expected=4)), "PL-07.1.d")


def test_pl_07_1_d_while_the_deal_is_on() -> None:
    """A third card is one too many at once; one card is too few only when the deal is complete."""
    is_misdeal(rule(table(deal_done=False, held={3: 3, 4: 1, 5: 1, 6: 1}), EXTRA), "PL-07.1.d")
    is_silent(rule(table(deal_done=False, held={4: 1}), slip("seat_skipped", seat=4, expected=4)))


def test_pl_07_1_e_joker() -> None:
    """A joker is a misdeal before SA; after SA nothing is stated and scrap of paper is only a hint (R-24)."""
    is_misdeal(rule(table("3 fold", "4 fold"), slip("joker", seat=2, k=2)), "PL-07.1.e")
    late = rule(table("3 bet", "4 call"), slip("joker", seat=2, k=2))
    is_silent(late)
    assert "scrap of paper" in (late.hint or "")


@pytest.mark.parametrize("k", [1, 2])
def test_pl_07_1_f_first_or_second_card_exposed(k: int) -> None:
    """Card 1 or 2 off the deck exposed by the dealer: misdeal before SA, play on after; who did it may be
    asked.
    """
    shown = slip("exposed_card", seat=k, k=k, by="dealer")
    is_misdeal(rule(table(), shown), "PL-07.1.f")
    late = rule(table("3 bet", "4 call"), shown)
    assert (late.rule, late.verdict) == ("PL-07.3.d", "play_on")
    fallen = slip("exposed_card", seat=k, k=k)
    judgement = judge(table(), fallen)
    assert judgement.questions == (Asked("i1", "by", ("dealer", "player"), "dealer"),)
    assert (judgement.rulings[0].rule, judgement.rulings[0].provisional) == ("PL-07.1.f", True)
    is_misdeal(rule(table(), fallen, by="dealer"), "PL-07.1.f")
    is_silent(rule(table(), fallen, by="player"))


def test_pl_07_1_f_near_misses() -> None:
    """Not card 3, not a card the player showed, not a boxed card: the book is silent."""
    for facts in (table(), table("3 bet", "4 call")):
        is_silent(rule(facts, slip("exposed_card", seat=3, k=3, by="dealer")))
        is_silent(rule(facts, slip("exposed_card", seat=1, k=1, by="player")))
    is_silent(rule(table(), slip("boxed_card", k=1)))


# --- 07.2 fouled deck ---------------------------------------------------------------------------------------

FOULED = {
    "PL-07.2.a": "duplicate_card",
    "PL-07.2.b": "missing_card",
    "PL-07.2.c": "damaged_card",
    "PL-07.2.d": "foreign_card",
}


@pytest.mark.parametrize(("ident", "kind"), FOULED.items())
def test_pl_07_2_fouled_deck(ident: str, kind: str) -> None:
    """At any time, SA or not: the hand ends, all bets back, new deck now, replayed with the same button
    (R-42).
    """
    for facts in (table(deal_done=False), table(), table("3 bet", "4 call", "river 1 check", showdown=True)):
        ruling = rule(facts, slip(kind, k=17))
        assert (ruling.rule, ruling.verdict, ruling.bets, ruling.steps) == (ident, "void", "returned", VOID)
    # Everybody has folded but the pot is not awarded: the hand is not over yet.
    assert rule(table("3 fold", over=True), slip(kind)).verdict == "void"


@pytest.mark.parametrize("kind", FOULED.values())
def test_pl_07_2_after_the_hand_has_ended(kind: str) -> None:
    """Once the pot is awarded it is a dispute for the director (R-36)."""
    is_silent(rule(table("3 bet", over=True, ended=True), slip(kind)))


# --- 07.3 substantial action --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("acts", "sa"),
    [
        ((), False),
        (("4 raise",), False),
        (("4 fold", "5 fold"), False),
        (("4 check", "5 fold"), False),
        (("4 check", "5 check"), False),
        (("4 bet", "5 call"), True),
        (("4 bet", "5 fold"), True),
        (("4 fold", "5 call"), True),
        (("4 raise", "5 raise"), True),
        (("4 fold", "5 fold", "6 fold"), True),
        (("4 check", "5 check", "6 check"), True),
        (("4 fold", "5 fold", "6 raise"), True),
    ],
)
def test_pl_07_3_a_b_what_substantial_action_is(acts: tuple[str, ...], sa: bool) -> None:  # noqa: FBT001
    """Two actions with chips in one of them, or any three: R-29 (check and fold is not SA), R-30 (a raise
    counts).
    """
    ruling = rule(table(*acts, held=THREE), EXTRA)
    if sa:
        is_dead(ruling, "PL-07.5.b", 3)
    else:
        is_misdeal(ruling, "PL-07.1.d")


@pytest.mark.parametrize("kind", ["wrong_first_seat", "ineligible_seat"])
def test_pl_07_3_d_the_hand_is_played_out(kind: str) -> None:
    """After SA no misdeal (07.3.c): the hand goes on as it is."""
    ruling = rule(table("3 call", "4 call"), slip(kind, seat=8, expected=1, k=1))
    assert (ruling.rule, ruling.verdict, ruling.steps, ruling.bets) == (
        "PL-07.3.d",
        "play_on",
        (),
        "unchanged",
    )


# --- 07.4, 07.5 dead hands ----------------------------------------------------------------------------------


def test_pl_07_4_e_acting_with_a_wrong_number() -> None:
    """Illustration D: three cards and a check, no SA: dead at once. So with too few, and with any action
    (R-25).
    """
    is_dead(rule(table("3 check", held=THREE), EXTRA), "PL-07.4.e", 3)
    is_dead(rule(table("4 raise", held=ONE), SHORT), "PL-07.4.e", 4)
    is_dead(rule(table("3 call", "4 call", held=THREE), EXTRA), "PL-07.4.e", 3)


def test_pl_07_4_e_near_miss() -> None:
    """The counts are right after all: nobody's hand is dead, whoever acted."""
    crossed = slip("wrong_seat", seat=3, expected=4)
    for acts in (["3 check"], ["3 bet", "4 call"]):
        is_silent(rule(table(*acts), EXTRA))
        is_silent(rule(table(*acts), crossed))


@pytest.mark.parametrize("kind", ["wrong_first_seat", "ineligible_seat", "seat_skipped"])
def test_pl_07_4_e_and_07_5_b_whatever_made_the_count_wrong(kind: str) -> None:
    """After SA the seat that is short is dead, also where the slip itself would be played on."""
    wrong = slip(kind, seat=8, expected=2, k=2)
    is_dead(rule(table("2 bet", "4 call", held={2: 1}), wrong), "PL-07.4.e", 2)
    is_dead(rule(table("3 bet", "4 call", held={2: 1}), wrong), "PL-07.5.b", 2)


def test_pl_07_4_a_too_few_reported_before_sa() -> None:
    """A short seat that reports it before SA leads to the misdeal of 07.1.d."""
    is_misdeal(rule(table("5 call", held=ONE), SHORT), "PL-07.1.d")


def test_pl_07_5_b_wrong_number_after_sa() -> None:
    """Illustrations C and E: after SA the hand is dead, the others play on, no burn is added (07.5.c, d)."""
    is_dead(rule(table("4 bet", "5 call", held=THREE), EXTRA), "PL-07.5.b", 3)
    is_dead(rule(table("5 bet", "6 call", held=ONE), SHORT), "PL-07.5.b", 4)
    omaha = table("3 call", "4 call", game="omaha", held={5: 5})
    is_dead(rule(omaha, slip("too_many_cards", seat=5, count=5, need=4)), "PL-07.5.b", 5)


def test_pl_07_5_b_both_seats_of_one_slip() -> None:
    """A card of seat 4 stayed at seat 3: after SA both counts are wrong and both hands dead, one ruling."""
    crossed = slip("wrong_seat", seat=3, expected=4, k=4)
    counts = {3: 3, 4: 1}
    is_dead(rule(table("5 bet", "6 call", held=counts), crossed), "PL-07.5.b", 3, 4)
    is_dead(rule(table("3 bet", "5 call", held=counts), crossed), "PL-07.4.e", 3, 4)
    is_misdeal(rule(table("3 check", held=counts), crossed), "PL-07.1.d")
    is_dead(rule(table("3 check", "4 check", held=counts), crossed), "PL-07.4.e", 3, 4)


def test_pl_07_5_b_a_seat_without_cards_has_nothing_to_muck() -> None:
    """Skipped altogether and found after SA: out of the hand, and no step asks for cards that are not
    there.
    """
    ruling = rule(table("5 bet", "6 call", held={4: 0}), slip("seat_skipped", seat=4, expected=4))
    assert (ruling.rule, ruling.verdict, ruling.seats, ruling.steps) == ("PL-07.5.b", "dead", (4,), ())


# --- 07.6 irregular flops -----------------------------------------------------------------------------------


def flop(*acts: str, cards: int = 3, burns: int = 0) -> Facts:
    """T6 on the flop: so many cards on the board, so many burns, these actions on the flop."""
    return on_board("flop", *acts, cards=cards, burns=burns)


FOUR = slip("too_many_board_cards", street="flop", count=4, need=3, zone="board")
UNBURNED = slip("burn_missing", street="flop", count=0, need=1)


@pytest.mark.parametrize("acts", [(), ("1 check",), ("1 bet", "2 call")])
def test_pl_07_6_1_a_flop_of_four(acts: tuple[str, ...]) -> None:
    """Illustration F: mix four face down, the director draws one as the next burn: the turn comes without
    (R-26).
    """
    ruling = rule(flop(*acts, cards=4, burns=1), FOUR)
    assert (ruling.rule, ruling.verdict, ruling.bets) == ("PL-07.6.1.a", "correct", "unchanged")
    assert ruling.steps == (
        {"do": "scramble", "zone": "board", "count": 4},
        {"do": "pick", "by": "director"},
        {"do": "to_burn"},
        {"do": "no_burn"},
    )


def test_pl_07_6_1_a_flop_of_four_without_a_burn() -> None:
    """The drawn card is the flop burn; the missing burn is part of the same matter (07.6.1 before 07.6.2)."""
    ruling = rule(flop(cards=4), replace(UNBURNED, id="i0"), FOUR)
    assert (ruling.irregularity, ruling.rule) == ("i1", "PL-07.6.1.a")
    assert [step["do"] for step in ruling.steps] == ["scramble", "pick", "to_burn"]


def test_pl_07_6_1_near_misses() -> None:
    """A flop of five, a fourth card that became five, two turn cards, a flop of two: silent (C12)."""
    is_silent(rule(flop(cards=5, burns=1), replace(FOUR, count=5)))
    is_silent(rule(flop(cards=5, burns=1), FOUR))
    is_silent(rule(flop(burns=1), slip("too_many_board_cards", street="turn", count=2, need=1)))
    is_silent(rule(flop(cards=2, burns=1), slip("too_few_board_cards", street="flop", count=2, need=3)))
    is_silent(rule(flop(burns=1), replace(FOUR, street="turn")))
    is_silent(rule(flop(cards=4, burns=1), replace(FOUR, count=5)))
    four, turn = replace(FOUR, id="i2"), slip("burn_missing", street="turn")
    assert [each.rule for each in judge(flop(cards=4, burns=1), turn, four).rulings] == [None, "PL-07.6.1.a"]


def test_pl_07_6_2_a_no_burn_and_no_action() -> None:
    """Mix the flop, one becomes the burn, the next stub card completes it (R-27); so before it is whole."""
    ruling = rule(flop(), UNBURNED)
    assert (ruling.rule, ruling.verdict, ruling.bets) == ("PL-07.6.2.a", "correct", "unchanged")
    assert ruling.steps == (
        {"do": "scramble", "zone": "board", "count": 3},
        {"do": "pick", "by": "director"},
        {"do": "to_burn"},
        {"do": "deal", "street": "flop", "count": 1},
    )
    assert rule(flop(cards=2), UNBURNED).steps[-1] == {"do": "deal", "street": "flop", "count": 2}


@pytest.mark.parametrize("acts", [("1 check",), ("1 fold",), ("1 bet", "2 call")])
def test_pl_07_6_2_b_no_burn_but_an_action(acts: tuple[str, ...]) -> None:
    """Illustration G: any action on the flop, even one check, and it stays as it is."""
    ruling = rule(flop(*acts), UNBURNED)
    assert (ruling.rule, ruling.verdict, ruling.steps) == ("PL-07.6.2.b", "play_on", ())


def test_pl_07_6_2_near_misses() -> None:
    """Another street, and a board that is not a flop of three or fewer: silent, action or not."""
    for acts in ([], ["1 check"]):
        is_silent(rule(flop(*acts), replace(UNBURNED, street="turn")))
        is_silent(rule(flop(*acts, cards=4), UNBURNED))


def test_pl_07_6_2_with_betting_unknown() -> None:
    """Actions of the flop are asked, not those of the hand; until then nobody has acted."""
    facts = replace(flop(), **UNKNOWN_BETTING)
    judgement = judge(facts, UNBURNED)
    assert judgement.questions == (Asked("i1", "actions", (0, 1, 2, 3), 0, street="flop"),)
    assert (judgement.rulings[0].rule, judgement.rulings[0].provisional) == ("PL-07.6.2.a", True)
    assert rule(facts, UNBURNED, actions=0).rule == "PL-07.6.2.a"
    assert rule(facts, UNBURNED, actions=1).rule == "PL-07.6.2.b"


# --- 07.7 premature cards, 07.8 -----------------------------------------------------------------------------

EARLY_FLOP = slip("premature_card", street="flop", count=3, need=3, zone="board:flop", k=14)


def test_pl_07_h_premature_turn() -> None:
    """Aside, finish the flop betting, burn, deal the proper turn; what becomes of the card is the hint
    (R-28).
    """
    ruling = rule(
        flop("1 check", burns=1), slip("premature_card", street="turn", zone="board:turn", k=18, count=1)
    )
    assert (ruling.rule, ruling.verdict, ruling.bets) == ("PL-07.H", "correct", "unchanged")
    assert ruling.steps == (
        {"do": "aside", "zone": "board:turn"},
        {"do": "finish_round", "street": "flop"},
        {"do": "burn"},
        {"do": "deal", "street": "turn", "count": 1},
    )
    assert "stays out" in (ruling.hint or "")
    assert "PL-07.7.c" in (ruling.hint or "")


@pytest.mark.parametrize(("street", "zone"), [("flop", "board"), ("river", "board:river")])
def test_pl_07_7_b_premature_flop_and_river(street: str, zone: str) -> None:
    """Set aside at once (07.7.a), then the director decides (07.7.b); burn and deal is only a hint (R-28)."""
    ruling = rule(table("3 call"), slip("premature_card", street=street, zone=zone, count=1))
    assert (ruling.rule, ruling.verdict) == ("PL-07.7.b", "floor")
    assert ruling.steps == ({"do": "aside", "zone": zone}, CALL)
    assert "burn and deal" in (ruling.hint or "")


def test_pl_07_7_b_a_board_card_during_the_deal() -> None:
    """The same before the initial deal is complete."""
    assert rule(table(deal_done=False), EARLY_FLOP).rule == "PL-07.7.b"


def test_pl_07_7_before_07_6() -> None:
    """§10.2: a four-card flop before preflop betting closes, and one without a burn, are 07.7 and nothing
    else.
    """
    facts = replace(table("3 call"), board={"flop": 4, "turn": 0, "river": 0})
    assert rule(facts, replace(EARLY_FLOP, count=4)).rule == "PL-07.7.b"
    four = replace(FOUR, id="i2")
    ruling = rule(facts, EARLY_FLOP, four, replace(UNBURNED, id="i3"))
    assert (ruling.irregularity, ruling.rule) == ("i1", "PL-07.7.b")
    for kind in ("burn_extra", "too_few_board_cards"):
        assert rule(facts, EARLY_FLOP, slip(kind, "i2", street="flop")).rule == "PL-07.7.b"
    assert rule(replace(facts, **UNKNOWN_BETTING), replace(UNBURNED, id="i0"), EARLY_FLOP).rule == "PL-07.7.b"


def test_pl_07_8_a_disordered_stub() -> None:
    """The stub may be reshuffled, face down (07.8.d)."""
    ruling = rule(table("3 bet"), slip("stub_disordered"))
    assert (ruling.rule, ruling.verdict, ruling.steps) == (
        "PL-07.8.a",
        "correct",
        ({"do": "shuffle", "what": "stub"},),
    )
    assert "face down" in (ruling.hint or "")


def test_a_house_may_cut_after_a_reshuffle_and_have_another_draw() -> None:
    """What the text leaves open is a parameter of the file, not code."""
    parameters = {"picks": "dealer", "cut_after_reshuffle": True, "cut_before_redeal": False}
    house = COURT.house(parameters=parameters)
    assert house.rule(table(), slip("stub_disordered")).steps == (
        {"do": "shuffle", "what": "stub"},
        {"do": "cut"},
    )
    assert house.rule(flop(cards=4, burns=1), FOUR).steps[1] == {"do": "pick", "by": "dealer"}
    first = house.rule(table(), slip("wrong_first_seat", seat=2, expected=1))
    assert first.steps == misdeal_steps(cut=False)
    assert house.rule(table(), slip("foreign_card")).steps == misdeal_steps(cut=False, deck=True)


PLAYED = ("3 bet", "4 call")
SHOWN_FIRST = slip("exposed_card", seat=2, k=2, by="dealer")
NOT_HERE: list[tuple[str, Facts, Irregularity]] = [
    ("PL-07.5.b", table(held=THREE), EXTRA),
    ("PL-07.6.2.b", flop(), UNBURNED),
    ("PL-07.3.d (exposed card)", table(), SHOWN_FIRST),
]


@pytest.mark.parametrize(("ident", "facts", "wrong"), NOT_HERE)
def test_pl_a_rule_claims_only_what_it_says(ident: str, facts: Facts, wrong: Irregularity) -> None:
    """In a house that has kept this one rule, what another rule decides is silence."""
    alone = COURT.alone(ident)
    alone.silent(alone.rule(facts, wrong))


def test_pl_too_few_as_the_deal_has_left_them() -> None:
    """The dealer went on without seat 4's second card: short at once, although the deal is not complete."""
    is_misdeal(rule(table(deal_done=False, held=ONE), SHORT), "PL-07.1.d")


def test_pl_only_a_misdeal_a_void_and_a_dead_hand_touch_the_bets() -> None:
    """Rulings of the floor, repairs and playing on leave them where they are."""
    for facts, wrong, ident in (
        (table("3 call"), EARLY_FLOP, "PL-07.7.b"),
        (flop("1 check"), UNBURNED, "PL-07.6.2.b"),
        (table("3 bet"), slip("stub_disordered"), "PL-07.8.a"),
        (table(*PLAYED), SHOWN_FIRST, "PL-07.3.d"),
    ):
        ruling = rule(facts, wrong)
        assert (ruling.rule, ruling.bets) == (ident, "unchanged")


# --- rules.md §6 and §10.2 ----------------------------------------------------------------------------------

ODD = slip("wrong_seat", seat=4, expected=3, k=9)
SHOWN = slip("exposed_card", seat=5, k=5, by="dealer")
CONFLICTS: list[tuple[str, Facts, tuple[Irregularity, ...], str | None, str]] = [
    ("C1", table(), (slip("exposed_card", seat=2, k=2, by="dealer"),), "PL-07.1.f", "misdeal"),
    ("C2", table(), (SHOWN,), None, "floor"),
    ("C3 a later one", table(exposed_by_dealer=2), (replace(SHOWN, k=7),), None, "floor"),
    ("C3 card 1", table(), (SHOWN, slip("exposed_card", "i2", k=1, by="dealer")), "PL-07.1.f", "misdeal"),
    ("C4 two folds", table("4 fold", "5 fold", held=THREE), (EXTRA,), "PL-07.1.d", "misdeal"),
    ("C4 two checks", table("4 check", "5 check", held=THREE), (EXTRA,), "PL-07.1.d", "misdeal"),
    ("C5", table(held=THREE), (EXTRA,), "PL-07.1.d", "misdeal"),
    ("C6", table("3 call", held=THREE), (EXTRA,), "PL-07.4.e", "dead"),
    ("C7", table("4 call", "5 call", held=THREE), (EXTRA,), "PL-07.5.b", "dead"),
    ("C8", table("4 call"), (slip("missing_card"),), "PL-07.2.b", "void"),
    ("C9 before SA", table(), (slip("joker", k=4),), "PL-07.1.e", "misdeal"),
    ("C9 after SA", table("4 call", "5 call"), (slip("joker", k=4),), None, "floor"),
    ("C10 duplicate", table("4 call", "5 call"), (slip("duplicate_card"),), "PL-07.2.a", "void"),
    ("C10 foreign", table("4 call", "5 call"), (slip("foreign_card"),), "PL-07.2.d", "void"),
    ("C11", flop(cards=4, burns=1), (FOUR,), "PL-07.6.1.a", "correct"),
    ("C12", flop(cards=5, burns=1), (replace(FOUR, count=5),), None, "floor"),
    ("C13", table("3 call"), (EARLY_FLOP,), "PL-07.7.b", "floor"),
    ("C14", flop(), (UNBURNED,), "PL-07.6.2.a", "correct"),
    ("C15", flop("1 check"), (UNBURNED,), "PL-07.6.2.b", "play_on"),
    ("C16", flop("1 check", "2 check"), (UNBURNED,), "PL-07.6.2.b", "play_on"),
    ("C17", replace(flop(cards=3), flop_exposed=False), (UNBURNED,), "PL-07.6.2.a", "correct"),
    ("C18", flop(cards=0, burns=2), (slip("burn_extra", street="flop", count=2),), None, "floor"),
    ("C19 turn", flop("1 check", burns=1), (slip("burn_missing", street="turn"),), None, "floor"),
    ("C19 river", flop("1 check", burns=1), (slip("burn_extra", street="river"),), None, "floor"),
    ("C20", flop("1 bet", burns=1), (slip("premature_card", street="turn", count=1),), "PL-07.H", "correct"),
    ("C21", flop("1 bet", burns=1), (slip("premature_card", street="river", count=1),), "PL-07.7.b", "floor"),
    ("C22", table(boxed=1), (slip("boxed_card", k=1),), None, "floor"),
    ("C23 shuffle", table(), (slip("not_shuffled"),), None, "floor"),
    ("C23 cut", table(), (slip("not_cut"),), None, "floor"),
    ("C24a", table(), (slip("wrong_first_seat", seat=2, expected=1, k=1),), "PL-07.1.a", "misdeal"),
    ("C24b", table(), (ODD,), None, "floor"),
    ("C25 skipped", table(held={4: 0}), (slip("seat_skipped", seat=4),), "PL-07.1.c", "misdeal"),
    ("C25 empty seat", table(), (slip("ineligible_seat", seat=9),), "PL-07.1.b", "misdeal"),
    ("C26", table(), (slip("button_misplaced"),), None, "floor"),
    ("C27", table(deal_done=False), (slip("exposed_in_cut", count=1),), None, "floor"),
    ("C28", table("4 bet", "5 call", held=THREE, showdown=True, live=(3,)), (EXTRA,), "PL-07.5.b", "dead"),
    ("C29", table("4 bet"), (slip("hand_mucked", seat=4),), None, "floor"),
    ("T51", table(), (slip("card_lost", seat=4, k=4),), None, "floor"),
    ("T53", table(), (slip("card_in_other_hand", seat=4, expected=3),), None, "floor"),
    ("T54", table("3 fold", over=True), (slip("dealt_after_end", k=13),), None, "floor"),
    ("T60", table(), (slip("stub_short"),), None, "floor"),
    ("T25", table(), (slip("untagged_card", k=4),), None, "floor"),
    ("T63", table(), (slip("remedy_not_followed"),), None, "floor"),
    ("§10.2 07.1.a governs", table("3 call", held=THREE), (EXTRA, slip("wrong_first_seat", "i2", seat=2)),
     "PL-07.1.a", "misdeal"),
    ("§10.2 missing is b", table(), (slip("missing_card"), slip("joker", "i2")), "PL-07.2.b", "void"),
    ("§10.2 a over b", table(), (slip("ineligible_seat", seat=9), slip("wrong_first_seat", "i2", seat=2)),
     "PL-07.1.a", "misdeal"),
    ("§10.2 premature, then a call", table("3 call", "1 call"), (EARLY_FLOP, replace(UNBURNED, id="i2")),
     "PL-07.7.b", "floor"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "facts", "slips", "ident", "verdict"), CONFLICTS, ids=[row[0] for row in CONFLICTS]
)
def test_conflict_table_column_pl(
    row: str, facts: Facts, slips: Sequence[Irregularity], ident: str | None, verdict: str
) -> None:
    """The PL column of rules.md §6, PL's lines of the input table of §10.2, and the triggers PL is silent
    about.
    """
    ruling = rule(facts, *slips)
    assert (ruling.rule, ruling.verdict) == (ident, verdict), row
    if ident is None:
        is_silent(ruling)


COLUMN = """
C1: PL-07.1.f misdeal
C2: – floor
C3 cards 5 and 7: – floor, – floor
C3 cards 5 and 1: PL-07.1.f misdeal
C3 after two calls: – floor, – floor
C4 after two folds: PL-07.1.d misdeal
C4 after two checks: PL-07.1.d misdeal
C4 after a raise and a call: PL-07.5.b dead
C5 one extra to the first player after the deal: PL-07.1.d misdeal
C5 two extra to the first player: PL-07.1.d misdeal
C5 one extra to another player: PL-07.1.d misdeal
C5 one too few, a call by another: PL-07.1.d misdeal
C6: PL-07.4.e dead
C7: PL-07.5.b dead
C8: PL-07.2.b void
C9 in a hand, nobody has acted: PL-07.1.e misdeal
C9 in a hand, after two calls: – floor
C10 duplicate: PL-07.2.a void
C10 foreign: PL-07.2.d void
C11: PL-07.6.1.a correct
C12: – floor
C13: PL-07.7.b floor
C14: PL-07.6.2.a correct
C15: PL-07.6.2.b play_on
C16: PL-07.6.2.b play_on
C17: PL-07.6.2.a correct
C18 flop not seen yet: – floor
C18 flop seen: – floor
C18 two players acted on it: – floor
C19 no burn before the turn: – floor
C19 no burn before the river: – floor
C20: PL-07.H correct
C21: PL-07.7.b floor
C22 fifth card: – floor
C22 first card of the deck: – floor
C23 nobody has acted: – floor
C23 one call: – floor
C23 two calls: – floor
C24a: PL-07.1.a misdeal
C24b: – floor
C25 skipped: PL-07.1.c misdeal
C25 seat not in the hand: PL-07.1.b misdeal
C26: – floor
C27: – floor
C28: PL-07.5.b dead
C29 every card of it is known to lie in the muck: – floor
C29 it cannot be told from the muck: – floor
C30 a misdeal, two exposed cards: – floor, – floor
C30 a repair, no burn before the flop: PL-07.6.2.a correct
"""


def test_pl_column_as_compared() -> None:
    """The PL column of the conflict table that `rules compare` prints."""
    COURT.column(COLUMN)


def test_a_dead_rule_suppresses_only_its_own_seat() -> None:
    """Seat 3 acted with three cards, seat 5 has one and has not acted: seat 5's misdeal governs (§10.2)."""
    other = slip("too_few_cards", "i2", seat=5, count=1, need=2)
    ruling = rule(table("3 check", held={3: 3, 5: 1}), EXTRA, other)
    assert ruling.irregularity == "i2"
    is_misdeal(ruling, "PL-07.1.d")


def test_several_slips_after_sa_have_a_ruling_each() -> None:
    """Dead, correct and silent side by side, in order of occurrence."""
    facts = replace(flop("1 check", cards=4, burns=1), held={**dict.fromkeys(SEATS, 2), 3: 3})
    judgement = judge(facts, EXTRA, replace(FOUR, id="i2"), slip("hand_mucked", "i3", seat=4))
    assert [(each.irregularity, each.rule) for each in judgement.rulings] == [
        ("i1", "PL-07.4.e"),
        ("i2", "PL-07.6.1.a"),
        ("i3", None),
    ]


def test_five_card_omaha_and_stud_are_outside_the_book() -> None:
    """PL-07.0: hold'em and Omaha with four cards."""
    for game in ("omaha5", "stud5", "stud7"):
        ruling = rule(table(game=game), slip("duplicate_card"))
        assert (ruling.verdict, ruling.hint) == ("floor", f"this rulebook has no rule for {game}")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gets_an_answer(kind: str) -> None:
    """No trigger is without a ruling, whatever is missing from it, with betting known and unknown."""
    for facts in (table(), table("3 bet", "4 call"), replace(table(), **UNKNOWN_BETTING)):
        for fields in ({}, {"seat": 3, "expected": 4, "k": 2, "street": "flop", "count": 4, "need": 3}):
            (ruling,) = judge(facts, slip(kind, **fields)).rulings
            assert ruling.decider == "director"


# --- unknown betting ----------------------------------------------------------------------------------------


def test_betting_unknown_a_seat_with_three_cards() -> None:
    """Whether the seat acted is asked first; then the number of actions, then chips, each only if it
    matters.
    """
    facts = replace(table(held=THREE), **UNKNOWN_BETTING)
    first = judge(facts, EXTRA)
    assert first.questions == (Asked("i1", "seat_acted", (True, False), default=False, seat=3),)
    assert (first.rulings[0].rule, first.rulings[0].provisional) == ("PL-07.1.d", True)
    is_dead(rule(facts, EXTRA, seat_acted=True), "PL-07.4.e", 3)
    second = judge(facts, EXTRA, seat_acted=False)
    assert second.questions == (Asked("i1", "actions", (0, 1, 2, 3), 0),)
    is_misdeal(rule(facts, EXTRA, seat_acted=False, actions=0), "PL-07.1.d")
    is_misdeal(rule(facts, EXTRA, seat_acted=False, actions=1), "PL-07.1.d")
    is_dead(rule(facts, EXTRA, seat_acted=False, actions=3), "PL-07.5.b", 3)
    third = judge(facts, EXTRA, seat_acted=False, actions=2)
    assert third.questions == (Asked("i1", "chips_in", (0, 1), 0),)
    is_misdeal(rule(facts, EXTRA, seat_acted=False, actions=2, chips_in=0), "PL-07.1.d")
    is_dead(rule(facts, EXTRA, seat_acted=False, actions=2, chips_in=1), "PL-07.5.b", 3)


def test_betting_unknown_during_the_deal_asks_nothing() -> None:
    """With the initial deal not complete nobody has acted: a wrong first seat is a misdeal without a
    question.
    """
    facts = replace(table(deal_done=False), **UNKNOWN_BETTING)
    is_misdeal(rule(facts, slip("wrong_first_seat", seat=2, expected=1, k=1)), "PL-07.1.a")


def test_betting_unknown_does_not_matter_where_the_book_does_not_ask_for_it() -> None:
    """Fouled decks, premature cards, four-card flops and silence need no betting."""
    facts = replace(flop(cards=4, burns=1), **UNKNOWN_BETTING)
    for each in (slip("duplicate_card"), EARLY_FLOP, FOUR, slip("hand_mucked", seat=3)):
        assert rule(facts, each)


ACTS = ("fold", "check", "call", "bet", "raise")
betting = st.lists(st.tuples(st.sampled_from(SEATS), st.sampled_from(ACTS)), max_size=5).map(
    lambda acts: [f"{seat} {act}" for seat, act in acts]
)
slips = st.sampled_from(
    [
        EXTRA,
        SHORT,
        slip("wrong_seat", seat=3, expected=4),
        slip("wrong_first_seat", seat=3, expected=1),
        slip("ineligible_seat", seat=9, expected=4),
        slip("seat_skipped", seat=4, expected=4),
        slip("exposed_card", seat=2, k=2, by="dealer"),
        slip("joker", k=3),
        FOUR,
        UNBURNED,
        EARLY_FLOP,
    ]
)
counts = st.sampled_from([{}, {3: 3}, {4: 1}, {3: 3, 4: 1}, {4: 0}])
BETTING = tuple(UNKNOWN_BETTING)


def effect(ruling: Ruling) -> tuple[Any, ...]:
    """What the dealer sees of a ruling."""
    return ruling.verdict, ruling.seats, ruling.steps, ruling.bets, ruling.decider


def truth(asked: Asked, facts: Facts) -> Any:
    """What an honest dealer answers."""
    if asked.fact.startswith("seat_acted"):
        return facts.seat_acted[asked.seat or 0]
    known: Mapping[str, Any] = {
        "actions": facts.actions if asked.street is None else facts.street_actions[asked.street],
        "chips_in": facts.chips_in,
    }
    return known[asked.fact]


@settings(max_examples=150, deadline=None)
@given(betting, slips, counts, st.sets(st.sampled_from(BETTING), min_size=1))
def test_honest_answers_lead_to_the_ruling_of_known_betting(
    acts: list[str], wrong: Irregularity, held: Mapping[int, int], hidden: set[str]
) -> None:
    """Whatever is hidden: without a question the ruling is the true one, and with them the answers lead to
    it.
    """
    facts = table(*acts, held=held)
    assume(facts.players_acted is not None)
    told = replace(facts, **{name: UNKNOWN_BETTING[name] for name in hidden})
    (known,) = decide(PL, [wrong], facts, {}, 0).rulings
    answers: dict[tuple[str, str], Any] = {}
    for _ in range(6):
        judgement = decide(PL, [wrong], told, answers, 0)
        if not judgement.questions:
            break
        (asked,) = judgement.questions
        assert judgement.rulings[0].provisional
        assert (wrong.id, asked.fact) not in answers
        answers[wrong.id, asked.fact] = truth(asked, facts)
    assert judgement.questions == ()
    assert effect(judgement.rulings[0]) == effect(known)
    assert not judgement.rulings[0].provisional


# --- coverage -----------------------------------------------------------------------------------------------

ROWS = """
0 1.0a 1.0b 1.0c 1.a 1.b 1.c 1.d 1.e 1.f 1.g 1.h 1.i A
2.a 2.b 2.c 2.d 2.e 2.f 2.g 2.h B 3.a 3.b 3.c 3.d C 4.a 4.b 4.c 4.d 4.e D
5.a 5.b 5.c 5.d 5.e E 6.1.a 6.1.b 6.1.c F 6.2.a 6.2.b G 7.0 7.a 7.b 7.c H 8.a 8.b 8.c 8.d
"""
STATEMENTS = {f"PL-07.{row}" for row in ROWS.split()}


def test_every_statement_of_section_07_is_covered_and_no_other_is_claimed() -> None:
    """All 56 statements of rules.md §5 are a rule or are named with a reason; none is invented."""
    assert len(STATEMENTS) == 56
    assert PL.covered() == STATEMENTS


def test_every_reading_named_by_the_book_is_one_of_rules_md() -> None:
    """The readings of §7 that concern PL, and the shared ones it rests on."""
    named = {reading for each in PL.rules for reading in each.reading}
    assert named <= {
        "R-10",
        "R-22",
        "R-23",
        "R-24",
        "R-25",
        "R-26",
        "R-27",
        "R-28",
        "R-35",
        "R-36",
        "R-41",
        "R-42",
    }
    assert {"R-23", "R-24", "R-25", "R-26", "R-27", "R-28", "R-35", "R-36", "R-42"} <= named
