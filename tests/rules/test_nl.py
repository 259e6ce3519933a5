"""The Dutch rules, one test per rule, named after it. Expected values are those of rules.md §2, §6, §7 and §10.2.

Hands are dealt on a felt and read by antennas wherever the table can see what happened; what no antenna sees is told
as facts of the reference table: hold'em, seats 1 to 6, button 6, first card to seat 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from court import Court, misdeal_steps
from felt import DECK_WITH_TWIN, RED, TWIN, Felt, uid

from tablectl.core.decisions import KINDS
from tablectl.core.ruling import Asked
from tablectl.rulebooks.scenario import UNKNOWN_BETTING, on_board, slip, table

NL = Court("nl", decider="dealer", authority="floor")
CALL_FLOOR = {"do": "call", "who": "floor"}
BUTTON_GAMES = ("holdem", "omaha", "omaha5")
OTHER_GAMES = ("omaha", "omaha5", "stud5", "stud7")
ONE_ACTED = [(), ("3 call",), ("3 fold",), ("3 raise",), ("3 check",)]
TWO_ACTED = [
    ("3 call", "4 call"),
    ("3 fold", "4 fold"),
    ("3 check", "4 check"),
    ("3 fold", "4 fold", "5 fold"),
]


def rulings(felt: Felt) -> list[tuple[str | None, str]]:
    """Rule and verdict of every ruling on the felt."""
    return felt.rulings()


def shows(k: int, seat: int = 5, ident: str = "i1", by: str | None = "dealer") -> Any:
    """A hole card that was seen."""
    return slip("exposed_card", ident, seat=seat, k=k, by=by)


def boxed(k: int, ident: str = "i1") -> Any:
    """A card that lay face up in the deck, and is at a seat now."""
    return slip("boxed_card", ident, seat=k, k=k, zone=f"seat:{k}")


EXTRA = slip("too_many_cards", seat=3, expected=3, k=13, count=3, need=2)
SHORT = slip("too_few_cards", seat=4, count=1, need=2)
FIRST = slip("wrong_first_seat", seat=2, expected=1, k=1)
BUTTON = slip("button_misplaced", seat=5, expected=6)


# --- M misdeals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("confirms", "kind"), [("shuffle", "not_shuffled"), ("cut", "not_cut")])
def test_nl_m1_not_shuffled_or_not_cut(confirms: str, kind: str) -> None:
    """Either one missing (R-40) is a misdeal while fewer than two players have acted; then the hand is played."""
    felt = NL.dealt(confirms=(confirms,)).wait(500)
    assert felt.kinds() == [kind]
    NL.misdeal(NL.last(felt), "NL-M1")
    NL.misdeal(NL.last(felt.acts((3, "call"))), "NL-M1")
    NL.expect(NL.last(felt.acts((4, "call"))), "NL-XA", "play_on")
    assert "floor may rule otherwise" in (NL.last(felt).hint or "")


def test_nl_m1_near_miss() -> None:
    """Shuffled and cut before the first card: nothing."""
    felt = NL.felt(confirms=("shuffle", "cut")).enter("shuffle_done").enter("cut_done")
    assert felt.deal_all().wait(500).kinds() == []


def test_nl_m2_first_card_to_the_wrong_seat() -> None:
    """Seat 2 instead of seat 1: misdeal, no repair is offered (C24a); after two players acted played on."""
    felt = NL.felt()
    felt.deal(2)
    NL.misdeal(NL.last(felt.wait(800)), "NL-M2")
    for acts in ONE_ACTED:
        NL.misdeal(NL.rule(table(*acts), FIRST), "NL-M2")
    for acts in TWO_ACTED:
        NL.expect(NL.rule(table(*acts), FIRST), "NL-XA", "play_on")
    assert NL.felt().deal_all().wait(800).kinds() == []


def test_nl_m2_moved_to_its_seat_in_time_is_nothing() -> None:
    """The dealer moves the card to seat 1 at once: no irregularity, no ruling."""
    felt = NL.felt()
    card = felt.deal(2, wait=300)
    felt.put(card, 1)
    felt.wait(1500).deal_round([2, 3, 4, 5, 6])
    assert (felt.kinds(), rulings(felt)) == ([], [])


def test_nl_m3_button_at_the_wrong_seat() -> None:
    """Misdeal, dealt again from the seat left of where the button belongs, in every button game (R-31)."""
    for game in BUTTON_GAMES:
        ruling = NL.rule(table(game=game), BUTTON)
        NL.misdeal(ruling, "NL-M3", misdeal_steps(first=1), button="corrected")
        late = NL.rule(table("3 call", "4 call", game=game), BUTTON)
        NL.expect(late, "NL-XA", "play_on")
    elsewhere = NL.rule(table(), slip("button_misplaced", seat=6, expected=2))
    NL.misdeal(elsewhere, "NL-M3", misdeal_steps(first=3), button="corrected")


def test_nl_m3_from_the_felt() -> None:
    """A misdeal; the button is moved on, and the deal begins left of it: the button is at the wrong seat."""
    felt = NL.felt()
    felt.deal(2)
    felt.wait(800).collect().enter("button", seat=1)
    felt.deal_round([2, 3, 4, 5, 6, 1]).wait(800)
    assert "button_misplaced" in felt.kinds()
    assert rulings(felt)[-1] == ("NL-M3", "misdeal")


def test_nl_m3_near_misses() -> None:
    """Stud has no button; with M2 besides, M3 gives the id (§10.2)."""
    for game in ("stud5", "stud7"):
        NL.silent(NL.rule(table(game=game), BUTTON), "no button")
    assert NL.rule(table(), FIRST, replace(BUTTON, id="i2")).rule == "NL-M3"


@pytest.mark.parametrize(
    "order", [[1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 3], [1, 2, 3, 4, 5, 6, 1, 2, 2, 4, 5, 6]]
)
def test_nl_m4_wrong_number_of_cards(order: list[int]) -> None:
    """Seat 3 gets a third card; seat 2 gets seat 3's second one: misdeal without a repair (C5)."""
    felt = NL.felt().deal_round(order).wait(2500)
    NL.misdeal(NL.last(felt), "NL-M4")


