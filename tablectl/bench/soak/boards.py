"""The simulated table of a soak: windows of what its boards and its dealer do, as far ahead as the cable allows.

Owns: the stage with its boards' firmware, cut into windows, and doing what the plan says to its readers. Refuses: ptys
(`cable`), disks and clocks (`command`).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tablectl.bench.soak.cable import WINDOW_MS, Answer, Happening, Window
from tablectl.bench.soak.plan import Plan
from tablectl.sim.device import Device
from tablectl.sim.line import Line
from tablectl.sim.noise import preset
from tablectl.sim.script import BoardStep
from tablectl.sim.setup import TableSetup
from tablectl.sim.stage import Stage
from tablectl.sim.truth import Truth

LOOKS, LOOK_MS = 400, 30_000.0
"""How often the controller is asked how it is in a short run, and how seldom at most, ms of table time."""


class Boards:
    """One table. `window` lets it go on by WINDOW_MS, `heard` brings what the computer said to its boards."""

    def __init__(self, plan: Plan, setup: TableSetup) -> None:
        self.truth = Truth()
        self.ending = False
        """No further hand is dealt."""
        self._plan = plan
        self._happenings: list[Happening] = []
        self._began = False
        self._looked = 0.0
        self._look_ms = min(LOOK_MS, plan.end_ms / LOOKS)
        self.stage = Stage(
            setup, preset(plan.noise), f"soak {plan.seed}", truth=self.truth,
            frame=lambda frame: self._devices[frame.reader].sightings(frame),
            entry=lambda entry: self._happens("enter", (self.truth.hand, entry)),
            board_step=self._board_step,
        )  # fmt: skip
        self._devices = [self._device(number) for number in range(setup.boards)]
        for fault in plan.faults():
            for at, step in fault.steps:
                self.at(at, lambda step=step: self.stage.board_step(step))  # type: ignore[misc]

    def at(self, ms: float, act: Callable[[], None]) -> None:
        """Something is done when it is that late at the table."""
        self.stage.time.at(ms, act)

    def _device(self, number: int) -> Device:
        source: Callable[[str], Random] = self.stage.source
        line = Line(self.stage.noise, source(f"line {number}"))
        return Device(
            self.stage.boards[number], line, self.stage.time, source(f"device {number}"), optical=False
        )

    @property
    def now(self) -> float:
        """ms"""
        return self.stage.time.now

    @property
    def over(self) -> bool:
        """The last hand is over."""
        return self.stage.done

    def window(self) -> Window:
        """The next WINDOW_MS."""
        if not self._began and all(device.ready for device in self._devices):
            self._began = True
            self.stage.play(self._plan.hands(lambda: self.now, lambda: self.ending))
        until = self.now + WINDOW_MS
        self.stage.advance(until)
        for number, device in enumerate(self._devices):
            while (at := device.next_at) <= until:
                self._happenings.append((at, "bytes", (number, device.due(at))))
        if until - self._looked >= self._look_ms:
            self._looked = until
            self._happenings.append((until, "look", None))
        if self.over:
            self._happenings.append((until, "end", None))
        happenings, self._happenings = sorted(self._happenings, key=lambda each: each[0]), []
        return Window(until, happenings)

    def heard(self, answer: Answer) -> None:
        """What the table computer said to its boards."""
        for number, data in answer.said:
            self._devices[number].feed(data)

    def _happens(self, what: str, given: Any) -> None:
        self._happenings.append((self.now, what, given))

    def _board_step(self, step: BoardStep) -> None:
        device = self._devices[step.reader]
        if step.what == "restart":
            device.restart(self.stage.blind_ms())
        elif step.what == "unplug":
            self._happens("unplug", step.reader)
            device.unplug()
        elif step.what == "replug":
            self._happens("replug", step.reader)
            device.replug()
        elif step.antenna is not None:
            device.health(step.antenna)
