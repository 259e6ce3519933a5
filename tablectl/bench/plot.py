"""The figures as a picture: what is missed against false alarms, and how late slips are told.

Owns: the PNG of `--plot`. Refuses: computing (`tally`, `intervals`). matplotlib is asked for only here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablectl.bench import intervals
from tablectl.bench.baselines import NAMED, POINTS
from tablectl.bench.evening import OURS
from tablectl.bench.judge import GROUPS
from tablectl.bench.report import heading
from tablectl.bench.tally import PER, TIMED, Slips, Tally, Tracker
from tablectl.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS: Mapping[str, str] = {
    OURS: "#0b5394",
    "last read": "#d1495b",
    "k of n": "#e09f3e",
    "SMURF": "#4f8a5b",
}
"""Family → colour; told apart by people who confuse red and green, too: their lightness differs."""
MARKS: Mapping[str, str] = {OURS: "D", "last read": "o", "k of n": "s", "SMURF": "^"}
DASHED = "6 of 9, 1 s"
"""Of the two that share a colour, the one that is drawn otherwise."""
INK, FAINT = "#2b2b2b", "#8a8a8a"
INCHES, DPI = (13.0, 6.2), 150
LATEST_MS = 2000
"""Where the latency curves end."""
LABELLED = {name for name, point in POINTS.items() if point.named}


def available() -> None:
    """UsageError with what to install, unless matplotlib is there."""
    try:
        import matplotlib as _  # noqa: F401 - only to see whether it is there
    except ImportError:
        raise UsageError(
            "--plot needs matplotlib, which is not installed; `pip install 'tablectl[bench]'` brings it"
        ) from None


def draw(tally: Tally, path: Path) -> None:
    """Write the picture. OSError if the file cannot be written."""
    available()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(w_pad=0.15, h_pad=0.1)
    figure = Figure(figsize=INCHES, dpi=DPI, layout=layout, facecolor="white")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(len(TIMED), 2, width_ratios=(1.15, 1))
    trade = figure.add_subplot(grid[:, 0])
    curves = [figure.add_subplot(grid[row, 1]) for row in range(len(TIMED))]
    figure.suptitle(heading(tally.as_json()), x=0.01, ha="left", fontsize=11, color=INK)
    _trade_off(trade, tally.trackers)
    for axes, (name, kinds) in zip(curves, TIMED.items(), strict=True):
        _latency(axes, name, kinds, tally.trackers)
    curves[-1].set_xlabel("ms after the card came to rest", color=INK)
    figure.savefig(path, format="png")


def _family(name: str) -> str:
    return POINTS[name].family if name in POINTS else name


def _clear(axes: Axes, title: str) -> None:
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold", color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(FAINT)
    axes.tick_params(which="both", colors=INK, labelsize=9)
    axes.grid(which="major", color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)


# --- the trade-off ------------------------------------------------------------------------------------------


def _trade_off(axes: Axes, trackers: Mapping[str, Tracker]) -> None:
    _clear(axes, "Missed against false alarms")
    axes.set_xscale("log")
    axes.set_yscale("log")
    places: dict[str, tuple[float, float]] = {}
    for name, tracker in trackers.items():
        slips = tracker.together([kind for kinds in GROUPS.values() for kind in kinds])
        if tracker.hands and slips.of:
            places[name] = _point(axes, name, tracker, slips)
    for family, names in groupby(sorted(places, key=_order), key=_family):
        line = [places[name] for name in names]
        axes.plot(*zip(*line, strict=True), color=COLOURS[family], linewidth=1, alpha=0.45, zorder=2)
    axes.set_xlabel("clean hands with a false alarm, per 10,000", color=INK)
    axes.set_ylabel("missed, % of board, burn, extra and wrong-seat slips", color=INK)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.10g} %")
    axes.set_ylim(top=min(130.0, axes.get_ylim()[1]))
    axes.set_xlim(right=max(13_000.0, axes.get_xlim()[1]))
    _named(axes, [name for name in places if name in LABELLED])
    note = "bars: exact 95 % intervals; arrow: none was seen; hollow: other settings"
    axes.text(0.015, 0.015, note, transform=axes.transAxes, fontsize=8, color=FAINT)


def _named(axes: Axes, names: Sequence[str]) -> None:
    """The legend of the plain trackers, in the corner where no tracker of any use would be."""
    from matplotlib.lines import Line2D

    marks = [
        Line2D(
            [], [], color=COLOURS[_family(name)], marker=_mark(name), linestyle="", markersize=8, label=name
        )
        for name in names
    ]
    if marks:
        legend = axes.legend(
            handles=marks, loc="upper left", fontsize=9, labelcolor=INK, title="plain trackers", framealpha=0.85,
            edgecolor="none", alignment="left",
        )  # fmt: skip
        legend.get_title().set_fontsize(9)


def _mark(name: str) -> str:
    return "p" if name == DASHED else MARKS[_family(name)]


def _order(name: str) -> int:
    return list(POINTS).index(name) if name in POINTS else -1


def _point(axes: Axes, name: str, tracker: Tracker, slips: Slips) -> tuple[float, float]:
    """One tracker with its error bars; where nothing was counted, its upper limit with an arrow towards less."""
    ours = name == OURS
    x, x_bar = _bar(tracker.false_hands, tracker.hands, PER)
    y, y_bar = _bar(slips.missed, slips.of, 100)
    colour = COLOURS[_family(name)]
    loud = ours or name in LABELLED
    axes.errorbar(
        [x], [y], xerr=[[x_bar[0]], [x_bar[1]]], yerr=[[y_bar[0]], [y_bar[1]]],
        xuplims=not tracker.false_hands, uplims=not slips.missed,
        fmt=_mark(name), color=colour, markersize=10 if ours else 8 if loud else 5,
        markerfacecolor=colour if loud else "white", elinewidth=1.2, capsize=2.5, alpha=1 if loud else 0.7,
        zorder=4 if ours else 3,
    )  # fmt: skip
    if ours:
        axes.annotate(
            name, (x, y), xytext=(9, 8), textcoords="offset points", fontsize=11, color=colour, fontweight="bold"
        )  # fmt: skip
    return x, y


def _bar(count: int, of: int, per: float) -> tuple[float, tuple[float, float]]:
    """A share times `per` and how far its interval reaches down and up; for none its limit and an arrow's length."""
    low, high = (per * bound for bound in intervals.share(count, of))
    if not count:
        return high, (high * 0.4, 0.0)
    value = per * count / of
    return value, (value - low, high - value)


