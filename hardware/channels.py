"""One channel of each kind as a circuit with its wires: a push button, a lamp, the optical sensor.

Owns: where the parts stand. Refuses: values and references; they come from the boards by their nets.
"""

from __future__ import annotations

from collections.abc import Callable

from hardware.circuit import GROUND, Circuit, Placed
from hardware.drawing import SYMBOLS
from hardware.path import between, series, shunt
from tablectl.svg import Sheet

Draw = Callable[[Sheet, float, float], None]
QUIET = "#666666"
FILL = "#fffbe8"


def channels(panel: Circuit, sensor: Circuit) -> dict[str, Sheet]:
    """All of them by name."""
    return {"button": button(panel), "lamp": lamp(panel), "sensor": optical(sensor)}


def _sheet(title: str, said: str, width: float, height: float) -> Sheet:
    sheet = Sheet(width, height)
    sheet.text(30, 40, title, size=22, bold=True)
    sheet.text(30, 64, f"{said} Drawn from the netlist. Not built.", colour=QUIET)
    return sheet


def _box(sheet: Sheet, x: float, y: float, width: float, height: float, *words: str) -> None:
    sheet.box(x, y, width, height, fill=FILL)
    for number, line in enumerate(words):
        down = y + height / 2 + 4 - 8 * (len(words) - 1) + 16 * number
        sheet.text(x + width / 2, down, line, at="middle", size=11, bold=number == 0)


def _upright(sheet: Sheet, part: Placed, x: float, y: float, *, words: float = 14) -> None:
    """A part about a point, its first pin below; its name on the right, or on the left if `words` is below 0."""
    turned = Sheet(0, 0)
    SYMBOLS[part.kind.symbol](turned, x, y)
    sheet.elements.append(f'<g transform="rotate(-90 {x} {y})">' + "".join(turned.elements) + "</g>")
    at = "start" if words > 0 else "end"
    sheet.text(x + words, y + 4, f"{part.ref} {part.value}", size=11, at=at, bold=True)


def _supply(sheet: Sheet, x: float, y: float, name: str) -> None:
    sheet.line((x, y), (x, y - 16))
    sheet.line((x - 9, y - 16), (x + 9, y - 16), width=2.5)
    sheet.text(x, y - 22, name, size=11, at="middle")


def _ground(sheet: Sheet, x: float, y: float) -> None:
    sheet.line((x - 9, y), (x + 9, y), width=2.5)


def _dot(sheet: Sheet, x: float, y: float) -> None:
    sheet.circle(x, y, 3, fill="#222")


def _one(circuit: Circuit, first: str, second: str) -> Placed:
    return between(circuit, first, second)[0]


def button(panel: Circuit) -> Sheet:
    """The first push button of the pin map; the others are alike."""
    header = panel.at("J1")
    plug = panel.at("J31")
    switch = plug.nets["1"]
    pin, net = next(
        (pin, net) for pin, net in header.nets.items() if net.endswith(switch.removesuffix("_SWITCH"))
    )
    guard = [part for part in between(panel, switch, GROUND) if part is not plug]
    names = [part.value for part in panel.parts if part.ref.startswith("J3")]
    sheet = _sheet(
        "One push button of the panel board", f"{len(names)} alike: {', '.join(names)}.", 1080, 360
    )
    y = 200.0
    _box(sheet, 60, y - 30, 110, 90, plug.ref, plug.value)
    sheet.text(176, y - 6, "1", size=9, colour=QUIET)
    sheet.text(176, y + 34, "2", size=9, colour=QUIET)
    sheet.line((170, y + 40), (210, y + 40), (210, y + 62))
    _ground(sheet, 210, y + 62)
    sheet.line((170, y), (366, y))
    _dot(sheet, 280, y)
    shunt(sheet, guard, 280, y)
    series(sheet, [_one(panel, switch, net)], 380, y)
    sheet.line((394, y), (760, y))
    _dot(sheet, 500, y)
    _upright(sheet, _one(panel, "+3V3", net), 500, y - 50)
    sheet.line((500, y - 36), (500, y))
    _supply(sheet, 500, y - 64, "+3V3")
    _dot(sheet, 620, y)
    shunt(sheet, between(panel, net, GROUND), 620, y)
    _box(sheet, 760, y - 30, 260, 60, f"{header.ref} pin {pin}", net)
    sheet.text(60, 320, "Closed: low. The Pi's own pull-up is on as well; the level is polled.", colour=QUIET)
    return sheet


