"""The errors tablectl raises on purpose.

Owns: one base class, so that the command line can turn every foreseen mistake into one clear message.
Refuses: bugs. A programming error stays an ordinary Python exception.
"""

from __future__ import annotations

from dataclasses import dataclass


class TablectlError(Exception):
    """Base of every error that a user, a device or a file can cause."""


class UsageError(TablectlError, ValueError):
    """A command was called in a way that cannot work."""


class LinkError(TablectlError, OSError):
    """A reader board or its serial port does not do what it must."""


class PortBusyError(LinkError):
    """Another program holds the serial port."""


class PortMissingError(LinkError):
    """There is no such port, or what is there is not a serial port that can be opened."""


class JournalError(TablectlError, OSError):
    """The journal cannot be opened, read or written."""


class KeptError(TablectlError):
    """What was kept of a hand in progress cannot be taken up, or nothing can be kept."""


class SealError(TablectlError, ValueError):
    """A key, or what is sealed or signed with one, is not what it must be."""


class BackupError(TablectlError, OSError):
    """A backup cannot be made, read or put back."""


class RecordingError(TablectlError, ValueError):
    """A line of a recording is not what the recording format allows."""


class RulebookError(TablectlError, ValueError):
    """A rulebook file breaks the rulebook schema."""


class CatalogueError(TablectlError, ValueError):
    """A catalogue of messages is not what gettext allows."""


class _Absent:
    """The value of a key that is not in the file."""

    def __repr__(self) -> str:
        return "(nothing)"


ABSENT = _Absent()


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a file: where it is, what stands there, and what would be right.

    `value` is ABSENT where the file has nothing at that place; `key` is empty if the whole file is meant.
    """

    file: str
    key: str
    value: object
    right: str

    def __str__(self) -> str:
        where = f"{self.file}: {self.key}" if self.key else self.file
        if self.value is ABSENT:
            return f"{where}: {self.right}"
        return f"{where} = {self.value!r}: {self.right}"


class ConfigError(TablectlError, ValueError):
    """A configuration cannot be used; `faults` holds every reason, not only the first."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults
