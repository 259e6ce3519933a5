"""Up and down: cards of stud that lie face up when they should lie face down, or the other way round.

No antenna sees a face. Where a seat has two, one for the cards that lie open in front of the player and one for those
that he keeps, a card that was dealt to the wrong one of them was dealt the wrong way up. Elsewhere the dealer says how
many cards of a seat lie open.
Owns: these two checks. Refuses: boxed and exposed cards, and what follows (`core.rulebook`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tablectl.core.card import Card
from tablectl.core.explanation import How, Part
from tablectl.core.finding import Finding, Scene
from tablectl.core.hand import Hand
from tablectl.layout import is_up, seat_zone

WRONG_HALF_MS = 600
"""A card that was thrown too far, or too short, is pulled to its place before this."""
WRONG_HALF_SURE = -6.0
"""ln of how much less likely than that it lies in the other half of the seat, and is only read from here."""


def wrong_faces(scene: Scene) -> Iterator[Finding]:
    """Cards in the wrong half of their seat, and wrong numbers of up cards that the dealer entered."""
    hand = scene.hand
    if not hand.game.up or hand.voided:
        return
    over = hand.over_at
    for part in hand.parts:
        for card, up, count, need in _misplaced(hand, part):
            assert card.owner is not None and card.landing is not None  # noqa: S101, PT018 (by _misplaced)
            if over is not None and card.landing.since > over:
                continue
            right = scene.sense.layout.place_of(card.owner, up=up)
            fields = {
                "seat": card.owner, "k": card.k, "zone": card.landing.zone, "street": part.street, "count": count,
                "need": need,
            }  # fmt: skip
            # A player who had it in his hand may have put it down in the other half; so may who collects the cards.
            confirmed = over is None and not card.found_late and _lies_there(scene, card, right)
            yield Finding(
                ("face", card.uid), "up_card_error", fields, (card.uid,), right, card.landing.since,
                confirmed=confirmed,
            )  # fmt: skip
    yield from _entered(scene)


def _misplaced(hand: Hand, part: Part) -> Iterator[tuple[Card, bool, int, int]]:
    """(card, whether it should lie up, up cards of its seat with it, how many there should be)."""
    # Of a seat that was passed over, or has a card that nobody read, it is not known which of its cards this is.
    unsure = {seat for reading in part.readings for seat in reading.passed}
    dealt: dict[int, list[tuple[Card, bool, bool]]] = {seat: [] for seat in part.order}
    for reading in part.readings:
        card = hand.cards.get(reading.item.uid)
        face = is_up(card.landing.zone) if card is not None and card.landing is not None else None
        if (
            card is None
            or card.in_passing
            or card.owner in unsure
            or card.owner not in dealt
            or reading.served is None
            or face is None
        ):
            continue  # no card that was due, or no antenna tells
        if reading.how is not How.REGULAR:
            continue  # it is another slip, or it may be
        dealt[card.owner].append((card, _due(hand, part, reading.served), face))
    for cards in dealt.values():
        yield from _of_seat(cards)


def _due(hand: Hand, part: Part, served: int) -> bool:
    """The card that was dealt at that place should lie face up."""
    if part.street is not None:
        return hand.game.street(part.street).up is True
    return hand.game.up[served // len(part.order)]


def _of_seat(cards: list[tuple[Card, bool, bool]]) -> Iterator[tuple[Card, bool, int, int]]:
    """An up card in place of a down card, unless it makes good for an earlier one; and the other way round.

    One of the first two cards of seven-card stud that came face up stays, and the third is dealt face down (TDA
    RP-10A): this is no second slip.
    """
    count = need = 0
    for card, up, face in cards:
        owed = need - count
        need += up
        count += face
        if face is not up and (owed <= 0 if face else owed >= 0):
            yield card, up, count, need


def _lies_there(scene: Scene, card: Card, right: str) -> bool:
    """The card has come to rest there, and it is not the antenna of the other half that would read it better."""
    landing, tracker = card.landing, scene.sense.tracker
    if landing is None or not landing.settled or tracker.place(card.uid) != landing.zone:
        return False
    if scene.now - landing.since < WRONG_HALF_MS:
        return False
    return not scene.sense.sees(right) or tracker.doubt(card.uid, right) <= WRONG_HALF_SURE


def _entered(scene: Scene) -> Iterator[Finding]:
    """The dealer says how many up cards a seat has: for the cards it had then, in the opening deal."""
    hand, layout = scene.hand, scene.sense.layout
    last: Mapping[int, tuple[int, int]] = {
        args["seat"]: (t, args["count"]) for t, do, args in hand.entered.reported if do == "up_cards"
    }
    for seat, (t, count) in last.items():
        dealt = [hand.cards.get(reading.item.uid) for reading in hand.opening.readings]
        cards = [
            card for card in dealt if card and card.owner == seat and card.landing and card.landing.since <= t
        ]
        need = hand.game.up_cards(len(cards))
        if count != need and cards and not layout.tells_faces(seat):
            fields = {"seat": seat, "count": count, "need": need, "zone": seat_zone(seat)}
            yield Finding(("up cards", seat), "up_card_error", fields, since=t)
