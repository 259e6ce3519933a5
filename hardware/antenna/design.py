"""What each zone's antenna comes to: the values to solder, the field a card gets, and how sure that is.

Owns: putting geometry, metal, matching and chain together, zone by zone, with the parts as they are sold.
Refuses: drawing and part numbers.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

from hardware.antenna.chain import SWITCH_FARAD, Chain, supply_current
from hardware.antenna.coil import Coil, coupling, field, inductance, mean_field
from hardware.antenna.losses import OMEGA, capacitance, resistance, resonance
from hardware.antenna.matching import (
    Filter,
    Match,
    antenna_match,
    e24,
    emc_filter,
    nearest,
    pair,
    port,
    reflection,
)
from hardware.antenna.metal import field_over, image_strength, inductance_over
from hardware.antenna.zones import Build, Zone, Zones
from hardware.inputs import InputError

L0 = 470e-9
"""Inductor of the EMC filter, H: usual with this chip."""
DRIVER_LOAD = 25.0
"""What TX1 and TX2 should see, ohm. Less would give more field than any zone needs; 25 leaves 30 % of the switch's
rated 120 mA unused."""
H_LEAST = 0.15
"""Weakest field in which a tag must answer, A/m (ISO/IEC 15693-2, H min)."""
H_MOST = 5.0
"""Strongest field that a tag must bear, A/m (ISO/IEC 15693-2, H max)."""
EMISSION_MOST = 42.0
"""Strongest field 10 m away from 13.553 to 13.567 MHz, dBµA/m (EN 300 330; ERC/REC 70-03 annex 9)."""
LIGHT = 299_792_458.0
"""m/s."""
CAPACITORS = 0.01
"""Tolerance of C0G capacitors of class F."""
COIL = 0.03
"""How far an etched coil and its height over metal move L, by our estimate."""


@dataclass(frozen=True)
class Design:
    """One zone's antenna. SI units; the fields are effective values in A/m averaged over a card's coil."""

    zone: Zone
    free: float
    """Inductance with nothing near, H."""
    inductance: float
    """With the metal below, H."""
    losses: float
    own: float
    exact: Match
    fitted: Match
    series: tuple[float, float]
    """C1 as two capacitors, F; the second is the one to change when tuning."""
    parallel: tuple[float, float]
    current: float
    """Effective current in the coil, A."""
    at_port: float
    """Peak current through the multiplexer's switch, A."""
    voltage: float
    """Peak voltage across C2, V."""
    weakest: float
    strongest: float
    loaded_q: float
    sideband: float
    impedance: complex
    worst_reflection: float
    tag_coupling: float

    @property
    def resonance(self) -> float:
        """Self-resonance of the coil alone, Hz."""
        return resonance(self.free, self.own)


def reader_filter() -> Filter:
    """The reader board's network with E24 values."""
    exact = emc_filter(L0, 50.0, DRIVER_LOAD)
    return Filter(L0, nearest(exact.c0), nearest(exact.c1))


def transmitter_current() -> float:
    """Mean current into TVDD with a matched antenna, A."""
    return supply_current(reader_filter(), 50.0)


def field_at_cards(zone: Zone, build: Build, tag: Coil, current: float) -> list[float]:
    """Field over metal at the places and heights where a card of the zone may lie, A/m."""
    mirror = zone.coil.moved(0.0, 0.0, -2 * build.metal)
    places = itertools.product(
        (-zone.cards[0] / 2, 0.0, zone.cards[0] / 2),
        (-zone.cards[1] / 2, 0.0, zone.cards[1] / 2),
        (build.card_height, build.card_height_most),
    )
    cards = [tag.moved(x, y, height) for x, y, height in places]
    return [abs(mean_field(zone.coil, card) - mean_field(mirror, card)) * current for card in cards]


def beside(zone: Zone, build: Build, tag: Coil, current: float, gap: float) -> float:
    """Field that a card gets which lies `gap` m beside the antenna's copper, A/m: what crosswise reading rests on.

    gap counts from the copper's edge to the middle of the card.
    """
    card = tag.moved(zone.coil.length / 2 + gap, 0.0, build.card_height)
    return abs(mean_field(zone.coil, card)) * current


def neighbours(zone: Zone, gap: float) -> float:
    """Coupling factor of two such antennas side by side, `gap` m of no copper between them."""
    return coupling(zone.coil, zone.coil.moved(zone.coil.length + gap, 0.0, 0.0))


