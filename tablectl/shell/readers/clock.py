"""Board time to host time.

Owns: the unwrapping of one board's 32-bit millisecond counter, and its offset to the host's clock.
Refuses: reading any clock itself. One `BoardClock` serves one boot of one board.

A frame can arrive late, never early: of all offsets (arrival minus board time) seen lately the smallest is
the nearest to the truth. "Lately" is one to two windows, so that a drift of 50 ppm stays below 2 ms.
"""

from __future__ import annotations

WRAP = 1 << 32
WINDOW_MS = 20_000
BACKWARD_MS = 10_000
"""An arrival that looks later than this is not late: the board's counter was set back."""


class BoardClock:
    """Maps one board's wrapping millisecond counter to milliseconds of the host."""

    def __init__(self, window_ms: int = WINDOW_MS) -> None:
        self._window = window_ms
        self._last: int | None = None
        self._began = 0
        self._smallest = 0
        self._before: int | None = None

    def arrived(self, board_ms: int, t: int) -> None:
        """A frame that the board cannot have sent before `board_ms` arrived at host time `t`."""
        first = self._last is None
        self._last = self._unwrap(board_ms)
        offset = t - self._last
        if first or offset > self._offset + BACKWARD_MS:
            self._began, self._smallest, self._before = t, offset, None
        elif t - self._began >= self._window:
            stale = t - self._began >= 2 * self._window
            self._before = None if stale else self._smallest
            self._began, self._smallest = t, offset
        else:
            self._smallest = min(self._smallest, offset)

    def host(self, board_ms: int) -> int:
        """The host time of a board time near the last one that arrived."""
        return self._unwrap(board_ms) + self._offset

    @property
    def _offset(self) -> int:
        return self._smallest if self._before is None else min(self._smallest, self._before)

    def _unwrap(self, board_ms: int) -> int:
        if self._last is None:
            return board_ms
        return self._last + (board_ms - self._last + WRAP // 2) % WRAP - WRAP // 2
