"""Computers to examine: trees of files as /proc, /sys and /dev show them, and a simulated table on ptys."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablectl.doctor import Line, Machine

DEADLINE_S = 30.0


class Tree:
    """The files of one computer, below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.file("/proc/sys/kernel/osrelease", "6.1.0-rpi7\n")

    def file(self, path: str, text: str = "", mode: int = 0o644) -> Path:
        """A file with that text."""
        made = self.root / path.lstrip("/")
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(text)
        made.chmod(mode)
        return made

    def link(self, path: str, target: str) -> None:
        """A symbolic link."""
        made = self.root / path.lstrip("/")
        made.parent.mkdir(parents=True, exist_ok=True)
        made.symlink_to(target)

    def pi(self, model: str = "Raspberry Pi 4 Model B Rev 1.4") -> Tree:
        """It is that Raspberry Pi; the device tree ends its words with a zero."""
        self.file("/proc/device-tree/model", f"{model}\0")
        return self

    def package(self, name: str, version: str) -> None:
        """A Python package is installed."""
        folder = f"/site-packages/{name.replace('-', '_')}-{version}.dist-info"
        self.file(f"{folder}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")

    def process(self, pid: int, name: str, *command: str, opened: tuple[str, ...] = ()) -> None:
        """A process runs."""
        self.file(f"/proc/{pid}/comm", f"{name}\n")
        self.file(f"/proc/{pid}/cmdline", "".join(f"{part}\0" for part in (command or (name,))))
        (self.root / f"proc/{pid}/fd").mkdir()
        for number, target in enumerate(opened):
            self.link(f"/proc/{pid}/fd/{number}", target)

    def program(self, name: str, script: str) -> None:
        """A program that prints something."""
        self.file(f"/usr/bin/{name}", f"#!/bin/sh\n{script}\n", 0o755)

    def usb(self, tty: str, where: str, ids: str, serial: str | None = None) -> str:
        """A USB serial port; its name by path."""
        vendor, product = ids.split(":")
        device = f"/sys/devices/usb1/{where}"
        self.file(f"/dev/{tty}", mode=0o660)
        self.file(f"{device}/idVendor", vendor)
        self.file(f"{device}/idProduct", product)
        if serial is not None:
            self.file(f"{device}/serial", serial)
        (self.root / f"{device.lstrip('/')}/{where}:1.0").mkdir()
        self.link(f"/sys/class/tty/{tty}/device", f"../../../devices/usb1/{where}/{where}:1.0")
        name = f"/dev/serial/by-path/platform-usb-0:{where}:1.0"
        self.link(name, f"../../{tty}")
        return name

    def machine(self, **given: object) -> Machine:
        """The computer, as the doctor sees it."""
        return Machine(self.root, **given)  # type: ignore[arg-type]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A computer of which nothing is known yet."""
    root = tmp_path / "root"
    root.mkdir()
    return Tree(root)


class Simulated:
    """`python -m tablectl.sim`: a table on ptys, and its configuration."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tablectl.sim", str(folder), "--stay", "--noise", "clean", "--seats", "2", *args],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.hear("ready ")
        self.config = folder / "table.toml"

    def hear(self, words: str) -> None:
        """Waits until it says so."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(words):
                return
        raise AssertionError(f"the simulator never said {words!r}")

    def tell(self, words: str) -> None:
        """Gives it a command, and waits until it is done."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{words}\n")
        self.process.stdin.flush()
        self.hear(f"done {words}")

    def close(self) -> None:
        """Ends it."""
        self.process.kill()
        self.process.wait()


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[Callable[..., Simulated]]:
    """Starts a simulated table, which ends with the test."""
    started: list[Simulated] = []

    def start(*args: str) -> Simulated:
        started.append(Simulated(tmp_path / "table", *args))
        return started[-1]

    yield start
    for each in started:
        each.close()


def doctor(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, run to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "tablectl.cli", "doctor", *map(str, args)],
        capture_output=True, text=True, timeout=DEADLINE_S, stdin=subprocess.DEVNULL,
        env={**os.environ, "TERM": "dumb", "http_proxy": "http://127.0.0.1:9/"}, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """`tablectl doctor` with these arguments."""
    return doctor


def line_of(lines: object, check: str, about: str | None = None) -> Line:
    """The first line of that check, the gravest first."""
    rank = {"fault": 0, "warning": 1, "ok": 2}
    found = [each for each in lines if each.check == check and about in (None, each.about)]  # type: ignore[attr-defined]
    assert found, (check, about, lines)
    return min(found, key=lambda each: rank[each.state])


@pytest.fixture
def the() -> Callable[..., Line]:
    """Picks the gravest line of a check."""
    return line_of
