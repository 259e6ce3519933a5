"""Nights of straddles and of boards that are run twice: nothing is claimed, and the right seat is proposed to act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tablectl import recording
from tablectl.app import table_of
from tablectl.config import from_recording
from tablectl.core.sensed import Entry
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup

Play = Callable[..., Any]
"""Plays a night (see conftest)."""


@pytest.mark.parametrize(("betting", "seed"), [("actions", 61), ("rounds", 62), ("none", 63)])
def test_a_board_that_is_run_twice_is_silent_and_counted_whole(night: Play, betting: str, seed: int) -> None:
    """In light noise, cards of a run pushed off or left there: no alarm, and as many cards as were dealt."""
    of = night(script.parse("clean&run_twice*3"), "light", seed, betting=betting, seats=6)
    assert of.alarms() == []
    dealt: dict[int, dict[int, str]] = {}
    for event in of.truth.of("rest"):
        dealt.setdefault(event["hand"], {}).setdefault(event["k"], event["zone"])
    ended = [each for each in of.decisions if each.type == "hand" and each.event == "end"]
    true = [Counter(zones.values()) for zones in dealt.values()]
    assert [(each.counts["board"], each.counts["burn"]) for each in ended] == [
        (zones["board"], zones["burn"]) for zones in true
    ]


def test_a_slip_of_the_first_run_is_found_in_a_board_that_is_run_twice(
    night: Play, check_found: Callable[[Any], None]
) -> None:
    """The dealer deals on: each slip is told once, under its own name, and the runs after it are silent."""
    slips = ("burn_missing@turn", "burn_extra@river", "wrong_seat:next", "burn_missing@flop")
    check_found(night(script.parse(", ".join(f"{slip}+deal_on&run_twice" for slip in slips)), "clean", 64))


def test_whoever_acts_was_proposed() -> None:
    """Hands with straddles and without: before each action that is entered the table proposes that very seat."""
    setup, proposed = TableSetup(seats=7, rulebook="pl"), []
    lines = generate(
        setup, script.parse("clean&straddle*4, clean, clean&straddle*3"), preset("clean"), seed=65
    )
    head, events = recording.from_objects(next(lines), lines, strict=True)
    table = table_of(from_recording(head.config, head.decks, head.active_deck))
    for event in events:
        if isinstance(event, Entry) and event.do == "action":
            proposed.append((event.args["seat"], table.view()["hand"]["to_act"]))
        table.step(event)
    assert proposed
    assert [seat for seat, _ in proposed] == [seat for _, seat in proposed]
