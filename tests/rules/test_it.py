"""The Italian rules, one test per statement, named after it. Expected values: rules.md §3, §6, §7 and §10.2.

Hands are dealt on a felt and read by antennas wherever the table can see what happened; what no antenna sees is told
as facts of the reference table: hold'em, seats 1 to 6, button 6, first card to seat 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from court import Court, misdeal_steps
from felt import Felt

from tablectl.core.decisions import KINDS
from tablectl.core.ruling import Asked
from tablectl.rulebooks.scenario import UNKNOWN_BETTING, on_board, slip, table

IT = Court("it", decider="dealer", authority="director")
CALL = {"do": "call", "who": "director"}
CUT = {"do": "cut"}
GAMES = ("holdem", "omaha", "omaha5")
AGAIN = [
    {"do": "shuffle", "what": "stub+flop"},
    CUT,
    {"do": "no_burn"},
    {"do": "deal", "street": "flop", "count": 3},
]
FINISH = {"do": "finish_round", "street": "preflop"}
FLOP = {"do": "deal", "street": "flop", "count": 3}
RIVER = [CUT, {"do": "no_burn"}, {"do": "deal", "street": "river", "count": 1}]


def shows(k: int | None, seat: int = 5, ident: str = "i1", by: str | None = "dealer") -> Any:
    """A hole card that was seen."""
    return slip("exposed_card", ident, seat=seat, k=k, by=by)


def extra(seat: int = 1, k: int = 13, ident: str = "i1", count: int = 3) -> Any:
    """A card too many at a seat."""
    return slip("too_many_cards", ident, seat=seat, expected=seat, k=k, count=count, need=2)


def no_burn(street: str, ident: str = "i1") -> Any:
    """A street without a burn."""
    return slip("burn_missing", ident, street=street, count=0, need=1, zone="board")


def burns(street: str, ident: str = "i1", count: int = 2) -> Any:
    """A street with more burns than one."""
    return slip("burn_extra", ident, street=street, count=count, need=1)


def early(street: str, ident: str = "i1", count: int = 1) -> Any:
    """A street before the betting was closed."""
    return slip("premature_card", ident, street=street, count=count, zone="board")


def many(count: int = 4, ident: str = "i1", street: str = "flop") -> Any:
    """Too many cards on a street."""
    return slip("too_many_board_cards", ident, street=street, count=count, need=3, zone="board")


def replaced(seat: int, k: int) -> list[dict[str, Any]]:
    """IT-1e: the first card off the stub for it, and it is the flop's burn."""
    return [{"do": "replace", "seat": seat}, {"do": "to_burn", "card": k}, FINISH, FLOP]


def run_out(upto: str, *, burned: int = 1) -> Felt:
    """A hand dealt up to that street, which comes after so many burns; the others after one."""
    felt = IT.dealt().call_round()
    for name in ("flop", "turn", "river"):
        for _ in range(burned - 1 if name == upto else 0):
            felt.deal("burn", wait=800)
        burn = name != upto or burned > 0
        _ = felt.flop(burn=burn) if name == "flop" else felt.street(burn=burn)
        if name == upto:
            break
        felt.call_round()
    return felt.wait(1500)


# --- 1 hole cards that are seen -----------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2])
def test_it_1a_first_or_second_card_exposed(k: int) -> None:
    """Misdeal, whenever it is found and in every flop game (C1); the third card is not."""
    felt = IT.felt().deal_round(range(1, k + 1)).enter("exposed", seat=k, by="dealer").wait(200)
    IT.misdeal(IT.last(felt), "IT-1a")
    for game in GAMES:
        IT.misdeal(IT.rule(table("3 raise", "4 call", "5 call", game=game), shows(k, k)), "IT-1a")
    IT.misdeal(IT.rule(on_board("flop", "1 bet", "2 call"), shows(k, k)), "IT-1a")
    assert IT.rule(table(), shows(3, 3)).rule == "IT-1e"


def test_it_1a_by_the_dealer_only() -> None:
    """R-12: a player who drops his card is not spoken of; who it was is asked, the dealer until then."""
    IT.silent(IT.rule(table(), shows(1, 1, by="player")), "that the dealer exposed")
    unknown = IT.judge(table(), shows(1, 1, by=None))
    assert unknown.questions == (Asked("i1", "by", ("dealer", "player"), "dealer"),)
    assert (unknown.rulings[0].rule, unknown.rulings[0].provisional) == ("IT-1a", True)
    IT.silent(IT.rule(table(), shows(1, 1, by=None), by="player"))