def test_nl_m4_skipped_and_short_seats() -> None:
    """0 cards included (C25); with four cards due in Omaha; whether the seat itself acted is no matter (C6)."""
    for acts in ONE_ACTED:
        NL.misdeal(NL.rule(table(*acts, held={3: 3}), EXTRA), "NL-M4")
        NL.misdeal(NL.rule(table(*acts, held={4: 1}), SHORT), "NL-M4")
    skipped = slip("seat_skipped", seat=5, expected=4, k=4)
    NL.misdeal(NL.rule(table(held={4: 0}), skipped), "NL-M4")
    five = slip("too_many_cards", seat=5, count=5, need=4)
    NL.misdeal(NL.rule(table(game="omaha", held={5: 5}), five), "NL-M4")


def test_nl_m4_near_misses() -> None:
    """Counts that are right after all, and counts that are not right yet: no rule."""
    NL.silent(NL.rule(table(), EXTRA), "NL-M4")
    NL.silent(NL.rule(table(), slip("wrong_seat", seat=4, expected=3, k=9)), "NL-M4")
    NL.silent(NL.rule(table(), slip("ineligible_seat", seat=9, expected=2, k=2)))
    half = table(deal_done=False, held={4: 0, 5: 1, 6: 1})
    NL.silent(NL.rule(half, slip("seat_skipped", seat=5, expected=4, k=4)))
    assert NL.dealt().wait(2500).kinds() == []


def test_nl_m5_two_cards_open() -> None:
    """Cards 5 and 9 fall open: one is H1, two are a misdeal; both after two players acted: played on (C3)."""
    felt = NL.felt().deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    assert rulings(felt)[-1] == ("NL-H1", "correct")
    felt.deal_round([6, 1, 2, 3]).enter("exposed", seat=3, by="dealer").wait(200)
    NL.misdeal(NL.last(felt), "NL-M5")
    late = NL.judge(table("3 call", "4 call", exposed_by_dealer=2), shows(5), shows(9, 3, "i2")).rulings
    for ruling in late:
        NL.expect(ruling, "NL-XA", "play_on")


def test_nl_m5_counts_only_what_the_dealer_exposed() -> None:
    """A card that a player let fall does not count (R-11); nor does a boxed one (R-34)."""
    two = NL.judge(table(exposed_by_dealer=1, exposed_by_player=1), shows(5), shows(9, 3, "i2", by="player"))
    assert [each.rule for each in two.rulings] == ["NL-H1", "NL-N5"]
    mixed = NL.judge(table(exposed_by_dealer=1, boxed=1), shows(5), boxed(3, "i2")).rulings
    assert [each.rule for each in mixed] == ["NL-H1", "NL-H6a"]
    assert all("no misdeal by the letter" in (each.hint or "") for each in mixed)


def test_nl_m5_who_exposed_them_is_asked_card_by_card() -> None:
    """Both were the dealer's until somebody says otherwise; each answer is about its own card."""
    cards = shows(5, by=None), shows(9, 3, "i2", by=None)
    first = NL.judge(table(), *cards)
    assert first.questions == (Asked("i1", "by", ("dealer", "player"), "dealer"),)
    assert (first.rulings[0].rule, first.rulings[0].provisional) == ("NL-M5", True)
    one = NL.judge(table(), *cards, by="dealer")
    assert [(each.irregularity, each.rule, each.provisional) for each in one.rulings] == [
        ("i2", "NL-M5", True)
    ]
    none = NL.judge(table(), *cards, by="player")
    assert [(each.rule, each.provisional) for each in none.rulings] == [("NL-N5", False), ("NL-H1", True)]


def test_nl_m5_remembers_a_card_that_was_put_right() -> None:
    """The first exposed card is replaced and off the docket; the second one is the second."""
    NL.misdeal(NL.rule(table(exposed_by_dealer=2), shows(9, 3)), "NL-M5")


def test_nl_m6_second_boxed_card() -> None:
    """Cards 4 and 9 lie face up in the deck: misdeal; so H6b. After two players acted see H6c."""
    NL.misdeal(NL.rule(table(boxed=2), boxed(4), boxed(9, "i2")), "NL-M6")
    NL.misdeal(NL.rule(table("3 call", boxed=2), boxed(9)), "NL-M6")
    for game in OTHER_GAMES:
        NL.misdeal(NL.rule(table(game=game, boxed=2), boxed(9)), "NL-M6")
        late = NL.rule(table(*["3 call", "4 call"], boxed=2), boxed(9))
        assert late.verdict != "misdeal"


@pytest.mark.parametrize("kind", ["duplicate_card", "foreign_card"])
def test_nl_m7_fouled_deck(kind: str) -> None:
    """At any time, bets back, another deck (R-03), the same first seat; only a hand that has ended is over."""
    fouled = misdeal_steps(deck=True)
    for facts in (
        table(deal_done=False),
        table(),
        table("3 call", "4 call"),
        on_board("river", "1 bet", "2 call"),
    ):
        NL.misdeal(NL.rule(facts, slip(kind, k=4, seat=4)), "NL-M7", fouled)
    NL.silent(NL.rule(table("3 call", over=True, ended=True), slip(kind)), "NL-M7")


