"""One chunk as a worker plays it: what the result holds, and that it can be seen again."""

from __future__ import annotations

import json

import pytest

from tablectl.bench.baselines import POINTS
from tablectl.bench.campaign import Campaign, Chunk, label
from tablectl.bench.evening import OURS, Halted, play

CAMPAIGN = Campaign(hands=3, slips=1, noise="clean", readers=1, seats=6, betting="none", baseline_hands=3)
SLIPS = Chunk("slips", 0)


def test_every_slip_of_a_chunk_is_judged_for_every_tracker() -> None:
    """Each slip that happened has one outcome with its variant; without noise tablectl finds the most."""
    played = play(CAMPAIGN, SLIPS)
    planned = {label(plan) for plan in CAMPAIGN.plans(SLIPS) if plan.slip}
    ours = {slip[0]: slip for slip in played["trackers"][OURS]["slips"]}
    assert ours.keys() == planned
    assert played["trackers"].keys() == {OURS, *POINTS}
    found = {
        name: sum(slip[2] == "found" for slip in each["slips"]) for name, each in played["trackers"].items()
    }
    assert found[OURS] == max(found.values()) > 0


def test_a_chunk_repeats() -> None:
    """The same chunk of the same campaign gives the same result, and it is plain JSON."""
    clean = Chunk("clean", 0)
    once, again = (play(CAMPAIGN, clean) for _ in range(2))
    assert json.loads(json.dumps(once)) == once == again
    assert once["hands"] == 3


def test_a_chunk_can_be_broken_off() -> None:
    """As soon as it is asked for; there is no half result."""
    with pytest.raises(Halted):
        play(CAMPAIGN, SLIPS, lambda: True)