def test_it_1b_what_the_dealer_does_after_a_misdeal() -> None:
    """Cards back, shuffle, cut, deal again from the same seat (R-02); bets back (R-22)."""
    ruling = IT.rule(table(), shows(1, 1))
    assert [step["do"] for step in ruling.steps] == ["collect", "return_bets", "shuffle", "cut", "redeal"]
    assert ruling.steps[-1] == {"do": "redeal", "first": 1}
    assert (ruling.bets, ruling.button) == ("returned", "unchanged")


def test_it_1c_a_later_card_exposed_and_the_deal_goes_on() -> None:
    """Card 5 of 12: no misdeal, the deal is finished first (C2); once it is there is nothing to finish."""
    felt = IT.felt().deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    IT.expect(IT.last(felt), "IT-1e", "correct", replaced(5, 5))
    assert "deal goes on" in (IT.last(felt).hint or "")
    assert IT.rule(table(), shows(5)).hint is None


def test_it_1d_the_player_may_not_keep_it() -> None:
    """The seat gets another card for it; a card that the player showed himself he keeps."""
    assert {"do": "replace", "seat": 5} in IT.rule(table(), shows(5)).steps
    IT.silent(IT.rule(table(), shows(5, by="player")), "that the dealer exposed")


@pytest.mark.parametrize("k", [3, 7, 12])
def test_it_1e_replaced_with_the_top_card_and_used_as_the_burn(k: int) -> None:
    """After the deal (R-13), whoever has acted: the top card for it, it is the burn, and the flop comes without one."""
    for acts in ((), ("3 call", "4 call")):
        IT.expect(IT.rule(table(*acts), shows(k)), "IT-1e", "correct", replaced(5, k))


def test_it_1e_followed_card_by_card() -> None:
    """Card 7 of seat 1: s1 to the seat, the exposed card to the burns, flop s2 s3 s4; nothing else is irregular."""
    felt = IT.felt().deal_round([1, 2, 3, 4, 5, 6, 1]).enter("exposed", seat=1, by="dealer").wait(200)
    shown = felt.at(1)[-1]
    felt.deal_round([2, 3, 4, 5, 6]).wait(1500)
    felt.deal(1, wait=1500)
    felt.put(shown, "burn")
    felt.wait(1500).call_round().flop(burn=False).wait(1500)
    assert (felt.kinds(), felt.rulings()[-1]) == (["exposed_card"], ("IT-1e", "correct"))
    assert [d["event"] for d in felt.of("remedy")][-1] == "complete"
    felt.call_round().street().call_round().street()
    assert felt.kinds() == ["exposed_card"]


def test_it_1e_another_burn_besides_the_exposed_card_is_told() -> None:
    """The exposed card is the burn: one more from the stub leaves the remedy."""
    felt = IT.dealt().enter("exposed", seat=5, by="dealer", k=5).wait(200)
    shown = felt.at(5)[0]
    felt.deal(5, wait=1500)
    felt.put(shown, "burn")
    felt.wait(1500).call_round().flop().wait(1500)
    assert "remedy_not_followed" in felt.kinds()


@pytest.mark.parametrize("kind", ["too_many_cards", "too_few_cards", "seat_skipped"])
def test_it_1e_not_2a_for_the_card_that_replaces_it(kind: str) -> None:
    """§10.2: card 7 at seat 1 exposed, card 13 comes to seat 1: 1e alone; so while it is short by the exposed card."""
    count = slip(kind, "i2", seat=1, expected=1, k=13, count=3, need=2)
    ruling = IT.rule(table(held={1: 3}), shows(7, 1), count)
    assert (ruling.irregularity, ruling.rule, ruling.verdict) == ("i1", "IT-1e", "correct")
    passed_over = slip("seat_skipped", "i2", seat=2, expected=1, k=8)
    assert IT.rule(table(), shows(7, 1), passed_over).rule == "IT-1e"
    other = IT.judge(table(held={4: 1}), shows(7, 1), slip("too_few_cards", "i2", seat=4)).rulings
    assert [each.rule for each in other] == ["IT-1e", None]


def test_it_1e_needs_to_know_which_card_it_was_and_a_flop_to_come() -> None:
    """The first two are a misdeal, so an unknown one is the director's; with the flop there it can be no burn of it."""
    IT.silent(IT.rule(table(), shows(None)))
    IT.silent(IT.rule(on_board("flop"), shows(5)), "flop lies there")


def test_it_1e_and_2a_both_claim_the_burn() -> None:
    """§10.2: one exposed card and one extra one: the director, for both; also if the exposed one was put right."""
    for ruling, rule in zip(
        IT.judge(table(held={1: 3}, exposed_by_dealer=1), shows(5), extra(ident="i2")).rulings,
        ("IT-1e", "IT-2a"),
        strict=True,
    ):
        IT.expect(ruling, rule, "floor", [CALL], decider="director")
        assert "both be the burn" in (ruling.hint or "")
    later = IT.rule(table(held={1: 3}, exposed_by_dealer=1), extra())
    IT.expect(later, "IT-2a", "floor", [CALL], decider="director")