def test_nl_m7_from_the_felt() -> None:
    """A card of the red deck, and a second copy of a card, each after two calls: misdeal all the same."""
    for deck, card, kind in (
        (None, next(iter(RED.cards)), "foreign_card"),
        (DECK_WITH_TWIN, TWIN, "duplicate_card"),
    ):
        felt = NL.dealt(**({"deck": deck} if deck else {})).acts(
            (3, "call"), (4, "call"), (5, "fold"), (6, "fold")
        )
        felt.acts((1, "call"), (2, "check")).deal("burn")
        felt.stub.insert(0, card)
        felt.flop(burn=False)
        assert felt.kinds() == [kind]
        NL.misdeal(NL.last(felt), "NL-M7", misdeal_steps(deck=True))


def test_nl_m7j_joker_in_a_hand() -> None:
    """Before two players acted: removed, and the seat gets the next card off the stub (R-04)."""
    felt = NL.felt().deal_round([1, 2])
    felt.stub.insert(0, uid(100))
    felt.deal(3)
    felt.wait(500)
    NL.expect(NL.last(felt), "NL-M7j", "correct", [{"do": "remove", "card": 3}, {"do": "replace", "seat": 3}])
    assert "after everybody has his cards" in (NL.last(felt).hint or "")


def test_nl_m7j_joker_elsewhere() -> None:
    """On the board or as a burn the next card takes its place; at the mouth of the shoe nothing more is to do."""
    removed = {"do": "remove", "card": 14}
    for zone, steps in (
        ("board", [removed, {"do": "deal", "street": "flop", "count": 1}]),
        ("burn", [removed, {"do": "burn"}]),
        ("shoe", [removed]),
    ):
        ruling = NL.rule(on_board("flop", "1 check", "2 check"), slip("joker", k=14, zone=zone))
        NL.expect(ruling, "NL-M7j", "correct", steps)
    NL.silent(NL.rule(table(ended=True), slip("joker", k=14, zone="board")))


@pytest.mark.parametrize("k", [1, 2])
def test_nl_m8_first_or_second_card_of_the_deck_boxed(k: int) -> None:
    """One boxed card is enough; over M6 where it is the second. A dealer who flashes it is H1 (R-32)."""
    NL.misdeal(NL.rule(table(deal_done=False, boxed=1), boxed(k)), "NL-M8")
    NL.misdeal(NL.rule(table(boxed=2), boxed(k, "i2"), boxed(3 - k)), "NL-M8")
    NL.expect(NL.rule(table("3 call", "4 call", boxed=1), boxed(k)), "NL-XA", "play_on")
    shown = NL.rule(table(), shows(k, k))
    assert (shown.rule, shown.verdict) == ("NL-H1", "correct")
    assert "other rulebooks: misdeal" in (shown.hint or "")


def test_nl_xa_two_players_not_two_actions() -> None:
    """A player who acts twice closes nothing; two players who fold do (C4)."""
    NL.misdeal(NL.rule(table("3 raise", "3 call", held={4: 1}), SHORT), "NL-M4")
    NL.expect(
        NL.rule(table("5 fold", "6 fold", held={4: 1}), SHORT),
        "NL-N4", "dead", [{"do": "kill", "seat": 4}], seats=[4], bets="pot",
    )  # fmt: skip


# --- H what can be corrected, in hold'em --------------------------------------------------------------------


def test_nl_h1_one_exposed_card() -> None:
    """The seat's new card comes last, the exposed one lies on the stub and is the flop's burn; k does not matter."""
    felt = NL.felt().deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    NL.expect(
        NL.last(felt), "NL-H1", "correct",
        [
            {"do": "replace", "seat": 5},
            {"do": "to_top", "card": 5},
            {"do": "finish_round", "street": "preflop"},
            {"do": "to_burn", "card": 5},
            {"do": "deal", "street": "flop", "count": 3},
        ],
    )  # fmt: skip
    assert "last one dealt" in (NL.last(felt).hint or "")


def test_nl_h1_not_m4_while_the_replacement_is_due() -> None:
    """§10.2: the exposed card is taken back and seat 5 is short for a moment; a card due counts as held."""
    short = slip("too_few_cards", "i2", seat=5, count=1, need=2)
    assert NL.rule(table(), shows(5), short).rule == "NL-H1"
    NL.misdeal(NL.rule(table(held={5: 1}), replace(short, id="i1")), "NL-M4")


def test_nl_h1_the_replacement_makes_no_hand_too_big() -> None:
    """After the deal seat 5 gets its new card, then the exposed one goes back to the stub: nothing but H1."""
    felt = NL.felt().deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    shown = felt.at(5)[0]
    felt.deal_round([6, 1, 2, 3, 4, 5, 6]).wait(1500)
    felt.deal(5, wait=1500)
    felt.put(shown, "shoe")
    felt.wait(3000)
    assert (felt.kinds(), set(rulings(felt))) == (["exposed_card"], {("NL-H1", "correct")})
    assert [d["event"] for d in felt.of("remedy")] == ["started", "done", "done"]


def test_nl_h1_outside_holdem_is_n1() -> None:
    """H is hold'em's list: elsewhere one open card is no misdeal, and the floor says what to do (§10.2)."""
    for game in OTHER_GAMES:
        NL.expect(NL.rule(table(game=game), shows(5)), "NL-N1", "floor", [CALL_FLOOR])


