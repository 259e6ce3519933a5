"""One soak from start to end: both processes, the disk, the clock, and the verdict.

Owns: starting and ending them. Refuses: what happens at the table (`boards`), what it must prove (`verdict`).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tablectl.bench.soak.boards import Boards
from tablectl.bench.soak.cable import DEPTH, Answer
from tablectl.bench.soak.disk import Disk
from tablectl.bench.soak.plan import HOUR_MS, Plan
from tablectl.bench.soak.verdict import Run, Verdict, verdict
from tablectl.bench.soak.wall import WallClock
from tablectl.errors import LinkError, UsageError
from tablectl.sealed import keygen
from tablectl.sim.__main__ import SEAT_PINS, SIMULATED_PANEL
from tablectl.sim.noise import preset
from tablectl.sim.setup import TableSetup

PANEL = {key: SIMULATED_PANEL[key] for key in ("pins", "buzzer", "alarm_led")}
SPOILS = ("leak", "lost")
LEAST_H, MOST_H = 0.05, 24.0 * 7
END_S = 60.0
"""How long the controller may take to end, s."""


@dataclass(frozen=True, kw_only=True)
class Soak:
    """What is asked for. UsageError if it cannot be."""

    hours: float = 24.0
    seed: int = 1
    noise: str = "light"
    full_disk: float | None = None
    """Hours for which the disk is full."""
    report: Path | None = None
    spoil: str = ""
    """What the soak must notice: `leak` (memory is kept at each sweep) or `lost` (an acknowledged entry vanishes)."""

    def __post_init__(self) -> None:
        if not LEAST_H <= self.hours <= MOST_H:
            raise UsageError(
                f"--hours {self.hours:g}: must be from {LEAST_H:g} to {MOST_H:g} hours of table time"
            )
        if self.full_disk is not None and not 0 < self.full_disk <= self.hours / 2:
            raise UsageError(
                f"--full-disk {self.full_disk:g}: must be at most half of the {self.hours:g} hours"
            )
        if self.spoil and self.spoil not in SPOILS:
            raise UsageError(f"--spoil {self.spoil}: must be one of {', '.join(SPOILS)}")
        preset(self.noise)
        if self.report is not None:
            _writable(self.report)


def _writable(report: Path) -> None:
    """Nobody learns after a day that the report has no place. A file that is there stays as it is until then."""
    there = report.exists()
    try:
        with report.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise UsageError(
            f"--report {report}: cannot be written ({os.strerror(error.errno or 0)}); name a file in a folder that "
            "is there and may be written"
        ) from None
    if not there:
        with contextlib.suppress(OSError):
            report.unlink()


def soak(wish: Soak, tell: Callable[[str], None]) -> Verdict:
    """Runs it and judges it; `tell` gets a line at each hour. LinkError if the controller breaks down."""
    setup = TableSetup()
    plan = Plan(wish.hours, wish.seed, wish.noise, tuple(setup.layout.antennas), wish.full_disk)
    with ExitStack() as open_things:
        folder = Path(open_things.enter_context(TemporaryDirectory(prefix="tablectl-soak-")))
        disk = open_things.enter_context(Disk(folder / "disk"))
        wall = WallClock(folder)
        ports = [str(folder / f"reader{number}") for number in range(setup.boards)]
        journal = disk.folder / "journal.sqlite"
        table = setup.write(
            folder, ports, panel={**PANEL, "seat_leds": list(SEAT_PINS[: setup.seats])},
            display={"port": 0}, journal={"path": str(journal), "audit_key": str(_key(folder))},
        )  # fmt: skip
        boards = Boards(plan, setup)
        for ms, ahead in plan.jumps() if wall.can_jump else ():
            boards.at(ms, lambda ahead=ahead: wall.set(ahead))  # type: ignore[misc]
        boards.at(plan.disk_full[0], disk.fill)
        boards.at(plan.disk_full[1], disk.free)
        looks = _play(boards, table, folder, disk, wall, wish, tell)
        if wish.spoil == "lost":
            _lose(journal)
        tell("judging …")
        return verdict(Run(plan, boards.truth.events, looks, journal, disk.how, wall.can_jump))


def _key(folder: Path) -> Path:
    """The public part of an audit key whose private part nobody keeps: what is sealed to it costs what it costs."""
    public = folder / "audit.pub"
    keygen().public.write(public)
    return public


def write_report(found: Verdict, path: Path) -> None:
    """All figures as one JSON object. UsageError if it cannot be written any more."""
    text = json.dumps({**found.figures, "wrong": found.faults}, indent=1) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--report {path}: could not be written: {os.strerror(error.errno or 0)}") from None


def _play(
    boards: Boards,
    table: Path,
    folder: Path,
    disk: Disk,
    wall: WallClock,
    wish: Soak,
    tell: Callable[[str], None],
) -> list[dict[str, Any]]:
    """Both processes until the last hand is over; how the controller was meanwhile. Ctrl-C makes this hand the last."""
    ours, theirs = Pipe()
    log = folder / "controller.log"
    command = [
        sys.executable, "-m", "tablectl.bench.soak.controller", str(theirs.fileno()), str(table),
        str(folder / "recording.jsonl"), wish.spoil,
    ]  # fmt: skip
    with log.open("wb") as errors:
        process = subprocess.Popen(  # noqa: S603 (our own program, and no shell)
            command, pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL, stdout=errors, stderr=errors,
            env=wall.environment, start_new_session=True,
        )  # fmt: skip
    theirs.close()
    disk.process = process.pid
    before = signal.signal(signal.SIGINT, lambda *_: setattr(boards, "ending", True))
    try:
        return _talk(boards, ours, tell)
    except (EOFError, ConnectionError):
        words = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-5:]
        raise LinkError(
            f"soak: the controller broke down: {' / '.join(words) or 'it said nothing'}"
        ) from None
    finally:
        signal.signal(signal.SIGINT, before)
        ours.close()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _talk(boards: Boards, pipe: Connection, tell: Callable[[str], None]) -> list[dict[str, Any]]:
    looks: list[dict[str, Any]] = []
    ahead, hour = 0, 1
    while True:
        if not boards.over:
            pipe.send(boards.window())
            ahead += 1
        while ahead >= DEPTH or boards.over:
            answer: Answer = pipe.recv()
            ahead -= 1
            boards.heard(answer)
            looks += answer.looks
            if answer.over:
                return looks
        if boards.now >= hour * HOUR_MS:
            tell(f"{hour} h at the table; the controller has {looks[-1]['resident'] / 1e6:.0f} MB")
            hour += 1


def _lose(journal: Path) -> None:
    """An entry from the middle vanishes, which no journal may do."""
    with closing(sqlite3.connect(journal)) as file, file:
        file.execute("DELETE FROM entries WHERE id = (SELECT min(id) + count(*) / 5 FROM entries)")
