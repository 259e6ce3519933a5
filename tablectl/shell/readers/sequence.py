"""Frames lost and frames doubled, told from their sequence numbers.

Owns: the count modulo 256 of one direction of one line. Refuses: what the frames say.
"""

from __future__ import annotations

from collections import deque

REMEMBERED = 16
"""Frames kept to recognise a repeat; far fewer than 256, so an honest frame never equals one of them."""


class Sequence:
    """Follows the sequence numbers of one board's frames."""

    def __init__(self) -> None:
        self._next: int | None = None
        self._recent: deque[tuple[int, int, bytes]] = deque(maxlen=REMEMBERED)

    def restart(self) -> None:
        """The board or the line starts afresh: whatever number comes next is right."""
        self._next = None
        self._recent.clear()

    def step(self, kind: int, seq: int, body: bytes) -> int | None:
        """How many frames were lost just before this one; None if it repeats one that was already taken."""
        frame = (kind, seq, body)
        if self._next is None:
            lost = 0
        else:
            lost = (seq - self._next) % 256
            if lost and frame in self._recent:
                return None
        self._next = (seq + 1) % 256
        self._recent.append(frame)
        return lost
