"""The firmware's modules as they are on a board, for the tests that run under CPython."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from tablectl import wire

FIRMWARE = Path(__file__).parents[2] / "firmware"

# A board has `wire.py` beside the others. Only that file of the package may be found by its bare name.
sys.modules["wire"] = wire
sys.path.append(str(FIRMWARE))

# The MicroPython wheel exists for one machine only.
collect_ignore = [] if platform.machine() == "x86_64" else ["test_board.py", "test_memory.py"]
