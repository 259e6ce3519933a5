"""A board with power: the real MicroPython VM, with a folder for its flash, that boots as a board does.

It runs main.py if the flash has one, and shows the prompt when that ends; `machine.reset()` takes its port away
and brings it back, as USB does. Only `machine` is made up (`tests/firmware/vm`). Between the VM, whose terminal is one
pty, and the port that the host opens, another pty, bytes are carried as the USB of a board does.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tablectl.firmware import FileSet, release

MICROPYTHON = Path(sys.executable).with_name("micropython")
FIRMWARE_TESTS = Path(__file__).parents[1] / "firmware"
"""Has the `machine` of the VM: pins with a simulated front end soldered to them."""
RESET = 3
"""Exit status of a VM whose program called machine.reset()."""

MAIN = """
import os, select, struct, sys
import machine, update, wire
from version import VERSION

def say(kind, body):
    sys.stdout.buffer.write(wire.encode(kind, 0, body))

def main():
    if update.begins():
        return
    listener, decoder, poll = update.Listener(), wire.Decoder(), select.poll()
    poll.register(sys.stdin, select.POLLIN)
    while True:
        poll.poll()
        data = sys.stdin.buffer.read(1)
        if not data:
            return
        if listener.heard(data):
            update.leave_mark()
            machine.reset()
        for kind, _, _ in decoder.feed(data):
            if kind == wire.GET_HELLO:
                say(wire.HELLO, wire.pack(wire.HELLO, major=1, minor=0, boot_id=1, board_id=machine.unique_id(),
                    firmware=NAME, capabilities=0, antennas=[{"antenna": 0, "kind": 0}]))

NAME = "tablectl " + VERSION
main()
"""
"""A firmware that only says who it is, with the real update.py and wire.py."""


class Board(threading.Thread):
    """One board behind `link`. `ids`: its number, eight letters, at each start; the last one for ever after."""

    def __init__(self, folder: Path, flash: Path, ids: tuple[str, ...], largest: int | None) -> None:
        super().__init__(name="board", daemon=True)
        self.link, self.flash, felt = folder / "port", flash, folder / "felt"
        self.flash.mkdir(exist_ok=True)
        if not felt.exists():
            os.mkfifo(felt)
        self._words = os.open(felt, os.O_RDWR)
        self._surroundings = {
            "MICROPYPATH": f".frozen:{FIRMWARE_TESTS / 'vm'}:{FIRMWARE_TESTS}",
            "FELT": str(felt),
        }
        self.starts = 0
        self._ids, self._largest = ids, largest
        self._ended = False
        self._change = threading.Condition()
        self._vm: subprocess.Popen[bytes] | None = None
        self._plug()

    def run(self) -> None:
        while not self._ended:
            status = self._boot("main.py") if (self.flash / "main.py").exists() else 0
            if status != RESET and not self._ended:
                self._boot()
            if not self._ended:
                self._unplug()
                self._plug()

    def unplug(self) -> None:
        """No power, and no port any more."""
        if self._ended:
            return
        self._ended = True
        with self._change:
            if self._vm is not None:
                self._vm.kill()
        self.join(20)
        self._unplug()
        os.close(self._words)

    def names(self) -> set[str]:
        """The files in its flash."""
        return {path.name for path in self.flash.iterdir()}

    def holds(self, files: FileSet) -> bool:
        """Whether exactly these files are in its flash, byte for byte."""
        return {path.name: path.read_bytes() for path in self.flash.iterdir()} == dict(files.files)

    def _boot(self, *program: str) -> int:
        """Run a program, or the prompt, until it ends; its exit status."""
        number = self._ids[min(self.starts, len(self._ids) - 1)]
        terminal, inside = os.openpty()
        tty.setraw(inside)
        with self._change:
            if self._ended:
                return 0
            self._vm = subprocess.Popen(
                [MICROPYTHON, *program],
                cwd=self.flash,
                stdin=inside,
                stdout=inside,
                stderr=inside,
                env={**self._surroundings, "BOARD_ID": number},
                preexec_fn=self._limit,
                start_new_session=True,
            )
        self.starts += bool(program)
        os.close(inside)
        with suppress(OSError):  # the terminal is hung up when the VM ends
            while True:
                for ready in select.select([terminal, self._master], [], [])[0]:
                    data = os.read(ready, 4096)
                    os.write(self._master if ready == terminal else terminal, data)
        os.close(terminal)
        return self._vm.wait()

    def _limit(self) -> None:
        if self._largest is not None:  # a full flash: no file can grow beyond that
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (self._largest, self._largest))

    def _plug(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.link.symlink_to(os.ttyname(self._slave))

    def _unplug(self) -> None:
        if self._master >= 0:
            self.link.unlink(missing_ok=True)
            os.close(self._master)
            os.close(self._slave)
            self._master = -1


MakeBoard = Callable[..., Board]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[MakeBoard]:
    """Makes a board and powers it: `files` are in its flash, the folder `on`, already."""
    made: list[Board] = []

    def make(
        files: FileSet | None = None,
        *,
        on: Path = tmp_path / "flash",
        ids: tuple[str, ...] = ("board--1",),
        largest: int | None = None,
    ) -> Board:
        one = Board(tmp_path, on, ids, largest)
        made.append(one)
        for name, data in (files.files if files else {}).items():
            (one.flash / name).write_bytes(data)
        one.start()
        return one

    yield make
    for one in made:
        one.unplug()


@pytest.fixture
def firmware() -> Callable[..., FileSet]:
    """Makes a set of files."""
    return _firmware


def _firmware(version: str | None = None, **changed: str) -> FileSet:
    """The release's files, with the small main.py of these tests; `changed` are files by the name before `.py`."""
    files = dict(release().files)
    if version is not None:
        files["version.py"] = f'VERSION = "{version}"\n'.encode()
    files["main.py"] = MAIN.encode()
    files |= {f"{name}.py": text.encode() for name, text in changed.items()}
    keep = {"main.py", "update.py", "version.py", "wire.py", *(f"{name}.py" for name in changed)}
    return FileSet({name: data for name, data in files.items() if name in keep})
