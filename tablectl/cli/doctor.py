"""The command that looks for what is wrong: doctor.

Owns: arguments and what a person reads. Refuses: looking (`tablectl.doctor`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tablectl import __version__
from tablectl.cli.options import BAD_USAGE, FOUND_FAULT, complain, console
from tablectl.errors import UsageError

if TYPE_CHECKING:
    from tablectl.doctor import Line, Report, State

app = typer.Typer()

MARKS: dict[State, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "warning": ("!", "bold yellow"),
    "fault": ("✗", "bold red"),
}


@app.command("doctor", epilog="Example: tablectl doctor t12.toml --bundle support.tar.gz")
def doctor(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="The table's configuration; without it, the computer only."),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Every line as JSON.")] = False,
    bundle: Annotated[
        Path | None,
        typer.Option(metavar="OUT.tar.gz", help="Also pack a file for support, without any secret or card."),
    ] = None,
    loopback: Annotated[
        str | None, typer.Option(metavar="PORT", help="Test a serial port whose TX and RX are joined.")
    ] = None,
    root: Annotated[
        Path, typer.Option(hidden=True, help="Look at another machine's files below this folder.")
    ] = Path("/"),
) -> None:
    """Look for what is wrong with the computer, the boards and the files, and say what to do.

    Nothing is changed, and a running table is not disturbed: a port that is held is not opened, the running table is
    asked instead. Needs no root; what this user may not see is said.

    Exit status 0: all is well, or there are warnings only. 1: a fault. 2: bad usage, or a configuration with faults.
    """
    from tablectl.doctor import Machine, examine
    from tablectl.doctor.machine import is_there

    if file is not None and is_there(file) is False:
        raise UsageError(f"{file}: there is no such configuration")
    if not root.is_dir():
        raise UsageError(f"{root}: there is no such folder")
    if bundle is not None:
        from tablectl.doctor.bundle import must_be_free

        must_be_free(bundle)
    machine = Machine(root)
    report = examine(file, machine, loopback=loopback)
    if as_json:
        _as_json(report)
    else:
        _tell(report.lines)
    if bundle is not None:
        from tablectl.doctor.bundle import write

        write(bundle, report, machine, file)
        complain(f"{bundle}: for support; it holds no secret and no card")
    if file is not None and report.config is None:
        raise typer.Exit(BAD_USAGE)
    if report.worst == "fault":
        raise typer.Exit(FOUND_FAULT)


def _as_json(report: Report) -> None:
    made = {
        "tablectl": __version__,
        "worst": report.worst,
        "lines": [line.as_json() for line in report.lines],
    }
    sys.stdout.write(json.dumps(made, ensure_ascii=False, indent=1) + "\n")


def _tell(lines: Iterable[Line]) -> None:
    from tablectl.doctor.line import counted

    out = console()
    count = dict.fromkeys(MARKS, 0)
    for line in lines:
        count[line.state] += 1
        mark, style = MARKS[line.state]
        about = f"{line.about}: " if line.about and line.about not in line.text else ""
        out.print(Text.assemble((f"{mark} ", style), (f"{line.check:<13}", "bold"), f"{about}{line.text}"))
        if line.do:
            out.print(Text.assemble((f"{'':15}→ ", "dim"), line.do))
    out.print(f"{count['ok']} ok, {counted(count['warning'], 'warning')}, {counted(count['fault'], 'fault')}")
