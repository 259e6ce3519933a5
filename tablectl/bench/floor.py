"""How soon anybody could tell a slip: what the antenna of the zone reads of the slip's card once it lies there.

Owns: for each slip of one evening, the time from the card's rest to the first such read, and to the moment when there
are two, as the table computer got them. Refuses: what any tracker makes of them (`judge`), and adding up (`tally`).

Before the first read a card that lies is not to be told from one that is still in the air. One read is no proof: a
card that passes, and a neighbour's card, are read like that, too. So two are the least that a tracker must wait for if
it goes by this card; the first of them may be a read of the card as it slides in. Where other cards or antennas show
the same slip a tracker need not wait; `tally` counts how often that happened. What is wrong with a card itself shows
in the shoe, and a card that never came has no reads: these slips have no floor.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tablectl.bench.judge import EARLY_MS, LATE_MS, SEEN_IN_THE_SHOE, Event, ends, several
from tablectl.core.sensed import Sweep
from tablectl.layout import Antenna, Layout

KEPT_MS = EARLY_MS + 500
"""So long are sweeps kept: a read of a card that slides in comes before anybody knows which slip it will be. A late
frame is older than its arrival says, by 150 ms at most (`sim.noise`)."""


@dataclass(slots=True)
class Reads:
    """The reads of one slip's card by the antennas of its zone."""

    slip: Event
    antennas: frozenset[Antenna]
    uid: str
    at: int
    """When the card came to rest, of several the last one; ms."""
    until: int
    """Nobody has to find the slip after that, ms."""
    awaits: bool = False
    """Cards of the slip are still to come."""
    slid_in: bool = False
    """It was read in the last EARLY_MS before its rest."""
    first: int | None = None
    """From the rest to the arrival of the first read at rest, ms; None if there was none."""
    second: int | None = None
    """The same until there are two reads, one of them at rest."""

    def take(self, sweeps: Iterable[Sweep]) -> None:
        """Looks for the card in what one board saw."""
        for sweep in sweeps:
            for seen in sweep.seen:
                if seen.uid == self.uid and (sweep.reader, seen.antenna) in self.antennas:
                    self._read(sweep.t - seen.age, sweep.t - self.at)

    def _read(self, made: int, after: int) -> None:
        if made < self.at:
            self.slid_in |= made >= self.at - EARLY_MS
        elif self.first is None:
            self.first = after
            self.second = after if self.slid_in else None
        elif self.second is None:
            self.second = after

    def restart(self, rest: Event) -> None:
        """The last of several cards has come to rest: from now on it is its reads that count."""
        self.uid, self.at, self.awaits = rest["uid"], rest["t"], False
        self.slid_in, self.first, self.second = False, None, None


class Floor:
    """Watches one evening beside the trackers: `truth` grows meanwhile, `step` gets every sweep."""

    def __init__(self, truth: Sequence[Event], layout: Layout) -> None:
        self._truth, self._zones = truth, layout.antennas
        self._known = 0
        """So many events of the truth are read already."""
        self._watched: dict[int, Reads] = {}
        """Place of the slip in the truth → its reads."""
        self._open: list[Reads] = []
        self._sweeps: deque[Sweep] = deque()

    def step(self, sweep: Sweep) -> None:
        """Takes what one board saw; sweeps come in the order of their arrival."""
        self._catch_up()
        self._open = [
            each for each in self._open if sweep.t <= each.until and (each.awaits or each.second is None)
        ]
        for each in self._open:
            each.take([sweep])
        self._sweeps.append(sweep)
        while self._sweeps[0].t < sweep.t - KEPT_MS:
            self._sweeps.popleft()

    def all(self) -> list[Reads | None]:
        """For every slip of the truth, in its order, the reads of its card; None for one that has no floor."""
        self._catch_up()
        slips = (place for place, event in enumerate(self._truth) if event["event"] == "irregularity")
        return [self._watched.get(place) for place in slips]

    def _catch_up(self) -> None:
        for place in range(self._known, len(self._truth)):
            self._note(place, self._truth[place])
        self._known = len(self._truth)

    def _note(self, place: int, event: Event) -> None:
        if event["event"] == "hand_start":
            for each in self._open:
                each.until = min(each.until, event["t"])
        elif event["event"] == "rest":
            for each in self._open:
                if each.awaits and ends(each.slip, event):
                    each.restart(event)
                    each.take(self._sweeps)
        elif event["event"] == "irregularity":
            self._watch(place, event)

    def _watch(self, place: int, slip: Event) -> None:
        if slip["kind"] in SEEN_IN_THE_SHOE or not {"uid", "zone"} <= slip.keys():
            return
        antennas = frozenset(antenna for antenna, zone in self._zones.items() if zone == slip["zone"])
        made = Reads(slip, antennas, slip["uid"], slip["at"], slip["at"] + LATE_MS, awaits=several(slip))
        made.take(self._sweeps)
        self._watched[place] = made
        self._open.append(made)
