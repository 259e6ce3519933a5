"""The table from above with what was measured: how well each antenna reads, and which reads its neighbour's cards.

Owns: the drawing, SVG. Refuses: figures (`results`).

The dealer sits at the bottom, so that it fits the drawing of the antennas (`hardware/layout.py`): seat 1 and the burn
pile at the left, the muck at the right.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin
from pathlib import Path

from tablectl.calibrate.results import CROSS_MOST, Result, Results
from tablectl.errors import UsageError
from tablectl.layout import Layout, is_up, seat_of
from tablectl.svg import Sheet, wide
from tablectl.whole import write_whole

Place = tuple[float, float]

WIDTH, HEIGHT, MIDDLE = 1300.0, 850.0, (650.0, 405.0)
LENGTH, BREADTH = 500.0, 255.0
"""Half axes of the oval on which the seats are drawn, px."""
RIM = (95.0, 85.0)
"""How far the table reaches beyond the seats' middles, px."""
DEALER = 1.4
"""The dealer, at the bottom, takes the room of so many players."""
RADIUS = 49.0
SHORT = 9
"""Longer names are written smaller, so that they stay in their circle, characters."""
INWARDS = 108.0
"""How far the up cards of stud lie nearer to the middle than the others, px."""
FIXED: dict[str, Place] = {
    "shoe": (-160, 215), "board": (0, -40), "board:flop": (-170, -55), "board:turn": (0, -55),
    "board:river": (170, -55), "burn": (-255, 25), "muck": (255, 25), "aside": (0, 95),
}  # fmt: skip
"""Middles of the other zones from the table's, px."""
BESIDE_STREETS: dict[str, Place] = {"burn": (-325, 35), "muck": (325, 35)}
"""Where a board of several antennas needs the room."""
GOOD, UNFIT, UNKNOWN, INK = "#2f7d5b", "#b3402e", "#767b84", "#1d2430"
LEAST_SHOWN = 0.02
"""A neighbour's card that is read more rarely gets no arrow."""
ASIDE = 11.0
"""Each direction has an arrow of its own, so far to its right, px."""
BENDS = (0.0, 45.0, -45.0, 80.0, -80.0, 115.0, -115.0, 150.0, -150.0, 190.0, -190.0)
"""How far the middle of an arrow is moved aside until it crosses no other antenna, px."""
CLEAR = 8.0
"""What an arrow keeps of other antennas, px."""
ALONG = (0.5, 0.42, 0.58, 0.34, 0.66)
"""Where along its arrow a figure may stand."""
FIGURE = 12.0


def must_take(out: Path) -> None:
    """Try beforehand whether a picture can be written there. UsageError if not."""
    if out.suffix.lower() != ".svg":
        raise UsageError(
            f"--plot {out}: the picture is an SVG, so name it {out.stem or 'table'}.svg; any browser shows it, and "
            f"rsvg-convert -o {out.stem or 'table'}.png {out.stem or 'table'}.svg makes a PNG of it"
        )
    if out.is_dir() or not out.parent.is_dir():
        raise UsageError(f"--plot {out}: {'is a folder' if out.is_dir() else 'there is no such folder'}")
    if not os.access(out.parent, os.W_OK):
        raise UsageError(f"--plot {out}: this user may not write there")


def draw(out: Path, results: Results, layout: Layout, title: str) -> None:
    """Write the picture. UsageError if the file cannot be written."""
    try:
        write_whole(out, drawn(results, layout, title).render())
    except OSError as error:
        raise UsageError(f"--plot {out}: cannot be written: {error.strerror}") from None


def drawn(results: Results, layout: Layout, title: str) -> Sheet:
    """The picture; antennas that were not measured are dashed."""
    sheet = Sheet(WIDTH, HEIGHT)
    sheet.text(WIDTH / 2, 32, title, size=20, at="middle", colour=INK, bold=True)
    _table(sheet)
    places = {zone: _place(zone, layout) for zone in layout.zones}
    arrows = list(_arrows(results.antennas, places))
    for arrow in arrows:
        _line(sheet, arrow)
    for zone in sorted(layout.zones - {result.zone for result in results.antennas}):
        _antenna(sheet, Result((0, 0), zone, 0, 0), places[zone])
    for result in results.antennas:
        _antenna(sheet, result, places[result.zone])
    _figures_beside(sheet, arrows, places.values())
    _legend(sheet)
    return sheet


