"""The Russian rules, one test per rule, named after it. Expected values are those of rules.md §4, §6, §7 and §10.2.

Hands are dealt on a felt and read by antennas wherever the table can see what happened; what no antenna sees is told
as facts of the reference table: hold'em, seats 1 to 6, button 6, first card to seat 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from court import Court, misdeal_steps
from felt import Felt

from tablectl.core.decisions import KINDS, Irregularity, Ruling
from tablectl.core.facts import Facts
from tablectl.core.ruling import Asked
from tablectl.rulebooks.scenario import UNKNOWN_BETTING, on_board, slip, table

RU = Court("ru", decider="supervisor", authority="supervisor")
BOUNDED = RU.house(parameters={"bounded": True})
FLOP_GAMES = ("holdem", "omaha", "omaha5")
STUD_GAMES = ("stud5", "stud7")
TWO_ACTIONS = [("3 call", "4 call"), ("3 fold", "4 fold"), ("3 check", "4 check"), ("3 raise", "3 call")]
LATE = ("3 call", "4 call")
ORDER_AGAIN = [{"do": "restore_order", "street": "preflop"}]


def unseen(*acts: str, **changes: Any) -> Facts:
    """The reference table, and nobody looked at a card that was dealt wrongly."""
    return table(*acts, looked_at=False, **changes)


def looked(*acts: str, **changes: Any) -> Facts:
    """The same, but somebody did: the deal cannot be put right any more."""
    return table(*acts, looked_at=True, **changes)


def shows(k: int, seat: int = 5, ident: str = "i1", by: str | None = "dealer") -> Irregularity:
    """A hole card that was seen."""
    return slip("exposed_card", ident, seat=seat, k=k, by=by)


def up(seat: int, count: int | None, ident: str = "i1") -> Irregularity:
    """Stud: so many cards of that seat lie face up."""
    return slip("up_card_error", ident, seat=seat, count=count)


EXTRA = slip("too_many_cards", seat=3, expected=3, k=13, count=3, need=2)
SHORT = slip("too_few_cards", seat=4, count=1, need=2)
FIRST = slip("wrong_first_seat", seat=2, expected=1, k=1)
OUT_OF_ORDER = slip("wrong_seat", seat=4, expected=3, k=9)
SKIPPED = slip("seat_skipped", seat=5, expected=4, k=4, count=0, need=2)
STRAY = slip("ineligible_seat", seat=9, expected=2, k=2)


def dead(ruling: Ruling, rule: str, seat: int, *, cards: bool = True) -> None:
    """RU-6a: the money stays in the pot; RU-6b: it goes back to the player."""
    steps: list[dict[str, Any]] = [{"do": "kill", "seat": seat}] if cards else []
    if rule == "RU-6b":
        steps.append({"do": "return_bets", "to": seat})
    bets = {"RU-6a": "pot", "RU-6b": "returned_seat"}[rule]
    RU.expect(ruling, rule, "dead", steps, seats=[seat], bets=bets)


def correct(ruling: Ruling, rule: str, *steps: dict[str, Any], seats: Sequence[int] = ()) -> None:
    """Put right, nothing else changes. RU-4 and RU-5 name the seats they are about."""
    RU.expect(ruling, rule, "correct", steps, seats=seats)


# --- RU-1, 2 before the deal --------------------------------------------------------------------------------


def test_ru_1_card_exposed_in_the_cut() -> None:
    """One card or more: shuffled and cut again, in every game, whatever came after (R-20)."""
    felt = RU.felt().enter("cut_exposed", count=1)
    felt.deal(1)
    felt.wait(500)
    assert felt.kinds() == ["exposed_in_cut"]
    RU.misdeal(RU.last(felt), "RU-1")
    for game in (*FLOP_GAMES, *STUD_GAMES):
        RU.misdeal(RU.rule(table(*LATE, game=game), slip("exposed_in_cut", count=3)), "RU-1")


def test_ru_1_near_miss() -> None:
    """A cut in which nothing was seen; one in which something was, after which the deck was shuffled and cut again."""
    felt = RU.felt(confirms=("shuffle", "cut")).enter("shuffle_done").enter("cut_done")
    assert felt.deal_all().wait(500).kinds() == []
    again = (
        RU.felt().enter("shuffle_done").enter("cut_exposed", count=2).enter("shuffle_done").enter("cut_done")
    )
    assert again.deal_all().wait(500).kinds() == []


@pytest.mark.parametrize(("confirms", "kind"), [("shuffle", "not_shuffled"), ("cut", "not_cut")])
def test_ru_2a_not_shuffled_or_not_cut(confirms: str, kind: str) -> None:
    """Either one missing (R-40) is a misdeal with no action made, and with one (R-17)."""
    felt = RU.dealt(confirms=(confirms,)).wait(500)
    assert felt.kinds() == [kind]
    RU.misdeal(RU.last(felt), "RU-2a")
    RU.misdeal(RU.last(felt.acts((3, "call"))), "RU-2a")
    felt.acts((4, "call"))
    RU.expect(RU.last(felt), "RU-2b", "play_on")


def test_ru_2b_two_significant_actions() -> None:
    """The hand is played to its end; two actions of one player count as well, in every game (R-16)."""
    for kind in ("not_shuffled", "not_cut"):
        for acts in TWO_ACTIONS:
            RU.expect(RU.rule(table(*acts), slip(kind)), "RU-2b", "play_on")
        for game in STUD_GAMES:
            RU.expect(RU.rule(table(*LATE, game=game), slip(kind)), "RU-2b", "play_on")
            RU.misdeal(RU.rule(table("3 call", game=game), slip(kind)), "RU-2a")


def test_ru_2_the_gap_of_one_action_is_a_parameter() -> None:
    """A house that takes "before any action" by its word plays on after one."""
    house = RU.house(parameters={"unshuffled_until": 1})
    assert house.rule(table(), slip("not_cut")).rule == "RU-2a"
    assert house.rule(table("3 fold"), slip("not_cut")).rule == "RU-2b"


# --- RU-3 the order of the deal -----------------------------------------------------------------------------


def test_ru_3_first_card_to_the_wrong_seat() -> None:
    """Repaired while no card of it was looked at, else dealt again from the same seat (C24a)."""
    felt = RU.felt()
    felt.deal(2)
    felt.wait(800)
    [asked] = felt.of("question")
    assert (asked["fact"], asked["choices"]) == ("looked_at", [True, False])
    assert (RU.last(felt).verdict, RU.last(felt).provisional) == ("correct", True)
    correct(RU.last(felt.enter("answer", question="looked_at", value=False).wait(200)), "RU-3", *ORDER_AGAIN)
    seen = RU.felt()
    seen.deal(2)
    seen.wait(800).enter("answer", question="looked_at", value=True).wait(200)
    RU.misdeal(RU.last(seen), "RU-3")


def test_ru_3_a_later_card_out_of_order() -> None:
    """Cards 3 and 6 lie at each other's seats: these two change places; looked at, it is a misdeal (C24b)."""
    felt = RU.felt().deal_round([1, 2, 6, 4, 5, 3, 1, 2, 3, 4, 5, 6]).wait(2500)
    felt.enter("answer", question="looked_at", value=False).wait(200)
    assert set(felt.kinds()) == {"wrong_seat"}
    assert {(rule, verdict) for rule, verdict in felt.rulings()} == {("RU-3", "correct")}
    for acts in ((), ("3 call",)):
        correct(RU.rule(unseen(*acts), OUT_OF_ORDER), "RU-3", {"do": "swap", "seats": [4, 3]})
        RU.misdeal(RU.rule(looked(*acts), OUT_OF_ORDER), "RU-3")


