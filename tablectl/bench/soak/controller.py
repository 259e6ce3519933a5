"""The controller's process of a soak: `python -m tablectl.bench.soak.controller FD TABLE.toml RECORDING`.

The real app on an accelerated loop, a page that listens to it, and the ptys of its boards. What it is asked for comes
over the pipe with that descriptor.

Owns: putting these together, and saying how the process is. Refuses: what happens at the table (`boards`).
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import Counter, deque
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

from tablectl.app import App
from tablectl.app.metrics import resident
from tablectl.bench.soak.cable import Cable
from tablectl.bench.soak.clock import Accelerated
from tablectl.config import load
from tablectl.shell.panel.pins import Level, Pull

LEAK_BYTES = 1024
"""What the leak that is asked for keeps, at each sweep of a reader, bytes."""
LOG_LINES = 400
DECISIONS = re.compile(r'^tablectl_decisions_total\{type="(\w+)"\} (\d+)', re.MULTILINE)
NO_FAULTS = b'"faults":[]'


class Pins:
    """Pins that only count how often one of them was switched on: `SimulatedPins` remembers, which is memory."""

    def __init__(self) -> None:
        self.rises = 0
        self._levels: dict[int, Level] = {}

    def setup_output(self, pin: int) -> None:
        """See `Pins`."""
        self._levels[pin] = 0

    def setup_input(self, pin: int, pull: Pull) -> None:
        """See `Pins`."""
        self._levels[pin] = 1 if pull == "up" else 0

    def write(self, pin: int, level: Level) -> None:
        """See `Pins`."""
        self.rises += level and not self._levels[pin]
        self._levels[pin] = level

    def pulse(self, pin: int, hz: int, duty: int) -> None:
        """See `Pins`."""
        del hz, duty
        self.write(pin, 1)

    def read(self, pin: int) -> Level:
        """See `Pins`."""
        return self._levels[pin]

    def close(self) -> None:
        """See `Pins`."""
        self._levels.clear()


class Page:
    """A dealer's page: follows the display's stream, and keeps what it was told of faults."""

    def __init__(self) -> None:
        self.beats = self.states = 0
        self.faults: Counter[str] = Counter()
        """Text of a fault → states that showed it."""
        self._rest = b""

    async def watch(self, port: int) -> None:
        """Follows the stream to its end."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        while data := await reader.read(1 << 16):
            *events, self._rest = (self._rest + data).split(b"\n\n")
            for event in events:
                self._event(event)

    def _event(self, event: bytes) -> None:
        if b"event: beat" in event:
            self.beats += 1
        elif b"event: state" in event:
            self.states += 1
            if NO_FAULTS not in event:
                line = next(each for each in event.split(b"\n") if each.startswith(b"data: "))
                with suppress(ValueError):  # a chunk's length may stand inside: the next state says it again
                    state = json.loads(line[6:])
                    self.faults.update(f"{each['what']}: {each['text']}" for each in state["faults"])


class Leak:
    """What a soak must notice: memory that is never given back, a little with each sweep."""

    def __init__(self, app: App) -> None:
        self._kept: list[bytearray] = []
        sense = app.sense

        def leaking(event: Any) -> None:
            self._kept.append(bytearray(LEAK_BYTES))
            sense(event)

        app.sense = leaking  # type: ignore[method-assign]


async def control(pipe: Connection, table: Path, record: Path, *, leak: bool) -> None:
    """One table until the last window."""
    loop = cast("Accelerated", asyncio.get_running_loop())
    config = load(table)
    log: deque[str] = deque(maxlen=LOG_LINES)
    pins, page = Pins(), Page()

    def say(text: str) -> None:
        log.append(f"{loop.time():.1f} s: {text}")

    app = App(config, log=say, record=record, pins=pins, clock=loop.time)
    if leak:
        Leak(app)

    def look() -> dict[str, Any]:
        journal = app.journal
        return {
            "resident": resident(),
            "acknowledged": journal.acknowledged if journal else 0,
            "dropped": journal.dropped if journal else 0,
            "journal": (journal.fault or "") if journal else "",
            "wall": time.time(),
            "real_s": time.monotonic(),
            "cpu_s": time.process_time(),
            "rises": pins.rises,
            "faults": [f"{each['what']}: {each['text']}" for each in app.faults()],
        }

    cable = Cable(loop, pipe, [Path(each.port) for each in config.readers], look)
    await app.start()
    assert app.display is not None  # noqa: S101 (it was asked for)
    cable.port = app.display.port
    tasks = [asyncio.create_task(cable.enter()), asyncio.create_task(page.watch(cable.port))]
    loop.outside = cable
    await cable.over.wait()
    told = {name: int(count) for name, count in DECISIONS.findall(app.metrics_text())}
    readers = {str(each.state.number): dict(each.counters) for each in app.readers}
    await app.close()
    for task in tasks:
        task.cancel()
    cable.close(
        decisions=told, readers=readers, page={"states": page.states, "beats": page.beats, "faults": page.faults},
        entered=cable.entered, refused=cable.refused, port_dropped=cable.dropped, log=list(log),
    )  # fmt: skip


def main(arguments: list[str]) -> None:
    """See the module."""
    pipe = Connection(int(arguments[0]))
    with asyncio.Runner(loop_factory=Accelerated) as runner:
        runner.run(control(pipe, Path(arguments[1]), Path(arguments[2]), leak="leak" in arguments[3:]))


if __name__ == "__main__":
    main(sys.argv[1:])
