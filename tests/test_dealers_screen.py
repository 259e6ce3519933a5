"""The dealer's screen on a fresh Debian: `tablectl kiosk` with Debian's own cage and Chromium, on a screen in memory.

What the README has installed is installed, nothing else. The screen is wlroots' headless backend; grim, a program for
screenshots, says what is on it. The table is a simulated one on this machine. What is not there: a graphics card, a
seat of logind, touch.
"""

from __future__ import annotations

import configparser
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import System

ROOT = Path(__file__).parents[1]
DEADLINE_S = 180
"""How long a picture may take on a machine that is busy, s; nothing is asserted about how soon it comes."""
RUN = "run/tablectl-kiosk"
HEADLESS = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
"""A screen in memory, painted without a graphics card (wlroots, docs/env_vars.md)."""
ENTER = """
mount --make-rprivate /; mount --bind "$0" "$0"; cd "$0"
mount -t proc proc proc; mount -t tmpfs tmpfs dev/shm
pivot_root . . && umount -l . && cd /
exec setpriv --reuid tablectl-kiosk --regid tablectl-kiosk --init-groups "$@"
"""
"""A root of one's own, as a booted system has: in a mere chroot the kernel lets no browser make its sandbox
(user_namespaces(7), EPERM)."""
ROW_FROM = 0.85
"""Share of the screen above the row with whose turn it is."""


@dataclass(frozen=True, slots=True)
class Look:
    """Shares of what is on the screen: the table's green, and light letters in the row below."""

    felt: float
    letters: float

    def shows(self) -> bool:
        """The page is there, table and words; Chromium paints one after the other."""
        return self.felt > 0.05 and self.letters > 0.005

    def covered(self) -> bool:
        """Nothing of the table is in the picture."""
        return self.felt < 0.005


