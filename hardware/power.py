"""Power budget and cable plan: what each rail must give at worst, and what its cables lose.

Owns: the sums over `power.toml` and `cables.csv`. Refuses: typical figures; a table must work at its worst.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.inputs import reading

HERE = Path(__file__).parent
COPPER_WARM = 0.0192
"""Ohm mm²/m: copper at 45 °C (0.0172 at 20 °C, 0.39 % a kelvin)."""
CONTACT = 0.03
"""Ohm of one pair of plugs (USB 2.0, chapter 6: 30 milliohm a contact)."""


@dataclass(frozen=True)
class Load:
    """What a consumer takes at worst, mA, and where that figure is from."""

    what: str
    milliamperes: float
    why: str
    fuse: str = ""


@dataclass(frozen=True)
class Rail:
    """A supply: its voltage and limit, what hangs on it, and the voltage that must be left at the far end."""

    name: str
    volts: float
    limit: float
    least: float
    loads: tuple[Load, ...]
    fuse_ohm: float

    def total(self) -> float:
        """All loads at once, mA."""
        return sum(load.milliamperes for load in self.loads)

    def left(self, cable: Cable) -> float:
        """Voltage at the far end of a cable with all loads at once, V."""
        amperes = self.total() / 1000
        return self.volts - amperes * (cable.loop() + 2 * CONTACT + self.fuse_ohm)


@dataclass(frozen=True)
class Cable:
    """A line of the cable plan; area is None where it is no matter of supply."""

    ident: str
    start: str
    end: str
    quantity: int
    metres: float
    kind: str
    area: float | None
    amperes: float | None
    lost: float | None
    ends: str
    shield: str

    def loop(self) -> float:
        """Resistance there and back, ohm."""
        return 2 * self.metres * COPPER_WARM / self.area if self.area else 0.0

    def drop(self) -> float:
        """Voltage that the conductors lose at their current, V."""
        return self.loop() * (self.amperes or 0.0)


CABLES_OF = {"usb": "W4", "panel": "W2", "supply": "W1"}
"""The cable of each rail."""


def rails(file: Path = HERE / "power.toml") -> dict[str, Rail]:
    """All rails by name. InputError: the file cannot be read."""
    with reading(file):
        return _rails(tomllib.loads(file.read_text())["rails"])


def _rails(data: Mapping[str, Any]) -> dict[str, Rail]:
    return {
        name: Rail(
            name,
            rail["volts"],
            rail["limit"],
            rail["least"],
            tuple(
                Load(load["what"], load["mA"], load["why"], load.get("fuse", "")) for load in rail["loads"]
            ),
            rail.get("fuse_ohm", 0.0),
        )
        for name, rail in data.items()
    }


@dataclass(frozen=True)
class Fuse:
    """A resettable fuse: what it holds in a hot box, and what it has to carry at worst, mA."""

    name: str
    holds: float
    carries: float


@dataclass(frozen=True)
class Regulator:
    """The PN5180's regulator with the resistor before it, at its worst: V, ohm, mA, °C, K/W."""

    volts_in: float
    volts_out: float
    dropout: float
    ohm: float
    kelvin_per_watt: float
    most: float
    celsius: float
    milliamperes: float

    def watts(self) -> float:
        """What it turns into heat, all loads at once."""
        amperes = self.milliamperes / 1000
        return (self.volts_in - amperes * self.ohm - self.volts_out) * amperes

    def junction(self) -> float:
        """How hot it gets, °C."""
        return self.celsius + self.watts() * self.kelvin_per_watt

    def room(self, volts: float) -> float:
        """What is left above its dropout when the board gets so many volts, V."""
        return volts - self.milliamperes / 1000 * self.ohm - self.volts_out - self.dropout


def fuses(file: Path = HERE / "power.toml") -> list[Fuse]:
    """All resettable fuses. InputError: the file cannot be read."""
    with reading(file):
        heat = tomllib.loads(file.read_text())["heat"]
        loads = [load for rail in rails(file).values() for load in rail.loads]
        left = heat["hold_left"] * 1000
        found = [
            Fuse(
                f"{name} of the panel board",
                hold * left,
                sum(x.milliamperes for x in loads if x.fuse == name),
            )
            for name, hold in heat["fuses"].items()
        ]
        mouth = heat["mouth"]
        carried = sum(load.milliamperes for load in loads if load.what == mouth["load"])
        return [*found, Fuse("F1 of the reader board", mouth["hold"] * left, carried)]


def regulator(file: Path = HERE / "power.toml") -> Regulator:
    """The PN5180's regulator. InputError: the file cannot be read."""
    with reading(file):
        heat = tomllib.loads(file.read_text())["heat"]
        data = heat["regulator"]
        loads = [load.milliamperes for load in rails(file)["usb"].loads if load.what in data["loads"]]
        return Regulator(
            data["volts_in"], data["volts_out"], data["dropout"], data["ohm"], data["kelvin_per_watt"], data["most"],
            heat["celsius"], sum(loads),
        )  # fmt: skip


def heat() -> str:
    """Fuses and regulator in a hot box, as tables in Markdown."""
    hot = regulator()
    lines = [
        f"At {hot.celsius:g} °C in the box:",
        "",
        "| fuse | holds, mA | carries at worst, mA |",
        "|---|---|---|",
    ]
    lines += [f"| {fuse.name} | {fuse.holds:.0f} | {fuse.carries:.0f} |" for fuse in fuses()]
    return "\n".join(lines) + (
        f"\n\nThe PN5180's regulator turns {hot.watts():.2f} W into heat at worst, behind {hot.ohm:g} Ω, and gets "
        f"{hot.junction():.0f} °C hot; {hot.most:g} °C are allowed.\n"
    )


def cables(file: Path = HERE / "cables.csv") -> dict[str, Cable]:
    """The cable plan by the cables' names. InputError: the file cannot be read."""
    with reading(file):
        return _cables(file)


def _cables(file: Path) -> dict[str, Cable]:
    with file.open(newline="") as lines:
        rows = [list(row.values()) for row in csv.DictReader(lines)]
    return {
        row[0]: Cable(
            row[0], row[1], row[2], int(row[3]), float(row[4]), row[5],
            float(row[6]) if row[6] else None, float(row[7]) if row[7] else None,
            float(row[8]) if row[8] else None, row[9], row[10],
        )
        for row in rows
    }  # fmt: skip


def budget() -> str:
    """The budget as a table in Markdown."""
    plan = cables()
    lines = ["| rail | load | mA at worst | from |", "|---|---|---|---|"]
    for rail in rails().values():
        lines += [
            f"| {rail.name} | {load.what} | {load.milliamperes:.0f} | {load.why} |" for load in rail.loads
        ]
        cable = plan[CABLES_OF[rail.name]]
        lines.append(
            f"| **{rail.name}** | **of {rail.limit:.0f} mA** | **{rail.total():.0f}** | "
            f"{rail.left(cable):.2f} V left behind {cable.ident}, {rail.least} V needed |"
        )
    return "\n".join(lines) + "\n"


def cable_plan() -> str:
    """The cable plan as a table in Markdown."""
    lines = [
        "| cable | from | to | how many | length, m | what | ends | shield |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {c.ident} | {c.start} | {c.end} | {c.quantity} | {c.metres:g} | {c.kind} | {c.ends} | {c.shield} |"
        for c in cables().values()
    ]
    return "\n".join(lines) + "\n"
