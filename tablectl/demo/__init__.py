"""The demo: a simulated table and the real controller, each a process of its own, over real ptys.

    simulator ── ptys, HTTP inputs ──▶ `tablectl run`        the only way between the two
        └ truth.jsonl ──▶ this process ◀── journal ┘         judges when all is played

Owns: starting and ending both, and following the truth. Refuses: judging (`demo.verdict`), and telling the
controller anything: its only argument is a configuration such as every table has.
"""

from __future__ import annotations

import ctypes
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from tablectl.demo.verdict import Verdict, judge
from tablectl.errors import LinkError, TablectlError, UsageError

EACH_SLIP = """
    clean, wrong_first_seat, wrong_seat, ineligible_seat, near:corrected, seat_skipped, too_few_cards,
    too_many_cards, premature_card@flop, premature_card@turn, premature_card@river, near:late_fold,
    too_many_board_cards, too_few_board_cards, burn_missing, burn_extra, duplicate_card, foreign_card, joker,
    hand_mucked, card_in_other_hand, card_lost, dealt_after_end
"""
"""Every irregularity that antennas alone can see, once, among hands in which nothing is wrong."""
USUAL_PORT = 8080
START_S = 30.0
"""How long a process may take to come up, s."""
END_S = 15.0
LOOK_S = 0.1
"""How often the truth is looked at for news, s."""
AFTERWARDS_S = 2.0
"""What the last hand's cards still tell the table after the script's end, s."""

_PRCTL: Callable[[int, int], int] = ctypes.CDLL(None).prctl


@dataclass(frozen=True, kw_only=True)
class Demo:
    """One demo: what is dealt, how, and where it is shown."""

    hands: str = EACH_SLIP
    seats: int = 9
    boards: int = 2
    noise: str = "light"
    seed: int = 1
    port: int | None = None
    brisk: bool = False
    """Nobody thinks or waits: for a result rather than a show."""
    mode: str = "blind"
    language: str = "en"
    optical: bool = False
    """A sensor at the shoe's mouth, so that no check is off."""
    keep: Path | None = None
    """A folder that keeps the truth, the journal and the logs; otherwise they are gone with the demo."""


