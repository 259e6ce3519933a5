"""The streets as they were laid: read in the order, and at the places, that leave the fewest slips.

Where the shoe left the order of two cards open, both are tried; a card found on the burn pile may lie on the board, a
card of the board on the burn pile, and one that was found late may have been dealt late.
Owns: which cards may be of the streets or burns, and that search. Refuses: what a street is (`core.streets`,
`core.stud`), and what the antennas can prove (`core.sense`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from tablectl.core.card import FLIGHT_MS, Card, earlier_places, moved
from tablectl.core.hand import Hand
from tablectl.core.sense import Sense
from tablectl.core.streets import PAUSE_MS, BoardReading, CommunityCard, Context, Slip, read_board
from tablectl.core.stud import read_stud
from tablectl.layout import ASIDE, BOARD, BURN, MUCK, is_board, is_community

Doubts = dict[str, CommunityCard]
"""Cards that are taken for something else than what they seem to be."""
MISPLACED_BURN = frozenset({"burn_missing", "too_many_board_cards"})
"""What a burn that is read by the board's antenna looks like."""


def read_streets(hand: Hand, context: Context, sense: Sense) -> BoardReading:
    """The streets, in another order where the shoe left that open, or with a card taken for what it may be instead, if
    that explains a slip away."""
    cards = _of_streets(hand)
    told: Doubts = {}
    best = _as_laid(hand, context, cards, told)
    improved = bool(best.slips)
    while improved:
        improved = False
        for order, also in _other_accounts(hand, cards, told, sense, best.slips):
            other = _as_laid(hand, context, order, also)
            if len(other.slips) < len(best.slips):
                best, cards, told, improved = other, order, also, bool(other.slips)
                break
    return best


def as_it_lies(hand: Hand) -> list[CommunityCard]:
    """The cards of streets and burns in the order in which they are first supposed to have left the deck."""
    return _with_untagged(hand, _of_streets(hand))


def board_cards(hand: Hand) -> list[CommunityCard]:
    """The cards that came to rest on the board or the burn pile."""
    return [_community(card) for card in hand.in_order() if card.landing and _may_be_community(hand, card)]


def _of_streets(hand: Hand) -> list[Card]:
    may_be = _may_be_of_stud if hand.game.to_seats else _may_be_community
    return [card for card in hand.in_order() if may_be(hand, card)]


def _as_laid(hand: Hand, context: Context, cards: list[Card], told: Doubts) -> BoardReading:
    """The streets read from these cards in this order, some of them taken for something else."""
    laid = [told.get(card.uid) or card for card in _with_untagged(hand, cards)]
    reading = (read_stud if hand.game.to_seats else read_board)(laid, context, hand.base)
    reading.shifted = frozenset(told)
    return reading


def _other_accounts(
    hand: Hand, cards: list[Card], told: Doubts, sense: Sense, slips: list[Slip]
) -> Iterator[tuple[list[Card], Doubts]]:
    """Other orders; then, one by one, the cards that may be what they do not seem to be."""
    for order in _other_orders(cards):
        yield order, told
    if hand.game.to_seats:
        return
    for card, instead in _on_board(cards, sense):
        if card.uid not in told:
            yield cards, told | {card.uid: instead}
    for card, instead in _burnt(cards, sense) if {slip.kind for slip in slips} >= MISPLACED_BURN else ():
        if card.uid not in told:
            yield cards, told | {card.uid: instead}
    for card in cards:
        if card.found and card.from_shoe and card.landing is not None and card.uid not in told:
            # Nobody knows when it was dealt: perhaps just before it was read.
            out = card.landing.since - FLIGHT_MS
            late = sorted(cards, key=lambda each: out if each is card else each.out_at)
            yield late, told | {card.uid: replace(_community(card), out=out)}


def _on_board(cards: list[Card], sense: Sense) -> Iterator[tuple[Card, CommunityCard]]:
    """Cards of the burn pile that may lie on the board, and be read from there."""
    for before, card in pairwise(cards):
        laid, at_once = _community(card), card.out_at - before.out_at <= PAUSE_MS
        if laid.burn and laid.sure and at_once and sense.may_lie(card.uid, *sense.layout.board_zones):
            yield card, replace(laid, burn=False, zone=BOARD)


def _burnt(cards: list[Card], sense: Sense) -> Iterator[tuple[Card, CommunityCard]]:
    """Cards of the board that may lie on the burn pile."""
    for card in cards:
        laid = _community(card)
        if is_board(laid.zone) and laid.sure and sense.may_lie(card.uid, BURN):
            yield card, replace(laid, burn=True, zone=BURN)


def _with_untagged(hand: Hand, cards: list[Card]) -> list[CommunityCard]:
    """The community cards, and between them what went by without a tag after the deal: burns, perhaps."""
    to_seats = hand.game.to_seats
    community = [(_of_stud if to_seats else _community)(card) for card in cards]
    over = hand.deal_over_at
    for each in hand.passed if over is not None else ():
        if each.uid is None and over is not None and each.t > over:
            at = sum(card.out <= each.t for card in community)
            zone = "" if to_seats else BURN
            unread = CommunityCard(f"{each.t}", burn=True, zone=zone, since=each.t, out=each.t, sure=False)
            community.insert(at, unread)
    return community


def _other_orders(cards: list[Card]) -> Iterator[list[Card]]:
    """The same cards with one of them moved forward to where it may have been, the smallest move first."""
    return (moved(cards, at, to) for at, to in earlier_places(cards, _may_have_come_earlier))


def _may_have_come_earlier(card: Card, than: Card) -> bool:
    return card.earliest_out < than.latest_out and _open_order(than, card)


def _open_order(first: Card, second: Card) -> bool:
    """A burn may have come before a board card after all; the other way round only if the shoe missed one."""
    burnt = second.landing is not None and second.landing.zone == BURN
    dated_by_landing = second.out_at > second.shoe_read
    return burnt or dated_by_landing or not (first.from_shoe and second.from_shoe)


def _may_be_community(hand: Hand, card: Card) -> bool:
    """On the board or the burn pile; or on its way after the deal, and then perhaps a burn."""
    if _is_under_way(card):
        return card.held and hand.dealt_at is not None and card.out_at > hand.dealt_at
    landing = card.landing
    return landing is not None and is_community(landing.zone) and (landing.settled or landing.zone == BURN)


def _is_under_way(card: Card) -> bool:
    """It left the deck, and nobody knows yet where it lies: a burn, perhaps."""
    landing = card.landing
    if landing is None or landing.zone in {MUCK, ASIDE} or card.glided_over_board:
        return True
    return card.left and not landing.settled and landing.zone != BURN


def _community(card: Card) -> CommunityCard:
    landing = card.landing
    if landing is None or _is_under_way(card):
        return CommunityCard(card.uid, burn=True, zone=BURN, since=card.out_at, out=card.out_at, sure=False)
    return CommunityCard(
        card.uid, landing.zone == BURN, landing.zone, landing.since, card.out_at, landing.settled
    )


def _may_be_of_stud(_: Hand, card: Card) -> bool:
    """At a seat, on the burn pile or on its way: the opening and the streets are told apart when they are read."""
    return card.held if card.landing is None else not is_board(card.landing.zone)


def _of_stud(card: Card) -> CommunityCard:
    landing = card.landing
    if landing is None or landing.zone in {MUCK, ASIDE}:
        return CommunityCard(card.uid, burn=True, zone="", since=card.out_at, out=card.out_at, sure=False)
    burnt = landing.zone == BURN
    return CommunityCard(card.uid, burnt, landing.zone, landing.since, card.out_at, landing.settled)
