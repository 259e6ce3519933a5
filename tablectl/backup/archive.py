"""The archive: a gzipped tar of a table's files, and a manifest that proves each by its SHA-256.

Owns: writing one, whole or not at all, and opening one, proved to the last byte before anybody sees a file of it.
Refuses: what belongs into it (`contents`), and where its files go (`restore`).

The journal is copied by SQLite's own backup in one step: one moment of it, whatever a table writes meanwhile; the
writer waits for nothing. An archive holds what the journal and the decks hold, so nobody but its owner may read
it.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tablectl import __version__
from tablectl.backup.contents import DATABASES, Part, beside, parts_of
from tablectl.errors import BackupError, JournalError
from tablectl.shell.journal.file import check_ours, reason
from tablectl.whole import sync_folder

FORMAT: Final = 1
"""Of the manifest. A later tablectl reads earlier ones."""
PRODUCT: Final = "tablectl backup"
MANIFEST: Final = "manifest.json"
MANIFEST_BYTES: Final = 1 << 20
"""No manifest of ours is near that, bytes."""
CHUNK: Final = 1 << 20
GZIP_MAGIC: Final = b"\x1f\x8b"
"""RFC 1952, 2.3.1."""
ROOMY: Final = Path("/var/tmp")  # noqa: S108 - a folder of its own is made in it
"""On a disk; /tmp may be the memory of a small computer (FHS 3.0, 5.15)."""
BUSY_S: Final = 10.0
"""How long another program may hold the journal before a copy of it is given up, s."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One file in an archive: its name there, what it is, where it was, its size in bytes and SHA-256 in hex."""

    name: str
    role: str
    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Archive:
    """A proved archive. `folder` holds its files by their names while it is open."""

    table: str
    version: str
    taken_at: str
    files: tuple[Kept, ...]
    folder: Path

    @property
    def config(self) -> Path:
        """Where the configuration was."""
        return Path(self.files[0].path)


def write(config: Path, table: str, target: Path) -> Archive:
    """Writes the archive of the table with this configuration, reads it back, and puts it at `target`.

    BackupError for a disk that takes no more and whatever else stands in the way; nothing is left then.
    """
    config = config.absolute()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _folder(target.parent) as work, _told(target):
        packed = work / "archive"
        manifest = _collected(config, table, work)
        _pack(manifest, work, packed)
        with opened(packed, work) as proved:
            packed.chmod(0o600)
            packed.replace(target)
            sync_folder(target.parent)
            return proved


def _collected(config: Path, table: str, work: Path) -> dict[str, Any]:
    parts = parts_of(config, lambda path: path.read_text(encoding="utf-8"))
    parts += beside(parts[-1].path)
    files: list[Kept] = []
    for part in parts:
        if part.role in DATABASES and not part.path.exists():
            continue  # a table that has not run yet
        name = f"{len(files)}-{part.role}{part.path.suffix}"
        _copy(part, work / name)
        files.append(
            Kept(name, part.role, str(part.path), (work / name).stat().st_size, _sha256(work / name))
        )
    return {
        "product": PRODUCT,
        "format": FORMAT,
        "version": __version__,
        "table": table,
        "taken_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": [asdict(each) for each in files],
    }


