"""The wire protocol by itself: golden vectors, round trips, and every way a line can spoil a frame."""

from __future__ import annotations

import json
import platform
import struct
import subprocess
import sys
import zlib
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablectl import wire

# A busy machine must not fail a test: no time limit per example.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

GOLDEN = Path(__file__).parent / "golden"
VECTORS = json.loads((GOLDEN / "wire.json").read_text())
COUNT = sum(len(VECTORS[key]) for key in ("frames", "streams", "short_bodies", "lenient_bodies"))
PACKAGE = Path(wire.__file__).parent

Frame = tuple[int, int, bytes]


def read_all(data: bytes) -> list[Frame]:
    return wire.Decoder().feed(data)


# --- fields of every kind -----------------------------------------------------------------------------------

u8, u16, u32 = st.integers(0, 0xFF), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF)
i8 = st.integers(-0x80, 0x7F)


def text(most: int) -> st.SearchStrategy[str]:
    """Text of at most that many bytes in UTF-8."""
    return st.text(st.characters(codec="utf-8"), max_size=most).filter(lambda t: len(t.encode()) <= most)


seen = st.fixed_dictionaries({"antenna": u8, "dt_ms": u16, "rssi": i8, "uid": st.binary(max_size=10)})
FIELDS: dict[int, st.SearchStrategy[dict[str, Any]]] = {
    wire.HELLO: st.fixed_dictionaries(
        {
            "major": u8,
            "minor": u8,
            "boot_id": u32,
            "board_id": st.binary(min_size=8, max_size=8),
            "firmware": text(60),
            "capabilities": u16,
            "antennas": st.lists(st.fixed_dictionaries({"antenna": u8, "kind": u8}), max_size=32),
        }
    ),
    wire.RESULT: st.fixed_dictionaries({"for_seq": u8, "for_kind": u8, "status": u8, "detail": text(90)}),
    wire.SIGHTINGS: st.fixed_dictionaries(
        {"sweep": u16, "t0_ms": u32, "polled": u32, "seen": st.lists(seen, max_size=15)}
    ),
    wire.ANTENNA_HEALTH: st.fixed_dictionaries(
        {"antenna": u8, "state": u8, "tuning": u16, "reads": u16, "errors": u16}
    ),
    wire.HEARTBEAT: st.fixed_dictionaries(
        {"uptime_ms": u32, "free_kib": u16, "rx_errors": u16, "tx_dropped": u16}
    ),
    wire.PASSAGE: st.fixed_dictionaries({"t_ms": u32, "antenna": u8, "face": u8}),
    wire.LOG: st.fixed_dictionaries({"level": u8, "text": text(90)}),
    wire.GET_HELLO: st.just({}),
    wire.SET_POLL_PLAN: st.fixed_dictionaries(
        {"plan": st.lists(st.fixed_dictionaries({"antenna": u8, "period_ms": u16, "power": u8}), max_size=32)}
    ),
    wire.SELF_TEST: st.fixed_dictionaries({"antenna": u8}),
    wire.SET_LED: st.fixed_dictionaries({"led": u8, "r": u8, "g": u8, "b": u8, "pattern": u8}),
}
messages = st.sampled_from(sorted(FIELDS)).flatmap(lambda kind: st.tuples(st.just(kind), FIELDS[kind]))
frames: st.SearchStrategy[Frame] = st.tuples(u8, u8, st.binary(max_size=wire.MAX_BODY))


# --- golden vectors -----------------------------------------------------------------------------------------


def test_golden_vectors_under_this_python() -> None:
    """Every vector, made without tablectl, is packed, framed, decoded, unpacked or refused as it says."""
    assert run_vectors(sys.executable) == f"{COUNT} vectors hold"


if platform.machine() == "x86_64":  # the only machine the MicroPython wheel exists for

    def test_golden_vectors_under_the_micropython_vm() -> None:
        """The same file runs unchanged in MicroPython and gives the same bytes."""
        assert run_vectors(str(Path(sys.executable).with_name("micropython"))) == f"{COUNT} vectors hold"


def run_vectors(interpreter: str) -> str:
    command = [interpreter, str(GOLDEN / "check_wire.py"), str(PACKAGE), str(GOLDEN / "wire.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout.strip() + done.stderr.strip()


def test_golden_vectors_cover_every_kind() -> None:
    """No kind of the protocol goes without a vector."""
    assert {vector["kind"] for vector in VECTORS["frames"]} == set(wire.NAMES) == set(FIELDS)


# --- bodies -------------------------------------------------------------------------------------------------


@unhurried
@given(messages, u8)
def test_every_kind_survives_the_round_trip(message: tuple[int, dict[str, Any]], seq: int) -> None:
    """fields → body → frame → body → fields gives back what went in, for any values a field can hold."""
    kind, fields = message
    frame = wire.encode(kind, seq, wire.pack(kind, **fields))
    [(kind_read, seq_read, body)] = read_all(frame)
    assert (kind_read, seq_read) == (kind, seq)
    assert wire.unpack(kind, body) == fields


@unhurried
@given(messages, st.binary(min_size=1, max_size=20))
def test_trailing_bytes_of_a_later_version_are_counted_not_refused(
    message: tuple[int, dict[str, Any]], extra: bytes
) -> None:
    """A body with more at its end still gives its known fields, and says how many bytes it did not know."""
    kind, fields = message
    assert wire.unpack(kind, wire.pack(kind, **fields) + extra) == fields | {"_extra": len(extra)}


@unhurried
@given(messages)
def test_a_body_cut_anywhere_is_refused_by_name(message: tuple[int, dict[str, Any]]) -> None:
    """Whatever is missing at the end, the answer is ValueError that names the kind, never other fields."""
    kind, fields = message
    body = wire.pack(kind, **fields)
    for size in range(len(body)):
        with pytest.raises(ValueError, match=wire.name(kind)):
            wire.unpack(kind, body[:size])


@unhurried
@given(st.sampled_from(sorted(wire.NAMES)), st.binary(max_size=wire.MAX_BODY))
def test_random_bodies_are_read_or_refused(kind: int, body: bytes) -> None:
    """No body whatever makes `unpack` fail in any other way than ValueError."""
    with suppress(ValueError):
        wire.unpack(kind, body)


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        (wire.SELF_TEST, {"antenna": 256}, "SELF_TEST.antenna is 256, must be 0 to 255"),
        (wire.SELF_TEST, {}, "SELF_TEST lacks its field antenna"),
        (wire.SELF_TEST, {"antenna": 1, "led": 2}, "SELF_TEST has no field led"),
        (0x7E, {}, "unknown kind 7E"),
        (wire.LOG, {"level": 0, "text": "x" * 256}, "LOG.text length is 256, must be 0 to 255"),
        (wire.LOG, {"level": 0, "text": "x" * 239}, "body of LOG has 241 bytes, at most 240 fit a frame"),
        (wire.SET_POLL_PLAN, {"plan": [{"antenna": 0}]}, "SET_POLL_PLAN.plan lacks its field period_ms"),
    ],
)
def test_what_does_not_fit_is_refused_with_field_and_limit(
    kind: int, fields: dict[str, Any], said: str
) -> None:
    """`pack` never sends a wrapped or half-filled value: it names the field and what would be right."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (the text is compared below)
        wire.pack(kind, **fields)
    assert str(caught.value) == said


def test_encode_refuses_a_body_no_frame_can_hold() -> None:
    """241 bytes are refused; 240 are the limit."""
    wire.encode(wire.LOG, 0, bytes(wire.MAX_BODY))
    with pytest.raises(ValueError, match="241 bytes"):
        wire.encode(wire.LOG, 0, bytes(wire.MAX_BODY + 1))


# --- the line -----------------------------------------------------------------------------------------------


@unhurried
@given(frames)
def test_a_frame_is_what_the_page_says(frame: Frame) -> None:
    """No 0x00 but the last byte, and undoing COBS by hand gives kind, seq, body and zlib's CRC-32."""
    kind, seq, body = frame
    encoded = wire.encode(kind, seq, body)
    assert encoded.find(0) == len(encoded) - 1
    raw = bytearray()
    at = 0
    while encoded[at]:
        raw += encoded[at + 1 : at + encoded[at]] + b"\x00"
        at += encoded[at]
    payload = bytes([kind, seq]) + body
    assert bytes(raw[:-1]) == payload + struct.pack("<I", zlib.crc32(payload))


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda vector: vector["name"])
def test_every_single_bit_flip_is_rejected_or_harmless(vector: dict[str, Any]) -> None:
    """One flipped bit costs that frame and no other; in the closing 0x00 it joins the frame with the next."""
    frame = bytes.fromhex(vector["frame"])
    before, after = wire.encode(wire.GET_HELLO, 1, b""), wire.encode(wire.GET_HELLO, 2, b"")
    last = wire.encode(wire.GET_HELLO, 3, b"")
    for bit in range(len(frame) * 8):
        flipped = bytearray(frame)
        flipped[bit // 8] ^= 1 << bit % 8
        got = [seq for _, seq, _ in read_all(before + bytes(flipped) + after + last)]
        closing = bit // 8 == len(frame) - 1
        assert got == ([1, 3] if closing else [1, 2, 3]), f"bit {bit}"


@unhurried
@given(st.lists(frames, max_size=6), st.data())
def test_pieces_and_single_bytes_equal_the_whole(sent: list[Frame], data: st.DataObject) -> None:
    """However the line cuts the bytes, the same frames come out, in order, and the same counters."""
    line = b"".join(wire.encode(*frame) for frame in sent)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(line)), max_size=8)))
    whole, single, pieces = wire.Decoder(), wire.Decoder(), wire.Decoder()
    assert whole.feed(line) == sent
    assert [frame for byte in line for frame in single.feed(bytes([byte]))] == sent
    edges = [0, *cuts, len(line)]
    got = [frame for a, b in pairwise(edges) for frame in pieces.feed(line[a:b])]
    assert got == sent
    assert whole.frames == single.frames == pieces.frames == len(sent)


