"""The command that measures antennas: calibrate.

Owns: arguments, and what a person reads at the beginning and the end. Refuses: measuring (`tablectl.calibrate`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from textwrap import wrap
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


@app.command("calibrate", epilog="Example: tablectl calibrate t12.toml --write t12.toml --plot t12.svg")
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
        typer.Option(metavar="OUT.svg", help="A picture of the table with the figures, for any browser."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The figures as JSON on standard output.")] = False,
    anew: Annotated[
        bool,
        typer.Option("--anew", help="Forget what a calibration that was broken off kept of these antennas."),
    ] = False,
    tell: Annotated[
        Path | None, typer.Option(hidden=True, help="Gets every instruction, for a machine's hand.")
    ] = None,
) -> None:
    """Measure how well each antenna reads: with an empty table, one card, and two cards on each other.

    The screen says what to lay where; it sees by itself when a card lies there, when it has looked enough, and when it
    is lifted. A card is laid down anew a few times, because layings differ more than looks. The neighbour's reads are
    counted meanwhile. About half a minute an antenna. No table may be running (sudo systemctl stop tablectl).
    Use the house's own cards.

    Enter skips an antenna; Ctrl-C stops, and the same command goes on later from FILE.calibrating. Once it is over
    nothing is kept but what --write has written: after a repair the same command measures anew. An antenna that was
    not measured is not written.

    Exit status 0: every antenna is fit. 1: one is unfit, or was not measured. 2: bad usage. 130: stopped.
    """
    from tablectl.calibrate.kept import forget, keep, place_of, read_kept
    from tablectl.calibrate.results import results_of, strange_tags
    from tablectl.config import load

    config = load(file)
    layout = config.layout()
    wanted = _wanted(layout, antenna or [])
    _must_take(write, plot, wanted)
    place = place_of(file)
    kept = read_kept(place, layout)
    if anew and kept:
        forget(place, kept, wanted)
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
        show(results, strange)
    if write is not None:
        _write(write, results)
    forget(place, course.table, wanted)
    if plot is not None:
        from tablectl.calibrate.picture import draw

        draw(plot, results, layout, _title(config.table.id, results))
    if strange or any(each.unfit or each.read is None for each in results.antennas):
        raise typer.Exit(FOUND_FAULT)


def _title(table: str, results: Results) -> str:
    from tablectl.doctor.line import counted

    day = f"{datetime.now().astimezone():%Y-%m-%d %H:%M}"
    return f"{table}: {counted(len(results.antennas), 'antenna')}, measured {day}"


def _must_take(write: Path | None, plot: Path | None, wanted: Sequence[Antenna]) -> None:
    """What is wrong with the places for the results is told before half an hour of measuring."""
    if write is not None:
        from tablectl.calibrate.written import must_take

        must_take(write, wanted)
    if plot is not None:
        from tablectl.calibrate import picture

        picture.must_take(plot)


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


COLUMNS = ("antenna", "read", "two", "both", "signal", "empty")
"""Columns of figures; after them come the neighbours' cards, which alone are wrapped."""
MEANING = (
    "read: how often a card at rest is read; two: each of two cards on each other; both: both at once; "
    "signal: its strength; empty: how often something is read where nothing lies"
)
LEAST_ROOM = 22
"""One neighbour with its figure, characters."""


def show(results: Results, strange: str | None) -> None:
    """What was measured, for a person."""
    out = console()
    rows = [_row(each) for each in results.antennas]
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    room = max(LEAST_ROOM, out.width - sum(widths) - 2 * len(widths))
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name, width in zip(COLUMNS, widths, strict=True):
        grid.add_column(name, justify="left" if name == "antenna" else "right", min_width=width, no_wrap=True)
    grid.add_column("neighbours' cards", min_width=room, no_wrap=True)
    for each, row in zip(results.antennas, rows, strict=True):
        style = "" if each.read is not None and not each.unfit else "red" if each.unfit else "dim"
        grid.add_row(*row, _beside(each, room), style=style)
    out.print(grid)
    for line in wrap(MEANING, out.width):
        out.print(Text(line, style="dim"))
    if results.kappa is not None:
        for line in wrap(_of_layings(results, results.kappa), out.width):
            out.print(line)
    for each in results.antennas:
        for unfit in each.unfit:
            out.print(Text.assemble(("✗ ", "bold red"), (f"{each.zone} ", "bold"), unfit.what))
            out.print(Text.assemble(("  → ", "dim"), unfit.help))
        if each.read is None:
            out.print(Text.assemble(("! ", "bold yellow"), (f"{each.zone} ", "bold"), "was not measured"))
    if strange is not None:
        out.print(Text.assemble(("✗ ", "bold red"), strange))


def _row(each: Result) -> tuple[str, ...]:
    return (
        f"{each.antenna[0]}.{each.antenna[1]} {each.zone}",
        "-" if each.read is None else each.read_in_words,
        "-" if each.two is None else f"{each.two.mean:.0%}",
        "-" if each.both is None else f"{each.both:.0%}",
        "-" if each.strength is None else f"{each.strength.mean:.0f} ±{each.strength.half:.0f}",
        "-" if each.ghosts is None else f"{each.ghosts:.1%}",
    )


def _beside(each: Result, room: int) -> str:
    """The neighbours, as many in a line as fit; a zone is never parted from its figure."""
    from tablectl.calibrate.results import CROSS_MOST

    # Of one that reads nothing at all only what stands out: the rest is what would be expected of any antenna.
    shown = {
        zone: rate.mean
        for zone, rate in each.beside.items()
        if each.reads or rate.low > CROSS_MOST / 2 or rate.mean > CROSS_MOST
    }
    joined = ", ".join(f"{zone}\N{NO-BREAK SPACE}{rate:.0%}" for zone, rate in shown.items())
    return "\n".join(wrap(joined, room)).replace("\N{NO-BREAK SPACE}", " ")


def _of_layings(results: Results, kappa: Estimate) -> str:
    text = (
        f"how alike a card is read however it is laid down (spread): {kappa.mean:.1f}, between {kappa.low:.1f} and "
        f"{kappa.high:.1f}; 2 to 10 are usual, and the less, the more it matters how it lies"
    )
    if results.scatter is not None:
        text += f"; its signal differs by {results.scatter:.1f} dB from laying to laying"
    return text


def _write(path: Path, results: Results) -> None:
    from tablectl.calibrate.written import write
    from tablectl.doctor.line import counted

    found = {each.antenna: results.calibration(each) for each in results.antennas}
    figures = {antenna: figure for antenna, figure in found.items() if figure is not None}
    if not figures:
        complain(f"{path}: no antenna read a card, so nothing is written")
        return
    copy = write(path, figures)
    left = len(results.antennas) - len(figures)
    rest = f"; {counted(left, 'antenna')} without figures as before" if left else ""
    complain(f"{path}: figures of {counted(len(figures), 'antenna')}{rest}; the file before is {copy}")


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
