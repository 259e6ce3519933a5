"""What is kept of a running table, and when.

Owns: the moments at which the core is written down, the lines since, what the journal is still owed, and whether any of
this works. Refuses: files (`shell.kept`), the core as bytes (`moment`), and taking it up (`taken`).

- A line is kept after the alarm and before the journal hears of it: what the journal has is always kept, too.
- A new moment is due once enough lines have come since the last one: between two hands soon, in a hand that lasts only
  when replaying it would take long. It is taken with a line from which nothing followed, never with an alarm.
- If anything fails, nothing is kept any more, what was is removed, and the log, `/healthz` and the doctor say so: a
  moment that is not followed by all its lines would lead to another hand.
"""

from __future__ import annotations

import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tablectl.app.kept.head import Head, Line, Owed
from tablectl.app.kept.moment import dump, print_of, print_of_code
from tablectl.app.log import Say
from tablectl.config import Config
from tablectl.core.alerts import Alerts
from tablectl.core.table import Table
from tablectl.errors import KeptError
from tablectl.shell.kept import Folder, Store, boot_id

BETWEEN_LINES: Final = 400
"""Lines since the last moment from which a new one is due between two hands: half a minute of a full table."""
MOST_LINES: Final = 4000
MOST_BYTES: Final = 2 << 20
"""Lines and bytes from which a new one is due in any case: four minutes of a full table, which replay in a second."""
GOES_WELL_LINES: Final = 200
"""Lines after which a table that took up what was kept has proved that it lives with it: ten seconds."""
MOST_OWED: Final = 2000
"""Lines that may wait for the journal and are kept for it, too; with a disk that stalls for longer the oldest go."""


