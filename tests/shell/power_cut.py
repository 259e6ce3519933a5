"""A power cut below SQLite: from what a process did to a folder, the folders that a disk may hold when it wakes up.

Owns: the log that `writes.c` keeps of a real process, and the disk's side of the contract. Refuses: what must be true
of a folder afterwards.

What a disk promises here is no more than POSIX lets it: a write is there for certain once fsync of its file came back,
a name once fsync of its folder did. Of all that came later anything may be there: each write whole, not at all, or in
any of its sectors; a file's size cut or not. Names change in their order, as in a file system with a journal of its
own.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECTOR = 512
"""What a disk writes at once, bytes; what SQLite takes for granted as well (PSOW: a write harms nothing beside it)."""
RECORD = struct.Struct("<cQQI")
Op = tuple[str, int, int, bytes]


def library(folder: Path) -> Path:
    """`writes.c`, compiled. It needs a C compiler, as the soak's clock does."""
    made = folder / "writes.so"
    source = Path(__file__).with_name("writes.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", str(made), str(source), "-ldl"], check=True)
    return made


def watched(program: str, folder: Path, *arguments: str, **environment: str) -> list[Op]:
    """All that the program does to the folder, which is its first argument, in order."""
    log = folder.with_name(f"{folder.name}.log")
    env = {
        **os.environ, "LD_PRELOAD": str(library(folder.parent)), "TABLECTL_DISK": str(folder),
        "TABLECTL_DISK_LOG": str(log), **environment,
    }  # fmt: skip
    subprocess.run([sys.executable, "-c", program, str(folder), *arguments], env=env, cwd=ROOT, check=True)
    return list(_read(log.read_bytes()))


def _read(data: bytes) -> Iterator[Op]:
    at = 0
    while at < len(data):
        kind, number, offset, length = RECORD.unpack_from(data, at)
        at += RECORD.size
        yield kind.decode(), number, offset, data[at : at + length]
        at += length


@dataclass
class Content:
    """One file: what is on the disk for certain, and what was done since."""

    certain: bytearray = field(default_factory=bytearray)
    since: list[tuple[str, int, bytes]] = field(default_factory=list)

    def synced(self) -> None:
        for each in self.since:
            _apply(self.certain, *each)
        self.since.clear()

    def woken(self, dice: random.Random, kept: float) -> bytes:
        """As it may be after the cut; `kept` is the share of later writes that reached the disk."""
        made = bytearray(self.certain)
        for kind, offset, data in self.since:
            if dice.random() < kept:
                _apply(made, kind, offset, data)
            elif kind == "W" and dice.random() < 0.5:
                for start in range(0, len(data), SECTOR):
                    if dice.random() < 0.5:
                        _apply(made, kind, offset + start, data[start : start + SECTOR])
        return bytes(made)


def _apply(content: bytearray, kind: str, offset: int, data: bytes) -> None:
    if kind == "T":
        del content[offset:]
        content.extend(bytes(offset - len(content)))
    else:
        content.extend(bytes(max(0, offset - len(content))))
        content[offset : offset + len(data)] = data


class Disk:
    """The folder as it came about, one operation after the other. `deaf`: fsync comes back without doing anything."""

    def __init__(self, *, deaf: bool = False) -> None:
        self.acknowledged: list[str] = []
        """The lines of the file `acks`, which the process wrote to say what it was promised."""
        self._deaf = deaf
        self._files: dict[int, Content] = {}
        self._names: dict[str, Content] = {}
        self._since: list[tuple[str, bytes, Content | None]] = []

    def step(self, op: Op) -> None:
        kind, number, offset, data = op
        if kind == "N" and data.endswith(b"/acks"):
            self._files[number] = Content()
        elif kind == "N":
            self._files[number] = Content()
            self._since.append((kind, data, self._files[number]))
        elif kind in "RU":
            self._since.append((kind, data, None))
        elif kind == "D" and not self._deaf:
            for each in self._since:
                _name(self._names, *each)
            self._since.clear()
        elif kind == "S" and not self._deaf:
            self._files[number].synced()
        elif kind == "F" and number in self._files:
            self._files[number].since.clear()  # Linux marks these pages clean: no later fsync writes them
        elif kind in "WT" and number in self._files:
            self._files[number].since.append((kind, offset, data))
            if kind == "W" and data.startswith(b"ack "):
                self.acknowledged.append(data.decode().strip())

    def cut(self, folder: Path, dice: random.Random) -> None:
        """Fills the folder with what the disk may hold if the power goes now."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        names = dict(self._names)
        for each in self._since[: dice.randint(0, len(self._since))]:
            _name(names, *each)
        kept = dice.choice((0.0, 0.5, 0.9, 1.0))
        for path, content in names.items():
            (folder / Path(path).name).write_bytes(content.woken(dice, kept))


def _name(names: dict[str, Content], kind: str, data: bytes, content: Content | None) -> None:
    first, _, second = data.decode().partition("\0")
    if kind == "N" and content is not None:
        names[first] = content
    elif kind == "R":
        if first in names:
            names[second] = names.pop(first)
    else:
        names.pop(first, None)
