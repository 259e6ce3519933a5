"""The order of the deal: which explanation of the cards' destinations has the fewest slips.

Theory of operation. The cards of the initial deal, in order of leaving the deck, are laid against the order in
which the seats should get them. A path through both costs, in nats:

    regular     the card is at the seat that was due                                      0
    mislaid     the card is at the seat that was due, and a neighbour's antenna reads it     evidence of both antennas
    unseen      the seat that was due got a card that no antenna read                     evidence of its antenna
    wrong       the card belonged to the seat that was due, which then counts as served   SLIP
    extra       the card belonged nowhere here; the seat that was due is still due        SLIP
    skip        the seat that was due was passed over; the card is right for the next     SLIP a seat
    twice       the button gets a card right after its own, and is left out later (TDA 35-B)   TWICE
    late        a card for a seat that is short, after the last card                      LATE
                or one that lay there before and is only read now                         FOUND_LATE

The cheapest path is what happened ("the explanation with the fewest further slips"). A slip is sure by the
margin between the best path and the best one on which that card is regular, and decided when the other kinds
of slip are worse by DECIDED.

Owns: the alignment. Refuses: time, zones other than seats, and whether to alarm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from tablectl.core.explanation import ANY, INNOCENT, SLIPS, Explanation, How, Item, Reading

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
DECIDED = 3.0
MAX_SKIP = 2
"""A dealer passes over one seat, or two; more at once is a card at a wrong seat."""
NEVER = -1e9
PATHS_KEPT = 12
HOPELESS = 24.0
"""Partial explanations this much (nats) behind the best one are given up."""


@dataclass(slots=True)
class _Move:
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
class _Path:
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
    before: _Path | None = None
    """The same without the last card."""
    move: _Move | None = None
    """How the last card is explained."""
    twice: bool = False
    """The button got two cards in a row; it must be left out for that."""

    @property
    def place(self) -> _Place:
        """What its future hangs on."""
        return self.dealt, self.early, self.unseen


_Place = tuple[int, frozenset[int], tuple[tuple[int, float], ...]]
"""Positions served, seats served early, cards gone unseen: paths that agree in these have the same future."""
_Beginning = tuple[tuple[int, ...], tuple[str, ...]]
"""The order of the seats, and the first cards in the order in which they are supposed to have left the deck."""

Doubt = Callable[[Item, int | None], float]
"""(card, seat) → ln of how much likelier it lies at that seat, or is on its way there, than where it was found; None:
on its way to the board or the burn pile."""
Unseen = Callable[[int, Item, Item | None], float]
"""(seat, card, the card before it) → ln P(a card landed at the seat between the two and no antenna has read it)."""


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
        *,
        button: int | None = None,
    ) -> None:
        self._order = tuple(order)
        self._need = need
        self._unseen = unseen
        self._doubt = doubt
        self._pinned = pinned
        self._found = found
        """Cards per seat that were found there after an outage: nobody knows when they came."""
        self._button = button
        """The seat of the button, if it is dealt in: it may get two cards in a row."""
        self._asked: dict[tuple[int, str, str], float] = {}
        self._doubted: dict[tuple[str, int | None], float] = {}
        self._begun: dict[_Beginning, list[_Path]] = {}
        """The explanations of the first cards, in every order of theirs that was tried."""
        self._best: dict[tuple[int, ...], tuple[tuple[str, ...], float]] = {}
        """Order of the seats → the cards as they were explained last, and the value of that."""

    def explain(self, items: Sequence[Item]) -> Explanation:
        """The cheapest explanation, with a margin for each slip in it."""
        plain = self._as_it_should_be(items)
        if plain is not None:
            return plain
        best = self._solve(items, {})
        self._best[best.order] = _uids(items), best.value
        sketch = self._readings(items, best)
        readings = tuple(
            self._weighed(items, best, sketch, index) if reading.how in SLIPS else reading
            for index, reading in enumerate(sketch)
        )
        return self._explanation(items, best, readings)

    def sketch(self, items: Sequence[Item]) -> Explanation:
        """The same without margins."""
        plain = self._as_it_should_be(items)
        if plain is not None:
            return plain
        best = self._solve(items, {})
        return self._explanation(items, best, self._readings(items, best))

    def _explanation(self, items: Sequence[Item], best: _Path, readings: tuple[Reading, ...]) -> Explanation:
        total = self._need * len(self._order)
        return Explanation(readings, best.dealt, total, best.order, self._full(items), best.value)

    def value(self, items: Sequence[Item], above: float = -inf) -> float:
        """ln P of the cheapest explanation, up to a constant; −∞ if that can not lie above the given value."""
        return 0.0 if self._as_it_should_be(items) else self._solve(items, {}, above).value

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
            readings.append(Reading(item, How.REGULAR, due, position, served=position))
        return Explanation(tuple(readings), len(items), total, self._order)

    def _readings(self, items: Sequence[Item], path: _Path) -> tuple[Reading, ...]:
        """The path's explanation, card by card."""
        moves: list[tuple[_Move, int]] = []
        at: _Path | None = path
        while at is not None and at.before is not None:
            if at.move is not None:
                moves.append((at.move, at.before.dealt))
            at = at.before
        order, total = path.order, self._need * len(path.order)
        readings = []
        for index, (item, (move, position)) in enumerate(zip(items, reversed(moves), strict=True)):
            due = order[position % len(order)] if position < total else None
            elsewhere = index == 0 and order != self._order
            served = move.to - 1 if move.to > position else None
            readings.append(
                Reading(
                    item,
                    move.how,
                    self._order[0] if elsewhere else due,
                    position,
                    move.passed,
                    served=served,
                )
            )
        return tuple(readings)

    def _weighed(
        self, items: Sequence[Item], best: _Path, readings: tuple[Reading, ...], index: int
    ) -> Reading:
        reading = readings[index]
        # The other cards stay as they are explained: else a neighbour would be blamed instead of this one.
        # One that lies nowhere yet may be the slip itself.
        rest = {
            n: INNOCENT
            for n, other in enumerate(readings)
            if n != index and other.how not in SLIPS and other.item.seat is not None
        }
        innocent = self._solve(items, {**rest, index: INNOCENT}).value
        rivals = [
            self._solve(items, {**rest, index: frozenset({how})}).value
            for how in SLIPS - {reading.how}
            # A card that is wrong and one that is extra are the same news for the dealer.
            if not {how, reading.how} <= {How.WRONG, How.EXTRA}
        ]
        decided = reading.item.uid in self._pinned or all(best.value - value >= DECIDED for value in rivals)
        return replace(reading, sure=best.value - innocent, decided=decided)

    def _solve(
        self, items: Sequence[Item], allowed: Mapping[int, frozenset[How]], above: float = -inf
    ) -> _Path:
        paths = [self._align(items, allowed, self._order, above)]
        first = items[0].seat if items else None
        if first in self._order and first != self._order[0]:
            # The first card went elsewhere: the whole deal may go on from there.
            at = self._order.index(first)
            paths.append(self._align(items, allowed, self._order[at:] + self._order[:at], above))
        return max(paths, key=lambda path: path.value)

    def _align(
        self,
        items: Sequence[Item],
        allowed: Mapping[int, frozenset[How]],
        order: tuple[int, ...],
        above: float,
    ) -> _Path:
        uids = _uids(items)
        known, paths = (0, [_Path(0.0, 0, order)]) if allowed else self._as_far_as_known(order, uids)
        counts = Counter(self._found) + Counter(item.seat for item in items[:known] if item.seat is not None)
        for index in range(known, len(items)):
            item = items[index]
            paths = self._with_one_more(paths, index, items, counts, allowed.get(index, ANY))
            if item.seat is not None:
                counts[item.seat] += 1
            if not allowed:
                self._begun[order, uids[: index + 1]] = paths
                if above > NEVER and self._falls_short(paths, order, uids, index, above):
                    return _Path(-inf, 0, order)
        ends = [self._ended(path, counts) for path in paths]
        return max(ends, key=lambda path: (path.value, path.dealt))

    def _as_far_as_known(self, order: tuple[int, ...], uids: tuple[str, ...]) -> tuple[int, list[_Path]]:
        """How many of the cards were explained in this order before, and how."""
        for known in range(len(uids), 0, -1):
            paths = self._begun.get((order, uids[:known]))
            if paths is not None:
                return known, paths
        return 0, [_Path(0.0, 0, order)]

    def _falls_short(
        self, paths: list[_Path], order: tuple[int, ...], uids: tuple[str, ...], index: int, above: float
    ) -> bool:
        """No path can end above that value, by what the same remaining cards cost in the best explanation so far."""
        best_uids, best = self._best.get(order, ((), 0.0))
        if uids[index:] != best_uids[index:]:
            return False
        before = {path.place: path.value for path in self._begun.get((order, best_uids[: index + 1]), ())}
        for path in paths:
            # What is still to come costs here what it costs there; else nothing, and what was paid comes back.
            there = before.get(path.place)
            rest = best - there if there is not None else -sum(paid for _, paid in path.unseen)
            if path.value + rest > above:
                return False
        return True

    def _with_one_more(
        self,
        paths: list[_Path],
        index: int,
        items: Sequence[Item],
        counts: Mapping[int, int],
        fitting: frozenset[How],
    ) -> list[_Path]:
        """The paths through one more card, those without hope left out."""
        item, last = items[index], items[index - 1] if index else None
        after: dict[_Place, _Path] = {}
        top = -inf
        for path in paths:
            top = self._lengthen(path, index, item, last, counts, fitting, after, top)
        if not after:
            for path in paths:  # nothing fits: the card is left unexplained, at a price nobody pays
                move = _Move(How.REGULAR, NEVER, path.dealt)
                after[path.place] = replace(path, value=path.value + NEVER, before=path, move=move)
            top = max(path.value for path in after.values())
        kept = [path for path in after.values() if path.value >= top - HOPELESS]
        return kept if len(kept) <= PATHS_KEPT else sorted(kept, key=lambda path: -path.value)[:PATHS_KEPT]

    def _ended(self, path: _Path, counts: Mapping[int, int]) -> _Path:
        """If the seats still due have all their cards, by an earlier slip, the deal is over: they are left out."""
        total = self._need * len(path.order)
        due = [path.order[p % len(path.order)] for p in range(path.dealt, total)]
        spared = path.early | path.dropped
        if not due or any(counts.get(seat, 0) < self._need and seat not in spared for seat in due):
            return path
        cost = EXPECTED if spared.issuperset(due) else LEFT_OUT
        return replace(path, value=path.value + cost, dealt=total, before=path, move=None)

    def _lengthen(
        self,
        path: _Path,
        index: int,
        item: Item,
        last: Item | None,
        counts: Mapping[int, int],
        fitting: frozenset[How],
        after: dict[_Place, _Path],
        top: float,
    ) -> float:
        """Puts the path with one more card, in every way that fits, into `after`, where it beats what is there.

        Takes and returns the highest value there.
        """
        elsewhere = index == 0 and path.order != self._order
        pinned = item.uid in self._pinned
        due = path.dealt < self._need * len(path.order)
        for move in self._moves(item, last, path, counts):
            how = move.how
            if elsewhere and how is How.REGULAR:
                # The start itself is the slip.
                how = How.WRONG
                move.how, move.cost = how, SLIP
            if fitting is not ANY and how not in fitting:
                continue
            value = path.value + move.cost + _extra_cost(how, index, pinned=pinned)
            if value < top - HOPELESS:
                continue
            top = max(top, value)
            early = path.early
            if move.left_out:
                early -= set(move.left_out)
            if how is How.EXTRA and item.seat is not None and due:
                early |= {item.seat}
            if move.ahead is not None:
                early |= {move.ahead}
            unseen = _still_unseen(path, move)
            place = (move.to, early, unseen)
            rival = after.get(place)
            if rival is None or value > rival.value:
                dropped = path.dropped | set(move.passed) if how is How.SKIP else path.dropped
                twice = path.twice or move.ahead is not None
                after[place] = _Path(value, move.to, path.order, early, dropped, unseen, path, move, twice)
        return top

    def _moves(
        self, item: Item, last: Item | None, path: _Path, counts: Mapping[int, int]
    ) -> Iterator[_Move]:
        position, order = path.dealt, path.order
        total = self._need * len(order)
        if item.seat is None:
            yield _Move(How.REGULAR, 0.0, min(position + 1, total))
            yield _Move(How.EXTRA, SLIP - UNLOCATED, position)
        elif position >= total:
            yield _Move(How.EXTRA, SLIP, total)
            yield _Move(How.MISLAID, self._cost_of_doubt(item, None), total)
            yield from self._found_late(item, path)
            if counts.get(item.seat, 0) < self._need and item.seat in order:
                yield _Move(How.LATE, LATE, total, unseen=path.unseen)
        elif order[position % len(order)] == item.seat:
            if not (path.twice and item.seat in path.early):
                yield _Move(How.REGULAR, 0.0, position + 1)
            yield _Move(How.EXTRA, SLIP, position)
        else:
            yield _Move(How.WRONG, SLIP, position + 1)
            yield _Move(How.EXTRA, SLIP, position)
            if item.uid not in self._pinned:
                cost = self._cost_of_doubt(item, order[position % len(order)])
                yield _Move(How.MISLAID, cost, position + 1)
            yield from self._found_late(item, path)
            yield from self._past_others(item, last, path, counts)
            if last is not None and item.seat == last.seat == self._button and self._ends_round(path):
                yield _Move(How.REGULAR, TWICE, position, ahead=item.seat)

    def _ends_round(self, path: _Path) -> bool:
        """The button just got the last card of a round, as it should."""
        regular = path.move is not None and path.move.how is How.REGULAR and path.move.ahead is None
        at_end = path.dealt % len(path.order) == 0 and path.order[-1] == self._button
        return regular and at_end and self._button not in path.early

    def _found_late(self, item: Item, path: _Path) -> Iterator[_Move]:
        """The card is one that went unseen at its seat; it is read now, there or by a neighbour's antenna."""
        if item.from_shoe:
            return
        for seat, paid in path.unseen:
            doubt = 0.0 if seat == item.seat else self._cost_of_doubt(item, seat)
            if doubt > -HOPELESS:
                others = tuple(each for each in path.unseen if each[0] != seat)
                yield _Move(How.LATE, FOUND_LATE - paid + doubt, path.dealt, unseen=others)

    def _past_others(
        self, item: Item, last: Item | None, path: _Path, counts: Mapping[int, int]
    ) -> Iterator[_Move]:
        """The card is right for a later seat; what happened to the seats in between?"""
        spared = 0.0
        unseen: list[tuple[int, float]] = []
        passed: list[int] = []
        left_out: list[int] = []
        size, total = len(path.order), self._need * len(path.order)
        for at in range(path.dealt, min(path.dealt + size, total)):
            seat = path.order[at % size]
            if seat == item.seat:
                who, rightly = tuple(passed), tuple(left_out)
                if not passed:
                    yield _Move(How.REGULAR, spared, at + 1, (), rightly)
                    return
                cost = spared + sum(each for _, each in unseen)
                yield _Move(How.UNSEEN, cost, at + 1, who, rightly, tuple(unseen))
                if len(passed) <= MAX_SKIP:
                    yield _Move(How.SKIP, spared + SLIP * len(passed), at + 1, who, rightly)
                return
            if seat in path.early or seat in path.dropped:
                spared += EXPECTED
                left_out.append(seat)
            elif counts.get(seat, 0) >= self._need:
                spared += LEFT_OUT
            else:
                passed.append(seat)
                unseen.append((seat, self._cost_of_unseen(seat, item, last)))

    def _cost_of_doubt(self, item: Item, seat: int | None) -> float:
        key = (item.uid, seat)
        if key not in self._doubted:
            self._doubted[key] = min(0.0, self._doubt(item, seat))
        return self._doubted[key]

    def _cost_of_unseen(self, seat: int, item: Item, last: Item | None) -> float:
        if self._found.get(seat):
            return 0.0  # the card that was found there
        key = (seat, item.uid, last.uid if last else "")
        if key not in self._asked:
            self._asked[key] = self._unseen(seat, item, last)
        return self._asked[key]


def _uids(items: Sequence[Item]) -> tuple[str, ...]:
    return tuple(item.uid for item in items)


def _extra_cost(how: How, index: int, *, pinned: bool) -> float:
    """What an explanation costs besides, by the card's place and by what the dealer was told of it already."""
    if how in SLIPS:
        return LATER_SLIPS * index - (SLIP if pinned else 0.0)  # reported already, and paid for
    if pinned and how in {How.UNSEEN, How.MISLAID}:
        return TAKEN_BACK  # what was told is not taken back because an antenna sees less now
    return 0.0


def _still_unseen(path: _Path, move: _Move) -> tuple[tuple[int, float], ...]:
    if move.how is How.UNSEEN:
        return path.unseen + move.unseen
    if move.how is How.LATE:
        return move.unseen
    return path.unseen
