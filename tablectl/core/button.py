"""The dealer button that carries a tag of its own: at which seat it lies.

Owns: the looks that read the button of late, and whether the dealer's word stands above them.
Refuses: what a button at that seat means (`core.told`), cards, and everything that was not read: a button that no
antenna sees may lie anywhere, so nothing follows from it.

It lies at a seat when that seat's antenna has read it for `STILL_MS`, in most of its looks, up to now. A button that
glides over a seat does not stay so long. A neighbour's antenna may read it, too: that does not count when it does so
much more rarely or much more weakly. If neither is so, the button may lie at either seat, and nobody knows.

A button that lies where it is not due may have been forgotten: then the deal tells (`core.succession`).

The dealer's entry stands above what the antennas say until the button comes to rest at another seat than the one
where it lay when that was entered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from tablectl.core.sightings import Look
from tablectl.layout import seat_of

STILL_MS = 1000
"""It must be read at the seat this long: a hand that pushes it past is gone sooner (a slow slide takes 250 ms)."""
WINDOW_MS = 1500
"""What was read longer ago says nothing of where it lies."""
KEPT_MS = 6000
"""Looks are kept this long: the first card of a hand may be found some seconds after it was dealt."""
FEWEST_READS = 4
SHARE = 0.5
"""Share of the looks that must have read it."""
RARER = 3.0
"""An antenna that reads it so many times as rarely reads it from beside (cross-coupling: 0.5–10 %, seldom 40 %)."""
LAST_LOOKS = 3
"""A button that none of the last looks read was taken up."""
WEAKER, WEAKER_RAW = 6.0, 12.0
"""So much weaker (dB) reads one from beside, 7–15 dB by the tracking notes: against what is usual at each antenna;
and where that is not known, with room for antennas that differ."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """How one zone's antennas read the button in the last looks."""

    zone: str
    reads: int
    looks: int
    dwell_ms: int
    of_late: bool
    strength: float | None
    """Mean signal, dBm or the reader's own figure."""

    @property
    def share(self) -> float:
        return self.reads / self.looks

    @property
    def lies(self) -> bool:
        """Read there long enough and often enough to lie there."""
        enough = self.reads >= FEWEST_READS and self.share >= SHARE
        return enough and self.of_late and self.dwell_ms >= STILL_MS


class Button:
    """The tagged button of one table. `levels` is what is usual: zone → how strongly cards are read there."""

    def __init__(self, levels: Mapping[str, int]) -> None:
        self._levels = levels
        self._looks: dict[str, deque[tuple[int, bool, int | None]]] = {}
        self._rest: int | None = None
        self._noted: int | None = None
        self.entered_at: tuple[int | None] | None = None
        """The seat where it lay when the dealer said otherwise (None in it: it had lain nowhere); None: he did not."""

    def look(self, look: Look) -> None:
        """One look at a zone; what it says of places that are no seats is nothing."""
        if seat_of(look.zone) is None or not (look.complete or look.button):
            return
        looks = self._looks.setdefault(look.zone, deque())
        strongest = max((read.rssi for read in look.button if read.rssi is not None), default=None)
        looks.append((look.t, bool(look.button), strongest))
        while looks[0][0] < look.t - KEPT_MS:
            looks.popleft()
        if look.button:
            self._rests(self._place(look.t))

    def _rests(self, seat: int | None) -> None:
        if seat is not None and seat != self._rest:
            self._rest = seat
            self.entered_at = None

    def entered(self) -> None:
        """The dealer said where the button is."""
        self.entered_at = (self._rest,)

    def moved_to(self) -> int | None:
        """The seat where it came to rest since this was last asked; None if nowhere, or the dealer says otherwise."""
        before, self._noted = self._noted, self._rest
        return self._rest if self._rest != before and self.entered_at is None else None

    def at(self, t: int) -> int | None:
        """The seat where it lay at `t`, ms; None if that is not known, or if the dealer says otherwise."""
        return self._place(t) if self.entered_at is None else None

    def _place(self, t: int) -> int | None:
        heard = [each for zone in self._looks if (each := self._heard(zone, t)) is not None]
        seats = {seat_of(each.zone) for each in heard if self._beats_others(each, heard)}
        return seats.pop() if len(seats) == 1 else None

    def _heard(self, zone: str, t: int) -> _Heard | None:
        """What the zone's looks up to `t` say; None if none of them read it."""
        looks = [each for each in self._looks[zone] if t - WINDOW_MS < each[0] <= t]
        times = [at for at, read, _ in looks if read]
        if not times:
            return None
        strengths = [strength for _, _, strength in looks if strength is not None]
        return _Heard(
            zone, len(times), len(looks), times[-1] - times[0], any(read for _, read, _ in looks[-LAST_LOOKS:]),
            sum(strengths) / len(strengths) if strengths else None,
        )  # fmt: skip

    def _beats_others(self, one: _Heard, heard: list[_Heard]) -> bool:
        """It lies there, and whoever else reads it does so from beside."""
        others = [each for each in heard if seat_of(each.zone) != seat_of(one.zone)]
        return one.lies and all(self._from_beside(each, one) for each in others)

    def _from_beside(self, other: _Heard, one: _Heard) -> bool:
        if other.share * RARER <= one.share:
            return True
        if other.strength is None or one.strength is None:
            return False
        weaker = one.strength - other.strength
        if one.zone not in self._levels or other.zone not in self._levels:
            return weaker >= WEAKER_RAW
        return weaker - (self._levels[one.zone] - self._levels[other.zone]) >= WEAKER
