"""The workers: chunks are handed out to processes, results come back as they are finished.

Owns: processes and their end. Refuses: what a chunk is (`evening`) and what becomes of its result.

Workers ignore Ctrl-C, which a terminal sends to all of them; they break off when the caller closes the iterator.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import TYPE_CHECKING, Any

from tablectl.bench.campaign import Campaign, Chunk
from tablectl.bench.evening import Halted, play

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

_campaign: Campaign | None = None
_halt: Event | None = None
"""A worker's own: set once when it starts."""


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0))


def outcomes(campaign: Campaign, chunks: Sequence[Chunk], jobs: int) -> Generator[dict[str, Any], None, None]:
    """The results of the chunks, as they come. Closing it, or an exception, stops the workers at once."""
    jobs = min(jobs, len(chunks))
    if jobs <= 1:
        for chunk in chunks:
            yield _played(campaign, chunk)
        return
    spawn = multiprocessing.get_context("spawn")
    halt = spawn.Event()
    pool = ProcessPoolExecutor(jobs, spawn, _enlist, (campaign, halt))
    try:
        waiting = iter(chunks)
        with _deaf():  # the workers are born here
            running: set[Future[dict[str, Any]]] = {
                pool.submit(_work, chunk) for chunk in islice(waiting, 2 * jobs)
            }
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(_work, chunk) for chunk in islice(waiting, len(done))}
            for each in done:
                yield each.result()
    finally:
        halt.set()
        pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started in here never hear Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _enlist(campaign: Campaign, halt: Event) -> None:
    global _campaign, _halt
    _campaign, _halt = campaign, halt
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """Whoever kills the campaign must not leave its workers behind, waiting for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(chunk: Chunk) -> dict[str, Any]:
    assert _campaign is not None and _halt is not None  # noqa: S101, PT018 - set by _enlist
    return _played(_campaign, chunk, _halt)


def _played(campaign: Campaign, chunk: Chunk, halt: Event | None = None) -> dict[str, Any]:
    try:
        return play(campaign, chunk, halt.is_set if halt else lambda: False)
    except Halted:
        raise
    except Exception as error:
        raise RuntimeError(
            f"evening {chunk} of seed {campaign.seed}: {type(error).__name__}: {error}"
        ) from error
