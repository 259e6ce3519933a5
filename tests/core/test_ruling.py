"""Deciding: precedence, unknown facts, questions and defaults, on small books made for the purpose.

Their rules are shaped like rules of the other source books, which the schema must carry as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tablectl.core.decisions import Irregularity, Ruling
from tablectl.core.facts import Facts
from tablectl.core.rulebook import Rulebook, parse
from tablectl.core.ruling import Asked, Judgement, decide

HEAD = {
    "name": "house",
    "title": "House rules",
    "source": "house.txt",
    "games": ["holdem", "omaha"],
    "decider": "dealer",
    "authority": "supervisor",
}
T6 = Facts(
    game="holdem",
    need=2,
    order=(1, 2, 3, 4, 5, 6),
    deal_done=True,
    held=dict.fromkeys(range(1, 7), 2),
    board={"flop": 0, "turn": 0, "river": 0},
    burns={"flop": 0, "turn": 0, "river": 0},
    live=(1, 2, 3, 4, 5, 6),
)
"""Six seats, two cards each, betting not entered."""


def book(*rules: Mapping[str, Any], **tables: Any) -> Rulebook:
    """A book of these rules, numbered in their order."""
    rows = [{"id": f"H-{number}", "source": "L1", **rule} for number, rule in enumerate(rules, 1)]
    return parse({"book": HEAD, "rule": rows, **tables}, "house.toml")


def slip(kind: str, ident: str = "i1", **fields: Any) -> Irregularity:
    """A confirmed irregularity."""
    return Irregularity(t=0, id=ident, kind=kind, **fields)


def judge(
    rules: Rulebook,
    *slips: Irregularity,
    facts: Facts = T6,
    answers: Mapping[tuple[str, str], Any] | None = None,
) -> Judgement:
    """What the book says of these irregularities."""
    return decide(rules, slips, facts, answers or {}, 1000)


def short(rulings: Sequence[Ruling]) -> list[tuple[str, str | None, str]]:
    """Irregularity, rule and verdict of each ruling."""
    return [(each.irregularity, each.rule, each.verdict) for each in rulings]


WINDOW = book(
    {"kinds": ["not_shuffled"], "when": "actions < 2", "verdict": "misdeal", "bets": "returned"},
    {"kinds": ["not_shuffled"], "when": "actions >= 2", "verdict": "play_on"},
)


def test_a_known_fact_needs_no_question() -> None:
    """With the actions entered the ruling is certain."""
    judgement = judge(WINDOW, slip("not_shuffled"), facts=replace(T6, actions=1))
    (ruling,) = judgement.rulings
    assert (ruling.rule, ruling.verdict, ruling.provisional, ruling.t) == ("H-1", "misdeal", False, 1000)
    assert (ruling.rulebook, ruling.decider, ruling.bets, ruling.button) == (
        "house",
        "dealer",
        "returned",
        "unchanged",
    )
    assert judgement.questions == ()


def test_an_unknown_fact_is_asked_and_the_likeliest_ruling_stands_meanwhile() -> None:
    """The smallest number of actions is the default; an answer settles it either way."""
    judgement = judge(WINDOW, slip("not_shuffled"))
    assert judgement.questions == (Asked("i1", "actions", (0, 1, 2, 3), 0),)
    assert short(judgement.rulings) == [("i1", "H-1", "misdeal")]
    assert judgement.rulings[0].provisional
    for answer, rule in ((0, "H-1"), (1, "H-1"), (2, "H-2"), (3, "H-2"), (17, "H-2")):
        settled = judge(WINDOW, slip("not_shuffled"), answers={("i1", "actions"): answer})
        assert (settled.rulings[0].rule, settled.rulings[0].provisional, settled.questions) == (
            rule,
            False,
            (),
        )


def test_what_is_entered_outweighs_an_answer_and_a_senseless_answer_is_none() -> None:
    """A fact the table knows is not taken from an answer; an answer of the wrong type is asked again."""
    assert judge(
        WINDOW, slip("not_shuffled"), facts=replace(T6, actions=0), answers={("i1", "actions"): 3}
    ).rulings[0].verdict == "misdeal"  # fmt: skip
    for senseless in (True, -1, "two", None, 1.5):
        assert judge(WINDOW, slip("not_shuffled"), answers={("i1", "actions"): senseless}).questions


def test_an_answer_belongs_to_its_irregularity() -> None:
    """What was answered about one slip does not settle a later one: more may have happened since."""
    judgement = judge(WINDOW, slip("not_shuffled", "i2"), answers={("i1", "actions"): 3})
    assert [asked.irregularity for asked in judgement.questions] == ["i2"]


def test_before_the_deal_is_complete_nobody_can_have_acted() -> None:
    """Betting begins after the initial deal, so nothing is asked about it before."""
    judgement = judge(WINDOW, slip("not_shuffled"), facts=replace(T6, deal_done=False))
    assert (judgement.rulings[0].verdict, judgement.questions) == ("misdeal", ())


def test_no_question_where_every_answer_gives_the_same_ruling() -> None:
    """A known fact that decides alone, and two rules with the same effect, leave nothing to ask."""
    same = book(
        {"kinds": ["joker"], "when": "actions < 2", "verdict": "play_on"},
        {"kinds": ["joker"], "when": "actions >= 2", "verdict": "play_on"},
    )
    judgement = judge(same, slip("joker"))
    assert (short(judgement.rulings), judgement.questions) == ([("i1", "H-1", "play_on")], ())
    assert not judgement.rulings[0].provisional
    decided = book({"kinds": ["joker"], "when": "actions < 2 or k == 3", "verdict": "misdeal"})
    assert judge(decided, slip("joker", k=3)).questions == ()


def test_only_worlds_that_can_be_are_looked_at() -> None:
    """More chips than actions, more players than actions, an actor without an action: nothing to ask."""
    for impossible in (
        "chips_in >= 1 and actions == 0",
        "players_acted >= 2 and actions == 1",
        "acted(seat) and players_acted == 0",
        "acted(1) and acted(2) and actions == 1",
        "actions_on('flop') >= 1 and actions == 0",
        "players_on('flop') >= 2 and actions_on('flop') == 1",
        "actions >= 1 and players_acted == 0",
        "acted(1) and acted(2) and players_acted < 2",
    ):
        judgement = judge(
            book({"kinds": ["joker"], "when": impossible, "verdict": "misdeal"}), slip("joker", seat=3)
        )
        assert (judgement.rulings[0].verdict, judgement.questions) == ("floor", ()), impossible


def test_known_facts_narrow_the_choices() -> None:
    """One seat is known to have acted: zero actions are not offered, one is the default."""
    (asked,) = judge(WINDOW, slip("not_shuffled"), facts=replace(T6, seat_acted={3: True})).questions
    assert (asked.choices, asked.default) == ((1, 2, 3), 1)


def test_with_a_board_dealt_the_seats_are_taken_to_have_acted() -> None:
    """A flop on the table and no betting entered: the likeliest is that the misdeal window is closed."""
    dealt = replace(T6, board={"flop": 3, "turn": 0, "river": 0}, street="flop")
    judgement = judge(WINDOW, slip("not_shuffled"), facts=dealt)
    assert (judgement.rulings[0].verdict, judgement.questions[0].default) == ("play_on", 3)
    early = judge(WINDOW, slip("not_shuffled"), slip("premature_card", "i2", street="flop"), facts=dealt)
    assert early.questions[0].default == 0


def test_one_question_at_a_time_and_the_best_one_first() -> None:
    """Of two unknown facts the one that settles more is asked; the other only if it still matters."""
    rules = book(
        {"kinds": ["too_many_cards"], "about": ["seat"], "when": "acted(x)", "verdict": "dead"},
        {"kinds": ["too_many_cards"], "when": "not acted(seat) and looked_at", "verdict": "misdeal"},
        {"kinds": ["too_many_cards"], "when": "not acted(seat) and not looked_at", "verdict": "correct"},
    )
    first = judge(rules, slip("too_many_cards", seat=4))
    assert first.questions == (Asked("i1", "seat_acted", (True, False), default=False, seat=4),)
    assert first.rulings[0].verdict == "correct"
    acted = judge(rules, slip("too_many_cards", seat=4), answers={("i1", "seat_acted"): True})
    assert (short(acted.rulings), acted.rulings[0].seats, acted.questions) == (
        [("i1", "H-1", "dead")],
        (4,),
        (),
    )
    not_acted = judge(rules, slip("too_many_cards", seat=4), answers={("i1", "seat_acted"): False})
    assert not_acted.questions == (Asked("i1", "looked_at", (True, False), default=False),)


def test_a_second_seat_and_a_streets_own_round_are_asked_by_their_names() -> None:
    """The plain fact is the irregularity's own seat or street; any other has its number or name added."""
    seats = book({"kinds": ["wrong_seat"], "when": "acted(seat) and acted(expected)", "verdict": "misdeal"})
    wrong = slip("wrong_seat", seat=3, expected=4)
    assert judge(seats, wrong).questions[0].fact == "seat_acted"
    (asked,) = judge(seats, wrong, answers={("i1", "seat_acted"): True}).questions
    assert (asked.fact, asked.seat) == ("seat_acted:4", 4)
    done = judge(seats, wrong, answers={("i1", "seat_acted"): True, ("i1", "seat_acted:4"): True})
    assert (done.rulings[0].verdict, done.questions) == ("misdeal", ())
    street = book({"kinds": ["burn_missing"], "when": "players_on(street) < 2", "verdict": "correct"})
    (asked,) = judge(street, slip("burn_missing", street="flop")).questions
    assert (asked.fact, asked.street, asked.choices) == ("players_acted", "flop", (0, 1, 2))
    both = book(
        {"kinds": ["burn_missing"], "when": "actions_on(street) < 1 and actions < 9", "verdict": "correct"}
    )
    facts = {each.fact for each in judge(both, slip("burn_missing", street="flop")).questions}
    assert facts == {"actions:flop"}


