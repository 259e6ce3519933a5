"""A calibration that was broken off, kept beside the configuration until it is over.

Owns: the file FILE.calibrating. Refuses: what the counts mean. No UID is in it. What is over is not kept: the
next course may come after a repair, and must measure anew.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from tablectl.calibrate.measured import Table, as_json, from_json
from tablectl.layout import Antenna, Layout
from tablectl.whole import write_whole

FORMAT = 1


def place_of(config: Path) -> Path:
    """Where the counts of that table's calibration are kept."""
    return config.with_name(f"{config.name}.calibrating")


def keep(place: Path, table: Table) -> None:
    """Keep what was measured so far; a power cut leaves the old file or the new one. OSError if it cannot be."""
    write_whole(place, json.dumps({"calibrating": FORMAT, "antennas": as_json(table)}) + "\n")


def read_kept(place: Path, layout: Layout) -> Table | None:
    """What was kept; None if there is nothing, or if it is of a table with other antennas."""
    try:
        data = json.loads(place.read_text(encoding="utf-8"))
        table = from_json(data["antennas"]) if data["calibrating"] == FORMAT else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    if table is None or any(layout.antennas.get(antenna) != each.zone for antenna, each in table.items()):
        return None
    return table


def forget(place: Path, table: Table, antennas: Collection[Antenna]) -> None:
    """Keep no more of these antennas; what was broken off at others stays. OSError if it cannot be."""
    left = {antenna: each for antenna, each in table.items() if antenna not in antennas and each.one}
    if left:
        keep(place, left)
    else:
        place.unlink(missing_ok=True)
