"""Effects that not every evening has, each alone: stuck cards, chips, pushed folds, dead antennas, late frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import mean
from typing import Any

import pytest

from tablectl import wire
from tablectl.sim import script
from tablectl.sim.device import Device
from tablectl.sim.line import Line
from tablectl.sim.noise import Noise
from tablectl.sim.players import Players
from tablectl.sim.record import generate
from tablectl.sim.script import BoardStep, HandPlan, Step
from tablectl.sim.setup import TableSetup
from tablectl.sim.stage import Stage
from tablectl.sim.truth import Truth

MakeLab = Callable[..., Any]
"""Makes a `Lab` (see conftest) from a noise."""
BOARDS = ("board", "board:flop", "board:turn", "board:river")


def record(
    noise: Noise, *steps: Step, seed: int = 1, truth: Truth | None = None, **setup: Any
) -> list[dict[str, Any]]:
    return list(generate(TableSetup(**setup), steps, noise, seed, truth=truth))


def ages(lines: list[dict[str, Any]], zones: str = "seat") -> list[int]:
    """How old the reads of those zones were when they arrived, ms."""
    readers = lines[0]["config"]["reader"]
    return [
        age
        for line in lines
        if "sweep" in line
        for antenna, _, _, age in line["sweep"]["seen"]
        if readers[line["sweep"]["reader"]]["antennas"][str(antenna)].startswith(zones)
    ]


def test_two_stuck_cards_shade_each_other_until_they_are_pulled_apart(lab: MakeLab) -> None:
    """They show at the mouth together, land as one, read half as well, and recover once they lie apart."""
    felt = lab(replace(Noise(), stuck_cover=(1, 1), stuck_ms=(1000, 1000)))
    one, other, third = (felt.card() for _ in range(3))
    felt.world.load([one, other, third], stuck=[1])
    felt.world.approach(1000)
    felt.wait(1000)
    assert felt.share("shoe", one) == pytest.approx(0.5, abs=0.1)
    assert felt.share("shoe", other) == pytest.approx(0.5, abs=0.1)
    assert felt.share("shoe", third, 20) == 0.0
    for card in (felt.world.draw(), felt.world.draw()):
        felt.world.fly(card, "seat:3", 200, slide=False)
    felt.wait(210)
    assert one.zone == other.zone == "seat:3"
    assert mean(felt.share("seat:3", card) for card in (one, other)) == pytest.approx(0.5, abs=0.1)
    felt.wait(1001)
    assert [felt.share("seat:3", card, 50) for card in (one, other)] == [1.0, 1.0]


def test_taking_up_one_of_two_stuck_cards_parts_them(lab: MakeLab) -> None:
    """A player who lifts one card leaves the other one free."""
    felt = lab(replace(Noise(), stuck_cover=(1, 1), stuck_ms=(60_000, 60_000)))
    one, other = felt.card(), felt.card()
    felt.world.load([one, other], stuck=[1])
    for card in (felt.world.draw(), felt.world.draw()):
        felt.world.fly(card, "seat:3", 200, slide=False)
    felt.wait(210)
    felt.world.lift(other)
    assert felt.share("seat:3", one, 50) == 1.0
    felt.world.put(other)
    assert felt.share("seat:3", one, 50) == 1.0


def test_a_slide_can_go_over_the_board(lab: MakeLab) -> None:
    """If the board lies on the way, a slow slide may be read there for long, and the card still ends in its seat."""
    felt = lab(replace(Noise(), slide_board=(1, 1)))
    card = felt.card()
    felt.world.fly(card, "seat:6", 200, slide=True)
    heard = 0
    while card.zone is None:
        felt.wait(2)
        heard += any(felt.look(zone) for zone in BOARDS)
    assert 120 / 2 * 0.4 < heard <= 250 / 2
    assert card.zone == "seat:6"
    felt.wait(100)
    assert not any(felt.look(zone) for zone in BOARDS)


def test_chips_beside_the_cards_cost_reads_until_the_round_is_over(lab: MakeLab) -> None:
    """Only who bets has chips before him; when they are pulled in his cards read as before."""
    felt = lab(replace(Noise(), chips=(1, 1), chips_gain=(0.6, 0.6)))
    players = Players(felt.world, felt.noise, Random(1))
    (card,), (other,) = felt.lay("seat:3"), felt.lay("seat:4")
    players.bets(3)
    players.bets(3)
    assert felt.share("seat:3", card) == pytest.approx(0.6, abs=0.08)
    assert felt.share("seat:4", other, 50) == 1.0
    players.round_over()
    assert felt.share("seat:3", card, 50) == pytest.approx(1.0)


def test_chips_pushed_to_the_pot_shade_the_board_for_a_while(lab: MakeLab) -> None:
    """The board reads less while chips are pushed over it, and nothing else does."""
    felt = lab(replace(Noise(), pot=(1, 1), pot_gain=(0.5, 0.5), pot_ms=(800, 800)))
    players = Players(felt.world, felt.noise, Random(1))
    (card,), (seat,) = felt.lay("board"), felt.lay("seat:4")
    players.round_over()
    assert felt.share("board", card) == pytest.approx(0.5, abs=0.08)
    assert felt.share("seat:4", seat, 50) == 1.0
    felt.wait(801)
    assert felt.share("board", card, 50) == 1.0


def test_folds_are_pushed_over_neighbours_as_often_as_the_noise_says() -> None:
    """Every fold goes over a neighbour's cards if the share is one; that is no irregularity."""
    truth = Truth()
    record(replace(Noise(), fold_over=(1, 1)), *script.clean(3), truth=truth)
    folds = [e["entry"]["seat"] for e in truth.of("entry") if e["entry"].get("action") == "fold"]
    pushed = [e for e in truth.of("near_miss") if e["name"] == "fold_over_seat"]
    assert [each["seat"] for each in pushed] == folds
    assert all(abs(each["seat"] - int(each["over"].partition(":")[2])) == 1 for each in pushed)
    assert not truth.of("irregularity")


