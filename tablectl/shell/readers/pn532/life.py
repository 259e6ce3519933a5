"""The life of one PN532, in a thread of its own: opened, looked through, re-opened, searched for, given back.

Owns: every blocking call, retries and their bounds, and what is said about each failure. nfcpy waits inside its
calls, so no other thread may depend on this one.
Refuses: the event loop's side (`pn532`): what happened is told to it and never waited for.

    a look fails        up to three times: wake, abort, field off, look again; nothing was polled meanwhile
    it fails three      close, open anew, set up anew, at once
    times, or is slow
    that fails, too     the reader is lost; again and again with longer pauses, and soon "power-cycle reader N"
    the line breaks     the reader is lost; its port is looked for, under other names as well
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

from tablectl import cards
from tablectl.errors import LinkError, PortBusyError
from tablectl.said import Said, said_by
from tablectl.shell.readers.pn532.chip import (
    Chip,
    NfcpyMissingError,
    Pace,
    UnreadableError,
    faults,
    load_nfcpy,
    nfcpy_path,
)
from tablectl.shell.readers.pn532.port import ChipPort, Stopped
from tablectl.shell.readers.ports import Whereabouts
from tablectl.shell.readers.state import State, Timing

GIVE_UP_AFTER = 3
"""So many openings in a row without one good look, and only its power can be at fault."""
LOG_LINES = 50
COUNTERS = (
    "bytes",
    "frames",
    "opened",
    "looks",
    "cards",
    "unread_looks",
    "failed_looks",
    "slow_looks",
    "reopened",
)
"""Everything a PN532 reader counts, for the metrics and for the technician."""

_adrift: set[int] = set()
"""Readers (`id` of their lives) whose device may be anywhere: two PN532 cannot be told apart, so while two are away
neither takes what answers elsewhere."""


class Hears(Protocol):
    """Who is told, on the event loop."""

    def looked(self, at: float, uids: tuple[str, ...], firmware: str) -> None:
        """A look is complete: a tag's UID, or None for none. `at` is its end by time.monotonic(), s."""

    def unread(self) -> None:
        """A look met something that could not be read."""

    def opened(self) -> None:
        """The port is open."""

    def unavailable(self, state: State, text: str) -> None:
        """There is no reader, for a reason that somebody can do something about."""

    def ended(self, error: Exception | None) -> None:
        """The thread is over; `error` is a bug."""


