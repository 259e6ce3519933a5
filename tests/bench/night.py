"""A recorded evening, played in real time to a real table: boards on ptys in one process, the controller in another.

Owns: making the recording and the table, and running both until all is played. Refuses: what is measured.
Times are CLOCK_MONOTONIC in ns, which all processes of a machine share.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup
from tablectl.simulate import BRISK

HERE = Path(__file__).parent
SEAT_PINS = [5, 6, 13, 19, 26, 16, 20, 21, 12]
PANEL = {"pins": "simulated", "buzzer": 18, "alarm_led": 17, "seat_leds": SEAT_PINS}
SLIPS = "wrong_first_seat, joker, ineligible_seat, foreign_card, too_many_cards, wrong_seat, duplicate_card"


@dataclass(frozen=True)
class Served:
    """What became of one sweep that was written to a pty."""

    written: int
    done: int
    """When the pins were served."""
    rose: int | None
    """When a pin rose in it, if one did."""
    confirmed: bool
    """An irregularity was confirmed in it."""


def progress(text: str) -> None:
    """One line about what is going on, on standard error."""
    sys.stderr.write(f"  {text}\n")
    sys.stderr.flush()


@contextmanager
def process(*command: str | Path, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A Python program that runs inside `with`."""
    with subprocess.Popen([sys.executable, *map(str, command)], text=True, **options) as running:
        try:
            yield running
        finally:
            if running.poll() is None:
                running.terminate()


def line_with(stream: Any, part: str) -> str:
    """The first line that a process says with that in it."""
    for line in stream:
        if part in line:
            return str(line)
    raise SystemExit(f"bench: a process ended before it said {part!r}")


def drain(stream: Any) -> None:
    """Reads to the end what nobody wants."""
    for _ in stream:
        pass


@contextmanager
def controller(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A table of nine with two boards (their ports appear when `player.py` starts), and its display's address."""
    setup = TableSetup()
    ports = [str(folder / f"reader{number}") for number in range(setup.boards)]
    config = setup.write(folder, ports, panel=PANEL, display={"port": 0})
    with process(HERE / "controller.py", config, folder / "served.json", stderr=subprocess.PIPE) as running:
        url = line_with(running.stderr, "started ").split()[1]
        threading.Thread(target=drain, args=(running.stderr,), daemon=True).start()
        yield running, url


def play(
    hands: str, watched: Callable[[str], AbstractContextManager[object]] = nullcontext
) -> tuple[list[Served], int]:
    """What became of every sweep, and the controller's resident memory at the end in bytes.

    `watched` gets the display's address and watches it meanwhile.
    """
    steps = script.parse(hands)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        recording = folder / "night.jsonl"
        seconds = 0
        with recording.open("w") as file:
            for line in generate(TableSetup(), steps, preset("light"), seed=1, habits=BRISK):
                file.write(json.dumps(line) + "\n")
                seconds = line.get("t", 0) // 1000
        progress(f"{len(steps)} hands on two ptys in real time: {seconds} s")
        with controller(folder) as (running, url), watched(url):
            command = (HERE / "player.py", folder, recording, f"{url}input")
            pipe = subprocess.PIPE
            with process(*command, stdin=pipe, stdout=pipe) as player:
                for said in player.stdout or ():
                    if said == "played\n":
                        break
                    progress(f"{said.strip()} of {seconds} s")
                running.send_signal(signal.SIGTERM)
                running.wait(30)
        result = json.loads((folder / "served.json").read_text())
        written = json.loads((folder / "written.json").read_text())
    return list(_matched(result["served"], written)), result["resident"]


def _matched(result: dict[str, list[Any]], written: dict[str, list[int]]) -> Iterator[Served]:
    for reader, served in result.items():
        if len(written[reader]) - len(served) not in (0, 1):
            raise SystemExit(f"bench: reader {reader}: {len(served)} events of {len(written[reader])} sweeps")
        # The first sweep after a HELLO may say nothing and make no event: the ends are the same.
        for sent, entry in zip(reversed(written[reader]), reversed(served), strict=False):
            yield Served(sent, *entry)
