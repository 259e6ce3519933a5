"""What belongs to a table: its configuration, the decks and the rulebook that it names, and what it keeps as it runs.

Owns: the list of parts, from the files' texts alone. Refuses: copying them.

The calibration stands in the configuration. What a table keeps is its journal and every other SQLite file beside
it (what the tags were read like over their life), each of which a running table may be writing. The table's own key is
no part: whoever has a backup could sign with it. A table that is put back on another machine makes a new one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from tablectl.errors import BackupError
from tablectl.shell.journal.parts import is_aside

Role = Literal["configuration", "deck", "rulebook", "audit key", "journal", "kept"]
DATABASES: Final = ("journal", "kept")
"""Roles of SQLite files: they are copied by SQLite, at one moment of theirs, and checked by it."""
SUFFIX: Final = ".sqlite"
MAX_CHAIN: Final = 8
"""Rulebooks that inherit from one another."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a table: what it is, and the absolute path at which the table looks for it."""

    role: Role
    path: Path


def parts_of(config: Path, read: Callable[[Path], str]) -> list[Part]:
    """The files that the configuration at the absolute path `config` speaks of: itself first, its journal last.

    `read` gives a file's text. Raises BackupError if the configuration is no TOML or names what can be no file;
    what a table would refuse besides is not looked at, for a faulty file is worth keeping, too.
    """
    data = _toml(config, read)
    folder = config.parent
    parts = [Part("configuration", config)]
    parts += [Part("deck", _at(folder, each.get("file"))) for each in _sections(data, "deck")]
    parts += _books(folder, _section(data, "table").get("rulebook"), read)
    journal = _section(data, "journal")
    if "audit_key" in journal:
        parts.append(Part("audit key", _at(folder, journal["audit_key"])))
    parts.append(Part("journal", _at(folder, journal.get("path", "journal.sqlite"))))
    return parts


def _books(folder: Path, name: object, read: Callable[[Path], str]) -> Iterator[Part]:
    """The house's own rulebooks: the one that is named, and what it inherits; those that come with tablectl are
    not."""
    for _ in range(MAX_CHAIN):
        if not isinstance(name, str) or not ("/" in name or name.endswith(".toml")):
            return
        path = _at(folder, name)
        yield Part("rulebook", path)
        folder, name = path.parent, _toml(path, read).get("inherit")


def beside(journal: Path) -> list[Part]:
    """What else a table keeps in the folder of its journal, but for parts of the journal: those never change again."""
    there = (path for path in journal.parent.glob(f"*{SUFFIX}") if path.is_file() and path != journal)
    return [Part("kept", path) for path in sorted(there) if not is_aside(journal, path)]


def _toml(path: Path, read: Callable[[Path], str]) -> dict[str, Any]:
    try:
        return tomllib.loads(read(path))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BackupError(f"{path}: this is no TOML: {error}") from None


def _section(data: dict[str, Any], name: str) -> dict[str, Any]:
    section = data.get(name, {})
    return section if isinstance(section, dict) else {}


def _sections(data: dict[str, Any], name: str) -> list[dict[str, Any]]:
    sections = data.get(name, [])
    return [each for each in sections if isinstance(each, dict)] if isinstance(sections, list) else []


def _at(folder: Path, name: object) -> Path:
    """The absolute path, without `..`, that the configuration means."""
    if not isinstance(name, str) or not name or "\0" in name:
        raise BackupError(f"{folder}: {name!r} in the configuration is no path of a file")
    return Path(*_straight((folder / name).parts))


def _straight(steps: tuple[str, ...]) -> list[str]:
    way: list[str] = []
    for step in steps:
        if step != "..":
            way.append(step)
        elif len(way) > 1:
            way.pop()
    return way
