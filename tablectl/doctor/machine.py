"""The computer under the table as its files show it, and the one place where an examination looks at it.

Owns: reading /proc, /sys, /dev and /etc below a root, the programs that may be asked there, who this user is and what
time it is. Refuses: meaning (the checks), and any change to the machine.

A root other than / is a picture of another machine: tests, and the tree of a card that was taken out of its Pi. What
cannot be read there is None or nothing, never an exception; `unseen` counts what only another user may see.
"""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tablectl.doctor.account import Account

ANSWER_S = 5.0
"""A program that is asked answers at once; one that hangs is not waited for longer, s."""
FOLDERS = ("usr/bin", "bin", "usr/sbin", "sbin", "usr/local/bin")


@dataclass(frozen=True, slots=True)
class Process:
    """A process that runs: its number, its short name, and what it was started with."""

    pid: int
    name: str
    command: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} (pid {self.pid})"


class Machine:
    """One computer. `user`, `groups` (their numbers) and `now` (s since 1970) are this process's own unless given."""

    def __init__(
        self,
        root: Path = Path("/"),
        *,
        user: int | None = None,
        groups: Collection[int] | None = None,
        now: float | None = None,
    ) -> None:
        self.root = root
        self.user = os.geteuid() if user is None else user
        self.groups = frozenset({*os.getgroups(), os.getegid()} if groups is None else groups)
        self.now = time.time() if now is None else now
        self.unseen = 0
        """Processes of other users whose open files were hidden from this one."""

    @property
    def is_here(self) -> bool:
        """It is this computer, not a picture of another."""
        return self.root == Path("/")

    def path(self, path: str | Path) -> Path:
        """Where an absolute path of that machine is."""
        return self.root / str(path).lstrip("/")

    def text(self, path: str | Path) -> str | None:
        """What stands in the file, without a closing line end or NUL; None if it cannot be read."""
        try:
            return self.path(path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None

    def glob(self, pattern: str) -> list[str]:
        """The paths of that machine which fit, such as `/dev/ttyUSB*`, in order."""
        found = (f"/{path.relative_to(self.root)}" for path in self.root.glob(pattern.lstrip("/")))
        return sorted(found)

    def device(self, path: str) -> str:
        """The device that a path leads to, links followed within that machine."""
        for _ in range(8):
            try:
                path = os.path.normpath(Path(path).parent / self.path(path).readlink())
            except OSError:  # no link, or not there, or not for this user
                break
        return path

    def ask(self, program: str, *arguments: str) -> str | None:
        """What a program of that machine prints; None if it is not there, fails or hangs."""
        there = (self.root / folder / program for folder in FOLDERS)
        found = next((each for each in there if os.access(each, os.X_OK)), None)
        if found is None:
            return None
        try:
            done = subprocess.run(  # noqa: S603 - the names are ours, and no shell is asked
                [found, *arguments], capture_output=True, text=True, errors="replace", timeout=ANSWER_S,
                check=False, env={**os.environ, "LC_ALL": "C"}, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    @cached_property
    def processes(self) -> Mapping[int, Process]:
        """What runs there, by number."""
        found = {}
        for folder in self.root.glob("proc/[0-9]*"):
            name = self.text(f"/proc/{folder.name}/comm")
            if name is not None:
                command = (self.text(f"/proc/{folder.name}/cmdline") or "").split("\0")
                found[int(folder.name)] = Process(int(folder.name), name, tuple(command))
        return found

    def running(self, *names: str) -> list[Process]:
        """The processes with one of these names."""
        return [process for process in self.processes.values() if process.name in names]

    @cached_property
    def holders(self) -> Mapping[str, list[Process]]:
        """Device → the processes that have it open or locked, this one left out."""
        found: dict[str, dict[int, Process]] = defaultdict(dict)
        for pid, process in self.processes.items():
            if self.is_here and pid == os.getpid():
                continue
            try:
                descriptors = list((self.root / f"proc/{pid}/fd").iterdir())
            except PermissionError:
                self.unseen += 1
                continue
            except OSError:  # it has ended
                continue
            for descriptor in descriptors:
                with suppress(OSError):
                    target = str(descriptor.readlink())
                    if target.startswith("/dev/"):
                        found[target][pid] = process
        return {device: list(by_pid.values()) for device, by_pid in found.items()}

    def holds(self, path: str) -> list[Process]:
        """Who has that device open or locked."""
        device = self.device(path)
        by_pid = {process.pid: process for process in self.holders.get(device, ())}
        if device.startswith("/dev/pts/"):
            # Whoever made a pseudo terminal is the device behind it: a simulated board, which keeps its end open.
            makers = {
                each.pid for master in ("/dev/ptmx", "/dev/pts/ptmx") for each in self.holders.get(master, ())
            }
            by_pid = {pid: process for pid, process in by_pid.items() if pid not in makers}
        return list((by_pid | self._lockers(path)).values())

    def _lockers(self, path: str) -> dict[int, Process]:
        """Who locked the device, where its open files are hidden, too. /proc/locks: `1: FLOCK … WRITE 812 00:18:5`."""
        found = {}
        with suppress(OSError, ValueError):
            wanted = self.path(self.device(path)).stat()
            for entry in (self.text("/proc/locks") or "").splitlines():
                fields = entry.split()
                if "->" in fields or len(fields) < 6:
                    continue
                major, minor, inode = fields[5].split(":")
                same = (
                    os.makedev(int(major, 16), int(minor, 16)) == wanted.st_dev
                    and int(inode) == wanted.st_ino
                )
                pid = int(fields[4])
                if same and pid > 0 and not (self.is_here and pid == os.getpid()):
                    found[pid] = self.processes.get(pid, Process(pid, "a program", ()))
        return found

    @cached_property
    def packages(self) -> Mapping[str, str]:
        """Installed Python package, its name in lower case with hyphens → its version."""
        where = sys.path if self.is_here else [str(self.path("/site-packages"))]
        return {
            normal(each.metadata["Name"]): each.version
            for each in importlib.metadata.distributions(path=where)
            if each.metadata["Name"]
        }

    @cached_property
    def model(self) -> str:
        """Which Raspberry Pi it is, as its device tree says; empty if it is none."""
        model = self.text("/proc/device-tree/model") or ""
        return model if "Raspberry Pi" in model else ""

    def may_use(self, path: str, who: Account | None = None) -> bool:
        """Whether that account, or this user, may read and write the device, by its owner, group and mode."""
        who = who or Account(self.user, self.groups)
        try:
            return who.user == 0 or who.may(self.path(self.device(path)).stat(), 0o6)
        except OSError:
            return False


def is_there(path: Path) -> bool | None:
    """Whether there is such a file or folder; None if this user may not see it, or nobody could."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return None
    return True


def normal(name: str) -> str:
    """A package's name in its one spelling (PEP 503, as far as names here need it)."""
    return name.lower().replace("_", "-").replace(".", "-")