def test_ru_3_two_cards_change_places_only_where_it_is_just_two() -> None:
    """With more cards out of order, or in mid-deal, the whole order is restored."""
    more = replace(OUT_OF_ORDER, id="i2", seat=5, expected=4)
    for ruling in RU.judge(unseen(), OUT_OF_ORDER, more).rulings:
        correct(ruling, "RU-3", *ORDER_AGAIN)
    half = unseen(deal_done=False, held={4: 2, 3: 0, 5: 1, 6: 1})
    correct(RU.rule(half, OUT_OF_ORDER), "RU-3", *ORDER_AGAIN)
    correct(RU.rule(unseen(), FIRST), "RU-3", *ORDER_AGAIN)


def test_ru_3_a_seat_passed_over_while_the_deal_is_on() -> None:
    """In the second round, with one card already: an order that is wrong, not yet a wrong number."""
    half = {"deal_done": False, "held": {4: 1, 6: 1}}
    correct(RU.rule(unseen(**half), SKIPPED), "RU-3", *ORDER_AGAIN)
    RU.misdeal(RU.rule(looked(**half), SKIPPED), "RU-3")
    assert RU.rule(unseen(), SKIPPED).rule == "RU-3"


def test_ru_3_a_card_that_was_shown_cannot_be_moved() -> None:
    """Of the two seats; of any seat where later cards move too (R-37). One shown elsewhere hinders no exchange."""
    shown = shows(10, 4, "i2")
    RU.misdeal(RU.rule(unseen(), OUT_OF_ORDER, shown), "RU-3")
    elsewhere = shows(6, 6, "i2")
    both = RU.judge(unseen(), OUT_OF_ORDER, elsewhere).rulings
    assert [(each.rule, each.verdict) for each in both] == [("RU-3", "correct"), (None, "floor")]
    RU.misdeal(RU.rule(unseen(), FIRST, elsewhere), "RU-3")
    RU.misdeal(RU.rule(unseen(deal_done=False, held={4: 1}), SKIPPED, elsewhere), "RU-3")


def test_ru_3_found_after_two_actions_is_played() -> None:
    """By analogy with RU-2b (R-43), whether it could be repaired or not."""
    for acts in TWO_ACTIONS:
        for wrong in (FIRST, OUT_OF_ORDER, SKIPPED):
            RU.expect(RU.rule(unseen(*acts), wrong), "RU-3", "play_on")
            RU.expect(RU.rule(looked(*acts), wrong), "RU-3", "play_on")


