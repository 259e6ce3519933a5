"""Recordings of simulated evenings, as fast as the machine can: no ptys, no clock.

Owns: what a table computer would have written down: frames that arrived, gaps, boards lost and found,
inputs, in the order and the spelling of a recording. Refuses: files; it yields the lines as objects.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator
from math import inf
from typing import Any

from tablectl.sim.board import Board, Frame, Reading
from tablectl.sim.habits import Habits
from tablectl.sim.line import Line
from tablectl.sim.noise import Noise
from tablectl.sim.script import BoardStep, Step
from tablectl.sim.setup import TableSetup
from tablectl.sim.stage import Stage
from tablectl.sim.truth import Truth

SILENCE = 3000.0
"""A board that is silent for so long counts as lost, ms (wire protocol)."""

WINDOW = 20_000.0
"""A board's clock is matched with the computer's by what came fastest in the last one or two windows, ms."""

_Line = dict[str, Any]


def generate(
    setup: TableSetup,
    steps: Iterable[Step],
    noise: Noise,
    seed: int | str,
    *,
    truth: Truth | None = None,
    habits: Habits | None = None,
    eligible: Collection[int] | None = None,
    button: int | None = None,
    header: bool = True,
) -> Iterator[_Line]:
    """The recording of these hands, line by line; what really happened goes to `truth`.

    The same arguments give the same lines. UsageError if a step cannot happen at this table.
    """
    if header:
        yield setup.recording_header()
    yield from Recorder(setup, noise, seed, truth, habits, eligible, button).lines(steps)


class Recorder:
    """Listens to a stage's boards and dealer as a table computer would."""

    def __init__(
        self,
        setup: TableSetup,
        noise: Noise,
        seed: int | str,
        truth: Truth | None = None,
        habits: Habits | None = None,
        eligible: Collection[int] | None = None,
        button: int | None = None,
    ) -> None:
        self.stage = Stage(
            setup,
            noise,
            seed,
            truth=truth or Truth(keep=False),
            frame=self._frame,
            entry=self._entry,
            passage=self._passage,
            board_step=self._board_step,
            habits=habits,
            eligible=eligible,
            button=button,
        )
        self._due: list[tuple[float, int, _Line]] = []
        self._count = 0
        self._optical = setup.optical
        self._ears = [
            _Ear(board, Line(self.stage.noise, self.stage.source(f"line {board.number}")))
            for board in self.stage.boards
        ]

    def lines(self, steps: Iterable[Step]) -> Iterator[_Line]:
        """The recording without its first line."""
        for board in self.stage.boards:
            self._begins(board)
        self.stage.play(steps)
        while not self.stage.done:
            now = self.stage.advance_event()
            while self._due and self._due[0][0] <= now:
                yield heapq.heappop(self._due)[2]
        while self._due:
            yield heapq.heappop(self._due)[2]

    def _put(self, t: float, line: _Line) -> None:
        self._count += 1
        heapq.heappush(self._due, (t, self._count, {"t": round(t), **line}))

    def _entry(self, entry: dict[str, Any]) -> None:
        self._put(self.stage.time.now, {"input": entry})

    def _passage(self, board: Board, antenna: int, face: str) -> None:
        if self._optical and board.plan:
            for t in self._ears[board.number].line.carry(self.stage.time.now)[:1]:
                self._put(t, {"passage": {"reader": board.number, "antenna": antenna, "face": face}})

    def _frame(self, frame: Frame) -> None:
        ear = self._ears[frame.reader]
        arrivals = ear.line.carry(frame.sent)
        if not arrivals:
            ear.missed += 1
            return
        t = arrivals[0]
        if ear.missed:
            self._put(t, {"gap": {"reader": frame.reader}})
        polled, heard = ear.hear(frame, t)
        if polled or heard:
            host, now = ear.host, round(t)
            seen = [[antenna, uid, rssi, max(0, now - host(at))] for antenna, at, uid, rssi in heard]
            self._put(t, {"sweep": {"reader": frame.reader, "polled": polled, "seen": seen}})

    def _board_step(self, step: BoardStep) -> None:
        board, now = self.stage.boards[step.reader], self.stage.time.now
        if step.what in {"dead", "mend"}:
            if step.antenna is not None:
                self._put_health(board, step.antenna)
        elif step.what == "restart":
            blind = self.stage.blind_ms()
            self._cut_off(board)
            self.stage.time.after(blind, lambda: self._back(board, blind))
        elif step.what == "unplug":
            self._cut_off(board)
            self._put(now, {"lost": {"reader": step.reader}})
        else:
            self._put(now, {"found": {"reader": step.reader}})
            self._begins(board)

    def _cut_off(self, board: Board) -> None:
        """A board stops in the middle of whatever it does; frames that have not arrived yet never will."""
        board.reboot(self.stage.time.now)
        self._due = [
            due for due in self._due if due[2].get("sweep", {"reader": None})["reader"] != board.number
        ]
        heapq.heapify(self._due)

    def _back(self, board: Board, blind: float) -> None:
        """A board that had restarted is heard again: lost and found, or if it was quick, a gap."""
        now = self.stage.time.now
        if blind > SILENCE:
            self._put(now, {"lost": {"reader": board.number}})
            self._put(now, {"found": {"reader": board.number}})
        else:
            self._put(now, {"gap": {"reader": board.number}})
        self._begins(board)

    def _begins(self, board: Board) -> None:
        """A board that was plugged in or has restarted polls, and tells which antennas are not well."""
        self._ears[board.number].restart()
        self.stage.start_board(board)
        for number in board.antennas:
            if board.antennas[number].state != "ok":
                self._put_health(board, number)

    def _put_health(self, board: Board, antenna: int) -> None:
        t = self.stage.time.now + self._ears[board.number].line.fastest
        state = board.antennas[antenna].state
        self._put(t, {"health": {"reader": board.number, "antenna": antenna, "state": state}})


