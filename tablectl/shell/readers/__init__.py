"""Readers: what antennas see, as `core.sensed` events.

Owns: one driver per kind of reader, each kept alive through unplugging, silence and restarts; the registry of
them, in which a driver is loaded when a configuration first names it.
Refuses: deciding anything about cards.

A driver is the file of its name in this folder, which calls its class `DRIVER`, and an entry in
`config.drivers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Protocol, cast

from tablectl.config import drivers
from tablectl.core.sensed import Sensed
from tablectl.shell.readers.claims import Claims
from tablectl.shell.readers.state import ReaderState, State, Timing

__all__ = ["DRIVERS", "Claims", "Driver", "Reader", "ReaderState", "State", "Timing", "driver"]


class Reader(Protocol):
    """One reader of the table, whatever its kind.

    It tells what it senses by `emit` and how it stands by `report`, both on the event loop: a Sweep says which
    antennas were looked at completely, Lost and Found come in turn. An error is never an empty antenna.
    """

    @property
    def state(self) -> ReaderState:
        """The reader as it stands."""

    @property
    def counters(self) -> Mapping[str, int]:
        """What was counted since the start, each by a name that stays."""

    @property
    def log(self) -> tuple[str, ...]:
        """The reader's own last words, for the technician; no UID is in them."""

    def light(self, *, on: bool) -> bool:
        """Have the device's own lamp blink, so that a technician finds it, or not; False if it has none."""

    async def start(self) -> None:
        """Begin to look for the device; returns at once."""

    async def close(self) -> None:
        """Give the port back. Nothing is emitted any more."""


class Driver(Protocol):
    """The class of a reader; it may take more, by keywords with defaults."""

    def __call__(
        self,
        number: int,
        port: str,
        antennas: Mapping[int, str],
        emit: Callable[[Sensed], None],
        now: Callable[[], int],
        report: Callable[[ReaderState], None],
        /,
    ) -> Reader:
        """Build the reader: its number, port, antennas (number → zone), and whom it tells what.

        `now` gives milliseconds since the recording began.
        """


class _Drivers(Mapping[str, Driver]):
    """Driver name → class. Only what is asked for is imported, with its libraries."""

    def __getitem__(self, name: str) -> Driver:
        if name not in drivers.DRIVERS:
            raise KeyError(name)
        return cast("Driver", import_module(f"{__name__}.{name}").DRIVER)

    def __iter__(self) -> Iterator[str]:
        return iter(drivers.DRIVERS)

    def __len__(self) -> int:
        return len(drivers.DRIVERS)


DRIVERS: Mapping[str, Driver] = _Drivers()


def driver(name: str, claims: Claims, candidates: Callable[[], Iterable[str]] | None = None) -> Driver:
    """The class of that name; where the devices have ids, each of these readers heeds what the others have.

    `candidates` names the ports where a reader may turn up again; the driver's own by default.
    """
    made: Callable[..., Reader] = DRIVERS[name]
    more: dict[str, object] = {"claims": claims} if drivers.DRIVERS[name].has_id else {}
    if candidates is not None:
        more["candidates"] = candidates
    return cast("Driver", partial(made, **more))