class Screen:
    """The kiosk of one system, and what is on its screen."""

    def __init__(self, system: System, url: str) -> None:
        self.root = system.root
        self._url = url
        self._log = (system.root / "kiosk.log").open("wb")
        self._start()

    def _start(self) -> None:
        shutil.rmtree(self.root / RUN, ignore_errors=True)  # RuntimeDirectory=: new at each start
        (self.root / RUN).mkdir(mode=0o700, parents=True)
        users = dict(re.findall(r"(?m)^([^:]+):[^:]*:(\d+:\d+):", (self.root / "etc/passwd").read_text()))
        os.chown(self.root / RUN, *map(int, users["tablectl-kiosk"].split(":")))
        self.running = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", ENTER, str(self.root),
             "/opt/tablectl/bin/tablectl", "kiosk"],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": f"/{RUN}", "XDG_RUNTIME_DIR": f"/{RUN}",
                 "RUNTIME_DIRECTORY": f"/{RUN}", "TABLECTL_URL": self._url, "LC_ALL": "C.UTF-8", **HEADLESS},
            stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
        )  # fmt: skip

    def picture(self) -> tuple[int, int, bytes] | None:
        """Width, height and the pixels, red, green and blue; None while there is no screen yet."""
        done = subprocess.run(
            ["chroot", self.root, "grim", "-t", "ppm", "-"], capture_output=True, check=False,
            env={"PATH": "/usr/sbin:/usr/bin", "XDG_RUNTIME_DIR": f"/{RUN}", "WAYLAND_DISPLAY": "wayland-0"},
        )  # fmt: skip
        head = re.match(rb"P6\s(\d+)\s(\d+)\s255\s", done.stdout)
        return (int(head[1]), int(head[2]), done.stdout[head.end() :]) if head else None

    def look(self) -> Look:
        """What is on the screen now."""
        shot = self.picture()
        if shot is None:
            return Look(0.0, 0.0)
        width, height, pixels = shot
        green = sum(
            green > red + 25 and green > blue + 10
            for red, green, blue in zip(pixels[0::3], pixels[1::3], pixels[2::3], strict=True)
        )
        below = pixels[3 * width * round(ROW_FROM * height) :]
        return Look(green / (width * height), sum(value > 200 for value in below) / len(below))

    def until(self, what: Callable[[Look], bool]) -> None:
        """Looks at the screen until it is so."""
        deadline = time.monotonic() + DEADLINE_S
        while not what(look := self.look()):
            assert self.running.poll() is None, self.said()
            assert time.monotonic() < deadline, (look, self.said())

    def said(self) -> str:
        """What cage and the browser wrote."""
        return (self.root / "kiosk.log").read_text(errors="replace")[-4000:]

    def browser(self) -> int:
        """The browser's first process, cage's child."""
        names, parents = {}, {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                pid, name, _, parent = re.match(r"(\d+) \((.*)\) (\S) (\d+)", stat.read_text()).groups()  # type: ignore[union-attr]
            except OSError:  # it has ended meanwhile
                continue
            names[int(pid)], parents[int(pid)] = name, int(parent)

        def ours(pid: int) -> bool:
            return pid == self.running.pid or (pid in parents and ours(parents[pid]))

        (found,) = [
            pid
            for pid, name in names.items()
            if name == "chromium" and names.get(parents[pid]) == "cage" and ours(pid)
        ]
        return found

    def again(self) -> None:
        """systemd starts it anew, as the unit has it."""
        unit = configparser.RawConfigParser(strict=False, interpolation=None)
        unit.read(ROOT / "systemd/tablectl-kiosk.service", encoding="utf-8")
        assert unit["Service"]["Restart"] == "always"
        self._start()

    def keep(self, folder: Path | None, name: str) -> None:
        """Keeps the picture where pictures are kept."""
        shot = self.picture()
        if folder is not None and shot is not None:
            (folder / f"{name}.ppm").write_bytes(b"P6 %d %d 255\n" % shot[:2] + shot[2])

    def close(self) -> None:
        """Ends it, and with its first process all others."""
        self.running.kill()
        self.running.wait()
        self._log.close()


class Table:
    """A simulated table on this machine, which can be stopped and started."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = int(server.getsockname()[1])
        self._folder = folder
        self._simulator = subprocess.Popen(
            [sys.executable, "-m", "tablectl.sim", str(folder), "--stay", "--noise", "clean",
             "--display-port", str(self.port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._simulator.stdout is not None
        assert any(line.startswith("ready ") for line in self._simulator.stdout)
        self.start()

    def start(self) -> None:
        """Serves its display."""
        self._running = subprocess.Popen(
            [sys.executable, "-m", "tablectl.cli", "run", str(self._folder / "table.toml")],
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._running.stderr is not None
        assert any(line.startswith("READY") for line in self._running.stderr)

    def stop(self) -> None:
        """Serves it no more."""
        self._running.terminate()
        self._running.communicate()

    def close(self) -> None:
        """Ends both."""
        self.stop()
        self._simulator.kill()
        self._simulator.communicate()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table that plays."""
    one = Table(tmp_path / "table")
    yield one
    one.close()


def packages() -> list[str]:
    """What the README has a technician install for the screen, beside the package."""
    line = re.search(
        r"(?m)install --no-install-recommends \S+\.deb (.+)$", (ROOT / "README.md").read_text("utf-8")
    )
    assert line is not None
    return line[1].split()


@pytest.mark.long
@pytest.mark.trial
@pytest.mark.timeout(4000)
def test_the_dealers_screen(system: System, table: Table, shots: Path | None) -> None:
    """The kiosk shows the table's page across the whole screen; when the table stops the page is covered, and when it
    is there again the page comes back by itself. A browser that is killed ends the kiosk, which systemd starts anew:
    the page is there again."""
    system.run("make", "-s", "-C", "/src", "install", network=True)
    system.run("apt-get", "update", "-q", network=True)
    system.run("apt-get", "install", "-q", "-y", "--no-install-recommends", *packages(), "grim", network=True)
    screen = Screen(system, f"http://127.0.0.1:{table.port}/")
    try:
        screen.until(Look.shows)
        shot = screen.picture()
        assert shot is not None
        assert shot[:2] == (1280, 720)
        screen.keep(shots, f"kiosk-{system.root.parent.name}")
        table.stop()
        screen.until(Look.covered)
        screen.keep(shots, f"kiosk-covered-{system.root.parent.name}")
        table.start()
        screen.until(Look.shows)
        os.kill(screen.browser(), signal.SIGKILL)
        screen.running.wait(DEADLINE_S)
        screen.again()
        screen.until(Look.shows)
    finally:
        screen.close()
