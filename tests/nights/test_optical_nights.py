"""Simulated tables with an optical sensor at the shoe: boxed and untagged cards, and nothing else, are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tablectl.app import table_of
from tablectl.config import from_recording
from tablectl.errors import UsageError
from tablectl.recording import from_objects
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth

SENSOR = frozenset({"boxed_card", "untagged_card"})


def night(
    text: str, noise: str, seed: int, **setup: Any
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(what was told, what was true) of the irregularities of these hands."""
    truth = Truth()
    table = TableSetup(optical=True, confirms=(), **setup)
    lines = generate(table, script.parse(text), preset(noise), seed, truth=truth)
    head, events = from_objects(next(lines), lines, strict=True)
    core = table_of(from_recording(head.config, head.decks, head.active_deck))
    told = [d.as_json() for event in events for d in core.step(event) if d.type == "irregularity"]
    return told, truth.of("irregularity")


def slips(found: Sequence[dict[str, Any]]) -> list[tuple[str, int]]:
    """Kind and place in the deck of each."""
    return [(each["kind"], each["k"]) for each in found]


@pytest.mark.parametrize("noise", ["clean", "light"])
@pytest.mark.parametrize(
    "text", ["boxed_card:first", "boxed_card", "boxed_card:board", "untagged_card", "untagged_card:board"]
)
def test_what_only_the_sensor_sees_is_found(text: str, noise: str) -> None:
    """Kind and place in the deck are those of the truth, and no other alarm is raised."""
    told, true = night(f"{text}+deal_on", noise, 3)
    assert slips(told) == slips(true)
    assert len(true) == 1


@pytest.mark.parametrize("seed", [1, 2])
def test_hands_in_order_raise_no_alarm_of_the_sensor(seed: int) -> None:
    """Frames are lost and late, cards stick together, tags are weak: the sensor accuses nobody."""
    told, _ = night("clean*3, too_many_cards:stuck, clean*2", "light", seed)
    assert not SENSOR & {each["kind"] for each in told}


def test_a_table_without_the_sensor_has_no_room_for_these_slips() -> None:
    """What nobody could see is refused."""
    with pytest.raises(UsageError, match="optical sensor"):
        list(generate(TableSetup(), script.parse("boxed_card"), preset("clean"), 1))
