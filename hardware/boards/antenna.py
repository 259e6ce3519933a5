"""An antenna board: etched coil, damping resistor, and the capacitors that make it 50 ohm.

C1, in series, is C11 and C12 beside each other; C2, in parallel, is C21 and C22. C11 and C21 are soldered; C12 and C22
are chosen when the antenna is tuned in its place, and their values here are what the calculation expects.
"""

from __future__ import annotations

from hardware import kinds
from hardware.antenna.design import design
from hardware.antenna.zones import Zone, Zones
from hardware.circuit import GROUND, Circuit


def picofarad(farad: float) -> str:
    """A capacitance as it is written: "47" or "3.9"."""
    return f"{farad * 1e12:.3g}"


def antenna(zone: Zone, zones: Zones) -> Circuit:
    """The board of one zone."""
    found = design(zone, zones)
    size = f"{zone.coil.length * 1e3:.0f} × {zone.coil.width * 1e3:.0f} mm"
    board = Circuit(f"antenna-{zone.name}", f"Antenna of the zone {zone.name}, {size}")
    board.group("Match and coil")
    board.add(kinds.COAXIAL, "50 Ω", "sma", {"RF": "PORT", "SHIELD": GROUND}, "J1")
    for ref, farad in zip(("C11", "C12"), found.series, strict=True):
        board.two(kinds.CAPACITOR, f"{picofarad(farad)} pF", f"C {picofarad(farad)}p RF", "PORT", "TANK", ref)
    for ref, farad in zip(("C21", "C22"), found.parallel, strict=True):
        board.two(kinds.CAPACITOR, f"{picofarad(farad)} pF", f"C {picofarad(farad)}p RF", "TANK", GROUND, ref)
    ohm = f"{found.fitted.damping:.3g}"
    board.two(kinds.RESISTOR, f"{ohm} Ω", f"R {ohm.replace('.', 'R')} 1W", "TANK", "COIL", "RQ")
    board.two(kinds.COIL, f"{found.free * 1e6:.2f} µH", "etched", "COIL", GROUND)
    return board
