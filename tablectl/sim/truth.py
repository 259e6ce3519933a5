"""What really happened, for those who judge tablectl. Nothing that tablectl runs ever reads it.

Owns: the list of physical events and its JSON lines. Refuses: opinions.

Each event has `t`, ms on the simulation's clock; in a recording that is the recording's own `t`. In a real-time run
each also has `mono`, the same moment on CLOCK_MONOTONIC in ms, so that another process on this machine can compare.

    {"event": "hand_start", "hand", "button", "seats", "game", "betting", "deck", "slip", "near_miss"}
    {"event": "out",   "hand", "k", "uid", "face"}            a card left the shoe
    {"event": "rest",  "hand", "k", "zone", "uid"}            it came to rest (after a lift or a move again)
    {"event": "lift",  "hand", "k", "zone"}                   held up above the felt, off the antenna
    {"event": "leave", "hand", "k", "zone", "to"}             pushed to another zone, or `hand`: the dealer's hand
    {"event": "fell",  "hand", "k"}                           off the table
    {"event": "near_miss", "hand", "name", …}                 something happened that must not raise an alarm
    {"event": "irregularity", "hand", "kind", "at", and what applies of seat, expected, k, street, count, need, zone}
    {"event": "entry", "hand", "entry": {…}}                  what the dealer entered
    {"event": "hand_end", "hand", "cards", "aftermath"}        redeal (same button) or next
    {"event": "board", "reader", "what"}                      unplug, replug, restart, dead and mended antennas
    {"event": "end"}

`at` is when the card that makes the slip came to rest; where nothing but a missing card makes it (`too_few_…`), when
the first evidence of it appeared: the next entry or the next burn; for a card that fell, when it left the table.
"""

from __future__ import annotations

import json
from typing import IO, Any


class Truth:
    """Collects physical events; with a file, writes each as a line at once."""

    def __init__(self, file: IO[str] | None = None, mono_ms: float | None = None, *, keep: bool = True) -> None:
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
