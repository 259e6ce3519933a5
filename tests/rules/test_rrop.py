"""Robert's Rules of Poker, one test per statement, named after it. Expected values: rules.md §8, what is marked v.

Hands are dealt on a felt and read by antennas wherever the table can see what happened; what no antenna sees is told
as facts of the reference table: seats 1 to 6, button 6, first card to seat 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from court import Court, misdeal_steps
from felt import DECK_WITH_TWIN, RED, TWIN, uid

from tablectl.core.decisions import KINDS
from tablectl.core.ruling import Asked
from tablectl.rulebooks.scenario import UNKNOWN_BETTING, on_board, slip, table

RROP = Court("rrop", decider="floor", authority="floor")
CALL = {"do": "call", "who": "floor"}
CUT = {"do": "cut"}
EVERY_GAME = ("holdem", "omaha", "omaha5", "stud5", "stud7")
OTHER_GAMES = EVERY_GAME[1:]
NOT_YET = [(), ("3 call",), ("3 fold",), ("3 raise", "3 call")]
ACTED = [("3 call", "4 call"), ("3 fold", "4 fold"), ("3 check", "4 check")]
PREFLOP = {"do": "finish_round", "street": "preflop"}
FLOP = {"do": "deal", "street": "flop", "count": 3}
AGAIN = [{"do": "shuffle", "what": "stub+flop"}, CUT, {"do": "no_burn"}, FLOP]
RIVER = [CUT, {"do": "no_burn"}, {"do": "deal", "street": "river", "count": 1}]
VOID = [{"do": "collect"}, {"do": "return_bets", "to": "all"}]


def shows(k: int | None, seat: int = 5, ident: str = "i1", by: str | None = "dealer") -> Any:
    """A hole card that was seen."""
    return slip("exposed_card", ident, seat=seat, k=k, by=by)


def boxed(k: int | None, ident: str = "i1", **where: Any) -> Any:
    """A card that lay face up in the deck."""
    return slip("boxed_card", ident, k=k, **(where or {"seat": k, "zone": f"seat:{k}"}))


def extra(seat: int = 1, k: int = 13, count: int = 3) -> Any:
    """A card too many at a seat."""
    return slip("too_many_cards", seat=seat, expected=seat, k=k, count=count, need=2)


def short(seat: int = 4, count: int = 1) -> Any:
    """A card too few at a seat."""
    return slip("too_few_cards", seat=seat, count=count, need=2)


def no_burn(street: str, ident: str = "i1") -> Any:
    """A street without a burn."""
    return slip("burn_missing", ident, street=street, count=0, need=1, zone="board")


def burns(street: str, ident: str = "i1", count: int = 2, k: int = 14) -> Any:
    """A street with more burns than one; `k` is the second one."""
    return slip("burn_extra", ident, street=street, count=count, need=1, k=k)


def early(street: str, ident: str = "i1", count: int = 1) -> Any:
    """A street before the betting was closed."""
    return slip("premature_card", ident, street=street, count=count, zone="board")


def many(count: int = 4, street: str = "flop") -> Any:
    """Too many cards on a street."""
    return slip("too_many_board_cards", street=street, count=count, need=3, zone="board")


FIRST = slip("wrong_first_seat", seat=2, expected=1, k=1)
BUTTON = slip("button_misplaced", seat=6, expected=2)
STRAY = slip("ineligible_seat", seat=9, expected=2, k=2)
ODD = slip("wrong_seat", seat=4, expected=3, k=9)
SKIPPED = slip("seat_skipped", seat=5, expected=4, k=4)


# --- M misdeals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [FIRST, STRAY, ODD, SKIPPED], ids=lambda each: each.kind)
def test_rrop_m1a_no_misdeal_once_two_players_have_acted(wrong: Any) -> None:
    """The deal is played; blinds and the forced bet do not count, and one player who acts twice is one."""
    for game in EVERY_GAME:
        for acts in NOT_YET:
            RROP.misdeal(
                RROP.rule(table(*acts, game=game), wrong), str(RROP.rule(table(game=game), wrong).rule)
            )
        for acts in ACTED:
            RROP.expect(RROP.rule(table(*acts, game=game), wrong), "RROP-M1a", "play_on")


def test_rrop_m1a_exposed_cards() -> None:
    """So for card 1 or 2, for two cards, and in seven-card stud for one; not for one that a player showed."""
    for acts in ACTED:
        RROP.expect(RROP.rule(table(*acts), shows(2, 2)), "RROP-M1a", "play_on")
        for ruling in RROP.judge(table(*acts), shows(5), shows(9, 3, "i2")).rulings:
            RROP.expect(ruling, "RROP-M1a", "play_on")
        RROP.expect(RROP.rule(table(*acts, game="stud7"), shows(9)), "RROP-M1a", "play_on")
        RROP.silent(RROP.rule(table(*acts), shows(2, 2, by="player")))


def test_rrop_m1b_a_fouled_hand_is_dead_and_gets_no_money_back() -> None:
    """A wrong number found once two players have acted, whether or not this one has (C6, C7)."""
    felt = RROP.dealt()
    felt.deal(3, wait=1500)
    felt.acts((4, "call"))
    assert felt.rulings()[-1] == ("RROP-M2e", "misdeal")
    felt.acts((5, "call"))
    RROP.expect(RROP.last(felt), "RROP-M1b", "dead", [{"do": "kill", "seat": 3}], seats=[3], bets="pot")
    for wrong in (FIRST, STRAY, ODD, SKIPPED, short(3), extra(3)):
        about = replace(wrong, seat=3, expected=3)
        late = RROP.rule(table("4 bet", "5 call", held={3: 1}), about)
        RROP.expect(late, "RROP-M1b", "dead", [{"do": "kill", "seat": 3}], seats=[3], bets="pot")
    none = RROP.rule(table("1 bet", "2 call", held={4: 0}), SKIPPED)
    RROP.expect(none, "RROP-M1b", "dead", [], seats=[4], bets="pot")


def test_rrop_m1b_near_misses() -> None:
    """A seat that is not in the hand, a count that is right, one that the deal has not made yet."""
    late = ("3 call", "4 call")
    RROP.expect(RROP.rule(table(*late, held={9: 1}), STRAY), "RROP-M1a", "play_on")
    RROP.silent(RROP.rule(table(*late), extra(3)))
    alone = RROP.alone("RROP-M1b")
    alone.silent(alone.rule(table(*late, deal_done=False, held={4: 1}), ODD))
    assert alone.rule(table(*late, deal_done=False, held={4: 3}), ODD).verdict == "dead"
    assert alone.rule(table(*late, deal_done=False, held={4: 1}), short()).verdict == "dead"


@pytest.mark.parametrize("k", [1, 2])
def test_rrop_m2a_first_or_second_card_exposed(k: int) -> None:
    """By the dealer, in every game (C1; also hold'em 1); a player's own card is not spoken of."""
    felt = RROP.felt().deal_round(range(1, k + 1)).enter("exposed", seat=k, by="dealer").wait(200)
    RROP.misdeal(RROP.last(felt), "RROP-M2a")
    for game in EVERY_GAME:
        RROP.misdeal(RROP.rule(table("3 call", game=game), shows(k, k)), "RROP-M2a")
    RROP.silent(RROP.rule(table(), shows(k, k, by="player")))
    unknown = RROP.judge(table(), shows(k, k, by=None))
    assert unknown.questions == (Asked("i1", "by", ("dealer", "player"), "dealer"),)


def test_rrop_m2b_two_cards_exposed() -> None:
    """By the dealer (C3); one is hold'em 1, and a player's card does not count."""
    felt = RROP.felt().deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    assert felt.rulings()[-1] == ("RROP-H1b", "correct")
    felt.deal_round([6, 1, 2, 3]).enter("exposed", seat=3, by="dealer").wait(200)
    RROP.misdeal(RROP.last(felt), "RROP-M2b")
    RROP.misdeal(RROP.rule(table("3 call", game="omaha"), shows(5), shows(9, 3, "i2")), "RROP-M2b")
    mixed = RROP.judge(table(), shows(5), shows(9, 3, "i2", by="player")).rulings
    assert [each.rule for each in mixed] == ["RROP-H1b", None]
    RROP.silent(RROP.rule(table(exposed_by_dealer=1), shows(9, by="player")))


def test_rrop_m2c_two_boxed_cards() -> None:
    """In the initial deal; the second one beyond it, or found later, is a scrap like the first."""
    RROP.misdeal(RROP.rule(table(boxed=2), boxed(4), boxed(9, "i2")), "RROP-M2c")
    RROP.misdeal(RROP.rule(table("3 call", boxed=2), boxed(1), boxed(2, "i2")), "RROP-M2c")
    for facts, k in ((table(boxed=1), 4), (table("3 call", "4 call", boxed=2), 9), (table(boxed=2), 14)):
        assert RROP.rule(facts, boxed(k)).rule == "RROP-I7a"


def test_rrop_m2d_two_extra_cards() -> None:
    """At one seat or at two: over H2 and M2e; one is one of these."""
    felt = RROP.dealt()
    felt.deal(1)
    felt.deal(2, wait=1500)
    RROP.misdeal(RROP.last(felt), "RROP-M2d")
    for game, hole in (("holdem", 2), ("omaha", 4), ("stud7", 3)):
        RROP.misdeal(RROP.rule(table("3 call", game=game, held={3: hole + 2}), extra(3)), "RROP-M2d")
    assert RROP.rule(table(held={3: 3}), extra(3)).rule == "RROP-M2e"
    assert RROP.rule(table("3 call", "4 call", held={3: 4}), extra(3)).rule == "RROP-M1b"


def test_rrop_m2e_wrong_number_of_cards() -> None:
    """Too many or too few at a seat, in every game, whether or not it has acted (C5, C6)."""
    felt = RROP.dealt()
    felt.deal(3, wait=1500)
    RROP.misdeal(RROP.last(felt), "RROP-M2e")
    for acts in NOT_YET:
        RROP.misdeal(RROP.rule(table(*acts, held={4: 1}), short()), "RROP-M2e")
        RROP.misdeal(RROP.rule(table(*acts, held={3: 3}), extra(3)), "RROP-M2e")
    RROP.misdeal(RROP.rule(table(game="stud7", held={4: 2}), short()), "RROP-M2e")
    RROP.misdeal(RROP.rule(table(game="omaha", held={1: 5}), extra(k=25)), "RROP-M2e")
    RROP.misdeal(RROP.rule(table(deal_done=False, held={3: 3, 5: 1}), extra(3)), "RROP-M2e")


def test_rrop_m2e_near_misses() -> None:
    """Counts that are right after all, and a seat outside the hand."""
    RROP.silent(RROP.rule(table(), extra(3)))
    RROP.silent(RROP.rule(table(), extra()))
    RROP.silent(RROP.rule(table(), short()))
    RROP.silent(RROP.rule(table(held={9: 1}), short(9)))
    assert RROP.dealt().wait(2500).kinds() == []


def test_rrop_m2e_the_top_card_completes_the_last_hand() -> None:
    """The button has one card and nobody else is short: the next one off the stub is his in proper sequence."""
    for game, held in (("holdem", 1), ("omaha", 3), ("stud5", 1), ("stud7", 2)):
        ruling = RROP.rule(table("3 call", game=game, held={6: held}), short(6))
        RROP.expect(ruling, "RROP-M2e", "correct", [{"do": "replace", "seat": 6}], seats=[6])
    felt = RROP.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5]).acts((3, "call")).wait(6000)
    assert felt.kinds() == ["too_few_cards"]
    RROP.expect(RROP.last(felt), "RROP-M2e", "correct", [{"do": "replace", "seat": 6}], seats=[6])
    felt.deal(6, wait=2500)
    assert (felt.kinds(), len(felt.of("cleared"))) == (["too_few_cards"], 1)


def test_rrop_m2e_not_in_proper_sequence() -> None:
    """Another seat than the last, two cards short, a second seat short, a flop that lies there, two players acted."""
    for held in ({5: 1}, {6: 1, 5: 1}):
        RROP.misdeal(RROP.rule(table(held=held), short(min(held))), "RROP-M2e")
    RROP.misdeal(RROP.rule(table(held={6: 1, 5: 1}), short(6)), "RROP-M2e")
    RROP.misdeal(RROP.rule(table(game="omaha", held={6: 2}), short(6)), "RROP-M2e")
    flop = table("3 call", held={6: 1}, board={"flop": 3, "turn": 0, "river": 0})
    RROP.misdeal(RROP.rule(flop, short(6)), "RROP-M2e")
    assert RROP.rule(table("3 call", "4 call", held={6: 1}), short(6)).rule == "RROP-M1b"


def test_rrop_m2f_out_of_sequence() -> None:
    """A later card at the wrong seat, though every count is right (C24b), and a seat that is passed over."""
    felt = RROP.felt().deal_round([1, 2, 4, 3, 5, 6]).wait(800)
    RROP.misdeal(RROP.last(felt), "RROP-M2f")
    RROP.misdeal(RROP.rule(table(), ODD), "RROP-M2f")
    half = table(deal_done=False, held={4: 0, 5: 1, 6: 0})
    RROP.misdeal(RROP.rule(half, SKIPPED), "RROP-M2f")


def test_rrop_m2f_not_for_a_card_after_the_deal() -> None:
    """The one that replaces an exposed card is in no sequence; nor is one skipped whose player is away."""
    RROP.silent(RROP.rule(table(), replace(ODD, k=13)))
    RROP.silent(RROP.rule(table(absent=(4,)), SKIPPED), "only if he has posted")
    assert RROP.felt().deal_all().wait(800).kinds() == []


def test_rrop_m2g_button_out_of_position() -> None:
    """Dealt again from the seat left of where it belongs, in button games (C26)."""
    for game in ("holdem", "omaha", "omaha5"):
        for acts in NOT_YET:
            ruling = RROP.rule(table(*acts, game=game), BUTTON)
            RROP.misdeal(ruling, "RROP-M2g", misdeal_steps(first=3), button="corrected")
    for game in ("stud5", "stud7"):
        RROP.silent(RROP.rule(table(game=game), BUTTON), "no button")


def test_rrop_m2h_first_card_to_the_wrong_seat() -> None:
    """C24a; heads-up the button gets the last card (B1), so the first one there is a misdeal too."""
    felt = RROP.felt()
    felt.deal(2)
    RROP.misdeal(RROP.last(felt.wait(800)), "RROP-M2h")
    assert RROP.felt().deal_all().wait(800).kinds() == []


def test_rrop_b1_heads_up() -> None:
    """Button seat 2: the first card is seat 1's, the last the button's; the other way round it is M2h."""
    assert RROP.felt(2).deal_round([1, 2, 1, 2]).wait(1500).kinds() == []
    felt = RROP.felt(2).deal_round([2, 1, 2, 1]).wait(1500)
    RROP.misdeal(RROP.last(felt), "RROP-M2h")


def test_rrop_m2i_card_to_a_seat_not_in_the_hand() -> None:
    """An empty seat or a player who is not entitled to a hand (C25)."""
    felt = RROP.felt().enter("seats", eligible=[1, 2, 4, 5, 6]).deal_round([1, 2, 3]).wait(800)
    RROP.misdeal(RROP.last(felt), "RROP-M2i")
    assert RROP.felt().deal_round([1, 2, 3]).wait(800).kinds() == []


def test_rrop_m2j_a_player_entitled_to_a_hand_gets_none() -> None:
    """He must be there or have posted (C25)."""
    RROP.misdeal(RROP.rule(table(held={4: 0}), SKIPPED), "RROP-M2j")
    RROP.misdeal(RROP.rule(table(held={4: 0}), short(4, 0)), "RROP-M2j")
    RROP.misdeal(RROP.rule(table(deal_done=False, held={4: 0}), short(4, 0)), "RROP-M2j")
    RROP.silent(RROP.rule(table(held={4: 0}, absent=(4,)), SKIPPED), "only if he has posted")
    RROP.silent(RROP.rule(table(held={4: 0}, absent=(4,)), short(4, 0)), "only if he has posted")
    RROP.silent(RROP.rule(table(held={9: 0}), short(9, 0)))
    assert RROP.rule(table(held={4: 0}), SKIPPED, replace(FIRST, id="i2")).rule == "RROP-M2h"


# --- I irregularities ---------------------------------------------------------------------------------------


def test_rrop_i1_the_button_is_put_right_for_the_next_hand() -> None:
    """Found once two players have acted: this hand is played."""
    for acts in ACTED:
        ruling = RROP.rule(table(*acts), BUTTON)
        RROP.expect(ruling, "RROP-I1", "play_on")
        assert "next hand" in (ruling.hint or "")
    RROP.silent(RROP.rule(table("3 call", "4 call", game="stud7"), BUTTON))


def test_rrop_i2_a_hand_that_the_dealer_took_in() -> None:
    """Whether it was protected nobody can read: the floor, never dead by itself (C29)."""
    felt = RROP.dealt().acts((3, "call"))
    felt.move(4, "muck").wait(5000)
    assert felt.kinds() == ["hand_mucked"]
    RROP.expect(RROP.last(felt), "RROP-I2", "floor", [CALL])
    assert "no redress" in (RROP.last(felt).hint or "")


def test_rrop_i3a_a_card_with_another_back() -> None:
    """All action is void and the bets go back, whoever has acted; found after the end it is nobody's rule."""
    felt = RROP.felt().deal_round([1, 2])
    felt.stub.insert(0, next(iter(RED.cards)))
    felt.deal(3, wait=800)
    RROP.expect(RROP.last(felt), "RROP-I3a", "void", VOID, bets="returned")
    for facts in (table(), table("3 call", "4 call"), on_board("river", "1 bet", "2 call")):
        for where in ({"seat": 4, "zone": "seat:4"}, {"zone": "board"}, {"zone": "burn"}):
            ruling = RROP.rule(facts, slip("foreign_card", k=4, **where))
            RROP.expect(ruling, "RROP-I3a", "void", VOID, bets="returned")
    RROP.silent(RROP.rule(table(ended=True), slip("foreign_card", k=4, zone="board")), "has ended")


def test_rrop_i3b_a_card_with_another_back_in_the_stub_only() -> None:
    """All action stands; where it is not known where it was found, the floor decides."""
    in_stub = slip("foreign_card", zone="shoe")
    for facts in (table(), on_board("flop", "1 bet", "2 call")):
        RROP.expect(RROP.rule(facts, in_stub), "RROP-I3b", "play_on")
    RROP.silent(RROP.rule(table(ended=True), in_stub), "has ended")
    RROP.silent(RROP.rule(table(), slip("foreign_card")), "in the stub")


def test_rrop_i4_two_cards_of_one_rank_and_suit() -> None:
    """All action is void and the bets go back, whoever has acted (C10)."""
    felt = RROP.felt(deck=DECK_WITH_TWIN).deal_round([1, 2, 3, 4])
    felt.stub.insert(0, TWIN)
    felt.deal(5, wait=800)
    RROP.expect(RROP.last(felt), "RROP-I4", "void", VOID, bets="returned")
    for facts in (table("3 call", "4 call"), on_board("river", "1 bet", "2 call")):
        RROP.expect(RROP.rule(facts, slip("duplicate_card", k=4)), "RROP-I4", "void", VOID, bets="returned")
    RROP.silent(RROP.rule(table(ended=True), slip("duplicate_card", k=4)), "has ended")


def test_rrop_i5_who_knew_of_it_is_said_and_not_ruled() -> None:
    """No antenna sees what a player knew: the bets go back, and the rest is a hint."""
    ruling = RROP.rule(table(), slip("duplicate_card", k=4))
    assert (ruling.bets, "may lose" in (ruling.hint or "")) == ("returned", True)


def test_rrop_i7a_a_boxed_card_is_a_scrap_of_paper() -> None:
    """Removed, and the next card takes its place, whichever it was and whoever has acted (C22)."""
    for k in (1, 5):
        steps = [{"do": "remove", "card": k}, {"do": "replace", "seat": k}]
        for acts in ((), ("3 call", "4 call")):
            RROP.expect(RROP.rule(table(*acts, boxed=1), boxed(k)), "RROP-I7a", "correct", steps)
    removed = {"do": "remove", "card": 14}
    for zone, more in (
        ("board", [{"do": "deal", "street": "flop", "count": 1}]),
        ("burn", [{"do": "burn"}]),
        ("shoe", []),
    ):
        ruling = RROP.rule(on_board("flop"), boxed(14, zone=zone))
        RROP.expect(ruling, "RROP-I7a", "correct", [removed, *more])
    RROP.silent(RROP.rule(table(ended=True), boxed(5)), "has ended")


def test_rrop_i7b_the_new_card_may_come_after_the_round() -> None:
    """If the next one is dealt face down and mixed already."""
    assert "after the round" in (RROP.rule(table(boxed=1), boxed(5)).hint or "")


def test_rrop_i8a_a_joker_is_a_scrap_of_paper() -> None:
    """Never a misdeal, whoever else has acted (C9); at the mouth of the shoe there is nothing to replace."""
    felt = RROP.felt().deal_round([1, 2])
    felt.stub.insert(0, uid(100))
    felt.deal(3, wait=800)
    steps = [{"do": "remove", "card": 3}, {"do": "replace", "seat": 3}]
    RROP.expect(RROP.last(felt), "RROP-I8a", "correct", steps)
    late = RROP.rule(table("4 bet", "5 call"), slip("joker", seat=3, k=3, zone="seat:3"))
    RROP.expect(late, "RROP-I8a", "correct", steps)
    RROP.silent(RROP.rule(table(ended=True), slip("joker", k=3)), "has ended")


def test_rrop_i8b_a_player_who_acts_on_a_joker() -> None:
    """His hand is dead; a seat that is not in the hand, and a joker on the board, have nobody's hand."""
    joker = slip("joker", seat=3, k=3, zone="seat:3")
    dead = RROP.rule(table("3 call"), joker)
    RROP.expect(dead, "RROP-I8b", "dead", [{"do": "kill", "seat": 3}], seats=[3], bets="pot")
    assert RROP.rule(table("3 call", seat_acted={9: True}), slip("joker", seat=9, k=3)).rule == "RROP-I8a"
    assert RROP.rule(on_board("flop"), slip("joker", k=14, zone="board")).rule == "RROP-I8a"
    RROP.silent(RROP.rule(table("3 call", ended=True), joker))
    unknown = RROP.judge(replace(table(), **UNKNOWN_BETTING), joker)
    assert [each.fact for each in unknown.questions] == ["seat_acted"]


# --- H hold'em ----------------------------------------------------------------------------------------------


def test_rrop_h1a_the_first_two_hole_cards() -> None:
    """Misdeal M2a, not a card to be replaced."""
    for k in (1, 2):
        assert RROP.rule(table(), shows(k, k)).rule == "RROP-M2a"


@pytest.mark.parametrize("k", [3, 5, 12])
def test_rrop_h1b_one_later_card_exposed(k: int) -> None:
    """The deal is finished, the top card replaces it, and it is the flop's burn, whoever has acted (C2)."""
    steps = [{"do": "replace", "seat": 5}, {"do": "to_burn", "card": k}, PREFLOP, FLOP]
    for acts in ((), ("3 call", "4 call")):
        RROP.expect(RROP.rule(table(*acts), shows(k)), "RROP-H1b", "correct", steps)
    assert "deal goes on" in (RROP.rule(table(deal_done=False), shows(k)).hint or "")


def test_rrop_h1b_followed_card_by_card() -> None:
    """s1 to the seat, the exposed card to the burns, the flop without another: nothing else is irregular."""
    felt = RROP.felt().deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    shown = felt.at(5)[0]
    felt.deal_round([6, 1, 2, 3, 4, 5, 6]).wait(1500)
    felt.deal(5, wait=1500)
    felt.put(shown, "burn")
    felt.wait(1500).call_round().flop(burn=False).wait(1500)
    assert (felt.kinds(), felt.rulings()[-1]) == (["exposed_card"], ("RROP-H1b", "correct"))
    assert [d["event"] for d in felt.of("remedy")][-1] == "complete"


def test_rrop_h1b_near_misses() -> None:
    """Other games, a flop that lies there, an unknown card, a player's own."""
    for game in ("omaha", "omaha5", "stud5"):
        RROP.silent(RROP.rule(table(game=game), shows(5)), "of hold'em before the flop")
    RROP.silent(RROP.rule(on_board("flop"), shows(5)), "of hold'em before the flop")
    RROP.silent(RROP.rule(table(), shows(None)))
    RROP.silent(RROP.rule(table(), shows(5, by="player")))


@pytest.mark.parametrize(
    "wrong", [short(5), extra(5), replace(SKIPPED, expected=5, k=13)], ids=lambda each: each.kind
)
def test_rrop_h1b_covers_the_count_of_its_seat(wrong: Any) -> None:
    """The exposed card is gone, or its replacement is there: no irregularity of its own; another seat's is one."""
    count = replace(wrong, id="i2")
    ruling = RROP.rule(table(), shows(5), count)
    assert (ruling.irregularity, ruling.rule) == ("i1", "RROP-H1b")
    other = RROP.judge(table(), shows(3, 3), count).rulings
    assert [each.rule for each in other] == ["RROP-H1b", None]


def test_rrop_h2_one_extra_card_to_the_first_player() -> None:
    """After the deal and before two players have acted: back on the stub, and it is the flop's burn (C5)."""
    felt = RROP.dealt()
    felt.deal(1, wait=1500)
    steps = [{"do": "to_burn", "card": 13}, PREFLOP, FLOP]
    RROP.expect(RROP.last(felt), "RROP-H2", "correct", steps, seats=[1])
    for acts in NOT_YET:
        RROP.expect(RROP.rule(table(*acts, held={1: 3}), extra()), "RROP-H2", "correct", steps, seats=[1])


def test_rrop_h2_other_extra_cards() -> None:
    """Another seat, in mid-deal, another seat short, a flop or an exposed card for the burn, other games: M2e."""
    flop = {"flop": 3, "turn": 0, "river": 0}
    for facts, wrong in (
        (table(held={3: 3}), extra(3)),
        (table(held={1: 3}), extra(k=12)),
        (table(held={1: 3, 4: 1}), extra()),
        (table(held={1: 3}, exposed_by_dealer=1), extra()),
        (table("3 call", held={1: 3}, board=flop), extra()),
        (table(game="omaha", held={1: 5}), extra(k=25)),
    ):
        RROP.misdeal(RROP.rule(facts, wrong), "RROP-M2e")
    assert RROP.rule(table("3 call", "4 call", held={1: 3}), extra()).rule == "RROP-M1b"


@pytest.mark.parametrize("cards", [4, 5])
def test_rrop_h3_a_flop_of_too_many_cards(cards: int) -> None:
    """Dealt again as H4 says (C11, C12); a flop of three is in order, two cards on the turn are not spoken of."""
    felt = RROP.dealt().call_round().flop(cards)
    RROP.expect(RROP.last(felt), "RROP-H3", "correct", AGAIN)
    RROP.expect(RROP.rule(on_board("flop", "1 bet", "2 call", cards=4), many()), "RROP-H3", "correct", AGAIN)
    assert RROP.dealt().call_round().flop().kinds() == []
    RROP.silent(RROP.rule(on_board("turn", cards=2), many(2, "turn")))
    RROP.silent(RROP.rule(on_board("flop", cards=4, game="omaha"), many()), "said of hold'em")


def test_rrop_h3_covers_the_burn_of_that_flop() -> None:
    """A flop of four without a burn, or with two, is dealt again once; another street's burn is its own matter."""
    for burn in (no_burn("flop", "i2"), burns("flop", "i2")):
        for acts in ((), ("1 check",)):
            ruling = RROP.rule(on_board("flop", *acts, cards=4), many(), burn)
            assert (ruling.irregularity, ruling.rule) == ("i1", "RROP-H3")
    both = RROP.judge(on_board("turn", burns=0), many(), no_burn("turn", "i2")).rulings
    assert [each.rule for each in both] == ["RROP-H3", "RROP-H6a"]


def test_rrop_h4_premature_flop() -> None:
    """Finish the betting, mix it with the stub, the burn stays, cut, no burn (C13)."""
    felt = RROP.dealt().acts((3, "call")).flop()
    RROP.expect(RROP.last(felt), "RROP-H4", "correct", [PREFLOP, *AGAIN])
    assert RROP.dealt().call_round().flop().kinds() == []
    RROP.silent(RROP.rule(table("3 call", game="omaha"), early("flop")), "said of hold'em")


@pytest.mark.parametrize(
    "other",
    [
        no_burn("flop", "i2"),
        burns("flop", "i2"),
        replace(many(), id="i2"),
        slip("too_few_board_cards", "i2", street="flop"),
    ],
    ids=lambda each: each.kind,
)
def test_rrop_h4_covers_whatever_else_is_wrong_with_that_flop(other: Any) -> None:
    """It is dealt again once; another street's burn is its own matter."""
    facts = replace(table("3 call"), board={"flop": 3, "turn": 0, "river": 0}, flop_exposed=True)
    ruling = RROP.rule(facts, early("flop", count=3), other)
    assert (ruling.irregularity, ruling.rule) == ("i1", "RROP-H4")
    both = RROP.judge(on_board("turn", burns=0), early("flop"), no_burn("turn", "i2")).rulings
    assert [each.rule for each in both] == ["RROP-H4", "RROP-H6a"]


def restored(street: str, burn: int | None = None, top: int | None = None, count: int = 1) -> Any:
    """The order that correct dealing would have given."""
    out = [{"do": "to_burn", "card": burn}] if burn else []
    out += [{"do": "restore_order", "street": street}]
    out += [{"do": "deal", "street": street, "count": count}] if burn else []
    return out + ([{"do": "to_top", "card": top}] if top else [])


def test_rrop_h5a_burn_error_and_no_flop_card_seen() -> None:
    """Put right (C17, C18): the first card is the burn; of two burns the second is the flop's first card."""
    facts = replace(on_board("flop", burns=0), flop_exposed=False)
    RROP.expect(RROP.rule(facts, no_burn("flop")), "RROP-H5a", "correct", restored("flop", burn=13))
    one = replace(on_board("flop", cards=1, burns=0), flop_exposed=False)
    RROP.expect(RROP.rule(one, no_burn("flop")), "RROP-H5a", "correct", restored("flop", burn=13, count=3))
    two = replace(on_board("flop", burns=2), flop_exposed=False)
    RROP.expect(RROP.rule(two, burns("flop")), "RROP-H5a", "correct", restored("flop", top=17))
    felt = RROP.dealt().call_round()
    felt.deal("burn", wait=800)
    felt.deal("burn", wait=1500)
    RROP.expect(RROP.last(felt), "RROP-H5a", "correct", restored("flop"))


def test_rrop_h5a_before_the_flop_lies_there_nobody_is_asked() -> None:
    """Two burns and no flop yet: nobody can have acted on it, whatever is known of the betting."""
    facts = replace(table("3 call", "4 call"), **UNKNOWN_BETTING, burns={"flop": 2})
    RROP.expect(RROP.rule(facts, burns("flop")), "RROP-H5a", "correct", restored("flop"))


def test_rrop_h5b_burn_error_and_the_flop_was_seen() -> None:
    """Reshuffled (C14, C18)."""
    felt = RROP.dealt().call_round().flop(burn=False).wait(1500)
    felt.enter("answer", question="flop_exposed", value=True).wait(200)
    RROP.expect(RROP.last(felt), "RROP-H5b", "correct", AGAIN)
    two = replace(on_board("flop", burns=2), flop_exposed=True)
    RROP.expect(RROP.rule(two, burns("flop")), "RROP-H5b", "correct", AGAIN)


@pytest.mark.parametrize(("street", "first", "surplus"), [("turn", 17, 19), ("river", 19, 21)])
def test_rrop_h6a_burn_error_before_any_action_on_the_street(street: str, first: int, surplus: int) -> None:
    """Put right on turn and river (C19); of two burns the card too many is the next one."""
    missing = RROP.rule(on_board(street, burns=0), no_burn(street))
    RROP.expect(missing, "RROP-H6a", "correct", restored(street, burn=first))
    two = RROP.rule(on_board(street, burns=2), burns(street))
    RROP.expect(two, "RROP-H6a", "correct", restored(street, top=surplus))
    before = RROP.rule(on_board(street, cards=0, burns=2), burns(street))
    RROP.expect(before, "RROP-H6a", "correct", restored(street))


def test_rrop_h6a_near_misses() -> None:
    """Three burns, the turn's once the river lies there, and other games: not spoken of."""
    for street in ("flop", "turn", "river"):
        for acts in ((), ("1 check",)):
            facts = replace(on_board(street, *acts, burns=3), flop_exposed=True)
            RROP.silent(RROP.rule(facts, burns(street, count=3)))
            RROP.silent(RROP.rule(replace(facts, flop_exposed=False), burns(street, count=3)))
    late = replace(on_board("river"), street_actions={"turn": 0})
    RROP.silent(RROP.rule(late, no_burn("turn")), "would have come")
    RROP.silent(RROP.rule(on_board("turn", burns=0, game="omaha"), no_burn("turn")), "said of hold'em")


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_rrop_h6b_after_an_action_the_board_stands(street: str) -> None:
    """One check is enough, on the flop too (C15, C16, C18)."""
    missing = RROP.rule(on_board(street, "1 check", burns=0), no_burn(street))
    RROP.expect(missing, "RROP-H6b", "play_on")
    assert "would have come" in (missing.hint or "")


def test_rrop_h6c_one_of_two_burns_is_the_next_one() -> None:
    """Back on the stub, so that later cards are the right ones; after the river none come."""
    for street, k in (("flop", 14), ("turn", 18)):
        ruling = RROP.rule(on_board(street, "1 check", burns=2), burns(street, k=k))
        RROP.expect(ruling, "RROP-H6b", "play_on", [{"do": "to_top", "card": k}])
    RROP.expect(RROP.rule(on_board("river", "1 check", burns=2), burns("river")), "RROP-H6b", "play_on")


def test_rrop_h6d_with_everybody_all_in() -> None:
    """There is no action on the street, so the error is put right as long as the hand is on."""
    facts = replace(on_board("river", burns=0), street_actions={"turn": 0, "river": 0})
    RROP.expect(RROP.rule(facts, no_burn("river")), "RROP-H6a", "correct", restored("river", burn=19))


def test_rrop_h7_a_premature_card_is_never_used() -> None:
    """Whether or not somebody still wants to act."""
    for facts in (on_board("turn"), replace(on_board("turn"), live=(1, 2))):
        assert RROP.rule(facts, early("turn")).rule == "RROP-H8a"
    assert RROP.rule(replace(table("3 call"), live=(3, 4)), early("flop")).rule == "RROP-H4"


def test_rrop_h8a_premature_turn() -> None:
    """Aside, finish the flop, burn, the would-be river; later shuffled in, the river without a burn (C20)."""
    felt = RROP.dealt().call_round().flop().acts((1, "check")).street()
    steps = [
        {"do": "aside", "zone": "board"},
        {"do": "finish_round", "street": "flop"},
        {"do": "burn"},
        {"do": "deal", "street": "turn", "count": 1},
        {"do": "finish_round", "street": "turn"},
        {"do": "shuffle", "what": "stub+aside"},
        *RIVER,
    ]
    RROP.expect(RROP.last(felt), "RROP-H8a", "correct", steps)
    assert RROP.dealt().call_round().flop().call_round().street().kinds() == []


def test_rrop_h8b_premature_river() -> None:
    """Finish the turn, shuffle it into the stub, the last card without a burn (C21)."""
    felt = RROP.dealt().call_round().flop().call_round().street().acts((1, "check")).street()
    steps = [{"do": "finish_round", "street": "turn"}, {"do": "shuffle", "what": "stub+river"}, *RIVER]
    RROP.expect(RROP.last(felt), "RROP-H8b", "correct", steps)
    RROP.silent(RROP.rule(on_board("river", game="omaha5"), early("river")), "said of hold'em")


@pytest.mark.parametrize(("street", "rule"), [("turn", "RROP-H8a"), ("river", "RROP-H8b")])
def test_rrop_h8_covers_the_burn_of_that_street(street: str, rule: str) -> None:
    """A premature turn without a burn, or with two, is one matter; another street's burn is not part of it."""
    for burn in (no_burn(street, "i2"), burns(street, "i2")):
        ruling = RROP.rule(on_board(street), early(street), burn)
        assert (ruling.irregularity, ruling.rule) == ("i1", rule)
    facts = replace(on_board(street, burns=0), flop_exposed=True, street_actions={"flop": 0})
    assert [each.rule for each in RROP.judge(facts, early(street), no_burn("flop", "i2")).rulings] == [
        rule,
        "RROP-H5b",
    ]


# --- S, C ---------------------------------------------------------------------------------------------------


def test_rrop_s1_a_down_card_exposed_in_seven_card_stud() -> None:
    """Of tournaments: misdeal, one is enough; not in other games, after the deal, or by a player."""
    ruling = RROP.rule(table(game="stud7"), shows(9))
    RROP.misdeal(ruling, "RROP-S1")
    assert "tournaments" in (ruling.hint or "")
    RROP.silent(RROP.rule(table(game="stud5"), shows(9)))
    RROP.silent(RROP.rule(table(game="stud7"), shows(19)))
    RROP.silent(RROP.rule(table(game="stud7"), shows(9, by="player")))
    RROP.silent(RROP.rule(table("3 call", "4 call", game="stud7"), shows(19)))


@pytest.mark.parametrize("kind", ["not_shuffled", "not_cut"])
def test_rrop_c1_a_complaint_about_the_shuffle(kind: str) -> None:
    """What follows from it is not said, only until when it may be made (C23)."""
    for acts in ((), ("3 call", "4 call")):
        RROP.silent(RROP.rule(table(*acts), slip(kind)), "comes too late")


# --- each rule for itself -----------------------------------------------------------------------------------

LATE = ("3 call", "4 call")
NOT_HERE: list[tuple[str, Any, Any]] = [
    ("RROP-M1a (exposed cards)", table(*LATE), shows(5)),
    ("RROP-M1a (exposed cards)", table(*LATE, game="stud5"), shows(5)),
    ("RROP-M1a (exposed cards)", table(*LATE, game="stud7"), shows(19)),
    ("RROP-M1a (exposed cards)", table(), shows(1, 1)),
    ("RROP-M1a", table(), FIRST),
    ("RROP-M1b", table(held={3: 3}), extra(3)),
    ("RROP-I1", table(), BUTTON),
    ("RROP-I8b", table("4 call"), slip("joker", seat=3, k=3)),
    ("RROP-M2j", table(deal_done=False, held={4: 0}), SKIPPED),
    ("RROP-M2j", table(*LATE, held={4: 0}), SKIPPED),
    ("RROP-M2e", table(held={4: 0}), short(4, 0)),
    ("RROP-M2f", table(*LATE), ODD),
    ("RROP-M2e (the top card completes the last hand)", table(*LATE, held={6: 1}), short(6)),
    ("RROP-M2e (the top card completes the last hand)", table(held={5: 1}), short(5)),
    ("RROP-H1b", table(), shows(2, 2)),
    ("RROP-H1b", table(exposed_by_dealer=2), shows(5)),
    ("RROP-H2", table(*LATE, held={1: 3}), extra()),
    ("RROP-H2", table(held={3: 3}), extra(3)),
    ("RROP-H5a", replace(on_board("flop", "1 check", burns=0), flop_exposed=False), no_burn("flop")),
    ("RROP-H5a", replace(on_board("flop", burns=0), flop_exposed=True), no_burn("flop")),
    ("RROP-H5a", replace(on_board("turn", burns=0), flop_exposed=False), no_burn("turn")),
    ("RROP-H5b", replace(on_board("flop", "1 check", burns=0), flop_exposed=True), no_burn("flop")),
    ("RROP-H5b", replace(on_board("flop", burns=0), flop_exposed=False), no_burn("flop")),
    ("RROP-H5b", replace(on_board("turn", burns=0), flop_exposed=True), no_burn("turn")),
    ("RROP-H6a", on_board("flop", burns=0), no_burn("flop")),
    ("RROP-H6a", on_board("turn", "1 check", burns=0), no_burn("turn")),
    ("RROP-H6b", on_board("turn", burns=0), no_burn("turn")),
    ("RROP-H6b", on_board("turn", cards=0, burns=2), burns("turn")),
    ("RROP-H3", on_board("turn", cards=2), many(2, "turn")),
    ("RROP-H4", on_board("turn"), early("turn")),
    ("RROP-H8a", on_board("river"), early("river")),
    ("RROP-H8b", on_board("turn"), early("turn")),
    ("RROP-I3b", table(), slip("foreign_card", zone="board")),
]


@pytest.mark.parametrize(("rule", "facts", "wrong"), NOT_HERE)
def test_rrop_a_rule_claims_only_what_it_says(rule: str, facts: Any, wrong: Any) -> None:
    """In a house that has kept this one rule, what another rule decides is silence."""
    alone = RROP.alone(rule)
    alone.silent(alone.rule(facts, wrong))


def test_rrop_the_cuts_are_parameters() -> None:
    """A house that does not cut."""
    house = RROP.house(parameters={"cut_after_reshuffle": False, "cut_before_redeal": False})
    for facts, wrong in (
        (on_board("flop", cards=4), many()),
        (on_board("turn"), early("turn")),
        (on_board("river"), early("river")),
    ):
        steps = RROP.rule(facts, wrong).steps
        assert list(house.rule(facts, wrong).steps) == [step for step in steps if step != CUT]
    assert list(house.rule(table(), FIRST).steps) == list(misdeal_steps(cut=False))
    assert list(house.rule(table(), BUTTON).steps) == list(misdeal_steps(first=3, cut=False))


# --- the whole book -----------------------------------------------------------------------------------------

SILENT = (
    "not_shuffled", "not_cut", "exposed_in_cut", "untagged_card", "missing_card", "damaged_card", "card_lost",
    "card_in_other_hand", "dealt_after_end", "stub_short", "stub_disordered", "up_card_error", "remedy_not_followed",
    "too_few_board_cards",
)  # fmt: skip


@pytest.mark.parametrize("kind", SILENT)
def test_rrop_is_silent(kind: str) -> None:
    """Triggers of which no quotation speaks, recalled ones as well: the floor, no rule."""
    for facts in (table(), table(*LATE), on_board("flop", "1 check")):
        RROP.silent(RROP.rule(facts, slip(kind, seat=3, k=5)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gets_an_answer(kind: str) -> None:
    """No trigger is without a ruling, whatever is missing from it, with betting known and unknown, in every game."""
    RROP.answers(kind, EVERY_GAME, prefix="RROP-")


COLUMN = """
C1: RROP-M2a misdeal
C2: RROP-H1b correct
C3 cards 5 and 7: RROP-M2b misdeal
C3 cards 5 and 1: RROP-M2a misdeal
C3 after two calls: RROP-M1a play_on, RROP-M1a play_on
C4 after two folds: RROP-M1b dead
C4 after two checks: RROP-M1b dead
C4 after a raise and a call: RROP-M1b dead
C5 one extra to the first player after the deal: RROP-H2 correct
C5 two extra to the first player: RROP-M2d misdeal
C5 one extra to another player: RROP-M2e misdeal
C5 one too few, a call by another: RROP-M2e misdeal
C6: RROP-M2e misdeal
C7: RROP-M1b dead
C8: – floor
C9 in a hand, nobody has acted: RROP-I8a correct
C9 in a hand, after two calls: RROP-I8a correct
C10 duplicate: RROP-I4 void
C10 foreign: RROP-I3a void
C11: RROP-H3 correct
C12: RROP-H3 correct
C13: RROP-H4 correct
C14: RROP-H5b correct
C15: RROP-H6b play_on
C16: RROP-H6b play_on
C17: RROP-H5a correct
C18 flop not seen yet: RROP-H5a correct
C18 flop seen: RROP-H5b correct
C18 two players acted on it: RROP-H6b play_on
C19 no burn before the turn: RROP-H6a correct
C19 no burn before the river: RROP-H6a correct
C20: RROP-H8a correct
C21: RROP-H8b correct
C22 fifth card: RROP-I7a correct
C22 first card of the deck: RROP-I7a correct
C23 nobody has acted: – floor
C23 one call: – floor
C23 two calls: – floor
C24a: RROP-M2h misdeal
C24b: RROP-M2f misdeal
C25 skipped: RROP-M2j misdeal
C25 seat not in the hand: RROP-M2i misdeal
C26: RROP-M2g misdeal
C27: – floor
C28: RROP-M1b dead
C29 every card of it is known to lie in the muck: RROP-I2 floor
C29 it cannot be told from the muck: RROP-I2 floor
C30 a misdeal, two exposed cards: RROP-M2b misdeal
C30 a repair, no burn before the flop: RROP-H5b correct
"""


def test_rrop_column_as_compared() -> None:
    """The conflict table's hands, by the RROP column of rules.md §8.1."""
    RROP.column(COLUMN)


def test_every_quoted_statement_is_covered_and_every_rule_says_how_it_was_read() -> None:
    """The statements marked v in rules.md §8.1, and none that is only recalled."""
    every = (
        "M1a M1b M2a M2b M2c M2d M2e M2f M2g M2h M2i M2j I1 I2 I3a I3b I4 I5 I7a I7b I8a I8b "
        "H1a H1b H2 H3 H4 H5a H5b H6a H6b H6c H6d H7 H8a H8b S1 B1 C1"
    )
    assert RROP.book.covered() == {f"RROP-{ident}" for ident in every.split()}
    named = "I5 I7b H1a H6c H6d H7 B1 C1"
    assert set(RROP.book.statements) == {f"RROP-{ident}" for ident in named.split()}
    assert {rule.mark for rule in RROP.book.rules if rule.id is not None} == {"v"}
