"""The figures as tables on a terminal.

Owns: what a person reads after a campaign. Refuses: computing any of it (`tally`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tablectl.bench.judge import GROUPS
from tablectl.bench.tally import TIMED

Figures = Mapping[str, Any]
NOTHING = "–"
FLOOR = (
    "from the card's rest to its first read there (soft), and until it was read twice (confirmed); before that, the "
    "card proves nothing to any tracker."
)
"""What the rows of the floor are."""
WIDTH = 132
"""Columns of the tables where the terminal has fewer or there is none."""


def number(value: float) -> str:
    """A figure with as many places as it deserves, thousands set apart."""
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 10:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2f}" if value else "0"


def span(low: float, high: float) -> str:
    """An interval in brackets."""
    return f"({number(low)}–{number(high)})"


def false_alarms(tracker: Figures) -> str:
    """Per 10,000 clean hands, with the interval."""
    if not tracker["clean_hands"]:
        return NOTHING
    return f"{number(tracker['false_per_10000'])} {span(*tracker['interval_per_10000'])}"


def missed(slips: Figures | None) -> str:
    """The share missed, in percent, with the interval."""
    if slips is None or not slips["of"]:
        return NOTHING
    return f"{number(slips['missed_percent'])} % {span(*slips['interval_percent'])}"


def counts(slips: Figures | None) -> str:
    """So many missed of so many."""
    return f"{slips['missed']:,} of {slips['of']:,}" if slips and slips["of"] else ""


def found(slips: Figures | None, *, counted: bool = True) -> str:
    """The share found, in percent, with the interval and, if `counted`, the counts."""
    if slips is None or not slips["of"]:
        return NOTHING
    low, high = (100 - bound for bound in reversed(slips["interval_percent"]))
    hits = slips["of"] - slips["missed"]
    share = f"{_percent(100 * hits / slips['of'])} % ({_percent(low)}–{_percent(high)})"
    return f"{share}: {hits:,} of {slips['of']:,}" if counted else share


def _percent(value: float) -> str:
    """Two places where it matters, near 100."""
    return "100" if value == 100 else f"{value:.2f}" if value >= 99 else f"{value:.1f}"


def unreadable(reads: Figures | None) -> str:
    """The share of cards that were not read twice, with the interval and the counts."""
    if reads is None or not reads["of"]:
        return NOTHING
    share = f"{number(reads['unreadable_percent'])} % {span(*reads['interval_percent'])}"
    return f"{share}: {reads['unreadable']:,} of {reads['of']:,}"


def floor(figures: Figures, timed: str, which: str) -> Mapping[str, float | None] | None:
    """The spread of the `first` or `second` read of such cards, ms."""
    reads = figures["latency"].get(timed)
    return reads["floor_ms"][which] if reads else None


def times(spread: Mapping[str, float | None] | None) -> str:
    """p50 / p90 / p99, ms."""
    if spread is None or spread["p50"] is None:
        return NOTHING
    return " / ".join(f"{value:.0f}" for value in spread.values() if value is not None)


def shown(figures: Figures, chosen: Sequence[str]) -> RenderableType:
    """All tables: the trackers beside one another, then every kind. `chosen`: the trackers to show."""
    trackers = {name: figures["trackers"][name] for name in chosen if name in figures["trackers"]}
    parts: list[RenderableType] = [Text(heading(figures), style="bold")]
    floors = figures["floor"]
    for table in (
        _false(trackers),
        _groups(trackers, floors),
        _latencies(trackers, floors),
        _kinds(trackers),
    ):
        parts += ["", table]
    for name, tracker in list(trackers.items())[:1]:
        parts += ["", _variants(name, tracker)]
    return Group(*parts, "", *map(Text, notes(figures)))


def heading(figures: Figures) -> str:
    """The campaign in one line."""
    campaign = figures["campaign"]
    boards = f"{campaign['readers']} reader board{'s' if campaign['readers'] > 1 else ''}"
    pace = "–".join(f"{value:g}" for value in campaign["pace"])
    less = f" without {campaign['without']}" if campaign["without"] else ""
    less += f", calibrated for {campaign['calibrated']}" if campaign["calibrated"] else ""
    return (
        f"{campaign['noise']} noise{less}, {boards}, {campaign['seats']} seats, betting {campaign['betting']}, "
        f"{pace} cards/s, seed {campaign['seed']}: {figures['hands']:,} hands"
    )


def notes(figures: Figures) -> Iterator[str]:
    """What must be known beside the figures."""
    name, ours = next(iter(figures["trackers"].items()), ("", None))
    if not figures["complete"]:
        yield "Not complete: only the evenings that were finished."
    if ours is None:
        return
    left_out = sum(kind["left_out"] for kind in ours["kinds"].values())
    yield "In brackets: exact 95 % intervals. Latencies: from the card's coming to rest, p50 / p90 / p99 in ms."
    yield f"Left out: {left_out} wrong-seat and extra cards that were not readable for 0.4 s."
    yield (
        f"Confirmed about a card that the dealer then put right: {ours['corrected']}. Confirmed beside the slip in "
        f"evenings with slips: {ours['beside_slips']}."
    )
    yield f"Floor: {FLOOR}"
    kinds = figures["floor"]["kinds"].values()
    sooner, hardly, anyhow, of = (
        sum(kind[what] for kind in kinds) for what in ("sooner", "unreadable", "unreadable_found", "of")
    )
    yield (
        f"By what else was read, {name} confirmed {sooner} of {of - hardly} slips sooner than that, and {anyhow} of "
        f"the {hardly} whose card was not read twice."
    )


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for place, name in enumerate(columns):
        table.add_column(name, justify="right" if place else "left", no_wrap=True)
    return table


def _false(trackers: Mapping[str, Figures]) -> Table:
    table = _table("false alarms", "clean hands", "alarms", "per 10,000 hands", "hands with one", "soft ones")
    for name, each in trackers.items():
        hands, alarms = each["clean_hands"], each["false"]
        table.add_row(
            name, f"{hands:,}", f"{alarms:,}", false_alarms(each), f"{each['false_hands']:,}", f"{each['soft']:,}"
        )  # fmt: skip
    return table


def _groups(trackers: Mapping[str, Figures], floors: Figures) -> Table:
    table = _table("missed", *(column for group in GROUPS for column in (group, "")))
    for name, each in trackers.items():
        rows = [each["groups"].get(group) for group in GROUPS]
        table.add_row(name, *(text for row in rows for text in (missed(row), counts(row))))
    least = [unreadable(floors["groups"].get(group)).partition(": ") for group in GROUPS]
    table.add_row(
        "not read twice", *(text for share, _, counted in least for text in (share, counted)), style="dim"
    )
    return table


def _latencies(trackers: Mapping[str, Figures], floors: Figures) -> Table:
    table = _table("latency", *(f"{name}: {what}" for name in TIMED for what in ("confirmed", "soft")))
    for name, each in trackers.items():
        rows = [each["latency"].get(timed, {}) for timed in TIMED]
        cells = [times(row.get(key)) for row in rows for key in ("confirmed_ms", "soft_ms")]
        table.add_row(name, *cells)
    cells = [times(floor(floors, timed, which)) for timed in TIMED for which in ("second", "first")]
    table.add_row("floor", *cells, style="dim")
    return table


def _kinds(trackers: Mapping[str, Figures]) -> Table:
    table = _table("missed by kind", *trackers)
    for kind in sorted({kind for each in trackers.values() for kind in each["kinds"]}):
        rows = [each["kinds"].get(kind) for each in trackers.values()]
        table.add_row(kind, *map(missed, rows))
        table.add_row("", *map(counts, rows), style="dim")
    return table


def _variants(name: str, tracker: Figures) -> Table:
    table = _table(name, "missed", "other name", "soft only", "confirmed ms", "soft ms")
    for label, row in tracker["variants"].items():
        table.add_row(
            label, counts(row), str(row["misnamed"] or ""), str(row["soft_only"] or ""),
            times(row["confirmed_ms"]), times(row["soft_ms"]),
        )  # fmt: skip
    return table


def terminal(*, stderr: bool = False) -> Console:
    """A console that takes no text for markup and never cuts a table."""
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)
    if not console.is_terminal or console.width < WIDTH:
        console.width = WIDTH
    return console
