"""The conflict table of rules.md §6, every row through all four books, each from the recording of a hand.

A line is a hand (see `hands`) and what the Dutch, Italian, Russian and Polish book make of it; `–` is silence, which
is the floor's. Expected values are those of the table and of the readings it names.
"""

from __future__ import annotations

import re

import pytest
from hands import HANDS, rulings

BOOKS = ("nl", "it", "ru", "pl")
SILENT = "this rulebook has no rule for"

TABLE = """
C1  card 2 exposed                          | NL-H1 correct | IT-1a misdeal | RU-10 misdeal | PL-07.1.f misdeal
C1  card 2 exposed, raise and call          | NL-H1 correct | IT-1a misdeal | RU-10 misdeal | PL-07.3.d play_on
C2  card 5 exposed                          | NL-H1 correct | IT-1e correct | – | –
C3  cards 5 and 7 exposed                   | NL-M5 misdeal | IT-1f misdeal | RU-12 misdeal | –
C3  cards 5 and 1 exposed                   | NL-M5 misdeal | IT-1a misdeal | RU-10 misdeal | PL-07.1.f misdeal
C3  cards 5 and 7 exposed, two calls        | NL-XA play_on | IT-1f misdeal | RU-12 misdeal | –
C4  extra card at seat 5, two folds         | NL-N4 dead | – | RU-6b dead | PL-07.1.d misdeal
C4  extra card at seat 5, two checks        | NL-N4 dead | – | RU-6b dead | PL-07.1.d misdeal
C4  extra card at seat 5, raise and call    | NL-N4 dead | – | RU-6b dead | PL-07.5.b dead
C5  extra card at seat 1                    | NL-M4 misdeal | IT-2a correct | RU-5 correct | PL-07.1.d misdeal
C5  two extra cards at seat 1               | NL-M4 misdeal | IT-2b misdeal | RU-5 correct | PL-07.1.d misdeal
C5  extra card at seat 3                    | NL-M4 misdeal | – | RU-5 correct | PL-07.1.d misdeal
C5  seat 6 a card short, a call             | NL-M4 misdeal | – | RU-6 misdeal | PL-07.1.d misdeal
C6  extra card at seat 3, who calls         | NL-M4 misdeal | – | RU-6a dead | PL-07.4.e dead
C7  extra card at seat 5, raise and call    | NL-N4 dead | – | RU-6b dead | PL-07.5.b dead
C8  missing card                            | NL-N2 play_on | – | – | PL-07.2.b void
C9  joker                                   | NL-M7j correct | – | – | PL-07.1.e misdeal
C9  joker at seat 4, two calls              | NL-N4 dead | – | – | –
C9  joker at seat 4, raise and call         | NL-N4 dead | – | – | –
C10 duplicate                               | NL-M7 misdeal | – | – | PL-07.2.a void
C10 duplicate, two calls                    | NL-M7 misdeal | – | – | PL-07.2.a void
C10 foreign card                            | NL-M7 misdeal | – | – | PL-07.2.d void
C10 foreign card, two calls                 | NL-M7 misdeal | – | – | PL-07.2.d void
C11 flop of four                            | NL-H2b correct | IT-3a correct | – | PL-07.6.1.a correct
C12 flop of five                            | NL-H2b correct | IT-3a correct | – | –
C13 premature flop                          | NL-H2a correct | IT-4a correct | – | PL-07.7.b floor
C14 no burn, flop seen                      | NL-H3a correct | IT-5c correct | – | PL-07.6.2.a correct
C15 no burn, flop, a check                  | NL-H3a floor | IT-5c correct | – | PL-07.6.2.b play_on
C16 no burn, flop, two checks               | NL-H3a floor | IT-5d play_on | – | PL-07.6.2.b play_on
C17 no burn, flop not seen                  | NL-H3a correct | IT-5b correct | – | PL-07.6.2.a correct
C18 two burns, no flop yet                  | NL-H3b correct | IT-5b correct | – | –
C18 two burns, flop seen                    | NL-H3b correct | IT-5c correct | – | –
C18 two burns, flop, two checks             | NL-H3b floor | IT-5d play_on | – | –
C19 no burn before the turn                 | NL-H3a correct | IT-6a correct | – | –
C19 two burns before the turn               | NL-H3b correct | IT-6a correct | – | –
C19 no burn before the river                | NL-H3a correct | – | – | –
C19 two burns before the river              | NL-H3b correct | – | – | –
C20 premature turn                          | NL-H4 correct | IT-6b correct | – | PL-07.H correct
C21 premature river                         | NL-H5 correct | IT-6e correct | – | PL-07.7.b floor
C22 card 5 boxed                            | NL-H6a correct | – | – | –
C22 card 1 boxed                            | NL-M8 misdeal | – | – | –
C23 not shuffled                            | NL-M1 misdeal | – | RU-2a misdeal | –
C23 not shuffled, one call                  | NL-M1 misdeal | – | RU-2a misdeal | –
C23 not shuffled, two calls                 | NL-XA play_on | – | RU-2b play_on | –
C24a first card to seat 2                   | NL-M2 misdeal | – | RU-3 correct | PL-07.1.a misdeal
C24a first card to seat 2, looked at        | NL-M2 misdeal | – | RU-3 misdeal | PL-07.1.a misdeal
C24b cards of seats 3 and 4 swapped         | – | – | RU-3 correct | –
C24b cards of seats 3 and 4 swapped, looked at | – | – | RU-3 misdeal | –
C25 seat 3 skipped                          | NL-M4 misdeal | – | RU-4 correct | PL-07.1.c misdeal
C25 seat 3 skipped, looked at               | NL-M4 misdeal | – | RU-4 misdeal | PL-07.1.c misdeal
C25 card to an empty seat                   | – | – | RU-4 correct | PL-07.1.b misdeal
C26 button elsewhere                        | NL-M3 misdeal | – | – | –
C27 exposed in the cut                      | – | – | RU-1 misdeal | –
C28 extra card at seat 3, alone at showdown | NL-N4 dead | – | RU-7 misdeal | PL-07.5.b dead
C29 mucked by the dealer                    | NL-N3 floor | – | – | –
C29 mucked by the dealer, not to be told    | NL-N3 dead | – | – | –
C30 cards 5 and 7 exposed                   | NL-M5 misdeal | IT-1f misdeal | RU-12 misdeal | –
C30 no burn, flop seen                      | NL-H3a correct | IT-5c correct | – | PL-07.6.2.a correct
"""