# --- latencies ----------------------------------------------------------------------------------------------


def _latency(axes: Axes, name: str, kinds: Sequence[str], trackers: Mapping[str, Tracker]) -> None:
    _clear(axes, f"Told in time: {name}")
    for tracker in (OURS, *NAMED):
        if tracker not in trackers:
            continue
        slips = trackers[tracker].together(kinds)
        colour = COLOURS[_family(tracker)]
        style: dict[str, Any] = {"color": colour, "linewidth": 2.4 if tracker == OURS else 1.4}
        if tracker == DASHED:
            style["linestyle"] = (0, (5, 2))
        if tracker == OURS:
            _curve(
                axes,
                slips.soft,
                slips.of,
                label=f"{OURS}, soft",
                **{**style, "linestyle": ":", "linewidth": 1.8},
            )
        label = f"{OURS}, confirmed" if tracker == OURS else tracker
        _curve(axes, slips.confirmed, slips.of, label=label, **style)
    axes.set_xlim(0, LATEST_MS)
    axes.set_ylim(0, 102)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    axes.set_ylabel("told by then", color=INK)
    if axes.lines:
        axes.legend(loc="lower right", fontsize=8.5, frameon=False, labelcolor=INK)
    else:
        axes.text(0.5, 0.5, "no such slip was played", ha="center", transform=axes.transAxes, color=FAINT)


def _curve(axes: Axes, latencies: Sequence[int], of: int, **style: Any) -> None:
    """The share of all slips that was told by each moment: it ends where the found ones end, not at 100 %."""
    if not of:
        return
    steps = sorted(max(0, each) for each in latencies)
    x = [0, *steps, max(LATEST_MS, *steps) if steps else LATEST_MS]
    y = [0.0, *(100 * rank / of for rank in range(1, len(steps) + 1)), 100 * len(steps) / of]
    axes.step(x, y, where="post", **style)
