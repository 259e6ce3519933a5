"""The ways to explain one card of the deal, and what each costs.

Owns: the prices, in nats, and which ways are open after the cards before. Refuses: choosing (`core.order`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tablectl.core.explanation import SLIPS, How, Item

SLIP = -7.0
"""ln of how often a dealer slips, per card (about one card in a thousand; assumption)."""
LATE = -4.0
FOUND_LATE = -3.0
"""A card turns up at a seat that must have got one unseen: it lies badly there, and the shoe has missed it."""
LEFT_OUT = -3.5
TAKEN_BACK = -20.0
EXPECTED = -0.5
"""A seat is left out that got its card early, or that was left out before."""
TWICE = -1.0
"""The button gets two cards in a row; lawful, but not what a dealer intends."""
UNLOCATED = 0.01
"""A slip is rather seen in a card that lies somewhere than in one that is nowhere yet."""
LATER_SLIPS = 1e-6
MAX_SKIP = 2
"""A dealer passes over one seat, or two; more at once is a card at a wrong seat."""
NEVER = -1e9
HOPELESS = 24.0
"""Partial explanations this much (nats) behind the best one are given up."""


@dataclass(slots=True)
class Move:
    """One way to explain a card: at what cost (nats), how many positions are served then, and who was passed."""

    how: How
    cost: float
    to: int
    passed: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()
    """Seats that were passed over rightly."""
    unseen: tuple[tuple[int, float], ...] = ()
    """(seat, cost) of the cards that go unseen by this move; of a card found late: of those that still are."""
    ahead: int | None = None
    """The seat that got a card before its turn, and is left out then."""


@dataclass(slots=True)
class Path:
    """An explanation of the first cards: where the deal has come to, and which seats need no card when it is theirs."""

    value: float
    dealt: int
    order: tuple[int, ...]
    early: frozenset[int] = frozenset()
    """Seats that have a card already that was not due yet: they are rightly left out when it is."""
    dropped: frozenset[int] = frozenset()
    """Seats that were passed over: to the dealer they are not in the hand."""
    unseen: tuple[tuple[int, float], ...] = ()
    """(seat, cost) of the cards that were not read at their seats: they may be found later."""
    before: Path | None = None
    """The same without the last card."""
    move: Move | None = None
    """How the last card is explained."""
    twice: bool = False
    """The button got two cards in a row; it must be left out for that."""

    @property
    def place(self) -> Place:
        """What its future hangs on."""
        return self.dealt, self.early, self.unseen


Place = tuple[int, frozenset[int], tuple[tuple[int, float], ...]]
"""Positions served, seats served early, cards gone unseen: paths that agree in these have the same future."""

Doubt = Callable[[Item, int | None], float]
"""(card, seat) → ln of how much likelier it lies at that seat, or is on its way there, than where it was found; None:
on its way to the board or the burn pile."""
Unseen = Callable[[int, Item, Item | None], float]
"""(seat, card, the card before it) → ln P(a card landed at the seat between the two and no antenna has read it)."""


class Ways:
    """The ways to explain a card of one hand: seats in dealing order, cards each, and what is already settled.

    `pinned` holds the cards whose slip was confirmed to the dealer: it has been paid for, so that later cards
    are explained around it.
    """

    def __init__(
        self,
        order: Sequence[int],
        need: int,
        unseen: Unseen,
        doubt: Doubt,
        pinned: Mapping[str, How],
        found: Mapping[int, int],
        *,
        button: int | None = None,
    ) -> None:
        self.order = tuple(order)
        self.need = need
        self.pinned = pinned
        self._unseen = unseen
        self._doubt = doubt
        self.found = found
        """Cards per seat that were found there after an outage: nobody knows when they came."""
        self._button = button
        """The seat of the button, if it is dealt in: it may get two cards in a row."""
        self._asked: dict[tuple[int, str, str], float] = {}
        self._doubted: dict[tuple[str, int | None], float] = {}

    def of(self, item: Item, last: Item | None, path: Path, counts: Mapping[int, int]) -> Iterator[Move]:
        position, order = path.dealt, path.order
        total = self.need * len(order)
        if item.seat is None:
            yield Move(How.REGULAR, 0.0, min(position + 1, total))
            yield Move(How.EXTRA, SLIP - UNLOCATED, position)
        elif position >= total:
            yield Move(How.EXTRA, SLIP, total)
            yield Move(How.MISLAID, self._cost_of_doubt(item, None), total)
            yield from self._found_late(item, path)
            if counts.get(item.seat, 0) < self.need and item.seat in order:
                yield Move(How.LATE, LATE, total, unseen=path.unseen)
        elif order[position % len(order)] == item.seat:
            if not (path.twice and item.seat in path.early):
                yield Move(How.REGULAR, 0.0, position + 1)
            yield Move(How.EXTRA, SLIP, position)
        else:
            yield Move(How.WRONG, SLIP, position + 1)
            yield Move(How.EXTRA, SLIP, position)
            if item.uid not in self.pinned:
                cost = self._cost_of_doubt(item, order[position % len(order)])
                yield Move(How.MISLAID, cost, position + 1)
            yield from self._found_late(item, path)
            yield from self._past_others(item, last, path, counts)
            if last is not None and item.seat == last.seat == self._button and self._ends_round(path):
                yield Move(How.REGULAR, TWICE, position, ahead=item.seat)

    def _ends_round(self, path: Path) -> bool:
        """The button just got the last card of a round, as it should."""
        regular = path.move is not None and path.move.how is How.REGULAR and path.move.ahead is None
        at_end = path.dealt % len(path.order) == 0 and path.order[-1] == self._button
        return regular and at_end and self._button not in path.early

    def _found_late(self, item: Item, path: Path) -> Iterator[Move]:
        """The card is one that went unseen at its seat; it is read now, there or by a neighbour's antenna."""
        if item.from_shoe:
            return
        for seat, paid in path.unseen:
            doubt = 0.0 if seat == item.seat else self._cost_of_doubt(item, seat)
            if doubt > -HOPELESS:
                others = tuple(each for each in path.unseen if each[0] != seat)
                yield Move(How.LATE, FOUND_LATE - paid + doubt, path.dealt, unseen=others)

    def _past_others(
        self, item: Item, last: Item | None, path: Path, counts: Mapping[int, int]
    ) -> Iterator[Move]:
        """The card is right for a later seat; what happened to the seats in between?"""
        spared = 0.0
        unseen: list[tuple[int, float]] = []
        passed: list[int] = []
        left_out: list[int] = []
        size, total = len(path.order), self.need * len(path.order)
        for at in range(path.dealt, min(path.dealt + size, total)):
            seat = path.order[at % size]
            if seat == item.seat:
                who, rightly = tuple(passed), tuple(left_out)
                if not passed:
                    yield Move(How.REGULAR, spared, at + 1, (), rightly)
                    return
                cost = spared + sum(each for _, each in unseen)
                yield Move(How.UNSEEN, cost, at + 1, who, rightly, tuple(unseen))
                if len(passed) <= MAX_SKIP:
                    yield Move(How.SKIP, spared + SLIP * len(passed), at + 1, who, rightly)
                return
            if passed and item.uid not in self.pinned:
                yield from self._mislaid_past(item, seat, at, spared, tuple(left_out), tuple(unseen))
            if seat in path.early or seat in path.dropped:
                spared += EXPECTED
                left_out.append(seat)
            elif counts.get(seat, 0) >= self.need:
                spared += LEFT_OUT
            else:
                passed.append(seat)
                unseen.append((seat, self._cost_of_unseen(seat, item, last)))

    def _mislaid_past(
        self,
        item: Item,
        seat: int,
        at: int,
        spared: float,
        left_out: tuple[int, ...],
        unseen: tuple[tuple[int, float], ...],
    ) -> Iterator[Move]:
        """It is read beside its own seat, and the cards of the seats before that one were not read yet."""
        doubt = self._cost_of_doubt(item, seat)
        if doubt > -HOPELESS:
            cost = spared + doubt + sum(each for _, each in unseen)
            passed = tuple(each for each, _ in unseen)
            yield Move(How.MISLAID, cost, at + 1, passed, left_out, unseen)

    def _cost_of_doubt(self, item: Item, seat: int | None) -> float:
        key = (item.uid, seat)
        if key not in self._doubted:
            self._doubted[key] = min(0.0, self._doubt(item, seat))
        return self._doubted[key]

    def _cost_of_unseen(self, seat: int, item: Item, last: Item | None) -> float:
        if self.found.get(seat):
            return 0.0  # the card that was found there
        key = (seat, item.uid, last.uid if last else "")
        if key not in self._asked:
            self._asked[key] = self._unseen(seat, item, last)
        return self._asked[key]


def extra_cost(how: How, index: int, *, pinned: bool) -> float:
    """What an explanation costs besides, by the card's place and by what the dealer was told of it already."""
    if how in SLIPS:
        return LATER_SLIPS * index - (SLIP if pinned else 0.0)  # reported already, and paid for
    if pinned and how in {How.UNSEEN, How.MISLAID}:
        return TAKEN_BACK  # what was told is not taken back because an antenna sees less now
    return 0.0


def still_unseen(path: Path, move: Move) -> tuple[tuple[int, float], ...]:
    if move.how in {How.UNSEEN, How.MISLAID}:
        return path.unseen + move.unseen
    if move.how is How.LATE:
        return move.unseen
    return path.unseen
