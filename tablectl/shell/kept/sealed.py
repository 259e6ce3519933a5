"""The file of what is kept: records, one after the other, each sealed.

Owns: its spelling, and telling a torn end from damage. Refuses: what the records mean, the key, and when a new file
takes the place of an old one (`store`).

    "tablectl kept 1\\n" | salt, 16 bytes | { length of the ciphertext, u32 LE | ciphertext } … | zeros

A record is a secretbox (XSalsa20-Poly1305, libsodium's, by PyNaCl). Its nonce is the salt and its number, u64 LE, and
stands nowhere: a record that was altered, left out, doubled or moved does not open. All the room that the file may
take is claimed when it is made, so that an append is a copy into memory that is there: it waits for nothing.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.errors import KeptError

MAGIC: Final = b"tablectl kept 1\n"
SALT_BYTES: Final = 16
LENGTH: Final = struct.Struct("<I")
NUMBER: Final = struct.Struct("<Q")
MAC_BYTES: Final = 16
"""What a secretbox is longer than its content."""


class SealedFile:
    """A new file that is appended to; `room` is all that it may take, bytes. OSError if there is not so much."""

    def __init__(self, path: Path, key: bytes, room: int) -> None:
        from nacl.secret import SecretBox

        self.path = path
        self.size = len(MAGIC) + SALT_BYTES
        self._box = SecretBox(key)
        self._salt = os.urandom(SALT_BYTES)
        self._room = room
        self._count = 0
        path.unlink(missing_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.posix_fallocate(self._file, 0, room)
            os.pwrite(self._file, MAGIC + self._salt, 0)
        except OSError:
            self.close()
            raise

    def append(self, data: bytes) -> bool:
        """One record more; False if there is no room for it."""
        size = LENGTH.size + MAC_BYTES + len(data)
        if self.size + size > self._room:
            return False
        nonce = self._salt + NUMBER.pack(self._count)
        sealed = self._box.encrypt(data, nonce).ciphertext
        os.pwrite(self._file, LENGTH.pack(len(sealed)) + sealed, self.size)
        self.size += size
        self._count += 1
        return True

    def close(self) -> None:
        """Nothing is appended any more."""
        os.close(self._file)


@dataclass(frozen=True, slots=True)
class Contents:
    """The records of a file; `torn` if the process was killed within the last one, which is left out."""

    records: tuple[bytes, ...]
    torn: bool


def read(path: Path, key: bytes) -> Contents:
    """What the file holds. KeptError if it is none, or damaged, or sealed with another key; OSError."""
    from nacl.exceptions import CryptoError
    from nacl.secret import SecretBox

    text = path.read_bytes()
    at = len(MAGIC) + SALT_BYTES
    if not text.startswith(MAGIC) or len(text) < at:
        raise KeptError("it is not of the form that this tablectl writes")
    salt, box = text[len(MAGIC) : at], SecretBox(key)
    records: list[bytes] = []
    while (sealed := _sealed_at(text, at)) is not None:
        try:
            records.append(box.decrypt(sealed, salt + NUMBER.pack(len(records))))
        except CryptoError:
            if not records or text[at + LENGTH.size + len(sealed) :].strip(b"\0"):
                raise KeptError("it is damaged, or was sealed with another key") from None
            return Contents(tuple(records), torn=True)
        at += LENGTH.size + len(sealed)
    if text[at:].strip(b"\0"):
        raise KeptError("it is damaged: something stands behind its end")
    return Contents(tuple(records), torn=False)


def _sealed_at(text: bytes, at: int) -> bytes | None:
    """The ciphertext that begins there; None at the end."""
    if at + LENGTH.size > len(text):
        return None
    (length,) = LENGTH.unpack_from(text, at)
    return text[at + LENGTH.size :][:length] if length else None
