"""A tablewire reader board on a serial port: our own firmware, or the simulator.

Owns: the driver's construction. Refuses: the port's life (`serial_reader`), what frames mean (`session`).

    reader = TablewireReader(0, "/dev/serial/by-path/…", {0: "shoe", 1: "seat:1"}, emit, now, report)
    await reader.start()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from tablectl.core.sensed import Sensed
from tablectl.shell.readers.claims import Claims
from tablectl.shell.readers.serial_reader import SerialReader
from tablectl.shell.readers.session import Session
from tablectl.shell.readers.state import DEFAULT_TIMING, ReaderState, Timing

BAUD = 460_800
"""The wire protocol's UART speed; a USB CDC port ignores it."""


class TablewireReader(SerialReader):
    """One reader board of the table; what happens is told through `emit` and `report`.

    `antennas` maps the board's antenna numbers to zones. `now` gives milliseconds since the recording began.
    `claims` is what the readers of a table share, so that no board id counts twice.
    """

    def __init__(
        self,
        number: int,
        port: str,
        antennas: Mapping[int, str],
        emit: Callable[[Sensed], None],
        now: Callable[[], int],
        report: Callable[[ReaderState], None],
        *,
        candidates: Callable[[], Iterable[str]] | None = None,
        timing: Timing = DEFAULT_TIMING,
        claims: Claims | None = None,
    ) -> None:
        session = Session(number, port, antennas, emit=emit, report=report, timing=timing, claims=claims)
        super().__init__(session, now, candidates=candidates, timing=timing, baud=BAUD)


DRIVER = TablewireReader