class Life(threading.Thread):
    """`hears` is told through `call`, which hands a call over to the event loop."""

    def __init__(
        self,
        number: int,
        port: str,
        period_ms: int,
        hears: Hears,
        call: Callable[..., object],
        *,
        candidates: Callable[[], Iterable[str]] | None,
        timing: Timing,
        pace: Pace,
    ) -> None:
        super().__init__(name=f"reader {number}", daemon=True)
        self.counters: Counter[str] = Counter(dict.fromkeys(COUNTERS, 0))
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self._number = number
        self._period = period_ms
        self._where = Whereabouts(port, candidates)
        self._hears = hears
        self._call = call
        self._timing = timing
        self._pace = pace
        self._met = False
        self._ambiguous = False
        """More than one device elsewhere may be this reader."""
        self._mute = 0
        self._nfcpy: Any = None

    def start(self) -> None:
        """Begin; once."""
        self._stop, self._stops = os.pipe()
        super().start()

    def stop(self) -> None:
        """End soon. Called once, from any thread."""
        os.close(self._stops)

    def run(self) -> None:
        """Until `stop`."""
        error = None
        try:
            self._nfcpy = load_nfcpy()
            self._live()
        except NfcpyMissingError as missing:
            self._unavailable("missing", said_by(missing))
        except Stopped:
            pass
        except Exception as bug:  # noqa: BLE001 (a thread has nobody above it: the reader tells)
            error = bug
        _adrift.discard(id(self))
        os.close(self._stop)
        self._call(self._hears.ended, error)

    # --- ports ----------------------------------------------------------------------------------------------

    def _live(self) -> None:
        delay = self._timing.retry_first
        while True:
            before = self._where.nodes(elsewhere=self._met)
            if self._try_all():
                delay = self._timing.retry_first
            self._rest(delay, before)
            delay = min(delay * 2, self._timing.retry_longest)

    def _try_all(self) -> bool:
        """Every port where the reader may be; True if it was there."""
        configured = self._where.configured()
        if not configured:
            self._missing(Said("no port matches {port}: is the board plugged in?", port=self._where.port))
        if any(self._visit(path) for path in configured):
            return True
        if not self._met or self._where.names_a_place or any(Path(path).exists() for path in configured):
            return False
        moved_to = self._moved_to()
        return moved_to is not None and self._visit(moved_to)

    def _moved_to(self) -> str | None:
        """The one other port where a PN532 answers that nobody holds, if only this reader searches."""
        others = self._where.elsewhere()
        found = [path for path in others if self._answers(path)]
        if len(found) == 1 and len(_adrift) == 1:
            return found[0]
        self._ambiguous = bool(found) or (self._ambiguous and bool(others))
        if self._ambiguous:
            self._unavailable(
                "refused",
                Said(
                    "more than one PN532 may be this reader, and nothing tells one from another: "
                    "name the ports by their place (/dev/serial/by-path/…)"
                ),
            )
        return None

    def _missing(self, text: str) -> None:
        """The port is not there; said once, until there is more to say."""
        self._drift()
        if not self._ambiguous:
            self._unavailable("missing", text)

    def _drift(self) -> None:
        """The reader may be anywhere now, unless its port is a place."""
        if not self._where.names_a_place:
            _adrift.add(id(self))

    def _answers(self, path: str) -> bool:
        """Whether a PN532 is there."""
        try:
            port = ChipPort(path, self._stop, self.counters, first_ms=self._timing.probe)
        except LinkError:
            return False
        try:
            Chip(port, self._nfcpy, self._pace)
        except faults(self._nfcpy):
            return False
        finally:
            port.close()
        return True

    def _visit(self, path: str) -> bool:
        """Open a port and stay while the chip there can be brought to look; True if it ever did."""
        ever = False
        while self._stay(path):
            ever = True
            self.counters["reopened"] += 1
        return ever

    def _stay(self, path: str) -> bool:
        """One opening of the port; True if it looked for a while and is to be opened anew."""
        try:
            port = ChipPort(path, self._stop, self.counters, first_ms=self._pace.first)
        except PortBusyError as error:
            self._unavailable("busy", said_by(error))
            return False
        except LinkError as error:
            self._missing(said_by(error))
            return False
        self.counters["opened"] += 1
        self._call(self._hears.opened)
        chip: Chip | None = None
        before = self.counters["looks"]
        try:
            chip = Chip(port, self._nfcpy, self._pace)
            self._where.met(port.port)
            self._look_on(chip, port)
        except faults(self._nfcpy) as error:
            self._note(error)
        finally:
            (chip or port).close()
        if port.gone:
            self._drift()
            self._unavailable("lost", port.gone)
            return False
        if self.counters["looks"] > before:
            return True
        self._mute += 1
        self._unavailable("lost", self._mute_text(port.port))
        return False

    def _rest(self, delay: int, before: frozenset[tuple[str, int, int]]) -> None:
        """Wait before the next attempt, but not if a device appears meanwhile."""
        until = time.monotonic() + delay / 1000
        while (left := until - time.monotonic()) > 0:
            if self._where.nodes(elsewhere=self._met) - before:
                return
            ready, _, _ = select.select([self._stop], [], [], min(left, self._timing.look / 1000))
            if ready:
                raise Stopped

    # --- looks ----------------------------------------------------------------------------------------------

    def _look_on(self, chip: Chip, port: ChipPort) -> None:
        """Look until the chip fails or gets slow. Raises what the chip raised last if it fails."""
        failed = slow = 0
        while slow < self._pace.slow_looks:
            began = time.monotonic()
            try:
                self._look(chip)
                failed = 0
            except faults(self._nfcpy) as error:
                failed += 1
                self.counters["failed_looks"] += 1
                if port.gone or failed >= self._timing.tries:
                    raise
                self._note(error)
                continue
            took = (time.monotonic() - began) * 1000
            slow = slow + 1 if took > self._pace.slow else 0
            self.counters["slow_looks"] += slow > 0
            port.pause(self._period - took)
        self.log.append(f"{slow} looks in a row took more than {self._pace.slow} ms: opened anew")

    def _look(self, chip: Chip) -> None:
        try:
            uids = chip.look()
        except UnreadableError:
            self.counters["unread_looks"] += 1
            self._call(self._hears.unread)
            return
        self._met = True
        self._ambiguous = False
        self._mute = 0
        _adrift.discard(id(self))
        self.counters["looks"] += 1
        self.counters["cards"] += len(uids)
        self._call(
            self._hears.looked,
            time.monotonic(),
            tuple(cards.uid_from_bytes(uid) for uid in uids),
            chip.firmware,
        )

    # --- what is said ---------------------------------------------------------------------------------------

    def _note(self, error: Exception) -> None:
        self.log.append(f"{type(error).__name__}: {error}")

    def _unavailable(self, state: State, text: str) -> None:
        self._call(self._hears.unavailable, state, text)

    def _mute_text(self, device: str) -> str:
        if self._mute >= GIVE_UP_AFTER:
            return Said(
                "power-cycle reader {reader}: port {port} opens, but its PN532 does not answer",
                reader=self._number,
                port=self._where.port,
            )
        return Said(
            "no PN532 answers on port {port} ({path}): it is woken and asked again",
            port=self._where.port,
            path=nfcpy_path(device),
        )
