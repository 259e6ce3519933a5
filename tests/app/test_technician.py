"""The technician's page of a running table: its figures, and the test of its antennas, over HTTP as the page does."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

DEADLINE_S = 30.0
TEST_CARD = "E004015099000001"
"""A tag of no deck, as a technician has it in his pocket."""


class Watching:
    """A technician's page as the table sees it: one stream, and what came over it."""

    def __init__(self, url: str) -> None:
        self.states: list[dict[str, Any]] = []
        self._change = threading.Condition()
        self._client = httpx.Client(timeout=DEADLINE_S)
        self._url = url
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            with self._client.stream("GET", f"{self._url}technician/events") as stream:
                for line in stream.iter_lines():
                    if line.startswith("data: {") and '"antennas"' in line:
                        with self._change:
                            self.states.append(json.loads(line[6:]))
                            self._change.notify_all()
        except httpx.HTTPError:
            pass

    def until(self, condition: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The first new state for which the condition holds."""
        begin = len(self.states)

        def fits() -> dict[str, Any] | None:
            return next((state for state in self.states[max(0, begin - 1) :] if condition(state)), None)

        with self._change:
            found = self._change.wait_for(fits, DEADLINE_S)
        assert found is not None, self.states[-1:]
        return found

    def close(self) -> None:
        self._client.close()


@contextmanager
def page(table: Any) -> Iterator[Watching]:
    """A technician's page that is open."""
    watching = Watching(table.url)
    watching.until(lambda state: state["readers"])
    yield watching
    watching.close()


def enter(table: Any, **command: Any) -> httpx.Response:
    return httpx.post(f"{table.url}technician/test", json=command, timeout=DEADLINE_S)


def row(state: dict[str, Any], zone: str) -> dict[str, Any]:
    return next(each for each in state["antennas"] if each["zone"] == zone)


def at(state: dict[str, Any]) -> str | None:
    """The zone of the antenna under test."""
    test = state["test"]
    return test["at"]["zone"] if test is not None and test["at"] is not None else None


def blinks(table: Any, seat: int) -> None:
    """Waits until the seat's lamp is lit; it is dark half of the time."""
    begun = time.monotonic()
    while not table.get("state").json()["panel"][f"seat_led:{seat}"]:
        assert time.monotonic() < begun + DEADLINE_S


@pytest.fixture
def board(bench: Any) -> Any:
    """The table's board, with a lamp of its own."""
    board = bench.board()
    board.capabilities = 9
    board.firmware = b"tablectl 0.0.9"
    return board


@pytest.fixture
def table(bench: Any, board: Any) -> Any:
    """A table that plays, with lamps at its seats."""
    running = bench.run(bench.config(panel=bench.panel))
    running.line("READY after")
    return running


def test_the_page_tells_every_antenna_and_every_reader(bench: Any, board: Any, table: Any) -> None:
    """A card at seat 2 is read in nearly every look at −40; its neighbours, the board's id, version and counters are
    there. Neither the page nor the state holds a UID or a token."""
    board.deal(bench.uids[0], 2)
    with page(table) as watching:
        state = watching.until(lambda now: row(now, "seat:2")["of"] > 40)
    seat = row(state, "seat:2")
    assert seat["rate"] > 0.9
    assert (seat["strength"], seat["tags"], seat["reader"], seat["antenna"]) == (-40, 1, 0, 2)
    assert [each["zone"] for each in state["antennas"]] == [
        "shoe", "seat:1", "seat:2", "seat:3", "seat:4", "board", "burn", "muck",
    ]  # fmt: skip
    (reader,) = state["readers"]
    assert reader["board_id"] == b"by-hand1".hex()
    assert reader["firmware"] == "tablectl 0.0.9"
    assert "older than this table" in reader["text"]
    assert reader["counters"]["frames"] > 40
    assert reader["counters"]["lost_frames"] == 0
    seen = json.dumps(watching.states) + table.get("technician").text + table.get("technician/state").text
    assert not [each for each in (*bench.uids, *bench.tokens) if each in seen]
    assert table.ends(signal.SIGTERM) == 0


def test_one_antenna_after_the_other(bench: Any, board: Any, table: Any) -> None:
    """A card laid where the lamp blinks sends the lamp on; the board's own lamp is lit as long. The core takes the card
    for no deal, the display says that nothing is checked, and after the end everything is watched again: a wrong seat
    is found. The night replays from its journal."""
    with page(table) as watching:
        assert enter(table, do="begin").status_code == 200
        board.lit(on=True)
        state = table.until(lambda now: any(each["what"] == "test" for each in now["faults"]))
        assert {each["zone"] for each in state["degraded"]} >= {"shoe", "seat:1", "board"}
        for zone, antenna in (("shoe", 0), ("seat:1", 1), ("seat:2", 2)):
            watching.until(lambda now, zone=zone: at(now) == zone)
            if zone != "shoe":
                blinks(table, antenna)
            board.lay(TEST_CARD, antenna)
        watching.until(lambda now: at(now) == "seat:3")
        board.lay(TEST_CARD, 4)
        watching.until(
            lambda now: (now["test"]["told"]["state"], now["test"]["told"]["zone"]) == ("elsewhere", "seat:4")
        )
        board.lay(TEST_CARD, None)
        assert enter(table, do="point", reader=0, antenna=7).status_code == 200
        watching.until(lambda now: at(now) == "muck")
        assert enter(table, do="end").status_code == 200
        state = watching.until(lambda now: now["test"] is None)
        board.lit(on=False)
    state = table.until(lambda now: not now["faults"] and not now["degraded"] and now["t"] > state["t"])
    assert state["hand"]["phase"] == "idle"
    assert not any(now["irregularities"] for now in table.states)
    assert not any(level for level in state["panel"].values())
    assert table.post(do="button", seat=4).status_code == 200
    for uid, antenna in zip(bench.uids, (1, 2, 3, 1), strict=False):
        board.deal(uid, antenna)
    state = table.until(lambda now: any(i["stage"] == "confirmed" for i in now["irregularities"]))
    assert state["irregularities"][0]["kind"] == "wrong_seat"
    assert state["panel"]["seat_led:1"] == 1
    assert TEST_CARD not in json.dumps(watching.states) + "\n".join(table.log)
    assert table.ends(signal.SIGTERM) == 0
    notes = [given["text"] for given in bench.entered() if "text" in given]
    assert notes == ["The test of the antennas begins.", "The test of the antennas is over."]
    assert replayed(bench) == bench.decided()


def replayed(bench: Any) -> list[str]:
    path, key = bench.folder / "journal.sqlite", bench.key
    command = [sys.executable, "-m", "tablectl.cli", "replay", str(path), "--key", str(key), "--json"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.splitlines()


def test_a_reader_that_is_lost_during_the_test_is_lost_after_it(bench: Any, board: Any, table: Any) -> None:
    """Its antennas are blind, not empty. The end of the test does not bring it back; its own return does."""
    with page(table) as watching:
        enter(table, do="begin")
        watching.until(lambda now: now["test"] is not None and now["test"]["told"]["state"] == "empty")
        board.unplug()
        watching.until(lambda now: now["test"]["told"]["state"] == "blind")
        enter(table, do="end")
        watching.until(lambda now: now["test"] is None)
    state = table.get("state").json()
    assert state["faults"] == []
    assert {each["why"] for each in state["degraded"]} == {"reader 0 is lost"}
    bench.board()
    table.until(lambda now: now["t"] > state["t"] and not now["degraded"])
    assert table.ends(signal.SIGTERM) == 0


def test_what_cannot_be_done_now_is_refused_in_words(bench: Any, board: Any, table: Any) -> None:
    """A test during a hand, a point without a test, an antenna that is none, an order that is none: 400, each with what
    would be right and as a message that can be translated; nothing has changed."""
    assert "begin one first" in enter(table, do="point", reader=0, antenna=1).json()["error"]
    assert "knows begin, point and end" in enter(table, do="destroy").json()["error"]
    assert "knows begin, point and end" in enter(table, do="point").json()["error"]
    with page(table) as watching:
        enter(table, do="begin")
        for wrong in (
            {"reader": 0, "antenna": 99},
            {"reader": "0", "antenna": [1]},
            {"reader": None, "antenna": {}},
        ):
            refused = enter(table, do="point", **wrong)
            assert refused.status_code == 400
            assert "this table has no antenna" in refused.json()["error"]
        assert enter(table, do="begin").status_code == 200
        enter(table, do="end")
        assert enter(table, do="end").status_code == 200
        watching.until(lambda now: now["test"] is None and now["between_hands"])
        board.deal(bench.uids[0], 1)
        watching.until(lambda now: not now["between_hands"])
        refused = enter(table, do="begin")
        assert refused.status_code == 400
        assert refused.json()["say"] == ["a hand is being played: test the antennas when it is over", {}]
        assert watching.until(lambda now: True)["test"] is None
    elsewhere = httpx.post(
        f"{table.url}technician/test", json={"do": "begin"}, headers={"Origin": "http://evil.example"}
    )
    assert elsewhere.status_code == 403
    assert table.ends(signal.SIGTERM) == 0


def test_a_test_that_nobody_watches_ends_by_itself(bench: Any, board: Any, table: Any) -> None:
    """The technician closes the page and goes: the table watches again, without being told to."""
    with page(table) as watching:
        enter(table, do="begin")
        watching.until(lambda now: now["test"] is not None)
        table.until(lambda now: any(each["what"] == "test" for each in now["faults"]))
    t = table.states[-1]["t"]
    table.until(lambda now: now["t"] > t and not now["faults"] and not now["degraded"])
    board.lit(on=False)
    assert table.ends(signal.SIGTERM) == 0


def test_a_table_that_is_stopped_in_mid_test_leaves_no_lamp_lit(bench: Any, board: Any, table: Any) -> None:
    """SIGTERM: the board's lamp is dark, and the journal says that the test was over."""
    with page(table) as watching:
        enter(table, do="begin")
        watching.until(lambda now: now["test"] is not None)
        board.lit(on=True)
        assert table.ends(signal.SIGTERM) == 0
    board.lit(on=False)
    assert "found" in bench.sensed()[-1]
