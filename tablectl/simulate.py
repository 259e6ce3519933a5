"""The simulator as a command: what a person may choose, turned into one run of `tablectl.sim`.

Owns: the choices and two dealers to choose from. Refuses: the simulation (`sim`).
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from tablectl.errors import UsageError
from tablectl.sealed import keygen
from tablectl.sim.__main__ import arguments, run_from
from tablectl.sim.habits import Habits
from tablectl.sim.process import Run, operator, serve

BRISK = Habits(
    pace=(3.0, 3.6),
    think=(200.0, 260.0),
    entry=(20.0, 50.0),
    fold_push=(350.0, 420.0),
    fold_entry=(40.0, 120.0),
    round_gap=(250.0, 350.0),
    burn_pause=(250.0, 350.0),
    board_interval=(250.0, 350.0),
    collect_each=(80.0, 110.0),
    pick_up=(300.0, 400.0),
    shuffle=(1100.0, 1300.0),
    show=600.0,
    ruling_pause=1600.0,
)
"""Nobody thinks long and nobody waits, but every card and every hand takes the time that it takes."""


def run_of(link: Path, options: Mapping[str, object], *, brisk: bool) -> Run:
    """The run that these options of `python -m tablectl.sim`, by name, describe; None leaves one out.

    Raises UsageError if there can be none.
    """
    words = [str(link)]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            words.append(f"{flag}={value}")
    parser = arguments()
    parser.error = _refuse  # type: ignore[method-assign]
    run = run_from(parser.parse_args(words))
    if not brisk:
        return run
    if options.get("pace") is not None:
        raise UsageError("--brisk has a pace of its own: leave out one of --brisk and --pace")
    return replace(run, habits=BRISK)


def with_key(run: Run) -> Run:
    """The run with an audit key of its own in its folder: what a blind table senses is kept, sealed, and replays.

    A real table never has the private part; nobody plays at this one. OSError if the folder cannot be written.
    """
    if run.setup.mode != "blind":
        return run
    private, public = run.link_dir / "audit.key", run.link_dir / "audit.pub"
    run.link_dir.mkdir(parents=True, exist_ok=True)
    if not private.exists():
        public.unlink(missing_ok=True)
        secret = keygen()
        secret.write(private)
        secret.public.write(public)
    return replace(run, sections={**run.sections, "journal": {"audit_key": public.name}})


def _refuse(message: str) -> NoReturn:
    raise UsageError(message)


def simulate(run: Run, say: Callable[[str], None]) -> int:
    """Runs to its end: exit status 0, or 1 if entries were not taken."""
    # Until the simulation takes the signal itself: whoever saw `ready` may end it at once, and the ports must
    # go with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    return serve(with_key(run), say, operator())
