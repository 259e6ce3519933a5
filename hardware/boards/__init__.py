"""The five boards, each as a function that returns its circuit.

Owns: which parts a board has and how they are joined. Refuses: how it is laid out on copper; `README.md` says what a
layout must keep.
"""

from __future__ import annotations

from hardware.antenna.zones import read_zones
from hardware.boards.antenna import antenna
from hardware.boards.multiplexer import multiplexer
from hardware.boards.panel import panel
from hardware.boards.reader import reader
from hardware.boards.sensor import sensor
from hardware.circuit import Circuit
from hardware.pins import PinMap, pin_map


def boards(pins: PinMap | None = None) -> dict[str, Circuit]:
    """Every board by name; the antennas by `antenna-` and their zone."""
    pins = pins or pin_map()
    zones = read_zones()
    made = [panel(pins), reader(pins), multiplexer(pins), sensor(pins)]
    made += [antenna(zone, zones) for zone in zones.zones.values()]
    return {circuit.name: circuit for circuit in made}
