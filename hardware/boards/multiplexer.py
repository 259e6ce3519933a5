"""The multiplexer: one 50 ohm port to one of eight antennas, by photo MOS switches.

Why photo MOS. At the port the field's current is 0.08 A peak at 4 V peak, and twice that voltage on an open cable; a
board switches forty times a second, three million times a day.

- CMOS multiplexers (74HC4051 and the like): 50 to 100 ohm and at most 5 V across them. No.
- Relays, reed relays: 10⁸ operations are a month. No.
- Switches for gigahertz (GaAs): their control needs a lowest frequency of tens of megahertz. SOI ones reach down to 9
  kHz, but below some tens of megahertz their makers allow ever less power.
- PIN diodes: right for more power, but each needs a bias of 10 mA, a reverse voltage above the peak, chokes and
  blocking capacitors; they are the way to go if a later table needs watts.
- Photo MOS of low C×R (Panasonic AQY221N2S: 40 V, 120 mA peak, 9.5 ohm, 1 pF open, 30 µs on and off): no bias, linear
  both ways, 0.8 dB lost, an open one is 12 kohm at 13.56 MHz (41 dB in 50 ohm). The firmware changes the address with
  all of them off and waits 1 ms for the tags to wake, thirty times longer than the switch takes.

The capacitance decides: 1 pF leaves 0.02 A/m over an antenna that is not joined, an eighth of what a card needs. The
same maker's AQY221R2S has the same pins and 0.8 ohm, but its 13 pF would leave 0.24 A/m: cards of another seat would
be read.

An antenna that is not joined stays tuned near the carrier and would draw field from a neighbour; the coupling at the
planned spacing is too small for that (`antenna/design.neighbours`, kQ below 0.1), so none of them needs a switch that
detunes it.
"""

from __future__ import annotations

from hardware import kinds
from hardware.circuit import GROUND, Circuit
from hardware.pins import PinMap

ANTENNAS = 8
P3 = "+3V3"


def multiplexer(pins: PinMap) -> Circuit:
    """The board: control from the reader board, eight ports."""
    board = Circuit("multiplexer", "Antenna multiplexer: one of eight 50 Ω ports")
    board.group("Control")
    nets = {"+3V3": P3, "GND": GROUND, "A0": "A0", "A1": "A1", "A2": "A2", "OFF": "OFF"}
    board.add(
        kinds.connector(pins, "multiplexer", feeds=("+3V3", "GND")), "reader board", "header XH6", nets, "J1"
    )
    outputs: dict[str, str | None] = {f"/Y{number}": f"ON{number}_N" for number in range(ANTENNAS)}
    board.add(
        kinds.DECODER,
        "74LVC138A",
        "decoder",
        {"A0": "A0", "A1": "A1", "A2": "A2", "/E1": "OFF", "/E2": GROUND, "E3": P3, "GND": GROUND, "VCC": P3}
        | outputs,
    )
    board.two(kinds.RESISTOR, "10 kΩ", "R 10k", P3, "OFF")
    board.two(kinds.CAPACITOR, "100 nF", "C 100n", P3, GROUND)
    board.two(kinds.RESISTOR, "270 Ω", "R 270R", P3, "LIGHT")
    board.add(kinds.COAXIAL, "50 Ω in", "sma", {"RF": "RF", "SHIELD": GROUND}, "J2")
    board.two(kinds.RESISTOR, "100 kΩ", "R 100k", "RF", GROUND)
    board.group("Switches and ports")
    for number in range(ANTENNAS):
        port = f"ANT{number}"
        board.add(
            kinds.PHOTOMOS,
            "AQY221N2S",
            "photomos",
            {"A": "LIGHT", "K": f"ON{number}_N", "OUT1": "RF", "OUT2": port},
            f"K{number}",
        )
        board.add(
            kinds.COAXIAL, f"antenna {number}", "sma", {"RF": port, "SHIELD": GROUND}, f"J{10 + number}"
        )
        board.two(kinds.RESISTOR, "100 kΩ", "R 100k", port, GROUND)
    return board