def test_ru_3_only_where_every_number_is_right() -> None:
    """§10.2: with a wrong number elsewhere the order alone decides nothing; with one at its seats it is RU-5."""
    for acts in ((), LATE):
        RU.silent(RU.rule(unseen(*acts, held={5: 1}), OUT_OF_ORDER), "RU-3 speaks of the order")
    assert RU.rule(unseen(held={4: 3, 3: 1}), OUT_OF_ORDER).rule == "RU-5"
    RU.silent(RU.rule(unseen(deal_done=False, held={1: 3, 3: 0, 4: 1}), OUT_OF_ORDER))
    RU.silent(RU.rule(looked(held={9: 0}), slip("seat_skipped", seat=4, expected=9)))


def test_ru_3_near_misses() -> None:
    """A card brought to its seat in time, a correct deal, the button's two cards in a row in a heads-up deal."""
    felt = RU.felt()
    card = felt.deal(2, wait=300)
    felt.put(card, 1)
    felt.wait(1500).deal_round([2, 3, 4, 5, 6])
    assert (felt.kinds(), felt.rulings()) == ([], [])
    assert RU.dealt().wait(800).kinds() == []


# --- RU-4 skipped seats and empty places --------------------------------------------------------------------


def test_ru_4_a_player_who_got_no_cards() -> None:
    """Restored where the run of the cards can be (C25), else a misdeal; with no action or one."""
    for acts in ((), ("3 call",)):
        for wrong in (
            SKIPPED,
            slip("too_few_cards", seat=4, count=0, need=2),
            slip("wrong_seat", seat=5, expected=4),
            slip("wrong_first_seat", seat=5, expected=4, k=1),
        ):
            correct(RU.rule(unseen(*acts, held={4: 0}), wrong), "RU-4", *ORDER_AGAIN, seats=[4])
            RU.misdeal(RU.rule(looked(*acts, held={4: 0}), wrong), "RU-4")


def test_ru_4_from_the_felt() -> None:
    """Seat 4 is passed over in the first round, and the dealer goes on: noticed at once, in mid-deal."""
    felt = RU.felt().deal_round([1, 2, 3, 5, 6, 1]).wait(800)
    assert felt.kinds() == ["seat_skipped"]
    felt.enter("answer", question="looked_at", value=False).wait(200)
    correct(RU.last(felt), "RU-4", *ORDER_AGAIN, seats=[4])
    RU.misdeal(RU.rule(looked(deal_done=False, held={4: 0, 5: 1, 6: 1}), SKIPPED), "RU-4")


def test_ru_4_cards_to_an_empty_seat() -> None:
    """Seat 3 is empty and gets a card: restored, or a misdeal; after two actions played (R-43)."""
    felt = RU.felt().enter("seats", eligible=[1, 2, 4, 5, 6]).deal_round([1, 2, 3]).wait(1200)
    assert felt.kinds() == ["ineligible_seat"]
    felt.enter("answer", question="looked_at", value=False).wait(200)
    correct(RU.last(felt), "RU-4", *ORDER_AGAIN)
    for acts in ((), ("3 call",)):
        correct(RU.rule(unseen(*acts), STRAY), "RU-4", *ORDER_AGAIN)
        RU.misdeal(RU.rule(looked(*acts), STRAY), "RU-4")
    for acts in TWO_ACTIONS:
        RU.expect(RU.rule(unseen(*acts), STRAY), "RU-4", "play_on")
        RU.expect(RU.rule(looked(*acts), STRAY), "RU-4", "play_on")


def test_ru_4_found_after_two_actions_a_seat_without_cards_is_out() -> None:
    """R-43: RU-6b; there are no cards to muck, his bets go back."""
    for facts in (unseen("5 call", "6 call", held={4: 0}), looked("5 call", "6 call", held={4: 0})):
        dead(RU.rule(facts, SKIPPED), "RU-6b", 4, cards=False)


def test_ru_4_near_misses() -> None:
    """A seat that is only still waiting for its first card, and an empty seat that got none."""
    half = unseen(deal_done=False, held={3: 0, 4: 1, 5: 0, 6: 0})
    assert RU.rule(half, slip("wrong_seat", seat=4, expected=3, k=3)).rule == "RU-3"
    felt = RU.felt().enter("seats", eligible=[1, 2, 4, 5, 6]).deal_all().wait(1500)
    assert felt.kinds() == []


# --- RU-5, 6 wrong numbers ----------------------------------------------------------------------------------


def test_ru_5_one_card_too_many() -> None:
    """Nobody has acted: the last card of the deck goes back on top (C5); looked at, it is a misdeal."""
    felt = RU.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 3]).wait(2500)
    felt.enter("answer", question="looked_at", value=False).wait(200)
    correct(RU.last(felt), "RU-5", {"do": "to_top", "card": 13}, seats=[3])
    RU.misdeal(RU.rule(looked(held={3: 3}), EXTRA), "RU-5")
    five = slip("too_many_cards", seat=5, k=25, count=5, need=4)
    correct(RU.rule(unseen(game="omaha", held={5: 5}), five), "RU-5", {"do": "to_top", "card": 25}, seats=[5])