def _place(zone: str, layout: Layout) -> Place:
    seat = seat_of(zone)
    if seat is None:
        streets = any(each.startswith("board:") for each in layout.zones)
        fixed = {**FIXED, **BESIDE_STREETS} if streets else FIXED
        x, y = fixed.get(zone, (0.0, 95.0))
        return MIDDLE[0] + x, MIDDLE[1] + y
    share = (seat - 0.5 + DEALER / 2) / (layout.seats + DEALER)
    angle = pi / 2 + 2 * pi * share
    x, y = LENGTH * cos(angle), BREADTH * sin(angle)
    inwards = 1 - INWARDS / hypot(x, y) if is_up(zone) else 1.0
    return MIDDLE[0] + x * inwards, MIDDLE[1] + y * inwards


def _table(sheet: Sheet) -> None:
    x, y = MIDDLE
    a, b = LENGTH + RIM[0], BREADTH + RIM[1]
    oval = f"M {x - a:.0f} {y:.0f} a {a:.0f} {b:.0f} 0 1 0 {2 * a:.0f} 0 a {a:.0f} {b:.0f} 0 1 0 {-2 * a:.0f} 0 Z"
    sheet.shape(oval, fill="#eef2ee", colour="#b9c4bb")
    sheet.text(x, y + BREADTH + 30, "dealer", size=15, at="middle", colour=UNKNOWN)


def _antenna(sheet: Sheet, result: Result, place: Place) -> None:
    x, y = place
    known = result.read is not None
    edge = UNKNOWN if not known else UNFIT if result.unfit else GOOD
    sheet.circle(x, y, RADIUS, fill="white", colour=edge, thick=3.5, dash="" if known else "7 5")
    size = 12.0 if len(result.zone) <= SHORT else 9.5
    sheet.text(x, y - 22, result.zone, size=size, at="middle", colour=INK, bold=True)
    for row, (words, size) in enumerate(_figures(result)):
        sheet.text(x, y + (-3, 15, 31)[row], words, size=size, at="middle", colour=INK)


def _figures(result: Result) -> Iterator[tuple[str, float]]:
    yield result.read_in_words, 15.0 if result.read is not None else 11.0
    if result.two is not None:
        yield f"two: {result.two.mean:.0%}", 12.0
    if result.strength is not None:
        yield f"{result.strength.mean:.0f} dB", 12.0


# --- the neighbours' cards -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Arrow:
    """From the zone where a card lies to the antenna that reads it, by a bend where something stands in the way."""

    start: Place
    middle: Place
    end: Place
    rate: float

    def at(self, share: float) -> Place:
        """A point of the curve (quadratic Bézier)."""
        (ax, ay), (bx, by), (cx, cy) = self.start, self.middle, self.end
        p, q, r = (1 - share) ** 2, 2 * share * (1 - share), share**2
        return p * ax + q * bx + r * cx, p * ay + q * by + r * cy

    @property
    def bad(self) -> bool:
        """More than is usual."""
        return self.rate > CROSS_MOST


def _arrows(results: Sequence[Result], places: dict[str, Place]) -> Iterator[Arrow]:
    for result in results:
        for zone, rate in result.beside.items():
            if zone in places and rate.mean >= LEAST_SHOWN:
                others = [place for each, place in places.items() if each not in (zone, result.zone)]
                yield _around(places[zone], places[result.zone], rate.mean, others)


def _around(start: Place, end: Place, rate: float, others: Collection[Place]) -> Arrow:
    """The straightest arrow that keeps off the other antennas."""
    tried = [_bent(start, end, rate, bend) for bend in BENDS]
    return next((each for each in tried if _room(each, others) >= CLEAR), None) or max(
        tried, key=lambda each: _room(each, others)
    )


