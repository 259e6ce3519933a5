"""Every rule of every book, each verdict it can give, from the recording of a hand to the decision.

A line is a rule's id, the verdict that rules.md §2 to §8 gives it there, and the hand (see `hands`). What a rule asks
for in detail, its near misses and its steps are for the tests of each book.
"""

from __future__ import annotations

import pytest
from hands import HANDS, decided, rulings

from tablectl import rulebooks
from tablectl.core.decisions import Irregularity

RULES = """
NL-M7       misdeal  duplicate
NL-M8       misdeal  card 1 boxed
NL-M6       misdeal  cards 5 and 7 boxed
NL-M1       misdeal  not shuffled
NL-M3       misdeal  button elsewhere
NL-M2       misdeal  first card to seat 2
NL-M4       misdeal  extra card at seat 1
NL-M5       misdeal  cards 5 and 7 exposed
NL-N4       dead     extra card at seat 5, two folds
NL-N3       dead     mucked by the dealer, not to be told
NL-N3       floor    mucked by the dealer
NL-M7j      correct  joker
NL-H6a      correct  card 5 boxed
NL-H6c      correct  card 5 boxed, later one of the flop
NL-H1       correct  card 2 exposed
NL-N1       floor    stud7, a down card exposed
NL-H2a      correct  premature flop
NL-H2b      correct  flop of four
NL-H3a      correct  no burn, flop seen
NL-H3a      floor    no burn, flop, a check
NL-H3b      correct  two burns, no flop yet
NL-H3b      floor    two burns, flop, two checks
NL-H4       correct  premature turn
NL-H5       correct  premature river
NL-N2       play_on  missing card
NL-N5       play_on  shown by a player
NL-XA       play_on  not shuffled, two calls
IT-1a       misdeal  card 2 exposed
IT-1f       misdeal  cards 5 and 7 exposed
IT-2b       misdeal  two extra cards at seat 1
IT-1e       correct  card 5 exposed
IT-1e       floor    card 5 exposed, and an extra card at seat 1
IT-2a       correct  extra card at seat 1
IT-2a       floor    card 5 exposed, and an extra card at seat 1
IT-4a       correct  premature flop
IT-3a       correct  flop of four
IT-5b       correct  no burn, flop not seen
IT-5c       correct  no burn, flop seen
IT-6a       correct  no burn before the turn
IT-6b       correct  premature turn
IT-6e       correct  premature river
IT-5d       play_on  no burn, flop, two checks
RU-7        misdeal  extra card at seat 3, alone at showdown
RU-1        misdeal  exposed in the cut
RU-2a       misdeal  not shuffled
RU-10       misdeal  card 2 exposed
RU-12       misdeal  cards 5 and 7 exposed
RU-11       misdeal  stud7, three cards up
RU-9        correct  stud7, a down card up before the third
RU-9        misdeal  stud7, two cards up
RU-8        misdeal  stud5, two players with two up cards
RU-3        correct  first card to seat 2
RU-3        misdeal  first card to seat 2, looked at
RU-3        play_on  first card to seat 2, raise and call
RU-4        correct  seat 3 skipped
RU-4        misdeal  seat 3 skipped, looked at
RU-4        play_on  card to an empty seat, raise and call
RU-5        correct  extra card at seat 1
RU-5        misdeal  extra card at seat 3, looked at
RU-6        misdeal  seat 6 a card short, a call
RU-6a       dead     extra card at seat 3, who calls
RU-6b       dead     extra card at seat 5, two folds
RU-2b       play_on  not shuffled, two calls
PL-07.2.a   void     duplicate
PL-07.2.b   void     missing card
PL-07.2.c   void     damaged card
PL-07.2.d   void     foreign card
PL-07.1.a   misdeal  first card to seat 2
PL-07.1.b   misdeal  card to an empty seat
PL-07.1.c   misdeal  seat 3 skipped
PL-07.1.d   misdeal  extra card at seat 1
PL-07.1.e   misdeal  joker
PL-07.1.f   misdeal  card 2 exposed
PL-07.4.e   dead     extra card at seat 3, who calls
PL-07.5.b   dead     extra card at seat 5, raise and call
PL-07.H     correct  premature turn
PL-07.7.b   floor    premature flop
PL-07.6.1.a correct  flop of four
PL-07.6.2.a correct  no burn, flop seen
PL-07.8.a   correct  stub disordered
PL-07.6.2.b play_on  no burn, flop, a check
PL-07.3.d   play_on  card 2 exposed, raise and call
TDA-35-E    void     duplicate
TDA-35-A1   misdeal  cards 5 and 7 boxed
TDA-35-A2   misdeal  first card to seat 2
TDA-35-A3   misdeal  card to an empty seat
TDA-35-A4   misdeal  seat 3 skipped
TDA-35-A5   misdeal  extra card at seat 1
TDA-35-A6   misdeal  joker
TDA-35-A7   misdeal  card 2 exposed
TDA-37      correct  seat 6 a card short, a call
TDA-37      dead     seat 6 a card short, who calls
TDA-38      dead     extra card at seat 5, raise and call
TDA-65      correct  mucked by the dealer
TDA-65      dead     mucked by the dealer, not to be told
TDA-34-A    correct  button elsewhere
TDA-34-A    play_on  button elsewhere, raise and call
TDA-35-D    correct  joker at seat 4, two calls
TDA-35-D    play_on  card 2 exposed, raise and call
TDA-39-A    correct  flop of four
TDA-39-B    correct  no burn, flop seen
TDA-39-B    play_on  no burn, flop, a check
TDA-RP-5A   correct  premature flop
TDA-RP-5B   correct  premature turn
TDA-RP-5C   correct  premature river
TDA-RP-5D   correct  stud7, premature card
TDA-RP-4    correct  stub disordered
TDA-RP-10A  correct  stud7, a down card exposed
TDA-RP-10B  correct  stud7, the last card exposed
TDA-RP-10H  floor    stud7, stub short
TDA-28      floor    dealt after the end
TDA-68      play_on  shown by a player
WSOP-116    void     duplicate
WSOP-115    play_on  foreign card in the stub
WSOP-115    void     foreign card
WSOP-108    correct  seat 6 a card short, a call
WSOP-108    misdeal  button elsewhere
WSOP-218    correct  stud7, a down card exposed
WSOP-218    misdeal  stud7, three cards up
WSOP-235    dead     stud7, eight cards at showdown
WSOP-110    dead     extra card at seat 5, raise and call
WSOP-122    correct  extra card at seat 1
WSOP-119    correct  joker
WSOP-123    floor    card 5 exposed
WSOP-124    floor    card lost
WSOP-112    floor    card in another hand
WSOP-114    correct  mucked by the dealer
WSOP-111    floor    mucked by the dealer, not to be told
WSOP-81     floor    dealt after the end
WSOP-167    correct  flop of four
WSOP-168    correct  no burn, flop seen
WSOP-169    correct  no burn before the turn
WSOP-169    play_on  no burn before the turn, a check
WSOP-230    floor    stud7, no burn
WSOP-171    correct  premature flop
WSOP-231    correct  stud7, premature card
WSOP-233    floor    stud7, the last card exposed
WSOP-216    floor    stub short
WSOP-232    floor    stud7, stub short
WSOP-109    play_on  card 2 exposed, raise and call
WSOP-113    play_on  button elsewhere, raise and call
WSOP-121    play_on  missing card
WSOP-148    play_on  shown by a player
RROP-I3a    void     foreign card
RROP-I4     void     duplicate
RROP-M2a    misdeal  card 2 exposed
RROP-M2b    misdeal  cards 5 and 7 exposed
RROP-S1     misdeal  stud7, a down card exposed
RROP-M2c    misdeal  cards 5 and 7 boxed
RROP-M2d    misdeal  two extra cards at seat 1
RROP-M2g    misdeal  button elsewhere
RROP-M2h    misdeal  first card to seat 2
RROP-M2i    misdeal  card to an empty seat
RROP-M2j    misdeal  seat 3 skipped
RROP-M2f    misdeal  seat 4 a card short
RROP-M2e    correct  seat 6 a card short, a call
RROP-M2e    misdeal  extra card at seat 3
RROP-M1b    dead     extra card at seat 5, two folds
RROP-I8b    dead     joker at seat 4, two calls
RROP-I7a    correct  card 5 boxed
RROP-I8a    correct  joker
RROP-H1b    correct  card 5 exposed
RROP-H2     correct  extra card at seat 1
RROP-H4     correct  premature flop
RROP-H3     correct  flop of four
RROP-H5a    correct  no burn, flop not seen
RROP-H5b    correct  no burn, flop seen
RROP-H6a    correct  no burn before the turn
RROP-H8a    correct  premature turn
RROP-H8b    correct  premature river
RROP-I2     floor    mucked by the dealer
RROP-H6b    play_on  no burn, flop, a check
RROP-I3b    play_on  foreign card in the stub
RROP-I1     play_on  button elsewhere, raise and call
RROP-M1a    play_on  card 2 exposed, raise and call
"""

