"""The one place where a table is built and connected.

    readers ─emit─▶ Table.step ─▶ decisions ─▶ alerts ─▶ panel            (at once, in the same call)
                                      └──────▶ journal, recording, display  (queued; none can delay the alarm)

Owns: construction, the order in which outputs are served, start and stop. Refuses: business (`core`) and
devices (`shell`).

An output that fails never stops the core or another output: its failure is a fault on the display and a line
in the log, and the table goes on.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablectl import recording
from tablectl.app.attendance import Attendance
from tablectl.app.faults import Faults
from tablectl.app.front import Front
from tablectl.app.log import OneLine, Say, Voice, discreet, identities, to_stderr
from tablectl.app.metrics import Metrics
from tablectl.app.news import News
from tablectl.app.pending import SPEAKS_OF_OPEN, must_be_open
from tablectl.app.presses import Presses
from tablectl.app.pulse import Pulse, status_line
from tablectl.app.technician import Technician
from tablectl.config import Config
from tablectl.core import entries
from tablectl.core.alerts import Alerts, Signals
from tablectl.core.decisions import Decision, HandEvent
from tablectl.core.moment import why_not
from tablectl.core.sensed import Entry, Sensed, Sweep
from tablectl.core.settings import Setting, Timing
from tablectl.core.table import Table
from tablectl.errors import TablectlError, UsageError
from tablectl.rulebooks import load as load_rulebook
from tablectl.said import Said, say

if TYPE_CHECKING:
    from tablectl.app.wear import Wear
    from tablectl.shell.display import Display
    from tablectl.shell.journal import Journal
    from tablectl.shell.panel import Panel, Pins
    from tablectl.shell.readers import Reader, ReaderState
    from tablectl.shell.recorder import Recorder
    from tablectl.shell.systemd import Service

READY_S = 3.5
"""Boards that have not answered by then are named and waited for; the table runs on with the others, s.
Together with the time that Python takes to load, a start takes no more than four seconds."""
STOPPED_S = 1.0
"""A core that has failed at whatever came for so long has stopped, s; a single event may break it and cost no more."""
STOPS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What ends a table in order. A terminal that is closed sends SIGHUP, which would leave the buzzer on."""
CLOSE_S = 3.0
"""How long one part may take to close, s: a USB device that hangs must not hold up the end."""


def table_of(config: Config) -> Table:
    """The core of one table, as configured."""
    layout = config.layout()
    setting = Setting(
        id=config.table.id,
        layout=layout,
        game=config.table.game,
        rulebook=config.table.rulebook,
        mode=config.table.mode,
        dealt_by=config.table.dealt_by,
        betting=config.table.betting,
        language=config.table.language,
        night=config.panel.night.on,
        confirms=frozenset(config.table.confirms),
        decks=config.decks,
        active_deck=config.active_deck or "",
        timing=Timing(**config.tracker.model_dump(exclude={"shuffle_p"})),
        calibration=config.calibration(),
        button_tags=frozenset(config.table.button_tags),
        names={seat: name for seat, name in enumerate(config.table.names, start=1) if name},
        shuffle_p=config.shuffle_p(),
    )
    return Table(setting, load_rulebook(config.table.rulebook))


