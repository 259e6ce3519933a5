"""The command that measures antennas: calibrate.

Owns: arguments, and what a person reads at the beginning and the end. Refuses: measuring (`tablectl.calibrate`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table as Grid
from rich.text import Text

from tablectl.cli.options import FOUND_FAULT, INTERRUPTED, ConfigFile, complain, console
from tablectl.errors import UsageError

if TYPE_CHECKING:
    from tablectl.calibrate.course import Course
    from tablectl.calibrate.estimate import Estimate
    from tablectl.calibrate.results import Result, Results
    from tablectl.config import Config
    from tablectl.layout import Antenna, Layout

app = typer.Typer()

PATIENCE = 60
"""Looks after which a machine's hand has laid its card, read or not."""


@app.command("calibrate", epilog="Example: tablectl calibrate t12.toml --write t12.toml --plot t12.png")
def calibrate(
    file: ConfigFile,
    *,
    antenna: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ZONE", help="Only this one, such as seat:3, or 0.3 for reader 0; may be given again."
        ),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the figures into this configuration; a copy is kept."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.png", help="A picture of the table with the figures (needs the extra bench)."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The figures as JSON on standard output.")] = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="Forget what an interrupted calibration kept.")
    ] = False,
    tell: Annotated[
        Path | None, typer.Option(hidden=True, help="Gets every instruction, for a machine's hand.")
    ] = None,
) -> None:
    """Measure how well each antenna reads: with an empty table, one card, and two cards on each other.

    The screen says what to lay where; it sees by itself when a card lies there, when it has looked enough, and when it
    is lifted. A card is laid down anew a few times, because layings differ more than looks. The neighbour's reads are
    counted meanwhile. About half a minute an antenna. No table may be running. Use the house's own cards.

    Enter skips an antenna; Ctrl-C stops, and the same command goes on later from FILE.calibrating. An antenna that was
    not measured is not written.

    Exit status 0: every antenna is fit. 1: one is unfit, or was not measured. 2: bad usage. 130: stopped.
    """
    from tablectl.calibrate.kept import keep, place_of, read_kept
    from tablectl.calibrate.results import results_of, strange_tags
    from tablectl.config import load

    config = load(file)
    layout = config.layout()
    wanted = _wanted(layout, antenna or [])
    if write is not None and not write.is_file():
        raise UsageError(f"--write {write}: there is no such configuration")
    place = place_of(file)
    if anew:
        place.unlink(missing_ok=True)
    kept = read_kept(place, layout)
    if kept:
        complain(f"goes on from {place}; --anew begins again")
    course, stopped = _measure(config, wanted, kept, tell, lambda table: keep(place, table), quiet=as_json)
    results = results_of({each: course.table[each] for each in course.table if each in wanted}, layout)
    strange = strange_tags(course.lengths, course.uids, config.decks)
    if stopped:
        complain(f"stopped: {place} keeps what was measured, the same command goes on")
        raise typer.Exit(INTERRUPTED)
    if as_json:
        sys.stdout.write(json.dumps(_as_json(results, strange), indent=1) + "\n")
    else:
        _tell(results, strange)
    if plot is not None:
        from tablectl.calibrate.picture import draw

        draw(plot, results, layout, f"{config.table.id}: {len(results.antennas)} antennas")
    if write is not None:
        _write(write, results)
        place.unlink(missing_ok=True)
    if strange or any(each.unfit or each.read is None for each in results.antennas):
        raise typer.Exit(FOUND_FAULT)


def _wanted(layout: Layout, names: Sequence[str]) -> list[Antenna]:
    """The antennas meant, from the shoe on around the table."""
    from tablectl.app.technician.figures import around

    order = around(layout)
    by_name = {f"{reader}.{number}": (reader, number) for reader, number in order}
    unknown = [name for name in names if name not in by_name and name not in layout.zones]
    if unknown:
        there = ", ".join(dict.fromkeys(layout.antennas[each] for each in order))
        raise UsageError(
            f"--antenna {unknown[0]}: this table has {there}, or by number {', '.join(sorted(by_name))}"
        )
    return [
        each
        for each in order
        if not names or layout.antennas[each] in names or f"{each[0]}.{each[1]}" in names
    ]