def test_it_1e_and_an_extra_card_that_claims_nothing() -> None:
    """An extra card at seat 3 has no rule (R-33): the exposed one is the burn. A player's own card claims none."""
    other = IT.judge(table(held={3: 3}, exposed_by_dealer=1), shows(5), extra(3, ident="i2")).rulings
    assert [each.rule for each in other] == ["IT-1e", None]
    own = IT.judge(table(held={1: 3}, exposed_by_player=1), shows(5, by="player"), extra(ident="i2")).rulings
    assert [(each.rule, each.verdict) for each in own] == [(None, "floor"), ("IT-2a", "correct")]


def test_it_1f_more_than_one_card_exposed() -> None:
    """Misdeal, no time bound (C3); cards that players showed do not count (R-12)."""
    felt = IT.felt().deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    felt.deal_round([6, 1, 2, 3]).enter("exposed", seat=3, by="dealer").wait(200)
    IT.misdeal(IT.last(felt), "IT-1f")
    for facts in (table("3 raise", "4 call", "5 fold"), on_board("river", "1 bet", "2 call")):
        IT.misdeal(IT.rule(facts, shows(5), shows(9, 3, "i2")), "IT-1f")
    IT.misdeal(IT.rule(table(exposed_by_dealer=2), shows(None)), "IT-1f")
    mixed = IT.judge(table(exposed_by_dealer=1, exposed_by_player=1), shows(5), shows(9, 3, "i2", "player"))
    assert [each.rule for each in mixed.rulings] == ["IT-1e", None]


def test_it_1a_gives_the_id_over_1f_and_1f_over_2b() -> None:
    """§10.2: 1a, 1f, 2b."""
    IT.misdeal(IT.rule(table(), shows(5), shows(1, 1, "i2")), "IT-1a")
    IT.misdeal(IT.rule(table(held={1: 4}), extra(count=4), shows(5, 5, "i2"), shows(9, 3, "i3")), "IT-1f")


# --- 2 extra cards ------------------------------------------------------------------------------------------


def test_it_2a_one_extra_card_to_the_first_player() -> None:
    """The 13th card at seat 1: back on the stub, it is the burn, the next three are the flop (C5)."""
    felt = IT.dealt()
    felt.deal(1, wait=1500)
    assert felt.kinds() == ["too_many_cards"]
    steps = [{"do": "to_burn", "card": 13}, FINISH, FLOP]
    IT.expect(IT.last(felt), "IT-2a", "correct", steps)
    for acts in (("3 call",), ("3 call", "4 call")):
        IT.expect(IT.rule(table(*acts, held={1: 3}), extra()), "IT-2a", "correct", steps)


@pytest.mark.parametrize("moved", ["before the betting", "after it"])
def test_it_2a_followed_card_by_card(moved: str) -> None:
    """The extra card goes to the burns, before the betting or after it, and the flop is the next three: all is well."""
    felt = IT.dealt()
    card = felt.deal(1, wait=1500)
    _ = felt.call_round() if moved == "after it" else felt
    felt.put(card, "burn")
    felt.wait(1500)
    _ = felt if moved == "after it" else felt.call_round()
    felt.flop(burn=False).wait(1500)
    assert (felt.kinds(), felt.rulings()) == (["too_many_cards"], [("IT-2a", "correct")])
    assert [d["event"] for d in felt.of("remedy")][-1] == "complete"


def test_it_2a_over_the_deck() -> None:
    """Put back on the stub it comes off it as the burn, like any other; the flop is the next three."""
    felt = IT.dealt()
    card = felt.deal(1, wait=1500)
    felt.put(card, "shoe")
    felt.wait(1500).call_round()
    felt.put(card, "burn")
    felt.wait(1000).flop(burn=False).call_round().street()
    assert (felt.kinds(), felt.rulings()) == (["too_many_cards"], [("IT-2a", "correct")])


@pytest.mark.parametrize(
    ("wrong", "held"),
    [
        (extra(3), {3: 3}),
        (extra(k=12), {1: 3}),
        (extra(), {1: 3, 4: 1}),
        (extra(), {}),
    ],
    ids=["another seat", "in mid-deal", "another seat short", "the count is right after all"],
)
def test_it_2a_other_extra_cards(wrong: Any, held: dict[int, int]) -> None:
    """R-33: to another player, in mid-deal, or with the deal not otherwise right: not covered."""
    IT.silent(IT.rule(table(held=held), wrong))
    exposed = table(held=held, exposed_by_dealer=1)
    IT.silent(IT.rule(exposed, wrong))


