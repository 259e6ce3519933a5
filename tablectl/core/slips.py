"""Slips in the deal: cards at the wrong seat, seats passed over, seats with too many or too few cards.

Owns: the checks on the explanation of the deal (`core.order`). Refuses: the board, and what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablectl.core.explanation import SLIPS, How, Reading
from tablectl.core.finding import SHORT_LOOKS, Finding, Scene
from tablectl.core.hand import Card
from tablectl.core.passages import untagged
from tablectl.layout import SHOE, seat_zone

SURE = 3.5
"""Margin (nats) at which a slip in the deal is confirmed at a table whose cards are read well: 10,000 hands of 20
cards, one slip in 1,000 cards, and 200 · e^-3.5 = 6 wrong accusations if every margin were that small …"""
LASTING, LASTS_MS = 2.0, 1500
"""… which falls to this for a card that has lain there so long: all looks are in then that could still explain it away.
Of 1,390 clean simulated hands none in light noise and one in heavy noise had a higher margin at that time …"""
WELL_MISSED, POORLY = 0.2, 10.0
"""… and so much more is asked where more looks than that share miss their card: there the models hold less well."""
LONG_GONE_MS = 1500
"""A card first found so long after it left the shoe was in a hand meanwhile, and may be on its way to the muck …"""
LIES_MS = 800
"""… unless it lies there for longer than it is pushed over another seat."""
SHORT_SURE = -8.0
"""ln P(a card that nobody has read lies there) below which a seat is short."""
DEALT_MS = 800
"""A card that left the shoe lies at its seat by then, and was read there."""


def deal_slips(scene: Scene) -> Iterator[Finding]:
    """Cards of the deal at the wrong seat, in the order of the explanation with the fewest slips."""
    hand = scene.hand
    over = hand.over_at
    found = any(card.found for card in hand.cards.values())
    for index, reading in enumerate(hand.deal.readings if hand.deal else ()):
        card = hand.cards.get(reading.item.uid)
        if card is None or reading.how not in SLIPS or card.landing is None or reading.item.seat is None:
            continue
        if over is not None and card.landing.since > over:
            continue
        yield from _deal_slip(scene, reading, card, first=index == 0 and not found)


def _deal_slip(scene: Scene, reading: Reading, card: Card, *, first: bool) -> Iterator[Finding]:
    hand, seat = scene.hand, reading.item.seat
    assert seat is not None and card.landing is not None  # noqa: S101, PT018 (by the caller)
    needed = LASTING if _has_lain(scene, card) else SURE
    needed += POORLY * max(0.0, scene.sense.tracker.experience.supposed_missed - WELL_MISSED)
    sure = (reading.sure >= needed and _lies(scene, card)) or card.uid in hand.pinned
    fields: dict[str, Any] = {"seat": seat, "expected": reading.due, "k": card.k, "zone": card.landing.zone}
    right = seat_zone(reading.due) if reading.due is not None else SHOE
    earlier = [c for c in hand.at_seat(seat) if c.out_at < card.out_at and c.landing]
    if seat not in hand.order:
        kind, decided = "ineligible_seat", True
    elif first:
        kind, decided = "wrong_first_seat", True
    elif len(earlier) >= hand.need:
        kind, decided = "too_many_cards", True
        fields |= {"count": len(earlier) + 1, "need": hand.need}
    elif _is_skip(scene, reading, card):
        yield from _skipped(scene, reading, card, sure=sure)
        return
    else:
        kind = "wrong_seat"
        decided = reading.decided or _no_next_card(scene, card)
    yield Finding(
        ("card", card.uid),
        kind,
        fields,
        (card.uid,),
        right,
        card.landing.since,
        reading.how,
        confirmed=sure and decided,
    )


def _has_lain(scene: Scene, card: Card) -> bool:
    assert card.landing is not None  # noqa: S101 (by the caller)
    still_there = card.landing.settled and card.zone == card.landing.zone
    return still_there and scene.now - card.landing.since >= LASTS_MS


def _lies(scene: Scene, card: Card) -> bool:
    """The card was dealt to where it is found, not pushed over it later."""
    assert card.landing is not None  # noqa: S101 (by the caller)
    if not card.from_shoe or card.landing.since - card.shoe_read <= LONG_GONE_MS:
        return True
    return card.landing.settled and scene.now - card.landing.since >= LIES_MS


def _is_skip(scene: Scene, reading: Reading, card: Card) -> bool:
    """A seat was passed over: the later seats got theirs in the right order, or there are none left to wait for."""
    hand = scene.hand
    if reading.how is not How.SKIP or hand.pinned.get(card.uid, How.SKIP) is not How.SKIP:
        return False
    complete = hand.deal is not None and not hand.deal.missing
    return reading.decided or (complete and _no_next_card(scene, card))


def _skipped(scene: Scene, reading: Reading, card: Card, *, sure: bool) -> Iterator[Finding]:
    """The first seat passed over carries the card's key: a suspicion of a wrong seat becomes this."""
    held = scene.hand.held()
    for number, seat in enumerate(reading.passed):
        key = ("card", card.uid) if number == 0 else ("skipped", card.uid, seat)
        fields = {
            "seat": card.owner,
            "expected": seat,
            "k": card.k,
            "count": held.get(seat, 0),
            "need": scene.hand.need,
        }
        since = card.landing.since if card.landing else card.out_at
        yield Finding(
            key, "seat_skipped", fields, (card.uid,), seat_zone(seat), since, How.SKIP, confirmed=sure
        )


def _no_next_card(scene: Scene, card: Card) -> bool:
    """Nothing has left the deck since, long enough for a dealer to have stopped."""
    hand = scene.hand
    assert card.landing is not None  # noqa: S101 (by the caller)
    last = max(hand.last_out, card.landing.since)
    return not hand.in_flight and scene.now - last >= scene.setting.timing.next_card_ms


def short_seats(scene: Scene) -> Iterator[Finding]:
    """Seats that are short although the dealer has gone on: their antennas had their chance to see the card."""
    hand = scene.hand
    if hand.deal is None or hand.dealt_at is not None or hand.deal_closed_at is None or hand.voided:
        return
    held = hand.held()
    last = hand.deal.readings[-1].item.uid if hand.deal.readings else None
    # Cards without a tag that went by after the last one of the deal went to the seats that were due next.
    unread = [each for each in untagged(hand.passed, last, None) if each.t <= hand.deal_closed_at]
    for seat in dict.fromkeys(hand.deal.missing[len(unread) :]):
        zone, since = seat_zone(seat), hand.deal_closed_at
        if held.get(seat, 0) >= hand.need or not scene.sense.sees(zone):
            continue
        quiet = hand.in_flight_since(since) is None and not scene.sense.tracker.unsettled(
            zone, since - 1500, scene.now
        )
        looked = _looked_at_length(scene, seat)
        confirmed = quiet and looked >= SHORT_LOOKS and scene.sense.unread(zone, looked) <= SHORT_SURE
        fields = {"seat": seat, "count": held.get(seat, 0), "need": hand.need}
        yield Finding(("short", seat), "too_few_cards", fields, (), zone, since, confirmed=confirmed)


def _looked_at_length(scene: Scene, seat: int) -> int:
    """Looks at a short seat that would have shown its missing card: after the deal, while its others lay there."""
    hand, zone = scene.hand, seat_zone(seat)
    lifted = [card.since for card in hand.at_seat(seat) if card.zone != zone]
    dealt = max((card.out_at for card in hand.cards.values() if card.owner is not None), default=0)
    return scene.sense.tracker.polls_between(zone, dealt + DEALT_MS, min([scene.now, *lifted]))
