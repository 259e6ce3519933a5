"""Cards that went astray after the deal: into another hand, into the muck, off the table, or out after the end.

Owns: these checks, and how sure each must be. Refuses: the deal itself (`core.slips`), and what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablectl.core.card import Card
from tablectl.core.finding import LIES_SURE, SHORT_LOOKS, Finding, Scene
from tablectl.core.hand import Hand
from tablectl.layout import ASIDE, MUCK, SHOE, is_community, lies_in, seat_of, seat_zone

MOVED_SURE = -7.0
"""ln of how much less likely than that it still lies where it was dealt and a neighbour's antenna reads it."""
LOST_SHARE = 5e-4
"""So few cards may lie hardly readable at this table, if one that is nowhere is to be called lost."""
LEFT_PERHAPS, LEFT_SURE = 4.0, 5.5
"""How unlikely (nats) it must be that a card in the muck still lies at its seat."""
MOVED_PERHAPS = -5.0
WELL_READ = 0.3
"""A card that is read in a smaller share of the looks is not well read."""
MOVING_MS = 800
"""A card is pushed over another seat on its way for no longer than this."""
MOVED_MS = 1500
"""A card that rests at another seat this long is not merely being pushed about."""


def other_hands(scene: Scene) -> Iterator[Finding]:
    """A card that came to rest at one seat and lies at another now."""
    hand = scene.hand
    if hand.over_at is not None or hand.entered.showdown_at is not None or hand.voided:
        return
    readings = {reading.item.uid: reading for reading in hand.readings()}
    for card in hand.cards.values():
        at = seat_of(card.zone) if card.zone else None
        if at is None or card.owner is None or at == card.owner or not card.held:
            continue
        reading = readings.get(card.uid)
        if reading is not None and reading.due == at:
            continue  # a misdealt card that was brought to its place, if too late to be a correction
        fields = {"seat": at, "expected": card.owner, "k": card.k, "zone": card.zone}
        doubt = scene.sense.doubt_of_seat(card.uid, card.owner)
        if scene.now - card.since < MOVING_MS or doubt > MOVED_PERHAPS:
            continue  # hands are pushed over other seats on their way to the muck
        stays = scene.now - card.since >= MOVED_MS and doubt <= MOVED_SURE and _lies_well(scene, card)
        yield Finding(
            ("moved", card.uid), "card_in_other_hand", fields, (card.uid,), seat_zone(card.owner), card.since,
            confirmed=stays,
        )  # fmt: skip


def _lies_well(scene: Scene, card: Card) -> bool:
    """The card lies at the seat and is read well there; one that is hardly read may lie in the muck."""
    tracker = scene.sense.tracker
    reads, looks = tracker.rate(card.uid)
    lies = tracker.place(card.uid) == card.zone and tracker.certainty(card.uid) >= LIES_SURE
    return lies and reads >= WELL_READ * looks and tracker.absence(card.uid) < LEFT_PERHAPS


def mucked(scene: Scene) -> Iterator[Finding]:
    """A hand in the muck for which no fold was entered."""
    hand = scene.hand
    if (
        hand.betting.mode != "actions" or not scene.sense.sees(MUCK) or not hand.deal_done or hand.voided
        or hand.over_at is not None or hand.entered.showdown_at is not None or hand.betting.round is None
        or hand.emptied()
    ):  # fmt: skip
        return
    for seat in hand.betting.live:
        if not hand.gone_from_seat(seat):
            continue
        left = [_left(scene, card) for card in hand.at_seat(seat)]
        if min(left) < LEFT_PERHAPS:
            continue
        mucked = [card for card in hand.at_seat(seat) if card.zone in {MUCK, ASIDE}]
        since = max(card.mucked_since or card.since for card in hand.at_seat(seat))
        late = scene.now - since
        if late < scene.setting.timing.fold_grace_ms // 2:
            continue  # folds are entered a moment after the cards are in; that is no suspicion yet
        confirmed = late >= scene.setting.timing.fold_grace_ms and _surely_left(left)
        fields = {"seat": seat, "count": len(mucked), "zone": MUCK}
        yield Finding(
            ("mucked", seat), "hand_mucked", fields, tuple(c.uid for c in mucked), seat_zone(seat), since,
            confirmed=confirmed,
        )  # fmt: skip


def _surely_left(left: list[float]) -> bool:
    """Each card of the hand is surely gone; of three or more, one may be less sure where the others are the surer."""
    return min(left) >= LEFT_SURE or (len(left) > 2 and sum(left) >= len(left) * LEFT_SURE)


