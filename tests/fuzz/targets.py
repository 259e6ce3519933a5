"""What is fuzzed: each target takes any bytes at all and says by an exception that something was wrong with us.

Two kinds of a line's bytes: raw ones, and (first byte odd) the bodies of frames that are whole and have the right
checksum, because neither chance nor coverage finds a CRC-32. What comes out of a line goes through a real table, as it
does in `App`: whatever a reader can make of noise, the core must take.
"""

from __future__ import annotations

import asyncio
import io
import os
import ssl
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "shell/display"))

from network import opened, trust

from tablectl import wire
from tablectl.app.replay import replay
from tablectl.app.setting import table_of
from tablectl.config import from_recording, load
from tablectl.config.decks import read_deck
from tablectl.config.tokens import holder, tokens_in
from tablectl.core.sensed import Found, Gap, Lost, Sensed, Sweep
from tablectl.core.table import Table
from tablectl.errors import ConfigError, TablectlError
from tablectl.recording import read_header
from tablectl.rulebooks import load as load_rulebook
from tablectl.shell.display import Display
from tablectl.shell.display.bounds import NETWORK, OWN
from tablectl.shell.readers import Timing
from tablectl.shell.readers.pepper import PepperTalk
from tablectl.shell.readers.pn532.chip import UnreadableError, _uids
from tablectl.shell.readers.pn532.port import ChipPort
from tablectl.shell.readers.session import Session
from tablectl.sim.pepper import framed

ZONES = {0: "shoe", 1: "seat:1", 2: "seat:2", 3: "board", 4: "burn", 5: "muck"}
UIDS = [f"E00401501234{n:04X}" for n in range(52)]
HEADER = {
    "recording": 1,
    "config": {
        "table": {"id": "F", "seats": 2, "game": "holdem", "rulebook": "pl", "betting": "actions"},
        "reader": [{"driver": "tablewire", "port": "-", "antennas": {str(n): z for n, z in ZONES.items()}}],
    },
    "decks": [{"id": "blue", "cards": {uid: f"t{n}" for n, uid in enumerate(UIDS)}, "jokers": []}],
    "active_deck": "blue",
}
HELLO = wire.pack(
    wire.HELLO, major=1, minor=0, boot_id=1, board_id=b"board--A", firmware="test", capabilities=3,
    antennas=[{"antenna": n, "kind": 0} for n in ZONES],
)  # fmt: skip
LONGEST_FRAME = 65_535 + 12
"""A PN532's extended frame: a length of 16 bits and what is around it (UM0701-02, 6.2.1.2), bytes."""
STEP_MS = 37
"""The time of a portion of bytes is a multiple of this, ms."""


def table() -> Table:
    """A real core, to which everything that was sensed goes."""
    head = read_header(HEADER)
    return table_of(from_recording(head.config, head.decks, head.active_deck))


class Heard:
    """Takes what a reader makes of its line, checks it, and gives it to a core."""

    def __init__(self) -> None:
        self.core = table()
        self.t = 0
        self.lost = False

    def emit(self, event: Sensed) -> None:
        """One event: in its form, of this reader, and good for the core."""
        assert event.t >= 0
        if isinstance(event, Sweep):
            assert event.reader == 0
            assert {*event.polled} <= {*ZONES}
        elif isinstance(event, Lost | Found):
            assert self.lost != isinstance(event, Lost), "Lost and Found come in turn"
            self.lost = isinstance(event, Lost)
        elif isinstance(event, Gap):
            assert not self.lost
        self.t = max(self.t, event.t)
        self.core.step(replace(event, t=self.t))


def portions(data: bytes) -> Iterator[bytes]:
    """The bytes in portions, each begun by its length."""
    while data:
        size = data[0] + 1
        yield data[1:size]
        data = data[size:]


def wire_line(data: bytes) -> None:
    """A reader board's line: any bytes, or any bodies in whole frames; then a good board is still understood."""
    heard = Heard()
    session = Session(0, "port", ZONES, emit=heard.emit, report=lambda _: None, timing=Timing())
    session.opened(0, lambda _: None)
    t, seq, framing = 0, 1, bool(data[:1] and data[0] & 1)
    if framing:
        session.received(wire.encode(wire.HELLO, 0, HELLO), t)
    for portion in portions(data[1:]):
        t += STEP_MS * (portion[0] if portion else 1)
        if framing and portion:
            encoded = wire.encode(portion[0], seq, portion[1 : 1 + wire.MAX_BODY])
            seq = (seq + 1) % 256
            session.received(encoded, t)
        else:
            session.received(portion, t)
        if session.deadline is not None and session.deadline <= t:
            session.tick(t)
            assert session.deadline is None or session.deadline > t
    assert len(session.log) <= 100
    session.closed(t, "unplugged")
    session.opened(t, lambda _: None)
    session.received(b"\0" + wire.encode(wire.HELLO, 0, HELLO), t)
    assert session.talking, "noise took the next board from us"


