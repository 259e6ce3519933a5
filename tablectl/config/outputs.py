"""Which pins a panel drives, read from a configuration in which anything else may be wrong.

Owns: the one reading that asks for no more than it needs: whoever must silence a buzzer cannot wait until a deck
file is found again. Refuses: checking a configuration (`config.load` does), and the pins themselves.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablectl.config.faults import TomlFile, shortened
from tablectl.config.model import LAST_PIN, PIN
from tablectl.config.panel import OUTPUTS
from tablectl.errors import ABSENT, ConfigError, Fault


@dataclass(frozen=True, slots=True)
class Outputs:
    """The pins (BCM) that a panel drives, the buzzer first, and what drives them."""

    pins: tuple[int, ...]
    driver: str
    """rpi, simulated or none; what is no driver's name counts as rpi, for the pins are there all the same."""
    simulated_file: Path | None
    faults: tuple[Fault, ...] = ()
    """What was left out, and why."""


def outputs_of(path: Path) -> Outputs:
    """What `[panel]` of the file says of its outputs, as far as it can be read.

    Raises ConfigError if the file, or the part of it that is the panel's, cannot be read at all.
    """
    file = TomlFile(path, str(path))
    panel = file.data.get("panel", {}) if file.data is not None else _cut_out(path)
    if not isinstance(panel, dict):
        raise ConfigError(file.faults or [Fault(str(path), "panel", shortened(panel), "must be a section")])
    found = list(_pins(panel, str(path)))
    driver = panel.get("pins", "none")
    simulated = panel.get("simulated_file")
    return Outputs(
        pins=tuple(dict.fromkeys(each for each in found if isinstance(each, int))),
        driver=driver if driver in ("simulated", "none") else "rpi",
        simulated_file=path.absolute().parent / simulated if isinstance(simulated, str) else None,
        faults=(*file.faults, *(each for each in found if isinstance(each, Fault))),
    )


def _cut_out(path: Path) -> Any:
    """`[panel]` and its own tables out of a file that is no TOML; None if that cannot be read either."""
    try:
        lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except OSError:
        return None
    kept, ours = [], False
    for line in lines:
        header = line.strip().replace(" ", "")
        if header.startswith("["):
            ours = header.startswith(("[panel]", "[panel."))
        if ours:
            kept.append(line)
    try:
        return tomllib.loads("\n".join(kept)).get("panel")
    except ValueError:
        return None


def _pins(panel: Mapping[str, Any], shown: str) -> Iterator[int | Fault]:
    for key in OUTPUTS:
        given = panel.get(key, ABSENT)
        for pin in given if isinstance(given, list) else [given]:
            if type(pin) is int and 0 <= pin <= LAST_PIN:
                yield pin
            elif pin is not ABSENT:
                yield Fault(shown, f"panel.{key}", shortened(pin), f"is left as it is: it must be {PIN}")
