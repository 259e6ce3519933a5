"""The table as the display, the floor and `/state` see it.

Owns: the JSON of the view. Refuses: identities. Faces are given for board cards only, and only in open mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tablectl.core import moment, runs
from tablectl.core.card import Card
from tablectl.core.checks import OPTICAL, checks_off
from tablectl.core.following import betting_is_on, next_card
from tablectl.core.games import Game
from tablectl.core.hand import Hand
from tablectl.core.settings import checks_of
from tablectl.layout import BURN, MUCK, is_up, lies_in, seat_zone
from tablectl.said import say

if TYPE_CHECKING:
    from tablectl.core.table import Table


def view_of(table: Table) -> dict[str, Any]:
    """Everything that may be shown, JSON-ready."""
    setting, hand = table.setting, table.hand
    shown = hand if hand is not None and hand.announced else None
    game = _game(table)
    return {
        "table": {
            "id": setting.id,
            "seats": setting.layout.seats,
            "game": game.name,
            "next_game": table.game.name if table.game.name != game.name else None,
            "dealer": table.dealer,
            "rulebook": table.book.name,
            "mode": setting.mode,
            "betting": setting.betting,
            "dealt_by": setting.dealt_by,
            "has_button": game.has_button,
            "language": table.language,
            "decks": list(setting.deck_ids),
            "deck": table.deck.id if table.deck else None,
            "dealers": list(table.dealers),
        },
        "t": table.now,
        "hand": _hand(table, shown),
        "seats": [_seat(table, shown, seat) for seat in range(1, setting.layout.seats + 1)],
        "board": len(shown.on_board()) if shown else 0,
        "burn": len(shown.in_zone(BURN)) if shown else 0,
        "muck": len(shown.in_zone(MUCK)) if shown else 0,
        "board_cards": _faces(table, shown),
        "runs": runs.view_of(shown, faces=setting.mode == "open") if shown else None,
        "irregularities": table.docket.view() if table.docket is not None else [],
        "degraded": [
            {"zone": zone, "why": why, **say(why), "suspends": list(checks_of(zone))}
            for zone, why in table.sightings.degraded.items()
        ],
        "weak": [{"zone": zone, "why": why, **say(why)} for zone, why in table.sightings.weak.items()],
        "checks_off": sorted(_off(table)),
        "reminders": _reminders(table),
        "setup": _setup(table),
        "undo": _undo(table),
        "floor_called": table.floor_called,
        "night": table.night,
    }


def _game(table: Table) -> Game:
    """That of the hand in play; else the next one's: a change of game counts from the next hand on."""
    hand = moment.in_play(table)
    return hand.game if hand is not None else table.game


def _off(table: Table) -> set[str]:
    """The checks this table cannot make, those among them that wait for the optical sensor's first report."""
    setting = table.setting
    zones, asks = setting.layout.zones, setting.shuffle_p > 0
    off = set(checks_off(zones, setting.betting, setting.confirms, _game(table), asks_of_order=asks))
    return off if table.optical else off | OPTICAL


def _reminders(table: Table) -> list[dict[str, Any]]:
    away = table.away if table.hand is not None else None
    return (
        [{"what": "kill", "seat": seat, "rule": away.rule} for seat in away.dead] if away is not None else []
    )


def _setup(table: Table) -> dict[str, Any]:
    """What is proposed, and what has been confirmed, for the next hand."""
    setup, entered = table.setup, table.entered
    return {
        "button": setup.button,
        "eligible": list(setup.eligible),
        "absent": sorted(setup.absent),
        "shuffled": entered.shuffled,
        "cut": entered.cut,
        "cut_exposed": entered.cut_exposed,
    }


def _undo(table: Table) -> dict[str, Any] | None:
    """The input that an `undo` would take back."""
    last = table.undo.last(table)
    return {"do": last.do, **last.args} if last is not None else None


def _hand(table: Table, hand: Hand | None) -> dict[str, Any]:
    may = {
        "straddles": list(moment.straddles_of(table)),
        "may_straddle": list(moment.may_straddle(table)),
        "may_run_twice": moment.may_run_twice(table),
        "may_close_round": moment.may_close_round_now(table),
    }
    if hand is None:
        return {
            "number": table.hands, "button": table.setup.button, "street": None, "phase": "idle",
            "next": next_card(table, None), "to_act": None, "round_open": None, "last": None, "followed": True,
            **may,
        }  # fmt: skip
    return {
        "number": hand.number,
        "button": hand.setup.button,
        "street": hand.streets[hand.board.current].name if hand.board.current >= 0 else hand.game.opening,
        "phase": _phase(hand),
        "next": next_card(table, hand),
        "to_act": hand.betting.to_act if hand.deal_done and hand.followed else None,
        "round_open": betting_is_on(table, hand),
        "last": _last(hand),
        "followed": hand.followed,
        **may,
    }


def _phase(hand: Hand) -> str:
    if hand.over_at is not None:
        return "over"
    if hand.entered.showdown_at is not None:
        return "showdown"
    return "betting" if hand.deal_done else "deal"


def _last(hand: Hand) -> dict[str, Any] | None:
    """The card that was dealt to a seat last: the one that is meant if a card was exposed just now."""
    dealt = [card for card in hand.cards.values() if card.k is not None and card.owner is not None]
    card = max(dealt, key=lambda each: each.k or 0, default=None)
    return {"seat": card.owner, "k": card.k} if card is not None else None


def _seat(table: Table, hand: Hand | None, seat: int) -> dict[str, Any]:
    setting, setup = table.setting, hand.setup if hand is not None else table.setup
    zone = seat_zone(seat)
    lying = [c for c in hand.cards.values() if c.held and lies_in(c.zone, zone)] if hand is not None else []
    return {
        "seat": seat,
        "name": table.names.get(seat),
        "eligible": seat in setup.eligible,
        "absent": seat in table.setup.absent,
        "cards": len(lying),
        "up": _up(lying) if setting.layout.tells_faces(seat) else None,
        "folded": hand is not None and seat in hand.betting.folded,
    }


def _up(lying: Sequence[Card]) -> int:
    """How many of the cards lie in the half of the seat where up cards lie."""
    return sum(card.zone is not None and is_up(card.zone) is True for card in lying)


def _faces(table: Table, hand: Hand | None) -> list[str]:
    if hand is None or table.setting.mode != "open":
        return []
    return [card.token for card in hand.on_board() if card.token is not None]
