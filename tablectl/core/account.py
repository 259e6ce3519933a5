"""The account of a hand for the rulebook: the facts, as far as they are known.

Owns: how each fact of `core.facts` is found out. Refuses: guessing. What was not entered and does not follow
from what was stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tablectl.core.betting import CHIPS, Betting
from tablectl.core.facts import Board, Facts
from tablectl.core.games import PREFLOP, Street
from tablectl.core.hand import Hand


def facts_of(hand: Hand, *, sees_burn: bool, owed: Mapping[int, int]) -> Facts:
    """The facts of the hand as they stand; burns are not known where no antenna sees them.

    `owed` are the cards by which a seat's count differs from what lies there, because a remedy is on.
    """
    entered = hand.entered
    causes = [by for _, _, _, by in entered.exposed]
    last = _board(hand, hand.run, sees_burn=sees_burn)
    times = entered.runs.times if entered.runs is not None else 0
    runs = {run: _board(hand, run, sees_burn=sees_burn) for run in range(1, times + 1)}
    return Facts(
        game=hand.game.name,
        need=hand.need,
        whole_hand=hand.cards_by_now if hand.game.to_seats else None,
        order=hand.order,
        deal_done=hand.deal_done,
        held={seat: cards + owed.get(seat, 0) for seat, cards in _of_the_opening(hand).items()},
        board=last.board,
        burns=last.burns,
        burns_due=last.burns_due,
        board_k=last.board_k,
        runs=runs,
        button=hand.setup.button,
        absent=tuple(sorted(hand.setup.absent)),
        up=_up(hand),
        over=hand.over_at is not None,
        ended=hand.entered.ended_at is not None,
        showdown=entered.showdown_at is not None,
        live=hand.betting.live,
        street=hand.betting.round or hand.game.streets[-1].name,
        round_open=_rounds(hand.betting),
        exposed_by_dealer=causes.count("dealer"),
        exposed_by_player=causes.count("player"),
        boxed=sum(each.face == "up" for each in hand.passed),
        **_acts(hand),
    )


def _of_the_opening(hand: Hand) -> Mapping[int, int]:
    """Cards per seat; in stud without those that it got rightly on a later street."""
    counts = hand.held()
    for part in hand.later.values():
        got = {reading.item.seat for reading in part.readings}
        for seat in part.order:
            counts[seat] -= seat in got or part.closed_at is not None
    return counts


def _up(hand: Hand) -> Mapping[int, int]:
    """Face-up cards of the opening per seat: as entered, or in the half of the seat where they lie."""
    if not hand.game.up:
        return {}
    seen = {seat: hand.up_at(seat) for seat in hand.order}
    entered = {args["seat"]: args["count"] for _, do, args in hand.entered.reported if do == "up_cards"}
    return {seat: count for seat, count in {**seen, **entered}.items() if count is not None}


def _board(hand: Hand, run: int, *, sees_burn: bool) -> Board:
    """The board and the burns of that run: those from before the board was laid anew, and those since."""
    streets, read, base = hand.board_of(run), hand.board, hand.base
    return Board(
        board={street.name: read.counts.get(at, 0) for at, street in streets},
        burns={
            street.name: base.burns.get(street.key, 0) + len(read.burns.get(street.key, ()))
            for _, street in streets
        }
        if sees_burn
        else {},
        burns_due={street.name: base.due[street.key] for _, street in streets if street.key in base.due},
        board_k=_board_k(hand, streets),
    )


def _board_k(hand: Hand, streets: Iterable[tuple[int, Street]]) -> Mapping[str, tuple[int, ...]]:
    """Only streets of which every card has its `k` by now."""
    cards = {
        street.name: [hand.cards[uid].k for uid in hand.board.streets[street.key] if uid in hand.cards]
        for _, street in streets
        if street.key in hand.board.streets
    }
    return {street: tuple(k for k in ks if k is not None) for street, ks in cards.items() if None not in ks}


def _rounds(betting: Betting) -> Mapping[str, bool]:
    if betting.mode == "none":
        return {}
    return {name: betting.closed_at(name) is None for name in betting.game.rounds}


def _acts(hand: Hand) -> dict[str, Any]:
    betting = hand.betting
    streets = hand.game.rounds
    if betting.known or betting.actions:
        acts = betting.actions
        per_street = {name: [a for a in acts if a.street == name] for name in streets}
        return {
            "actions": len(acts),
            "players_acted": len({a.seat for a in acts}),
            "chips_in": sum(a.action in CHIPS for a in acts),
            "alike": {a.action for a in acts} in ({"fold"}, {"check"}, set()),
            "street_actions": {name: len(each) for name, each in per_street.items()},
            "street_players": {name: len({a.seat for a in each}) for name, each in per_street.items()},
            "seat_acted": {seat: any(a.seat == seat for a in acts) for seat in hand.order},
        }
    if not hand.deal_done:
        return {
            "actions": 0,
            "players_acted": 0,
            "chips_in": 0,
            "alike": True,
            "street_actions": dict.fromkeys(streets, 0),
            "street_players": dict.fromkeys(streets, 0),
            "seat_acted": dict.fromkeys(hand.order, False),
        }
    if PREFLOP in betting.closed:  # in stud the bring-in need not have acted
        return _after_preflop(hand, streets)
    return {}


def _without_bets(hand: Hand) -> frozenset[str]:
    """The rounds that nobody could bet in, because the board was run again: those after the one that was on."""
    runs, rounds = hand.entered.runs, hand.game.rounds
    if runs is None or runs.before.round is None:
        return frozenset()
    return frozenset(rounds[rounds.index(runs.before.round) + 1 :])


def _after_preflop(hand: Hand, streets: Sequence[str]) -> dict[str, Any]:
    """What a closed first round proves although no action was entered: every seat acted, somebody put chips in.

    The hand went on, so at least one seat called or raised the blind, and nobody could pass without an action.
    """
    seats = len(hand.order)
    dealt = {street.name for index, street in enumerate(hand.game.streets) if index <= hand.board.current}
    dealt -= _without_bets(hand)
    known = {PREFLOP: seats, **{name: 0 for name in streets if name != PREFLOP and name not in dealt}}
    # A street's closed round proves two actions, not who made them.
    closed = {name: 2 for name in dealt if hand.betting.closed_at(name) is not None}
    return {
        "actions": seats,
        "players_acted": seats,
        "chips_in": 1,
        "alike": False,
        "street_actions": {**known, **closed},
        "street_players": {**known, **closed},
        "seat_acted": dict.fromkeys(hand.order, True),
    }
