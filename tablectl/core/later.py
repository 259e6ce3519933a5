"""Stud: the streets after the opening, each a part of the deal that goes to the seats still in.

Owns: which of them have begun, who is served, with whom a street began, and when the dealer went on.
Refuses: telling the cards of the parts apart (`core.stud`), and explaining a part (`core.reading`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf

from tablectl.core.card import Card
from tablectl.core.explanation import Item, Part
from tablectl.core.games import Street
from tablectl.core.hand import Hand
from tablectl.core.order import Deal
from tablectl.layout import ASIDE, MUCK, seat_of


def begun(hand: Hand) -> Iterator[tuple[Part, list[Card]]]:
    """The streets that have begun, with their cards; each is explained before the next one is asked for."""
    later: dict[str, Part] = {}
    for street in hand.game.streets:
        cards = listed(hand, hand.board.streets.get(street.name, []))
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
        yield part, cards
        part.closed_at = _went_on(hand, street, part)
    hand.later = later
    for before in (hand.left_before, hand.mucked_before):
        for name in before.keys() - later.keys():
            del before[name]


def likely_start(
    seats: tuple[int, ...], items: list[Item], deal_in: Callable[[tuple[int, ...]], Deal]
) -> tuple[int, ...]:
    """The seats from the one with which the street began: in stud the high hand, which no antenna knows."""
    first = next((item.seat for item in items if item.seat in seats), seats[0])
    at = seats.index(first)
    starts = [seats[n:] + seats[:n] for n in (*range(at, len(seats)), *range(at))]
    if deal_in(starts[0]).value(items) == 0.0:
        return starts[0]
    return max(starts, key=lambda order: deal_in(order).value(items))


def playing(hand: Hand, street: Street) -> tuple[int, ...]:
    """The seats that are due a card of a street of stud that has begun: those that had neither folded nor left."""
    if street.name not in hand.left_before:
        hand.left_before[street.name] = _left(hand)
        hand.mucked_before[street.name] = frozenset(seat for seat in hand.order if _mucked(hand, seat))
    out = _folded_before(hand, street) | hand.betting.dead | hand.left_before[street.name]
    return tuple(seat for seat in hand.order if seat not in out)


def still_in(hand: Hand) -> tuple[int, ...]:
    """The seats that would be due a card of a street that began now."""
    left = _left(hand)
    return tuple(seat for seat in hand.betting.live if seat not in left)


def _left(hand: Hand) -> frozenset[int]:
    """The seats whose cards are gone by now: to the muck, or, where no betting tells who is in, anywhere."""
    lie = {seat_of(card.zone) for card in hand.cards.values() if card.zone is not None}
    known = hand.betting.known
    return frozenset(seat for seat in hand.order if _mucked(hand, seat) or not (known or seat in lie))


def _mucked(hand: Hand, seat: int) -> bool:
    """The seat's hand went to the muck, some of it seen there; a card that came to the seat since changes nothing."""
    cards = hand.at_seat(seat)
    gone = [card.mucked_since or card.since for card in cards if card.zone in {MUCK, ASIDE}]
    lie = [card for card in cards if card.zone is not None and seat_of(card.zone) is not None]
    return bool(gone) and all(card.landing is not None and card.landing.since > min(gone) for card in lie)


def _folded_before(hand: Hand, street: Street, t: float = inf) -> frozenset[int]:
    """Who folded in the rounds before that street, by what was entered until then."""
    rounds = hand.game.rounds
    last = rounds.index(street.after)
    acts = hand.betting.actions
    return frozenset(
        a.seat for a in acts if a.action == "fold" and a.t <= t and rounds.index(a.street) <= last
    )


def _served(hand: Hand, street: Street, cards: list[Card]) -> tuple[int, ...]:
    """The same seats, and those that got a card of it although their hand may be given up: nobody had said so.

    Where nobody says who folds, the muck does.
    """
    began = min((card.landing.since for card in cards if card.landing), default=0)
    dead = {seat for seat, t in hand.betting.killed.items() if t < began}
    due = playing(hand, street)
    if not hand.betting.known:
        dead |= hand.mucked_before[street.name]
    got = {card.owner for card in cards} - _folded_before(hand, street, began) - dead
    return tuple(seat for seat in hand.order if seat in due or seat in got) or hand.order


def _went_on(hand: Hand, street: Street, part: Part) -> int | None:
    """When the dealer, or the betting, went on although a seat waits for its card of that street; None if not yet."""
    if not part.missing:
        return None
    last = max((reading.item.since for reading in part.readings), default=0)
    times = [begun_at(hand, street.name)]
    following = next((each for each in hand.game.streets if each.after == street.name), None)
    if following is not None:
        uids = (*hand.board.burns.get(following.name, ()), *hand.board.streets.get(following.name, ()))
        times += [card.since for card in listed(hand, uids) if card.landing and card.landing.settled]
    return min((t for t in times if t is not None and t > last), default=None)


def listed(hand: Hand, uids: Iterable[str]) -> list[Card]:
    return [hand.cards[uid] for uid in uids if uid in hand.cards]


def begun_at(hand: Hand, street: str) -> int | None:
    acted = (action.t for action in hand.betting.actions if action.street == street)
    return next(acted, hand.betting.closed_at(street))
