"""Slips on the board and among the burns: which of those that the reading shows may be told, and how surely.

Owns: what each kind needs before it is confirmed. Refuses: reading the board (`core.streets`), the deal, and what
follows. Where no antenna sees the burns, or the floor rules on the board, nothing is said of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablectl.core import evidence
from tablectl.core.card import Card
from tablectl.core.finding import LIES_SURE, Finding, Scene
from tablectl.core.hand import Hand
from tablectl.core.streets import Slip
from tablectl.layout import BURN, SHOE, is_board, is_community, seat_of

BURN_SURE = -7.0
"""ln P(an unseen burn) below which the burn is missing."""
SHORT_SURE = -8.3
"""The same for a board card that is missing."""
LIES_WELL = 5.0
"""Log odds at which a card lies where it was found, for a burn that a slip also rests on …"""
LIES_FAIRLY = 3.0
"""… good enough for a card that was there before …"""
LIES_SURE_IN_DEAL = 10.0
"""… and while cards are pitched over it."""
UNSEEN = frozenset({"burn_missing", "too_few_board_cards"})
"""Slips that rest on what was not read."""
SHOWN = frozenset({"premature_card", "burn_missing", "too_many_board_cards"})
"""Slips that stand or fall with one card's lying on the board."""
STILL_LOOKS = 6
"""Looks at the board without another card, after which a street counts as complete."""
SPREAD_MS = 2500
"""By then the cards of a flop lie there, even if the board reads them badly."""


def board_slips(scene: Scene) -> Iterator[Finding]:
    """Board and burn slips; a missing burn only if the burn antenna had its chance to see one."""
    hand = scene.hand
    if hand.board_suspended or hand.voided or hand.relay_at is not None:
        return
    if not hand.game.to_seats and not scene.sense.sees_board():
        return
    for slip in hand.board.slips:
        if slip.kind in {"burn_missing", "burn_extra"} and not scene.sense.sees(BURN):
            continue
        if hand.over_at is not None and slip.since > hand.over_at:
            continue
        if slip.kind == "too_few_board_cards" and _one_has_no_tag(scene, slip):
            continue
        street = slip.street
        fields: dict[str, Any] = {"street": street.name, "count": slip.count, "need": slip.need}
        if street.run > 1:
            fields["run"] = street.run
        card = hand.cards.get(slip.uid)
        if slip.kind != "too_few_board_cards" and card is not None:
            fields |= {"k": card.k, "zone": card.landing.zone if card.landing else None}
            if card.owner is not None and slip.kind == "premature_card":
                fields["seat"] = card.owner
        key = ("board", street.key, slip.kind, hand.base.epoch)
        confirmed = _board_sure(scene, slip)
        yield Finding(key, slip.kind, fields, slip.cards, SHOE, slip.since, confirmed=confirmed)


def _board_sure(scene: Scene, slip: Slip) -> bool:
    hand, sense = scene.hand, scene.sense
    if slip.kind in SHOWN and not _surely_on_board(scene, slip.uid):
        return False
    if slip.kind in UNSEEN and _collecting(hand):
        return False
    if slip.kind == "burn_missing":
        unseen = sense.unseen(BURN, slip.since, evidence.BURNED)
        perhaps = any(_may_be_burnt(scene, slip, card) for card in hand.cards.values())
        perhaps = perhaps or sense.tracker.astray((BURN, *sense.layout.board_zones), slip.since - SPREAD_MS)
        return unseen <= BURN_SURE and hand.in_flight_since(slip.since) is None and not perhaps
    if slip.kind == "too_few_board_cards":
        unseen = max(
            (sense.unseen(zone, slip.since, evidence.SPREAD) for zone in sense.layout.board_zones),
            default=0.0,
        )
        shown_by = hand.cards.get(slip.uid)
        if shown_by is not None and shown_by.zone == BURN and not sense.surely_burnt(slip.uid, LIES_WELL):
            return False  # it may be the very card that is missing
        unplaced = any(_may_lie_unseen(scene, slip, card) for card in hand.cards.values())
        return sense.sees_board() and unseen <= SHORT_SURE and not hand.in_flight and not unplaced
    if slip.kind == "burn_extra":
        burns = hand.board.burns.get(slip.street.key, [])
        # A board card that is not seen yet may have come between the two burns.
        return hand.in_flight_since(slip.since) is None and all(
            sense.surely_burnt(uid, LIES_WELL) for uid in burns
        )
    if slip.kind == "premature_card":
        if not all(sense.surely_burnt(uid, LIES_WELL) for uid in hand.board.burns.get(slip.street.key, [])):
            return False  # what seems to be the burn may be a card of the street before
        # In mid-deal it is one card that went astray; else its count is told once all of a flop lie there.
        # In stud each card of it is dealt to another seat: the first one is told at once.
        return not hand.deal_done or hand.game.to_seats or _at_rest(scene, slip)
    # Too many: each card of the street must lie there, or one of them may be the burn.
    lying = hand.board.streets.get(slip.street.key, [])
    burnt = hand.board.burns.get(slip.street.key) or not sense.sees(BURN)
    needed = LIES_FAIRLY if burnt else LIES_SURE_IN_DEAL
    return all(sense.tracker.certainty(uid) >= needed for uid in lying)


