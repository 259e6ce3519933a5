"""The reading of a hand: the deal and the board explained from where the cards came to rest.

Owns: what the antennas can prove at this moment (`Sense`), and the two explanations every check rests on.
Refuses: naming irregularities (`core.detector`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from math import ceil, log

from tablectl.core import evidence, passages
from tablectl.core.explanation import SLIPS, Explanation, How, Item
from tablectl.core.hand import LATE_READ_MS, Card, Hand
from tablectl.core.order import Deal
from tablectl.core.shoe import Shoe
from tablectl.core.streets import PAUSE_MS, BoardReading, CommunityCard, Context, read_board
from tablectl.core.tracker import TRIAL_MS, Tracker
from tablectl.layout import ASIDE, BOARD, BURN, MUCK, SHOE, Layout, is_community, seat_of, seat_zone

FRESH_LOOKS = 8
GONE = 12.0
"""A run of misses this unlikely (nats) proves that a card was taken away."""
FLIGHT_SPREAD_MS = 170
"""Two cards may overtake one another in the air by this much (180–350 ms of flight; assumption)."""
RARELY = 5.8
"""−ln of how rarely a card at rest is missed for longer than `Sense.lateness`: three in a thousand."""
FOUND_MS = 1000
"""Cards first read this soon after a zone is seen again may have lain there before."""
BURNT_SURE = 10.0
"""Log odds, against the board, at which a card lies on the burn pile, however much better it would fit there."""
LIKELY = 1.0
"""A slip by this margin (nats) is worth looking for another order of the cards."""
EXCHANGE = 0.5
"""What an exchange of two neighbours in the order must gain, nats."""
JUST_AFTER_MS = 100
"""A card first read later than this after another one landed was not there before it."""
DEAL_OPEN_MS = 2500
"""What the antennas see of the dealt cards this long after the deal still counts for its explanation."""
GLIMPSED = -1.0
"""ln P(a seat got an unseen card), if a card that nobody has seen since was read at the mouth just then."""
BEATS = 3
"""So many intervals between cards make a rhythm."""
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
        zone = seat_zone(seat) if seat is not None else None
        found = self.tracker.place(item.uid)
        if item.seat is None or found != seat_zone(item.seat) or (zone is not None and not self.sees(zone)):
            return 0.0  # it has moved on since, or the other seat is not seen: nothing can be proved any more
        return self.tracker.doubt(item.uid, zone)

    def surely_gone(self, uid: str) -> bool:
        """The card has been missed where it lay for so long that it cannot be there."""
        return self.tracker.absence(uid) >= GONE

    def surely_burnt(self, uid: str, odds: float) -> bool:
        """The card lies on the burn pile, by these log odds; not beside it, on the board or in the muck."""
        return self.tracker.place(uid) == BURN and self.tracker.certainty(uid) >= odds

    def may_be_on_board(self, uid: str) -> bool:
        """The card was found on the burn pile; it may lie on the board all the same, and be read from there."""
        if self.tracker.place(uid) != BURN:
            return True
        return any(self.tracker.doubt(uid, zone) > -BURNT_SURE for zone in self.layout.board_zones)

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
        """The same for a card that a seat got between two others."""
        if self.untagged(last.uid if last is not None else None, item.uid):
            return GLIMPSED
        zone = seat_zone(seat)
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


def explain(hand: Hand, sense: Sense, now: int) -> None:
    """Explains the deal and the board of the hand anew; cheap enough for every change (under a millisecond)."""
    if hand.passed:
        passages.match(hand.passed, hand.dealt_cards())
    sense.untagged = lambda first, second: len(passages.untagged(hand.passed, first, second))
    # A card that went back for another one had its turn; unless it was dealt to a seat anew.
    dealt = [
        card
        for card in hand.dealt_cards()
        if hand.cards.get(card.uid, card) is card or card.owner is not None
    ]
    cards = [card for card in dealt if _of_the_deal(hand, card)]
    cards = list({card.uid: card for card in cards}.values())
    sense.beat = _beat(cards)
    sense.accounted = lambda uid: uid in hand.cards or sense.tracker.place(uid) not in {None, SHOE}
    found_count = sum(card.found for card in hand.cards.values())
    untagged = [each.t for each in hand.passed if each.uid is None]
    basis = (hand.order, dict(hand.pinned), found_count, untagged, [_item(card) for card in cards])
    if not _still_explained(hand, basis) and not _long_dealt(hand, cards, now):
        found = Counter(card.owner for card in hand.cards.values() if card.found and card.owner is not None)
        deal = Deal(hand.order, hand.need, sense.unseen_at_seat, sense.doubt_at, hand.pinned, found)
        hand.deal = _in_the_same_order(hand, basis, deal, cards) or _in_likely_order(deal, cards, sense)
        hand.deal_basis = basis
    items = [reading.item for reading in (hand.deal.readings if hand.deal else ())]
    if (
        hand.dealt_at is None
        and hand.deal
        and not hand.deal.missing
        and all(item.settled and item.seat for item in items)
    ):
        hand.dealt_at = max(item.since for item in items)
    if not hand.deal_done:
        hand.deal_closed_at = _closed_early(hand)
    context = Context(
        game=hand.game,
        closed_before=lambda street, t: _closed_before(hand, street, t),
        begun_at=lambda street: _begun_at(hand, street),
        dealing=lambda t: _dealing(hand, t),
        has_burn=sense.sees(BURN),
        run_out=hand.betting.run_out,
    )
    hand.board = _read_in_likely_order(hand, context, sense)


def _long_dealt(hand: Hand, cards: list[Card], now: int) -> bool:
    """The deal was over a while ago: what the players do with their cards since tells nothing about it.

    A card that came from the deck since, by the shoe's reads, is looked at for as long as those of the deal were.
    """
    over = hand.deal_over_at
    if hand.deal is None or over is None:
        return False
    late = (
        card.landing.since
        for card in cards
        if card.landing is not None and card.from_shoe and card.shoe_read > over and card.owner is not None
    )
    if now < max([over, *late]) + DEAL_OPEN_MS:
        return False
    return [reading.item.uid for reading in hand.deal.readings] == [card.uid for card in cards]


def _beat(cards: list[Card]) -> float | None:
    """The usual time between two cards of the deal, by what left the shoe."""
    times = [card.shoe_read for card in cards if card.from_shoe]
    gaps = [later - earlier for earlier, later in pairwise(times) if later > earlier]
    return sorted(gaps)[(len(gaps) - 1) // 2] if len(gaps) >= BEATS else None


def _still_explained(hand: Hand, basis: tuple[object, ...]) -> bool:
    """No card has moved since, and nothing in the explanation waits for more looks."""
    if hand.deal is None or basis != hand.deal_basis:
        return False
    settled = all(
        reading.how is How.REGULAR or reading.item.uid in hand.pinned for reading in hand.deal.readings
    )
    return settled and bool(hand.deal.readings)


def _may_have_come_first(second: Card, first: Card, sense: Sense) -> bool:
    """The order in which the two cards left the deck is open."""
    if second.earliest_out >= first.latest_out:
        return False
    if second.from_shoe or first.landing is None or second.landing is None:
        return True
    return second.landing.since - first.landing.since < sense.lateness(second) + FLIGHT_SPREAD_MS


def _in_likely_order(deal: Deal, cards: list[Card], sense: Sense) -> Explanation:
    """The explanation, with neighbours exchanged where the shoe left their order open and that makes it regular."""
    best = deal.explain([_item(card) for card in cards])
    while True:
        better = _better(deal, _exchanges(best, cards, sense), best)
        if better is None and _accuses(best):
            # Two pairs may have changed places, and only both together tell why.
            better = _better(deal, _two_exchanges(deal, best, cards, sense), best)
        if better is None:
            return best
        cards = better
        best = deal.explain([_item(card) for card in cards])


def _better(deal: Deal, orders: Iterable[list[Card]], best: Explanation) -> list[Card] | None:
    """The likeliest of the orders, if it gains enough on the explanation that there is."""
    better, likelier = None, best.value + EXCHANGE
    for order in orders:
        value = deal.value([_item(card) for card in order], above=likelier)
        if value > likelier:
            better, likelier = order, value
    return better


def _two_exchanges(deal: Deal, best: Explanation, cards: list[Card], sense: Sense) -> Iterator[list[Card]]:
    for exchanged in _exchanges(best, cards, sense):
        yield from _exchanges(deal.sketch([_item(card) for card in exchanged]), exchanged, sense)


def _accuses(explanation: Explanation) -> bool:
    return any(reading.how in SLIPS and reading.sure >= LIKELY for reading in explanation.readings)


def _in_the_same_order(
    hand: Hand, basis: tuple[object, ...], deal: Deal, cards: list[Card]
) -> Explanation | None:
    """The explanation in the order found before, if nothing has moved since and it still accuses nobody."""
    if hand.deal is None or basis != hand.deal_basis:
        return None
    place = {reading.item.uid: at for at, reading in enumerate(hand.deal.readings)}
    again = deal.explain([_item(card) for card in sorted(cards, key=lambda card: place[card.uid])])
    return None if _accuses(again) else again


def _exchanges(best: Explanation, cards: list[Card], sense: Sense) -> Iterator[list[Card]]:
    """The cards with two neighbours exchanged that may have left the deck the other way round, where it matters."""
    for at, (first, second) in enumerate(pairwise(cards)):
        amiss = any(reading.how is not How.REGULAR for reading in best.readings[at : at + 2])
        if amiss and _may_have_come_first(second, first, sense):
            yield [*cards[:at], second, first, *cards[at + 2 :]]


def _of_the_deal(hand: Hand, card: Card) -> bool:
    if card.found or card.removed:
        return False  # when it was dealt is not known, or it took nobody's place
    if card.landing is None:
        # Once the dealer has gone on, what is still on its way is a burn or a board card.
        return card.held and (hand.deal_closed_at is None or card.out_at < hand.deal_closed_at - LATE_READ_MS)
    return not is_community(card.landing.zone)


def _item(card: Card) -> Item:
    if card.landing is None:
        return Item(card.uid, None, card.out_at)
    landing = card.landing
    return Item(card.uid, seat_of(landing.zone), landing.since, landing.settled, card.from_shoe)


def _read_in_likely_order(hand: Hand, context: Context, sense: Sense) -> BoardReading:
    """The board, in another order where the shoe left that open, or with a doubtful burn on the board, if that explains
    a slip away."""
    cards = [card for card in hand.in_order() if _may_be_community(hand, card)]
    shifted: frozenset[str] = frozenset()
    best = _as_laid(hand, context, cards, shifted)
    improved = bool(best.slips)
    while improved:
        improved = False
        for order, also in _other_accounts(cards, shifted, sense):
            other = _as_laid(hand, context, order, also)
            if len(other.slips) < len(best.slips):
                best, cards, shifted, improved = other, order, also, bool(other.slips)
                break
    return best


def _as_laid(hand: Hand, context: Context, cards: list[Card], shifted: frozenset[str]) -> BoardReading:
    """The board read from these cards in this order, some from the burn pile taken for board cards."""
    laid = [
        replace(card, burn=False, zone=BOARD) if card.uid in shifted else card
        for card in _with_untagged(hand, cards)
    ]
    reading = read_board(laid, context, hand.base)
    reading.shifted = shifted
    return reading


def _other_accounts(
    cards: list[Card], shifted: frozenset[str], sense: Sense
) -> Iterator[tuple[list[Card], frozenset[str]]]:
    """Other orders; then, one by one, the cards that may lie on the board and be read by the burn pile's antenna."""
    for order in _other_orders(cards):
        yield order, shifted
    for before, card in pairwise(cards):
        burnt = card.landing is not None and card.landing.zone == BURN and card.landing.settled
        at_once = card.out_at - before.out_at <= PAUSE_MS
        if burnt and at_once and card.uid not in shifted and sense.may_be_on_board(card.uid):
            yield cards, shifted | {card.uid}