def test_the_other_defaults_are_the_contracts() -> None:
    """A flop of three was seen, cards were not looked at, a card let fall was the dealer's, a round is
    open.
    """
    flop = replace(T6, board={"flop": 3, "turn": 0, "river": 0}, street="flop")
    for when, default in (
        ("flop_exposed", True),
        ("looked_at", False),
        ("by == 'dealer'", "dealer"),
        ("retrievable", True),
        ("round_open('flop')", True),
        ("round_open('preflop')", False),
    ):
        rules = book({"kinds": ["burn_missing"], "when": when, "verdict": "correct"})
        (asked,) = judge(rules, slip("burn_missing", street="flop"), facts=flop).questions
        assert asked.default == default, when
    unseen = book({"kinds": ["burn_missing"], "when": "flop_exposed", "verdict": "correct"})
    assert judge(unseen, slip("burn_missing", street="flop")).questions[0].default is False


def test_what_can_be_neither_known_nor_asked_accuses_nobody() -> None:
    """A rule that rests on an unknown count does not apply, and nothing is asked."""
    rules = book({"kinds": ["too_few_cards"], "when": "held(seat) < 2", "verdict": "misdeal"})
    judgement = judge(rules, slip("too_few_cards", seat=9), facts=T6)
    assert (judgement.rulings[0].verdict, judgement.rulings[0].rule, judgement.questions) == (
        "floor",
        None,
        (),
    )


