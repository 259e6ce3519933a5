"""Scenarios: hands to try a rulebook on, on the reference table of the rules.

Owns: the reference table (hold'em, six seats, all eligible, the button at seat 6; in stud the same seats), the
facts of a hand on it after some actions, and an irregularity on it.
Refuses: what a book says of them (`core.ruling`), and cards on a felt: nothing here is sensed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tablectl.core.betting import CHIPS
from tablectl.core.case import FLOP_STREETS, STUD_STREETS
from tablectl.core.decisions import Irregularity, Ruling
from tablectl.core.facts import Facts
from tablectl.core.reach import HOLE
from tablectl.core.reach import ORDER as SEATS
from tablectl.core.rulebook import Rulebook
from tablectl.core.ruling import Judgement, decide

BUTTON = 6
CALLED = ("3 call", "4 call", "5 fold", "6 fold", "1 call", "2 check")
"""The betting before the flop, closed: seats 1 to 4 are left."""
CARDS = {"flop": 3, "turn": 1, "river": 1}
UNKNOWN_BETTING: Mapping[str, Any] = {
    "actions": None, "players_acted": None, "chips_in": None, "alike": None, "seat_acted": {}, "street_actions": {},
    "street_players": {},
}  # fmt: skip
"""What is known of the actions where nobody enters them."""


def table(*acts: str, game: str = "holdem", **changes: Any) -> Facts:
    """The reference table after the deal and these actions: `3 call`, or `flop 1 check` on a later street.

    The street in progress is that of the last action. `held` changes single seats, any other fact is replaced.
    """
    streets: tuple[str, ...] = STUD_STREETS if game.startswith("stud") else FLOP_STREETS
    if game == "stud7":
        streets = streets[1:]  # its first round of betting is on third street
    parsed = [each.split() if each.count(" ") == 2 else [streets[0], *each.split()] for each in acts]
    at = streets.index(parsed[-1][0] if parsed else streets[0])
    dealt = {name: CARDS.get(name, 0) if index <= at else 0 for index, name in enumerate(streets) if index}
    held = {**dict.fromkeys(SEATS, HOLE[game]), **changes.pop("held", {})}
    done = [action for _, _, action in parsed]
    base = Facts(
        game=game,
        need=HOLE[game],
        order=SEATS,
        deal_done=True,
        held=held,
        board=dealt if streets is FLOP_STREETS else {},
        burns={name: int(index <= at) for index, name in enumerate(streets) if index},
        button=BUTTON,
        live=tuple(s for s in SEATS if not any(a[1] == str(s) and a[2] == "fold" for a in parsed)),
        street=streets[at],
        actions=len(parsed),
        players_acted=len({a[1] for a in parsed}),
        chips_in=sum(action in CHIPS for action in done),
        alike=set(done) in ({"fold"}, {"check"}, set()),
        seat_acted={seat: any(a[1] == str(seat) for a in parsed) for seat in SEATS},
        street_actions={name: sum(a[0] == name for a in parsed) for name in streets},
        street_players={name: len({a[1] for a in parsed if a[0] == name}) for name in streets},
        round_open={name: index >= at for index, name in enumerate(streets)},
    )
    return replace(base, **changes)


def on_board(
    street: str, *acts: str, cards: int | None = None, burns: int = 1, game: str = "holdem"
) -> Facts:
    """The reference table with that street just dealt, so many cards and burns on it, and these actions on it.

    Everybody called before the flop; on the streets between, seats 1 to 4 checked.
    """
    at = FLOP_STREETS.index(street)
    between = [f"{name} {seat} check" for name in FLOP_STREETS[1:at] for seat in (1, 2, 3, 4)]
    facts = table(*CALLED, *between, *(f"{street} {each}" for each in acts), game=game, street=street)
    lying = CARDS[street] if cards is None else cards
    board, burned = dict(facts.board), dict(facts.burns)
    for index, name in enumerate(FLOP_STREETS[1:], 1):
        board[name] = CARDS[name] if index < at else lying if index == at else 0
        burned[name] = 1 if index < at else burns if index == at else 0
    rounds = {name: index >= at for index, name in enumerate(FLOP_STREETS)}
    return replace(
        facts, board=board, burns=burned, round_open=rounds, board_k=_numbered(board, burned, facts)
    )


def _numbered(
    board: Mapping[str, int], burns: Mapping[str, int], facts: Facts
) -> Mapping[str, tuple[int, ...]]:
    """The `k` of the board cards, had each street been dealt burns first."""
    k = facts.need * len(facts.order)
    out: dict[str, tuple[int, ...]] = {}
    for name in FLOP_STREETS[1:]:
        k += burns[name]
        if board[name]:
            out[name] = tuple(range(k + 1, k + 1 + board[name]))
        k += board[name]
    return out


def slip(kind: str, ident: str = "i1", **fields: Any) -> Irregularity:
    """A confirmed irregularity."""
    return Irregularity(t=0, id=ident, kind=kind, **fields)


def judge(book: Rulebook, facts: Facts, *slips: Irregularity, **answers: Any) -> Judgement:
    """What the book says; answers are to the first irregularity."""
    return decide(book, slips, facts, {(slips[0].id, fact): value for fact, value in answers.items()}, 0)


def rulings(book: Rulebook, facts: Facts, *slips: Irregularity) -> tuple[Ruling, ...]:
    """The rulings only."""
    return judge(book, facts, *slips).rulings