def lamp(panel: Circuit) -> Sheet:
    """The first seat's lamp; all outputs are alike, the buzzer has another resistor."""
    header = panel.at("J1")
    pin, net = next((pin, net) for pin, net in header.nets.items() if net.endswith("SEAT_LAMP_1"))
    driver = next(
        part for part in panel.parts if part.kind.name == "eight drivers" and net in part.nets.values()
    )
    into = next(number for number, each in driver.nets.items() if each == net)
    out = next(number for number, each in driver.nets.items() if each == "SEAT_LAMP_1-")
    plug = _one(panel, "SEAT_LAMP_1+", "SEAT_LAMP_1-")
    fuse = _one(panel, "+5V_IN", "+5V_LAMPS")
    sheet = _sheet(
        "One lamp of the panel board", "Twelve outputs alike; the buzzer's resistor is 10 Ω.", 1180, 400
    )
    y = 250.0
    _box(sheet, 60, y - 30, 200, 60, f"{header.ref} pin {pin}", net)
    sheet.line((260, y), (460, y))
    _dot(sheet, 340, y)
    shunt(sheet, between(panel, net, GROUND), 340, y)
    _box(sheet, 460, y - 36, 150, 72, f"{driver.ref} {driver.value}", "one of eight drivers")
    sheet.text(454, y - 6, into, size=9, at="end", colour=QUIET)
    sheet.text(616, y - 6, out, size=9, colour=QUIET)
    sheet.line((535, y + 36), (535, y + 62))
    sheet.text(541, y + 54, "9", size=9, colour=QUIET)
    _ground(sheet, 535, y + 62)
    up = y - 110
    sheet.text(400, up + 4, "+5V_IN", size=11, at="end")
    sheet.line((406, up), (446, up))
    series(sheet, [fuse], 460, up)
    sheet.line((474, up), (696, up))
    sheet.text(520, up - 8, "+5V_LAMPS", size=11)
    _dot(sheet, 640, up)
    sheet.line((640, up), (640, y - 60), (560, y - 60), (560, y - 36))
    sheet.text(566, y - 42, "10 (COM)", size=9, colour=QUIET)
    series(sheet, [_one(panel, "+5V_LAMPS", "SEAT_LAMP_1+")], 710, up)
    sheet.line((724, up), (860, up))
    sheet.line((610, y), (860, y))
    sheet.box(860, up - 24, 80, y - up + 48, fill=FILL)
    sheet.text(900, (up + y) / 2 - 4, plug.ref, at="middle", size=11, bold=True)
    sheet.text(900, (up + y) / 2 + 12, plug.value, at="middle", size=11)
    sheet.text(854, up - 6, "1", size=9, at="end", colour=QUIET)
    sheet.text(854, y - 6, "2", size=9, at="end", colour=QUIET)
    sheet.line((940, up), (1040, up), (1040, (up + y) / 2 - 14))
    sheet.line((940, y), (1040, y), (1040, (up + y) / 2 + 14))
    turned = Sheet(0, 0)
    SYMBOLS["led"](turned, 1040, (up + y) / 2)
    sheet.elements.append(
        f'<g transform="rotate(-90 1040 {(up + y) / 2})">' + "".join(turned.elements) + "</g>"
    )
    sheet.text(1066, (up + y) / 2 + 4, "lamp at the seat", size=11)
    sheet.text(960, y + 18, "cable W9", size=11, colour="#0b5394", bold=True)
    return sheet


