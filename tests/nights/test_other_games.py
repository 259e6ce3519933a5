"""Nights of the other games: Omaha with four cards and five, five-card and seven-card stud, dealt by the simulator."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tablectl.sim import script
from tablectl.sim.games import GAMES

Play = Callable[..., Any]
"""Plays a night (see conftest)."""
Check = Callable[[Any], None]
SIX = range(1, 7)


@pytest.mark.parametrize(("game", "halves"), [
    ("omaha", False), ("omaha5", False), ("stud5", False), ("stud5", True), ("stud7", False), ("stud7", True),
])  # fmt: skip
def test_an_ordinary_evening_is_silent(night: Play, game: str, *, halves: bool) -> None:
    """Folds, all-ins, absent players, changes of seats and near misses under light noise."""
    steps = script.evening(6, Random(game), near=0.4, also=0.4, players=6)
    of = night(steps, "light", 4, game=game, seats=6, halves=halves)
    assert of.told() == []
    starts = [d for d in of.decisions if d.type == "hand" and d.event == "start"]
    assert len(starts) == len(of.truth.of("hand_start"))


@pytest.mark.parametrize("betting", ["rounds", "none"])
def test_stud_without_every_action_is_silent(night: Play, betting: str) -> None:
    """Who folded is seen from the cards alone."""
    assert night(script.clean(4), "clean", 5, game="stud7", seats=6, betting=betting).told() == []


@pytest.mark.parametrize(("game", "aftermath"), [("stud5", "stop"), ("stud7", "stop"), ("stud7", "deal_on")])
def test_every_slip_of_stud_is_found_and_nothing_else(
    night: Play, check_found: Check, game: str, aftermath: str
) -> None:
    """In the opening, on the first later street and on the last one; at the seventh seat nobody sits."""
    steps = script.of_stud(GAMES[game], halves=aftermath == "stop", aftermath=aftermath)
    check_found(night(steps, "clean", 6, game=game, seats=7, halves=aftermath == "stop", eligible=SIX))


@pytest.mark.parametrize("game", ["omaha", "omaha5"])
def test_every_slip_of_omaha_is_found_and_nothing_else(night: Play, check_found: Check, game: str) -> None:
    """One of each, as in hold'em."""
    check_found(night(script.one_of_each(), "clean", 7, game=game, seats=7, eligible=SIX))


@pytest.mark.parametrize("game", ["stud5", "stud7"])
def test_where_the_players_deal_stud_begins_at_the_left_of_the_button(night: Play, game: str) -> None:
    """The button goes round, past empty seats and absent players too: no hand is told to begin at a wrong seat."""
    steps = script.evening(6, Random(game), near=0.3, also=0.6, players=6)
    of = night(steps, "light", 8, game=game, seats=6, dealt_by="players")
    assert of.told() == []
    assert len({d.button for d in of.decisions if d.type == "hand" and d.event == "start"}) > 3


def test_where_the_players_deal_a_wrong_first_seat_is_found(night: Play, check_found: Check) -> None:
    """Against the button, not against the seat at the house's dealer."""
    steps = script.parse("clean*2, wrong_first_seat, clean, wrong_first_seat")
    check_found(night(steps, "clean", 9, game="stud5", seats=6, dealt_by="players"))


@pytest.mark.parametrize("game", ["holdem", "stud7"])
def test_a_player_who_is_back_is_entered_too(night: Play, game: str) -> None:
    """Away for one hand: by TDA 30 that hand is dead, and the dealer is reminded of it; of the next ones nothing is."""
    of = night(script.parse("clean, clean&absent, clean*2"), "clean", 10, game=game, seats=6, book="tda2024")
    assert of.told() == []
    reminded = [d.hand for d in of.decisions if d.type == "reminder" and d.event == "due"]
    assert reminded == [2]
    [away] = [start["absent"] for start in of.truth.of("hand_start") if start["absent"]]
    entered = [e["entry"] for e in of.truth.of("entry") if e["entry"]["do"] == "absent"]
    assert entered == [
        {"do": "absent", "seat": away[0]},
        {"do": "absent", "seat": away[0], "away": False},
    ]
