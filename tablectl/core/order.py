"""The order of the deal: which explanation of the cards' destinations has the fewest slips.

Theory of operation. The cards of the initial deal, in order of leaving the deck, are laid against the order in
which the seats should get them. A path through both costs, in nats:

    regular     the card is at the seat that was due                                      0
    mislaid     the card is at the seat that was due, and a neighbour's antenna reads it     evidence of both antennas
    unseen      the seat that was due got a card that no antenna read                     evidence of its antenna
    wrong       the card belonged to the seat that was due, which then counts as served   SLIP
    extra       the card belonged nowhere here; the seat that was due is still due        SLIP
    skip        the seat that was due was passed over; the card is right for the next     SLIP a seat
    late        after the last card, a card for a seat that is short                      LATE

The cheapest path is what happened ("the explanation with the fewest further slips"). A slip is sure by the
margin between the best path and the best one on which that card is regular, and decided when the other kinds
of slip are worse by DECIDED.

Owns: the alignment. Refuses: time, zones other than seats, and whether to alarm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

SLIP = -7.0
"""ln of how often a dealer slips, per card (about one card in a thousand; assumption)."""
LATE = -4.0
LEFT_OUT = -3.5
TAKEN_BACK = -20.0
EXPECTED = -0.5
"""A seat is left out that got its card early, or that was left out before."""
LATER_SLIPS = 1e-6
SOFT_DOUBT = -1.0
"""A card that only probably lies where it is read may as well lie where it is due."""
DECIDED = 3.0
MAX_SKIP = 2
"""A dealer passes over one seat, or two; more at once is a card at a wrong seat."""
NEVER = -1e9
PATHS_KEPT = 12
HOPELESS = 40.0
"""Partial explanations this much (nats) behind the best one are given up."""


class How(Enum):
    """How one card of the deal is explained."""

    REGULAR = "regular"
    UNSEEN = "unseen"
    MISLAID = "mislaid"
    WRONG = "wrong"
    EXTRA = "extra"
    SKIP = "skip"
    LATE = "late"


SLIPS = frozenset({How.WRONG, How.EXTRA, How.SKIP})
INNOCENT = frozenset({How.REGULAR, How.UNSEEN, How.MISLAID, How.LATE})
ANY = SLIPS | INNOCENT


@dataclass(frozen=True, slots=True)
class Item:
    """One card of the initial deal. `seat` None: it left the deck and has not been located yet."""

    uid: str
    seat: int | None
    since: int = 0
    settled: bool = True


@dataclass(frozen=True, slots=True)
class Reading:
    """How one card is explained: the seat that was due, how many deal positions it passed over, and how sure."""

    item: Item
    how: How
    due: int | None
    """Seat that was due; None after the last card."""
    position: int
    """Place in the deal, counted from 0, at which this card was due or came."""
    passed: tuple[int, ...] = ()
    """Seats that were passed over (skip) or got an unseen card (unseen)."""
    sure: float = 0.0
    """Margin (nats) of a slip against the best explanation without it."""
    decided: bool = True
    """False while another kind of slip explains the cards as well."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The whole deal: a reading per card, how far the deal has come, and the order that was followed."""

    readings: tuple[Reading, ...]
    dealt: int
    """Positions of the deal that are served: equal to `total` when the deal is complete."""
    total: int
    order: tuple[int, ...]
    full: frozenset[int] = frozenset()
    """Seats that have all their cards."""
    value: float = 0.0
    """ln P of the explanation, up to a constant."""

    @property
    def next_seat(self) -> int | None:
        """The seat that is due next."""
        return next(iter(self.missing), None)

    @property
    def missing(self) -> tuple[int, ...]:
        """Seats of the positions that are not served yet."""
        due = (self.order[p % len(self.order)] for p in range(self.dealt, self.total))
        return tuple(seat for seat in due if seat not in self.full)


@dataclass(frozen=True, slots=True)
class _Move:
    """One way to explain a card: at what cost (nats), how many positions are served then, and who was passed."""

    how: How
    cost: float
    to: int
    passed: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()
    """Seats that were passed over rightly."""


@dataclass(frozen=True, slots=True)
class _Path:
    """An explanation of the first cards: where the deal has come to, and which seats need no card when it is theirs."""

    value: float
    readings: tuple[Reading, ...]
    dealt: int
    order: tuple[int, ...]
    early: frozenset[int] = frozenset()
    """Seats that have a card already that was not due yet: they are rightly left out when it is."""
    dropped: frozenset[int] = frozenset()
    """Seats that were passed over: to the dealer they are not in the hand."""


