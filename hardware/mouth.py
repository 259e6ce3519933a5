"""The mouth of the shoe from the side, with its two optical sensors, to one scale.

Owns: the drawing. Refuses: the shoe, which the house buys: its mouth is drawn as an example.
"""

from __future__ import annotations

from hardware.antenna.zones import Zones
from tablectl.svg import Sheet

SCALE = 4.0
"""px a millimetre."""
BLUE, SENSOR, LEADER = "#0b5394", "#6aa84f", "#999999"
SLOT, CLEAR = 6.0, 5.0
"""Height of the mouth, and from the card's path to a sensor's face, mm: an example; the trimmer settles the rest."""
BOARD = 22.0
"""Length of a sensor's board, mm."""


def mouth(zones: Zones) -> Sheet:
    """The drawing."""
    coil = zones.zones["shoe"].coil
    sheet = Sheet(1240, 560)
    sheet.text(30, 40, "The mouth of the shoe, from the side", size=22, bold=True)
    said = "Heights and widths to one scale, the bar's; the shoe is an example. Not built."
    sheet.text(30, 64, said, colour="#666")
    sheet.line((60, 92), (60 + 20 * SCALE, 92), width=3)
    sheet.text(60 + 20 * SCALE + 10, 96, "20 mm")
    path, x = 280.0, 420.0
    top, low = path - SLOT / 2 * SCALE, path + SLOT / 2 * SCALE
    sheet.box(100, 120, 250, top - 120, fill="#eeeeee")
    sheet.text(225, 190, "shoe with the deck", at="middle")
    sheet.box(100, low, 250, 40, fill="#eeeeee")
    sheet.line((200, path), (200 + 88.9 * SCALE, path), width=3)
    sheet.arrow((640, path), (720, path))
    sheet.text(726, path + 4, "the card leaves, its back up")
    for words, ref, face, side in (
        ("above", "ABOVE", path - CLEAR * SCALE, -1),
        ("below", "BELOW", path + CLEAR * SCALE, 1),
    ):
        board = face if side > 0 else face - 1.6 * SCALE
        sheet.box(x - BOARD / 2 * SCALE, board, BOARD * SCALE, 1.6 * SCALE, fill=SENSOR)
        tip = face - side * 2
        for off in (-14, 14):
            sheet.box(x + off - 5, min(tip, face), 10, 3, fill="#222")
        sheet.line((x - 14, tip), (x, path), (x + 14, tip), colour="#a61c00", dash="3 3", width=1)
        end = face + side * 60
        sheet.circle(x + 36, board + 3, 2, fill=LEADER, colour=LEADER)
        sheet.line((x + 36, board + 3), (x + 36, end), (760, end), colour=LEADER, width=1)
        sheet.text(766, end + 4, f"sensor {words} the path, looking at it: to {ref} of J2")
    sheet.line((x, top - 90), (x, low + 110), colour=BLUE, dash="6 4", width=1)
    sheet.text(x - 30, top - 98, "both at the same line of the card", colour=BLUE)
    felt = low + 40
    sheet.line((60, felt), (1180, felt), width=2)
    sheet.text(1180, felt + 16, "felt", at="end")
    copper = felt + zones.build.card_height * 1e3 * SCALE
    left = 300.0
    sheet.line((left, copper), (left + coil.length * 1e3 * SCALE, copper), colour="#b87333", width=4)
    sheet.text(
        left + coil.length * 1e3 * SCALE + 12, copper + 4, "antenna of the shoe, number 0 of its board"
    )
    sheet.arrow((250, (felt + copper) / 2), (250, felt), colour=BLUE)
    sheet.arrow((250, (felt + copper) / 2), (250, copper), colour=BLUE)
    sheet.text(240, (felt + copper) / 2 + 4, f"{zones.build.card_height * 1e3:g} mm", at="end", colour=BLUE)
    sheet.text(
        60,
        480,
        "W8 (five screened wires) goes from both sensors to J2 of the shoe's reader; its plug joins 5 and 6.",
    )
    sheet.text(
        60,
        504,
        "Trimmers: white paper in the mouth sets the output high, an empty mouth low (TESTING step 7).",
    )
    return sheet
