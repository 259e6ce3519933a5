"""The antenna's calculations against published formulas and limits, and the table's antennas against the standard."""

from __future__ import annotations

import ast
import math

import pytest

from hardware.antenna.chain import SWITCH_SECONDS, Chain
from hardware.antenna.coil import MU0, Coil, bar, coupling, field, inductance, mean_field, mutual, wheeler
from hardware.antenna.design import (
    EMISSION_MOST,
    H_LEAST,
    H_MOST,
    Design,
    beside,
    design,
    far_field,
    leak,
    neighbours,
    over_ferrite,
    reader_filter,
)
from hardware.antenna.losses import CARRIER, capacitance, resistance, skin_depth, strips
from hardware.antenna.matching import (
    E24,
    antenna_match,
    driver_load,
    emc_filter,
    nearest,
    pair,
    port,
    reflection,
)
from hardware.antenna.metal import field_over, image_strength, inductance_over
from hardware.antenna.zones import read_zones
from hardware.pins import ROOT

ZONES = read_zones()


@pytest.fixture(scope="module")
def designs() -> dict[str, Design]:
    """Every zone's antenna, computed once."""
    return {name: design(zone, ZONES) for name, zone in ZONES.zones.items()}


def test_square_loop_of_wire() -> None:
    """One turn is Grover's square loop, 0.8 µH/m · a · (ln(a/r) - 0.774), with r = 0.2235·(w + t) for a strip."""
    side, track, thickness = 0.1, 2e-3, 35e-6
    grover = 0.8e-6 * side * (math.log(side / (0.2235 * (track + thickness))) - 0.77401)
    loop = Coil(side + track, side + track, 1, track, 1e-3, thickness)
    assert inductance(loop) == pytest.approx(grover, rel=0.002)


@pytest.mark.parametrize(
    ("turns", "track", "gap"), [(5, 1.5e-3, 1e-3), (8, 1e-3, 0.5e-3), (10, 1e-3, 1e-3), (6, 2e-3, 1e-3)]
)
def test_square_spiral(turns: int, track: float, gap: float) -> None:
    """Spirals agree with the modified Wheeler formula within the 3 % that its authors claim, in its range of fill."""
    assert inductance(Coil(0.08, 0.08, turns, track, gap)) == pytest.approx(
        wheeler(0.08, turns, track, gap), rel=0.03
    )


def test_philips_formula() -> None:
    """NXP's rule, 2·l·(ln(l/D) - 1.47)·N^1.8 nH with cm (AN1445), is met within its own coarseness of a quarter."""
    coil = Coil(0.08, 0.08, 3, 1e-3, 1e-3)
    around = coil.copper() / coil.turns * 100
    rule = 2e-9 * around * (math.log(around / 0.1) - 1.47) * coil.turns**1.8
    assert inductance(coil) == pytest.approx(rule, rel=0.25)


def test_bar() -> None:
    """A bar of 1 cm, 10 µm by 10 µm: 2·l·(ln(2l/(a+b)) + 0.50049 + (a+b)/(3l)) nH with cm, worked by hand: 14.82 nH."""
    assert bar(0.01, 1e-5, 1e-5) == pytest.approx(14.82e-9, rel=0.001)


def test_field_in_the_middle() -> None:
    """A square loop of side a has 2·√2·I/(π·a) in its middle (Biot and Savart)."""
    assert field(Coil(0.1, 0.1, 1, 1e-6, 1e-3), (0, 0, 0)) == pytest.approx(
        2 * math.sqrt(2) / (math.pi * 0.1), rel=1e-4
    )


def test_far_coils_are_dipoles() -> None:
    """Far apart, coils couple as dipoles do: side by side -µ0·A²/(4π·d³), above each other twice and positive."""
    coil = Coil(0.1, 0.08, 2, 1e-3, 1e-3)
    dipole = MU0 * coil.area() ** 2 / (4 * math.pi * 2.0**3)
    assert mutual(coil, coil.moved(2.0, 0, 0)) == pytest.approx(-dipole, rel=0.01)
    assert mutual(coil, coil.moved(0, 0, 2.0)) == pytest.approx(2 * dipole, rel=0.01)


