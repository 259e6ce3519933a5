"""The Live Action Rules of the WSOP, 2026, one test per rule, named after it. Expected values are those of rules.md §8.

Hands are dealt on a felt and read by antennas wherever the table can see what happened; what no antenna sees is told
as facts of the reference table: hold'em, seats 1 to 6, button 6, first card to seat 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from court import Court, misdeal_steps
from felt import DECK_WITH_TWIN, RED, TWIN

from tablectl.core.decisions import KINDS, Irregularity, Ruling
from tablectl.core.facts import Facts
from tablectl.core.ruling import Asked
from tablectl.rulebooks.scenario import on_board, slip, table

WSOP = Court("wsop2026", decider="floor", authority="floor")
CALL_FLOOR = {"do": "call", "who": "floor"}
FLOP_GAMES = ("holdem", "omaha", "omaha5")
STUD_GAMES = ("stud5", "stud7")
OPEN = [(), ("3 call",), ("3 fold", "4 fold"), ("3 check", "4 check")]
CLOSED = [("3 call", "4 call"), ("3 check", "4 fold"), ("3 raise", "4 fold"), ("3 fold", "4 fold", "5 fold")]
LATE = ("3 call", "4 call")


def shows(k: int, seat: int = 5, ident: str = "i1", by: str | None = "dealer") -> Irregularity:
    """A hole card that was seen."""
    return slip("exposed_card", ident, seat=seat, k=k, by=by)


def boxed(k: int, ident: str = "i1") -> Irregularity:
    """A card that lay face up in the deck, and is at a seat now."""
    return slip("boxed_card", ident, seat=k, k=k, zone=f"seat:{k}")


EXTRA = slip("too_many_cards", seat=3, expected=3, k=13, count=3, need=2)
SHORT = slip("too_few_cards", seat=4, count=1, need=2)
LAST = slip("too_few_cards", seat=6, count=1, need=2)
FIRST = slip("wrong_first_seat", seat=2, expected=1, k=1)
OUT_OF_ORDER = slip("wrong_seat", seat=4, expected=3, k=9)
SKIPPED = slip("seat_skipped", seat=5, expected=4, k=4, count=0, need=2)
STRAY = slip("ineligible_seat", seat=9, expected=2, k=2)
BUTTON = slip("button_misplaced", seat=5, expected=6)
JOKER = slip("joker", seat=4, k=4, zone="seat:4")
FOREIGN = slip("foreign_card", seat=4, k=4, zone="seat:4")
FOUR = slip("too_many_board_cards", street="flop", count=4, need=3, zone="board", k=17)
UNBURNED = slip("burn_missing", street="flop", count=0, need=1, k=13, zone="board")


def early(street: str) -> Irregularity:
    """A street that was dealt before the betting was closed."""
    return slip("premature_card", street=street, k=14, zone="board")


def dead(ruling: Ruling, rule: str, *seats: int) -> None:
    """The hands go to the muck, no money is returned."""
    WSOP.expect(
        ruling, rule, "dead", [{"do": "kill", "seat": seat} for seat in seats], seats=seats, bets="pot"
    )


def floor(ruling: Ruling, rule: str) -> None:
    """The rule leaves it to the floor, or what it orders is not known."""
    WSOP.expect(ruling, rule, "floor", [CALL_FLOOR])


# --- 109 the window -----------------------------------------------------------------------------------------


def test_wsop_109_what_closes_the_window() -> None:
    """Three folds, three checks, or two actions that are not both folds or both checks."""
    for acts in OPEN:
        WSOP.misdeal(WSOP.rule(table(*acts), FIRST), "WSOP-108")
    for acts in (*CLOSED, ("3 check", "4 check", "5 check")):
        WSOP.expect(WSOP.rule(table(*acts), FIRST), "WSOP-109", "play_on")


def test_wsop_109_counts_actions_and_not_players_where_there_is_a_button() -> None:
    """By the letter; two actions of one player close the window there, and in stud they do not."""
    acts = ("3 call", "3 raise")
    WSOP.expect(WSOP.rule(table(*acts), FIRST), "WSOP-109", "play_on")
    assert WSOP.rule(table(*acts, game="stud7"), FIRST).rule == "WSOP-108"


@pytest.mark.parametrize("game", STUD_GAMES)
def test_wsop_109_in_stud_two_players(game: str) -> None:
    """Two players after the forced bet, whatever they did; one who acts twice closes nothing."""
    for acts in ((), ("1 call",), ("1 raise", "1 call", "1 call")):
        WSOP.misdeal(WSOP.rule(table(*acts, game=game), FIRST), "WSOP-108")
    for acts in (("1 fold", "2 fold"), ("1 call", "2 call")):
        WSOP.expect(WSOP.rule(table(*acts, game=game), FIRST), "WSOP-109", "play_on")


# --- 108, 218 misdeals --------------------------------------------------------------------------------------


def test_wsop_108_first_card_to_the_wrong_seat() -> None:
    """From the felt; a correct deal is none."""
    felt = WSOP.felt()
    felt.deal(2)
    WSOP.misdeal(WSOP.last(felt.wait(800)), "WSOP-108")
    assert WSOP.dealt().wait(800).kinds() == []


def test_wsop_108_out_of_sequence() -> None:
    """A later card at another seat, a seat passed over (C24b, C25); after the window played on."""
    felt = WSOP.felt().deal_round([1, 2, 6]).wait(800)
    WSOP.misdeal(WSOP.last(felt), "WSOP-108")
    skipped = WSOP.felt().deal_round([1, 2, 4, 5, 6]).wait(800)
    WSOP.misdeal(WSOP.last(skipped), "WSOP-108")
    for wrong in (OUT_OF_ORDER, SKIPPED):
        WSOP.misdeal(WSOP.rule(table("3 call", absent=(5,)), wrong), "WSOP-108")
        WSOP.expect(WSOP.rule(table(*LATE), wrong), "WSOP-109", "play_on")


def test_wsop_108_but_an_exposed_card_may_be_replaced_by_the_burn() -> None:
    """The card out of sequence at the seat of the exposed one is part of that matter; elsewhere it is a misdeal."""
    for wrong in (replace(OUT_OF_ORDER, id="i2"), slip("seat_skipped", "i2", seat=4, expected=3, k=9)):
        ruling = WSOP.rule(table(), shows(4, 4), wrong)
        assert (ruling.irregularity, ruling.rule) == ("i1", "WSOP-123")
        WSOP.misdeal(WSOP.rule(table(), shows(5, 5), wrong), "WSOP-108")


def test_wsop_108_a_player_who_is_away_may_be_dealt_out() -> None:
    """He must be there or have posted: whether he has is for the floor."""
    WSOP.silent(WSOP.rule(table(held={4: 0}, absent=(4,)), SKIPPED))
    gone = replace(SHORT, count=0)
    WSOP.silent(WSOP.rule(table(held={4: 0}, absent=(4,)), gone))
    for facts in (table(held={4: 0}), table(held={4: 0}, absent=(5,)), table(held={4: 1}, absent=(4,))):
        WSOP.misdeal(WSOP.rule(facts, gone), "WSOP-108")
    misplaced = WSOP.rule(table(absent=(3,)), OUT_OF_ORDER)
    WSOP.misdeal(misplaced, "WSOP-108")


def test_wsop_108_button_at_the_wrong_seat() -> None:
    """In button games, dealt again from where it belongs (C26); after the window played on (113)."""
    for game in FLOP_GAMES:
        ruling = WSOP.rule(table("3 call", game=game), BUTTON)
        WSOP.misdeal(ruling, "WSOP-108", misdeal_steps(first=1), button="corrected")
        WSOP.expect(WSOP.rule(table(*LATE, game=game), BUTTON), "WSOP-113", "play_on")
    elsewhere = WSOP.rule(table(), slip("button_misplaced", seat=6, expected=2))
    WSOP.misdeal(elsewhere, "WSOP-108", misdeal_steps(first=3), button="corrected")
    for acts in ((), LATE):
        WSOP.silent(WSOP.rule(table(*acts, game="stud7"), BUTTON))


def test_wsop_108_wrong_number_of_cards() -> None:
    """Too few, two or more extra, one extra after somebody has acted (C5), also of the seat that acted (C6)."""
    felt = WSOP.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 3]).wait(2500).acts((3, "call"))
    WSOP.misdeal(WSOP.last(felt), "WSOP-108")
    for acts in OPEN:
        WSOP.misdeal(WSOP.rule(table(*acts, held={4: 1}), SHORT), "WSOP-108")
        WSOP.misdeal(WSOP.rule(table(*acts, held={3: 4}), replace(EXTRA, count=4)), "WSOP-108")
        WSOP.misdeal(WSOP.rule(table(*acts, held={3: 3, 5: 3}), EXTRA), "WSOP-108")
    WSOP.misdeal(WSOP.rule(table(held={3: 3, 4: 1}), EXTRA), "WSOP-108")
    WSOP.misdeal(WSOP.rule(table(held={2: 1}), STRAY), "WSOP-108")
    WSOP.misdeal(WSOP.rule(table(deal_done=False, held={4: 1, 6: 1}), SHORT), "WSOP-108")
    WSOP.misdeal(WSOP.rule(table(deal_done=False, held={3: 3, 4: 1}), SHORT), "WSOP-108")
    WSOP.misdeal(WSOP.rule(table(deal_done=False, held={3: 4, 6: 1}), EXTRA), "WSOP-108")


def test_wsop_108_number_near_misses() -> None:
    """Numbers that are right, not complete yet, of a seat that is not in the hand; a card at an empty seat (C25)."""
    for acts in ((), LATE):
        WSOP.silent(WSOP.rule(table(*acts), EXTRA), "108")
        WSOP.silent(WSOP.rule(table(*acts, held={9: 1}), slip("too_many_cards", seat=9, count=1, need=0)))
        WSOP.silent(WSOP.rule(table(*acts), STRAY), "not in the list of misdeals")
    WSOP.silent(WSOP.rule(table(deal_done=False, held={2: 1, 6: 1}), STRAY))
    WSOP.silent(WSOP.rule(table(deal_done=False, held={5: 3}), EXTRA))


def test_wsop_108_the_top_card_in_its_proper_sequence() -> None:
    """The last seat of the deal is one short: the next card is its own. After the window the hand is dead."""
    felt = WSOP.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5]).acts((3, "call")).wait(3000)
    assert felt.kinds() == ["too_few_cards"]
    steps = [{"do": "replace", "seat": 6}]
    WSOP.expect(WSOP.last(felt), "WSOP-108", "correct", steps, seats=[6])
    for game, held in (("holdem", 1), ("omaha", 3), ("stud7", 2)):
        facts = replace(table("1 call", game=game, held={6: held}), button=None)
        WSOP.expect(WSOP.rule(facts, LAST), "WSOP-108", "correct", steps, seats=[6])
    dead(WSOP.rule(table(*LATE, held={6: 1}), LAST), "WSOP-110", 6)


def test_wsop_108_the_top_card_out_of_sequence() -> None:
    """Another seat, two cards short, or another one short besides: misdeal. The right number: no rule."""
    WSOP.misdeal(WSOP.rule(table(held={5: 1}), replace(LAST, seat=5)), "WSOP-108")
    WSOP.misdeal(WSOP.rule(table(game="omaha", held={6: 2}), LAST), "WSOP-108")
    WSOP.misdeal(WSOP.rule(table(held={6: 1, 2: 1}), LAST), "WSOP-108")
    WSOP.silent(WSOP.rule(table(), LAST))


def test_wsop_108_two_boxed_cards() -> None:
    """Among those that the hand needs; after the window played on. One has no rule (C22)."""
    WSOP.misdeal(WSOP.rule(table("3 call", boxed=2), boxed(4), boxed(9, "i2")), "WSOP-108")
    WSOP.expect(WSOP.rule(table(*LATE, boxed=2), boxed(9)), "WSOP-109", "play_on")
    for acts in ((), LATE):
        WSOP.silent(WSOP.rule(table(*acts, boxed=1), boxed(1)), "of one there is no rule")


@pytest.mark.parametrize("k", [1, 2])
def test_wsop_108_first_or_second_card_exposed(k: int) -> None:
    """By the dealer (C1); after the window played on."""
    felt = WSOP.felt().deal_round(range(1, k + 1)).enter("exposed", seat=k, by="dealer").wait(200)
    WSOP.misdeal(WSOP.last(felt), "WSOP-108")
    for game in (*FLOP_GAMES, "stud5"):
        WSOP.misdeal(WSOP.rule(table("3 call", game=game), shows(k, k)), "WSOP-108")
        WSOP.expect(WSOP.rule(table(*LATE, game=game), shows(k, k)), "WSOP-109", "play_on")


def test_wsop_108_two_down_cards_exposed() -> None:
    """Any two by the dealer (C3)."""
    two = shows(5), shows(9, 3, "i2")
    WSOP.misdeal(WSOP.rule(table(), *two), "WSOP-108")
    late = WSOP.judge(table(*LATE), *two).rulings
    assert [(each.rule, each.verdict) for each in late] == [("WSOP-109", "play_on")] * 2
    mixed = WSOP.judge(table(), shows(5), shows(9, 3, "i2", by="player")).rulings
    assert [each.rule for each in mixed] == ["WSOP-123", "WSOP-148"]


def test_wsop_218_down_card_exposed_in_seven_card_stud() -> None:
    """One of the first two: the third comes down, whichever card of the deck it was."""
    facts = table(game="stud7", deal_done=False, held={4: 2})
    for wrong in (shows(1, 4), shows(10, 4), slip("up_card_error", seat=4, count=1)):
        ruling = WSOP.rule(facts, wrong)
        WSOP.expect(ruling, "WSOP-218", "correct")
        assert "third card comes down" in (ruling.hint or "")


def test_wsop_218_all_three_exposed() -> None:
    """Misdeal while the window is open."""
    three = slip("up_card_error", seat=4, count=3)
    WSOP.misdeal(WSOP.rule(table("1 call", game="stud7"), three), "WSOP-218")
    for other in (table("1 call", "2 call", game="stud7"), table(game="stud5")):
        WSOP.silent(WSOP.rule(other, three))
    WSOP.silent(WSOP.rule(table(game="stud7"), replace(three, count=2)))


def test_wsop_218_near_misses() -> None:
    """The third card is there; a later card or street; a player's doing."""
    facts = table(game="stud7", deal_done=False, held={4: 2})
    WSOP.silent(WSOP.rule(replace(facts, held={**facts.held, 4: 3}), shows(4, 4)))
    WSOP.silent(WSOP.rule(facts, shows(20, 4)))
    assert WSOP.rule(facts, shows(4, 4, by="player")).rule == "WSOP-148"
    for held, count, street in ((3, 1, "third"), (2, 2, "third"), (2, 1, "fourth")):
        other = replace(facts, held={**facts.held, 4: held}, street=street)
        WSOP.silent(WSOP.rule(other, slip("up_card_error", seat=4, count=count)))


