"""A table made by hand for tests: a reader board written from the protocol page alone, and `tablectl run`.

The board shares nothing with `tablectl.wire` or `tablectl.sim`: struct, zlib and a pty.
"""

from __future__ import annotations

import json
import os
import platform
import select
import signal
import struct
import subprocess
import sys
import threading
import time
import tty
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tablectl.sealed import keygen
from tablectl.shell.journal import chosen, lines

# The MicroPython wheel exists for one machine only.
collect_ignore = [] if platform.machine() == "x86_64" else ["test_firmware.py"]

DEADLINE_S = 30.0
SWEEP_S = 0.05
SHOE, BOARD, BURN, MUCK = 0, 5, 6, 7
ZONES = ("shoe", "seat:1", "seat:2", "seat:3", "seat:4", "board", "burn", "muck")
UIDS = tuple(f"E0040150{n:08X}" for n in range(0x100, 0x120))
TOKENS = tuple(f"{n * 0x9E3779B97F4A7C15 % (1 << 64):016x}" for n in range(1, len(UIDS) + 1))


PANEL = {
    "pins": "simulated",
    "buzzer": 18,
    "alarm_led": 17,
    "seat_leds": [5, 6, 13, 19],
    "buttons": {"acknowledge": 24},
}


def frame(kind: int, seq: int, body: bytes) -> bytes:
    """COBS(kind | seq | body | crc32) and the closing zero."""
    payload = bytes([kind, seq]) + body
    blocks = (payload + struct.pack("<I", zlib.crc32(payload))).split(b"\x00")
    return b"".join(bytes([len(block) + 1]) + block for block in blocks) + b"\x00"


def unframe(encoded: bytes) -> bytes:
    out, at = bytearray(), 0
    while at < len(encoded):
        out += encoded[at + 1 : at + encoded[at]] + b"\x00"
        at += encoded[at]
    return bytes(out[:-5])


