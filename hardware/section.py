"""The section through the table top at a seat's antenna, to scale.

Owns: which layer is drawn where, and the ways of the leaders. Refuses: every measure; they are those of `zones.toml`.
"""

from __future__ import annotations

from hardware.antenna.zones import Zones
from hardware.etching import EDGE
from tablectl.svg import Sheet

SCALE = 4.0
"""px a millimetre, of heights and widths alike."""
CARD_LENGTH = 88.9
"""mm, poker size."""
POCKET_EDGE = 2.5
"""From the board's edge to the pocket's wall, mm."""
BESIDE = 40.0
"""Plywood that is drawn on each side of the pocket, mm."""
THIN = 2.0
"""px: what is thinner than that is drawn so, or it could not be seen."""
FILLS = {"cloth": "#7fa67f", "foam": "#f2e2a0", "plywood": "#e9d8b4", "board": "#6aa84f"}
WOOD, METAL, FERRITE, BLUE, LEADER = FILLS["plywood"], "#b7b7b7", "#444444", "#0b5394", "#999999"
LEFT, TOP = 120.0, 150.0


def section(zones: Zones) -> Sheet:
    """The drawing: on the left metal as far as it need not be minded, on the right nearer metal with its sheet."""
    build = zones.build
    antenna = zones.zones["seat"].coil.length * 1e3
    pocket = antenna + 2 * (EDGE + POCKET_EDGE)
    right = LEFT + (pocket + 2 * BESIDE) * SCALE
    sheet = Sheet(right + 330, 520)
    sheet.text(30, 40, "Section through the table at a seat's antenna", size=22, bold=True)
    said = "Heights and widths to one scale, the bar's. Measures of hardware/antenna/zones.toml. Not built."
    sheet.text(30, 64, said, colour="#666")
    sheet.line((LEFT, 92), (LEFT + 50 * SCALE, 92), width=3)
    sheet.text(LEFT + 50 * SCALE + 10, 96, "50 mm")
    middle = (LEFT + right) / 2
    copper = _layers(sheet, zones, middle, right)
    _below(sheet, zones, copper, right)
    card = copper - build.card_height * 1e3 * SCALE
    _measure(sheet, LEFT - 24, card, copper, f"{build.card_height * 1e3:g} mm")
    _measure(sheet, LEFT - 24, copper, copper + build.metal * 1e3 * SCALE, f"{build.metal * 1e3:g} mm")
    return sheet


def _layers(sheet: Sheet, zones: Zones, middle: float, right: float) -> float:
    """From the card down to the pocket; the height of the copper, px."""
    layers = {name: thick * 1e3 for name, thick in zones.build.layers.items()}
    antenna = zones.zones["seat"].coil.length * 1e3
    y = TOP
    card = CARD_LENGTH * SCALE
    sheet.box(middle - card / 2, y - THIN, card, THIN, fill="#ffffff")
    _leader(sheet, [(middle + card / 4, y - THIN), (middle + card / 4, y - 18), (right + 30, y - 18)],
            "card with its tag, lying flat")  # fmt: skip
    for number, name in enumerate(("cloth", "foam", "plywood")):
        thick = layers[name] * SCALE
        sheet.box(LEFT, y, right - LEFT, thick, fill=FILLS[name])
        said = f"{name}, {layers[name]:g} mm" + (" left above the pocket" if name == "plywood" else "")
        _leader(sheet, [(right, y + thick / 2), (right + 30, y + 4 + 22 * number)], said)
        y += thick
    deep = zones.build.pocket * 1e3 * SCALE
    for x in (LEFT, right - BESIDE * SCALE):
        sheet.box(x, y, BESIDE * SCALE, deep, fill=WOOD)
    whole = layers["plywood"] + zones.build.pocket * 1e3
    _leader(sheet, [(right, y + deep / 2), (right + 30, y + deep / 2 + 16)], f"plywood, {whole:g} mm in all")
    board = antenna + 2 * EDGE
    sheet.box(middle - board / 2 * SCALE, y, board * SCALE, layers["board"] * SCALE, fill=FILLS["board"])
    copper = y + layers["board"] * SCALE
    half = antenna / 2 * SCALE
    track = zones.zones["seat"].coil.track * 1e3 * SCALE
    for x in (middle - half, middle + half - track):
        sheet.line((x, copper + 1), (x + track, copper + 1), colour="#b87333", width=THIN)
    under = y + deep
    packed = FILLS["foam"]
    sheet.box(
        LEFT + BESIDE * SCALE,
        copper + THIN,
        right - LEFT - 2 * BESIDE * SCALE,
        under - copper - THIN,
        fill=packed,
    )
    _leader(sheet, [(middle - half + track / 2, copper + 1), (middle - half + track / 2, under + 48)],
            f"copper of the antenna, below its board of {layers['board']:g} mm")  # fmt: skip
    _leader(sheet, [(middle - half + 60, under - 14), (middle - half + 60, under + 24)],
            f"pocket, {zones.build.pocket * 1e3:g} mm deep, filled with foam")  # fmt: skip
    return copper


def _below(sheet: Sheet, zones: Zones, copper: float, right: float) -> None:
    build = zones.build
    middle = (LEFT + right) / 2
    far = copper + build.metal * 1e3 * SCALE
    sheet.box(LEFT, far, middle - LEFT, 22, fill=METAL)
    _leader(sheet, [(LEFT + 60, far + 22), (LEFT + 60, far + 46)],
            f"metal {build.metal * 1e3:g} mm or more below the copper: no sheet")  # fmt: skip
    between = (build.ferrite_gap + build.metal) / 2 * 1e3
    near, thick = copper + between * SCALE, max(THIN, build.ferrite * 1e3 * SCALE)
    sheet.box(middle + 100, near, right - middle - 100, 22, fill=METAL)
    sheet.box(middle + 100, near - thick, right - middle - 100, thick, fill=FERRITE, colour=FERRITE)
    _leader(sheet, [(right, near - thick / 2), (right + 30, near - 16)],
            f"ferrite sheet, {build.ferrite * 1e3:g} mm, lying on the metal")  # fmt: skip
    _leader(
        sheet,
        [(right, near + 12), (right + 30, near + 12)],
        f"metal nearer than {build.metal * 1e3:g} mm: with a sheet,",
    )
    sheet.text(right + 35, near + 32, f"but never nearer than {build.ferrite_gap * 1e3:g} mm;")
    sheet.text(right + 35, near + 48, f"here {between:g} mm as an example")
    _measure(sheet, middle + 130, copper, near - thick, f"{build.ferrite_gap * 1e3:g} mm or more")


def _leader(sheet: Sheet, way: list[tuple[float, float]], words: str) -> None:
    """A dot where it begins, a line, and the words at its end."""
    sheet.circle(*way[0], 2, fill=LEADER, colour=LEADER)
    sheet.line(*way, colour=LEADER, width=1)
    sheet.text(way[-1][0] + 5, way[-1][1] + 4, words)


def _measure(sheet: Sheet, x: float, top: float, bottom: float, words: str) -> None:
    sheet.arrow((x, (top + bottom) / 2), (x, top), colour=BLUE)
    sheet.arrow((x, (top + bottom) / 2), (x, bottom), colour=BLUE)
    for y in (top, bottom):
        sheet.line((x - 10, y), (x + 10, y), colour=BLUE, width=1)
    sheet.text(x - 10, (top + bottom) / 2 + 4, words, at="end", colour=BLUE)
