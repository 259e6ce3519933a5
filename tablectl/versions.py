"""Which version of tablectl a text names, and which of two versions is older.

Owns: how a board's firmware names its version in HELLO, and the comparison. Refuses: judging what it cannot read.

A board flashed from this release says `tablectl 1.4.2`; words may follow, as in `tablectl 1.4.2 (simulated)`.
Versions are compared number by number: 1.10 is newer than 1.9, and 1.4 is as old as 1.4.0.
"""

from __future__ import annotations

import re

from tablectl import __version__

_NAMED = re.compile(r"tablectl (\d{1,9}(?:\.\d{1,9})*)(?: .*)?", re.ASCII | re.DOTALL)


def firmware_name(version: str = __version__) -> str:
    """What a board that carries this version's firmware says of itself."""
    return f"tablectl {version}"


def named(firmware: str) -> str | None:
    """The version in a board's own words; None if it is another maker's board, or a form that nobody knows."""
    found = _NAMED.fullmatch(firmware)
    return found[1] if found else None


def is_older(firmware: str, than: str = __version__) -> bool:
    """Whether these words name a version of ours that came before `than`. What names none is not older."""
    theirs, ours = named(firmware), named(firmware_name(than))
    return theirs is not None and ours is not None and _numbers(theirs) < _numbers(ours)


def _numbers(version: str) -> list[int]:
    numbers = [int(part) for part in version.split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()  # 1.4.0 is 1.4
    return numbers