# --- 110, 235 dead hands ------------------------------------------------------------------------------------


def test_wsop_110_wrong_number_after_the_window() -> None:
    """Dead, whether or not the seat has acted (C7); no money comes back."""
    felt = WSOP.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 3]).wait(2500)
    dead(WSOP.last(felt.acts((3, "call"), (4, "call"))), "WSOP-110", 3)
    for acts in CLOSED:
        dead(WSOP.rule(table(*acts, held={4: 1}), SHORT), "WSOP-110", 4)
    dead(WSOP.rule(table(*LATE, held={3: 1, 4: 3}), OUT_OF_ORDER), "WSOP-110", 4, 3)
    for kind in ("wrong_first_seat", "ineligible_seat", "seat_skipped"):
        dead(WSOP.rule(table(*LATE, held={2: 1}), slip(kind, seat=9, expected=2)), "WSOP-110", 2)
    WSOP.expect(
        WSOP.rule(table(*LATE, held={4: 0}), replace(SHORT, count=0)),
        "WSOP-110",
        "dead",
        seats=[4],
        bets="pot",
    )


def test_wsop_110_acting_on_a_joker() -> None:
    """The hand is dead; until its player acts the joker is a scrap of paper (119)."""
    dead(WSOP.rule(table("4 call"), JOKER), "WSOP-110", 4)
    assert WSOP.rule(table("3 call", "5 call"), JOKER).rule == "WSOP-119"
    stray = replace(table("4 call"), seat_acted={9: True})
    assert WSOP.rule(stray, slip("joker", seat=9, k=4, zone="seat:9")).rule == "WSOP-119"


