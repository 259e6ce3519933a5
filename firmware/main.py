"""The firmware of a reader board: the loop.

Owns: the host's commands, HELLO, the heartbeat, lamps, the passages of the optical sensors, and that it all goes on.
Refuses: the order of looks (`poller`), the chip's pins (`board`).

One loop, one turn of which does at most one look: bytes from the host, edges of the optical sensors, one look,
the heartbeat, bytes to the host. Nothing in it waits for the host.
"""

import gc

import update
import wire
from line import ERROR, INFO, WARNING, Line
from mouth import Mouth
from poller import Poller

TYPE_CHECKING = False  # see wire.py
if TYPE_CHECKING:
    from collections.abc import Sequence

    from board import Board
    from radio import Radio

try:
    from version import VERSION  # written when the file set is built
except ImportError:
    VERSION = "0 (not built)"  # older than any release

FIRMWARE = "tablectl " + VERSION
OPTICAL, TUNING, LED = 2, 4, 8
"""Bits of HELLO's capabilities. Bit 0, signal strength, stays unset until silicon has shown that the AGC tells one tag
from another (RADIO.md): a table that trusted it would be misled, one without it works."""
OK, UNKNOWN_KIND, BAD_BODY = 0, 1, 2
"""Status of RESULT."""
ALL_ANTENNAS = 0xFF
SHOE_ANTENNA = 0
"""The antenna that PASSAGE names: the one at the mouth of the shoe, where the optical sensors sit."""
HEARTBEAT_MS = 1000
IDLE_MS = 10
"""The loop comes round at least this often, ms: a passage is told that soon after it is over."""
BLINKS = (0, 500, 125)
"""Patterns of SET_LED: steady, slow, fast; how long it is on and then off, ms."""
MOST_FAULTS = 20
"""Turns of the loop that may end in a fault of ours, one after the other, before the board starts afresh."""


class Clock:
    """Milliseconds since the start. MicroPython's ticks wrap after twelve days; these do not."""

    def __init__(self, board: "Board") -> None:
        self._board = board
        self._ticks = board.ticks_ms()
        self._now = 0

    def __call__(self) -> int:
        ticks = self._board.ticks_ms()
        self._now += self._board.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now