@pytest.mark.parametrize(
    ("held", "wrong"),
    [
        ({3: 4}, replace(EXTRA, count=4)),
        ({3: 3, 4: 1}, EXTRA),
        ({3: 3}, replace(EXTRA, k=9)),
        ({3: 3, 5: 3}, EXTRA),
        ({4: 1}, SHORT),
        ({3: 3, 4: 1}, slip("wrong_seat", seat=3, expected=4, k=10)),
        ({6: 1, 2: 1}, replace(SHORT, seat=6)),
        ({5: 1}, slip("seat_skipped", seat=6, expected=5, k=11)),
        ({6: 1}, slip("wrong_seat", seat=6, expected=3, k=9)),
    ],
)
def test_ru_5_more_than_the_last_card(held: dict[int, int], wrong: Irregularity) -> None:
    """Cards of the deal itself have to move: the order that correct dealing would have given."""
    ruling = RU.rule(unseen(held=held), wrong)
    seats = [seat for seat in (wrong.seat, wrong.expected) if seat in held]
    correct(ruling, "RU-5", *ORDER_AGAIN, seats=list(dict.fromkeys(seats)))


def test_ru_5_the_last_card_of_the_deal_is_still_due() -> None:
    """The last seat has one card, everybody else two: the next card off the stub is its own, with a dead button too."""
    last = replace(SHORT, seat=6)
    dead_button = replace(unseen(held={6: 1}), button=7)
    correct(RU.rule(dead_button, last), "RU-5", {"do": "replace", "seat": 6}, seats=[6])
    correct(RU.rule(unseen(held={6: 1}), last), "RU-5", {"do": "replace", "seat": 6}, seats=[6])
    RU.misdeal(RU.rule(looked(held={6: 1}), last), "RU-5")
    two_due = replace(last, count=2, need=4)
    correct(RU.rule(unseen(game="omaha", held={6: 2}), two_due), "RU-5", *ORDER_AGAIN, seats=[6])


def test_ru_5_while_the_deal_is_on() -> None:
    """A third card is one too many at once; a seat that the deal has left short is short."""
    half = {"deal_done": False, "held": {3: 3, 5: 1, 6: 1}}
    assert RU.rule(unseen(**half), replace(EXTRA, k=10)).rule == "RU-5"
    assert RU.rule(unseen(deal_done=False, held={4: 1}), SHORT).rule == "RU-5"
    waiting = unseen(deal_done=False, held={3: 1, 5: 1, 6: 1})
    assert RU.rule(waiting, OUT_OF_ORDER).rule == "RU-3"


def test_ru_5_near_misses() -> None:
    """Numbers that are right after all; a seat that is not in the hand."""
    for facts in (unseen(), looked()):
        RU.silent(RU.rule(facts, EXTRA), "RU-5 and RU-6")
    RU.silent(RU.rule(unseen(held={9: 1}), slip("too_many_cards", seat=9, k=13, count=1, need=0)))
    assert RU.dealt().wait(2500).kinds() == []


def test_ru_5_a_board_is_in_the_way() -> None:
    """Cards of the board have left the stub since: what correct dealing would have given is gone."""
    facts = unseen(held={3: 3}, board={"flop": 3, "turn": 0, "river": 0})
    RU.misdeal(RU.rule(facts, EXTRA), "RU-5")


def test_ru_6_one_action_by_another_player() -> None:
    """Misdeal without a repair (R-18, C5)."""
    for held, wrong in (({3: 3}, EXTRA), ({2: 1}, replace(SHORT, seat=2)), ({3: 3, 2: 1}, EXTRA)):
        for act in ("4 call", "4 fold", "4 check", "4 raise"):
            RU.misdeal(RU.rule(unseen(act, held=held), wrong), "RU-6")
    assert RU.rule(unseen(held={3: 3}), EXTRA).verdict == "correct"
    RU.silent(RU.rule(unseen("4 call"), EXTRA))
    for wrong in (FIRST, OUT_OF_ORDER, SKIPPED):
        seats = {wrong.seat or 0: 3, wrong.expected or 0: 1}
        RU.misdeal(RU.rule(unseen("6 call", held=seats), wrong), "RU-6")


def test_ru_6_from_the_felt() -> None:
    """Seat 5 has three cards and seat 3 calls: misdeal; seat 4 calls too: seat 5 is dead, its bets go back."""
    felt = RU.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 5]).wait(2500).acts((3, "call"))
    RU.misdeal(RU.last(felt), "RU-6")
    felt.acts((4, "call"))
    dead(RU.last(felt), "RU-6b", 5)
    assert "go back to the player" in (RU.last(felt).hint or "")


