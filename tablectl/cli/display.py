"""The commands of a display that is open to a network: display token, tokens, revoke.

Owns: arguments, and showing a new token once. Refuses: the token file (`config.tokens`) and what a role may
(`shell.display.roles`).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablectl.cli.options import FOUND_FAULT, ConfigFile, console
from tablectl.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from tablectl.config.tokens import Token

app = typer.Typer(
    no_args_is_help=True,
    help="Who may come to a table's display over the network, with which role.",
    epilog="Example: tablectl display token t12.toml --role floor --name tablet-2",
)

WhoOption = Annotated[
    str, typer.Option("--name", metavar="NAME", help="Whose it is: every input is marked with it.")
]


@app.command("token", epilog="Example: tablectl display token t12.toml --role floor --name tablet-2")
def token(
    file: ConfigFile,
    *,
    role: Annotated[str, typer.Option(metavar="ROLE", help="dealer, floor or technician.")],
    name: WhoOption = "",
) -> None:
    """Make a token for a person or a device, and show it this once.

    The token file keeps its hash alone. It goes into the page for signing in, or into a program's header
    "Authorization: Bearer …"; never into an address.
    """
    from tablectl.config.tokens import ROLES, make_token

    if role not in ROLES:
        raise UsageError(f"--role {role}: must be {', '.join(ROLES[:-1])} or {ROLES[-1]}")
    path = _token_file(file)
    made = make_token(path, role, name or _free_name(path, role))
    sys.stdout.write(made + "\n")
    console(stderr=True).print(
        f"The token is shown this once; its hash is in {path}. A running table takes it within seconds."
    )


@app.command("tokens", epilog="Example: tablectl display tokens t12.toml")
def tokens(file: ConfigFile) -> None:
    """Say who has a token, and with which role."""
    for each in _read(_token_file(file)):
        console().print(f"{each.role:<10}  {each.name}")


@app.command("revoke", epilog="Example: tablectl display revoke t12.toml --name tablet-2")
def take_away(file: ConfigFile, *, name: WhoOption) -> None:
    """Take a token away: whoever came in with it is out within seconds.

    Exit status 1: there is no token of that name.
    """
    from tablectl.config.tokens import revoke

    path = _token_file(file)
    if not path.exists() or not revoke(path, name):
        console(stderr=True).print(f"{path}: there is no token called {name!r}")
        raise typer.Exit(FOUND_FAULT)


def _token_file(file: Path) -> Path:
    """As the configuration names it, whatever else may be wrong there: a first token is made before it can be right."""
    from tablectl.config import load_parts

    display = load_parts(file).display if file.is_file() else None
    if display is None:
        raise UsageError(
            f"{file}: there is no [display] in it that can be read; tablectl check-config says why"
        )
    return display.tokens


def _read(path: Path) -> tuple[Token, ...]:
    from tablectl.config.tokens import read_tokens

    found, faults = read_tokens(path)
    if faults:
        raise ConfigError(faults)
    return found


def _free_name(path: Path, role: str) -> str:
    """`floor-1`, or the next that nobody has."""
    taken = {each.name for each in _read(path)} if path.exists() else set()
    number = 1
    while f"{role}-{number}" in taken:
        number += 1
    return f"{role}-{number}"
