"""What a coil of copper on FR4 has besides its inductance: resistance, capacitance between its turns, self-resonance.

Owns: skin effect and the capacitance of strips. Refuses: matching (`matching`).
Both are estimates, some tens of percent: the resistance that sets Q is a resistor, and the capacitance is a few
percent of what tunes the coil. The test plan measures both before the capacitors are soldered.
"""

from __future__ import annotations

import math

from hardware.antenna.coil import MU0, Coil

CARRIER = 13.56e6
"""Hz (ISO/IEC 15693-2)."""
OMEGA = 2 * math.pi * CARRIER
COPPER = 1.72e-8
"""Resistivity at 20 °C, ohm metre (IEC 60028)."""
EPSILON0 = 8.854e-12
FR4 = 4.4
"""Relative permittivity of FR4 at some MHz; 4.2 to 4.7 by maker."""
CROWDING = 1.5
"""How much more resistance the turns have because their current is pushed to the edges (assumption; 1.2 to 2)."""
FEED = 3e-12
"""Capacitance of the feed, its pads and the bridge under the turns, F (assumption)."""


def skin_depth(frequency: float = CARRIER) -> float:
    """Depth at which the current in copper has fallen to 1/e, m."""
    return math.sqrt(COPPER / (math.pi * frequency * MU0))


def resistance(coil: Coil, frequency: float = CARRIER) -> float:
    """Resistance of the copper, ohm: current on both faces, decaying inwards, times `CROWDING`."""
    depth = skin_depth(frequency)
    section = 2 * coil.track * depth * (1 - math.exp(-coil.thickness / (2 * depth)))
    return CROWDING * COPPER * coil.copper() / section


def _elliptic(modulus: float) -> float:
    """Complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - modulus**2)
    while a - b > 1e-12 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def strips(track: float, gap: float) -> float:
    """Capacitance of two coplanar strips on thick FR4, F/m (conformal mapping; Gupta, Microstrip Lines, 1979)."""
    modulus = gap / (gap + 2 * track)
    complement = math.sqrt(1 - modulus**2)
    return EPSILON0 * (FR4 + 1) / 2 * _elliptic(complement) / _elliptic(modulus)


def capacitance(coil: Coil) -> float:
    """Capacitance across the coil, F: between neighbouring turns, each at its share of the voltage, and the feed."""
    mean = coil.copper() / coil.turns
    between = strips(coil.track, coil.gap) * mean * (coil.turns - 1) / coil.turns**2
    return between + FEED


def resonance(inductance: float, farad: float) -> float:
    """Frequency at which the two resonate, Hz."""
    return 1 / (2 * math.pi * math.sqrt(inductance * farad))
