"""Commands to a board: stop and wait.

Owns: the one command in flight, its repeats, the poll plan, and the board's own lamp. Refuses: frames and lines.

The poll plan is the only command the table sends by itself; the lamp is lit for a technician. Each sets the whole
state: a repeat does no harm, and of two wishes for the lamp only the last one matters. A plan that is not taken is
offered for ever, a lamp is not: nothing rests on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tablectl import layout, wire
from tablectl.said import Said
from tablectl.shell.readers.state import Timing

FULL_POWER = 255
LAMP = 0
"""The number of a board's own lamp: it has one (`firmware/board.py`)."""
BLUE, DARK = (0, 80, 255), (0, 0, 0)
"""A colour that means nothing at a board or a table, so that nobody takes it for an alarm."""
FAST = 2
"""The pattern of SET_LED that blinks four times a second (`firmware/main.py`)."""

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


def lamp(*, on: bool) -> bytes:
    """The body of SET_LED that makes the board's own lamp blink, or dark."""
    red, green, blue = BLUE if on else DARK
    return wire.pack(wire.SET_LED, led=LAMP, r=red, g=green, b=blue, pattern=FAST if on else 0)


class Commands:
    """Brings the poll plan to a board and keeps at it until the board has taken it; then the lamp."""

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
        self._bodies = {wire.SET_POLL_PLAN: poll_plan(antennas)}
        """What each kind of command says now."""
        self._has_lamp = False
        self._send = send
        self._timing = timing
        self._counters = counters
        self._kind: int | None = None
        self._sent: list[int] = []
        self._waiting: list[int] = []

    def begin(self, t: int, *, has_lamp: bool) -> None:
        """Send the plan to a board that just said HELLO, and what its lamp shows, if that was ever asked for."""
        self.complaint = ""
        self._has_lamp = has_lamp
        self._waiting = [kind for kind in self._bodies if kind == wire.SET_POLL_PLAN or has_lamp]
        self._next(t)

    def forget(self) -> None:
        """The board is not there any more: nothing is in flight, and no lamp can be lit."""
        self._has_lamp = False
        self._waiting = []
        self._rest()

    def light(self, t: int, *, on: bool) -> bool:
        """Have the board's own lamp blink, or not; False if there is none now. A board that comes later is told."""
        self._bodies[wire.SET_LED] = lamp(on=on)
        if self._has_lamp and wire.SET_LED not in self._waiting:
            self._waiting.append(wire.SET_LED)
            if self._kind is None:
                self._next(t)
        return self._has_lamp

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
        if fields["for_kind"] != self._kind or fields["for_seq"] not in self._sent:
            self._counters["stray_results"] += 1
        elif fields["status"] == 0:
            if self._kind == wire.SET_POLL_PLAN:
                self.complaint = ""
            self._next(t)
        else:
            why = STATUS.get(fields["status"]) or Said("status {number}", number=fields["status"])
            detail = "".join(char for char in fields["detail"] if char.isprintable())
            self._give_up(t, Said("{one}: {other}", one=why, other=detail) if detail else why)

    def _next(self, t: int) -> None:
        self._rest()
        if self._waiting:
            self._kind = self._waiting.pop(0)
            self._try(t)

    def _rest(self) -> None:
        self.deadline = self._kind = None
        self._sent = []

    def _try(self, t: int) -> None:
        if self._kind is not None:
            self._sent.append(self._send(self._kind, self._bodies[self._kind]))
            self._counters["commands"] += 1
            self.deadline = t + self._timing.reply

    def _give_up(self, t: int, why: str) -> None:
        self._counters["command_failures"] += 1
        if self._kind != wire.SET_POLL_PLAN:
            self._next(t)
            return
        self.complaint = Said("the board did not take the poll plan ({why}); it is offered again", why=why)
        self._sent = []
        self.deadline = t + self._timing.plan_again