def test_it_2a_the_analogy_is_only_a_hint() -> None:
    """R-33: said of the last card off the deck at another seat, while no flop lies there, and of nothing else."""
    IT.silent(IT.rule(table(held={3: 3}), extra(3)), "for the first player")
    for facts, wrong in (
        (table(held={3: 3}), extra(3, k=9)),
        (table(held={3: 3, 4: 1}), extra(3)),
        (table(held={1: 3}), extra(k=9)),
    ):
        assert "first player" not in (IT.rule(facts, wrong).hint or "")
    late = replace(on_board("flop"), held={**table().held, 1: 3})
    IT.silent(IT.rule(late, extra()), "flop lies there")


def test_it_2b_more_than_one_extra_card() -> None:
    """Two at one seat or at two, with or without an exposed card besides (§10.2): misdeal; one is none."""
    felt = IT.dealt()
    felt.deal(1)
    felt.deal(2, wait=1500)
    IT.misdeal(IT.last(felt), "IT-2b")
    IT.misdeal(IT.rule(table("3 call", "4 call", held={1: 4}), extra(count=4)), "IT-2b")
    IT.misdeal(IT.rule(table(held={3: 4}), extra(3, count=4)), "IT-2b")
    IT.misdeal(IT.rule(table(held={1: 4}), shows(5), extra(count=4, ident="i2")), "IT-2b")
    assert IT.rule(table(held={1: 3}), extra()).rule == "IT-2a"
    IT.silent(IT.rule(table(held={4: 1, 5: 1}), slip("too_few_cards", seat=4, count=1, need=2)))


# --- 3, 4 the flop comes again ------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [4, 5])
def test_it_3a_a_flop_of_too_many_cards(cards: int) -> None:
    """Shuffled into the stub, cut, dealt again without a burn (C11, C12); a flop of three is in order."""
    felt = IT.dealt().call_round().flop(cards)
    IT.expect(IT.last(felt), "IT-3a", "correct", AGAIN)
    assert IT.dealt().call_round().flop().kinds() == []
    for game in GAMES:
        IT.expect(IT.rule(on_board("flop", cards=cards, game=game), many(cards)), "IT-3a", "correct", AGAIN)


def test_it_3b_whichever_card_was_the_extra_one() -> None:
    """The table knows the order in which the cards came; the flop is dealt again all the same, action or none."""
    for acts in ((), ("1 check",), ("1 bet", "2 call")):
        IT.expect(IT.rule(on_board("flop", *acts, cards=4), many()), "IT-3a", "correct", AGAIN)


def test_it_3a_near_misses() -> None:
    """Two cards on the turn, a flop of two: no rule."""
    IT.silent(IT.rule(on_board("turn", cards=2), many(2, street="turn")))
    IT.silent(IT.rule(on_board("flop", cards=2), slip("too_few_board_cards", street="flop", count=2, need=3)))


def test_it_3a_beats_5() -> None:
    """§10.2: a flop of four without a burn, or with two, is dealt again even after two players acted on it."""
    for burn in (no_burn("flop", "i2"), burns("flop", "i2")):
        for acts in ((), ("1 check", "2 check")):
            ruling = IT.rule(replace(on_board("flop", *acts, cards=4), flop_exposed=True), many(), burn)
            assert (ruling.irregularity, ruling.rule) == ("i1", "IT-3a")


def test_it_4a_premature_flop() -> None:
    """R-38: finish the betting, shuffle the flop into the stub, cut, deal it again without a burn (C13)."""
    felt = IT.dealt().acts((3, "call")).flop()
    assert felt.kinds() == ["premature_card"]
    IT.expect(IT.last(felt), "IT-4a", "correct", [FINISH, *AGAIN])
    assert IT.dealt().call_round().flop().kinds() == []


@pytest.mark.parametrize(
    "other",
    [
        no_burn("flop", "i2"),
        burns("flop", "i2"),
        many(4, "i2"),
        slip("too_few_board_cards", "i2", street="flop"),
    ],
    ids=["no burn", "two burns", "four cards", "two cards"],
)
def test_it_4a_for_any_reason(other: Any) -> None:
    """A premature flop that is wrong in another way too is dealt again once."""
    facts = replace(table("3 call"), board={"flop": 3, "turn": 0, "river": 0}, flop_exposed=True)
    ruling = IT.rule(facts, early("flop", count=3), other)
    assert (ruling.irregularity, ruling.rule) == ("i1", "IT-4a")


def test_it_4b_burns_stay_on_the_table() -> None:
    """What is shuffled is the stub and the flop; no step takes up a burn, and the one made is the flop's."""
    felt = IT.dealt().call_round().flop(4)
    burned = felt.at("burn")
    cards = felt.at("board")
    felt.move("board", "shoe").wait(2000)
    felt.stub = [*felt.stub, *cards]
    felt.enter("shuffle_done").enter("cut_done").flop(burn=False).wait(1500)
    assert felt.at("burn") == burned
    assert felt.kinds() == ["too_many_board_cards"]