def test_a_pushed_fold_is_read_where_it_passes(lab: MakeLab) -> None:
    """The neighbour's antenna reads the cards on their way to the muck, and never again."""
    felt = lab(Noise())
    (card,) = felt.lay("seat:5")
    felt.world.push_over(card, "muck", "seat:6", 600, read=0.9)
    heard = 0
    for _ in range(60):
        felt.wait(10)
        heard += bool(felt.look("seat:6"))
    assert heard > 25
    felt.wait(10)
    assert card.zone == "muck"
    assert not felt.look("seat:6")


def test_a_dead_antenna_reads_nothing_all_evening_and_its_board_says_so() -> None:
    """The recording begins with the health of every antenna that is not well, and repeats it after a restart."""
    lines = record(replace(Noise(), dead_antenna=(1, 1)), BoardStep("restart", 0, after_ms=3000), HandPlan())
    health = [line["health"] for line in lines if "health" in line]
    antennas = {
        (reader, int(number))
        for reader, each in enumerate(lines[0]["config"]["reader"])
        for number in each["antennas"]
    }
    assert {(each["reader"], each["antenna"]) for each in health[: len(antennas)]} == antennas
    assert {each["state"] for each in health} == {"open"}
    again = health[len(antennas) :]
    assert {each["reader"] for each in again} == {0}
    assert len(again) == sum(reader == 0 for reader, _ in antennas)
    assert not any(line["sweep"]["seen"] for line in lines if "sweep" in line)


def test_a_board_tells_of_its_dead_antennas_on_the_wire() -> None:
    """Once it has a poll plan, a board reports each antenna that is not well, in frames of the wire protocol."""
    setup = TableSetup()
    stage = Stage(
        setup,
        replace(Noise(), dead_antenna=(1, 1)),
        1,
        truth=Truth(),
        frame=lambda _: None,
        entry=lambda _: None,
    )
    board = stage.boards[0]
    device = Device(board, Line(stage.noise, Random(1)), stage.time, Random(2), optical=False)
    plan = [{"antenna": number, "period_ms": 50, "power": 255} for number in board.antennas]
    device.feed(wire.encode(wire.SET_POLL_PLAN, 0, wire.pack(wire.SET_POLL_PLAN, plan=plan)))
    frames = wire.Decoder().feed(device.due(100.0))
    told = [wire.unpack(kind, body) for kind, _, body in frames if kind == wire.ANTENNA_HEALTH]
    assert {each["antenna"]: each["state"] for each in told} == dict.fromkeys(board.antennas, 2)