def _copy(part: Part, to: Path) -> None:
    if part.role not in DATABASES:
        shutil.copyfile(part.path, to)
        return
    try:
        with (
            contextlib.closing(
                sqlite3.connect(f"{part.path.as_uri()}?mode=ro", uri=True, timeout=BUSY_S)
            ) as source,
            contextlib.closing(sqlite3.connect(to)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    except sqlite3.Error as error:
        raise BackupError(f"{part.path}: the {part.role} cannot be copied: {reason(error)}") from None


def _pack(manifest: dict[str, Any], work: Path, packed: Path) -> None:
    (work / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    with packed.open("xb") as out:
        with tarfile.open(fileobj=out, mode="w:gz") as tar:
            for name in (MANIFEST, *(each["name"] for each in manifest["files"])):
                tar.add(work / name, name, filter=_nobody)
        out.flush()
        os.fsync(out.fileno())
    for each in (MANIFEST, *(each["name"] for each in manifest["files"])):
        (work / each).unlink()


def _nobody(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """Owners are those of the machine on which it is restored."""
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mode = 0o600
    return info


@contextlib.contextmanager
def opened(path: Path, near: Path | None = None) -> Iterator[Archive]:
    """The archive, unpacked into a folder of its own in `near` (/var/tmp by default) and proved.

    BackupError if it is torn, changed, of another program or of a newer version.
    """
    with _folder(near or ROOMY) as folder:
        with _told(path):
            names = _unpack(path, folder)
        yield _proved(path, folder, names)


def _unpack(path: Path, folder: Path) -> list[str]:
    """The names in the archive, each now a file in the folder. BackupError, or OSError as the disk has it."""
    try:
        return _unpacked(path, folder)
    except (EOFError, OSError, ValueError, zlib.error, tarfile.TarError) as error:
        # Turned bits may look like anything else that is wrong, or like another program's file: the checksum first.
        harm = _harm(path)
        if harm is not None:
            raise BackupError(f"{path}: {harm}") from None
        if isinstance(error, OSError):
            raise
        raise BackupError(f"{path}: this is no backup of tablectl ({error})") from None


def _unpacked(path: Path, folder: Path) -> list[str]:
    """Plain files with plain names, and nothing else; a tar can hold much worse."""
    foreign = BackupError(f"{path}: this is no backup of tablectl")
    names: list[str] = []
    with tarfile.open(path, "r:gz") as tar:
        for member in tar:
            if not member.isreg() or "/" in member.name or member.name in (".", "..", *names):
                raise foreign
            if not names and (member.name != MANIFEST or member.size > MANIFEST_BYTES):
                raise foreign
            content = tar.extractfile(member)
            assert content is not None  # noqa: S101 - a regular file has a content
            with (folder / member.name).open("xb") as out:
                shutil.copyfileobj(content, out, CHUNK)
            names.append(member.name)
        _to_the_end(tar)
    if not names:
        raise foreign
    return names


def _harm(path: Path) -> str | None:
    """What gzip's own checksum has against the file, in words; None if it is whole, or cannot be read at all."""
    try:
        with path.open("rb") as raw:
            head = raw.read(len(GZIP_MAGIC))
            raw.seek(0)
            with gzip.GzipFile(fileobj=raw) as content:
                while content.read(CHUNK):
                    pass
            return None if head else "this is no backup of tablectl, or a torn one (it is empty)"
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        if head != GZIP_MAGIC:
            return f"this is no backup of tablectl, or a torn one ({error})"
        return f"the archive is torn or damaged ({error})"
    except OSError:
        return None


def _to_the_end(tar: tarfile.TarFile) -> None:
    """gzip proves its content by a checksum behind it, which a reader of tar does not look at by itself."""
    assert tar.fileobj is not None  # noqa: S101 - it is open
    while tar.fileobj.read(CHUNK):
        pass


def _proved(path: Path, folder: Path, names: list[str]) -> Archive:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if manifest["product"] != PRODUCT:
            raise ValueError(manifest["product"])
        version, made = str(manifest["version"]), int(manifest["format"])
        if made > FORMAT:
            raise BackupError(
                f"{path}: tablectl {version} wrote this backup, this is {__version__}; use that version"
            )
        files = tuple(Kept(**each) for each in manifest["files"])
        archive = Archive(str(manifest["table"]), version, str(manifest["taken_at"]), files, folder)
    except (KeyError, TypeError, ValueError) as error:
        raise BackupError(f"{path}: this is no backup of tablectl (its manifest: {error!r})") from None
    if [MANIFEST, *(each.name for each in files)] != names or not files or files[0].role != "configuration":
        raise BackupError(f"{path}: the archive does not hold what its manifest says")
    for each in files:
        there = folder / each.name
        if there.stat().st_size != each.size or _sha256(there) != each.sha256:
            raise BackupError(
                f"{path}: {each.role} in it is damaged: its SHA-256 is not that of the manifest"
            )
        if each.role in DATABASES:
            _sound(path, each, there)
    return archive


def _sound(path: Path, kept: Kept, there: Path) -> None:
    try:
        with contextlib.closing(sqlite3.connect(there)) as file:
            said = file.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if kept.role == "journal" and said == "ok" and not check_ours(file, path):
                said = "it is empty"
    except (sqlite3.Error, JournalError) as error:
        said = str(error)
    if said != "ok":
        raise BackupError(f"{path}: the {kept.role} in it is damaged: {said}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def _folder(near: Path) -> Iterator[Path]:
    """A folder that is gone afterwards, and that nobody else may look into."""
    try:
        made = tempfile.TemporaryDirectory(prefix=".tablectl-", dir=near)
    except OSError as error:
        raise BackupError(f"{error.filename}: {error.strerror}") from None
    with made as name:
        yield Path(name)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """What the disk says, as a sentence that begins with the archive."""
    try:
        yield
    except BackupError:
        raise
    except OSError as error:
        where = f" ({error.filename})" if error.filename and error.filename != str(path) else ""
        raise BackupError(f"{path}: {error.strerror or error}{where}") from None
