"""Each physical effect of the simulated table alone, at a strength that no real table should have.

One table of rows: what differs from a perfect table, four clean hands that must stay silent with it, and a slip that
this very effect could hide or be mistaken for, which must still be found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tablectl.sim import script
from tablectl.sim.habits import Habits
from tablectl.sim.noise import Noise
from tablectl.sim.script import HandPlan

PERFECT = Noise()


@dataclass(frozen=True, kw_only=True)
class Row:
    """One effect. `clean` and `slip` are scripts in words; after the slip comes one more clean hand."""

    name: str
    noise: Noise = PERFECT
    clean: str = "clean*4"
    slip: str
    seed: int = 1
    boards: int = 2
    corrects: bool = False
    """The dealer corrects himself in the clean hands: an alarm may come, but must not stay."""
    habits: Habits = field(default_factory=Habits)


def _noise(**parameters: Any) -> Noise:
    """A perfect table but for these parameters; a single figure stands for a span of no width."""
    spans = {
        name: (value, value)
        if isinstance(value, float | int)
        and not isinstance(value, bool)
        and isinstance(getattr(PERFECT, name), tuple)
        else value
        for name, value in parameters.items()
    }
    return replace(PERFECT, **spans)


ROWS = (
    # Reading a card where it lies.
    Row(name="misses", noise=_noise(miss=0.4, miss_kappa=4), slip="burn_extra@turn"),
    Row(name="misses in the deal", noise=_noise(miss=0.4, miss_kappa=4), slip="too_few_cards"),
    # Where one card in twenty is hardly read, the proof that one is missing takes longer.
    Row(
        name="weak tags",
        noise=_noise(weak_tag=0.05),
        slip="too_few_board_cards",
        habits=Habits(pause_after={"too_few_board_cards": 8000.0}),
    ),
    Row(name="weak antennas", noise=_noise(weak_antenna=1), slip="wrong_seat:far+deal_on"),
    Row(name="dead antenna", clean="dead:1.0, clean*4", slip="dead:1.0, premature_card@turn"),
    Row(name="overlap", noise=_noise(overlap=0.9), slip="too_many_cards:again+deal_on"),
    Row(name="overlap in the piles", noise=_noise(overlap_pile=0.7), slip="burn_extra@turn"),
    Row(name="overlap hides no burn", noise=_noise(overlap_pile=0.7), slip="burn_missing@river"),
    Row(name="stuck cards", noise=_noise(stuck_cover=1), slip="too_many_cards:stuck"),
    # Reading it where it does not lie.
    Row(name="cross reads", noise=_noise(cross=0.15), slip="wrong_seat:next"),
    Row(name="cross reads the other way", noise=_noise(cross=0.15), slip="wrong_seat:previous"),
    Row(name="fly-overs", noise=_noise(fly=0.4), slip="wrong_seat:far"),
    Row(name="fly-overs of the board", noise=_noise(fly=0.4), slip="premature_card:deal"),
    Row(name="slow slides", noise=_noise(slide=0.5), slip="wrong_seat:next"),
    Row(
        name="slow slides over the board", noise=_noise(slide=0.5, slide_board=1), slip="premature_card:deal"
    ),
    Row(name="the shoe's leak", noise=_noise(leak=0.6), slip="seat_skipped"),
    Row(name="a card rests at the mouth", noise=_noise(mouth_rests=1, leak=0.3), slip="too_many_cards:after"),
    Row(name="garbled UIDs", noise=_noise(uid_corrupt=0.002), slip="foreign_card:unknown"),
    Row(name="interference", noise=_noise(interference=0.8), boards=4, slip="wrong_first_seat"),
    # Players.
    Row(name="grabs", noise=_noise(grab=0.3), slip="wrong_seat:next"),
    Row(name="grabs and a lost card", noise=_noise(grab=0.3), slip="card_lost:deal"),
    Row(name="held cards read", noise=_noise(grab=0.3, lifted_read=0.3), slip="card_in_other_hand"),
    Row(name="looks at cards", noise=_noise(peek=1), slip="hand_mucked"),
    Row(
        name="card protectors",
        noise=_noise(protector=1, protector_gain=0.8),
        slip="card_in_other_hand",
    ),
    Row(name="hands over cards", noise=_noise(hover=1, hover_gain=0.4), slip="hand_mucked"),
    Row(name="nudged cards", noise=_noise(nudge=0.3), slip="too_few_cards"),
    Row(name="chips", noise=_noise(chips=1, chips_gain=0.4), slip="hand_mucked"),
    Row(name="chips over the board", noise=_noise(pot=1, pot_gain=0.3), slip="too_many_board_cards@flop"),
    Row(name="pushed folds", noise=_noise(fold_over=1), slip="card_in_other_hand"),
    Row(name="lift and return", clean="near:lift_return*4", slip="card_lost:hand"),
    Row(name="late folds", clean="near:late_fold*4", slip="hand_mucked"),
    Row(name="folds over a seat", clean="near:fold_over_seat*4", slip="hand_mucked"),
    # Signal strength.
    Row(name="no signal strength", noise=_noise(rssi=False, cross=0.02), slip="wrong_seat:next"),
    Row(
        name="wild signal strength",
        noise=_noise(rssi_place_db=5.0, rssi_read_db=3.0, rssi_outlier=0.1, rssi_step_db=4, cross=0.05),
        slip="wrong_seat:previous",
    ),
    # The boards and the line.
    Row(name="lost frames", noise=_noise(loss=0.05, loss_burst=4), slip="premature_card@flop"),
    Row(name="late frames", noise=_noise(late=0.05), slip="premature_card@turn"),
    Row(
        name="boards out of step",
        noise=_noise(delay_ms=(2, 20), offset_ms=(0, 20)),
        boards=4,
        slip="seat_skipped",
    ),
    Row(name="clock skew", noise=_noise(skew_ppm=(-300, 300)), boards=4, slip="wrong_first_seat"),
    Row(name="doubled frames", noise=_noise(duplicate=0.1), slip="burn_extra@flop"),
    Row(
        name="restarts",
        clean="restart:1+4000, clean, restart:0+9000, clean, restart:1+14000, clean, clean",
        slip="restart:0+3000, burn_missing@turn",
    ),
    # The dealer and the hand.
    Row(name="a quick dealer", habits=Habits(pace=(5, 5)), slip="wrong_seat:next"),
    Row(name="a slow dealer", habits=Habits(pace=(1.5, 1.5)), slip="seat_skipped"),
    Row(name="pauses", clean="near:slow_pause*4", slip="too_few_cards"),
    Row(name="corrections", clean="near:corrected*4", corrects=True, slip="wrong_seat:next"),
    Row(name="scripted slides", clean="near:slide_over*4", slip="wrong_seat:next"),
    Row(name="all-ins", clean="clean&all_in*4", slip="burn_extra@turn&all_in"),
    Row(name="all-ins and the burn", clean="clean&all_in*4", seed=2, slip="burn_missing@river&all_in"),
    Row(name="absent players", clean="clean&absent*4", slip="hand_mucked&absent"),
    Row(name="changing seats", clean="clean&seat_change*4", slip="ineligible_seat&seat_change"),
    Row(name="dead buttons", clean="clean&dead_button*4", slip="wrong_first_seat&dead_button"),
    Row(name="a new deck", clean="clean&new_deck*4", slip="clean&new_deck, foreign_card:other_deck"),
    Row(
        name="a new deck's twin", clean="clean&new_deck*4", seed=2, slip="clean&new_deck, duplicate_card:seat"
    ),
)


def _name(row: Row) -> str:
    return row.name.replace(" ", "_")


CLEAN = {(row.noise, row.clean, row.boards, row.habits.pace, row.seed): row for row in reversed(ROWS)}
"""The rows by their clean hands: those that differ in their slip only play them once."""


@pytest.mark.parametrize("row", list(reversed(CLEAN.values())), ids=_name)
def test_clean_hands_stay_silent(row: Row, night: Callable[..., Any]) -> None:
    """Four hands without a slip raise no alarm, however strong the effect is."""
    of = night(script.parse(row.clean), row.noise, row.seed, boards=row.boards, habits=row.habits)
    assert not of.truth.of("irregularity")
    assert (of.told() if row.corrects else of.alarms()) == []


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_a_slip_that_the_effect_could_hide_is_found(
    row: Row, night: Callable[..., Any], check_found: Callable[[Any], None]
) -> None:
    """The slip is told once, under its own name and place, and nothing else is."""
    steps = [*script.parse(row.slip), HandPlan()]
    of = night(steps, row.noise, row.seed, boards=row.boards, habits=row.habits)
    assert len(of.truth.of("irregularity")) == 1
    check_found(of)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_card_that_the_dealer_exposes_is_ruled_on(
    seed: int, night: Callable[..., Any], check_found: Callable[[Any], None]
) -> None:
    """His own word makes the irregularity; the cards are dealt again and nothing else is told of either hand."""
    check_found(night(script.parse("exposed_card:first, clean"), PERFECT, seed))
