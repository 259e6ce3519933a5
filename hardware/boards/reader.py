"""The reader board: a Raspberry Pi Pico, a PN5180 with its own 3.3 V, EMC filter, match and transformer to 50 ohm.

Supply: the Pico's USB port is the board's only supply. The transmitter has a regulator of its own, so that neither the
Pico's switching regulator nor the USB cable's drop is heard in the field. The Pico's 3.3 V feeds logic and sensors.

Fail-safe: RESET_N is pulled down and the multiplexer's OFF is pulled up, so that without a program no field is on and
no antenna is joined.
"""

from __future__ import annotations

from hardware import kinds
from hardware.antenna.design import reader_filter
from hardware.circuit import GROUND, Circuit
from hardware.pins import PinMap
from hardware.power import regulator

VBUS, P3, PRF, CORE = "VBUS", "+3V3", "+3V3_RF", "PN5180_1V8"
P3_MOUTH = "+3V3_MOUTH"


def reader(pins: PinMap) -> Circuit:
    """The board with one front end."""
    board = Circuit("reader", "Reader board: Raspberry Pi Pico, PN5180, 50 Ω port")
    lines = {
        name: f"GP{line.gpio}_{name.upper()}" for name, line in pins.reader.items() if line.pico is not None
    }
    _pico(board, pins, lines)
    _front_end(board, lines)
    _radio(board)
    _plugs(board, pins, lines)
    return board


def _pico(board: Circuit, pins: PinMap, lines: dict[str, str]) -> None:
    board.group("Microcontroller")
    nets: dict[str, str | None] = {"GND": GROUND, "AGND": GROUND, "3V3": P3, "VBUS": VBUS}
    nets |= lines
    board.add(kinds.pico(pins), "Raspberry Pi Pico", "pico", nets)
    board.two(kinds.RESISTOR, "10 kΩ", "R 10k", P3, lines["front_end_0_nss"])
    board.two(kinds.RESISTOR, "10 kΩ", "R 10k", lines["front_end_0_reset"], GROUND)
    board.two(kinds.RESISTOR, "10 kΩ", "R 10k", P3, lines["front_end_0_mux_off"])
    board.group("3.3 V of the front end")
    board.two(kinds.BEAD, "220 Ω", "bead", VBUS, "VBUS_BEAD")
    # It takes heat off the regulator while an antenna is torn off (`power.toml`).
    ohm = regulator().ohm
    board.two(
        kinds.SUPPLY_RESISTOR, f"{ohm:g} Ω", f"R {ohm:g}".replace(".", "R") + " 1W", "VBUS_BEAD", "VBUS_RF"
    )
    board.two(kinds.CAPACITOR, "10 µF", "C 10u", "VBUS_RF", GROUND)
    board.add(
        kinds.LDO, "AP2112K-3.3", "ldo", {"VIN": "VBUS_RF", "EN": "VBUS_RF", "GND": GROUND, "VOUT": PRF}
    )
    board.two(kinds.CAPACITOR, "10 µF", "C 10u", PRF, GROUND)


def _front_end(board: Circuit, lines: dict[str, str]) -> None:
    board.group("Front end")
    nets: dict[str, str | None] = {
        "NSS": lines["front_end_0_nss"], "MOSI": lines["spi_mosi"], "MISO": lines["spi_miso"], "SCK": lines["spi_sck"],
        "BUSY": lines["front_end_0_busy"], "RESET_N": lines["front_end_0_reset"],
        "PVDD": PRF, "VBAT": PRF, "TVDD": PRF, "VDD": CORE, "AVDD": CORE, "DVDD": CORE,
        "PVSS": GROUND, "VSS": GROUND, "TVSS": GROUND, "EP": GROUND,
        "VMID": "VMID", "VDHF": "VDHF", "TX1": "TX1", "TX2": "TX2", "RXP": "RXP", "RXN": "RXN",
        "CLK1": "CLK1", "CLK2": "CLK2",
    }  # fmt: skip
    board.add(kinds.PN5180, "PN5180A0HN", "pn5180", nets)
    for _ in range(4):
        board.two(kinds.CAPACITOR, "100 nF", "C 100n", PRF, GROUND)
    board.two(kinds.CAPACITOR, "10 µF", "C 10u", PRF, GROUND)
    board.two(kinds.CAPACITOR, "1 µF", "C 1u", CORE, GROUND)
    board.two(kinds.CAPACITOR, "100 nF", "C 100n", CORE, GROUND)
    board.two(kinds.CAPACITOR, "100 nF", "C 100n", "VMID", GROUND)
    board.two(kinds.CAPACITOR, "100 nF", "C 100n", "VDHF", GROUND)
    board.group("27.12 MHz")
    board.add(kinds.CRYSTAL, "27.12 MHz", "crystal", {"X1": "CLK1", "X2": "CLK2", "GND": GROUND})
    board.two(kinds.CAPACITOR, "15 pF", "C 15p", "CLK1", GROUND)
    board.two(kinds.CAPACITOR, "15 pF", "C 15p", "CLK2", GROUND)


