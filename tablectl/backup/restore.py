"""Putting a table back from an archive that was proved.

Owns: where each file goes, what is kept of what was there, and that all of it is put in place or nothing.
Refuses: an archive that was not proved (`archive`), a table that runs, and files that the archive's own
configuration does not speak of.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tablectl.backup.archive import Archive, Kept
from tablectl.backup.contents import SUFFIX, parts_of
from tablectl.errors import BackupError
from tablectl.shell.journal.lock import claim
from tablectl.whole import sync_folder

SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file: what was not folded into it yet goes where it goes, and never to another."""
MODE: Final = 0o640
"""The table's user may read what it is given, nobody else."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """One file that was put in place: what it is, where, and where the one that was there is kept (None: none
    was)."""

    role: str
    path: Path
    before: Path | None


def restore(archive: Archive, below: Path | None = None) -> list[Replaced]:
    """Puts every file of the archive where it was, or there below the folder `below`.

    All files are on the disk before the first one is replaced; if one cannot be put in place, those before it are
    taken back. Raises BackupError, with nothing changed, and JournalError while a table writes the journal.
    """
    goes = {each: _below(Path(each.path), below) for each in archive.files}
    _check(archive)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    with contextlib.ExitStack() as stack:
        for place in goes.values():
            _made(place.parent)
        for each, place in goes.items():
            if each.role == "journal":
                stack.enter_context(_not_running(place))
        staged = {}
        for each, place in goes.items():
            staged[each] = stack.enter_context(_staged(archive.folder / each.name, place))
        return _put(goes, staged, stamp)


def _check(archive: Archive) -> None:
    """Every file is one that the archive's own configuration speaks of, at the place that it names."""
    inside = {each.path: archive.folder / each.name for each in archive.files}

    def read(path: Path) -> str:
        found = inside.get(str(path))
        if found is None:
            raise BackupError(f"the backup lacks {path}, of which its configuration speaks")
        return found.read_text(encoding="utf-8")

    config = archive.config
    if not config.is_absolute() or ".." in config.parts or config.suffix != ".toml":
        raise BackupError(f"{config}: this is no place for a configuration")
    parts = parts_of(config, read)
    spoken_of = {(part.role, str(part.path)) for part in parts}
    home = parts[-1].path.parent
    for each in archive.files:
        kept = each.role == "kept" and Path(each.path).parent == home and each.path.endswith(SUFFIX)
        if not kept and (each.role, each.path) not in spoken_of:
            raise BackupError(f"the configuration in the backup does not speak of {each.path}")
    for part in parts[:-1]:
        read(part.path)


def _below(path: Path, folder: Path | None) -> Path:
    return path if folder is None else folder.absolute() / path.relative_to(path.anchor)


def _made(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    except OSError as error:
        raise BackupError(f"{folder}: {error.strerror}") from None


@contextlib.contextmanager
def _not_running(journal: Path) -> Iterator[None]:
    """As long as this lasts, no table can begin to write the journal."""
    lock = claim(journal)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


@contextlib.contextmanager
def _staged(source: Path, place: Path) -> Iterator[Path]:
    """A copy on the disk beside its place, gone afterwards if it was not put there."""
    copy = place.with_name(f".{place.name}.restoring")
    try:
        copy.unlink(missing_ok=True)
        with source.open("rb") as data, copy.open("xb") as out:
            shutil.copyfileobj(data, out)
            out.flush()
            os.fsync(out.fileno())
        _readable_as(copy, place)
        yield copy
    except OSError as error:
        if isinstance(error, BackupError):
            raise
        raise BackupError(f"{place}: {error.strerror or error}") from None
    finally:
        copy.unlink(missing_ok=True)


def _readable_as(copy: Path, place: Path) -> None:
    """For those who could read what it replaces; a new file is for its folder's owner and group: who restores is
    root, who reads is the table."""
    like = (place if place.exists() else place.parent).stat()
    copy.chmod(like.st_mode & 0o777 if place.exists() else MODE)
    if os.geteuid() == 0:
        os.chown(copy, like.st_uid, like.st_gid)


def _put(goes: dict[Kept, Path], staged: dict[Kept, Path], stamp: str) -> list[Replaced]:
    done: list[Replaced] = []
    moved: list[tuple[Path, Path]] = []
    """From where to where, in turn; taken back from the end."""
    try:
        for each, place in goes.items():
            before = place.with_name(f"{place.name}.before-{stamp}") if place.exists() else None
            for ending in ("", *SIDE_FILES):
                _move(
                    Path(f"{place}{ending}"), place.with_name(f"{place.name}.before-{stamp}{ending}"), moved
                )
            _move(staged[each], place, moved)
            done.append(Replaced(each.role, place, before))
    except OSError as error:
        for start, end in reversed(moved):
            end.replace(start)
        raise BackupError(f"{error.filename}: {error.strerror}; everything is as it was") from None
    for folder in {place.parent for place in goes.values()}:
        sync_folder(folder)
    return done


def _move(start: Path, end: Path, moved: list[tuple[Path, Path]]) -> None:
    if start.exists():
        start.replace(end)
        moved.append((start, end))
