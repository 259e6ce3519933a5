"""What an examination found: one line a thing.

Owns: `Line` and how the worst of many is told. Refuses: looking (the checks) and printing (`cli`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["ok", "warning", "fault"]
RANK: dict[State, int] = {"ok": 0, "warning": 1, "fault": 2}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at. `check` is a name that programs may rely on, `about` says which one of several."""

    check: str
    state: State
    text: str
    do: str = ""
    """What would put it right; empty where nothing is wrong."""
    about: str = ""

    def as_json(self) -> dict[str, Any]:
        """As `--json` tells it."""
        return {
            "check": self.check, "about": self.about, "state": self.state, "text": self.text, "do": self.do,
        }  # fmt: skip


def counted(number: int, what: str) -> str:
    """`1 night`, `2 nights`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def worst(lines: Iterable[Line]) -> State:
    """The gravest state of them; ok if there are none."""
    return max((line.state for line in lines), key=RANK.__getitem__, default="ok")
