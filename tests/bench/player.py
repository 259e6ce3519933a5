"""Reader boards that play a recording in real time onto ptys and note when each sweep was written.

    player.py FOLDER RECORDING INPUT_URL      writes FOLDER/written.json at its end; says how far it is

One frame (or a group of frames that ends with it) is one sweep event of the table, so the n-th event of a
reader is the n-th sweep written to its line. Frames are written by struct from the protocol page.
"""

from __future__ import annotations

import http.client
import json
import os
import queue
import select
import struct
import sys
import threading
import time
import tty
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

TAGS = 16
"""So many tags with UIDs of 8 bytes fit into a body of 240 bytes."""
LEAD_S = 1.0
TELL_MS = 20_000
"""So often the time that was played is said, ms of the recording."""


def frame(kind: int, seq: int, body: bytes) -> bytes:
    payload = bytes([kind, seq]) + body
    blocks = (payload + struct.pack("<I", zlib.crc32(payload))).split(b"\x00")
    return b"".join(bytes([len(block) + 1]) + block for block in blocks) + b"\x00"


def unframe(encoded: bytes) -> bytes:
    out, at = bytearray(), 0
    while at < len(encoded):
        out += encoded[at + 1 : at + encoded[at]] + b"\x00"
        at += encoded[at]
    return bytes(out[:-5])


class Board:
    """One board on a pty."""

    def __init__(self, number: int, link: Path, antennas: list[int]) -> None:
        self.number = number
        self.antennas = antennas
        self.planned = False
        self.written: list[int] = []
        self._seq = self._sweep = 0
        self._heard = b""
        self.master, slave = os.openpty()
        tty.setraw(slave)
        link.symlink_to(os.ttyname(slave))

    def hear(self) -> None:
        *frames, self._heard = (self._heard + os.read(self.master, 4096)).split(b"\x00")
        for encoded in frames:
            kind, seq = unframe(encoded)[:2]
            if kind == 0x80:
                antennas = b"".join(bytes([antenna, 0]) for antenna in self.antennas)
                hello = struct.pack("<BBI", 1, 0, 1) + b"bench--%d" % self.number + b"\x05bench"
                self._send(0x01, hello + struct.pack("<HB", 1, len(self.antennas)) + antennas)
            elif kind == 0x81:
                self._send(0x02, bytes([seq, kind, 0, 0]))
                self.planned = True

    def play(self, t: int, sweep: dict[str, Any]) -> None:
        """Write one sweep, noting when its last frame was written."""
        seen = sweep["seen"]
        parts = [seen[at : at + TAGS] for at in range(0, max(len(seen), 1), TAGS)]
        for part in parts:
            last = part is parts[-1]
            polled = sum(1 << antenna for antenna in sweep["polled"]) if last else 0
            t0 = t - max((item[3] if len(item) > 3 else 0 for item in part), default=0)
            body = struct.pack("<HIIB", self._sweep % 65536, t0, polled, len(part))
            for antenna, uid, rssi, *age in part:
                raw = bytes.fromhex(uid)
                body += (
                    struct.pack("<BHbB", antenna, t - (age[0] if age else 0) - t0, rssi or 0, len(raw)) + raw
                )
            if last:
                self.written.append(time.monotonic_ns())
            self._send(0x10, body)
        self._sweep += 1

    def _send(self, kind: int, body: bytes) -> None:
        os.write(self.master, frame(kind, self._seq, body))
        self._seq = (self._seq + 1) % 256


def enter(url: str, entries: queue.Queue[dict[str, Any] | None]) -> None:
    """Each entry on a connection of its own: the table closes one that was idle for some seconds."""
    parts = urlsplit(url)
    while (entry := entries.get()) is not None:
        line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        line.request("POST", parts.path, json.dumps(entry), {"Content-Type": "application/json"})
        if line.getresponse().status != 200:
            raise SystemExit(f"bench: the table did not take {entry}")
        line.close()


def wait(boards: list[Board], seconds: float) -> None:
    """Until then, answer what the table asks."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        for ready in select.select([board.master for board in boards], [], [], left)[0]:
            next(board for board in boards if board.master == ready).hear()


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(folder: Path, recording: Path, url: str) -> None:
    header, *lines = (json.loads(line) for line in recording.read_text().splitlines())
    readers = header["config"]["reader"]
    boards = [
        Board(number, folder / f"reader{number}", sorted(map(int, reader["antennas"])))
        for number, reader in enumerate(readers)
    ]
    while not all(board.planned for board in boards):
        wait(boards, 0.05)
    entries: queue.Queue[dict[str, Any] | None] = queue.Queue()
    hand = threading.Thread(target=enter, args=(url, entries), daemon=True)
    hand.start()
    began = time.monotonic() + LEAD_S
    told = 0
    for line in lines:
        if line["t"] >= told + TELL_MS:
            told += TELL_MS
            say(f"{told // 1000}")
        wait(boards, began + line["t"] / 1000 - time.monotonic())
        if "sweep" in line:
            boards[line["sweep"]["reader"]].play(line["t"], line["sweep"])
        elif "input" in line:
            entries.put(line["input"])
    entries.put(None)
    hand.join(20)
    wait(boards, 1.0)
    written = {board.number: board.written for board in boards}
    (folder / "written.json").write_text(json.dumps(written))
    say("played")
    sys.stdin.readline()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
