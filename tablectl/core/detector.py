"""What is irregular about a hand, from its reading.

Owns: one `Finding` per slip, and whether it is confirmed. It is a function of the hand as it stands: a finding
that is not found again has been corrected or was none.
Refuses: rulings, ids, and accusing on absence. Every finding rests on where a card *is*, on an input, or on a
card seen to leave; what an antenna did not see only ever holds a finding back, or clears it.

One slip is one finding. Each has a key; the findings of one card share it, and the first one found stands: the
order of the checks in `find`, and of the branches in `core.slips`, is the order of the contract.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablectl.core import evidence
from tablectl.core.explanation import How
from tablectl.core.faces import wrong_faces
from tablectl.core.finding import SHORT_LOOKS, Finding, Scene
from tablectl.core.hand import Card, Hand
from tablectl.core.slips import deal_slips, short_seats
from tablectl.core.streets import Slip
from tablectl.layout import ASIDE, BURN, MUCK, SHOE, is_board, is_community, lies_in, seat_of, seat_zone

BURN_SURE = -7.0
"""ln P(an unseen burn) below which the burn is missing."""
SHORT_SURE = -8.3
"""The same for a board card that is missing."""
MOVED_SURE = -7.0
"""ln of how much less likely than that it still lies where it was dealt and a neighbour's antenna reads it."""
LIES_SURE = 6.0
"""Log odds at which a card surely lies on the board …"""
LIES_WELL = 5.0
"""… for a burn that the slip also rests on …"""
LIES_FAIRLY = 3.0
"""… good enough for a card that was there before …"""
LIES_SURE_IN_DEAL = 10.0
"""… and while cards are pitched over it."""
SHOWN = frozenset({"premature_card", "burn_missing", "too_many_board_cards"})
"""Slips that stand or fall with one card's lying on the board."""
LOST_SHARE = 5e-4
"""So few cards may lie hardly readable at this table, if one that is nowhere is to be called lost."""
SOON_MS = 20
LATER_MS = 100
"""How soon a hand is read again while only time can settle a finding, or a wait of seconds."""
LEFT_PERHAPS, LEFT_SURE = 4.0, 6.5
"""How unlikely (nats) it must be that a card in the muck still lies at its seat."""
MOVED_PERHAPS = -5.0
WELL_READ = 0.3
"""A card that is read in a smaller share of the looks is not well read."""
MOVING_MS = 800
"""A card is pushed over another seat on its way for no longer than this."""
MOVED_MS = 1500
"""A card that rests at another seat this long is not merely being pushed about."""
STILL_LOOKS = 6
"""Looks at the board without another card, after which a street counts as complete."""
SPREAD_MS = 2500
"""By then the cards of a flop lie there, even if the board reads them badly."""
MOUTH_MS = 2000
"""A wrong card that rests at the mouth of the shoe this long is reported where it is."""

LYING = frozenset({"board", "short", "mucked", "lost", "after end"})
"""Keys of findings that rest on where cards lie now, not on where they came to rest first."""


def find(scene: Scene) -> list[Finding]:
    """All findings of the hand, one for each key."""
    found: dict[tuple[Any, ...], Finding] = {}
    checks = (
        _odd_cards,
        deal_slips,
        wrong_faces,
        _board_slips,
        short_seats,
        _other_hands,
        _mucked,
        _lost,
        _after_end,
        _entered,
    )
    for check in checks:
        for finding in check(scene):
            found.setdefault(finding.key, finding)
    return list(found.values())


def stands(hand: Hand, finding: Finding) -> bool:
    """A confirmed finding that is not found any more stands, unless the cards or an input took it back.

    Findings that rest on where cards lie now vanish when these are moved by hand: that takes nothing back.
    """
    rests_on = finding.key[0]
    if rests_on == "moved":
        card = hand.cards.get(finding.cards[0])
        return card is not None and card.owner is not None and not lies_in(card.zone, seat_zone(card.owner))
    lying = rests_on in LYING or finding.kind == "card_lost"
    return lying and (hand.settled_history or hand.emptied())


def next_look(scene: Scene, findings: list[Finding]) -> int | None:
    """In how many ms time alone may change the findings, so that the hand must be read again; None: never."""
    hand = scene.hand
    unseen = any(reading.how in {How.UNSEEN, How.MISLAID} for reading in hand.readings())
    if unseen or any(not finding.confirmed for finding in findings):
        return SOON_MS
    short = any(part.closed_at is not None and part.dealt_at is None for part in hand.parts)
    if short or hand.in_flight or hand.emptied() or any(card.zone is None for card in hand.cards.values()):
        return LATER_MS
    if any(card.zone and seat_of(card.zone) not in {None, card.owner} for card in hand.cards.values()):
        return LATER_MS
    if any(card.zone == MUCK and card.owner not in hand.betting.folded for card in hand.cards.values()):
        return LATER_MS
    return None


