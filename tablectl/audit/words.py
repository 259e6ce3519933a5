"""A full hand in words, for a person at a terminal.

Owns: the wording of `audit open`. Refuses: JSON (`hands`), and how an irregularity is said (`timeline`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tablectl.audit.hands import PlayedHand
from tablectl.timeline import clock, ruling, slip


def lines_of(hand: PlayedHand) -> Iterator[str]:
    """The hand, a line at a time; an empty one before it."""
    yield ""
    yield ", ".join(_head(hand))
    if not hand.agrees:
        yield "  ! this tablectl puts the cards in another order than the table did then"
    for seat in hand.seats:
        yield f"  {f'seat {seat}':<8}{_in_row(card.said for card in hand.of_seat(seat))}"
    for laid in hand.streets:
        run = f"/{laid.run}" if laid.run > 1 else ""
        yield f"  {laid.name + run:<8}{_in_row(card.said for card in laid.cards)}"
    if hand.burns:
        yield f"  {'burns':<8}{_in_row(card.said for card in hand.burns)}"
    order = (f"{card.k or '-'}:{card.zone}:{card.said}" for card in hand.cards)
    yield f"  {'order':<8}{_in_row(order)}"
    for action in hand.known.actions if hand.known is not None else ():
        all_in = ", all-in" if action.all_in else ""
        yield f"  {clock(action.t):>9}  {action.street}: seat {action.seat} {action.action}{all_in}"
    for found in hand.irregularities:
        yield from _found(found)


def _head(hand: PlayedHand) -> Iterator[str]:
    yield f"hand {hand.number}, {hand.started_at:%H:%M:%S} UTC: {hand.game or 'game not known'}"
    yield f"button {hand.button or '?'}"
    if hand.known is not None and hand.known.deck:
        yield f"deck {hand.known.deck}"
    if hand.known is not None and hand.known.dealer:
        yield f"dealer {hand.known.dealer}"
    if hand.known is not None and not hand.known.followed:
        yield "not followed"
    if not hand.ended:
        yield "not ended"


def _found(found: Mapping[str, Any]) -> Iterator[str]:
    perhaps = "" if found["confirmed"] else "perhaps "
    cleared = f" ({found['cleared']})" if found.get("cleared") else ""
    yield f"  {clock(found['t']):>9}  {found['id']} {perhaps}{slip(found)}{cleared}"
    if found.get("ruling"):
        yield f"  {'':>9}    {ruling(found['ruling'])}"


def _in_row(words: Iterator[str]) -> str:
    return " ".join(words) or "-"
