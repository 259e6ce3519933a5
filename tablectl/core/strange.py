"""Cards that are strange to the deck: of another deck, a joker, a second copy, one without a tag, one face up in it.

Owns: these checks. A card without a tag rests on what the optical sensor saw go by, while the antenna at the shoe did
its work and nothing turned up anywhere; a face on that sensor's word alone.
Refuses: where a card should have gone (`core.slips`), and what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablectl.core.card import Card
from tablectl.core.explanation import How
from tablectl.core.finding import Finding, Scene
from tablectl.core.passages import Passed, untagged
from tablectl.layout import SHOE, seat_of, seat_zone

MOUTH_MS = 2000
"""A wrong card that rests at the mouth of the shoe, or is not found at rest for this long, is reported where it is."""
UNTAGGED_PERHAPS_MS, UNTAGGED_MS = 1000, 3000
"""A card went by this long ago and no antenna has read it: a hand that holds a card up puts it down by then."""
BEFORE_MS, AFTER_MS = 600, 100
SHOE_LOOKS = 3
"""So many looks at the mouth about that time would have shown a tag."""


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


def boxed_cards(scene: Scene) -> Iterator[Finding]:
    """Cards that went by the optical sensor face up."""
    hand = scene.hand
    for each in hand.passed:
        if each.face != "up" or _too_late(scene, each):
            continue
        card = next((card for card in hand.dealt_cards() if card.uid == each.uid), None)
        landing = card.landing if card is not None and card.landing and card.landing.settled else None
        zone = landing.zone if landing else SHOE
        k = card.k if card is not None else each.k
        waited = scene.now - each.t >= MOUTH_MS
        fields = {"seat": seat_of(zone), "k": k, "zone": zone}
        cards = (card.uid,) if card is not None else ()
        confirmed = k is not None and (landing is not None or waited)
        yield Finding(("boxed", each.t), "boxed_card", fields, cards, None, each.t, confirmed=confirmed)


def untagged_cards(scene: Scene) -> Iterator[Finding]:
    """Cards that went by the optical sensor and were read nowhere since."""
    hand = scene.hand
    for each in hand.passed:
        waited = scene.now - each.t
        if each.uid is not None or waited < UNTAGGED_PERHAPS_MS or _too_late(scene, each):
            continue
        if not _shoe_reads(scene, each.t):
            continue
        seat = _seat_of_untagged(scene, each)
        fields = {"seat": seat, "k": each.k, "zone": seat_zone(seat) if seat is not None else None}
        confirmed = waited >= UNTAGGED_MS
        yield Finding(("untagged", each.t), "untagged_card", fields, (), None, each.t, confirmed=confirmed)


def unread_yet(scene: Scene) -> bool:
    """A card went by so lately that time will tell whether it has a tag, or where a boxed one lies."""
    since = scene.now - UNTAGGED_MS
    return any((each.uid is None or each.face == "up") and each.t > since for each in scene.hand.passed)


def _too_late(scene: Scene, passage: Passed) -> bool:
    """What goes by once the hand is decided or void is none of the deal."""
    ends = [t for t in (scene.hand.over_at, scene.hand.voided_at) if t is not None]
    return bool(ends) and passage.t > min(ends)


def _shoe_reads(scene: Scene, t: int) -> bool:
    """The antenna at the shoe looked about that time, and it did read most of the cards that went by."""
    sense, hand = scene.sense, scene.hand
    if not sense.sees(SHOE) or sense.tracker.polls_between(SHOE, t - BEFORE_MS, t + AFTER_MS) < SHOE_LOOKS:
        return False
    went_by = {each.uid for each in hand.passed if each.uid is not None}
    read = sum(card.from_shoe for card in hand.dealt_cards() if card.uid in went_by)
    return 2 * read > len(went_by)


def _seat_of_untagged(scene: Scene, passage: Passed) -> int | None:
    """The seat that got it, if the order of the deal says so."""
    hand, last = scene.hand, None
    for reading in hand.readings():
        uid = reading.item.uid
        if reading.how is How.UNSEEN and reading.passed:
            between = untagged(hand.passed, last, uid)
            if passage in between and len(between) == len(reading.passed):
                return reading.passed[between.index(passage)]
        last = uid
    return None


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
