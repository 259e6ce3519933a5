"""What waits in memory for the disk: rows of the journal in their order, and how much of it there may be.

Owns: blocks and when they end, numbering, the bounds of memory and what is lost beyond them. Refuses: threads (its one
user holds a lock), sealing, disks.

- A sensed line goes into the open block, which takes its `seq` with its first line. A decision ends it: what the
  decision rests on stands before it, and is committed no later. So does a second, and size.
- What finds no room is counted. The next row that does find room gets a row `lost` before it that says so: numbers
  have no holes, and a row that is missing in a file was taken out of it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

BLOCK_S: Final = 1.0
"""How long a block may be open, s: so much of what was sensed a power cut can take."""
BLOCK_MS: Final = 1000
"""The same in table time, ms: a soak lets it pass faster."""
BLOCK_BYTES: Final = 128 << 10
GROUP_S: Final = 0.05
"""How long the first row of a group waits for others, s: with the disk's own time it is acknowledged in 0.1 s."""
GROUP_ROWS: Final = 500
"""Most rows of one transaction, so that a long backlog is acknowledged piece by piece."""
SENSED_BYTES: Final = 24 << 20
"""Memory for rows that wait, bytes: half an hour of a full table without a disk, for the writer packs what waits."""
DECISION_BYTES: Final = SENSED_BYTES + (4 << 20)
"""Decisions are few and matter most."""
ROW_BYTES: Final = 300
"""What a row takes in memory beside its texts, bytes (object, numbers, string headers; CPython 3.11: 240)."""
LINE_BYTES: Final = 60
"""What a line of an open block takes beside its text, bytes."""


@dataclass(slots=True)
class Row:
    """One entry on its way to the disk."""

    seq: int
    kind: str
    public: str
    lines: list[str] = field(default_factory=list)
    """What is to be sealed; empty as soon as it is in `sealed`."""
    sealed: bytes | None = None
    since: float = 0.0
    """From when it waits for its group, monotonic s."""
    size: int = ROW_BYTES
    count: int = 0
    """Lines or decisions in it."""
    told: bool = False
    """The end of a hand: a head is signed behind it."""


class Waiting:
    """The rows of one night that are not on the disk yet.

    `clock` gives monotonic s; `keeps` if sensed lines are kept.
    """

    def __init__(self, clock: Callable[[], float], *, keeps: bool) -> None:
        self.seq = 0
        """Of the newest row."""
        self.bytes = 0
        self.entries = 0
        """Lines and decisions that wait."""
        self.dropped = 0
        """Those that found no room, in the whole night."""
        self._clock = clock
        self._keeps = keeps
        self._rows: deque[Row] = deque()
        self._open: Row | None = None
        self._from = self._to = 0
        self._lost: list[int] = []
        """Lines, decisions, and the first and last ms of what found no room since the last row that did."""

    def __len__(self) -> int:
        return len(self._rows) + (self._open is not None)

    @property
    def closed(self) -> int:
        """Rows that are ready for the disk."""
        return len(self._rows)

    # --- added ----------------------------------------------------------------------------------------------

    def sense(self, text: str, t: int) -> None:
        """One sensed line of the moment `t`, ms, if there is room for it."""
        if not self._keeps:
            return
        size = len(text) + LINE_BYTES
        if not self._has_room(size, SENSED_BYTES):
            self._lose(0, t)
            return
        block = self._open
        if block is not None and (t - self._from >= BLOCK_MS or block.size + size > BLOCK_BYTES):
            self.end_block()
            block = None
        if block is None:
            block = self._open = Row(self._next(), "sensed", "", since=self._clock())
            self.bytes += block.size
            self._from = t
        self._to = t
        block.lines.append(text)
        block.count += 1
        block.size += size
        self.bytes += size
        self.entries += 1

    def decide(self, text: str, t: int, *, told: bool) -> None:
        """One decision, if there is room for it. `told`: a head is signed behind it."""
        if not self._has_room(len(text) + ROW_BYTES, DECISION_BYTES):
            self._lose(1, t)
        else:
            self._add("decision", text, count=1, told=told)

    def note(self, text: str) -> int:
        """Something that the journal says of itself; so little that there is always room. Its `seq`."""
        self._add("note", text)
        return self.seq

    def _add(self, kind: str, text: str, *, count: int = 0, told: bool = False) -> None:
        self.end_block()
        row = Row(self._next(), kind, text, since=self._clock(), size=len(text) + ROW_BYTES)
        row.count, row.told = count, told
        self._rows.append(row)
        self.bytes += row.size
        self.entries += count

    def _has_room(self, size: int, bound: int) -> bool:
        return self.bytes + size <= bound

    def _lose(self, which: int, t: int) -> None:
        self.end_block()
        if not self._lost:
            self._lost = [0, 0, t, t]
        self._lost[which] += 1
        self._lost[3] = t
        self.dropped += 1

    def _next(self) -> int:
        self.say_lost()
        self.seq += 1
        return self.seq

    def say_lost(self) -> None:
        """A row for what found no room, if there was any."""
        if self._lost:
            lines, decisions, begin, end = self._lost
            self._lost = []
            said = {"lines": lines, "decisions": decisions, "from": begin, "to": end}
            self._add("lost", json.dumps(said, separators=(",", ":")))

    def end_block(self) -> None:
        """The open block, if there is one, is ready for the disk."""
        block, self._open = self._open, None
        if block is not None:
            span = {"from": self._from, "to": self._to, "lines": len(block.lines)}
            block.public = json.dumps(span, separators=(",", ":"))
            block.since = self._clock()
            self._rows.append(block)

    # --- taken ----------------------------------------------------------------------------------------------

    def due_at(self) -> float | None:
        """When the next group must be written, monotonic s; None while nothing waits."""
        times = []
        if len(self._rows) >= GROUP_ROWS:
            return 0.0
        if self._rows:
            times.append(self._rows[0].since + GROUP_S)
        if self._open is not None:
            times.append(self._open.since + BLOCK_S)
        return min(times, default=None)

    def group(self, *, hurry: bool) -> list[Row]:
        """The rows that are written next; they wait on until `written`. With `hurry` the open block is among them."""
        if self._open is not None and (hurry or self._clock() >= self._open.since + BLOCK_S):
            self.end_block()
        return list(islice(self._rows, GROUP_ROWS))

    def sealed(self, row: Row, sealed: bytes) -> None:
        """What was to be sealed in that row is: it takes less memory now."""
        row.sealed = sealed
        row.lines = []
        size = ROW_BYTES + len(row.public) + len(sealed)
        self.bytes += size - row.size
        row.size = size

    def written(self, rows: list[Row]) -> None:
        """They are on the disk."""
        for row in rows:
            self._rows.popleft()
            self.bytes -= row.size
            self.entries -= row.count
