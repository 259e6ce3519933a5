"""An antenna's board as it is etched: outline, coil, bridge, tracks, pads and holes, and the drawing to order it by.

Owns: where copper lies. Refuses: values and nets; they come from the circuit, the coil from `zones.toml`.

mm about the coil's middle, y upward, seen on the copper side. The board is a frame around the coil and a tab for the
parts, which keeps them 10 mm away from the coil. The inner end of the coil comes out under its turns on the other side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hardware.antenna.coil import Coil
from hardware.antenna.design import Design
from hardware.circuit import GROUND
from tablectl.svg import Sheet

Point = tuple[float, float]
EDGE = 5.0
"""From the coil's copper to the board's edge."""
TAB_WIDTH, TAB = 60.0, 44.0
"""Of the part below the frame that carries the parts: its width, and how far it reaches below the coil's copper."""
AWAY = 10.0
"""Least distance of parts to the coil."""
FEED, BRIDGE = 20.0, 8.0
"""From the coil's left edge to where it begins; from there to where it comes out."""
TRACK = 1.5
"""Width of tracks that are not the coil's."""
HOLE, RING = 0.8, 1.6
"""Drill and copper of a plated hole."""
COPPER, BLUE, DIM, PAD = "#b87333", "#0b5394", "#666666", "#8a4b08"


@dataclass(frozen=True)
class Pad:
    """A pad of a part: pin, net, middle, size along x and y. Both sides: the jack's ground."""

    ref: str
    pin: str
    net: str
    at: Point
    size: Point
    both: bool = False


@dataclass(frozen=True)
class Track:
    """A track of a net on the copper side, or (`under`) on the other one."""

    net: str
    width: float
    way: tuple[Point, ...]
    under: bool = False


@dataclass(frozen=True)
class Etched:
    """Everything that a board house needs of one antenna."""

    outline: tuple[Point, ...]
    tracks: tuple[Track, ...]
    pads: tuple[Pad, ...]
    holes: tuple[tuple[str, Point], ...]


def spiral(coil: Coil) -> list[Point]:
    """The way of the copper from outside in; it begins and ends at the lower edge."""
    pitch, half = coil.pitch * 1e3, coil.track * 5e2
    length, width = coil.length * 1e3, coil.width * 1e3
    feed = FEED - length / 2
    points: list[Point] = []
    for number in range(coil.turns):
        inset = half + number * pitch
        west, east, south, north = (
            -length / 2 + inset,
            length / 2 - inset,
            -width / 2 + inset,
            width / 2 - inset,
        )
        points += [(west if number else feed, south), (east, south), (east, north), (west, north)]
        points.append((west, south + pitch))
    points.append((feed - BRIDGE, points[-1][1]))
    return points


def etched(coil: Coil) -> Etched:
    """The board of a coil."""
    length, width = coil.length * 1e3, coil.width * 1e3
    feed, low = FEED - length / 2, -width / 2
    left, right, top, bottom = -length / 2 - EDGE, length / 2 + EDGE, width / 2 + EDGE, low - TAB
    outline = ((left, top), (right, top), (right, low - EDGE), (left + TAB_WIDTH, low - EDGE),
               (left + TAB_WIDTH, bottom), (left, bottom))  # fmt: skip

    def on(x: float, down: float) -> Point:
        return feed + x, low - down

    coil_track = coil.track * 1e3
    way = spiral(coil)
    out, jack = on(-BRIDGE, AWAY + RING), 8.0
    pads = (
        *_upright("RQ", ("COIL", "TANK"), on(0, 16), 2.9, (3.35, 1.35)),
        *_upright("C11", ("TANK", "PORT"), on(jack - 2, 27), 0.95, (1.45, 1.0)),
        *_upright("C12", ("TANK", "PORT"), on(jack + 2, 27), 0.95, (1.45, 1.0)),
        *_lying("C21", (GROUND, "TANK"), on(-4, 20), 0.95, (1.0, 1.45)),
        *_lying("C22", (GROUND, "TANK"), on(-4, 24), 0.95, (1.0, 1.45)),
        Pad("J1", "1", "PORT", on(jack, TAB - 2.54), (1.5, 5.08)),
        *(Pad("J1", "2", GROUND, on(jack + side, TAB - 2.54), (1.5, 5.08), both=True) for side in (-4.25, 4.25)),
    )  # fmt: skip
    tracks = (
        Track("COIL", coil_track, (*way,)),
        Track("COIL", coil_track, (way[0], on(0, 16 - 2.9))),
        Track(GROUND, coil_track, (way[-1], out), under=True),
        Track("TANK", TRACK, (on(0, 16 + 2.9), on(0, 24), on(-3.05, 24))),
        Track("TANK", TRACK, (on(0, 20), on(-3.05, 20))),
        Track("TANK", TRACK, (on(0, 24), on(jack - 2, 24), on(jack - 2, 26.05))),
        Track("TANK", TRACK, (on(jack - 2, 24), on(jack + 2, 24), on(jack + 2, 26.05))),
        Track("PORT", TRACK, (on(jack - 2, 27.95), on(jack - 2, 30), on(jack + 2, 30), on(jack + 2, 27.95))),
        Track("PORT", TRACK, (on(jack, 30), on(jack, TAB - 2.54))),
        Track(GROUND, TRACK, (out, on(-BRIDGE, TAB - 2.54), on(jack - 4.25, TAB - 2.54))),
        Track(GROUND, TRACK, (on(-BRIDGE, 20), on(-4.95, 20))),
        Track(GROUND, TRACK, (on(-BRIDGE, 24), on(-4.95, 24))),
        Track(GROUND, TRACK, (on(jack - 4.25, TAB - 2.54), on(jack - 4.25, 36), on(jack + 4.25, 36),
              on(jack + 4.25, TAB - 2.54)), under=True),
        Track(GROUND, TRACK, (on(jack - 4.25, 36), on(jack - 4.25, TAB - 2.54))),
        Track(GROUND, TRACK, (on(jack + 4.25, 36), on(jack + 4.25, TAB - 2.54))),
    )  # fmt: skip
    holes = tuple((GROUND, at) for at in (way[-1], out, on(jack - 4.25, 36), on(jack + 4.25, 36)))
    return Etched(outline, tracks, pads, holes)


