"""Recordings of simulated evenings: repeatable, in order, and honest about what was not seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from tablectl.errors import UsageError
from tablectl.sim import script
from tablectl.sim.noise import Noise, preset
from tablectl.sim.record import generate
from tablectl.sim.script import BoardStep, HandPlan, Step
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth

Line = dict[str, Any]


def record(
    steps: Iterable[Step], noise: Noise | None = None, seed: int = 1, truth: Truth | None = None, **setup: Any
) -> list[Line]:
    return list(generate(TableSetup(**setup), steps, noise or Noise(), seed, truth=truth))


def sweeps(lines: list[Line]) -> list[Line]:
    return [{"t": line["t"], **line["sweep"]} for line in lines if "sweep" in line]


def test_the_same_seed_gives_the_same_recording() -> None:
    """Recording and truth repeat to the letter; another seed gives another evening."""
    truths = [Truth(), Truth(), Truth()]
    one, again, other = (
        record(script.clean(2), preset("harsh"), seed, truth)
        for seed, truth in zip((1, 1, 2), truths, strict=True)
    )
    assert one == again != other
    assert truths[0].events == truths[1].events != truths[2].events


def test_noise_does_not_change_what_the_dealer_does() -> None:
    """The same cards leave the shoe in the same order on a perfect and on a harsh table."""
    outs = []
    for name in ("clean", "harsh"):
        truth = Truth()
        record(script.clean(1), preset(name), 5, truth)
        outs.append([(e["k"], e["uid"]) for e in truth.of("out")])
    assert outs[0] == outs[1]


def test_lines_are_in_order_and_name_only_what_exists() -> None:
    """Times never go back; readers and antennas are those of the header; inputs are those of the truth."""
    truth = Truth()
    header, *lines = record(script.clean(2), preset("heavy"), truth=truth)
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    readers = header["config"]["reader"]
    for sweep in sweeps(lines):
        known = {int(number) for number in readers[sweep["reader"]]["antennas"]}
        assert set(sweep["polled"]) <= known
        assert {item[0] for item in sweep["seen"]} <= known
        assert all(age >= 0 for *_, age in sweep["seen"])
    assert [line["input"] for line in lines if "input" in line] == [e["entry"] for e in truth.of("entry")]


def test_on_a_perfect_table_sweeps_show_where_the_cards_are() -> None:
    """Each read of a card, dated by its age, falls into a time in which the card was there."""
    truth = Truth()
    header, *lines = record(script.clean(1), truth=truth)
    zones = {
        (reader, int(antenna)): zone
        for reader, each in enumerate(header["config"]["reader"])
        for antenna, zone in each["antennas"].items()
    }
    stays: dict[tuple[str, str], list[list[float]]] = {}
    ks = {e["k"]: e["uid"] for e in truth.of("out")}
    for event in truth.events:
        if event["event"] == "rest":
            stays.setdefault((event["uid"], event["zone"]), []).append([event["t"], 1e9])
        elif event["event"] in {"leave", "lift"}:
            stays[ks[event["k"]], event["zone"]][-1][1] = event["t"]
    reads = 0
    for sweep in sweeps(lines):
        for antenna, uid, _, age in sweep["seen"]:
            zone = zones[sweep["reader"], antenna]
            if zone != "shoe":
                reads += 1
                at = sweep["t"] - age
                # A look at a pile takes long, and what it finds is settled when it begins.
                late = 400 if zone == "muck" else 35
                assert any(start - 5 <= at <= end + late for start, end in stays[uid, zone])
    assert reads > 500


def seats_of(header: Line, reader: int) -> set[int]:
    """That board's antennas under seats."""
    antennas = header["config"]["reader"][reader]["antennas"]
    return {int(number) for number, zone in antennas.items() if zone.startswith("seat")}


@pytest.mark.parametrize("boards", [1, 2, 4])
def test_the_cycle_slows_with_the_tags(boards: int) -> None:
    """Real air time: the time between two looks at a seat grows once two cards lie at every seat."""
    truth = Truth()
    header, *lines = record([HandPlan(near_miss="slow_pause")], seed=4, truth=truth, seats=10, boards=boards)
    dealt = next(e["t"] for e in truth.of("rest") if e["k"] == 20)
    started = truth.of("hand_start")[0]["t"]
    pauses = {"empty": [], "full": []}
    last: dict[tuple[int, int], float] = {}
    for sweep in sweeps(lines):
        when = "empty" if sweep["t"] < started else "full" if dealt < sweep["t"] < dealt + 400 else None
        for antenna in set(sweep["polled"]) & seats_of(header, sweep["reader"]):
            before = last.get((sweep["reader"], antenna))
            if when and before is not None:
                pauses[when].append(sweep["t"] - before)
            last[sweep["reader"], antenna] = sweep["t"]
    # Formulas of the tracking specification; a poll plan asks for every seat more often than this.
    floor = {1: 230, 2: 110, 4: 50}[boards]
    assert max(pauses["empty"]) <= 80
    assert max(pauses["full"]) >= floor


