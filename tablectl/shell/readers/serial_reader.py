"""A reader on a serial port, kept alive: opened, lost, searched for and found again.

Owns: the port's life and the timers. Refuses: what bytes mean (the driver's `Session`) and what tags mean
(the core).

Opening and closing a port can wait for a USB device that hangs, so they run in a thread; everything else
happens on the event loop and never waits.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Protocol

import serial

from tablectl.errors import LinkError, PortBusyError
from tablectl.said import Said, said_by
from tablectl.shell.readers.line import Line
from tablectl.shell.readers.ports import Whereabouts, close_port, device_of, open_port
from tablectl.shell.readers.state import ReaderState, State, Timing


class Talk(Protocol):
    """What a driver must know of its reader's protocol: bytes and time in, bytes and events out, no I/O.

    Time comes as `t`, in ms since the recording began; `tick` is due at `deadline`. `opened` is called for every
    port that is tried, `closed` when it is given up; between them `received` brings what came.
    """

    counters: Counter[str]
    """What was counted; `opened`, `stolen_reads` and `unsent_frames` are counted by the port's life."""
    ours: bytes | None
    """What tells the reader from every other one of its kind; None as long as nothing does."""
    stranger: bytes | None
    """Who answers on this line instead of ours; None if nobody does."""

    @property
    def state(self) -> ReaderState:
        """The reader as others see it."""

    @property
    def talking(self) -> bool:
        """True from the first answer until the reader is lost."""

    @property
    def deadline(self) -> int | None:
        """When `tick` is due; None while no port is open."""

    @property
    def busy(self) -> bool:
        """The reader was told something that it has not confirmed yet."""

    @property
    def log(self) -> tuple[str, ...]:
        """The reader's own last words, for the technician."""

    def opened(
        self, t: int, send: Callable[[bytes], None], *, must_be: bytes | None = None, quiet: bool = False
    ) -> None:
        """A port is open. With `must_be` only the reader with that id is ours; another is `stranger`.

        `quiet` is for a port that is only asked whether our reader is there: nothing is shown until it is.
        """

    def closed(self, t: int, why: str) -> None:
        """The port is closed. The reader is lost, unless this was only a port to ask, and `why` is shown."""

    def unavailable(self, t: int, state: State, text: str) -> None:
        """There is no reader to talk to, for a reason that somebody can do something about."""

    def received(self, data: bytes, t: int) -> None:
        """Bytes arrived."""

    def tick(self, t: int) -> None:
        """Do what is due."""

    def light(self, t: int, *, on: bool) -> bool:
        """Have the reader's own lamp blink, or not; False if it has none."""