BOOK = {"NL": "nl", "IT": "it", "RU": "ru", "PL": "pl", "TDA": "tda2024", "WSOP": "wsop2026", "RROP": "rrop"}
LINES = [
    (rule, verdict, hand)
    for rule, verdict, hand in (line.split(maxsplit=2) for line in RULES.strip().splitlines())
]
JOINED = {"PL-07.7.a"}
"""Rules that only say which other ruling covers theirs as well: a premature flop of four is one matter."""


@pytest.mark.parametrize(
    ("rule", "verdict", "hand"), LINES, ids=[f"{rule} {verdict}" for rule, verdict, _ in LINES]
)
def test_the_rule_decides(rule: str, verdict: str, hand: str) -> None:
    """Once the recording has ended the rule stands, on an irregularity that was told, in the book that it is of."""
    book = BOOK[rule.partition("-")[0]]
    told = {each.id for each in decided(hand, book) if type(each) is Irregularity}
    standing = [each for each in rulings(hand, book) if (each.rule, each.verdict) == (rule, verdict)]
    assert standing
    assert {each.irregularity for each in standing} <= told
    assert {(each.rulebook, each.provisional) for each in standing} == {(book, False)}


def test_a_rule_that_joins_leaves_the_matter_to_the_other() -> None:
    """PL-07.7.a: a premature flop of four is one matter, set aside as premature (§10.2: 07.7 before 07.6.1)."""
    assert [(each.rule, each.verdict) for each in rulings("premature flop of four", "pl")] == [
        ("PL-07.7.b", "floor")
    ]


@pytest.mark.parametrize("book", sorted(BOOK.values()))
def test_no_rule_is_left_out(book: str) -> None:
    """Each id of the book has its line; no line names a rule that is not there, or a hand that is not played."""
    ids = {rule.id for rule in rulebooks.load(book).rules if rule.id is not None}
    assert ids - JOINED == {rule for rule, _, _ in LINES if BOOK[rule.partition("-")[0]] == book}
    assert {hand for _, _, hand in LINES} <= set(HANDS)
