"""The way of the radio, from the PN5180's outputs to a coil, as one drawing with the values of the circuits.

Owns: where the parts of that ladder stand. Refuses: values and references; they come from the boards by their nets.
"""

from __future__ import annotations

from hardware.circuit import GROUND, Circuit, Placed
from hardware.drawing import SYMBOLS
from tablectl.svg import Sheet

BLUE, QUIET = "#0b5394", "#888"
UP, DOWN, MIDDLE = 170.0, 330.0, 250.0
"""Heights of the two sides before the transformer and of the single side behind it, px."""


def between(circuit: Circuit, one: str, other: str) -> list[Placed]:
    """The parts with two pins that join two nets."""
    ends = {one, other}
    return [each for each in circuit.parts if len(each.kind.pins) == 2 and set(each.nets.values()) == ends]


def signal_path(reader: Circuit, multiplexer: Circuit, antenna: Circuit) -> Sheet:
    """The ladder. Parts that join the same two nets stand as one symbol with all their names."""
    sheet = Sheet(1500, 480)
    sheet.text(
        30, 40, f"From the PN5180 to the coil: {antenna.name.removeprefix('antenna-')}", size=22, bold=True
    )
    sheet.text(
        30, 64, "Drawn from the netlists of reader, multiplexer and antenna. Not built.", colour="#666"
    )
    for title, left, right in (("reader", 40, 650), ("multiplexer", 690, 950), ("antenna", 990, 1460)):
        sheet.box(left, 100, right - left, 340, colour="#bbb", round_=6)
        sheet.text(left + 12, 122, title, bold=True)
    for number, y in ((1, UP), (2, DOWN)):
        _side(sheet, reader, number, y)
    _transformer(sheet, reader)
    _joined(sheet, multiplexer)
    _coil(sheet, antenna)
    return sheet


def _names(parts: list[Placed]) -> list[str]:
    return [f"{each.ref} {each.value}" for each in parts]


def series(sheet: Sheet, parts: list[Placed], x: float, y: float) -> None:
    """Parts in a line about a point, their names above."""
    SYMBOLS[parts[0].kind.symbol](sheet, x, y)
    for number, words in enumerate(reversed(_names(parts))):
        sheet.text(x, y - 16 - number * 15, words, size=11, at="middle", bold=True)


def shunt(sheet: Sheet, parts: list[Placed], x: float, y: float) -> None:
    """From a point down to ground."""
    sheet.line((x, y), (x, y + 22))
    turned = Sheet(0, 0)
    SYMBOLS[parts[0].kind.symbol](turned, x, y + 36)
    sheet.elements.append(f'<g transform="rotate(90 {x} {y + 36})">' + "".join(turned.elements) + "</g>")
    sheet.line((x, y + 50), (x, y + 62))
    sheet.line((x - 9, y + 62), (x + 9, y + 62), width=2.5)
    for number, words in enumerate(_names(parts)):
        sheet.text(x + 14, y + 34 + number * 15, words, size=11, bold=True)


def _side(sheet: Sheet, reader: Circuit, number: int, y: float) -> None:
    sheet.box(56, y - 16, 92, 32, fill="#fffbe8")
    sheet.text(102, y + 4, f"U2 TX{number}", at="middle", bold=True)
    sheet.line((148, y), (196, y))
    series(sheet, between(reader, f"TX{number}", f"EMC{number}"), 210, y)
    sheet.line((224, y), (396, y))
    shunt(sheet, between(reader, f"EMC{number}", GROUND), 300, y)
    series(sheet, between(reader, f"EMC{number}", f"MATCH{number}"), 410, y)
    winding = MIDDLE + (-20 if number == 1 else 20)
    sheet.line((424, y), (500, y), (500, winding), (520, winding))
    pin, tap = ("RXP" if number == 1 else "RXN"), y + 92
    sheet.circle(244, y, 3, fill="#222")
    sheet.line((244, y), (244, tap), (276, tap))
    series(sheet, between(reader, f"EMC{number}", f"TAP{number}"), 290, tap)
    sheet.line((304, tap), (366, tap))
    series(sheet, between(reader, f"TAP{number}", pin), 380, tap)
    sheet.line((394, tap), (414, tap))
    sheet.text(418, tap + 4, f"U2 {pin}", bold=True)


def _transformer(sheet: Sheet, reader: Circuit) -> None:
    sheet.box(520, MIDDLE - 36, 56, 72, fill="#fffbe8")
    sheet.text(548, MIDDLE - 4, "T1", at="middle", bold=True)
    sheet.text(548, MIDDLE + 14, reader.at("T1").value, at="middle", size=11)
    sheet.line((576, MIDDLE), (622, MIDDLE))
    SYMBOLS["coaxial"](sheet, 636, MIDDLE)
    sheet.text(630, MIDDLE - 16, "J3", at="middle", size=11, bold=True)
    sheet.line((650, MIDDLE), (690, MIDDLE), colour=BLUE, width=2)
    sheet.text(670, MIDDLE - 8, "W6", at="middle", size=11, colour=BLUE, bold=True)


def _joined(sheet: Sheet, multiplexer: Circuit) -> None:
    switch = multiplexer.at("K0")
    SYMBOLS["coaxial"](sheet, 710, MIDDLE)
    sheet.text(712, MIDDLE - 16, "J2", at="middle", size=11, bold=True)
    sheet.line((724, MIDDLE), (780, MIDDLE))
    sheet.box(780, MIDDLE - 22, 104, 44, fill="#fffbe8")
    sheet.text(832, MIDDLE - 2, "K0 to K7", at="middle", bold=True)
    sheet.text(832, MIDDLE + 14, switch.value, at="middle", size=11)
    sheet.line((884, MIDDLE), (922, MIDDLE))
    SYMBOLS["coaxial"](sheet, 936, MIDDLE)
    sheet.text(918, MIDDLE - 34, "J10 to J17", at="middle", size=11, bold=True)
    sheet.line((950, MIDDLE), (990, MIDDLE), colour=BLUE, width=2)
    sheet.text(970, MIDDLE - 8, "W7", at="middle", size=11, colour=BLUE, bold=True)


def _coil(sheet: Sheet, antenna: Circuit) -> None:
    SYMBOLS["coaxial"](sheet, 1010, MIDDLE)
    sheet.text(1012, MIDDLE - 16, "J1", at="middle", size=11, bold=True)
    sheet.line((1024, MIDDLE), (1096, MIDDLE))
    series(sheet, between(antenna, "PORT", "TANK"), 1110, MIDDLE)
    sheet.line((1124, MIDDLE), (1276, MIDDLE))
    shunt(sheet, between(antenna, "TANK", GROUND), 1180, MIDDLE)
    series(sheet, between(antenna, "TANK", "COIL"), 1290, MIDDLE)
    sheet.line((1304, MIDDLE), (1370, MIDDLE))
    shunt(sheet, between(antenna, "COIL", GROUND), 1370, MIDDLE)