def test_ru_6a_the_player_began_to_act() -> None:
    """Whatever the number of actions: dead, forced and blind bets into the pot (C6)."""
    for acts in (("3 call",), ("3 check",), ("3 raise", "4 call"), ("3 call", "4 call", "5 call")):
        dead(RU.rule(unseen(*acts, held={3: 3}), EXTRA), "RU-6a", 3)
        dead(RU.rule(looked(*acts, held={3: 1}), replace(SHORT, seat=3, count=1)), "RU-6a", 3)
    ruling = RU.rule(unseen("3 call", held={3: 3}), EXTRA)
    assert "into the pot" in (ruling.hint or "")


def test_ru_6a_skipped_in_round_two() -> None:
    """§10.2: seat 3 has one card and calls with it: dead, from the felt."""
    felt = RU.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 4, 5, 6]).wait(2500)
    assert felt.kinds() == ["seat_skipped"]
    felt.acts((3, "call"))
    dead(RU.last(felt), "RU-6a", 3)


def test_ru_6a_over_3_and_4_for_that_seat() -> None:
    """Also where its card went to an empty place, to another seat, or it has none at all."""
    for facts in (unseen("2 call", held={2: 1}), looked("2 call", held={2: 1})):
        dead(RU.rule(facts, STRAY), "RU-6a", 2)
    dead(RU.rule(unseen("3 call", held={3: 1}), OUT_OF_ORDER), "RU-6a", 3)
    dead(RU.rule(unseen("1 call", held={1: 1}), FIRST), "RU-6a", 1)
    for none in (unseen("4 call", held={4: 0}), looked("4 call", held={4: 0})):
        dead(RU.rule(none, SKIPPED), "RU-6a", 4, cards=False)
    RU.misdeal(RU.rule(looked("3 call", held={2: 1}), STRAY), "RU-4")
    RU.misdeal(RU.rule(looked("2 call"), STRAY), "RU-4")


def test_ru_6a_is_about_its_own_seat() -> None:
    """Seat 3 has acted with three cards, seat 4 has one and has not: seat 4's misdeal governs (§10.2)."""
    RU.misdeal(RU.rule(unseen("3 call", held={3: 3, 4: 1}), EXTRA, replace(SHORT, id="i2")), "RU-6")


def test_ru_6b_the_others_have_acted() -> None:
    """Two actions (R-18), whoever made them: dead, all his bets of the round go back (C7)."""
    for acts in (("4 call", "5 call"), ("4 fold", "5 fold"), ("4 check", "5 check"), ("4 raise", "4 call")):
        dead(RU.rule(unseen(*acts, held={3: 3}), EXTRA), "RU-6b", 3)
        dead(RU.rule(looked(*acts, held={2: 1}), replace(SHORT, seat=2)), "RU-6b", 2)
    for wrong in (
        STRAY,
        slip("wrong_first_seat", seat=5, expected=2),
        slip("seat_skipped", seat=5, expected=2),
    ):
        dead(RU.rule(unseen(*LATE, held={2: 1}), wrong), "RU-6b", 2)


def test_ru_6a_and_6b_side_by_side() -> None:
    """Seat 3 acted with three cards, seat 2 has one: both are dead, by the first one's rule."""
    wrong = slip("wrong_seat", seat=3, expected=2, k=8)
    ruling = RU.rule(unseen("3 call", "4 call", held={3: 3, 2: 1}), wrong)
    steps = [{"do": "kill", "seat": 3}, {"do": "kill", "seat": 2}, {"do": "return_bets", "to": 2}]
    RU.expect(ruling, "RU-6a", "dead", steps, seats=[3, 2], bets="pot")


# --- RU-7 showdown ------------------------------------------------------------------------------------------


def test_ru_7_the_only_hand_left_has_a_wrong_number() -> None:
    """At showdown: void, every bet back, dealt again (C28, R-19), whether or not it has acted."""
    for wrong, held in ((EXTRA, {3: 3}), (replace(SHORT, seat=3), {3: 1})):
        for acts in (("4 bet", "5 call"), ("3 bet", "5 call")):
            facts = unseen(*acts, held=held, showdown=True, live=(3,))
            RU.misdeal(RU.rule(facts, wrong), "RU-7")
    for wrong in (
        slip("wrong_seat", seat=3, expected=4),
        slip("seat_skipped", seat=4, expected=3),
        slip("ineligible_seat", seat=9, expected=3),
        slip("wrong_first_seat", seat=3, expected=1),
    ):
        facts = unseen(*LATE, held={3: 3}, showdown=True, live=(3,))
        RU.misdeal(RU.rule(facts, wrong), "RU-7")


def test_ru_7_near_misses() -> None:
    """Two hands left; no showdown; the wrong hand folded; the right number."""
    facts = unseen("4 bet", "5 call", held={3: 3}, showdown=True, live=(3,))
    for other in (
        replace(facts, live=(3, 4)),
        replace(facts, showdown=False),
        replace(facts, live=(4,)),
    ):
        dead(RU.rule(other, EXTRA), "RU-6b", 3)
    RU.silent(RU.rule(replace(facts, held=dict.fromkeys(range(1, 7), 2)), EXTRA))


# --- RU-8, 9, 11 stud ---------------------------------------------------------------------------------------


