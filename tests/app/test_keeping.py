"""What is kept of a table, how much of it, and what happens when it cannot be kept."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tablectl import recording
from tablectl.app import table_of
from tablectl.app.kept import Keeping, boottime, keeping_of, take_up
from tablectl.app.kept.keeping import MOST_LINES
from tablectl.config import Config, from_recording
from tablectl.core.alerts import Alerts
from tablectl.core.table import Table
from tablectl.shell.kept.store import ROOM
from tablectl.sim.setup import TableSetup


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder that is in memory alone."""
    folder = Path(tempfile.mkdtemp(prefix="tablectl-", dir="/dev/shm"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


class Driven:
    """A table with what it keeps, given lines by hand. The journal has nothing until `acknowledged` says so."""

    def __init__(self, config: Config, memory: Path) -> None:
        self.log: list[str] = []
        self.acknowledged = 0
        self.t = self.lines = 0
        self.table: Table = table_of(config)
        self.keeping: Keeping = keeping_of({"RUNTIME_DIRECTORY": str(memory)}, config)
        self.keeping.begin(
            self.table, Alerts(), boottime(), self.log.append,
            acknowledged=lambda: self.acknowledged, owed=(), give=lambda *_: 0,
        )  # fmt: skip

    def sweep(self, *seen: tuple[int, str]) -> None:
        """All antennas of reader 0 look, and these tags are there."""
        self.t += 100
        tags = [[antenna, uid, -40] for antenna, uid in seen]
        polled = sorted(number for reader, number in self.table.setting.layout.antennas if reader == 0)
        line: dict[str, Any] = {"t": self.t, "sweep": {"reader": 0, "polled": polled, "seen": tags}}
        made = self.table.step(recording.parse(line, line=1, seats=9))
        self.lines += 1
        self.acknowledged += 1 + len(made)
        self.keeping.took(line)
        decisions = [each.as_json() for each in made]
        self.keeping.journalled(line, decisions, self.acknowledged, well=True)


@pytest.fixture
def config() -> Config:
    """Nine seats, one board."""
    head = recording.read_header(TableSetup(boards=1).recording_header())
    return from_recording(head.config, head.decks, head.active_deck)


def in_a_hand(driven: Driven) -> Callable[[], None]:
    """A card is dealt to seat 1; each call looks at it once more."""
    uid = next(iter(driven.table.setting.decks[0].cards))
    places = {zone: number for (_, number), zone in driven.table.setting.layout.antennas.items()}
    for zone in ("shoe", "shoe", "seat:1", "seat:1", "seat:1", "seat:1"):
        driven.sweep((places[zone], uid))
    assert driven.table.hand is not None
    return lambda: driven.sweep((places["seat:1"], uid))


def test_a_long_hand_is_bounded(config: Config, memory: Path) -> None:
    """A hand of a quarter of an hour without a card moving: what is kept stays within its room, and what must be
    replayed within its bound, and the hand is taken up. What the journal has is not kept for it any more."""
    driven = Driven(config, memory)
    look = in_a_hand(driven)
    sizes, most = set(), 0
    for _ in range(2 * MOST_LINES):
        look()
        sizes.add((memory / "hand.kept").stat().st_size)
        most = max(most, sum(path.stat().st_size for path in memory.iterdir()))
    driven.keeping.close()
    assert sizes == {ROOM}
    assert most <= 2 * ROOM + 64
    taken = take_up(keeping_of({"RUNTIME_DIRECTORY": str(memory)}, config), config, driven.log.append)
    assert taken is not None
    assert taken.table.hand is not None
    assert taken.table.view() == driven.table.view()
    assert len(taken.since) < MOST_LINES + 1000 < driven.lines
    assert len(taken.head.owed) <= 1
    assert taken.t == driven.t


def test_a_folder_that_goes_ends_it_and_the_table_goes_on(config: Config, memory: Path) -> None:
    """The folder is taken away under a running table: nothing is kept any more, that is said once, and every line still
    goes through the core."""
    driven = Driven(config, memory)
    look = in_a_hand(driven)
    shutil.rmtree(memory)
    for _ in range(MOST_LINES + 200):
        look()
    until = time.monotonic() + 30
    while driven.keeping.shown()["on"]:  # the thread that writes has not come to it yet
        assert time.monotonic() < until
        look()
    shown = driven.keeping.shown()
    assert "No such file" in shown["why"]
    said = [line for line in driven.log if "does not survive a restart" in line]
    assert len(said) == 1
    assert driven.table.now == driven.t


def test_what_the_journal_lacks_is_kept_for_it(config: Config, memory: Path) -> None:
    """A disk that stands still: the lines since are kept, those from before the last moment too, and handed to the next
    process in their order; what was on the disk is not."""
    driven = Driven(config, memory)
    look = in_a_hand(driven)
    had = driven.lines
    on_disk = driven.acknowledged
    for _ in range(600):
        look()
        driven.acknowledged = on_disk
    driven.keeping.close()
    taken = take_up(keeping_of({"RUNTIME_DIRECTORY": str(memory)}, config), config, driven.log.append)
    assert taken is not None
    night, owed = taken.journal(memory / "none.sqlite")
    moments = [each.line["t"] for each in owed if each.line is not None]
    assert night is None
    assert moments == [100 * number for number in range(moments[0] // 100, driven.lines + 1)]
    assert moments[0] <= 100 * (had + 1)


def test_one_process_keeps_its_hand_in_a_folder(config: Config, memory: Path) -> None:
    """A second table with the same folder keeps nothing, says why, and leaves alone what the first one keeps there.
    When that has ended, the folder is free."""
    driven = Driven(config, memory)
    look = in_a_hand(driven)
    second = keeping_of({"RUNTIME_DIRECTORY": str(memory)}, config)
    assert (second.on, "another process keeps its hand there" in second.why) == (False, True)
    assert take_up(second, config, driven.log.append) is None
    look()
    driven.keeping.close()
    taken = take_up(keeping_of({"RUNTIME_DIRECTORY": str(memory)}, config), config, driven.log.append)
    assert taken is not None
    assert taken.t == driven.t
