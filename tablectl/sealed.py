"""Keys: what is sealed so that the table itself cannot read it, and what the table signs.

Owns: the audit key (X25519: anybody with its public part seals, its private part alone opens), the table's own key
(Ed25519), and the files in which they stand. Refuses: what is sealed or signed, and who may have which file.

    tablectl audit key, public (never secret)               tablectl audit key, PRIVATE: never on a table
    fingerprint 5f0c1d2e3a4b5c6d                            fingerprint 5f0c1d2e3a4b5c6d
    key kQ2v…=                                              passphrase argon2id 3 268435456 c2FsdA==
                                                            key 9rT4…=

A file is text, so that a person sees what it is. The fingerprint is that of the public part in both, so that it shows
which belong together, and a letter that was copied wrongly is noticed before something is sealed for nobody.
`passphrase` (operations, bytes of memory, salt; RFC 9106) is there if the private part is under one.

Sealed boxes, Ed25519 and Argon2id are libsodium's, by PyNaCl. It is imported when something is sealed, opened, signed
or proved: a command that only reads a public key starts without it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Mapping
from errno import EEXIST
from pathlib import Path
from typing import Final, Self

from tablectl.errors import SealError
from tablectl.whole import USUAL, write_whole

KEY_BYTES: Final = 32
"""Of an X25519 or Ed25519 key, public or private (RFC 7748, section 5; RFC 8032, section 5.1.5)."""
PRIVATE_MODE: Final = 0o600

AUDIT_PUBLIC: Final = "tablectl audit key, public (never secret)"
AUDIT_PRIVATE: Final = "tablectl audit key, PRIVATE: never on a table"
TABLE_PUBLIC: Final = "tablectl table key, public (never secret)"
TABLE_PRIVATE: Final = "tablectl table key, PRIVATE: stays on its table"

MOST_MEMORY: Final = 1 << 30
"""Bytes that a key file may ask for: those of libsodium's `SENSITIVE`. A forged one could ask for all there is."""
MOST_OPERATIONS: Final = 64
FILE_BYTES: Final = 4096
"""A key file has three hundred; what is longer is none."""


class AuditKey:
    """The public part of an audit key: it seals, and cannot open."""

    def __init__(self, raw: bytes) -> None:
        self.raw: Final = raw

    @classmethod
    def read(cls, path: Path) -> Self:
        """The key in that file. SealError if it holds none, or another sort of key; OSError if it cannot be read."""
        return cls(_public(path, AUDIT_PUBLIC))

    @property
    def fingerprint(self) -> str:
        """16 hex digits that say which key it is."""
        return _fingerprint(self.raw)

    def seal(self, data: bytes) -> bytes:
        """The data as only the private part opens it: 48 bytes longer, different each time."""
        from nacl.public import PublicKey, SealedBox

        return SealedBox(PublicKey(self.raw)).encrypt(data)

    def write(self, path: Path) -> None:
        """Write the key file. OSError if it cannot be written or is there already."""
        _write(path, _text(AUDIT_PUBLIC, self.raw, {}, self.raw), USUAL)


class AuditSecret:
    """The private part of an audit key, which opens what the public part sealed."""

    def __init__(self, raw: bytes) -> None:
        self._raw: Final = raw

    @classmethod
    def read(cls, path: Path, passphrase: str | None = None) -> Self:
        """The key in that file.

        SealError if it holds none, or another sort of key, or the passphrase is wrong or missing; OSError if it
        cannot be read.
        """
        fields = _fields(path, AUDIT_PRIVATE)
        raw = _decoded(path, "key", fields)
        if "passphrase" in fields:
            if passphrase is None:
                raise SealError(f"{path}: this key is under a passphrase; give it")
            raw = _unlocked(path, raw, fields["passphrase"], passphrase)
        _is_long_enough(path, raw)
        secret = cls(raw)
        _is_named(path, fields, secret.public.raw)
        return secret

    @property
    def public(self) -> AuditKey:
        """The part that seals."""
        from nacl.public import PrivateKey

        return AuditKey(bytes(PrivateKey(self._raw).public_key))

    def open(self, sealed: bytes) -> bytes:
        """What was sealed. SealError if it was sealed to another key, or altered since."""
        from nacl.exceptions import CryptoError
        from nacl.public import PrivateKey, SealedBox

        try:
            return SealedBox(PrivateKey(self._raw)).decrypt(sealed)
        except (CryptoError, ValueError, TypeError) as error:
            raise SealError(
                f"sealed to another key than {self.public.fingerprint}, or altered since"
            ) from error

    def write(self, path: Path, passphrase: str | None = None) -> None:
        """Write the key file, for its owner alone. OSError if it cannot be written or is there already."""
        fields: dict[str, str] = {}
        raw = self._raw
        if passphrase is not None:
            fields["passphrase"], raw = _locked(raw, passphrase)
        _write(path, _text(AUDIT_PRIVATE, self.public.raw, fields, raw), PRIVATE_MODE)


