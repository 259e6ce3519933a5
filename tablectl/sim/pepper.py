"""A Pepper C1 MUX without hardware: its side of the serial protocol, on a pty that any program can open.

Owns: the reader's answers, the time that a look takes, its faults. Shares no code with the driver: what both
agree on is what the maker's documentation says (the sources are named in `shell/readers/pepper_frames.py`).
Refuses: physics of cards in motion; a tag is at an antenna or it is not.

    python -m tablectl.sim.pepper /tmp/pepper0        then, on standard input:
    put 3 E004015012345601 · take 3 E004015012345601 · restart · unplug · replug · quit
"""

from __future__ import annotations

import heapq
import os
import select
import string
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from tablectl import cards
from tablectl.errors import UsageError
from tablectl.sim import airtime
from tablectl.sim.ports import PtyPort

ANTENNAS = range(1, 9)
LISTED = 5
"""Tags that GET_TAG_COUNT finds at most."""
SLIX2, ULTRALIGHT = 0x27, 0x01
"""Tag types of GET_TAG_UID."""
NO_REPLY, WRONG_CRC, INVALID_PARAMETER, NOT_SUPPORTED = 0x01, 0x02, 0x21, 0x24
"""Numbers of ERROR answers."""
VERSION = b"2.56 simulated\x00"
PLAIN = {0x01: b"", 0x05: b"", 0x0B: VERSION}
"""DUMMY, HALT and GET_VERSION: what their ACK carries."""
BOOT_S = 1.0
"""After a reboot no command is taken for so long, s."""
TURNAROUND_MS = 1.0
"""From a command to its answer where nothing is read over the air [A]."""
GUARD_MS = 5.0
"""From the field's switching on to the first command to a tag: the guard time of common stacks."""
ISO_14443_MS = 2.2
"""A poll for ISO 14443 tags with none there (`shared/spec/tracking.md` §1)."""
POLL_S = 0.1
"""Between two events of a reader that polls by itself, s."""


