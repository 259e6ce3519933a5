"""What a hand brings only where a script asks for it: straddles, and a board that is run two or three times."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from truths import dealt, entries

from tablectl.errors import UsageError
from tablectl.sim import script, wagers
from tablectl.sim.noise import Noise
from tablectl.sim.record import generate
from tablectl.sim.script import WISHED, HandPlan
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth


def play(text: str, seed: int = 1, **setup: Any) -> Truth:
    """The truth of these hands on a perfect table."""
    truth = Truth()
    for _ in generate(TableSetup(**setup), script.parse(text), Noise(), seed, truth=truth):
        pass
    return truth


@pytest.mark.parametrize(
    "setup", [{}, {"betting": "rounds"}, {"game": "omaha", "seats": 6}, {"seats": 2}], ids=str
)
def test_each_run_is_dealt_whole_with_its_burns(setup: dict[str, Any]) -> None:
    """Flop, turn and river; then, as often as the dealer has entered, what was left when nobody could bet any more."""
    truth = play("clean&run_twice*12", **setup)
    assert not truth.of("irregularity")
    often = Counter[int]()
    for hand in range(1, 13):
        [entry] = entries(truth, "run_twice", hand)
        often[entry["times"]] += 1
        zones = [zone for zone in dealt(truth, hand) if zone in {"board", "burn"}]
        whole = ["burn", "board", "board", "board", "burn", "board", "burn", "board"]
        again = (len(zones) - len(whole)) // (entry["times"] - 1)
        assert again in {8, 4, 2}, "all streets, or turn and river, or the river"
        assert zones == whole + whole[-again:] * (entry["times"] - 1)
    assert set(often) <= {2, 3}


def test_runs_stay_on_the_board_or_are_pushed_off() -> None:
    """Both happen: before the next run's cards come, or not before the hand is over."""
    truth = play("clean&run_twice*12")
    off = []
    for hand in range(1, 13):
        left = [
            e["t"]
            for e in truth.of("leave")
            if e["hand"] == hand and e["zone"] == "board" and e["to"] == "hand"
        ]
        last = max(e["t"] for e in truth.of("out") if e["hand"] == hand)
        off.append(any(t < last for t in left))
    assert set(off) == {True, False}


def test_a_hand_without_the_wish_is_what_it_was() -> None:
    """Neither draws from the dealer's chance where it is not asked for: a clean hand before it is the same."""
    plain, wished = play("clean, clean"), play("clean, clean&straddle")
    assert [e for e in plain.events if e["hand"] == 1] == [e for e in wished.events if e["hand"] == 1]
    assert not set(WISHED) & {wish for plan in script.evening(500, Random(3), also=1.0) for wish in plan.also}


@pytest.mark.parametrize("seats", [3, 6, 9])
def test_straddles_are_entered_before_the_deal_and_act_last(seats: int) -> None:
    """The last one has the last word; nobody with a blind straddles."""
    truth = play("clean&straddle*12", seats=seats)
    for hand in range(1, 13):
        straddles = [entry["seat"] for entry in entries(truth, "straddle", hand)]
        assert straddles
        order = [int(zone.removeprefix("seat:")) for zone in dealt(truth, hand)[:seats]]
        assert not set(straddles) & set(order[:2])
        place = order.index(straddles[-1])
        turn = [*order[place + 1 :], *order[: place + 1]]
        acted = [entry["seat"] for entry in entries(truth, "action", hand)]
        assert acted[: seats - 1] == turn[:-1]


@pytest.mark.parametrize("seed", range(20))
def test_a_betting_round_with_a_straddle_closes_properly(seed: int) -> None:
    """Every live seat answers the last bet; only the straddler, unraised, may check."""
    seats = (1, 2, 3, 4, 5)
    actions = wagers.hand(Random(seed), seats, straddles=(3, 4))["preflop"]
    waiting, facing, live = [5, 1, 2, 3, 4], True, list(seats)
    for seat, action, _ in actions:
        assert seat == waiting.pop(0)
        assert action != "check" or (facing and seat == 4 and len(actions) == len(seats))
        if action == "fold":
            live.remove(seat)
        elif action == "raise":
            turn = (*seats[seats.index(seat) + 1 :], *seats[: seats.index(seat)])
            waiting = [other for other in turn if other in live]
    assert not waiting or len(live) == 1


@pytest.mark.parametrize(
    ("text", "setup", "says"),
    [
        ("clean&run_twice", {"game": "stud7", "rulebook": "nl"}, "run_twice: stud7 has no board"),
        ("clean&straddle", {"game": "stud7", "rulebook": "nl"}, "needs a game with blinds"),
        ("clean&straddle", {"seats": 2}, "three players at least"),
        ("clean&run_twice*9", {"game": "omaha5", "seats": 9}, "the deck has not cards enough for 9 players"),
    ],
)
def test_what_a_table_has_no_room_for_is_refused(text: str, setup: dict[str, Any], says: str) -> None:
    """A game without a board or blinds, too few players, a deck that is too short."""
    with pytest.raises(UsageError, match=says):
        play(text, **setup)


@pytest.mark.parametrize("slip", ["dealt_after_end", "premature_card"])
def test_what_cannot_happen_together_is_refused(slip: str) -> None:
    """After an all-in nobody folds, and no betting round is open."""
    with pytest.raises(UsageError, match=slip):
        HandPlan(slip, also=("run_twice",))
