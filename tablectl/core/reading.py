"""The reading of a hand: the deal and the board explained from where the cards came to rest.

Owns: the explanations every check rests on: of the deal, and of the board or, in stud, the later streets.
Refuses: what the antennas can prove (`core.sense`), and naming irregularities (`core.detector`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from math import inf

from tablectl.core.explanation import SLIPS, Explanation, How, Item, Part
from tablectl.core.games import Street
from tablectl.core.hand import LATE_READ_MS, Card, Hand
from tablectl.core.order import Deal
from tablectl.core.sense import Sense
from tablectl.core.streets import BoardReading, CommunityCard, Context, read_board
from tablectl.core.stud import read_stud
from tablectl.layout import ASIDE, BURN, MUCK, SHOE, is_board, is_community, seat_of

FLIGHT_SPREAD_MS = 170
"""Two cards may overtake one another in the air by this much (180–350 ms of flight; assumption)."""
LIKELY = 1.0
"""A slip by this margin (nats) is worth looking for another order of the cards."""
EXCHANGE = 0.5
"""What an exchange of two neighbours in the order must gain, nats."""
DEAL_OPEN_MS = 2500
"""What the antennas see of the dealt cards this long after the deal still counts for its explanation."""
BEATS = 3
"""So many intervals between cards make a rhythm."""


def explain(hand: Hand, sense: Sense, now: int) -> None:
    """Explains the deal and the board of the hand anew; cheap enough for every change (under a millisecond)."""
    sense.accounted = lambda uid: uid in hand.cards or sense.tracker.place(uid) not in {None, SHOE}
    if hand.game.to_seats:
        basis = ([_of_stud(c) for c in _stud_cards(hand)], hand.betting, hand.base, sense.sees(BURN))
        if basis != hand.board_basis:
            hand.board, hand.board_basis = _read_in_likely_order(hand, _context(hand, sense)), basis
        _explain_part(hand, hand.opening, _listed(hand, hand.board.opening), sense, now)
    else:
        cards = [card for card in hand.in_order() if card.found or _of_the_deal(hand, card)]
        _explain_part(hand, hand.opening, cards, sense, now)
    if not hand.deal_done:
        hand.opening.closed_at = _closed_early(hand)
    if hand.game.to_seats:
        _explain_later(hand, sense, now)
    else:
        hand.board = _read_in_likely_order(hand, _context(hand, sense))


def _context(hand: Hand, sense: Sense) -> Context:
    return Context(
        game=hand.game,
        closed_before=lambda street, t: _closed_before(hand, street, t),
        begun_at=lambda street: _begun_at(hand, street),
        dealing=lambda t: not hand.game.to_seats and _dealing(hand, t),
        has_burn=sense.sees(BURN),
        run_out=hand.betting.run_out,
        playing=lambda street: _playing(hand, street),
        opening=hand.need * len(hand.order),
        opening_seats=len(hand.order),
    )


def _explain_part(hand: Hand, part: Part, dealt: list[Card], sense: Sense, now: int) -> None:
    """Explains one part of the deal, unless nothing has changed since it was explained last."""
    cards = [card for card in dealt if not card.found]
    sense.beat = _beat(cards)
    found = Counter(card.owner for card in dealt if card.found and card.owner is not None)
    count = sum(card.found for card in dealt)
    seats = frozenset(part.order) if part.street else part.order
    basis = (seats, dict(hand.pinned), count, [_item(card) for card in cards])
    if not _still_explained(hand, part, basis) and not _long_dealt(part, cards, now):

        def deal_in(order: tuple[int, ...]) -> Deal:
            button = hand.setup.button if part.street is None and hand.game.start == "button" else None
            look = sense.unseen_at_seat, sense.doubt_at
            return Deal(order, part.need, *look, hand.pinned, found, button=button)

        if part.street:
            part.order = _likely_start(part.order, [_item(card) for card in cards], deal_in)
        deal = deal_in(part.order)
        part.explanation = _in_the_same_order(part, basis, deal, cards) or _in_likely_order(
            deal, cards, sense
        )
        part.basis = basis
    items = [reading.item for reading in part.readings]
    if (
        part.dealt_at is None
        and part.explanation
        and not part.missing
        and all(item.settled and item.seat for item in items)
    ):
        part.dealt_at = max(item.since for item in items)


def _likely_start(
    seats: tuple[int, ...], items: list[Item], deal_in: Callable[[tuple[int, ...]], Deal]
) -> tuple[int, ...]:
    """The seats from the one with which the street began: in stud the high hand, which no antenna knows."""
    first = next((item.seat for item in items if item.seat in seats), seats[0])
    at = seats.index(first)
    starts = [seats[n:] + seats[:n] for n in (*range(at, len(seats)), *range(at))]
    if deal_in(starts[0]).value(items) == 0.0:
        return starts[0]
    return max(starts, key=lambda order: deal_in(order).value(items))


def _explain_later(hand: Hand, sense: Sense, now: int) -> None:
    """Stud: the streets after the opening, as far as they have begun."""
    later: dict[str, Part] = {}
    for street in hand.game.streets:
        cards = _listed(hand, hand.board.streets.get(street.name, []))
        located = [card for card in cards if card.landing is not None]
        if not located:
            continue
        if hand.betting.round == street.after and hand.betting.may_be_over(street.after, located[0].since):
            hand.betting = hand.betting.close(located[0].since)
        seats = _served(hand, street, cards)
        part = hand.later.get(street.name)
        if part is None or set(part.order) != set(seats):
            part = Part(street.name, seats, street.cards)
        later[street.name] = part
        _explain_part(hand, part, cards, sense, now)
        part.closed_at = _went_on(hand, street, part)
    hand.later = later
    hand.left_before = {name: hand.left_before[name] for name in later if name in hand.left_before}


def _playing(hand: Hand, street: Street) -> tuple[int, ...]:
    """The seats that are due a card of a street of stud that has begun: those that had neither folded nor left."""
    if street.name not in hand.left_before:
        lie = {seat_of(card.zone) for card in hand.cards.values() if card.zone is not None}
        known = hand.betting.known
        hand.left_before[street.name] = frozenset(
            seat for seat in hand.order if hand.gone_from_seat(seat) or not (known or seat in lie)
        )
    out = _folded_before(hand, street) | hand.betting.dead | hand.left_before[street.name]
    return tuple(seat for seat in hand.order if seat not in out)


def _folded_before(hand: Hand, street: Street, t: float = inf) -> frozenset[int]:
    """Who folded in the rounds before that street, by what was entered until then."""
    rounds = hand.game.rounds
    last = rounds.index(street.after)
    acts = hand.betting.actions
    return frozenset(
        a.seat for a in acts if a.action == "fold" and a.t <= t and rounds.index(a.street) <= last
    )


def _served(hand: Hand, street: Street, cards: list[Card]) -> tuple[int, ...]:
    """The same seats, and those that got a card of it although their hand may be given up: nobody had said so."""
    began = min((card.landing.since for card in cards if card.landing), default=0)
    got = {card.owner for card in cards} - _folded_before(hand, street, began)
    playing = _playing(hand, street)
    return tuple(seat for seat in hand.order if seat in playing or seat in got) or hand.order


def _went_on(hand: Hand, street: Street, part: Part) -> int | None:
    """When the dealer, or the betting, went on although a seat waits for its card of that street; None if not yet."""
    if not part.missing:
        return None
    last = max((reading.item.since for reading in part.readings), default=0)
    times = [_begun_at(hand, street.name)]
    following = next((each for each in hand.game.streets if each.after == street.name), None)
    if following is not None:
        uids = (*hand.board.burns.get(following.name, ()), *hand.board.streets.get(following.name, ()))
        times += [card.since for card in _listed(hand, uids) if card.landing and card.landing.settled]
    return min((t for t in times if t is not None and t > last), default=None)


def _listed(hand: Hand, uids: Iterable[str]) -> list[Card]:
    return [hand.cards[uid] for uid in uids if uid in hand.cards]


def _long_dealt(part: Part, cards: list[Card], now: int) -> bool:
    """That part was over a while ago: what the players do with their cards since tells nothing about it."""
    if part.explanation is None or part.over_at is None or now < part.over_at + DEAL_OPEN_MS:
        return False
    return [reading.item.uid for reading in part.readings] == [card.uid for card in cards]


def _beat(cards: list[Card]) -> float | None:
    """The usual time between two cards of the deal, by what left the shoe."""
    times = [card.shoe_read for card in cards if card.from_shoe]
    gaps = [later - earlier for earlier, later in pairwise(times) if later > earlier]
    return sorted(gaps)[(len(gaps) - 1) // 2] if len(gaps) >= BEATS else None


def _still_explained(hand: Hand, part: Part, basis: tuple[object, ...]) -> bool:
    """No card has moved since, and nothing in the explanation waits for more looks."""
    if part.explanation is None or basis != part.basis:
        return False
    settled = all(reading.how is How.REGULAR or reading.item.uid in hand.pinned for reading in part.readings)
    return settled and bool(part.readings)


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
        likelier = best.value + EXCHANGE
        better = None
        for exchanged in _exchanges(best, cards, sense):
            value = deal.value([_item(card) for card in exchanged], above=likelier)
            if value > likelier:
                better, likelier = exchanged, value
        if better is None:
            return best
        cards = better
        best = deal.explain([_item(card) for card in cards])


def _in_the_same_order(
    part: Part, basis: tuple[object, ...], deal: Deal, cards: list[Card]
) -> Explanation | None:
    """The explanation in the order found before, if nothing has moved since and it still accuses nobody."""
    if part.explanation is None or basis != part.basis:
        return None
    place = {reading.item.uid: at for at, reading in enumerate(part.readings)}
    again = deal.explain([_item(card) for card in sorted(cards, key=lambda card: place[card.uid])])
    accuses = any(reading.how in SLIPS and reading.sure >= LIKELY for reading in again.readings)
    return None if accuses else again


def _exchanges(best: Explanation, cards: list[Card], sense: Sense) -> Iterator[list[Card]]:
    """The cards with two neighbours exchanged that may have left the deck the other way round, where it matters."""
    for at, (first, second) in enumerate(pairwise(cards)):
        amiss = any(reading.how is not How.REGULAR for reading in best.readings[at : at + 2])
        if amiss and _may_have_come_first(second, first, sense):
            yield [*cards[:at], second, first, *cards[at + 2 :]]


def _of_the_deal(hand: Hand, card: Card) -> bool:
    if card.found:
        return False  # when it was dealt is not known
    if card.landing is None:
        # Once the dealer has gone on, what is still on its way is a burn or a board card.
        return card.held and (hand.deal_closed_at is None or card.out_at < hand.deal_closed_at - LATE_READ_MS)
    return not is_community(card.landing.zone)


def _item(card: Card) -> Item:
    if card.landing is None:
        return Item(card.uid, None, card.out_at)
    landing = card.landing
    return Item(card.uid, seat_of(landing.zone), landing.since, landing.settled, card.from_shoe)


def _read_in_likely_order(hand: Hand, context: Context) -> BoardReading:
    """The streets, in another order where the shoe left that open and it explains a slip away."""
    if hand.game.to_seats:
        read, as_read = read_stud, _of_stud
        cards = _stud_cards(hand)
    else:
        read, as_read = read_board, _community
        cards = [card for card in hand.in_order() if _may_be_community(hand, card)]
    best = read([as_read(card) for card in cards], context, hand.base)
    improved = bool(best.slips)
    while improved:
        improved = False
        for order in _other_orders(cards):
            other = read([as_read(card) for card in order], context, hand.base)
            if len(other.slips) < len(best.slips):
                best, cards, improved = other, order, bool(other.slips)
                break
    return best


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


def _stud_cards(hand: Hand) -> list[Card]:
    """The cards at the seats, on the burn pile or on their way."""
    return [
        card
        for card in hand.in_order()
        if (card.held if card.landing is None else not is_board(card.landing.zone))
    ]


def _of_stud(card: Card) -> CommunityCard:
    landing = card.landing
    if landing is None or landing.zone in {MUCK, ASIDE}:
        return CommunityCard(card.uid, burn=True, zone="", since=card.out_at, out=card.out_at, sure=False)
    burnt = landing.zone == BURN
    return CommunityCard(card.uid, burnt, landing.zone, landing.since, card.out_at, landing.settled)


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
    if closed is not None and closed <= t:
        return True
    return None if hand.betting.may_be_over(street, t) else False


def _begun_at(hand: Hand, street: str) -> int | None:
    acted = (action.t for action in hand.betting.actions if action.street == street)
    return next(acted, hand.betting.closed_at(street))


def _dealing(hand: Hand, t: int) -> bool:
    if hand.deal_closed_at is not None and hand.deal_closed_at <= t:
        return False
    return hand.dealt_at is None or t < hand.dealt_at
