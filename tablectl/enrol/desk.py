"""The desk where a deck is enrolled or counted: one reader, one keyboard, one screen, and a task between them.

Owns: the reader's life during the task, keys and signals, and one thing after the other.
Refuses: what a laid card means (the task), and how anything looks (the screen).
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Literal, Protocol

from tablectl.core.sensed import Lost, Sensed, Sweep
from tablectl.shell.readers import DRIVERS, ReaderState

Mood = Literal["good", "bad", "plain"]


@dataclass(frozen=True, slots=True)
class Spot:
    """The antenna at which cards are laid: one reader, and one antenna of it."""

    driver: str
    port: str
    antenna: int
    zone: str
    reader: int = 0


class Screen(Protocol):
    """Where the person at the desk reads."""

    def say(self, text: str, mood: Mood = "plain") -> None:
        """A line that stays."""

    def show(self, prompt: str, done: int, total: int, keys: str) -> None:
        """What is due now, and how far it is."""


class Task(Protocol):
    """What is done at the desk."""

    @property
    def over(self) -> bool:
        """Nothing more is to be laid or typed."""

    def sweep(self, t: int, uids: tuple[str, ...], *, complete: bool) -> None:
        """One look of the antenna, or a part of one."""

    def blind(self) -> None:
        """The antenna sees nothing for now: what lay there may be another card afterwards."""

    def key(self, key: str) -> None:
        """A key was typed."""


class Interrupted(Exception):  # noqa: N818 - no error: somebody went away
    """The person left before the task was over."""


class Desk:
    """One task at one antenna. `keyboard` is a descriptor to read keys from, None if there is none."""

    def __init__(self, spot: Spot, task: Task, screen: Screen, keyboard: int | None) -> None:
        self._spot, self._task, self._screen, self._keyboard = spot, task, screen, keyboard
        self._began = time.monotonic()
        self._wake = asyncio.Event()
        self._interrupted = False
        self._failure: Exception | None = None
        self._said = ""

    async def work(self) -> None:
        """Until the task is over. Interrupted by SIGINT, SIGTERM or SIGHUP; raises what the task raises."""
        spot = self._spot
        with signals_to(self._interrupt), self._keys():
            reader = DRIVERS[spot.driver](
                spot.reader, spot.port, {spot.antenna: spot.zone}, self._sensed, self._now, self._reported
            )
            await reader.start()
            try:
                while not (self._task.over or self._interrupted or self._failure):
                    self._wake.clear()
                    await self._wake.wait()
            finally:
                await reader.close()
        if self._failure is not None:
            raise self._failure
        if self._interrupted:
            raise Interrupted

    def _now(self) -> int:
        return int((time.monotonic() - self._began) * 1000)

    def _interrupt(self) -> None:
        self._interrupted = True
        self._wake.set()

    def _do(self, step: Callable[[], None]) -> None:
        """One step of the task; what goes wrong in it (a full disk) ends the work, not the event loop's good mood."""
        if self._task.over or self._interrupted or self._failure:
            return
        try:
            step()
        except Exception as error:  # noqa: BLE001 - it is raised again by `work`
            self._failure = error
        self._wake.set()

    def _sensed(self, event: Sensed) -> None:
        if isinstance(event, Lost):
            self._do(self._task.blind)
        elif isinstance(event, Sweep):
            antenna = self._spot.antenna
            uids = tuple(seen.uid for seen in event.seen if seen.antenna == antenna)
            complete = antenna in event.polled
            if uids or complete:
                self._do(lambda: self._task.sweep(event.t, uids, complete=complete))

    def _reported(self, state: ReaderState) -> None:
        words = f": {state.text}" if state.text else ""
        text = f"reader on {state.port}: {state.state}{words}"
        if text != self._said:
            self._said = text
            self._screen.say(text, "plain" if state.state == "ok" else "bad")

    @contextmanager
    def _keys(self) -> Iterator[None]:
        if self._keyboard is None:
            yield
            return
        loop, keyboard = asyncio.get_running_loop(), self._keyboard
        loop.add_reader(keyboard, self._typed, keyboard)
        try:
            yield
        finally:
            loop.remove_reader(keyboard)

    def _typed(self, keyboard: int) -> None:
        data = b""
        with suppress(OSError):
            data = os.read(keyboard, 64)
        if not data:  # the terminal is gone
            asyncio.get_running_loop().remove_reader(keyboard)
            self._interrupt()
            return
        for key in data.decode(errors="replace"):
            self._do(lambda key=key: self._task.key(key))  # type: ignore[misc]


@contextmanager
def signals_to(stop: Callable[[], None]) -> Iterator[None]:
    """For the length of a `with`, what would end the process calls `stop` instead."""
    loop = asyncio.get_running_loop()
    each = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in each:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in each:
            loop.remove_signal_handler(number)
