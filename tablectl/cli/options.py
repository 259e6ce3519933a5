"""What several commands share: exit statuses, options, and how a command prints.

Owns: the words of an option that means the same everywhere. Refuses: commands.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from tablectl.core.entries import LANGUAGES

DONE, FOUND_FAULT, BAD_USAGE, BUG, INTERRUPTED = 0, 1, 2, 70, 130
"""Exit statuses; 70 is EX_SOFTWARE of sysexits.h, 130 is 128 + SIGINT."""


def _known_language(code: str | None) -> str | None:
    if code is not None and code not in LANGUAGES:
        raise typer.BadParameter(f"{code!r}: there is no such language; known are {', '.join(LANGUAGES)}")
    return code


ConfigFile = Annotated[Path, typer.Argument(metavar="FILE", help="The table's configuration, a TOML file.")]
Language = Annotated[
    str | None,
    typer.Option(
        metavar="CODE", callback=_known_language, help="The display's language: en, nl, it, ru, pl."
    ),
]
AuditKeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key", metavar="FILE", help="The private audit key, for what is sealed; never on a table."
    ),
]
Noise = Annotated[str, typer.Option(metavar="NAME", help="clean, light, heavy or harsh.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same cards and the same dealer.")]


def console(*, stderr: bool = False) -> Console:
    """Where a command prints: lines are never wrapped, and what users wrote is never taken for markup."""
    return Console(stderr=stderr, soft_wrap=True, highlight=False, markup=False, emoji=False)


def complain(message: str) -> None:
    console(stderr=True).print(Text.assemble(("tablectl: ", "bold red"), message))
