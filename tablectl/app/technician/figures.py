"""What each antenna of a table reads, over the last seconds: the technician's figures.

Owns: the looks and reads of every antenna, card by card, in steps of a quarter of a second, and what they add up to.
Refuses: where a card lies (the tracker says it), whether an antenna is good (`antenna_test`), and identities: no UID
leaves this package.

A look is counted in one addition and a read in one more, after the alarm has gone out; everything else is worked out
when a page asks for it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from tablectl.core.sensed import AntennaHealth, Health, Sensed, Sweep
from tablectl.core.track import Track
from tablectl.core.trial import Count
from tablectl.layout import Antenna, Layout, zone_names

STEP_MS = 250
SPAN_MS = 10_000
"""The figures are those of so long: long enough for a share, short enough for a hand that lays a card down anew."""
NOW_MS = 1000
"""What lies there now is what was read in so long: a card at rest is missed several times in a row."""
BESIDE = 0.01
"""A neighbour that reads a card in a smaller share of its looks is not worth a line."""
NEIGHBOURS = 3


class _Step:
    """A quarter of a second at one antenna."""

    __slots__ = ("heard", "looks", "number")

    def __init__(self, number: int) -> None:
        self.number = number
        self.looks = 0
        self.heard: dict[str, Count] = {}


@dataclass(slots=True)
class _Known:
    """What is kept of one antenna."""

    steps: deque[_Step]
    health: Health | None = None
    last_look: int | None = None
    last_tag: int | None = None


class Figures:
    """The antennas of one table. `took` is told everything that was sensed; times are ms since the recording began."""

    def __init__(self, layout: Layout) -> None:
        self._zones = {antenna: layout.antennas[antenna] for antenna in around(layout)}
        self._known = {antenna: _Known(deque(maxlen=SPAN_MS // STEP_MS)) for antenna in self._zones}

    def took(self, event: Sensed) -> None:
        """A reader told something."""
        if isinstance(event, Sweep):
            self._swept(event)
        elif isinstance(event, AntennaHealth):
            known = self._known.get((event.reader, event.antenna))
            if known is not None:
                known.health = event.state

    def _swept(self, sweep: Sweep) -> None:
        steps: dict[int, _Step] = {}
        for antenna in sweep.polled:
            known = self._known.get((sweep.reader, antenna))
            if known is not None:
                known.last_look = sweep.t
                step = steps[antenna] = self._step(known, sweep.t)
                step.looks += 1
        once: set[tuple[int, str]] = set()
        for seen in sweep.seen:
            known = self._known.get((sweep.reader, seen.antenna))
            if known is None:
                continue
            known.last_tag = max(known.last_tag or 0, sweep.t - max(0, seen.age))
            looked = steps.get(seen.antenna)
            if looked is None or (seen.antenna, seen.uid) in once:  # no whole look, or the same one twice
                continue
            once.add((seen.antenna, seen.uid))
            count = looked.heard.get(seen.uid)
            if count is None:
                count = looked.heard[seen.uid] = Count()
            count.read(seen.rssi)

    @staticmethod
    def _step(known: _Known, t: int) -> _Step:
        number = t // STEP_MS
        if not known.steps or known.steps[-1].number < number:
            known.steps.append(_Step(number))
        return known.steps[-1]

    # --- what a page asks for -------------------------------------------------------------------------------

    def looks(self, antenna: Antenna, after: int, now: int) -> int:
        """How many looks at the antenna there were in the steps after that one, until now."""
        oldest = max(after + 1, (now - SPAN_MS) // STEP_MS + 1)
        return sum(step.looks for step in self._known[antenna].steps if step.number >= oldest)

    def reads(self, after: int) -> dict[Antenna, dict[str, Count]]:
        """What every antenna read in the steps after that one; `n` of a count is left at 0."""
        found: dict[Antenna, dict[str, Count]] = {}
        for antenna, known in self._known.items():
            cards = found[antenna] = dict[str, Count]()
            for step in known.steps:
                if step.number > after:
                    for uid, count in step.heard.items():
                        cards[uid] = cards[uid].plus(count) if uid in cards else count
        return found

    def rows(self, now: int, tracks: Iterable[Track], usual: Mapping[str, int]) -> list[dict[str, Any]]:
        """One row for each antenna, JSON-ready. `usual`: zone → the strength that cards there usually have."""
        counts = self._at_rest(now, tracks)
        return [self._row(antenna, now, counts, usual) for antenna in self._zones]

    def _at_rest(self, now: int, tracks: Iterable[Track]) -> dict[Antenna, dict[str, Count]]:
        """Antenna → zone → the reads of the cards that lie in that zone, in the looks since they came there."""
        oldest = (now - SPAN_MS) // STEP_MS
        homes = {
            track.uid: (track.home, max(oldest, track.since // STEP_MS))
            for track in tracks
            if track.home is not None and not track.lifted
        }
        return {antenna: _of_zones(known.steps, homes) for antenna, known in self._known.items()}

    def _row(
        self,
        antenna: Antenna,
        now: int,
        counts: Mapping[Antenna, Mapping[str, Count]],
        usual: Mapping[str, int],
    ) -> dict[str, Any]:
        known, zone = self._known[antenna], self._zones[antenna]
        own = counts[antenna].get(zone, Count())
        lately = {
            uid for step in known.steps if step.number > (now - NOW_MS) // STEP_MS for uid in step.heard
        }
        return {
            "reader": antenna[0],
            "antenna": antenna[1],
            "zone": zone,
            "health": known.health,
            "looks": round(self.looks(antenna, -1, now) * 1000 / min(SPAN_MS, max(now, STEP_MS)), 1),
            "last_look": None if known.last_look is None else max(0, now - known.last_look),
            "last_tag": None if known.last_tag is None else max(0, now - known.last_tag),
            "tags": len(lately),
            "reads": own.r,
            "of": own.n,
            "rate": share(own),
            "strength": strength(own),
            "usual": usual.get(zone),
            "beside": self._beside(zone, counts),
        }

    def _beside(self, zone: str, counts: Mapping[Antenna, Mapping[str, Count]]) -> list[dict[str, Any]]:
        """Which antennas of other zones read the cards that lie in this one, most first."""
        shares = {
            self._zones[antenna]: share(cards[zone]) or 0.0
            for antenna, cards in counts.items()
            if self._zones[antenna] != zone and zone in cards
        }
        most = sorted((each for each in shares.items() if each[1] >= BESIDE), key=lambda each: -each[1])
        return [{"zone": other, "rate": rate} for other, rate in most[:NEIGHBOURS]]


def around(layout: Layout) -> list[Antenna]:
    """The antennas of a table in the order of its places: the shoe, the seats in turn, the board and the piles."""
    places = {zone: number for number, zone in enumerate(zone_names(layout.seats))}
    return sorted(layout.antennas, key=lambda antenna: (places[layout.antennas[antenna]], antenna))


def _of_zones(steps: Collection[_Step], homes: Mapping[str, tuple[str, int]]) -> dict[str, Count]:
    """One antenna's reads of the cards that lie somewhere, by zone; each in the steps after the one it came in."""
    found: dict[str, Count] = defaultdict(Count)
    for step in steps:
        for uid, count in step.heard.items():
            zone, since = homes.get(uid, ("", 0))
            if zone and step.number > since:
                found[zone] = found[zone].plus(count)
    numbers = [step.number for step in steps]
    ahead = [0, *accumulate(step.looks for step in steps)]
    for zone, since in homes.values():
        found[zone].n += ahead[-1] - ahead[bisect_right(numbers, since)]
    return found


def share(count: Count) -> float | None:
    """The share of looks that read the card; None without a look."""
    return min(1.0, round(count.r / count.n, 3)) if count.n else None


def strength(count: Count) -> int | None:
    """The mean strength as the reader gives it; None where it gives none."""
    return round(count.total / count.heard) if count.heard else None