def test_a_silent_book_calls_its_authority() -> None:
    """No rule: floor, rule null, whom to call, and in the hint only what this book is silent about."""
    (ruling,) = judge(WINDOW, slip("hand_mucked", seat=2)).rulings
    assert (ruling.verdict, ruling.rule, ruling.decider, ruling.provisional) == (
        "floor",
        None,
        "supervisor",
        False,
    )
    assert ruling.steps == ({"do": "call", "who": "supervisor"},)
    assert ruling.hint == "this rulebook has no rule for hand mucked"
    assert ruling.as_json()["rule"] is None


def test_known_silence_adds_what_comes_nearest() -> None:
    """A `silent` entry gives the hint and never a verdict; its condition can be unknown like any other."""
    rules = book(
        {"kinds": ["joker"], "when": "actions == 0", "verdict": "misdeal"},
        silent=[{"kinds": ["joker"], "when": "actions > 0", "hint": "elsewhere it is removed"}],
    )
    (late,) = judge(rules, slip("joker"), facts=replace(T6, actions=2)).rulings
    assert late.hint == "this rulebook has no rule for joker: elsewhere it is removed"
    assert (late.verdict, late.rule) == ("floor", None)


def test_a_game_the_book_does_not_cover_is_silence() -> None:
    """Rules have games; a book asked about another game says so, and never rules."""
    (ruling,) = judge(WINDOW, slip("not_shuffled"), facts=replace(T6, game="stud7", actions=0)).rulings
    assert (ruling.verdict, ruling.rule, ruling.hint) == (
        "floor",
        None,
        "this rulebook has no rule for stud7",
    )
    omaha = book({"kinds": ["joker"], "games": ["omaha"], "verdict": "misdeal"})
    assert judge(omaha, slip("joker")).rulings[0].verdict == "floor"


