"""The account of a hand for the rulebook: the facts, as far as they are known.

Owns: how each fact of `core.facts` is found out. Refuses: guessing. What was not entered and does not follow
from what was stays unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablectl.core.betting import CHIPS, Betting
from tablectl.core.facts import Facts
from tablectl.core.games import PREFLOP
from tablectl.core.hand import Hand


def facts_of(hand: Hand, *, sees_burn: bool, owed: Mapping[int, int]) -> Facts:
    """The facts of the hand as they stand; burns are not known where no antenna sees them.

    `owed` are the cards by which a seat's count differs from what lies there, because a remedy is on.
    """
    entered = hand.entered
    causes = [by for _, _, _, by in entered.exposed]
    return Facts(
        game=hand.game.name,
        need=hand.need,
        whole_hand=hand.cards_by_now if hand.game.to_seats else None,
        order=hand.order,
        deal_done=hand.deal_done,
        held={seat: cards + owed.get(seat, 0) for seat, cards in _of_the_opening(hand).items()},
        board=_on_board(hand),
        burns=_burns(hand) if sees_burn else {},
        burns_due=hand.base.due,
        board_k=_board_k(hand),
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


def _on_board(hand: Hand) -> Mapping[str, int]:
    return {street.name: hand.board.counts.get(index, 0) for index, street in enumerate(hand.game.streets)}


def _board_k(hand: Hand) -> Mapping[str, tuple[int, ...]]:
    """Only streets of which every card has its `k` by now."""
    cards = {
        street: [hand.cards[uid].k for uid in uids if uid in hand.cards]
        for street, uids in hand.board.streets.items()
    }
    return {street: tuple(k for k in ks if k is not None) for street, ks in cards.items() if None not in ks}


def _burns(hand: Hand) -> Mapping[str, int]:
    """Those made before the board was laid anew, and those since."""
    made = hand.base.burns
    return {
        street.name: made.get(street.name, 0) + len(hand.board.burns.get(street.name, ()))
        for street in hand.game.streets
    }


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


def _after_preflop(hand: Hand, streets: Sequence[str]) -> dict[str, Any]:
    """What a closed first round proves although no action was entered: every seat acted, somebody put chips in.

    The hand went on, so at least one seat called or raised the blind, and nobody could pass without an action.
    """
    seats = len(hand.order)
    dealt = {street.name for index, street in enumerate(hand.game.streets) if index <= hand.board.current}
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
