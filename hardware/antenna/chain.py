"""From the PN5180's transmitter to the current in a coil.

Owns: one linear circuit, solved at one frequency, and what follows from it: power, current, bandwidth.
Refuses: the driver's own behaviour. It is a square wave of the supply behind a resistance; the fundamental counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hardware.antenna.losses import CARRIER, OMEGA
from hardware.antenna.matching import Filter, Match, driver_load

SUPPLY = 3.3
"""TVDD of the reader board, V."""
DRIVER_OHM = 2.0
"""Each output of the PN5180, ohm (assumption)."""
SWITCH_OHM = 9.5
"""AQY221N2S, on, typical (data sheet)."""
SWITCH_FARAD = 1e-12
"""AQY221N2S, off, typical (data sheet)."""
SWITCH_SECONDS = 30e-6
"""AQY221N2S, on and off, typical (data sheet)."""
L0_OHM = 0.7
"""Resistance of the EMC filter's inductor at 13.56 MHz, ohm (assumption: Q of about 60)."""
TRANSFORMER = 0.92
"""Share of the power that the transformer lets through: 0.35 dB (assumption)."""
CABLE = 0.97
"""Share of the power that 1.5 m of RG-316 let through: 0.09 dB/m at 13.56 MHz (assumption)."""
SUBCARRIER = 423.75e3
"""Hz: where a tag's answer lies beside the carrier, 13.56 MHz / 32 (ISO/IEC 15693-2)."""


@dataclass(frozen=True)
class Chain:
    """The reader's network and one antenna behind multiplexer and cable."""

    network: Filter
    match: Match
    inductance: float
    losses: float
    own: float

    def coil_current(self, omega: float = OMEGA) -> complex:
        """Peak current in the coil, A, by the voltages and currents of the ladder from the coil back to the driver."""
        current = 1 + 0j
        across = complex(self.match.damping + self.losses, omega * self.inductance)
        feed = current + across * 1j * omega * (self.match.parallel + self.own)
        at_port = across + feed / (1j * omega * self.match.series)
        loss = 1 / math.sqrt(CABLE * TRANSFORMER)
        at_port, feed = at_port * loss + feed * SWITCH_OHM, feed * loss
        feed += at_port * 1j * omega * 7 * SWITCH_FARAD
        behind = at_port + feed * 2 / (1j * omega * self.network.c1)
        driven = feed + behind * 1j * omega * self.network.c0 / 2
        source = behind + driven * 2 * (1j * omega * self.network.l0 + L0_OHM + DRIVER_OHM)
        return drive() / source

    def port_current(self) -> float:
        """Peak current through the closed switch, A."""
        across = complex(self.match.damping + self.losses, OMEGA * self.inductance)
        return abs(self.coil_current() * (1 + across * 1j * OMEGA * (self.match.parallel + self.own)))

    def loaded_q(self) -> float:
        """Quality of the whole chain: carrier over the width between the points 3 dB below the peak of the current."""
        steps = [CARRIER * (0.8 + 0.0005 * number) for number in range(801)]
        sizes = [abs(self.coil_current(2 * math.pi * frequency)) for frequency in steps]
        top = max(range(len(sizes)), key=sizes.__getitem__)
        limit = sizes[top] / math.sqrt(2)
        low = next((n for n in range(top, -1, -1) if sizes[n] < limit), 0)
        high = next((n for n in range(top, len(sizes)) if sizes[n] < limit), len(sizes) - 1)
        return CARRIER / (steps[high] - steps[low])

    def sideband(self) -> float:
        """Strength of the weaker sideband of an answer against the carrier, dB."""
        carrier = abs(self.coil_current())
        sides = [abs(self.coil_current(2 * math.pi * (CARRIER + side))) for side in (-SUBCARRIER, SUBCARRIER)]
        return 20 * math.log10(min(sides) / carrier)


def drive() -> float:
    """Fundamental of the voltage between TX1 and TX2, V peak."""
    return 4 / math.pi * SUPPLY


def supply_current(network: Filter, load: complex) -> float:
    """Mean current into TVDD with `load` at the transformer, A."""
    whole = driver_load(network, load) + 2 * (DRIVER_OHM + L0_OHM)
    return 2 / math.pi * drive() * (1 / whole).real
