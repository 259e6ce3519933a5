"""`tablectl run` as a process, with a board made by hand from the protocol page, and a page that watches."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from tablectl.shell import journal
from tablectl.shell.journal.verify import verify

FAKE_GPIO = """
import json, os
BCM, OUT, IN, LOW, HIGH, PUD_UP, PUD_DOWN, PUD_OFF = 11, 0, 1, 0, 1, 22, 21, 20
_file = open(os.environ["GPIO_FILE"], "a", buffering=1)
def _say(*what):
    _file.write(json.dumps(what) + "\\n")
def setwarnings(on): pass
def setmode(mode): pass
def setup(pin, direction, initial=None, pull_up_down=PUD_OFF): _say("setup", pin, direction, initial or 0)
def output(pin, level): _say("output", pin, level)
def input(pin): return 1
def cleanup(pin=None): _say("cleanup", pin)
"""
"""RPi.GPIO's interface, writing down what is done to each pin."""


def replayed(path: Path, *args: str, key: Path | None = None) -> list[str]:
    """What `tablectl replay FILE --json` prints, line by line; `key` opens a journal."""
    args = (*args, "--key", str(key)) if key else args
    command = [sys.executable, "-m", "tablectl.cli", "replay", str(path), "--json", *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert all(line.startswith("recorded in ") for line in done.stderr.splitlines())  # that the key was used
    return done.stdout.splitlines()


def wrong_seat(state: dict[str, Any]) -> bool:
    return any(i["kind"] == "wrong_seat" and i["stage"] == "confirmed" for i in state["irregularities"])


def deal(board: Any, uids: tuple[str, ...], *antennas: int) -> None:
    for uid, antenna in zip(uids, antennas, strict=False):
        board.deal(uid, antenna)


def test_a_card_for_the_wrong_seat_reaches_every_output(bench: Any) -> None:
    """The fourth card goes to seat 1 instead of 4: its lamp, the buzzer, the page, `/metrics`, the journal
    and the recording all have it; the acknowledge of the dealer silences the buzzer; a replay of the journal
    and of the recording gives byte for byte what the table decided; no UID and no token leaves the table."""
    board = bench.board()
    recording = bench.folder / "night.jsonl"
    table = bench.run(bench.config(panel=bench.panel), "--record", str(recording))
    table.line("READY after")
    assert table.post(do="button", seat=4).status_code == 200
    deal(board, bench.uids, 1, 2, 3, 1)
    state = table.until(wrong_seat)
    found = next(i for i in state["irregularities"] if i["kind"] == "wrong_seat")
    assert (found["seat"], found["expected"], found["ruling"]["rulebook"]) == (1, 4, "pl")
    assert {name for name, level in state["panel"].items() if level} == {"seat_led:1", "alarm_led", "buzzer"}
    assert wrong_seat(table.get("state").json())
    assert 'tablectl_irregularities_total{kind="wrong_seat"} 1' in table.get("metrics").text.splitlines()
    assert table.post(do="acknowledge").status_code == 200
    state = table.until(lambda now: wrong_seat(now) and not now["panel"]["buzzer"])
    assert state["irregularities"][0]["acknowledged"] is True
    assert state["panel"]["seat_led:1"] == 1
    seen = json.dumps(table.states) + table.get("state").text + table.get("metrics").text
    assert table.ends(signal.SIGTERM) == 0
    assert table.log[-2:] == ["stopped", "(end of log)"]
    secret = (*bench.uids, *bench.tokens)
    assert not [each for each in secret if each in seen + "\n".join(table.log)]
    path = bench.folder / "journal.sqlite"
    decisions = bench.decided()
    assert any('"kind":"wrong_seat"' in line for line in decisions)
    assert decisions == replayed(path, key=bench.key) == replayed(path, "--night", "1", key=bench.key)
    assert decisions == replayed(recording)
    assert verify(path).fault is None


def test_killed_in_mid_hand_the_table_opens_again(bench: Any) -> None:
    """SIGKILL during the deal: what was acknowledged is in the journal, that night replays, and the next
    start is a night of its own at the same table, without a fault."""
    board = bench.board()
    config = bench.config()
    table = bench.run(config)
    table.line("READY after")
    deal(board, bench.uids, 1, 2)
    table.until(lambda state: state["seats"][1]["cards"] == 1)
    metrics = table.get("metrics").text.splitlines()
    acknowledged = next(
        int(line.split()[1]) for line in metrics if line.startswith("tablectl_journal_acknow")
    )
    assert table.ends(signal.SIGKILL) == -signal.SIGKILL
    path = bench.folder / "journal.sqlite"
    assert 0 < acknowledged <= journal.nights(path)[0].last_seq
    decided = replayed(path, key=bench.key)
    assert decided[: len(bench.decided())] == bench.decided()
    again = bench.run(config)
    again.line("READY after")
    assert again.get("state").json()["faults"] == []
    assert again.post(do="note", text="a new dealer").status_code == 200
    assert again.ends(signal.SIGTERM) == 0
    assert [night.id for night in journal.nights(path)] == [1, 2]
    assert verify(path).fault is None


def test_killed_in_the_betting_the_hand_is_not_followed_and_the_next_one_is(bench: Any) -> None:
    """SIGKILL in the betting of a clean hand; the board stays attached and the cards lie where they lie. The table that
    is started in its place shows them, says that it does not follow this hand and accuses nobody, although it knows of
    no shuffle, cut, button or action. The next hand is watched as ever: its wrong seat is all that this night tells.
    """
    board = bench.board()
    config = bench.config()
    text = config.read_text()
    asks = 'betting = "actions"\nconfirms = ["shuffle", "cut"]'
    config.write_text(text.replace('betting = "none"', asks))
    table = bench.run(config)
    table.line("READY after")
    for entry in ({"do": "button", "seat": 4}, {"do": "shuffle_done"}, {"do": "cut_done"}):
        assert table.post(**entry).status_code == 200
    hand, coming = bench.uids[:8], bench.uids[8:]
    deal(board, hand, 1, 2, 3, 4, 1, 2, 3, 4)
    table.until(lambda state: state["hand"]["to_act"] == 3)
    assert table.post(do="action", seat=3, action="call").status_code == 200
    assert table.ends(signal.SIGKILL) == -signal.SIGKILL
    again = bench.run(config)
    again.line("READY after")
    state = again.until(lambda now: [seat["cards"] for seat in now["seats"]] == [2, 2, 2, 2])
    assert (state["hand"]["followed"], state["hand"]["to_act"], state["hand"]["next"]) == (False, None, None)
    assert again.post(do="hand_end").status_code == 200
    for uid in hand:
        board.lay(uid, None)
    again.until(lambda now: now["hand"]["phase"] == "idle" and now["t"] > state["t"])
    for entry in ({"do": "button", "seat": 1}, {"do": "shuffle_done"}, {"do": "cut_done"}):
        assert again.post(**entry).status_code == 200
    deal(board, coming, 2, 3, 1)
    state = again.until(wrong_seat)
    assert state["hand"]["followed"] is True
    assert (state["irregularities"][0]["seat"], state["irregularities"][0]["expected"]) == (1, 4)
    assert again.ends(signal.SIGTERM) == 0
    told = [json.loads(line) for line in bench.decided(2)]
    assert [(each["kind"], each["hand"]) for each in told if each["type"] == "irregularity"] == [
        ("wrong_seat", 2)
    ]


def test_a_second_table_on_the_same_journal_is_refused(bench: Any) -> None:
    """`tablectl run` while another one writes the journal: exit status 2 at once, the file and the other's
    process named; the first goes on, and once it is killed a new start has the journal."""
    board = bench.board()
    config = bench.config()
    table = bench.run(config)
    table.line("READY after")
    path = bench.folder / "journal.sqlite"
    second = bench.run(config)
    assert second.process.wait(60) == 2
    assert f"another tablectl (pid {table.process.pid}) writes this journal" in second.line(f"{path}: ")
    assert not any("Traceback" in line or "display: " in line for line in second.log)
    deal(board, bench.uids, 1)
    table.until(lambda state: state["seats"][0]["cards"] == 1)
    assert table.get("state").json()["faults"] == []
    until = time.monotonic() + 30
    while table.get("state").json()["journal"]["head"] is None:  # the first commit is on the disk
        assert time.monotonic() < until, table.log
    assert [night.id for night in journal.nights(path)] == [1]
    assert table.ends(signal.SIGKILL) == -signal.SIGKILL
    again = bench.run(config)
    again.line("READY after")
    assert again.post(do="note", text="a new dealer").status_code == 200
    assert again.ends(signal.SIGTERM) == 0
    assert [night.id for night in journal.nights(path)] == [1, 2]
    assert not (bench.folder / "journal.sqlite.lock").exists()


def test_only_what_is_open_can_be_answered_or_overruled(bench: Any) -> None:
    """An answer to a question that nobody asked, and an override of an irregularity that is not there: 400 with
    what is open; nothing of it reaches the journal. The one that is there is
    overruled."""
    board = bench.board()
    table = bench.run(bench.config())
    table.line("READY after")
    assert table.post(do="button", seat=4).status_code == 200
    floor = {"verdict": "play_on", "why": "seen by all", "who": "Floor 2"}
    for entry, words in [
        ({"do": "answer", "question": "q1", "value": True}, "question 'q1' is not open"),
        ({"do": "answer", "question": "looked_at", "value": True}, "open now: no question"),
        ({"do": "override", "irregularity": "i1", **floor}, "irregularity 'i1' is not open"),
    ]:
        refused = table.post(**entry)
        assert refused.status_code == 400
        assert words in refused.json()["error"]
    deal(board, bench.uids, 1, 2, 3, 1)
    found = table.until(wrong_seat)["irregularities"][0]
    refused = table.post(do="override", irregularity="i99", **floor)
    assert refused.status_code == 400
    assert f"open now: {found['id']}" in refused.json()["error"]
    assert table.post(do="override", irregularity=found["id"], **floor).status_code == 200
    table.until(
        lambda now: any((each["ruling"] or {}).get("who") == "Floor 2" for each in now["irregularities"])
    )
    assert table.post(do="hand_end").status_code == 200
    table.until(lambda now: now["hand"]["phase"] == "over" or not now["irregularities"])
    assert table.ends(signal.SIGTERM) == 0
    assert [given["do"] for given in bench.entered()] == ["button", "override", "hand_end"]


def test_told_to_stop_during_an_alarm_every_pin_is_left_safe(bench: Any) -> None:
    """With a GPIO library that writes down what is done to it: SIGTERM while lamp and buzzer are on ends with
    every output low and then an input with a pull-down."""
    package = bench.folder / "RPi"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "GPIO.py").write_text(FAKE_GPIO)
    done = bench.folder / "gpio.jsonl"
    board = bench.board()
    config = bench.config(panel={**bench.panel, "pins": "rpi"})
    table = bench.run(config, PYTHONPATH=str(bench.folder), GPIO_FILE=str(done))
    table.line("READY after")
    table.post(do="button", seat=4)
    deal(board, bench.uids, 1, 2, 3, 1)
    table.until(wrong_seat)
    assert table.ends(signal.SIGTERM) == 0
    calls = [json.loads(line) for line in done.read_text().splitlines()]
    assert ["output", 5, 1] in calls
    for pin in (18, 17, 5, 6, 13, 19):
        mine = [call for call in calls if call[1] == pin]
        assert mine[-2:] == [["output", pin, 0], ["setup", pin, 1, 0]]


