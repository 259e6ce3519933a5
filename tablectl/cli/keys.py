"""The private audit key on the command line: the only way by which a command gets it.

Owns: the passphrase, and that every opening is recorded before anything is shown. Refuses: what is opened.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablectl.cli.options import console
from tablectl.errors import UsageError

if TYPE_CHECKING:
    from tablectl.sealed import AuditSecret

PASSPHRASE = "TABLECTL_PASSPHRASE"  # noqa: S105 - a variable's name
"""The variable of the environment that has it, for scripts."""


def revealed(key: Path, record: Path | None, *, what: str, **said: Any) -> AuditSecret:
    """The private key in that file, once its use is on record; `said` goes there, too.

    The record is the file beside the key unless another is named. UsageError without a passphrase that is needed;
    SealError, OSError if the key cannot be read or its use cannot be recorded.
    """
    from tablectl.audit import access
    from tablectl.sealed import AuditSecret, is_locked

    secret = AuditSecret.read(key, asked_passphrase(key) if is_locked(key) else None)
    place = record or access.record_of(key)
    head = access.note(place, secret.public.fingerprint, what=what, **said)
    console(stderr=True).print(f"recorded in {place}: {head}")
    return secret


def asked_passphrase(key: Path, *, new: bool = False) -> str:
    """From the environment, or typed at the terminal, a new one twice. UsageError if neither can be."""
    from getpass import getpass

    given = os.environ.get(PASSPHRASE)
    if given:
        return given
    if not sys.stdin.isatty():
        raise UsageError(f"{key}: a passphrase is needed: type it at a terminal, or set {PASSPHRASE}")
    typed = getpass(f"Passphrase of {key}: ")
    if new and (not typed or typed != getpass("Once more: ")):
        raise UsageError(f"{key}: the passphrases are not the same, or empty; nothing was written")
    return typed
