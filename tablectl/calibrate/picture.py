"""The table from above with what was measured: how well each antenna reads, and which reads its neighbour's cards.

Owns: the drawing, by matplotlib (extra `bench`). Refuses: figures (`results`).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablectl.calibrate.results import CROSS_MOST, Result, Results
from tablectl.errors import UsageError
from tablectl.layout import Layout, is_up, seat_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Place = tuple[float, float]

LENGTH, WIDTH = 10.0, 5.0
"""Half axes of the oval on which the seats are drawn."""
DEALER = 1.4
"""The dealer, at the bottom, takes the room of so many players."""
RADIUS = 1.02
FIXED: dict[str, Place] = {
    "shoe": (-3.4, -4.3), "board": (0.0, 0.6), "board:flop": (-2.6, 0.6),
    "board:turn": (0.4, 0.6), "board:river": (3.0, 0.6), "burn": (2.6, -2.0),
    "muck": (4.0, -4.3), "aside": (-2.6, -2.0),
}  # fmt: skip
GOOD, UNFIT, UNKNOWN, INK = "#2f7d5b", "#b3402e", "#8a8f98", "#1d2430"


def draw(out: Path, results: Results, layout: Layout, title: str) -> None:
    """Write the picture; antennas that were not measured are dashed.

    UsageError without matplotlib, or if the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("--plot: matplotlib is not installed; it comes with tablectl[bench]") from None
    figure = Figure(figsize=(13, 7.6), facecolor="white")
    axes = figure.add_axes((0.01, 0.01, 0.98, 0.93))
    axes.set_aspect("equal")
    axes.set_xlim(-13, 13)
    axes.set_ylim(-7.2, 6.8)
    axes.axis("off")
    figure.suptitle(title, fontsize=14, color=INK)
    places = {zone: _place(zone, layout.seats) for zone in layout.zones}
    _table(axes)
    for zone in sorted(layout.zones - {result.zone for result in results.antennas}):
        _antenna(axes, Result((0, 0), zone, 0, 0), places[zone])
    for result in results.antennas:
        _lines(axes, result, places)
    for result in results.antennas:
        _antenna(axes, result, places[result.zone])
    _legend(axes)
    try:
        figure.savefig(out, dpi=110)
    except (OSError, ValueError) as error:
        raise UsageError(f"--plot {out}: cannot be written: {error}") from None


def _place(zone: str, seats: int) -> Place:
    seat = seat_of(zone)
    if seat is None:
        return FIXED.get(zone, (0.0, -1.5))
    share = (seat - 0.5 + DEALER / 2) / (seats + DEALER)
    angle = -pi / 2 - 2 * pi * share
    x, y = LENGTH * cos(angle), WIDTH * sin(angle)
    inwards = 1 - 2.1 / hypot(x, y) if is_up(zone) else 1.0
    return x * inwards, y * inwards


def _table(axes: Axes) -> None:
    from matplotlib.patches import Ellipse

    axes.add_patch(
        Ellipse((0, 0), 2 * LENGTH + 4.6, 2 * WIDTH + 3.4, facecolor="#eef2ee", edgecolor="#b9c4bb", lw=2)
    )
    axes.text(0, -5.55, "dealer", ha="center", va="center", color=UNKNOWN, fontsize=10)


def _antenna(axes: Axes, result: Result, place: Place) -> None:
    from matplotlib.patches import Circle

    x, y = place
    known = result.read is not None
    edge = UNKNOWN if not known else UNFIT if result.unfit else GOOD
    axes.add_patch(
        Circle(place, RADIUS, facecolor="white", edgecolor=edge, lw=3, ls="-" if known else "--", zorder=3)
    )
    text: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 4, "color": INK}
    axes.text(x, y + 0.6, result.zone, fontsize=8, **text)
    for row, (words, size) in enumerate(_figures(result)):
        axes.text(x, y + (0.22, -0.2, -0.56)[row], words, fontsize=size, **text)


def _figures(result: Result) -> Iterator[tuple[str, float]]:
    if result.read is None:
        yield "not measured", 7.0
        return
    yield f"{result.read.mean:.0%} ±{100 * result.read.half:.0f}", 10.0
    if result.two is not None:
        yield f"two: {result.two.mean:.0%}", 7.5
    if result.strength is not None:
        yield f"{result.strength.mean:.0f} dB", 7.5


def _lines(axes: Axes, result: Result, places: dict[str, Place]) -> None:
    """From the antenna to each place whose card it reads: the thicker, the more often; red beyond what is usual."""
    x, y = places[result.zone]
    for zone, rate in result.beside.items():
        if zone not in places or rate.mean < 0.02:
            continue
        ox, oy = places[zone]
        length = hypot(ox - x, oy - y) or 1.0
        # Each direction has a line of its own, a little to its right.
        sx, sy = (oy - y) / length * 0.22, -(ox - x) / length * 0.22
        bad = rate.mean > CROSS_MOST
        axes.annotate(
            "", xy=(ox + sx, oy + sy), xytext=(x + sx, y + sy), zorder=2,
            arrowprops={
                "arrowstyle": "<|-", "lw": 0.8 + 14 * min(rate.mean, 0.4), "color": UNFIT if bad else UNKNOWN,
                "shrinkA": 36, "shrinkB": 36,
            },
        )  # fmt: skip
        if bad:
            axes.text(
                x + (ox - x) * 0.5 + 2.2 * sx, y + (oy - y) * 0.5 + 2.2 * sy, f"{rate.mean:.0%}", fontsize=8.5,
                color=UNFIT, ha="center", va="center", zorder=5,
            )  # fmt: skip


def _legend(axes: Axes) -> None:
    text = (
        "In a circle: share of looks that read a card at rest, each of two cards on each other, strength.   "
        "Arrow: a card there is read at the antenna it points to; red from "
        f"{CROSS_MOST:.0%} on.   Red circle: unfit."
    )
    axes.text(0, -6.95, text, ha="center", va="center", fontsize=8.5, color=INK)