def test_a_missing_board_is_named_and_waited_for_through_garbage(bench: Any) -> None:
    """Without the port the table is READY all the same and says who is missing; when the board comes, behind
    8 kB of random bytes, its cards are read."""
    table = bench.run(bench.config())
    missing = table.line("READY after")
    assert f"without reader 0 ({bench.port}): missing" in missing
    state = table.until(lambda now: now["readers"][0]["state"] == "missing")
    assert "plugged in" in state["readers"][0]["text"]
    assert {each["zone"] for each in state["degraded"]} >= {"shoe", "seat:1", "board"}
    board = bench.board()
    board.noise = os.urandom(2_000)
    table.line(f"reader 0 ({bench.port}): ok")
    for _ in range(3):
        board.noise = os.urandom(2_000)
        board.deal(bench.uids[0], 1)
        board.played()
    table.until(lambda now: now["seats"][0]["cards"] == 1 and not now["degraded"])
    assert table.ends(signal.SIGINT) == 0


def test_a_port_that_another_program_holds_is_named_and_taken_when_free(bench: Any) -> None:
    """A terminal program has the board's port open: the table says who it is, and works once it is closed."""
    bench.board()
    other = serial.Serial(str(bench.port), exclusive=True)
    table = bench.run(bench.config())
    said = table.line("busy")
    assert f"pid {os.getpid()}" in said
    other.close()
    table.line(f"reader 0 ({bench.port}): ok")
    assert table.ends(signal.SIGTERM) == 0


