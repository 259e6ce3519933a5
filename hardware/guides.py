"""Drawings for whoever builds and tests a table, in place of photographs: nothing has been built that could be taken.

Owns: the table from above, the wiring, and how an antenna is tuned.
Refuses: the section (`section`), an antenna's board (`etching`), schematics (`drawing`).
"""

from __future__ import annotations

from hardware.antenna.zones import Zones
from hardware.layout import (
    BOXES,
    DEPTH,
    FIXED,
    LENGTH,
    PLACES,
    SERVES,
    Place,
    Spot,
    lamps,
    nearest_pair,
    spots,
)
from tablectl.svg import Sheet, wide

FELT, BLUE, RED = "#e6f0e6", "#0b5394", "#a61c00"
READER_COLOURS = ("#0b5394", "#38761d", "#a61c00", "#674ea7")


def table(zones: Zones) -> Sheet:
    """The table from above: every antenna, box and lamp to scale in its place, and who serves whom."""
    scale, left, top = 0.5, 60.0, 110.0
    sheet = Sheet(LENGTH * scale + 120, DEPTH * scale + 250)
    sheet.text(30, 40, "Antennas, boxes and lamps, from above", size=22, bold=True)
    placed = spots(zones)
    gap, one, other = nearest_pair(placed)
    said = f"To scale. Nearest antennas: {one} and {other}, {gap:.0f} mm from copper to copper."
    said += " Dashed: under the table; red dots: lamps at the seats, W9. Not built."
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
    for place in (*PLACES, *lamps(zones)):
        _place(sheet, on(*place.middle), (place.size[0] * scale, place.size[1] * scale), place)
    sx, sy = on(*FIXED["shoe"])
    for side in (-5, 5):
        sheet.box(sx + side - 3, sy - 27, 6, 4, fill=RED, colour=RED)
    sheet.line((sx - 10, sy - 25), (sx - 70, sy - 52), colour="#999", width=1)
    sheet.text(sx - 74, sy - 50, "two sensors, W8", at="end", size=10, colour=RED)
    px, py = on(0, -DEPTH / 2 - 60)
    sheet.text(px, py, "dealer", at="middle", size=15, bold=True)
    base = top + DEPTH * scale + 66
    for number, served in SERVES.items():
        words = f"reader {number}: " + ", ".join(f"{n} = {zone}" for n, zone in enumerate(served))
        sheet.text(60 + (number % 2) * 620, base + (number // 2) * 24, words, colour=READER_COLOURS[number])
    return sheet


def _place(sheet: Sheet, at: tuple[float, float], size: tuple[float, float], place: Place) -> None:
    """A box under the table is dashed; what can be seen is filled. A lamp has no room for its name: red dot."""
    x, y = at
    if place.name.startswith("lamp"):
        sheet.circle(x, y, 5, fill="#ffb3a7", colour=RED)
        return
    fill, dash = ("white", "4 3") if place.below else ("#dde6f2", "")
    sheet.box(x - size[0] / 2, y - size[1] / 2, size[0], size[1], fill=fill, dash=dash)
    words = f"{place.name}, {place.cable}" if place.cable else place.name
    if size[0] > wide(words, 10) + 4:
        sheet.text(x, y + 4, words, at="middle", size=10)
    else:
        right = place.middle[0] > 0
        sheet.text(
            x + (size[0] / 2 + 8) * (1 if right else -1),
            y + 4,
            words,
            at="start" if right else "end",
            size=10,
        )


def _spot(sheet: Sheet, corners: list[tuple[float, float]], spot: Spot, colour: str) -> None:
    path = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in corners) + " Z"
    sheet.shape(path, fill="#fff6e5", colour=colour)
    x = sum(corner[0] for corner in corners) / 4
    y = sum(corner[1] for corner in corners) / 4
    sheet.text(x, y + 4, spot.zone, at="middle", size=12, bold=True)


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