def test_ru_8_two_players_with_two_up_cards() -> None:
    """Five-card stud: more than one player (T47), at any time while the first round is on (R-20)."""
    for acts in ((), LATE):
        facts = table(*acts, game="stud5", up={2: 2, 4: 2})
        RU.misdeal(RU.rule(facts, up(4, 2)), "RU-8")
    RU.misdeal(RU.rule(table(game="stud5", up={2: 2}), up(4, 2)), "RU-8")


def test_ru_8_near_misses() -> None:
    """One player with two; seven-card stud; a later street, which gives more up cards lawfully."""
    RU.silent(RU.rule(table(game="stud5", up={2: 2, 4: 1}), up(2, 2)), "RU-8")
    later = table("second 1 call", "second 2 call", "third 1 check", game="stud5", up={2: 2, 4: 2})
    RU.silent(RU.rule(later, up(4, 2)))
    assert RU.rule(table(game="stud7", up={2: 2, 4: 2}), up(4, 2)).rule == "RU-9"


def test_ru_9_wrong_up_cards_in_seven_card_stud() -> None:
    """Two up, or none, or the wrong one once the third card is there: misdeal (R-21)."""
    for cards, held in ((2, 3), (2, 2), (0, 3), (1, 3)):
        for acts in ((), LATE):
            facts = table(*acts, game="stud7", held={4: held}, up={4: cards})
            RU.misdeal(RU.rule(facts, up(4, cards)), "RU-9")


def test_ru_9_one_down_card_is_up_before_the_third() -> None:
    """The third card is dealt down: nothing else changes (R-21)."""
    for held in (1, 2):
        facts = table(game="stud7", deal_done=False, held={4: held}, up={4: 1})
        ruling = RU.rule(facts, up(4, 1))
        correct(ruling, "RU-9")
        assert "third card face down" in (ruling.hint or "")


def test_ru_9_near_misses() -> None:
    """A number that nobody told, a later street, and five-card stud: no rule."""
    RU.silent(RU.rule(table(game="stud7", held={4: 2}), up(4, None)), "RU-11")
    later = table("third 1 call", "third 2 call", "fourth 1 check", game="stud7", held={4: 4}, up={4: 3})
    for cards in (2, 3):
        RU.silent(RU.rule(later, up(4, cards)))
    RU.silent(RU.rule(replace(later, held={**later.held, 4: 2}, up={4: 1}), up(4, 1)))
    RU.silent(RU.rule(table(game="stud5"), up(4, 1)))


def test_ru_11_three_up_cards() -> None:
    """Seven-card stud: a misdeal at any time, over RU-9 (§10.2)."""
    for acts in ((), LATE):
        RU.misdeal(RU.rule(table(*acts, game="stud7", up={4: 3}), up(4, 3)), "RU-11")
    assert RU.rule(table(game="stud7", up={4: 2}), up(4, 2)).rule == "RU-9"


# --- RU-10, 12 flop games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2])
def test_ru_10_first_or_second_card_exposed(k: int) -> None:
    """In flop games, by the dealer, at any time (C1, R-20); from the felt and as facts."""
    felt = RU.felt().deal_round(range(1, k + 1)).enter("exposed", seat=k, by="dealer").wait(200)
    RU.misdeal(RU.last(felt), "RU-10")
    for game in FLOP_GAMES:
        for acts in ((), LATE):
            RU.misdeal(RU.rule(table(*acts, game=game), shows(k, k)), "RU-10")


def test_ru_10_near_misses() -> None:
    """The third card: no misdeal, and no remedy is named (C2). A player's own doing, and stud: no rule."""
    felt = RU.felt().deal_round([1, 2, 3]).enter("exposed", seat=3, by="dealer").wait(200)
    RU.silent(RU.last(felt), "no misdeal (RU-10, RU-12); no remedy is named")
    RU.silent(RU.rule(table(), shows(1, 1, by="player")), "that the dealer opened")
    RU.silent(RU.rule(table(), shows(3, 3)), "no misdeal")
    RU.silent(RU.rule(table(game="stud7"), shows(1, 1)), "RU-9")
    RU.silent(RU.rule(table(game="stud5"), shows(1, 1)), "RU-8")


def test_ru_10_over_a_repair() -> None:
    """§10.2: cards of seats 3 and 4 swapped and unseen, the first card exposed, no action: RU-10."""
    RU.misdeal(RU.rule(unseen(), OUT_OF_ORDER, shows(1, 1, "i2")), "RU-10")


def test_ru_12_more_than_one_card_exposed() -> None:
    """In flop games, by the dealer, at any time (C3); one of the first two among them gives the id to RU-10."""
    felt = RU.felt().deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    RU.silent(RU.last(felt))
    felt.deal_round([6, 1, 2, 3]).enter("exposed", seat=3, by="dealer").wait(200)
    RU.misdeal(RU.last(felt), "RU-12")
    for game in FLOP_GAMES:
        for acts in ((), LATE):
            RU.misdeal(RU.rule(table(*acts, game=game), shows(5), shows(9, 3, "i2")), "RU-12")
    RU.misdeal(RU.rule(table(), shows(5), shows(1, 1, "i2")), "RU-10")


