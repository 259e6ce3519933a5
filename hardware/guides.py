"""Drawings for whoever builds and tests a table, in place of photographs: nothing has been built that could be taken.

Owns: the table from above, the section through it, the wiring, each antenna's copper, and how it is tuned.
Refuses: schematics (`drawing`).
"""

from __future__ import annotations

from hardware.antenna.coil import Coil
from hardware.antenna.design import Design
from hardware.antenna.zones import Zones
from hardware.layout import BOXES, DEPTH, LENGTH, SERVES, Spot, nearest_pair, spots
from tablectl.svg import Sheet

COPPER, FELT, WOOD, BLUE, RED = "#b87333", "#e6f0e6", "#e9d8b4", "#0b5394", "#a61c00"
READER_COLOURS = ("#0b5394", "#38761d", "#a61c00", "#674ea7")


def table(zones: Zones) -> Sheet:
    """The table from above: every antenna to scale in its place, the reader boxes below, and who serves whom."""
    scale, left, top = 0.5, 60.0, 110.0
    sheet = Sheet(LENGTH * scale + 120, DEPTH * scale + 250)
    sheet.text(30, 40, "Antennas and reader boxes, from above", size=22, bold=True)
    placed = spots(zones)
    gap, one, other = nearest_pair(placed)
    said = f"To scale. Nearest antennas: {one} and {other}, {gap:.0f} mm from copper to copper. Not built."
    sheet.text(30, 64, said, colour="#666")

    def on(x: float, y: float) -> tuple[float, float]:
        return left + (x + LENGTH / 2) * scale, top + (DEPTH / 2 - y) * scale

    sheet.box(
        left,
        top,
        LENGTH * scale,
        DEPTH * scale,
        fill=FELT,
        round_=DEPTH * scale / 2,
        colour="#5b7f5b",
        thick=3,
    )
    reader_of = {zone: number for number, served in SERVES.items() for zone in served}
    for number, (x, y) in BOXES.items():
        for zone in SERVES[number]:
            spot = next(each for each in placed if each.zone == zone)
            sheet.line(on(x, y), on(*spot.middle), colour=READER_COLOURS[number], width=1, dash="5 4")
    for spot in placed:
        _spot(sheet, [on(*corner) for corner in spot.corners()], spot, READER_COLOURS[reader_of[spot.zone]])
    for number, (x, y) in BOXES.items():
        px, py = on(x, y)
        sheet.box(
            px - 58, py - 19, 116, 38, fill="white", colour=READER_COLOURS[number], round_=4, dash="4 3"
        )
        sheet.text(px, py + 4, f"reader {number}", at="middle", colour=READER_COLOURS[number], bold=True)
    px, py = on(0, -DEPTH / 2 - 60)
    sheet.text(px, py, "dealer", at="middle", size=15, bold=True)
    base = top + DEPTH * scale + 66
    for number, served in SERVES.items():
        words = f"reader {number}: " + ", ".join(f"{n} = {zone}" for n, zone in enumerate(served))
        sheet.text(60 + (number % 2) * 620, base + (number // 2) * 24, words, colour=READER_COLOURS[number])
    return sheet


def _spot(sheet: Sheet, corners: list[tuple[float, float]], spot: Spot, colour: str) -> None:
    path = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in corners) + " Z"
    sheet.shape(path, fill="#fff6e5", colour=colour)
    x = sum(corner[0] for corner in corners) / 4
    y = sum(corner[1] for corner in corners) / 4
    sheet.text(x, y + 4, spot.zone, at="middle", size=12, bold=True)


def section(zones: Zones) -> Sheet:
    """The section through the table top at an antenna: layers, heights, ferrite, metal."""
    build = zones.build
    sheet = Sheet(1180, 460)
    sheet.text(30, 40, "Section through the table at an antenna", size=22, bold=True)
    said = "Heights four times the widths. Values of hardware/antenna/zones.toml. Not built."
    sheet.text(30, 64, said, colour="#666")
    y = 120.0
    for words, height, fill in _LAYERS:
        x, width = (300.0, 300.0) if "card" in words or "antenna" in words else (120.0, 660.0)
        sheet.box(x, y, width, height, fill=fill)
        beside = y + height / 2 - (8 if "card" in words else 0)
        sheet.line((x + width, y + height / 2), (800, y + height / 2), (815, beside), colour="#999", width=1)
        sheet.text(820, beside + 4, words)
        y += height
    for x in (120.0, 640.0):
        sheet.box(x, y - 14, 140, 64, fill=WOOD)
    sheet.text(450, y + 34, "pocket: air or foam", at="middle", colour="#666")
    sheet.text(820, y + 22, "plywood beside the pocket, 18 mm in all")
    y += 50
    sheet.box(270, y + 30, 360, 8, fill="#444")
    sheet.text(820, y + 38, f"ferrite sheet {build.ferrite * 1e3:g} mm, only over nearer metal;")
    sheet.text(820, y + 56, f"{build.ferrite_gap * 1e3:g} mm of foam between copper and sheet")
    sheet.box(120, y + 120, 660, 22, fill="#b7b7b7")
    sheet.text(820, y + 136, f"metal frame, {build.metal * 1e3:g} mm or more below the copper")
    _measure(sheet, 90, 124, 222, f"{build.card_height * 1e3:g} mm")
    _measure(sheet, 90, 226, y + 120, f"{build.metal * 1e3:g} mm")
    return sheet


_LAYERS = (
    ("card with its tag, lying flat", 8, "#ffffff"),
    ("cloth, 1.5 mm", 14, "#7fa67f"),
    ("foam, 3 mm", 24, "#f2e2a0"),
    ("plywood left above the pocket, 6 mm", 44, WOOD),
    ("antenna board, FR4 1.6 mm, copper below", 14, "#6aa84f"),
)
"""From the top: what a layer is, its drawn height, its colour."""


def _measure(sheet: Sheet, x: float, top: float, bottom: float, words: str) -> None:
    sheet.arrow((x, (top + bottom) / 2), (x, top), colour=BLUE)
    sheet.arrow((x, (top + bottom) / 2), (x, bottom), colour=BLUE)
    sheet.text(x - 8, (top + bottom) / 2 + 4, words, at="end", colour=BLUE)


def wiring() -> Sheet:
    """Boxes and cables, by the names of the cable plan."""
    sheet = Sheet(1220, 640)
    sheet.text(30, 40, "Wiring of a table", size=22, bold=True)
    sheet.text(30, 64, "W1 to W13 are the lines of hardware/cables.csv. Not built.", colour="#666")
    for name, (x, y, width, height) in _PLACES.items():
        sheet.box(x, y, width, height, fill="#fffbe8", round_=4)
        rows = name.split("|")
        for number, words in enumerate(rows):
            down = y + height / 2 + 4 - 8 * (len(rows) - 1) + 16 * number
            sheet.text(x + width / 2, down, words, at="middle", bold=True)
    outline = [(255, 86), (690, 86), (690, 234), (505, 234), (505, 164), (255, 164), (255, 86)]
    sheet.line(*outline, colour="#888", dash="6 4")
    sheet.text(700, 228, "controller box", size=11, colour="#666")
    _cable(sheet, [(190, 125), (270, 125)], "W1")
    _cable(sheet, [(115, 155), (115, 330)], "W1")
    _cable(sheet, [(420, 125), (520, 125)], "W2")
    _cable(sheet, [(595, 150), (595, 170)], "header", label=(626, 164))
    _cable(sheet, [(520, 195), (420, 195)], "W13", label=(460, 188))
    _cable(sheet, [(670, 125), (960, 125)], "W9 to W12")
    _cable(sheet, [(595, 220), (595, 268), (230, 268), (230, 345), (190, 345)], "W3", label=(380, 262))
    for number, served in SERVES.items():
        _reader(sheet, number, served, 320.0 + number * 76)
    sheet.text(
        345,
        620,
        "W8: the two optical sensors at the shoe, to J2 of the reader that serves the shoe",
        colour=BLUE,
    )
    return sheet


_PLACES = {
    "12 V supply": (40, 95, 150, 60),
    "5 V converter": (270, 100, 150, 50),
    "panel board": (520, 100, 150, 50),
    "Raspberry Pi": (520, 170, 150, 50),
    "display": (270, 176, 150, 38),
    "lamps, buzzer,|buttons": (960, 95, 200, 60),
    "USB hub": (40, 330, 150, 60),
}
"""Boxes of the wiring: corner and size, px; a bar parts lines."""


def _reader(sheet: Sheet, number: int, served: tuple[str, ...], y: float) -> None:
    sheet.box(330, y - 22, 470, 58, colour="#888", dash="6 4")
    for x, words in ((345, f"reader {number}"), (625, "multiplexer")):
        sheet.box(x, y - 14, 160, 42, fill="#fffbe8", round_=4)
        sheet.text(x + 80, y + 11, words, at="middle", bold=True)
    _cable(sheet, [(190, 365), (250, 365), (250, y + 6), (345, y + 6)], "W4", label=(300, y))
    _cable(sheet, [(505, y + 6), (625, y + 6)], "W5, W6")
    _cable(sheet, [(785, y + 6), (960, y + 6)], "W7")
    sheet.box(960, y - 14, 230, 42, fill="#fff6e5", round_=4)
    sheet.text(1075, y + 11, ", ".join(served), at="middle", size=11)


def _cable(
    sheet: Sheet, points: list[tuple[float, float]], words: str, label: tuple[float, float] | None = None
) -> None:
    sheet.line(*points, colour=BLUE, width=2)
    (x1, y1), (x2, y2) = points[0], points[-1]
    x, y = label or ((x1 + x2) / 2, (y1 + y2) / 2 - 7)
    if label is None and abs(x1 - x2) < 2:
        x, y = x1 + 22, (y1 + y2) / 2
    sheet.text(x, y, words, at="middle", size=11, colour=BLUE, bold=True)


def spiral(coil: Coil) -> list[tuple[float, float]]:
    """The way of the copper from outside in, mm, about the coil's middle; it begins and ends at the lower edge."""
    pitch, half = coil.pitch * 1e3, coil.track * 5e2
    length, width = coil.length * 1e3, coil.width * 1e3
    feed = -length / 2 + 20.0
    points = []
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
    points.append((feed - 8, points[-1][1]))
    return points


def copper(design: Design) -> Sheet:
    """An antenna's board, 2 px a millimetre, with what is soldered."""
    coil = design.zone.coil
    length, width = coil.length * 1e3, coil.width * 1e3
    scale, edge = 2.0, 10.0
    sheet = Sheet(max(length * scale + 160, 640), width * scale + 270)
    sheet.text(30, 36, f"Antenna {design.zone.name}: copper side", size=18, bold=True)
    made = f"{length:g} × {width:g} mm, turns: {coil.turns}, track {coil.track * 1e3:g} mm, gap {coil.gap * 1e3:g} mm"
    sheet.text(30, 58, f"{made}, 35 µm, FR4 1.6 mm. Not built.", size=11, colour="#666")
    middle_x, middle_y = 80 + length * scale / 2, 90 + width * scale / 2
    board = (length * scale + 2 * edge, width * scale + 2 * edge + 66)
    sheet.box(80 - edge, 90 - edge, *board, fill="#f4faf4", colour="#9a9")
    way = [(middle_x + x * scale, middle_y - y * scale) for x, y in spiral(coil)]
    track = coil.track * 1e3 * scale
    sheet.line(*way, colour=COPPER, width=track)
    start, end, pads = way[0], way[-1], 90 + width * scale + 30
    sheet.line(start, (start[0], pads), colour=COPPER, width=track)
    sheet.line(end, (end[0], pads), colour=BLUE, width=track, dash="4 3")
    sheet.text(start[0] + 10, pads + 4, "to RQ and the jack", size=11)
    sheet.text(end[0] - 6, pads + 26, "end, on the other face: ground", size=11, colour=BLUE)
    over = f"{design.inductance * 1e6:.2f} µH over metal in the planned distance"
    sheet.text(30, pads + 84, f"L {design.free * 1e6:.2f} µH free, {over}")
    fitted = (
        f"RQ {design.fitted.damping:g} Ω; C11 + C12 {_pf(design.series)}; C21 + C22 {_pf(design.parallel)}"
    )
    sheet.text(30, pads + 104, fitted)
    return sheet


def _pf(two: tuple[float, float]) -> str:
    return " + ".join(f"{farad * 1e12:.3g}" for farad in two) + " pF"


def tuning() -> Sheet:
    """How an antenna is tuned and how its field is tried."""
    sheet = Sheet(1120, 470)
    sheet.text(30, 40, "Tuning an antenna in its place", size=22, bold=True)
    sheet.text(30, 64, "Test plan, steps 4 and 5. Not done yet on any antenna.", colour="#666")
    sheet.box(40, 110, 190, 90, fill="#fffbe8", round_=4)
    sheet.text(135, 150, "network analyser", at="middle", bold=True)
    sheet.text(135, 172, "10 to 17 MHz, 1 mW", at="middle", size=11)
    _cable(sheet, [(230, 155), (430, 155)], "W7, calibrated at its far end")
    sheet.box(430, 120, 300, 70, fill="#fff6e5", round_=4)
    sheet.text(580, 150, "antenna in its pocket,", at="middle", bold=True)
    sheet.text(580, 170, "foam, plywood and cloth on it", at="middle", size=11)
    sheet.text(770, 134, "change C22 until the dip", size=12)
    sheet.text(770, 154, "lies at 13.56 MHz, then C12", size=12)
    sheet.text(770, 174, "until it is deepest", size=12)
    x0, y0, width, height = 80.0, 400.0, 420.0, 150.0
    sheet.line((x0, y0 - height), (x0, y0), (x0 + width, y0))
    sheet.text(x0 - 8, y0 - height + 8, "0 dB", at="end", size=11)
    sheet.text(x0 - 8, y0, "-30", at="end", size=11)
    curve = [(x0 + 420 * n / 60, y0 - height * (1 - 0.85 / (1 + ((n - 30) / 4.5) ** 2))) for n in range(61)]
    sheet.line(*curve, colour=BLUE, width=2)
    sheet.line((x0 + 210, y0), (x0 + 210, y0 - height), colour=RED, dash="4 3")
    sheet.text(x0 + 216, y0 - height + 10, "13.56 MHz", size=11, colour=RED)
    sheet.text(x0 + width / 2, y0 + 22, "reflection: at most -15 dB at 13.56 MHz", at="middle", size=12)
    sheet.box(600, 270, 460, 130, colour="#bbb", round_=6)
    lines = (
        "then on the reader board, field on:",
        "- one card flat at the corners of the zone: 100 of 100 looks",
        "- two cards on one another: both, 95 of 100 looks",
        "- one card 150 mm beside the copper: 0 of 1000 looks",
        "- tablectl calibrate writes what was measured",
    )
    for number, text in enumerate(lines):
        sheet.text(616, 294 + number * 23, text, size=12, bold=number == 0)
    return sheet
