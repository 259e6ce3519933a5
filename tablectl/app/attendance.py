"""The readers of a table as they are shown: how each stands, and which has fallen silent.

Owns: when each reader looked last. Refuses: losing a reader (its driver does, after the silence that its protocol
grants) and what its zones are worth (`core.sightings`).

A reader that answers and does not look leaves its zones as unwatched as a lost one does, and one that was lost just
now still counts as well. Both are told here, before a driver or the core has any reason to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tablectl.said import Said, say

if TYPE_CHECKING:
    from tablectl.shell.readers import Reader

SILENT_S = 2.0
"""A reader that has not looked anywhere for so long is silent, s: it looks ten times a second and more. Less than the
three seconds after which the wire protocol calls a board lost, so that nobody waits longer for the word."""


class Attendance:
    """Who looks. `zones` has the zones of each reader, by its number; `clock` gives seconds."""

    def __init__(
        self, zones: Mapping[int, Iterable[str]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._zones = {number: list(dict.fromkeys(names)) for number, names in zones.items()}
        self._looked: dict[int, float] = {}

    def looked(self, reader: int) -> None:
        """A look came from the reader, or it has just been met and owes none yet."""
        self._looked[reader] = self._clock()

    def shown(self, readers: Iterable[Reader]) -> list[dict[str, Any]]:
        """Each reader as `/state` has it."""
        now = self._clock()
        return [self._shown(reader, now) for reader in readers]

    def _shown(self, reader: Reader, now: float) -> dict[str, Any]:
        state = reader.state
        name, text = str(state.state), state.text
        silent = now - self._looked.get(state.number, now)
        if name == "ok" and silent > SILENT_S:
            name, text = "silent", Said("it has not looked anywhere for {seconds} s", seconds=int(silent))
        return {
            "reader": state.number,
            "port": state.port,
            "state": name,
            "text": text,
            **say(text),
            "firmware": state.firmware,
            "zones": self._zones.get(state.number, []),
        }