def keygen() -> AuditSecret:
    """A new audit key, from the operating system's randomness."""
    from nacl.public import PrivateKey

    return AuditSecret(bytes(PrivateKey.generate()))


def is_locked(path: Path) -> bool:
    """Whether that private audit key is under a passphrase. SealError, OSError as for reading it."""
    return "passphrase" in _fields(path, AUDIT_PRIVATE)


def is_private_audit_key(path: Path) -> bool:
    """Whether that file is the private part of an audit key, whole or not. OSError if it cannot be read."""
    with path.open("rb") as file:
        return file.read(len(AUDIT_PRIVATE)) == AUDIT_PRIVATE.encode()


class TablePublic:
    """The public part of a table's key: it tells what that table signed."""

    def __init__(self, raw: bytes) -> None:
        self.raw: Final = raw

    @classmethod
    def read(cls, path: Path) -> Self:
        """The key in that file. SealError if it holds none, or another sort of key; OSError if it cannot be read."""
        return cls(_public(path, TABLE_PUBLIC))

    @property
    def fingerprint(self) -> str:
        """16 hex digits that say which key it is."""
        return _fingerprint(self.raw)

    def signed(self, data: bytes, signature: bytes) -> bool:
        """Whether the table signed exactly that."""
        from nacl.exceptions import CryptoError
        from nacl.signing import VerifyKey

        try:
            VerifyKey(self.raw).verify(data, signature)
        except (CryptoError, ValueError):
            return False
        return True

    def write(self, path: Path) -> None:
        """Write the key file. OSError if it cannot be written or is there already."""
        _write(path, _text(TABLE_PUBLIC, self.raw, {}, self.raw), USUAL)


class TableKey:
    """A table's own key, which signs what the table says. It never leaves the table."""

    def __init__(self, seed: bytes) -> None:
        self._seed: Final = seed

    @classmethod
    def read(cls, path: Path) -> Self:
        """The key in that file. SealError if it holds none, or another sort of key; OSError if it cannot be read."""
        fields = _fields(path, TABLE_PRIVATE)
        seed = _decoded(path, "key", fields)
        _is_long_enough(path, seed)
        key = cls(seed)
        _is_named(path, fields, key.public.raw)
        return key

    @classmethod
    def at(cls, path: Path) -> Self:
        """The key in that file, made there (for its owner alone) if there is none. SealError, OSError."""
        if not path.exists():
            cls.new().write(path)
        return cls.read(path)

    @classmethod
    def new(cls) -> Self:
        """A new key, from the operating system's randomness."""
        from nacl.signing import SigningKey

        return cls(bytes(SigningKey.generate()))

    @property
    def public(self) -> TablePublic:
        """The part that others prove it with."""
        from nacl.signing import SigningKey

        return TablePublic(bytes(SigningKey(self._seed).verify_key))

    def sign(self, data: bytes) -> bytes:
        """64 bytes that only this key makes of that data (RFC 8032)."""
        from nacl.signing import SigningKey

        return SigningKey(self._seed).sign(data).signature

    def write(self, path: Path) -> None:
        """Write the key file, for its owner alone. OSError if it cannot be written or is there already."""
        _write(path, _text(TABLE_PRIVATE, self.public.raw, {}, self._seed), PRIVATE_MODE)


