"""The bytes between a table and a Pepper C1: frames, commands and answers.

Owns: the frame codec, the numbers of the commands that we use, and what an answer says. No I/O.
Refuses: which command comes when (`pepper_look`, `pepper`).

Sources, all by Eccel Technology Ltd: [P] the Python SDK's documentation, pages "Binary Protocol" (Frame
Structure, Payload Format, CRC Algorithm) and "PepperC1 Client", and its package pepper_c1 0.2.0; [M] the user
manual of the 13.56 MHz NFC reader that shares the command set, §3.1 and §3.6; [A] the Arduino library for the
Pepper C1 (`C1_Interface`, `binary_protocol`).

    F5 | length, LSB first | length inverted | payload | CRC-16 of the payload, LSB first        [P] Frame Structure

The length counts payload and CRC. The CRC is CCITT's (polynomial 0x1021), begun at 0xFFFF. A payload from the host
is a command and its data; one from the reader says first what it is: ACK, ERROR or ASYNC.
"""

from __future__ import annotations

import binascii
from dataclasses import dataclass

STX = 0xF5
HEADER = 5
CRC = 2
LONGEST = 256
"""Bytes of a payload that we accept. The reader may send 1024 [M §3]; no answer to a command of ours is longer
than a version's text, and a length that lies should cost little."""

ACK, ERROR, ASYNC = 0x00, 0xFF, 0xFE
"""The first byte of what the reader sends [P] Payload Format."""

DUMMY = 0x01
GET_TAG_COUNT = 0x02
GET_TAG_UID = 0x03
HALT = 0x05
SET_POLLING = 0x06
GET_VERSION = 0x0B
SET_ACTIVE_ANTENNA = 0x0F
ICODE_INVENTORY_START = 0x90
ICODE_INVENTORY_NEXT = 0x91
"""Commands [P] commands.py; [M] §3.1.3 to §3.1.7, §3.6.1, §3.6.2."""

NOT_AUTHORISED = 0xF0
"""ERROR: no command without protocol authorisation [A]."""


def encode(payload: bytes) -> bytes:
    """The frame that carries this payload."""
    length = len(payload) + CRC
    return b"".join((
        bytes([STX]),
        length.to_bytes(2, "little"),
        (length ^ 0xFFFF).to_bytes(2, "little"),
        payload,
        binascii.crc_hqx(payload, 0xFFFF).to_bytes(2, "little"),
    ))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """What the reader said: an ACK or an ERROR to `command`, or something of itself (ASYNC, `command` 0)."""

    kind: int
    command: int
    data: bytes

    @property
    def error(self) -> int:
        """An ERROR's number; the byte before it names the layer of the reader's software [M §3.1.2]."""
        return self.data[1] if len(self.data) > 1 else self.data[0] if self.data else 0


def parse(payload: bytes) -> Answer | None:
    """A payload from the reader; None if it is none that the protocol knows."""
    kind = payload[0]
    if kind == ASYNC:
        return Answer(kind, 0, payload[1:])
    if kind in (ACK, ERROR) and len(payload) > 1:
        return Answer(kind, payload[1], payload[2:])
    return None


class Decoder:
    """Bytes in any portions → payloads. Whatever is no frame costs only itself."""

    def __init__(self) -> None:
        self.frames = 0
        self.bad_crc = 0
        self.noise_bytes = 0
        """Bytes that belong to no frame: a start without a header that fits, garbage, a boot message."""
        self._held = bytearray()

    @property
    def damage(self) -> int:
        """Grows with everything that came and could not be understood."""
        return self.bad_crc + self.noise_bytes

    def feed(self, data: bytes) -> list[bytes]:
        """The payloads that are complete now."""
        self._held += data
        return self._scan()

    def give_up(self) -> list[bytes]:
        """The frame that is being waited for will not be completed: what came since its start, read anew.

        Behind a length that lies there may be good frames.
        """
        if self._held:
            self._drop(1)
        return self._scan()

    def _scan(self) -> list[bytes]:
        payloads: list[bytes] = []
        held = self._held
        while True:
            start = held.find(STX)
            self._drop(len(held) if start < 0 else start)
            if len(held) < HEADER:
                return payloads
            length = int.from_bytes(held[1:3], "little")
            inverted = int.from_bytes(held[3:5], "little")
            if length != inverted ^ 0xFFFF or not CRC < length <= LONGEST + CRC:
                self._drop(1)
                continue
            if len(held) < HEADER + length:
                return payloads
            payload = bytes(held[HEADER : HEADER + length - CRC])
            crc = int.from_bytes(held[HEADER + length - CRC : HEADER + length], "little")
            if binascii.crc_hqx(payload, 0xFFFF) != crc:
                self.bad_crc += 1
                self._drop(1)
                continue
            self.frames += 1
            payloads.append(payload)
            del held[: HEADER + length]

    def _drop(self, count: int) -> None:
        self.noise_bytes += count
        del self._held[:count]
