"""Whether an input fits the moment: a straddle before the first action, a board that is run twice after an all-in.

Owns: these two questions, and what the dealer is told where the answer is no. The shell refuses such an input before it
is taken; one that stands in a recording all the same changes nothing.
Refuses: the fields of an input (`core.entries`), and what it does (`core.inputs`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tablectl.core.hand import Hand
from tablectl.core.runs import cards_of
from tablectl.core.sensed import Entry
from tablectl.said import Said

if TYPE_CHECKING:
    from tablectl.core.table import Table


def why_not(table: Table, entry: Entry) -> Said | None:
    """Why the entry cannot be taken now, with what would be right; None if it can."""
    ask = _ASK.get(entry.do)
    return ask(table, entry) if ask is not None else None


def in_play(table: Table) -> Hand | None:
    """The hand that has begun and is not ended, if there is one."""
    return table.hand if table.hand is not None and not table.hand.ended else None


# --- straddles ----------------------------------------------------------------------------------------------------


def straddles_of(table: Table) -> tuple[int, ...]:
    """The straddles of the hand in play, or of the next one, in the order in which they were posted."""
    hand = in_play(table)
    if hand is not None:
        return hand.betting.straddles
    may = table.game.may_straddle(table.setup.order())
    return tuple(seat for seat in table.entered.straddles if seat in may)


def may_straddle(table: Table) -> tuple[int, ...]:
    """The seats that may post a straddle now, before the deal or before the first action."""
    hand = in_play(table)
    if hand is not None and not _before_action(hand):
        return ()
    game, order = (hand.game, hand.order) if hand is not None else (table.game, table.setup.order())
    return tuple(seat for seat in game.may_straddle(order) if seat not in straddles_of(table))


def _before_action(hand: Hand) -> bool:
    return not hand.betting.actions and not hand.betting.closed and hand.over_at is None


def _straddle(table: Table, entry: Entry) -> Said | None:
    hand, seat = in_play(table), entry.args["seat"]
    if (hand.game if hand is not None else table.game).to_seats:
        return Said("this game has no blinds, and no straddle")
    if hand is not None and not _before_action(hand):
        return Said("the betting has begun; a straddle is posted before the first action")
    if not entry.args.get("posted", True) or seat in may_straddle(table):
        return None
    seats = ", ".join(map(str, may_straddle(table))) or Said("no seat")
    return Said("seat {seat} cannot straddle now; seats that can: {seats}", seat=seat, seats=seats)


# --- the board run more than once -----------------------------------------------------------------------------------


def may_run_twice(table: Table) -> bool:
    """The rest of the board may be run more than once: all have their cards, and nobody can bet any more.

    Where actions are not entered, nobody knows of an all-in but the dealer.
    """
    hand = in_play(table)
    if hand is None or hand.game.to_seats or not hand.deal_done or hand.over_at is not None or hand.voided:
        return False
    return hand.betting.run_out or not hand.betting.known


def first_again(hand: Hand, wished: str | None = None) -> str | None:
    """The first street that is run again: the one wished for, else the one that comes next; None if there is none.

    Nobody runs a street again that was bet on: where actions are entered, those that lay there before the all-in are
    out. If the board is complete (the dealer enters late), it is the first one that came after the all-in.
    """
    names, runs = [street.name for street in hand.game.streets], hand.entered.runs
    if wished is None and runs is not None:
        return runs.first
    may = names[_dealt_before_all_in(hand) :] if hand.betting.known else names
    if wished is not None:
        return wished if wished in may else None
    following = names[hand.board.current + 1 :]
    late = may if hand.betting.known else []
    return next(iter(following or late), None)


def _dealt_before_all_in(hand: Hand) -> int:
    """How many streets lay there when nobody could bet any more."""
    names = [street.name for street in hand.game.streets]
    closed = hand.betting.closed_at(names[-1])
    began = [
        min((hand.cards[uid].since for uid in cards_of(hand, name) if uid in hand.cards), default=None)
        for name in names
    ]
    return sum(closed is not None and since is not None and since < closed for since in began)


def _run_twice(table: Table, entry: Entry) -> Said | None:
    hand = in_play(table)
    if (hand.game if hand is not None else table.game).to_seats:
        return Said("this game has no board that could be run twice")
    if hand is None or not may_run_twice(table):
        return Said("the board is run twice after an all-in, when all have their cards and nobody can bet")
    if entry.args["times"] > 1 and first_again(hand, entry.args.get("first")) is None:
        return Said("say from which street on it is run again; it must have come after the all-in")
    return None


_ASK: Mapping[str, Callable[[Table, Entry], Said | None]] = {"straddle": _straddle, "run_twice": _run_twice}
