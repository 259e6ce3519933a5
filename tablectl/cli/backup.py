"""The commands of a table's backups: backup, restore.

Owns: arguments, and what a person reads. Refuses: the work itself (`tablectl.backup`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tablectl.cli.options import BAD_USAGE, ConfigFile, complain, console
from tablectl.errors import BackupError, UsageError

if TYPE_CHECKING:
    from tablectl.backup import Archive

app = typer.Typer()

FOLDER = Path("/var/backups/tablectl")
KEEP = 14
"""Two weeks of nights."""


@app.command(
    "backup", epilog="Example: tablectl backup /etc/tablectl/table.toml --into /media/stick --keep 30"
)
def backup(
    file: ConfigFile,
    *,
    into: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the archives lie.")] = FOLDER,
    keep: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many archives of this table are kept.")
    ] = KEEP,
) -> None:
    """Write all that makes this table into one archive: configuration with calibration, decks, journal, wear of
    the cards.

    The table may go on meanwhile. The archive is read back and proved before it counts and before an old one
    goes. It holds what the journal holds: only its owner may read it.
    """
    from tablectl.backup import forget_old, name_of, write

    config = file.absolute()
    table = _table_id(config)
    target = into / name_of(table, datetime.now(UTC))
    archive = write(config, table, target)
    out = console()
    out.print(
        Text.assemble(("✓ ", "bold green"), f"{target}: {_size(target.stat().st_size)}, read back and whole")
    )
    _tell(archive)
    for old in forget_old(into, table, keep):
        out.print(f"  removed   {old}")


@app.command(
    "restore", epilog="Example: tablectl restore /var/backups/tablectl/T12-20270131T050000Z.tablectl.tar.gz"
)
def restore_table(
    archive: Annotated[
        list[Path],
        typer.Argument(
            metavar="ARCHIVE", help="What tablectl backup wrote; with --check also several, or a folder."
        ),
    ],
    *,
    to: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Put everything below this folder instead of where it was."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Only prove the archives, of a folder the newest; change nothing."),
    ] = False,
) -> None:
    """Put a table back as it was when the archive was written.

    The table must not run (systemctl stop tablectl). Everything is proved before anything is touched, and every
    file that is replaced is kept beside its place. Exit status 2: the archive cannot be used, or a place cannot
    be written; then nothing has changed.
    """
    from tablectl.backup import opened, restore

    if check:
        _prove(archive)
        return
    if len(archive) > 1 or archive[0].is_dir():
        raise UsageError(f"{archive[0]}: one archive is put back; --check takes several, or a folder")
    with opened(archive[0]) as proved:
        _whole(archive[0], proved)
        for each in restore(proved, to):
            kept = f" (what was there: {each.before.name})" if each.before is not None else ""
            console().print(f"  put back  {each.path}{kept}")


def _prove(given: list[Path]) -> None:
    """Proves each archive, of a folder the newest of each table, also after one that is not whole."""
    from tablectl.backup import newest, opened

    broken = False
    for place in given:
        try:
            for path in newest(place) if place.is_dir() else [place]:
                with opened(path) as proved:
                    _whole(path, proved)
        except BackupError as error:
            complain(str(error))
            broken = True
    if broken:
        raise typer.Exit(BAD_USAGE)


def _whole(path: Path, archive: Archive) -> None:
    console().print(Text.assemble(("✓ ", "bold green"), f"{path}: whole"))
    _tell(archive)


def _tell(archive: Archive) -> None:
    out = console()
    out.print(f"  table     {archive.table}, {archive.taken_at}, tablectl {archive.version}")
    for each in archive.files:
        out.print(f"  {each.role:<13} {_size(each.size):>9}  {each.path}")


def _table_id(config: Path) -> str:
    """The table's name, also of a file that has faults: what is wrong is worth keeping, too."""
    from tablectl.config.faults import TomlFile

    section = (TomlFile(config, str(config)).data or {}).get("table")
    name = section.get("id") if isinstance(section, dict) else None
    return name if isinstance(name, str) else config.stem


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB"
