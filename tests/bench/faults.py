"""How long a fault takes to the dealer's screen: a real table with a board on a pty, and a real Chromium.

Owns: making the faults one at a time, and the time until the page says so. Refuses: what the page says then
(`tests/app/test_faults_on_screen.py` proves it within the three seconds that are promised).

Each figure ends when the browser has told of the change, some hundredths of a second after it was painted.
"""

from __future__ import annotations

import resource
import runpy
import signal
import struct
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from screen import chromium, pages

APP = Path(__file__).parents[1] / "app"
ANTENNA_HEALTH, WEAK = 0x11, 1
STRIP, COVER = ".strip", "#cover:not([hidden])"
Fault = tuple[str, str, Callable[[Any, Any], object], str]
"""What, how the table is started, what is done to the board and the process, and what is to be seen then."""


def _full(_: Any, table: Any) -> None:
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.prlimit(table.process.pid, resource.RLIMIT_FSIZE, (0, most))


def _told(how: signal.Signals) -> Callable[[Any, Any], object]:
    return lambda _, table: table.process.send_signal(how)


FAULTS: tuple[Fault, ...] = (
    ("reader unplugged", "", lambda board, _: board.unplug(), STRIP),
    ("reader silent, its line stands", "", lambda board, _: setattr(board, "mute", True), STRIP),
    ("reader alive, but looks nowhere", "", lambda board, _: setattr(board, "dreams", True), STRIP),
    (
        "antenna weak",
        "",
        lambda board, _: board.extra.append((ANTENNA_HEALTH, struct.pack("<BBHHH", 3, WEAK, 0, 0, 0))),
        STRIP,
    ),
    ("disk full", "", _full, STRIP),
    ("core fails at every sweep", "damage", _told(signal.SIGUSR1), COVER),
    ("core hangs in a step", "hang", _told(signal.SIGUSR1), COVER),
    ("process stopped", "", _told(signal.SIGSTOP), COVER),
    ("process killed", "", _told(signal.SIGKILL), COVER),
)


def to_the_screen(times: int) -> dict[str, list[float]]:
    """Fault → how long it took until the page showed it, s, so many times each."""
    made = runpy.run_path(str(APP / "conftest.py"))["Bench"]
    program = runpy.run_path(str(APP / "test_faults_on_screen.py"))["DAMAGED"]
    took: dict[str, list[float]] = {}
    with chromium() as browser:
        for what, how, spoil, seen in FAULTS * times:
            with tempfile.TemporaryDirectory() as place, pages(browser) as page:
                bench = made(Path(place))
                try:
                    took.setdefault(what, []).append(_once(bench, page, how and (how, program), spoil, seen))
                finally:
                    bench.close()
    return took


def _once(bench: Any, page: Page, program: Any, spoil: Callable[[Any, Any], object], seen: str) -> float:
    board = bench.board()
    args = {"program": program[1]} if program else {}
    table = bench.run(bench.config(), *([program[0]] if program else []), **args)
    table.line("READY after")
    page.goto(table.url)
    page.wait_for_selector("#top .well")
    began = time.monotonic()
    spoil(board, table)
    page.wait_for_selector(seen)
    return time.monotonic() - began
