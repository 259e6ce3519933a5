"""A hand in progress survives the end of the process: `tablectl run` killed on ptys, and started again.

The test is systemd: it gives both processes the same RUNTIME_DIRECTORY, on a tmpfs.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablectl.shell import journal

PATIENT = """
import sys
from tablectl.core import watch
watch.PAUSE_MS = 120_000
sys.argv = ["tablectl", "run", *sys.argv[1:]]
from tablectl.cli.__main__ import main
main()
"""
"""The table, but for one figure: a pause in the looks hides cards of a deal only from two minutes on, instead of 2.5 s.
So these tests say what was kept and not how fast this machine starts Python; the real figure has a test of its own."""


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder that is in memory alone, as systemd's RuntimeDirectory is."""
    folder = Path(tempfile.mkdtemp(prefix="tablectl-", dir="/dev/shm"))
    yield folder
    shutil.rmtree(folder)


def deal(board: Any, uids: tuple[str, ...], *antennas: int) -> None:
    for uid, antenna in zip(uids, antennas, strict=False):
        board.deal(uid, antenna)


def cards(*counts: int) -> Any:
    return lambda state: [seat["cards"] for seat in state["seats"]] == list(counts)


def wrong_seat(state: dict[str, Any]) -> bool:
    return any(i["kind"] == "wrong_seat" and i["stage"] == "confirmed" for i in state["irregularities"])


def test_killed_in_mid_deal_the_deal_goes_on(bench: Any, memory: Path) -> None:
    """wip"""
    board = bench.board()
    config = bench.config(panel=bench.panel)
    table = bench.run(config, program=PATIENT, RUNTIME_DIRECTORY=str(memory))
    table.line("READY after")
    assert table.post(do="button", seat=4).status_code == 200
    deal(board, bench.uids, 1, 2, 3)
    table.until(cards(1, 1, 1, 0))
    table.ends(signal.SIGKILL)
    print("\n".join(table.log))
    again = bench.run(config, program=PATIENT, RUNTIME_DIRECTORY=str(memory))
    again.line("took up")
    again.line("READY after")
    print(again.get("healthz").text)
    again.until(lambda state: not state["degraded"])
    board.deal(bench.uids[3], 1)
    state = again.until(wrong_seat)
    print("\n".join(again.log))
    found = next(i for i in state["irregularities"] if i["kind"] == "wrong_seat")
    assert (found["seat"], found["expected"]) == (1, 4)
    assert again.ends(signal.SIGTERM) == 0
    path = bench.folder / "journal.sqlite"
    print([(n.id, n.last_seq) for n in journal.nights(path)])