class Keeping:
    """What one process keeps of its table; `folder` is None, and `why` says so, where nothing can be kept."""

    def __init__(self, config: Config, folder: Folder | None, why: str = "") -> None:
        self.folder = folder
        self.why = why
        """Why nothing is kept; empty while all is."""
        self.taken_up: int | None = None
        """The time at which what another process had kept was taken up, ms; None if nothing was."""
        self.run = secrets.token_hex(8)
        self.continues: int | None = None
        self._log: Say = lambda _: None
        self._store = Store(folder) if folder is not None else None
        self._prints = (print_of_code(), print_of(config)) if folder is not None else ("", "")
        self._origin_ns = 0
        self._table: Table | None = None
        self._alerts: Alerts | None = None
        self._acknowledged: Callable[[], int] = lambda: 0
        self._owed: deque[tuple[int, Owed]] = deque()
        self._had = [0, 0]
        """Lines and decisions of this run that the journal has for sure."""
        self._live = 0

    @property
    def on(self) -> bool:
        """A hand in progress survives the end of this process."""
        return self._store is not None

    @property
    def prints(self) -> tuple[str, str]:
        """Of the program and of the configuration."""
        return self._prints

    def shown(self) -> dict[str, Any]:
        """For `/state`."""
        return {"on": self.on, "why": self.why or None, "taken_up": self.taken_up}

    # --- begun ----------------------------------------------------------------------------------------------

    def as_header(self) -> dict[str, object]:
        """What the header of the journal's night says: which run it is, and which night it goes on with."""
        if not self.on:
            return {}
        return {"run": self.run} | ({"continues": self.continues} if self.continues is not None else {})

    def begin(
        self,
        table: Table,
        alerts: Alerts,
        origin_s: float,
        log: Say,
        *,
        acknowledged: Callable[[], int],
        owed: Sequence[Owed],
        give: Callable[[Line | None, Sequence[Line]], int],
    ) -> None:
        """Keep this table from now on, and give the journal what another process had kept for it.

        `origin_s` is when `t` was 0, s of CLOCK_BOOTTIME. `acknowledged` gives the `seq` up to which the journal is on
        the disk; `give` adds a line with its decisions to it and returns the last `seq`.
        """
        self._table, self._alerts, self._acknowledged = table, alerts, acknowledged
        self._origin_ns, self._log = round(origin_s * 1e9), log
        self._owed.extend((0, each) for each in owed)
        self._guarded(lambda store: store.begin(self._spelled()))
        for number, each in enumerate(owed):  # only now that they are kept in the name of this run
            self._owed[number] = give(each.line, each.decisions), each
        if self.folder is None:
            self._log(f"note: {OFF}: {self.why}")
        elif self.on:
            self._log("a hand in progress survives a restart")

    # --- while it runs --------------------------------------------------------------------------------------

    def took(self, line: Line) -> None:
        """The core has been given this line. When this returns a killed process does not lose it; never waits."""
        self._guarded(lambda store: store.line(json.dumps(line, separators=(",", ":")).encode()))

    def journalled(self, line: Line, decisions: Iterable[Line], seq: int, *, well: bool) -> None:
        """The journal has been given the line and what followed from it; its last entry has that `seq`.

        `well` says that the core could take the line: one at which it failed is no moment to begin from.
        """
        if self._store is None:
            return
        owed = Owed(line, tuple(decisions))
        self._owed.append((seq, owed))
        self._settle()
        if well and not owed.decisions and self._due():
            self._guarded(lambda store: store.renew(self._spelled()))
        if well and self._live < GOES_WELL_LINES and self.folder is not None:
            self._live += 1
            if self._live == GOES_WELL_LINES:
                self.folder.goes_well()

    def _settle(self) -> None:
        done = self._acknowledged()
        while self._owed and (self._owed[0][0] <= done or len(self._owed) > MOST_OWED):
            _, owed = self._owed.popleft()
            self._had[0] += owed.line is not None
            self._had[1] += len(owed.decisions)

    def _due(self) -> bool:
        store, table = self._store, self._table
        if store is None or table is None or store.writes:
            return False
        between = table.hand is None
        return store.lines >= (BETWEEN_LINES if between else MOST_LINES) or store.size >= MOST_BYTES

    def _spelled(self) -> bytes:
        assert self._table is not None and self._alerts is not None  # noqa: S101, PT018 (begun)
        code, table = self._prints
        head = Head(
            code=code, table=table, boot=boot_id(), origin_ns=self._origin_ns, t=self._table.now,
            run=self.run, continues=self.continues, lines=self._had[0], decisions=self._had[1],
            owed=tuple(each for _, each in self._owed),
        )  # fmt: skip
        return head.spelled(dump(self._table, self._alerts))

    def _guarded(self, do: Callable[[Store], None]) -> None:
        if self._store is None:
            return
        try:
            do(self._store)
        except KeptError as error:
            self.give_up(str(error))
        except Exception as error:  # noqa: BLE001 (a core that pickle does not take may raise anything)
            self.give_up(f"{type(error).__name__}: {error}")

    def give_up(self, why: str) -> None:
        """Nothing is kept any more, and nothing that was is left."""
        if self._store is not None:
            self._store.close()
        self._store, self.why = None, why
        if self.folder is not None:
            self.folder.forget()
        self._log(f"note: {OFF}: {why}")

    def close(self) -> None:
        """The process ends in order; what is kept stays for the next one, and did not end this one."""
        if self._store is not None:
            self._store.close()
            self._store, self.why = None, "the table is stopping"
        if self.folder is not None:
            self.folder.goes_well()
            self.folder.close()


OFF: Final = "a hand in progress does not survive a restart"


def keeping_of(environ: Mapping[str, str], config: Config) -> Keeping:
    """What a process with that environment keeps: systemd names the folder in RUNTIME_DIRECTORY."""
    given = environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if not given:
        why = "no RUNTIME_DIRECTORY, which systemd gives to a service"
    else:
        try:
            return Keeping(config, Folder(Path(given)))
        except KeptError as error:
            why = str(error)
        except (ImportError, OSError, MemoryError) as error:  # without PyNaCl or ctypes a table runs as well
            why = f"{type(error).__name__}: {error}"
    return Keeping(config, None, why)


def boottime() -> float:
    """Seconds since the computer was started, also those in which it slept: the same for every process of a boot."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
