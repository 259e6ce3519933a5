"""The chain: what ties each entry to all before it, and the heads that a table signs.

Owns: the hashes, what a head is, how it is signed and spelled. Refuses: files (`file`), and what a broken chain means
(`verify`).

    night = H("N", what was last before it, number, seq before, when it began, public header, digest of the sealed one)
    entry = H("E", what was last before it, night, seq, kind, public part, digest of the sealed part)
    head  = night, seq and hash of an entry, and when it was signed; Ed25519 by the table's own key

H is BLAKE2b with 32 bytes (RFC 7693), under a name of its own so that no hash of another program fits. Every part has
a length before it: no two different entries spell the same bytes. The digest stands for the sealed part, so that a
chain can be proved without it. The first night of a journal comes after 32 bytes of nothing.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

HASH_BYTES: Final = 32
NOTHING: Final = bytes(HASH_BYTES)
"""Before the first night."""
SIGNED: Final = "tablectl journal head 1"
"""First line of what is signed: a signature of anything else of ours is none of a head."""

_LINK: Final = struct.Struct(">c32sQQBII")
"""Which of the two, the hash before, two numbers, and the lengths of three parts that follow."""
_blank: Final = hashlib.blake2b(digest_size=HASH_BYTES, person=b"tablectl-journal")


def blob_digest(sealed: bytes | None) -> bytes:
    """What stands for a sealed part in the chain; nothing for none."""
    return b"" if sealed is None else hashlib.blake2b(sealed, digest_size=HASH_BYTES).digest()


def entry_hash(before: bytes, night: int, seq: int, kind: str, public: str, sealed: bytes | None) -> bytes:
    """The hash of an entry after the one with the hash `before`. ValueError for numbers and texts that none has."""
    name, text, digest = kind.encode(), public.encode(), blob_digest(sealed)
    return entry_hash_of_digest(before, night, seq, name, text, digest)


def entry_hash_of_digest(
    before: bytes, night: int, seq: int, kind: bytes, public: bytes, digest: bytes
) -> bytes:
    """As `entry_hash`, where of the sealed part only its digest is there (empty: there was none)."""
    hasher = _blank.copy()
    try:
        hasher.update(_LINK.pack(b"E", before, night, seq, len(kind), len(public), len(digest)))
    except struct.error as error:
        raise ValueError(f"no entry has such numbers: {error}") from None
    hasher.update(kind + public + digest)
    return hasher.digest()


def night_hash(
    before: bytes, night: int, after: int, started_at: str, public: str, sealed: bytes | None
) -> bytes:
    """The hash of a night's header; `after` is the last `seq` of that night in the part before, 0 where it begins."""
    at, text, digest = started_at.encode(), public.encode(), blob_digest(sealed)
    hasher = _blank.copy()
    try:
        hasher.update(_LINK.pack(b"N", before, night, after, len(at), len(text), len(digest)))
    except struct.error as error:
        raise ValueError(f"no night has such numbers: {error}") from None
    hasher.update(at + text + digest)
    return hasher.digest()


@dataclass(frozen=True, slots=True)
class Head:
    """Where a journal stood: after entry `seq` of that night the chain had that hash; `at` is UTC, ISO 8601."""

    night: int
    seq: int
    hash: bytes
    at: str
    signature: bytes = b""

    @property
    def signed(self) -> bytes:
        """What the table signs."""
        return f"{SIGNED}\n{self.night} {self.seq} {self.hash.hex()} {self.at}\n".encode()

    def as_json(self) -> dict[str, Any]:
        """As it is published: numbers, hexadecimal hash and signature, UTC time."""
        return {
            "night": self.night,
            "seq": self.seq,
            "hash": self.hash.hex(),
            "at": self.at,
            "signature": self.signature.hex(),
        }

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Self:
        """The head that was published so. ValueError if that is none."""
        try:
            night, seq, at = int(given["night"]), int(given["seq"]), str(given["at"])
            made = cls(night, seq, bytes.fromhex(given["hash"]), at, bytes.fromhex(given["signature"]))
        except (KeyError, TypeError, ValueError):
            raise ValueError("a head has night, seq, hash, at and signature") from None
        return _checked(made)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The head that a person wrote as NIGHT:SEQ:HASH. ValueError with what would be right."""
        try:
            night, seq, digest = text.split(":")
            made = cls(int(night), int(seq), bytes.fromhex(digest), "")
        except ValueError:
            raise ValueError("a head is written NIGHT:SEQ:HASH, the hash in hexadecimal") from None
        return _checked(made)


_H = TypeVar("_H", bound=Head)


def _checked(head: _H) -> _H:
    if head.night < 1 or head.seq < 0 or len(head.hash) != HASH_BYTES:
        raise ValueError(f"a head has a night from 1, a seq from 0 and a hash of {HASH_BYTES} bytes")
    return head
