"""An optical sensor for the mouth of the shoe: red light, a phototransistor for visible light, a comparator.

Two are fitted, one below and one above the card's path (`firmware/README.md`, "The optical sensors"): the output is
high while white paper shines.
"""

from __future__ import annotations

from hardware import kinds
from hardware.circuit import GROUND, Circuit
from hardware.pins import PinMap

P3 = "+3V3"


def sensor(pins: PinMap) -> Circuit:
    """The board."""
    board = Circuit("sensor", "Optical sensor at the mouth of the shoe")
    board.group("Light and comparator")
    nets = {"+3V3": P3, "GND": GROUND, "OUT": "OUT"}
    board.add(
        kinds.connector(pins, "sensor", feeds=("+3V3", "GND")),
        "to the reader board",
        "header XH3",
        nets,
        "J1",
    )
    board.two(kinds.RESISTOR, "100 Ω", "R 100R", P3, "LED_A")
    board.two(kinds.LED, "red", "led red", GROUND, "LED_A")
    board.add(kinds.PHOTOTRANSISTOR, "TEMT6000", "phototransistor", {"C": P3, "E": "LIGHT"})
    board.two(kinds.RESISTOR, "10 kΩ", "R 10k", "LIGHT", GROUND)
    board.add(kinds.TRIMMER, "10 kΩ", "trimmer", {"CCW": GROUND, "WIPER": "LIMIT", "CW": P3})
    board.add(
        kinds.COMPARATOR, "TLV7031", "comparator",
        {"OUT": "SHINES", "VEE": GROUND, "IN+": "LIGHT", "IN-": "LIMIT", "VCC": P3},
    )  # fmt: skip
    board.two(kinds.RESISTOR, "100 Ω", "R 100R", "SHINES", "OUT")
    board.two(kinds.CAPACITOR, "100 nF", "C 100n", P3, GROUND)
    board.two(kinds.CAPACITOR, "1 µF", "C 1u", P3, GROUND)
    return board
