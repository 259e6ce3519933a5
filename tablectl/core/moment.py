"""Whether an input fits the moment: an open round to be closed, a straddle before the first action, a second run of the
board after an all-in.

Owns: this question, and what the dealer is told where the answer is no. The shell refuses such an input before it is
taken, so that what is said to be entered did something, and `undo` means it. One that stands in a recording all the
same changes nothing; unless it is refused because it can only be a slip of the thumb: then it does there what it did.
Refuses: the fields of an input (`core.entries`), and what it does (`core.inputs`). An input that says how something is
(the button, the seats, the language, …) fits always, and so do an acknowledge and a call for the floor.
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

STOPPED_MS = 2000
"""No card for this long: the dealer has stopped dealing. The slowest pitch one and a half a second (assumption)."""


def why_not(table: Table, entry: Entry) -> Said | None:
    """Why the entry cannot be taken now, with what would be right; None if it can."""
    ask = _ASK.get(entry.do)
    return ask(table, entry) if ask is not None else None


def in_play(table: Table) -> Hand | None:
    """The hand that has begun and is not ended, if there is one."""
    return table.hand if table.hand is not None and not table.hand.ended else None


# --- the course of a hand -----------------------------------------------------------------------------------------


def between_hands(table: Table) -> bool:
    """A shuffle or a cut is for the next hand; else it is a step of a remedy.

    So it is once the cards are gone; in mid-deal it says that the deal was given up, even if the last cards are only
    just being gathered; and of a hand that is not followed the dealer alone knows.
    """
    hand = table.hand
    return hand is None or hand.ended or hand.emptied() or not (hand.deal_done and hand.followed)


def may_close_round(hand: Hand) -> bool:
    """The round that is on can be closed: its street lies there, or may lie there unread."""
    if hand.betting.round is None:
        return False
    names = hand.game.rounds
    # A card that left the deck since may be the street's, even if the board could not read it.
    dealt_since = hand.last_out > max(hand.betting.closed.values(), default=-1)
    return names.index(hand.betting.round) <= hand.board.current + 1 or dealt_since


def deal_may_be_over(table: Table, hand: Hand) -> bool:
    """Nobody waits for a card of the opening deal; or the dealer went on, and the last cards are missing or unread.

    What is bet ends the deal, and whoever has too few cards then is short: nothing is bet while the cards still
    come. But a seat that was passed over, or a card that is not read, never comes: once half a round or less is
    missing the dealer knows better. Of a hand that is not followed nobody knows how far it is.
    """
    if hand.deal_done or not hand.followed:
        return True
    waiting = [seat for seat in hand.opening.missing if table.sense.sees_seat(seat)]
    stopped = table.now - hand.last_out >= STOPPED_MS
    return 2 * len(waiting) <= len(hand.order) or (stopped and len(waiting) < len(hand.order))


def may_close_round_now(table: Table) -> bool:
    """A round can be closed at this moment."""
    return _not_to_close(table) is None


def _not_to_close(table: Table) -> Said | None:
    hand = in_play(table)
    if hand is None:
        return _no_hand()
    if not may_close_round(hand):
        return Said("no betting round is open")
    return None if deal_may_be_over(table, hand) else _still_dealt()


def _no_hand() -> Said:
    return Said("no hand is being played")


def _still_dealt() -> Said:
    return Said("the cards are still being dealt: first each seat gets its cards")


def _not_to_bet(table: Table) -> Said | None:
    hand = in_play(table)
    if hand is None:
        return _no_hand()
    return None if deal_may_be_over(table, hand) else _still_dealt()


def _round_closed(table: Table, _: Entry) -> Said | None:
    return _not_to_close(table)


def _action(table: Table, entry: Entry) -> Said | None:
    hand, early = in_play(table), _not_to_bet(table)
    if hand is None or early is not None:
        return early
    due, seat = hand.betting.to_act, entry.args["seat"]
    if seat in hand.betting.folded:
        return Said("seat {seat} has folded", seat=seat)
    if not entry.args.get("in_turn") or due == seat:
        return None
    if due is None:
        return Said("nobody is next to act any more: choose the seat")
    return Said("seat {seat} has acted already; seat {due} is next", seat=seat, due=due)


def _showdown(table: Table, _: Entry) -> Said | None:
    hand, early = in_play(table), _not_to_bet(table)
    if hand is None or early is not None:
        return early
    return Said("the showdown is on already") if hand.entered.showdown_at is not None else None


def _hand_end(table: Table, _: Entry) -> Said | None:
    return _no_hand() if in_play(table) is None else None


def _exposed(table: Table, entry: Entry) -> Said | None:
    hand, seat, k = table.hand, entry.args["seat"], entry.args.get("k")
    if hand is None:
        return Said("no seat has a card yet that could be exposed")
    if seat not in hand.order and not any(card.owner == seat for card in hand.dealt_cards()):
        return Said("seat {seat} has no card", seat=seat)
    if k is None:
        return None
    if not hand.has_number(k):
        return Said("no card {k} has been dealt yet", k=k)
    card = hand.numbered(k)
    if card is None or card.landing is None or card.owner == seat:
        return None  # it may well be that seat's: no antenna has said otherwise
    return Said("card {k} was not dealt to seat {seat}", k=k, seat=seat)


def _shuffle_done(table: Table, entry: Entry) -> Said | None:
    already = table.entered.shuffled and not table.entered.cut_exposed and in_play(table) is None
    return _for_the_next_hand(table, entry, Said("the shuffle is entered already") if already else None)


def _cut_done(table: Table, entry: Entry) -> Said | None:
    return _for_the_next_hand(table, entry, Said("the cut is entered already") if table.entered.cut else None)


def _for_the_next_hand(table: Table, entry: Entry, already: Said | None) -> Said | None:
    if table.docket is not None and table.docket.waits_for(entry.do):
        return None
    if not between_hands(table):
        return Said("a hand is being played: enter its end first")
    return already


def _step_done(table: Table, entry: Entry) -> Said | None:
    docket, step = table.docket, entry.args.get("step")
    due = docket.step_due(entry.args.get("irregularity")) if docket is not None else None
    if due is None:
        return Said("no step is due")
    return Said("this step is done already") if step is not None and step != due else None


def _deck(table: Table, entry: Entry) -> Said | None:
    ids, hand = table.setting.deck_ids, in_play(table)
    if entry.args["id"] in ids:
        over = hand is None or not hand.announced or hand.over_at is not None or hand.voided or hand.emptied()
        return None if over else Said("the deck is changed between two hands")
    return Said(
        "this table has no deck {deck}; it has {decks}", deck=repr(entry.args["id"]), decks=", ".join(ids)
    )


def _undo(table: Table, _: Entry) -> Said | None:
    return Said("there is nothing to take back") if table.undo.last(table) is None else None


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
    if not entry.args.get("posted", True):
        posted = seat in (hand.entered if hand is not None else table.entered).straddles
        return None if posted else Said("seat {seat} has no straddle", seat=seat)
    if seat in may_straddle(table):
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
    runs = hand.entered.runs
    if entry.args["times"] == (runs.times if runs is not None else 1) and entry.args.get("first") is None:
        return Said("the rest of the board is run so often already")
    if entry.args["times"] > 1 and first_again(hand, entry.args.get("first")) is None:
        return Said("say from which street on it is run again; it must have come after the all-in")
    return None


_ASK: Mapping[str, Callable[[Table, Entry], Said | None]] = {
    "action": _action, "round_closed": _round_closed, "showdown": _showdown, "hand_end": _hand_end,
    "exposed": _exposed, "shuffle_done": _shuffle_done, "cut_done": _cut_done, "straddle": _straddle,
    "run_twice": _run_twice, "step_done": _step_done, "deck": _deck, "undo": _undo,
}  # fmt: skip
