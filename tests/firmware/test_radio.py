"""The firmware's radio against a simulated PN5180 with ISO 15693 tags, under CPython and the real MicroPython VM.

The scenarios are in `check_radio.py` and `check_radio_faults.py`, which both interpreters run unchanged. Here:
that each holds, and that the air time of the driver's own requests is what `tablectl.sim.airtime` says the simulated
table takes.
"""

from __future__ import annotations

import functools
import json
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from tablectl.sim import airtime

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware"
SCENARIOS = [
    (script, scenario)
    for script in ("check_radio.py", "check_radio_faults.py")
    for scenario in re.findall(r"^def (check_\w+)", (HERE / script).read_text(), re.MULTILINE)
]
INTERPRETERS = {"cpython": sys.executable}
if platform.machine() == "x86_64":  # the only machine the MicroPython wheel exists for
    INTERPRETERS["micropython"] = str(Path(sys.executable).with_name("micropython"))

LAST_SLOT_MS = airtime.SLOT_EDGE
"""`airtime` counts an end of frame for each of sixteen slots; the driver sends fifteen, the request opens the first."""


@functools.cache
def run(interpreter: str, script: str, given: str = "") -> list[str]:
    command = [INTERPRETERS[interpreter], str(HERE / script), str(FIRMWARE)]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("interpreter", INTERPRETERS)
@pytest.mark.parametrize(("script", "scenario"), SCENARIOS, ids=[scenario for _, scenario in SCENARIOS])
def test_scenario(interpreter: str, script: str, scenario: str) -> None:
    """What the comment of this scenario says holds with the driver's real byte sequences."""
    results = dict(line.split(": ", 1) for line in run(interpreter, script))
    assert results[scenario] == "ok"


class Look(NamedTuple):
    """What `radio_times.py` tells of one look."""

    air: float
    rounds: int
    uids: list[str]
    frames: int
    took: float


def looks(interpreter: str, cases: Sequence[tuple[bool, list[str]]]) -> list[Look]:
    given = "\n".join(json.dumps(case) for case in cases)
    return [Look(*json.loads(line)) for line in run(interpreter, "radio_times.py", given)]


def cards(count: int, seed: int) -> list[str]:
    """UIDs of one reel: they differ in their low bits."""
    return [f"E0040150{serial:08X}" for serial in Random(seed).sample(range(0x4000), count)]


CASES = [
    (several, cards(count, seed)) for several in (False, True) for count in (0, 1, 2, 5) for seed in range(4)
]
# equal in the lowest 4 and 8 bits, which makes a second and a third round
CASES += [
    (False, list(pair))
    for pair in combinations(("E0040150000000A1", "E0040150000000B1", "E0040150000001A1"), 2)
]


@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_a_look_takes_the_air_time_that_the_simulated_table_reckons_with(interpreter: str) -> None:
    """Requests, answers and pauses of the driver add up to `airtime.look`, for 0, 1, 2 and 5 tags."""
    for (several, uids), look in zip(CASES, looks(interpreter, CASES), strict=True):
        reckoned, times = airtime.look(tuple(uids), several=several)
        assert min(times, default=0) >= 0
        assert look.uids == sorted(uids)
        assert look.air == pytest.approx(reckoned - look.rounds * LAST_SLOT_MS, rel=1e-3), (several, uids)


def test_every_interpreter_takes_the_same_steps() -> None:
    """SPI frames and times are equal under both: what is proven here is what the board runs."""
    first, *others = [looks(interpreter, CASES) for interpreter in INTERPRETERS]
    assert all(other == first for other in others)


def test_a_look_takes_little_beside_its_air_time() -> None:
    """Guard time, SPI (7 Mbit/s, 10 µs a frame) and waiting add less than 2 ms, and 0.3 ms a slot."""
    for (_, uids), look in zip(CASES, looks("cpython", CASES), strict=True):
        assert look.took - look.air < 2 + look.rounds * airtime.SLOTS * 0.3, (uids, look)


def test_the_table_in_the_radio_s_page_is_what_the_looks_take() -> None:
    """Each row of RADIO.md: tags and first request → ms on air, ms in all, SPI frames."""
    text = (FIRMWARE / "RADIO.md").read_text()
    rows = re.findall(
        r"^\| (\d), (one slot|sixteen slots) \| ([\d.]+) \| ([\d.]+) \| (\d+) \|$", text, re.MULTILINE
    )
    assert len(rows) == 6
    cases = [
        (slots != "one slot", [f"E00401500000000{n + 1}" for n in range(int(tags))])
        for tags, slots, *_ in rows
    ]
    found = [(f"{look.air:.1f}", f"{look.took:.1f}", str(look.frames)) for look in looks("cpython", cases)]
    assert found == [tuple(figures) for _, _, *figures in rows]
