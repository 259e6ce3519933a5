"""A rectangular spiral as straight segments: inductance, mutual inductance, and the field around it.

Owns: the geometry of a coil and magnetostatics of straight conductors.
Refuses: losses and capacitance (`losses`), metal (`metal`).

Sources. Greenhouse: H. M. Greenhouse, "Design of planar rectangular microelectronic inductors", IEEE Trans. PHP-10
(1974): a spiral is the sum of the self inductances of its segments and of their mutual inductances, signed by the
direction of the current. Grover: F. W. Grover, Inductance Calculations (1946): self inductance of a bar, chapter 5;
geometric mean distance of two strips, chapter 3; parallel filaments by Neumann's integral, chapter 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MU0 = 4e-7 * math.pi
"""Permeability of free space, H/m."""
TOUCHING = 1e-9
"""Distance that stands for none, m: collinear segments have no distance, and the formula's limit is the same."""


@dataclass(frozen=True)
class Segment:
    """A straight conductor parallel to an axis, m. The current flows from `start` to `end` along `axis` ("x" or "y").

    `across` is where it lies on the other axis.
    """

    axis: str
    start: float
    end: float
    across: float
    z: float


@dataclass(frozen=True)
class Coil:
    """A rectangular spiral seen from above, in the plane z, about the point (x, y).

    length and width are the outer edges along x and y, track the width of the copper, gap what lies between two
    turns, thickness that of the copper; all in m. The current turns counter-clockwise.
    """

    length: float
    width: float
    turns: int
    track: float
    gap: float
    thickness: float = 35e-6
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0

    def __post_init__(self) -> None:
        """ValueError: the turns do not fit into the outline."""
        if self.turns < 1 or min(self.turn(self.turns - 1)) < 2 * self.track:
            size = f"{self.length * 1e3:g} × {self.width * 1e3:g} mm"
            raise ValueError(f"{self.turns} turns of {self.track * 1e3:g} mm do not fit into {size}")

    @property
    def pitch(self) -> float:
        """From one turn to the next, m."""
        return self.track + self.gap

    def turn(self, number: int) -> tuple[float, float]:
        """Length and width of a turn along the middle of its track, outermost 0, m."""
        inset = self.track + 2 * number * self.pitch
        return self.length - inset, self.width - inset

    def segments(self) -> list[Segment]:
        """Four straight conductors a turn; each turn is closed (the step from turn to turn, a track's width, is left
        out: it is below 1 % of the length)."""
        found = []
        for number in range(self.turns):
            length, width = self.turn(number)
            west, east = self.x - length / 2, self.x + length / 2
            south, north = self.y - width / 2, self.y + width / 2
            found += [
                Segment("x", west, east, south, self.z),
                Segment("y", south, north, east, self.z),
                Segment("x", east, west, north, self.z),
                Segment("y", north, south, west, self.z),
            ]
        return found

    def copper(self) -> float:
        """Length of the copper, m."""
        return sum(abs(segment.end - segment.start) for segment in self.segments())

    def area(self) -> float:
        """Area times turns, m²."""
        return sum(length * width for length, width in map(self.turn, range(self.turns)))

    def moved(self, x: float, y: float, z: float) -> Coil:
        """The same coil about another point, m."""
        return Coil(self.length, self.width, self.turns, self.track, self.gap, self.thickness, x, y, z)


def bar(length: float, track: float, thickness: float) -> float:
    """Self inductance of a straight bar of rectangular section, H (Greenhouse (3), from Grover)."""
    section = track + thickness
    return 2e-7 * length * (math.log(2 * length / section) + 0.50049 + section / (3 * length))


def filaments(one: Segment, other: Segment, distance: float) -> float:
    """Mutual inductance of two parallel filaments, wherever their ends are, signed by their directions, H (Neumann)."""

    def corner(along: float) -> float:
        return along * math.asinh(along / distance) - math.hypot(along, distance)

    return 1e-7 * (
        corner(one.end - other.start)
        - corner(one.end - other.end)
        - corner(one.start - other.start)
        + corner(one.start - other.end)
    )


def mean_distance(distance: float, track: float) -> float:
    """Geometric mean distance of two strips side by side in one plane, m (Grover, by its series)."""
    ratio = track / distance
    return distance * math.exp(-(ratio**2) / 12 - ratio**4 / 60 - ratio**6 / 168 - ratio**8 / 360)


def _mutual(one: Segment, other: Segment, track: float) -> float:
    if one.axis != other.axis:
        return 0.0
    aside, above = one.across - other.across, one.z - other.z
    distance = math.hypot(aside, above)
    if distance < TOUCHING:
        return filaments(one, other, TOUCHING)
    return filaments(one, other, distance if above else mean_distance(distance, min(track, distance)))


def inductance(coil: Coil) -> float:
    """Self inductance of the coil, H (Greenhouse)."""
    segments = coil.segments()
    total = sum(bar(abs(each.end - each.start), coil.track, coil.thickness) for each in segments)
    for number, one in enumerate(segments):
        for other in segments[number + 1 :]:
            total += 2 * _mutual(one, other, coil.track)
    return total


def mutual(one: Coil, other: Coil) -> float:
    """Mutual inductance of two coils, H; positive if the field of one goes through the other the same way round."""
    return sum(_mutual(a, b, TOUCHING) for a in one.segments() for b in other.segments())


def coupling(one: Coil, other: Coil) -> float:
    """Coupling factor k of two coils, -1 to 1."""
    return mutual(one, other) / math.sqrt(inductance(one) * inductance(other))


def _of_segment(segment: Segment, at: tuple[float, float, float]) -> float:
    """Upward field of one ampere in a segment, 1/m (Biot and Savart, integrated)."""
    along, aside = (at[0], at[1]) if segment.axis == "x" else (at[1], at[0])
    lateral, above = aside - segment.across, at[2] - segment.z
    distance = math.hypot(lateral, above)
    if distance < TOUCHING:
        return 0.0
    first, last = along - segment.start, along - segment.end
    length = first / math.hypot(first, distance) - last / math.hypot(last, distance)
    turn = 1 if segment.axis == "x" else -1
    return turn * length * lateral / (4 * math.pi * distance**2)


def field(coil: Coil, at: tuple[float, float, float]) -> float:
    """Upward field at a point for one ampere in the coil, A/m per A."""
    return sum(_of_segment(segment, at) for segment in coil.segments())


def mean_field(coil: Coil, card: Coil) -> float:
    """Upward field, averaged over a card's coil, for one ampere in the antenna, A/m per A."""
    return mutual(coil, card) / (MU0 * card.area())


def wheeler(side: float, turns: int, track: float, gap: float) -> float:
    """Inductance of a square spiral by the modified Wheeler formula, H; within 3 % for fill ratios of 0.1 to 0.9.

    S. S. Mohan et al., "Simple accurate expressions for planar spiral inductances", IEEE JSSC 34 (1999) 1419.
    """
    inner = side - 2 * turns * track - 2 * (turns - 1) * gap
    mean, fill = (side + inner) / 2, (side - inner) / (side + inner)
    return 2.34 * MU0 * turns**2 * mean / (1 + 2.75 * fill)
