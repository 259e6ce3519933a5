"""An event loop whose seconds pass as fast as the machine can.

Owns: the loop's time. Nothing waits for it: as soon as nothing is left to do, time jumps to the next timer or to the
next thing that comes from outside. Refuses: what comes from outside (`Outside`), and threads, which keep real
seconds: while one of them works for the loop, time stands.
"""

from __future__ import annotations

import asyncio
import selectors
from asyncio import Future
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from math import inf
from typing import Protocol, TypeVar, TypeVarTuple, Unpack

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")

REAL_WAIT_S = 0.02
"""How long the loop waits, in real time, for what is under way in the kernel or in a thread before it looks again,
s."""


class Outside(Protocol):
    """What comes to the loop from outside, in the order of its time."""

    def next_at(self, until: float) -> float:
        """When the next thing comes, s; `inf` if none does before `until`. May wait for whoever makes it."""

    def bring(self) -> bool:
        """The next thing comes now; True if it is on its way through the kernel, so that the loop has to look for
        it."""


class _Selector(selectors.DefaultSelector):
    """Asks the loop what to do where any other selector would wait."""

    idle: Callable[[float | None], list[tuple[selectors.SelectorKey, int]]]

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        return self.idle(timeout)

    def look(self, seconds: float) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready, at once or within so many real seconds."""
        return super().select(seconds)


class Accelerated(asyncio.SelectorEventLoop):
    """The loop. `outside` is set before it has to wait for anything but its own timers."""

    def __init__(self) -> None:
        self._now = 0.0
        self._held = 0
        self.outside: Outside | None = None
        selector = self._look = _Selector()
        selector.idle = self._idle
        super().__init__(selector)

    def time(self) -> float:
        """Seconds since the loop was made; they pass as fast as the work is done."""
        return self._now

    @contextmanager
    def held(self) -> Iterator[None]:
        """Time stands inside: for a talk over a socket that real time must finish."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[_Ts]], _T], *args: *_Ts
    ) -> Future[_T]:
        """As ever; time stands until the thread is done."""
        future: Future[_T] = super().run_in_executor(executor, func, *args)
        self._held += 1
        future.add_done_callback(self._let_go)
        return future

    def _let_go(self, _: object) -> None:
        self._held -= 1

    def _idle(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        if self._held or self.outside is None:
            return self._look.look(REAL_WAIT_S)
        until = inf if timeout is None else self._now + timeout
        at = self.outside.next_at(until)
        if at > until:
            self._now = until
            return []
        if at == inf:  # no timer, and nothing will come: only a thread or a socket can
            return self._look.look(REAL_WAIT_S)
        self._now = max(self._now, at)
        # A pty hands its bytes on by a thread of the kernel: without this time could pass before they are there.
        return self._look.look(REAL_WAIT_S if self.outside.bring() else 0)
