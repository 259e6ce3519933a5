"""Cards that leave the shoe and come to rest: what their movements mean for the hand in play.

Owns: which card of the hand a movement is of, when it left the deck, and whether it was put right in time.
Refuses: when a hand begins and ends (`core.table`, `core.handover`), and whether the place is the right one.
"""

from __future__ import annotations

from collections.abc import Callable

from tablectl.core.card import FLIGHT_MS, Card
from tablectl.core.docket import Docket
from tablectl.core.hand import Hand
from tablectl.core.handover import Handover
from tablectl.core.handwork import Happening
from tablectl.core.sense import Sense
from tablectl.core.track import Placed
from tablectl.layout import ASIDE, MUCK, SHOE, lies_in

PASSED_MS = 600
"""A card that comes to rest elsewhere this soon was only sliding over the place where it seemed to lie."""
FIRST_CARDS_MS = 2500
"""A hand begins with the first card that is found; others may have left the deck before it, this long ago …"""
UNREAD_MS = 3000
"""… and one that the shoe read may first be found after it, so long after the shoe (assumption)."""


class Arrivals:
    """What comes from the shoe to the felt. `sort` tells of a UID what it is (deck, joker, foreign) and its token."""

    def __init__(self, sense: Sense, sort: Callable[[str], tuple[str, str | None]], correct_ms: int) -> None:
        self._sense = sense
        self._sort = sort
        self._correct_ms = correct_ms

    def leave_shoe(self, hand: Hand, now: int, handover: Handover) -> bool:
        """Cards that left the shoe and are nowhere yet belong to the hand: the next place is theirs."""
        found, shoe = False, self._sense.shoe
        for uid, last in shoe.left(now, lambda uid: uid in hand.cards or handover.is_left_over(uid)):
            dealt_before = max(hand.dealt_before(uid), handover.on_felt(uid))
            if last >= hand.started_at - FIRST_CARDS_MS and last > dealt_before:
                hand.left_shoe(self._card(uid, last, from_shoe=True))
                found = True
        for card in hand.outstanding:
            last_read = shoe.last_read(card.uid, card.out_at)
            if card.landing is not None and last_read is not None and last_read > card.landing.since:
                continue  # it lies near the shoe, whose antenna reads it from there
            if last_read is not None and last_read > card.out_at and shoe.is_in_front(card.uid):
                card.out_at = card.shoe_read = last_read  # it had not left yet
                found = True
        return found

    def place(self, hand: Hand, docket: Docket | None, placed: Placed, now: int) -> Happening | None:
        """A card came to rest, or probably did; returns what a remedy may have waited for."""
        card = self._known_card(hand, docket, placed, now) or self._new_card(hand, placed)
        if card is None:
            return None
        if card.landing is None and not card.from_shoe:
            card.found = self._sense.lay_there(placed.zone, placed.since)
        self._date_anew(card, placed)
        came_from = card.landing.zone if card.landing is not None and card.landing.settled else None
        moved = placed.settled and came_from is not None
        if not (moved and self._corrects(hand, docket, card, placed)):
            if moved and _only_passed(docket, card, placed):
                hand.revise(card, placed.zone, placed.since)
            hand.placed(card, placed.zone, placed.since, placed.t, settled=placed.settled)
        if not placed.settled or came_from == placed.zone:
            return None
        return Happening(placed.t, card.uid, placed.zone, came_from=came_from)

    @staticmethod
    def _known_card(hand: Hand, docket: Docket | None, placed: Placed, now: int) -> Card | None:
        """The card, if this hand knows it; one that a remedy shuffled in comes from the deck, as a new one."""
        card = hand.cards.get(placed.uid)
        if card is None or placed.zone == SHOE or docket is None:
            return card
        if not docket.comes_back(placed.uid, now):
            return card
        hand.back_in_deck(card)
        return None

    def _new_card(self, hand: Hand, placed: Placed) -> Card | None:
        """A card that nobody saw leave the deck has come to rest; None if it is none of this hand."""
        since = max(hand.started_at - UNREAD_MS, hand.dealt_before(placed.uid) + 1)
        last = self._sense.shoe.last_read(placed.uid, since)
        if placed.zone == SHOE or (placed.zone in {MUCK, ASIDE} and last is None):
            return None
        if last is not None and last <= placed.since + FLIGHT_MS:
            return self._card(placed.uid, last, from_shoe=True)
        return self._card(placed.uid, placed.since - FLIGHT_MS, from_shoe=False)

    def _date_anew(self, card: Card, placed: Placed) -> None:
        """The card had not left the shoe yet when it seemed to have; or it was read at the mouth from elsewhere."""
        if not card.from_shoe or (card.landing is not None and card.landing.settled):
            return
        if card.landing is None:
            last = self._sense.shoe.last_read(card.uid, card.shoe_read)
            if last is not None and last <= placed.since:
                card.out_at = card.shoe_read = last
        card.surely_there = self._sense.shoe.read_before(card.uid, placed.around)

    def _corrects(self, hand: Hand, docket: Docket | None, card: Card, placed: Placed) -> bool:
        """The card reached its right place in time: what happened before does not count."""
        if docket is None or card.landing is None or docket.under_way():
            return False
        right = docket.right_place(card.uid) or hand.due_place(card.uid)
        wrong = card.landing.since
        in_time = placed.since - wrong <= self._correct_ms
        others_left = any(c.uid != card.uid and c.out_at > wrong for c in hand.cards.values())
        arrived = right is not None and lies_in(placed.zone, right)
        if not arrived or not in_time or others_left or hand.last_action_at > wrong:
            return False
        hand.correct(card, placed.zone, placed.since)
        if placed.zone != SHOE:
            card.zone, card.since = placed.zone, placed.since
        return True

    def _card(self, uid: str, out_at: int, *, from_shoe: bool) -> Card:
        sort, token = self._sort(uid)
        return Card(uid, sort, token, out_at, from_shoe, shoe_read=out_at if from_shoe else 0)


def _only_passed(docket: Docket | None, card: Card, placed: Placed) -> bool:
    """The card is found elsewhere so soon that its first place was none, unless that was told already."""
    assert card.landing is not None  # noqa: S101 (by the caller)
    told = docket is not None and docket.tells(card.uid)
    soon = placed.since - card.landing.since <= PASSED_MS
    return soon and not told and placed.zone not in {SHOE, card.landing.zone}