class Stage:
    """Both processes, up and running inside `with`. LinkError if one does not come up or breaks down."""

    def __init__(self, demo: Demo, folder: Path) -> None:
        self.demo = demo
        self.truth_file = folder / "judge" / "truth.jsonl"
        self.table = folder / "table"
        self.logs = folder / "logs"
        self.port = demo.port if demo.port is not None else _free_port()
        self.began_ms = 0.0
        """When the controller's `t` was 0, on CLOCK_MONOTONIC in ms."""
        self._open = ExitStack()
        self._truth: IO[str] | None = None
        self._partial = ""
        self.simulator: subprocess.Popen[str]
        self.controller: subprocess.Popen[str]

    @property
    def url(self) -> str:
        """The display."""
        return f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> Stage:
        with ExitStack() as until_up:
            until_up.callback(self._open.close)
            self._start()
            until_up.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _start(self) -> None:
        # The truth lies where only this process and the simulator look.
        self.truth_file.parent.mkdir(mode=0o700, parents=True)
        self.logs.mkdir()
        self.simulator = self._process("simulator", *self._simulator_arguments(), stdin=subprocess.PIPE)
        config = self.table / "table.toml"
        self._until("the simulator has made its ports", config.exists)
        self.controller = self._process("controller", "run", str(config))
        self._until("the controller serves its display", self._serves)
        self._until("the simulator has begun", self.truth_file.exists)
        self._truth = self._open.enter_context(self.truth_file.open(encoding="utf-8"))

    def _simulator_arguments(self) -> list[str]:
        demo = self.demo
        options = {
            "--link": self.table, "--truth": self.truth_file, "--inputs": f"{self.url}input",
            "--script": demo.hands, "--seats": demo.seats, "--boards": demo.boards, "--noise": demo.noise,
            "--seed": demo.seed, "--mode": demo.mode, "--panel": "simulated",
            "--display-port": self.port, "--language": demo.language,
        }  # fmt: skip
        given = [str(part) for pair in options.items() for part in pair]
        return [
            "simulate",
            *given,
            "--stay",
            *(["--brisk"] if demo.brisk else []),
            *(["--optical"] if demo.optical else []),
        ]

    def _process(self, name: str, *arguments: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
        log = self._open.enter_context((self.logs / f"{name}.log").open("w", encoding="utf-8"))
        process = subprocess.Popen(  # noqa: S603 (our own program, and no shell)
            [sys.executable, "-m", "tablectl.cli", *arguments],
            stdin=stdin,
            stdout=log,
            stderr=subprocess.STDOUT,
            text=True,
            # Ctrl-C is for this process alone: it ends the others in their order.
            start_new_session=True,
            preexec_fn=_not_longer_than_we,
        )
        self._open.callback(_ended, process)
        return process

    def _until(self, what: str, condition: Callable[[], bool]) -> None:
        give_up = time.monotonic() + START_S
        while not condition():
            self.check()
            if time.monotonic() > give_up:
                raise LinkError(f"demo: after {START_S:.0f} s it was still not true that {what}")
            time.sleep(LOOK_S)

    def check(self) -> None:
        """LinkError, with its last words, if one of the processes has ended."""
        for name in ("simulator", "controller"):
            process = getattr(self, name, None)
            if process is not None and process.poll() is not None:
                words = (self.logs / f"{name}.log").read_text(encoding="utf-8").strip().splitlines()[-5:]
                last = " / ".join(words) or "it said nothing"
                raise LinkError(f"demo: the {name} has ended (status {process.returncode}): {last}")

    def _serves(self) -> bool:
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)) as connection:
                connection.request("GET", "/metrics")
                text = connection.getresponse().read().decode()
        except (OSError, http.client.HTTPException):
            return False
        for line in text.splitlines():
            name, _, value = line.partition(" ")
            if name == "tablectl_start_monotonic_seconds":
                self.began_ms = float(value) * 1000
                return True
        return False

    def news(self) -> Iterator[dict[str, Any]]:
        """What really happened since the last call."""
        assert self._truth is not None  # noqa: S101 (open inside `with`)
        *whole, self._partial = (self._partial + self._truth.read()).split("\n")
        for line in whole:
            yield json.loads(line)

    def play(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """Waits until the script is played; `tell` gets every event of the truth."""
        over = False
        while not over:
            self.check()
            for event in self.news():
                tell(event)
                over = over or event["event"] == "end"
            time.sleep(LOOK_S)
        time.sleep(AFTERWARDS_S)

    def verdict(self) -> Verdict:
        """Judges what was played so far, by the truth and the controller's journal."""
        from tablectl.shell import journal

        truth = [json.loads(line) for line in self.truth_file.read_text(encoding="utf-8").splitlines()]
        path = self.table / "journal.sqlite"
        entries = journal.lines(path, journal.nights(path)[-1].id)
        return judge(truth, (entry for _, kind, entry in entries if kind == "decision"), self.began_ms)


def _not_longer_than_we() -> None:
    """The child is told to stop when this process dies, even by SIGKILL. Linux: prctl(PR_SET_PDEATHSIG)."""
    _PRCTL(1, int(signal.SIGTERM))


def _ended(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(END_S)
        return
    process.kill()
    process.wait()


def _free_port() -> int:
    """The display's usual port, or any other one if that is taken."""
    for port in (USUAL_PORT, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with suppress(OSError):
                probe.bind(("127.0.0.1", port))
                return int(probe.getsockname()[1])
    raise LinkError("demo: this machine has no free TCP port on 127.0.0.1")


class _Told(KeyboardInterrupt):
    """SIGTERM: as Ctrl-C, both processes must be ended."""


def perform(
    demo: Demo, tell: Callable[[dict[str, Any]], None], shown: Callable[[Stage, Verdict | None], None]
) -> Verdict:
    """Plays the demo and judges it.

    `shown` is called when the table stands (no verdict yet), and again with the verdict, before it is taken
    down. Raises UsageError for a script that makes no sense, LinkError if a process fails, KeyboardInterrupt
    when told to stop.
    """
    from tablectl.sim import script

    # UsageError, before anything is started.
    if not any(isinstance(step, script.HandPlan) for step in script.parse(demo.hands)):
        raise UsageError("demo: the script has no hand")
    with ExitStack() as open_things:
        before = signal.signal(signal.SIGTERM, _told_to_stop)
        open_things.callback(signal.signal, signal.SIGTERM, before)
        folder = _folder(demo, open_things)
        stage = open_things.enter_context(Stage(demo, folder))
        shown(stage, None)
        stage.play(tell)
        verdict = stage.verdict()
        shown(stage, verdict)
        return verdict


def _told_to_stop(*_: object) -> None:
    raise _Told


def _folder(demo: Demo, open_things: ExitStack) -> Path:
    if demo.keep is None:
        return Path(open_things.enter_context(TemporaryDirectory(prefix="tablectl-demo-")))
    if demo.keep.exists() and any(demo.keep.iterdir()):
        raise UsageError(f"{demo.keep}: is not empty; name a new folder")
    try:
        demo.keep.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TablectlError(f"{demo.keep}: cannot be made: {error.strerror}") from None
    return demo.keep


def browse(url: str) -> bool:
    """Opens the display in a browser, where there is a screen for one."""
    import webbrowser

    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    with suppress(webbrowser.Error, OSError):
        return webbrowser.open(url)
    return False
