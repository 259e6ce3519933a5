"""Readers: what antennas see, as `core.sensed` events.

Owns: one driver per kind of reader board, each kept alive through unplugging, silence and restarts.
Refuses: deciding anything about cards.
"""

from tablectl.shell.readers.claims import Claims
from tablectl.shell.readers.state import COUNTERS, ReaderState, State, Timing
from tablectl.shell.readers.tablewire import TablewireReader

__all__ = ["COUNTERS", "Claims", "ReaderState", "State", "TablewireReader", "Timing"]