def test_nl_n1_one_open_card_is_no_misdeal() -> None:
    """In hold'em H1 goes over it; in Omaha it is the rule, and two cards are M5 there as well."""
    omaha = NL.felt(game="omaha").deal_round([1, 2, 3, 4, 5]).enter("exposed", seat=5, by="dealer").wait(200)
    NL.expect(NL.last(omaha), "NL-N1", "floor", [CALL_FLOOR])
    assert NL.rule(table(), shows(5)).rule == "NL-H1"
    NL.misdeal(NL.rule(table(game="omaha"), shows(5), shows(9, 3, "i2")), "NL-M5")


AGAIN = [
    {"do": "shuffle", "what": "stub+flop"},
    {"do": "no_burn"},
    {"do": "deal", "street": "flop", "count": 3},
]


def test_nl_h2a_premature_flop() -> None:
    """Finish the betting, shuffle the flop into the stub, deal it again without a burn; the burn made stays."""
    felt = NL.dealt().acts((3, "call")).flop()
    NL.expect(NL.last(felt), "NL-H2a", "correct", [{"do": "finish_round", "street": "preflop"}, *AGAIN])
    assert NL.dealt().call_round().flop().kinds() == []


def test_nl_h2a_over_h2b_and_h3() -> None:
    """A premature flop of four without a burn is one matter, H2a (§10.2: H2 over H3)."""
    facts = replace(table("3 call"), board={"flop": 4, "turn": 0, "river": 0})
    early = slip("premature_card", street="flop", count=4, need=3, zone="board", k=13)
    others = [
        slip("too_many_board_cards", "i2", street="flop", count=4, need=3),
        slip("burn_missing", "i3", street="flop"),
        slip("burn_extra", "i4", street="flop", count=2),
    ]
    for other in others:
        ruling = NL.rule(facts, early, other)
        assert (ruling.irregularity, ruling.rule) == ("i1", "NL-H2a")


@pytest.mark.parametrize("cards", [4, 5])
def test_nl_h2b_flop_of_too_many_cards(cards: int) -> None:
    """Four or five (C11, C12): shuffled into the stub and dealt again, no burn. A flop of three is none."""
    felt = NL.dealt().call_round().flop(cards)
    NL.expect(NL.last(felt), "NL-H2b", "correct", AGAIN)
    burn = slip("burn_missing", "i2", street="flop")
    four = slip("too_many_board_cards", street="flop", count=4, need=3)
    assert NL.rule(on_board("flop", cards=4, burns=0), four, burn).rule == "NL-H2b"


def test_nl_h2b_near_misses() -> None:
    """Two cards on the turn, a flop of two, and any flop of Omaha: no rule."""
    NL.silent(
        NL.rule(on_board("turn", cards=2), slip("too_many_board_cards", street="turn", count=2, need=1))
    )
    NL.silent(NL.rule(on_board("flop", cards=2), slip("too_few_board_cards", street="flop", count=2, need=3)))
    four = slip("too_many_board_cards", street="flop", count=4, need=3)
    NL.silent(NL.rule(on_board("flop", cards=4, game="omaha"), four), "hold'em only")


@pytest.mark.parametrize(("street", "card"), [("flop", 13), ("turn", 17), ("river", 19)])
def test_nl_h3a_no_burn(street: str, card: int) -> None:
    """The street's first card becomes its burn and the next card off the stub completes it (worked orders)."""
    felt = NL.dealt().call_round()
    for name in ("flop", "turn", "river"):
        burn = name != street
        _ = felt.flop(burn=burn) if name == "flop" else felt.street(burn=burn)
        if name == street:
            break
        felt.call_round()
    felt.wait(1500)
    assert felt.kinds() == ["burn_missing"]
    NL.expect(
        NL.last(felt), "NL-H3a", "correct",
        [
            {"do": "restore_order", "street": street},
            {"do": "to_burn", "card": card},
            {"do": "deal", "street": street, "count": 1},
        ],
    )  # fmt: skip
    NL.expect(NL.last(felt.acts((1, "check"))), "NL-H3a", "floor", [CALL_FLOOR], decider="floor")
    assert "played on" in (NL.last(felt).hint or "")


def test_nl_h3a_before_the_flop_is_whole() -> None:
    """One card lies there when it is noticed: it is the burn, and three come."""
    early = NL.rule(on_board("flop", cards=1, burns=0), slip("burn_missing", street="flop", k=13))
    assert early.steps[-1] == {"do": "deal", "street": "flop", "count": 3}


@pytest.mark.parametrize(("street", "card"), [("turn", 17), ("river", 19)])
def test_nl_h3a_of_a_premature_street(street: str, card: int) -> None:
    """§10.2: a premature turn without a burn is that burn; finish the round, then the turn. No H4."""
    felt = NL.dealt().call_round().flop()
    if street == "river":
        felt.call_round().street()
    felt.acts((1, "check")).street(burn=False)
    assert felt.kinds() == ["premature_card"]
    NL.expect(
        NL.last(felt), "NL-H3a", "correct",
        [
            {"do": "restore_order", "street": street},
            {"do": "to_burn", "card": card},
            {"do": "finish_round", "street": "flop" if street == "turn" else "turn"},
            {"do": "deal", "street": street, "count": 1},
        ],
    )  # fmt: skip


