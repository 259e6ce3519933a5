"""`tablectl bench accuracy`: a campaign from its first hand to its table.

Owns: the order of things, the progress bar, what happens at Ctrl-C. Refuses: playing and judging (`evening`), figures
(`tally`), and how they look (`report`, `plot`).
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from tablectl.bench import crew, plot, report
from tablectl.bench.baselines import NAMED
from tablectl.bench.campaign import Campaign, Chunk
from tablectl.bench.evening import OURS
from tablectl.bench.ledger import Ledger
from tablectl.bench.tally import Tally
from tablectl.errors import UsageError

DONE, INTERRUPTED = 0, 130


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What becomes of the figures, and how they are come by."""

    as_json: bool = False
    plot: Path | None = None
    resume: Path | None = None
    failures: Path | None = None
    jobs: int | None = None

    def check(self) -> None:
        """UsageError before an hour's work is lost on a file that cannot be written."""
        if self.jobs is not None and not 1 <= self.jobs <= 1024:
            raise UsageError(f"--jobs {self.jobs}: must be 1 to 1024 processes")
        for name, path in (("--plot", self.plot), ("--failures", self.failures)):
            if path is not None and not path.absolute().parent.is_dir():
                raise UsageError(f"{name} {path}: there is no folder {path.absolute().parent}")
        if self.plot is not None:
            if self.plot.suffix.lower() != ".png":
                raise UsageError(f"--plot {self.plot}: must be the name of a PNG file, such as accuracy.png")
            plot.available()


def accuracy(campaign: Campaign, wishes: Wishes) -> int:
    """Measure and show; the exit status is 130 if Ctrl-C broke it off, what was measured is shown all the same."""
    wishes.check()
    tally = Tally(campaign)
    status = DONE
    try:
        measure(tally, wishes)
    except KeyboardInterrupt:
        status = INTERRUPTED
        kept = f"; `--resume {wishes.resume}` goes on from here" if wishes.resume else ""
        report.terminal(stderr=True).print(f"interrupted after {tally.hands:,} hands{kept}")
    _deliver(tally, wishes)
    return status


def measure(tally: Tally, wishes: Wishes) -> None:
    """Play what is not in the ledger yet; the tally grows as results come."""
    campaign = tally.campaign
    with contextlib.ExitStack() as open_things:
        ledger = open_things.enter_context(Ledger(wishes.resume, campaign)) if wishes.resume else None
        for outcome in ledger.outcomes if ledger else ():
            tally.add(outcome)
        known = {Chunk(*outcome["chunk"]) for outcome in ledger.outcomes} if ledger else set()
        todo = [chunk for chunk in campaign.chunks if chunk not in known]
        bar = open_things.enter_context(_bar(campaign, tally.hands))
        results = crew.outcomes(campaign, todo, wishes.jobs or crew.cores())
        open_things.enter_context(contextlib.closing(results))
        for outcome in results:
            tally.add(outcome)  # first, so that what is on disk is always shown, too
            if ledger:
                ledger.add(outcome)
            bar.update(bar.task_ids[0], completed=tally.hands, description=_so_far(tally))


def _so_far(tally: Tally) -> str:
    ours = tally.trackers[OURS]
    slips = ours.together(list(ours.kinds))
    return f"{ours.false} false in {ours.hands:,} clean hands, {slips.missed} of {slips.of} slips missed"


class _HandsPerSecond(ProgressColumn):
    """Hands a second since this run began."""

    def __init__(self, before: int) -> None:
        super().__init__()
        self._before, self._began = before, time.monotonic()

    def render(self, task: Task) -> Text:
        spent = time.monotonic() - self._began
        return Text(f"{(task.completed - self._before) / spent:.1f} hands/s" if spent > 1 else "")


@contextlib.contextmanager
def _bar(campaign: Campaign, done: int) -> Iterator[Progress]:
    """Hands done, hands a second, time left: on standard error, and only if that is a terminal."""
    console = report.terminal(stderr=True)
    columns = (
        BarColumn(), TextColumn("{task.completed:,.0f} of {task.total:,.0f} hands"), _HandsPerSecond(done),
        TimeRemainingColumn(), TextColumn("{task.description}"),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        bar.add_task("the cards are shuffled", total=campaign.total_hands, completed=done)
        yield bar


def _deliver(tally: Tally, wishes: Wishes) -> None:
    figures = tally.as_json()
    if wishes.failures:
        lines = (json.dumps(each, separators=(",", ":")) + "\n" for each in tally.failures())
        wishes.failures.write_text("".join(lines), encoding="utf-8")
    if wishes.as_json:
        sys.stdout.write(json.dumps(figures) + "\n")
    elif tally.chunks:
        report.terminal().print(report.shown(figures, (OURS, *NAMED)))
    if wishes.plot and tally.chunks:
        plot.draw(tally, wishes.plot)
