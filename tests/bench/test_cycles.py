"""Poll cycles: the figures of the tracking page, from one place, and the tables that quote them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import tablectl
from tablectl.bench import cycles, readme
from tablectl.sim import airtime
from tablectl.sim.antennas import Antenna
from tablectl.sim.board import Board, Frame
from tablectl.sim.noise import Noise
from tablectl.sim.world import Card, Field, Reach

PACKAGE = Path(tablectl.__file__).parent
README = PACKAGE.parent / "README.md"
BOARDS = (1, 2, 4)


@pytest.mark.parametrize(("cards", "boards_ms"), [(0, (52, 26, 13)), (1, (97, 48, 24)), (2, (276, 138, 69))])
def test_cycles_are_those_of_the_tracking_page(cards: int, boards_ms: tuple[int, ...]) -> None:
    """`tracking.md` §1: the looks that find the cards, as a mean over the boards that share the fourteen antennas."""
    for boards, ms in zip(BOARDS, boards_ms, strict=True):
        found = [each.found for each in cycles.table(boards, cards, Noise())]
        assert len(found) == boards
        assert sum(found) / boards == pytest.approx(ms, abs=1.0)


def test_a_guard_of_five_ms_costs_what_the_tracking_page_says() -> None:
    """`tracking.md` §1: 56, 28 and 14 ms more than with one of 1 ms."""
    for boards, ms in zip(BOARDS, (56, 28, 14), strict=True):
        short, long = (
            sum(each.found for each in cycles.table(boards, 1, Noise(guard_ms=guard))) / boards
            for guard in (1.0, 5.0)
        )
        assert long - short == pytest.approx(ms, abs=0.1)


def test_cards_at_rest_cost_less_than_cards_that_are_found() -> None:
    """Only where tags collide: one tag or none takes the same time always."""
    for tags in (0, 1):
        one = cycles.antennas(8, tags, Noise())
        assert one.rest == pytest.approx(one.found, abs=1.0)
    for tags in (2, 3, 5):
        one = cycles.antennas(8, tags, Noise())
        assert one.found - one.rest == pytest.approx(8 * airtime.LOOK_ONE, abs=1.0)


def test_a_simulated_board_takes_every_look_from_the_one_place() -> None:
    """Fields that are read in part, with one to six tags whose slots collide or not: each of a thousand looks takes
    guard time, overhead and what `airtime.look` says for the tags that answered, and not a bit more."""
    chance, noise = Random(5), Noise()
    for tags in range(7):
        cards = [Card(f"E00401{chance.getrandbits(40):010X}", "As") for _ in range(tags)]
        field = Field("seat:1", [Reach(card, 0.7, 0.0) for card in cards])
        looks: list[Frame] = []
        board = Board(0, {0: Antenna(0, "seat:1", field, noise, chance)}, noise, chance, looks.append)
        board.poll_all(0.0)
        spans = []
        for _ in range(150):
            before = board.time
            board.step()
            spans.append((before, board.time))
        several = False
        for frame, (before, end) in zip(looks, spans, strict=False):
            uids = tuple(uid for _, _, uid, _ in frame.seen)
            long, times = airtime.look(uids, several=several)
            several = len(uids) > 1
            start = max(before, frame.begun)
            assert end - start == pytest.approx(noise.guard_ms + long + noise.overhead_ms)
            assert [at - start - noise.guard_ms for _, at, _, _ in frame.seen] == pytest.approx(times)


def test_the_times_of_the_air_are_written_down_once() -> None:
    """No other module has a figure of ISO 15693's timing: not in ms, not in µs."""
    figures = {airtime.BYTE_TO_TAG, airtime.BIT_FROM_TAG, airtime.SLOT_EDGE, airtime.T1, airtime.T2,
               airtime.REQUEST_EDGES}  # fmt: skip
    known = figures | {round(1000 * each, 4) for each in figures}
    for path in PACKAGE.rglob("*.py"):
        if path != Path(airtime.__file__):
            numbers = {
                float(each) for each in re.findall(r"(?<![\w.])\d+\.\d+(?![\w.])", path.read_text("utf-8"))
            }
            assert not numbers & known, path


def test_the_readme_quotes_what_the_command_prints() -> None:
    """Between its markers stand both tables as they are now; `--json` has the same cells."""
    before, after = readme.parts(README, cycles.TABLE)
    quoted = README.read_text("utf-8").removeprefix(before).removesuffix(after)
    begin, end = readme.markers(cycles.TABLE)
    assert quoted == f"{begin}\n{cycles.markdown(Noise())}\n{end}"
    command = [sys.executable, "-m", "tablectl.cli", "bench", "airtime", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout) == cycles.figures(Noise())