def _odd_cards(scene: Scene) -> Iterator[Finding]:
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


def _board_slips(scene: Scene) -> Iterator[Finding]:
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
        fields: dict[str, Any] = {"street": slip.street, "count": slip.count, "need": slip.need}
        card = hand.cards.get(slip.uid)
        if slip.kind != "too_few_board_cards" and card is not None:
            fields |= {"k": card.k, "zone": card.landing.zone if card.landing else None}
            if card.owner is not None and slip.kind == "premature_card":
                fields["seat"] = card.owner
        key = ("board", slip.street, slip.kind)
        confirmed = _board_sure(scene, slip)
        yield Finding(key, slip.kind, fields, slip.cards, SHOE, slip.since, confirmed=confirmed)


def _board_sure(scene: Scene, slip: Slip) -> bool:
    hand, sense = scene.hand, scene.sense
    if slip.kind in SHOWN and not _surely_on_board(scene, slip.uid):
        return False
    if slip.kind == "burn_missing":
        unseen = sense.unseen(BURN, slip.since, evidence.BURNED)
        perhaps = any(_may_be_burnt(scene, slip, card) for card in hand.cards.values())
        return unseen <= BURN_SURE and hand.in_flight_since(slip.since) is None and not perhaps
    if slip.kind == "too_few_board_cards":
        unseen = max(
            (sense.unseen(zone, slip.since, evidence.SPREAD) for zone in sense.layout.board_zones),
            default=0.0,
        )
        shown_by = hand.cards.get(slip.uid)
        if shown_by is not None and shown_by.zone == BURN and not _surely_burnt(scene, slip.uid):
            return False  # it may be the very card that is missing
        unplaced = any(_may_lie_unseen(scene, slip, card) for card in hand.cards.values())
        return sense.sees_board() and unseen <= SHORT_SURE and not hand.in_flight and not unplaced
    if slip.kind == "burn_extra":
        burns = hand.board.burns.get(slip.street, [])
        # A board card that is not seen yet may have come between the two burns.
        return hand.in_flight_since(slip.since) is None and all(_surely_burnt(scene, uid) for uid in burns)
    if slip.kind == "premature_card":
        if not all(_surely_burnt(scene, uid) for uid in hand.board.burns.get(slip.street, [])):
            return False  # what seems to be the burn may be a card of the street before
        # In mid-deal it is one card that went astray; else its count is told once all of a flop lie there.
        # In stud each card of it is dealt to another seat: the first one is told at once.
        return not hand.deal_done or hand.game.to_seats or _at_rest(scene, slip)
    # Too many: each card of the street must lie there, or one of them may be the burn.
    lying = hand.board.streets.get(slip.street, [])
    burnt = hand.board.burns.get(slip.street) or not sense.sees(BURN)
    needed = LIES_FAIRLY if burnt else LIES_SURE_IN_DEAL
    return all(sense.tracker.certainty(uid) >= needed for uid in lying)


def _surely_on_board(scene: Scene, uid: str) -> bool:
    """The card that shows the slip lies on the board; it does not merely pass over it, or lie next to it.

    In stud the same of a seat, over which other cards are pitched.
    """
    tracker, to_seats = scene.sense.tracker, scene.hand.game.to_seats
    place = tracker.place(uid)
    needed = LIES_SURE if scene.hand.deal_done and not to_seats else LIES_SURE_IN_DEAL
    lies = place is not None and (seat_of(place) is not None if to_seats else is_board(place))
    return lies and tracker.certainty(uid) >= needed


def _surely_burnt(scene: Scene, uid: str) -> bool:
    """The card lies on the burn pile, not beside it on the board or in the muck."""
    tracker = scene.sense.tracker
    return tracker.place(uid) == BURN and tracker.certainty(uid) >= LIES_WELL


def _may_be_burnt(scene: Scene, slip: Slip, card: Card) -> bool:
    """The card came to the board of late, and so badly that it may be the burn, read from there."""
    came = card.landing is not None and is_board(card.landing.zone) and card.uid != slip.uid
    late = card.landing is not None and card.landing.since >= slip.since - SPREAD_MS
    return came and late and scene.sense.tracker.certainty(card.uid) < LIES_FAIRLY


