"""The one place where a table is built and connected.

Owns: construction, start and stop, and the readers. Refuses: what becomes of an event (`line`), the outputs
(`outputs`), what is shown (`shown`), business (`core`) and devices (`shell`).

From here to a sweep's decisions: `App.start` gives each reader `App.sense`; that gives the event to
`StraightLine.take`, which gives it to `Table.step`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablectl.app.attendance import Attendance
from tablectl.app.faults import Faults
from tablectl.app.kept import Keeping, Owed, boottime, take_up
from tablectl.app.line import StraightLine
from tablectl.app.log import Say, discreet, identities, to_stderr
from tablectl.app.metrics import Metrics
from tablectl.app.outputs import Outputs, closed
from tablectl.app.presses import Presses
from tablectl.app.pulse import Pulse
from tablectl.app.setting import table_of
from tablectl.app.shown import Shown
from tablectl.app.technician import Technician
from tablectl.config import Config
from tablectl.core.alerts import Alerts
from tablectl.core.sensed import Lost, Sensed, Sweep

if TYPE_CHECKING:
    from tablectl.shell.display import Display
    from tablectl.shell.journal import Journal
    from tablectl.shell.panel import Panel, Pins
    from tablectl.shell.readers import Reader, ReaderState
    from tablectl.shell.systemd import Service

READY_S = 3.5
"""Boards that have not answered by then are named and waited for; the table runs on with the others, s.
Together with the time that Python takes to load, a start takes no more than four seconds."""


class App:
    """One table with everything connected: `start()`, then events flow until `close()`.

    `log` gets one line for each thing a technician wants to know. `record` is a file that gets a recording.
    `pins` replaces the driver that the configuration names, `clock` the one that gives the table its seconds: a soak
    test lets them pass faster. `service` is the service manager that wants to know how it stands. `keeping` holds what
    survives the process, and what another one left. The parts are public for whoever built the app.
    """

    def __init__(
        self,
        config: Config,
        *,
        log: Say = to_stderr,
        record: Path | None = None,
        with_display: bool = True,
        pins: Pins | None = None,
        service: Service | None = None,
        clock: Callable[[], float] = time.monotonic,
        keeping: Keeping | None = None,
    ) -> None:
        self.config = config
        self._record = record
        self._with_display = with_display
        self._pins = pins
        self._clock = clock
        self._started = clock()
        known = identities(config.decks)
        self.log: Say = lambda text: log(discreet(text, known))
        self._faults = Faults(self.log)
        self._answered = asyncio.Event()

        self._keeping = keeping or Keeping(config, None, "it was not asked to")
        self._taken = take_up(self._keeping, config, self.log)
        self.table = self._taken.table if self._taken is not None else table_of(config)
        self._began = clock() - (self._taken.age_s() if self._taken is not None else 0.0)
        self.readers: list[Reader] = []
        self.attendance = Attendance(
            {n: each.antennas.values() for n, each in enumerate(config.readers)}, clock
        )
        self.outputs = Outputs(self._faults, self.log)
        metrics = Metrics(self._began, clock)
        self.line = StraightLine(
            config, self.table, self.outputs, metrics, self._faults,
            now=self.now, clock=clock, lamps=lambda: self.technician.signals,
        )  # fmt: skip
        self.technician = Technician(
            self.table, self.readers, self.attendance, self._faults,
            now=self.now, take=self.line.take, show=self.line.show, stopped=self.line.stopped,
            notice=self.outputs.notice,
        )  # fmt: skip
        self.presses = Presses(self.now, self.line.view, self.line.enter, self.log)
        self.shown = Shown(
            config, self.line, self.outputs, self.readers, self.attendance,
            presses=self.presses, technician=self.technician, metrics=metrics, faults=self._faults,
            keeping=self._keeping,
        )  # fmt: skip
        self._pulse = Pulse(service, self.line.alive, self.shown.status) if service is not None else None

    def now(self) -> int:
        """Milliseconds since the recording began."""
        return int((self._clock() - self._began) * 1000)

    # --- start ----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Opens the files and the display's port, then the panel, then the readers.

        Raises JournalError, RecordingError or LinkError (the display's port) before anything runs.
        """
        self._go_on_with_files()
        if self._with_display:
            await self.outputs.open_display(self._display_of(), self.shown.state, self.technician.tick)
        self.outputs.open_panel(self.config, self._pins, self.presses.pressed, night=self.table.night)
        self._go_on_with_lamps()
        await self._start_readers()
        if self._pulse is not None:
            self._pulse.start()

    def _go_on_with_files(self) -> None:
        """Opens the files. What another process of this table kept for the journal is given to it first."""
        keeping, taken = self._keeping, self._taken
        owed: Sequence[Owed] = ()
        if taken is not None:
            keeping.continues, owed = taken.journal(self.config.journal.path)
            self.line.go_on(taken.alerts, taken.t)
        self.outputs.open_files(self.config, self.table, self._record, keeping.as_header())
        journal = self.outputs.journal
        assert journal is not None  # noqa: S101 (just opened)
        keeping.begin(
            self.table, self.line.alerts, boottime() - self.now() / 1000, self.log,
            acknowledged=lambda: journal.acknowledged, owed=owed, give=self.outputs.give,
        )  # fmt: skip
        self.outputs.keeping = keeping

    def _go_on_with_lamps(self) -> None:
        """What was lit is lit again; no board has looked since, and each says by a look that it is back."""
        if self._taken is not None:
            self.line.show()
            for number in range(len(self.config.readers)):
                self.line.take(Lost(self._taken.t, number))

    def _display_of(self) -> Display:
        from tablectl.config.opened import LOOPBACK, is_loopback
        from tablectl.shell.display import Display, Opened

        at = self.config.display
        opened = None
        if at.certificate is not None and at.key is not None and not is_loopback(at.host):
            opened = Opened(at.host, at.port, at.certificate, at.key, at.tokens, at.names)
        host, port = (at.host, at.port) if opened is None else (LOOPBACK, at.local_port)
        return Display(
            host, port, self.shown.state, self.line.enter, self.shown.metrics,
            technician=self.technician, turn=self.line.turn, opened=opened,
        )  # fmt: skip

    async def _start_readers(self) -> None:
        from tablectl.shell.readers import Claims, driver

        claims = Claims()
        for number, each in enumerate(self.config.readers):
            make = driver(each.driver, claims)
            reader = make(number, each.port, each.antennas, self.sense, self.now, self._reader_said)
            self.readers.append(reader)
            await reader.start()

    # --- what the readers say -------------------------------------------------------------------------------

    def sense(self, event: Sensed) -> None:
        """Takes what a reader sensed: the table, but while the antennas are tested; then the technician's figures."""
        taken = self.technician.keeps(event) or self.line.take(event)
        if isinstance(event, Sweep):
            self.attendance.looked(event.reader)
        if taken:
            self._faults.guarded("technician", self.technician.took, event)

    def _reader_said(self, state: ReaderState) -> None:
        words = f": {state.text}" if state.text else ""
        self.log(f"reader {state.number} ({state.port}): {state.state}{words}")
        self.attendance.looked(state.number)
        self._answered.set()
        self.outputs.publish(at_once=True)

    async def ready(self) -> bool:
        """Waits until every board answers, or READY_S, and says so in one line. True if all do."""
        answered = await self._answers()
        if self._pulse is not None:
            self._pulse.ready()
        return answered

    async def _answers(self) -> bool:
        try:
            async with asyncio.timeout(max(READY_S - self._since_start(), 0.01)):
                while not self._all_answer():
                    self._answered.clear()
                    await self._answered.wait()
        except TimeoutError:
            silent = [each.state for each in self.readers if each.state.state != "ok"]
            who = "; ".join(f"reader {each.number} ({each.port}): {each.state}" for each in silent)
            self.log(f"READY after {self._since_start() * 1000:.0f} ms, without {who}: they are waited for")
            return False
        self.log(f"READY after {self._since_start() * 1000:.0f} ms: all {len(self.readers)} readers answer")
        return True

    def _since_start(self) -> float:
        return self._clock() - self._started

    def _all_answer(self) -> bool:
        return all(each.state.state == "ok" for each in self.readers)

    # --- stop -----------------------------------------------------------------------------------------------

    async def close(self) -> None:
        """The panel dark first, then every part in its turn; none can hold up the others for long."""
        self._faults.guarded("technician", self.technician.end)
        self.line.end()
        if self._pulse is not None:
            self._pulse.stopping()
        self.outputs.dark()
        for reader in self.readers:
            await closed(self._faults, "reader", reader.close())
        await self.outputs.close()
        self._keeping.close()
        if self._pulse is not None:
            self._pulse.close()

    # --- for whoever built it -------------------------------------------------------------------------------

    def submit(self, given: Mapping[str, Any]) -> None:
        """One input of the dealer. Raises UsageError with a text for the dealer if it is not one."""
        self.line.enter(given)

    def state(self) -> dict[str, Any]:
        """The table as `/state` and the display show it."""
        return self.shown.state()

    def faults(self) -> list[dict[str, Any]]:
        """What does not work at the table itself; readers speak for themselves."""
        return self.shown.faults()

    def metrics_text(self) -> str:
        """`/metrics`."""
        return self.shown.metrics()

    @property
    def alerts(self) -> Alerts:
        """What the lamps are told, unless the antennas are tested."""
        return self.line.alerts

    @property
    def panel(self) -> Panel | None:
        """None before the start."""
        return self.outputs.panel

    @property
    def journal(self) -> Journal | None:
        """None before the start."""
        return self.outputs.journal

    @property
    def display(self) -> Display | None:
        """None before the start, or without one."""
        return self.outputs.display