def test_wsop_235_counts_at_showdown() -> None:
    """Seven-card stud: more than seven or fewer than six cards are dead."""
    acts = ("third 1 call", "third 2 call", "seventh 1 check")
    seven = dict.fromkeys(range(1, 7), 7)
    for cards in (8, 5):
        wrong = slip("too_many_cards" if cards > 7 else "too_few_cards", seat=3, count=cards, need=7)
        facts = table(*acts, game="stud7", held={**seven, 3: cards}, showdown=True)
        dead(WSOP.rule(facts, wrong), "WSOP-235", 3)
        for other in (
            replace(facts, showdown=False),
            replace(facts, live=(1, 2)),
            replace(facts, held={**seven, 3: 7}),
            replace(facts, held={**seven, 3: 6}),
        ):
            house = WSOP.alone("WSOP-235")
            house.silent(house.rule(other, wrong))


# --- 115 to 121 the deck ------------------------------------------------------------------------------------


def test_wsop_116_duplicate_card() -> None:
    """Void whatever the action, bets back, another deck (C10, R-03); the claim ends with the hand (55)."""
    void = misdeal_steps(deck=True)
    for facts in (table(), table(*LATE), on_board("river", "1 bet", "2 call")):
        WSOP.expect(WSOP.rule(facts, slip("duplicate_card", k=4)), "WSOP-116", "void", void, bets="returned")
    WSOP.silent(WSOP.rule(table(ended=True), slip("duplicate_card")), "after the hand has ended")
    felt = WSOP.dealt(deck=DECK_WITH_TWIN).call_round()
    felt.deal("burn")
    felt.stub.insert(0, TWIN)
    felt.flop(burn=False)
    WSOP.expect(WSOP.last(felt), "WSOP-116", "void", void, bets="returned")