def test_it_4c_cut_and_no_burn() -> None:
    """After the shuffle a cut, then the flop at once."""
    done = [step["do"] for step in IT.rule(on_board("flop", cards=4), many()).steps]
    assert done == ["shuffle", "cut", "no_burn", "deal"]


# --- 5 the flop's burn --------------------------------------------------------------------------------------


def unseen(*acts: str, **given: Any) -> Any:
    """A flop that lies face down."""
    return replace(on_board("flop", *acts, **given), flop_exposed=False)


def lies_open(*acts: str, **given: Any) -> Any:
    """A flop that everybody saw."""
    return replace(on_board("flop", *acts, **given), flop_exposed=True)


ONE_CARD = {"do": "deal", "street": "flop", "count": 1}
RESTORE = {"do": "restore_order", "street": "flop"}


def test_it_5a_the_director_is_called() -> None:
    """No burn or two before the flop: he is called first and decides; of three burns the rules do not speak."""
    for wrong, burned in ((no_burn("flop"), 0), (burns("flop"), 2)):
        for facts in (unseen(burns=burned), lies_open(burns=burned)):
            ruling = IT.rule(facts, wrong)
            assert (ruling.steps[0], ruling.decider) == (CALL, "director")
    for facts in (unseen(burns=3), lies_open(burns=3), lies_open("1 check", "2 check", burns=3)):
        IT.silent(IT.rule(facts, burns("flop", count=3)))
    paid = slip("burn_extra", street="flop", count=1, need=0)
    assert IT.rule(lies_open(burns=1), paid).rule == "IT-5c"
    IT.silent(IT.rule(on_board("river", burns=0), no_burn("river")), "only the flop's burn")


def test_it_5b_flop_not_seen_and_no_burn() -> None:
    """C17: its first card is the burn, the others and the next one off the stub are the flop."""
    for acts in ((), ("1 check",)):
        ruling = IT.rule(unseen(*acts, burns=0), no_burn("flop"))
        steps = [CALL, {"do": "to_burn", "card": 13}, RESTORE, ONE_CARD]
        IT.expect(ruling, "IT-5b", "correct", steps, decider="director")
    assert "IT-5c" in (ruling.hint or "")
    first = IT.rule(unseen(cards=1, burns=0), no_burn("flop"))
    assert first.steps[-1] == FLOP


def test_it_5b_flop_not_seen_and_two_burns() -> None:
    """C18: the second burn is the flop's first card, the surplus one goes back on the stub."""
    ruling = IT.rule(unseen(burns=2), burns("flop"))
    IT.expect(ruling, "IT-5b", "correct", [CALL, RESTORE, {"do": "to_top", "card": 17}], decider="director")


def test_it_5b_before_the_flop_lies_there() -> None:
    """The second burn is noticed at once: nothing was seen, nobody is asked, nothing goes back."""
    felt = IT.dealt().call_round()
    felt.deal("burn", wait=800)
    felt.deal("burn", wait=1500)
    assert felt.of("question") == []
    IT.expect(IT.last(felt), "IT-5b", "correct", [CALL, RESTORE], decider="director")
    facts = replace(table("3 call", "4 call"), **UNKNOWN_BETTING, burns={"flop": 2})
    IT.expect(IT.rule(facts, burns("flop")), "IT-5b", "correct", [CALL, RESTORE], decider="director")


@pytest.mark.parametrize("burned", [0, 2])
def test_it_5c_flop_seen(burned: int) -> None:
    """C14, C15, C18: with at most one player acted on it, shuffled and dealt again; the burns stay as they are."""
    felt = run_out("flop", burned=burned)
    [asked] = felt.of("question")
    assert (asked["fact"], asked["choices"]) == ("flop_exposed", [True, False])
    felt.enter("answer", question="flop_exposed", value=True).wait(200)
    for _ in range(2):
        IT.expect(IT.last(felt), "IT-5c", "correct", [CALL, *AGAIN], decider="director")
        assert ("no burn lies" if burned == 0 else "two burns lie") in (IT.last(felt).hint or "")
        felt.acts((1, "check"))
    felt.acts((2, "check"))
    IT.expect(IT.last(felt), "IT-5d", "play_on")


def test_it_5d_two_players_have_acted_on_the_flop() -> None:
    """C16: played on, seen or not; what was done before the flop does not count (R-39)."""
    for wrong, burned in ((no_burn("flop"), 0), (burns("flop"), 2)):
        for facts in (
            lies_open("1 check", "2 bet", burns=burned),
            unseen("1 check", "2 check", burns=burned),
        ):
            IT.expect(IT.rule(facts, wrong), "IT-5d", "play_on")
        assert IT.rule(lies_open(burns=burned), wrong).rule == "IT-5c"