def pepper_line(data: bytes) -> None:
    """A Pepper's line, likewise."""
    heard = Heard()
    talk = PepperTalk(
        0, "port", {1: "shoe", 2: "seat:1", 5: "seat:2"}, emit=heard.emit, report=lambda _: None, timing=Timing()
    )  # fmt: skip
    talk.opened(0, lambda _: None)
    t, framing = 0, bool(data[:1] and data[0] & 1)
    for portion in portions(data[1:]):
        t += STEP_MS
        talk.received(framed(portion) if framing else portion, t)
        for _ in range(8):
            if talk.deadline is None or talk.deadline > t:
                break
            talk.tick(t)
    talk.closed(t, "unplugged")
    assert len(talk.log) <= 100


@cache
def _chip_line() -> tuple[ChipPort, int]:
    """A port on a pty, and the other end of it."""
    master, slave = os.openpty()
    os.set_blocking(master, False)
    stop, _ = os.pipe()
    from collections import Counter

    port = ChipPort(os.ttyname(slave), stop, Counter(bytes=0, frames=0), first_ms=0)
    return port, master


def pn532_line(data: bytes) -> None:
    """A PN532's line, and what stands in a frame's list of tags: frames as long as they say, UIDs of whole length."""
    port, master = _chip_line()
    port._buffer.clear()
    sent = port._counters["bytes"] + os.write(master, data[:2048])
    while port._counters["bytes"] < sent:  # a pty hands its bytes on when it likes
        with suppress(TimeoutError):
            assert 5 <= len(port.read(20)) <= LONGEST_FRAME
    with suppress(TimeoutError):
        while True:
            assert 5 <= len(port.read(0)) <= LONGEST_FRAME
    assert len(port._buffer) <= LONGEST_FRAME
    with suppress(UnreadableError, IndexError):
        for uid in _uids(data):
            assert len(uid) in (4, 7, 10)


def recordings(data: bytes) -> None:
    """A recording: any bytes as a file, or (first byte odd) as the lines behind a good first one; through the core."""
    import json

    text = data[1:]
    if data[:1] and data[0] & 1:
        text = json.dumps(HEADER).encode() + b"\n" + text
    with suppress(TablectlError):
        for decision in replay(Path("fuzz.jsonl"), source=io.BytesIO(text)):
            json.dumps(decision.as_json())


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="tablectl-fuzz-"))


def configuration(data: bytes) -> None:
    """A configuration, a deck, a rulebook or a token file of any bytes: a fault that names them, or a good one."""
    kind, text = (data[0] % 4 if data else 0), data[1:]
    path = _folder() / "fuzz.toml"
    path.write_bytes(text)
    if kind == 0:
        with suppress(ConfigError):
            load(path)
    elif kind == 1:
        read_deck(path, "fuzz.toml")
    elif kind == 2:
        with suppress(TablectlError):
            load_rulebook(str(path))
    else:
        tokens, faults = tokens_in(text.decode(errors="replace"), "tokens")
        assert all(str(each).isprintable() for each in faults)
        assert holder(tokens, "nobody's") is None


