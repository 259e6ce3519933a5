"""Capacitors and resistors between the PN5180 and a coil.

Owns: the values, exact and as sold, and what their tolerances do.
Refuses: the current that results (`chain`) and part numbers.

From the chip to the coil: PN5180 TX1, TX2 → EMC filter (L0, C0) and series C1 on each side → 1:1 transformer →
multiplexer and 50 ohm cable → series C1 and parallel C2 on the antenna → coil with damping resistor RQ. Topology and
order of steps as in NXP AN11740 "PN5180 Antenna design guide" (section 4, asymmetrical tuning). The equations
are solved exactly here, and a transformer stands between the halves because our antennas are single-ended and far away.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hardware.antenna.losses import OMEGA

E24 = (
    1.0,
    1.1,
    1.2,
    1.3,
    1.5,
    1.6,
    1.8,
    2.0,
    2.2,
    2.4,
    2.7,
    3.0,
    3.3,
    3.6,
    3.9,
    4.3,
    4.7,
    5.1,
    5.6,
    6.2,
    6.8,
    7.5,
    8.2,
    9.1,
)
"""IEC 60063."""


def nearest(value: float) -> float:
    """The E24 value next to a value, by ratio."""
    decade = 10.0 ** math.floor(math.log10(value))
    steps = [step * scale * decade for scale in (1, 10) for step in E24]
    return float(f"{min(steps, key=lambda step: abs(math.log(step / value))):.3g}")


def e24(least: float, most: float) -> list[float]:
    """All E24 values from one value to another, both included if they are such values."""
    decades = range(math.floor(math.log10(least)), math.floor(math.log10(most)) + 1)
    steps = [float(f"{step * 10.0**decade:.3g}") for decade in decades for step in E24]
    return [step for step in steps if least * 0.999 <= step <= most]


LARGEST_TRIM = 15e-12
"""F: a second capacitor much larger than what tuning changes would be no trim."""


def pair(value: float, least: float = 3.3e-12) -> tuple[float, float]:
    """Two E24 capacitors, F, whose sum is next to a value; the second, `least` or more, is changed when tuning."""
    if value < 2 * least:
        raise ValueError(f"{value * 1e12:.1f} pF are too few for two capacitors")
    best = (nearest(value - least), least)
    exponent = math.floor(math.log10(value))
    mains = [step * 10.0**power for power in (exponent - 1, exponent) for step in E24]
    for main in mains:
        rest = value - main
        if main < value and least <= rest <= max(LARGEST_TRIM, main / 4):
            found = (float(f"{main:.3g}"), nearest(rest))
            if abs(sum(found) - value) < abs(sum(best) - value) - 1e-15:
                best = found
    return best


@dataclass(frozen=True)
class Match:
    """What tunes one coil to the cable: damping resistor in series (ohm), C1 in series and C2 in parallel (F)."""

    damping: float
    series: float
    parallel: float


def antenna_match(inductance: float, losses: float, own: float, q: float, target: float) -> Match:
    """Damping for a Q, and the capacitors that make the coil `target` ohm at 13.56 MHz.

    inductance in H, losses and target in ohm, own: the coil's own capacitance in F, which is part of C2.
    """
    reactance = OMEGA * inductance
    total = reactance / q
    real = total / (total**2 + reactance**2)
    slope = math.sqrt(real / target - real**2)
    parallel = (reactance / (total**2 + reactance**2) - slope) / OMEGA - own
    series = (real**2 + slope**2) / (slope * OMEGA)
    if parallel <= 0 or total <= losses:
        raise ValueError(f"a coil of {inductance * 1e6:.2f} µH cannot be brought to {target} ohm at Q {q}")
    return Match(total - losses, series, parallel)


def port(match: Match, inductance: float, losses: float, own: float, omega: float = OMEGA) -> complex:
    """Impedance that the antenna shows its cable, ohm."""
    coil = complex(match.damping + losses, omega * inductance)
    tank = 1 / (1 / coil + 1j * omega * (match.parallel + own))
    return tank + 1 / (1j * omega * match.series)


def reflection(impedance: complex, target: float) -> float:
    """Magnitude of the reflection coefficient, 0 to 1."""
    return abs((impedance - target) / (impedance + target))


@dataclass(frozen=True)
class Filter:
    """EMC filter and match of the reader board, each on both sides: L0 (H), C0 to ground (F), C1 in series (F)."""

    l0: float
    c0: float
    c1: float

    @property
    def cutoff(self) -> float:
        """Cut-off of L0 and C0, Hz."""
        return 1 / (2 * math.pi * math.sqrt(self.l0 * self.c0))


def emc_filter(l0: float, load: float, driver: float) -> Filter:
    """C0 and C1 so that `load` ohm behind the transformer look like `driver` ohm between TX1 and TX2 at 13.56 MHz."""
    half, want, x0 = load / 2, driver / 2, OMEGA * l0
    size = want**2 + x0**2
    rest = half * size / want - half**2
    if rest <= 0:
        raise ValueError(f"{driver} ohm cannot be reached with {l0 * 1e9:.0f} nH")
    x1 = math.sqrt(rest)
    susceptance = x0 / size - x1 / (half**2 + rest)
    if susceptance <= 0:
        raise ValueError(f"at {driver} ohm no C0 is left")
    return Filter(l0, susceptance / OMEGA, 1 / (OMEGA * x1))


def driver_load(network: Filter, load: complex, omega: float = OMEGA) -> complex:
    """Impedance between TX1 and TX2 with `load` behind the transformer, ohm."""
    half = load / 2 + 1 / (1j * omega * network.c1)
    node = 1 / (1 / half + 1j * omega * network.c0)
    return 2 * (node + 1j * omega * network.l0)