def test_a_lost_frame_is_a_gap_and_its_sweep_proves_no_absence() -> None:
    """After a loss comes a gap line; the torn sweep names no antenna as polled but keeps its reads."""
    lines = record(script.clean(1), replace(Noise(), loss=(0.05, 0.05)))
    after = [line["sweep"] for before, line in pairwise(lines) if "gap" in before and "sweep" in line]
    assert len(after) > 20
    assert any(not sweep["polled"] and sweep["seen"] for sweep in after)
    whole = record(script.clean(1))
    assert not any("gap" in line for line in whole)
    assert all(sweep["polled"] for sweep in sweeps(whole))


def test_boards_come_and_go() -> None:
    """An unplugged board is lost and found, a restarted one leaves a gap, a dead antenna says so."""
    steps: list[Step] = [
        BoardStep("unplug", 0, after_ms=4000),
        BoardStep("replug", 0, after_ms=9000),
        BoardStep("restart", 1, after_ms=12_000),
        BoardStep("dead", 1, 0, after_ms=200),
        HandPlan(reach="river"),
    ]
    truth = Truth()
    lines = record(steps, seed=3, truth=truth)
    named = {name: line["t"] for line in lines for name in ("lost", "found", "gap", "health") if name in line}
    assert set(named) == {"lost", "found", "gap", "health"}
    silent = [s for s in sweeps(lines) if s["reader"] == 0 and named["lost"] + 10 < s["t"] < named["found"]]
    assert not silent
    dead = [s for s in sweeps(lines) if s["reader"] == 1 and s["t"] > 300]
    assert any(0 in s["polled"] for s in dead)
    assert not any(item[0] == 0 for s in dead for item in s["seen"])
    assert [e["what"] for e in truth.of("board")] == ["dead", "unplug", "replug", "restart"]


def test_zones_without_an_antenna_stay_unseen() -> None:
    """A table without shoe and burn antennas deals the same hands and reports only what it has."""
    truth = Truth()
    header, *lines = record(script.clean(1), truth=truth, without=frozenset({"shoe", "burn"}))
    zones = [zone for reader in header["config"]["reader"] for zone in reader["antennas"].values()]
    assert sorted(zones) == sorted(["board", "muck", *(f"seat:{n}" for n in range(1, 10))])
    assert any(event["zone"] == "burn" for event in truth.of("rest"))
    assert sweeps(lines)


def test_a_board_can_have_a_field_for_each_street() -> None:
    """With a split board each street's cards rest in a zone of their own."""
    truth = Truth()
    record([HandPlan(reach="river")], seed=2, truth=truth, split_board=True)
    first: dict[int, str] = {}
    for event in truth.of("rest"):
        first.setdefault(event["k"], event["zone"])
    streets = [zone for zone in first.values() if zone.startswith("board")]
    assert streets == ["board:flop"] * 3 + ["board:turn", "board:river"]


def test_an_optical_sensor_reports_every_card_that_leaves() -> None:
    """One passage for each card, none without the sensor."""
    truth = Truth()
    lines = record(script.clean(1), truth=truth, optical=True)
    passages = [line["passage"] for line in lines if "passage" in line]
    assert len(passages) == len(truth.of("out"))
    assert not any("passage" in line for line in record(script.clean(1)))


def test_a_slip_that_has_no_room_is_refused() -> None:
    """A skipped seat needs three players; the error says so."""
    with pytest.raises(UsageError, match="seat_skipped cannot happen at this table: it needs three players"):
        record([HandPlan("seat_skipped")], seats=2)


def test_a_pile_is_one_list_however_many_frames_carry_it() -> None:
    """More tags than a frame holds come as one sweep line: no tag of a polled antenna is missing in it."""
    truth = Truth()
    header, *lines = record([HandPlan(reach="river")], seed=2, truth=truth, seats=10)
    (reader, antenna) = next(
        (number, int(antenna))
        for number, each in enumerate(header["config"]["reader"])
        for antenna, zone in each["antennas"].items()
        if zone == "muck"
    )
    piled = max(e["t"] for e in truth.of("rest") if e["zone"] == "muck")
    gone = min(e["t"] for e in truth.of("leave") if e["to"] == "hand")
    tags = {e["uid"] for e in truth.of("rest") if e["zone"] == "muck"}
    lists = [
        {uid for number, uid, *_ in sweep["seen"] if number == antenna}
        for sweep in sweeps(lines)
        if sweep["reader"] == reader and antenna in sweep["polled"] and piled + 500 < sweep["t"] < gone
    ]
    assert len(tags) > 17
    assert lists
    assert all(found == tags for found in lists)