def test_mutual_inductance_is_mutual() -> None:
    """Flux through a card from an antenna equals that the other way round, and is the mean of the field."""
    antenna, card = ZONES.zones["seat"].coil, ZONES.tag
    assert mutual(antenna, card) == pytest.approx(mutual(card, antenna), rel=1e-9)
    one_turn = Coil(0.05, 0.03, 1, 1e-6, 1e-3, z=0.012)
    points = [(x * 0.005 - 0.0225, y * 0.005 - 0.0125) for x in range(10) for y in range(6)]
    mean = sum(field(antenna, (x, y, 0.012)) for x, y in points) / len(points)
    assert mean_field(antenna, one_turn) == pytest.approx(mean, rel=0.01)
    assert -1 < coupling(antenna, card) < 1


def test_skin_and_copper() -> None:
    """17.9 µm at 13.56 MHz; copper has more resistance than direct current finds, and less at a lower frequency."""
    assert skin_depth() == pytest.approx(17.9e-6, rel=0.01)
    coil = ZONES.zones["seat"].coil
    assert resistance(coil) > 1.72e-8 * coil.copper() / (coil.track * coil.thickness)
    assert resistance(coil, 1e6) < resistance(coil)


def test_strips() -> None:
    """With a modulus of 1/√2 both integrals are equal: strips with that gap have ε0·(εr+1)/2 a metre."""
    modulus = 1 / math.sqrt(2)
    gap = 2 * modulus / (1 - modulus)
    assert strips(1.0, gap) == pytest.approx(8.854e-12 * 2.7, rel=1e-6)
    assert 3e-12 < capacitance(ZONES.zones["muck"].coil) < 3e-11


def test_metal_takes_and_ferrite_gives() -> None:
    """Close metal lowers inductance and field, far metal does not; a thick ferrite turns the sign of the image."""
    seat = ZONES.zones["seat"].coil
    assert inductance_over(seat, 0.01) < inductance_over(seat, 0.03) < inductance(seat)
    assert inductance_over(seat, 2.0) == pytest.approx(inductance(seat), rel=1e-4)
    assert field_over(seat, (0, 0, 0.012), 0.01) < 0.5 * field(seat, (0, 0, 0.012))
    assert image_strength(seat) == 1.0
    assert image_strength(seat, 1e6, 1e-3) == pytest.approx(-1, abs=0.01)


@pytest.mark.parametrize("q", [15.0, 20.0, 30.0])
def test_matching_is_exact(q: float) -> None:
    """The values, put back into the circuit, give 50 ohm and no reactance, and the coil has the wanted Q."""
    match = antenna_match(1.5e-6, 0.6, 7e-12, q, 50.0)
    assert port(match, 1.5e-6, 0.6, 7e-12) == pytest.approx(50.0, abs=1e-6)
    assert 2 * math.pi * CARRIER * 1.5e-6 / (match.damping + 0.6) == pytest.approx(q)
    assert reflection(port(match, 1.6e-6, 0.6, 7e-12), 50) > 0.2


def test_filter_is_exact() -> None:
    """The EMC filter makes 50 ohm look like 25 at the carrier and cuts off between 14.6 and 30 MHz."""
    network = emc_filter(470e-9, 50.0, 25.0)
    assert driver_load(network, 50.0) == pytest.approx(25.0, abs=1e-6)
    assert 14.6e6 < network.cutoff < 30e6
    with pytest.raises(ValueError, match="no C0 is left"):
        emc_filter(470e-9, 50.0, 60.0)


def test_what_cannot_be_matched_is_refused() -> None:
    """A coil too large or too lossy for the target is refused, with a reason."""
    with pytest.raises(ValueError, match="cannot be brought to"):
        antenna_match(20e-6, 1.0, 10e-12, 20.0, 50.0)


@pytest.mark.parametrize("value", [12e-12, 33e-12, 51.3e-12, 109e-12, 220e-12])
def test_two_capacitors(value: float) -> None:
    """Two E24 values come within 2.5 % of any value, the second of them can be changed for tuning."""
    main, trim = pair(value)
    assert main + trim == pytest.approx(value, rel=0.025)
    assert trim >= 3.3e-12
    for each in (main, trim):
        assert any(
            math.isclose(each / 10 ** math.floor(math.log10(each) + 1e-9), step, rel_tol=0.01) for step in E24
        )
    assert nearest(value) == pytest.approx(value, rel=0.05)