def test_it_5_with_betting_unknown() -> None:
    """Whether the flop was seen and how many acted on it is asked, one after the other."""
    facts = replace(on_board("flop", burns=0), **UNKNOWN_BETTING)
    asked = IT.judge(facts, no_burn("flop")).questions
    assert [(each.fact, each.choices) for each in asked] == [("players_acted", (0, 1, 2))]
    second = IT.judge(facts, no_burn("flop"), players_acted=1).questions
    assert [each.fact for each in second] == ["flop_exposed"]
    assert IT.rule(facts, no_burn("flop"), players_acted=2).rule == "IT-5d"
    assert IT.rule(facts, no_burn("flop"), players_acted=0, flop_exposed=False).rule == "IT-5b"


# --- 6 turn and river ---------------------------------------------------------------------------------------

TURN = {"do": "deal", "street": "turn", "count": 1}
RESTORE_TURN = {"do": "restore_order", "street": "turn"}


def test_it_6a_no_burn_before_the_turn() -> None:
    """C19, R-15: the true order, by the dealer: the turn is the burn, the next card is the turn."""
    felt = run_out("turn", burned=0)
    assert felt.kinds() == ["burn_missing"]
    steps = [{"do": "to_burn", "card": 17}, RESTORE_TURN, TURN]
    IT.expect(IT.last(felt), "IT-6a", "correct", steps)
    IT.expect(IT.last(felt.acts((1, "check"))), "IT-6a", "correct", steps)


def test_it_6a_two_burns_before_the_turn() -> None:
    """The second burn is the turn, the card that lies there goes back on the stub."""
    felt = run_out("turn", burned=2)
    assert felt.kinds() == ["burn_extra"]
    IT.expect(IT.last(felt), "IT-6a", "correct", [RESTORE_TURN, {"do": "to_top", "card": 19}])
    before = replace(on_board("turn", cards=0, burns=2))
    IT.expect(IT.rule(before, burns("turn")), "IT-6a", "correct", [RESTORE_TURN])


def test_it_6a_near_misses() -> None:
    """Three burns, a river that lies there already, and the river's own burn: the director."""
    IT.silent(IT.rule(on_board("turn", burns=3), burns("turn", count=3)), "as far as that is still possible")
    IT.silent(IT.rule(on_board("river"), no_burn("turn")), "as far as that is still possible")
    for wrong in (no_burn("river"), burns("river")):
        IT.silent(IT.rule(on_board("river"), wrong), "only the flop's burn")
    assert run_out("turn").kinds() == []


def test_it_6a_of_a_premature_turn_without_a_burn() -> None:
    """In the true order that card is the burn; no card of the board is lost: finish the round, then the turn."""
    felt = IT.dealt().call_round().flop().acts((1, "check")).street(burn=False)
    assert felt.kinds() == ["premature_card"]
    steps = [
        {"do": "to_burn", "card": 17},
        {"do": "finish_round", "street": "flop"},
        RESTORE_TURN,
        TURN,
    ]
    IT.expect(IT.last(felt), "IT-6a", "correct", steps)
    both = IT.rule(on_board("turn", burns=0), early("turn"), no_burn("turn", "i2"))
    assert both.irregularity == "i2"
    IT.expect(both, "IT-6a", "correct", steps)


def test_it_6a_of_a_premature_turn_with_two_burns() -> None:
    """The second burn is the turn, once the round is finished; with three it is an ordinary premature turn."""
    steps = [{"do": "finish_round", "street": "flop"}, RESTORE_TURN, {"do": "to_top", "card": 19}]
    IT.expect(IT.rule(on_board("turn", burns=2), early("turn")), "IT-6a", "correct", steps)
    both = IT.rule(on_board("turn", burns=2), early("turn"), burns("turn", "i2"))
    assert both.irregularity == "i2"
    IT.expect(both, "IT-6a", "correct", steps)
    assert IT.rule(on_board("turn", burns=3), early("turn")).rule == "IT-6b"


ASIDE = [
    {"do": "aside", "zone": "board"},
    {"do": "finish_round", "street": "flop"},
    {"do": "burn"},
    TURN,
    {"do": "finish_round", "street": "turn"},
    {"do": "shuffle", "what": "stub+aside"},
    *RIVER,
]


def test_it_6b_premature_turn() -> None:
    """Aside, finish the flop, burn, the would-be river is the turn (C20); in time it is in order."""
    felt = IT.dealt().call_round().flop().acts((1, "check")).street()
    IT.expect(IT.last(felt), "IT-6b", "correct", ASIDE)
    assert IT.dealt().call_round().flop().call_round().street().kinds() == []
    assert IT.rule(replace(on_board("turn"), burns={}), early("turn")).rule == "IT-6b"