MANY = book(
    {"kinds": ["foreign_card"], "verdict": "void"},
    {"kinds": ["wrong_first_seat"], "verdict": "misdeal"},
    {"kinds": ["not_shuffled"], "when": "actions < 2", "verdict": "misdeal"},
    {"kinds": ["too_many_cards"], "about": ["seat"], "when": "held(x) > 2", "verdict": "dead"},
    {"kinds": ["boxed_card"], "verdict": "correct"},
)


def test_a_misdeal_governs_the_hand_and_a_void_governs_a_misdeal() -> None:
    """The governing ruling is the only one, whichever slip came first; otherwise each has its own."""
    extra, boxed = slip("too_many_cards", "i1", seat=3), slip("boxed_card", "i2")
    first, foreign = slip("wrong_first_seat", "i3"), slip("foreign_card", "i4")
    facts = replace(T6, held={**T6.held, 3: 3})
    assert short(judge(MANY, extra, boxed, facts=facts).rulings) == [
        ("i1", "H-4", "dead"),
        ("i2", "H-5", "correct"),
    ]
    assert short(judge(MANY, extra, boxed, first, facts=facts).rulings) == [("i3", "H-2", "misdeal")]
    assert short(judge(MANY, extra, boxed, first, foreign, facts=facts).rulings) == [("i4", "H-1", "void")]


def test_of_two_misdeals_the_certain_one_then_the_books_order_governs() -> None:
    """A misdeal that hangs on a question gives way to one that does not; then the earlier rule gives the
    id.
    """
    unsure, sure = slip("not_shuffled", "i1"), slip("wrong_first_seat", "i2")
    judgement = judge(MANY, unsure, sure)
    assert (short(judgement.rulings), judgement.questions) == ([("i2", "H-2", "misdeal")], ())
    both_sure = judge(MANY, unsure, sure, facts=replace(T6, actions=0))
    assert short(both_sure.rulings) == [("i2", "H-2", "misdeal")]


def test_hands_dead_under_different_rules_join_one_ruling() -> None:
    """One seat acted, the other did not (as in RU-6a and 6b): both die, each with the steps of its own
    rule.
    """
    wrong = "x in order and held(x) != hole_cards"
    rules = book(
        {
            "kinds": ["wrong_seat"],
            "about": ["seat", "expected"],
            "when": "wrong and acted(x)",
            "verdict": "dead",
            "bets": "pot",
            "steps": [{"do": "kill", "seat": "$x"}],
        },
        {
            "kinds": ["wrong_seat"],
            "about": ["seat", "expected"],
            "when": "wrong and not acted(x) and actions >= 2",
            "verdict": "dead",
            "bets": "returned_seat",
            "steps": [{"do": "kill", "seat": "$x"}, {"do": "return_bets", "to": "$x"}],
        },
        predicates={"wrong": wrong},
    )
    facts = replace(
        T6, held={**T6.held, 3: 3, 4: 1}, actions=2, players_acted=2, seat_acted={3: True, 4: False}
    )
    (ruling,) = judge(rules, slip("wrong_seat", seat=3, expected=4), facts=facts).rulings
    assert (ruling.rule, ruling.seats, ruling.bets) == ("H-1", (3, 4), "pot")
    assert ruling.steps == (
        {"do": "kill", "seat": 3},
        {"do": "kill", "seat": 4},
        {"do": "return_bets", "to": 4},
    )


