"""The firmware's side of the line: frames in, frames out.

Owns: sequence numbers, the bounded queue of bytes that the host has not taken yet, what is dropped when it is full.
Refuses: what frames mean.

A frame that finds no room is dropped whole and uses up its sequence number: the host then sees a gap and knows that it
missed something. HELLO and RESULT have room of their own, so that a host that comes back gets its answers.
"""

import update
import wire

TYPE_CHECKING = False  # see wire.py
if TYPE_CHECKING:
    from typing import Any

    from board import Board

QUEUE = 2048
"""Bytes that may wait for the host: half a second of a full table's sightings."""
FOR_ANSWERS = 512
"""So many of them are only for HELLO and RESULT."""
LOG_MOST = 100
"""Characters of a LOG or of a RESULT's detail; far below what a body holds."""
INFO, WARNING, ERROR = 1, 2, 3
"""Levels of LOG."""


class Line:
    """One line to the host, over the bytes of a `Board`."""

    def __init__(self, board: "Board") -> None:
        self.dropped = 0
        """Frames that found no room."""
        self.wanted = False
        """A flasher has asked for the line."""
        self._board = board
        self._decoder = wire.Decoder()
        self._seq = 0
        self._queue = bytearray(QUEUE)
        self._first = 0
        self._held = 0
        self._flasher = update.Listener()

    @property
    def bad(self) -> int:
        """Frames of the host that were damaged, so far."""
        decoder = self._decoder
        return decoder.bad_cobs + decoder.bad_crc + decoder.too_long

    @property
    def waiting(self) -> int:
        """Bytes that the host has not taken yet."""
        return self._held

    def frames(self) -> "list[tuple[int, int, bytes]]":
        """The host's frames that are complete by now, as (kind, seq, body)."""
        data = self._board.read()
        if not data:
            return []
        if self._flasher.heard(data):
            self.wanted = True
        return self._decoder.feed(data)

    def send(self, kind: int, **fields: "Any") -> None:
        """Queue a frame."""
        frame = wire.encode(kind, self._seq, wire.pack(kind, **fields))
        self._seq = (self._seq + 1) & 0xFF
        kept_free = 0 if kind in (wire.HELLO, wire.RESULT) else FOR_ANSWERS
        if self._held + len(frame) > QUEUE - kept_free:
            self.dropped += 1
            return
        at = (self._first + self._held) % QUEUE
        before_the_end = min(len(frame), QUEUE - at)
        self._queue[at : at + before_the_end] = frame[:before_the_end]
        self._queue[: len(frame) - before_the_end] = frame[before_the_end:]
        self._held += len(frame)

    def answer(self, seq: int, kind: int, status: int, detail: str) -> None:
        """The RESULT of a command."""
        self.send(wire.RESULT, for_seq=seq, for_kind=kind, status=status, detail=detail[:LOG_MOST])

    def log(self, level: int, text: str) -> None:
        """A line for the technician."""
        self.send(wire.LOG, level=level, text=text[:LOG_MOST])

    def flush(self) -> None:
        """Give the host what it takes now."""
        while self._held:
            first = self._first
            end = min(first + self._held, QUEUE)
            taken = self._board.write(self._queue, first, end)
            self._first = (first + taken) % QUEUE
            self._held -= taken
            if first + taken < end:
                return
