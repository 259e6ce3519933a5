"""A PN532 on a serial port: one antenna that reads one card, for the mouth of a shoe and for enrolment.

Owns: the event loop's side of the reader: its events, its state, its silence.
Refuses: everything that blocks (`life`, in a thread of its own), nfcpy (`chip`) and bytes (`port`).

A PN532 finds two tags at most and reads ISO/IEC 14443 Type A only, not ISO 15693: it never serves a zone where
several cards lie (`config.drivers`). Burn, muck, seats and board hold several; so may the place of one street, where
the card too many is the very thing to be seen. The second tag is read so that a card with two of them is noticed
when it is enrolled. Every look is a Sweep that polled its antenna; a look that failed is none.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from tablectl import layout
from tablectl.core.sensed import AntennaHealth, Seen, Sensed, Sweep
from tablectl.errors import UsageError
from tablectl.said import Said
from tablectl.shell.readers.pn532.chip import DEFAULT_PACE, Pace
from tablectl.shell.readers.pn532.life import COUNTERS, Life
from tablectl.shell.readers.state import DEFAULT_TIMING, ReaderState, Standing, State, Timing

__all__ = ["COUNTERS", "DRIVER", "Pn532Reader"]

LET_GO_S = 2.0
"""How long the end may wait for the thread, s: a kernel call on a USB device that hangs can outlast every table."""
MAX_AGE_MS = 5000
"""The most that a read's age can be: an event loop that was held up for longer has other troubles."""


class Pn532Reader:
    """One PN532. `start` returns at once; what happens is told through `emit` and `report`, on the event loop.

    `antennas` has one entry: the antenna's number and its zone; UsageError if it has not. `now` gives milliseconds
    since the recording began. `candidates` names ports where the reader may turn up again when a port that is a mere
    number (`/dev/ttyUSB0`) stays away.
    """

    def __init__(
        self,
        number: int,
        port: str,
        antennas: Mapping[int, str],
        emit: Callable[[Sensed], None],
        now: Callable[[], int],
        report: Callable[[ReaderState], None],
        *,
        candidates: Callable[[], Iterable[str]] | None = None,
        timing: Timing = DEFAULT_TIMING,
        pace: Pace = DEFAULT_PACE,
    ) -> None:
        if len(antennas) != 1:
            raise UsageError(f"reader {number}: a PN532 has one antenna, not {len(antennas)}")
        ((self._antenna, zone),) = antennas.items()
        self._number = number
        self._emit = emit
        self._now = now
        self._standing = Standing(number, port, emit, report)
        self._silence = timing.silence / 1000
        self._firmware = ""
        self._looked_at = self._met_at = 0.0
        self._blind = False
        self._closing = False
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over = asyncio.Event()
        self._life = Life(
            number,
            port,
            layout.poll_period(zone),
            self,
            self._call,
            candidates=candidates,
            timing=timing,
            pace=pace,
        )

    @property
    def state(self) -> ReaderState:
        """The reader as it stands."""
        return self._standing.state

    @property
    def counters(self) -> Mapping[str, int]:
        """What was counted since the start, by the names in COUNTERS."""
        return dict(self._life.counters)

    @property
    def log(self) -> tuple[str, ...]:
        """What failed last, in nfcpy's words and ours; no UID is in it."""
        return tuple(self._life.log)

    def light(self, *, on: bool) -> bool:
        """A PN532 has no lamp that could be lit from here."""
        del on
        return False

    async def start(self) -> None:
        """Begin to look for the chip."""
        self._loop = asyncio.get_running_loop()
        self._looked_at = self._loop.time()
        self._life.start()
        self._arm()

    async def close(self) -> None:
        """Put the chip to bed and give the port back; a chip that hangs is left behind after LET_GO_S."""
        if self._closing or self._loop is None:
            return
        self._closing = True
        self._disarm()
        self._life.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(LET_GO_S):
                await self._over.wait()

    # --- what the thread tells ------------------------------------------------------------------------------

    def _call(self, what: Callable[..., None], *given: Any) -> None:
        """Have it done on the event loop. Called by the thread; a loop that is closed needs no news."""
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(what, *given)

    def looked(self, at: float, uids: tuple[str, ...], firmware: str) -> None:
        """A look is complete."""
        if self._closing or self._loop is None:
            return
        t = self._now()
        self._firmware = firmware
        self._looked_at = self._met_at = self._loop.time()
        self._standing.find(t)
        if self._blind:
            self._blind = False
            self._emit(AntennaHealth(t, self._number, self._antenna, "ok"))
        self._say("ok", "")
        age = min(max(int((time.monotonic() - at) * 1000), 0), MAX_AGE_MS)
        seen = tuple(Seen(self._antenna, uid, None, age) for uid in uids)
        self._emit(Sweep(t, self._number, (self._antenna,), seen))
        if self._timer is None:
            self._arm()

    def unread(self) -> None:
        """The chip works; what it met was no whole card."""
        if self._closing or self._loop is None:
            return
        self._met_at = self._loop.time()
        if self._timer is None:
            self._arm()

    def opened(self) -> None:
        """The port is open; whether a chip answers there is not known yet."""
        if not self._closing and self.state.state in ("missing", "busy"):
            self._say("connecting", "")

    def unavailable(self, state: State, text: str) -> None:
        """There is nothing to look with."""
        if not self._closing:
            self._standing.lose(self._now(), state, text, firmware=self._firmware)

    def ended(self, error: Exception | None) -> None:
        """The thread is over."""
        self._over.set()
        if error is not None and self._loop is not None:
            self.unavailable("lost", Said("the driver failed: {error}", error=repr(error)))
            self._loop.call_exception_handler({"message": f"reader {self._number}", "exception": error})

    # --- silence --------------------------------------------------------------------------------------------

    def _arm(self) -> None:
        if self._loop is not None:
            self._timer = self._loop.call_at(self._looked_at + self._silence, self._check)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self) -> None:
        """If there was no look lately, the antenna is blind or the reader lost, whatever the thread does."""
        self._timer = None
        loop = asyncio.get_running_loop()
        if loop.time() < self._looked_at + self._silence:
            self._arm()
        elif loop.time() < self._met_at + self._silence:
            self._timer = loop.call_later(self._silence, self._check)
            self._be_blind()
        elif self.state.state in ("connecting", "ok"):
            self.unavailable("lost", Said("no word from the PN532: it is woken and asked again"))

    def _be_blind(self) -> None:
        """The chip works, but nothing can be read: the antenna proves nothing until it can."""
        t = self._now()
        if not self._blind:
            self._blind = True
            self._emit(AntennaHealth(t, self._number, self._antenna, "silent"))
        self._standing.find(t)
        self._say("ok", Said("something lies on the antenna, but it is no single card: two cards, or metal?"))

    def _say(self, state: State, text: str) -> None:
        self._standing.say(state, text, firmware=self._firmware)


DRIVER = Pn532Reader
