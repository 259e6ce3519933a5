"""How much of the table computer a client of the display may take.

Owns: the figures of both doors, and counting requests by the second. Refuses: what is done about it (`doors`, `guard`).

Everything here runs on the event loop that also raises the alarm, so each figure bounds what a stranger can make that
loop do: a TLS handshake is some milliseconds of a Pi, a request some tenths of one.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

HEAD_BYTES = 16 * 1024
"""Longest head of a request, bytes; a browser's has one or two thousand."""
BODY_BYTES = 16 * 1024
"""Largest body, bytes; the longest real input is a note of some hundred characters."""
CLIENTS = 256
"""Clients whose requests are counted at one time; the one that was quiet longest is forgotten first."""
PAUSE_S = 0.1
"""How long a door is shut when too many knock: so long the kernel keeps them waiting, or sends them away, s."""
BACKLOG = 64
"""Connections that the kernel keeps waiting."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of one door."""

    connections: int
    """Connections at once."""
    connections_each: int
    """Of these for one client."""
    streams: int
    """Pages that may watch at once; each costs a socket and at most 64 KiB of unsent bytes."""
    streams_each: int
    knocks_per_s: float
    """New connections a second, of all clients; the burst before that is as many as may be open."""
    requests_per_s: float
    """Requests a second of one client, after a burst of `burst`."""
    burst: int
    handshake_s: float = 5.0
    """How long TLS may take, s."""
    request_s: float = 10.0
    """How long a client may take to send one request, from its first byte, or from the connection, to its last, s."""
    idle_s: int = 5
    """How long a connection without a request is kept, s."""
    stall_s: float = 15.0
    """A client that takes nothing of its answer for this long is cut off at the latest after twice the time, s."""


OWN = Bounds(
    connections=96, connections_each=96, streams=32, streams_each=32,
    knocks_per_s=1000.0, requests_per_s=1000.0, burst=2000,
)  # fmt: skip
"""The door on loopback: programs of this machine, which share one address."""
NETWORK = Bounds(
    connections=48, connections_each=16, streams=16, streams_each=4,
    knocks_per_s=20.0, requests_per_s=20.0, burst=80,
)  # fmt: skip
"""The door to a network: a page with all its files is some 35 requests on six connections."""


class Rate:
    """So many a second for each client after a burst, counted as a bucket that fills again. `clock` gives s."""

    def __init__(self, per_s: float, burst: int, clock: Callable[[], float]) -> None:
        self._per_s = per_s
        self._burst = burst
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> bool:
        """One more of this client. False if it has had enough for now."""
        now = self._clock()
        left, at = self._left.pop(client, (float(self._burst), now))
        left = min(float(self._burst), left + max(now - at, 0.0) * self._per_s)
        enough = left >= 1
        self._left[client] = (left - 1 if enough else left, now)
        if len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        return enough


def client_of(address: object) -> str:
    """Whom an address counts for: itself, or the /64 around it, for an IPv6 host has as many as it likes (RFC 8981)."""
    host = str(address[0]) if isinstance(address, tuple) and address else str(address)
    try:
        ip = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)
