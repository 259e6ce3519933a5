"""The record of every opening: who opened which night with this key, when, and why.

    {"n": 2, "at": "2026-12-01T09:00:00Z", "who": "j.bos (1003) at audit-pc", "what": "audit open", "why": "case 17",
     "journal": "/media/T12/journal.sqlite", "table": "T12", "night": 3, …, "before": "9c…", "hash": "4e…"}

Owns: the file `audit.key.access`, its lines and their chain. Refuses: opening anything.

It lies beside the private key, because there is no opening without that key: whoever brings the key brings the record,
and whoever looks after the key sees at once what was done with it. Beside what was opened it would be one file for each
opening, and gone with the first that is thrown away. A line is on the disk before anything is shown: where it cannot be
written, nothing is opened.

Each line has the hash of the one before: an altered, removed or reordered line is noticed, also one at the end if
somebody kept the last hash, which is told at each opening. Whoever copies the key and opens elsewhere leaves no line
here: that is for the safe in which the key lies, and for its passphrase.
"""

from __future__ import annotations

import fcntl
import getpass
import hashlib
import json
import os
import socket
import stat
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tablectl.errors import SealError
from tablectl.whole import sync_folder

ENDING: Final = ".access"
MODE: Final = 0o600


def record_of(key_file: Path) -> Path:
    """Where the openings with that private key are recorded."""
    return key_file.with_name(key_file.name + ENDING)


def note(record: Path, fingerprint: str, **said: Any) -> str:
    """Adds a line and waits until it is on the disk; its hash.

    `fingerprint` is the audit key's: a record belongs to one key. SealError if the record is broken, or is that of
    another key; OSError if it cannot be written. Then nothing may be opened. What a power cut left of a line goes: such
    a line was not on the disk yet, so nothing was opened by it. The next one says that it was there.
    """
    new = not record.exists()
    descriptor = os.open(record, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, MODE)
    with os.fdopen(descriptor, "rb+") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise SealError(f"{record}: is no file on a disk, so nothing stays on record there")
        fcntl.flock(file, fcntl.LOCK_EX)  # two openings at once follow one another
        raw = file.read()
        whole = raw[: raw.rfind(b"\n") + 1]
        lines = _checked(record, whole)
        if lines and lines[-1].get("key") != fingerprint:
            raise SealError(f"{record}: this is the record of another key, {lines[-1].get('key')}")
        line: dict[str, Any] = {
            "n": len(lines) + 1, "at": datetime.now(UTC).isoformat(timespec="seconds"), "who": _who(),
            "key": fingerprint, **said, "before": lines[-1]["hash"] if lines else "",
        }  # fmt: skip
        if whole != raw:
            line["after_a_torn_line"] = len(raw) - len(whole)
            file.truncate(len(whole))
        line["hash"] = _hash(line)
        file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    if new:
        sync_folder(record.absolute().parent)
    return str(line["hash"])


def read(record: Path) -> list[dict[str, Any]]:
    """The lines of the record. SealError at the first one that was altered, removed or moved; OSError."""
    return _checked(record, record.read_bytes())


def _checked(record: Path, raw: bytes) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    before = ""
    for number, text in enumerate(raw.splitlines(keepends=True), start=1):
        try:
            line = json.loads(text)
            sound = text.endswith(b"\n") and line["n"] == number and line["before"] == before
            sound = sound and line["hash"] == _hash(line)
        except (ValueError, KeyError, TypeError):
            sound = False
        if not sound:
            raise SealError(
                f"{record}: line {number} was altered, removed, moved or cut off; keep the file as it is"
            )
        before = line["hash"]
        lines.append(line)
    return lines


def _hash(line: Mapping[str, Any]) -> str:
    told = {name: value for name, value in line.items() if name != "hash"}
    text = json.dumps(told, separators=(",", ":"), sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=32, person=b"tablectl access").hexdigest()


def _who() -> str:
    """The user as the system knows him, and the one who became him by sudo."""
    name = "?"
    with suppress(OSError, KeyError):  # a user without an entry in the system's list
        name = getpass.getuser()
    by = os.environ.get("SUDO_USER")
    return f"{name} ({os.getuid()}){f' for {by}' if by else ''} at {socket.gethostname()}"
