"""Simulated ISO 15693 tags, and what the air makes of their answers.

Owns: a tag's states, masks and slots, the CRC, bit collisions, times on air. Refuses: the front end
(`pn5180_sim`). Runs under CPython and MicroPython.

ISO: ISO/IEC 15693-3 (clauses as in the edition of 2009). Times are in cycles of the carrier, 1/fc, in which the
standard gives them.
"""

FC_KHZ = 13560
BYTE_TO_TAG = 4096
"""ISO 7.2 (15693-2): 1-of-4 coding, four times 1024/fc."""
REQUEST_EDGES = 1024 + 512
"""Start and end of a request."""
EOF = 512
BIT_FROM_TAG = 512
"""High data rate, one subcarrier."""
ANSWER_EDGE = 4 * BIT_FROM_TAG
"""Start or end of an answer."""
T1 = 4352
"""ISO 9.1: from a request to the answer."""
T2 = 4192
"""ISO 9.3: from an answer to the next request, at least."""
POWER_UP = FC_KHZ
"""ISO/IEC 15693-2: a tag is ready 1 ms after the field is on."""
FORGETS = 5 * FC_KHZ
"""A quiet tag is sure to be ready again after the field was off for 5 ms (NFC Forum Digital)."""

READY = "ready"
QUIET = "quiet"
SELECTED = "selected"

CAPTURE_DB = 6
"""A tag stronger by so much is heard alone, without a collision; met with stacked tags at real front ends."""


def crc16(data):
    """CRC of ISO 7.1.2 and annex C: ISO/IEC 13239, polynomial x16 + x12 + x5 + 1, preset FFFF, inverted."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    return crc ^ 0xFFFF


def with_crc(data):
    """The frame as it goes on air: the CRC's low byte first (ISO 7.1.2)."""
    crc = crc16(data)
    return bytes(data) + bytes((crc & 0xFF, crc >> 8))


def unhex(text):
    return bytes(int(text[at : at + 2], 16) for at in range(0, len(text), 2))


class SimulatedTag:
    """One tag. `uid` as bytes or in hexadecimal, most significant byte first.

    Faults: `bad_crcs` so many answers come with a wrong bit; `pulled_after` the tag is taken away after so many
    bits of its next answer; `says` it answers with this UID, and a right CRC; `flags` of its answers; `stubborn` it
    does not hear Stay Quiet; `strength` in dB.
    """

    def __init__(self, uid, dsfid=0):
        self.uid = unhex(uid) if isinstance(uid, str) else uid
        self.dsfid = dsfid
        self.state = READY
        self.strength = 0
        self.bad_crcs = 0
        self.pulled_after = None
        self.gone = False
        self.says = None
        self.flags = 0
        self.stubborn = False
        self._slots_to_go = None

    def power_up(self, forgets):
        """Field on. `forgets`: it was off for so long that the tag starts from nothing (ISO 10.2)."""
        self._slots_to_go = None
        if forgets:
            self.state = READY

    def hear(self, frame):
        """A request, CRC included. Its answer without CRC, or None."""
        self._slots_to_go = None
        if self.gone or len(frame) < 4 or with_crc(frame[:-2]) != frame:
            return None  # ISO 7.3.2: a tag does not answer a frame with a wrong CRC
        flags, command, rest = frame[0], frame[1], frame[2:-2]
        if not flags & 0x02:
            return None  # this simulation knows the high data rate only
        if flags & 0x04:
            return self._inventory(flags, rest) if command == 0x01 else None
        if not flags & 0x20 or len(rest) != 8:
            return None
        mine = bytes(reversed(rest)) == self.uid
        if command == 0x02 and mine and not self.stubborn:
            self.state = QUIET  # ISO 10.2: Stay Quiet has no answer
        elif command == 0x25:  # ISO 10.7: Select; another tag's UID ends our own selection
            if mine:
                self.state = SELECTED
                return b"\x00"
            if self.state == SELECTED:
                self.state = READY
        elif command == 0x26 and mine:  # ISO 10.8: Reset to Ready
            self.state = READY
            return b"\x00"
        return None

    def hear_eof(self):
        """The end of a frame alone: the next slot (ISO 8.5). The answer, or None."""
        if self.gone or self._slots_to_go is None:
            return None
        self._slots_to_go -= 1
        if self._slots_to_go:
            return None
        self._slots_to_go = None
        return self._answer()

    def _inventory(self, flags, rest):
        if self.state == QUIET or not rest:
            return None
        bits, mask, one_slot = rest[0], rest[1:], flags & 0x20
        if bits > (64 if one_slot else 60) or len(mask) != (bits + 7) // 8:
            return None
        uid = int.from_bytes(self.uid, "big")
        if int.from_bytes(mask, "little") & (1 << bits) - 1 != uid & (1 << bits) - 1:
            return None
        slot = 0 if one_slot else uid >> bits & 0x0F  # ISO 8.3: the four bits above the mask
        if not slot:
            return self._answer()
        self._slots_to_go = slot
        return None

    def _answer(self):
        return bytes((self.flags, self.dsfid)) + bytes(reversed(unhex(self.says) if self.says else self.uid))


def on_air(answers):
    """What reaches the receiver when these (tag, answer) come at once: (bytes, bits, place of the collision or None).

    A collision is seen at the first bit in which two answers differ (Manchester coding, ISO/IEC 15693-2).
    """
    heard = []
    strongest = max(tag.strength for tag, _ in answers)
    for tag, answer in answers:
        frame = bytearray(with_crc(answer))
        if tag.bad_crcs:
            tag.bad_crcs -= 1
            frame[5] ^= 0x10
        bits = 8 * len(frame)
        if tag.pulled_after is not None:
            bits, tag.gone = min(bits, tag.pulled_after), True
        if tag.strength > strongest - CAPTURE_DB:
            heard.append((bytes(frame), bits))
    frame, longest = heard[0][0], max(bits for _, bits in heard)
    for place in range(longest):
        values = {other[place // 8] >> place % 8 & 1 for other, bits in heard if place < bits}
        if len(values) > 1:
            return frame, longest, place
    return frame, longest, None
