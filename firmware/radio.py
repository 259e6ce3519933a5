"""The radio: which ISO 15693 tags lie on an antenna now.

Owns: the look at one antenna, anticollision, hardware resets of a front end that hangs.
Refuses: when to look (`poller`), chip commands (`pn5180`), pins (`board`).

A look asks with one slot. If the answer is spoilt, it asks again in sixteen slots, in which each tag takes
the slot that the lowest four bits of its UID name, and so on for each slot that is spoilt, told apart by the
next four bits (ISO/IEC 15693-3, clause 8). A look that heard several tags last time begins with sixteen slots.

An error is never "absent": every spoilt answer must be explained by tags that are read afterwards, a collision
by two. If it is not, those that were read are told to stay quiet (clause 10.2) and the rest is asked once more;
what is still not explained ends the look as a RadioError.

The receiver has no measure of a tag's own strength. What is reported is `decibels` of the AGC: how the
carrier stands at the receiver while the tag answers. It moves with what loads the antenna, its scale is relative,
and only differences at one antenna mean anything. The same figure without a request is the antenna's tuning.
"""

from math import log10

from pn5180 import ANSWER, COLLISION, ELAPSED, FULL_POWER, GARBLED, NOTHING, PN5180, RadioError, SpoiltError

TYPE_CHECKING = False  # type checkers read True; MicroPython has no typing module to import the real one from
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Read = tuple[int, int, bytes]

GUARD_US = 1000
"""From field on to the first request: a tag must be ready after 1 ms (ISO/IEC 15693-3; tracking.md §1)."""
FORGET_US = 5100
"""Field off for so long makes a quiet tag ready again (NFC Forum Digital, field-off time of at least 5 ms), µs."""
BUDGET_MS = 250
"""A look that has not told its tags apart by then gives up: noise must not hold the board."""
SLOTS = 16
DEPTH = 15
"""Rounds of sixteen slots, one for each four bits of a UID; the uppermost four are 1110 in all."""
SPOILT_DEPTH = 4
"""So many if the chip does not call it a collision: a tag at the field's edge is spoilt however it is asked."""

# requests (ISO/IEC 15693-3, clause 7.3.1): high data rate, and what the names say
ONE_SLOT = 0x26
SIXTEEN_SLOTS = 0x06
ADDRESSED = 0x22
INVENTORY = 0x01
STAY_QUIET = 0x02
ISO15693_UID = 0xE0
"""First byte of every UID of ISO/IEC 15693 (clause 4.1)."""


