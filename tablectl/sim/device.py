"""A reader board's firmware, simulated: the wire protocol on one side, a `Board` on the other.

Owns: commands and their answers, HELLO, heartbeats, antenna health, sequence numbers, the bytes on the line.
Refuses: ptys (`ports`) and antennas (`board`).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from math import inf
from random import Random
from typing import Any

from tablectl import versions, wire
from tablectl.layout import BURN, MUCK, SHOE, is_board, seat_of
from tablectl.sim.board import Board, Frame
from tablectl.sim.line import Line
from tablectl.sim.timeline import Act, Timeline

FIRMWARE = f"{versions.firmware_name()} (simulated)"
RSSI, OPTICAL, TUNING, LED = 1, 2, 4, 8
"""Bits of HELLO's capabilities."""
OK, UNKNOWN_KIND, BAD_BODY, FAILED = 0, 1, 2, 4
"""Status of RESULT."""
FACES = {"down": 1, "up": 2}
"""The faces of PASSAGE that a simulated sensor tells."""
ALL_ANTENNAS = 0xFF
STATES = {"ok": 0, "weak": 1, "open": 2}
"""The states of ANTENNA_HEALTH that a simulated antenna can be in."""
LATEST_MS = 0xFFFF
"""So long after its frame began a read can be said to be, ms: a u16."""
ANSWER_MS = 1.0
"""From a command's arrival to its answer [A]."""


def kind_of(zone: str) -> int:
    """The antenna kind that HELLO gives as a hint: 1 shoe, 2 seat, 3 board, 4 burn, 5 muck, 0 any."""
    if seat_of(zone) is not None:
        return 2
    return 3 if is_board(zone) else {SHOE: 1, BURN: 4, MUCK: 5}.get(zone, 0)


def since_begun(ms: int) -> int:
    """`dt_ms` of a read, from the difference of two readings of a u32 clock: right across its wrap, and 0 to 65535."""
    ms &= 0xFFFFFFFF
    return 0 if ms >= 1 << 31 else min(ms, LATEST_MS)


