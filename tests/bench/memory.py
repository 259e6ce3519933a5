"""Resident memory of one whole table, journal included, after each hundred hands as fast as it goes.

memory.py FOLDER HANDS      prints "hands bytes" lines
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tablectl import recording
from tablectl.app import App
from tablectl.app_metrics import resident
from tablectl.config import load
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup
from tablectl.simulate import BRISK

SAMPLES = 10


async def main(folder: Path, hands: int) -> None:
    setup = TableSetup()
    path = setup.write(
        folder, [str(folder / f"reader{number}") for number in range(setup.boards)], display={"port": 0}
    )
    app = App(load(path), log=lambda _: None)
    every = max(hands // SAMPLES, 1)
    begun = 0

    def steps() -> Iterator[script.HandPlan]:
        """A slip in every tenth hand. Each hundred hands the memory is told."""
        nonlocal begun
        for plan in script.endless(Random(1), 0.1):
            if begun % every == 0:
                sys.stdout.write(f"{begun} {resident()}\n")
                sys.stdout.flush()
            if begun == hands:
                return
            begun += 1
            yield plan

    lines: Iterator[dict[str, Any]] = iter(generate(setup, steps(), preset("light"), seed=1, habits=BRISK))
    await app.start()
    assert app.journal is not None
    _, events = recording.from_objects(next(lines), lines)
    for count, event in enumerate(events):
        app.sense(event)
        if count % 2000 == 0:
            app.journal.flush()
            await asyncio.sleep(0)
    await app.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
