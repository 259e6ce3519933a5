"""How long reader boards take to look at all their antennas once.

Owns: the tables of cycle times, by boards and cards on the table, and by antennas and tags. Refuses: the formulas
(`sim.airtime`) and the poll order (`sim.board`): here a simulated board does what it does at a simulated table.

Two figures where several tags lie in one field: *found* is the look that finds them, in which they answer at once and
collide; *at rest* is every look after it, which begins with sixteen slots. The tags take slots of their own; 6 in 100
pairs share one and cost a round more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tablectl.bench import readme
from tablectl.layout import SHOE, seat_of
from tablectl.sim.antennas import Antenna
from tablectl.sim.board import NEWS_MS, Board
from tablectl.sim.noise import Noise
from tablectl.sim.setup import TableSetup
from tablectl.sim.world import Card, Field, Reach

SEATS = 10
"""With shoe, board, burn and muck fourteen antennas, as in `tracking.md` §1."""
BOARDS = (1, 2, 4)
CARDS = {"empty": 0, "one card a seat": 1, "two cards a seat": 2}
"""Cards at each seat; while there are any, one lies at the shoe's mouth, too."""
ANTENNAS = (2, 4, 8, 14)
TAGS = (0, 1, 2, 3, 5)
ROUNDS = 20
"""At rest, a cycle is the mean of so many."""
RARELY_MS = 10_000
"""A period that no cycle comes near: each antenna is looked at once."""
TABLE = "airtime"
"""The name of the README's markers."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """One board's time to look at each of its antennas once, ms."""

    found: float
    """With the looks that find the cards."""
    rest: float
    """With the cards at rest."""


def cycle(tags: Mapping[str, int], noise: Noise) -> Cycle:
    """A board whose antennas have these zones and so many tags in them, each read in every look."""
    found = _board(tags, noise)
    found.set_plan(dict.fromkeys(found.antennas, RARELY_MS), 0.0)
    for _ in tags:
        found.step()
    rest = _board(tags, noise)
    rest.poll_all(0.0)
    while rest.time < 2 * NEWS_MS + found.time:  # no tag is new any more, and each antenna has its usual turn
        rest.step()
    began = rest.time
    for _ in range(ROUNDS * len(tags)):
        rest.step()
    return Cycle(found.time, (rest.time - began) / ROUNDS)


def _board(tags: Mapping[str, int], noise: Noise) -> Board:
    chance = Random(1)  # noqa: S311 - nothing is left to it here
    antennas = {}
    for number, (zone, count) in enumerate(tags.items()):
        field = Field(zone, [Reach(Card(f"E0040100000000{n:02X}", "As"), 1.0, 0.0) for n in range(count)])
        antennas[number] = Antenna(number, zone, field, noise, chance)
    return Board(0, antennas, noise, chance, lambda _frame: None)


def table(boards: int, cards: int, noise: Noise) -> list[Cycle]:
    """Each board of a table of ten seats with so many cards at every seat."""
    layout = TableSetup(seats=SEATS, boards=boards).layout
    shares: list[dict[str, int]] = [{} for _ in range(boards)]
    for (reader, _), zone in layout.antennas.items():
        shares[reader][zone] = cards if seat_of(zone) else int(zone == SHOE and cards > 0)
    return [cycle(share, noise) for share in shares]


def antennas(count: int, tags: int, noise: Noise) -> Cycle:
    """One board with so many antennas and so many tags at each."""
    return cycle({f"field {n}": tags for n in range(count)}, noise)


def figures(noise: Noise) -> dict[str, list[list[str]]]:
    """Both tables as rows of cells, their heads first."""
    by_boards = [["cards on the table", *(f"{n} {'board' if n == 1 else 'boards'}" for n in BOARDS)]]
    for name, cards in CARDS.items():
        cycles = [table(boards, cards, noise) for boards in BOARDS]
        if cards < 2:
            by_boards.append([name, *(_span([each.rest for each in one]) for one in cycles)])
        else:
            by_boards.append([f"{name}, found", *(_span([each.found for each in one]) for one in cycles)])
            by_boards.append([f"{name}, at rest", *(_span([each.rest for each in one]) for one in cycles)])
    by_antennas = [["tags at each antenna", *(f"{n} antennas" for n in ANTENNAS)]]
    for tags in TAGS:
        cycles_of = [antennas(count, tags, noise) for count in ANTENNAS]
        by_antennas.append([str(tags), *(_pair(each) for each in cycles_of)])
    return {"boards": by_boards, "antennas": by_antennas}


def markdown(noise: Noise) -> str:
    """Both tables, for the README."""
    return "\n\n".join(readme.table(rows[0], rows[1:]) for rows in figures(noise).values())


def fill(path: Path, noise: Noise) -> None:
    """Put the tables into the README. UsageError if it has no place for them."""
    readme.fill(path, TABLE, markdown(noise))


def _span(cycles: list[float]) -> str:
    """The mean over the boards, and the slowest one where they differ."""
    mean, slowest = sum(cycles) / len(cycles), max(cycles)
    return f"{mean:.0f}" if round(slowest) == round(mean) else f"{mean:.0f}, slowest {slowest:.0f}"


def _pair(each: Cycle) -> str:
    return (
        f"{each.rest:.0f}" if round(each.found) == round(each.rest) else f"{each.found:.0f} / {each.rest:.0f}"
    )
