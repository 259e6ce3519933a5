"""Scripts in words, and hands that make no sense."""

from __future__ import annotations

from random import Random

import pytest

from tablectl.errors import UsageError
from tablectl.sim import script, wagers
from tablectl.sim.script import BoardStep, HandPlan
from tablectl.sim.setup import TableSetup


def test_a_script_in_words_lists_hands_and_board_steps() -> None:
    """Repeats, variants, streets, aftermath, near misses and boards are all written in one line."""
    steps = script.parse(
        "clean*2, wrong_seat:next, premature_card@turn, burn_missing@flop+deal_on, near:late_fold, "
        "restart:1, dead:0.3+8000"
    )
    assert steps == [
        HandPlan(),
        HandPlan(),
        HandPlan("wrong_seat", variant="next"),
        HandPlan("premature_card", street="turn"),
        HandPlan("burn_missing", street="flop", aftermath="deal_on"),
        HandPlan(near_miss="late_fold"),
        BoardStep("restart", 1),
        BoardStep("dead", 0, 3, after_ms=8000),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("wrong_seet", "'wrong_seet' is not known; choose one of wrong_first_seat"),
        ("wrong_seat:left", "'left' of wrong_seat is not known; choose one of next, previous, far"),
        ("burn_missing@preflop", "'preflop' of burn_missing is not known; choose one of flop, turn, river"),
        ("clean*0", "how often, 1 or more"),
        ("restart", "needs a board's number"),
        ("hand_mucked+deal_on", "cannot go on unaware"),
        ("near:miss", "'miss' of a hand is not known"),
        ("clean:next", "'clean' takes no"),
    ],
)
def test_a_wrong_script_says_what_and_what_would_be_right(text: str, says: str) -> None:
    """Each mistake names the item that is wrong."""
    with pytest.raises(UsageError) as told:
        script.parse(f"clean, {text}")
    assert text in str(told.value)
    assert says in str(told.value)


def test_one_of_each_has_every_slip_of_the_contract_that_the_betting_mode_shows() -> None:
    """With all actions entered every slip can be seen; without, the ones that rest on entries cannot."""
    modes = ("actions", "rounds", "none")
    kinds = {mode: {plan.slip for plan in script.one_of_each(mode)} for mode in modes}
    assert kinds["actions"] == set(script.SLIPS)
    assert kinds["rounds"] == set(script.SLIPS) - {"hand_mucked", "dealt_after_end"}
    assert kinds["none"] == kinds["rounds"] - {"premature_card"}


def test_endless_hands_are_clean_unless_asked_otherwise() -> None:
    """The default evening has no slips; a share of slips comes out as asked."""
    clean = script.endless(Random(1))
    assert all(next(clean) == HandPlan() for _ in range(20))
    mixed = script.endless(Random(1), 0.5)
    assert 30 < sum(next(mixed).slip is not None for _ in range(100)) < 70


@pytest.mark.parametrize(
    "wish", [{"seats": 1}, {"boards": 9}, {"game": "bridge"}, {"betting": "some"}, {"mode": "dark"}]
)
def test_a_table_that_cannot_exist_is_refused(wish: dict[str, object]) -> None:
    """Every wrong wish for a table names itself and what would be right."""
    with pytest.raises(UsageError, match="must be"):
        TableSetup(**wish)  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3), tuple(range(1, 11))])
@pytest.mark.parametrize("ends_on", [None, *wagers.ROUNDS])
def test_every_betting_round_closes_properly(seats: tuple[int, ...], ends_on: str | None) -> None:
    """Every live seat answers the last bet, nobody acts after folding, and checks face no bet."""
    for seed in range(40):
        rounds = wagers.hand(Random(seed), seats, ends_on=ends_on)
        live = list(seats)
        for name, actions in rounds.items():
            start = (2 if len(seats) > 2 else 1) if name == "preflop" else 0
            waiting = [seat for seat in (*seats[start:], *seats[:start]) if seat in live]
            facing = name == "preflop"
            blind = waiting[-1]
            for seat, action, _ in actions:
                assert seat == waiting.pop(0)
                assert action != "check" or not facing or seat == blind
                if action == "fold":
                    live.remove(seat)
                elif action in {"bet", "raise"}:
                    facing, blind = True, 0
                    turn = (*seats[seats.index(seat) + 1 :], *seats[: seats.index(seat)])
                    waiting = [other for other in turn if other in live]
            assert not waiting or len(live) == 1
        assert (len(live) == 1) == (ends_on is not None)
