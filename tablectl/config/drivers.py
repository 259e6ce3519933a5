"""The reader drivers that a configuration may name, and what each demands of its section, as data.

Owns: one entry a driver. A configuration is checked by these alone, so that `check-config` loads no driver and
none of their libraries.
Refuses: the drivers themselves: each is the file of the same name in `shell/readers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tablectl.layout import SHOE

LAST_ANTENNA = 31
"""`polled` in SIGHTINGS has one bit per antenna, 32 in all (wire protocol); no other driver has more."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What one driver's device is, as far as a configuration can be wrong about it."""

    antennas: range
    """The numbers that the device's antennas have."""
    right: str
    """Completes a fault: what antennas the device has, and what they may watch."""
    zones: frozenset[str] = frozenset()
    """The only zones that it may watch; empty if it may watch all."""
    has_id: bool = False
    """Whether the device tells itself from another of its kind; if not, only its port does. A driver whose devices
    have ids takes the keyword `claims` (`shell/readers/claims.py`)."""


DRIVERS: Mapping[str, Demands] = MappingProxyType({
    "tablewire": Demands(
        range(LAST_ANTENNA + 1), f"a tablewire board has antennas 0 to {LAST_ANTENNA}", has_id=True
    ),
    "pn532": Demands(
        range(1),
        "a PN532 has one antenna, number 0, and reads one card at a time: it may watch the shoe, no other zone",
        zones=frozenset({SHOE}),
    ),
    "pepper": Demands(range(1, 9), "a Pepper C1 MUX has antennas 1 to 8, numbered like its connectors"),
})  # fmt: skip
"""A new driver is one entry here and one file in `shell/readers` (CONTRIBUTING, "Adding a driver")."""
