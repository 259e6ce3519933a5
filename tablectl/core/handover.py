"""From one hand to the next: which card begins a hand, and when the last one's cards are gathered.

Owns: the cards left over from earlier hands, and the signs of a hand's beginning and end. Hands are told apart
by the cards themselves; what the dealer enters (`hand_end`, `shuffle_done`) only helps.
Refuses: what happens at a beginning or an end (`core.table`).
"""

from __future__ import annotations

from tablectl.core.card import Card
from tablectl.core.hand import Hand
from tablectl.core.runs import to_come
from tablectl.core.settings import Timing
from tablectl.core.shoe import Shoe
from tablectl.core.track import Placed
from tablectl.core.tracker import Tracker
from tablectl.core.watch import Watch
from tablectl.layout import SHOE, is_board, seat_of

AROUND_MS = 600
"""A card from the deck is read nowhere else earlier than this before it lands: a throw takes less."""
GATHER_MS = 2000
"""A card of the last hand is dealt again no sooner than this after it was read last: the deck is shuffled first."""
RESTART_MS = 1500
"""In mid-deal the seats must be empty this long before another card begins a new deal."""
MANY = 3
"""Before so many cards lay there a player may hold them all; where the deal was not seen they need not be of one."""
DESERTED_MS = 20_000
"""Empty seats this long end a hand that showed no other sign of its end."""
DEALT_WITHIN_MS = 3000
"""A card that was read at the shoe is dealt this soon after."""
SHOE_AGAIN_MS = 10_000
"""A left-over card that was read at the shoe this recently is in the deck again."""


def lies_in_play(zone: str) -> bool:
    """A seat, or the board."""
    return seat_of(zone) is not None or is_board(zone)


