"""What the antennas can and cannot prove at this moment.

Owns: the weight of looks that showed nothing, of doubts about a place, and of the dealer's rhythm.
Refuses: explaining the cards (`core.reading`), and where one card lies (`core.tracker`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil, log

from tablectl.core import evidence
from tablectl.core.card import LATE_READ_MS, Card
from tablectl.core.explanation import Item
from tablectl.core.shoe import Shoe
from tablectl.core.tracker import TRIAL_MS, Tracker
from tablectl.layout import BURN, SHOE, Layout, seat_of

FRESH_LOOKS = 8
GONE = 12.0
"""A run of misses this unlikely (nats) proves that a card was taken away."""
BURNT_SURE = 10.0
"""Log odds at which a card lies on the burn pile and not on the board, however much better it would fit there; and
the other way round."""
RARELY = 5.8
"""−ln of how rarely a card at rest is missed for longer than `Sense.lateness`: three in a thousand."""
FOUND_MS = 1000
"""Cards first read this soon after a zone is seen again may have lain there before."""
JUST_AFTER_MS = 100
"""A card first read later than this after another one landed was not there before it."""
GLIMPSED = -1.0
"""ln P(a seat got an unseen card), if a card that nobody has seen since was read at the mouth just then."""
LONG_FLIGHT_MS = 450
"""From its last read at the shoe to its first one at its place, at most, for a card that is read well at both."""
DWELL_MS = 220
"""A card needs at least this long to come to the mouth of the shoe, lie there and make room for the next one."""
NO_TIME = -9.0
"""ln P(a card left between two others that followed one another faster than that)."""
WEAK_MISS = -1.0
"""ln P(the shoe antenna reads nothing of a weak tag)."""
SHOE_MISS = -3.0
"""ln P(the shoe antenna reads nothing of a card that is dealt past it): about 5 % (assumption)."""


class Sense:
    """What the antennas can and cannot prove now."""

    def __init__(
        self,
        layout: Layout,
        tracker: Tracker,
        shoe: Shoe,
        degraded: Mapping[str, str],
        outages: Mapping[str, tuple[int, int]],
    ) -> None:
        self.layout = layout
        self.tracker = tracker
        self.shoe = shoe
        self.accounted: Callable[[str], bool] = lambda _uid: True
        """The card is one of the hand, or lies somewhere."""
        self.untagged: Callable[[str | None, str], int] = lambda _first, _second: 0
        """How many cards the optical sensor saw between these two that no antenna read."""
        self.beat: float | None = None
        """The usual time from one card of the deal to the next one, ms, if that is known."""
        self._degraded = degraded
        self._outages = outages

    def lay_there(self, zone: str, since: int) -> bool:
        """A card first read at `since` may have come while the zone was not seen: when it came is not known."""
        if zone not in self._outages:
            return False
        began, ended = self._outages[zone]
        return ended > began and ended <= since + 100 and since <= ended + FOUND_MS

    def sees(self, zone: str) -> bool:
        """The zone has an antenna, and that antenna is to be trusted."""
        return zone in self.layout.zones and zone not in self._degraded

    def sees_seat(self, seat: int) -> bool:
        """Every antenna of the seat is to be trusted."""
        return all(self.sees(zone) for zone in self.layout.seat_zones(seat))

    def sees_board(self) -> bool:
        """Every antenna of the board is to be trusted."""
        return bool(self.layout.board_zones) and all(self.sees(zone) for zone in self.layout.board_zones)

    def unseen(self, zone: str, since: int, pile: evidence.ReadModel = evidence.OWN) -> float:
        """ln P(a card lies in the zone since `since` or longer, and no antenna has read it)."""
        if not self.sees(zone) or self.tracker.unsettled(zone, since - TRIAL_MS, since + JUST_AFTER_MS):
            return 0.0
        if zone in self._outages and self.tracker.polls_since(zone, self._outages[zone][1]) < FRESH_LOOKS:
            return 0.0  # seen again only just: what lies there is being found out
        return self.unread(zone, self.tracker.polls_since(zone, since), pile)

    def unread(self, zone: str, looks: int, pile: evidence.ReadModel = evidence.DEALT) -> float:
        """ln P(a card lies there, neither read in so many looks nor at the shoe)."""
        if not self.sees(SHOE):
            return evidence.reads(self.tracker.experience.model(zone, pile), 0, looks)
        return self._never_read(zone, looks, pile, SHOE_MISS, WEAK_MISS)

    def _never_read(
        self, zone: str, looks: int, pile: evidence.ReadModel, sound_miss: float, weak_miss: float
    ) -> float:
        """The same for a sound tag that the shoe misses so rarely, or for a weak one."""
        experience = self.tracker.experience
        sound = evidence.reads(experience.model(zone, pile), 0, looks) + sound_miss
        weak = log(experience.hardly_read()) + evidence.reads(evidence.WEAK, 0, looks) + weak_miss
        return evidence.log_sum(sound, weak)

    def doubt_at(self, item: Item, seat: int | None) -> float:
        """ln of how much likelier the card lies at that seat, or goes there, than where it was found."""
        found = self.tracker.place(item.uid)
        if item.seat is None or found is None or seat_of(found) != item.seat:
            return 0.0  # it has moved on since
        if seat is None:
            return self.tracker.doubt(item.uid, None)
        if not self.sees_seat(seat):
            return 0.0  # the other seat is not seen: nothing can be proved
        return self.doubt_of_seat(item.uid, seat)

    def doubt_of_seat(self, uid: str, seat: int) -> float:
        """ln of how much likelier the card lies at that seat than where it was found."""
        return max(self.tracker.doubt(uid, zone) for zone in self.layout.seat_zones(seat))

    def surely_gone(self, uid: str) -> bool:
        """The card has been missed where it lay for so long that it cannot be there."""
        return self.tracker.absence(uid) >= GONE

    def surely_burnt(self, uid: str, odds: float) -> bool:
        """The card lies on the burn pile, by these log odds; not beside it, on the board or in the muck."""
        return self.tracker.place(uid) == BURN and self.tracker.certainty(uid) >= odds

    def may_lie(self, uid: str, *zones: str) -> bool:
        """The card may lie in one of these zones all the same, and be read where it was found from there."""
        return any(self.sees(zone) and self.tracker.doubt(uid, zone) > -BURNT_SURE for zone in zones)

    def lateness(self, card: Card) -> float:
        """How long (ms) the card may have lain there before its first read, judged by how well it is read since."""
        if card.landing is None:
            return LATE_READ_MS
        zone = card.landing.zone
        r, n = self.tracker.rate(card.uid)
        if self.tracker.place(card.uid) != zone or n < 4:
            return LATE_READ_MS
        rate = min((r + 1) / (n + 2), 0.95)
        cycle = self.tracker.cycle(zone)
        return min(LATE_READ_MS, ceil(RARELY / -log(1 - rate)) * cycle)

    def unseen_at_seat(self, seat: int, item: Item, last: Item | None) -> float:
        """The same for a card that a seat got between two others, in whichever half of it."""
        if self.untagged(last.uid if last is not None else None, item.uid):
            return GLIMPSED
        return max(self._unseen_between(zone, item, last) for zone in self.layout.seat_zones(seat))

    def _unseen_between(self, zone: str, item: Item, last: Item | None) -> float:
        at_seat = self.unseen(zone, item.since, evidence.DEALT)
        if not at_seat or last is None or not self.sees(SHOE):
            return at_seat
        if self.shoe.glimpsed(last.uid, item.uid, self.accounted):
            return GLIMPSED
        looks = self.tracker.polls_since(zone, item.since)
        sound_miss = self._past_shoe(last, item, self.tracker.experience.model(SHOE, evidence.OWN), SHOE_MISS)
        weak_miss = self._past_shoe(last, item, evidence.WEAK, WEAK_MISS)
        never = self._never_read(zone, looks, evidence.DEALT, sound_miss, weak_miss)
        return min(0.0, never + self.rhythm(last, item))

    def rhythm(self, first: Item, second: Item) -> float:
        """ln of how much better a card between these two fits the dealer's rhythm than none."""
        beat, gap = self.beat, self.shoe.gap(first.uid, second.uid)
        if beat is None or gap is None or gap <= 0 or not self._seen_off(second):
            return 0.0
        return evidence.beats(gap / beat, 2) - evidence.beats(gap / beat, 1)

    def _seen_off(self, item: Item) -> bool:
        """The shoe read the card until it left: it came to rest as soon after that as cards do."""
        last = self.shoe.last_read(item.uid, item.since - LONG_FLIGHT_MS)
        return last is not None

    def _past_shoe(self, first: Item, second: Item, tag: evidence.ReadModel, unknown: float) -> float:
        """ln P(a card left the shoe unread between these two); `unknown` if the shoe did not see both off."""
        pause = self.shoe.pause(first.uid, second.uid)
        if pause is None or not self._seen_off(second):
            return unknown
        start, end = pause
        if end - start < DWELL_MS:
            return NO_TIME
        return max(NO_TIME, evidence.reads(tag, 0, self.tracker.polls_between(SHOE, start, end)))
