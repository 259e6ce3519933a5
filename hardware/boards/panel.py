"""The panel board: on the Raspberry Pi's header; lamps, buzzer, push buttons, and the Pi's own supply.

BCM 4, 5 and 6 have pull-ups from power-on until somebody sets them (BCM2835 ARM Peripherals, GPIO pull reset state):
without the pull-downs at the drivers two seats' lamps would glow while the Pi boots. A driver whose input is low, or
whose Pi is gone, lights nothing.
"""

from __future__ import annotations

from hardware import kinds
from hardware.circuit import GROUND, Circuit
from hardware.pins import PinMap

P5, P5_LAMPS, P3 = "+5V", "+5V_LAMPS", "+3V3"


def panel(pins: PinMap) -> Circuit:
    """The board for as many seats, and all buttons, that the pin map has."""
    board = Circuit("panel", "Panel board: lamps, buzzer, buttons, supply of the Raspberry Pi")
    lines = {name: f"BCM{line.bcm}_{name.upper()}" for name, line in pins.raspberry_pi.items()}
    _supply(board, pins, lines)
    outputs = [name for name in lines if not name.startswith("button_")]
    _drivers(board, outputs, lines)
    _loads(board, pins, outputs)
    for name in lines:
        if name.startswith("button_"):
            _button(board, pins, name, lines[name])
    return board


def _supply(board: Circuit, pins: PinMap, lines: dict[str, str]) -> None:
    board.group("Raspberry Pi and supply")
    supply: dict[str, str | None] = {"5V": P5, "3V3": P3, "GND": GROUND}
    used = {f"BCM{pins.raspberry_pi[name].bcm}": net for name, net in lines.items()}
    board.add(kinds.header(pins), "40-pin socket", "socket 2x20", supply | used, "J1")
    board.add(
        kinds.connector(pins, "power", feeds=("+5V", "GND")),
        "5 V in",
        "terminal 2",
        {"+5V": "+5V_IN", "GND": GROUND},
        "J2",
    )
    board.two(kinds.FUSE, "4 A", "fuse 4A", "+5V_IN", P5)
    board.two(kinds.FUSE, "0.5 A", "fuse 0.5A", "+5V_IN", P5_LAMPS)
    board.two(kinds.TVS, "5 V", "tvs 5V", "+5V_IN", GROUND)
    board.two(kinds.ELECTROLYTIC, "470 µF", "C 470u", "+5V_IN", GROUND)
    board.two(kinds.CAPACITOR, "100 nF", "C 100n", P5_LAMPS, GROUND)


def _drivers(board: Circuit, outputs: list[str], lines: dict[str, str]) -> None:
    for start in range(0, len(outputs), 8):
        board.group(f"Drivers {start // 8 + 1}")
        chosen = outputs[start : start + 8]
        nets: dict[str, str | None] = {"GND": GROUND, "COM": P5_LAMPS}
        for number in range(1, 9):
            name = chosen[number - 1] if number <= len(chosen) else None
            nets[f"I{number}"] = lines[name] if name else GROUND
            nets[f"O{number}"] = f"{name.upper()}-" if name else None
        board.add(kinds.DRIVERS, "ULN2803A", "driver", nets)
        for name in chosen:
            board.two(kinds.RESISTOR, "4.7 kΩ", "R 4k7", lines[name], GROUND)


def _loads(board: Circuit, pins: PinMap, outputs: list[str]) -> None:
    board.group("To lamps and buzzer")
    for number, name in enumerate(outputs, 11):
        supply = f"{name.upper()}+"
        value, part = ("10 Ω", "R 10R") if name == "buzzer" else ("100 Ω", "R 100R")
        board.two(kinds.RESISTOR, value, part, P5_LAMPS, supply)
        board.add(
            kinds.connector(pins, "lamp"),
            name.replace("_", " "),
            "header XH2",
            {"LAMP+": supply, "LAMP-": f"{name.upper()}-"},
            f"J{number}",
        )


def _button(board: Circuit, pins: PinMap, name: str, net: str) -> None:
    board.group("Push buttons")
    number = 31 + sum(part.ref.startswith("J3") for part in board.parts)
    switch = f"{name.upper()}_SWITCH"
    board.add(
        kinds.connector(pins, "button"),
        name.removeprefix("button_").replace("_", " "),
        "header XH2",
        {"SWITCH": switch, "GND": GROUND},
        f"J{number}",
    )
    board.two(kinds.TVS, "5 V", "esd 5V", switch, GROUND)
    board.two(kinds.RESISTOR, "1 kΩ", "R 1k", switch, net)
    board.two(kinds.RESISTOR, "10 kΩ", "R 10k", P3, net)
    board.two(kinds.CAPACITOR, "100 nF", "C 100n", net, GROUND)