def _may_lie_unseen(scene: Scene, slip: Slip, card: Card) -> bool:
    """The card left the deck with those of the street, and where it lies now is not sure: it may lie among them."""
    hand, tracker = scene.hand, scene.sense.tracker
    street = hand.board.streets.get(slip.street, [])
    left = [hand.cards[uid].out_at for uid in street]
    if not card.from_shoe or card.uid in street or not left:
        return False
    with_them = min(left) - SPREAD_MS <= card.shoe_read <= max(left) + SPREAD_MS
    return with_them and (card.found or card.landing is None or tracker.certainty(card.uid) < LIES_WELL)


def _at_rest(scene: Scene, slip: Slip) -> bool:
    """All cards of the street lie there, or no more have come for a moment: then its count can be told."""
    hand = scene.hand
    index = [street.name for street in hand.game.streets].index(slip.street)
    if hand.board.counts.get(index, 0) >= hand.game.streets[index].cards:
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


def _other_hands(scene: Scene) -> Iterator[Finding]:
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


def _mucked(scene: Scene) -> Iterator[Finding]:
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
        since = max(card.since for card in hand.at_seat(seat))
        late = scene.now - since
        if late < scene.setting.timing.fold_grace_ms // 2:
            continue  # folds are entered a moment after the cards are in; that is no suspicion yet
        confirmed = late >= scene.setting.timing.fold_grace_ms and min(left) >= LEFT_SURE
        fields = {"seat": seat, "count": len(mucked), "zone": MUCK}
        yield Finding(
            ("mucked", seat), "hand_mucked", fields, tuple(c.uid for c in mucked), seat_zone(seat), since,
            confirmed=confirmed,
        )  # fmt: skip


def _left(scene: Scene, card: Card) -> float:
    """How unlikely (nats) it is that the card still lies at its seat, where other antennas read it better."""
    tracker = scene.sense.tracker
    if card.zone is None:
        return tracker.absence(card.uid)
    return -scene.sense.doubt_of_seat(card.uid, card.owner) if card.owner is not None else 0.0


def _lost(scene: Scene) -> Iterator[Finding]:
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


def _after_end(scene: Scene) -> Iterator[Finding]:
    """Cards dealt to the board, the burn or a seat after the hand was decided."""
    hand = scene.hand
    if hand.over_at is None or hand.voided:
        return
    late = [
        card
        for card in hand.in_order()
        if card.landing is not None and card.landing.settled and card.landing.since > hand.over_at and not card.found
        and (is_community(card.landing.zone) or seat_of(card.landing.zone) is not None)
    ]  # fmt: skip
    if late and late[0].landing:
        fields = {
            "k": late[0].k,
            "zone": late[0].landing.zone,
            "seat": seat_of(late[0].landing.zone),
            "count": len(late),
        }
        uids = tuple(card.uid for card in late)
        yield Finding(("after end",), "dealt_after_end", fields, uids, SHOE, late[0].landing.since)


def _entered(scene: Scene) -> Iterator[Finding]:
    """Irregularities that only the dealer can know of."""
    hand, entered = scene.hand, scene.hand.entered
    if hand.announced:
        if "shuffle" in scene.setting.confirms and not entered.shuffled:
            yield Finding(("not shuffled",), "not_shuffled", {}, since=hand.started_at)
        if "cut" in scene.setting.confirms and not entered.cut:
            yield Finding(("not cut",), "not_cut", {}, since=hand.started_at)
    before, button = hand.button_before, hand.setup.button
    if before is not None and button != before:
        yield Finding(
            ("button",), "button_misplaced", {"seat": button, "expected": before}, since=hand.started_at
        )
    if entered.cut_exposed:
        yield Finding(("cut",), "exposed_in_cut", {"count": entered.cut_exposed})
    for number, (t, seat, k, by) in enumerate(entered.exposed):
        at_seat = sorted(card.k for card in hand.at_seat(seat) if card.k is not None and card.out_at <= t)
        fields = {"seat": seat, "k": k if k is not None else (at_seat[-1] if at_seat else None), "by": by}
        yield Finding(("exposed", number), "exposed_card", fields, since=t)
    for number, (t, do, args) in enumerate(entered.reported):
        kind = {"damaged": "damaged_card", "stub_disordered": "stub_disordered"}.get(do)
        if kind is not None:
            fields = {key: args[key] for key in ("seat", "k", "zone") if args.get(key) is not None}
            yield Finding(("entered", number), kind, fields, since=t)
