"""The zones' antennas as `zones.toml` describes them.

Owns: reading the file. Refuses: what the numbers come to (`design`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.antenna.coil import Coil
from hardware.inputs import reading

FILE = Path(__file__).with_name("zones.toml")
MM = 1e-3


@dataclass(frozen=True)
class Zone:
    """A zone's antenna: its coil, where cards may lie about its middle (m), how many a table has."""

    name: str
    coil: Coil
    cards: tuple[float, float]
    count: int
    says: str


@dataclass(frozen=True)
class Build:
    """What all antennas share; ohm and metres."""

    target: float
    coil_q: float
    layers: Mapping[str, float]
    """Thickness of what lies between a card and the copper, from the top."""
    pocket: float
    card_height_most: float
    metal: float
    ferrite_permeability: float
    ferrite: float
    ferrite_gap: float

    @property
    def card_height(self) -> float:
        """From the copper to a card that lies flat."""
        return sum(self.layers.values())


@dataclass(frozen=True)
class Zones:
    """All antennas of a table, what they share, and the coil of a card."""

    zones: Mapping[str, Zone]
    build: Build
    tag: Coil


def read_zones(file: Path = FILE) -> Zones:
    """Read the file; lengths become metres. InputError: it cannot be read."""
    with reading(file):
        return _zones(tomllib.loads(file.read_text()))


def _zones(data: Mapping[str, Any]) -> Zones:

    def coil(entry: Mapping[str, Any]) -> Coil:
        length, width = entry["size"]
        return Coil(length * MM, width * MM, entry["turns"], entry["track"] * MM, entry["gap"] * MM)

    zones = {
        name: Zone(
            name, coil(entry), (entry["cards"][0] * MM, entry["cards"][1] * MM), entry["count"], entry["says"]
        )
        for name, entry in data["zones"].items()
    }
    build = data["build"]
    shared = Build(
        build["target_ohm"],
        build["coil_q"],
        {name: thick * MM for name, thick in data["layers"].items()},
        build["pocket_mm"] * MM,
        build["card_height_most_mm"] * MM,
        build["metal_mm"] * MM,
        build["ferrite_permeability"],
        build["ferrite_mm"] * MM,
        build["ferrite_gap_mm"] * MM,
    )
    return Zones(zones, shared, coil(data["tag"]).moved(0.0, 0.0, shared.card_height))
