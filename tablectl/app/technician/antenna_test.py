"""One antenna after the other, with a card in the technician's hand.

Owns: which antenna is next, what the card that is laid there tells of it, and when the test goes on by itself.
Refuses: lamps, and what the table may do meanwhile (`technician`); where a card lies while the table plays.

A card counts for the antenna under test when that one reads it in a larger share of its looks than any other does. So a
card still on its way, or one that lies elsewhere all the time, is not taken for it; and a card that came to another
place than the one that was asked for is told: two cables may be swapped.

    empty      nothing is read here
    elsewhere  nothing is read here, but another antenna has begun to read a card
    reading    a card is read here; too few looks yet
    good       it is read in enough looks, and by no neighbour in many; the test goes on to the next antenna
    weak       it is read in too few looks
    beside     a neighbour reads it in too many looks
    several    more than one card is read here
    blind      the antenna was not looked at: no reader, or one that is silent
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tablectl.app.technician.figures import STEP_MS, Figures, around, share, strength
from tablectl.core.trial import Count
from tablectl.layout import Antenna, Layout

NEED_LOOKS = 20
"""So many looks make a verdict: a share of one half is then known to ± 0.22 (95 %, binomial)."""
GOOD = 0.6
"""A card that lies well is read in at least this share of the looks. A sound antenna reads one in 85 % in the mean
(`core.evidence.OWN`), a badly tuned one 0.3 to 0.6 as well (`sim.noise`, an assumption): in half of them at best."""
BESIDE = 0.4
"""A neighbour may read a card in up to this share of its looks: the tail of what couplings are supposed to be, 0.5–10 %
in the mean (tracking notes §5.2)."""
RECENT_STEPS = 4
"""Where a card is read now is told by the last second."""
LONGEST_STEPS = 20
"""A card is judged by the last five seconds at most: one that is moved right gets its due."""
CERTAIN_READS = 2
"""A card read once may be on its way."""

State = Literal["empty", "elsewhere", "reading", "good", "weak", "beside", "several", "blind"]
VERDICTS = frozenset({"good", "weak", "beside"})


@dataclass(frozen=True, slots=True)
class Told:
    """What an antenna's card tells of it so far."""

    state: State
    reads: int = 0
    looks: int = 0
    strength: int | None = None
    zone: str | None = None
    """The other antenna's zone, where it is about one."""
    rate: float | None = None
    """The share of that antenna's looks that read the card."""

    def as_json(self) -> dict[str, Any]:
        """As the page gets it."""
        return {
            "state": self.state, "reads": self.reads, "looks": self.looks, "strength": self.strength,
            "zone": self.zone, "rate": self.rate,
        }  # fmt: skip


class AntennaTest:
    """The antennas of one table in turn, from the shoe on around the table."""

    def __init__(self, layout: Layout, figures: Figures) -> None:
        self._zones = layout.antennas
        self._figures = figures
        self.order = around(layout)
        self.at: Antenna | None = None
        """The antenna under test; None once all have had their turn."""
        self.told = Told("empty")
        self.results: dict[Antenna, Told] = {}
        self._before: dict[str, Antenna] = {}
        self._uid: str | None = None
        self._since = 0

    @property
    def zone(self) -> str | None:
        """The zone of the antenna under test."""
        return None if self.at is None else self._zones[self.at]

    def point(self, antenna: Antenna | None, now: int) -> None:
        """Test this one now; its card may lie there already."""
        self.at, self.told, self._uid = antenna, Told("empty"), None
        self._before = self._where(now)

    def look(self, now: int) -> None:
        """Judge what is read now, and go on to the next antenna if this one is good."""
        if self.at is None:
            return
        self.told = self._tell(self.at, now)
        if self.told.state in VERDICTS:
            self.results[self.at] = self.told
        if self.told.state == "good":
            self.point(self.after(self.at), now)

    def after(self, antenna: Antenna) -> Antenna | None:
        """The next one in the order; None after the last."""
        rest = self.order[self.order.index(antenna) + 1 :]
        return rest[0] if rest else None

    # --- what a card tells ----------------------------------------------------------------------------------

    def _where(self, now: int) -> dict[str, Antenna]:
        """Card → the antenna that reads it most, now."""
        after = now // STEP_MS - RECENT_STEPS
        best: dict[str, tuple[float, Antenna]] = {}
        for antenna, cards in self._figures.reads(after).items():
            looks = self._figures.looks(antenna, after, now)
            for uid, count in cards.items():
                if looks and count.r >= CERTAIN_READS:
                    best[uid] = max(best.get(uid, (0.0, antenna)), (count.r / looks, antenna))
        return {uid: antenna for uid, (_, antenna) in best.items()}

    def _tell(self, antenna: Antenna, now: int) -> Told:
        if not self._figures.looks(antenna, now // STEP_MS - RECENT_STEPS, now):
            return Told("blind")
        where = self._where(now)
        here = [uid for uid, best in where.items() if best == antenna]
        if len(here) == 1:
            return self._judge(antenna, here[0], now)
        self._uid = None
        if here:
            return Told("several")
        strays = [best for uid, best in where.items() if self._before.get(uid) != best]
        return Told("elsewhere", zone=self._zones[strays[0]]) if strays else Told("empty")

    def _judge(self, antenna: Antenna, uid: str, now: int) -> Told:
        step = now // STEP_MS
        if uid != self._uid:
            self._uid, self._since = uid, step
        after = max(self._since, step - LONGEST_STEPS)
        reads = self._figures.reads(after)
        own = self._counted(antenna, reads[antenna].get(uid), after, now)
        if own.n < NEED_LOOKS:
            return Told("reading", own.r, own.n, strength(own))
        others = {
            self._zones[other]: share(self._counted(other, cards[uid], after, now)) or 0.0
            for other, cards in reads.items()
            if uid in cards and self._zones[other] != self._zones[antenna]
        }
        zone = max(others, key=lambda each: others[each], default=None)
        rate = others[zone] if zone is not None else None
        state: State = "good"
        if own.r < GOOD * own.n:
            state = "weak"
        elif rate is not None and rate > BESIDE:
            state = "beside"
        return Told(state, own.r, own.n, strength(own), zone, rate)

    def _counted(self, antenna: Antenna, count: Count | None, after: int, now: int) -> Count:
        """The reads with the looks that they are of."""
        counted = (count or Count()).plus(Count())
        counted.n = self._figures.looks(antenna, after, now)
        return counted


def as_json(results: Mapping[Antenna, Told]) -> list[dict[str, Any]]:
    """The verdicts so far, as the page gets them."""
    return [
        {"reader": antenna[0], "antenna": antenna[1], **told.as_json()} for antenna, told in results.items()
    ]
