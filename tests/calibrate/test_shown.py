"""What a technician sees of a calibration: the table of figures, and the picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import hypot
from xml.etree.ElementTree import Element, fromstring

import pytest
from by_hand import Calibrated

from tablectl.calibrate.desk import outcome
from tablectl.calibrate.estimate import Estimate
from tablectl.calibrate.measured import Laid, Measured
from tablectl.calibrate.picture import RADIUS, drawn
from tablectl.calibrate.results import Result, Results, results_of
from tablectl.cli.calibrate import show
from tablectl.layout import Layout
from tablectl.sim.noise import preset
from tablectl.sim.stage import Stage

SOME = Estimate(0.12, 0.08, 0.16)


def wide_table(seats: int, *middle: str) -> tuple[Results, Layout]:
    """A table whose every antenna reads every neighbour's cards."""
    zones = [*(f"seat:{seat}{half}" for seat in range(1, seats + 1) for half in ("/down", "/up")), *middle]
    layout = Layout(seats, {(1, number): zone for number, zone in enumerate(zones)})
    made = [
        Result(
            antenna, zone, 8, 200, 180, read=Estimate(0.92, 0.85, 0.99), two=SOME, both=0.5,
            strength=Estimate(-47, -50, -44), ghosts=0.001,
            beside={other: SOME for other in zones if other != zone and layout.near(other, zone)},
        )
        for antenna, zone in layout.antennas.items()
    ]  # fmt: skip
    return Results(tuple(made), Estimate(5, 2, 10), 3.0), layout


def test_no_figure_is_cut_on_a_terminal_of_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The longest names, and more neighbours than fit: only those are wrapped, all else stands whole in its row."""
    monkeypatch.setenv("COLUMNS", "80")
    results, _ = wide_table(10, "shoe", "board", "burn", "muck")
    show(results, None)
    lines = capsys.readouterr().out.splitlines()
    assert not [line for line in lines if len(line.rstrip()) > 80 or "…" in line]
    for each in results.antennas:
        (row,) = [line for line in lines if line.startswith(f"1.{each.antenna[1]} ")]
        assert row.split()[1:8] == [each.zone, "92%", "±7", "12%", "50%", "-47", "±3"]
    assert sum(line.count("seat:9/down 12%") for line in lines) == sum(
        "seat:9/down" in each.beside for each in results.antennas
    )


def test_an_antenna_that_reads_nothing_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    """No "4% ±8": not one read is no figure; not in the table, not in the picture."""

    def dead(stage: Stage) -> None:
        stage.boards[0].antennas[1].gain = 0.0

    done = Calibrated(preset("clean"), 3, seats=2, spoil=dead)
    results = results_of(done.course.table, done.layout)
    show(results, None)
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("0.1 ")]
    assert (row.split()[2], "±" in row, "%" in row.replace("0.0%", "")) == ("nothing", False, False)
    assert drawn(results, done.layout, "T").render().count(">nothing<") == 1


@pytest.mark.parametrize(
    ("reads", "words", "mood"),
    [
        (0, "reads nothing, 480 looks", "bad"),
        (6, "read in 48 of 480", "bad"),
        (60, "read in 480 of 480", "good"),
    ],
)
def test_only_an_antenna_that_reads_gets_a_tick(reads: int, words: str, mood: str) -> None:
    """Enough layings are not enough: in none, in a tenth, in all of its looks; and one that was skipped."""
    text, said = outcome(Measured("seat:4", one=[Laid(60, reads) for _ in range(8)]))
    assert (words in text, "8 layings" in text or not reads, said) == (True, True, mood)
    assert outcome(Measured("seat:4")) == ("seat 4: skipped", "bad")


Point = tuple[float, float]


def shapes(picture: str) -> tuple[list[Point], list[list[Point]], list[Element]]:
    """Middles of the circles, points along each arrow, and the texts of figures on arrows."""
    every = list(fromstring(picture).iter())
    circles = [
        (float(each.get("cx", "")), float(each.get("cy", "")))
        for each in every
        if each.tag.endswith("circle")
    ]
    arrows = [list(_along(each.get("d", ""))) for each in every if " Q " in each.get("d", "")]
    texts = [each for each in every if each.tag.endswith("text") and re.fullmatch(r"\d+%", each.text or "")]
    return circles, arrows, texts


def _along(path: str) -> Iterator[Point]:
    ax, ay, bx, by, cx, cy = map(float, re.findall(r"-?[\d.]+", path))
    for step in range(51):
        t = step / 50
        p, q, r = (1 - t) ** 2, 2 * t * (1 - t), t * t
        yield p * ax + q * bx + r * cx, p * ay + q * by + r * cy


@pytest.mark.parametrize("middle", [("shoe", "board", "burn", "muck"), ("board", "burn", "muck")])
@pytest.mark.parametrize("seats", [6, 9, 10])
def test_no_arrow_and_no_figure_lies_on_an_antenna(seats: int, middle: tuple[str, ...]) -> None:
    """Where every antenna reads every neighbour: board to muck goes around the burn pile, figures stand beside."""
    layout = Layout(
        seats, {(0, n): zone for n, zone in enumerate([*(f"seat:{n}" for n in range(1, seats + 1)), *middle])}
    )
    every = tuple(
        Result(
            antenna, zone, 8, 200, 180, read=SOME,
            beside={other: SOME for other in layout.zones if other != zone and layout.near(other, zone)},
        )
        for antenna, zone in layout.antennas.items()
    )  # fmt: skip
    circles, arrows, texts = shapes(drawn(Results(every, None, None), layout, "T").render())
    assert len(arrows) == len(texts) == sum(len(each.beside) for each in every)
    crossed = [
        (x, y)
        for arrow in arrows
        for x, y in arrow
        for cx, cy in circles
        if hypot(x - cx, y - cy) < RADIUS - 1
    ]
    assert crossed == []
    spots = [(float(each.get("x", "")), float(each.get("y", "")) - 4) for each in texts]
    assert not [
        spot
        for spot in spots
        for circle in circles
        if hypot(spot[0] - circle[0], spot[1] - circle[1]) < RADIUS + 8
    ]
    hidden = [
        (a, b) for a, b in product(spots, spots) if a < b and abs(a[0] - b[0]) < 20 and abs(a[1] - b[1]) < 12
    ]
    assert hidden == []


def test_the_picture_is_turned_as_the_drawing_of_the_antennas() -> None:
    """The burn pile left of the board, the muck right, seat 1 left of the dealer who sits below."""
    results, layout = wide_table(9, "shoe", "board", "burn", "muck")
    picture = drawn(results, layout, "T").render()
    at = {
        each.text: (float(each.get("x", "")), float(each.get("y", "")))
        for each in fromstring(picture).iter()
        if each.tag.endswith("text")
    }
    assert at["burn"][0] < at["board"][0] < at["muck"][0]
    assert at["seat:1/down"][0] < at["dealer"][0] < at["seat:9/down"][0]
    assert at["dealer"][1] > at["seat:1/down"][1] > at["seat:5/down"][1]
