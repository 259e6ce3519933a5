"""Betting that nobody enters: what a rule asks of it is unknown until the dealer is asked, and true answers settle it.

Under every book, with `betting = "rounds"` and `"none"`, the ruling is in the end that of a table where every action
was entered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from felt import Felt

from tablectl import rulebooks

BETTING = frozenset({"actions", "players_acted", "chips_in", "alike", "seat_acted"})
"""Facts that are counted where every action is entered; the facts of one street and of one seat carry its name."""

STORIES: Mapping[str, Sequence[tuple[int, str]]] = {
    "nobody acted": (),
    "the seat itself called": ((3, "call"),),
    "two others folded": ((4, "fold"), (5, "fold")),
    "two others put chips in": ((4, "raise"), (5, "call")),
}


def told(acts: Sequence[tuple[int, str]], fact: str) -> Any:
    """The true answer to a question."""
    if fact.startswith("seat_acted"):
        return int(fact.partition(":")[2] or 3) in {seat for seat, _ in acts}
    return {
        "actions": len(acts),
        "players_acted": len({seat for seat, _ in acts}),
        "chips_in": sum(action in ("call", "bet", "raise") for _, action in acts),
        "alike": {action for _, action in acts} in ({"fold"}, {"check"}, set()),
        "looked_at": False,
    }[fact]


def settled(felt: Felt, acts: Sequence[tuple[int, str]]) -> Felt:
    """Every question that is open is answered truly."""
    while asked := [each["question"] for each in felt.table.view()["irregularities"] if each["question"]]:
        first = asked[0]
        truth = told(acts, first["fact"])
        largest = [each for each in first["choices"] if isinstance(each, int)][-1]
        value = min(truth, largest) if type(truth) is int else truth
        felt.enter("answer", question=first["id"], value=value)
    return felt


def extra_card(book: str, betting: str, acts: Sequence[tuple[int, str]]) -> Felt:
    """Seat 3 has three cards; what was done is entered only where the table asks for every action."""
    felt = Felt(book=book, betting=betting).deal_all()
    felt.deal(3)
    felt.wait(1500)
    if betting == "actions":
        return felt.acts(*acts)
    for seat, action in acts:
        if action == "fold":
            felt.move(seat, "muck").wait(1000)
    return felt


def facts_asked(felt: Felt) -> set[str]:
    """What the dealer was asked, without the seat."""
    return {d["fact"].partition(":")[0] for d in felt.of("question")}


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("betting", ["rounds", "none"])
@pytest.mark.parametrize("book", rulebooks.known())
def test_true_answers_make_the_ruling_of_a_table_where_all_is_entered(
    book: str, betting: str, story: str
) -> None:
    """A card too many: the same rule, verdict, steps and bets; never certain before what matters was answered."""
    acts = STORIES[story]
    entered, asked = settled(extra_card(book, "actions", acts), acts), extra_card(book, betting, acts)
    first = asked.of("ruling")[-1]
    assert first["provisional"] is bool(asked.of("question"))
    settled(asked, acts)
    one, other = entered.of("ruling")[-1], asked.of("ruling")[-1]
    for key in ("rule", "verdict", "seats", "steps", "bets", "button", "provisional"):
        assert (key, one.get(key)) == (key, other.get(key))
    assert not one["provisional"]
    assert not facts_asked(entered) & BETTING


@pytest.mark.parametrize("betting", ["rounds", "none"])
def test_only_a_book_that_counts_actions_asks_for_them(betting: str) -> None:
    """For the card too many all but the Italian book ask (IT-2 has no bound), and each for its own measure first."""
    first = {
        book: [d["fact"] for d in extra_card(book, betting, ()).of("question")][:1]
        for book in rulebooks.known()
    }
    assert first == {
        "nl": ["players_acted"], "it": [], "ru": ["seat_acted"], "pl": ["seat_acted"], "tda2024": ["actions"],
        "wsop2026": ["actions"], "rrop": ["players_acted"],
    }  # fmt: skip


def test_the_actions_on_the_flop_are_asked_for_too() -> None:
    """PL-07.6.2: no burn before the flop, with rounds entered. No action: scrambled; one check: the flop stands."""
    for answer, expected in ((0, ("PL-07.6.2.a", "correct")), (1, ("PL-07.6.2.b", "play_on"))):
        felt = Felt(book="pl", betting="rounds").deal_all().enter("round_closed").flop(burn=False).wait(1500)
        [question] = felt.of("question")
        felt.enter("answer", question=question["id"], value=answer)
        last = felt.of("ruling")[-1]
        assert ((last["rule"], last["verdict"]), last["provisional"]) == (expected, False)