def test_a_nudged_card_may_be_put_right(lab: MakeLab) -> None:
    """A card that lay half off its antenna for 1 to 3 s is read as before once its player has straightened it."""
    felt = lab(replace(Noise(), nudge=(1, 1), nudge_back=(1, 1)))
    felt.world.landed = Players(felt.world, felt.noise, Random(1)).card_landed
    (card,) = felt.lay("seat:3")
    worst = 1.0
    for _ in range(50):
        felt.wait(100)
        worst = min(worst, felt.share("seat:3", card, 20))
    assert worst < 0.5
    assert felt.share("seat:3", card, 50) == 1.0


def test_weak_antennas_are_told_apart_from_sound_ones() -> None:
    """A badly tuned antenna reports itself as weak, a sound one says nothing."""
    lines = record(replace(Noise(), weak_antenna=(0.5, 0.5)), HandPlan())
    states = {line["health"]["state"] for line in lines if "health" in line}
    told = {(line["health"]["reader"], line["health"]["antenna"]) for line in lines if "health" in line}
    assert states == {"weak"}
    assert 0 < len(told) < sum(len(each["antennas"]) for each in lines[0]["config"]["reader"])


def test_a_held_up_frame_delays_all_behind_it() -> None:
    """The host's bus stalls for up to 150 ms now and then; nothing overtakes, nothing is lost."""
    line = Line(replace(Noise(), late=(0.02, 0.02)), Random(3))
    arrivals = [(10.0 * n, line.carry(10.0 * n)[0]) for n in range(5000)]
    lags = [arrived - sent for sent, arrived in arrivals]
    assert [arrived for _, arrived in arrivals] == sorted(arrived for _, arrived in arrivals)
    assert 30 < max(lags) <= 152
    assert 0.02 < mean(lag > 10 for lag in lags) < 0.3
    assert min(lags) == 2


def test_frames_of_different_boards_overtake_each_other() -> None:
    """Each board has its own delay and lag, so reads reach the table in another order than they were made."""
    lines = record(replace(Noise(), delay_ms=(2, 20), offset_ms=(0, 20)), HandPlan(), boards=4)
    made = [
        (line["t"] - age, line["sweep"]["reader"])
        for line in lines
        if "sweep" in line
        for *_, age in line["sweep"]["seen"][-1:]
    ]
    assert any(a[0] > b[0] + 3 and a[1] != b[1] for a, b in pairwise(made))


@pytest.mark.parametrize(
    "noise",
    [
        replace(Noise(), skew_ppm=(500, 500)),
        replace(Noise(), skew_ppm=(-500, -500)),
        replace(Noise(), offset_ms=(20, 20), delay_ms=(2, 20)),
    ],
    ids=["fast", "slow", "lagging"],
)
def test_the_clocks_are_matched_by_what_came_fastest(noise: Noise) -> None:
    """However fast or slow a board's clock runs, and however it lags, a read's age stays true to the delay alone."""
    plain = ages(record(Noise(), *script.clean(3)))
    found = ages(record(noise, *script.clean(3)))
    drift = 0.0005 * 40_000 if noise.skew_ppm[1] else 0
    assert abs(mean(found) - mean(plain) - (noise.delay_ms[1] - noise.delay_ms[0]) / 2) <= drift / 2 + 3
    assert max(found) <= max(plain) + noise.delay_ms[1] - noise.delay_ms[0] + drift + 3


def test_rare_effects_do_not_change_what_the_dealer_does() -> None:
    """Chips, stuck cards, slides over the board and late frames draw from sources of their own."""
    outs = []
    rare = replace(Noise(), chips=(1, 1), pot=(1, 1), fold_over=(1, 1), stuck_cover=(1, 1), late=(0.1, 0.1))
    for noise in (Noise(), rare):
        truth = Truth()
        record(noise, HandPlan("too_many_cards", variant="stuck"), *script.clean(2), truth=truth)
        outs.append([(e["hand"], e["k"], e["uid"], e["t"]) for e in truth.of("out")])
    assert outs[0] == outs[1]
