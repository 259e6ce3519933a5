"""Frames and messages on the line between a reader board and the table computer: wire protocol 1.0.

Owns: the frame (COBS, CRC-32, the 0x00 that ends it) and the body of every kind.
Refuses: ports, clocks, what a message means. A body is judged by its shape only: whether an antenna exists,
or whether a UID has a length that tags can have, is the reader's business.

The firmware carries a copy of this file, so it keeps to the Python that MicroPython also runs: no imports but
`binascii` and `struct`, no `typing`, `dataclasses` or `enum` at run time, no deletion from a bytearray, no
`{**a}`. All integers are little-endian; a UID travels most significant byte first.
"""

import binascii
import struct

TYPE_CHECKING = False  # type checkers read True; MicroPython has no typing module to import the real one from
if TYPE_CHECKING:
    from typing import Any

MAJOR = 1
MINOR = 0

# board -> host
HELLO = 0x01
RESULT = 0x02
SIGHTINGS = 0x10
ANTENNA_HEALTH = 0x11
HEARTBEAT = 0x12
PASSAGE = 0x13
LOG = 0x1F
# host -> board
GET_HELLO = 0x80
SET_POLL_PLAN = 0x81
SELF_TEST = 0x82
SET_LED = 0x83

NAMES = {
    HELLO: "HELLO",
    RESULT: "RESULT",
    SIGHTINGS: "SIGHTINGS",
    ANTENNA_HEALTH: "ANTENNA_HEALTH",
    HEARTBEAT: "HEARTBEAT",
    PASSAGE: "PASSAGE",
    LOG: "LOG",
    GET_HELLO: "GET_HELLO",
    SET_POLL_PLAN: "SET_POLL_PLAN",
    SELF_TEST: "SELF_TEST",
    SET_LED: "SET_LED",
}

MAX_BODY = 240
"""Longest body, in bytes."""
MAX_ENCODED = MAX_BODY + 7
"""Longest frame without its closing 0x00, in bytes: kind, seq and CRC add six to the body, COBS one."""

# Every body as (field, code). A code is one of struct's integers; "8s", eight bytes; "text" and "raw", a
# length byte and that many bytes; or a tuple of fields, repeated as often as a count byte says.
_BODIES: "dict[int, tuple[tuple[str, Any], ...]]" = {
    HELLO: (
        ("major", "B"),
        ("minor", "B"),
        ("boot_id", "I"),
        ("board_id", "8s"),
        ("firmware", "text"),
        ("capabilities", "H"),
        ("antennas", (("antenna", "B"), ("kind", "B"))),
    ),
    RESULT: (("for_seq", "B"), ("for_kind", "B"), ("status", "B"), ("detail", "text")),
    SIGHTINGS: (
        ("sweep", "H"),
        ("t0_ms", "I"),
        ("polled", "I"),
        ("seen", (("antenna", "B"), ("dt_ms", "H"), ("rssi", "b"), ("uid", "raw"))),
    ),
    ANTENNA_HEALTH: (("antenna", "B"), ("state", "B"), ("tuning", "H"), ("reads", "H"), ("errors", "H")),
    HEARTBEAT: (("uptime_ms", "I"), ("free_kib", "H"), ("rx_errors", "H"), ("tx_dropped", "H")),
    PASSAGE: (("t_ms", "I"), ("antenna", "B"), ("face", "B")),
    LOG: (("level", "B"), ("text", "text")),
    GET_HELLO: (),
    SET_POLL_PLAN: (("plan", (("antenna", "B"), ("period_ms", "H"), ("power", "B"))),),
    SELF_TEST: (("antenna", "B"),),
    SET_LED: (("led", "B"), ("r", "B"), ("g", "B"), ("b", "B"), ("pattern", "B")),
}

# struct code -> (bytes, lowest, highest); checked here because MicroPython's struct wraps silently
_INTEGERS = {"B": (1, 0, 0xFF), "b": (1, -0x80, 0x7F), "H": (2, 0, 0xFFFF), "I": (4, 0, 0xFFFFFFFF)}


def encode(kind: int, seq: int, body: bytes) -> bytes:
    """The whole frame, its closing 0x00 included. ValueError if the body is longer than 240 bytes."""
    _check_length(kind, body)
    payload = bytes((kind & 0xFF, seq & 0xFF)) + body
    return _stuff(payload + struct.pack("<I", binascii.crc32(payload))) + b"\x00"


class Decoder:
    """Takes bytes as they come, gives whole frames; bounded in memory whatever arrives.

    `frames`, `bad_cobs`, `bad_crc` and `too_long` count what was decoded and what was dropped. A damaged
    frame is dropped alone: the next 0x00 starts afresh. Two 0x00 in a row are an idle line, not a frame.
    """

    def __init__(self) -> None:
        self.frames = 0
        self.bad_cobs = 0
        self.bad_crc = 0
        self.too_long = 0
        self._pending = b""
        self._skipping = False

    def feed(self, data: bytes) -> "list[tuple[int, int, bytes]]":
        """Every frame that `data` completes, in order, as (kind, seq, body)."""
        found: list[tuple[int, int, bytes]] = []
        start = 0
        while True:
            end = data.find(b"\x00", start)
            self._hold(data[start : end if end >= 0 else len(data)])
            if end < 0:
                return found
            frame = self._close()
            if frame is not None:
                found.append(frame)
            start = end + 1

    def _hold(self, part: bytes) -> None:
        """Keep a part of the frame under way, unless that frame is already longer than any frame can be."""
        if self._skipping:
            return
        if len(self._pending) + len(part) > MAX_ENCODED:
            self.too_long += 1
            self._skipping = True
            self._pending = b""
        else:
            self._pending = self._pending + bytes(part)

    def _close(self) -> "tuple[int, int, bytes] | None":
        """A 0x00 came: judge what was held, and start afresh."""
        held, skipped = self._pending, self._skipping
        self._pending = b""
        self._skipping = False
        if skipped or not held:
            return None
        raw = _unstuff(held)
        if raw is None:
            self.bad_cobs += 1
            return None
        if len(raw) < 6 or struct.pack("<I", binascii.crc32(raw[:-4])) != raw[-4:]:
            self.bad_crc += 1
            return None
        self.frames += 1
        return raw[0], raw[1], raw[2:-4]


