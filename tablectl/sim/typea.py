"""Tags of ISO/IEC 14443 Type A in the field of a simulated reader.

Owns: what a tag answers, and in which state a reader has left it. Refuses: chips and lines (`pn532`).

Sections are those of ISO/IEC 14443-3. The Type 2 commands are those of NXP's NTAG213 data sheet.
"""

from __future__ import annotations

RESET_S = 0.005
"""A tag has lost its state when the field was off for this long (clause 5: ready within 5 ms), s."""
SENS_RES = {4: b"\x00\x04", 7: b"\x00\x44", 10: b"\x00\x84"}
"""ATQA by the length of the UID, most significant byte first (6.5.2: UID size in bits 7 and 8)."""
TYPE_2 = 0x00
"""SAK of a tag that is neither ISO/IEC 14443-4 nor NFC-DEP (6.5.3)."""
READ, GET_VERSION = 0x30, 0x60
NTAG213 = bytes.fromhex("0004040201000F03")
PAGES = 45


def crc_a(data: bytes) -> bytes:
    """CRC_A with its low byte first (6.2.4, Annex B); Annex B's example: 12 34 gives 26 CF."""
    crc = 0x6363
    for byte in data:
        mixed = (byte ^ crc) & 0xFF
        mixed ^= mixed << 4 & 0xFF
        crc = crc >> 8 ^ mixed << 8 ^ mixed << 3 ^ mixed >> 4
    return (crc & 0xFFFF).to_bytes(2, "little")


class Tag:
    """One tag: `uid` in hex, of 4, 7 or 10 bytes. A standard tag has no other length; `uid` may, to test readers."""

    def __init__(self, uid: str, *, sak: int = TYPE_2) -> None:
        self.uid = bytes.fromhex(uid)
        self.sak = sak
        self.torn = 0
        """So many looks in which it answers the request, but is gone before its UID is through."""
        self._active = False
        self._memory = (self.uid + bytes(12))[:12] + b"\xe1\x10\x12\x00" + bytes((PAGES - 4) * 4)

    def reset(self) -> None:
        """The field was off for long enough."""
        self._active = False

    def hears_request(self) -> bool:
        """REQA: True if it answers. One that was left ACTIVE does not, and is ready for the next (6.4.4)."""
        was_active, self._active = self._active, False
        return not was_active

    def select(self) -> bytes | None:
        """The anti-collision and SELECT: SENS_RES, SAK, length and UID; None if it is pulled away before its end."""
        if self.torn:
            self.torn -= 1
            return None
        self._active = True
        sens_res = SENS_RES.get(len(self.uid), SENS_RES[7])
        return sens_res + bytes([self.sak, len(self.uid)]) + self.uid

    def exchange(self, command: bytes) -> bytes | None:
        """A Type 2 command to the selected tag; the answer with its CRC_A, or None for silence."""
        if not self._active:
            return None
        match list(command):
            case [code] if code == GET_VERSION:
                answer = NTAG213
            case [code, page] if code == READ and page < PAGES:
                answer = (self._memory + self._memory)[4 * page : 4 * page + 16]
            case _:
                self._active = False  # what it does not know sends it back to IDLE (6.4.4)
                return None
        return answer + crc_a(answer)
