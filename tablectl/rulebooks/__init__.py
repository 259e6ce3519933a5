"""The rulebooks that come with tablectl, and reading any rulebook from a file, with what it inherits.

Owns: finding and reading the files. Refuses: what they mean (`core.rulebook`, `core.house`).
`README.md` in this folder says how a book is written.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from tablectl.core.house import Content, inherit
from tablectl.core.rulebook import Rulebook, parse
from tablectl.core.schema import nearest
from tablectl.errors import RulebookError

DATA = ("statements", "conflicts")
"""Files of this folder that are no books: the sources' statements, and the scenarios of `rules compare`."""
MAX_CHAIN = 5
"""A house file may inherit one that inherits another, but not without end."""


def known() -> tuple[str, ...]:
    """Names of the rulebooks that come with tablectl, sorted."""
    files = (file.name for file in resources.files(__package__).iterdir())
    names = (name.removesuffix(".toml") for name in files if name.endswith(".toml"))
    return tuple(sorted(name for name in names if name not in DATA))


def load(name_or_path: str) -> Rulebook:
    """The rulebook of that name, or in that file (anything that ends in `.toml` or holds a `/`).

    Raises RulebookError: no such name (the known ones are listed), no such file, not TOML, or all its faults.
    """
    found, file = content(name_or_path)
    return parse(found.data, file, found.origins)


def readable(name_or_path: str) -> bool:
    """True if there is a book of that name, or a file that can be read, whether or not it is a book."""
    return name_or_path in known() or Path(name_or_path).is_file()


def data(name: str) -> dict[str, Any]:
    """The content of one of the files in `DATA`."""
    return _read(resources.files(__package__) / f"{name}.toml", f"{name}.toml")


def content(name: str, folder: Path = Path(), chain: tuple[str, ...] = ()) -> tuple[Content, str]:
    """The content of a book with all it inherits, and its name in messages; paths are relative to `folder`."""
    path = folder / name
    if name.endswith(".toml") or "/" in name:
        shown, raw = str(path), _read(path, str(path))
    elif name in known():
        shown = f"{name}.toml"
        raw = _read(resources.files(__package__) / shown, shown)
    else:
        near = nearest(name.lower(), list(known()))
        raise RulebookError(
            f"rulebook {name!r}: unknown;{near} known are {', '.join(known())}, or a .toml file"
        )
    if "inherit" not in raw:
        return Content(raw), shown
    parent = raw["inherit"]
    if not isinstance(parent, str):
        raise RulebookError(
            f"{shown}: inherit = {parent!r}: must be the name of a rulebook or the path of a file"
        )
    if len(chain) >= MAX_CHAIN:
        raise RulebookError(
            f"{shown}: inherit = {parent!r}: goes round in circles: {' → '.join((*chain, shown))}"
        )
    try:
        inherited, file = content(parent, path.parent, (*chain, shown))
    except RulebookError as error:
        if chain:
            raise
        raise RulebookError(f"{shown}: inherit = {parent!r}: {error}") from None
    parse(inherited.data, file, inherited.origins)  # what is wrong there is not charged to the house
    return inherit(inherited, raw, shown), shown


def _read(file: Path | Traversable, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode())
    except (OSError, ValueError) as error:
        if isinstance(error, OSError):
            raise RulebookError(f"{name}: cannot be read: {error.strerror}") from None
        if isinstance(error, tomllib.TOMLDecodeError | UnicodeDecodeError):
            raise RulebookError(f"{name}: not a TOML file: {error}") from None
        raise RulebookError(f"{name!r}: no such file: {error}") from None