def pack(kind: int, **fields: "Any") -> bytes:
    """The body of a message, from the fields that the protocol page names.

    ValueError names the field that is missing, unknown or out of range, or the body that is too long.
    """
    out = bytearray()
    _put(out, _body_of(kind), fields, name(kind))
    _check_length(kind, out)
    return bytes(out)


def unpack(kind: int, body: bytes) -> "dict[str, Any]":
    """The fields of a body, named as on the protocol page.

    Trailing bytes (a later minor version's) are ignored; `_extra` is their number, absent if there are none.
    ValueError on an unknown kind and on a body that ends too early.
    Text that is not UTF-8 keeps its ASCII and shows `?` for the rest.
    """
    fields, end = _take(body, 0, _body_of(kind), name(kind))
    if end < len(body):
        fields["_extra"] = len(body) - end
    return fields


def name(kind: int) -> str:
    """The name of a kind, or its number in hexadecimal if the protocol has no such kind."""
    return NAMES.get(kind) or f"kind {kind:02X}"


def _check_length(kind: int, body: "bytes | bytearray") -> None:
    if len(body) > MAX_BODY:
        raise ValueError(f"body of {name(kind)} has {len(body)} bytes, at most {MAX_BODY} fit a frame")


def _body_of(kind: int) -> "tuple[tuple[str, Any], ...]":
    if kind not in _BODIES:
        raise ValueError(f"unknown {name(kind)}")
    return _BODIES[kind]


def _put(out: bytearray, layout: "tuple[tuple[str, Any], ...]", fields: "dict[str, Any]", where: str) -> None:
    known = [field for field, _ in layout]
    for field in fields:
        if field not in known:
            raise ValueError(f"{where} has no field {field}")
    for field, code in layout:
        if field not in fields:
            raise ValueError(f"{where} lacks its field {field}")
        _put_value(out, code, fields[field], where + "." + field)


def _put_value(out: bytearray, code: "Any", value: "Any", path: str) -> None:
    if isinstance(code, tuple):
        out.append(_fit("B", len(value), path + " count"))
        for item in value:
            _put(out, code, item, path)
    elif code == "8s":
        if len(value) != 8:
            raise ValueError(f"{path} has {len(value)} bytes, must have 8")
        out.extend(value)
    elif code in _INTEGERS:
        out.extend(struct.pack("<" + code, _fit(code, value, path)))
    else:
        raw = value.encode() if code == "text" else value
        out.append(_fit("B", len(raw), path + " length"))
        out.extend(raw)


def _fit(code: str, value: int, path: str) -> int:
    _, low, high = _INTEGERS[code]
    if not low <= value <= high:
        raise ValueError(f"{path} is {value}, must be {low} to {high}")
    return value


def _take(
    body: bytes, at: int, layout: "tuple[tuple[str, Any], ...]", where: str
) -> "tuple[dict[str, Any], int]":
    fields: dict[str, Any] = {}
    for field, code in layout:
        path = where + "." + field
        if code in _INTEGERS:
            end = _within(body, at, _INTEGERS[code][0], path)
            fields[field] = struct.unpack_from("<" + code, body, at)[0]
        elif code == "8s":
            end = _within(body, at, 8, path)
            fields[field] = bytes(body[at:end])
        elif isinstance(code, tuple):
            end = _within(body, at, 1, path)
            items = []
            for _ in range(body[at]):
                item, end = _take(body, end, code, path)
                items.append(item)
            fields[field] = items
        else:
            start = _within(body, at, 1, path)
            end = _within(body, start, body[at], path)
            raw = bytes(body[start:end])
            fields[field] = _text(raw) if code == "text" else raw
        at = end
    return fields, at


def _within(body: bytes, at: int, size: int, path: str) -> int:
    if at + size > len(body):
        raise ValueError(f"{path}: the body ends too early, after {len(body)} bytes")
    return at + size


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except ValueError:  # UnicodeError is one on CPython and on MicroPython
        return "".join([chr(byte) if byte < 0x80 else "?" for byte in raw])


def _stuff(raw: bytes) -> bytes:
    """COBS for at most 253 bytes, which every frame keeps to: no block is ever full, so no code is 0xFF."""
    out = bytearray()
    start = 0
    while True:
        end = raw.find(b"\x00", start)
        block = raw[start:] if end < 0 else raw[start:end]
        out.append(len(block) + 1)
        out.extend(block)
        if end < 0:
            return bytes(out)
        start = end + 1


def _unstuff(held: bytes) -> "bytes | None":
    """The bytes that `_stuff` was given, or None if the blocks do not end where the frame ends."""
    out = bytearray()
    at = 0
    while True:
        end = at + held[at]
        if end > len(held):
            return None
        out.extend(held[at + 1 : end])
        if end == len(held):
            return bytes(out)
        out.append(0)
        at = end
