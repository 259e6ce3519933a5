"""The floor: reads made by hand, and what is the first moment at which anybody could tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tablectl.bench.campaign import Campaign, Chunk
from tablectl.bench.evening import OURS, play
from tablectl.bench.floor import Floor, Reads
from tablectl.core.sensed import Seen, Sweep
from tablectl.layout import Layout

LAYOUT = Layout(9, {(0, 0): "seat:8", (0, 1): "seat:7", (1, 0): "board"})
WRONG = {
    "event": "irregularity",
    "kind": "wrong_seat",
    "at": 5000,
    "seat": 8,
    "k": 4,
    "uid": "AA",
    "zone": "seat:8",
}
FLOP = {
    "event": "irregularity", "kind": "premature_card", "at": 5000, "street": "flop", "k": 22, "count": 3, "uid": "C0",
    "zone": "board",
}  # fmt: skip
Measure = Callable[..., Reads | None]


def read(t: int, uid: str = "AA", antenna: tuple[int, int] = (0, 0), age: int = 0) -> Sweep:
    """A sweep that arrived at `t` with one read in it, `age` ms old."""
    reader, number = antenna
    return Sweep(t, reader, (number,), (Seen(number, uid, None, age),))


@pytest.fixture
def measure(evening_of: Any) -> Measure:
    """The floor of the first slip among these events, after these sweeps; the truth grows as an evening goes on."""

    def floor(events: list[dict[str, Any]], *sweeps: Sweep) -> Reads | None:
        truth: list[dict[str, Any]] = []
        to_come = evening_of(*events)
        watch = Floor(truth, LAYOUT)
        for sweep in sweeps:
            while to_come and to_come[0]["t"] <= sweep.t:
                truth.append(to_come.pop(0))
            watch.step(sweep)
        truth.extend(to_come)
        return watch.all()[0]

    return floor


def times(reads: Reads | None) -> tuple[int | None, int | None]:
    """First and second read."""
    assert reads is not None
    return reads.first, reads.second


def test_the_first_two_reads_count_from_the_rest(measure: Measure) -> None:
    """They count as the table computer got them: when the frame arrived, not when the tag was read."""
    assert times(measure([WRONG], read(5070, age=40), read(5110, age=30), read(5150))) == (70, 110)


def test_one_read_is_no_proof(measure: Measure) -> None:
    """A card that was read once has no second read; one that was never read has neither."""
    assert times(measure([WRONG], read(5070))) == (70, None)
    assert times(measure([WRONG], read(5070, uid="BB"))) == (None, None)


def test_a_card_that_slides_in_needs_one_read_at_rest(measure: Measure) -> None:
    """A read shortly before the rest spares the second one; a much earlier one does not, nor do two without a third."""
    assert times(measure([WRONG], read(4950), read(5070))) == (70, 70)
    assert times(measure([WRONG], read(4600), read(5070), read(5110))) == (70, 110)
    assert times(measure([WRONG], read(4900), read(4950))) == (None, None)


def test_a_frame_that_comes_after_the_rest_may_tell_of_before(measure: Measure) -> None:
    """What was read before the card lay is no read at rest, however late the frame is."""
    assert times(measure([WRONG], read(5060, age=100), read(5090))) == (90, 90)
    assert times(measure([WRONG], read(5060, age=100))) == (None, None)


def test_other_antennas_do_not_count(measure: Measure) -> None:
    """A neighbour's read says nothing of where the card lies."""
    assert times(measure([WRONG], read(5050, antenna=(0, 1)), read(5060, antenna=(1, 0)), read(5070))) == (
        70,
        None,
    )


@pytest.mark.parametrize(("at", "last"), [(5000, 21_000), (58_000, 60_000)])
def test_reads_count_until_nobody_asks_any_more(measure: Measure, at: int, last: int) -> None:
    """16 s after the rest, or when the next hand begins, it is too late."""
    slip = {**WRONG, "at": at}
    assert times(measure([slip], read(last), read(last + 1))) == (last - at, None)


def test_a_premature_flop_counts_from_its_last_card(measure: Measure) -> None:
    """Reads of the first card are no evidence that three lie."""
    rests = [
        {"event": "rest", "t": 5000 + 300 * n, "k": 22 + n, "zone": "board", "uid": f"C{n}"} for n in range(3)
    ]
    first = [read(t, "C0", (1, 0)) for t in (5040, 5080, 5500)]
    last = [read(t, "C2", (1, 0)) for t in (5640, 5700)]
    assert times(measure([FLOP, *rests], *first, *last)) == (40, 100)
    assert times(measure([FLOP, *rests], *first)) == (None, None)


@pytest.mark.parametrize(
    "slip",
    [
        {"event": "irregularity", "kind": "too_few_board_cards", "at": 5000, "street": "flop"},
        {"event": "irregularity", "kind": "card_lost", "at": 5000, "k": 4, "uid": "AA"},
        {**WRONG, "kind": "joker"},
    ],
)
def test_some_slips_have_no_floor(measure: Measure, slip: dict[str, Any]) -> None:
    """A card that never came, one that fell down, and one that the shoe shows."""
    assert measure([slip], read(5070), read(5110)) is None


def test_an_evening_tells_the_floor_of_its_slips() -> None:
    """Without noise a card is read in the first two looks at its zone; slips without a floor are left out."""
    campaign = Campaign(hands=1, slips=1, noise="clean", seats=6, betting="none", baseline_hands=0)
    played = play(campaign, Chunk("slips", 1))
    slips = [slip[1] for slip in played["trackers"][OURS]["slips"]]
    kinds = [kind for kind, *_ in played["floor"]]
    assert 0 < len(kinds) <= len(slips)
    assert [kind for kind in slips if kind in kinds] == kinds
    assert all(0 < first <= second < 200 for _, _, first, second, _ in played["floor"])
