"""Once more through the core: which tag was which card of a night's hands, and what was entered.

Owns: stepping a fresh table through the sensed lines, and reading each hand when it ends. Refuses: what the table
concluded then, which is in its journal (`told`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tablectl import recording
from tablectl.app import table_of
from tablectl.audit.hands import Acted, Dealt, Known, Laid
from tablectl.cards import FACES
from tablectl.config import from_recording
from tablectl.core import runs
from tablectl.core.card import Card
from tablectl.core.decisions import HandEvent
from tablectl.core.hand import Hand
from tablectl.core.table import Table

Name = Callable[[str], str | None]
"""Token → the card's name, None where nobody knows it."""


def replayed(
    header: Mapping[str, Any], sensed: Iterable[Mapping[str, Any]], name: Name, shown: str
) -> dict[int, Known]:
    """What the sensed lines of a night tell of each hand, by its number.

    `shown` names the journal in errors: RecordingError and ConfigError for a header that cannot be used, and what the
    lines raise while they are read.
    """
    head, events = recording.from_objects(header, sensed)
    table = table_of(from_recording(head.config, head.decks, head.active_deck, shown=shown))
    known: dict[int, Known] = {}
    for event in events:
        hand = table.hand
        for decision in table.step(event):
            if isinstance(decision, HandEvent) and decision.event == "end":
                # A hand that begins and ends in one step has left nothing to look at.
                ended = next(
                    (each for each in (hand, table.hand) if each and each.number == decision.hand), None
                )
                if ended is not None:
                    known[decision.hand] = _read(ended, table, name)
    if table.hand is not None and table.hand.announced and not table.hand.ended:
        known[table.hand.number] = _read(table.hand, table, name)
    return known


def _read(hand: Hand, table: Table, name: Name) -> Known:
    cards = {card.uid: _dealt(card, name) for card in hand.cards.values() if card.landing is not None}
    back = [_dealt(card, name, back=True) for card in hand.returned if card.landing is not None]
    there = sorted((*cards.values(), *back), key=lambda card: (card.k is None, card.k or 0, card.t))

    def those(uids: Iterable[str]) -> tuple[Dealt, ...]:
        return tuple(cards[uid] for uid in uids if uid in cards)

    streets = (
        Laid(
            each.name,
            each.run,
            those(runs.cards_of(hand, each.key)),
            those(hand.board.burns.get(each.key, ())),
        )
        for each in (() if hand.game.to_seats else hand.streets)
    )
    return Known(
        cards=tuple(there),
        streets=tuple(laid for laid in streets if laid.cards or laid.burns),
        game=hand.game.name,
        actions=tuple(Acted(a.t, a.seat, a.action, a.street, a.all_in) for a in hand.betting.actions),
        straddles=hand.entered.straddles,
        deck=table.deck.id if table.deck is not None else None,
        dealer=table.dealer,
        showdown=hand.entered.showdown_at is not None,
        followed=hand.followed,
    )


def _dealt(card: Card, name: Name, *, back: bool = False) -> Dealt:
    assert card.landing is not None  # noqa: S101 (by the caller)
    token = card.token
    known = None if token is None else token if token in FACES else name(token)
    return Dealt(
        k=card.k, zone=card.landing.zone, t=card.landing.since, name=known, sort=card.sort, tag=card.uid,
        lies=card.zone, back=back,
    )  # fmt: skip
