"""A Pi and its table together, followed from outside while hands are dealt.

Owns: what the display says over the emulated network, and the next alarm. Refuses: the machine (`pi_machine`) and the
table (`pi_table`).
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx
from pi_machine import PATIENCE_S, Machine, Told
from pi_product import ALARM, BUZZER, SEAT_PINS
from pi_table import Dealt

FRESH_S = 15.0
"""An alarm that is no older will sound on for a while, s."""


@dataclass(frozen=True)
class Alarm:
    """A wrong seat as it really happened, when the buzzer's pin rose for it, and all pins that were high then."""

    slip: dict[str, Any]
    rose: float
    high: set[int]


class Pi:
    """A machine with its table, and every state that its display has sent."""

    def __init__(self, machine: Machine, table: Dealt) -> None:
        self.machine, self.table = machine, table
        self.states = Told()

    def watch(self) -> None:
        """Begins to follow the display as a page does, from outside."""
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        event = ""
        client = httpx.Client(timeout=PATIENCE_S)
        with suppress(httpx.HTTPError), client, client.stream("GET", f"{self.machine.url}events") as stream:
            for line in stream.iter_lines():
                if line.startswith("event: "):
                    event = line[7:]
                elif line.startswith("data: ") and event == "state":
                    self.states.add(line[6:])

    def until(self, fits: Callable[[dict[str, Any]], Any], since: int = 0) -> dict[str, Any]:
        """The first state, from the `since`th on, for which that holds."""

        def that(text: str) -> dict[str, Any]:
            state: dict[str, Any] = json.loads(text)
            return state if fits(state) else {}

        return self.states.until(that, since)[1]

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.machine.url + path, timeout=PATIENCE_S)

    def started(self, since: int = 0) -> float:
        """Waits until systemd has heard that the table is READY; the moment."""
        return self.machine.line("Started tablectl.service", since)[0]

    def alarm(self) -> Alarm:
        """The alarm of the hand that has just begun, or of the next one.

        Nothing but a confirmed irregularity sounds. The dealer deals on, so lamps and buzzer are on for the rest of
        that hand, which is most of a minute.
        """
        fresh = (time.monotonic() - FRESH_S) * 1000
        slip = self.table.happened(lambda event: event["event"] == "irregularity" and event["mono"] > fresh)
        # A machine that others use, too, may be a hand late: the lamp tells which slip it means, if it is still lit.
        rose, lit = slip["mono"] / 1000, set[int]()
        while not lit:
            rose = self.machine.edge(BUZZER, 1, after=rose + 1e-6)
            high = self.machine.high()
            lit = {seat for seat, pin in enumerate(SEAT_PINS, start=1) if pin in high and ALARM in high}
        events = [json.loads(text) for _, text in self.table.truth.all]
        slips = [each for each in events if each["event"] == "irregularity" and each["mono"] / 1000 < rose]
        meant = [each for each in slips if each["seat"] in lit]
        assert meant, (lit, slips)
        return Alarm(meant[-1], rose, high)