@unhurried
@given(st.lists(st.tuples(frames, st.binary(max_size=600)), max_size=5))
def test_garbage_between_frames_costs_no_frame(parts: list[tuple[Frame, bytes]]) -> None:
    """Noise that ends with a 0x00 is dropped and counted; every frame around it arrives."""
    decoder = wire.Decoder()
    line = b"".join(noise + b"\x00" + wire.encode(*frame) for frame, noise in parts)
    assert decoder.feed(line) == [frame for frame, _ in parts]
    dropped = sum(1 for _, noise in parts for chunk in noise.split(b"\x00") if chunk)
    assert decoder.bad_cobs + decoder.bad_crc + decoder.too_long == dropped


@unhurried
@given(st.lists(frames, min_size=3, max_size=6, unique=True), st.data())
def test_a_lost_or_damaged_frame_costs_only_itself(sent: list[Frame], data: st.DataObject) -> None:
    """Leave one frame out, or overwrite a part of it with noise: all the others arrive unchanged."""
    hurt = data.draw(st.integers(0, len(sent) - 1))
    frame = wire.encode(*sent[hurt])
    at = data.draw(st.integers(0, len(frame) - 2))
    noise = data.draw(st.binary(min_size=1, max_size=8))
    damaged = (frame[:at] + noise + frame[at + len(noise) :])[: len(frame) - 1] + b"\x00"
    for instead in (b"", damaged):
        line = b"".join(instead if n == hurt else wire.encode(*each) for n, each in enumerate(sent))
        expected = sent if instead == frame else sent[:hurt] + sent[hurt + 1 :]
        assert read_all(line) == expected


@settings(unhurried, max_examples=20)
@given(st.binary(min_size=1, max_size=50).filter(lambda noise: 0 not in noise))
def test_noise_without_a_zero_never_grows_the_decoder(noise: bytes) -> None:
    """Hours of noise without a delimiter hold at most one frame's bytes, and count as one frame too long."""
    decoder = wire.Decoder()
    for _ in range(2000):
        assert decoder.feed(noise) == []
        assert len(decoder._pending) <= wire.MAX_ENCODED
    assert decoder.too_long == 1
    frame = (wire.GET_HELLO, 9, b"")
    assert decoder.feed(b"\x00" + wire.encode(*frame)) == [frame]


def test_it_imports_nothing_of_ours_and_no_more_than_micropython_has() -> None:
    """The firmware copies this one file: it may import only `binascii` and `struct` at run time."""
    code = "import sys; before = set(sys.modules); import wire; print(sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=PACKAGE,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert set(json.loads(done.stdout.replace("'", '"'))) <= {"wire", "binascii", "struct", "_struct"}