def _radio(board: Circuit) -> None:
    board.group("EMC filter, match, receiver, transformer")
    network = reader_filter()
    c0, c1 = (f"{farad * 1e12:.0f}" for farad in (network.c0, network.c1))
    for side, transmit, receive in (("1", "TX1", "RXP"), ("2", "TX2", "RXN")):
        node, tap, match = f"EMC{side}", f"TAP{side}", f"MATCH{side}"
        board.two(kinds.INDUCTOR, "470 nH", "L 470n", transmit, node)
        board.two(kinds.CAPACITOR, f"{c0} pF", f"C {c0}p RF", node, GROUND)
        board.two(kinds.CAPACITOR, f"{c1} pF", f"C {c1}p RF", node, match)
        board.two(kinds.CAPACITOR, "1 nF", "C 1n", node, tap)
        board.two(kinds.RESISTOR, "2.7 kΩ", "R 2k7", tap, receive)
    board.add(
        kinds.TRANSFORMER, "1:1", "transformer", {"P1": "MATCH1", "P2": "MATCH2", "S1": "RF", "S2": GROUND}
    )
    board.add(kinds.COAXIAL, "50 Ω", "sma", {"RF": "RF", "SHIELD": GROUND}, "J3")


def _plugs(board: Circuit, pins: PinMap, lines: dict[str, str]) -> None:
    board.group("To the multiplexer, to the shoe, lamp")
    board.add(
        kinds.connector(pins, "multiplexer"),
        "multiplexer",
        "header XH6",
        {
            "+3V3": P3,
            "GND": GROUND,
            "A0": lines["mux_a0"],
            "A1": lines["mux_a1"],
            "A2": lines["mux_a2"],
            "OFF": lines["front_end_0_mux_off"],
        },
        "J1",
    )
    board.two(kinds.FUSE, "0.2 A", "fuse 0.2A", P3, P3_MOUTH)
    mouth = {
        "+3V3": P3_MOUTH,
        "GND": GROUND,
        "BELOW": "MOUTH_BELOW",
        "ABOVE": "MOUTH_ABOVE",
        "FITTED": "MOUTH_FITTED",
    }
    board.add(kinds.connector(pins, "mouth"), "mouth of the shoe", "header XH6", mouth, "J2")
    for name in ("BELOW", "ABOVE", "FITTED"):
        board.two(kinds.RESISTOR, "330 Ω", "R 330R", f"MOUTH_{name}", lines[f"optical_{name.lower()}"])
    board.add(kinds.DUAL_ESD, "5 V", "esd dual", {"K1": "MOUTH_BELOW", "K2": "MOUTH_ABOVE", "A": GROUND})
    board.two(kinds.TVS, "5 V", "esd 5V", "MOUTH_FITTED", GROUND)
    board.add(
        kinds.BUFFER,
        "74AHCT1G125",
        "buffer",
        {"/OE": GROUND, "A": lines["led"], "GND": GROUND, "Y": "LED_5V", "VCC": VBUS},
    )
    board.add(kinds.RGB, "WS2812B", "rgb", {"VDD": VBUS, "DOUT": None, "VSS": GROUND, "DIN": "LED_5V"})
    board.two(kinds.CAPACITOR, "100 nF", "C 100n", VBUS, GROUND)
    board.two(kinds.CAPACITOR, "10 µF", "C 10u", VBUS, GROUND)
