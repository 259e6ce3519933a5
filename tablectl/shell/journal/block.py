"""A block: the sensed lines of at most a second, packed, and sealed where the table seals.

Owns: packing and unpacking. Refuses: when a block ends (`waiting`), and the keys (`sealed`).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from typing import Any, Final

from tablectl.sealed import AuditKey, AuditSecret

MOST_BYTES: Final = 64 << 20
"""No block of ours unpacks to that, bytes: a forged one must not take all memory."""
LEVEL: Final = 6
"""zlib's own default: a block takes 0.1 ms."""


def packed(lines: Iterable[str], key: AuditKey | None) -> bytes:
    """The lines in few bytes, sealed to the key if there is one."""
    made = zlib.compress("\n".join(lines).encode(), LEVEL)
    return made if key is None else key.seal(made)


def unpacked(data: bytes, secret: AuditSecret | None) -> list[dict[str, Any]]:
    """The objects of a block. SealError if the secret does not open it, ValueError if it is damaged."""
    if secret is not None:
        data = secret.open(data)
    inflate = zlib.decompressobj()
    try:
        text = inflate.decompress(data, MOST_BYTES)
    except zlib.error as error:
        raise ValueError(f"not a packed block ({error})") from None
    if not inflate.eof:
        raise ValueError(f"cut off, or more than {MOST_BYTES >> 20} MiB")
    made = [json.loads(line) for line in text.split(b"\n")]
    if not all(isinstance(each, dict) for each in made):
        raise ValueError("its lines are no JSON objects")
    return made
