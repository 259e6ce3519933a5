"""The guided course around the table: what to lay where, when there are enough looks, and what is seen meanwhile.

Owns: the order of the steps, and the counting. It goes on by itself: a laid card is noticed, measured until the
interval of that laying is narrow, asked to be lifted, noticed to be gone.
Refuses: readers, keys and screens (`desk`), and what the counts mean (`results`).

While a card lies at one antenna all others are looked at, too. So the neighbour's card needs no step of its own, but
where only some antennas are calibrated: then it is laid at their neighbours as well.

    empty   nothing lies on the table: what an antenna reads now is noise
    one     one card, laid down anew a few times: landings differ more than looks
    two     two cards on each other, but at the shoe's mouth
    beside  a card at a neighbour that is not calibrated itself
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, log
from typing import Literal

from tablectl.calibrate.estimate import Landings, landing_half
from tablectl.calibrate.measured import ENOUGH, Laid, Measured, Table
from tablectl.core.sensed import Lost, Sensed, Sweep
from tablectl.layout import SHOE, Antenna, Layout

EMPTY_LOOKS = 40
"""A ghost that is read in one look of twenty is then missed in one course of eight (0.95⁴⁰ = 0.13)."""
MOST_LANDINGS = 8
NARROW = 0.10
"""An antenna is known once the interval of its mean read probability is ± this."""
NARROW_LANDING, LEAST_LOOKS, MOST_LOOKS = 0.15, 12, 40
"""A laying is known once its own interval is ± this, but not before or after so many looks."""
TWO_LANDINGS, BESIDE_LANDINGS = 3, 3
NOTICED = 2
"""Reads that make a card: one alone may be noise (field failure 14)."""
LATELY, RECENT = 12, 40
"""What lies there is told by so many looks; more of them, where two cards shade each other."""
GONE = 1e-4
"""A card is gone after as many misses as one that lies there has with this probability …"""
GONE_LOOKS = 10, 40
"""… but not before or after so many looks."""

Kind = Literal["empty", "one", "two", "beside"]
Phase = Literal["clear", "lay", "measure", "lift", "over"]


@dataclass(frozen=True, slots=True)
class Step:
    """What is done at which antenna; None: at all."""

    kind: Kind
    antenna: Antenna | None
    zone: str = ""


class Course:
    """The course over `wanted` antennas of a table, in that order. `tell` gets every instruction in machine words
    (`lay ZONE COUNT`, `lift`), `patience` is after how many looks an unread card counts as lying there: None, never,
    for people, who say so themselves."""

    def __init__(
        self,
        layout: Layout,
        wanted: Sequence[Antenna],
        table: Table | None = None,
        *,
        tell: Callable[[str], None] = lambda _: None,
        patience: int | None = None,
    ) -> None:
        self.layout, self.wanted = layout, wanted
        self.table: Table = table if table is not None else {}
        for antenna in wanted:
            self.table.setdefault(antenna, Measured(layout.antennas[antenna]))
        self.lengths: Counter[int] = Counter()
        """How many bytes the tags had that were laid, and how many of them."""
        self.uids: set[str] = set()
        """The cards that were laid; they are forgotten with this object."""
        self.phase: Phase = "clear"
        self.step: Step | None = None
        self.laid = Laid()
        self.blind = False
        """The antenna whose turn it is was not looked at lately: its reader is lost."""
        self._tell, self._patience = tell, patience
        self._landings = Landings()
        self._steps = self._plan()
        self._recent: dict[Antenna, deque[frozenset[str]]] = {}
        self._cards: frozenset[str] = frozenset()
        self._beside: dict[Antenna, Laid] = {}
        self._misses = self._waited = 0
        self._next()

    # --- the plan -------------------------------------------------------------------------------------------

    def _plan(self) -> Iterator[Step]:
        if any(self.table[antenna].empty < EMPTY_LOOKS for antenna in self.wanted):
            yield Step("empty", None)
        for antenna in self.wanted:
            measured = self.table[antenna]
            while not self._known(antenna) and not measured.skipped:
                yield Step("one", antenna, measured.zone)
            # At the shoe's mouth cards come one by one, and a reader that may stand there alone knows one at a time.
            several = measured.zone != SHOE and self._reads(antenna)
            while len(measured.two) < TWO_LANDINGS and not measured.skipped and several:
                yield Step("two", antenna, measured.zone)
        for antenna in self._outside():
            zone = self.layout.antennas[antenna]
            while self._lacks(zone):
                yield Step("beside", antenna, zone)

    def _known(self, antenna: Antenna) -> bool:
        landings = [(laid.r, laid.n) for laid in self.table[antenna].one]
        if len(landings) < ENOUGH:
            return False
        if len(landings) >= MOST_LANDINGS or not any(r for r, _ in landings):
            return True
        all_of_them = ([(laid.r, laid.n) for laid in each.one] for each in self.table.values())
        return self._landings.mean(landings, self._landings.kappa(all_of_them)).half <= NARROW

    def _reads(self, antenna: Antenna) -> bool:
        return any(laid.r for laid in self.table[antenna].one)

    def _outside(self) -> list[Antenna]:
        """Antennas that are not calibrated, beside those that are, one for each zone."""
        zones = {self.layout.antennas[antenna] for antenna in self.wanted}
        found = {
            zone: antenna
            for antenna, zone in self.layout.antennas.items()
            if zone not in zones and any(self.layout.near(zone, each) for each in zones)
        }
        return list(found.values())

    def _lacks(self, zone: str) -> bool:
        near = [each for each in (self.table[a] for a in self.wanted) if self.layout.near(zone, each.zone)]
        return not any(each.skipped for each in near) and any(
            len(each.beside.get(zone, ())) < BESIDE_LANDINGS for each in near
        )

    @property
    def over(self) -> bool:
        """Nothing more is to be laid."""
        return self.step is None

    def skip(self) -> None:
        """The person does not want this antenna, or not now."""
        if self.step is None:
            return
        if self.step.antenna is None:
            for antenna in self.wanted:
                self.table[antenna].empty = max(self.table[antenna].empty, EMPTY_LOOKS)
        elif self.step.kind == "beside":
            for antenna in self.wanted:
                if self.layout.near(self.step.zone, self.table[antenna].zone):
                    self.table[antenna].beside.setdefault(self.step.zone, [Laid()] * BESIDE_LANDINGS)
        else:
            self.table[self.step.antenna].skipped = True
        self._next()

    def lies(self) -> None:
        """The person says that the card lies there, though nothing reads it."""
        if self.phase == "lay":
            self._begin(frozenset())

    def _next(self) -> None:
        self.step = next(self._steps, None)
        self._waited = 0
        if self.step is None:
            self.phase = "over"
            self._tell("over")
        elif self.step.kind == "empty":
            self.phase = "clear"
            self._tell("lift")
        else:
            self._recent.clear()
            self.phase = "lay"
            self._tell(f"lay {self.step.zone} {2 if self.step.kind == 'two' else 1}")

    # --- what the readers say -------------------------------------------------------------------------------

    def took(self, event: Sensed) -> None:
        """A reader told something."""
        if isinstance(event, Lost):
            self._lost(event.reader)
        elif isinstance(event, Sweep) and self.step is not None:
            reads: dict[int, dict[str, int | None]] = {number: {} for number in event.polled}
            for seen in event.seen:
                if seen.antenna in reads:
                    reads[seen.antenna][seen.uid] = seen.rssi
            for number, cards in reads.items():
                antenna = event.reader, number
                if antenna in self.layout.antennas and self.step is not None:
                    self._looked(antenna, cards)

    def _lost(self, reader: int) -> None:
        """What lay there may be another card afterwards: the laying begins anew."""
        if self.step is not None and self.step.antenna is not None and self.step.antenna[0] == reader:
            self.blind = True
            if self.phase == "measure":
                self._again()

    def _again(self) -> None:
        self.phase = "lay"
        self._recent.clear()
        self._waited = 0

    def _looked(self, antenna: Antenna, cards: dict[str, int | None]) -> None:
        step = self.step
        assert step is not None  # noqa: S101 - the caller looked
        self._recent.setdefault(antenna, deque(maxlen=RECENT)).append(frozenset(cards))
        mine = antenna == step.antenna
        if mine:
            self.blind = False
        if self.phase == "clear":
            self._clear(antenna, cards)
        elif self.phase == "lay" and mine:
            self._wait_for_card(antenna)
        elif self.phase == "measure":
            self._count(antenna, cards, mine=mine)
        elif self.phase == "lift" and mine:
            self._misses = 0 if self._cards & cards.keys() else self._misses + 1
            if self._misses >= _gone_after(self.laid, len(self._cards), 0):
                self._next()

    def _clear(self, antenna: Antenna, cards: Collection[str]) -> None:
        """Count what an empty antenna reads; a tag that is read again and again is a card that was left there."""
        if self.lying(antenna):
            for each in self.wanted:  # what was counted may be of that card
                if self.table[each].empty < EMPTY_LOOKS:
                    self.table[each].empty = self.table[each].ghosts = 0
            return
        if antenna in self.table and self.table[antenna].empty < EMPTY_LOOKS:
            self.table[antenna].empty += 1
            self.table[antenna].ghosts += len(cards)
        if all(self.table[each].empty >= EMPTY_LOOKS for each in self.wanted):
            self._next()

    def lying(self, antenna: Antenna, looks: int = LATELY) -> set[str]:
        """The tags that an antenna reads again and again now."""
        lately = list(self._recent.get(antenna, ()))[-looks:]
        counts = Counter(uid for look in lately for uid in look)
        return {uid for uid, count in counts.items() if count > NOTICED}

    def elsewhere(self) -> str | None:
        """Where a card lies instead of where it is due; None if none does."""
        if self.step is None or self.phase != "lay":
            return None
        best: tuple[int, Antenna] | None = None
        for antenna, looks in self._recent.items():
            count = max(Counter(uid for look in looks for uid in look).values(), default=0)
            if antenna != self.step.antenna and count >= len(looks) / 2 > NOTICED:
                best = max(best or (0, antenna), (count, antenna))
        return None if best is None else self.layout.antennas[best[1]]

    def several(self) -> bool:
        """More cards lie at the antenna than are due."""
        step = self.step
        if step is None or step.antenna is None or self.phase != "lay":
            return False
        return len(self.lying(step.antenna)) > (2 if step.kind == "two" else 1)

    def _wait_for_card(self, antenna: Antenna) -> None:
        assert self.step is not None  # noqa: S101 - the caller looked
        self._waited += 1
        due = 2 if self.step.kind == "two" else 1
        lately = list(self._recent[antenna])[-(LATELY if due == 1 else RECENT) :]
        counts = Counter(uid for look in lately for uid in look)
        there = frozenset(uid for uid, count in counts.items() if count >= NOTICED)
        if len(there) == due and self._best(there, antenna):
            self._begin(there)
        elif self._patience is not None and self._waited >= self._patience:
            self._begin(frozenset())

    def _best(self, cards: Iterable[str], antenna: Antenna) -> bool:
        """No other antenna reads these cards in a larger share of its looks: they lie here, not beside."""

        def rate(looks: Collection[frozenset[str]], uid: str) -> float:
            return sum(uid in look for look in looks) / len(looks)

        here = self._recent[antenna]
        return all(
            rate(here, uid) >= rate(looks, uid)
            for uid in cards
            for other, looks in self._recent.items()
            if other != antenna and self.layout.antennas[other] != self.layout.antennas[antenna]
        )

    def _begin(self, cards: frozenset[str]) -> None:
        """Count from the next look on: the reads that made it noticed would be too many."""
        self.phase = "measure"
        self._cards, self.laid, self._misses = cards, Laid(), 0
        self._beside = {other: Laid() for other in self.table if other != (self.step and self.step.antenna)}
        self.uids |= cards
        self.lengths.update(len(uid) // 2 for uid in cards)

    def _count(self, antenna: Antenna, cards: dict[str, int | None], *, mine: bool) -> None:
        laid = self.laid if mine else self._beside.get(antenna)
        if laid is None:
            return
        read = self._cards & cards.keys()
        laid.n += 1
        laid.r += len(read)
        laid.both += len(read) > 1
        laid.strengths += [rssi for uid in read if (rssi := cards[uid]) is not None]
        if not mine:
            return
        self._misses = 0 if read else self._misses + 1
        if self._cards and self._misses >= _gone_after(laid, len(self._cards), self._misses):
            self._again()  # it was lifted too early: what was counted may be of a hand
        elif self._enough(laid):
            self._finish()

    def _enough(self, laid: Laid) -> bool:
        each = max(1, len(self._cards))
        narrow = landing_half(laid.r, laid.n * each) <= NARROW_LANDING
        return laid.n >= MOST_LOOKS or (laid.n >= LEAST_LOOKS and narrow)

    def _finish(self) -> None:
        step = self.step
        assert step is not None  # noqa: S101 - something was measured
        assert step.antenna is not None  # noqa: S101 - at an antenna
        if step.kind != "two":
            for other, beside in self._beside.items():
                if beside.n and self.table[other].zone != step.zone:
                    self.table[other].beside.setdefault(step.zone, []).append(beside)
        if step.kind == "one":
            self.table[step.antenna].one.append(self.laid)
        elif step.kind == "two":
            self.table[step.antenna].two.append(self.laid)
        self._misses = 0
        self.phase = "lift"
        self._tell("lift")
        if not self._cards:
            self._next()


def _gone_after(laid: Laid, cards: int, misses: int) -> int:
    """So many misses in a row mean that nothing lies there any more. `misses` of the looks are those last ones.

    Before much is known of it, a card may be one that is read in a quarter of the looks.
    """
    rate = (laid.r + 1) / ((laid.n - misses) * max(1, cards) + 4)
    least, most = GONE_LOOKS
    return min(most, max(least, ceil(log(GONE) / log(1 - min(rate, 0.99)))))