class Radio:
    """One front end with its antennas, 0 to 7."""

    def __init__(self, bus: "Any", ticks_ms: "Callable[[], int]", sleep_us: "Callable[[int], None]") -> None:
        self.resets = 0
        """Hardware resets after faults, so far."""
        self.partial: list[Read] = []
        """What the last look read, also if it failed."""
        self.version = ""
        self._bus = bus
        self._ticks_ms = ticks_ms
        self._sleep_us = sleep_us
        self._chip = PN5180(bus, ticks_ms, sleep_us)
        self._ready = False
        self._begun = 0
        self._quieted = False
        # On the way down: the slot taken at each depth, those still to be asked, which collided, reads before.
        self._path = bytearray(DEPTH)
        self._open = [0] * DEPTH
        self._collided = [0] * DEPTH
        self._before = [0] * DEPTH
        self._lost = False
        self._short = False

    def start(self) -> None:
        """Hardware reset, version, RF configuration. RadioError says what is wrong; the chip is then held in reset."""
        self._hold()
        try:
            product, product_minor, firmware, firmware_minor = self._chip.start()
        except RadioError:
            self._hold()
            raise
        self.version = f"PN5180 {product}.{product_minor}, firmware {firmware}.{firmware_minor}"
        self._ready = True

    def look(self, antenna: int, power: int = FULL_POWER, several: bool = False) -> "list[Read]":  # noqa: FBT001, FBT002  (the poller calls it by position)
        """Every tag on the antenna: (ms since the look began, strength in dB, UID most significant byte first).

        `power` 0 to 255; `several`: the last look heard more than one tag. RadioError if the list is not
        complete; `partial` then has what was read.
        """
        self.partial = []
        self._begun = self._ticks_ms()
        try:
            self._field_on(antenna, power)
            heard = NOTHING if several else self._ask_all()
            if several or heard > ANSWER:
                self._search(heard)
            if self._lost or self._short:
                self._ask_the_rest()
            self._field_off()
        except RadioError as fault:
            self._recover(fault)
            raise
        return self.partial

    def tuning(self, antenna: int) -> int:
        """The AGC with the field on and nobody asked, 0 to 1023. RadioError as `look`."""
        try:
            self._field_on(antenna, FULL_POWER)
            self._chip.read_status()
            agc = self._chip.agc
            self._field_off()
        except RadioError as fault:
            self._recover(fault)
            raise
        return agc

    def _hold(self) -> None:
        """Holds the chip in reset: the one way to be sure that its field is off, before the antenna is switched."""
        self._ready = False
        self._bus.reset(0)
        self._bus.antenna(None)

    # --- the field ------------------------------------------------------------------------------------------

    def _field_on(self, antenna: int, power: int) -> None:
        if not self._ready:
            self.resets += 1
            self.start()
        self._bus.antenna(antenna)
        self._chip.field_on(power)
        self._sleep_us(GUARD_US)

    def _field_off(self) -> None:
        self._chip.field_off()
        self._bus.antenna(None)
        self._let_forget()

    def _let_forget(self) -> None:
        """After Stay Quiet the field stays off until every tag answers again."""
        if self._quieted:
            self._quieted = False
            self._sleep_us(FORGET_US)

    def _recover(self, fault: RadioError) -> None:
        """The field is off afterwards, whatever it takes. A chip that cannot be started is tried by the next look."""
        try:
            if not fault.wedged:
                self._field_off()
            elif self._ready:
                self.resets += 1
                self.start()
        except RadioError:
            self._hold()
        self._let_forget()

    # --- anticollision --------------------------------------------------------------------------------------

    def _ask_all(self) -> int:
        """One slot for all: at most one tag comes through."""
        self._lost = self._short = False
        heard = self._inventory(ONE_SLOT, 0)
        return heard if heard != ANSWER or self._take(0) else GARBLED

    def _ask_the_rest(self) -> None:
        """What was read stays quiet, so that nothing drowns the rest."""
        known, lost = len(self.partial), self._lost
        heard = NOTHING
        if known:
            for _, _, uid in self.partial:
                self._silence(uid)
            heard = self._ask_all()
        if heard > ANSWER:
            self._search(heard)
        elif lost and len(self.partial) == known:
            self._lost = True
        if self._lost:
            raise SpoiltError("an answer was spoilt, and nobody answers when asked again")

    def _search(self, heard: int) -> None:
        """Sixteen slots, and sixteen for each that is spoilt, depth first. `heard` is why."""
        self._lost = self._short = False
        known, depth = len(self.partial), 0
        self._round(0)
        while True:
            waiting = self._open[depth]
            if waiting:
                slot = 0
                while not waiting >> slot & 1:
                    slot += 1
                self._open[depth] = waiting & waiting - 1
                self._path[depth] = slot
                self._before[depth] = len(self.partial)
                if depth + 1 < (DEPTH if self._collided[depth] >> slot & 1 else SPOILT_DEPTH):
                    depth += 1
                    self._round(depth)
                else:
                    self._lost = True
            elif depth:
                depth -= 1
                collided = self._collided[depth] >> self._path[depth] & 1
                self._explain(COLLISION if collided else GARBLED, self._before[depth])
            else:
                break
        self._explain(heard, known)

    def _explain(self, heard: int, before: int) -> None:
        """Was what was spoilt read since then? A collision has at least two tags."""
        found = len(self.partial) - before
        if heard > ANSWER and not found:
            self._lost = True
        elif heard == COLLISION and found == 1:
            self._short = True

    def _round(self, depth: int) -> None:
        """Sixteen slots for the tags whose UID ends with the path taken so far."""
        if (self._ticks_ms() - self._begun) & ELAPSED > BUDGET_MS:
            raise SpoiltError(f"the tags are not told apart after {BUDGET_MS} ms")
        spoilt = collided = 0
        for slot in range(SLOTS):
            heard = self._chip.next_slot() if slot else self._inventory(SIXTEEN_SLOTS, depth)
            self._path[depth] = slot
            if heard == ANSWER and not self._take(depth + 1):
                heard = GARBLED
            if heard > ANSWER:
                spoilt |= 1 << slot
            if heard == COLLISION:
                collided |= 1 << slot
        self._open[depth], self._collided[depth] = spoilt, collided

    def _inventory(self, flags: int, depth: int) -> int:
        """An inventory request with a mask of so many times four bits, lowest first (clause 8.1)."""
        frame = self._chip.frame
        frame[2], frame[3], frame[4] = flags, INVENTORY, 4 * depth
        for place in range(0, depth, 2):
            upper = self._path[place + 1] if place + 1 < depth else 0
            frame[5 + place // 2] = self._path[place] | upper << 4
        return self._chip.exchange(3 + (depth + 1) // 2)

    def _silence(self, uid: bytes) -> None:
        """Stay Quiet to one tag (clause 10.2); it does not answer."""
        frame = self._chip.frame
        frame[2], frame[3] = ADDRESSED, STAY_QUIET
        for place in range(8):
            frame[4 + place] = uid[7 - place]
        self._quieted = True
        self._chip.exchange(10)

    def _take(self, depth: int) -> bool:
        """Keeps the answer if its UID can be one, and ends with the path that was asked for.

        Near metal or another field a UID may come shifted although its CRC is right.
        """
        answer = self._chip.answer
        for place in range(depth):
            if answer[2 + place // 2] >> (4 * (place & 1)) & 0x0F != self._path[place]:
                return False
        if answer[9] != ISO15693_UID:
            return False
        uid = bytes((answer[9], answer[8], answer[7], answer[6], answer[5], answer[4], answer[3], answer[2]))
        for read in self.partial:
            if read[2] == uid:
                return True
        self.partial.append(((self._ticks_ms() - self._begun) & ELAPSED, decibels(self._chip.agc), uid))
        return True


def decibels(agc: int) -> int:
    """An AGC value (0 to 1023) in dB below its end stop: 0 to -60."""
    return round(20 * log10(agc / 1023)) if agc > 1 else -60
