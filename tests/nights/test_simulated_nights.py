"""Nights of the simulated table, recorded off-line and replayed: every slip found, nothing else claimed.

The simulator knows the truth; the table gets the recording's lines only. Seeds are fixed so that a failure can
be looked at; figures over many seeds are the business of the accuracy campaign.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tablectl.sim import script
from tablectl.sim.setup import TableSetup

Play = Callable[..., Any]
"""Plays a night (see conftest)."""
Check = Callable[[Any], None]


@pytest.mark.parametrize("betting", ["actions", "rounds", "none"])
def test_every_slip_is_found_and_nothing_else(night: Play, check_found: Check, betting: str) -> None:
    """All variants of all slips; after each the dealer stops and the hand is given up."""
    check_found(night(script.all_variants(betting), "clean", 3, betting=betting))


@pytest.mark.parametrize(("betting", "seed"), [("actions", 8), ("none", 28)])
def test_a_dealer_who_goes_on_is_told_once(night: Play, check_found: Check, betting: str, seed: int) -> None:
    """One of each slip; the dealer deals on as if nothing had happened."""
    check_found(night(script.one_of_each(betting, aftermath="deal_on"), "clean", seed, betting=betting))


@pytest.mark.parametrize("boards", [1, 4])
def test_one_reader_board_or_four(night: Play, check_found: Check, boards: int) -> None:
    """One board takes four times as long for a cycle; what is found is the same."""
    check_found(night(script.all_variants("actions"), "clean", 10 if boards == 1 else 9, boards=boards))


@pytest.mark.parametrize("noise", ["clean", "light"])
def test_near_misses_are_silent(night: Play, noise: str) -> None:
    """Corrections, slow slides, late folds, looks at the cards and folds over other seats leave nothing standing."""
    assert night(script.near_misses(), noise, 32).told() == []


def test_clean_hands_with_light_noise_are_silent(night: Play) -> None:
    """Misses, cross reads, fly-overs and lost frames accuse nobody."""
    of = night(script.clean(20), "light", 51)
    assert of.told() == []
    starts = [d for d in of.decisions if d.type == "hand" and d.event == "start"]
    assert len(starts) == len(of.truth.of("hand_start"))


def test_a_replay_gives_the_same_decisions(night: Play) -> None:
    """Two replays of one recording agree to the last field."""
    one, two = (
        night(script.parse("clean*2, wrong_seat:next, premature_card@turn"), "light", 7) for _ in range(2)
    )
    assert [d.as_json() for d in one.decisions] == [d.as_json() for d in two.decisions]


def test_no_decision_names_a_card(night: Play) -> None:
    """Neither a UID nor a token of the deck is in any decision."""
    of = night(script.one_of_each("actions", aftermath="stop"), "clean", 5)
    text = repr([d.as_json() for d in of.decisions])
    deck = TableSetup(seats=9, boards=2).decks
    secrets = {s for each in deck.values() for pair in each.enrolled().cards.items() for s in pair}
    assert not [secret for secret in secrets if secret in text]


def test_ids_are_unique_and_every_suspicion_ends_or_stands(night: Play) -> None:
    """Suspicion, irregularity, ruling and clearance of one slip share one id; no two slips do."""
    of = night(script.one_of_each("none", aftermath="stop"), "light", 9, betting="none")
    told = [d.id for d in of.decisions if d.type == "irregularity"]
    taken_back = [d.id for d in of.decisions if d.type == "cleared"]
    assert all(told.count(each) <= 1 + taken_back.count(each) for each in told)
    known = {d.id for d in of.decisions if d.type in {"suspicion", "irregularity"}}
    assert {d.id for d in of.decisions if d.type == "cleared"} <= known
    assert {d.irregularity for d in of.decisions if d.type == "ruling"} <= set(told)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_first_card_is_told_once_however_early(
    seed: int, night: Callable[..., Any], check_found: Callable[[Any], None]
) -> None:
    """An alarm that comes before the card has quite settled does not make it the first card of another hand."""
    of = night(script.parse("wrong_first_seat+deal_on"), "light", seed)
    check_found(of)
    assert sum(1 for each in of.decisions if each.type == "hand" and each.event == "start") == 1