def test_ru_12_near_misses() -> None:
    """One by the dealer and one by a player; two by players; stud."""
    for one, two in (("dealer", "player"), ("player", "player"), ("player", "dealer")):
        found = RU.judge(table(), shows(5, by=one), shows(9, 3, "i2", by=two)).rulings
        assert [(each.rule, each.verdict) for each in found] == [(None, "floor")] * 2
    stud = RU.judge(table(game="stud5"), shows(5), shows(9, 3, "i2")).rulings
    assert {each.rule for each in stud} == {None}


def test_ru_by_whom_a_card_was_exposed_is_asked() -> None:
    """Unknown: the dealer is taken to have done it until somebody answers."""
    felt = RU.felt().deal_round([1]).enter("exposed", seat=1).wait(200)
    [asked] = felt.of("question")
    assert (asked["fact"], asked["choices"]) == ("by", ["dealer", "player"])
    assert (RU.last(felt).rule, RU.last(felt).provisional) == ("RU-10", True)
    RU.silent(RU.last(felt.enter("answer", question="by", value="player").wait(200)))


@pytest.mark.parametrize(
    ("facts", "wrong", "rule"),
    [
        (table(*LATE), slip("exposed_in_cut", count=1), "RU-1"),
        (table(*LATE), shows(1, 1), "RU-10"),
        (table(*LATE, exposed_by_dealer=2), shows(5), "RU-12"),
        (table(*LATE, game="stud7", up={4: 3}), up(4, 3), "RU-11"),
        (table(*LATE, game="stud7", up={4: 2}), up(4, 2), "RU-9"),
        (table(*LATE, game="stud5", up={4: 2, 3: 2}), up(4, 2), "RU-8"),
    ],
)
def test_ru_a_house_may_bound_every_misdeal_by_two_actions(
    facts: Facts, wrong: Irregularity, rule: str
) -> None:
    """R-20: without a bound by the letter; a house's switch ends them like RU-3, 4 and 6."""
    early = replace(facts, actions=1)
    for ruling in (RU.rule(facts, wrong), RU.rule(early, wrong), BOUNDED.rule(early, wrong)):
        RU.misdeal(ruling, rule)
    BOUNDED.silent(BOUNDED.rule(facts, wrong))
    if rule in ("RU-10", "RU-12"):
        BOUNDED.silent(BOUNDED.rule(facts, wrong), "this house ends the misdeal there")


# --- each rule for itself -----------------------------------------------------------------------------------

TO_EMPTY_SEAT = "RU-4 (cards to an empty seat, corrected)"
NOT_HERE: list[tuple[str, Facts, Irregularity]] = [
    ("RU-6b", unseen(*LATE, held={3: 3}), EXTRA),
    ("RU-3 (corrected)", looked(), OUT_OF_ORDER),
    ("RU-4 (corrected)", unseen("5 call", "6 call", held={4: 0}), SKIPPED),
    ("RU-4 (corrected)", unseen("4 call", held={4: 0}), SKIPPED),
    ("RU-4 (corrected)", looked(held={4: 0}), SKIPPED),
    (TO_EMPTY_SEAT, unseen("2 call", held={2: 1}), STRAY),
    (TO_EMPTY_SEAT, looked(), STRAY),
    ("RU-5 (corrected)", unseen("4 call", held={3: 3}), EXTRA),
    ("RU-5 (corrected)", looked(held={3: 3}), EXTRA),
    ("RU-3 (found after two significant actions)", unseen(), OUT_OF_ORDER),
]


@pytest.mark.parametrize(("rule", "facts", "wrong"), NOT_HERE)
def test_ru_a_rule_claims_only_what_it_says(rule: str, facts: Facts, wrong: Irregularity) -> None:
    """In a house that has kept this one rule, what another rule decides is silence."""
    RU.alone(rule).silent(RU.alone(rule).rule(facts, wrong))


# --- the whole book -----------------------------------------------------------------------------------------

SILENT = (
    "button_misplaced", "boxed_card", "duplicate_card", "foreign_card", "untagged_card", "joker", "missing_card",
    "damaged_card", "premature_card", "too_many_board_cards", "too_few_board_cards", "burn_missing", "burn_extra",
    "hand_mucked", "card_lost", "card_in_other_hand", "dealt_after_end", "stub_short", "stub_disordered",
    "remedy_not_followed",
)  # fmt: skip


