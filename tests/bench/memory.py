"""Resident memory of one whole table, journal and display included, as hands go by as fast as they can.

    memory.py FOLDER HANDS      prints "hands bytes" lines

The hands come from a simulator in a process of its own, so that only the table's memory is measured.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tablectl import recording
from tablectl.app import App
from tablectl.app.metrics import resident
from tablectl.config import load
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup
from tablectl.simulate import BRISK

SAMPLES = 10
BREATHE = 2000
"""After so many events the writer and the event loop get their turn, as they do at a real table."""


def feed(hands: int) -> None:
    """The simulator's side: a recording on standard output, with a slip in every tenth hand."""
    said = iter(range(hands + 1))

    def steps() -> Iterator[script.HandPlan]:
        for plan in script.endless(Random(1), 0.1):
            sys.stdout.write(json.dumps({"hands": (begun := next(said))}) + "\n")
            if begun == hands:
                return
            yield plan

    for line in generate(TableSetup(), steps(), preset("light"), seed=1, habits=BRISK):
        sys.stdout.write(json.dumps(line) + "\n")


def lines_of(process: subprocess.Popen[str], every: int) -> Iterator[dict[str, Any]]:
    """The recording's lines; at each mark the memory is told instead."""
    assert process.stdout is not None
    for text in process.stdout:
        line = json.loads(text)
        if "hands" not in line:
            yield line
        elif line["hands"] % every == 0:
            sys.stdout.write(f"{line['hands']} {resident()}\n")
            sys.stdout.flush()


async def measure(app: App, lines: Iterator[dict[str, Any]]) -> None:
    await app.start()
    assert app.journal is not None
    _, events = recording.from_objects(next(lines), lines)
    for count, event in enumerate(events):
        app.sense(event)
        if count % BREATHE == 0:
            app.journal.flush()
            await asyncio.sleep(0)
    await app.close()


def main(folder: Path, hands: int) -> None:
    setup = TableSetup()
    ports = [str(folder / f"reader{number}") for number in range(setup.boards)]
    app = App(load(setup.write(folder, ports, display={"port": 0})), log=lambda _: None)
    command = [sys.executable, __file__, "--feed", str(hands)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        asyncio.run(measure(app, lines_of(process, max(hands // SAMPLES, 1))))


if __name__ == "__main__":
    if sys.argv[1] == "--feed":
        feed(int(sys.argv[2]))
    else:
        main(Path(sys.argv[1]), int(sys.argv[2]))