@pytest.mark.parametrize("name", list(ZONES.zones))
def test_every_antenna_of_the_table(designs: dict[str, Design], name: str) -> None:
    """Each zone: field between the standard's limits with a margin of five, answers at most 3.3 dB down, current and
    voltage within the parts' ratings, no self-resonance below 35 MHz, and matched with parts as sold."""
    found = designs[name]
    assert 5 * H_LEAST < found.weakest < found.strongest < H_MOST
    assert found.loaded_q < 16.0
    assert found.sideband > -3.3
    assert found.at_port < 0.8 * 0.12
    assert found.voltage < 50
    assert found.resonance > 35e6
    assert reflection(found.impedance, 50) < 0.1
    assert found.worst_reflection < 0.5


def test_an_open_switch_reads_no_other_seat(designs: dict[str, Design]) -> None:
    """Through an open switch of 1 pF no zone gets a seventh of the field that a card needs; 13 pF would be too many."""
    assert max(leak(found) for found in designs.values()) < H_LEAST / 7
    assert max(leak(found, 13e-12) for found in designs.values()) > H_LEAST


def test_far_field(designs: dict[str, Design]) -> None:
    """Near by a loop is a static dipole, far away it falls with the distance alone; ten metres away every antenna is
    20 dB below the limit."""
    seat = designs["seat"]
    static = seat.current * seat.zone.coil.area() / (2 * math.pi * 0.1**3)
    assert far_field(seat, 0.1) == pytest.approx(20 * math.log10(static * 1e6), abs=0.1)
    assert far_field(seat, 1000) - far_field(seat, 2000) == pytest.approx(20 * math.log10(2), abs=0.1)
    assert all(far_field(found) < EMISSION_MOST - 20 for found in designs.values())


def test_the_firmware_waits_for_the_switches() -> None:
    """From the multiplexer's address to the first request the firmware waits ten times longer than a switch takes."""
    for node in ast.parse((ROOT / "firmware" / "radio.py").read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "GUARD_US":
            assert ast.literal_eval(node.value) * 1e-6 > 10 * SWITCH_SECONDS
            return
    pytest.fail("firmware/radio.py has no GUARD_US")


def test_neighbours_do_not_read_each_other(designs: dict[str, Design]) -> None:
    """150 mm beside the copper a card gets less than 40 % of the field it needs, and no coil detunes another."""
    for found in designs.values():
        assert beside(found.zone, ZONES.build, ZONES.tag, found.current, 0.15) < 0.4 * H_LEAST
        assert abs(neighbours(found.zone, 0.15)) * ZONES.build.coil_q < 0.1


def test_a_short_distance_does_couple(designs: dict[str, Design]) -> None:
    """The same limits fail where coils nearly touch: the test above is able to fail."""
    seat = designs["seat"]
    assert beside(seat.zone, ZONES.build, ZONES.tag, seat.current, 0.02) > 0.4 * H_LEAST
    assert abs(neighbours(seat.zone, 0.01)) * ZONES.build.coil_q > 0.1


def test_ferrite_brings_the_inductance_back(designs: dict[str, Design]) -> None:
    """Over metal in 10 mm a seat's coil loses a quarter or more of its inductance; with the sheet on it at most a
    tenth, and less the deeper the metal is. Metal nearer than the file allows is refused."""
    seat, build = designs["seat"], ZONES.build
    assert inductance_over(seat.zone.coil, 0.01) < 0.75 * seat.free
    near, far = over_ferrite(seat.zone, build, build.ferrite_gap), over_ferrite(seat.zone, build, build.metal)
    assert 0.9 < near[0] < far[0] < 1
    assert near[1] < far[1] < 1
    with pytest.raises(ValueError, match="at least 10 mm below the copper"):
        over_ferrite(seat.zone, build, 0.005)


def test_a_narrow_chain_is_noticed(designs: dict[str, Design]) -> None:
    """With a third of the damping the sidebands of an answer are cut: loaded Q and sideband say so."""
    seat = designs["seat"]
    match = antenna_match(seat.inductance, seat.losses, seat.own, 3 * ZONES.build.coil_q, 50.0)
    chain = Chain(reader_filter(), match, seat.inductance, seat.losses, seat.own)
    assert chain.loaded_q() > 25
    assert chain.sideband() < -6
