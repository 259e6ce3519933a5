"""The schematic of a circuit, drawn from its parts and nets.

Owns: where things stand on the sheet. Refuses: deciding what is joined: a line's name is its net, and equal names are
joined.

A frame for each group. In it parts with many pins are boxes whose pins carry the names of their nets; parts with two
pins are rows, net – symbol – net. There are no wires across the sheet that could be misread or overlap.
"""

from __future__ import annotations

from hardware.circuit import GROUND, Circuit, Pin, Placed
from tablectl.svg import Sheet, wide

SIZE = 11.0
STEP = 19.0
GAP = 26.0
WIDTH = 1500.0
NET = "#0b5394"
QUIET = "#888"
SUPPLIES = ("+", "VBUS")
"""How the names of nets begin that join what is no channel."""


def schematic(circuit: Circuit) -> Sheet:
    """The sheet of a circuit."""
    sheet = Sheet(WIDTH, 100)
    sheet.text(30, 40, circuit.title, size=22, bold=True)
    sheet.text(
        30, 62, "Equal names are joined. Drawn from the netlist; not built, not measured.", colour=QUIET
    )
    groups: dict[str, list[Placed]] = {}
    for placed in circuit.parts:
        groups.setdefault(placed.group, []).append(placed)
    y = 84.0
    for title, parts in groups.items():
        y = _group(sheet, title, parts, y) + 16
    sheet.height = y + 10
    return sheet


def _group(sheet: Sheet, title: str, parts: list[Placed], top: float) -> float:
    boxes = [placed for placed in parts if not _is_row(placed)]
    rows = [placed for placed in parts if _is_row(placed)]
    right = WIDTH - 30
    x, y, low = 50.0, top + 40, top + 40
    for placed in boxes:
        width, height = _size(placed)
        if x + width > right - 10 and x > 50:
            x, y = 50.0, low + GAP
        _box(sheet, placed, (x, y), height)
        low = max(low, y + height)
        x += width + GAP
    y = low + (22 if boxes else 0)
    if (
        rows
        and boxes
        and low == max(top + 40 + _size(placed)[1] for placed in boxes)
        and x + _column(rows) < right
    ):
        y = max(y, _rows(sheet, rows, top + 24, right, x + GAP))
    elif rows:
        y = _rows(sheet, rows, y, right, 50.0)
    sheet.box(30, top, WIDTH - 60, y - top + 8, colour="#bbb", round_=6)
    sheet.text(44, top + 22, title, size=14, bold=True)
    return y + 8


def _is_row(placed: Placed) -> bool:
    return len(placed.kind.pins) == 2


def _sides(placed: Placed) -> tuple[list[Pin], list[Pin]]:
    return list(placed.kind.pins[: placed.kind.left]), list(placed.kind.pins[placed.kind.left :])


def _flag(placed: Placed, pin: Pin) -> str:
    return placed.nets.get(pin.number, "open")


def _size(placed: Placed) -> tuple[float, float]:
    left, right = _sides(placed)
    flags = [max((wide(_flag(placed, pin), SIZE) for pin in side), default=0) for side in (left, right)]
    height = max(len(left), len(right)) * STEP + 34
    stubs = (34 if left else 0) + (34 if right else 0)
    return sum(flags) + _body(placed) + stubs, height


def _body(placed: Placed) -> float:
    left, right = _sides(placed)
    names = sum(max((wide(pin.name, SIZE) for pin in side), default=0) for side in (left, right))
    return max(names + 30, wide(f"{placed.ref} {placed.value}", 12, bold=True) + 16)


def _box(sheet: Sheet, placed: Placed, at: tuple[float, float], height: float) -> None:
    x, y = at
    left, right = _sides(placed)
    flags = max((wide(_flag(placed, pin), SIZE) for pin in left), default=0)
    start = x + flags + (34 if left else 0)
    body = _body(placed)
    sheet.box(start, y, body, height, fill="#fffbe8")
    sheet.text(start + body / 2, y + 17, f"{placed.ref} {placed.value}", at="middle", bold=True)
    for side, pins in (("left", left), ("right", right)):
        for number, pin in enumerate(pins):
            _pin(sheet, placed, pin, side, start if side == "left" else start + body, y + 38 + number * STEP)


def _pin(sheet: Sheet, placed: Placed, pin: Pin, side: str, x: float, y: float) -> None:
    out = -1 if side == "left" else 1
    net = _flag(placed, pin)
    open_ = pin.number not in placed.nets
    colour = QUIET if open_ else NET
    sheet.line((x, y), (x + out * 24, y), colour=colour)
    sheet.text(x + out * 4, y - 3, pin.number, size=8, at="end" if out < 0 else "start", colour=QUIET)
    sheet.text(x - out * 5, y + 4, pin.name, size=SIZE, at="start" if out < 0 else "end")
    sheet.text(x + out * 28, y + 4, net, size=SIZE, at="end" if out < 0 else "start", colour=colour)


