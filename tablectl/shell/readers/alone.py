"""Readers without a table: for commands that listen at the antennas themselves.

Owns: starting the readers of a configuration at their own ports, and closing them. Refuses: what is heard.

The drivers are those of a running table, so what works here works there. They do not search: another port's board
would answer for the one that is missing.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager

from tablectl.config.model import ReaderSection
from tablectl.core.sensed import Sensed
from tablectl.shell.readers import Claims, Reader, ReaderState, driver


def _nowhere_else() -> Iterable[str]:
    return ()


@asynccontextmanager
async def readers_of(
    sections: Sequence[ReaderSection] | Mapping[int, ReaderSection],
    emit: Callable[[Sensed], None],
    report: Callable[[ReaderState], None] = lambda _: None,
) -> AsyncIterator[dict[int, Reader]]:
    """The readers by number, opened exclusively and polling for the length of an `async with`.

    `sections`: all of a table, or some by their numbers. Times of what is emitted are ms since the start.
    """
    began = time.monotonic()
    claims = Claims()
    readers: dict[int, Reader] = {}
    for number, each in sections.items() if isinstance(sections, Mapping) else enumerate(sections):
        make = driver(each.driver, claims, candidates=_nowhere_else)
        readers[number] = make(
            number, each.port, each.antennas, emit, lambda: int((time.monotonic() - began) * 1000), report
        )
    try:
        for reader in readers.values():
            await reader.start()
        yield readers
    finally:
        for reader in readers.values():
            await reader.close()
