"""The lines of a recording: bytes → JSON values.

Owns: what a line may be, and what a power loss leaves of one. Refuses: what stands in it (`event`, `first`).
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from tablectl.core.entries import shown
from tablectl.errors import RecordingError
from tablectl.recording.fields import Wrong

MAX_LINE = 1 << 20
"""Longest line that is read, bytes: a first line with ten decks has some 30 kB, a sweep some 5 kB."""


def _no_constant(name: str) -> Any:
    raise Wrong(f"{name} is no number: JSON has no such value")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Wrong(f"{shown(twice)} stands twice in one object: once would be right")
    return made


def value_of(raw: bytes) -> object:
    """The line's object. Raises Wrong for anything that is not one JSON value in UTF-8."""
    if len(raw) > MAX_LINE:
        raise Wrong(f"longer than {MAX_LINE} bytes: no line of a recording is")
    cut = "" if raw.endswith(b"\n") else " and ends without a newline (cut off by a power loss?)"
    if b"\0" in raw:
        raise Wrong(f"holds NUL bytes{cut} (a block that a power loss emptied?): must be one JSON object")
    try:
        return json.loads(raw.decode(), parse_constant=_no_constant, object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise Wrong(f"is not UTF-8 at byte {error.start}{cut}: must be one JSON object") from None
    except json.JSONDecodeError as error:
        raise Wrong(
            f"is not JSON at column {error.colno}{cut}: {error.msg}; must be one JSON object"
        ) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, brackets thousands deep
        raise Wrong(f"is not sensible JSON{cut}: must be one JSON object of plain size") from None


def numbered(source: Path | IO[str] | IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers; an over-long one is cut."""
    try:
        with _binary(source) as stream:
            number = 0
            while raw := stream.readline(MAX_LINE + 1):
                number += 1
                rest = raw
                while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
                    rest = stream.readline(MAX_LINE + 1)
                if raw.strip():
                    yield number, raw
    except OSError as error:
        name = source if isinstance(source, Path) else getattr(source, "name", "the recording")
        raise RecordingError(f"{name}: cannot be read: {error.strerror}") from None


@contextlib.contextmanager
def _binary(source: Path | IO[str] | IO[bytes]) -> Iterator[IO[bytes]]:
    if isinstance(source, Path):
        with source.open("rb") as stream:
            yield stream
    elif isinstance(source, io.TextIOBase):
        buffer = getattr(source, "buffer", None)
        yield buffer if buffer is not None else io.BytesIO(source.read().encode(errors="surrogatepass"))
    else:
        yield source  # type: ignore[misc]  # what is neither a path nor a text stream gives bytes
