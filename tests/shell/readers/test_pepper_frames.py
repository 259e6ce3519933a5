"""The bytes of a Pepper C1, held against what its maker and its users have published."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablectl.shell.readers import pepper_frames as frames
from tablectl.shell.readers.pepper_frames import ACK, ASYNC, ERROR, Answer, Decoder, encode, parse
from tablectl.shell.readers.pepper_look import ByteOrder
from tablectl.sim.pepper import crc16, framed

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

PUBLISHED = {
    "01": "F5 03 00 FC FF 01 D1 F1",
    "02": "F5 03 00 FC FF 02 B2 C1",
    "05": "F5 03 00 FC FF 05 55 B1",
    "0A": "F5 03 00 FC FF 0A BA 40",
    "03 00": "F5 04 00 FB FF 03 00 5C 48",
    "03 01": "F5 04 00 FB FF 03 01 7D 58",
    "03 02": "F5 04 00 FB FF 03 02 1E 68",
    "03 03": "F5 04 00 FB FF 03 03 3F 78",
    "03 04": "F5 04 00 FB FF 03 04 D8 08",
}
"""Payload → frame: the maker's example (dummy command, C1 manual) and the commands of programs that run with it."""

MANUAL = {
    "00 02 01": Answer(ACK, frames.GET_TAG_COUNT, b"\x01"),
    "00 03 01 20 74 54 12 65": Answer(ACK, frames.GET_TAG_UID, bytes.fromhex("0120 74541265")),
    "00 91 04 8F 7F 0A 01 24 16 E0 00 00": Answer(
        ACK, frames.ICODE_INVENTORY_NEXT, bytes.fromhex("048F7F0A012416E0 00 00")
    ),
    "FF 01 02 01": Answer(ERROR, frames.DUMMY, b"\x02\x01"),
    "FE 03 27": Answer(ASYNC, 0, b"\x03\x27"),
}
"""Payload → what it says: the examples of the manual, §3.1.1, §3.1.5, §3.6.2, §3.1.2; and an event."""


@pytest.mark.parametrize("payload", PUBLISHED)
def test_published_frames_are_built_and_read_byte_for_byte(payload: str) -> None:
    """Header, inverted length and CRC are those that real readers take; the simulated reader agrees."""
    whole = bytes.fromhex(PUBLISHED[payload])
    assert encode(bytes.fromhex(payload)) == whole
    assert framed(bytes.fromhex(payload)) == whole
    assert Decoder().feed(whole) == [bytes.fromhex(payload)]


def test_the_crc_is_that_of_the_catalogue() -> None:
    """CRC-16 with polynomial 0x1021 begun at 0xFFFF gives 0x29B1 for the nine digits, in both programs."""
    assert encode(b"123456789")[-2:] == bytes.fromhex("B129")
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize("payload", MANUAL)
def test_the_manuals_answers_are_understood(payload: str) -> None:
    """ACK, ERROR and ASYNC as the manual prints them."""
    assert parse(bytes.fromhex(payload)) == MANUAL[payload]
    assert parse(b"\x42\x01") is None
    assert parse(b"\x00") is None


def test_an_error_is_told_by_its_number_not_by_its_layer() -> None:
    """The manual's error 1 of layer 2 is error 1; an ERROR without a layer, or without anything, has one too."""
    assert Answer(ERROR, 1, b"\x02\x01").error == 1
    assert Answer(ERROR, 1, b"\x24").error == 0x24
    assert Answer(ERROR, 1, b"").error == 0


def test_the_manuals_uid_ends_in_e0_and_is_turned() -> None:
    """E0 is the most significant byte of an ISO 15693 UID, at whichever end it comes; ISO 14443 comes as it is."""
    order = ByteOrder()
    assert order.uid(bytes.fromhex("048F7F0A012416E0")) == "E01624010A7F8F04"
    assert order.uid(bytes.fromhex("74541265")) == "74541265"
    assert order.uid(bytes.fromhex("04112233445566")) == "04112233445566"
    assert ByteOrder().uid(bytes.fromhex("E01624010A7F8F04")) == "E01624010A7F8F04"


def test_a_uid_with_e0_at_both_ends_is_read_as_the_others_were() -> None:
    """Before a clear one came nobody can tell, and it is not guessed."""
    both = bytes.fromhex("E004015012345 6E0".replace(" ", ""))
    order = ByteOrder()
    assert order.uid(both) is None
    order.uid(bytes.fromhex("048F7F0A012416E0"))
    assert order.uid(both) == both[::-1].hex().upper()
    assert ByteOrder(least_first=True).uid(both) == both[::-1].hex().upper()


@pytest.mark.parametrize("raw", ["", "E0", "E00401501234", "E00401501234560102", "0011223344556677"])
def test_what_is_no_uid_is_none(raw: str) -> None:
    """A wrong length, and eight bytes without E0 at an end."""
    assert ByteOrder().uid(bytes.fromhex(raw)) is None


@unhurried
@given(st.lists(st.binary(min_size=1, max_size=60), max_size=6), st.integers(1, 7))
def test_frames_come_out_as_they_went_in_whatever_the_portions(payloads: list[bytes], step: int) -> None:
    """Every payload once, in order, none invented, nothing counted as damage."""
    line, decoder = b"".join(map(encode, payloads)), Decoder()
    out = [got for at in range(0, len(line), step) for got in decoder.feed(line[at : at + step])]
    assert out == payloads
    assert decoder.frames == len(payloads)
    assert decoder.damage == 0


@unhurried
@given(st.binary(max_size=300), st.binary(min_size=1, max_size=20))
def test_behind_any_garbage_a_frame_is_found(garbage: bytes, payload: bytes) -> None:
    """At once, or when the frame that the garbage seemed to begin is given up."""
    decoder = Decoder()
    out = decoder.feed(garbage + encode(payload))
    for _ in garbage:
        out += decoder.give_up() if payload not in out else []
    assert payload in out


@pytest.mark.parametrize("place", range(10))
def test_a_frame_with_one_bit_wrong_is_dropped_and_the_next_one_is_not(place: int) -> None:
    """In the start, the length, its inverse, the payload or the CRC: it costs only itself."""
    broken = bytearray(encode(b"\x00\x02\x01"))
    broken[place] ^= 0x10
    decoder = Decoder()
    out = decoder.feed(bytes(broken) + encode(b"\x00\x0f") + encode(b"\x00\x05"))
    assert out == [b"\x00\x0f", b"\x00\x05"]
    assert decoder.damage > 0


def test_a_length_that_lies_hides_nothing_for_long() -> None:
    """Both length fields agree on 200 bytes that never come: what was taken for its payload is read again."""
    lie = bytes([0xF5, 200, 0, 200 ^ 0xFF, 0xFF])
    decoder = Decoder()
    assert decoder.feed(lie + encode(b"\x00\x02\x00")) == []
    assert decoder.give_up() == [b"\x00\x02\x00"]


def test_a_length_beyond_every_answer_is_no_header() -> None:
    """A lie of 60000 bytes does not even wait."""
    lie = bytes([0xF5, 0x60, 0xEA, 0x9F, 0x15])
    assert Decoder().feed(lie + encode(b"\x00\x02\x00")) == [b"\x00\x02\x00"]


def test_a_flood_of_noise_is_not_kept() -> None:
    """A megabyte of random bytes leaves at most one frame's worth behind."""
    noise, decoder = random.Random(3), Decoder()
    for _ in range(256):
        decoder.feed(noise.randbytes(4096))
    assert decoder.noise_bytes > 1_000_000 - frames.LONGEST - 8
