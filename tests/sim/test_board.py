"""The poll order of a reader board: what it looks at next when air time is short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tablectl import wire
from tablectl.layout import poll_period
from tablectl.sim.board import Board, Frame
from tablectl.sim.device import Device, since_begun
from tablectl.sim.line import Line
from tablectl.sim.noise import Noise

MakeLab = Callable[..., Any]
"""Makes a `Lab` (see conftest) from a noise."""


def board_of(felt: Any, *zones: str) -> tuple[Board, Counter[str]]:
    """A board that polls these zones with the usual periods, and how often it has looked at each."""
    looks: Counter[str] = Counter()
    names = dict(enumerate(zones))

    def count(frame: Frame) -> None:
        looks.update(names[number] for number in frame.polled)

    board = Board(0, {n: felt.antennas[zone] for n, zone in names.items()}, Noise(), Random(1), count)
    board.set_plan({n: poll_period(zone) for n, zone in names.items()}, 0.0)
    return board, looks


def poll(board: Board, until: float) -> None:
    """Lets the board look around until that time, ms."""
    while board.time < until:
        board.step()


def test_shoe_and_board_are_looked_at_more_often_than_quiet_seats(lab: MakeLab) -> None:
    """A board short of air time keeps the proportions of the plan: the shoe most, the muck least."""
    felt = lab(Noise())
    seats = [f"seat:{n}" for n in range(1, 10)]
    for seat in seats:
        felt.lay(seat, 2)
    board, looks = board_of(felt, "shoe", "board", *seats, "muck")
    poll(board, 20_000.0)
    quiet = [looks[seat] for seat in seats]
    assert max(quiet) - min(quiet) <= 2
    assert looks["shoe"] > looks["board"] > max(quiet) > looks["muck"] > 0


def test_nobody_is_looked_at_more_often_than_the_plan_says(lab: MakeLab) -> None:
    """With air time to spare the periods hold."""
    board, looks = board_of(lab(Noise()), "shoe", "seat:1")
    poll(board, 6000.0)
    assert looks["shoe"] <= 6000 / poll_period("shoe") + 1
    assert looks["seat:1"] <= 6000 / poll_period("seat:1") + 1


def test_an_antenna_that_reads_a_new_tag_is_looked_at_more_often_for_a_while(lab: MakeLab) -> None:
    """News at one seat takes air time from the quiet ones, then all are equal again."""
    felt = lab(Noise())
    seats = [f"seat:{n}" for n in range(1, 7)]
    for seat in seats:
        felt.lay(seat, 2)
    board, looks = board_of(felt, *seats)
    poll(board, 3000.0)
    looks.clear()
    felt.lay("seat:3")
    poll(board, 3350.0)
    assert looks["seat:3"] > 1.5 * max(looks[seat] for seat in seats if seat != "seat:3")
    poll(board, 6000.0)
    looks.clear()
    poll(board, 9000.0)
    assert abs(looks["seat:3"] - looks["seat:1"]) <= 2


def test_a_new_plan_may_come_at_any_moment(lab: MakeLab) -> None:
    """A host that restarts sends its plan again, in a look or in the wait for one: no frame begins after a read of
    it or goes out before it, and none spans the time in which nothing is polled."""
    felt = lab(Noise())
    zones = ("shoe", "seat:1", "seat:2", "muck")
    for zone in zones:
        felt.lay(zone, 2)
    frames: list[Frame] = []
    antennas = {number: felt.antennas[zone] for number, zone in enumerate(zones)}
    board = Board(0, antennas, Noise(), Random(1), frames.append)
    plan = {number: poll_period(zone) for number, zone in enumerate(zones)}
    chance, now = Random(2), 0.0
    for restart in range(400):
        board.set_plan(plan, now)
        now += chance.uniform(0.0, 300.0)
        poll(board, now)
        if restart % 40 == 0:
            board.set_plan({}, now)
            now += 100_000.0
    assert len(frames) > 400
    for frame in frames:
        times = [at for _, at, _, _ in frame.seen]
        assert frame.begun <= min(times, default=frame.begun)
        assert max(times, default=frame.begun) <= frame.sent < frame.begun + 200


def test_a_host_may_restart_as_often_as_it_likes(lab: MakeLab) -> None:
    """Under one board that keeps running a host comes, sends its plan and goes, hundreds of times: every frame on the
    line can be read, and the board's clock says of every read when it was."""
    felt = lab(Noise())
    zones = ("seat:1", "seat:2", "shoe")
    for zone in zones:
        felt.lay(zone, 2)
    device: list[Device] = []
    antennas = {number: felt.antennas[zone] for number, zone in enumerate(zones)}
    board = Board(0, antennas, Noise(), Random(1), lambda frame: device[0].sightings(frame))
    time = felt.time
    device.append(Device(board, Line(Noise(), Random(2)), time, Random(3), optical=False))
    plan = [{"antenna": number, "period_ms": 400 - 120 * number, "power": 255} for number in antennas]
    chance, host = Random(4), wire.Decoder()
    reads = 0
    for seq in range(400):
        device[0].feed(wire.encode(wire.GET_HELLO, 0, b""))
        device[0].feed(wire.encode(wire.SET_POLL_PLAN, seq & 0xFF, wire.pack(wire.SET_POLL_PLAN, plan=plan)))
        until = time.now + chance.uniform(0.0, 250.0)
        poll(board, until)
        felt.wait(until - time.now)
        for kind, _, body in host.feed(device[0].due(time.now)):
            if kind == wire.SIGHTINGS:
                seen = wire.unpack(kind, body)["seen"]
                reads += len(seen)
                assert all(each["dt_ms"] < 200 for each in seen)
    assert reads > 400
    assert (host.bad_cobs, host.bad_crc) == (0, 0)


@pytest.mark.parametrize(
    ("ms", "said"),
    [(0, 0), (17, 17), (65535, 65535), (65536, 65535), (-9, 0), (5 - (1 << 32), 5), ((1 << 32) - 9, 0)],
)
def test_when_a_read_was_fits_the_frame(ms: int, said: int) -> None:
    """Between two readings of a 32-bit clock, also across its wrap: 0 to 65535 ms, whatever they were."""
    assert since_begun(ms) == said