def _measure(
    config: Config,
    wanted: Sequence[Antenna],
    kept: Any,
    tell: Path | None,
    keep: Callable[[Any], None],
    *,
    quiet: bool,
) -> tuple[Course, bool]:
    """The course, walked; and whether it was broken off."""
    import asyncio

    from tablectl.calibrate.course import Course
    from tablectl.calibrate.desk import Desk
    from tablectl.cli.desk import TerminalScreen, single_keys

    with ExitStack() as opened:
        hand = opened.enter_context(tell.open("w", buffering=1)) if tell is not None else None

        def say(words: str) -> None:
            if hand is not None:
                hand.write(f"{words}\n")

        course = Course(config.layout(), wanted, kept, tell=say, patience=None if hand is None else PATIENCE)
        if course.over:
            return course, False
        keyboard = opened.enter_context(single_keys())
        screen = opened.enter_context(TerminalScreen(stderr=quiet))
        desk = Desk(config.readers, course, screen, keyboard, lambda: keep(course.table))
        asyncio.run(desk.work())
    return course, desk.stopped


def _tell(results: Results, strange: str | None) -> None:
    out = console()
    grid = Grid(box=None, pad_edge=False, header_style="bold")
    for name in ("antenna", "read", "two", "both", "strength", "empty", "neighbours' cards"):
        grid.add_column(
            name, justify="left" if name in ("antenna", "neighbours' cards") else "right", no_wrap=True
        )
    for each in results.antennas:
        beside = ", ".join(f"{zone} {rate.mean:.0%}" for zone, rate in each.beside.items())
        style = "" if each.read is not None and not each.unfit else "red" if each.unfit else "dim"
        grid.add_row(
            f"{each.antenna[0]}.{each.antenna[1]} {each.zone}", _said(each.read), _said(each.two, around=False),
            "-" if each.both is None else f"{each.both:.0%}",
            "-" if each.strength is None else f"{each.strength.mean:.0f} ±{each.strength.half:.0f}",
            "-" if each.ghosts is None else f"{each.ghosts:.1%}", beside, style=style,
        )  # fmt: skip
    out.print(grid)
    if results.kappa is not None:
        spread = (
            "" if results.scatter is None else f"; strengths of layings scatter by {results.scatter:.1f} dB"
        )
        out.print(
            f"layings: κ {results.kappa.mean:.1f} ({results.kappa.low:.1f} to {results.kappa.high:.1f}){spread}"
        )
    for each in results.antennas:
        for unfit in each.unfit:
            out.print(Text.assemble(("✗ ", "bold red"), (f"{each.zone} ", "bold"), unfit.what))
            out.print(Text.assemble(("  → ", "dim"), unfit.help))
        if each.read is None:
            out.print(Text.assemble(("! ", "bold yellow"), (f"{each.zone} ", "bold"), "was not measured"))
    if strange is not None:
        out.print(Text.assemble(("✗ ", "bold red"), strange))


def _said(estimate: Estimate | None, *, around: bool = True) -> str:
    if estimate is None:
        return "-"
    return f"{estimate.mean:.0%}" + (f" ±{100 * estimate.half:.0f}" if around else "")


def _write(path: Path, results: Results) -> None:
    from tablectl.calibrate.written import write

    found = {each.antenna: results.calibration(each) for each in results.antennas}
    figures = {antenna: figure for antenna, figure in found.items() if figure is not None}
    if not figures:
        raise UsageError(f"{path}: nothing was measured, so nothing is written")
    copy = write(path, figures)
    left = len(results.antennas) - len(figures)
    rest = f"; {left} were not measured and stay as they are" if left else ""
    complain(f"{path}: figures of {len(figures)} antennas{rest}; the file before is {copy}")


def _as_json(results: Results, strange: str | None) -> dict[str, Any]:
    return {
        "kappa": _interval(results.kappa),
        "scatter_db": results.scatter,
        "tags": strange,
        "antennas": [_antenna(results, each) for each in results.antennas],
    }


def _antenna(results: Results, each: Result) -> dict[str, Any]:
    return {
        "reader": each.antenna[0], "antenna": each.antenna[1], "zone": each.zone,
        "layings": each.layings, "looks": each.looks, "read": _interval(each.read), "two": _interval(each.two),
        "both": each.both, "strength": _interval(each.strength), "empty": each.ghosts,
        "beside": {zone: _interval(rate) for zone, rate in each.beside.items()},
        "unfit": [{"what": unfit.what, "help": unfit.help} for unfit in each.unfit],
        "calibration": results.calibration(each),
    }  # fmt: skip


def _interval(estimate: Estimate | None) -> dict[str, float] | None:
    if estimate is None:
        return None
    return {"mean": round(estimate.mean, 4), "low": round(estimate.low, 4), "high": round(estimate.high, 4)}
