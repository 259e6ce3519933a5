"""The demo with its real processes, the proof that its controller cannot cheat, and the judge by itself."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from rich.console import Console

from tablectl.demo.verdict import Verdict, judge, results

DEMO = [sys.executable, "-m", "tablectl.cli", "demo", "--headless"]
WITNESS = """
import os, sys
_name = os.path.join(os.environ["WITNESS"], f"{os.getpid()}.log")
_file = os.open(_name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
_told = {"open", "import", "socket.connect", "os.listdir", "os.scandir", "subprocess.Popen", "os.exec"}
def _heard(event, args):
    if event in _told:
        os.write(_file, f"{event} {args[0]!r} {args[1:2]!r}\\n".encode(errors="replace"))
os.write(_file, f"start {sys.orig_argv!r}\\n".encode())
sys.addaudithook(_heard)
"""
"""A sitecustomize that writes down what its Python process opens, imports, lists and connects to."""


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "TERM": "dumb", **more}


def test_a_short_demo_finds_what_was_injected_and_the_controller_cannot_cheat(tmp_path: Path) -> None:
    """Three hands over real ptys, each with a slip: the table of results names all with rulings and times,
    exit status 0. Every process was watched from its first line: the simulator wrote the truth; the
    controller never opened or listed the judge's folder, imported nothing of the simulator, and neither
    started nor connected to anything."""
    (tmp_path / "sitecustomize.py").write_text(WITNESS)
    witness = tmp_path / "witness"
    witness.mkdir()
    kept = tmp_path / "kept"
    done = subprocess.run(
        [*DEMO, "--hands", "wrong_first_seat, foreign_card, joker", "--seats", "3", "--keep", str(kept)],
        capture_output=True,
        text=True,
        timeout=110,
        env=environment(PYTHONPATH=str(tmp_path), WITNESS=str(witness)),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line for line in done.stdout.splitlines() if re.match(r"\s*\d+  \w", line)]
    assert re.search(r"1  wrong_first_seat: seat \d, expected \d +yes +\d+ +\d+ +misdeal \(PL-", rows[0])
    assert re.search(r"2  foreign_card: seat \d +yes +(?:\d+|before) +\d+ +void \(PL-", rows[1])
    assert re.search(r"3  joker: seat \d +yes +(?:\d+|before) +\d+ +misdeal \(PL-", rows[2])
    assert "3 of 3 irregularities found" in done.stdout
    assert "false alarms: 0" in done.stdout
    assert "hand 3 of 3: joker" in done.stderr

    logs = [path.read_text(errors="replace") for path in witness.iterdir()]
    (controller,) = (log for log in logs if "'run'" in log.partition("\n")[0])
    (simulator,) = (log for log in logs if "'simulate'" in log.partition("\n")[0])
    truth = str(kept / "judge")
    assert truth in simulator
    assert "import 'tablectl.sim.process'" in simulator
    assert truth not in controller
    assert "judge" not in controller
    assert "tablectl.sim" not in controller
    assert "import 'tablectl.core.table'" in controller
    assert not re.findall(r"^(?:socket\.connect|subprocess|os\.exec).*", controller, re.MULTILINE)
    assert (kept / "judge").stat().st_mode & 0o077 == 0


def test_interrupted_the_demo_takes_everything_down(tmp_path: Path) -> None:
    """Ctrl-C in the first hand: exit status 130, no traceback, the simulated ports are gone and the
    controller has stopped in order."""
    kept = tmp_path / "kept"
    with subprocess.Popen(
        [*DEMO, "--keep", str(kept)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stderr is not None
        assert "hand 1 of " in process.stderr.readline()
        assert (kept / "table" / "reader0").is_symlink()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert not (kept / "table" / "reader0").is_symlink()
    assert (kept / "logs" / "controller.log").read_text().splitlines()[-1] == "stopped"


def test_for_people_the_display_stays_after_the_results() -> None:
    """Without --headless: the display's address at once, the results at the end, and the page is served until
    Ctrl-C, which is the normal end: exit status 0."""
    command = [*DEMO[:-1], "--hands", "wrong_first_seat", "--seats", "3"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, env=environment(DISPLAY="")
    ) as process:
        assert process.stderr is not None
        said = [process.stderr.readline()]
        url = re.search(r"http://127.0.0.1:\d+/", said[0])
        assert url
        while "until Ctrl-C" not in said[-1]:
            said.append(process.stderr.readline())
            assert said[-1], said
        assert httpx.get(url[0], timeout=20).status_code == 200
        process.send_signal(signal.SIGINT)
        shown, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "1 of 1 irregularities found" in shown


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--hands", "clean, wrong_sea"], "wrong_sea"),
        (["--hands", ""], "no hand"),
        (["--noise", "loud"], "loud"),
        (["--seats", "1"], "seats = 1"),
        (["--keep", "/proc/nope"], "/proc/nope"),
    ],
)
def test_a_demo_that_makes_no_sense_is_refused(args: list[str], says: str) -> None:
    """Exit status 2 and one message that names what is wrong."""
    done = subprocess.run([*DEMO, *args], capture_output=True, text=True, timeout=60, env=environment())
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_display_port_that_is_taken_ends_the_demo(tmp_path: Path) -> None:
    """The controller cannot open the port: the demo says so in its words and ends with status 2."""
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [*DEMO, "--port", port], capture_output=True, text=True, timeout=60, env=environment()
        )
    assert done.returncode == 2
    assert "in use by another program" in done.stderr


# --- the judge ----------------------------------------------------------------------------------------------

START = {"event": "hand_start", "hand": 1, "mono": 1000.0, "slip": "wrong_seat", "near_miss": None}
SLIP = {"event": "irregularity", "hand": 1, "mono": 5000.0, "kind": "wrong_seat", "seat": 3, "expected": 2}
NEXT = {"event": "hand_start", "hand": 2, "mono": 9000.0, "slip": None, "near_miss": "corrected"}
TRUTH = [START, SLIP, NEXT]


def raised(t: int, name: str = "i1", **fields: Any) -> dict[str, Any]:
    return {
        "t": t,
        "type": "irregularity",
        "id": name,
        "kind": "wrong_seat",
        "seat": 3,
        "expected": 2,
        **fields,
    }


def verdict(*decisions: dict[str, Any]) -> Verdict:
    """With a table whose `t` was 0 at 500 ms."""
    return judge(TRUTH, decisions, 500.0)


def test_what_is_found_has_its_times_and_its_ruling() -> None:
    """The soft light and the alarm are counted from the card's coming to rest; the ruling is the one that
    stood before the dealer acted."""
    ruling = {"t": 5600, "type": "ruling", "irregularity": "i1", "verdict": "misdeal", "rule": "PL-1"}
    later = {**ruling, "t": 9000, "verdict": "dead"}
    soft = {**raised(4800), "type": "suspicion"}
    made = verdict(soft, raised(5600), ruling, later)
    (found,) = made.injected
    assert (found.first_light_ms, found.confirmed_ms) == (300.0, 1100.0)
    assert found.ruling == ruling
    assert made.perfect
    assert "1 of 1 irregularities found, the alarm after 1100 ms" in made.summary()


def test_a_light_that_burned_before_the_card_lay_has_no_negative_time() -> None:
    """A strange card is told at the shoe: the table of results says so in a word."""
    soft = {**raised(4400), "type": "suspicion"}
    made = verdict(soft, raised(5600))
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(results(made))
    text = console.export_text()
    assert "before" in text
    assert "-100 " not in text


def test_what_is_missed_or_misjudged_is_no_success() -> None:
    """Nothing raised; another kind; another seat; another hand; before it happened: none of these counts."""
    assert not verdict().perfect
    for wrong in (raised(5600, kind="seat_skipped"), raised(5600, seat=4), raised(8600), raised(4000)):
        made = verdict(wrong)
        assert not made.perfect
        assert made.injected[0].found is None
        assert [alarm for _, alarm in made.false_alarms] == [wrong]


def test_a_second_alarm_for_one_slip_is_false() -> None:
    """One slip is one irregularity: whatever is raised beside it counts against the controller."""
    made = verdict(raised(5600), raised(5700, "i2"))
    assert made.injected[0].found is not None
    assert [number for number, _ in made.false_alarms] == [1]
    assert not made.perfect


def test_what_was_cleared_as_corrected_in_a_corrected_hand_is_right() -> None:
    """The dealer put the card right: the alarm and its clearing are as they should be, and only there."""
    corrected = {"t": 9500, "type": "cleared", "id": "i2", "why": "corrected"}
    made = verdict(raised(5600), raised(9000, "i2"), corrected)
    assert (made.perfect, made.corrected) == (True, 1)
    withdrawn = {**corrected, "why": "withdrawn"}
    assert not verdict(raised(5600), raised(9000, "i2"), withdrawn).perfect
    early = {**corrected, "id": "i1", "t": 5900}
    assert not verdict(raised(5500, seat=4), early).perfect


def test_soft_lights_that_went_out_are_counted_and_no_alarm() -> None:
    """A suspicion that was withdrawn is told in the summary; it is not an alarm."""
    soft = {**raised(5000, "i2"), "type": "suspicion"}
    made = verdict(raised(5600), soft, {"t": 5400, "type": "cleared", "id": "i2", "why": "withdrawn"})
    assert made.perfect
    assert made.blinks == 1
    assert "went out by themselves: 1" in made.summary()
    assert json.dumps(made.injected[0].truth)