def _upright(ref: str, nets: tuple[str, str], at: Point, half: float, size: Point) -> tuple[Pad, Pad]:
    """A part with two pads, pin 2 above."""
    return Pad(ref, "2", nets[0], (at[0], at[1] + half), size), Pad(
        ref, "1", nets[1], (at[0], at[1] - half), size
    )


def _lying(ref: str, nets: tuple[str, str], at: Point, half: float, size: Point) -> tuple[Pad, Pad]:
    """A part with two pads, pin 2 on the left."""
    return Pad(ref, "2", nets[0], (at[0] - half, at[1]), size), Pad(
        ref, "1", nets[1], (at[0] + half, at[1]), size
    )


def sheet(design: Design) -> Sheet:
    """The drawing: the whole board with its measures, and its tab enlarged."""
    coil, board = design.zone.coil, etched(design.zone.coil)
    length, width = coil.length * 1e3, coil.width * 1e3
    scale, left, top = 2.0, 110.0, 150.0
    high = (width + EDGE + TAB) * scale
    beside = left + (length + 2 * EDGE) * scale + 70
    drawn = Sheet(beside + 560, max(high + 250, 620))
    drawn.text(30, 36, f"Antenna of the zone {design.zone.name}, copper side", size=18, bold=True)
    made = f"turns: {coil.turns}, track {coil.track * 1e3:g} mm, gap {coil.gap * 1e3:g} mm"
    drawn.text(
        30, 58, f"FR4 1.6 mm, two layers of 35 µm; {made}. Measures in mm. Not built.", size=11, colour=DIM
    )
    drawn.line((30, 76), (54, 76), colour=COPPER, width=4)
    drawn.text(60, 80, "copper side", size=11)
    drawn.line((150, 76), (174, 76), colour=BLUE, width=4, dash="4 3")
    drawn.text(
        180,
        80,
        f"other side; {len(board.holes)} plated holes {HOLE:g} mm, ring {RING:g} mm, no others",
        size=11,
    )
    middle = left + (length / 2 + EDGE) * scale, top + (width / 2 + EDGE) * scale
    _board(drawn, board, middle, scale)
    _measures(drawn, coil, middle, scale)
    foot = top + high + 60
    over = f"{design.inductance * 1e6:.2f} µH over metal in the planned distance"
    drawn.text(30, foot, f"L {design.free * 1e6:.2f} µH free, {over}", size=11)
    fitted = (
        f"RQ {design.fitted.damping:g} Ω; C11 + C12 {_pf(design.series)}; C21 + C22 {_pf(design.parallel)}"
    )
    drawn.text(30, foot + 18, fitted, size=11)
    _tab(drawn, coil, board, beside)
    return drawn


def _pf(two: tuple[float, float]) -> str:
    return " + ".join(f"{farad * 1e12:.3g}" for farad in two) + " pF"