class Device:
    """One board with its line. Bytes come in by `feed` and go out by `due`."""

    def __init__(self, board: Board, line: Line, time: Timeline, rng: Random, *, optical: bool) -> None:
        self.board, self.line, self.time = board, line, time
        self.board_id = b"SIM" + rng.randbytes(4) + bytes([board.number])
        self.plugged = True
        self.leds: dict[int, tuple[int, int, int, int]] = {}
        """Every LED as last set: (r, g, b, pattern)."""
        self.tx_dropped = 0
        self._rng, self._optical = rng, optical
        self._decoder = wire.Decoder()
        self._seq = 0
        self._out: list[tuple[float, int, bytes]] = []
        self._count = 0
        time.play(self._heart())

    @property
    def ready(self) -> bool:
        """The table computer has set a poll plan."""
        return self.plugged and bool(self.board.plan)

    # In -----------------------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        """Bytes from the table computer."""
        if not self.plugged:
            return
        for kind, seq, body in self._decoder.feed(data):
            self._command(kind, seq, body)

    def _command(self, kind: int, seq: int, body: bytes) -> None:
        if kind == wire.GET_HELLO:
            self.hello()
            return
        try:
            fields = wire.unpack(kind, body)
        except ValueError as wrong:
            known = kind in {wire.SET_POLL_PLAN, wire.SELF_TEST, wire.SET_LED}
            self._result(seq, kind, BAD_BODY if known else UNKNOWN_KIND, str(wrong))
            return
        commands: dict[int, Callable[[dict[str, Any]], tuple[int, str]]] = {
            wire.SET_POLL_PLAN: self._set_plan,
            wire.SELF_TEST: self._self_test,
            wire.SET_LED: self._set_led,
        }
        if kind not in commands:
            self._result(seq, kind, UNKNOWN_KIND, "not a command")
            return
        self._result(seq, kind, *commands[kind](fields))

    def _set_plan(self, fields: dict[str, Any]) -> tuple[int, str]:
        plan = {item["antenna"]: item["period_ms"] for item in fields["plan"]}
        strange = sorted(set(plan) - set(self.board.antennas))
        if strange:
            return BAD_BODY, f"no antenna {strange[0]}"
        self.board.set_plan(plan, self.time.now)
        for number, antenna in self.board.antennas.items():
            if antenna.state != "ok":
                self.health(number)
        return OK, ""

    def _self_test(self, fields: dict[str, Any]) -> tuple[int, str]:
        wanted = fields["antenna"]
        if wanted != ALL_ANTENNAS and wanted not in self.board.antennas:
            return BAD_BODY, f"no antenna {wanted}"
        for number in self.board.antennas if wanted == ALL_ANTENNAS else (wanted,):
            self.health(number)
        return OK, ""

    def _set_led(self, fields: dict[str, Any]) -> tuple[int, str]:
        self.leds[fields["led"]] = (fields["r"], fields["g"], fields["b"], fields["pattern"])
        return OK, ""

    # Out ----------------------------------------------------------------------------------------------------

    @property
    def next_at(self) -> float:
        """When the next bytes arrive at the table computer; infinity if none are on their way."""
        return self._out[0][0] if self._out else inf

    def due(self, t: float) -> bytes:
        """The bytes that have arrived at the table computer by `t`."""
        data = b""
        while self._out and self._out[0][0] <= t:
            data += heapq.heappop(self._out)[2]
        return data

    def hello(self) -> None:
        """Say who this board is."""
        noise = self.board.noise
        capabilities = TUNING | LED | (RSSI if noise.rssi else 0) | (OPTICAL if self._optical else 0)
        antennas = [
            {"antenna": antenna.number, "kind": kind_of(antenna.zone)}
            for antenna in self.board.antennas.values()
        ]
        self._send(
            wire.HELLO,
            major=wire.MAJOR,
            minor=wire.MINOR,
            boot_id=self.board.boot_id,
            board_id=self.board_id,
            firmware=FIRMWARE,
            capabilities=capabilities,
            antennas=antennas,
        )

    def sightings(self, frame: Frame) -> None:
        """Report a part of a sweep."""
        clock = self.board.clock
        t0 = clock(frame.begun)
        seen = [
            {
                "antenna": antenna,
                "dt_ms": since_begun(clock(at) - t0),
                "rssi": rssi or 0,
                "uid": bytes.fromhex(uid),
            }
            for antenna, at, uid, rssi in frame.seen
        ]
        polled = sum(1 << number for number in frame.polled)
        self._send(wire.SIGHTINGS, frame.sent, sweep=frame.sweep, t0_ms=t0, polled=polled, seen=seen)

    def passage(self, antenna: int, face: str) -> None:
        """The optical sensor saw a card go by, face `up` or `down`."""
        if self._optical and self.plugged:
            clock = self.board.clock(self.time.now)
            self._send(wire.PASSAGE, t_ms=clock, antenna=antenna, face=FACES[face])

    def health(self, number: int) -> None:
        """Report on one antenna."""
        antenna = self.board.antennas[number]
        self._send(
            wire.ANTENNA_HEALTH,
            antenna=number,
            state=STATES[antenna.state],
            tuning=0 if antenna.dead else round(1000 * antenna.gain),
            reads=antenna.looks & 0xFFFF,
            errors=0,
        )

    def restart(self, blind_ms: float) -> None:
        """The board goes silent, and after `blind_ms` says HELLO with a new boot id and no plan."""
        self._silence()
        self.plugged = False
        boot = self.board.boot_id

        def back() -> None:
            if self.board.boot_id == boot and not self.plugged:
                self.plugged = True
                self.hello()

        self.time.after(blind_ms, back)

    def unplug(self) -> None:
        """No power and no line any more."""
        self._silence()
        self.plugged = False

    def replug(self) -> None:
        """Power again: the board boots."""
        if not self.plugged:
            self._silence()
            self.plugged = True

    def _silence(self) -> None:
        self.board.reboot(self.time.now)
        self._out.clear()
        self._decoder = wire.Decoder()
        self._seq = 0

    def _heart(self) -> Act:
        while True:
            yield 1000.0
            if self.plugged:
                bad = self._decoder.bad_cobs + self._decoder.bad_crc + self._decoder.too_long
                self._send(
                    wire.HEARTBEAT,
                    uptime_ms=round(self.time.now - self.board.booted),
                    free_kib=96,
                    rx_errors=bad & 0xFFFF,
                    tx_dropped=self.tx_dropped & 0xFFFF,
                )

    def _result(self, seq: int, kind: int, status: int, detail: str) -> None:
        self._send(wire.RESULT, for_seq=seq, for_kind=kind, status=status, detail=detail[:60])

    def _send(self, kind: int, t: float | None = None, **fields: Any) -> None:
        """Put a message on the line at `t`, or as an answer right now."""
        frame = wire.encode(kind, self._seq, wire.pack(kind, **fields))
        self._seq = self._seq + 1 & 0xFF
        sent = self.time.now + ANSWER_MS if t is None else t
        arrivals = self.line.carry(sent)
        if not arrivals:
            rest = self.line.garbled_at(sent)
            if rest is not None:
                arrivals, frame = [rest], self._garble(frame)
        for arrival in arrivals:
            self._count += 1
            heapq.heappush(self._out, (arrival, self._count, frame))

    def _garble(self, frame: bytes) -> bytes:
        """A frame with one bit wrong, somewhere before its end."""
        place = self._rng.randrange(len(frame) - 1)
        return frame[:place] + bytes([frame[place] ^ 1 << self._rng.randrange(8)]) + frame[place + 1 :]
