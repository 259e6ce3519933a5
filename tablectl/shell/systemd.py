"""What the service manager is told of a table: ready, alive, stopping, and a line for its status.

Owns: datagrams to the socket that systemd names in NOTIFY_SOCKET, and how often it wants a sign of life. Refuses:
whether the table is alive (`app.pulse` knows). Without that variable nobody is told anything.

The protocol is that of sd_notify(3) and sd_watchdog_enabled(3): lines NAME=value in one datagram. Nothing here waits:
what the manager's queue does not take now is said again with the next word.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

MICROSECONDS = 1_000_000


class Service:
    """The way to the service manager. `address` as NOTIFY_SOCKET gives it: a path, or `@` and an abstract name.

    `watchdog_s` is the silence after which the manager ends the process, s; None if it does not watch it.
    """

    def __init__(self, address: str, watchdog_s: float | None = None) -> None:
        self.watchdog_s = watchdog_s
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = socket.socket(
            socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
        )
        self._owed: dict[str, str] = {}

    def tell(self, **words: str) -> bool:
        """Says the words, with those that were not taken before. False if the manager does not take them now."""
        self._owed |= {name: " ".join(text.split()) for name, text in words.items()}
        text = "\n".join(f"{name}={value}" for name, value in self._owed.items())
        try:
            self._socket.sendto(text.encode("utf-8", "replace"), self._address)
        except OSError:  # its queue is full, or it is just being restarted itself
            self._owed.pop("WATCHDOG", None)  # a sign of life is of now, or of nothing
            return False
        self._owed.clear()
        return True

    def close(self) -> None:
        """Nothing is said any more."""
        self._socket.close()


def service_of(environ: Mapping[str, str]) -> Service | None:
    """The service manager that the environment of this process names; None if it was started by nobody of the kind."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return None
    return Service(address, _watchdog_s(environ))


def _watchdog_s(environ: Mapping[str, str]) -> float | None:
    """WATCHDOG_USEC in s, unless it is meant for another process."""
    given, whose = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", "")
    if not given.isdecimal() or int(given) == 0 or whose not in ("", str(os.getpid())):
        return None
    return int(given) / MICROSECONDS
