"""What a reader says of itself, and how long it waits for what.

Owns: `ReaderState`, which the display and the technician see, and `Timing`, every delay of the driver.
Refuses: deciding when a state changes (`session`, `tablewire`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Timing:
    """Delays in milliseconds. The first four are the wire protocol's, the others our own."""

    hello: int = 500
    reply: int = 250
    tries: int = 3
    silence: int = 3000
    probe: int = 1500
    """How long a port that may be the wrong one gets to answer GET_HELLO."""
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
"""Everything a reader counts, for the metrics and for the technician."""