class SerialReader:
    """A reader that talks by `session`. `start` returns at once; the session tells what happens.

    `now` gives milliseconds since the recording began. `candidates` names ports where the reader may turn up
    again when the configured port stays away: without them the names by id that its device had there. `baud` is the
    port's speed in bit/s.
    """

    def __init__(
        self,
        session: Talk,
        now: Callable[[], int],
        *,
        candidates: Callable[[], Iterable[str]] | None,
        timing: Timing,
        baud: int,
    ) -> None:
        self._session = session
        self._where = Whereabouts(session.state.port, candidates)
        self._now = now
        self._timing = timing
        self._baud = baud
        self._line: Line | None = None
        self._broken: str | None = None
        self._wake = asyncio.Event()
        self._heard = asyncio.Event()
        self._closing = False
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> ReaderState:
        """The reader as it stands."""
        return self._session.state

    @property
    def counters(self) -> Mapping[str, int]:
        """What was counted since the start."""
        return dict(self._session.counters)

    @property
    def log(self) -> tuple[str, ...]:
        """The reader's own last words, for the technician."""
        return self._session.log

    def light(self, *, on: bool) -> bool:
        """Have the reader's own lamp blink, or not; False if there is none to be lit now."""
        lit = self._session.light(self._now(), on=on)
        self._arm()
        return lit

    async def start(self) -> None:
        """Begin to look for the board."""
        self._task = asyncio.create_task(self._live(), name=f"reader {self.state.number}")

    async def close(self) -> None:
        """Give the port back. Nothing is emitted any more: the table is closing, the board is not lost.

        Closing a port drops what is still on its way: a lamp that was put out just now would stay lit. So a board
        that talks gets the time of one answer.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timing.reply / 1000):
                while self._session.talking and self._session.busy:
                    self._heard.clear()
                    await self._heard.wait()
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._task = None

    # --- the life of the port -------------------------------------------------------------------------------

    async def _live(self) -> None:
        delay = self._timing.retry_first
        while not self._closing:
            before = self._nodes()
            if await self._try_all():
                delay = self._timing.retry_first
            await self._rest(delay, before)
            delay = min(delay * 2, self._timing.retry_longest)

    async def _try_all(self) -> bool:
        """Every port where the board may be, until it was there; False if it was nowhere."""
        configured = self._where.configured()
        if not configured:
            self._unavailable(
                "missing", Said("no port matches {port}: is the board plugged in?", port=self._where.port)
            )
        for path in configured:
            only = None if self._where.names_a_place else self._session.ours
            others = len(configured) > 1 or (only is not None and bool(self._where.elsewhere()))
            if await self._visit(path, only=only, may_leave=others):
                return True
        if self._session.ours is not None and not self._closing:
            for path in self._where.elsewhere():
                if await self._visit(path, only=self._session.ours, may_leave=True, quiet=True):
                    return True
        return False

    async def _visit(self, path: str, *, only: bytes | None, may_leave: bool, quiet: bool = False) -> bool:
        """Open a port and stay as long as it is good; True if our board was there."""
        try:
            port = await asyncio.to_thread(open_port, path, self._baud)
        except LinkError as error:
            if not quiet:
                self._unavailable("busy" if isinstance(error, PortBusyError) else "missing", said_by(error))
            return False
        if self._closing:
            await asyncio.to_thread(close_port, port)
            return False
        self._session.counters["opened"] += 1
        was_there = await self._stay(port, device_of(path), only=only, may_leave=may_leave, quiet=quiet)
        if self._session.stranger is not None and not quiet:
            self._unavailable("refused", self._stranger_text(path, self._session.stranger))
        return was_there

    async def _stay(
        self, port: serial.Serial, device: str, *, only: bytes | None, may_leave: bool, quiet: bool
    ) -> bool:
        """Listen on an open port until it breaks, or until it turns out to be the wrong one."""
        session = self._session
        self._broken = None
        self._wake.clear()
        self._line = line = Line(port, self._received, self._broke)
        was_there = False
        try:
            session.opened(self._now(), line.send, must_be=only, quiet=quiet)
            leave_at = self._now() + self._timing.probe if may_leave else None
            while not (self._closing or self._broken or session.stranger):
                if session.talking and not was_there:
                    was_there = True
                    self._where.met(device)
                if not session.talking and self._should_leave(device, was_there, leave_at, quiet=quiet):
                    break
                self._arm()
                await self._pause(None if session.talking else self._timing.look)
            was_there = was_there or session.talking
        finally:
            self._disarm()
            self._line = None
            session.counters["stolen_reads"] += line.stolen
            session.counters["unsent_frames"] += line.dropped
            if not self._closing:
                session.closed(self._now(), self._broken or self._nobody_text(device))
            await asyncio.to_thread(close_port, line.release())
        return was_there

    def _should_leave(self, device: str, was_there: bool, leave_at: int | None, *, quiet: bool) -> bool:  # noqa: FBT001
        """Whether a port where no board talks (any more) is the wrong one."""
        if quiet and was_there:
            return (
                True  # it was not the configured port: look there first, now that the board is gone from here
            )
        if leave_at is not None and not was_there and self._now() >= leave_at:
            return True
        return not quiet and not self._where.leads_to(device)

    async def _rest(self, delay: int, before: frozenset[tuple[str, int, int]]) -> None:
        """Wait before the next attempt, but not if a device appears meanwhile."""
        until = self._now() + delay
        while not self._closing and self._now() < until:
            if self._nodes() - before:
                return
            await self._pause(min(self._timing.look, until - self._now()))

    def _nodes(self) -> frozenset[tuple[str, int, int]]:
        return self._where.nodes(elsewhere=self._session.ours is not None)

    def _unavailable(self, state: State, text: str) -> None:
        self._session.unavailable(self._now(), state, text)

    def _nobody_text(self, device: str) -> str:
        return Said("no reader board answers on port {port} ({device})", port=self._where.port, device=device)

    def _stranger_text(self, path: str, stranger: bytes) -> str:
        ours = self._session.ours.hex() if self._session.ours else "?"
        return Said(
            "port {port} has board {stranger}, this reader is board {ours}: "
            "plug that one in, or name the port by its place (/dev/serial/by-path/…)",
            port=path, stranger=stranger.hex(), ours=ours,
        )  # fmt: skip

    async def _pause(self, milliseconds: int | None) -> None:
        """Until something happens, or the time is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(None if milliseconds is None else max(milliseconds, 1) / 1000):
                await self._wake.wait()
        self._wake.clear()

    # --- what the line and the timer bring ------------------------------------------------------------------

    def _received(self, data: bytes) -> None:
        talking, stranger = self._session.talking, self._session.stranger
        self._session.received(data, self._now())
        self._heard.set()
        if (talking, stranger) != (self._session.talking, self._session.stranger):
            self._wake.set()
        self._arm()

    def _broke(self, why: str) -> None:
        self._broken = why
        self._wake.set()

    def _arm(self) -> None:
        """Have `tick` called when it is due. Ringing early costs less than a new timer every frame."""
        due = self._session.deadline
        if due is None or self._line is None:
            return
        loop = asyncio.get_running_loop()
        when = loop.time() + max(due - self._now(), 0) / 1000
        if self._timer is None or when < self._timer.when():
            self._disarm()
            self._timer = loop.call_at(when, self._tick)

    def _tick(self) -> None:
        self._timer = None
        talking = self._session.talking
        self._session.tick(self._now())
        if talking and not self._session.talking:
            self._wake.set()
        self._arm()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
