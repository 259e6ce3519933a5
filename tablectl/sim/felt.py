"""The felt: where the zones lie, which of them are neighbours, and over which ones a card travels.

Owns: the geometry of the table, in cm. Refuses: cards and time.

The dealer sits at the lower edge, in the middle. Seat 1 is at his left, the seats go round clockwise, the
last one is at his right. Distances are those of an oval table of 2.1 m by 1.1 m [A]; an antenna is felt
about 16 cm around its middle by a card that passes [A].
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import cos, hypot, pi, sin

from tablectl.layout import ASIDE, BOARD, BOARD_STREETS, BURN, MUCK, SHOE, seat_zone

Place = tuple[float, float]

HALF_LENGTH, HALF_WIDTH = 88.0, 40.0
"""Half axes of the oval on which the seats' antennas lie, cm [A]."""
DEALER_SHARE = 1.4
"""The dealer takes so many times the room of a player [A]."""
HALF = 14.0
"""From the antenna under a player's own cards to the one under his up cards, towards the middle, cm [A]."""
REACH = 16.0
"""A card that passes within this distance of an antenna's middle may be read, cm [A]."""

BOARD_REACH = 26.0
"""The same for the one field under all five cards of the board [A]."""

_FIXED: dict[str, Place] = {
    SHOE: (-30.0, -34.0),
    BOARD: (0.0, 2.0),
    BURN: (22.0, -20.0),
    MUCK: (36.0, -32.0),
    ASIDE: (-20.0, -18.0),
    **dict(zip(BOARD_STREETS, ((-10.0, 2.0), (9.0, 2.0), (17.0, 2.0)), strict=True)),
}
# How strongly two zones that are not seats couple, against two neighbouring seats [A].
_NEAR: tuple[tuple[str, str, float], ...] = (
    (BOARD, BURN, 0.4),
    (BURN, MUCK, 0.6),
    (BOARD_STREETS[0], BOARD_STREETS[1], 1.0),
    (BOARD_STREETS[1], BOARD_STREETS[2], 1.0),
    (BOARD_STREETS[2], BURN, 0.4),
)
_HALVES_NEAR = 0.8
"""The same for the two halves of a seat [A]."""


class Felt:
    """The geometry of a table with that many seats; with `halves`, up cards have an antenna of their own there."""

    def __init__(self, seats: int, *, halves: bool = False) -> None:
        self.seats, self.halves = seats, halves
        self.places: Mapping[str, Place] = {**_FIXED, **self._seats()}
        self._paths: dict[tuple[str, str], tuple[tuple[str, float], ...]] = {}

    def keeps(self, seat: int) -> str:
        """The zone where a player keeps his cards, near the edge."""
        return f"{seat_zone(seat)}/down" if self.halves else seat_zone(seat)

    def shows(self, seat: int) -> str:
        """The zone where his up cards lie."""
        return f"{seat_zone(seat)}/up" if self.halves else seat_zone(seat)

    def seat_zones(self, seat: int) -> tuple[str, ...]:
        """Both, or the one that is both."""
        return tuple(dict.fromkeys((self.keeps(seat), self.shows(seat))))

    def _seats(self) -> dict[str, Place]:
        places = {}
        for seat in range(1, self.seats + 1):
            x, y = places[self.keeps(seat)] = self._seat(seat)
            if self.halves:
                share = 1 - HALF / hypot(x, y)
                places[self.shows(seat)] = x * share, y * share
        return places

    def _seat(self, seat: int) -> Place:
        share = (seat - 0.5 + DEALER_SHARE / 2) / (self.seats + DEALER_SHARE)
        angle = -pi / 2 - 2 * pi * share
        return HALF_LENGTH * cos(angle), HALF_WIDTH * sin(angle)

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[tuple[str, float], ...]]:
        """For each zone its neighbours and how strongly they couple, 0 to 1; the first is on its left."""
        near: dict[str, list[tuple[str, float]]] = {zone: [] for zone in self.places}
        for seat in range(1, self.seats):
            for one, other in zip(self.seat_zones(seat), self.seat_zones(seat + 1), strict=True):
                near[one].append((other, 1.0))
                near[other].insert(0, (one, 1.0))
        own = [(self.keeps(n), self.shows(n), _HALVES_NEAR) for n in range(1, self.seats + 1) if self.halves]
        pairs = (*_NEAR, *own, (self.keeps(1), SHOE, 0.3), (self.keeps(self.seats), MUCK, 0.3))
        for one, other, strength in pairs:
            near[one].append((other, strength))
            near[other].append((one, strength))
        return {zone: tuple(found) for zone, found in near.items()}

    def path(self, start: str, end: str) -> tuple[tuple[str, float], ...]:
        """The zones that a card crosses on its way, each with how far along the way it is, 0 to 1."""
        if (start, end) not in self._paths:
            self._paths[start, end] = tuple(self._cross(start, end))
        return self._paths[start, end]

    def _cross(self, start: str, end: str) -> list[tuple[str, float]]:
        (ax, ay), (bx, by) = self.places[start], self.places[end]
        dx, dy = bx - ax, by - ay
        length = hypot(dx, dy) or 1.0
        crossed = []
        for zone, (x, y) in self.places.items():
            along = ((x - ax) * dx + (y - ay) * dy) / length**2
            aside = abs((x - ax) * dy - (y - ay) * dx) / length
            reach = BOARD_REACH if zone == BOARD else REACH
            if zone not in {start, end} and 0.05 < along < 0.97 and aside <= reach:
                crossed.append((zone, along))
        return sorted(crossed, key=lambda found: found[1])
