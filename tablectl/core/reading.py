"""The reading of a hand: the deal and the board explained from where the cards came to rest.

Owns: the explanations every check rests on: of the deal, and of the board or, in stud, the later streets.
Refuses: what the antennas can prove (`core.sense`), the search for the streets (`core.spread`, `core.later`), and
naming irregularities (`core.detector`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tablectl.core import passages
from tablectl.core.card import LATE_READ_MS, Card, earlier_places, moved
from tablectl.core.explanation import SLIPS, Explanation, How, Item, Part
from tablectl.core.hand import Hand
from tablectl.core.later import begun, begun_at, likely_start, listed, playing
from tablectl.core.moves import Ways
from tablectl.core.order import Deal
from tablectl.core.sense import Sense
from tablectl.core.spread import as_it_lies, board_cards, read_streets
from tablectl.core.streets import Context
from tablectl.layout import BURN, SHOE, is_community, seat_of

FLIGHT_SPREAD_MS = 170
"""Two cards may overtake one another in the air by this much (180–350 ms of flight; assumption)."""
LIKELY = 1.0
"""A slip by this margin (nats) is worth looking for another order of the cards."""
EXCHANGE = 0.5
"""What an exchange of two neighbours in the order must gain, nats."""
DEAL_OPEN_MS = 2500
"""What the antennas see of the dealt cards this long after the deal still counts for its explanation."""
MOST_TRIED = 60
"""So many orders of the cards are tried for one explanation. With one slip among the cards of ten seats it takes a few
dozen; where most of them lie amiss the search would go on for seconds, and find nothing that could be told."""
BEATS = 3
"""So many intervals between cards make a rhythm."""


def explain(hand: Hand, sense: Sense, now: int) -> None:
    """Explains the deal and the board of the hand anew; cheap enough for every change (under a millisecond).

    However odd the cards lie, what is tried has an end (`MOST_TRIED`); where the hand is not followed nothing is.
    """
    if hand.passed:
        passages.match(hand.passed, hand.dealt_cards())
    sense.accounted = lambda uid: uid in hand.cards or sense.tracker.place(uid) not in {None, SHOE}
    for card in hand.cards.values():
        card.in_passing = card.may_be_passing(now)
    if hand.game.to_seats:
        basis = (as_it_lies(hand), hand.betting, hand.base, sense.sees(BURN))
        if basis != hand.board_basis:
            hand.board, hand.board_basis = read_streets(hand, _context(hand, sense), sense), basis
        _explain_part(hand, hand.opening, listed(hand, hand.board.opening), sense, now)
    else:
        found = (card for card in hand.cards.values() if card.found)
        _explain_part(hand, hand.opening, [*_of_the_deal(hand), *found], sense, now)
    if not hand.deal_done:
        hand.opening.closed_at = _closed_early(hand)
    if hand.game.to_seats:
        for part, cards in begun(hand):
            _explain_part(hand, part, cards, sense, now)
    else:
        hand.board = read_streets(hand, _context(hand, sense), sense)


def _context(hand: Hand, sense: Sense) -> Context:
    return Context(
        game=hand.game,
        streets=hand.streets,
        closed_before=lambda street, t: _closed_before(hand, street, t),
        begun_at=lambda street: begun_at(hand, street),
        dealing=lambda t: not hand.game.to_seats and _dealing(hand, t),
        has_burn=sense.sees(BURN),
        run_out=hand.betting.run_out or hand.entered.runs is not None,
        playing=lambda street: playing(hand, street),
        opening=hand.need * len(hand.order),
        opening_seats=len(hand.order),
    )


def _explain_part(hand: Hand, part: Part, dealt: Sequence[Card], sense: Sense, now: int) -> None:
    """Explains one part of the deal, unless nothing has changed since it was explained last.

    When a card was dealt that was found later is not known: it only counts for its seat.
    """
    found = [card for card in dealt if card.found]
    cards = [card for card in dealt if not card.found]
    sense.beat = _beat(hand, part, cards)
    sense.untagged = lambda first, second: _untagged(hand, part, first, second)
    seats = frozenset(part.order) if part.street else part.order
    untagged = [each.t for each in hand.passed if each.uid is None]
    basis = (seats, dict(hand.pinned), len(found), untagged, [_item(card) for card in cards])
    if not _still_explained(hand, part, basis) and not _long_dealt(part, cards, now):
        held = Counter(card.owner for card in found if card.owner is not None)

        def deal_in(order: tuple[int, ...]) -> Deal:
            button = hand.may_get_two if part.street is None else None
            look = sense.unseen_at_seat, sense.doubt_at
            return Deal(Ways(order, part.need, *look, hand.pinned, held, button=button))

        if part.street:
            part.order = likely_start(part.order, [_item(card) for card in cards], deal_in)
        deal = deal_in(part.order)
        if hand.followed:
            part.explanation = _in_the_same_order(part, basis, deal, cards) or _in_likely_order(
                deal, cards, sense
            )
        else:
            # Nothing is told of its order: how far the deal has come is all that is asked for.
            part.explanation = deal.sketch([_item(card) for card in cards])
        part.basis = basis
    if part.dealt_at is None and part.explanation and not part.missing:
        part.dealt_at = _dealt_at(part, found)


def _dealt_at(part: Part, found: Sequence[Card]) -> int | None:
    """When the last card of a part that is complete came to rest, ms; None while one of its cards is not surely there.

    Where every card was only found, after an outage over the whole of it, that is when the last one was found.
    """
    items = [reading.item for reading in part.readings]
    if not all(item.settled and item.seat for item in items):
        return None
    landings = [card.landing for card in found if card.landing is not None]
    lain = [landing.since for landing in landings if landing.settled]
    if not items and len(lain) < part.need * len(part.order):
        return None
    return max(item.since for item in items) if items else max(lain)


def likely_button(hand: Hand, sense: Sense, seats: Sequence[int]) -> int:
    """Of these seats the one from which the deal, as far as it goes, has the fewest slips; the first if it is all one.

    `explain` has looked at the hand before.
    """
    if len(seats) == 1:
        return seats[0]
    cards = [card for card in _of_the_deal(hand) if not card.found]

    def value(button: int) -> float:
        order = replace(hand.setup, button=button).order(hand.game.start)
        look = sense.unseen_at_seat, sense.doubt_at
        deal = Deal(Ways(order, hand.need, *look, hand.pinned, Counter(), button=button))
        return _in_likely_order(deal, cards, sense).value

    return max(seats, key=value)


def _untagged(hand: Hand, part: Part, first: str | None, second: str) -> int:
    """How many cards without a tag went by between two of this part; None: from its beginning on.

    What went by before the first card of a later street may be its burn: it says nothing.
    """
    if part.street is not None and first is None:
        return 0
    return len(passages.untagged(hand.passed, first, second))


def _long_dealt(part: Part, cards: list[Card], now: int) -> bool:
    """That part was over a while ago: what the players do with their cards since tells nothing about it.

    A card that came from the deck since, by the shoe's reads, is looked at for as long as those of the deal were.
    """
    over = part.over_at
    if part.explanation is None or over is None:
        return False
    late = (
        card.landing.since
        for card in cards
        if card.landing is not None and card.from_shoe and card.shoe_read > over and card.owner is not None
    )
    if now < max([over, *late]) + DEAL_OPEN_MS:
        return False
    return [reading.item.uid for reading in part.readings] == [card.uid for card in cards]


def _beat(hand: Hand, part: Part, cards: list[Card]) -> float | None:
    """The usual time between two cards of the deal, by what left the shoe; a later street keeps that of the opening."""
    gaps = _gaps(cards)
    if part.street is not None:
        gaps += _gaps(listed(hand, (reading.item.uid for reading in hand.opening.readings)))
    return sorted(gaps)[(len(gaps) - 1) // 2] if len(gaps) >= BEATS else None


def _gaps(cards: Iterable[Card]) -> list[int]:
    times = [card.shoe_read for card in cards if card.from_shoe]
    return [later - earlier for earlier, later in pairwise(times) if later > earlier]


def _still_explained(hand: Hand, part: Part, basis: tuple[object, ...]) -> bool:
    """No card has moved since, and nothing in the explanation waits for more looks."""
    if part.explanation is None or basis != part.basis:
        return False
    if not hand.followed:
        return True
    settled = all(reading.how is How.REGULAR or reading.item.uid in hand.pinned for reading in part.readings)
    return settled and bool(part.readings)


def _may_have_come_first(second: Card, first: Card, sense: Sense) -> bool:
    """The order in which the two cards left the deck is open."""
    if second.earliest_out >= first.latest_out or sense.shoe.left_before(first.uid, second.uid):
        return False
    if second.from_shoe or first.landing is None or second.landing is None:
        return True
    return second.landing.since - first.landing.since < sense.lateness(second) + FLIGHT_SPREAD_MS


def _in_likely_order(deal: Deal, cards: list[Card], sense: Sense) -> Explanation:
    """The explanation, with neighbours exchanged where the shoe left their order open and that makes it regular."""
    best = deal.explain([_item(card) for card in cards])
    left = iter(range(MOST_TRIED))
    while True:
        better = _better(deal, _no_more(left, _exchanges(best, cards, sense)), best)
        if better is None and _accuses(best):
            # Two pairs may have changed places, and only both together tell why.
            better = _better(deal, _no_more(left, _two_exchanges(deal, best, cards, sense)), best)
        if better is None:
            return best
        cards = better
        best = deal.explain([_item(card) for card in cards])


def _no_more(left: Iterator[int], orders: Iterator[list[Card]]) -> Iterator[list[Card]]:
    """The orders, as long as another one may be tried."""
    return (order for _, order in zip(left, orders, strict=False))


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
    part: Part, basis: tuple[object, ...], deal: Deal, cards: list[Card]
) -> Explanation | None:
    """The explanation in the order found before, if nothing has moved since and it still accuses nobody."""
    if part.explanation is None or basis != part.basis:
        return None
    place = {reading.item.uid: at for at, reading in enumerate(part.readings)}
    again = deal.explain([_item(card) for card in sorted(cards, key=lambda card: place[card.uid])])
    return None if _accuses(again) else again


def _exchanges(best: Explanation, cards: list[Card], sense: Sense) -> Iterator[list[Card]]:
    """The cards with one of them moved forward past others that may have left the deck after it, where it matters.

    First two neighbours each; then a card of which the shoe's antenna read more when it had left long ago.
    """
    amiss = [reading.how is not How.REGULAR for reading in best.readings]
    for further in (False, True):
        for at, to in earlier_places(cards, lambda card, than: _may_have_come_first(card, than, sense)):
            if any(amiss[to : at + 1]) and (at - to > 1) == further:
                yield moved(cards, at, to)


def _of_the_deal(hand: Hand) -> list[Card]:
    """The cards of the opening where the streets go to the board."""
    # A card that went back for another one had its turn; unless it was dealt to a seat anew.
    dealt = [
        card
        for card in hand.dealt_cards()
        if hand.cards.get(card.uid, card) is card or card.owner is not None
    ]
    return list({card.uid: card for card in dealt if _is_of_the_deal(hand, card)}.values())


def _is_of_the_deal(hand: Hand, card: Card) -> bool:
    if card.found or card.removed:
        return False  # when it was dealt is not known, or it took nobody's place
    if card.landing is not None and not is_community(card.landing.zone):
        return True
    # Once the dealer has gone on, what is still on its way is a burn or a board card.
    closed = hand.deal_closed_at
    under_way = card.landing is None or card.glided_over_board
    return under_way and card.held and (closed is None or card.out_at < closed - LATE_READ_MS)


def _item(card: Card) -> Item:
    if card.landing is None or card.in_passing:
        return Item(card.uid, None, card.out_at)
    landing = card.landing
    return Item(card.uid, seat_of(landing.zone), landing.since, landing.settled, card.from_shoe)


def _closed_early(hand: Hand) -> int | None:
    """When the dealer went on although cards of the deal are missing; None while he may still be dealing."""
    if hand.betting.actions or hand.betting.closed:
        return hand.betting.actions[0].t if hand.betting.actions else min(hand.betting.closed.values())
    if hand.deal is None or len(hand.deal.missing) >= len(hand.order):
        return None
    proof = [c for c in board_cards(hand) if c.sure and (c.burn or hand.betting.mode == "none")]
    return min((c.since for c in proof), default=None)


def _closed_before(hand: Hand, street: str, t: int) -> bool | None:
    if hand.betting.mode == "none":
        return None
    closed = hand.betting.closed_at(street)
    if closed is not None and closed <= t:
        return True
    return None if hand.betting.may_be_over(street, t) else False


def _dealing(hand: Hand, t: int) -> bool:
    if hand.deal_closed_at is not None and hand.deal_closed_at <= t:
        return False
    return hand.dealt_at is None or t < hand.dealt_at
