"""Which seats have all their cards of the deal, for a light that says so to the dealer.

Owns: when a seat counts as served, and when the hand has gone on so that nobody needs to be told any more.
Refuses: judging: a seat that is not served is no irregularity, and the light is no evidence.
"""

from __future__ import annotations

from tablectl.core.hand import Hand
from tablectl.layout import MUCK, is_community

SHOWN_MS = 5000
"""How long after the last card of the deal it is told at most: where no betting is entered, nothing else ends it."""


def served_seats(hand: Hand | None, now: int) -> frozenset[int]:
    """The seats whose cards of the deal were all read at rest; none once the hand has gone on. `now` in ms."""
    if hand is None or not hand.announced or hand.ended or hand.voided or _has_gone_on(hand, now):
        return frozenset()
    return frozenset(seat for seat, cards in hand.held().items() if cards == hand.need)


def _has_gone_on(hand: Hand, now: int) -> bool:
    """An action, a card beyond the deal, a hand given up, or simply the time."""
    if hand.betting.actions or hand.betting.closed or hand.over_at is not None:
        return True
    if hand.deal_over_at is not None and now - hand.deal_over_at > SHOWN_MS:
        return True
    places = {card.zone for card in hand.cards.values()}
    places |= {card.landing.zone for card in hand.cards.values() if card.landing is not None}
    return any(zone == MUCK or is_community(zone) for zone in places if zone is not None)