def test_wsop_115_card_with_another_back() -> None:
    """Void; only in the stub, once action was taken, the hand stands."""
    felt = WSOP.dealt().acts((3, "call"), (4, "call"), (5, "fold"), (6, "fold"), (1, "call"), (2, "check"))
    felt.deal("burn")
    felt.stub.insert(0, next(iter(RED.cards)))
    felt.flop(burn=False)
    void = misdeal_steps(deck=True)
    WSOP.expect(WSOP.last(felt), "WSOP-115", "void", void, bets="returned")
    in_stub = slip("foreign_card", zone="shoe")
    WSOP.expect(WSOP.rule(table(), in_stub), "WSOP-115", "void", void, bets="returned")
    WSOP.expect(WSOP.rule(table(*LATE), FOREIGN), "WSOP-115", "void", void, bets="returned")
    stands = WSOP.rule(table("3 fold"), in_stub)
    WSOP.expect(stands, "WSOP-115", "play_on")
    assert "not going to be used" in (stands.hint or "")
    for wrong in (FOREIGN, in_stub):
        WSOP.silent(WSOP.rule(table(*LATE, ended=True), wrong), "after the hand has ended")


@pytest.mark.parametrize("acts", [(), ("3 call", "5 call")])
def test_wsop_119_joker(acts: Sequence[str]) -> None:
    """A scrap of paper at any time, never a misdeal: the next card takes its place (C9)."""
    removed = {"do": "remove", "card": 4}
    WSOP.expect(
        WSOP.rule(table(*acts), JOKER), "WSOP-119", "correct", [removed, {"do": "replace", "seat": 4}]
    )
    for zone, steps in (
        ("board", [removed, {"do": "deal", "street": "flop", "count": 1}]),
        ("burn", [removed, {"do": "burn"}]),
        ("shoe", [removed]),
    ):
        WSOP.expect(WSOP.rule(on_board("flop"), slip("joker", k=4, zone=zone)), "WSOP-119", "correct", steps)
    WSOP.silent(WSOP.rule(table(*acts, ended=True), JOKER))


def test_wsop_121_missing_card() -> None:
    """The hand stands (C8)."""
    for facts in (table(), table(*LATE)):
        WSOP.expect(WSOP.rule(facts, slip("missing_card")), "WSOP-121", "play_on")


