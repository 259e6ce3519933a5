"""A board without its chip, and radios whose antennas are played: the firmware's loop in simulated time.

Runs under CPython and MicroPython. `SimulatedBoard` has the interface of `firmware/board.py`; its clock stands still
but for looks and idling, so that days take minutes. What runs on it is the firmware itself.
"""

import gc

from pn5180 import RadioError, SpoiltError

PERIOD = 1 << 30
"""Ticks wrap as they do on a chip of 32 bits."""

BYTE_US = 10
"""To take a byte from the line."""


class SimulatedBoard:
    """`sent` is what the host has taken; `room` is how many more bytes it takes, None for all."""

    leds = 1

    def __init__(self, *, boot_id=1, start_ms=0, optical=True):
        self.id, self.boot_id, self.optical = bytes(range(1, 9)), boot_id, optical
        self.barked = False
        self.us = start_ms * 1000
        self.heard = b""
        self.sent = bytearray()
        self.flood = b""
        """What the host says again and again without end."""
        self.room = None
        self.edges_lost = 0
        self.edges = []
        self.fed = self.resets = 0
        self.lamps = []
        self.colours = []

    def ticks_ms(self):
        return self.us // 1000 % PERIOD

    def ticks_us(self):
        return self.us % PERIOD

    def ticks_diff(self, later, earlier):
        return (later - earlier + PERIOD // 2) % PERIOD - PERIOD // 2

    def sleep_us(self, us):
        self.us += us

    def idle(self, ms):
        if not self.heard:
            self.us += ms * 1000

    def free(self):
        if not hasattr(gc, "mem_free"):
            return 100 * 1024  # CPython does not count
        gc.collect()
        return gc.mem_free()

    def read(self):
        heard = self.flood or self.heard
        taken, self.heard = heard[:256], heard[256:]
        self.us += BYTE_US * len(taken)
        return taken

    def write(self, data, start, end):
        taken = end - start if self.room is None else min(end - start, self.room)
        self.sent.extend(data[start : start + taken])
        if self.room is not None:
            self.room -= taken
        return taken

    def edge(self):
        return self.edges.pop(0) if self.edges and self.edges[0][0] <= self.us else None

    def lamp(self, level):
        if self.lamps[-1:] != [level]:
            self.lamps.append(level)

    def led(self, number, r, g, b):
        self.colours.append((number, r, g, b))

    def feed(self):
        self.fed += 1

    def reset(self):
        self.resets += 1


class PlayedRadio:
    """A front end over antennas whose looks are given by `play(antenna, nth look)`.

    It gives (ms that the look takes, reads as (dt, rssi, uid), None or the kind of the fault that ends it).
    """

    def __init__(self, board, play):
        self.board, self.play = board, play
        self.partial = []
        self.resets = 0
        self.starts = 0
        self.dead = False
        self.looks = {}
        self.asked = []
        """The last look's antenna, power and `several`."""
        self.tunings = {}

    def start(self):
        self.starts += 1
        self.board.us += 2000
        if self.dead:
            raise RadioError("busy", "BUSY stays high")

    def look(self, antenna, power, several):
        nth = self.looks.get(antenna, 0)
        self.looks[antenna] = nth + 1
        self.asked = [antenna, power, several]
        ms, reads, fault = self.play(antenna, nth)
        self.board.us += int(ms * 1000)
        if self.dead:
            self.partial = []
            raise RadioError("busy", "BUSY stays high")
        if fault:
            self.partial = reads
            raise SpoiltError("played fault") if fault == "protocol" else RadioError(fault, "played fault")
        return reads

    def tuning(self, antenna):
        if self.dead:
            raise RadioError("busy", "BUSY stays high")
        return self.tunings.get(antenna, 500)
