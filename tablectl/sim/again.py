"""The board run more than once: after an all-in the players agree, and what is left of it is dealt two or three times.

Owns: which streets these are, and their cards. Refuses: the first run, which is dealt like any board (`course`), and
when the cards move (`dealer`).

As card rooms publish it: each run is dealt whole, a burn before each street; then its cards are pushed up the board, or
off it, and the next run is dealt.
"""

from __future__ import annotations

from random import Random

from tablectl.errors import UsageError
from tablectl.layout import BURN
from tablectl.sim.course import DECK, SPARE, Course, Pitch
from tablectl.sim.setup import TableSetup

THRICE = 0.3
"""Share of these boards that are run three times [A]."""
PUSHED_OFF = 0.5
"""Share of the runs whose cards are pushed off the board's antenna before the next run [A]."""


def run_again(course: Course, setup: TableSetup, rng: Random) -> None:
    """Adds the further runs to a course whose board is run out. UsageError if the deck has not cards enough."""
    game = course.game
    first = next(name for name in game.street_names if course.runs_out_before(name))
    names = game.street_names[game.street_names.index(first) :]
    cards = sum(1 + game.street(name).cards for name in names)
    left = DECK - SPARE - sum(1 for _ in course.pitches())
    if left < cards:
        raise UsageError(
            f"run_twice: the deck has not cards enough for {len(course.order)} players; seat fewer"
        )
    times = 3 if left >= 2 * cards and rng.random() < THRICE else 2
    course.runs = [_run(course, setup, names) for _ in range(times - 1)]
    course.pushed_off = [rng.random() < PUSHED_OFF for _ in range(times - 1)]


def _run(course: Course, setup: TableSetup, names: tuple[str, ...]) -> dict[str, list[Pitch]]:
    """Street → its burn and its cards."""
    return {
        name: [Pitch(BURN), *(Pitch(setup.board_zone(name)) for _ in range(course.game.street(name).cards))]
        for name in names
    }
