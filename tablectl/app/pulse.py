"""The table's pulse, by which the service manager knows that it lives.

Owns: when READY, WATCHDOG and STOPPING are said, and the words of the status line. Refuses: the socket
(`shell.systemd`).

It beats in the loop in which sweeps become decisions, and looks at the core before each beat. A core that hangs holds
up the loop, one that fails at whatever comes is no sign of life either: the beats end, and the manager starts the table
anew. A table at which nothing happens beats on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablectl.shell.systemd import Service

BEAT_S = 1.0
"""How often the status line is looked at, s."""
BEATS = 4
"""Signs of life within the time after which the manager gives up: sd_watchdog_enabled(3) advises two at least."""


class Pulse:
    """What the service manager hears. `alive` looks at the core; `status` is one line on how the table stands."""

    def __init__(self, service: Service, alive: Callable[[], bool], status: Callable[[], str]) -> None:
        self._service = service
        self._alive = alive
        self._status = status
        self._said = ""
        self._timer: asyncio.TimerHandle | None = None
        watched = service.watchdog_s
        self._every = BEAT_S if watched is None else min(BEAT_S, watched / BEATS)

    def start(self) -> None:
        """Begin to beat, in the running loop."""
        self._timer = asyncio.get_running_loop().call_later(self._every, self.start)
        words = self._news()
        if self._service.watchdog_s is not None and self._alive():
            words["WATCHDOG"] = "1"
        if words:
            self._service.tell(**words)

    def ready(self) -> None:
        """Every reader answers, or is declared missing: the table watches."""
        self._service.tell(READY="1", **self._news())

    def stopping(self) -> None:
        """The table is being stopped: no beat any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._service.tell(STOPPING="1", STATUS="stopping")

    def close(self) -> None:
        """Nothing is said any more."""
        self._service.close()

    def _news(self) -> dict[str, str]:
        status = self._status()
        if status == self._said:
            return {}
        self._said = status
        return {"STATUS": status}


def status_line(readers: Iterable[Mapping[str, Any]], *, stopped: bool) -> str:
    """How the table stands, for `systemctl status`; `readers` as `/state` has them."""
    all_of_them = list(readers)
    well = [each["reader"] for each in all_of_them if each["state"] == "ok"]
    ill = [f"reader {each['reader']} {each['state']}" for each in all_of_them if each["state"] != "ok"]
    up = f"{len(well)} of {len(all_of_them)} readers look"
    if well and ill:
        up += f" ({', '.join(map(str, well))})"
    core = ["the core has stopped"] if stopped else []
    return "; ".join([*core, up, *ill])
