"""One hand after another: how a hand begins, what it takes over from the one before, and how it ends.

Owns: these passages, and whose button the hand has where the dealer did not say. Refuses: which card begins a hand
(`core.handover`), where the button may lie (`core.succession`), and what was not seen (`core.unseen`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tablectl.core.arrivals import FIRST_CARDS_MS
from tablectl.core.away import Away
from tablectl.core.card import FLIGHT_MS
from tablectl.core.decisions import Decision, HandEvent
from tablectl.core.docket import Docket
from tablectl.core.entered import Entered, Setup
from tablectl.core.games import clockwise
from tablectl.core.hand import Hand
from tablectl.core.reading import likely_button
from tablectl.core.riffle import pick_up_order
from tablectl.core.succession import Due, Held, either_button
from tablectl.core.track import Placed
from tablectl.layout import seat_of

if TYPE_CHECKING:
    from tablectl.core.table import Table


def begin(table: Table, placed: Placed, out: list[Decision]) -> None:
    """This card begins a hand; the one before it, if there is one, has ended by then."""
    seat = seat_of(placed.zone)
    last = table.hand
    if last is not None:
        finish(table, out)
        pick_up(table, last)
    table.handover.release(last, table.now, but=placed.uid)
    table.button_lies(table.button.at(placed.since - FLIGHT_MS))
    unseen = table.unseen.begins(placed)
    if not unseen:
        _button_by_first(table, seat)
    setup = table.setup
    table.hands += 1
    entered, table.entered = table.entered, Entered()
    table.hand = Hand(
        table.hands, setup, table.game, table.setting.betting, entered, placed.since - FLIGHT_MS
    )
    table.hand.picked_up = _picked_up_before(table)
    table.hand.button_due = button_due(table, setup)
    if table.setting.button_tags and table.game.has_button:
        table.hand.button_lay = setup.button
    table.docket = Docket(table.hand, table.book, table.ids)
    table.away = Away(table.hand, table.book.absent)
    table.hand.passed = [
        replace(each, uid=None, k=None)
        for each in table.waiting_passed
        if each.t >= table.hand.started_at - FIRST_CARDS_MS and not (last and each.t <= last.last_out)
    ]
    table.undo.begin(table.hand)
    if unseen:
        table.unseen.lose_thread(table.hand)


def pick_up(table: Table, hand: Hand) -> None:
    """Keeps in which order the hand's cards were picked up, as far as that was seen."""
    table.picked_up = table.deck, pick_up_order(hand) if hand.followed else ()


def _picked_up_before(table: Table) -> tuple[str, ...]:
    deck, picked_up = table.picked_up
    return picked_up if deck is table.deck else ()


def _button_by_first(table: Table, seat: int | None) -> None:
    """If nobody said where the button is, the first card tells: it goes to the seat on its left."""
    setup = table.setup
    if table.game.has_button and setup.button is None and seat in setup.eligible:
        table.setup = replace(setup, button=clockwise(setup.eligible, seat)[-2:][0])


def begin_anew(table: Table, hand: Hand) -> None:
    """What was entered for the hand is other than it began with: it goes on as if it had begun so."""
    first = next((card.landing.zone for card in hand.in_order() if card.landing is not None), "")
    if hand.followed:
        _button_by_first(table, seat_of(first))
    if table.setup != hand.setup:
        hand.button_due = button_due(table, table.setup)
    hand.pinned.clear()  # slips against another order
    hand.reseat(table.setup)
    hand.picked_up = _picked_up_before(table)


def announce(table: Table, hand: Hand, out: list[Decision]) -> None:
    """Tells that the hand has begun, once its first card surely lies there; a redeal is one by then."""
    hand.announced = True
    if table.redeal is not None:
        docket, button = table.redeal
        out += docket.redealt(table.now)
        hand.button_before = button
        table.redeal = None
        hand.button_due = None
    out.append(
        HandEvent(t=table.now, event="start", hand=hand.number, button=hand.setup.button, seats=hand.order)
    )


def finish(table: Table, out: list[Decision]) -> None:
    """The hand has ended; if cards still lie there they are looked after until they are collected."""
    hand = table.hand
    assert hand is not None  # noqa: S101 (by the callers)
    if not hand.announced:
        # It came to nothing; what was entered for it is for the next one.
        table.entered, table.hand, table.docket = hand.entered, None, None
        return
    if hand.ended:
        return
    table.unseen.finishes(hand)
    hand.ended = True
    table.handover.ended(table.now)
    out.append(
        HandEvent(
            t=table.now, event="end", hand=hand.number, button=hand.setup.button, seats=hand.order,
            counts=hand.counts(), sequence=hand.sequence(),
        )
    )  # fmt: skip
    table.floor_called = False
    if hand.given_up and table.docket is not None:
        # A hand that was ended by hand may have been played out: then nothing binds the button.
        played = hand.entered.showdown_at is not None or hand.entered.ended_at is not None
        bound = hand.voided and not played and hand.game.has_button
        table.redeal = (table.docket, _button_again(hand) if bound else None)
        # Blinds stay where they were, and so do straddles, unless they are taken back.
        table.entered.straddles = table.entered.straddles or hand.entered.straddles
        return
    if hand.game.has_button and hand.setup.button is not None and hand.followed:
        table.held = Held(hand.order, hand.setup.button, hand.button_due, played=hand.played)
    if hand.game.has_button and table.setup.button == hand.setup.button is not None:
        # Proposed for the next hand; an input of the dealer says otherwise.
        table.setup = replace(table.setup, button=clockwise(table.setup.eligible, hand.setup.button)[0])


def button_due(table: Table, setup: Setup) -> Due | None:
    """Where the button may lie in a hand for those seats, by the hand before; None if nothing is known of it."""
    game = table.hand.game if table.hand is not None else table.game
    if table.held is None or not game.has_button or table.redeal is not None:
        return None
    return table.held.after(setup.eligible)


def button_by_deal(table: Table, hand: Hand) -> bool:
    """The button's tag lies where it is not due: the deal tells whose hand it is. True if that is news.

    A dealer who forgets the button, or moves it once the cards are out, deals from the right seat all the same.
    """
    lies = hand.button_lay
    if lies is None or table.button.entered_at is not None or not hand.followed:
        return False
    if hand.voided or hand.deal_done or hand.emptied():
        return False
    again = table.redeal[1] if table.redeal is not None else hand.button_before
    before = None if table.redeal is not None else table.held
    left = before.moved_on(hand.setup.eligible) if before is not None and before.button == lies else None
    seats = either_button(lies, again, hand.button_due, left)
    button = likely_button(hand, table.sense, seats)
    if button == hand.setup.button:
        return False
    table.setup = replace(table.setup, button=button)
    hand.reseat(replace(hand.setup, button=button))
    return True


def _button_again(hand: Hand) -> int | None:
    """Where the button must lie when the hand is dealt again: where it lay, or where it should have lain."""
    button, due = hand.setup.button, hand.button_due
    return due.expected if due is not None and button not in due.seats else button