# --- 122 to 125, 148 extra and exposed cards ----------------------------------------------------------------


def test_wsop_122_one_extra_card() -> None:
    """To anybody, before the first round of betting: back on the deck, and it is the burn (C5)."""
    felt = WSOP.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 3]).wait(2500)
    steps = [
        {"do": "to_top", "card": 13}, {"do": "finish_round", "street": "preflop"}, {"do": "to_burn", "card": 13},
        {"do": "deal", "street": "flop", "count": 3},
    ]  # fmt: skip
    WSOP.expect(WSOP.last(felt), "WSOP-122", "correct", steps)
    half = WSOP.rule(table(deal_done=False, held={3: 3, 5: 1, 6: 1}), EXTRA)
    WSOP.expect(half, "WSOP-122", "correct", steps)
    stud = WSOP.rule(table(game="stud5", held={3: 3}), EXTRA)
    WSOP.expect(
        stud, "WSOP-122", "correct", [*({**s, "street": "second"} if "street" in s else s for s in steps[:3])]
    )


def test_wsop_123_one_later_card_exposed() -> None:
    """It counts as exposed, the player has no choice, the floor decides (C2); the player's own doing is 148."""
    felt = WSOP.felt().deal_round([1, 2, 3]).enter("exposed", seat=3, by="dealer").wait(200)
    floor(WSOP.last(felt), "WSOP-123")
    assert "no choice" in (WSOP.last(felt).hint or "")
    for game in (*FLOP_GAMES, "stud5"):
        floor(WSOP.rule(table(*LATE, game=game), shows(5)), "WSOP-123")


def test_wsop_148_a_player_exposes_his_own_card() -> None:
    """It plays."""
    felt = WSOP.dealt().enter("exposed", seat=3, by="player").wait(200)
    WSOP.expect(WSOP.last(felt), "WSOP-148", "play_on")
    for acts in ((), LATE):
        for k in (1, 5):
            WSOP.expect(WSOP.rule(table(*acts), shows(k, by="player")), "WSOP-148", "play_on")


def test_wsop_124_card_off_the_table() -> None:
    """Off the table it counts as exposed; dropped by a player is another matter (125): the floor."""
    ruling = WSOP.rule(table(), slip("card_lost", expected=4, k=4))
    floor(ruling, "WSOP-124")
    assert "dropped by a player" in (ruling.hint or "")


def test_wsop_112_cards_in_another_hand() -> None:
    """The floor."""
    floor(WSOP.rule(table(), slip("card_in_other_hand", seat=4, expected=3, k=9)), "WSOP-112")


def test_wsop_114_hand_mucked_by_mistake_that_is_known() -> None:
    """After a dealer's error every effort is made: it is given back (C29)."""
    felt = WSOP.dealt().acts((3, "call"))
    felt.move(4, "muck").wait(5000)
    WSOP.expect(WSOP.last(felt), "WSOP-114", "correct")


def test_wsop_111_hand_mucked_by_mistake_that_is_not_known() -> None:
    """Whether it can be told apart is asked; if not, the floor."""
    half = slip("hand_mucked", seat=4, count=1, zone="muck")
    asked = WSOP.judge(table("3 call"), half).questions
    assert asked == (Asked("i1", "retrievable", (True, False), default=True),)
    floor(WSOP.rule(table("3 call"), half, retrievable=False), "WSOP-111")
    assert WSOP.rule(table("3 call"), half, retrievable=True).rule == "WSOP-114"


def test_wsop_81_card_dealt_after_the_end() -> None:
    """No rabbit hunting."""
    felt = WSOP.dealt().acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold")).wait(800)
    felt.deal("burn", wait=800)
    floor(WSOP.last(felt), "WSOP-81")


# --- 167 to 171 the board -----------------------------------------------------------------------------------

FLOP_AGAIN = [
    {"do": "shuffle", "what": "stub+flop"}, {"do": "no_burn"}, {"do": "deal", "street": "flop", "count": 3},
]  # fmt: skip
MIXED = [
    {"do": "scramble", "zone": "board", "count": 4}, {"do": "pick", "by": "floor"}, {"do": "to_burn"},
]  # fmt: skip


def test_wsop_167_flop_of_four() -> None:
    """Mixed, the floor draws the next burn, three are the flop (C11); without a burn it is the flop's."""
    felt = WSOP.dealt().call_round().flop(4)
    WSOP.expect(WSOP.last(felt), "WSOP-167", "correct", [*MIXED, {"do": "no_burn"}])
    unburned = WSOP.rule(on_board("flop", cards=4, burns=0), FOUR, replace(UNBURNED, id="i2"))
    WSOP.expect(unburned, "WSOP-167", "correct", MIXED)
    assert WSOP.dealt().call_round().flop().kinds() == []


def test_wsop_167_more_than_four() -> None:
    """Shuffled into the stub and dealt again (C12)."""
    felt = WSOP.dealt().call_round().flop(5)
    WSOP.expect(WSOP.last(felt), "WSOP-167", "correct", FLOP_AGAIN)
    taken_away = WSOP.rule(on_board("flop", cards=4), replace(FOUR, count=5))
    WSOP.expect(taken_away, "WSOP-167", "correct", FLOP_AGAIN)


