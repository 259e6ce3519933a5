"""A night of the firmware in simulated time, in as little memory as a board has left. Under MicroPython:

    micropython -X heapsize=N endure.py HOURS radio|played

`radio` runs the real radio on a simulated PN5180, `played` gives the poller its reads, which is faster. Cards come and
go, tags collide, noise makes up UIDs, the host stops reading, sends rubbish, asks for everything, and front ends hang.
A fault of the firmware, a MemoryError above all, ends it, and so does what the chip forbids. Prints what was free at
the start and then after each eighth of the time, a number of bytes a line, and in the end looks, frames and resets.
"""

import gc
import sys

import wire
from line import ERROR
from main import Firmware
from simulated_board import PlayedRadio, SimulatedBoard

HOUR_US = 3_600_000_000
QUIET_US = 3_000_000
"""Before memory is looked at the felt is empty for so long, so that it is always the same that lies in it."""
TURN_US = 20_000_000
"""So often something happens beside the polling."""


class Chance:
    """Numbers that look drawn (Lehmer, 48271 modulo 2^31 - 1)."""

    def __init__(self, seed):
        self._last = seed

    def below(self, top):
        self._last = self._last * 48271 % 2147483647
        return self._last % top


class CountingBoard(SimulatedBoard):
    """Its host takes everything and keeps nothing; `room` 0 makes it deaf."""

    taken = 0

    def write(self, data, start, end):
        if self.room == 0:
            return 0
        self.taken += data[start:end].count(b"\x00")
        return end - start

    def lamp(self, level):
        pass

    def led(self, number, r, g, b):
        pass


def uid(card):
    return bytes((0xE0, 4, 1, 80, 0x12, card & 0xFF, card * 7 & 0xFF, card * 29 & 0xFF))


class Night:
    """What happens at the table and on the line, over a board."""

    def __init__(self, board, chance):
        self.board, self.chance = board, chance
        self.lying = [[] for _ in range(8)]

    def play(self, antenna, _nth):
        chance = self.chance
        reads = [(6 * n + 6, -40, uid(card)) for n, card in enumerate(self.lying[antenna]) if chance.below(5)]
        if not chance.below(50):
            reads.append((6, -60, uid(chance.below(100_000))))
        fault = None if chance.below(40) else ("protocol", "field", "busy", "timeout")[chance.below(4)]
        return 3 + 6 * len(reads), reads, fault

    def goes_on(self):
        """Cards move; now and then the host or the front end does something."""
        chance, board = self.chance, self.board
        at = chance.below(8)
        self.lying[at] = [chance.below(54) for _ in range(chance.below((3, 24)[at == 7]))]
        board.room = 0 if not chance.below(10) else None
        what = chance.below(8)
        if what == 0:
            board.heard = wire.encode(wire.GET_HELLO, 1, b"") * 30
        elif what == 1:
            board.heard = plan()
        elif what == 2:
            board.heard = wire.encode(wire.SELF_TEST, 1, b"\xff")
        elif what == 3:
            board.heard = bytes(b & 0xFF for b in range(1, 600))
        elif what == 4:
            board.heard = wire.encode(wire.SET_LED, 1, bytes((0, 1, 2, 3, 1)))
        elif what == 5:
            at = board.us
            board.edges += [(at + 5000 * n, n & 1) for n in range(12)]

    def clear(self):
        """Nothing lies anywhere, and the host reads."""
        for lying in self.lying:
            lying.clear()
        self.board.room = None


def plan():
    antennas = [
        {"antenna": n, "period_ms": p, "power": 255} for n, p in enumerate((15, 40, 40, 40, 40, 25, 40, 120))
    ]
    return wire.encode(wire.SET_POLL_PLAN, 0, wire.pack(wire.SET_POLL_PLAN, plan=antennas))


class OnChip(Night):
    """The same with tags on a simulated chip, under the real radio."""

    def __init__(self, board, chance):
        import pn5180_sim
        from pn5180_sim import SimulatedPN5180
        from radio import Radio

        super().__init__(board, chance)
        pn5180_sim.KEPT = 4  # its diary must not take the memory that is measured
        self.chip = SimulatedPN5180(ChipClock(board))
        self.radio = Radio(self.chip, board.ticks_ms, board.sleep_us)

    def goes_on(self):
        from pn5180_sim import SimulatedTag

        super().goes_on()
        chip, chance = self.chip, self.chance
        for antenna in range(8):
            chip.tags[antenna] = [SimulatedTag(uid(card)) for card in set(self.lying[antenna])]
        chip.noise = chance.below(3)
        chip.busy_stuck = not chance.below(6)
        chip.stays_stuck = chip.busy_stuck and not chance.below(2)

    def clear(self):
        super().clear()
        chip = self.chip
        for tags in chip.tags.values():
            tags.clear()
        chip.noise = 0
        chip.busy_stuck = chip.stays_stuck = False


class ChipClock:
    """The board's time in the chip's unit, 1/13.56 µs; what the chip's doings take is the board's time, too."""

    def __init__(self, board):
        self._board = board
        self._part = 0

    @property
    def now(self):
        return self._board.us * 13560 // 1000 + self._part

    @now.setter
    def now(self, value):
        whole = self._board.us * 13560 // 1000
        us = (value - whole) * 1000 // 13560
        self._board.us += us
        self._part = value - self._board.us * 13560 // 1000


def main(hours, how):
    board = CountingBoard()
    night = (OnChip if how == "radio" else Night)(board, Chance(1))
    radio = night.radio if how == "radio" else PlayedRadio(board, night.play)
    looks = [0]
    look = radio.look

    def counted(antenna, power, several):
        looks[0] += 1
        return look(antenna, power, several)

    radio.look = counted
    firmware = Firmware(board, [(radio, 8)])
    faults = []
    log = firmware._line.log

    def noted(level, text):
        if level == ERROR:
            faults.append(text)
        log(level, text)

    firmware._line.log = noted
    board.heard = plan()
    end = int(hours * HOUR_US)
    happens = TURN_US
    for sample in range(9):
        while board.us < sample * end // 8:
            firmware.turn()
            if board.us >= happens:
                happens += TURN_US
                night.goes_on()
        night.clear()
        quiet = board.us + QUIET_US
        while board.us < quiet:
            firmware.turn()
        gc.collect()
        sys.stdout.write(f"{gc.mem_free()}\n")
        assert not faults, faults
        if how == "radio":
            assert not night.chip.violations, night.chip.violations
    sys.stdout.write(f"{looks[0]} {board.taken} {board.resets}\n")


main(float(sys.argv[1]), sys.argv[2])
