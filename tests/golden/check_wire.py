"""Run the golden vectors of the wire protocol through a copy of `wire.py`.

It runs under MicroPython and CPython alike:

    micropython check_wire.py PACKAGE_DIR VECTORS

Prints how many vectors held; the first that does not hold ends it with an AssertionError that names it. The
firmware's tests run the same file.
"""

import binascii
import json
import sys

sys.path.insert(0, sys.argv[1])
import wire

BYTES = ("uid", "board_id")


def from_json(value):
    """The fields as `wire` wants them: bytes where the vectors have hex."""
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if isinstance(value, dict):
        return {key: binascii.unhexlify(v) if key in BYTES else from_json(v) for key, v in value.items()}
    return value


def check_frame(vector):
    fields = from_json(vector["fields"])
    body, frame = binascii.unhexlify(vector["body"]), binascii.unhexlify(vector["frame"])
    kind, seq = vector["kind"], vector["seq"]
    assert wire.pack(kind, **fields) == body, "pack: " + vector["name"]
    assert wire.unpack(kind, body) == fields, "unpack: " + vector["name"]
    assert wire.encode(kind, seq, body) == frame, "encode: " + vector["name"]
    assert wire.Decoder().feed(frame) == [(kind, seq, body)], "decode: " + vector["name"]


def check_stream(vector):
    data = binascii.unhexlify(vector["hex"])
    for step in (1, 7, len(data)):
        decoder = wire.Decoder()
        for at in range(0, len(data), step):
            decoder.feed(data[at : at + step])
        counts = {key: getattr(decoder, key) for key in vector["counts"]}
        assert counts == vector["counts"], f"stream: {vector['name']}: {counts}"


def check_short_body(vector):
    try:
        wire.unpack(vector["kind"], binascii.unhexlify(vector["body"]))
    except ValueError:
        return
    raise AssertionError("accepted: " + vector["name"])


def check_lenient_body(vector):
    fields = wire.unpack(vector["kind"], binascii.unhexlify(vector["body"]))
    assert fields == vector["fields"], f"lenient: {vector['name']}: {fields}"


def main():
    with open(sys.argv[2]) as file:  # noqa: PTH123  (MicroPython has no pathlib)
        vectors = json.load(file)
    held = 0
    for key, check in (
        ("frames", check_frame),
        ("streams", check_stream),
        ("short_bodies", check_short_body),
        ("lenient_bodies", check_lenient_body),
    ):
        for vector in vectors[key]:
            check(vector)
            held += 1
    print(f"{held} vectors hold")  # noqa: T201  (a script: this line is its result)


main()
