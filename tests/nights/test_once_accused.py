"""Evenings in heavy noise on which somebody was once accused wrongly: they stay silent.

Each is a clean evening of a campaign that was played while the tracker was made better; its seed was used for that, and
is in no figure. What was wrong is said with each.
"""

from __future__ import annotations

from itertools import takewhile

import pytest

from tablectl import recording
from tablectl.app import table_of
from tablectl.bench.campaign import CLEAN, Campaign, Chunk
from tablectl.config import from_recording
from tablectl.sim.record import generate


@pytest.mark.parametrize(
    ("seed", "hands", "evening", "until"),
    [
        # The seat before had shown nothing of its card yet when the next one glided slowly over its neighbour's.
        pytest.param(571, 800, 50, 400_000, id="slide-after-an-unread-seat", marks=pytest.mark.long),
        # A slide over the board was taken for a card on it; the seat it went to was then called passed over.
        pytest.param(571, 800, 75, 160_000, id="slide-over-the-board"),
        # A card that its seat's antenna never read was folded, and first read from the burn pile's.
        pytest.param(572, 1500, 27, 30_000, id="first-read-after-the-fold"),
        # A card of seat 1 that hardly anything read, but the antennas of seat 2 and, later on, of the shoe.
        pytest.param(572, 1500, 73, 6_000, id="read-beside-by-two"),
        # One read while a card waited behind the next one was taken for a stray, and so for its having left.
        pytest.param(572, 1500, 74, 170_000, id="read-once-behind-another", marks=pytest.mark.long),
        # Seat 5's card was never read, seat 6's late: it was taken for seat 5's, and seat 6 for passed over.
        pytest.param(572, 1500, 83, 215_000, id="the-only-card-of-a-seat", marks=pytest.mark.long),
    ],
)
def test_nobody_is_accused(seed: int, hands: int, evening: int, until: int) -> None:
    """The evening's reads until then, milliseconds: no irregularity is confirmed."""
    campaign = Campaign(hands=hands, noise="heavy", seed=seed, slips=0)
    chunk = Chunk(CLEAN, evening)
    lines = generate(
        campaign.setup,
        campaign.plans(chunk),
        campaign.physics,
        campaign.seed_of(chunk),
        habits=campaign.habits,
    )
    head, events = recording.from_objects(next(lines), lines, strict=True)
    table = table_of(from_recording(head.config, head.decks, head.active_deck))
    told = [each for event in takewhile(lambda each: each.t <= until, events) for each in table.step(event)]
    assert any(each.type == "deal" for each in told)
    assert [each for each in told if each.type == "irregularity"] == []
