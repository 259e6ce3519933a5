"""A board with its firmware in simulated time, and the host's side of its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from main import Firmware
from simulated_board import PlayedRadio, SimulatedBoard

from tablectl import wire

Reads = list[tuple[int, int, bytes]]
UID = bytes.fromhex("E004015012345678")
OTHER = bytes.fromhex("E004015087654321")
Look = tuple[int, Reads, str | None]
"""ms that it takes, what it reads, and the kind of the fault that ends it."""


def empty(_antenna: int, _nth: int) -> Look:
    """A look that reads nothing."""
    return 3, [], None


class Desk:
    """A board with its firmware, and the host's side of its line."""

    def __init__(self, play: Callable[[int, int], Any] = empty, *, fronts: int = 1, **board: Any) -> None:
        self.board = SimulatedBoard(**board)
        self.radios = [PlayedRadio(self.board, play) for _ in range(fronts)]
        self.firmware = Firmware(self.board, [(radio, 8) for radio in self.radios])
        self._decoder = wire.Decoder()
        self._taken = 0
        self._seq = 0
        self.seqs: list[int] = []

    def say(self, kind: int, **fields: Any) -> int:
        """The host sends a command; its sequence number."""
        return self.raw(kind, wire.pack(kind, **fields))

    def raw(self, kind: int, body: bytes) -> int:
        seq, self._seq = self._seq, (self._seq + 1) % 256
        self.board.heard += wire.encode(kind, seq, body)
        return seq

    def plan(self, *antennas: int, period: int = 40, power: int = 255) -> int:
        return self.say(
            wire.SET_POLL_PLAN,
            plan=[{"antenna": each, "period_ms": period, "power": power} for each in antennas],
        )

    def run(self, ms: int = 100) -> Desk:
        end = self.board.us + ms * 1000
        while self.board.us < end:
            self.firmware.turn()
        return self

    def got(self, *kinds: int) -> list[tuple[int, dict[str, Any]]]:
        """What came since it was asked last, of these kinds or of all: (kind, fields)."""
        data = bytes(self.board.sent[self._taken :])
        self._taken += len(data)
        frames = self._decoder.feed(data)
        self.seqs += [seq for _, seq, _ in frames]
        found = [(kind, wire.unpack(kind, body)) for kind, _, body in frames]
        return [each for each in found if not kinds or each[0] in kinds]

    def fields(self, kind: int) -> list[dict[str, Any]]:
        return [fields for _, fields in self.got(kind)]

    def result(self) -> dict[str, Any]:
        (fields,) = self.run().fields(wire.RESULT)
        return fields

    def health(self) -> dict[int, int]:
        """Antenna → the state that was said last."""
        return {each["antenna"]: each["state"] for each in self.fields(wire.ANTENNA_HEALTH)}