def test_nl_h3a_only_where_a_burn_is_due() -> None:
    """After a lawful H4 the river needs no burn: a premature river without one is H5."""
    facts = replace(on_board("river", burns=0), burns_due={"river": 0})
    early = slip("premature_card", street="river", count=1, need=1, zone="board", k=21)
    assert NL.rule(facts, early).rule == "NL-H5"
    assert NL.rule(replace(facts, burns_due={}), early).rule == "NL-H3a"
    both = NL.rule(replace(facts, burns_due={}), early, slip("burn_missing", "i2", street="river", k=21))
    assert (both.irregularity, both.rule) == ("i2", "NL-H3a")


@pytest.mark.parametrize(("street", "surplus"), [("flop", 17), ("turn", 19), ("river", 21)])
def test_nl_h3b_two_burns(street: str, surplus: int) -> None:
    """The second burn is turned up as the street's first card, the surplus one goes back on top (R-06)."""
    felt = NL.dealt().call_round()
    for name in ("flop", "turn", "river"):
        if name == street:
            felt.deal("burn", wait=800)
        _ = felt.flop() if name == "flop" else felt.street()
        if name == street:
            break
        felt.call_round()
    felt.wait(1500)
    assert felt.kinds() == ["burn_extra"]
    steps = [{"do": "restore_order", "street": street}, {"do": "to_top", "card": surplus}]
    NL.expect(NL.last(felt), "NL-H3b", "correct", steps)
    NL.expect(NL.last(felt.acts((1, "check"))), "NL-H3b", "floor", [CALL_FLOOR], decider="floor")


def test_nl_h3b_before_the_street_lies_there() -> None:
    """Noticed at once: the second burn is the flop's first card and nothing goes back."""
    felt = NL.dealt().call_round()
    felt.deal("burn", wait=800)
    felt.deal("burn", wait=1500)
    NL.expect(NL.last(felt), "NL-H3b", "correct", [{"do": "restore_order", "street": "flop"}])


def test_nl_h3b_of_a_premature_turn() -> None:
    """Two burns and the turn too early: the second burn waits for the flop's betting, the turn goes back."""
    facts = on_board("turn", burns=2)
    early = slip("premature_card", street="turn", count=1, need=1, zone="board", k=19)
    steps = [
        {"do": "finish_round", "street": "flop"},
        {"do": "restore_order", "street": "turn"},
        {"do": "to_top", "card": 19},
    ]
    NL.expect(NL.rule(facts, early), "NL-H3b", "correct", steps)
    extra = slip("burn_extra", "i2", street="turn", count=2, need=1, k=18)
    NL.expect(NL.rule(facts, early, extra), "NL-H3b", "correct", steps)


def test_nl_h3_outside_holdem() -> None:
    """No burn before a flop of Omaha: no rule."""
    NL.silent(
        NL.rule(on_board("flop", burns=0, game="omaha"), slip("burn_missing", street="flop")), "hold'em only"
    )


def test_nl_h4_premature_turn() -> None:
    """Aside; finish the flop; burn; the would-be river is the turn; later shuffled in; the river without a burn."""
    felt = NL.dealt().call_round().flop().acts((1, "check")).street()
    NL.expect(
        NL.last(felt), "NL-H4", "correct",
        [
            {"do": "aside", "zone": "board"},
            {"do": "finish_round", "street": "flop"},
            {"do": "burn"},
            {"do": "deal", "street": "turn", "count": 1},
            {"do": "finish_round", "street": "turn"},
            {"do": "shuffle", "what": "stub+aside"},
            {"do": "no_burn"},
            {"do": "deal", "street": "river", "count": 1},
        ],
    )  # fmt: skip
    assert NL.dealt().call_round().flop().call_round().street().kinds() == []


def test_nl_h5_premature_river() -> None:
    """Finish the turn, shuffle the river into the stub, deal it again without a burn."""
    felt = NL.dealt().call_round().flop().call_round().street().acts((1, "check")).street()
    NL.expect(
        NL.last(felt), "NL-H5", "correct",
        [
            {"do": "finish_round", "street": "turn"},
            {"do": "shuffle", "what": "stub+river"},
            {"do": "no_burn"},
            {"do": "deal", "street": "river", "count": 1},
        ],
    )  # fmt: skip


def test_nl_h4_h5_outside_holdem() -> None:
    """A premature turn of Omaha: no rule."""
    early = slip("premature_card", street="turn", count=1, need=1, zone="board")
    NL.silent(NL.rule(on_board("turn", game="omaha"), early), "hold'em only")


def test_nl_h6a_one_boxed_card() -> None:
    """The third card or a later one: shown, removed, the next one takes its place; it is no burn."""
    ruling = NL.rule(table(boxed=1), boxed(3))
    NL.expect(ruling, "NL-H6a", "correct", [{"do": "remove", "card": 3}, {"do": "replace", "seat": 3}])
    assert "show it" in (ruling.hint or "")
    on_flop = NL.rule(on_board("flop", "1 bet", "2 call"), slip("boxed_card", k=15, zone="board"))
    assert on_flop.steps[1:] == ({"do": "deal", "street": "flop", "count": 1},)


def test_nl_h6c_a_second_boxed_card_after_two_players_acted() -> None:
    """Each is removed like the first (R-08); with one player it is still M6 (R-07)."""
    steps = [{"do": "remove", "card": 4}, {"do": "replace", "seat": 4}]
    for acts in TWO_ACTED:
        NL.expect(NL.rule(table(*acts, boxed=2), boxed(4)), "NL-H6c", "correct", steps)
    both = NL.judge(table("3 call", "4 call", boxed=2), boxed(4), boxed(6, "i2")).rulings
    assert [each.rule for each in both] == ["NL-H6a", "NL-H6c"]
    NL.misdeal(NL.rule(table("3 call", boxed=2), boxed(4)), "NL-M6")


