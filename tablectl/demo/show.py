"""The demo on a terminal: where to look, how far it is, and the table of results.

Owns: what a person reads and when the demo ends. Refuses: processes (`demo`) and verdicts (`demo.verdict`).
"""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tablectl.demo import Demo, Stage, browse, perform
from tablectl.demo.verdict import Verdict, results
from tablectl.sim import script

WIDTH = 132
"""Columns of the results where no terminal says how wide it is."""
HEADLESS_SEATS = 6
"""A short table deals faster; what can go wrong is the same."""


def show(given: dict[str, Any], *, headless: bool) -> bool:
    """Performs the demo; True if everything was found and nothing invented.

    Without `headless` it plays at a human pace, and its display stays until Ctrl-C.
    """
    defaults = {"brisk": True, "seats": HEADLESS_SEATS} if headless else {}
    demo = Demo(**{**defaults, **given})
    out = Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False, emoji=False)
    said = Console(stderr=True, highlight=False, emoji=False)
    last: list[Verdict] = []

    def shown(stage: Stage, verdict: Verdict | None) -> None:
        if verdict is None:
            _welcome(said, stage, headless=headless)
            return
        last.append(verdict)
        out.print(results(verdict))
        out.print(f"\n{verdict.summary()}")
        if not headless:
            said.print(f"The display stays at {stage.url} until Ctrl-C.")
            signal.pause()

    total = sum(1 for step in script.parse(demo.hands) if isinstance(step, script.HandPlan))
    with contextlib.ExitStack() as open_things:
        tell = _progress(said, total, open_things)
        if headless:
            return perform(demo, tell, shown).perfect
        with contextlib.suppress(KeyboardInterrupt):
            perform(demo, tell, shown)
    return not last or last[0].perfect


def _welcome(said: Console, stage: Stage, *, headless: bool) -> None:
    if headless:
        return
    opened = browse(stage.url)
    where = "is open in your browser" if opened else "waits for a browser"
    said.print(f"The table's display {where}: [bold]{stage.url}[/bold]")


def _progress(
    said: Console, total: int, open_things: contextlib.ExitStack
) -> Callable[[dict[str, Any]], None]:
    """Where the script is: a bar on a terminal, a line a hand elsewhere."""
    bar = None
    if said.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        bar = open_things.enter_context(Progress(*columns, console=said, transient=True))
        task = bar.add_task("the cards are shuffled", total=total)
    begun = 0

    def tell(event: dict[str, Any]) -> None:
        nonlocal begun
        if event["event"] != "hand_start":
            if bar is not None and event["event"] == "end":
                bar.update(task, completed=total, visible=False)
            return
        begun += 1
        what = event["slip"] or (f"near miss: {event['near_miss']}" if event["near_miss"] else "a clean hand")
        if bar is not None:
            bar.update(task, completed=begun - 1, description=what)
        else:
            said.print(f"hand {begun} of {total}: {what}")

    return tell