def _column(rows: list[Placed]) -> float:
    """How wide a column of rows is, px."""
    words = max(wide(f"{placed.ref} {placed.value}", SIZE, bold=True) for placed in rows)
    return sum(_ends(rows)) + words + 110


def _ends(rows: list[Placed]) -> tuple[float, float]:
    """How wide the names of the first and of the second nets are, px."""
    first, second = (max(wide(row.nets[row.kind.pins[end].number], SIZE) for row in rows) for end in (0, 1))
    return first, second


def _rows(sheet: Sheet, rows: list[Placed], top: float, right: float, left: float) -> float:
    first, second = _ends(rows)
    column = _column(rows)
    columns = max(1, min(len(rows), int((right - left) // column)))
    placed_at, depth = _columns(_channels(rows), columns)
    for placed, (over, down) in placed_at:
        x, y = left + over * column, top + 16 + down * 24
        middle = x + first + 34
        sheet.text(x + first, y + 4, placed.nets[placed.kind.pins[0].number], size=SIZE, at="end", colour=NET)
        sheet.line((x + first + 4, y), (middle - 14, y), colour=NET)
        sheet.line((middle + 14, y), (middle + 30, y), colour=NET)
        _symbol(sheet, placed, middle, y)
        sheet.text(middle + 34, y + 4, placed.nets[placed.kind.pins[1].number], size=SIZE, colour=NET)
        sheet.text(middle + 44 + second, y + 4, f"{placed.ref} {placed.value}", size=SIZE, bold=True)
    return top + 16 + depth * 24


def _channels(rows: list[Placed]) -> list[list[Placed]]:
    """Rows that follow one another and share a net other than a supply: they belong to one channel."""
    found: list[list[Placed]] = []
    joined: set[str] = set()
    for placed in rows:
        own = {net for net in placed.nets.values() if net != GROUND and not net.startswith(SUPPLIES)}
        if not found or not own & joined:
            found.append([])
            joined = set()
        found[-1].append(placed)
        joined |= own
    return found


def _columns(channels: list[list[Placed]], most: int) -> tuple[list[tuple[Placed, tuple[int, int]]], int]:
    """Column and place of each row, and the depth: the least with which no channel is broken over columns."""
    depth = max(max(map(len, channels)), -(-sum(map(len, channels)) // most))
    while True:
        found, over, down = [], 0, 0
        for channel in channels:
            if down + len(channel) > depth:
                over, down = over + 1, 0
            found += [(placed, (over, down + n)) for n, placed in enumerate(channel)]
            down += len(channel)
        if over < most:
            return found, depth
        depth += 1


def _symbol(sheet: Sheet, placed: Placed, x: float, y: float) -> None:
    """A symbol of IEC 60617 about a point, 28 px wide; the first pin is on the left."""
    SYMBOLS[placed.kind.symbol](sheet, x, y)
    if placed.kind.pins[0].name == "+":
        sheet.text(x - 12, y - 3, "+", size=9)


def _resistor(sheet: Sheet, x: float, y: float) -> None:
    sheet.box(x - 14, y - 5, 28, 10)


def _capacitor(sheet: Sheet, x: float, y: float) -> None:
    for side in (-1, 1):
        sheet.line((x + 3 * side, y - 8), (x + 3 * side, y + 8))
        sheet.line((x + 3 * side, y), (x + 14 * side, y))


def _inductor(sheet: Sheet, x: float, y: float) -> None:
    sheet.shape(f"M{x - 14},{y} " + "a3.5,3.5 0 0 1 7,0 " * 4)


def _fuse(sheet: Sheet, x: float, y: float) -> None:
    _resistor(sheet, x, y)
    sheet.line((x - 14, y), (x + 14, y))


def _diode(sheet: Sheet, x: float, y: float) -> None:
    sheet.line((x - 14, y), (x + 14, y))
    sheet.shape(f"M{x + 6},{y - 6} V{y + 6} L{x - 6},{y} Z", fill="white")
    sheet.line((x - 6, y - 6), (x - 6, y + 6))


def _led(sheet: Sheet, x: float, y: float) -> None:
    _diode(sheet, x, y)
    sheet.arrow((x + 2, y - 7), (x + 8, y - 13))


def _coaxial(sheet: Sheet, x: float, y: float) -> None:
    sheet.line((x - 14, y), (x, y))
    sheet.circle(x, y, 7)
    sheet.circle(x, y, 1.5, fill="#222")
    sheet.line((x + 7, y), (x + 14, y))


def _plug(sheet: Sheet, x: float, y: float) -> None:
    for side in (-9, 9):
        sheet.circle(x + side, y, 4)
    sheet.box(x - 18, y - 8, 36, 16, colour=QUIET)


SYMBOLS = {
    "resistor": _resistor,
    "capacitor": _capacitor,
    "inductor": _inductor,
    "fuse": _fuse,
    "diode": _diode,
    "led": _led,
    "coaxial": _coaxial,
    "box": _plug,
}
"""A symbol for each kind of part with two pins; a box with two pins is a connector."""
