"""Somebody at a desk: a scripted reader board on one pty, a terminal with its keys on another, and the real command."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import termios
import time
import tty
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tablectl import wire
from tablectl.enrol.order import RANKS, SUITS, said_of

DEADLINE_S = 20.0
SWEEP_S = 0.004
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
FACES = tuple(rank + suit for suit in SUITS for rank in RANKS)


def tag(number: int) -> str:
    """The UID of an ISO 15693 tag."""
    return f"E0040150{number * 0x9E3779B1 % (1 << 32):08X}"


class Board:
    """A reader board that sweeps two antennas; `lying` is what lies on antenna 0."""

    def __init__(self, link: Path) -> None:
        self.lying: list[str] = []
        self.silent = False
        self.polls = 0
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        link.symlink_to(os.ttyname(self._slave))
        self._decoder = wire.Decoder()
        self._seq = 0
        self._polling = False
        self._due = time.monotonic()

    def hear(self) -> None:
        """Commands of the table computer."""
        with suppress(BlockingIOError):
            for kind, seq, _ in self._decoder.feed(os.read(self.master, 4096)):
                if kind == wire.GET_HELLO:
                    self._send(
                        wire.HELLO, major=wire.MAJOR, minor=wire.MINOR, boot_id=1, board_id=b"enrolled",
                        firmware="test", capabilities=1,
                        antennas=[{"antenna": 0, "kind": 1}, {"antenna": 1, "kind": 2}],
                    )  # fmt: skip
                elif kind == wire.SET_POLL_PLAN:
                    self._send(wire.RESULT, for_seq=seq, for_kind=kind, status=0, detail="")
                    self._polling = True

    def sweep(self) -> None:
        """One look at both antennas, if it is time."""
        if not self._polling or self.silent or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + SWEEP_S
        self.polls += 1
        seen = [{"antenna": 0, "dt_ms": 0, "rssi": -40, "uid": bytes.fromhex(uid)} for uid in self.lying]
        t0 = int(time.monotonic() * 1000) & 0xFFFFFFFF
        self._send(wire.SIGHTINGS, sweep=self.polls & 0xFFFF, t0_ms=t0, polled=0b11, seen=seen)

    def _send(self, kind: int, **fields: object) -> None:
        with suppress(BlockingIOError):
            os.write(self.master, wire.encode(kind, self._seq, wire.pack(kind, **fields)))
            self._seq = (self._seq + 1) & 0xFF

    def close(self) -> None:
        for descriptor in (self.master, self._slave):
            os.close(descriptor)


class Desk:
    """One run of `tablectl enrol` with its board and its terminal; everything happens while something is waited for."""

    def __init__(self, folder: Path, *arguments: object, keyboard: bool = True) -> None:
        self.folder = folder
        self.text = ""
        """All that was shown, without colours."""
        self._mark = 0
        (folder / "board").unlink(missing_ok=True)
        self.board = Board(folder / "board")
        self._terminal, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
        self.before = termios.tcgetattr(slave)
        command = [sys.executable, "-m", "tablectl.cli", "enrol", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=slave if keyboard else subprocess.DEVNULL, stdout=slave, stderr=slave,
            start_new_session=True, preexec_fn=_owns_terminal if keyboard else None,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "200"},
        )  # fmt: skip
        self._slave = slave

    def _turn(self) -> None:
        """Whatever is ready: a command for the board, output for the screen, a sweep."""
        ready, _, _ = select.select([self.board.master, self._terminal], [], [], SWEEP_S)
        if self.board.master in ready:
            self.board.hear()
        if self._terminal in ready:
            self.text += _ESCAPES.sub("", os.read(self._terminal, 65536).decode(errors="replace"))
        self.board.sweep()

    def until(self, condition: Callable[[], bool]) -> None:
        """Let it run until then."""
        end = time.monotonic() + DEADLINE_S
        while not condition():
            assert time.monotonic() < end, f"never came; the screen says:\n{self.text[-2000:]}"
            self._turn()

    def expect(self, words: str) -> Desk:
        """Until these words come on the screen, after those that were expected before."""

        def shown() -> bool:
            assert self.process.poll() is None or words in self.text[self._mark :], self.text
            return words in self.text[self._mark :]

        self.until(shown)
        self._mark = self.text.index(words, self._mark) + len(words)
        return self

    def lay(self, *uids: str) -> Desk:
        """These cards, and nothing else, lie on the antenna."""
        self.board.lying = list(uids)
        return self

    def swept(self, sweeps: int = 8) -> Desk:
        """So many sweeps pass, and what they brought is shown."""
        end = self.board.polls + sweeps
        self.until(lambda: self.board.polls >= end)
        return self

    def lift(self) -> Desk:
        """The antenna is empty, and is seen to be."""
        return self.lay().swept()

    def type(self, keys: str) -> Desk:
        """Somebody types."""
        os.write(self._terminal, keys.encode())
        return self

    def lay_deck(self, uids: Sequence[str], faces: Sequence[str] = FACES) -> Desk:
        """Card after card, each once it is asked for; the last one ends the enrolment, or asks for a joker."""
        for face, uid in zip(faces, uids, strict=True):
            self.expect(f"Lay {said_of(face)}").lay(uid).expect(f"✓ {said_of(face)}")
        return self

    def ends(self) -> int:
        """The exit status."""
        self.until(lambda: self.process.poll() is not None)
        self._turn()
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.board.close()
        for descriptor in (self._terminal, self._slave):
            os.close(descriptor)


def _owns_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


AtDesk = Callable[..., Desk]


def refused(folder: Path, *arguments: object) -> str:
    """What a run says that cannot begin."""
    command = [sys.executable, "-m", "tablectl.cli", "enrol", *map(str, arguments)]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr
