"""Commands to a board: stop and wait.

Owns: the one command in flight, its repeats, and the poll plan. Refuses: frames and lines.

The poll plan is the only command the table sends by itself. It sets the whole state: a repeat does no harm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tablectl import layout, wire
from tablectl.said import Said
from tablectl.shell.readers.state import Timing

FULL_POWER = 255

STATUS = {
    1: Said("it does not know the command"),
    2: Said("it cannot read the command"),
    3: Said("it is busy"),
    4: Said("it failed"),
}


def poll_plan(antennas: Mapping[int, str]) -> bytes:
    """The body of SET_POLL_PLAN for the configured antennas; the board switches all others off."""
    plan = [
        {
            "antenna": antenna,
            "period_ms": layout.poll_period(zone),
            "power": FULL_POWER,
        }
        for antenna, zone in sorted(antennas.items())
    ]
    return wire.pack(wire.SET_POLL_PLAN, plan=plan)


class Commands:
    """Brings the poll plan to a board and keeps at it until the board has taken it."""

    def __init__(
        self,
        antennas: Mapping[int, str],
        send: Callable[[int, bytes], int],
        timing: Timing,
        counters: Counter[str],
    ) -> None:
        self.complaint = ""
        """Why the board has not taken the plan, in words; empty if it has or was not asked yet."""
        self.deadline: int | None = None
        self._plan = poll_plan(antennas)
        self._send = send
        self._timing = timing
        self._counters = counters
        self._sent: list[int] = []

    def begin(self, t: int) -> None:
        """Send the plan to a board that just said HELLO."""
        self.complaint = ""
        self._sent = []
        self._try(t)

    def forget(self) -> None:
        """The board is not there any more: nothing is in flight."""
        self.deadline = None
        self._sent = []

    def tick(self, t: int) -> None:
        """Repeat what was not answered in time; after the last try, wait and begin again."""
        if self.deadline is None or t < self.deadline:
            return
        if self._sent:
            self._counters["command_timeouts"] += 1
        if len(self._sent) < self._timing.tries:
            self._try(t)
        else:
            self._give_up(t, "it does not answer")

    def answered(self, fields: dict[str, Any], t: int) -> None:
        """A RESULT came; one for something else, or for an earlier round, is counted and ignored."""
        if fields["for_kind"] != wire.SET_POLL_PLAN or fields["for_seq"] not in self._sent:
            self._counters["stray_results"] += 1
        elif fields["status"] == 0:
            self.complaint = ""
            self.forget()
        else:
            why = STATUS.get(fields["status"]) or Said("status {number}", number=fields["status"])
            detail = "".join(char for char in fields["detail"] if char.isprintable())
            self._give_up(t, Said("{one}: {other}", one=why, other=detail) if detail else why)

    def _try(self, t: int) -> None:
        self._sent.append(self._send(wire.SET_POLL_PLAN, self._plan))
        self._counters["commands"] += 1
        self.deadline = t + self._timing.reply

    def _give_up(self, t: int, why: str) -> None:
        self._counters["command_failures"] += 1
        self.complaint = Said("the board did not take the poll plan ({why}); it is offered again", why=why)
        self._sent = []
        self.deadline = t + self._timing.plan_again