DECIDES = {
    "nl": {"NL": "dealer", "": "floor"},
    "it": {"IT-5b": "director", "IT-5c": "director", "IT": "dealer", "": "director"},
    "ru": {"RU": "supervisor", "": "supervisor"},
    "pl": {"PL": "director", "": "director"},
}
"""C30: who declares, by book and beginning of the rule; nothing is silence. A floor ruling is the authority's."""


def _lines() -> list[tuple[str, str, tuple[str, ...]]]:
    found = []
    for line in TABLE.strip().splitlines():
        first, *cells = (each.strip() for each in line.split("|"))
        row, hand = first.split(maxsplit=1)
        found.append((row, hand, tuple(cells)))
    return found


LINES = _lines()


@pytest.mark.parametrize(("row", "hand", "cells"), LINES, ids=[f"{row} {hand}" for row, hand, _ in LINES])
def test_the_row_through_all_four_books(row: str, hand: str, cells: tuple[str, ...]) -> None:
    """The ruling that stands at the end, certain, and who decides."""
    for book, expected in zip(BOOKS, cells, strict=True):
        last = rulings(hand, book)[-1]
        told = "–" if last.rule is None else f"{last.rule} {last.verdict}"
        assert (book, told) == (book, expected), row
        assert (last.rulebook, last.provisional) == (book, False)
        if last.rule is None:
            assert (last.verdict, SILENT in (last.hint or "")) == ("floor", True)
        known = {name: who for name, who in DECIDES[book].items() if (last.rule or "").startswith(name)}
        who = known[max(known, key=len)] if last.verdict != "floor" else DECIDES[book][""]
        assert last.decider == who


def test_every_row_is_there() -> None:
    """C1 to C30, with C24 in two parts; every hand is one that is played."""
    rows = [f"C{n}" for n in range(1, 24)] + ["C24a", "C24b"] + [f"C{n}" for n in range(25, 31)]
    assert list(dict.fromkeys(row for row, _, _ in LINES)) == rows
    assert {hand for _, hand, _ in LINES} <= set(HANDS)


def test_no_book_answers_with_the_rule_of_another() -> None:
    """Whatever the hand, a book's rulings carry its own ids or none."""
    for hand in HANDS:
        for book in BOOKS:
            for ruling in rulings(hand, book):
                assert ruling.rule is None or re.match(rf"{book.upper()}-", ruling.rule)
