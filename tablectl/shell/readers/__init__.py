"""Readers: what antennas see, as `core.sensed` events.

Owns: one driver per kind of reader board, each kept alive through unplugging, silence and restarts.
Refuses: deciding anything about cards.
"""

from __future__ import annotations

from collections.abc import Mapping

from tablectl.shell.readers.state import COUNTERS, ReaderState, State, Timing
from tablectl.shell.readers.tablewire import TablewireReader

DRIVERS: Mapping[str, type[TablewireReader]] = {"tablewire": TablewireReader}
"""Driver name → its class."""

__all__ = ["COUNTERS", "DRIVERS", "ReaderState", "State", "TablewireReader", "Timing"]