def test_wsop_167_near_misses() -> None:
    """A turn of two or five, four counted where five lie; a turn's burn is a matter of its own."""
    for count in (4, 5):
        WSOP.silent(WSOP.rule(on_board("turn"), replace(FOUR, street="turn", count=count)))
    WSOP.silent(WSOP.rule(on_board("flop", cards=5), FOUR))
    other = WSOP.judge(
        on_board("turn", burns=0), FOUR, replace(UNBURNED, id="i2", street="turn", k=17)
    ).rulings
    assert [each.rule for each in other] == ["WSOP-167", "WSOP-169"]


def test_wsop_168_no_burn_before_the_flop() -> None:
    """Seen: reshuffled (C14). Not seen: the first card is the burn, the next one completes the flop (C17)."""
    felt = WSOP.dealt().call_round().flop(burn=False).wait(1500)
    assert felt.kinds() == ["burn_missing"]
    assert (WSOP.last(felt).verdict, WSOP.last(felt).provisional) == ("correct", True)
    felt.enter("answer", question="flop_exposed", value=True).wait(200)
    WSOP.expect(WSOP.last(felt), "WSOP-168", "correct", FLOP_AGAIN)
    facts = on_board("flop", burns=0)
    WSOP.expect(WSOP.rule(facts, UNBURNED, flop_exposed=True), "WSOP-168", "correct", FLOP_AGAIN)
    repaired = [
        {"do": "restore_order", "street": "flop"}, {"do": "to_burn", "card": 13},
        {"do": "deal", "street": "flop", "count": 1},
    ]  # fmt: skip
    WSOP.expect(WSOP.rule(facts, UNBURNED, flop_exposed=False), "WSOP-168", "correct", repaired)