_Place = tuple[int, frozenset[int]]

Doubt = Callable[[Item, int], float]
"""(card, seat) → ln of how much likelier it lies at that seat than where it was found."""
Unseen = Callable[[int, int], float]
"""(seat, since) → ln P(a card landed there before `since` and no antenna has read it)."""


class Deal:
    """The alignment problem of one hand: seats in dealing order, cards each, and what is already settled.

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
    ) -> None:
        self._order = tuple(order)
        self._need = need
        self._unseen = unseen
        self._doubt = doubt
        self._pinned = pinned
        self._found = found
        """Cards per seat that were found there after an outage: nobody knows when they came."""
        self._asked: dict[tuple[int, int], float] = {}

    def explain(self, items: Sequence[Item]) -> Explanation:
        """The cheapest explanation, with a margin for each slip in it."""
        plain = self._as_it_should_be(items)
        if plain is not None:
            return plain
        best = self._solve(items, {})
        readings = tuple(
            self._weighed(items, best, index) if reading.how in SLIPS else reading
            for index, reading in enumerate(best.readings)
        )
        total = self._need * len(self._order)
        return Explanation(readings, best.dealt, total, best.order, self._full(items), best.value)

    def _full(self, items: Sequence[Item]) -> frozenset[int]:
        held = Counter(item.seat for item in items if item.settled) + Counter(self._found)
        return frozenset(seat for seat in self._order if held[seat] >= self._need)

    def _as_it_should_be(self, items: Sequence[Item]) -> Explanation | None:
        """The explanation of a deal without any slip, by far the most common; None if there is one."""
        total = self._need * len(self._order)
        if len(items) > total or self._found:
            return None
        readings = []
        for position, item in enumerate(items):
            due = self._order[position % len(self._order)]
            if item.seat is not None and item.seat != due:
                return None
            readings.append(Reading(item, How.REGULAR, due, position))
        return Explanation(tuple(readings), len(items), total, self._order)

    def _weighed(self, items: Sequence[Item], best: _Path, index: int) -> Reading:
        readings, reading = best.readings, best.readings[index]
        # The other cards stay as they are explained: else a neighbour would be blamed instead of this one.
        rest = {n: INNOCENT for n, other in enumerate(readings) if n != index and other.how not in SLIPS}
        innocent = self._solve(items, {**rest, index: INNOCENT}).value
        rivals = [
            self._solve(items, {**rest, index: frozenset({how})}).value
            for how in SLIPS - {reading.how}
            # A card that is wrong and one that is extra are the same news for the dealer.
            if not {how, reading.how} <= {How.WRONG, How.EXTRA}
        ]
        decided = reading.item.uid in self._pinned or all(best.value - value >= DECIDED for value in rivals)
        return replace(reading, sure=best.value - innocent, decided=decided)

    def _solve(self, items: Sequence[Item], allowed: Mapping[int, frozenset[How]]) -> _Path:
        paths = [self._align(items, allowed, self._order)]
        first = items[0].seat if items else None
        if first in self._order and first != self._order[0]:
            # The first card went elsewhere: the whole deal may go on from there.
            at = self._order.index(first)
            paths.append(self._align(items, allowed, self._order[at:] + self._order[:at]))
        return max(paths, key=lambda path: path.value)

    def _align(
        self, items: Sequence[Item], allowed: Mapping[int, frozenset[How]], order: tuple[int, ...]
    ) -> _Path:
        paths: dict[_Place, _Path] = {(0, frozenset()): _Path(0.0, (), 0, order)}
        counts: dict[int, int] = dict(self._found)
        for index, item in enumerate(items):
            after: dict[_Place, _Path] = {}
            for path in paths.values():
                for longer in self._longer(path, index, item, counts):
                    place = (longer.dealt, longer.early)
                    rival = after.get(place)
                    fits = longer.readings[-1].how in allowed.get(index, ANY)
                    if fits and (rival is None or longer.value > rival.value):
                        after[place] = longer
            paths = after or {p: replace(path, value=path.value + NEVER) for p, path in paths.items()}
            best = sorted(paths.items(), key=lambda each: -each[1].value)[:PATHS_KEPT]
            paths = {p: path for p, path in best if path.value >= best[0][1].value - HOPELESS}
            if item.seat is not None:
                counts[item.seat] = counts.get(item.seat, 0) + 1
        ends = [self._ended(path, counts) for path in paths.values()]
        return max(ends, key=lambda path: (path.value, path.dealt))

    def _ended(self, path: _Path, counts: Mapping[int, int]) -> _Path:
        """If the seats still due have all their cards, by an earlier slip, the deal is over: they are left out."""
        total = self._need * len(path.order)
        due = [path.order[p % len(path.order)] for p in range(path.dealt, total)]
        spared = path.early | path.dropped
        if not due or any(counts.get(seat, 0) < self._need and seat not in spared for seat in due):
            return path
        cost = EXPECTED if spared.issuperset(due) else LEFT_OUT
        return replace(path, value=path.value + cost, dealt=total)

    def _longer(self, path: _Path, index: int, item: Item, counts: Mapping[int, int]) -> Iterator[_Path]:
        """The path with one more card, in every way in which it can be explained."""
        elsewhere = index == 0 and path.order != self._order
        total = self._need * len(path.order)
        due = path.order[path.dealt % len(path.order)] if path.dealt < total else None
        for move in self._moves(item, path, counts):
            how, cost = move.how, move.cost
            if elsewhere and how is How.REGULAR:
                how, cost = How.WRONG, SLIP  # the start itself is the slip
            if how in SLIPS:
                cost += LATER_SLIPS * index
                if item.uid in self._pinned:
                    cost -= SLIP  # reported already, and paid for
            elif item.uid in self._pinned and how in {How.UNSEEN, How.MISLAID}:
                cost += TAKEN_BACK  # what was told is not taken back because an antenna sees less now
            reading = Reading(item, how, self._order[0] if elsewhere else due, path.dealt, move.passed)
            early = path.early - set(move.left_out)
            if how is How.EXTRA and item.seat is not None and due is not None:
                early |= {item.seat}
            dropped = path.dropped | set(move.passed) if how is How.SKIP else path.dropped
            yield _Path(path.value + cost, (*path.readings, reading), move.to, path.order, early, dropped)

    def _moves(self, item: Item, path: _Path, counts: Mapping[int, int]) -> Iterator[_Move]:
        position, order = path.dealt, path.order
        total = self._need * len(order)
        if item.seat is None:
            yield _Move(How.REGULAR, 0.0, min(position + 1, total))
        elif position >= total:
            yield _Move(How.EXTRA, SLIP, total)
            if counts.get(item.seat, 0) < self._need and item.seat in order:
                yield _Move(How.LATE, LATE, total)
        elif order[position % len(order)] == item.seat:
            yield _Move(How.REGULAR, 0.0, position + 1)
            yield _Move(How.EXTRA, SLIP, position)
        else:
            yield _Move(How.WRONG, SLIP, position + 1)
            yield _Move(How.EXTRA, SLIP, position)
            if item.uid not in self._pinned:
                doubt = self._doubt(item, order[position % len(order)]) if item.settled else SOFT_DOUBT
                yield _Move(How.MISLAID, min(0.0, doubt), position + 1)
            yield from self._past_others(item, path, counts)

    def _past_others(self, item: Item, path: _Path, counts: Mapping[int, int]) -> Iterator[_Move]:
        """The card is right for a later seat; what happened to the seats in between?"""
        unseen = spared = 0.0
        passed: list[int] = []
        left_out: list[int] = []
        size, total = len(path.order), self._need * len(path.order)
        for at in range(path.dealt, min(path.dealt + size, total)):
            seat = path.order[at % size]
            if seat == item.seat:
                move = _Move(How.REGULAR, spared, at + 1, (), tuple(left_out))
                if passed:
                    yield replace(move, how=How.UNSEEN, cost=spared + unseen, passed=tuple(passed))
                    if len(passed) <= MAX_SKIP:
                        yield replace(
                            move, how=How.SKIP, cost=spared + SLIP * len(passed), passed=tuple(passed)
                        )
                else:
                    yield move
                return
            if seat in path.early or seat in path.dropped:
                spared += EXPECTED
                left_out.append(seat)
            elif counts.get(seat, 0) >= self._need:
                spared += LEFT_OUT
            else:
                passed.append(seat)
                unseen += self._cost_of_unseen(seat, item.since)

    def _cost_of_unseen(self, seat: int, since: int) -> float:
        if self._found.get(seat):
            return 0.0  # the card that was found there
        key = (seat, since)
        if key not in self._asked:
            self._asked[key] = self._unseen(seat, since)
        return self._asked[key]
