"""`tablectl run` with a stop watch: the same App, with pins that note when they rise.

controller.py TABLE.toml RESULT.json      until SIGTERM
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from pathlib import Path
from typing import Any

from tablectl.app import App
from tablectl.app.log import to_stderr
from tablectl.app.metrics import resident
from tablectl.config import load
from tablectl.core.decisions import Decision, Irregularity
from tablectl.core.sensed import Sensed, Sweep
from tablectl.shell.panel import SimulatedPins


class Pins(SimulatedPins):
    """Notes when any output last went high."""

    def __init__(self) -> None:
        super().__init__()
        self.rises = 0
        self.rose_ns = 0

    def write(self, pin: int, level: Any) -> None:
        super().write(pin, level)
        if level:
            self.rises += 1
            self.rose_ns = time.monotonic_ns()


class Timed(App):
    """Notes, for each sweep of a reader, when its pins were served, when one rose in it, and whether an irregularity
    was confirmed by it."""

    def __init__(self, path: Path) -> None:
        self.pins = Pins()
        super().__init__(load(path), pins=self.pins)
        self.served: dict[int, list[tuple[int, int | None, bool]]] = {}
        self._untimed, self.line.step = self.line.step, self._timed  # type: ignore[method-assign]

    def _timed(self, event: Sensed) -> tuple[bool, tuple[Decision, ...]]:
        rises = self.pins.rises
        result = self._untimed(event)
        done = time.monotonic_ns()
        if isinstance(event, Sweep):
            rose = self.pins.rose_ns if self.pins.rises != rises else None
            confirmed = any(each.type == Irregularity.type for each in result[1])
            self.served.setdefault(event.reader, []).append((done, rose, confirmed))
        return result


async def main(path: Path) -> dict[str, Any]:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    app = Timed(path)
    try:
        await app.start()
        to_stderr(f"started {app.display.url if app.display else ''}")
        await stop.wait()
        memory = resident()
    finally:
        await app.close()
    return {"served": app.served, "resident": memory}


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(asyncio.run(main(Path(sys.argv[1])))))