def optical(sensor: Circuit) -> Sheet:
    """The optical sensor, all of it."""
    rail, ground = 130.0, 390.0
    plug, light, trimmer, comparator = sensor.at("J1"), sensor.at("Q1"), sensor.at("RV1"), sensor.at("U1")
    sheet = _sheet(
        "The optical sensor of the shoe's mouth", "Two are fitted. High while white paper shines.", 1180, 470
    )
    sheet.line((200, rail), (920, rail))
    sheet.line((200, ground), (920, ground))
    for x, row in ((230.0, 0), (330.0, 1)):
        part = between(sensor, "+3V3", GROUND)[row]
        sheet.line((x, rail), (x, 246))
        _upright(sheet, part, x, 260)
        sheet.line((x, 274), (x, ground))
    for net, y, number in (("+3V3", rail, "1"), (GROUND, ground, "2")):
        sheet.line((150, y), (200, y))
        sheet.text(144, y - 6, number, size=9, at="end", colour=QUIET)
        sheet.text(160, y - 8, net, size=11)
    _box(sheet, 30, rail - 20, 120, ground - rail + 40, plug.ref, plug.value)
    x = 450.0
    sheet.line((x, rail), (x, 176))
    _upright(sheet, _one(sensor, "+3V3", "LED_A"), x, 190, words=-14)
    sheet.line((x, 204), (x, 276))
    lit = _one(sensor, "LED_A", GROUND)
    turned = Sheet(0, 0)
    SYMBOLS["led"](turned, x, 290)
    sheet.elements.append(f'<g transform="rotate(-90 {x} 290)">' + "".join(turned.elements) + "</g>")
    sheet.text(x - 20, 294, f"{lit.ref} {lit.value}", size=11, at="end", bold=True)
    sheet.line((x, 304), (x, ground))
    x = 560.0
    sheet.line((x, rail), (x, 168))
    sheet.circle(x, 190, 22, fill=FILL)
    sheet.line((x, 168), (x, 182), (x - 8, 190))
    sheet.line((x - 8, 180), (x - 8, 200), width=2.5)
    sheet.arrow((x - 8, 190), (x, 204))
    sheet.line((x, 204), (x, 276))
    for down in (0, 10):
        sheet.arrow((x - 44, 176 + down), (x - 24, 184 + down))
    sheet.text(x + 28, 180, f"{light.ref} {light.value}", size=11, bold=True)
    _upright(sheet, _one(sensor, "LIGHT", GROUND), x, 290)
    sheet.line((x, 304), (x, ground))
    _dot(sheet, x, 230)
    sheet.line((x, 230), (800, 230))
    sheet.text(600, 224, "LIGHT", size=11)
    x = 680.0
    sheet.line((x, rail), (x, 212))
    sheet.shape(f"M{x},212 v12 a6,6 0 0 1 0,12 v64")
    sheet.box(x - 6, 300, 12, 40)
    sheet.line((x, 340), (x, ground))
    sheet.text(x + 14, 346, f"{trimmer.ref} {trimmer.value}", size=11, bold=True)
    sheet.arrow((760, 320), (x + 7, 320))
    sheet.line((760, 320), (760, 270), (800, 270))
    sheet.text(764, 290, "LIMIT", size=11)
    sheet.shape("M800,200 L800,300 L880,250 Z", fill=FILL)
    sheet.text(806, 234, "+", size=12)
    sheet.text(806, 274, "-", size=12)
    sheet.text(836, 204, f"{comparator.ref} {comparator.value}", size=11, bold=True)
    sheet.line((820, rail), (820, 212))
    sheet.line((820, 288), (820, ground))
    sheet.line((880, 250), (966, 250))
    sheet.text(896, 244, "SHINES", size=11)
    series(sheet, [_one(sensor, "SHINES", "OUT")], 980, 250)
    sheet.line((994, 250), (1050, 250))
    _box(sheet, 1050, 226, 100, 48, f"{plug.ref} pin 3", "OUT")
    return sheet
