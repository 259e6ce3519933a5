"""The commands of tablectl.

Owns: arguments, what a person reads on the terminal, and exit statuses: 0 done, 1 the work found a fault,
2 bad usage or configuration, 130 interrupted. No traceback reaches a user.
Refuses: the work itself; every command calls one room for it.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.text import Text

from tablectl import __version__
from tablectl.cli import (
    audit,
    backup,
    bench,
    calibrate,
    display,
    doctor,
    enrol,
    firmware,
    journal,
    kiosk,
    panel,
    rules,
    simulated,
    table,
    wear,
)
from tablectl.cli.options import BAD_USAGE, BUG, DONE, FOUND_FAULT, INTERRUPTED, complain, console
from tablectl.errors import ConfigError, TablectlError

app = typer.Typer(
    name="tablectl",
    help="Watches the deal at a poker table through RFID antennas and calls irregularities as they happen.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(table.app)
app.add_typer(panel.app)
app.add_typer(backup.app)
app.add_typer(kiosk.app)
app.add_typer(simulated.app)
app.add_typer(wear.app)
app.add_typer(enrol.app)
app.add_typer(doctor.app)
app.add_typer(calibrate.app)
app.add_typer(rules.app, name="rules")
app.add_typer(bench.app, name="bench")
app.add_typer(display.app, name="display")
app.add_typer(firmware.app, name="firmware")
app.add_typer(audit.app, name="audit")
app.add_typer(audit.export_app)
app.add_typer(journal.app, name="journal")


def main() -> NoReturn:
    """Entry point: run the command and turn every foreseen trouble into one message and an exit status."""
    _prepare_output()
    status = _guarded()
    try:
        sys.stdout.flush()
    except OSError as error:
        # Whoever read our output is gone, or its disk is full: nothing more can be written there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if status == DONE:
            status = FOUND_FAULT
            if not isinstance(error, BrokenPipeError):
                complain(f"standard output: {error.strerror}")
                status = BAD_USAGE
    sys.exit(status)


def _prepare_output() -> None:
    """Make both streams writable whatever they are: closed by a service, or a terminal without UTF-8."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open till the end
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open till the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # `?` for ✓, not a traceback


def _guarded() -> int:
    try:
        app(prog_name="tablectl")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except ConfigError as error:
        _complain_of(error)
        return BAD_USAGE
    except BrokenPipeError:
        return FOUND_FAULT
    except TablectlError as error:
        complain(str(error))
        return BAD_USAGE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{error.strerror or error}")
        return BAD_USAGE
    except Exception as error:  # the last line of defence: a bug is named, not dumped on a dealer
        if os.environ.get("TABLECTL_DEBUG"):
            raise
        complain(f"this is a bug: {type(error).__name__}: {error}. TABLECTL_DEBUG=1 shows where it happened.")
        return BUG
    return DONE


def _complain_of(error: ConfigError) -> None:
    out = console(stderr=True)
    count = len(error.faults)
    heading = "one fault, nothing is started" if count == 1 else f"{count} faults, nothing is started"
    out.print(Text.assemble(("✗ ", "bold red"), heading))
    for fault in error.faults:
        out.print(Text(f"  {fault}"))


def _say_version(asked: bool | None) -> None:  # noqa: FBT001 - typer calls it so
    if asked:
        console().print(f"tablectl {__version__}")
        raise typer.Exit(DONE)


@app.callback()
def root(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Say which version this is.", is_eager=True, callback=_say_version),
    ] = False,
) -> None:
    """Watches the deal at a poker table through RFID antennas and calls irregularities as they happen."""