def _with_untagged(hand: Hand, cards: list[Card]) -> list[CommunityCard]:
    """The community cards, and between them what went by without a tag after the deal: burns, perhaps."""
    community = [_community(card) for card in cards]
    over = hand.deal_over_at
    for each in hand.passed if over is not None else ():
        if each.uid is None and over is not None and each.t > over:
            at = sum(card.out <= each.t for card in community)
            unread = CommunityCard(f"{each.t}", burn=True, zone=BURN, since=each.t, out=each.t, sure=False)
            community.insert(at, unread)
    return community


def _other_orders(cards: list[Card]) -> Iterator[list[Card]]:
    """The same cards with one of them moved forward to where it may have been, the smallest move first."""
    for at, card in enumerate(cards):
        for to in range(at - 1, -1, -1):
            if card.earliest_out >= cards[to].latest_out or not _open_order(cards[to], card):
                break
            yield [*cards[:to], card, *cards[to:at], *cards[at + 1 :]]


def _open_order(first: Card, second: Card) -> bool:
    """A burn may have come before a board card after all; the other way round only if the shoe missed one."""
    burnt = second.landing is not None and second.landing.zone == BURN
    return burnt or not (first.from_shoe and second.from_shoe)


def _may_be_community(hand: Hand, card: Card) -> bool:
    """On the board or the burn pile; or on its way after the deal, and then perhaps a burn."""
    if _is_under_way(card):
        return card.held and hand.dealt_at is not None and card.out_at > hand.dealt_at
    landing = card.landing
    return landing is not None and is_community(landing.zone) and (landing.settled or landing.zone == BURN)