def test_a_joined_irregularity_has_no_ruling_of_its_own() -> None:
    """As in NL: a premature turn without a burn is one matter, and its ruling covers both slips."""
    rules = book(
        {
            "kinds": ["premature_card"],
            "when": "others_on('burn_missing', street) > 0",
            "joins": "burn_missing",
        },
        {"kinds": ["premature_card"], "verdict": "correct", "steps": [{"do": "burn"}]},
        {"kinds": ["burn_missing"], "verdict": "correct", "steps": [{"do": "to_burn", "card": "$k"}]},
    )
    early, unburned = (
        slip("premature_card", "i1", street="turn"),
        slip("burn_missing", "i2", street="turn", k=17),
    )
    assert short(judge(rules, early, unburned).rulings) == [("i2", "H-3", "correct")]
    assert judge(rules, early, unburned).rulings[0].steps == ({"do": "to_burn", "card": 17},)
    assert short(judge(rules, early).rulings) == [("i1", "H-2", "correct")]
    assert short(judge(rules, early, slip("burn_missing", "i2", street="river")).rulings)[0] == (
        "i1",
        "H-2",
        "correct",
    )


def test_step_templates_become_steps() -> None:
    """Expressions, parameters, conditions, lists of seats; an unknown argument is left out."""
    rules = book(
        {
            "kinds": ["wrong_seat"],
            "verdict": "correct",
            "steps": [
                {"do": "swap", "seats": ["$seat", "$expected"]},
                {"do": "remove", "card": "$k"},
                {"do": "aside", "zone": "$board_zone"},
                {"do": "shuffle", "what": "$reshuffle"},
                {"do": "cut", "if": "cut_again"},
                {"do": "no_burn", "if": "not cut_again"},
                {"do": "deal", "street": "$street", "count": "$need - count"},
                {"do": "redeal", "first": "$first"},
                {"do": "return_bets", "to": "$seat"},
            ],
        },
        parameters={"reshuffle": "stub+flop", "cut_again": False},
    )
    irregularity = slip("wrong_seat", seat=3, expected=4, street="flop", count=1, need=3, zone="seat:3")
    assert judge(rules, irregularity).rulings[0].steps == (
        {"do": "swap", "seats": [3, 4]},
        {"do": "remove"},
        {"do": "aside", "zone": "board"},
        {"do": "shuffle", "what": "stub+flop"},
        {"do": "no_burn"},
        {"do": "deal", "street": "flop", "count": 2},
        {"do": "redeal", "first": 1},
        {"do": "return_bets", "to": 3},
    )


def test_a_step_that_hangs_on_an_unknown_fact_is_worth_a_question() -> None:
    """The verdict is the same either way, what the dealer must do is not."""
    rules = book(
        {
            "kinds": ["burn_missing"],
            "verdict": "correct",
            "steps": [{"do": "finish_round", "street": "preflop", "if": "round_open('preflop')"}],
        }
    )
    (asked,) = judge(rules, slip("burn_missing", street="flop")).questions
    assert (asked.fact, asked.street) == ("round_open", "preflop")


def test_a_rule_for_the_whole_table_is_tried_for_every_eligible_seat() -> None:
    """`about = ["order"]`: all seats with a wrong count, and the counts that are right, are words of the
    language.
    """
    rules = book(
        {"kinds": ["wrong_seat"], "about": ["order"], "when": "held(x) != hole_cards", "verdict": "dead"},
        {"kinds": ["wrong_seat"], "when": "counts_right", "verdict": "play_on"},
    )
    facts = replace(T6, held={**T6.held, 2: 3, 5: 1})
    assert judge(rules, slip("wrong_seat", seat=2), facts=facts).rulings[0].seats == (2, 5)
    assert judge(rules, slip("wrong_seat", seat=2)).rulings[0].verdict == "play_on"


def test_facts_that_contradict_each_other_still_get_a_ruling() -> None:
    """Bad entries must not leave the dealer without an answer."""
    facts = replace(
        T6, players_acted=5, chips_in=4, street_actions={"flop": 3}, actions=None, seat_acted={1: False}
    )
    contradiction = replace(facts, players_acted=0)
    assert judge(WINDOW, slip("not_shuffled"), facts=contradiction).rulings


def test_no_irregularity_no_ruling() -> None:
    """Nothing open, nothing to say."""
    assert judge(WINDOW) == Judgement((), ())
