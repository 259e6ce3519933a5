"""What the table sensed: the only things that may change the state of the core.

Owns: the events that readers, the optical sensor and the dealer's inputs produce, as data.
Refuses: their JSON spelling (`tablectl.recording`) and their bytes (`tablectl.wire`).

All times are milliseconds since the recording began.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Seen:
    """One tag that one antenna read during a sweep.

    `rssi` is the reader's own figure (dBm or a raw count), None where the reader has none.
    `age` is how long before the sweep's `t` the tag was read, in ms.
    """

    antenna: int
    uid: str
    rssi: int | None = None
    age: int = 0


@dataclass(frozen=True, slots=True)
class Sweep:
    """A level report of one reader: every tag it sees now.

    `polled` names the antennas that were looked at completely: one that is polled and not in `seen` was empty,
    one that is not polled says nothing.
    """

    t: int
    reader: int
    polled: tuple[int, ...]
    seen: tuple[Seen, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """The optical sensor at the shoe mouth saw a card go by; `face` is None if it could not tell."""

    t: int
    reader: int
    antenna: int
    face: Literal["up", "down"] | None


@dataclass(frozen=True, slots=True)
class Lost:
    """A reader went silent or was unplugged: its antennas see nothing until `Found`."""

    t: int
    reader: int


@dataclass(frozen=True, slots=True)
class Found:
    """A lost reader is back."""

    t: int
    reader: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Frames of a reader were lost on the line: what was not reported meanwhile is not known to be absent."""

    t: int
    reader: int


Health = Literal["ok", "weak", "open", "shorted", "silent"]


@dataclass(frozen=True, slots=True)
class AntennaHealth:
    """A reader's verdict on one of its antennas."""

    t: int
    reader: int
    antenna: int
    state: Health


@dataclass(frozen=True, slots=True)
class Entry:
    """One input of the dealer or the floor: `do` names it, `args` holds its fields (`tablectl.core.entries`)."""

    t: int
    do: str
    args: Mapping[str, Any] = field(default_factory=dict)


Sensed = Sweep | Passage | Lost | Found | Gap | AntennaHealth | Entry
