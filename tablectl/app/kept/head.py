"""What stands above a moment that is kept: of which table, boot and run it is, and what the journal is still owed.

Owns: its fields, their spelling, and whether a start may take up what is below it. Refuses: the core itself (`moment`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from tablectl.errors import KeptError

FORMAT: Final = 1
MOST_AGE_MS: Final = 10 * 60_000
"""What was last kept longer ago is not taken up, ms: by then somebody has worked at the table, or played on without it.
A restart takes seconds, and the slowest twenty in a row ten minutes [A]."""

Line = dict[str, Any]
"""One line of a recording."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A line that the journal did not have for sure, with the decisions that followed from it; None if it has that."""

    line: Line | None
    decisions: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a moment before it is read."""

    code: str
    table: str
    """Prints of the program and of the configuration (`moment`)."""
    boot: str
    origin_ns: int
    """When `t` was 0, ns of CLOCK_BOOTTIME."""
    t: int
    """Of the last line before the moment, ms."""
    run: str
    """Names this run of the table, in the journal's header as well."""
    continues: int | None
    """The journal's night that this run goes on with; None if it began one."""
    lines: int
    decisions: int
    """How many of each the journal was given in this run before `owed`."""
    owed: tuple[Owed, ...]

    def spelled(self, moment: bytes) -> bytes:
        """The head as one line of JSON, and the moment below it."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        owed = [{"line": each.line, "decisions": each.decisions} for each in self.owed]
        return json.dumps({"format": FORMAT, **fields, "owed": owed}).encode() + b"\n" + moment

    @classmethod
    def of(cls, text: bytes) -> tuple[Self, bytes]:
        """The head and the moment below it. KeptError if there is none of this version."""
        first, _, moment = text.partition(b"\n")
        try:
            given: Mapping[str, Any] = json.loads(first)
            if given["format"] != FORMAT:
                raise KeptError("another version of tablectl kept it")
            owed = tuple(Owed(each["line"], tuple(each["decisions"])) for each in given["owed"])
            return cls(**{**{name: given[name] for name in cls.__slots__}, "owed": owed}), moment
        except (ValueError, KeyError, TypeError):
            raise KeptError("it is damaged") from None

    def must_fit(self, code: str, table: str, boot: str) -> None:
        """KeptError if it is not of this program, this configuration and this boot."""
        if self.boot != boot:
            raise KeptError("it is of another boot of this computer")
        if self.code != code:
            raise KeptError("another version of tablectl kept it")
        if self.table != table:
            raise KeptError("it is of another configuration, deck or rulebook")


def must_be_recent(t: int, now: int) -> None:
    """KeptError if the last line is too old, both in ms since the recording began."""
    if now - t > MOST_AGE_MS:
        old, most = (now - t) // 60_000, MOST_AGE_MS // 60_000
        raise KeptError(f"its last line is {old} minutes old, and {most} are the most")
