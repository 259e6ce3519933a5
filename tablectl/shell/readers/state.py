"""What a reader says of itself, and how long it waits for what.

Owns: `ReaderState`, which the display and the technician see, `Standing`, which tells its changes, and
`Timing`, every delay of the drivers.
Refuses: deciding when a state changes (a driver's session, `serial_reader`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from tablectl.core.sensed import Found, Lost, Sensed

State = Literal["connecting", "ok", "lost", "busy", "missing", "refused"]


@dataclass(frozen=True, slots=True)
class ReaderState:
    """One reader as it stands: `text` says what is wrong and what would help; empty if all is well."""

    number: int
    port: str
    state: State
    text: str = ""
    firmware: str = ""
    board_id: str = ""


class Standing:
    """How one reader stands, told whenever it changes: Lost and Found once each, in turn."""

    def __init__(
        self, number: int, port: str, emit: Callable[[Sensed], None], report: Callable[[ReaderState], None]
    ) -> None:
        self.state = ReaderState(number, port, "connecting")
        self._emit = emit
        self._report = report
        self._lost = False

    def lose(self, t: int, state: State, text: str, *, firmware: str = "", board_id: str = "") -> None:
        """There is nothing to talk to; `text` says why."""
        if not self._lost:
            self._lost = True
            self._emit(Lost(t, self.state.number))
        self.say(state, text, firmware=firmware, board_id=board_id)

    def find(self, t: int) -> None:
        """It answers (again)."""
        if self._lost:
            self._lost = False
            self._emit(Found(t, self.state.number))

    def say(self, state: State, text: str, *, firmware: str = "", board_id: str = "") -> None:
        """What others see now; a repeat tells nobody."""
        now = replace(self.state, state=state, text=text, firmware=firmware, board_id=board_id)
        if now != self.state:
            self.state = now
            self._report(now)


@dataclass(frozen=True, slots=True)
class Timing:
    """Delays in milliseconds. The first four are the wire protocol's, the others our own."""

    hello: int = 500
    reply: int = 250
    tries: int = 3
    silence: int = 3000
    probe: int = 1500
    """How long a port that may be the wrong one gets to answer."""
    retry_first: int = 200
    retry_longest: int = 5000
    look: int = 100
    """How often to look whether a device node has come, while there is nothing to open."""
    plan_again: int = 2000
    """When to offer the poll plan again to a board that did not take it."""


DEFAULT_TIMING = Timing()

COUNTERS = (
    "bytes",
    "frames",
    "bad_cobs",
    "bad_crc",
    "too_long",
    "bad_body",
    "unknown_kind",
    "unknown_values",
    "extra_bytes",
    "duplicates",
    "gaps",
    "lost_frames",
    "doubted_antennas",
    "noise_uids",
    "unmapped_antenna",
    "before_hello",
    "log_lines",
    "log_lines_dropped",
    "hello_asked",
    "commands",
    "command_timeouts",
    "command_failures",
    "stray_results",
    "refused",
    "reboots",
    "opened",
    "stolen_reads",
    "unsent_frames",
)
"""Everything a tablewire board counts, for the metrics and for the technician."""


def printable(text: str) -> str:
    """A board's words as they can be shown."""
    return "".join(char if char.isprintable() else "?" for char in text)
