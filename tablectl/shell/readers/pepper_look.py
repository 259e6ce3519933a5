"""One look at one antenna of a Pepper C1 MUX: the commands, and what their answers prove.

Owns: the order of the commands of a look, the limits of the reader's own list, the byte order of UIDs.
Refuses: sending, waiting and time.

    HALT ─ SET_ACTIVE_ANTENNA n ─ GET_TAG_COUNT ─ 0: empty, and the reader said so
                                                ├ 1 … 4: GET_TAG_UID each
                                                └ 5: perhaps more; GET_TAG_UID each, then ICODE_INVENTORY_START, NEXT …

HALT switches the field off ([M] §3.1.7): the multiplexer moves without it, and every tag starts anew, however the look
before it ended. A reader that refuses it, for want of a tag to halt, may do so.

A cycle over eight antennas takes 127, 187, 359 or 419 ms with none, one, two or three cards at each: the simulated
reader's times, ISO 15693 air time with a 5 ms guard, and 115200 bit/s. Not measured on the device.

Why we ask antenna by antenna, although the reader can poll by itself (SET_POLLING): by itself it tells tags only,
so nobody learns that an antenna was looked at and was empty. And where its event carries the antenna is not
documented for the binary form.

Where the documentation is silent, and how we read it:
- What ICODE_INVENTORY_START answers at an empty antenna is not said; an ERROR could be a tag pulled out as well. So
  only GET_TAG_COUNT, which counts 0, proves an antenna empty ([P] get_tag_count: "0 if none").
- The list holds five tags at most ([M] §3.1.4). Five are therefore never taken for all.
- An inventory gives a UID with its least significant byte first ([M] §3.6.2, whose example ends in E0); for
  GET_TAG_UID of an ISO 15693 tag the order is not said. Every ISO 15693 UID has E0 at its most significant end
  (ISO/IEC 15693-3 §4.1), which tells the order, except if E0 stands at both ends: then the order of a clear one
  counts, and before there was one the tag is not believed.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress

from tablectl import cards
from tablectl.shell.readers.pepper_frames import (
    GET_TAG_COUNT,
    GET_TAG_UID,
    HALT,
    ICODE_INVENTORY_NEXT,
    ICODE_INVENTORY_START,
    SET_ACTIVE_ANTENNA,
)

LISTED = 5
"""Tags that GET_TAG_COUNT finds at most [M §3.1.4]."""
MOST_TAGS = 64
"""Tags of one look at most; an inventory that never ends is out of step, not a deck."""
ISO_15693_BYTES = 8
E0 = 0xE0
ANY_FAMILY = 0
"""The AFI that all ISO 15693 tags answer (ISO/IEC 15693-3 §4.2)."""

Steps = Generator[bytes, bytes, None]
"""Yields command payloads, is sent the data of each ACK."""


class OutOfStep(Exception):  # noqa: N818  (not a failure of ours: the talk has to be put in step again)
    """What was asked and what was answered no longer belong together for certain."""


class Refused(Exception):  # noqa: N818  (an answer like any other)
    """The reader answered ERROR with this number."""

    def __init__(self, error: int) -> None:
        super().__init__(f"error 0x{error:02X}")
        self.error = error


class ByteOrder:
    """Which end of an ISO 15693 UID comes first in one command of one reader, as documented or as it has shown."""

    def __init__(self, *, least_first: bool | None = None) -> None:
        self._reversed = least_first

    def uid(self, raw: bytes) -> str | None:
        """The UID, most significant byte first; None if it is none, or if nobody can tell its order."""
        if len(raw) not in cards.UID_BYTES:
            return None
        if len(raw) != ISO_15693_BYTES:
            return cards.uid_from_bytes(raw)  # ISO 14443-3: as it comes on the air
        if (raw[0] == E0) != (raw[-1] == E0):
            self._reversed = raw[-1] == E0
        elif raw[0] != E0 or self._reversed is None:
            return None
        return cards.uid_from_bytes(raw[::-1] if self._reversed else raw)


class Orders:
    """The byte orders of one reader's two ways to name a tag."""

    def __init__(self) -> None:
        self.listed = ByteOrder()
        self.inventory = ByteOrder(least_first=True)


class Look:
    """One look: run `steps` to its end; if `complete` is true then, `read` is all that lies there."""

    def __init__(self, antenna: int, orders: Orders) -> None:
        self.antenna = antenna
        self.complete = False
        self.read: list[str] = []
        """UIDs so far; after a fault these were read all the same."""
        self.unread = 0
        """Tags whose UID nobody can tell."""
        self._orders = orders

    def steps(self) -> Steps:
        """The commands. Whoever runs them throws Refused or OutOfStep in where an answer is none."""
        with suppress(Refused):
            yield bytes([HALT])
        yield bytes([SET_ACTIVE_ANTENNA, self.antenna])
        counted = yield bytes([GET_TAG_COUNT])
        if len(counted) != 1 or counted[0] > LISTED:
            raise OutOfStep
        listed: set[bytes] = set()
        for index in range(counted[0]):
            answer = yield bytes([GET_TAG_UID, index])
            if len(answer) < 3:  # type, parameter, UID
                raise OutOfStep
            self._take(listed, answer[2:], self._orders.listed)
        full = counted[0] == LISTED
        if full:
            yield from self._inventory()
        # Of other tags than those of an inventory there may be more than the full list holds.
        self.complete = not self.unread and not (full and any(len(raw) != ISO_15693_BYTES for raw in listed))

    def _inventory(self) -> Steps:
        command, found = ICODE_INVENTORY_START, set[bytes]()
        while True:
            answer = yield bytes([command, ANY_FAMILY])
            if len(answer) != ISO_15693_BYTES + 2 or len(found) >= MOST_TAGS:
                raise OutOfStep
            self._take(found, answer[:ISO_15693_BYTES], self._orders.inventory)
            if not answer[-1]:
                return
            command = ICODE_INVENTORY_NEXT

    def _take(self, given: set[bytes], raw: bytes, order: ByteOrder) -> None:
        """One UID of a list. The same one twice is an answer that came twice, and another one is missing."""
        if raw in given:
            raise OutOfStep
        given.add(raw)
        uid = order.uid(raw)
        if uid is None:
            self.unread += 1
        elif uid not in self.read:
            self.read.append(uid)
