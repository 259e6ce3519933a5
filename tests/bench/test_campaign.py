"""What is played: chunks, hands and seeds, and options that make no sense."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tablectl.bench.campaign import Campaign, label, pace_of
from tablectl.config import from_recording
from tablectl.errors import UsageError
from tablectl.sim import script


def test_every_variant_of_every_slip_is_played_equally_often() -> None:
    """On every street, each between two clean hands."""
    campaign = Campaign(hands=95, slips=3)
    plans = [plan for chunk in campaign.chunks if chunk.kind == "slips" for plan in campaign.plans(chunk)]
    assert all(plan.slip is None for plan in plans[1::2])
    times = Counter(label(plan) for plan in plans[::2])
    assert times == {label(plan): 3 for plan in script.all_variants("actions")}


def test_mostly_nobody_notices() -> None:
    """The dealer deals on in four of five rounds, wherever that makes sense."""
    campaign = Campaign(hands=10, slips=5)
    plans = [
        plan for chunk in campaign.chunks if chunk.kind == "slips" for plan in campaign.plans(chunk)[::2]
    ]
    after = Counter(plan.aftermath for plan in plans if plan.slip not in script.STOP_ONLY)
    assert after["deal_on"] == 4 * after["stop"]


def test_clean_hands_are_as_many_as_asked_for_and_have_no_slip() -> None:
    """The last chunk is smaller; near misses are among them."""
    campaign = Campaign(hands=95, slips=0)
    plans = [plan for chunk in campaign.chunks for plan in campaign.plans(chunk)]
    assert len(plans) == campaign.total_hands == 95
    assert {plan.slip for plan in plans} == {None}
    assert any(plan.near_miss for plan in plans)


def test_chunks_repeat_and_differ() -> None:
    """The same seed gives the same hands; every chunk, and every campaign, has a seed of its own."""
    one, same, other = (Campaign(hands=40, slips=2, seed=seed) for seed in (1, 1, 2))
    assert [one.plans(chunk) for chunk in one.chunks] == [same.plans(chunk) for chunk in same.chunks]
    assert [one.plans(chunk) for chunk in one.chunks] != [other.plans(chunk) for chunk in other.chunks]
    seeds = {campaign.seed_of(chunk) for campaign in (one, other) for chunk in campaign.chunks}
    assert len(seeds) == 2 * len(one.chunks)


def test_the_baselines_watch_the_same_share_of_both() -> None:
    """A tenth of the clean hands and a tenth of the slips, every variant among them."""
    campaign = Campaign(hands=1000, slips=20, baseline_hands=100)
    watched = [chunk for chunk in campaign.chunks if campaign.with_baselines(chunk)]
    hands = Counter(
        chunk.kind for chunk in watched for _ in campaign.plans(chunk)[:: 1 if chunk.kind == "clean" else 2]
    )
    variants = len(script.all_variants("actions"))
    assert hands["clean"] == 100
    assert 2 * variants <= hands["slips"] < 2 * variants + 10


def test_a_part_of_the_chunks_is_a_fair_sample() -> None:
    """Clean chunks and slips come evenly mixed, so that an interrupted campaign says something of both."""
    campaign = Campaign(hands=1000, slips=20)
    half = Counter(chunk.kind for chunk in campaign.chunks[: len(campaign.chunks) // 2])
    whole = Counter(chunk.kind for chunk in campaign.chunks)
    assert all(abs(half[kind] - whole[kind] / 2) <= 1 for kind in whole)


def test_a_campaign_survives_being_written_down() -> None:
    """Its JSON gives an equal one back, and tells where two differ."""
    campaign = Campaign(hands=500, noise="heavy", pace=(2.5, 4))
    again = Campaign.of(campaign.as_json())
    assert again.as_json() == campaign.as_json()
    assert campaign.differs(again) == []
    assert campaign.differs(Campaign(hands=500, pace=(2.5, 4))) == ["--noise heavy instead of light"]


def test_without_an_effect_only_the_physics_differ() -> None:
    """The same hands, the same seeds; the effect is gone, and the campaign's JSON says so."""
    whole, less = Campaign(hands=40, slips=2), Campaign(hands=40, slips=2, without="cross")
    assert whole.chunks == less.chunks
    assert [whole.plans(chunk) for chunk in whole.chunks] == [less.plans(chunk) for chunk in less.chunks]
    assert [whole.seed_of(chunk) for chunk in whole.chunks] == [less.seed_of(chunk) for chunk in less.chunks]
    assert (whole.physics.cross[1] > 0, less.physics.cross) == (True, (0, 0))
    assert Campaign.of(less.as_json()).physics == less.physics
    assert less.differs(whole) == ["--without cross instead of "]


def test_a_table_may_be_calibrated_for_another_noise() -> None:
    """Its configuration then says of every antenna how well it would read there; the hands and physics are the same."""
    plain, other = Campaign(hands=40, noise="heavy"), Campaign(hands=40, noise="heavy", calibrated="light")
    assert (plain.physics, plain.chunks) == (other.physics, other.chunks)
    header = other.setup.recording_header()
    told = from_recording(header["config"], header["decks"], header["active_deck"]).calibration()
    assert set(told) == set(other.setup.layout.antennas.values())
    assert all((each.read, each.spread, each.strength) == (0.882, 6, -48) for each in told.values())
    header = plain.setup.recording_header()
    assert from_recording(header["config"], header["decks"], header["active_deck"]).calibration() == {}
    assert Campaign.of(other.as_json()).setup.calibration == other.setup.calibration


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"hands": 0}, "--hands 0"),
        ({"slips": -1}, "--slips -1"),
        ({"baseline_hands": -5}, "--baseline-hands -5"),
        ({"readers": 3}, "--readers 3: must be 1, 2 or 4"),
        ({"noise": "loud"}, "loud"),
        ({"without": "rain"}, "'rain'.*misses, tags"),
        ({"calibrated": "loud"}, "loud"),
        ({"seats": 11}, "seats = 11"),
        ({"seats": 3}, "--seats 3"),
        ({"betting": "chips"}, "--betting chips"),
        ({"pace": (5.0, 3.0)}, "pace"),
    ],
)
def test_options_that_make_no_sense_are_refused(given: dict[str, Any], says: str) -> None:
    """Each with what is wrong and what would be right."""
    with pytest.raises(UsageError, match=says):
        Campaign(**{"hands": 10, **given})


def test_a_pace_is_a_number_or_two() -> None:
    """As on the command line; anything else is refused."""
    assert pace_of("4") == (4, 4)
    assert pace_of("2.5-5") == (2.5, 5)
    with pytest.raises(UsageError, match="--pace quick"):
        pace_of("quick")