def test_nl_h6_outside_holdem() -> None:
    """A single boxed card from the third on is the floor's; a second one late is played on."""
    for game in OTHER_GAMES:
        NL.silent(NL.rule(table(game=game, boxed=1), boxed(3)), "hold'em only")
        NL.expect(NL.rule(table("3 call", "4 call", game=game, boxed=2), boxed(4)), "NL-XA", "play_on")
    NL.silent(NL.rule(table(boxed=1), slip("boxed_card")))


# --- N not a misdeal ----------------------------------------------------------------------------------------


def test_nl_n2_missing_card() -> None:
    """At any time the hand is valid; another deck for the next one (C8)."""
    for facts in (table(), table("3 call", "4 call"), table(ended=True)):
        NL.expect(
            NL.rule(facts, slip("missing_card")), "NL-N2", "play_on", [{"do": "change_deck", "when": "next"}]
        )
    assert NL.rule(table(), slip("missing_card"), replace(FIRST, id="i2")).rule == "NL-M2"


def test_nl_n3_a_hand_mucked_by_mistake_that_is_known() -> None:
    """The antennas know both cards: never dead, the floor may give them back (R-09)."""
    felt = NL.dealt().acts((3, "call"))
    felt.move(4, "muck").wait(5000)
    assert felt.kinds() == ["hand_mucked"]
    NL.expect(NL.last(felt), "NL-N3", "floor", [CALL_FLOOR], decider="floor")
    assert "may be returned" in (NL.last(felt).hint or "")


def test_nl_n3_a_hand_mucked_by_mistake_that_is_not_known() -> None:
    """One card of it was not seen: whether it can be told apart is asked; if not, it is dead."""
    half = slip("hand_mucked", seat=4, count=1, zone="muck")
    asked = NL.judge(table("3 call"), half)
    assert asked.questions == (Asked("i1", "retrievable", (True, False), default=True),)
    lost = NL.rule(table("3 call"), half, retrievable=False)
    NL.expect(lost, "NL-N3", "dead", [{"do": "kill", "seat": 4}], seats=[4], bets="pot")
    assert "protects" in (lost.hint or "")
    found = NL.rule(table("3 call"), half, retrievable=True)
    assert found.verdict == "floor"


def test_nl_n4_wrong_number_found_too_late() -> None:
    """After two players acted the hand is dead, its bets stay in the pot (R-10), whether or not it acted (C6, C7)."""
    felt = NL.felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 3]).wait(2000).acts((3, "call"))
    assert rulings(felt)[-1] == ("NL-M4", "misdeal")
    felt.acts((4, "call"))
    NL.expect(NL.last(felt), "NL-N4", "dead", [{"do": "kill", "seat": 3}], seats=[3], bets="pot")
    both = NL.rule(table("1 bet", "2 call", held={3: 3, 4: 1}), slip("wrong_seat", seat=3, expected=4))
    kills = [{"do": "kill", "seat": 3}, {"do": "kill", "seat": 4}]
    NL.expect(both, "NL-N4", "dead", kills, seats=[3, 4], bets="pot")
    for kind in ("wrong_first_seat", "ineligible_seat"):
        late = NL.rule(table("3 bet", "4 call", held={2: 1}), slip(kind, seat=8, expected=2, k=2))
        NL.expect(late, "NL-N4", "dead", [{"do": "kill", "seat": 2}], seats=[2], bets="pot")


def test_nl_n4_joker_in_a_hand() -> None:
    """After two players acted the hand with the joker is dead (C9); a joker on the board is removed."""
    joker = slip("joker", seat=2, k=2, zone="seat:2")
    NL.expect(
        NL.rule(table("3 call", "4 call"), joker),
        "NL-N4", "dead", [{"do": "kill", "seat": 2}], seats=[2], bets="pot",
    )  # fmt: skip
    assert NL.rule(table("3 call"), joker).rule == "NL-M7j"
    assert NL.rule(on_board("flop"), slip("joker", k=14, zone="board")).rule == "NL-M7j"


def test_nl_n4_a_seat_without_cards_has_nothing_to_muck() -> None:
    """Skipped altogether and found late: out of the hand, and no step asks for cards that are not there."""
    skipped = NL.rule(table("1 bet", "2 call", held={4: 0}), slip("seat_skipped", seat=5, expected=4))
    NL.expect(skipped, "NL-N4", "dead", [], seats=[4], bets="pot")


def test_nl_n5_a_player_lets_his_own_card_be_seen() -> None:
    """He plays on with it, and there is no new card; so with a second one of his (R-11)."""
    felt = NL.dealt().enter("exposed", seat=3, by="player").wait(200)
    NL.expect(NL.last(felt), "NL-N5", "play_on")
    assert "no new card" in (NL.last(felt).hint or "")
    two = NL.judge(table(exposed_by_player=2), shows(5, by="player"), shows(9, 3, "i2", by="player"))
    assert [each.rule for each in two.rulings] == ["NL-N5", "NL-N5"]


def test_nl_by_whom_a_card_was_exposed_is_asked() -> None:
    """Unknown: the dealer is taken to have done it (H1) until somebody answers."""
    felt = NL.dealt().enter("exposed", seat=3).wait(200)
    [asked] = felt.of("question")
    assert (asked["fact"], asked["choices"]) == ("by", ["dealer", "player"])
    assert (NL.last(felt).rule, NL.last(felt).provisional) == ("NL-H1", True)
    felt.enter("answer", question="by", value="player").wait(200)
    NL.expect(NL.last(felt), "NL-N5", "play_on")


