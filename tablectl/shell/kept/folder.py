"""Where a hand in progress is kept: a folder that is in memory alone, with the key of what lies there.

Owns: the check that it is one, the key, how often a start has tried to take up what lies there, and the memory that
may be written to a disk after all (swap). Refuses: what is kept (`app.kept`), and how it is spelled (`sealed`).

The folder is systemd's RuntimeDirectory. It lies on a tmpfs, so it dies with the power, and RuntimeDirectoryPreserve=
restart leaves it between two processes of one service and takes it when the service is stopped. The key is made there
and is nowhere else. What is sealed with it lies beside it, and not on the disk: a sweep a line would be a write to the
SD card twenty times a second, for something that is worth nothing once the key is gone. It is sealed all the same,
because a tmpfs may be swapped out: the key's page is locked into memory as long as a table runs, what it seals is not,
so a disk that was swapped to holds ciphertext at most.
"""

from __future__ import annotations

import fcntl
import mmap
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from tablectl.errors import KeptError

MEMORY: Final = {0x01021994: "tmpfs", 0x858458F6: "ramfs"}
"""File systems that are nowhere but in memory, by `f_type` of statfs(2)."""
KEY_BYTES: Final = 32
KEY, SEALED, TRIES = "hand.key", "hand.kept", "hand.tries"
STATFS_BYTES: Final = 512
"""More than any `struct statfs` of Linux has (at most 120 of them)."""


class Folder:
    """One table's folder. Raises KeptError if it is not in memory, or the key cannot be had there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        kind = file_system(path)
        if kind not in MEMORY:
            raise KeptError(
                f"{path} is not in memory: it must lie on a tmpfs, as systemd's RuntimeDirectory does, so that the key "
                "dies with the power"
            )
        self.key = self._key()
        self._lock = self._claimed()
        self._page = _in_memory(path / KEY)

    @property
    def sealed(self) -> Path:
        """The file of what is kept."""
        return self.path / SEALED

    def _claimed(self) -> int:
        """One process keeps a hand there at a time; the kernel ends its claim with it."""
        lock = os.open(self.path / KEY, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise KeptError(f"{self.path}: another process keeps its hand there") from None
        return lock

    def close(self) -> None:
        """Another process may keep a hand there."""
        lock, self._lock = self._lock, -1
        if lock >= 0:
            os.close(lock)

    def _key(self) -> bytes:
        """The key that lies there. A new one makes whatever was sealed before worthless."""
        path = self.path / KEY
        try:
            if path.exists() and len(there := path.read_bytes()) == KEY_BYTES:
                return there
            new = self.path / f".{KEY}.{os.getpid()}"
            new.unlink(missing_ok=True)
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(key := os.urandom(KEY_BYTES))
            new.replace(path)
        except OSError as error:
            raise KeptError(f"{path}: no key can be kept there: {error.strerror}") from None
        return key

    # --- how often it was tried -----------------------------------------------------------------------------

    def tries(self) -> int:
        """Starts that began to take up what lies there, and of which none has said since that it goes well."""
        try:
            return len((self.path / TRIES).read_bytes())
        except OSError:
            return 0

    def tried(self) -> None:
        """One more."""
        with suppress(OSError):
            mode = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            with os.fdopen(os.open(self.path / TRIES, mode, 0o600), "ab") as file:
                file.write(b"+")

    def goes_well(self) -> None:
        """The table has run on with what it took up."""
        with suppress(OSError):
            (self.path / TRIES).unlink(missing_ok=True)

    def forget(self) -> None:
        """Nothing is kept any more."""
        for path in (self.sealed, self.path / TRIES):
            with suppress(OSError):
                path.unlink(missing_ok=True)


def file_system(path: Path) -> int:
    """The `f_type` of the file system on which the folder lies. KeptError if there is no such folder."""
    import ctypes  # only here: who runs without systemd needs none of it

    # os.statvfs has no f_type. It is the first field of the structure, a long.
    buffer = ctypes.create_string_buffer(STATFS_BYTES)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.statfs(os.fsencode(path), buffer) != 0:
        raise KeptError(f"{path}: {os.strerror(ctypes.get_errno())}")
    return int(ctypes.c_long.from_buffer(buffer).value) & 0xFFFFFFFF


def boot_id() -> str:
    """Which boot of this computer it is, proc_sys_kernel(5)."""
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def _in_memory(path: Path) -> mmap.mmap | None:
    """The file's page, which the kernel does not swap out as long as it is mapped; None if that is not allowed."""
    try:
        with path.open("r+b") as file:
            page = mmap.mmap(file.fileno(), KEY_BYTES)
    except OSError:
        return None
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    at = ctypes.addressof(ctypes.c_char.from_buffer(page))
    libc.mlock(ctypes.c_void_p(at), ctypes.c_size_t(KEY_BYTES))  # refused: no worse than without
    return page