def crc16(data: bytes) -> int:
    """CCITT's CRC: polynomial 0x1021, begun at 0xFFFF, most significant bit first."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def framed(payload: bytes) -> bytes:
    """A payload as it goes over the line."""
    length = len(payload) + 2
    low, high = length & 0xFF, length >> 8
    crc = crc16(payload)
    return bytes([0xF5, low, high, low ^ 0xFF, high ^ 0xFF, *payload, crc & 0xFF, crc >> 8])


class Pepper:
    """The reader: `feed` it what the table sends, and get what it answers, each with the ms that this takes.

    Faults are attributes, to be set and reset at any time.
    """

    def __init__(self) -> None:
        self.tags: dict[int, tuple[str, ...]] = dict.fromkeys(ANTENNAS, ())
        """Antenna → the UIDs there, hex, most significant byte first. Replace the tuple to move a card."""
        self.antenna = 1
        self.polling = self.polls_at_boot = False
        self.listed_least_first = True
        """The byte order of GET_TAG_UID, which is not documented."""
        self.silent = False
        """It takes everything and answers nothing."""
        self.refuses: dict[int, int] = {}
        """Command → the number of the ERROR that it is answered with."""
        self.heard: list[bytes] = []
        """Every command that it understood."""
        self._in = bytearray()
        self._list: list[str] = []
        self._left: list[str] = []

    def put(self, antenna: int, uid: str) -> None:
        """A card comes to rest."""
        self.tags[antenna] = (*self.tags[antenna], uid)

    def take(self, antenna: int, uid: str) -> None:
        """A card is taken away."""
        self.tags[antenna] = tuple(other for other in self.tags[antenna] if other != uid)

    def restart(self) -> None:
        """Power off and on: it forgets the antenna that was chosen, and the line is dumb meanwhile."""
        self.antenna, self.polling = 1, self.polls_at_boot
        self._in.clear()
        self._list, self._left = [], []

    def feed(self, data: bytes) -> list[tuple[float, bytes]]:
        """Bytes from the table; the answers as (ms from now, bytes)."""
        self._in += data
        answers = []
        for payload in self._payloads():
            if payload is None:
                answers.append((TURNAROUND_MS, framed(bytes([0xFF, 0xFF, WRONG_CRC]))))
                continue
            self.heard.append(payload)
            answer = self._answer(payload[0], payload[1:])
            answers.append((self._takes(payload[0]), framed(answer)))
        return [] if self.silent else answers

    def event(self) -> bytes:
        """What it sends unasked while it polls by itself; nothing if it does not, or if there is no tag."""
        for antenna in ANTENNAS if self.polling and not self.silent else ():
            if self.tags[antenna]:
                return framed(bytes([0xFE, 0x03]) + self._named(self.tags[antenna][0]))
        return b""

    def _payloads(self) -> Iterator[bytes | None]:
        """What came complete; None for a frame whose CRC is wrong."""
        while len(self._in) >= 5:
            header = self._in[:5]
            if header[0] != 0xF5 or header[1] ^ header[3] != 0xFF or header[2] ^ header[4] != 0xFF:
                del self._in[0]
                continue
            end = 5 + header[1] + (header[2] << 8)
            if len(self._in) < end:
                return
            payload, crc = bytes(self._in[5 : end - 2]), self._in[end - 2] + (self._in[end - 1] << 8)
            del self._in[:end]
            yield payload if payload and crc16(payload) == crc else None

    def _takes(self, command: int) -> float:
        """The time from a command to its answer, ms."""
        uids = tuple(uid for uid in self.tags[self.antenna] if len(uid) == 16)
        if command == 0x02:
            return GUARD_MS + ISO_14443_MS + airtime.look(uids)[0]
        if command == 0x90:
            return airtime.look(uids, several=True)[0]
        return TURNAROUND_MS

    def _answer(self, command: int, data: bytes) -> bytes:
        if command in self.refuses:
            return bytes([0xFF, command, 0x00, self.refuses[command]])
        done = self._done(command, data)
        return bytes([0xFF, command, 0x00, -done]) if isinstance(done, int) else bytes([0x00, command]) + done

    def _done(self, command: int, data: bytes) -> bytes | int:
        """What an ACK carries, or minus the number of an ERROR."""
        first = data[0] if data else -1
        if command in PLAIN:
            return PLAIN[command]
        if command == 0x02:  # GET_TAG_COUNT
            self._list = list(self.tags[self.antenna][:LISTED])
            return bytes([len(self._list)])
        if command == 0x03:  # GET_TAG_UID
            return self._named(self._list[first]) if 0 <= first < len(self._list) else -INVALID_PARAMETER
        if command == 0x06:  # SET_POLLING
            self.polling = first == 1
            return b""
        if command == 0x0F:  # SET_ACTIVE_ANTENNA
            self.antenna = first if first in ANTENNAS else self.antenna
            return b"" if first in ANTENNAS else -INVALID_PARAMETER
        return self._inventory(command) if command in (0x90, 0x91) else -NOT_SUPPORTED

    def _inventory(self, command: int) -> bytes | int:
        """ICODE_INVENTORY_START, or NEXT: one tag and whether there are more."""
        if command == 0x90:
            self._left = [uid for uid in self.tags[self.antenna] if len(uid) == 16]
        if not self._left:
            return -NO_REPLY
        return bytes.fromhex(self._left.pop(0))[::-1] + bytes([0x00, bool(self._left)])

    def _named(self, uid: str) -> bytes:
        """Type, parameter and UID of one tag."""
        raw = bytes.fromhex(uid)
        if len(raw) != 8:
            return bytes([ULTRALIGHT, 0x00]) + raw
        return bytes([SLIX2, 0x00]) + (raw[::-1] if self.listed_least_first else raw)


class PepperProcess:
    """The reader on a pty, until `quit` or the end of standard input."""

    def __init__(self, link: Path) -> None:
        self.reader = Pepper()
        self.port = PtyPort(link)
        self._out: list[tuple[float, int, bytes]] = []
        self._order = count()
        self._deaf_until = 0.0
        self._poll_at = 0.0
        self._typed = ""

    def run(self) -> None:
        """Serve the line and standard input."""
        while True:
            now = time.monotonic()
            while self._out and self._out[0][0] <= now:
                self.port.write(heapq.heappop(self._out)[2])
            if self.reader.polling and now >= self._poll_at:
                self._poll_at = now + POLL_S
                self.port.write(self.reader.event())
            due = [at for at, _, _ in self._out[:1]] + ([self._poll_at] if self.reader.polling else [])
            wait = max(0.0, min(due) - now) if due else None
            watched = [sys.stdin.fileno(), *([] if self.port.fd is None else [self.port.fd])]
            ready, _, _ = select.select(watched, [], [], wait)
            if self.port.fd in ready:
                self._hear(self.port.read())
            if sys.stdin.fileno() in ready and not self._listen():
                self.port.unplug()
                return

    def _listen(self) -> bool:
        """What standard input says; False if it says to quit, or nothing more."""
        data = os.read(sys.stdin.fileno(), 4096)
        *lines, self._typed = (self._typed + data.decode("utf-8", "replace")).split("\n")
        for line in lines:
            if line.strip() == "quit":
                return False
            self._told(line.split())
        return bool(data)

    def _hear(self, data: bytes) -> None:
        now = time.monotonic()
        if now < self._deaf_until:
            return
        at = now
        for takes, answer in self.reader.feed(data):
            at += takes / 1000
            heapq.heappush(self._out, (at, next(self._order), answer))

    def _told(self, words: list[str]) -> None:
        match words:
            case ["put" | "take" as what, antenna, uid] if antenna in map(str, ANTENNAS) and _is_uid(uid):
                move = self.reader.put if what == "put" else self.reader.take
                move(int(antenna), uid.upper())
            case []:
                pass
            case ["restart"]:
                self._out.clear()
                self._deaf_until = time.monotonic() + BOOT_S
                self.reader.restart()
            case ["unplug"]:
                self._out.clear()
                self.port.unplug()
            case ["replug"]:
                self.reader.restart()
                self.port.plug()
            case _:
                right = "put ANTENNA UID, take ANTENNA UID, restart, unplug, replug or quit"
                sys.stderr.write(f"{' '.join(words)}: not understood; {right}\n")


def _is_uid(text: str) -> bool:
    return all(char in string.hexdigits for char in text) and cards.well_formed(text)


def main() -> int:
    """`python -m tablectl.sim.pepper LINK`; exit status 2 if that is no place for a link."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python -m tablectl.sim.pepper LINK (the path that a table opens)\n")
        return 2
    try:
        process = PepperProcess(Path(sys.argv[1]))
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    process.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
