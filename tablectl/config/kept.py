"""What `[journal]` says of keys and places, checked against the files that it names.

Owns: that a named audit key is one, and the note that a blind table without one keeps little. Refuses: sealing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tablectl.config.faults import shortened
from tablectl.config.model import JournalSection
from tablectl.errors import Fault, SealError
from tablectl.sealed import AuditKey

BLIND_WITHOUT_KEY: Final = (
    "blind, and [journal] names no audit_key: the journal keeps decisions only, nothing of what is sensed; a night"
    " cannot be replayed. `tablectl audit keygen` makes a key"
)


def key_faults(journal: Mapping[str, Any], folder: Path, shown: str) -> list[Fault]:
    """A key that is named must be there: nothing is sealed for nobody, and nothing kept unsealed instead."""
    name = journal.get("audit_key")
    if not isinstance(name, str) or not name:
        return []
    try:
        AuditKey.read(folder / name)
    except (SealError, OSError) as error:
        why = str(error) if isinstance(error, SealError) else f"cannot be read ({error.strerror})"
        return [
            Fault(shown, "journal.audit_key", shortened(name), f"{why}; `tablectl audit keygen` makes a key")
        ]
    return []


def key_notes(journal: Mapping[str, Any], mode: object) -> list[str]:
    """What a blind table without a key does not keep."""
    return [BLIND_WITHOUT_KEY] if mode == "blind" and journal.get("audit_key") is None else []


def placed(journal: JournalSection, folder: Path) -> JournalSection:
    """The section with its paths from the folder of the configuration."""
    places = {"path": folder / journal.path}
    if journal.audit_key is not None:
        places["audit_key"] = folder / journal.audit_key
    return journal.model_copy(update=places)