class _Ear:
    """What a table computer makes of one board's frames.

    An antenna's reads wait until its list is complete; in a sweep around a loss nothing counts as polled. A
    read's time is known by the board's clock only, which the computer matches with its own: frames can be late,
    never early, so the smallest lag seen lately is taken for none.
    """

    def __init__(self, board: Board, line: Line) -> None:
        self.board, self.line = board, line
        self.restart()

    def restart(self) -> None:
        """The board begins afresh, and its clock too."""
        self.missed = 0
        """Frames lost since the last one that arrived."""
        self._sweep: int | None = None
        self._doubtful = False
        self._held: list[Reading] = []
        self._began = self._lag = self._lag_before = self._least = inf

    def host(self, at: float) -> int:
        """When, by the computer's clock, a read was made that the board dates by its own, ms."""
        return round(self.board.clock(at) + self._least)

    def _match(self, frame: Frame, t: float) -> None:
        lag = round(t) - self.board.clock(frame.seen[-1][1] if frame.seen else frame.begun)
        if self._began == inf:
            self._began, self._lag = t, lag
        elif t - self._began < WINDOW:
            self._lag = min(self._lag, lag)
        else:
            self._lag_before = self._lag if t - self._began < 2 * WINDOW else inf
            self._began, self._lag = t, lag
        self._least = min(self._lag, self._lag_before)

    def hear(self, frame: Frame, t: float) -> tuple[list[int], list[Reading]]:
        """The antennas that are proved to have been looked at completely, and the reads to go with them.

        The frame arrived at `t`, ms.
        """
        self._match(frame, t)
        heard: list[Reading] = []
        if frame.sweep != self._sweep:
            between = (frame.sweep - self._sweep - 1) % 0x10000 if self._sweep is not None else 0
            self._doubtful = self.missed not in {0, between}
            self._sweep = frame.sweep
            heard, self._held = self._held, []
        elif self.missed:
            self._doubtful = True
        self.missed = 0
        whole = set(frame.polled)
        reads = self._held + frame.seen
        self._held = [read for read in reads if read[0] not in whole]
        heard += [read for read in reads if read[0] in whole]
        return ([] if self._doubtful else frame.polled), heard