@pytest.mark.parametrize("kind", SILENT)
def test_ru_is_silent(kind: str) -> None:
    """No rule on board cards, burns, boxed, odd and missing cards (§4.2), whatever was done: the supervisor."""
    for facts in (table(), table(*LATE), on_board("flop", "1 check"), table(game="stud7")):
        RU.silent(RU.rule(facts, slip(kind, seat=3, k=5)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gets_an_answer(kind: str) -> None:
    """No trigger is without a ruling, whatever is missing from it, with betting known and unknown, in every game."""
    RU.answers(kind, (*FLOP_GAMES, *STUD_GAMES), prefix="RU-", decider="supervisor")


def test_ru_with_betting_unknown_the_facts_are_asked_one_by_one() -> None:
    """A third card at seat 3: actions, whether it acted, whether the card was looked at, as far as they matter."""
    facts = replace(unseen(held={3: 3}), **UNKNOWN_BETTING)
    first = RU.judge(facts, EXTRA)
    assert first.questions[0].fact in ("actions", "seat_acted")
    assert (first.rulings[0].rule, first.rulings[0].provisional) == ("RU-5", True)
    dead(RU.rule(facts, EXTRA, seat_acted=True), "RU-6a", 3)
    for actions, rule in ((0, "RU-5"), (1, "RU-6"), (2, "RU-6b"), (3, "RU-6b")):
        assert RU.rule(facts, EXTRA, seat_acted=False, actions=actions).rule == rule
    unknown = replace(facts, looked_at=None, actions=0, seat_acted={3: False})
    asked = RU.judge(unknown, EXTRA).questions
    assert asked == (Asked("i1", "looked_at", (True, False), default=False),)


COLUMN = """
C1: RU-10 misdeal
C2: – floor
C3 cards 5 and 7: RU-12 misdeal
C3 cards 5 and 1: RU-10 misdeal
C3 after two calls: RU-12 misdeal
C4 after two folds: RU-6b dead
C4 after two checks: RU-6b dead
C4 after a raise and a call: RU-6b dead
C5 one extra to the first player after the deal: RU-5 correct
C5 two extra to the first player: RU-5 correct
C5 one extra to another player: RU-5 correct
C5 one too few, a call by another: RU-6 misdeal
C6: RU-6a dead
C7: RU-6b dead
C8: – floor
C9 in a hand, nobody has acted: – floor
C9 in a hand, after two calls: – floor
C10 duplicate: – floor
C10 foreign: – floor
C11: – floor
C12: – floor
C13: – floor
C14: – floor
C15: – floor
C16: – floor
C17: – floor
C18 flop not seen yet: – floor
C18 flop seen: – floor
C18 two players acted on it: – floor
C19 no burn before the turn: – floor
C19 no burn before the river: – floor
C20: – floor
C21: – floor
C22 fifth card: – floor
C22 first card of the deck: – floor
C23 nobody has acted: RU-2a misdeal
C23 one call: RU-2a misdeal
C23 two calls: RU-2b play_on
C24a: RU-3 correct
C24b: RU-3 correct
C25 skipped: RU-4 correct
C25 seat not in the hand: RU-4 correct
C26: – floor
C27: RU-1 misdeal
C28: RU-7 misdeal
C29 every card of it is known to lie in the muck: – floor
C29 it cannot be told from the muck: – floor
C30 a misdeal, two exposed cards: RU-12 misdeal
C30 a repair, no burn before the flop: – floor
"""


def test_ru_column_as_compared() -> None:
    """The RU column of rules.md §6."""
    RU.column(COLUMN)


def test_ru_precedence() -> None:
    """The rows of §10.2 that are RU's, and its list of who gives the id."""
    unshuffled = slip("not_shuffled", "i9")
    three = replace(EXTRA, seat=2, expected=2)
    both = RU.judge(unseen(*LATE, held={2: 3}), three, unshuffled).rulings
    dead(both[0], "RU-6b", 2)
    RU.expect(both[1], "RU-2b", "play_on")
    RU.misdeal(RU.rule(looked(held={3: 3}), EXTRA, unshuffled), "RU-2a")
    RU.misdeal(RU.rule(looked(), OUT_OF_ORDER, replace(STRAY, id="i2")), "RU-3")
    RU.misdeal(RU.rule(looked(held={3: 3, 4: 0}), EXTRA, replace(SKIPPED, id="i2")), "RU-4")
    RU.misdeal(RU.rule(table(), shows(1, 1), unshuffled), "RU-2a")
    RU.misdeal(RU.rule(table(), shows(1, 1), slip("exposed_in_cut", "i2"), unshuffled), "RU-1")
    at_showdown = unseen(held={3: 3}, showdown=True, live=(3,))
    RU.misdeal(RU.rule(at_showdown, slip("exposed_in_cut", "i2"), EXTRA), "RU-7")


def test_ru_the_redeal_starts_at_the_same_player() -> None:
    """RU-0b, RU-0c: shuffled and cut, from the seat that was due the first card, wherever the deal began."""
    felt: Felt = RU.felt(8).enter("button", seat=3)
    felt.deal_round([4]).enter("exposed", seat=4, by="dealer").wait(200)
    RU.misdeal(RU.last(felt), "RU-10", misdeal_steps(first=4))


def test_every_statement_of_the_list_is_covered_and_no_other_is_claimed() -> None:
    """The 4 general statements and 15 rules of rules.md §4: rules, or named with a reason."""
    general, rules = "0a 0b 0c 0d", "1 2a 2b 3 4 5 6 6a 6b 7 8 9 10 11 12"
    assert RU.book.covered() == {f"RU-{ident}" for ident in f"{general} {rules}".split()}
    assert set(RU.book.statements) == {f"RU-{ident}" for ident in general.split()}
