"""Evenings at a table whose process is killed again and again: a program for `test_restart_campaign`, a figure a line.

    python killed.py FOLDER MEMORY EVENINGS KILLS SEED

Each evening is simulated, and its lines are given to a real table (its core, its journal and what it keeps, without
readers) as fast as it takes them. At random moments it gets SIGKILL, and the next process takes up what was kept and
goes on with the first line that it has not seen. In the end the decisions in the journal must be those of a table that
was never killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import select
import signal
import sys
import time
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from tablectl import recording
from tablectl.app import App, table_of
from tablectl.app.kept import keeping_of
from tablectl.config import Config, from_recording
from tablectl.core.sensed import Sensed
from tablectl.sealed import keygen
from tablectl.shell import journal
from tablectl.shell.journal.parts import files
from tablectl.shell.journal.verify import verify
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup

AT_ONCE = 200
"""Lines that are given before the journal is waited for: a table gets them over ten seconds."""
SECRET = keygen()
GOES_WELL = 3
"""Dots after which a process has taken so many lines that what it took up is not what it dies of."""


class Driven(App):
    """A table that is given lines instead of having readers; none of its readers is lost by a restart."""

    async def _start_readers(self) -> None:
        pass

    def _go_on_with_lamps(self) -> None:
        pass


def evening(folder: Path, seed: int) -> tuple[Config, list[Sensed]]:
    """The table and all that is sensed in four hands, half of them with a slip."""
    rng = random.Random(seed)
    betting = rng.choice(["actions", "none"])
    if betting == "actions":
        steps = list(islice(script.endless(rng, 0.5), 4))
    else:
        steps = [*rng.sample(script.one_of_each("none"), 2), *script.clean(2)]
    lines = generate(TableSetup(betting=betting, seats=rng.choice([6, 9])), steps, preset("light"), seed=seed)
    head, events = recording.from_objects(next(lines), lines, strict=True)
    config = from_recording(head.config, head.decks, head.active_deck)
    key = folder / "audit.pub"
    if not key.exists():
        SECRET.public.write(key)
    at = config.journal.model_copy(
        update={"path": folder / f"evening{seed}.sqlite", "audit_key": key, "part_mb": 1}
    )
    return replace(config, journal=at), list(events)


async def live(config: Config, events: list[Sensed], memory: str, told: int) -> None:
    """One process: takes up what is kept, then the lines that nobody has taken yet."""
    log: list[str] = []
    app = Driven(
        config, log=log.append, with_display=False,
        keeping=keeping_of({"RUNTIME_DIRECTORY": memory}, config),
    )  # fmt: skip
    await app.start()
    assert app.journal is not None
    app.journal.flush(30)
    path = config.journal.path
    done = sum(len(entries(path, night, "sensed")) for night in nights(path))
    refused = [line for line in log if "not taken up" in line]
    os.write(told, json.dumps([done, app.table.hand is not None, refused]).encode() + b"\n")
    for number, event in enumerate(events[done:]):
        app.line.take(event)
        if number % AT_ONCE == 0:
            app.journal.flush(30)
            os.write(told, b".")
    await app.close()


def nights(path: Path) -> list[int]:
    """Every night of the journal, also of the files that were put aside."""
    return sorted({night.id for each in files(path) for night in journal.nights(each)})


def entries(path: Path, night: int, kind: str) -> list[Any]:
    return [entry for _, each, entry in journal.lines(path, night, SECRET) if each == kind]


def spawned(config: Config, events: list[Sensed], memory: str) -> tuple[int, int]:
    """A process of that table: its number, and where it tells how far it is."""
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return pid, read
    os.close(read)
    status = 1
    try:
        asyncio.run(live(config, events, memory, write))
        status = 0
    finally:
        os._exit(status)


def killed_at(pid: int, read: int, seconds: float, dots: int) -> tuple[bytes, int]:
    """What it told until so many seconds after so many dots, and how it ended: by SIGKILL then, or by itself before."""
    heard = b""
    while heard.count(b".") < dots and (got := os.read(read, 1)):
        heard += got
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and select.select([read], [], [], left)[0]:
        got = os.read(read, 65536)
        if not got:
            break
        heard += got
    os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    os.close(read)
    return heard, status


def played(folder: Path, memory: str, seed: int, kills: int, rng: random.Random, count: Counter[str]) -> None:
    """One evening with about so many kills, and what became of it."""
    config, events = evening(folder, seed)
    table = table_of(config)
    began = time.monotonic()
    right = [made.as_json() for event in events for made in table.step(event)]
    whole = time.monotonic() - began
    over, moments, early = False, 0, 0
    while not over:
        pid, read = spawned(config, events, memory)
        wait = 600.0 if moments >= kills else rng.uniform(0, 2 * whole / kills + 0.3)
        # Three early ends in a row are given up, as they should be: that has a test of its own.
        heard, status = killed_at(pid, read, wait, GOES_WELL if early == 2 else rng.choice((0, 1, 1)))
        early = 0 if heard.count(b".") >= GOES_WELL else early + 1
        moments += 1
        over = os.WIFEXITED(status)
        if over:
            assert os.WEXITSTATUS(status) == 0, f"evening {seed}: a process ended by itself, and badly"
        count["kills"] += not over
        if b"\n" not in heard:
            count["while starting"] += 1
            continue
        _, in_hand, refused = json.loads(heard.partition(b"\n")[0])
        count["in a hand"] += in_hand
        count["refused"] += bool(refused)
        if refused:
            sys.stderr.write(f"evening {seed}: {refused}\n")
    path = config.journal.path
    made = [each for night in nights(path) for each in entries(path, night, "decision")]
    given = [each for night in nights(path) for each in entries(path, night, "sensed")]
    count["journals that do not verify"] += verify(path).fault is not None
    count["lines"] += len(events)
    count["lines wrong"] += given != [recording.dump(event) for event in events]
    count["decisions"] += len(right)
    count["evenings that differ"] += made != json.loads(json.dumps(right))
    count["evenings"] += 1
    for each in Path(memory).iterdir():
        each.unlink()


def main(folder: str, memory: str, evenings: str, kills: str, seed: str) -> None:
    """Plays them all, and prints the figures as JSON."""
    rng, count = random.Random(f"kills {seed}"), Counter[str]()
    for number in range(int(evenings)):
        played(Path(folder), memory, int(seed) + number, int(kills), rng, count)
    sys.stdout.write(json.dumps(count))


if __name__ == "__main__":
    main(*sys.argv[1:])
