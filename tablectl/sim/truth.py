"""What really happened, for those who judge tablectl. Nothing that tablectl runs ever reads it.

Owns: the list of physical events and its JSON lines. Refuses: opinions.

Each event has `t`, ms on the simulation's clock (in a recording: the recording's own `t`), `event` and
`hand`. In a real-time run each also has `mono`, the same moment on CLOCK_MONOTONIC in ms, so that another
process on this machine can compare.

    hand_start    button, seats, absent, game, betting, deck; slip, near_miss, also (what was planned)
    out           k, uid, face          a card left the shoe
    rest          k, zone, uid          it came to rest (after a lift or a move again)
    lift          k, zone               held up above the felt, off the antenna
    leave         k, zone, to           pushed to another zone, or `hand`: into the dealer's hand
    fell          k, zone               off the table
    near_miss     name, …               something happened that must not raise an alarm
    irregularity  kind, at, and what applies of seat, expected, k, street, count, need, zone, uid, by
    entry         entry                 what the dealer entered
    hand_end      cards, aftermath      redeal (same button) or next
    board         reader, what          unplug, replug, restart, dead, mend (with antenna)
    end, stopped  lag_ms                the script is over; the process ends (worst delay of its clock)

`at` is when the card that makes the slip came to rest; where nothing but a missing card makes it
(`too_few_…`), when the first evidence of it appeared: the next entry or the next burn; for a card that
fell, when it left the table.
"""

from __future__ import annotations

import json
from typing import IO, Any


class Truth:
    """Collects physical events; with a file, writes each as a line at once."""

    def __init__(
        self, file: IO[str] | None = None, mono_ms: float | None = None, *, keep: bool = True
    ) -> None:
        self.events: list[dict[str, Any]] = []
        self.mono_ms = mono_ms
        self.hand = 0
        self._file = file
        self._keep = keep

    def note(self, t: float, event: str, **what: Any) -> None:
        """An event at `t` ms."""
        found: dict[str, Any] = {"t": round(t), "event": event, "hand": self.hand, **what}
        if self.mono_ms is not None:
            found["mono"] = round(self.mono_ms + t, 3)
        if self._keep:
            self.events.append(found)
        if self._file:
            self._file.write(json.dumps(found) + "\n")
            self._file.flush()

    def of(self, event: str) -> list[dict[str, Any]]:
        """The events of one sort, in order."""
        return [found for found in self.events if found["event"] == event]
