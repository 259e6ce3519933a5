"""The rulebooks that come with tablectl, and reading any rulebook from a file.

Owns: finding and reading the files. Refuses: what they mean (`core.rulebook`).
"""

from __future__ import annotations

import tomllib
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from tablectl.core.rulebook import Rulebook, parse
from tablectl.errors import RulebookError


def known() -> tuple[str, ...]:
    """Names of the rulebooks that come with tablectl, sorted."""
    files = resources.files(__package__).iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def load(name_or_path: str) -> Rulebook:
    """The rulebook of that name, or in that file (anything that ends in `.toml` or holds a `/`).

    Raises RulebookError: no such name (the known ones are listed), no such file, not TOML, or all its faults.
    """
    path = Path(name_or_path)
    if path.suffix == ".toml" or "/" in name_or_path:
        return _read(path, str(path))
    if name_or_path not in known():
        raise RulebookError(
            f"rulebook {name_or_path!r}: unknown; known are {', '.join(known())}, or a .toml file"
        )
    file = f"{name_or_path}.toml"
    return _read(resources.files(__package__) / file, file)


def _read(file: Path | Traversable, name: str) -> Rulebook:
    try:
        data = tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        raise RulebookError(f"{name}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulebookError(f"{name}: not a TOML file: {error}") from None
    return parse(data, name)
