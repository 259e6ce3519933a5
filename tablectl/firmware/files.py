"""The files that a reader board needs.

Owns: which files they are, where this installation keeps them, and the folder that `make firmware` fills.
Refuses: the board (`flash`).

A set is every file of `firmware/`, the table computer's own `wire.py`, and a `version.py` that is written here. The
files go to the board as they are, not as bytecode: a technician can read what runs there, and an .mpy would fit only
the MicroPython versions that share its format.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tablectl import __version__, wire
from tablectl.errors import UsageError

MAIN = "main.py"
"""What MicroPython runs after a reset."""
VERSION = "version.py"
SUMS = "SHA256SUMS"
"""The list of a folder's files; `sha256sum -c SHA256SUMS` checks them too."""

_PACKAGE = Path(wire.__file__).parent
_PLACES = (_PACKAGE / "firmware" / "board", _PACKAGE.parent / "firmware")
"""In an installed package, and in a checkout."""


@dataclass(frozen=True)
class FileSet:
    """The files by name. Their version is what `version.py` says."""

    files: Mapping[str, bytes]

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", MappingProxyType(dict(sorted(self.files.items()))))

    @property
    def version(self) -> str:
        """What the boards will name in HELLO. UsageError if `version.py` does not say."""
        try:
            for line in ast.parse(self.files.get(VERSION, b"")).body:
                if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "VERSION":
                    return str(ast.literal_eval(line.value))
        except (SyntaxError, ValueError):
            pass
        raise UsageError(f'{VERSION}: must have a line VERSION = "1.2.3"')

    @property
    def in_order(self) -> list[str]:
        """The order in which a board gets them: what it starts with comes last, when all the rest is there."""
        return sorted(self.files, key=lambda name: (name == MAIN, name))

    def sums(self) -> str:
        """The SHA-256 of each file, in the form of sha256sum."""
        return "".join(f"{sha256(data)}  {name}\n" for name, data in self.files.items())

    def write(self, folder: Path) -> None:
        """Fill a folder with the files and their sums; what an earlier set left there goes, and nothing else.

        UsageError if the path is a file's, OSError if it cannot be written.
        """
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder}: this is a file; name a folder for the firmware's files")
        folder.mkdir(parents=True, exist_ok=True)
        for name in _named_in(folder / SUMS):
            if name not in self.files:
                (folder / name).unlink(missing_ok=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        (folder / SUMS).write_text(self.sums(), encoding="utf-8")


def _named_in(sums: Path) -> list[str]:
    """The plain file names in the sums of an earlier set; none if there is no such set."""
    if not sums.is_file():
        return []
    names = [
        line.partition("  ")[2] for line in sums.read_text(encoding="utf-8", errors="replace").splitlines()
    ]
    return [name for name in names if name and Path(name).name == name]


def release() -> FileSet:
    """The files of this installation, stamped with its version. UsageError if it came without them."""
    place = next((each for each in _PLACES if each.is_dir()), None)
    if place is None:
        raise UsageError(
            f"{_PLACES[0]}: this installation came without the firmware's files; install tablectl again"
        )
    files = {path.name: path.read_bytes() for path in place.glob("*.py")}
    files["wire.py"] = Path(wire.__file__).read_bytes()
    files[VERSION] = f'"""Written by `make firmware`."""\n\nVERSION = "{__version__}"\n'.encode()
    return FileSet(files)


def load(folder: Path) -> FileSet:
    """The files of a folder that `make firmware` filled. UsageError if one is missing, damaged or not listed."""
    try:
        listed = dict(_listed(line) for line in (folder / SUMS).read_text(encoding="utf-8").splitlines())
        files = {path.name: path.read_bytes() for path in folder.glob("*.py")}
    except (OSError, ValueError) as wrong:
        raise UsageError(
            f"{folder / SUMS}: must list the files of a firmware, as `make firmware` writes it ({wrong})"
        ) from None
    for name in sorted(listed.keys() | files.keys()):
        if name not in files:
            raise UsageError(f"{folder / name}: is listed in {SUMS} and is not there")
        if listed.get(name) != sha256(files[name]):
            raise UsageError(f"{folder / name}: is not the file that {SUMS} lists; make the folder again")
    return FileSet(files)


def sha256(data: bytes) -> str:
    """The SHA-256 of a file, in hex."""
    return hashlib.sha256(data).hexdigest()


def _listed(line: str) -> tuple[str, str]:
    digest, gap, name = line.partition("  ")
    if not gap or "/" in name:
        raise ValueError(f"a line must be a sum, two spaces and a name, not {line!r}")
    return name, digest
