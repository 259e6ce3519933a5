"""The board and the burns as they are laid anew: after steps of a remedy, after an outage, or by the floor.

Owns: where the reading of the board starts from then on (`core.streets.Base`). Refuses: the reading itself, and the
steps (`core.remedy`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tablectl.core.hand import Hand
from tablectl.core.handwork import OFF_BOARD_MS
from tablectl.core.remedy import Remedy
from tablectl.core.streets import Base
from tablectl.layout import ASIDE, BURN, SHOE, is_board, seat_of


def suspend_board(hand: Hand, now: int, surely_gone: Callable[[str], bool]) -> None:
    """A board card was taken away without a remedy that says so: the floor is at work on the board."""
    for card in hand.cards.values():
        landed = card.landing is not None and card.landing.settled and is_board(card.landing.zone)
        if not landed or card.uid in hand.base.settled or (card.zone is not None and is_board(card.zone)):
            continue
        moved = card.zone is not None and now - card.since >= OFF_BOARD_MS
        if moved or (now - card.since >= OFF_BOARD_MS and surely_gone(card.uid)):
            hand.board_suspended = True


def lay_anew(hand: Hand, remedy: Remedy | None = None, *, burn_unsure: bool = False) -> None:
    """From here on the board is read from what lies there now, and from what the remedy says of the next burn.

    rules.md §1.2: one burn is due for each street; a burn that a remedy orders is due besides those made already,
    and none is due where it says so. A card that became a burn is one.
    """
    before = hand.base
    for card in hand.cards.values():
        if card.owner is None and card.landing is not None and card.zone is None:
            card.counts_in = ASIDE
    if hand.game.to_seats:
        hand.base = _in_stud(hand, remedy, as_it_lies=remedy is None and not burn_unsure)
        return
    lying, counts, street, streets = hand.on_board(), [], -1, {}
    last_since = max((card.since for card in lying), default=0)
    for index, each in enumerate(hand.game.streets):
        streets[each.name] = tuple(card.uid for card in lying[: each.cards])
        lying = lying[each.cards :]
        counts.append(len(streets[each.name]))
        if counts[-1]:
            street = index
    community = (
        c.uid for c in hand.cards.values() if c.landing is not None and seat_of(c.landing.zone) is None
    )
    burnt = remedy.burnt if remedy is not None else set()
    burns = {
        each.name: before.burns.get(each.name, 0)
        + sum(uid not in burnt for uid in hand.board.burns.get(each.name, ()))
        for each in hand.game.streets
    }
    due = dict(before.due)
    following = next((each.name for each in hand.game.streets[street + 1 :]), None)
    if remedy is not None and following is not None:
        _pay(remedy, following, burns, due)
    paid = following is not None and burns[following] >= due.get(following, 1)
    hand.base = Base(
        street, tuple(counts), paid, burn_unsure, frozenset(community), burns, due, streets, last_since,
        before.epoch + 1,
    )  # fmt: skip


def _in_stud(hand: Hand, remedy: Remedy | None, *, as_it_lies: bool) -> Base:
    """The streets lie at the seats as before; but the burn of the one that comes next may be made already.

    A card that a remedy gave in place of another one is of no street, if that one has had its turn.
    `as_it_lies`: a remedy was left; what lies on the burn pile by now is no further slip.
    """
    names = [each.name for each in hand.game.streets]
    following = names[max(hand.board.current, 0) : hand.board.current + 2]
    settled = {uid for uid in hand.base.settled if uid in hand.cards}
    settled |= {
        card.uid for card in hand.cards.values() if card.removed or (not card.held and card.zone == SHOE)
    }
    if remedy is not None and not any(uid in settled for uid in remedy.cards):
        settled |= remedy.given
    if as_it_lies:
        settled |= {card.uid for card in hand.in_zone(BURN)}
    return replace(hand.base, no_burn=hand.base.no_burn | set(following), settled=frozenset(settled))


def _pay(remedy: Remedy, street: str, burns: dict[str, int], due: dict[str, int]) -> None:
    """What the remedy says of the burns of the street that comes next."""
    burns[street] += remedy.pays(street)
    orders = remedy.orders_burn(street)
    if orders is not None:
        due[street] = burns[street] + orders
    elif remedy.complete and remedy.steps[-1]["do"] == "no_burn":
        burns[street] = due[street] = 1
    remedy.laid.update(remedy.done)
