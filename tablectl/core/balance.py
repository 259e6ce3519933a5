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
from tablectl.core.games import Street
from tablectl.core.hand import Hand


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
    left = [size - _out(hand, scene.now)]
    left += [
        count - (_out(hand, scene.now) - _out(hand, t)) for t, count, whole in _counts(hand) if not whole
    ]
    needed = cards_due(hand)
    if hand.deal_done and 0 <= min(left) < needed:
        fields = {"count": min(left), "need": needed}
        yield Finding(("stub short",), "stub_short", fields, since=scene.now)


def cards_due(hand: Hand) -> int:
    """The fewest cards that must still leave the deck before the showdown: the streets to come, and their burns.

    In stud, which deals to the seats, those of the next street: who will be in after it nobody knows.
    """
    to_come = hand.game.streets[hand.board.current + 1 :]
    if not to_come:
        return 0
    burnt = hand.board.burn_paid or bool(hand.board.burns.get(to_come[0].name))
    if hand.game.to_seats:
        return _fewest_in_stud(hand, to_come[0]) + 1 - burnt
    return sum(street.cards + 1 for street in to_come) - burnt


def _fewest_in_stud(hand: Hand, street: Street) -> int:
    """A card to each seat that is in once the betting before is over; to two of them at least while it is not."""
    settled = hand.betting.known and hand.betting.closed_at(street.after) is not None
    return hand.cards_on(street) if settled else 2 * street.cards


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
    board, streets = hand.board, hand.game.streets[: hand.board.current + 1]
    shown = all(len(board.streets.get(street.name, ())) == hand.cards_on(street) for street in streets)
    burnt = all(len(board.burns.get(street.name, ())) == 1 for street in streets)
    return bool(regular and hand.dealt_at is not None and shown and burnt and hand.base.street < 0)
