"""The board and the burns as they are laid anew: after steps of a remedy, after an outage, or by the floor.

Owns: where the reading of the board starts from then on (`core.streets.Base`). Refuses: the reading itself, and the
steps (`core.remedy`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tablectl.core.games import Street
from tablectl.core.hand import Hand
from tablectl.core.handwork import OFF_BOARD_MS
from tablectl.core.remedy import Remedy
from tablectl.core.runs import cards_of, is_whole, put_away
from tablectl.core.streets import Base
from tablectl.layout import ASIDE, BURN, SHOE, is_board, seat_of


def suspend_board(hand: Hand, now: int, surely_gone: Callable[[str], bool]) -> None:
    """A board card was taken away without a remedy that says so: the floor is at work on the board."""
    meant = hand.base.settled | put_away(hand)
    for card in hand.cards.values():
        landed = card.landing is not None and card.landing.settled and is_board(card.landing.zone)
        if not landed or card.uid in meant or (card.zone is not None and is_board(card.zone)):
            continue
        moved = card.zone is not None and now - card.since >= OFF_BOARD_MS
        if moved or (now - card.since >= OFF_BOARD_MS and surely_gone(card.uid)):
            hand.board_suspended = True


def lay_anew(hand: Hand, remedy: Remedy | None = None, *, burn_unsure: bool = False) -> None:
    """From here on the board is read from what lies there now, and from what the remedy says of the next burn.

    rules.md §1.2: one burn is due for each street; a burn that a remedy orders is due besides those made already,
    and none is due where it says so. A card that became a burn is one.
    """
    before, away = hand.base, put_away(hand)
    for card in hand.cards.values():
        if card.owner is None and card.landing is not None and card.zone is None and card.uid not in away:
            card.counts_in = ASIDE
    if hand.game.to_seats:
        hand.base = _in_stud(hand, remedy, as_it_lies=remedy is None and not burn_unsure)
        return
    streets, counts = _runs_before(hand, as_it_lies=remedy is None)
    laid = {uid for uids in streets.values() for uid in uids}
    lying = [card for card in hand.on_board() if card.uid not in laid]
    last_since = max((card.since for card in hand.on_board()), default=0)
    for each in hand.streets[len(counts) :]:
        streets[each.key] = tuple(card.uid for card in lying[: each.cards])
        lying = lying[each.cards :]
        counts.append(len(streets[each.key]))
    street = max((index for index, count in enumerate(counts) if count), default=-1)
    community = (
        c.uid for c in hand.cards.values() if c.landing is not None and seat_of(c.landing.zone) is None
    )
    burnt = remedy.burnt if remedy is not None else set()
    burns = {
        each.key: before.burns.get(each.key, 0)
        + sum(uid not in burnt for uid in hand.board.burns.get(each.key, ()))
        for each in hand.streets
    }
    due = dict(before.due)
    following = next(iter(hand.streets[street + 1 :]), None)
    if remedy is not None and following is not None:
        _pay(remedy, following, burns, due)
    paid = following is not None and burns[following.key] >= due.get(following.key, 1)
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


def _runs_before(hand: Hand, *, as_it_lies: bool) -> tuple[dict[str, tuple[str, ...]], list[int]]:
    """Where the board is run more than once, the streets of the runs that are over, and their cards: as they were read.

    They may have been pushed away since, and what lies on the board now is of the run that is on. A remedy of the last
    run that was dealt (not `as_it_lies`) may have changed that one, whole as it is.
    """
    last = hand.run if as_it_lies and is_whole(hand, hand.run) else hand.run - 1
    over = [each for each in hand.streets if each.run <= last]
    streets = {each.key: cards_of(hand, each.key) for each in over}
    return streets, [hand.board.counts.get(at, 0) for at in range(len(over))]


def _pay(remedy: Remedy, street: Street, burns: dict[str, int], due: dict[str, int]) -> None:
    """What the remedy says of the burns of the street that comes next."""
    key = street.key
    burns[key] += remedy.pays(street)
    orders = remedy.orders_burn(street)
    if orders is not None:
        due[key] = burns[key] + orders
    elif remedy.complete and remedy.steps[-1]["do"] == "no_burn":
        burns[key] = due[key] = 1
    remedy.laid.update(remedy.done)
