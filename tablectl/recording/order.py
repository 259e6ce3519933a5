"""What the lines of a recording must be beside one another.

Owns: time that goes back or jumps ahead, and readers and antennas that the configuration does not have.
Refuses: the spelling of a single line, which is read by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from tablectl.core.sensed import AntennaHealth, Entry, Passage, Sensed, Sweep
from tablectl.errors import RecordingError

AHEAD_MS: Final = 24 * 3600 * 1000
"""A line may be so much later than the one before, ms. A table that is on sweeps some hundred times a minute;
only one whose boards are all unplugged is silent for longer."""

Antennas = Mapping[int, frozenset[int]]
"""Reader → its antennas."""


def antennas_of(config: Mapping[str, Any]) -> Antennas | None:
    """The antennas that a recording's configuration names; None if it does not list its readers."""
    readers = config.get("reader")
    if not isinstance(readers, list):
        return None
    maps = [reader.get("antennas") if isinstance(reader, Mapping) else None for reader in readers]
    return {
        number: frozenset(int(name) for name in map(str, given or ()) if _is_number(name))
        for number, given in enumerate(maps)
        if given is None or isinstance(given, Mapping)
    }


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) < 4


class Order:
    """Takes the events of one recording as they are read; `take` and `end` give what the table may have.

    An event that is earlier than the one before is told and taken at that one's time. One that is later by
    more than AHEAD_MS is believed once the next line agrees with it; else it is told and skipped, so that one
    bad line cannot squeeze all later ones into a moment. With `strict` both raise RecordingError.
    """

    def __init__(self, antennas: Antennas | None, tell: Callable[[int, str], None], *, strict: bool) -> None:
        self._antennas = antennas
        self._tell = tell
        self._strict = strict
        self._last = 0
        self._doubted: tuple[int, Sensed] | None = None
        self._strangers: set[tuple[int, int | None]] = set()

    def take(self, line: int, event: Sensed) -> Iterator[Sensed]:
        """What may be had after this line."""
        if self._doubted is not None:
            if 0 <= event.t - self._doubted[1].t <= AHEAD_MS:
                yield self._believed(*self._doubted)
            else:
                self._refuse(*self._doubted)
            self._doubted = None
        if event.t > self._last + AHEAD_MS:
            self._doubted = line, event
        else:
            yield self._believed(line, event)

    def end(self) -> None:
        """There are no more lines: a last one that nobody confirms is told."""
        if self._doubted is not None:
            self._refuse(*self._doubted)

    def _believed(self, line: int, event: Sensed) -> Sensed:
        if event.t < self._last:
            what = f"t = {event.t} goes back: the line before is at {self._last}"
            if self._strict:
                raise RecordingError(f"line {line}: {what}")
            self._tell(line, f"{what}; taken as {self._last}")
            event = replace(event, t=self._last)
        self._last = event.t
        if self._antennas is not None and not isinstance(event, Entry):
            self._tell_strangers(line, event, self._antennas)
        return event

    def _refuse(self, line: int, event: Sensed) -> None:
        what = f"t = {event.t} is more than 24 hours ahead: the line before is at {self._last}"
        if self._strict:
            raise RecordingError(f"line {line}: {what}")
        self._tell(line, f"{what}; skipped")

    def _tell_strangers(self, line: int, event: Sensed, known: Antennas) -> None:
        """Each reader and antenna that the table does not have, once."""
        reader = event.reader  # type: ignore[union-attr]  # every event but an Entry comes from a reader
        if reader not in known:
            self._stranger(line, reader, None, f"reader {reader}: the configuration has no such reader")
            return
        for antenna in named(event):
            if antenna not in known[reader]:
                what = f"reader {reader} has no antenna {antenna} in the configuration"
                self._stranger(line, reader, antenna, what)

    def _stranger(self, line: int, reader: int, antenna: int | None, what: str) -> None:
        if (reader, antenna) not in self._strangers:
            self._strangers.add((reader, antenna))
            self._tell(line, f"{what}; what it says counts for nothing (told once)")


def named(event: Sensed) -> Iterator[int]:
    """The antennas that an event speaks of."""
    match event:
        case Sweep():
            yield from event.polled
            yield from (seen.antenna for seen in event.seen)
        case Passage() | AntennaHealth():
            yield event.antenna
