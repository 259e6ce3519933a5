"""The simulated table in real time: boards on ptys, the dealer's entries over HTTP, a truth file.

Owns: the loop that lets simulated time follow CLOCK_MONOTONIC, and what an operator can tell it meanwhile.
Refuses: physics (`stage`) and protocol (`device`). It never loads anything that draws conclusions.

The first card is dealt once every board has a poll plan. Commands, one a line on `control`:

    unplug 0    replug 0    restart 1    dead 1.4    mend 1.4    quit

At a table at which nobody deals, a hand also lays cards: lay seat:3    lay seat:3 2    lift
"""

from __future__ import annotations

import os
import selectors
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tablectl.errors import TablectlError, UsageError
from tablectl.sim import script
from tablectl.sim.device import Device
from tablectl.sim.habits import Habits
from tablectl.sim.hand import HAND_WORDS, Hand
from tablectl.sim.inputs import Sink, sink_for
from tablectl.sim.line import Line
from tablectl.sim.noise import Noise
from tablectl.sim.ports import PtyPort
from tablectl.sim.script import BoardStep, Step
from tablectl.sim.setup import TableSetup
from tablectl.sim.stage import Stage
from tablectl.sim.truth import Truth

TICK = 0.004
"""The loop looks at its clock this often, s: simulated frames are at most that late."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """Everything that one real-time run needs to know."""

    link_dir: Path
    """Gets `table.toml`, `decks/`, and a link `reader0`, `reader1`, … for each board."""
    setup: TableSetup
    noise: Noise
    steps: Iterable[Step]
    seed: int | str = 1
    truth: Path | None = None
    inputs: str | None = None
    """Where the dealer's entries go: the URL of a table's POST /input, or a file."""
    habits: Habits = field(default_factory=Habits)
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """More sections of table.toml, e.g. panel and display."""
    stay: bool = False
    """Go on polling after the last hand, until told to quit."""
    any_user: bool = False
    """Let other users of this machine open the lines."""
    eligible: tuple[int, ...] | None = None
    by_hand: bool = False
    """Nobody deals: cards are laid as the operator says (`Hand`)."""


def serve(run: Run, say: Callable[[str], None] = lambda _text: None, control: IO[str] | None = None) -> int:
    """Run until the script is over, `quit` or a signal; 0 if it went well, 1 if entries were not taken.

    `say` gets one line for each thing an operator wants to know; the first one is `ready …/table.toml`.
    UsageError if the folder, the links, the truth file or the inputs cannot be used.
    """
    with ExitStack() as open_things:
        try:
            run.link_dir.mkdir(parents=True, exist_ok=True)
            links = [run.link_dir.absolute() / f"reader{number}" for number in range(run.setup.boards)]
            table = run.setup.write(run.link_dir, [str(link) for link in links], **run.sections)
            file = open_things.enter_context(run.truth.open("w")) if run.truth else None
        except OSError as wrong:
            raise UsageError(f"{wrong.filename}: cannot be written: {wrong.strerror}") from None
        sink = sink_for(run.inputs, say)
        open_things.callback(sink.close)
        ports = [PtyPort(link, any_user=run.any_user) for link in links]
        for port in ports:
            open_things.callback(port.unplug)
        loop = _Loop(run, ports, sink, Truth(file, keep=False), say, control)
        say(f"ready {table}")
        loop.run()
    return 1 if sink.failed else 0


class _Loop:
    """One thread: the stage's time, the ptys and the operator."""

    def __init__(
        self,
        run: Run,
        ports: list[PtyPort],
        sink: Sink,
        truth: Truth,
        say: Callable[[str], None],
        control: IO[str] | None,
    ) -> None:
        self.run_, self.ports, self.sink, self.truth, self.say = run, ports, sink, truth, say
        self.stage = Stage(
            run.setup,
            run.noise,
            run.seed,
            truth=truth,
            frame=lambda frame: self.devices[frame.reader].sightings(frame),
            entry=lambda entry: sink.enter(self.stage.time.now, entry),
            passage=lambda board, antenna, face: self.devices[board.number].passage(antenna, face),
            board_step=self._board_step,
            habits=run.habits,
            eligible=run.eligible,
        )
        self.devices = [self._device(number) for number in range(run.setup.boards)]
        self.started = self.quit = False
        self._hand = Hand(self.stage) if run.by_hand else None
        self.lag = 0.0
        self._control = control
        self._begun = time.monotonic()
        self._typed = b""

    def _device(self, number: int) -> Device:
        stage = self.stage
        line = Line(stage.noise, stage.source(f"line {number}"))
        source = stage.source(f"device {number}")
        return Device(stage.boards[number], line, stage.time, source, optical=self.run_.setup.optical)

    def run(self) -> None:
        self.truth.mono_ms = self._begun * 1000
        with selectors.DefaultSelector() as self._selector:
            for device, port in zip(self.devices, self.ports, strict=True):
                self._watch(port, device)
            if self._control is not None:
                os.set_blocking(self._control.fileno(), False)
                self._selector.register(self._control, selectors.EVENT_READ, self._hear)
            before = self._take_signals()
            try:
                while not self.quit and (not self.stage.done or self.run_.stay):
                    self._turn()
            finally:
                for each, handler in before:
                    signal.signal(each, handler)
        self.truth.note(self.stage.time.now, "stopped", lag_ms=round(self.lag, 1))

    def _take_signals(self) -> list[tuple[signal.Signals, Any]]:
        """SIGTERM and SIGINT end the run in order (in a main thread only); returns what they did before."""
        if threading.current_thread() is not threading.main_thread():
            return []
        return [
            (each, signal.signal(each, lambda *_: self._stop())) for each in (signal.SIGTERM, signal.SIGINT)
        ]

    def _turn(self) -> None:
        """Let time catch up with the clock, bring what is due, then wait for a tick or for bytes."""
        now = (time.monotonic() - self._begun) * 1000
        self.lag = max(self.lag, now - self.stage.time.now - TICK * 1000 if self.started else 0.0)
        if not self.started and all(device.ready for device in self.devices):
            self.started = True
            self.say("all boards have a poll plan; the first hand begins")
            self.stage.play(self.run_.steps)
        self.stage.advance(now)
        for device, port in zip(self.devices, self.ports, strict=True):
            data = device.due(now)
            if data:
                port.write(data)
                device.tx_dropped = port.dropped
        for key, _ in self._selector.select(TICK):
            key.data()

    def _watch(self, port: PtyPort, device: Device) -> None:
        if port.fd is not None:
            self._selector.register(port.fd, selectors.EVENT_READ, lambda: device.feed(port.read()))

    def _stop(self) -> None:
        self.quit = True

    # What happens to boards ---------------------------------------------------------------------------------

    def _board_step(self, step: BoardStep) -> None:
        device, port = self.devices[step.reader], self.ports[step.reader]
        if step.what == "restart":
            device.restart(self.stage.blind_ms())
        elif step.what == "unplug" and port.fd is not None:
            self._selector.unregister(port.fd)
            port.unplug()
            device.unplug()
        elif step.what == "replug" and port.fd is None:
            port.plug()
            device.replug()
            self._watch(port, device)
        elif step.what in {"dead", "mend"} and step.antenna is not None:
            device.health(step.antenna)

    def _hear(self) -> None:
        if self._control is None:
            return
        data = os.read(self._control.fileno(), 4096)
        if not data:
            self._selector.unregister(self._control)
            return
        *lines, self._typed = (self._typed + data).split(b"\n")
        for line in lines:
            self._obey(line.decode(errors="replace").strip())

    def _obey(self, words: str) -> None:
        if words == "quit":
            self._stop()
        elif words:
            try:
                self._do(words)
            except TablectlError as wrong:
                self.say(f"error: {wrong}")
            else:
                self.say(f"done {words}")

    def _do(self, words: str) -> None:
        if self._hand is not None and words.partition(" ")[0] in HAND_WORDS:
            self._hand.do(words)
            return
        if words.partition(" ")[0] not in script.BOARD_STEPS:
            raise UsageError(
                f"{words!r}: must be quit or one of {', '.join(script.BOARD_STEPS)} with a number"
            )
        for step in script.parse(words.replace(" ", ":", 1)):
            if isinstance(step, BoardStep):
                self.stage.board_step(step)


def operator() -> IO[str] | None:
    """Standard input, if somebody may type there; a file or the null device has nothing to say."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return None
    return sys.stdin if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or sys.stdin.isatty() else None
