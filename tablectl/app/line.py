"""The straight line: one event through the core to the lamps, then to everybody else.

    take ─▶ step: Table.step ─▶ decisions ─▶ alerts ─▶ panel      (in the same call, before anything else is told)
      └───▶ figures, journal, recording, wear, display            (`Outputs`: queued, none can delay the alarm)

Owns: that order; the order in time (no event is before the last one); whether the core still takes what comes; which
inputs of the dealer are let through. Refuses: where events come from (`built`), how an output is served (`outputs`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from tablectl.app.faults import Faults
from tablectl.app.front import Front
from tablectl.app.metrics import Metrics
from tablectl.app.outputs import Outputs
from tablectl.app.pending import SPEAKS_OF_OPEN, must_be_open
from tablectl.config import Config
from tablectl.core import entries
from tablectl.core.alerts import Alerts, Signals
from tablectl.core.decisions import Decision, HandEvent
from tablectl.core.moment import why_not
from tablectl.core.sensed import Entry, Sensed
from tablectl.core.table import Table
from tablectl.errors import TablectlError, UsageError
from tablectl.said import Said

STOPPED_S = 1.0
"""A core that has failed at whatever came for so long has stopped, s; a single event may break it and cost no more."""


class StraightLine:
    """The core of one table, between what is sensed and what is told.

    `now` gives ms since the recording began, `clock` s. `lamps` says what the lamps show instead of the alerts, None
    for nothing else.
    """

    def __init__(
        self,
        config: Config,
        table: Table,
        outputs: Outputs,
        metrics: Metrics,
        faults: Faults,
        *,
        now: Callable[[], int],
        clock: Callable[[], float],
        lamps: Callable[[], Signals | None],
    ) -> None:
        self.alerts = Alerts()
        self._table = table
        self._outputs = outputs
        self._metrics = metrics
        self._faults = faults
        self._now = now
        self._clock = clock
        self._lamps = lamps
        self._front = Front()
        self._seats = config.table.seats
        self._lights_complete = config.panel.seat_light_complete
        self._last = 0
        self._ended = False
        self._failing_since: float | None = None
        self._stood: frozenset[str] = frozenset()
        """Irregularities that another process has told."""

    # --- one event ------------------------------------------------------------------------------------------

    def take(self, event: Sensed) -> bool:
        """First the alarm, then everybody else. False if the core could not take the event."""
        if self._ended:
            return False
        began = time.perf_counter()
        if event.t < self._last:
            event = replace(event, t=self._last)
        self._last = event.t
        taken, decisions = self.step(event)
        seconds = time.perf_counter() - began
        self._faults.guarded("metrics", self._metrics.stepped, event, decisions, seconds)
        self._outputs.keep(event, decisions, taken=taken)
        self._outputs.publish(at_once=bool(decisions) or isinstance(event, Entry) or not taken)
        return taken

    def step(self, event: Sensed) -> tuple[bool, tuple[Decision, ...]]:
        """Through the core to the pins. An event at which the core fails is a fault, and the next one counts."""
        try:
            decisions = self._table.step(event)
        except Exception as error:  # noqa: BLE001 (whatever it is, the next event must get its chance)
            self._faults.failed("core", error)
            if self._failing_since is None:
                self._failing_since = self._clock()
            return False, ()
        self._failing_since = None
        if any(isinstance(each, HandEvent) and each.event == "start" for each in decisions):
            self._faults.over("core")  # a hand that is told from the start is watched again
        self._faults.guarded("alerts", self._alert, event, decisions)
        if self._lights_complete:
            self._faults.guarded("alerts", self._serve)
        return True, decisions

    def _alert(self, event: Sensed, decisions: tuple[Decision, ...]) -> None:
        if any(decision.type == "irregularity" for decision in decisions):
            self._front.alarm()
        if tell(self.alerts, self._table, event, decisions, self._stood):
            self.show()
        if isinstance(event, Entry):
            self._outputs.night(on=self._table.night)

    def _serve(self) -> None:
        if self.alerts.serve(self._table.served()) is not None:
            self.show()

    def show(self) -> None:
        """The lamps as they must be now."""
        self._outputs.show(self._lamps() or self.alerts.signals)

    def go_on(self, alerts: Alerts, t: int) -> None:
        """Another process brought the table to `t`, ms: what has sounded there stands, and does not sound anew."""
        self.alerts, self._last = alerts, t
        open_ones = self._table.view()["irregularities"]
        self._stood = frozenset(each["id"] for each in open_ones if each["stage"] == "confirmed")
        alerts.acknowledge()

    # --- what the dealer enters -----------------------------------------------------------------------------

    def enter(self, given: Mapping[str, Any]) -> None:
        """One input of the dealer. Raises UsageError with a text for the dealer if it is not one, or not now."""
        event = entries.entry(given, t=self._now(), seats=self._seats)
        if event.do in SPEAKS_OF_OPEN:
            must_be_open(event, self._table.view()["irregularities"])
        if (wrong := why_not(self._table, event)) is not None:
            raise UsageError(wrong)
        if not self.take(event):
            raise TablectlError(Said("the table cannot take an input now; the log says why"))

    def turn(self, given: Mapping[str, Any]) -> None:
        """A display is turned to another irregularity. Raises UsageError if that is not open any more."""
        self._front.turn(given, self._table.view()["irregularities"])
        self._outputs.publish(at_once=True)

    # --- how it stands --------------------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """The core's view of the table, with what the displays are turned to."""
        return {**self._table.view(), "front": self._front.turned_to}

    def stopped(self) -> bool:
        """The core takes nothing any more: what it says of the table is old."""
        since = self._failing_since
        return since is not None and self._clock() - since > STOPPED_S

    def alive(self) -> bool:
        """The core takes what comes, and can be looked at."""
        return not self.stopped() and self._faults.guarded("core", self._table.view) is not None

    def end(self) -> None:
        """Nothing is taken any more."""
        self._ended = True


def tell(
    alerts: Alerts,
    table: Table,
    event: Sensed,
    decisions: Iterable[Decision],
    stood: frozenset[str] = frozenset(),
) -> bool:
    """What one event means for the lamps, after the core has taken it; False if nothing can have changed.

    What `stood` before this process began was heard then.
    """
    changed = False
    for decision in decisions:
        alerts.step(decision)
        changed = True
    if isinstance(event, Entry) and event.do == "acknowledge":
        alerts.acknowledge()
    elif isinstance(event, Entry) and event.do == "undo":
        alerts.heard(table.acknowledged | stood)
    else:
        return changed
    return True
