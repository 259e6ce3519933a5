"""What follows: whose card is next, and whether the betting before it is on; as far as the order of the game tells.

Owns: both for the display and the dealer's buttons. Refuses: judging the card that comes (`core.reading` has its own
way to the order), and remedies: where one orders something else, its steps say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablectl.layout import BOARD, BURN, seat_zone

if TYPE_CHECKING:
    from tablectl.core.games import Street
    from tablectl.core.hand import Hand
    from tablectl.core.table import Table


def next_card(table: Table, hand: Hand | None) -> dict[str, Any] | None:
    """`zone` and `k` of the next card, of the board and its burns also `street`, in a later run also `run`; None: none.

    Between two hands it is the first card of the next one. In stud the high hand starts a later street, which
    no antenna knows: then only its burn is told.
    """
    if hand is None or hand.over_at is not None:
        return _first(table)
    if hand.entered.showdown_at is not None or not hand.followed:
        return None
    k = max((card.k or 0 for card in hand.cards.values()), default=0) + 1
    part = list(hand.parts)[-1]
    if part.explanation is not None and part.missing and part.over_at is None:
        return {"zone": seat_zone(part.missing[0]), "k": k}
    community = _community(table, hand) if hand.deal_done else {}
    return {**community, "k": k} if community else None


def betting_is_on(table: Table, hand: Hand) -> bool | None:
    """A betting round waits for its end: its street lies there. None where betting is not entered at all,
    or the hand is not followed.

    Between the end of one round and the last card of the next street nobody bets. Where the board cannot be seen, or
    something of the round was entered, the street is taken to have been dealt.
    """
    betting = hand.betting
    if betting.mode == "none" or not hand.followed:
        return None
    if betting.round is None or not hand.deal_done:
        return False
    if betting.round == hand.game.opening or any(act.street == betting.round for act in betting.actions):
        return True
    return not _sees_streets(table, hand) or _is_dealt(hand, hand.game.street(betting.round))


def _sees_streets(table: Table, hand: Hand) -> bool:
    return hand.game.to_seats or table.sense.sees_board()


def _is_dealt(hand: Hand, street: Street) -> bool:
    if hand.game.to_seats:
        part = hand.later.get(street.key)
        return part is not None and part.over_at is not None
    return hand.board.counts.get(hand.streets.index(street), 0) >= street.cards


def _first(table: Table) -> dict[str, Any] | None:
    setup, game = table.setup, table.game
    unknown = game.has_button and setup.button is None
    order = () if unknown else setup.order(game.start)
    return {"zone": seat_zone(order[0]), "k": 1} if order else None


def _community(table: Table, hand: Hand) -> dict[str, Any]:
    """The street that is not complete, else the burn of the one after it, and once that is made its first card."""
    streets, board, to_seats = hand.streets, hand.board, hand.game.to_seats
    if board.current >= 0 and not _is_dealt(hand, streets[board.current]):
        return {} if to_seats else _on_board(table, streets[board.current])
    if board.current + 1 >= len(streets):
        return {}
    street = streets[board.current + 1]
    made = hand.base.burns.get(street.key, 0) + len(board.burns.get(street.key, ()))
    burnt = board.burn_paid or made >= hand.base.due.get(street.key, 1) or street.key in hand.base.no_burn
    if not burnt and table.sense.sees(BURN):
        return {"zone": BURN, **_of_street(street)}
    return {} if to_seats else _on_board(table, street)


def _on_board(table: Table, street: Street) -> dict[str, Any]:
    """One antenna may see the whole board, or each street its own."""
    own = f"{BOARD}:{street.name}"
    return {"zone": own if own in table.setting.layout.zones else BOARD, **_of_street(street)}


def _of_street(street: Street) -> dict[str, Any]:
    return {"street": street.name, "run": street.run} if street.run > 1 else {"street": street.name}