def _left(scene: Scene, card: Card) -> float:
    """How unlikely (nats) it is that the card still lies at its seat, where other antennas read it better."""
    tracker = scene.sense.tracker
    if card.zone is None and card.mucked_since is None:
        return tracker.absence(card.uid)
    return -scene.sense.doubt_of_seat(card.uid, card.owner) if card.owner is not None else 0.0


def lost(scene: Scene) -> Iterator[Finding]:
    """A card that left the shoe, or its hand, and is nowhere."""
    hand, timing = scene.hand, scene.setting.timing
    if hand.over_at is not None or hand.entered.showdown_at is not None or hand.voided or hand.emptied():
        return
    due = {reading.item.uid: reading.due for reading in hand.readings()}
    # Where some cards can hardly be read at all, one that is not read is no proof: then it stays a suspicion.
    readable = scene.sense.tracker.experience.hardly_read() <= LOST_SHARE
    for card in hand.outstanding:
        last = max(card.out_at, scene.sense.tracker.last_read(card.uid))
        gone = scene.now - last
        # A burn that lies badly in the pile is not lost: only a card that a seat waits for can be.
        if (
            gone >= timing.lost_ms
            and _would_be_seen(scene, due.get(card.uid), last)
            and scene.sense.sees(SHOE)
            and scene.sense.shoe.surely_left(card.uid)
        ):
            gone_fields = {"expected": due.get(card.uid), "k": card.k}
            yield Finding(
                ("card", card.uid),
                "card_lost",
                gone_fields,
                (card.uid,),
                None,
                card.out_at,
                confirmed=readable,
            )
    folded = hand.betting.folded
    for card in hand.cards.values():
        at_rest = card.landing is not None and card.landing.settled
        if (
            card.zone is not None
            or not at_rest
            or card.owner is None
            or card.owner in folded
            or not card.held
        ):
            continue
        zone = seat_zone(card.owner)
        others = [c for c in hand.at_seat(card.owner) if c.uid != card.uid and lies_in(c.zone, zone)]
        # A player may hold his whole hand in the air as long as he likes; one card of it is another matter.
        if others and scene.sense.sees_seat(card.owner) and scene.now - card.since >= timing.held_lost_ms:
            fields: dict[str, Any] = {"expected": card.owner, "k": card.k}
            confirmed = readable and scene.sense.surely_gone(card.uid)
            yield Finding(
                ("lost", card.uid), "card_lost", fields, (card.uid,), zone, card.since, confirmed=confirmed
            )


def _would_be_seen(scene: Scene, seat: int | None, since: int) -> bool:
    """The seat that waits for the card is looked at, and has been since the card left."""
    sense = scene.sense
    if seat is None or not sense.sees_seat(seat):
        return False
    return all(
        sense.tracker.polls_since(zone, since) >= SHORT_LOOKS for zone in sense.layout.seat_zones(seat)
    )


def after_end(scene: Scene) -> Iterator[Finding]:
    """Cards dealt to the board, the burn or a seat after the hand was decided."""
    hand = scene.hand
    if hand.over_at is None or hand.voided:
        return
    has_shoe = SHOE in scene.sense.layout.zones
    late = [
        card
        for card in hand.in_order()
        if card.landing is not None and card.landing.settled and card.landing.since > hand.over_at and not card.found
        and (is_community(card.landing.zone) or seat_of(card.landing.zone) is not None)
        and not (card.from_shoe and card.out_at <= hand.over_at) and not _completes_street(hand, card, hand.over_at)
        # A card that the shoe would have read, had it been watched, may have been dealt before the end.
        and (card.from_shoe or not has_shoe or scene.sense.sees(SHOE))
    ]  # fmt: skip
    if late and late[0].landing:
        fields = {
            "k": late[0].k,
            "zone": late[0].landing.zone,
            "seat": seat_of(late[0].landing.zone),
            "count": len(late),
        }
        uids = tuple(card.uid for card in late)
        confirmed = scene.sense.tracker.certainty(late[0].uid) >= LIES_SURE
        yield Finding(
            ("after end",), "dealt_after_end", fields, uids, SHOE, late[0].landing.since, confirmed=confirmed
        )


def _completes_street(hand: Hand, card: Card, over: int) -> bool:
    """The card is the one that was missing of a street that was dealt before the end: it was not read till now."""
    for street in hand.streets:
        uids = hand.board.streets.get(street.key, [])
        if card.uid in uids and len(uids) <= hand.cards_on(street):
            landings = [hand.cards[uid].landing for uid in uids]
            return any(landing is not None and landing.since <= over for landing in landings)
    return False