# --- each rule for itself -----------------------------------------------------------------------------------

LATE = ("3 call", "4 call")
JOKER = slip("joker", seat=2, k=2, zone="seat:2")
UNBURNED = slip("burn_missing", street="flop", k=13)
TWICE = slip("burn_extra", street="flop", k=14, count=2)
EARLY_FLOP = slip("premature_card", street="flop", count=3, need=3, zone="board", k=13)
NOT_HERE: list[tuple[str, Any, Any]] = [
    ("NL-N4", table("3 call", held={3: 3}), EXTRA),
    ("NL-N4 (a joker in the hand)", table("3 call"), JOKER),
    ("NL-H6c", table(*LATE, boxed=2), boxed(2)),
    ("NL-H6c", table(*LATE, boxed=1), boxed(4)),
    ("NL-H6c", table("3 call", boxed=2), boxed(4)),
    ("NL-N1", table(game="omaha"), shows(5, by="player")),
    ("NL-N1", table(game="omaha", exposed_by_dealer=2), shows(5)),
    ("NL-H3a (after an action on the street)", on_board("flop", burns=0), UNBURNED),
    ("NL-H3b (after an action on the street)", on_board("flop", burns=2), TWICE),
    ("NL-H3a (the street came too early as well)", on_board("flop", burns=0), EARLY_FLOP),
    ("NL-H3b (the street came too early as well)", on_board("flop", burns=2), EARLY_FLOP),
    ("NL-XA (open cards)", table(*LATE, exposed_by_dealer=1), shows(5, by="player")),
    ("NL-XA (open cards)", table(*LATE), shows(5)),
    ("NL-XA (open cards)", table("3 call", exposed_by_dealer=2), shows(5)),
    ("NL-XA (boxed cards)", table(*LATE, boxed=1), boxed(4)),
    ("NL-XA (boxed cards)", table("3 call", boxed=2), boxed(4)),
]


@pytest.mark.parametrize(("rule", "facts", "wrong"), NOT_HERE)
def test_nl_a_rule_claims_only_what_it_says(rule: str, facts: Any, wrong: Any) -> None:
    """In a house that has kept this one rule, what another rule decides is silence."""
    NL.alone(rule).silent(NL.alone(rule).rule(facts, wrong))


def test_nl_the_joker_of_a_seat_that_is_not_in_the_hand() -> None:
    """Nobody's hand is dead: the card is removed."""
    assert NL.rule(table(*LATE), slip("joker", seat=9, k=2, zone="seat:9")).rule == "NL-M7j"


def test_nl_a_seat_that_is_not_in_the_hand_has_no_wrong_number() -> None:
    """The card at seat 9 alone makes no M4 and no dead hand; seat 2 has both its cards."""
    stray = slip("ineligible_seat", seat=9, expected=2, k=2)
    for acts in ((), LATE):
        NL.silent(NL.rule(table(*acts, held={9: 1}), stray))


def test_nl_m4_while_the_deal_is_on() -> None:
    """A third card is one too many at once; a seat that the deal has left short is short."""
    NL.misdeal(NL.rule(table(deal_done=False, held={3: 3, 5: 1, 6: 1}), EXTRA), "NL-M4")
    NL.misdeal(NL.rule(table(deal_done=False, held={4: 1}), SHORT), "NL-M4")


def test_nl_a_burn_error_of_another_street_is_a_matter_of_its_own() -> None:
    """A turn without a burn, while something is wrong with the flop: H3, not part of H2."""
    turn = slip("burn_missing", "i2", street="turn", k=17)
    four = slip("too_many_board_cards", street="flop", count=4, need=3)
    for flop in (EARLY_FLOP, four):
        found = NL.judge(on_board("turn", burns=0), flop, turn).rulings
        assert [each.rule for each in found if each.irregularity == "i2"] == ["NL-H3a"]


def test_nl_what_the_article_leaves_open_is_a_parameter() -> None:
    """A house that cuts after a reshuffle, does not cut before a redeal, and keeps a fouled deck."""
    house = NL.house(
        parameters={"cut_after_reshuffle": True, "cut_before_redeal": False, "new_deck_after_foul": False}
    )
    cut = {"do": "cut"}
    for facts, wrong, number in (
        (on_board("flop", cards=4), slip("too_many_board_cards", street="flop", count=4, need=3), 1),
        (on_board("turn"), slip("premature_card", street="turn", zone="board", k=18), 6),
        (on_board("river"), slip("premature_card", street="river", zone="board", k=20), 2),
    ):
        assert house.rule(facts, wrong).steps[number] == cut
        assert cut not in NL.rule(facts, wrong).steps
    for wrong in (FIRST, BUTTON, slip("foreign_card", k=4)):
        assert list(house.rule(table(), wrong).steps) == list(misdeal_steps(cut=False))


# --- the whole book -----------------------------------------------------------------------------------------

SILENT = (
    "exposed_in_cut", "damaged_card", "untagged_card", "card_lost", "card_in_other_hand", "dealt_after_end",
    "stub_short", "stub_disordered", "up_card_error", "remedy_not_followed", "too_few_board_cards",
)  # fmt: skip