def _fingerprint(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=8, person=b"tablectl key").hexdigest()


def _locked(raw: bytes, passphrase: str) -> tuple[str, bytes]:
    """What the file says of the passphrase, and the key under it."""
    from nacl.pwhash import argon2id
    from nacl.secret import SecretBox

    salt = os.urandom(argon2id.SALTBYTES)
    operations, memory = argon2id.OPSLIMIT_MODERATE, argon2id.MEMLIMIT_MODERATE
    under = argon2id.kdf(KEY_BYTES, passphrase.encode(), salt, opslimit=operations, memlimit=memory)
    return f"argon2id {operations} {memory} {_encoded(salt)}", bytes(SecretBox(under).encrypt(raw))


def _unlocked(path: Path, box: bytes, how: str, passphrase: str) -> bytes:
    from nacl.exceptions import CryptoError
    from nacl.pwhash import argon2id
    from nacl.secret import SecretBox

    try:
        name, operations, memory, salt = how.split()
        limits = int(operations), int(memory)
        if name != "argon2id" or not 1 <= limits[0] <= MOST_OPERATIONS or not 1 <= limits[1] <= MOST_MEMORY:
            raise ValueError
        under = argon2id.kdf(
            KEY_BYTES,
            passphrase.encode(),
            base64.b64decode(salt, validate=True),
            opslimit=limits[0],
            memlimit=limits[1],
        )
    except (ValueError, CryptoError) as error:
        raise SealError(f"{path}: damaged: its passphrase line is not one that tablectl writes") from error
    try:
        return SecretBox(under).decrypt(box)
    except (CryptoError, ValueError) as error:
        raise SealError(f"{path}: the passphrase is wrong, or the file is damaged") from error


def _public(path: Path, kind: str) -> bytes:
    fields = _fields(path, kind)
    raw = _decoded(path, "key", fields)
    _is_long_enough(path, raw)
    _is_named(path, fields, raw)
    return raw


def _fields(path: Path, kind: str) -> dict[str, str]:
    """The lines of a key file by their first word. SealError if it is another sort of file."""
    with path.open("rb") as file:
        text = file.read(FILE_BYTES).decode("utf-8", errors="replace")
    first, *lines = text.splitlines() or [""]
    if first != kind:
        what = f"this is a {first}" if first in _KINDS else "this is no key of tablectl"
        raise SealError(f"{path}: {what}; needed is a {kind}")
    return {word: rest for word, _, rest in (line.partition(" ") for line in lines) if word}


_KINDS = frozenset({AUDIT_PUBLIC, AUDIT_PRIVATE, TABLE_PUBLIC, TABLE_PRIVATE})


def _decoded(path: Path, name: str, fields: Mapping[str, str]) -> bytes:
    try:
        return base64.b64decode(fields[name], validate=True)
    except (KeyError, binascii.Error, ValueError) as error:
        raise SealError(f"{path}: damaged: it must have a line `{name} …` with the key in base64") from error


def _is_long_enough(path: Path, raw: bytes) -> None:
    if len(raw) != KEY_BYTES:
        raise SealError(f"{path}: damaged: a key has {KEY_BYTES} bytes, this one {len(raw)}")


def _is_named(path: Path, fields: Mapping[str, str], public: bytes) -> None:
    if fields.get("fingerprint") != _fingerprint(public):
        raise SealError(f"{path}: damaged: the key is not the one that its fingerprint names")


def _encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _text(kind: str, public: bytes, fields: Mapping[str, str], raw: bytes) -> str:
    lines = {"fingerprint": _fingerprint(public), **fields, "key": _encoded(raw)}
    return "\n".join([kind, *(f"{name} {value}" for name, value in lines.items())]) + "\n"


def _write(path: Path, text: str, mode: int) -> None:
    """A new file, never over another one: a key that is written over is lost for good."""
    if path.exists() or path.is_symlink():
        raise FileExistsError(EEXIST, "is there already, and a key is never written over", str(path))
    write_whole(path, text, mode)
