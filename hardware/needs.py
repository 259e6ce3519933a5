"""What a table needs beside the parts of its boards: bare boards, boxes, cables, and what fixes and tunes them.

Owns: counting it by `table.toml`, the cable plan, the boxes' sizes and the antennas' values.
Refuses: part numbers (`bill`).
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.antenna.design import design, to_tune
from hardware.antenna.zones import read_zones
from hardware.boxes import LID_SCREWS, boxes
from hardware.inputs import reading
from hardware.power import cables

TABLE = Path(__file__).parent / "table.toml"
CONVERTER_SCREWS = 4
MADE = {
    "bare": "bare board {name}: antennas from antennas/, the others from netlists/ after layout",
    "printed": "{name} box and its lid, printed from enclosure/, PETG",
}
"""What is made and not bought, by the first word of its key."""


@dataclass(frozen=True)
class Need:
    """So many of a part (metres of a wire), and what for."""

    part: str
    quantity: int
    purpose: str


def table_needs() -> list[Need]:
    """All of it. InputError: the file cannot be read, or names no parts for a cable of the plan."""
    with reading(TABLE):
        data = tomllib.loads(TABLE.read_text())
        return [
            *(Need(part, count, "table") for part, count in data["bought"].items()),
            *(Need(f"bare {name}", count, "boards") for name, count in board_counts().items() if count),
            *_cables(data["cables"], data["spare"]["share"]),
            *_boxes(data["boxes"]),
            *(Need(part, count * _antennas(), "antennas") for part, count in data["antennas"].items()),
            *(Need(f"C {value} RF", data["tuning"]["each"], "tuning") for value in tuning_values()),
            *(Need(part, 0, why) for part, why in data["optional"].items()),
        ]


def board_counts() -> dict[str, int]:
    """How many of each board a table has."""
    counts: dict[str, int] = dict(tomllib.loads(TABLE.read_text())["boards"])
    return counts | {f"antenna-{zone.name}": zone.count for zone in read_zones().zones.values()}


def _antennas() -> int:
    return sum(count for name, count in board_counts().items() if name.startswith("antenna-"))


def tuning_values() -> list[str]:
    """Values to choose C12 and C22 from, of all antennas that a table has: "4.7p"."""
    zones = read_zones()
    designs = [design(zone, zones) for zone in zones.zones.values() if zone.count]
    return [
        f"{farad * 1e12:.3g}p" for farad in sorted({farad for found in designs for farad in to_tune(found)})
    ]


def _cables(made_of: Mapping[str, Mapping[str, int]], share: float) -> Iterator[Need]:
    for name, cable in cables().items():
        contacts = 0
        for part, count in made_of[name].items():
            pieces = count * cable.quantity
            if part.startswith("wire "):
                pieces = math.ceil(pieces * cable.metres * (1 + share))
            if part.startswith("plug XH"):
                contacts += pieces * int(part.removeprefix("plug XH"))
            yield Need(part, pieces, name)
        if contacts:
            yield Need("contact XH", math.ceil(contacts * (1 + share)), name)


def _boxes(data: Mapping[str, Any]) -> Iterator[Need]:
    each = {part: count for part, count in data.items() if part not in boxes()}
    for name, box in boxes().items():
        count = data[name]
        yield Need(f"printed {name}", count, "boxes")
        # A spacer's own thread holds the board below it.
        yield Need("screw box", count * (len(box.posts()) - box.spacers() + LID_SCREWS), f"{name} box")
        if box.spacers():
            yield Need("spacer", count * box.spacers(), f"{name} box")
            yield Need("screw panel", count * box.spacers(), f"{name} box")
        if any(board.name == "converter" for board in box.boards):
            yield Need("screw converter", count * CONVERTER_SCREWS, f"{name} box")
        yield from (Need(part, count * pieces, f"{name} box") for part, pieces in each.items())