class Firmware:
    """Everything that runs on one board."""

    def __init__(self, board: "Board", radios: "Sequence[tuple[Radio, int]]") -> None:
        """`radios`: each front end's radio and how many antennas it has."""
        self._board = board
        self._clock = Clock(board)
        self._line = Line(board)
        self._poller = Poller(radios, self._clock, self._line)
        self._mouth = Mouth(board.ticks_diff)
        self._edges_lost = 0
        self._beat = HEARTBEAT_MS
        self._leds = [(0, 0, 0, 0)] * board.leds
        self._shown: list[tuple[int, int, int] | None] = [None] * board.leds
        self._faults = 0
        self._hello()

    def run(self) -> None:
        """Until a flasher asks for the line: then the board starts afresh and leaves it to the prompt."""
        while not self._line.wanted:
            self.turn()
        update.leave_mark()
        self._board.reset()

    def turn(self) -> None:
        """One turn of the loop. A fault of ours is told and the loop goes on; if it stays, the board starts afresh."""
        self._board.feed()
        try:
            self._turn()
            self._faults = 0
        except Exception as wrong:  # noqa: BLE001 - a board under a table has nobody to read a traceback
            gc.collect()
            if not self._faults:
                self._line.log(ERROR, f"{type(wrong).__name__}: {wrong}")
            self._faults += 1
            if self._faults == MOST_FAULTS:
                self._board.reset()

    def _turn(self) -> None:
        for kind, seq, body in self._line.frames():
            self._command(kind, seq, body)
        self._passages()
        wait = self._poller.turn()
        now = self._clock()
        if now >= self._beat:
            self._heartbeat(now)
        self._lamps(now)
        self._line.flush()
        if wait != 0:
            rest = IDLE_MS if wait is None else min(wait, IDLE_MS)
            self._board.idle(1 if self._line.waiting else rest)

    # --- commands -------------------------------------------------------------------------------------------

    def _command(self, kind: int, seq: int, body: bytes) -> None:
        if kind == wire.GET_HELLO:
            self._hello()
            return
        status, detail = self._do(kind, body)
        self._line.answer(seq, kind, status, detail)

    def _do(self, kind: int, body: bytes) -> "tuple[int, str]":
        """Do what the command says: the status and the detail of its RESULT."""
        if kind not in (wire.SET_POLL_PLAN, wire.SELF_TEST, wire.SET_LED):
            return UNKNOWN_KIND, "not a command"
        try:
            fields = wire.unpack(kind, body)
        except ValueError as wrong:
            return BAD_BODY, str(wrong)
        if kind == wire.SET_POLL_PLAN:
            return self._set_plan(fields["plan"])
        if kind == wire.SELF_TEST:
            return self._self_test(fields["antenna"])
        return self._set_led(fields)

    def _set_plan(self, plan: "list[dict[str, int]]") -> "tuple[int, str]":
        for item in plan:
            if item["antenna"] >= len(self._poller.antennas):
                return BAD_BODY, f"no antenna {item['antenna']}"
        if not self._poller.polling:
            cause = "the watchdog or a command" if self._board.barked else "power"
            self._line.log(INFO, f"{FIRMWARE}, started by {cause}")
        self._poller.set_plan(plan)
        return OK, ""

    def _self_test(self, wanted: int) -> "tuple[int, str]":
        """Each antenna's health follows as soon as it has been measured, after the RESULT."""
        antennas = self._poller.antennas
        if wanted != ALL_ANTENNAS and wanted >= len(antennas):
            return BAD_BODY, f"no antenna {wanted}"
        for antenna in antennas if wanted == ALL_ANTENNAS else [antennas[wanted]]:
            self._poller.test(antenna)
        return OK, ""

    def _set_led(self, fields: "dict[str, int]") -> "tuple[int, str]":
        led, pattern = fields["led"], fields["pattern"]
        if led >= len(self._leds):
            return BAD_BODY, f"no led {led}"
        if pattern >= len(BLINKS):
            return BAD_BODY, f"no pattern {pattern}"
        self._leds[led] = fields["r"], fields["g"], fields["b"], pattern
        return OK, ""

    # --- reports --------------------------------------------------------------------------------------------

    def _hello(self) -> None:
        antennas = [{"antenna": antenna.number, "kind": 0} for antenna in self._poller.antennas]
        self._line.send(
            wire.HELLO,
            major=wire.MAJOR,
            minor=wire.MINOR,
            boot_id=self._board.boot_id,
            board_id=self._board.id,
            firmware=FIRMWARE,
            capabilities=TUNING | LED | (OPTICAL if self._board.optical else 0),
            antennas=antennas,
        )

    def _heartbeat(self, now: int) -> None:
        """Once a second, and the rubbish is swept up in the same breath, so that `free_kib` is what is free."""
        self._beat = now + HEARTBEAT_MS - (now - self._beat) % HEARTBEAT_MS
        self._line.send(
            wire.HEARTBEAT,
            uptime_ms=now & 0xFFFFFFFF,
            free_kib=min(self._board.free() // 1024, 0xFFFF),
            rx_errors=self._line.bad & 0xFFFF,
            tx_dropped=self._line.dropped & 0xFFFF,
        )

    def _passages(self) -> None:
        """Cards that went by the optical sensors since the last turn."""
        board, mouth = self._board, self._mouth
        if board.edges_lost != self._edges_lost:
            lost = board.edges_lost - self._edges_lost
            self._edges_lost = board.edges_lost
            self._line.log(WARNING, f"{lost} edges of the optical sensors were lost")
            mouth.doubt()
        while True:
            edge = board.edge()
            us = board.ticks_us() if edge is None else edge[0]
            passed = mouth.passed(us)
            if passed is not None:
                self._passage(*passed)
            if edge is None:
                return
            mouth.edge(*edge)

    def _passage(self, us: int, face: int) -> None:
        board = self._board
        ago = board.ticks_diff(board.ticks_us(), us) // 1000
        t = (self._clock() - ago) & 0xFFFFFFFF
        self._line.send(wire.PASSAGE, t_ms=t, antenna=SHOE_ANTENNA, face=face)

    def _lamps(self, now: int) -> None:
        """The board's own lamp: on, all is well; slow, it waits for a plan; fast, a front end does not answer."""
        pattern = 2 if not self._poller.well else 0 if self._poller.polling else 1
        self._board.lamp(1 if lit(pattern, now) else 0)
        for number, (r, g, b, pattern) in enumerate(self._leds):
            colour = (r, g, b) if lit(pattern, now) else (0, 0, 0)
            if colour != self._shown[number]:
                self._shown[number] = colour
                self._board.led(number, r=colour[0], g=colour[1], b=colour[2])


def lit(pattern: int, now: int) -> bool:
    """Whether a lamp with this pattern is on at that moment, ms."""
    half = BLINKS[pattern]
    return not half or now // half % 2 == 0


def main() -> None:
    """Build the board and run it, unless this start is for a flasher."""
    if update.begins():
        return
    from board import Board
    from radio import Radio

    board = Board()
    Firmware(board, [(Radio(bus, board.ticks_ms, board.sleep_us), bus.antennas) for bus in board.buses]).run()


if __name__ == "__main__":
    main()