class Handover:
    """What is remembered between two hands."""

    def __init__(self, shoe: Shoe, tracker: Tracker, watch: Watch, timing: Timing) -> None:
        self._shoe = shoe
        self._tracker = tracker
        self._watch = watch
        self._timing = timing
        self._left_over: set[str] = set()
        self._last_seen: dict[str, int] = {}
        """When a card of an earlier hand was read last, ms."""
        self._on_felt: dict[str, int] = {}
        """The same, not counting reads at the shoe."""
        self.ended_at = -1
        self._empty_since: int | None = None

    # --- cards of earlier hands ----------------------------------------------------------------------------

    def is_left_over(self, uid: str) -> bool:
        """The card lies there from an earlier hand."""
        return uid in self._left_over

    def still_left_over(self, placed: Placed) -> bool:
        """A left-over card was moved: it is still one, unless it came by the shoe."""
        if placed.uid not in self._left_over:
            return False
        if self._shoe.last_read(placed.uid, placed.since - SHOE_AGAIN_MS) is None:
            return True
        self._left_over.discard(placed.uid)
        return False

    def leave(self, uid: str) -> None:
        """A card that belongs to no hand came to rest."""
        self._left_over.add(uid)

    def dealt(self, uid: str) -> None:
        """A card that seemed to lie there from an earlier hand is one of this hand."""
        self._left_over.discard(uid)

    def gone(self, uid: str, since: int) -> None:
        """A card of no hand is not read any more."""
        self._left_over.discard(uid)
        self._last_seen[uid] = since
        self._tracker.forget(uid)

    def on_felt(self, uid: str) -> int:
        """When the card was read last on the felt in an earlier hand, ms: it left the shoe before that; −1: never."""
        return self._on_felt.get(uid, -1)

    def release(self, hand: Hand | None, now: int, but: str | None = None) -> None:
        """Cards that are nowhere have no home any more, nor have those whose place is not seen, ms; those of the hand
        that still lie there are left over."""
        self._left_over = set()
        self._empty_since = None
        for uid, track in list(self._tracker.tracks.items()):
            if uid == but:
                continue
            if track.lifted or (track.home is not None and self._watch.away(track.home, now)):
                self._last_seen[uid] = track.last
                if track.home != SHOE:
                    self._on_felt[uid] = track.last
                self._tracker.forget(uid)
            elif (
                track.home not in {None, SHOE}
                and track.trial is None
                and hand is not None
                and uid in hand.cards
            ):
                self._left_over.add(uid)

    # --- beginnings ----------------------------------------------------------------------------------------

    def may_begin(self, placed: Placed, sort: str, last: Hand | None) -> bool:
        """Only a card of this deck, or one from the shoe, that comes to a seat begins one; `last`: the hand before."""
        if seat_of(placed.zone) is None or placed.since < self.ended_at:
            return False
        if self._shoe.last_read(placed.uid, placed.since - DEALT_WITHIN_MS) is not None:
            return True
        known = last.cards.get(placed.uid) if last is not None else None
        was_around = placed.around < placed.since - AROUND_MS and not self._went_unseen(known, placed)
        if was_around or placed.since - self._last_seen.get(placed.uid, -GATHER_MS) < GATHER_MS:
            return False  # still a card of the last hand on its way to the dealer
        return sort != "foreign"

    def _went_unseen(self, known: Card | None, placed: Placed) -> bool:
        """The card lay where nobody looks any more, or was picked up before at a table whose shoe is not seen.

        Nothing is known of its way here.
        """
        if known is None:
            return self._watch.away(SHOE, placed.t) and placed.since - placed.around >= GATHER_MS
        if known.zone is None:
            return self._watch.away(SHOE, placed.t) and placed.since - known.since >= GATHER_MS
        return self._watch.away(known.zone, placed.t)

    def next_begins(self, hand: Hand, placed: Placed) -> bool:
        """The card belongs to the next hand although nobody has ended this one."""
        if seat_of(placed.zone) is None or not hand.cards or not self._deserted(hand, placed):
            return False
        known = hand.cards.get(placed.uid)
        if known is not None and (known.landing is None or not known.landing.settled):
            if known.landing is not None and known.landing.zone == placed.zone:
                return False  # it is this hand's card that probably lay there and now surely does
            known = None
        if known is not None and not self._dealt_again(hand, placed):
            return False
        if hand.ended or hand.voided or hand.deal_done or (known is not None and known.zone == SHOE):
            return True
        settled = [card for card in hand.cards.values() if card.landing and card.landing.settled]
        return len(settled) >= (MANY if hand.followed else 1) and all(
            placed.since - card.since >= RESTART_MS for card in settled
        )

    def _deserted(self, hand: Hand, placed: Placed) -> bool:
        """No card of the hand is known to lie at a seat or on the board; a badly read one may count as lying there for
        long, and one whose place is not seen any more for ever."""
        lying = [
            card.uid
            for card in hand.cards.values()
            if card.zone and lies_in_play(card.zone) and not self._watch.away(card.zone, placed.t)
        ]
        if hand.over_at is None:
            return not lying
        return all(self._tracker.missing(uid, placed.t) for uid in lying if uid != placed.uid)

    def _dealt_again(self, hand: Hand, placed: Placed) -> bool:
        """A card of the hand comes from the deck again; it was not put back, or pushed about."""
        known = hand.cards[placed.uid]
        since = placed.since - DEALT_WITHIN_MS
        if not hand.ended:
            since = max(
                since, known.since
            )  # after the end a card from the shoe is no old one, whatever it flew over
        if self._shoe.last_read(placed.uid, since) is not None:
            return True
        cards = hand.cards.values()
        gathered = all(
            (card.zone is None or self._watch.away(card.zone, placed.t))
            and placed.since - card.since >= RESTART_MS
            for card in cards
        )
        return gathered and (hand.ended or known.landing is None or known.landing.zone != placed.zone)

    # --- ends ----------------------------------------------------------------------------------------------

    def ended(self, t: int) -> None:
        """A hand has ended."""
        self.ended_at = t

    def collected(self, hand: Hand, now: int) -> bool:
        """The seats and the board are empty, and not because the players hold their cards in the air."""
        played = hand.deal_done or hand.voided or hand.over_at is not None or not hand.followed
        if not (hand.emptied() and hand.cards and played):
            self._empty_since = None
            return False
        if self._empty_since is None:
            self._empty_since = now
        surely = self._surely_collected(hand)
        return now - self._empty_since >= (self._timing.hand_gap_ms if surely else DESERTED_MS)

    @staticmethod
    def _surely_collected(hand: Hand) -> bool:
        if (
            hand.voided
            or hand.over_at is not None
            or hand.entered.showdown_at is not None
            or (hand.board.streets and not to_come(hand))
        ):
            return True
        seats = {card.owner for card in hand.cards.values() if card.owner is not None}
        returned = any(card.zone == SHOE for card in hand.cards.values())
        return returned or all(hand.gone_from_seat(seat) for seat in seats)
