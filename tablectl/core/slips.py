"""Slips in the deal: cards at the wrong seat, seats passed over, seats with too many or too few cards.

The opening deal is judged, and in stud every later street in the same way.
Owns: the checks on the explanations of the deal (`core.order`). Refuses: the board, burns, and what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablectl.core.card import Card
from tablectl.core.evidence import SLIDE_MS
from tablectl.core.explanation import SLIPS, How, Part, Reading
from tablectl.core.finding import SHORT_LOOKS, Finding, Scene
from tablectl.core.passages import untagged
from tablectl.layout import ASIDE, MUCK, SHOE, lies_in, seat_zone

SURE = 3.5
"""Margin (nats) at which a slip in the deal is confirmed at a table whose cards are read well: 10,000 hands of 20
cards, one slip in 1,000 cards, and 200 · e^-3.5 = 6 wrong accusations if every margin were that small …"""
LASTING, LASTS_MS = 2.0, 1500
"""… which falls to this for a card that has lain there so long: all looks are in then that could still explain it away.
Of 1,390 clean simulated hands none in light noise and one in heavy noise had a higher margin at that time …"""
WELL_MISSED, POORLY = 0.2, 10.0
"""… and so much more is asked where more looks than that share miss their card: there the models hold less well."""
SHORT_SURE = -8.0
"""ln P(a card that nobody has read lies there) below which a seat is short."""
LIES = 2.5
"""Log odds at which a card still lies where it came to rest."""
ORDER_MS = 2000
"""On a later street of stud the cards that left before it mostly lie still by then, so that the order is known."""
DEALT_MS = 800
"""A card that left the shoe lies at its seat by then, and was read there."""


def deal_slips(scene: Scene) -> Iterator[Finding]:
    """Cards of the deal at the wrong seat, in the order of the explanation with the fewest slips."""
    hand = scene.hand
    over = hand.over_at
    found = any(card.found for card in hand.cards.values())
    for part in hand.parts:
        for index, reading in enumerate(part.readings):
            card = hand.cards.get(reading.item.uid)
            if card is None or reading.how not in SLIPS or card.landing is None or reading.item.seat is None:
                continue
            if over is not None and card.landing.since > over:
                continue
            first = index == 0 and not found and part.street is None
            yield from _deal_slip(scene, part, reading, card, first=first)


def _deal_slip(scene: Scene, part: Part, reading: Reading, card: Card, *, first: bool) -> Iterator[Finding]:
    hand, seat = scene.hand, reading.item.seat
    assert seat is not None and card.landing is not None  # noqa: S101, PT018 (by the caller)
    needed = LASTING if _has_lain(scene, card) else SURE
    needed += POORLY * max(0.0, scene.sense.tracker.experience.supposed_missed - WELL_MISSED)
    sure = reading.sure >= needed or card.uid in hand.pinned
    # However well it is read: until then it may be a slow slide over the neighbour of its place.
    sure = sure and scene.now - card.landing.since > SLIDE_MS
    # Nor what its own looks have made doubtful since.
    sure = sure and (card.zone != card.landing.zone or scene.sense.tracker.certainty(card.uid) >= LIES)
    if part.street is not None and card.uid not in hand.pinned:
        sure = sure and _order_known(scene, part, card)
    fields: dict[str, Any] = {"seat": seat, "expected": reading.due, "k": card.k, "zone": card.landing.zone}
    right = seat_zone(reading.due) if reading.due is not None else SHOE
    earlier = [c for c in hand.at_seat(seat) if c.out_at < card.out_at and c.landing]
    if part.street is not None:
        fields["street"] = part.street
        of_part = {each.item.uid for each in part.readings}
        earlier = [c for c in earlier if c.uid in of_part]
    if seat not in part.order:
        kind, decided = "ineligible_seat", True
    elif first:
        kind, decided = "wrong_first_seat", True
    elif len(earlier) >= part.need:
        kind, decided = "too_many_cards", True
        need = hand.need_in(part)
        fields |= {"count": need + len(earlier) + 1 - part.need, "need": need}
    elif _is_skip(scene, part, reading, card):
        yield from _skipped(scene, part, reading, card, sure=sure)
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


def _order_known(scene: Scene, part: Part, card: Card) -> bool:
    """The cards that left before this one lie where they are found: none may be the slip, or the street's burn."""
    assert card.landing is not None  # noqa: S101 (by the caller)
    items = [reading.item for reading in part.readings]
    before = items[: [item.uid for item in items].index(card.uid)]
    known = all(item.settled and item.seat is not None for item in before) and all(
        each.landing is not None and each.landing.settled
        for each in scene.hand.cards.values()
        if each.out_at < card.out_at
    )
    return known or scene.now - card.landing.since >= ORDER_MS


def _is_skip(scene: Scene, part: Part, reading: Reading, card: Card) -> bool:
    """A seat was passed over: the later seats got theirs in the right order, or there are none left to wait for."""
    hand = scene.hand
    if reading.how is not How.SKIP or hand.pinned.get(card.uid, How.SKIP) is not How.SKIP:
        return False
    complete = part.explanation is not None and not part.missing
    return reading.decided or (complete and _no_next_card(scene, card))