def _collecting(hand: Hand) -> bool:
    """The hand is decided, and cards of the board or burns are not where they came to rest any more."""
    return hand.over_at is not None and any(
        card.landing is not None and is_community(card.landing.zone) and card.zone != card.landing.zone
        for card in hand.cards.values()
    )


def _surely_on_board(scene: Scene, uid: str) -> bool:
    """The card that shows the slip lies on the board; it does not merely pass over it, or lie next to it.

    In stud the same of a seat, over which other cards are pitched.
    """
    tracker, to_seats = scene.sense.tracker, scene.hand.game.to_seats
    place = tracker.place(uid)
    needed = LIES_SURE if scene.hand.deal_done and not to_seats else LIES_SURE_IN_DEAL
    lies = place is not None and (seat_of(place) is not None if to_seats else is_board(place))
    return lies and tracker.certainty(uid) >= needed


def _may_be_burnt(scene: Scene, slip: Slip, card: Card) -> bool:
    """The card came to the board of late, and so badly that it may be the burn, read from there."""
    came = card.landing is not None and is_board(card.landing.zone) and card.uid != slip.uid
    late = card.landing is not None and card.landing.since >= slip.since - SPREAD_MS
    return came and late and scene.sense.tracker.certainty(card.uid) < LIES_FAIRLY


def _may_lie_unseen(scene: Scene, slip: Slip, card: Card) -> bool:
    """The card left the deck with those of the street, and where it lies now is not sure: it may lie among them."""
    hand, tracker = scene.hand, scene.sense.tracker
    street = hand.board.streets.get(slip.street.key, [])
    left = [hand.cards[uid].out_at for uid in street]
    if not card.from_shoe or card.uid in street or not left:
        return False
    with_them = min(left) - SPREAD_MS <= card.shoe_read <= max(left) + SPREAD_MS
    return with_them and (card.found or card.landing is None or tracker.certainty(card.uid) < LIES_WELL)


def _one_has_no_tag(scene: Scene, slip: Slip) -> bool:
    """A card without a tag went by with those of the street: it is there, and that it has no tag is told."""
    hand = scene.hand
    left = [
        hand.cards[uid].out_at for uid in hand.board.streets.get(slip.street.key, []) if uid in hand.cards
    ]
    start = min(left, default=slip.since) - SPREAD_MS
    return any(each.uid is None and start <= each.t <= slip.since for each in hand.passed)


def _at_rest(scene: Scene, slip: Slip) -> bool:
    """All cards of the street lie there, or no more have come for a moment: then its count can be told."""
    hand = scene.hand
    if hand.board.counts.get(hand.streets.index(slip.street), 0) >= slip.street.cards:
        return True
    if hand.in_flight and scene.now - slip.since < SPREAD_MS:
        return False
    return _lies_still(scene, slip)


def _lies_still(scene: Scene, slip: Slip) -> bool:
    """No further card has come to the board for a moment, and one that had would have been read."""
    last = max((card.since for card in scene.hand.on_board()), default=slip.since)
    if scene.now - last < scene.setting.timing.flop_ms:
        return False
    if scene.now - slip.since >= SPREAD_MS:
        return True
    tracker, zones = scene.sense.tracker, scene.sense.layout.board_zones
    looked = min((tracker.polls_since(zone, last) for zone in zones), default=0) >= STILL_LOOKS
    return looked and not any(tracker.unsettled(zone, last, scene.now) for zone in zones)