@pytest.mark.parametrize("exposed", [True, False])
def test_wsop_168_near_misses(exposed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """After an action, two burns, four cards: not this rule (C15, C16, C18)."""
    seen: dict[str, Any] = {"flop_exposed": exposed}
    acted = replace(on_board("flop", "1 check", burns=0), **seen)
    WSOP.silent(WSOP.rule(acted, UNBURNED), "it stands (126)")
    WSOP.silent(WSOP.rule(replace(on_board("flop", cards=4, burns=0), **seen), UNBURNED))
    WSOP.silent(
        WSOP.rule(replace(on_board("flop", burns=2), **seen), slip("burn_extra", street="flop", count=2))
    )
    all_in = replace(on_board("turn", burns=0), street_actions={"flop": 0, "turn": 0}, **seen)
    assert WSOP.rule(all_in, replace(UNBURNED, street="turn", k=17)).rule == "WSOP-169"


@pytest.mark.parametrize(("street", "card"), [("turn", 17), ("river", 19)])
def test_wsop_169_no_burn_before_turn_or_river(street: str, card: int) -> None:
    """Repaired before action on the street; after it the card stands (C19)."""
    felt = WSOP.dealt().call_round().flop().call_round()
    if street == "river":
        felt.street().call_round()
    felt.street(burn=False).wait(1500)
    assert felt.kinds() == ["burn_missing"]
    steps = [
        {"do": "restore_order", "street": street}, {"do": "to_burn", "card": card},
        {"do": "deal", "street": street, "count": 1},
    ]  # fmt: skip
    WSOP.expect(WSOP.last(felt), "WSOP-169", "correct", steps)
    WSOP.expect(WSOP.last(felt.acts((1, "check"))), "WSOP-169", "play_on")
    assert "would have come" in (WSOP.last(felt).hint or "")


@pytest.mark.parametrize(("street", "surplus"), [("turn", 19), ("river", 21)])
def test_wsop_169_two_burns_before_turn_or_river(street: str, surplus: int) -> None:
    """The order is restored, and the surplus card goes back to be the next burn; before the card lies there too."""
    twice = slip("burn_extra", street=street, count=2, need=1)
    steps = [{"do": "restore_order", "street": street}, {"do": "to_top", "card": surplus}]
    WSOP.expect(WSOP.rule(on_board(street, burns=2), twice), "WSOP-169", "correct", steps)
    WSOP.expect(WSOP.rule(on_board(street, burns=2, cards=0), twice), "WSOP-169", "correct", steps[:1])
    WSOP.expect(WSOP.rule(on_board(street, "1 check", burns=2), twice), "WSOP-169", "play_on")


def test_wsop_169_not_on_the_flop() -> None:
    """Two burns before the flop: no rule, with an action or without."""
    for acts in ((), ("1 check",)):
        WSOP.silent(WSOP.rule(on_board("flop", *acts, burns=2), slip("burn_extra", street="flop", count=2)))


def again(street: str, before: str, cards: int) -> list[dict[str, Any]]:
    """Finish the round, back into the stub, shuffle, deal without a burn."""
    return [
        {"do": "finish_round", "street": before}, {"do": "shuffle", "what": f"stub+{street}"}, {"do": "no_burn"},
        {"do": "deal", "street": street, "count": cards},
    ]  # fmt: skip


def test_wsop_171_premature_flop_turn_and_river() -> None:
    """As the TDA has it (C13, C20, C21); nobody may accept or reject the card (127, 170)."""
    flop = WSOP.dealt().acts((3, "call")).flop()
    WSOP.expect(WSOP.last(flop), "WSOP-171", "correct", again("flop", "preflop", 3))
    turn = WSOP.dealt().call_round().flop().acts((1, "check")).street()
    WSOP.expect(WSOP.last(turn), "WSOP-171", "correct", again("turn", "flop", 1))
    river = WSOP.dealt().call_round().flop().call_round().street().acts((1, "check")).street()
    WSOP.expect(WSOP.last(river), "WSOP-171", "correct", again("river", "turn", 1))
    assert "accept or reject" in (WSOP.last(river).hint or "")


def test_wsop_171_with_a_burn_error_or_a_wrong_count() -> None:
    """They are part of it; what is wrong with another street is not."""
    for kind in ("burn_missing", "burn_extra", "too_many_board_cards", "too_few_board_cards"):
        facts = replace(table("3 call"), board={"flop": 4, "turn": 0, "river": 0})
        ruling = WSOP.rule(facts, early("flop"), slip(kind, "i2", street="flop", count=4, need=3))
        assert (ruling.irregularity, ruling.rule) == ("i1", "WSOP-171")
    both = WSOP.judge(
        on_board("turn", burns=0), early("flop"), replace(UNBURNED, id="i2", street="turn", k=17)
    )
    assert [each.rule for each in both.rulings] == ["WSOP-171", "WSOP-169"]
    WSOP.silent(WSOP.rule(table(), slip("premature_card", zone="board", k=5)))


# --- stud, short stubs --------------------------------------------------------------------------------------


def test_wsop_231_premature_card_in_stud() -> None:
    """Back on the stub, reshuffled; the new street for every seat left, without a burn."""
    facts = table("third 1 call", "third 2 fold", game="stud7")
    ruling = WSOP.rule(facts, slip("premature_card", seat=3, street="fourth", k=20))
    WSOP.expect(
        ruling, "WSOP-231", "correct",
        [
            {"do": "to_top", "card": 20}, {"do": "finish_round", "street": "third"},
            {"do": "shuffle", "what": "stub"}, {"do": "no_burn"},
            {"do": "deal", "street": "fourth", "count": 5},
        ],
    )  # fmt: skip


def test_wsop_230_burn_error_in_stud() -> None:
    """The floor."""
    for kind in ("burn_missing", "burn_extra"):
        floor(WSOP.rule(table(game="stud7"), slip(kind, street="fourth")), "WSOP-230")


def test_wsop_233_last_card_face_up() -> None:
    """Seventh street: the floor; another street, a card of the deal, or the player's doing: not this rule."""
    facts = table("third 1 call", "third 2 call", "seventh 1 check", game="stud7")
    floor(WSOP.rule(facts, shows(40, 4)), "WSOP-233")
    WSOP.silent(WSOP.rule(replace(facts, street="sixth"), shows(40, 4)))
    WSOP.silent(WSOP.rule(facts, shows(4, 4)))
    assert WSOP.rule(facts, shows(40, 4, by="player")).rule == "WSOP-148"


def test_wsop_216_232_stub_too_short() -> None:
    """The floor, by 216 in flop games and by 232 in seven-card stud; five-card stud has no rule."""
    for game in FLOP_GAMES:
        floor(WSOP.rule(table(game=game), slip("stub_short")), "WSOP-216")
    floor(WSOP.rule(table(game="stud7"), slip("stub_short")), "WSOP-232")
    WSOP.silent(WSOP.rule(table(game="stud5"), slip("stub_short")))


# --- each rule for itself -----------------------------------------------------------------------------------

TOP_CARD = "WSOP-108 (the top card in its proper sequence)"
NOT_HERE: list[tuple[str, Facts, Irregularity]] = [
    ("WSOP-110", table("3 call", held={3: 3}), EXTRA),
    (TOP_CARD, table(*LATE, held={6: 1}), LAST),
    (TOP_CARD, table(held={4: 1}), SHORT),
    ("WSOP-122", table("3 call", held={3: 3}), EXTRA),
    ("WSOP-168 (no board card was seen)", replace(on_board("flop", burns=0), flop_exposed=True), UNBURNED),
    ("WSOP-109", table("3 call"), FIRST),
    ("WSOP-109 (boxed cards)", table("3 call", boxed=2), boxed(9)),
    ("WSOP-109 (exposed cards)", table("3 call"), shows(1, 1)),
    ("WSOP-113", table("3 call"), BUTTON),
    ("WSOP-115 (only in the stub)", table("3 fold"), FOREIGN),
    ("WSOP-115 (only in the stub)", table(), slip("foreign_card", zone="shoe")),
    ("WSOP-115 (only in the stub)", table("3 fold", ended=True), slip("foreign_card", zone="shoe")),
    ("WSOP-169 (after an action on the street)", on_board("turn", burns=0), replace(UNBURNED, street="turn")),
]


@pytest.mark.parametrize(("rule", "facts", "wrong"), NOT_HERE)
def test_wsop_a_rule_claims_only_what_it_says(rule: str, facts: Facts, wrong: Irregularity) -> None:
    """In a house that has kept this one rule, what another rule decides is silence."""
    WSOP.alone(rule).silent(WSOP.alone(rule).rule(facts, wrong))


# --- the whole book -----------------------------------------------------------------------------------------


def test_wsop_what_the_rules_leave_open_is_a_parameter() -> None:
    """A house that cuts and burns after a reshuffle, does not cut before a redeal, keeps a fouled deck."""
    house = WSOP.house(
        parameters={
            "cut_after_reshuffle": True, "burn_after_reshuffle": True, "cut_before_redeal": False,
            "new_deck_after_foul": False, "picks": "dealer",
        }
    )  # fmt: skip
    five = house.rule(on_board("flop", cards=5), replace(FOUR, count=5))
    assert [step["do"] for step in five.steps] == ["shuffle", "cut", "burn", "deal"]
    for street in ("flop", "turn", "river"):
        assert house.rule(table(), early(street)).steps[2] == {"do": "cut"}
    stud = house.rule(table(game="stud7"), slip("premature_card", seat=3, street="fourth", k=20))
    assert stud.steps[3] == {"do": "cut"}
    for wrong in (FIRST, BUTTON, FOREIGN):
        assert list(house.rule(table(), wrong).steps) == list(misdeal_steps(cut=False))
    assert house.rule(on_board("flop", cards=4), FOUR).steps[1] == {"do": "pick", "by": "dealer"}


SILENT = (
    "not_shuffled", "not_cut", "exposed_in_cut", "untagged_card", "damaged_card", "too_few_board_cards",
    "stub_disordered", "up_card_error", "remedy_not_followed",
)  # fmt: skip


@pytest.mark.parametrize("kind", SILENT)
def test_wsop_is_silent(kind: str) -> None:
    """Triggers the rules do not mention, before and after the window."""
    for facts in (table(), table(*LATE), on_board("flop", "1 check")):
        WSOP.silent(WSOP.rule(facts, slip(kind, seat=3, k=5)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gets_an_answer(kind: str) -> None:
    """No trigger is without a ruling, whatever is missing from it, with betting known and unknown, in every game."""
    WSOP.answers(kind, (*FLOP_GAMES, *STUD_GAMES), prefix="WSOP-", decider="floor")


COLUMN = """
C1: WSOP-108 misdeal
C2: WSOP-123 floor
C3 cards 5 and 7: WSOP-108 misdeal
C3 cards 5 and 1: WSOP-108 misdeal
C3 after two calls: WSOP-109 play_on, WSOP-109 play_on
C4 after two folds: WSOP-108 misdeal
C4 after two checks: WSOP-108 misdeal
C4 after a raise and a call: WSOP-110 dead
C5 one extra to the first player after the deal: WSOP-122 correct
C5 two extra to the first player: WSOP-108 misdeal
C5 one extra to another player: WSOP-122 correct
C5 one too few, a call by another: WSOP-108 misdeal
C6: WSOP-108 misdeal
C7: WSOP-110 dead
C8: WSOP-121 play_on
C9 in a hand, nobody has acted: WSOP-119 correct
C9 in a hand, after two calls: WSOP-119 correct
C10 duplicate: WSOP-116 void
C10 foreign: WSOP-115 void
C11: WSOP-167 correct
C12: WSOP-167 correct
C13: WSOP-171 correct
C14: WSOP-168 correct
C15: – floor
C16: – floor
C17: WSOP-168 correct
C18 flop not seen yet: – floor
C18 flop seen: – floor
C18 two players acted on it: – floor
C19 no burn before the turn: WSOP-169 correct
C19 no burn before the river: WSOP-169 correct
C20: WSOP-171 correct
C21: WSOP-171 correct
C22 fifth card: – floor
C22 first card of the deck: – floor
C23 nobody has acted: – floor
C23 one call: – floor
C23 two calls: – floor
C24a: WSOP-108 misdeal
C24b: WSOP-108 misdeal
C25 skipped: WSOP-108 misdeal
C25 seat not in the hand: – floor
C26: WSOP-108 misdeal
C27: – floor
C28: WSOP-110 dead
C29 every card of it is known to lie in the muck: WSOP-114 correct
C29 it cannot be told from the muck: WSOP-111 floor
C30 a misdeal, two exposed cards: WSOP-108 misdeal
C30 a repair, no burn before the flop: WSOP-168 correct
"""


def test_wsop_column_as_compared() -> None:
    """What rules.md §8.1 says of the rows of §6."""
    WSOP.column(COLUMN)


def test_wsop_every_rule_was_read_in_its_own_text() -> None:
    """§8: only what is marked V is encoded."""
    assert {rule.mark for rule in WSOP.book.rules if rule.id is not None} == {"V"}


def test_every_statement_of_the_wsop_is_covered_and_no_other_is_claimed() -> None:
    """The numbers of rules.md §8.1: rules, or named with a reason."""
    rules = "81 108 109 110 111 112 113 114 115 116 119 121 122 123 124 148 167 168 169 171 216 218 230 231 232 233 235"
    named = "52 55 79 83 117 118 120 125 126 127 157 170 234 VIII"
    assert WSOP.book.covered() == {f"WSOP-{ident}" for ident in f"{rules} {named}".split()}
    assert set(WSOP.book.statements) == {f"WSOP-{ident}" for ident in named.split()}
