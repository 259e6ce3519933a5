"""The balance of the deck: what the stub must still hold, against what was counted there and what the hand still needs.

Owns: cards that are missing from the deck, and a stub that cannot finish the hand. Both rest on cards that were seen
to leave: a card that nobody saw leave makes the stub look too full, never too empty, so a stub that is too short
surely is. A missing card is sure only where nothing can have left unseen.
Refuses: cards that left the deck and arrived nowhere (`core.astray`).
"""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.core.explanation import How
from tablectl.core.finding import Finding, Scene
from tablectl.core.hand import Hand
from tablectl.core.later import listed, still_in

HEADS_UP = 2
"""With fewer players the hand is over."""


def missing_cards(scene: Scene) -> Iterator[Finding]:
    """The dealer counted fewer cards in the stub, or in the whole deck before the hand, than there must be."""
    hand, size = scene.hand, _size(scene)
    if size is None or not hand.announced or _strange(hand):
        return
    for number, (t, count, whole) in enumerate(_counts(hand)):
        expected = size if whole else size - _out(hand, t)
        if count < expected:
            sure = whole or _all_seen(scene, t)
            fields = {"count": count, "need": expected}
            yield Finding(("stub", number), "missing_card", fields, since=t, confirmed=sure)


def short_stub(scene: Scene) -> Iterator[Finding]:
    """What is left cannot finish the hand."""
    hand, size = scene.hand, _size(scene)
    if size is None or not hand.announced or hand.voided or hand.ended or hand.over_at is not None:
        return
    out, waiting = _out(hand, scene.now), _waiting(hand)
    left = [size - out]
    for t, count, whole in _counts(hand):
        if not whole and not (waiting and t >= _began(hand)):  # in mid-street: before or after which card?
            left.append(count - (out - _out(hand, t)))
    needed = cards_due(hand) + waiting
    # What is on its way has left the stub, and may be a card of these streets.
    flying = [
        card for card in hand.cards.values() if card.held and not (card.landing and card.landing.settled)
    ]
    if hand.deal_done and min(left) >= 0 and min(left) + len(flying) < needed:
        fields = {"count": min(left), "need": needed}
        yield Finding(("stub short",), "stub_short", fields, since=scene.now)


def cards_due(hand: Hand) -> int:
    """The fewest cards that must leave the deck before the showdown: the streets to come, with their burns.

    In stud a street has a card for every seat that is in. As long as the betting before it is open, or not known to
    be closed, all but two may fold yet; so it is with the streets after it.
    """
    to_come = hand.streets[hand.board.current + 1 :]
    if not to_come:
        return 0
    following = to_come[0]
    burnt = (
        hand.board.burn_paid
        or bool(hand.board.burns.get(following.key))
        or following.key in hand.base.no_burn
    )
    if not hand.game.to_seats:
        return sum(street.cards + 1 for street in to_come) - burnt
    closed = hand.betting.closed_at(following.after) is not None
    seats = max(HEADS_UP, len(still_in(hand)) if closed else 0)
    return following.cards * seats + sum(street.cards * HEADS_UP + 1 for street in to_come[1:]) + 1 - burnt


def _waiting(hand: Hand) -> int:
    """Stud: the seats that wait for a card of the street that is being dealt."""
    return sum(len(part.missing) for part in hand.later.values() if part.over_at is None)


def _began(hand: Hand) -> int:
    """When the first card of the street that is being dealt left the deck, ms."""
    readings = [reading for part in hand.later.values() if part.over_at is None for reading in part.readings]
    cards = listed(hand, (reading.item.uid for reading in readings))
    return min((card.out_at for card in cards), default=0)


def _size(scene: Scene) -> int | None:
    """How many different cards the deck in play has, jokers left out; None where its cards are not known."""
    return len(set(scene.deck.cards.values())) if scene.deck is not None else None


def _counts(hand: Hand) -> list[tuple[int, int, bool]]:
    """(t, count, whole deck) of every count that was entered; one before the hand is of the whole deck."""
    return [
        (t, args["count"], bool(args.get("whole")))
        for t, do, args in hand.entered.reported
        if do == "stub_count"
    ]


def _out(hand: Hand, t: int) -> int:
    """Cards known to be out of the deck at `t` (ms), those without a tag too."""
    cards = sum(
        card.out_at <= t and card.sort == "deck" and card.zone != "shoe" for card in hand.cards.values()
    )
    return cards + sum(each.uid is None and each.t <= t for each in hand.passed)


def _strange(hand: Hand) -> bool:
    """A card that is strange to the deck was dealt: then what the deck should hold is not known."""
    tokens = [card.token for card in hand.cards.values() if card.token is not None]
    return any(card.sort != "deck" for card in hand.cards.values()) or len(set(tokens)) < len(tokens)


def _all_seen(scene: Scene, t: int) -> bool:
    """Nothing left the deck unseen until then: the sensor at its mouth saw each, or the hand is complete."""
    hand = scene.hand
    left = [card for card in hand.cards.values() if card.out_at <= t]
    if hand.passed and sum(each.t <= t for each in hand.passed) <= len(left):
        return True
    regular = hand.deal is not None and all(reading.how is How.REGULAR for reading in hand.deal.readings)
    board, streets = hand.board, hand.streets[: hand.board.current + 1]
    shown = all(len(board.streets.get(street.key, ())) == hand.cards_on(street) for street in streets)
    burnt = all(len(board.burns.get(street.key, ())) == 1 for street in streets)
    return bool(regular and hand.dealt_at is not None and shown and burnt and hand.base.street < 0)
