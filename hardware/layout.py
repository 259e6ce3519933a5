"""Where the antennas and reader boxes lie in a table of ten seats.

Owns: the places, turned with the table's edge, and the distances between antennas.
Refuses: other tables: a house's own table keeps the distances, not these places.

Seen from above, mm, the dealer at the bottom (negative y) and looking up; seat 1 is on the dealer's left.
"""

from __future__ import annotations

import itertools
import math
import tomllib
from dataclasses import dataclass
from pathlib import Path

from hardware.antenna.zones import Zones

LENGTH, DEPTH = 2400.0, 1200.0
"""A full-size poker table, its ends half circles."""
INSET = 230.0
"""From the table's edge to the middle of a seat's antenna."""
SEATS = 10
LEAST_APART = 150.0
"""Between the copper of two antennas: `design.beside` and `design.neighbours` say why."""
FIXED = {"board": (0.0, 40.0), "burn": (-420.0, 20.0), "muck": (460.0, 20.0), "shoe": (-145.0, -345.0)}
BOXES = {0: (-760.0, -60.0), 1: (-215.0, 220.0), 2: (760.0, -60.0), 3: (0.0, -150.0)}
"""Middle of each reader board's box under the table."""
SERVES = {
    0: ("seat:1", "seat:2", "seat:3", "burn"),
    1: ("seat:4", "seat:5", "seat:6"),
    2: ("seat:7", "seat:8", "seat:9", "seat:10", "muck"),
    3: ("shoe", "board"),
}
"""Zones by reader board, antenna 0 first, as the sample configuration of ten seats with a shoe has them. Shoe and board
have one to themselves, so that they are looked at often."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Spot:
    """An antenna in its place: its middle and size in mm, turned by an angle in degrees."""

    zone: str
    kind: str
    middle: Point
    size: Point
    angle: float

    def corners(self) -> list[Point]:
        """Its four corners in order."""
        turn = math.radians(self.angle)
        found = []
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            along, aside = x * self.size[0] / 2, y * self.size[1] / 2
            found.append(
                (
                    self.middle[0] + along * math.cos(turn) - aside * math.sin(turn),
                    self.middle[1] + along * math.sin(turn) + aside * math.cos(turn),
                )
            )
        return found


def _around(distance: float) -> tuple[Point, float]:
    """Point and direction (degrees) on the line of the seats, `distance` mm clockwise from the dealer."""
    radius, straight = DEPTH / 2 - INSET, LENGTH - DEPTH
    half, bend = straight / 2, math.pi * radius
    if distance <= half:
        return (-distance, -radius), 180.0
    if distance <= half + bend:
        turned = (distance - half) / radius
        return (-half - radius * math.sin(turned), -radius * math.cos(turned)), 180.0 - math.degrees(turned)
    if distance <= half + bend + straight:
        return (-half + distance - half - bend, radius), 0.0
    if distance <= half + 2 * bend + straight:
        turned = (distance - half - bend - straight) / radius
        return (half + radius * math.sin(turned), radius * math.cos(turned)), -math.degrees(turned)
    return (half - (distance - half - 2 * bend - straight), -radius), 180.0


def spots(zones: Zones) -> list[Spot]:
    """All antennas of the table in their places."""
    whole = 2 * (LENGTH - DEPTH) + 2 * math.pi * (DEPTH / 2 - INSET)
    found = []
    for seat in range(1, SEATS + 1):
        middle, angle = _around(seat * whole / (SEATS + 1))
        found.append(_spot(f"seat:{seat}", "seat", middle, angle, zones))
    return found + [_spot(name, name, middle, 0.0, zones) for name, middle in FIXED.items()]


def _spot(zone: str, kind: str, middle: Point, angle: float, zones: Zones) -> Spot:
    coil = zones.zones[kind].coil
    return Spot(zone, kind, middle, (coil.length * 1e3, coil.width * 1e3), angle)


def apart(one: Spot, other: Spot) -> float:
    """Distance between the outlines of two antennas that do not overlap, mm."""
    return min(
        min(_to_edge(corner, edge) for corner in a.corners() for edge in _edges(b))
        for a, b in ((one, other), (other, one))
    )


def _edges(spot: Spot) -> list[tuple[Point, Point]]:
    corners = spot.corners()
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def _to_edge(point: Point, edge: tuple[Point, Point]) -> float:
    (x1, y1), (x2, y2) = edge
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    share = max(0.0, min(1.0, ((point[0] - x1) * (x2 - x1) + (point[1] - y1) * (y2 - y1)) / length))
    return math.hypot(point[0] - x1 - share * (x2 - x1), point[1] - y1 - share * (y2 - y1))


def differs(configuration: Path) -> list[str]:
    """What a configuration's readers serve otherwise than `SERVES`."""
    readers = tomllib.loads(configuration.read_text()).get("reader", [])
    found = {
        number: tuple(zone for _, zone in sorted(reader["antennas"].items(), key=lambda item: int(item[0])))
        for number, reader in enumerate(readers)
    }
    return [
        f"{configuration.name}: reader {number} serves {', '.join(found.get(number, ('nothing',)))}, the layout has "
        f"{', '.join(SERVES.get(number, ('nothing',)))}"
        for number in sorted(found.keys() | SERVES.keys())
        if found.get(number) != SERVES.get(number)
    ]


def nearest_pair(placed: list[Spot]) -> tuple[float, str, str]:
    """The two antennas that are nearest to each other: distance in mm, and which."""
    return min((apart(a, b), a.zone, b.zone) for a, b in itertools.combinations(placed, 2))


@dataclass(frozen=True)
class Place:
    """Something beside the antennas: what, its middle, its size in mm, whether it is under the table; its cable."""

    name: str
    middle: Point
    size: Point
    below: bool
    cable: str


PLACES = (
    Place("controller", (330.0, -170.0), (276.0, 124.0), below=True, cable=""),
    Place("USB hub", (430.0, 200.0), (170.0, 90.0), below=True, cable="W3"),
    Place("12 V supply", (60.0, 210.0), (125.0, 50.0), below=True, cable="W1"),
    Place("display", (0.0, -505.0), (194.0, 110.0), below=False, cable="W13"),
    Place("buttons", (235.0, -545.0), (200.0, 40.0), below=False, cable="W12"),
    Place("alarm lamp", (-130.0, -560.0), (14.0, 14.0), below=False, cable="W10"),
    Place("buzzer", (380.0, -560.0), (24.0, 24.0), below=False, cable="W11"),
)
"""Boxes under the table, and what the dealer has before him; the lamps at the seats are `lamps`."""
LAMP_OUT = 150.0
"""From the middle of a seat's antenna outward to its lamp, mm."""


def lamps(zones: Zones) -> list[Place]:
    """The lamp of each seat, toward the player from its antenna."""
    found = []
    for spot in spots(zones):
        if spot.kind == "seat":
            turn = math.radians(spot.angle)
            middle = (spot.middle[0] - LAMP_OUT * math.sin(turn), spot.middle[1] + LAMP_OUT * math.cos(turn))
            found.append(
                Place(spot.zone.replace("seat:", "lamp "), middle, (12.0, 12.0), below=False, cable="W9")
            )
    return found


def as_spot(place: Place) -> Spot:
    """A place as an outline, to measure its distance from antennas."""
    return Spot(place.name, "place", place.middle, place.size, 0.0)