def design(zone: Zone, zones: Zones) -> Design:
    """Everything about one zone's antenna. InputError: the coil cannot be matched."""
    build, coil = zones.build, zone.coil
    over = inductance_over(coil, build.metal)
    losses, own = resistance(coil), capacitance(coil)
    try:
        exact = antenna_match(over, losses, own, build.coil_q, build.target)
        series, parallel = pair(exact.series), pair(exact.parallel)
    except ValueError as wrong:
        raise InputError(f"zones.toml: {zone.name}: {wrong}") from wrong
    fitted = Match(nearest(exact.damping), sum(series), sum(parallel))
    chain = Chain(reader_filter(), fitted, over, losses, own)
    peak = abs(chain.coil_current())
    cards = field_at_cards(zone, build, zones.tag, peak / math.sqrt(2))
    corners = itertools.product((-1, 1), repeat=3)
    impedances = [
        port(
            replace(
                fitted,
                series=fitted.series * (1 + CAPACITORS * c1),
                parallel=fitted.parallel * (1 + CAPACITORS * c2),
            ),
            over * (1 + COIL * size),
            losses,
            own,
        )
        for c1, c2, size in corners
    ]
    from_coil = abs(complex(fitted.damping + losses, OMEGA * over))
    return Design(
        zone, inductance(coil), over, losses, own, exact, fitted, series, parallel, peak / math.sqrt(2),
        chain.port_current(), peak * from_coil, min(cards), max(cards), chain.loaded_q(), chain.sideband(),
        port(fitted, over, losses, own), max(reflection(each, build.target) for each in impedances),
        coupling(coil, zones.tag.moved(0.0, 0.0, build.card_height)),
    )  # fmt: skip


TUNED = 0.05
"""How far tuning may have to change C1 and C2: the coil's 3 %, the capacitors' 1 %, and 1 % to step over the dip."""
LEAST_TRIM = 1e-12
"""F: smaller ones are not sold in this row."""


def to_tune(found: Design) -> list[float]:
    """Values that C12 or C22 may turn out to have when the antenna is tuned in its place, F."""
    wanted = []
    for main, trim in (found.series, found.parallel):
        reach = TUNED * (main + trim)
        wanted += [value for value in e24(LEAST_TRIM, trim + reach) if value >= trim - reach]
    return sorted(set(wanted))


def leak(found: Design, farad: float = SWITCH_FARAD) -> float:
    """Strongest field over an antenna whose switch is open while another one is looked at, A/m.

    An open switch of so many farads passes about ωC times 50 ohm of what a closed one does.
    """
    return found.strongest * OMEGA * farad * 50.0


def far_field(found: Design, distance: float = 10.0) -> float:
    """Field of the antenna `distance` m away in the direction where it is stronger, dBµA/m.

    A small loop is a magnetic dipole m: along its axis m/(2π r³)·|1 + jkr|, beside it m/(4π r³)·|1 + jkr - (kr)²|
    (C. A. Balanis, Antenna Theory, small loops). Metal and harmonics are left out.
    """
    moment = found.current * found.zone.coil.area()
    kr = OMEGA / LIGHT * distance
    along = moment / (2 * math.pi * distance**3) * abs(1 + 1j * kr)
    beside_it = moment / (4 * math.pi * distance**3) * abs(1 + 1j * kr - kr**2)
    return 20 * math.log10(max(along, beside_it) * 1e6)


def over_ferrite(zone: Zone, build: Build, distance: float) -> tuple[float, float]:
    """Shares of L and of the field at a card that are left over metal with a ferrite sheet on it, `distance` m below
    the copper. ValueError: that is nearer than `ferrite_gap`.
    """
    if distance < build.ferrite_gap - 1e-9:
        raise ValueError(f"metal must be at least {build.ferrite_gap * 1e3:g} mm below the copper")
    coil, at = zone.coil, (0.0, 0.0, build.card_height)
    strength = image_strength(coil, build.ferrite_permeability, build.ferrite)
    return (
        inductance_over(coil, distance, strength) / inductance(coil),
        field_over(coil, at, distance, strength) / field(coil, at),
    )


def ferrite_span(zones: Zones) -> tuple[tuple[float, float], tuple[float, float]]:
    """Least and most of these shares, of L and of the field, over all zones and distances that need a sheet."""
    build = zones.build
    steps = [build.ferrite_gap + (build.metal - build.ferrite_gap) * n / 10 for n in range(11)]
    shares = [over_ferrite(zone, build, step) for zone in zones.zones.values() for step in steps]
    left, weakened = zip(*shares, strict=True)
    return (min(left), max(left)), (min(weakened), max(weakened))