class Web:
    """A display with both doors, and what strangers made it enter."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.entered: list[Any] = []
        folder = Path(tempfile.mkdtemp(prefix="tablectl-fuzz-"))
        where, _ = opened(folder)
        free = {"knocks_per_s": 1e9, "requests_per_s": 1e9}
        self.display = Display(
            "127.0.0.1", 0, lambda: {"table": {"id": "F", "language": "en"}}, self.entered.append, lambda: "",
            opened=where, own=replace(OWN, **free), network=replace(NETWORK, **free),
        )  # fmt: skip
        self.trust: ssl.SSLContext = trust()
        self.loop.run_until_complete(self.display.start())

    async def ask(self, data: bytes, *, network: bool, wait_s: float = 0.01) -> bytes:
        """Sends these bytes on a connection of its own; what comes back soon."""
        assert self.display.opened is not None
        port = self.display.opened.port if network else self.display.port
        tls = {"ssl": self.trust, "server_hostname": "127.0.0.1"} if network else {}
        reader, writer = await asyncio.open_connection("127.0.0.1", port, **tls)  # type: ignore[arg-type]
        answer = b""
        try:
            writer.write(data)
            async with asyncio.timeout(wait_s):
                while chunk := await reader.read(65536):
                    answer += chunk
        except (TimeoutError, OSError):
            pass
        finally:
            writer.transport.abort()
        return answer

    def settle(self) -> None:
        """Lets the loop turn until every connection is over."""
        while self.display.connections:
            self.loop.run_until_complete(asyncio.sleep(0))


@cache
def web() -> Web:
    """One for the whole run."""
    return Web()


PATHS = (
    b"/", b"/state", b"/events", b"/input", b"/front", b"/metrics", b"/healthz", b"/sign-in", b"/sign-out",
    b"/static/app.js", b"/static/%2e%2e/x", b"/technician", b"/nothing",
)  # fmt: skip
METHODS = (b"GET", b"POST", b"HEAD", b"PUT", b"OPTIONS")


def request_of(data: bytes) -> bytes:
    """Raw bytes, or (first byte odd) a request whose head is well begun and whose headers and body are those bytes."""
    if not (data[:1] and data[0] & 1) or len(data) < 3:
        return data[1:]
    line = (
        METHODS[data[1] % len(METHODS)]
        + b" "
        + PATHS[data[2] % len(PATHS)]
        + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    )
    if data[0] & 4:
        body = data[3:]
        return line + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    return line + data[3:] + b"\r\n\r\n"


def http(data: bytes) -> None:
    """A request of any bytes to either door: an answer that is no fault of ours, or none; a stranger enters nothing;
    the next one is served."""
    site, network = web(), bool(data[:1] and data[0] & 2)
    before = len(site.entered)
    answer = site.loop.run_until_complete(site.ask(request_of(data), network=network))
    if answer:
        assert answer.startswith(b"HTTP/1.1 "), answer[:80]
        assert answer[9:12] != b"500", answer[:200]
    if network:
        assert len(site.entered) == before, "a stranger entered something"
    health = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    assert b" 200 " in site.loop.run_until_complete(site.ask(health, network=False, wait_s=20))[:20]


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "wire": wire_line,
    "pepper": pepper_line,
    "pn532": pn532_line,
    "recordings": recordings,
    "configuration": configuration,
    "http": http,
}

SEEDS: Mapping[str, tuple[bytes, ...]] = {
    "wire": (
        b"\x01\x10" + bytes([wire.SIGHTINGS]) + bytes.fromhex("0100 0a000000 02000000 00"),
        b"\x01\x1a" + bytes([wire.SIGHTINGS])
        + bytes.fromhex("0100 0a000000 02000000 01 01 0000 d8 08") + bytes.fromhex(UIDS[0]),
        b"\x01\x09" + bytes([wire.HEARTBEAT]) + bytes(8),
        b"\x01\x07" + bytes([wire.PASSAGE]) + bytes(6),
        b"\x00\x20" + wire.encode(wire.HELLO, 0, HELLO),
    ),
    "pepper": (b"\x01\x03\x00\x02\x00", b"\x00\x08" + framed(b"\x00\x02\x00")),
    "pn532": (
        b"\x00\x00\xff\x00\xff\x00", b"\x00\x00\xff\x04\xfc\xd5\x4b\x01\x00\xdf\x00",
        b"\x01\x01\x00\x04\x08\x04\x01\x02\x03\x04",
    ),
    "recordings": (
        b'\x01{"t": 1200, "sweep": {"reader": 0, "polled": [0,1], "seen": [[1, "E004015012340000", -41]]}}\n',
        b'\x01{"t": 1, "input": {"do": "action", "seat": 1, "action": "call"}}\n{"t": 2, "lost": {"reader": 0}}\n',
    ),
    "configuration": (
        b'\x00[table]\nid = "T"\nseats = 2\ngame = "holdem"\nrulebook = "pl"\n[[reader]]\ndriver = "tablewire"\n',
        b'\x00[display]\nhost = "0.0.0.0"\ncertificate = "x"\nkey = "y"\n',
        b'\x01id = "blue"\njokers = []\n[cards]\nE004015012345601 = "As"\n',
        b"\x03floor lee sha256:" + b"0" * 64 + b"\n",
    ),
    "http": (
        b"\x00GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b'\x05\x01\x03{"do": "note", "text": "x"}',
        b"\x03\x01\x07Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\ntoken=x",
        b"\x03\x00\x01Authorization: Bearer x\r\nCookie: __Host-tablectl=x",
    ),
}  # fmt: skip
"""Where a coverage-guided run begins, and hypothesis now and then."""