def _skipped(scene: Scene, part: Part, reading: Reading, card: Card, *, sure: bool) -> Iterator[Finding]:
    """The first seat passed over carries the card's key: a suspicion of a wrong seat becomes this."""
    held, need = scene.hand.held_by(part), scene.hand.need_in(part)
    for number, seat in enumerate(reading.passed):
        if _gets_two(scene, part, seat):
            continue
        waits = part.street is None and seat == scene.hand.may_get_two and _may_get_two(part, reading)
        key = ("card", card.uid) if number == 0 else ("skipped", card.uid, seat)
        fields = {
            "seat": card.owner,
            "expected": seat,
            "k": card.k,
            "count": held.get(seat, 0),
            "need": need,
            "street": part.street,
        }
        since = card.landing.since if card.landing else card.out_at
        yield Finding(
            key, "seat_skipped", fields, (card.uid,), seat_zone(seat), since, How.SKIP,
            confirmed=sure and not _may_have_got_one(scene, part, seat) and (not waits or _no_next_card(scene, card)),
        )  # fmt: skip


def _may_have_got_one(scene: Scene, part: Part, seat: int) -> bool:
    """A card lies there, or is just found there, that may be its own after all, whatever else explains it."""
    mislaid = any(each.how is How.MISLAID and each.item.seat == seat for each in part.readings)
    return mislaid or any(card.in_passing and card.owner == seat for card in scene.hand.cards.values())


def _may_get_two(part: Part, reading: Reading) -> bool:
    """The button was passed over before the last round: it may lawfully get two cards in a row yet (TDA 35-B)."""
    return reading.position < (part.need - 1) * len(part.order)


def _gets_two(scene: Scene, part: Part, seat: int) -> bool:
    """The button was passed over and got two cards in a row at the end of the deal: it has all of its cards."""
    ends = [reading.item.seat for reading in part.readings[-2:]]
    button = part.street is None and seat == scene.hand.may_get_two
    return button and ends == [seat, seat] and scene.hand.held_by(part).get(seat) == part.need


def _no_next_card(scene: Scene, card: Card) -> bool:
    """Nothing has left the deck since, long enough for a dealer to have stopped; he may be putting it right."""
    hand, timing = scene.hand, scene.setting.timing
    assert card.landing is not None  # noqa: S101 (by the caller)
    moved = card.zone != card.landing.zone
    if moved and scene.now - card.landing.since < timing.correct_ms:
        return False
    last = max(hand.last_out, card.landing.since)
    return not hand.in_flight and scene.now - last >= timing.next_card_ms


def short_seats(scene: Scene) -> Iterator[Finding]:
    """Seats that are short although the dealer has gone on: their antennas had their chance to see the card."""
    for part in scene.hand.parts:
        if part.explanation is not None and part.dealt_at is None and part.closed_at is not None:
            yield from _short_of(scene, part, part.closed_at)


def _short_of(scene: Scene, part: Part, since: int) -> Iterator[Finding]:
    hand, sense = scene.hand, scene.sense
    if hand.voided:
        return
    held, need = hand.held_by(part), hand.need_in(part)
    last = part.readings[-1].item.uid if part.readings else None
    # Cards without a tag that went by after the last one of the deal went to the seats that were due next.
    unread = [each for each in untagged(hand.passed, last, None) if each.t <= since]
    for seat in dict.fromkeys(part.missing[len(unread) :]):
        if held.get(seat, 0) >= need or not sense.sees_seat(seat):
            continue
        zones = sense.layout.seat_zones(seat)
        quiet = (
            hand.over_at is None
            and hand.in_flight_since(since) is None
            and not any(sense.tracker.unsettled(zone, since - 1500, scene.now) for zone in zones)
        )
        looked = {zone: _looked_at_length(scene, part, seat, zone) for zone in zones}
        seen = all(
            looks >= SHORT_LOOKS and sense.unread(zone, looks) <= SHORT_SURE for zone, looks in looked.items()
        )
        if any(_may_be_missing(card, part, since) for card in hand.cards.values()):
            seen = False
        if not seen and seat in hand.betting.folded:
            continue  # nobody will ever see what it had
        fields = {"seat": seat, "count": held.get(seat, 0), "need": need, "street": part.street}
        key = ("short", seat) if part.street is None else ("short", seat, part.street)
        yield Finding(key, "too_few_cards", fields, (), seat_zone(seat), since, confirmed=quiet and seen)


def _may_be_missing(card: Card, part: Part, since: int) -> bool:
    """It lay somewhere, unread, before it was gathered with a hand: it may be what a seat seems to be short of."""
    if part.street is None:
        return card.found and card.from_shoe and card.owner is None and card.out_at < since
    return card.landing is not None and card.landing.zone in {MUCK, ASIDE}


def _looked_at_length(scene: Scene, part: Part, seat: int, zone: str) -> int:
    """Looks at a short seat that would have shown its missing card: after the deal, until it folded or took one up."""
    hand = scene.hand
    lifted = [card.since for card in hand.at_seat(seat) if not lies_in(card.zone, seat_zone(seat))]
    lifted += [each.t for each in hand.betting.actions if each.seat == seat and each.action == "fold"]
    if part.street is None and not hand.later:
        cards = [card for card in hand.cards.values() if card.owner is not None]
    else:
        cards = [hand.cards[reading.item.uid] for reading in part.readings]
    dealt = max((card.out_at for card in cards), default=0)
    return scene.sense.tracker.polls_between(zone, dealt + DEALT_MS, min([scene.now, *lifted]))