class App:
    """One table with everything connected: `start()`, then events flow until `close()`.

    `log` gets one line for each thing a technician wants to know. `record` is a file that gets a recording.
    `pins` replaces the driver that the configuration names, `clock` the one that gives the table its seconds: a soak
    test lets them pass faster. `service` is the service manager that wants to know how it stands. The parts are public
    for whoever built the app.

    `start` raises JournalError, RecordingError or LinkError (the display's port) before anything runs.
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
    ) -> None:
        self.config = config
        self.table = table_of(config)
        self.alerts = Alerts()
        self.readers: list[Reader] = []
        self.attendance = Attendance(
            {n: each.antennas.values() for n, each in enumerate(config.readers)}, clock
        )
        self.panel: Panel | None = None
        self.journal: Journal | None = None
        self.recorder: Recorder | None = None
        self.wear: Wear | None = None
        self.display: Display | None = None
        self._clock = clock
        self._began = clock()
        self.metrics = Metrics(self._began, clock)
        self._record = record
        self._with_display = with_display
        self._pins = pins
        self._last = 0
        self._seq = 0
        self._closing = False
        self._news: News | None = None
        self._failing_since: float | None = None
        self._answered = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        known = identities(config.decks)
        self.log: Say = lambda text: log(discreet(text, known))
        self._faults = Faults(self.log)
        self.technician = Technician(
            self.table, self.readers, self.attendance, self._faults,
            now=self.now, take=self._take, show=self._show_signals, stopped=self._stopped, notice=self._notice,
        )  # fmt: skip
        self._pulse = Pulse(service, self._alive, self._status) if service is not None else None
        self.front = Front()
        self.presses = Presses(self.now, self._view, self.submit, self.log)

    def now(self) -> int:
        """Milliseconds since the recording began."""
        return int((self._clock() - self._began) * 1000)

    # --- the straight line ----------------------------------------------------------------------------------

    def sense(self, event: Sensed) -> None:
        """Takes what a reader sensed."""
        taken = self.technician.keeps(event) or self._take(event)
        if isinstance(event, Sweep):
            self.attendance.looked(event.reader)
        if taken:
            self._faults.guarded("technician", self.technician.took, event)

    def _take(self, event: Sensed) -> bool:
        """First the alarm, then everybody else. False if the core could not take the event."""
        if self._closing:
            return False
        began = time.perf_counter()
        if event.t < self._last:
            event = replace(event, t=self._last)
        self._last = event.t
        taken, decisions = self._step(event)
        seconds = time.perf_counter() - began
        self._faults.guarded("metrics", self.metrics.stepped, event, decisions, seconds)
        self._keep(event, decisions)
        if self.wear is not None:
            self._faults.guarded("wear", self.wear.took, event, decisions)
        at_once = bool(decisions) or isinstance(event, Entry) or not taken
        self._faults.guarded("display", self._publish, at_once=at_once)
        return taken

    def _step(self, event: Sensed) -> tuple[bool, tuple[Decision, ...]]:
        try:
            decisions = self.table.step(event)
        except Exception as error:  # noqa: BLE001 (whatever it is, the next event must get its chance)
            self._faults.failed("core", error)
            if self._failing_since is None:
                self._failing_since = self._clock()
            return False, ()
        self._failing_since = None
        if any(isinstance(each, HandEvent) and each.event == "start" for each in decisions):
            self._faults.over("core")  # a hand that is told from the start is watched again
        self._faults.guarded("alerts", self._alert, event, decisions)
        if self.config.panel.seat_light_complete:
            self._faults.guarded("alerts", self._serve)
        return True, decisions

    def _alert(self, event: Sensed, decisions: tuple[Decision, ...]) -> None:
        signals: Signals | None = None
        for decision in decisions:
            signals = self.alerts.step(decision)
            if decision.type == "irregularity":
                self.front.alarm()
        if isinstance(event, Entry) and event.do == "acknowledge":
            signals = self.alerts.acknowledge()
        elif isinstance(event, Entry) and event.do == "undo":
            signals = self.alerts.heard(self.table.acknowledged)
        if signals is not None:
            self._show_signals()
        if isinstance(event, Entry) and self.panel is not None:
            self.panel.night(on=self.table.night)

    def _show_signals(self) -> None:
        if self.panel is not None:
            self.panel.show(self.technician.signals or self.alerts.signals)

    def _serve(self) -> None:
        if self.alerts.serve(self.table.served()) is not None:
            self._show_signals()

    def _keep(self, event: Sensed, decisions: tuple[Decision, ...]) -> None:
        line = self._faults.guarded("journal", recording.dump, event)
        if line is None:
            return
        if self.journal is not None:
            self._seq = (
                self._faults.guarded("journal", self._journal, self.journal, line, decisions) or self._seq
            )
        if self.recorder is not None:
            self._faults.guarded("recording", self.recorder.sensed, line)

    @staticmethod
    def _journal(journal: Journal, line: Mapping[str, Any], decisions: tuple[Decision, ...]) -> int:
        seq = journal.sensed(line)
        return journal.decisions(each.as_json() for each in decisions) if decisions else seq

    def submit(self, obj: Mapping[str, Any]) -> None:
        """One input of the dealer. Raises UsageError with a text for the dealer if it is not one."""
        event = entries.entry(obj, t=self.now(), seats=self.config.table.seats)
        if event.do in SPEAKS_OF_OPEN:
            must_be_open(event, self.table.view()["irregularities"])
        if (wrong := why_not(self.table, event)) is not None:
            raise UsageError(wrong)
        if not self._take(event):
            raise TablectlError(Said("the table cannot take an input now; the log says why"))

    def turn(self, given: Mapping[str, Any]) -> None:
        """A display is turned to another irregularity. Raises UsageError if that is not open any more."""
        self.front.turn(given, self.table.view()["irregularities"])
        self._show_soon()

    def _view(self) -> dict[str, Any]:
        return {**self.table.view(), "front": self.front.turned_to}

    def _pressed(self, button: str) -> None:
        self._faults.guarded("panel", self.presses.pressed, button)
        self._faults.guarded("display", self._publish, at_once=True)

    # --- what can be seen from outside ----------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """The table as `/state` and the display show it."""
        return {
            **self._view(),
            "panel": self.panel.panel_state() if self.panel is not None else {},
            "stopped": self._stopped(),
            "press": self.presses.last,
            "notices": self._notices(),
            "keys": dict(self.config.keys),
            "faults": self.faults(),
            "readers": self.attendance.shown(self.readers),
        }

    def _notices(self) -> list[dict[str, Any]]:
        """What can wait until the hand is over; nothing while one is played."""
        notice = self._notice() if self.technician.between_hands else None
        return [] if notice is None else [{"text": notice, **say(notice)}]

    def _notice(self) -> Said | None:
        return self.wear.notice if self.wear is not None else None

    def _stopped(self) -> bool:
        """The core takes nothing any more: what it says of the table is old."""
        since = self._failing_since
        return since is not None and self._clock() - since > STOPPED_S

    def _alive(self) -> bool:
        """The core takes what comes, and can be looked at."""
        return not self._stopped() and self._faults.guarded("core", self.table.view) is not None

    def _status(self) -> str:
        return status_line(self.attendance.shown(self.readers), stopped=self._stopped())

    def faults(self) -> list[dict[str, Any]]:
        """What does not work at the table itself; readers speak for themselves."""
        return self._faults.all(
            journal=self.journal.fault if self.journal is not None else None,
            panel=self.panel.fault if self.panel is not None else None,
        )

    def metrics_text(self) -> str:
        """`/metrics`."""
        gauges = {"faults": ("Things that do not work now.", float(len(self.faults())))}
        if self.journal is not None:
            gauges["journal_acknowledged"] = ("Entries safely on the disk.", self.journal.acknowledged)
            waiting = self._seq - self.journal.acknowledged
            gauges["journal_waiting"] = ("Entries that wait for the disk, or were lost.", waiting)
            gauges["journal_dropped"] = ("Entries that were lost.", self.journal.dropped)
        if self.display is not None:
            gauges["display_pages"] = ("Pages that are watching.", self.display.watching)
        readers = [(each.state.number, each.state.state, each.counters) for each in self.readers]
        return self.metrics.text(readers, gauges)

    def _tick(self) -> None:
        watched = self.display is not None and self.display.technicians > 0
        self._faults.guarded("technician", self.technician.tick, watched=watched)

    def _publish(self, *, at_once: bool) -> None:
        if self._news is not None:
            if at_once:
                self._news.at_once()
            else:
                self._news.soon()

    # --- what the parts report ------------------------------------------------------------------------------

    def _reported(self, what: str, text: str, *, lasting: bool = False) -> None:
        """A part says something of itself; it may do so from a thread of its own."""
        if lasting:
            self._faults.lasts(what, text)
        self.log(text)
        if self._loop is not None and not self._closing:
            self._loop.call_soon_threadsafe(self._show_soon)

    def _show_soon(self) -> None:
        self._faults.guarded("display", self._publish, at_once=True)

    def _reader_said(self, state: ReaderState) -> None:
        words = f": {state.text}" if state.text else ""
        self.log(f"reader {state.number} ({state.port}): {state.state}{words}")
        self.attendance.looked(state.number)
        self._answered.set()
        self._show_soon()

    # --- start and stop -------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Opens the journal, the recording and the display's port, then the panel, then the readers."""
        from tablectl.shell.journal import Journal

        self._loop = asyncio.get_running_loop()
        config = self.config
        header = recording.header(config.as_recording(), config.decks, config.active_deck)
        self.journal = Journal(config.journal.path, header, lambda text: self._reported("journal", text))
        self._start_wear()
        if self._record is not None:
            from tablectl.shell.recorder import Recorder

            self.recorder = Recorder(
                self._record, header, lambda text: self._reported("recording", text, lasting=True)
            )
        if self._with_display:
            from tablectl.shell.display import Display

            self.display = Display(
                config.display.host, config.display.port, self.state, self.submit, self.metrics_text,
                technician=self.technician, turn=self.turn,
            )  # fmt: skip
            await self.display.start()
            self._news = News(self.display, lambda: self._faults.guarded("core", self.state), self._tick)
            self._news.start()
            self.log(f"display: {self.display.url}")
        self._start_panel()
        await self._start_readers()
        if self._pulse is not None:
            self._pulse.start()

    def _start_wear(self) -> None:
        """A store that cannot be had is no reason not to play, and no trouble of the dealer's: the log says it."""
        from tablectl.app.wear import Wear, store_of

        try:
            self.wear = Wear(self.table, self.config.decks, store_of(self.config.journal.path))
        except TablectlError as error:
            self.log(f"note: {error}; the wear of the decks is not counted")

    def _start_panel(self) -> None:
        from tablectl.app.fitted import panel_of

        loop = asyncio.get_running_loop()
        self.panel = panel_of(
            self.config, self._pins, loop, lambda text: self._reported("panel", text), self._pressed
        )
        self.panel.night(on=self.table.night)
        self.panel.start()

    async def _start_readers(self) -> None:
        from tablectl.shell.readers import Claims, driver

        claims = Claims()
        for number, each in enumerate(self.config.readers):
            make = driver(each.driver, claims)
            reader = make(number, each.port, each.antennas, self.sense, self.now, self._reader_said)
            self.readers.append(reader)
            await reader.start()

    async def ready(self) -> bool:
        """Waits until every board answers, or READY_S, and says so in one line. True if all do."""
        answered = await self._answers()
        if self._pulse is not None:
            self._pulse.ready()
        return answered

    async def _answers(self) -> bool:
        try:
            async with asyncio.timeout(max(READY_S - self.now() / 1000, 0.01)):
                while not self._all_answer():
                    self._answered.clear()
                    await self._answered.wait()
        except TimeoutError:
            silent = [each.state for each in self.readers if each.state.state != "ok"]
            who = "; ".join(f"reader {each.number} ({each.port}): {each.state}" for each in silent)
            self.log(f"READY after {self.now()} ms, without {who}: they are waited for")
            return False
        self.log(f"READY after {self.now()} ms: all {len(self.readers)} readers answer")
        return True

    def _all_answer(self) -> bool:
        return all(each.state.state == "ok" for each in self.readers)

    async def close(self) -> None:
        """The panel dark first, then every part in its turn; none can hold up the others for long."""
        self._faults.guarded("technician", self.technician.end)
        self._closing = True
        if self._pulse is not None:
            self._pulse.stopping()
        if self._news is not None:
            self._news.close()
        if self.panel is not None:
            self._faults.guarded("panel", self.panel.close)
        for reader in self.readers:
            await self._closed("reader", reader.close())
        if self.display is not None:
            await self._closed("display", self.display.close())
        if self.recorder is not None:
            await self._closed("recording", asyncio.to_thread(self.recorder.close), patient=True)
        if self.wear is not None:
            await self._closed("wear", asyncio.to_thread(self.wear.close), patient=True)
        if self.journal is not None:
            await self._closed("journal", asyncio.to_thread(self.journal.close), patient=True)
        if self._pulse is not None:
            self._pulse.close()

    async def _closed(self, what: str, closing: Any, *, patient: bool = False) -> None:
        try:
            # The files' own patience is longer than ours: what they hold is worth the wait.
            await asyncio.wait_for(closing, None if patient else CLOSE_S)
        except Exception as error:  # noqa: BLE001 (the next part must be closed all the same)
            self._faults.failed(what, error)


async def run(config: Config, *, record: Path | None = None, with_display: bool = True) -> None:
    """One table until SIGTERM, SIGINT or SIGHUP, telling on standard error and the service manager, if one started it.

    Raises what `App.start` raises.
    """
    from tablectl.shell.systemd import service_of

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in STOPS:
        if signal.getsignal(each) is not signal.SIG_IGN:  # nohup means it
            loop.add_signal_handler(each, stop.set)
    voice = Voice()
    service = service_of(os.environ)
    if service is not None and sys.__stderr__ is not None:
        faulthandler.enable(
            sys.__stderr__
        )  # the watchdog's SIGABRT then leaves on record where the core hung
    app = App(config, log=voice, record=record, with_display=with_display, service=service)
    logging.getLogger().addHandler(OneLine(app.log))
    try:
        await app.start()
        for warning in config.warnings:
            app.log(f"note: {warning}")
        saying = asyncio.create_task(app.ready())
        await stop.wait()
        saying.cancel()
    finally:
        await app.close()
        app.log("stopped")
        voice.close()