def test_a_log_that_nobody_reads_holds_nothing_up(bench: Any) -> None:
    """Standard error is a full pipe from the first line on: cards are read, the lamp is lit, and SIGTERM still
    ends the table in order."""
    board = bench.board()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    table = bench.deaf(bench.config(panel=bench.panel, display={"port": port}))
    table.watch(f"http://127.0.0.1:{port}/")
    table.until(lambda now: now["readers"] and now["readers"][0]["state"] == "ok")
    table.post(do="button", seat=4)
    deal(board, bench.uids, 1, 2, 3, 1)
    assert table.until(wrong_seat)["panel"]["seat_led:1"] == 1
    table.process.send_signal(signal.SIGTERM)
    assert table.process.wait(30) == 0
    assert any('"kind":"wrong_seat"' in line for line in bench.decided(1))


def test_a_display_port_that_is_taken_stops_the_start(bench: Any) -> None:
    """Exit status 2, one line that names the port and what to do, nothing keeps running, and the journal has no
    night of it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        table = bench.run(bench.config(display={"port": port}))
        assert table.process.wait(60) == 2
        said = table.line(f"127.0.0.1:{port}")
        assert "in use by another program" in said
        assert not any("Traceback" in line for line in table.log)
    assert journal.nights(bench.folder / "journal.sqlite") == []


@pytest.mark.parametrize(
    ("make", "right"),
    [
        (lambda path: path.write_bytes(b"not a journal" * 100), "not a journal"),
        (lambda path: path.mkdir(), "cannot be created or opened"),
    ],
)
def test_a_journal_that_is_none_stops_the_start(bench: Any, make: Any, right: str) -> None:
    """A file or folder in the journal's place is left alone: exit status 2, and what would be right."""
    make(bench.folder / "journal.sqlite")
    table = bench.run(bench.config())
    assert table.process.wait(60) == 2
    assert right in table.line(str(bench.folder / "journal.sqlite"))
    assert not any("Traceback" in line for line in table.log)