def _is_under_way(card: Card) -> bool:
    """It left the deck, and nobody knows yet where it lies: a burn, perhaps."""
    landing = card.landing
    if landing is None or landing.zone in {MUCK, ASIDE}:
        return True
    return card.left and not landing.settled and landing.zone != BURN


def _community(card: Card) -> CommunityCard:
    landing = card.landing
    if landing is None or _is_under_way(card):
        return CommunityCard(card.uid, burn=True, zone=BURN, since=card.out_at, out=card.out_at, sure=False)
    return CommunityCard(
        card.uid, landing.zone == BURN, landing.zone, landing.since, card.out_at, landing.settled
    )


def _closed_early(hand: Hand) -> int | None:
    """When the dealer went on although cards of the deal are missing; None while he may still be dealing."""
    if hand.betting.actions or hand.betting.closed:
        return hand.betting.actions[0].t if hand.betting.actions else min(hand.betting.closed.values())
    if hand.deal is None or len(hand.deal.missing) >= len(hand.order):
        return None
    community = [
        _community(card) for card in hand.in_order() if card.landing and _may_be_community(hand, card)
    ]
    proof = [c for c in community if c.sure and (c.burn or hand.betting.mode == "none")]
    return min((c.since for c in proof), default=None)


def _closed_before(hand: Hand, street: str, t: int) -> bool | None:
    if hand.betting.mode == "none":
        return None
    closed = hand.betting.closed_at(street)
    return closed is not None and closed <= t


def _begun_at(hand: Hand, street: str) -> int | None:
    acted = (action.t for action in hand.betting.actions if action.street == street)
    return next(acted, hand.betting.closed_at(street))


def _dealing(hand: Hand, t: int) -> bool:
    if hand.deal_closed_at is not None and hand.deal_closed_at <= t:
        return False
    return hand.dealt_at is None or t < hand.dealt_at
