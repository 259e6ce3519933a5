"""The command of the dealer's screen: kiosk.

Owns: waiting for the table, and which browser is started how. Refuses: the page, and the table itself; it may run
as a user who can read nothing of either.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from tablectl.cli.options import complain
from tablectl.errors import TablectlError

app = typer.Typer()

BROWSERS: Final = ("chromium", "chromium-browser")
"""Debian and Raspberry Pi OS from trixie on; Raspberry Pi OS bookworm."""
FLAGS: Final = (
    "--kiosk", "--no-first-run", "--overscroll-history-navigation=0", "--noerrdialogs",
    "--hide-crash-restore-bubble", "--password-store=basic", "--disable-sync", "--disable-background-networking",
    "--disable-component-update",
)  # fmt: skip
"""Nothing but the page: no bars, no dialogs, no swipe back, no business of the browser's own."""
RETRY_S: Final = 0.5
"""How often the table is asked whether it is there, s."""
ANSWER_S: Final = 3.0
"""How long one answer may take, s."""


@app.command("kiosk", epilog="Example: tablectl kiosk http://127.0.0.1:8080/")
def kiosk(
    url: Annotated[str, typer.Argument(metavar="URL", envvar="TABLECTL_URL")] = "http://127.0.0.1:8080/",
) -> None:
    """Wait until the table at that address serves its display, then show it on this screen and nothing else.

    Becomes the compositor cage with a Chromium in it, both Debian's (apt-get install --no-install-recommends cage
    chromium xwayland). Without a Wayland screen of its own, as in a desktop, it becomes the Chromium alone.
    """
    if not url.startswith(("http://", "https://")):
        raise TablectlError(f"{url}: an address of a display must be given, such as http://127.0.0.1:8080/")
    command = _command(url)
    _wait_for(url)
    _become(command)


def _command(url: str) -> list[str]:
    """What shows the page, as this machine can. Raises TablectlError with what is missing."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise TablectlError(
            f"no {' and no '.join(BROWSERS)} is installed (apt-get install --no-install-recommends chromium)"
        )
    folder = os.environ.get("RUNTIME_DIRECTORY")
    profile = [f"--user-data-dir={Path(folder) / 'profile'}"] if folder else []
    if any(os.environ.get(name) for name in ("WAYLAND_DISPLAY", "DISPLAY")):
        return [browser, *FLAGS, *profile, url]
    cage = shutil.which("cage")
    if cage is None:
        raise TablectlError(
            "no cage is installed, which shows one program on a screen (apt-get install --no-install-recommends cage)"
        )
    if shutil.which("Xwayland") is None:
        # Debian bookworm's cage 0.1.4 ends at once without it (cage issue 293), later ones go on.
        complain(
            "no Xwayland is installed; if cage ends for that: apt-get install --no-install-recommends xwayland"
        )
    # -d: no title bars; -s: a technician with a keyboard may change the console.
    return [cage, "-d", "-s", "--", browser, *FLAGS, *profile, "--ozone-platform=wayland", url]


def _wait_for(url: str) -> None:
    """Returns once the table answers. A table whose core has stopped (503) has a page that says so."""
    from urllib.error import HTTPError
    from urllib.request import urlopen

    told = False
    while True:
        try:
            urlopen(f"{url.rstrip('/')}/healthz", timeout=ANSWER_S).close()  # noqa: S310 - http and https alone
        except HTTPError:
            return
        except OSError as error:
            if not told:
                complain(f"{url}: waiting for the table ({getattr(error, 'reason', error)})")
                told = True
            time.sleep(RETRY_S)
        else:
            return


def _become(command: list[str]) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(command[0], command)  # noqa: S606 - a program of this machine, by its whole path
