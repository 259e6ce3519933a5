"""A Pi and its table together, followed from outside while hands are dealt.

Owns: what the display says over the emulated network, and the next alarm. Refuses: the machine (`pi_machine`) and the
table (`pi_table`).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
from pi_machine import PATIENCE_S, Machine, Told
from pi_product import BUZZER
from pi_table import Dealt


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

    def alarm(self) -> tuple[dict[str, Any], float]:
        """The next wrong seat from now on: what really happened, and when the buzzer's pin rose for it.

        Nothing but a confirmed irregularity sounds. The dealer deals on, so lamps and buzzer are on for the rest of
        that hand.
        """
        since, edges = self.table.truth.count, self.machine.edges.count
        first = self.table.happened(lambda event: event["event"] == "irregularity", since)
        rose = self.machine.edge(BUZZER, 1, edges, after=first["mono"] / 1000)
        events = [json.loads(text) for _, text in self.table.truth.all[since:]]
        slips = [each for each in events if each["event"] == "irregularity" and each["mono"] / 1000 < rose]
        return slips[-1], rose
