"""Cards that are strange to the deck: of another deck, a joker, a second copy of a card.

Owns: these checks. Refuses: where a card should have gone (`core.slips`), and what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablectl.core.finding import Finding, Scene
from tablectl.core.hand import Card
from tablectl.layout import SHOE, seat_of

MOUTH_MS = 2000
"""A wrong card that rests at the mouth of the shoe this long is reported where it is."""


def odd_cards(scene: Scene) -> Iterator[Finding]:
    """Cards that do not belong to the deck, and second copies of one that does."""
    first: dict[str, str] = {}
    for card in scene.hand.in_order():
        kind = _odd_kind(card.sort, card.token, card.uid, first)
        if kind and (card.landing is not None or not card.held):
            settled = card.landing is None or card.landing.settled
            zone = card.landing.zone if card.landing else SHOE
            yield _card_finding(kind, card, confirmed=settled, zone=zone)
        elif kind:
            yield _card_finding(kind, card, confirmed=False, zone=SHOE)
    for uid, since in scene.sense.shoe.recent(scene.now):
        if uid not in scene.hand.cards and uid in scene.sorts:
            kind = _odd_kind(scene.sorts[uid], scene.tokens.get(uid), uid, first)
            if kind:
                confirmed = scene.now - since >= MOUTH_MS
                yield Finding(("card", uid), kind, {"zone": SHOE}, (uid,), None, since, confirmed=confirmed)


def _odd_kind(sort: str, token: str | None, uid: str, first: dict[str, str]) -> str | None:
    if sort == "foreign":
        return "foreign_card"
    if sort == "joker":
        return "joker"
    if token is not None and first.setdefault(token, uid) != uid:
        return "duplicate_card"
    return None


def _card_finding(kind: str, card: Card, *, confirmed: bool, zone: str, **fields: Any) -> Finding:
    fields = {"seat": seat_of(zone), "k": card.k, "zone": zone, **fields}
    since = card.landing.since if card.landing else card.out_at
    return Finding(("card", card.uid), kind, fields, (card.uid,), None, since, confirmed=confirmed)
