"""A hand in progress survives the end of the process: `tablectl run` killed on ptys, and started again.

The test is systemd: it gives both processes the same RUNTIME_DIRECTORY, on a tmpfs.
"""

from __future__ import annotations

import json
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablectl import recording
from tablectl.app.kept import boottime, keeping_of, take_up
from tablectl.app.kept.head import Head
from tablectl.app.setting import table_of
from tablectl.config import load
from tablectl.core.alerts import Alerts
from tablectl.locale import catalogue
from tablectl.shell import journal
from tablectl.shell.kept import Folder, Store, kept

RUN = runpy.run_path(str(Path(__file__).with_name("test_run.py")))
deal = RUN["deal"]

SHOE, BOARD, BURN = 0, 5, 6
TAGS = ("E004015000000100", "E004015000000101")
PATIENT = """
import sys
from tablectl.core import watch
watch.PAUSE_MS = 120_000
sys.argv = ["tablectl", "COMMAND", *sys.argv[1:]]
from tablectl.cli import main
main()
"""
"""A command, but for one figure: a pause in the looks hides cards of a deal from two minutes on, instead of 2.5 s. So
these tests say what was kept, and not how fast this machine starts Python. The real figure has a test of its own."""
RUNS, REPLAYS = (PATIENT.replace("COMMAND", each) for each in ("run", "replay"))
DIES = """
import os, signal, sys
from tablectl.core.table import Table
step, left = Table.step, [10]
def dies(self, event):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return step(self, event)
Table.step = dies
sys.argv = ["tablectl", "run", *sys.argv[1:]]
from tablectl.cli import main
main()
"""
"""The table, killed at the tenth line that it takes: a start that takes up more than that dies while it does so."""


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder that is in memory alone, as systemd's RuntimeDirectory is."""
    folder = Path(tempfile.mkdtemp(prefix="tablectl-", dir="/dev/shm"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def starts(bench: Any, memory: Path) -> Any:
    """Starts the table, and waits until it looks."""

    def start(config: Path, program: str | None = RUNS) -> Any:
        table = bench.run(config, program=program, RUNTIME_DIRECTORY=str(memory))
        table.line("READY after")
        table.counted("tablectl_sweeps_total", 2)
        return table

    return start


def cards(*counts: int) -> Any:
    """The seats have so many cards."""
    return lambda state: [seat["cards"] for seat in state["seats"]] == list(counts)


def confirmed(state: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in state["irregularities"] if each["stage"] == "confirmed"]


def with_actions(config: Path, rulebook: str) -> Path:
    text = config.read_text().replace('betting = "none"', 'betting = "actions"\nconfirms = []')
    config.write_text(text.replace('rulebook = "pl"', f'rulebook = "{rulebook}"'))
    return config


def told(bench: Any) -> list[dict[str, Any]]:
    """Every decision in the journal, over all its nights; a replay of the last one gives the same, byte for byte."""
    path = bench.folder / "journal.sqlite"
    lines = [line for night in journal.nights(path) for line in bench.decided(night.id)]
    command = [sys.executable, "-c", REPLAYS, str(path), "--json", "--key", str(bench.key)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert (lines, done.stderr) == (done.stdout.splitlines(), "")
    return [json.loads(line) for line in lines]


def test_killed_in_mid_deal_and_while_starting_the_deal_goes_on(
    bench: Any, starts: Any, memory: Path
) -> None:
    """SIGKILL after three cards; a start that is killed while it replays them; one killed as soon as it looks. The next
    one knows whose button it is and who has what, in the same time, and the fourth card, for seat 1 instead of 4, is
    told as that: seat 1, expected 4. The journal's nights are one: together they replay to every decision, none twice
    and none missing. No tag and no token is in what was kept, and nobody but its owner may read it."""
    board = bench.board()
    config = bench.config()
    table = starts(config)
    assert table.post(do="button", seat=4).status_code == 200
    deal(board, bench.uids, 1, 2, 3)
    before = table.until(cards(1, 1, 1, 0))
    assert table.ends(signal.SIGKILL) == -signal.SIGKILL
    dying = bench.run(config, program=DIES, RUNTIME_DIRECTORY=str(memory))
    assert dying.process.wait(30) == -signal.SIGKILL
    starts(config).ends(signal.SIGKILL)
    table = starts(config)
    assert "hand 1" in table.line("took up the table")
    state = table.get("state").json()
    assert state["t"] > before["t"]
    assert (state["hand"]["number"], state["hand"]["button"], state["hand"]["followed"]) == (1, 4, True)
    assert cards(1, 1, 1, 0)(state)
    assert table.get("healthz").text == "ok\na hand in progress survives a restart: yes\n"
    board.deal(bench.uids[3], 1)
    (found,) = confirmed(table.until(confirmed))
    assert (found["kind"], found["seat"], found["expected"]) == ("wrong_seat", 1, 4)
    assert table.ends(signal.SIGTERM) == 0
    made = told(bench)
    assert [each["k"] for each in made if each["type"] == "deal"] == [1, 2, 3, 4]
    assert [(each["event"], each["hand"]) for each in made if each["type"] == "hand"] == [("start", 1)]
    sealed = b"".join(path.read_bytes() for path in memory.iterdir())
    opened = b"".join(_opened(memory))
    names = [bench.uids[0], bench.tokens[0]]
    assert [(name.encode() in sealed, name.encode() in opened) for name in names] == [(False, True)] * 2
    assert {path.stat().st_mode & 0o77 for path in memory.iterdir()} == {0}


def _opened(memory: Path) -> Iterator[bytes]:
    """What is kept, as its key shows it."""
    with closing(Folder(memory)) as folder:
        found = kept(folder)
    assert found is not None
    yield found[0]
    yield from found[1].records


def test_a_regular_deal_stays_silent(bench: Any, starts: Any) -> None:
    """`systemctl restart` (SIGTERM) in mid-deal, and the watchdog (SIGABRT) after it: eight cards are dealt regularly
    before three processes, and not one of them suspects anything. A ninth one is told: that seat is full."""
    board = bench.board()
    config = bench.config()
    table = starts(config)
    assert table.post(do="button", seat=4).status_code == 200
    deal(board, bench.uids, 1, 2, 3)
    table.until(cards(1, 1, 1, 0))
    table.ends(signal.SIGTERM)
    table = starts(config)
    deal(board, bench.uids[3:], 4, 1, 2, 3, 4)
    table.until(cards(2, 2, 2, 2))
    table.ends(signal.SIGABRT)
    table = starts(config)
    state = table.get("state").json()
    assert (state["irregularities"], state["hand"]["followed"]) == ([], True)
    assert table.states
    assert not any(state["irregularities"] for state in table.states)
    board.deal(bench.uids[8], 2)
    (found,) = confirmed(table.until(confirmed))
    assert (found["kind"], found["seat"]) == ("too_many_cards", 2)
    table.ends(signal.SIGTERM)
    made = [each for each in told(bench) if each["type"] in ("irregularity", "suspicion")]
    assert {(each["kind"], each["k"]) for each in made} == {("too_many_cards", 9)}


def test_killed_in_an_alarm_it_stands_and_does_not_sound(bench: Any, starts: Any, pins: Any) -> None:
    """SIGKILL while the buzzer sounds: after the restart the light of the seat is lit and the buzzer silent, the same
    irregularity stands with its ruling and is not told again. It is acknowledged, and stays so over the next SIGKILL.
    Another one, after that, sounds."""
    board = bench.board()
    config = bench.config(panel=bench.panel | {"simulated_file": str(bench.folder / "pins")})
    table = starts(config)
    assert table.post(do="button", seat=4).status_code == 200
    deal(board, bench.uids, 1, 2, 3, 1)
    before = table.until(lambda state: confirmed(state) and state["panel"]["buzzer"])
    table.ends(signal.SIGKILL)
    again = starts(config)
    state = again.get("state").json()
    (found,), (was,) = confirmed(state), confirmed(before)
    assert [found[name] for name in ("id", "seat", "expected", "acknowledged", "step")] == [
        was[name] for name in ("id", "seat", "expected", "acknowledged", "step")
    ]
    assert {**found["ruling"], "t": 0} == {**was["ruling"], "t": 0}
    lit = {name for name, level in state["panel"].items() if level}
    assert lit == {"seat_led:1", "alarm_led"}
    assert pins(bench.folder / "pins").high() == {bench.panel["seat_leds"][0], bench.panel["alarm_led"]}
    assert again.post(do="acknowledge").status_code == 200
    again.until(lambda state: confirmed(state) and confirmed(state)[0]["acknowledged"])
    again.ends(signal.SIGKILL)
    third = starts(config)
    (stands,) = confirmed(third.get("state").json())
    assert (stands["id"], stands["acknowledged"]) == (found["id"], True)
    board.deal("E0040150000F0F0F", 2)
    third.until(lambda state: len(confirmed(state)) == 2 and state["panel"]["buzzer"])
    third.ends(signal.SIGTERM)
    made = [each["id"] for each in told(bench) if each["type"] == "irregularity"]
    assert made.count(found["id"]) == 1


def test_killed_with_a_question_open_and_with_a_remedy_begun(bench: Any, starts: Any) -> None:
    """SIGKILL while the dealer is asked a fact: the same question stands after the restart, the answer is taken, and
    the ruling is a misdeal. Its first step is ticked; after another SIGKILL the second is due, and can be ticked."""
    board = bench.board()
    config = with_actions(bench.config(), "ru")
    table = starts(config)
    assert table.post(do="button", seat=4).status_code == 200
    deal(board, bench.uids, 1, 2, 3, 1)
    state = table.until(lambda state: confirmed(state) and confirmed(state)[0]["question"])
    asked = confirmed(state)[0]["question"]
    table.ends(signal.SIGKILL)
    table = starts(config)
    (found,) = confirmed(table.get("state").json())
    assert (found["question"], found["ruling"]["provisional"]) == (asked, True)
    assert table.post(do="answer", question=asked["id"], value=True).status_code == 200
    state = table.until(lambda now: confirmed(now) and not confirmed(now)[0]["ruling"]["provisional"])
    ruling = confirmed(state)[0]["ruling"]
    assert ruling["verdict"] == "misdeal"
    assert table.post(do="step_done", irregularity=found["id"], step=0).status_code == 200
    table.until(lambda now: confirmed(now) and confirmed(now)[0]["step"] == 1)
    table.ends(signal.SIGKILL)
    table = starts(config)
    (found,) = confirmed(table.get("state").json())
    assert (found["step"], found["ruling"]["steps"]) == (1, ruling["steps"])
    assert table.post(do="step_done", irregularity=found["id"], step=1).status_code == 200
    table.until(lambda now: confirmed(now) and confirmed(now)[0]["step"] == 2)


def test_killed_between_two_hands_the_next_one_follows(bench: Any, starts: Any) -> None:
    """SIGKILL after the first hand was gathered: the button has moved on as it would have, the next hand is the second
    one, and a card for the wrong seat is told against it. The shortest pause hides no hand."""
    board = bench.board()
    config = bench.config()
    table = starts(config)
    assert table.post(do="button", seat=4).status_code == 200
    hand = bench.uids[:8]
    deal(board, hand, 1, 2, 3, 4, 1, 2, 3, 4)
    table.until(cards(2, 2, 2, 2))
    assert table.post(do="hand_end").status_code == 200
    for uid in hand:
        board.lay(uid, None)
    before = table.until(lambda state: state["hand"]["phase"] == "idle" and state["setup"]["button"] == 1)
    table.ends(signal.SIGKILL)
    again = starts(config)
    assert "between two hands" in again.line("took up the table")
    assert again.get("state").json()["setup"] == before["setup"]
    deal(board, bench.uids[8:], 2, 3, 1)
    state = again.until(confirmed)
    (found,) = confirmed(state)
    assert (state["hand"]["number"], found["seat"], found["expected"]) == (2, 1, 4)


def test_cards_dealt_unseen_are_said_and_not_guessed(bench: Any, starts: Any) -> None:
    """With the real figure of 2.5 s: three cards before SIGKILL, four behind the table's back, one after the restart.
    Whether that is still the hand it knows cannot be known: the display says that it does not follow it, and nobody is
    accused."""
    board = bench.board()
    config = bench.config()
    table = starts(config, None)
    assert table.post(do="button", seat=4).status_code == 200
    deal(board, bench.uids, 1, 2, 3)
    table.until(cards(1, 1, 1, 0))
    table.ends(signal.SIGKILL)
    deal(board, bench.uids[3:], 4, 1, 2, 3)
    for _ in range(
        12
    ):  # sweeps in which nothing moves: more than 2.5 s in all, however fast the table starts
        board.lay(bench.uids[0], 1)
    board.played()
    again = starts(config, None)
    board.deal(bench.uids[7], 4)
    state = again.until(lambda now: cards(2, 2, 2, 2)(now) and now["hand"]["followed"] is False)
    assert state["irregularities"] == []
    assert state["hand"]["button"] is None


def test_what_every_start_dies_of_is_given_up(bench: Any, starts: Any, memory: Path) -> None:
    """Three starts in a row die of what was kept: the fourth says so, begins as after a power cut, and looks."""
    board = bench.board()
    config = bench.config()
    table = starts(config)
    deal(board, bench.uids, 1, 2)
    table.until(cards(1, 1, 0, 0))
    table.ends(signal.SIGKILL)
    for _ in range(3):
        dying = bench.run(config, program=DIES, RUNTIME_DIRECTORY=str(memory))
        assert dying.process.wait(30) == -signal.SIGKILL
    table = starts(config)
    assert "3 starts in a row" in table.line("is not taken up")
    assert table.get("state").json()["kept"] == {"on": True, "why": None, "taken_up": None}


def _rewritten(memory: Path, **fields: Any) -> None:
    """What is kept, sealed anew with other words in its head."""
    folder = Folder(memory)
    found = kept(folder)
    assert found is not None
    folder.close()
    head, moment = Head.of(found[0])
    store = Store(folder)
    store.begin(replace(head, **fields).spelled(moment))
    for record in found[1].records:
        store.line(record)
    store.close()


def _end(memory: Path) -> int:
    """Where the last record ends."""
    return len((memory / "hand.kept").read_bytes().rstrip(b"\0"))


def _kept_by_a_table(config: Path, memory: Path) -> int:
    """What a table keeps that is stepped through two cards of a deal; the number of lines since it began."""
    read = load(config)
    table, alerts, keeping = table_of(read), Alerts(), keeping_of({"RUNTIME_DIRECTORY": str(memory)}, read)
    keeping.begin(table, alerts, boottime(), print, acknowledged=lambda: 0, owed=(), give=lambda *_: 0)
    lies = [(SHOE, 0), (SHOE, 0), (1, 0), (1, 0), (1, 0), (SHOE, 1), (SHOE, 1), (2, 1), (2, 1), (2, 1)]
    lines = [(100 * at, [*([(1, 0)] if at > 4 else []), lie]) for at, lie in enumerate(lies, start=1)]
    for t, seen in lines:
        tags = [[antenna, TAGS[card], -40] for antenna, card in seen]
        line = {"t": t, "sweep": {"reader": 0, "polled": list(range(8)), "seen": tags}}
        table.step(recording.parse(line, line=1, seats=4))
        keeping.took(line)
    keeping.close()
    assert table.hand is not None
    return len(lines)


def _spoilt(memory: Path, at: int, data: bytes) -> None:
    with (memory / "hand.kept").open("r+b") as file:
        file.seek(at)
        file.write(data)


SPOILT: dict[str, tuple[Any, str]] = {
    "another boot": (lambda memory, _: _rewritten(memory, boot="0" * 36), "of another boot"),
    "another version": (lambda memory, _: _rewritten(memory, code="0" * 32), "another version"),
    "too old": (
        lambda memory, _: _rewritten(memory, origin_ns=_origin(memory) - 750 * 10**9),
        "12 minutes old, and 10 are the most",
    ),
    "another configuration": (
        lambda _, config: config.write_text(config.read_text().replace('"pl"', '"nl"')),
        "another configuration",
    ),
    "another deck": (
        lambda _, config: (config.parent / "blue.toml").write_text(
            (config.parent / "blue.toml").read_text().replace("E004015000000105", "E004015000000199")
        ),
        "another configuration, deck",
    ),
    "another key": (lambda memory, _: (memory / "hand.key").write_bytes(b"k" * 32), "another key"),
    "no key": (lambda memory, _: (memory / "hand.key").unlink(), "another key"),
    "damaged": (lambda memory, _: _spoilt(memory, 500, b"\xff\xff\xff\xff"), "damaged"),
    "another file": (lambda memory, _: _spoilt(memory, 0, b"something else"), "not of the form"),
    "nothing": (lambda memory, _: (memory / "hand.kept").write_bytes(b""), "not of the form"),
    "as it was": (lambda *_: None, ""),
    "torn": (lambda memory, _: _spoilt(memory, _end(memory) - 30, bytes(30)), ""),
    "damaged before its end": (lambda memory, _: _spoilt(memory, _end(memory) - 600, b"\xff" * 9), "damaged"),
    "without what came first": (lambda memory, _: _spoilt(memory, 32, bytes(4)), "damaged"),
}


def _origin(memory: Path) -> int:
    with closing(Folder(memory)) as folder:
        found = kept(folder)
    assert found is not None
    return Head.of(found[0])[0].origin_ns


@pytest.mark.parametrize("name", SPOILT)
def test_what_cannot_be_trusted_is_refused(bench: Any, memory: Path, name: str) -> None:
    """Of another boot, version, configuration or deck, too old, damaged, without its key: one line says why, nothing is
    taken up and nothing is left. As it was it is taken up, and so it is if the process was killed in the midst of the
    last line: that one is missing, and no more."""
    config = bench.config()
    lines = _kept_by_a_table(config, memory)
    spoil, words = SPOILT[name]
    spoil(memory, config)
    said: list[str] = []
    read = load(config)
    taken = take_up(keeping_of({"RUNTIME_DIRECTORY": str(memory)}, read), read, said.append)
    if words:
        assert taken is None
        assert said == [said[0]]
        assert said[0].startswith("what was kept of the hand before is not taken up: ")
        assert words in said[0]
        assert not (memory / "hand.kept").exists()
    else:
        assert taken is not None
        assert taken.table.hand is not None
        assert len(taken.since) == (lines if name == "as it was" else lines - 1)


def test_without_what_was_kept_what_lies_there_is_shown_and_the_rest_is_said(
    bench: Any, starts: Any, memory: Path
) -> None:
    """Killed in mid-deal; then another rulebook stands in the file, and after another SIGKILL the key is gone, as by a
    power cut. Each time the table says in its log that it takes nothing up, or nothing at all, and shows the cards as
    they lie. The order of the deal and the button are not known: nobody is accused, and the display says so, in each
    language."""
    board = bench.board()
    config = bench.config()
    table = starts(config)
    assert table.post(do="button", seat=4).status_code == 200
    deal(board, bench.uids, 1, 3)
    table.until(cards(1, 0, 1, 0))
    table.ends(signal.SIGKILL)
    config.write_text(config.read_text().replace('"pl"', '"nl"'))
    for cut in (False, True):
        if cut:
            for path in memory.iterdir():
                path.unlink()
        table = starts(config)
        state = table.until(cards(1, 0, 1, 0))
        assert (state["hand"]["followed"], state["hand"]["button"]) == (False, None)
        assert (state["table"]["rulebook"], state["irregularities"]) == ("nl", [])
        assert state["kept"] == {"on": True, "why": None, "taken_up": None}
        refused = [line for line in table.log if "is not taken up" in line]
        assert ["another configuration" in line for line in refused] == ([] if cut else [True])
        table.ends(signal.SIGKILL)
    said = {"This hand is not followed", "Its start was not seen. The next one is watched."}
    assert [said - set(catalogue(code)) for code in ("nl", "it", "ru", "pl")] == [set()] * 4


@pytest.mark.parametrize(
    ("folder", "words"),
    [("", "no RUNTIME_DIRECTORY"), ("/proc", "/proc is not in memory"), ("/dev/shm/none", "No such file")],
)
def test_without_a_folder_in_memory_nothing_is_kept(bench: Any, folder: str, words: str) -> None:
    """No folder, one on another file system than tmpfs, one that is not there: the table runs without, and the log,
    `/healthz` and `/state` say that nothing is kept, and why."""
    table = bench.run(bench.config(), RUNTIME_DIRECTORY=folder)
    assert words in table.line("note: a hand in progress does not survive a restart")
    first, second, *_ = table.get("healthz").text.splitlines()
    assert (first, second.startswith("a hand in progress survives a restart: no: ")) == ("ok", True)
    assert words in second
    assert table.get("state").json()["kept"]["on"] is False
