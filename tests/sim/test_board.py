"""The poll order of a reader board: what it looks at next when air time is short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from tablectl.layout import poll_period
from tablectl.sim.board import Board, Frame
from tablectl.sim.noise import Noise

MakeLab = Callable[..., Any]
"""Makes a `Lab` (see conftest) from a noise."""


def board_of(felt: Any, *zones: str) -> tuple[Board, Counter[str]]:
    """A board that polls these zones with the usual periods, and how often it has looked at each."""
    looks: Counter[str] = Counter()
    names = dict(enumerate(zones))

    def count(frame: Frame) -> None:
        looks.update(names[number] for number in frame.polled)

    board = Board(0, {n: felt.antennas[zone] for n, zone in names.items()}, Noise(), Random(1), count)
    board.set_plan({n: poll_period(zone) for n, zone in names.items()}, 0.0)
    return board, looks


def poll(board: Board, until: float) -> None:
    """Lets the board look around until that time, ms."""
    while board.time < until:
        board.step()


def test_shoe_and_board_are_looked_at_more_often_than_quiet_seats(lab: MakeLab) -> None:
    """A board short of air time keeps the proportions of the plan: the shoe most, the muck least."""
    felt = lab(Noise())
    seats = [f"seat:{n}" for n in range(1, 10)]
    for seat in seats:
        felt.lay(seat, 2)
    board, looks = board_of(felt, "shoe", "board", *seats, "muck")
    poll(board, 20_000.0)
    quiet = [looks[seat] for seat in seats]
    assert max(quiet) - min(quiet) <= 2
    assert looks["shoe"] > looks["board"] > max(quiet) > looks["muck"] > 0


def test_nobody_is_looked_at_more_often_than_the_plan_says(lab: MakeLab) -> None:
    """With air time to spare the periods hold."""
    board, looks = board_of(lab(Noise()), "shoe", "seat:1")
    poll(board, 6000.0)
    assert looks["shoe"] <= 6000 / poll_period("shoe") + 1
    assert looks["seat:1"] <= 6000 / poll_period("seat:1") + 1


def test_an_antenna_that_reads_a_new_tag_is_looked_at_more_often_for_a_while(lab: MakeLab) -> None:
    """News at one seat takes air time from the quiet ones, then all are equal again."""
    felt = lab(Noise())
    seats = [f"seat:{n}" for n in range(1, 7)]
    for seat in seats:
        felt.lay(seat, 2)
    board, looks = board_of(felt, *seats)
    poll(board, 3000.0)
    looks.clear()
    felt.lay("seat:3")
    poll(board, 3350.0)
    assert looks["seat:3"] > 1.5 * max(looks[seat] for seat in seats if seat != "seat:3")
    poll(board, 6000.0)
    looks.clear()
    poll(board, 9000.0)
    assert abs(looks["seat:3"] - looks["seat:1"]) <= 2