def _board(drawn: Sheet, board: Etched, middle: Point, scale: float) -> None:
    """Outline, tracks, pads and holes."""

    def on(point: Point) -> Point:
        return middle[0] + point[0] * scale, middle[1] - point[1] * scale

    path = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in map(on, board.outline)) + " Z"
    drawn.shape(path, fill="#f4faf4", colour="#779977")
    for track in sorted(board.tracks, key=lambda each: each.under):
        dash, colour = ("4 3", BLUE) if track.under else ("", COPPER)
        drawn.line(*map(on, track.way), colour=colour, width=track.width * scale, dash=dash)
    for pad in board.pads:
        x, y = on(pad.at)
        across, up = pad.size[0] * scale, pad.size[1] * scale
        drawn.box(x - across / 2, y - up / 2, across, up, fill=PAD, colour=PAD, thick=0.5)
    for _, at in board.holes:
        drawn.circle(*on(at), RING / 2 * scale, fill=COPPER, colour=COPPER)
        drawn.circle(*on(at), HOLE / 2 * scale, fill="white", colour="white")


def _cut(board: Etched, lower: float) -> Etched:
    """What of a board lies below a height."""

    def down(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x, min(y, lower)) for x, y in points)

    left, bottom = board.outline[0][0], min(y for _, y in board.outline)
    right = left + TAB_WIDTH
    outline = ((left, lower), (right, lower), (right, bottom), (left, bottom))
    tracks = (each for each in board.tracks if min(y for _, y in each.way) < lower)
    return replace(
        board,
        outline=outline,
        tracks=tuple(replace(each, way=down(each.way)) for each in tracks),
        holes=tuple(hole for hole in board.holes if hole[1][1] < lower),
    )


def _measures(drawn: Sheet, coil: Coil, middle: Point, scale: float) -> None:
    length, width = coil.length * 1e3, coil.width * 1e3
    x1, x2 = middle[0] - (length / 2 + EDGE) * scale, middle[0] + (length / 2 + EDGE) * scale
    y1, y2 = middle[1] - (width / 2 + EDGE) * scale, middle[1] + (width / 2 + TAB) * scale
    edge = EDGE * scale
    _across(drawn, x1, x2, y1 - 40, length + 2 * EDGE)
    _across(drawn, x1 + edge, x2 - edge, y1 - 14, length)
    _across(drawn, x1, x1 + TAB_WIDTH * scale, y2 + 26, TAB_WIDTH)
    _upward(drawn, y1, y2, x1 - 44, width + EDGE + TAB)
    _upward(drawn, y1 + edge, y1 + edge + width * scale, x1 - 12, width)


def _across(drawn: Sheet, x1: float, x2: float, y: float, value: float) -> None:
    for end in (x1, x2):
        drawn.arrow(((x1 + x2) / 2, y), (end, y), colour=DIM)
        drawn.line((end, y - 6), (end, y + 6), colour=DIM, width=1)
    drawn.text((x1 + x2) / 2, y - 4, f"{value:g}", at="middle", size=11, colour=DIM)


def _upward(drawn: Sheet, y1: float, y2: float, x: float, value: float) -> None:
    for end in (y1, y2):
        drawn.arrow((x, (y1 + y2) / 2), (x, end), colour=DIM)
        drawn.line((x - 6, end), (x + 6, end), colour=DIM, width=1)
    drawn.text(x - 4, (y1 + y2) / 2 + 4, f"{value:g}", at="end", size=11, colour=DIM)


def _tab(drawn: Sheet, coil: Coil, board: Etched, left: float) -> None:
    """The tab enlarged, with the parts' names and where the jack stands."""
    scale = 8.0
    low, feed = -coil.width * 5e2, FEED - coil.length * 5e2
    drawn.text(left, 124, "The tab, four times as large", size=14, bold=True)
    middle = left - (-coil.length * 5e2 - EDGE) * scale, 140 + low * scale
    _board(drawn, _cut(board, low), middle, scale)

    def on(x: float, down: float) -> Point:
        return middle[0] + (feed + x) * scale, middle[1] - (low - down) * scale

    for words, x, down, at in (
        ("RQ", 3, 16.6, "start"), ("C11", 4.2, 27.5, "end"), ("C12", 11.8, 27.5, "start"), ("C21", -4, 18.4, "middle"),
        ("C22", -4, 27, "middle"), ("J1", 14, 41.8, "start"), ("bridge", -10, 4, "end"),
    ):  # fmt: skip
        drawn.text(*on(x, down), words, size=12, at=at, bold=True)
    bottom = on(0, TAB)[1]
    jack = on(8, TAB)[0]
    _across(drawn, on(-FEED - EDGE, 0)[0], jack, bottom + 30, FEED + EDGE + 8)
    _across(drawn, on(0, 0)[0], on(-BRIDGE, 0)[0], bottom + 56, BRIDGE)
    drawn.text(
        left,
        bottom + 86,
        "J1: edge jack, its ground on both sides. Pads: KiCad's footprints of the bill.",
        size=11,
    )
