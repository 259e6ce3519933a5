"""The private audit key on the command line: the only way by which a command gets it.

Owns: the passphrase, and that every use of the key is on record before anything is read with it. Refuses: what is read.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tablectl.errors import UsageError

if TYPE_CHECKING:
    from tablectl.sealed import AuditSecret

PASSPHRASE = "TABLECTL_PASSPHRASE"  # noqa: S105 - its name, not one
"""The variable from which a passphrase is taken where nobody can be asked for one."""


def revealed(key: Path, *, what: str, record: Path | None = None, **said: Any) -> tuple[AuditSecret, str]:
    """The private key in that file, once its use is on record, and where that stands; `said` goes there, too.

    The record is the file beside the key unless another is named. UsageError without a passphrase that is needed;
    SealError, OSError if the key cannot be read or its use cannot be recorded: then nothing may be read.
    """
    from tablectl.audit import access
    from tablectl.sealed import AuditSecret, is_locked

    secret = AuditSecret.read(key, passphrase_of(key) if is_locked(key) else None)
    place = record or access.record_of(key)
    line = access.note(place, secret.public.fingerprint, what=what, **said)
    return secret, f"recorded in {place}: {line}"


def passphrase_of(key: Path, *, new: bool = False) -> str:
    """From `TABLECTL_PASSPHRASE`, or typed at the terminal, a new one twice. UsageError if neither can be."""
    given = os.environ.get(PASSPHRASE)
    if given:
        return given
    if not sys.stdin.isatty():
        raise UsageError(f"{key}: a passphrase is needed: type it at a terminal, or set {PASSPHRASE}")
    return str(typer.prompt(f"Passphrase of {key}", hide_input=True, confirmation_prompt=new, err=True))