@pytest.mark.parametrize("kind", SILENT)
def test_nl_is_silent(kind: str) -> None:
    """Triggers the article does not mention, before and after two players acted: the floor, no rule."""
    for facts in (table(), table("3 call", "4 call"), on_board("flop", "1 check")):
        NL.silent(NL.rule(facts, slip(kind, seat=3, k=5)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gets_an_answer(kind: str) -> None:
    """No trigger is without a ruling, whatever is missing from it, with betting known and unknown, in every game."""
    NL.answers(kind, ("holdem", *OTHER_GAMES), prefix="NL-")


def test_nl_with_betting_unknown_the_players_who_acted_are_asked() -> None:
    """One question decides between misdeal and dead; two players are the highest number that matters."""
    facts = replace(table(held={3: 3}), **UNKNOWN_BETTING)
    judgement = NL.judge(facts, EXTRA)
    assert judgement.questions == (Asked("i1", "players_acted", (0, 1, 2), 0),)
    assert (judgement.rulings[0].rule, judgement.rulings[0].provisional) == ("NL-M4", True)
    NL.misdeal(NL.rule(facts, EXTRA, players_acted=1), "NL-M4")
    assert NL.rule(facts, EXTRA, players_acted=2).verdict == "dead"


COLUMN = """
C1: NL-H1 correct
C2: NL-H1 correct
C3 cards 5 and 7: NL-M5 misdeal
C3 cards 5 and 1: NL-M5 misdeal
C3 after two calls: NL-XA play_on, NL-XA play_on
C4 after two folds: NL-N4 dead
C4 after two checks: NL-N4 dead
C4 after a raise and a call: NL-N4 dead
C5 one extra to the first player after the deal: NL-M4 misdeal
C5 two extra to the first player: NL-M4 misdeal
C5 one extra to another player: NL-M4 misdeal
C5 one too few, a call by another: NL-M4 misdeal
C6: NL-M4 misdeal
C7: NL-N4 dead
C8: NL-N2 play_on
C9 in a hand, nobody has acted: NL-M7j correct
C9 in a hand, after two calls: NL-N4 dead
C10 duplicate: NL-M7 misdeal
C10 foreign: NL-M7 misdeal
C11: NL-H2b correct
C12: NL-H2b correct
C13: NL-H2a correct
C14: NL-H3a correct
C15: NL-H3a floor
C16: NL-H3a floor
C17: NL-H3a correct
C18 flop not seen yet: NL-H3b correct
C18 flop seen: NL-H3b correct
C18 two players acted on it: NL-H3b floor
C19 no burn before the turn: NL-H3a correct
C19 no burn before the river: NL-H3a correct
C20: NL-H4 correct
C21: NL-H5 correct
C22 fifth card: NL-H6a correct
C22 first card of the deck: NL-M8 misdeal
C23 nobody has acted: NL-M1 misdeal
C23 one call: NL-M1 misdeal
C23 two calls: NL-XA play_on
C24a: NL-M2 misdeal
C24b: – floor
C25 skipped: NL-M4 misdeal
C25 seat not in the hand: – floor
C26: NL-M3 misdeal
C27: – floor
C28: NL-N4 dead
C29 every card of it is known to lie in the muck: NL-N3 floor
C29 it cannot be told from the muck: NL-N3 dead
C30 a misdeal, two exposed cards: NL-M5 misdeal
C30 a repair, no burn before the flop: NL-H3a correct
"""


def test_nl_column_as_compared() -> None:
    """The NL column of rules.md §6."""
    NL.column(COLUMN)


def test_nl_precedence() -> None:
    """The rows of §10.2 that are NL's, where a first-match order goes wrong."""
    unshuffled, joker = slip("not_shuffled"), slip("joker", "i2", seat=4, k=4, zone="seat:4")
    NL.misdeal(NL.rule(table(boxed=1), boxed(5), replace(unshuffled, id="i2")), "NL-M1")
    NL.misdeal(NL.rule(table(), joker, shows(7, 1), shows(9, 3, "i3")), "NL-M5")
    NL.misdeal(NL.rule(table(), slip("missing_card", "i2"), FIRST), "NL-M2")
    NL.misdeal(NL.rule(table(boxed=1), boxed(1), replace(unshuffled, id="i2")), "NL-M8")
    NL.misdeal(NL.rule(table(held={3: 3}), EXTRA, replace(unshuffled, id="i2")), "NL-M1")
    NL.misdeal(NL.rule(table(held={3: 3}), EXTRA, shows(5, 5, "i2"), shows(9, 3, "i3")), "NL-M4")
    fouled = NL.rule(table(held={3: 3}), EXTRA, slip("foreign_card", "i2", k=4))
    NL.misdeal(fouled, "NL-M7", misdeal_steps(deck=True))


def test_nl_several_rulings_stand_side_by_side() -> None:
    """After two players acted: a dead hand, a boxed card, a missing card, each with a ruling of its own."""
    facts = table("3 call", "4 call", held={3: 3}, boxed=1)
    found = NL.judge(facts, EXTRA, boxed(5, "i2"), slip("missing_card", "i3")).rulings
    assert [each.rule for each in found] == ["NL-N4", "NL-H6a", "NL-N2"]


def test_every_statement_of_the_article_is_covered_and_no_other_is_claimed() -> None:
    """The 38 literal statements of rules.md §2 and the derived H6c: rules, or named with a reason."""
    general = "G1 G2 G3 G4 G5 G6 G7 G8 G9 M0 XA XB H0 N0"
    rules = "M1 M2 M3 M4 M5 M6 M7 M7j M8 H1 H1n H2a H2b H3a H3b H4 H5 H6a H6b H6c N1 N2 N3 N4 N5"
    assert NL.book.covered() == {f"NL-{ident}" for ident in f"{general} {rules}".split()}
    named = "G1 G2 G3 G4 G5 G6 G7 G8 G9 M0 XB H0 N0 H1n H6b"
    assert set(NL.book.statements) == {f"NL-{ident}" for ident in named.split()}
