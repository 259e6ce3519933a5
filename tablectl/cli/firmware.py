"""The commands about reader boards' firmware: firmware build, flash, show.

Owns: arguments and what a person reads. Refuses: the work itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
from rich.text import Text

from tablectl import __version__, versions
from tablectl.cli.options import FOUND_FAULT, complain, console

if TYPE_CHECKING:
    from tablectl.firmware import Answer, FileSet

app = typer.Typer(
    help="The firmware of the reader boards.",
    no_args_is_help=True,
    epilog="Example: tablectl firmware flash /dev/ttyACM0",
)

Port = Annotated[str, typer.Argument(metavar="PORT", help="The board's serial port.")]


@app.command("build", epilog="Example: tablectl firmware build dist/firmware")
def build(folder: Annotated[Path, typer.Argument(metavar="DIR", help="Gets the files.")]) -> None:
    """Write the files that a board needs, stamped with this version, and their SHA-256 sums, into a folder.

    Exit status 0: written. 2: it cannot be.
    """
    from tablectl.firmware import release

    files = release()
    files.write(folder)
    console().print(f"{folder}: {len(files.files)} files of version {files.version}")


@app.command("flash", epilog="Example: tablectl firmware flash /dev/serial/by-path/…")
def flash_board(
    port: Port,
    *,
    files: Annotated[
        Path | None,
        typer.Option(
            "--files", metavar="DIR", help="Files made by `firmware build`; this version's by default."
        ),
    ] = None,
) -> None:
    """Copy the firmware to a board, start it, and check that it answers with this version.

    The board needs MicroPython on it. No table may be running on the port.

    Exit status 0: the board runs it. 1: the copy was begun and failed; the message says what the board does now.
    2: nothing was changed.
    """
    from tablectl.firmware import FlashError, load, release

    chosen = release() if files is None else load(files)
    try:
        answer = _flash(port, chosen)
    except FlashError as error:
        complain(str(error))
        raise typer.Exit(FOUND_FAULT) from None
    console().print(Text.assemble(("✓ ", "bold green"), f"board {answer.board_id} runs {answer.firmware}"))


def _flash(port: str, files: FileSet) -> Answer:
    from tablectl.firmware import flash
    from tablectl.firmware.flash import Told

    out = console(stderr=True)
    columns = (TextColumn("{task.description:<12}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def progress(name: str, done: int, total: int) -> None:
            bar.update(task, description=name, completed=done, total=total)

        return flash(port, files, Told(say=out.print, progress=progress))


@app.command("show", epilog="Example: tablectl firmware show /dev/ttyACM0")
def show(port: Port) -> None:
    """Say which board and which firmware is on a port. A MicroPython program of another maker is stopped by this.

    Exit status 0: a reader board answers. 1: none does. 2: the port cannot be opened.
    """
    from tablectl.firmware.board import ANSWER_S, line_to

    with line_to(port) as line:
        answer = line.hello(ANSWER_S)
        prompt = answer is None and line.has_prompt(ANSWER_S)
    if answer is None:
        complain(
            f"port {port}: MicroPython's prompt, no firmware: tablectl firmware flash {port}"
            if prompt
            else f"port {port}: nobody answers; is it a reader board, and has it power?"
        )
        raise typer.Exit(FOUND_FAULT)
    out = console()
    antennas = ", ".join(map(str, answer.antennas)) or "not told"
    for label, text in (
        ("board", answer.board_id),
        ("firmware", f"{answer.firmware} ({_age(answer.firmware)})"),
        ("protocol", answer.protocol),
        ("antennas", antennas),
    ):
        out.print(Text.assemble((f"{label:<9}", "bold"), text))


def _age(firmware: str) -> str:
    if versions.named(firmware) is None:
        return "not tablectl's own"
    if versions.is_older(firmware):
        return f"older than this tablectl {__version__}: flash it"
    if versions.is_older(versions.firmware_name(), versions.named(firmware) or ""):
        return f"newer than this tablectl {__version__}"
    return "of this version"