class Board(threading.Thread):
    """A reader board on a pty behind `link`, which sweeps its antennas every 50 ms once it is told to poll.

    Cards move between sweeps, as `deal` and `lift` queue it; `played()` waits until all of that was reported.
    """

    def __init__(self, link: Path, board_id: bytes = b"by-hand1") -> None:
        super().__init__(name="board", daemon=True)
        self.link = link
        self.board_id = board_id
        self.firmware = b"test"
        self.boot_id = 7
        self.capabilities = 1
        self.lamp: tuple[int, ...] | None = None
        """Its own lamp as SET_LED left it: red, green, blue, pattern."""
        self.extra: deque[tuple[int, bytes]] = deque()
        """Frames (kind, body) to send besides, one before each sweep, with sequence numbers as they come."""
        self.flood = b""
        """Once it polls: sent over and over, as fast as the line takes it, instead of anything else."""
        self.flooded = 0
        self.mute = False
        """Nothing is sent: its line is there, but nobody speaks on it."""
        self.dreams = False
        """It lives and looks nowhere: a heartbeat in the place of each sweep."""
        self._rebooting = False
        self.noise = b""
        """Sent before the next frame."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.device = os.ttyname(self._slave)
        self._lying: dict[int, list[str]] = {antenna: [] for antenna in range(len(ZONES))}
        self._moves: deque[tuple[str, int | None]] = deque()
        """One a sweep: a tag and the antenna where it lies from then on, or None: in the air."""
        self._change = threading.Condition()
        self._polling = self._ending = False
        self._seq = self._sweep = 0
        self._heard = b""
        self._boot = time.monotonic()
        self.plug()
        self.start()

    def plug(self) -> None:
        self.link.symlink_to(self.device)

    def deal(self, uid: str, antenna: int) -> None:
        """The card shows at the shoe's mouth, flies, and comes to rest."""
        with self._change:
            self._moves += [(uid, SHOE)] * 4 + [(uid, None)] * 3 + [(uid, antenna)] * 4

    def lay(self, uid: str, antenna: int | None) -> None:
        """A hand lays the card there, or takes it away."""
        with self._change:
            self._moves.append((uid, antenna))

    def reboot(self) -> None:
        """Power is gone for a moment: a new boot, which says HELLO and waits for a poll plan."""
        self._rebooting = True

    def _reboot(self) -> None:
        self._rebooting = self._polling = False
        self._seq = self._sweep = 0
        self._boot = time.monotonic()
        self.boot_id += 1
        self._hello()

    def _hello(self) -> None:
        antennas = b"".join(bytes([antenna, 0]) for antenna in range(len(ZONES)))
        who = self.board_id + bytes([len(self.firmware)]) + self.firmware
        self._send(
            0x01,
            struct.pack("<BBI", 1, 0, self.boot_id)
            + who
            + struct.pack("<HB", self.capabilities, len(ZONES))
            + antennas,
        )

    def played(self) -> None:
        """Waits until every queued move was swept."""
        with self._change:
            assert self._change.wait_for(lambda: not self._moves, DEADLINE_S), "the board does not poll"

    def lit(self, *, on: bool) -> None:
        """Waits until its own lamp is lit, or dark."""
        with self._change:
            done = self._change.wait_for(lambda: bool(self.lamp and any(self.lamp)) == on, DEADLINE_S)
        assert done, self.lamp

    def unplug(self) -> None:
        """The line hangs up and the device is gone; again: nothing."""
        if self._ending:
            return
        self._ending = True
        self.join(DEADLINE_S)
        self.link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)

    def run(self) -> None:
        due = time.monotonic()
        while not self._ending:
            ready, _, _ = select.select([self._master], [], [], max(0.0, due - time.monotonic()))
            if ready:
                self._hear(os.read(self._master, 4096))
            if self.flood and self._polling:
                self._pour()
                continue
            if time.monotonic() >= due:
                due += SWEEP_S
                if self._rebooting:
                    self._reboot()
                if self.extra:
                    self._send(*self.extra.popleft())
                if self._polling and self.dreams:
                    self._send(0x12, struct.pack("<IHHH", self._uptime(), 96, 0, 0))
                elif self._polling:
                    self._sweep_once()

    def _pour(self) -> None:
        if select.select([], [self._master], [], SWEEP_S)[1]:
            at = self.flooded % len(self.flood)
            with suppress(BlockingIOError):
                self.flooded += os.write(self._master, self.flood[at : at + 1024])

    def _hear(self, data: bytes) -> None:
        *frames, self._heard = (self._heard + data).split(b"\x00")
        for encoded in frames:
            kind, seq = unframe(encoded)[:2]
            if kind == 0x80:
                self._hello()
            if kind == 0x81:
                self._send(0x02, bytes([seq, kind, 0, 0]))
                self._polling = True
            if kind == 0x83:
                self._send(0x02, bytes([seq, kind, 0, 0]))
                with self._change:
                    self.lamp = tuple(unframe(encoded)[3:7])
                    self._change.notify_all()

    def _sweep_once(self) -> None:
        with self._change:
            if self._moves:
                uid, antenna = self._moves.popleft()
                for tags in self._lying.values():
                    if uid in tags:
                        tags.remove(uid)
                if antenna is not None:
                    self._lying[antenna].append(uid)
            seen = [(antenna, uid) for antenna, tags in self._lying.items() for uid in tags]
            self._change.notify_all()
        body = struct.pack("<HIIB", self._sweep % 65536, self._uptime(), (1 << len(ZONES)) - 1, len(seen))
        for antenna, uid in seen:
            raw = bytes.fromhex(uid)
            body += struct.pack("<BHbB", antenna, 0, -40, len(raw)) + raw
        self._sweep += 1
        self._send(0x10, body)

    def _uptime(self) -> int:
        return int((time.monotonic() - self._boot) * 1000)

    def _send(self, kind: int, body: bytes) -> None:
        if self.mute:
            return
        noise, self.noise = self.noise, b""
        with suppress(BlockingIOError):
            os.write(self._master, noise + frame(kind, self._seq, body))
        self._seq = (self._seq + 1) % 256


