"""The antennas' figures as a table, and beside them what ngspice says.

Owns: words and columns. Refuses: computing (`antenna/`).
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.antenna.coil import field, inductance
from hardware.antenna.design import (
    Design,
    beside,
    far_field,
    neighbours,
    over_ferrite,
    reader_filter,
    transmitter_current,
)  # fmt: skip
from hardware.antenna.losses import CARRIER
from hardware.antenna.metal import field_over, inductance_over
from hardware.antenna.spice import Answer
from hardware.antenna.zones import Zones

GAPS = (0.05, 0.1, 0.15, 0.2, 0.3)
"""Distances beside an antenna, m, at which the tables tell what a neighbour notices."""
DEPTHS = (0.01, 0.02, 0.03, 0.05, 0.06, 0.1)
"""Distances of metal below an antenna, m."""


def _table(head: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _pf(two: tuple[float, float]) -> str:
    return " + ".join(f"{farad * 1e12:.3g}" for farad in two)


def antennas(designs: list[Design]) -> str:
    """What each antenna is built of, and what it does."""
    built = [
        (
            found.zone.name,
            f"{found.zone.coil.length * 1e3:g} × {found.zone.coil.width * 1e3:g}",
            found.zone.coil.turns,
            f"{found.free * 1e6:.2f} / {found.inductance * 1e6:.2f}",
            f"{found.losses:.2f}",
            f"{found.own * 1e12:.1f}",
            f"{found.resonance / 1e6:.0f}",
            f"{found.fitted.damping:g}",
            _pf(found.series),
            _pf(found.parallel),
        )
        for found in designs
    ]
    does = [
        (
            found.zone.name,
            f"{found.impedance.real:.1f} {found.impedance.imag:+.1f}j",
            f"{found.worst_reflection:.2f}",
            f"{found.current * 1e3:.0f}",
            f"{found.voltage:.0f}",
            f"{found.weakest:.2f} to {found.strongest:.2f}",
            f"{found.loaded_q:.1f}",
            f"{found.sideband:.1f}",
            f"{found.tag_coupling:.2f}",
            f"{far_field(found):.0f}",
        )
        for found in designs
    ]
    return "\n".join(
        [
            _table(
                ("zone", "mm", "turns", "L free / over metal, µH", "R, Ω", "C own, pF", "self-resonance, MHz", "RQ, Ω",
                 "C11 + C12, pF", "C21 + C22, pF"), built,
            ),
            _table(
                ("zone", "port, Ω", "worst reflection", "coil current, mA", "peak at C2, V", "H at cards, A/m",
                 "loaded Q", "sideband, dB", "k to a card", "10 m away, dBµA/m"), does,
            ),
        ]
    )  # fmt: skip


def around(designs: list[Design], zones: Zones) -> str:
    """What neighbours and metal notice of each antenna, and what they do to it."""
    build = zones.build
    side = [
        (
            found.zone.name,
            *(f"{beside(found.zone, build, zones.tag, found.current, gap):.3f}" for gap in GAPS),
            *(f"{abs(neighbours(found.zone, gap)) * build.coil_q:.2f}" for gap in GAPS[:3]),
        )
        for found in designs
    ]
    head = ("zone", *(f"H, {gap * 1e3:g} mm" for gap in GAPS), *(f"kQ, {gap * 1e3:g} mm" for gap in GAPS[:3]))
    above = [(found.zone.name, *_over_metal(found, build.card_height)) for found in designs]
    sheet = [depth for depth in DEPTHS if build.ferrite_gap <= depth <= build.metal]
    over = [
        (found.zone.name, *(_shares(*over_ferrite(found.zone, build, depth)) for depth in sheet))
        for found in designs
    ]
    return "\n".join(
        [
            "H: field (A/m) at a card whose middle is so far beside the copper. kQ: of two such antennas with so much",
            "between them.\n",
            _table(head, side),
            "Over a bare metal plate so far below the copper: L and H at a card as shares of those without metal.\n",
            _table(("zone", *(f"{depth * 1e3:g} mm" for depth in DEPTHS)), above),
            f"The same with the ferrite sheet ({build.ferrite * 1e3:g} mm) on the metal, which may be no nearer than "
            f"{build.ferrite_gap * 1e3:g} mm\nand needs none from {build.metal * 1e3:g} mm on.\n",
            _table(("zone", *(f"{depth * 1e3:g} mm" for depth in sheet)), over),
        ]
    )


def _shares(left: float, weakened: float) -> str:
    return f"{left:.2f} / {weakened:.2f}"


def _over_metal(found: Design, height: float) -> list[str]:
    coil, at = found.zone.coil, (0.0, 0.0, height)
    return [
        _shares(
            inductance_over(coil, depth) / inductance(coil), field_over(coil, at, depth) / field(coil, at)
        )
        for depth in DEPTHS
    ]


def reader() -> str:
    """The reader board's own network."""
    network = reader_filter()
    return (
        f"EMC filter L0 {network.l0 * 1e9:.0f} nH, C0 {network.c0 * 1e12:.0f} pF (cut-off "
        f"{network.cutoff / 1e6:.1f} MHz), C1 {network.c1 * 1e12:.0f} pF on each side; TVDD takes "
        f"{transmitter_current() * 1e3:.0f} mA with a matched antenna. Carrier {CARRIER / 1e6:.2f} MHz.\n"
    )


def spice(designs: list[Design], answers: list[Answer]) -> str:
    """Computed beside simulated."""
    rows = [
        (
            found.zone.name,
            f"{found.impedance:.1f}",
            f"{answer.impedance:.1f}",
            f"{found.current * 2**0.5 * 1e3:.0f}",
            f"{answer.current * 1e3:.0f}",
            f"{found.loaded_q:.1f}",
            f"{answer.loaded_q:.1f}",
        )
        for found, answer in zip(designs, answers, strict=True)
    ]
    head = ("zone", "port, Ω", "ngspice", "peak current, mA", "ngspice", "loaded Q", "ngspice")
    return _table(head, rows)
