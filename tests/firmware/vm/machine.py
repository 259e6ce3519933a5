"""MicroPython's `machine` as far as the firmware uses it, with a simulated front end soldered to the pins.

The firmware's own `board.py` and `main.py` run on it unchanged under the unix port. What happens on the felt is told
by lines on a FIFO, whose name is in `FELT`; they are read whenever the loop feeds the watchdog:

    lay 3 E004…     lift E004…      deal E004… 3    (the shoe's mouth, a flight, antenna 3)
    pass 1 60       (sensor levels for so many ms)  stick | free    (BUSY)      hang    (the loop stops here)

A reset ends the process with status 3; whoever started it starts it again.
"""

import os
import select
import sys
import time

from pn5180_sim import SimulatedPN5180, SimulatedTag
from tags_sim import FC_KHZ

RESET = 3
PWRON_RESET, WDT_RESET = 1, 3
SHOE = 0
SHOE_MS, FLIGHT_MS, LANDED_MS = 150, 100, 200
"""How long a dealt card is at the mouth, in the air, and at its place before the next one is dealt: at least."""
PASSING_MS = 60
"""And how long it is under the optical sensors when it leaves."""
BELOW, ABOVE = 1, 2
LOOKS = 4
"""And so many looks at the shoe and at its place, however busy the machine is."""


class _RealClock:
    """The chip's time is the machine's: it passes by itself."""

    @property
    def now(self):
        return time.ticks_us() * FC_KHZ // 1000

    @now.setter
    def now(self, _value):
        pass


class _Felt:
    """The front end, its tags, and what the FIFO says of them."""

    def __init__(self):
        from board import PINS  # which imports us first

        self._pins = PINS
        self.chip = SimulatedPN5180(_RealClock())
        self.chip.tags = {antenna: [] for antenna in range(8)}
        self.looks = [0] * 8
        self.levels = {}
        self.handlers = {}
        self._moves = []
        self._since = (0, 0, 0)
        self._passing = None
        self._file = open(os.getenv("FELT"))  # noqa: PTH123, SIM115 - for as long as the VM runs; it has no pathlib
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLIN)
        self.outputs = {
            PINS["front_end_0_nss"]: self.chip.select,
            PINS["front_end_0_reset"]: self.chip.reset,
            PINS["front_end_0_mux_off"]: self._switch,
        }
        self.inputs = {
            PINS["front_end_0_busy"]: self.chip.busy,
            PINS["optical_fitted"]: lambda: 0,
        }

    def _switch(self, off):
        """The multiplexer's enable pin: low switches the antenna that the address pins name."""
        number = sum(self.levels.get(self._pins[f"mux_a{bit}"], 0) << bit for bit in range(3))
        self.chip.antenna(None if off else number)
        if not off:
            self.looks[number] += 1

    def go_on(self):
        """What was said since, the next move of a card that is being dealt, and what the chip forbids."""
        if self.chip.violations:
            sys.stderr.write("\n".join(self.chip.violations) + "\n")
            self.chip.violations.clear()
        while self._said():
            words = self._file.readline().split()
            if words:
                getattr(self, "_" + words[0])(*words[1:])
        if self._moves and self._over():
            self._moves.pop(0)
            if self._moves:
                self._begin()
        if self._passing and time.ticks_diff(time.ticks_ms(), self._passing) >= 0:
            self._passing = None
            self._show(0)

    def _said(self):
        for _, event in self._poll.ipoll(0):
            return event & select.POLLIN
        return False

    def _begin(self):
        uid, antenna, _, white = self._moves[0]
        self._lift(uid)
        if antenna is not None:
            self._lay(antenna, uid)
        if white:
            self._show(white)
            self._passing = time.ticks_add(time.ticks_ms(), PASSING_MS)
        self._since = (time.ticks_ms(), self.looks[SHOE], self.looks[antenna or SHOE])

    def _over(self):
        _, antenna, ms, _ = self._moves[0]
        began, shoe, there = self._since
        looked = min(self.looks[SHOE] - shoe, self.looks[antenna or SHOE] - there)
        return looked >= LOOKS and time.ticks_diff(time.ticks_ms(), began) >= ms

    def _lay(self, antenna, uid):
        self.chip.tags[int(antenna)].append(SimulatedTag(uid))

    def _lift(self, uid):
        for tags in self.chip.tags.values():
            tags[:] = [tag for tag in tags if tag.uid != SimulatedTag(uid).uid]

    def _deal(self, uid, antenna, face="down"):
        idle = not self._moves
        white = ABOVE if face == "up" else BELOW
        self._moves += [
            (uid, SHOE, SHOE_MS, 0),
            (uid, None, FLIGHT_MS, white),
            (uid, int(antenna), LANDED_MS, 0),
        ]
        if idle:
            self._begin()

    def _show(self, levels):
        for bit, name in enumerate(("optical_below", "optical_above")):
            pin, level = self._pins[name], levels >> bit & 1
            if self.levels.get(pin, 0) != level:
                self.levels[pin] = level
                self.handlers[pin](None)

    def _stick(self):
        self.chip.busy_stuck = self.chip.stays_stuck = True

    def _free(self):
        self.chip.busy_stuck = self.chip.stays_stuck = False


_made = []


def _felt():
    if not _made:
        _made.append(_Felt())
    return _made[0]


class Pin:
    """A pin by its number: outputs reach what is soldered there, inputs show it."""

    IN, OUT, PULL_UP, PULL_DOWN, IRQ_FALLING, IRQ_RISING = 0, 1, 1, 2, 4, 8

    def __init__(self, number, mode=None, pull=None, value=None):
        self._number = number
        if value is not None:
            self.value(value)

    def value(self, level=None):
        number, felt = self._number, _felt()
        if level is None:
            return felt.inputs[number]() if number in felt.inputs else felt.levels.get(number, 0)
        felt.levels[number] = level
        if number in felt.outputs:
            felt.outputs[number](level)
        return None

    def irq(self, handler, trigger, hard):
        _felt().handlers[self._number] = handler


class SPI:
    """The bus that the chip hangs on."""

    def __init__(self, number, **settings):
        assert (settings["polarity"], settings["phase"]) == (0, 0)
        assert settings["baudrate"] <= 7_000_000

    def write(self, out):
        _felt().chip.transfer(out, None)

    def write_readinto(self, out, into):
        _felt().chip.transfer(out, into)


class WDT:
    """The watchdog, which does not bite here: the loop feeds it in every turn, and so lets the felt go on."""

    def __init__(self, timeout):
        assert timeout <= 8388

    def feed(self):
        _felt().go_on()


def unique_id():
    return os.getenv("BOARD_ID").encode()


def reset_cause():
    return PWRON_RESET


def reset():
    sys.exit(RESET)


def bitstream(pin, encoding, timing, data):
    assert encoding == 0
    assert len(timing) == 4
    assert len(data) == 3
