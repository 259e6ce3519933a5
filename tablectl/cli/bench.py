"""The commands that measure: bench accuracy, bench limits, bench airtime, bench soak.

Owns: arguments and what a person reads. Refuses: the work itself.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from tablectl.cli.options import DONE, FOUND_FAULT, Noise, Seed, console

app = typer.Typer(
    help="Measures tablectl against simulated tables.",
    no_args_is_help=True,
    epilog="Example: tablectl bench accuracy --hands 1000",
)


@app.command(
    "accuracy", epilog="Example: tablectl bench accuracy --hands 1000 --noise heavy --plot heavy.png"
)
def bench_accuracy(
    *,
    hands: Annotated[int, typer.Option(metavar="N", help="Clean hands, for false alarms.")],
    noise: Noise = "light",
    readers: Annotated[int, typer.Option(help="Reader boards: 1, 2 or 4.")] = 4,
    seed: Seed = 1,
    seats: Annotated[int, typer.Option(help="6 to 10.")] = 10,
    betting: Annotated[str, typer.Option(help="actions, rounds or none.")] = "actions",
    slips: Annotated[
        int | None,
        typer.Option(metavar="M", help="Hands for each variant of each slip; a fiftieth of N by default."),
    ] = None,
    pace: Annotated[str, typer.Option(help="Cards per second of a deal, such as 4 or 3-5.")] = "3-5",
    baseline_hands: Annotated[
        int, typer.Option(help="The baselines watch so many of the clean hands.")
    ] = 1000,
    without: Annotated[
        str, typer.Option(metavar="EFFECT", help="Take one physical effect away, such as misses or cross.")
    ] = "",
    calibrated: Annotated[
        str, typer.Option(metavar="NOISE", help="Calibrate the antennas as at a table of another noise.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE.png", help="Draw missed against false alarms, and the latencies."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Keep finished evenings here, and go on from there."),
    ] = None,
    failures: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write every wrong outcome, to see it again.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; all cores by default.")] = None,
) -> None:
    """False alarms, missed slips and latencies of tablectl and of plain trackers on the same simulated hands.

    Exit status 0: measured. 130: interrupted; what was measured by then is shown.
    """
    from tablectl.bench.accuracy import Wishes, accuracy
    from tablectl.bench.campaign import Campaign, pace_of

    campaign = Campaign(
        hands=hands, noise=noise, readers=readers, seed=seed, seats=seats, betting=betting, slips=slips,
        pace=pace_of(pace), baseline_hands=baseline_hands, without=without, calibrated=calibrated,
    )  # fmt: skip
    wishes = Wishes(as_json=as_json, plot=plot, resume=resume, failures=failures, jobs=jobs)
    raise typer.Exit(accuracy(campaign, wishes))


@app.command("limits", epilog="Example: tablectl bench limits --hands 200 --noise heavy --slips 5")
def bench_limits(
    *,
    hands: Annotated[int, typer.Option(metavar="N", help="Clean hands of each campaign.")],
    noise: Noise = "heavy",
    readers: Annotated[int, typer.Option(help="Reader boards: 1, 2 or 4.")] = 4,
    seed: Seed = 1,
    slips: Annotated[
        int | None,
        typer.Option(metavar="M", help="Hands for each variant of each slip; a fiftieth of N by default."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep finished evenings here, and go on from there."),
    ] = None,
    readme: Annotated[
        Path | None,
        typer.Option(metavar="FILE.md", help="Fill in its table, between <!-- limits --> markers."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; all cores by default.")] = None,
) -> None:
    """Which physical effect holds tablectl back: the same hands as they are, and without each effect in turn.

    Beside it stands the floor, the moment before which no tracker can have the reads it needs.
    Exit status 0: measured. 130: interrupted; the campaigns that were complete are shown.
    """
    from tablectl.bench.campaign import Campaign
    from tablectl.bench.limits import Outlet, limits

    campaign = Campaign(
        hands=hands, noise=noise, readers=readers, seed=seed, slips=slips, baseline_hands=0
    )  # fmt: skip
    raise typer.Exit(limits(campaign, Outlet(as_json=as_json, folder=folder, readme=readme, jobs=jobs)))


@app.command("airtime", epilog="Example: tablectl bench airtime --guard 5")
def bench_airtime(
    *,
    guard: Annotated[
        float, typer.Option(metavar="MS", min=0, max=100, help="Wait after a field is switched on.")
    ] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="Both tables as one JSON object.")] = False,
    readme: Annotated[
        Path | None,
        typer.Option(metavar="FILE.md", help="Fill in its tables, between <!-- airtime --> markers."),
    ] = None,
) -> None:
    """How long reader boards take to look at all their antennas once, in ms, by the air times of ISO 15693.

    Where several tags lie in one field, the look that finds them stands before the slash, every later one behind it.
    """
    from rich.table import Table

    from tablectl.bench import cycles
    from tablectl.sim.noise import Noise as Physics

    physics = Physics(guard_ms=guard)
    if readme is not None:
        cycles.fill(readme, physics)
    both = cycles.figures(physics)
    if as_json:
        sys.stdout.write(json.dumps(both) + "\n")
        return
    for head, *rows in both.values():
        table = Table(*head)
        for row in rows:
            table.add_row(*row)
        console().print(table)


@app.command("soak", epilog="Example: tablectl bench soak --hours 24 --seed 7")
def bench_soak(
    *,
    hours: Annotated[
        float, typer.Option(metavar="H", help="Hours at the table, about 70 hands each.")
    ] = 24.0,
    seed: Seed = 1,
    noise: Noise = "light",
    full_disk: Annotated[
        float | None,
        typer.Option(metavar="H", help="So long the disk is full; by default a 24th of the hours."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Write all figures as one JSON object.")
    ] = None,
    spoil: Annotated[
        str,
        typer.Option(metavar="WHAT", help="Prove that it would notice: leak (of memory) or lost (an entry)."),
    ] = "",
) -> None:
    """A long run of one whole table, as fast as this machine can: readers that restart, are pulled out, antennas
    without a cable, a full disk, steps of the wall clock, and a dealer who errs.

    Exit status 0: all was kept. 1: memory grew, something was lost, or alarms were wrong; the report says what.
    Ctrl-C ends it after this hand, with the report.
    """
    from tablectl.bench.soak.command import Soak, soak, write_report
    from tablectl.bench.soak.report import lines

    wish = Soak(hours=hours, seed=seed, noise=noise, full_disk=full_disk, report=report, spoil=spoil)
    found = soak(wish, console(stderr=True).print)
    for line in lines(found):
        console().print(line)
    if report is not None:
        write_report(found, report)
    raise typer.Exit(DONE if found.good else FOUND_FAULT)
