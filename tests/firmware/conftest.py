"""The firmware's modules as they are on a board, for the tests that run under CPython."""

from __future__ import annotations

import sys
from pathlib import Path

from tablectl import wire

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware"

# A board has `wire.py` beside the others. Only that file of the package may be found by its bare name.
sys.modules["wire"] = wire
sys.path += [str(FIRMWARE), str(HERE)]
