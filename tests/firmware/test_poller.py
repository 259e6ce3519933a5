"""The order in which a board looks at its antennas, and what it says of looks, beside the simulated board."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from desk import Desk
from line import Line
from main import Clock
from poller import Poller
from simulated_board import PlayedRadio, SimulatedBoard

from tablectl import wire
from tablectl.sim.board import Board, Frame
from tablectl.sim.noise import Noise

ZONE_PERIODS = (15, 24, 39, 39, 39, 39, 120, 39)
"""A plan like the table's, in whole thirds: a period of news is a third of it, and the firmware counts whole ms."""
GUARD_MS, OVERHEAD_MS = 1, 2
Reads = list[tuple[int, int, bytes]]


def uid(n: int) -> bytes:
    return bytes.fromhex(f"E0040150{n:08X}")


class Play:
    """What each antenna reads at its nth look, drawn from a seed: the same for whoever asks."""

    def __init__(self, seed: int, most: int) -> None:
        self.seed, self.most = seed, most

    def __call__(self, antenna: int, nth: int) -> tuple[int, Reads, str | None]:
        chance = Random(f"{self.seed} {antenna} {nth}")
        steady = Random(f"{self.seed} {antenna} {nth // 40}")
        lying = [steady.randrange(60) for _ in range(steady.randrange(self.most + 1))]
        seen = sorted({card for card in lying if chance.random() < 0.8})
        reads = [(3 * place + 2, -40 - place, uid(card)) for place, card in enumerate(seen)]
        return 2 + 3 * len(seen), reads, None


class Watched:
    """An antenna of the simulated board that reads what is played."""

    zone = "seat:1"
    neighbours: frozenset[str] = frozenset()

    def __init__(self, number: int, play: Play, looks: list[int]) -> None:
        self.number, self.play, self.looks = number, play, looks
        self.nth = 0

    def look(self, _t: float, _factor: float = 1.0) -> tuple[float, list[tuple[float, str, int | None]]]:
        ms, reads, _ = self.play(self.number, self.nth)
        self.nth += 1
        self.looks.append(self.number)
        return float(ms), [(float(dt), uid.hex().upper(), rssi) for dt, rssi, uid in reads]


def simulated(play: Play, plan: dict[int, int], until: int) -> tuple[list[int], list[Any]]:
    """The looks, and the frames as (sweep, begun, polled, seen), of the board in software."""
    looks: list[int] = []
    frames: list[Any] = []

    def sent(frame: Frame) -> None:
        seen = [(antenna, round(at), uid, rssi) for antenna, at, uid, rssi in frame.seen]
        frames.append((frame.sweep, round(frame.begun), sorted(frame.polled), seen))

    noise = replace(Noise(), guard_ms=float(GUARD_MS), overhead_ms=float(OVERHEAD_MS))
    antennas: dict[int, Any] = {number: Watched(number, play, looks) for number in plan}
    board = Board(0, antennas, noise, Random(1), sent)
    board.set_plan(plan, 0.0)
    while board.time < until:
        board.step()
    return looks, frames


def polled_by_firmware(play: Play, plan: dict[int, int], until: int) -> tuple[list[int], list[Any]]:
    """The same of the firmware's poller, with eight antennas on each front end; frames as they are on the line."""
    board = SimulatedBoard()
    looks: list[int] = []

    def over(first: int) -> Any:
        def played(antenna: int, nth: int) -> tuple[int, Reads, str | None]:
            ms, reads, fault = play(first + antenna, nth)
            looks.append(first + antenna)
            return GUARD_MS + ms + OVERHEAD_MS, [(GUARD_MS + dt, rssi, uid) for dt, rssi, uid in reads], fault

        return played

    radios = [(PlayedRadio(board, over(first)), 8) for first in range(0, max(plan) + 1, 8)]
    clock, line = Clock(board), Line(board)
    poller = Poller(radios, clock, line)
    while poller.turn() is not None:  # the front ends start
        pass
    began = clock()
    poller.set_plan([{"antenna": a, "period_ms": p, "power": 255} for a, p in plan.items()])
    while clock() - began < until:
        board.sleep_us(1000 * poller.turn())
        line.flush()
    frames = []
    for kind, _, body in wire.Decoder().feed(bytes(board.sent)):
        if kind == wire.SIGHTINGS:
            each = wire.unpack(kind, body)
            t0 = each["t0_ms"] - began
            polled = [antenna for antenna in range(32) if each["polled"] >> antenna & 1]
            seen = [(s["antenna"], t0 + s["dt_ms"], s["uid"].hex().upper(), s["rssi"]) for s in each["seen"]]
            frames.append((each["sweep"], t0, polled, seen))
    return looks, frames


@pytest.mark.parametrize(
    ("most", "periods"),
    [
        (0, ZONE_PERIODS),
        (2, ZONE_PERIODS),
        (3, (0, 300, 510, 450, 210)),
        (25, ZONE_PERIODS),
        (2, ZONE_PERIODS * 2),
        (6, (15, *[39] * 20)),
    ],
    ids=["empty", "hands", "time to spare", "a full muck", "two front ends", "three front ends"],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_firmware_looks_and_reports_as_the_simulated_board_does(
    most: int, periods: tuple[int, ...], seed: int
) -> None:
    """Given the same reads, a minute of looks in the same order, and every frame with the same sweep, times, antennas
    and tags: what is measured with the simulated board holds for the firmware."""
    plan = {number: period for number, period in enumerate(periods) if period}
    theirs, their_frames = simulated(Play(seed, most), plan, 60_000)
    ours, our_frames = polled_by_firmware(Play(seed, most), plan, 60_000)
    looks, frames = min(len(ours), len(theirs)), min(len(our_frames), len(their_frames))
    assert looks > 300
    assert frames > 100
    assert ours[:looks] == theirs[:looks]
    assert our_frames[:frames] == their_frames[:frames]
    assert max(len(ours), len(theirs)) - looks <= 1  # the end may fall into an idle time
    assert max(len(our_frames), len(their_frames)) - frames <= 1


def test_shoe_and_board_are_looked_at_more_often_than_quiet_seats() -> None:
    """Short of air time the plan's proportions hold: the shoe most, the muck least, the seats alike."""
    looks = Counter(polled_by_firmware(Play(1, 2), dict(enumerate(ZONE_PERIODS)), 60_000)[0])
    assert looks[0] > looks[1] > max(looks[n] for n in (2, 3, 4, 5, 7))
    assert looks[6] < min(looks[n] for n in (2, 3, 4, 5, 7))


@pytest.mark.parametrize(
    ("tags", "slots"),
    [(0, [False] * 24), (2, [False] + [True] * 23), (1, ([False] * 8 + [True]) * 2 + [False] * 6)],
)
def test_which_looks_begin_with_slots(tags: int, slots: list[bool]) -> None:
    """After several tags, each next look; at a lone tag, every ninth, for it may drown another; at none, no look."""
    begun: list[bool] = []

    def read(_antenna: int, _nth: int) -> tuple[int, Reads, str | None]:
        begun.append(desk.radios[0].asked[2])
        return 6, [(2, -40, uid(n)) for n in range(tags)], None

    desk = Desk(read)
    desk.plan(0)
    desk.run(2000)
    assert begun[:24] == slots
