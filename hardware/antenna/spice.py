"""The same circuit in ngspice, as a second opinion.

Owns: the netlist of an antenna's port and of the whole chain, running `ngspice -b`, and reading what it printed.
Refuses: choosing values (`design`). ngspice is Debian's package of that name.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hardware.antenna.chain import CABLE, DRIVER_OHM, L0_OHM, SWITCH_FARAD, SWITCH_OHM, TRANSFORMER, drive
from hardware.antenna.design import Design, reader_filter
from hardware.antenna.losses import CARRIER


class SpiceError(Exception):
    """ngspice is not there, or did not answer as expected."""


@dataclass(frozen=True)
class Answer:
    """What ngspice found: impedance of the antenna's port (ohm), peak current in the coil (A), loaded Q."""

    impedance: complex
    current: float
    loaded_q: float


def _antenna(design: Design, node: str) -> list[str]:
    return [
        f"C1 {node} tank {design.fitted.series:.6e}",
        f"C2 tank 0 {design.fitted.parallel + design.own:.6e}",
        f"RQ tank coil {design.fitted.damping + design.losses:.6e}",
        "VI coil sense 0",
        f"LA sense 0 {design.inductance:.6e}",
    ]


def port_netlist(design: Design) -> str:
    """One ampere into the antenna's port: the voltage there is its impedance."""
    return "\n".join(
        [f"* {design.zone.name}: the port", "I1 0 port AC 1", *_antenna(design, "port"),
         ".control", f"ac lin 1 {CARRIER} {CARRIER}", "print real(v(port)) imag(v(port))", ".endc", ".end", ""]
    )  # fmt: skip


def chain_netlist(design: Design) -> str:
    """From both outputs of the PN5180 to the coil; the transformer as two coupled inductors, an attenuator for what
    transformer and cable lose."""
    network = reader_filter()
    share = CABLE * TRANSFORMER
    ratio = 1 / math.sqrt(share)
    series, shunt = 50 * (ratio - 1) / (ratio + 1), 100 * ratio / (ratio**2 - 1)
    side = drive() / 2
    lines = [f"* {design.zone.name}: the chain"]
    for name, phase in (("P", 0), ("N", 180)):
        lines += [
            f"V{name} src{name} 0 AC {side:.6f} {phase}",
            f"R{name} src{name} tx{name} {DRIVER_OHM + L0_OHM}",
            f"L{name} tx{name} emc{name} {network.l0:.6e}",
            f"CE{name} emc{name} 0 {network.c0:.6e}",
            f"CS{name} emc{name} bal{name} {network.c1:.6e}",
        ]
    lines += [
        "LT1 balP balN 100u", "LT2 rf 0 100u", "KT LT1 LT2 0.99999", "RF balN 0 1e6",
        f"CM rf 0 {7 * SWITCH_FARAD:.6e}", f"RS rf line {SWITCH_OHM}",
        f"RA1 line mid {series:.6f}", f"RA2 mid 0 {shunt:.6f}", f"RA3 mid port {series:.6f}",
        *_antenna(design, "port"),
        ".control",
        f"ac lin 1 {CARRIER} {CARRIER}", "print mag(i(VI))",
        f"ac lin 4001 {CARRIER * 0.8} {CARRIER * 1.2}", "print mag(i(VI))",
        ".endc", ".end", "",
    ]  # fmt: skip
    return "\n".join(lines)


def run(netlist: str) -> str:
    """What `ngspice -b` prints for a netlist."""
    if shutil.which("ngspice") is None:
        raise SpiceError("ngspice is not installed: apt-get install ngspice")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "circuit.cir"
        file.write_text(netlist)
        done = subprocess.run(  # noqa: S603 - the program is Debian's, the file is our own
            ["ngspice", "-b", str(file)],  # noqa: S607 - found on the path on purpose
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=folder,
        )
    return done.stdout


def _numbers(printed: str, name: str) -> list[float]:
    return [float(line.split("=")[1]) for line in printed.splitlines() if line.startswith(name + " =")]


def _table(printed: str) -> list[tuple[float, float]]:
    rows = []
    for line in printed.splitlines():
        cells = line.split()
        if len(cells) == 3 and cells[0].isdigit():
            rows.append((float(cells[1]), float(cells[2])))
    return rows


def ask(design: Design) -> Answer:
    """Port, current and bandwidth of one antenna according to ngspice."""
    printed = run(port_netlist(design))
    real, imaginary = _numbers(printed, "real(v(port))"), _numbers(printed, "imag(v(port))")
    whole = run(chain_netlist(design))
    current, sweep = _numbers(whole, "mag(i(vi))"), _table(whole)
    if not (real and imaginary and current and len(sweep) > 2):
        raise SpiceError(f"ngspice did not answer for {design.zone.name}: {printed[-300:]} {whole[-300:]}")
    limit = max(size for _, size in sweep) / math.sqrt(2)
    inside = [frequency for frequency, size in sweep if size >= limit]
    return Answer(complex(real[0], imaginary[0]), current[0], CARRIER / (inside[-1] - inside[0]))
