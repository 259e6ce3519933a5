"""What stands in the way of the figures: the same campaign as it is, and once without each physical effect.

Owns: which campaigns that are, what happens at Ctrl-C, and the one table that sets them beside each other.
Refuses: measuring (`accuracy`), the floor (`floor`), and what an effect is (`sim.noise`).

What gets better without an effect was held back by it. What stays is the limit of the other effects, or of tablectl;
the floor beside it says which: no tracker can be faster than that.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tablectl.bench import readme, report
from tablectl.bench.accuracy import DONE, INTERRUPTED, Wishes, measure
from tablectl.bench.campaign import Campaign
from tablectl.bench.evening import OURS
from tablectl.bench.judge import GROUPS
from tablectl.bench.ledger import code
from tablectl.bench.report import NOTHING, Figures
from tablectl.bench.tally import TIMED, Tally
from tablectl.sim.noise import EFFECTS, preset, without

WHOLE = "nothing"
"""What is taken away from the campaign as it is."""
TABLE = "limits"
"""The name of the README's markers."""
HEAD = (
    "without", "false alarms", *(f"found: {group}" for group in GROUPS), *(f"{name}: p50 / p99" for name in TIMED),
    "floor: p99",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Outlet:
    """What becomes of the table."""

    as_json: bool = False
    folder: Path | None = None
    """Where finished evenings are kept, so that the next run goes on from them."""
    readme: Path | None = None
    """The file whose table is filled in, if all was measured."""
    jobs: int | None = None


def campaigns(whole: Campaign) -> Iterator[Campaign]:
    """The campaign as it is, then without each effect that its noise has."""
    yield replace(whole, without="")
    noise = preset(whole.noise)
    for effect in EFFECTS:
        if replace(without(noise, effect), name=noise.name) != noise:
            yield replace(whole, without=effect)


def limits(campaign: Campaign, outlet: Outlet) -> int:
    """Measure and show. The exit status is 130 if Ctrl-C broke it off; the campaigns that were complete are shown."""
    Wishes(jobs=outlet.jobs).check()
    if outlet.readme:
        readme.parts(outlet.readme, TABLE)
    planned, done = list(campaigns(campaign)), []
    said, status = report.terminal(stderr=True), DONE
    try:
        for number, each in enumerate(planned, start=1):
            said.print(f"{number} of {len(planned)}: {each.noise} noise without {each.without or WHOLE}")
            tally = Tally(each)
            measure(tally, Wishes(resume=_ledger(each, outlet.folder), jobs=outlet.jobs))
            done.append(tally.as_json())
    except KeyboardInterrupt:
        status = INTERRUPTED
        kept = "; the same command goes on from here" if outlet.folder else ""
        said.print(f"interrupted after {len(done)} of {len(planned)} campaigns{kept}")
    complete = len(done) == len(planned)
    if outlet.as_json:
        sys.stdout.write(json.dumps({"complete": complete, "campaigns": done}) + "\n")
    elif done:
        report.terminal().print(shown(done))
    if outlet.readme and complete:
        readme.fill(outlet.readme, TABLE, markdown(done))
        said.print(f"{outlet.readme}: the table is filled in")
    return status


def _ledger(campaign: Campaign, folder: Path | None) -> Path | None:
    """The file of one campaign's evenings, in a folder of its own for each version of the code."""
    if folder is None:
        return None
    size = f"{campaign.noise}-{campaign.readers}-{campaign.hands}-{campaign.rounds}-{campaign.seed}"
    return folder / f"{code()}-limits-{size}" / f"{campaign.without or WHOLE}.jsonl"


def shown(measured: Sequence[Figures]) -> RenderableType:
    """The table on a terminal, shares without their counts so that it fits."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for place, name in enumerate(HEAD):
        head = name.replace(": ", ":\n").replace(" alarms", "\nalarms").replace(" and extra", "\nand extra")
        table.add_column(head, justify="right" if place else "left", no_wrap=True)
    for figures in measured:
        table.add_row(*_row(figures, counted=False))
    heading = Text(report.heading(measured[0]) + " each", style="bold")
    return Group(heading, "", table, "", *map(Text, _notes()))


def markdown(measured: Sequence[Figures]) -> str:
    """The table as the README quotes it."""
    intro = f"{report.heading(measured[0])} each. {' '.join(_notes())}"
    return "\n\n".join([intro, readme.table(HEAD, [_row(each, counted=True) for each in measured])])


def _notes() -> Iterator[str]:
    yield "False alarms: so many in so many clean hands. In brackets: exact 95 % intervals. Latencies: confirmed, ms."
    yield f"Floor: {' / '.join(TIMED)}, ms from the card's rest until it was read twice."


def _row(figures: Figures, *, counted: bool) -> list[str]:
    ours = figures["trackers"][OURS]
    return [
        figures["campaign"]["without"] or WHOLE,
        f"{ours['false']:,} in {ours['clean_hands']:,}" + (f" {_per_10000(ours)}" if counted else ""),
        *(report.found(ours["groups"].get(group), counted=counted) for group in GROUPS),
        *(_ends(ours["latency"].get(name, {}).get("confirmed_ms")) for name in TIMED),
        " / ".join(_p99(report.floor(figures["floor"], name, "second")) for name in TIMED),
    ]


def _per_10000(tracker: Figures) -> str:
    """Nothing where no clean hand was played."""
    return f"= {report.false_alarms(tracker)} per 10,000" if tracker["clean_hands"] else ""


def _ends(spread: Figures | None) -> str:
    if spread is None or spread["p50"] is None:
        return NOTHING
    return f"{spread['p50']:.0f} / {spread['p99']:.0f}"


def _p99(spread: Figures | None) -> str:
    return NOTHING if spread is None or spread["p99"] is None else f"{spread['p99']:.0f}"
