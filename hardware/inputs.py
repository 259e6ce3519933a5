"""What a person may have written wrongly in the hardware's files, said in one line.

Owns: the error, and turning what a reader stumbles over into it. Refuses: reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class InputError(Exception):
    """A file of `hardware/` cannot be used: which one, and what is wrong with it."""


@contextmanager
def reading(file: Path) -> Iterator[None]:
    """While a file is read: what is missing or wrong in it becomes an InputError that names the file."""
    try:
        yield
    except KeyError as missing:
        raise InputError(f"{file.name}: {missing.args[0]!r} is missing") from missing
    except (ValueError, TypeError, AttributeError, IndexError) as wrong:
        raise InputError(f"{file.name}: {wrong}") from wrong
    except OSError as wrong:
        raise InputError(f"{file.name}: {wrong.strerror}") from wrong