def test_it_6b_followed_card_by_card() -> None:
    """s6 aside; burn s7; turn s8; later shuffled in, and the river without a burn: nothing else is irregular."""
    felt = IT.dealt().call_round().flop().acts((1, "check")).street()
    card = felt.at("board")[-1]
    felt.put(card, None)
    felt.wait(2000).call_round().street().call_round()
    felt.stub = [*felt.stub, card]
    felt.enter("shuffle_done").enter("cut_done").street(burn=False).wait(1000)
    assert felt.kinds() == ["premature_card"]
    assert [d["event"] for d in felt.of("remedy")][-1] == "complete"


def test_it_6c_the_card_set_aside_is_shuffled_in_but_no_burns_and_no_discards() -> None:
    """After the turn's betting, stub and the card set aside."""
    steps = IT.rule(on_board("turn"), early("turn")).steps
    assert steps[4:6] == (
        {"do": "finish_round", "street": "turn"},
        {"do": "shuffle", "what": "stub+aside"},
    )


def test_it_6d_cut_and_the_river_without_a_burn() -> None:
    """The last three steps."""
    assert list(IT.rule(on_board("turn"), early("turn")).steps[-3:]) == RIVER


def test_it_6e_premature_river() -> None:
    """Finish the turn, shuffle the river into the stub, cut, deal it again without a burn (C21)."""
    felt = IT.dealt().call_round().flop().call_round().street().acts((1, "check")).street()
    steps = [{"do": "finish_round", "street": "turn"}, {"do": "shuffle", "what": "stub+river"}, *RIVER]
    IT.expect(IT.last(felt), "IT-6e", "correct", steps)
    for burned, other in ((0, no_burn("river", "i2")), (2, burns("river", "i2"))):
        both = IT.rule(on_board("river", burns=burned), early("river"), other)
        IT.expect(both, "IT-6e", "correct", steps)
    assert run_out("river").kinds() == []


def test_it_a_burn_error_of_another_street_is_a_matter_of_its_own() -> None:
    """A premature river joins only the river's burns, a flop of four only the flop's, and so on."""
    facts = on_board("river", burns=0)
    facts = replace(facts, board={**facts.board, "river": 0})
    for burn in (no_burn("turn", "i2"), burns("turn", "i2")):
        assert [each.rule for each in IT.judge(facts, early("river"), burn).rulings] == ["IT-6e", "IT-6a"]
    for first in (many(), early("flop")):
        rules = [
            each.rule for each in IT.judge(on_board("turn", burns=0), first, no_burn("turn", "i2")).rulings
        ]
        assert rules[1] == "IT-6a"
        river = IT.judge(on_board("river", burns=0), first, no_burn("river", "i2")).rulings
        assert river[1].rule is None
    for burn in (no_burn("flop", "i2"), burns("flop", "i2")):
        turn = IT.judge(on_board("turn"), early("turn"), burn).rulings
        assert [each.rule for each in turn] == ["IT-6b", "IT-5d"]


# --- each rule for itself -----------------------------------------------------------------------------------

ALL_IN = replace(on_board("turn", burns=0), street_players={"flop": 0, "turn": 0}, flop_exposed=False)
NOT_HERE: list[tuple[str, Any, Any]] = [
    ("IT-1e", table(), shows(2, 2)),
    ("IT-1e", table(exposed_by_dealer=2), shows(5)),
    ("IT-5b", lies_open(burns=0), no_burn("flop")),
    ("IT-5b", unseen("1 check", "2 check", burns=0), no_burn("flop")),
    ("IT-5b", ALL_IN, no_burn("turn")),
    ("IT-5c", unseen(burns=0), no_burn("flop")),
    ("IT-5c", replace(ALL_IN, flop_exposed=True), no_burn("turn")),
    ("IT-5c", lies_open("1 check", "2 check", burns=0), no_burn("flop")),
    ("IT-5d", lies_open("1 check", burns=0), no_burn("flop")),
    ("IT-5d", on_board("flop", burns=0), no_burn("turn")),
    ("IT-6a", lies_open(burns=0), no_burn("flop")),
    ("IT-6a (the turn came too early as well)", on_board("turn"), early("turn")),
    ("IT-6a (the turn came too early as well)", on_board("turn", burns=3), early("turn")),
    ("IT-6a (the turn came too early as well)", on_board("river", burns=0), early("river")),
    ("IT-6b", on_board("river"), early("river")),
    ("IT-6e", on_board("turn"), early("turn")),
    ("IT-4a", on_board("turn"), early("turn")),
    ("IT-3a", on_board("turn"), many(2, street="turn")),
]


@pytest.mark.parametrize(("rule", "facts", "wrong"), NOT_HERE)
def test_it_a_rule_claims_only_what_it_says(rule: str, facts: Any, wrong: Any) -> None:
    """In a house that has kept this one rule, what another rule decides is silence."""
    alone = IT.alone(rule)
    alone.silent(alone.rule(facts, wrong))


def test_it_the_cuts_are_parameters() -> None:
    """A house that does not cut."""
    house = IT.house(parameters={"cut_after_reshuffle": False, "cut_before_redeal": False})
    for facts, wrong in (
        (on_board("flop", cards=4), many()),
        (on_board("turn"), early("turn")),
        (on_board("river"), early("river")),
    ):
        steps = IT.rule(facts, wrong).steps
        assert list(house.rule(facts, wrong).steps) == [step for step in steps if step != CUT]
    assert list(house.rule(table(), shows(1, 1)).steps) == list(misdeal_steps(cut=False))


# --- the whole book -----------------------------------------------------------------------------------------

SILENT = (
    "not_shuffled", "not_cut", "exposed_in_cut", "wrong_first_seat", "wrong_seat", "ineligible_seat", "seat_skipped",
    "too_few_cards", "button_misplaced", "boxed_card", "duplicate_card", "foreign_card", "untagged_card", "joker",
    "missing_card", "damaged_card", "hand_mucked", "card_lost", "card_in_other_hand", "dealt_after_end", "stub_short",
    "stub_disordered", "up_card_error", "remedy_not_followed", "too_few_board_cards",
)  # fmt: skip


@pytest.mark.parametrize("kind", SILENT)
def test_it_is_silent(kind: str) -> None:
    """Triggers the rules do not mention, before and after two players acted: the director, no rule."""
    for facts in (table(), table("3 call", "4 call"), on_board("flop", "1 check")):
        IT.silent(IT.rule(facts, slip(kind, seat=3, k=5)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gets_an_answer(kind: str) -> None:
    """No trigger is without a ruling, whatever is missing from it, with betting known and unknown, in every game."""
    IT.answers(kind, GAMES, prefix="IT-")


def test_it_knows_no_stud() -> None:
    """Flop games only."""
    for game in ("stud5", "stud7"):
        ruling = IT.rule(table(game=game), shows(1, 1))
        assert (ruling.verdict, ruling.hint) == ("floor", f"this rulebook has no rule for {game}")


COLUMN = """
C1: IT-1a misdeal
C2: IT-1e correct
C3 cards 5 and 7: IT-1f misdeal
C3 cards 5 and 1: IT-1a misdeal
C3 after two calls: IT-1f misdeal
C4 after two folds: – floor
C4 after two checks: – floor
C4 after a raise and a call: – floor
C5 one extra to the first player after the deal: IT-2a correct
C5 two extra to the first player: IT-2b misdeal
C5 one extra to another player: – floor
C5 one too few, a call by another: – floor
C6: – floor
C7: – floor
C8: – floor
C9 in a hand, nobody has acted: – floor
C9 in a hand, after two calls: – floor
C10 duplicate: – floor
C10 foreign: – floor
C11: IT-3a correct
C12: IT-3a correct
C13: IT-4a correct
C14: IT-5c correct
C15: IT-5c correct
C16: IT-5d play_on
C17: IT-5b correct
C18 flop not seen yet: IT-5b correct
C18 flop seen: IT-5c correct
C18 two players acted on it: IT-5d play_on
C19 no burn before the turn: IT-6a correct
C19 no burn before the river: – floor
C20: IT-6b correct
C21: IT-6e correct
C22 fifth card: – floor
C22 first card of the deck: – floor
C23 nobody has acted: – floor
C23 one call: – floor
C23 two calls: – floor
C24a: – floor
C24b: – floor
C25 skipped: – floor
C25 seat not in the hand: – floor
C26: – floor
C27: – floor
C28: – floor
C29 every card of it is known to lie in the muck: – floor
C29 it cannot be told from the muck: – floor
C30 a misdeal, two exposed cards: IT-1f misdeal
C30 a repair, no burn before the flop: IT-5c correct
"""


def test_it_column_as_compared() -> None:
    """The IT column of rules.md §6."""
    IT.column(COLUMN)


def test_every_statement_of_the_rules_is_covered_and_no_other_is_claimed() -> None:
    """The 22 statements of rules.md §3: rules, or named with what carries them."""
    every = "1a 1b 1c 1d 1e 1f 2a 2b 3a 3b 4a 4b 4c 5a 5b 5c 5d 6a 6b 6c 6d 6e"
    assert IT.book.covered() == {f"IT-{ident}" for ident in every.split()}
    carried = "1b 1c 1d 3b 4b 4c 5a 6c 6d"
    assert set(IT.book.statements) == {f"IT-{ident}" for ident in carried.split()}
