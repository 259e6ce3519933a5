"""Readers' lines, recordings, configurations and HTTP take any bytes: nothing crashes, hangs, or is kept."""

from __future__ import annotations

import gc
import tracemalloc
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from targets import HELLO, SEEDS, TARGETS, UIDS, Heard, _chip_line, pn532_line, web

from tablectl import wire
from tablectl.core.sensed import Sensed
from tablectl.shell.readers import Timing
from tablectl.shell.readers.pepper import PepperTalk
from tablectl.shell.readers.session import Session

EXAMPLES = {"wire": 80, "pepper": 80, "pn532": 80, "recordings": 60, "configuration": 100, "http": 60}
FLOOD = 128 << 10
"""Bytes of a flood: while memory is watched, Python is some twenty times slower."""
KEPT = 64 << 10
"""What a flood may leave behind at most, bytes: half of it."""


def inputs(target: str) -> st.SearchStrategy[bytes]:
    """Any bytes, portions of them, and seeds with a piece replaced."""
    spoiled = st.builds(
        lambda seed, at, piece: seed[: at % len(seed)] + piece + seed[at % len(seed) + len(piece) :],
        st.sampled_from(SEEDS[target]), st.integers(0, 400), st.binary(max_size=6),
    )  # fmt: skip
    portions = st.lists(st.binary(max_size=60), max_size=12).map(
        lambda each: b"".join(bytes([len(one)]) + one for one in each)
    )
    return (
        st.binary(max_size=300)
        | spoiled
        | st.tuples(st.binary(min_size=1, max_size=1), portions).map(b"".join)
    )


@pytest.mark.parametrize("target", TARGETS)
def test_any_bytes_are_taken(target: str) -> None:
    """The target's own assertions hold for whatever comes, and for each seed as it stands."""

    @settings(max_examples=EXAMPLES[target], deadline=None, suppress_health_check=list(HealthCheck))
    @given(inputs(target))
    def fuzzed(data: bytes) -> None:
        TARGETS[target](data)

    for seed in SEEDS[target]:
        TARGETS[target](seed)
    fuzzed()


@pytest.mark.parametrize(
    "noise", [b"\xa5" * 4096, bytes(range(1, 256)) * 16, b"\x00\xff" * 2048, b"\xf5\xff\x00\x00\xff" * 800]
)
@pytest.mark.parametrize("target", ["wire", "pepper", "pn532", "http"])
def test_a_flood_leaves_nothing_behind(target: str, noise: bytes) -> None:
    """Megabytes of noise on a line, without an end or with one everywhere, cost no memory that stays."""
    heard = Heard()
    ports = {1: "shoe", 2: "seat:1", 5: "seat:2"}
    lines = {
        "wire": Session(0, "port", {0: "shoe"}, emit=heard.emit, report=lambda _: None, timing=Timing()),
        "pepper": PepperTalk(0, "port", ports, emit=heard.emit, report=lambda _: None, timing=Timing()),
    }
    for line in lines.values():
        line.opened(0, lambda _: None)

    def send(times: int) -> None:
        for number in range(times):
            if target == "pn532":
                pn532_line(noise[:2048])
            elif target == "http":
                web().loop.run_until_complete(web().ask(noise * 4, network=False, wait_s=0.002))
            else:
                lines[target].received(noise, number)

        if target == "http":
            web().settle()

    times = {"pn532": 60, "http": 40}.get(target, FLOOD // len(noise))
    send(5)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    send(times)
    gc.collect()  # a connection and its protocol know one another
    kept = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert kept < KEPT, (target, kept)


def test_the_targets_reach_what_they_are_for() -> None:
    """The counter-proof: the seeds make sweeps, frames, decisions' inputs, faults and inputs, so the fuzzing begins
    inside, not at the door."""
    seen: Counter[str] = Counter()

    def count(event: Sensed) -> None:
        seen[type(event).__name__] += 1

    session = Session(0, "port", {1: "seat:1"}, emit=count, report=lambda _: None, timing=Timing())
    session.opened(0, lambda _: None)
    session.received(wire.encode(wire.HELLO, 0, HELLO), 0)
    body = SEEDS["wire"][1][3:]
    session.received(wire.encode(wire.SIGHTINGS, 1, body), 10)
    assert seen["Sweep"] == 1, seen
    assert UIDS[0] in Heard().core.setting.decks[0].cards
    port, _ = _chip_line()
    frames = port._counters["frames"]
    pn532_line(SEEDS["pn532"][1])
    assert port._counters["frames"] == frames + 1
    entered = len(web().entered)
    TARGETS["http"](SEEDS["http"][1])
    assert len(web().entered) == entered + 1


def test_a_target_that_fails_is_noticed() -> None:
    """The counter-proof of the runner: a bug that some inputs meet is found by the same search."""

    @settings(max_examples=500, deadline=None, database=None)
    @given(inputs("wire"))
    def fuzzed(data: bytes) -> None:
        assert b"\xff" not in data

    with pytest.raises(AssertionError):
        fuzzed()
