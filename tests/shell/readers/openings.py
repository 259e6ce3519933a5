"""Who opens a device: inotify(7), which sees every open(2) of a file, whoever calls it and however briefly."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

IN_OPEN = 0x20
_EVENT = struct.Struct("iIII")
_libc = ctypes.CDLL(None, use_errno=True)


class Openings:
    """Counts how often each of some files was opened since the beginning."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._fd = _libc.inotify_init1(os.O_NONBLOCK)
        assert self._fd >= 0
        self._names = {}
        self._opened: set[str] = set()
        for path in paths:
            watch = _libc.inotify_add_watch(self._fd, os.fsencode(Path(path).resolve()), IN_OPEN)
            assert watch >= 0, path
            self._names[watch] = path

    @property
    def opened(self) -> set[str]:
        """Those that somebody opened."""
        try:
            data = os.read(self._fd, 65536)
        except BlockingIOError:
            data = b""
        at = 0
        while at < len(data):
            watch, _, _, length = _EVENT.unpack_from(data, at)
            self._opened.add(self._names[watch])
            at += _EVENT.size + length
        return self._opened

    def close(self) -> None:
        """Watches no more."""
        os.close(self._fd)


@contextmanager
def openings(*paths: str) -> Iterator[Openings]:
    """Watches these files."""
    watched = Openings(paths)
    yield watched
    watched.close()
