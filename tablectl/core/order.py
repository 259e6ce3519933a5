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
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

from tablectl.core.explanation import ANY, INNOCENT, SLIPS, Explanation, How, Item, Reading
from tablectl.core.moves import (
    EXPECTED,
    HOPELESS,
    LEFT_OUT,
    NEVER,
    SLIP,
    Move,
    Path,
    Place,
    Ways,
    extra_cost,
    still_unseen,
)

DECIDED = 3.0
PATHS_KEPT = 12

_Beginning = tuple[tuple[int, ...], tuple[str, ...]]
"""The order of the seats, and the first cards in the order in which they are supposed to have left the deck."""


class Deal:
    """The alignment problem of one hand."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._begun: dict[_Beginning, list[Path]] = {}
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

    def _explanation(self, items: Sequence[Item], best: Path, readings: tuple[Reading, ...]) -> Explanation:
        total = self._ways.need * len(self._ways.order)
        return Explanation(readings, best.dealt, total, best.order, self._full(items), best.value)

    def value(self, items: Sequence[Item], above: float = -inf) -> float:
        """ln P of the cheapest explanation, up to a constant; −∞ if that can not lie above the given value."""
        return 0.0 if self._as_it_should_be(items) else self._solve(items, {}, above).value

    def _full(self, items: Sequence[Item]) -> frozenset[int]:
        held = Counter(item.seat for item in items if item.settled) + Counter(self._ways.found)
        return frozenset(seat for seat in self._ways.order if held[seat] >= self._ways.need)

    def _as_it_should_be(self, items: Sequence[Item]) -> Explanation | None:
        """The explanation of a deal without any slip, by far the most common; None if there is one."""
        total = self._ways.need * len(self._ways.order)
        if len(items) > total or self._ways.found:
            return None
        readings = []
        for position, item in enumerate(items):
            due = self._ways.order[position % len(self._ways.order)]
            if item.seat is not None and item.seat != due:
                return None
            readings.append(Reading(item, How.REGULAR, due, position, served=position))
        return Explanation(tuple(readings), len(items), total, self._ways.order)

    def _readings(self, items: Sequence[Item], path: Path) -> tuple[Reading, ...]:
        """The path's explanation, card by card."""
        moves: list[tuple[Move, int]] = []
        at: Path | None = path
        while at is not None and at.before is not None:
            if at.move is not None:
                moves.append((at.move, at.before.dealt))
            at = at.before
        order, total = path.order, self._ways.need * len(path.order)
        readings = []
        for index, (item, (move, position)) in enumerate(zip(items, reversed(moves), strict=True)):
            due = order[position % len(order)] if position < total else None
            elsewhere = index == 0 and order != self._ways.order
            served = move.to - 1 if move.to > position else None
            readings.append(
                Reading(
                    item,
                    move.how,
                    self._ways.order[0] if elsewhere else due,
                    position,
                    move.passed,
                    served=served,
                )
            )
        return tuple(readings)

    def _weighed(
        self, items: Sequence[Item], best: Path, readings: tuple[Reading, ...], index: int
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
        decided = reading.item.uid in self._ways.pinned or all(
            best.value - value >= DECIDED for value in rivals
        )
        return replace(reading, sure=best.value - innocent, decided=decided)

    def _solve(
        self, items: Sequence[Item], allowed: Mapping[int, frozenset[How]], above: float = -inf
    ) -> Path:
        paths = [self._align(items, allowed, self._ways.order, above)]
        first = items[0].seat if items else None
        if first in self._ways.order and first != self._ways.order[0]:
            # The first card went elsewhere: the whole deal may go on from there.
            at = self._ways.order.index(first)
            paths.append(self._align(items, allowed, self._ways.order[at:] + self._ways.order[:at], above))
        return max(paths, key=lambda path: path.value)

    def _align(
        self,
        items: Sequence[Item],
        allowed: Mapping[int, frozenset[How]],
        order: tuple[int, ...],
        above: float,
    ) -> Path:
        uids = _uids(items)
        known, paths = (0, [Path(0.0, 0, order)]) if allowed else self._as_far_as_known(order, uids)
        counts = Counter(self._ways.found) + Counter(
            item.seat for item in items[:known] if item.seat is not None
        )
        for index in range(known, len(items)):
            item = items[index]
            paths = self._with_one_more(paths, index, items, counts, allowed.get(index, ANY))
            if item.seat is not None:
                counts[item.seat] += 1
            if not allowed:
                self._begun[order, uids[: index + 1]] = paths
                if above > NEVER and self._falls_short(paths, order, uids, index, above):
                    return Path(-inf, 0, order)
        ends = [self._ended(path, counts) for path in paths]
        return max(ends, key=lambda path: (path.value, path.dealt))

    def _as_far_as_known(self, order: tuple[int, ...], uids: tuple[str, ...]) -> tuple[int, list[Path]]:
        """How many of the cards were explained in this order before, and how."""
        for known in range(len(uids), 0, -1):
            paths = self._begun.get((order, uids[:known]))
            if paths is not None:
                return known, paths
        return 0, [Path(0.0, 0, order)]

    def _falls_short(
        self, paths: list[Path], order: tuple[int, ...], uids: tuple[str, ...], index: int, above: float
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
        paths: list[Path],
        index: int,
        items: Sequence[Item],
        counts: Mapping[int, int],
        fitting: frozenset[How],
    ) -> list[Path]:
        """The paths through one more card, those without hope left out."""
        item, last = items[index], items[index - 1] if index else None
        after: dict[Place, Path] = {}
        top = -inf
        for path in paths:
            top = self._lengthen(path, index, item, last, counts, fitting, after, top)
        if not after:
            for path in paths:  # nothing fits: the card is left unexplained, at a price nobody pays
                move = Move(How.REGULAR, NEVER, path.dealt)
                after[path.place] = replace(path, value=path.value + NEVER, before=path, move=move)
            top = max(path.value for path in after.values())
        kept = [path for path in after.values() if path.value >= top - HOPELESS]
        return kept if len(kept) <= PATHS_KEPT else sorted(kept, key=lambda path: -path.value)[:PATHS_KEPT]

    def _ended(self, path: Path, counts: Mapping[int, int]) -> Path:
        """If the seats still due have all their cards, by an earlier slip, the deal is over: they are left out."""
        total = self._ways.need * len(path.order)
        due = [path.order[p % len(path.order)] for p in range(path.dealt, total)]
        spared = path.early | path.dropped
        if not due or any(counts.get(seat, 0) < self._ways.need and seat not in spared for seat in due):
            return path
        cost = EXPECTED if spared.issuperset(due) else LEFT_OUT
        return replace(path, value=path.value + cost, dealt=total, before=path, move=None)

    def _lengthen(
        self,
        path: Path,
        index: int,
        item: Item,
        last: Item | None,
        counts: Mapping[int, int],
        fitting: frozenset[How],
        after: dict[Place, Path],
        top: float,
    ) -> float:
        """Puts the path with one more card, in every way that fits, into `after`, where it beats what is there.

        Takes and returns the highest value there.
        """
        elsewhere = index == 0 and path.order != self._ways.order
        pinned = item.uid in self._ways.pinned
        due = path.dealt < self._ways.need * len(path.order)
        for move in self._ways.of(item, last, path, counts):
            how = move.how
            if elsewhere and how is How.REGULAR:
                # The start itself is the slip.
                how = How.WRONG
                move.how, move.cost = how, SLIP
            if fitting is not ANY and how not in fitting:
                continue
            value = path.value + move.cost + extra_cost(how, index, pinned=pinned)
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
            unseen = still_unseen(path, move)
            place = (move.to, early, unseen)
            rival = after.get(place)
            if rival is None or value > rival.value:
                dropped = path.dropped | set(move.passed) if how is How.SKIP else path.dropped
                twice = path.twice or move.ahead is not None
                after[place] = Path(value, move.to, path.order, early, dropped, unseen, path, move, twice)
        return top


def _uids(items: Sequence[Item]) -> tuple[str, ...]:
    return tuple(item.uid for item in items)