class Running:
    """`tablectl run` as a process, its log, and its display as a page would follow it."""

    def __init__(self, command: list[str], env: dict[str, str], stderr: int = subprocess.PIPE) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={**os.environ, **env},
        )
        self.log: list[str] = []
        self.states: list[dict[str, Any]] = []
        self._change = threading.Condition()
        self._url: str | None = None
        if stderr == subprocess.PIPE:
            threading.Thread(target=self._read_log, daemon=True).start()

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._change:
                self.log.append(line.rstrip("\n"))
                self._change.notify_all()
        with self._change:
            self.log.append("(end of log)")
            self._change.notify_all()

    def _watch(self, url: str) -> None:
        """Follows the states until the process ends; like a page, it opens a line that broke again."""
        transport = httpx.HTTPTransport(retries=20)  # the web server may still be loading
        with httpx.Client(transport=transport, timeout=DEADLINE_S) as client:
            while self.process.poll() is None:
                with suppress(httpx.HTTPError):
                    self._follow(client, f"{url}events")

    def _follow(self, client: httpx.Client, url: str) -> None:
        with client.stream("GET", url) as stream:
            event = ""
            for line in stream.iter_lines():
                if line.startswith("event: "):
                    event = line[7:]
                elif line.startswith("data: ") and event == "state":
                    with self._change:
                        self.states.append(json.loads(line[6:]))
                        self._change.notify_all()

    def line(self, part: str) -> str:
        """The first line of the log with that text, as soon as it is there."""
        with self._change:
            found = self._change.wait_for(
                lambda: next((text for text in self.log if part in text), None), DEADLINE_S
            )
        assert found, (part, self.log)
        return str(found)

    @property
    def url(self) -> str:
        """Where the display is; the first time it begins to be watched."""
        if self._url is None:
            self.watch(self.line("display: http").removeprefix("display: "))
        assert self._url is not None
        return self._url

    def watch(self, url: str) -> None:
        """Follows the display there as soon as it answers."""
        self._url = url
        threading.Thread(target=self._watch, args=(url,), daemon=True).start()

    def until(self, condition: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The first state on the event stream for which the condition holds."""
        assert self.url

        def fits() -> dict[str, Any] | None:
            return next((state for state in self.states if condition(state)), None)

        with self._change:
            found = self._change.wait_for(fits, DEADLINE_S)
        assert found is not None, "\n".join([*map(json.dumps, self.states[-3:]), *self.log])
        return found

    def counted(self, counter: str, times: int) -> None:
        """Waits until each counter of `/metrics` with that name stands so high."""
        until, counts = time.monotonic() + DEADLINE_S, [0]
        while min(counts) < times:
            assert time.monotonic() < until, (counts, self.log)
            lines = self.get("metrics").text.splitlines()
            found = [line.split()[-1] for line in lines if line.startswith(f"{counter}{{")]
            counts = [int(each) for each in found] or [0]

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, timeout=DEADLINE_S)

    def post(self, **entry: Any) -> httpx.Response:
        return httpx.post(f"{self.url}input", json=entry, timeout=DEADLINE_S)

    def ends(self, how: signal.Signals) -> int:
        """Sends the signal and waits for the end; the exit status."""
        self.process.send_signal(how)
        status = self.process.wait(DEADLINE_S)
        self.line("(end of log)")
        return status


class Header:
    """The pins of a simulated panel as another process sees them: a line each, in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def pins(self) -> dict[int, tuple[str, int]]:
        """Pin to whether it is in or out, and its level."""
        rows = [line.split() for line in self.path.read_text().splitlines()]
        return {int(row[0]): (row[1], int(row[2])) for row in rows}

    def high(self) -> set[int]:
        """The outputs that are on."""
        return {pin for pin, (way, level) in self.pins().items() if (way, level) == ("out", 1)}

    def press(self, pin: int) -> None:
        """Connects the pin to ground."""
        self._put(pin, b"0")

    def release(self, pin: int) -> None:
        self._put(pin, b"1")

    def _put(self, pin: int, level: bytes) -> None:
        lines = self.path.read_bytes().splitlines(keepends=True)
        at = sum(map(len, lines[:pin])) + lines[pin].index(b"in") + 4
        with self.path.open("r+b") as file:
            file.seek(at)
            file.write(level)


class Bench:
    """One folder with a configuration, boards and processes that end with the test."""

    uids, tokens, panel = UIDS, TOKENS, PANEL
    secret = keygen()
    """Opens what the journal seals."""

    def __init__(self, folder: Path) -> None:
        self.key = folder / "audit.key"
        self.folder = folder
        self.port = folder / "reader0"
        self._boards: list[Board] = []
        self._running: list[Running] = []
        self._pipes: list[int] = []

    def config(self, *, sealed: bool = True, **sections: dict[str, Any]) -> Path:
        """Writes the configuration of a four-handed blind table that enters no bets; `sections` are added to it.

        Its journal is sealed to a key of this run, unless not `sealed`.
        """
        if sealed:
            public = self.folder / "audit.pub"
            if not public.exists():
                self.secret.public.write(public)
                self.secret.write(self.key)
            sections["journal"] = {"audit_key": str(public), **sections.get("journal", {})}
        cards = "\n".join(f'{uid} = "{token}"' for uid, token in zip(UIDS, TOKENS, strict=True))
        (self.folder / "blue.toml").write_text(f'id = "blue"\njokers = []\n[cards]\n{cards}\n')
        antennas = ", ".join(f'{number} = "{zone}"' for number, zone in enumerate(ZONES))
        text = (
            '[table]\nid = "T1"\nseats = 4\ngame = "holdem"\nrulebook = "pl"\nbetting = "none"\n'
            f'[[deck]]\nfile = "blue.toml"\nactive = true\n'
            f'[[reader]]\ndriver = "tablewire"\nport = "{self.port}"\nantennas = {{ {antennas} }}\n'
        )
        for name, section in {"display": {"port": 0}, **sections}.items():
            text += f"[{name}]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in section.items())
        path = self.folder / "table.toml"
        path.write_text(text)
        return path

    def journal(
        self, night: int | None = None, path: Path | None = None
    ) -> list[tuple[int, str, dict[str, Any]]]:
        """Every entry of that night, or of the last, unsealed: seq, kind, object."""
        path = path or self.folder / "journal.sqlite"
        return list(lines(path, night or chosen(path).id, self.secret))

    def sensed(self, night: int | None = None) -> list[dict[str, Any]]:
        """What was sensed in that night, or the last."""
        return [entry for _, kind, entry in self.journal(night) if kind == "sensed"]

    def entered(self, night: int | None = None) -> list[dict[str, Any]]:
        """The inputs of that night, or of the last."""
        return [entry["input"] for entry in self.sensed(night) if "input" in entry]

    def decided(self, night: int | None = None, path: Path | None = None) -> list[str]:
        """The decisions that the journal holds of that night, or the last, as `replay` prints them."""
        made = (entry for _, kind, entry in self.journal(night, path) if kind == "decision")
        return [json.dumps(entry, separators=(",", ":")) for entry in made]

    def board(self, port: Path | None = None, board_id: bytes = b"by-hand1") -> Board:
        board = Board(port or self.port, board_id)
        self._boards.append(board)
        return board

    @staticmethod
    def numbered(*frames: tuple[int, bytes]) -> bytes:
        """These frames in turn, with all sequence numbers in order."""
        turn = (frames[seq % len(frames)] for seq in range(256))
        return b"".join(frame(kind, seq, body) for seq, (kind, body) in enumerate(turn))

    def second_reader(self, config: Path) -> Path:
        """Gives the table a second reader, with a second antenna at the burn pile; its port."""
        port = self.folder / "reader1"
        section = f'[[reader]]\ndriver = "tablewire"\nport = "{port}"\nantennas = {{ 6 = "burn" }}\n'
        config.write_text(config.read_text() + section)
        return port

    def split(self, config: Path) -> Path:
        """Gives two of the seats to a second reader instead; its port."""
        port, (*_, third, fourth) = self.folder / "reader1", ZONES[1:5]
        text = config.read_text()
        for number, zone in ((3, third), (4, fourth)):
            text = text.replace(f', {number} = "{zone}"', "")
        section = f'[[reader]]\ndriver = "tablewire"\nport = "{port}"\nantennas = {{ 3 = "{third}", 4 = "{fourth}" }}\n'
        config.write_text(text + section)
        return port

    def run(self, config: Path, *args: str, program: str | None = None, **env: str) -> Running:
        """`tablectl run`, or a program of the test's own that becomes it, with these arguments."""
        start = ["-m", "tablectl.cli", "run"] if program is None else ["-c", program]
        running = Running([*start, str(config), *args], env)
        self._running.append(running)
        return running

    def deaf(self, config: Path) -> Running:
        """`tablectl run` whose standard error is a pipe that is full and that nobody reads."""
        read, write = os.pipe()
        os.set_blocking(write, False)
        with suppress(BlockingIOError):
            while True:
                os.write(write, bytes(4096))
        os.set_blocking(write, True)
        self._pipes += [read, write]
        running = Running(["-m", "tablectl.cli", "run", str(config)], {}, stderr=write)
        self._running.append(running)
        return running

    def close(self) -> None:
        for running in self._running:
            if running.process.poll() is None:
                running.process.kill()
            running.process.wait()
        for board in self._boards:
            board.unplug()
        for end in self._pipes:
            os.close(end)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A table under construction."""
    made = Bench(tmp_path)
    yield made
    made.close()


@pytest.fixture
def pins() -> Callable[[Path], Header]:
    """How the file of simulated pins is read, and its buttons pressed."""
    return Header
