"""The whole simulated table put together, and the one place where its time advances.

Owns: building world, boards, players and dealer from a setup, a noise and a seed; the evening's course.
Refuses: what becomes of frames and entries: `record` writes them down, `process` puts them on ptys and HTTP.

Between two events nothing on the table changes, so the boards look at their antennas in real air time
without any tick. Every part draws from a random source of its own: more noise does not change what the
dealer does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import inf
from random import Random
from typing import Any

from tablectl.errors import UsageError
from tablectl.layout import SHOE, poll_period
from tablectl.sim.antennas import Antenna
from tablectl.sim.board import Board, Frame
from tablectl.sim.dealer import Dealer
from tablectl.sim.felt import Felt
from tablectl.sim.habits import Habits
from tablectl.sim.noise import Noise
from tablectl.sim.players import Players
from tablectl.sim.script import BoardStep, HandPlan, Step
from tablectl.sim.setup import TableSetup
from tablectl.sim.timeline import Act, Timeline
from tablectl.sim.truth import Truth
from tablectl.sim.world import Card, World

NEVER = 1e12


class Stage:
    """One table for one evening. Call `play` once, then `advance` until `done`."""

    def __init__(
        self,
        setup: TableSetup,
        noise: Noise,
        seed: int | str,
        *,
        truth: Truth,
        frame: Callable[[Frame], None],
        entry: Callable[[dict[str, Any]], None],
        passage: Callable[[Board, int, str], None] = lambda _board, _antenna, _face: None,
        board_step: Callable[[BoardStep], None] | None = None,
        habits: Habits | None = None,
        eligible: Collection[int] | None = None,
        button: int | None = None,
    ) -> None:
        """`frame` gets every frame that leaves a board, `entry` every input of the dealer."""

        def source(name: str) -> Random:
            return Random(f"{seed}/{name}")  # noqa: S311 - repeatable on purpose

        self.setup, self.truth = setup, truth
        self.noise = noise.evening(source("evening"))
        self.source = source
        self.time = Timeline()
        self.done = False
        felt = Felt(setup.seats, halves=setup.halves)
        watched = setup.layout.zones
        self.world = World(felt, watched, self.noise, source("world"), self.time, truth, source("rare"))
        players = Players(self.world, self.noise, source("players"), source("chips"))
        self.boards = [self._board(number, felt, frame) for number in range(setup.boards)]
        for board in self.boards:
            board.others = [other for other in self.boards if other is not board]
        self.dealer = Dealer(
            setup,
            self.world,
            players,
            habits or Habits(),
            truth,
            entry,
            source("dealer"),
            eligible=eligible,
            button=button,
        )
        self._passage, self._board_step = passage, board_step or self._own_board_step
        self.world.passed = self._passed

    def _board(self, number: int, felt: Felt, frame: Callable[[Frame], None]) -> Board:
        rng = self.source(f"board {number}")
        antennas: dict[int, Antenna] = {}
        for (reader, antenna), zone in self.setup.layout.antennas.items():
            if reader == number:
                made = Antenna(antenna, zone, self.world.fields[zone], self.noise, rng)
                made.neighbours = frozenset(near for near, _ in felt.neighbours[zone])
                antennas[antenna] = made
        return Board(number, antennas, self.noise, rng, frame)

    def poll(self) -> None:
        """Start polling everywhere with the periods that a table computer asks for."""
        for board in self.boards:
            self.start_board(board)

    def start_board(self, board: Board) -> None:
        """Start polling on one board with the periods that a table computer asks for."""
        plan = {number: poll_period(antenna.zone) for number, antenna in board.antennas.items()}
        board.set_plan(plan, self.time.now)

    def play(self, steps: Iterable[Step], *, lead_ms: float = 500.0) -> None:
        """Let the evening begin in `lead_ms`: its hands, and what befalls the boards between them."""
        self.time.play(self._evening(steps, lead_ms))
        if self.noise.resets[0] > 0:
            for board in self.boards:
                self.time.play(self._resets(board))

    def advance(self, until: float) -> None:
        """Let simulated time pass up to `until` (ms)."""
        while self.time.next_at <= until:
            self._radio(self.time.next_at)
            self.time.step()
        self._radio(until)
        self.time.pass_until(until)

    def advance_event(self) -> float:
        """Let time pass up to and with the next event; returns the time then."""
        self._radio(self.time.next_at)
        self.time.step()
        return self.time.now

    def _radio(self, until: float) -> None:
        """The boards look at their antennas up to `until`, whichever is next."""
        if len(self.boards) == 1:
            board = self.boards[0]
            while board.time < until:
                board.step()
            return
        while True:
            first: Board | None = None
            at = until
            for each in self.boards:
                if each.time < at:
                    first, at = each, each.time
            if first is None:
                return
            first.step()

    def _evening(self, steps: Iterable[Step], lead_ms: float) -> Act:
        yield lead_ms
        for step in steps:
            if isinstance(step, HandPlan):
                yield from self.dealer.hand(step)
            else:
                self._later(step)
        self.truth.note(self.time.now, "end")
        self.done = True

    def _later(self, step: BoardStep) -> None:
        if step.after_ms:
            self.time.after(step.after_ms, lambda: self.board_step(step))
        else:
            self.board_step(step)

    # The boards' accidents ----------------------------------------------------------------------------------

    def board_step(self, step: BoardStep) -> None:
        """Something happens to a board now. UsageError if there is no such board or antenna."""
        if not 0 <= step.reader < len(self.boards):
            raise UsageError(
                f"{step.what}: there is no board {step.reader}, only 0 to {len(self.boards) - 1}"
            )
        board = self.boards[step.reader]
        extra = {} if step.antenna is None else {"antenna": step.antenna}
        if step.what in {"dead", "mend"}:
            if step.antenna is None or step.antenna not in board.antennas:
                raise UsageError(f"{step.what}: board {step.reader} has no antenna {step.antenna}")
            board.antennas[step.antenna].dead = step.what == "dead"
        self.truth.note(self.time.now, "board", reader=step.reader, what=step.what, **extra)
        self._board_step(step)

    def _own_board_step(self, step: BoardStep) -> None:
        """Without a line to it, a board simply stops and starts."""
        board = self.boards[step.reader]
        if step.what in {"unplug", "restart"}:
            board.reboot(self.time.now)
        if step.what == "restart":
            self.time.after(self.blind_ms(), lambda: self.start_board(board))
        elif step.what == "replug":
            self.start_board(board)

    def blind_ms(self) -> float:
        """How long a restart blinds a board this time."""
        return self.source(f"reset at {self.time.now}").uniform(*self.noise.reset_ms)

    def _resets(self, board: Board) -> Act:
        rng = self.source(f"resets {board.number}")
        while True:
            yield min(NEVER, rng.expovariate(self.noise.resets[0] / 3_600_000))
            if board.time < inf:
                self.board_step(BoardStep("restart", board.number))

    def _passed(self, card: Card) -> None:
        """The optical sensor sees every card that leaves; of two that stick together only the upper one."""
        if card.stuck is not None and card.stuck[0].k is not None:
            return
        for board in self.boards:
            for number, antenna in board.antennas.items():
                if antenna.zone == SHOE:
                    self._passage(board, number, "up" if card.boxed else "down")
