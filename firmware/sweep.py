"""A sweep, cut into SIGHTINGS frames.

Owns: which antennas a sweep has had, and when a frame goes out.
Refuses: when to look, and what a read is worth.

A sweep ends when an antenna's turn comes that is in it already. A frame goes out when it is full, `FLUSH_MS` after
its first look began, or before the board idles; a look that it cannot date begins a new one. An antenna's bit in
`polled` is set in the frame that completes its list, and only if the whole look went well: an error is never "absent".
`tablectl/sim/board.py` cuts in the same way.
"""

import wire

TYPE_CHECKING = False  # see wire.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FLUSH_MS = 20
"""A frame is sent at the latest so long after its first look began, ms."""
LATEST_MS = 0xFFFF
"""So long after its frame began a read can be said to be, ms: a u16."""
SEEN_PER_FRAME = 17
"""So many reads of 8-byte UIDs fit the 240 bytes of a body."""


class Sweep:
    """The sweep under way, and its frame that has not gone out yet."""

    def __init__(self, send: "Callable[..., None]") -> None:
        self._send = send
        self._number = 0
        self._had = 0
        """A bit for every antenna that was looked at in this sweep, well or not."""
        self._open = False
        self._begun = 0
        self._polled = 0
        self._seen: list[dict[str, Any]] = []

    def add(
        self, antenna: int, start: int, reads: "list[tuple[int, int, bytes]]", end: int, *, whole: bool
    ) -> None:
        """One look, from `start` to `end` in ms: reads as (ms since `start`, rssi, UID); `whole` if nothing failed."""
        bit = 1 << antenna
        if self._had & bit:
            self.flush()
            self._number = (self._number + 1) & 0xFFFF
            self._had = 0
        self._had |= bit
        late = start - self._begun
        if self._open and (len(self._seen) + len(reads) > SEEN_PER_FRAME or not 0 <= late < FLUSH_MS):
            self.flush()
        self._begin(start)
        for dt, rssi, uid in reads:
            if len(self._seen) == SEEN_PER_FRAME:
                self.flush()
                self._begin(start)
            since = max(0, min(start + dt - self._begun, LATEST_MS))
            self._seen.append({"antenna": antenna, "dt_ms": since, "rssi": rssi, "uid": uid})
        if whole:
            self._polled |= bit
        if end - self._begun >= FLUSH_MS:
            self.flush()

    def flush(self) -> None:
        """Send the frame under way, if it says anything."""
        if self._open and (self._polled or self._seen):
            t0 = self._begun & 0xFFFFFFFF
            self._send(wire.SIGHTINGS, sweep=self._number, t0_ms=t0, polled=self._polled, seen=self._seen)
        self._open = False
        self._polled = 0
        self._seen.clear()

    def _begin(self, start: int) -> None:
        if not self._open:
            self._open = True
            self._begun = start
