"""`tablectl run` with two kinds of reader: a board made by hand for the seats, and a PN532 at the shoe's mouth."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tablectl.sim.pn532 import SimulatedPn532
from tablectl.sim.typea import Tag

DEADLINE_S = 30.0
SHOE_READER = 1
UIDS = tuple(f"04{number:012X}" for number in range(1, 33))
"""Tags that both kinds of reader can tell: ISO/IEC 14443 Type A, 7 bytes."""


class Shoe:
    """The reader at the mouth of the shoe, with a way to wait for what it does."""

    def __init__(self, link: Path) -> None:
        self._change = threading.Condition()
        self.chip = SimulatedPn532(link, changed=self._changed)

    def until(self, condition: Callable[[], Any]) -> None:
        with self._change:
            assert self._change.wait_for(condition, DEADLINE_S)

    def _changed(self) -> None:
        with self._change:
            self._change.notify_all()


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[Shoe]:
    made = Shoe(tmp_path / "shoe")
    yield made
    made.chip.end()


def config(bench: Any, shoe: Shoe) -> Path:
    """The bench's table; its shoe has a reader of its own, and its cards have tags that a PN532 reads."""
    path: Path = bench.config()
    text = path.read_text().replace('0 = "shoe", ', "")
    path.write_text(
        f'{text}[[reader]]\ndriver = "pn532"\nport = "{shoe.chip.link}"\nantennas = {{ 0 = "shoe" }}\n'
    )
    deck = path.with_name("blue.toml")
    cards = deck.read_text()
    for old, new in zip(bench.uids, UIDS, strict=True):
        cards = cards.replace(old, new)
    deck.write_text(cards)
    return path


def shown(state: dict[str, Any]) -> dict[str, Any]:
    return next(reader for reader in state["readers"] if reader["reader"] == SHOE_READER)


def degraded(state: dict[str, Any]) -> set[str]:
    return {each["zone"] for each in state["degraded"]}


def metric(table: Any, name: str) -> float:
    """A figure of the shoe's reader in /metrics."""
    start = f'tablectl_{name}{{reader="{SHOE_READER}"}} '
    lines = table.get("metrics").text.splitlines()
    return float(next(line for line in lines if line.startswith(start)).removeprefix(start))


def test_a_shoe_with_a_pn532_deals_is_unplugged_and_comes_back(bench: Any, shoe: Shoe) -> None:
    """Cards leave the shoe by the PN532's word; unplugged, the shoe alone is degraded and the table deals on; back, it
    is restored; at the end the chip is asleep. No UID is in the log."""
    chip = shoe.chip
    board = bench.board()
    table = bench.run(config(bench, shoe))
    assert "all 2 readers answer" in table.line("READY after")
    assert shown(table.until(lambda _: True))["firmware"] == "PN532v1.6"
    assert table.post(do="button", seat=4).status_code == 200
    for uid, seat in zip(UIDS, (1, 2), strict=False):
        heard = chip.heard.total()
        chip.lay(Tag(uid))
        shoe.until(lambda heard=heard: chip.heard.total() > heard + 30)
        chip.lay()
        board.deal(uid, seat)
        board.played()
    table.until(lambda now: [seat["cards"] for seat in now["seats"]][:2] == [1, 1])
    assert metric(table, "reader_up") == 1
    assert metric(table, "sightings_total") > 0
    assert metric(table, "reader_looks_total") > metric(table, "reader_cards_total") > 0
    chip.unplug()
    table.until(lambda now: degraded(now) == {"shoe"} and shown(now)["state"] == "missing")
    board.deal(UIDS[2], 3)
    table.until(lambda now: degraded(now) == {"shoe"} and now["seats"][2]["cards"] == 1)
    chip.replug()
    state = table.until(lambda now: now["seats"][2]["cards"] == 1 and not degraded(now))
    assert shown(state)["state"] == "ok"
    assert table.ends(signal.SIGTERM) == 0
    shoe.until(lambda: chip.asleep)
    assert not [line for line in table.log if any(uid in line.upper() for uid in UIDS)]


def test_check_config_knows_what_a_pn532_can_watch(bench: Any, shoe: Shoe) -> None:
    """A second antenna, and a zone where several cards lie, are faults with what would be right; exit status 2."""
    path = config(bench, shoe)
    text = path.read_text()
    for wrong, right in (
        ('{ 0 = "burn" }', "reads one card at a time"),
        ('{ 1 = "shoe" }', "one antenna, number 0"),
    ):
        path.write_text(text.replace('{ 0 = "shoe" }', wrong).replace(', 6 = "burn"', ""))
        done = subprocess.run(
            [sys.executable, "-m", "tablectl.cli", "check-config", str(path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 2
        assert right in " ".join((done.stdout + done.stderr).split())