def test_a_recording_is_never_written_over(bench: Any) -> None:
    """`--record` with a file that is there already: exit status 2, the file untouched."""
    there = bench.folder / "old.jsonl"
    there.write_text("precious\n")
    table = bench.run(bench.config(), "--record", str(there))
    assert table.process.wait(60) == 2
    assert "give a name that is not taken" in table.line(str(there))
    assert there.read_text() == "precious\n"


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
sys.argv = ["tablectl", "run", sys.argv[1]]
from tablectl.cli import main
main()
"""


def test_a_disk_that_refuses_writes_is_a_fault_and_the_alarm_still_works(bench: Any) -> None:
    """The kernel refuses every write beyond 48 kB: the page shows the journal's fault, and after that a wrong
    seat still lights its lamp."""
    board = bench.board()
    table = bench.run(bench.config(panel=bench.panel), "48000", program=FULL)
    table.line("READY after")
    table.post(do="button", seat=4)
    state = table.until(lambda now: any(each["what"] == "journal" for each in now["faults"]))
    assert "journal cannot be written" in next(f["text"] for f in state["faults"] if f["what"] == "journal")
    deal(board, bench.uids, 1, 2, 3, 1)
    assert table.until(wrong_seat)["panel"]["seat_led:1"] == 1
    assert table.ends(signal.SIGTERM) == 0


def can_mount() -> bool:
    """True if this process may mount a file system."""
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], check=False, capture_output=True)
        if done.returncode == 0:
            subprocess.run(["umount", place], check=True)
        return done.returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


if can_mount():

    def test_a_full_disk_is_a_fault_the_alarm_works_and_nothing_is_lost(bench: Any, small_disk: Path) -> None:
        """A real file system of 256 kB fills up: the fault is shown, a wrong seat lights its lamp, and once
        there is room all that happened meanwhile is written."""
        board = bench.board()
        path = small_disk / "journal.sqlite"
        (small_disk / "ballast").write_bytes(bytes(150_000))
        table = bench.run(bench.config(panel=bench.panel, journal={"path": str(path)}))
        table.line("READY after")
        table.post(do="button", seat=4)
        state = table.until(lambda now: any(each["what"] == "journal" for each in now["faults"]))
        assert "the disk is full" in state["faults"][0]["text"]
        deal(board, bench.uids, 1, 2, 3, 1)
        state = table.until(wrong_seat)
        assert state["panel"]["seat_led:1"] == 1
        assert [each["what"] for each in state["faults"]] == ["journal"]
        (small_disk / "ballast").unlink()
        subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
        assert "nothing was lost" in table.line("is written again")
        assert table.ends(signal.SIGTERM) == 0
        assert bench.decided(1, path) == replayed(path, key=bench.key)
        assert any('"kind":"wrong_seat"' in line for line in bench.decided(1, path))
        assert verify(path).fault is None