def _bent(start: Place, end: Place, rate: float, bend: float) -> Arrow:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    right = (-dy / length, dx / length)
    off = ASIDE + bend if bend >= 0 else bend + ASIDE
    middle = (
        (start[0] + end[0]) / 2 + right[0] * (2 * off - ASIDE),
        (start[1] + end[1]) / 2 + right[1] * (2 * off - ASIDE),
    )

    def edge(place: Place) -> Place:
        towards = atan2(middle[1] - place[1], middle[0] - place[0])
        beside = (place[0] + right[0] * ASIDE, place[1] + right[1] * ASIDE)
        away = RADIUS + 4
        return beside[0] + away * cos(towards), beside[1] + away * sin(towards)

    return Arrow(edge(start), middle, edge(end), rate)


def _room(arrow: Arrow, others: Collection[Place]) -> float:
    """How far it stays off the circles of the others, px."""
    points = [arrow.at(step / 16) for step in range(17)]
    return min((hypot(x - ox, y - oy) - RADIUS for x, y in points for ox, oy in others), default=RADIUS)


def _line(sheet: Sheet, arrow: Arrow) -> None:
    colour = UNFIT if arrow.bad else UNKNOWN
    thick = 1.2 + 12 * min(arrow.rate, 0.4)
    (ax, ay), (bx, by), (cx, cy) = arrow.start, arrow.middle, arrow.end
    angle = atan2(cy - by, cx - bx)
    back = 7 + 1.6 * thick
    neck = (cx - back * cos(angle), cy - back * sin(angle))
    sheet.shape(
        f"M {ax:.1f} {ay:.1f} Q {bx:.1f} {by:.1f} {neck[0]:.1f} {neck[1]:.1f}",
        colour=colour,
        thick=round(thick, 1),
    )
    corners = [
        (neck[0] + side * back / 2 * sin(angle), neck[1] - side * back / 2 * cos(angle)) for side in (1, -1)
    ]
    path = " L ".join(f"{x:.1f} {y:.1f}" for x, y in (*corners, (cx, cy)))
    sheet.shape(f"M {path} Z", fill=colour, colour=colour)


def _figures_beside(sheet: Sheet, arrows: Sequence[Arrow], places: Collection[Place]) -> None:
    """How often, on each arrow: on no antenna, and on no other figure."""
    taken: list[Place] = []
    for arrow in sorted(arrows, key=lambda each: -each.rate):
        spots = [arrow.at(share) for share in ALONG]
        x, y = max(spots, key=lambda spot: min(_free(spot, places, taken), 0.0))
        taken.append((x, y))
        words = f"{arrow.rate:.0%}"
        width = wide(words, FIGURE) + 4
        ground = "white" if arrow.bad else "#eef2ee"
        sheet.box(
            x - width / 2,
            y - FIGURE / 2 - 2,
            width,
            FIGURE + 3,
            fill=ground,
            colour=ground,
            round_=3,
            thick=0,
        )
        colour = UNFIT if arrow.bad else INK
        sheet.text(x, y + FIGURE / 2 - 2, words, size=FIGURE, at="middle", colour=colour, bold=arrow.bad)


def _free(spot: Place, places: Collection[Place], taken: Collection[Place]) -> float:
    """How far a figure there stays off circles and other figures, px; negative where they meet."""
    x, y = spot
    circles = min((hypot(x - ox, y - oy) - RADIUS - 1.2 * FIGURE for ox, oy in places), default=1.0)
    figures = min(
        (max(abs(x - ox) - 2.6 * FIGURE, abs(y - oy) - 1.4 * FIGURE) for ox, oy in taken), default=1.0
    )
    return min(circles, figures)


def _legend(sheet: Sheet) -> None:
    rows = (
        "In a circle: how often this antenna reads a card at rest on it, with its 95 % interval; "
        "each of two cards on each other; how strong it hears them.",
        "Arrow: a card lies where it begins, and the antenna it points to reads it, too, so often; "
        f"none below {LEAST_SHOWN:.0%}, red above {CROSS_MOST:.0%}.",
        "Green circle: fit. Red: unfit. Dashed: not measured.",
    )
    for row, words in enumerate(rows):
        sheet.text(WIDTH / 2, HEIGHT - 60 + 20 * row, words, size=13.5, at="middle", colour=INK)
