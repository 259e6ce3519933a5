"""Where clients of the display come in: one listening socket, and what each connection may cost.

Owns: accepting and refusing connections, TLS, and every deadline of a connection. Refuses: requests (`guard` and the
rest of the application see only whole heads), and answering those whom it refuses: they are cut off.

uvicorn speaks HTTP, and bounds the head of a request, the whole number of connections and the time between two requests
(`Door.config`). It waits for ever for a first request, for a body, for a TLS handshake and for a client that does not
read, and it counts nobody before the handshake: that is what is added here.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from tablectl.shell.display.bounds import HEAD_BYTES, PAUSE_S, Bounds, Rate, client_of

if TYPE_CHECKING:
    import ssl

    from tablectl.shell.display.roles import Visitor
    from tablectl.shell.display.stream import EventStream

SHUTDOWN_S = 2.0
"""How long the end of a TLS connection may take, s."""

log = logging.getLogger("tablectl.display")


class Door:
    """One socket on which clients come in. It belongs to the running loop; `open` begins, `close` ends it.

    `visitor` is whoever comes in here; None where a doorkeeper has to find out.
    """

    def __init__(
        self,
        sock: socket.socket,
        bounds: Bounds,
        *,
        visitor: Visitor | None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.bounds = bounds
        self.tls = tls
        self.visitor = visitor
        self.requests = Rate(bounds.requests_per_s, bounds.burst, loop.time)
        self.streams: dict[EventStream, str] = {}
        """The pages that watch by this door, and whose they are."""
        self._loop = loop
        self._sock = sock
        self._knocks = Rate(bounds.knocks_per_s, bounds.connections, loop.time)
        self._inside: Counter[str] = Counter()
        self._welcomes: set[asyncio.Task[None]] = set()
        self._config: uvicorn.Config | None = None
        self._state = ServerState()
        self._again: asyncio.TimerHandle | None = None

    @property
    def scheme(self) -> str:
        """http or https."""
        return "http" if self.tls is None else "https"

    @property
    def inside(self) -> int:
        """How many connections there are."""
        return self._inside.total()

    def config(self, app: ASGIApp) -> uvicorn.Config:
        """How uvicorn serves the application by this door, with the bounds that it keeps itself."""
        config = uvicorn.Config(
            app,
            http=H11Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            # What a client does wrong is its own affair: nobody from outside may fill the log.
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=2,
            timeout_keep_alive=self.bounds.idle_s,
            limit_concurrency=2 * self.bounds.connections,
            h11_max_incomplete_event_size=HEAD_BYTES,
        )
        config.load()
        return config

    def open(self, config: uvicorn.Config, state: ServerState) -> None:
        """Lets clients in from now on. `state` is the server's, so that it knows its connections when it ends."""
        self._config, self._state = config, state
        self._loop.add_reader(self._sock, self._accept)

    def close(self) -> None:
        """Lets nobody in any more; who is inside may finish."""
        if self._again is not None:
            self._again.cancel()
        if self._sock.fileno() >= 0:
            self._loop.remove_reader(self._sock)
            self._sock.close()
        for each in self._welcomes:
            each.cancel()

    def may_watch(self, client: str) -> bool:
        """Whether this client may have one more page that watches."""
        mine = sum(each == client for each in self.streams.values())
        return len(self.streams) < self.bounds.streams and mine < self.bounds.streams_each

    def end_streams(self) -> None:
        """Every page that watches by this door has to ask anew."""
        for each in self.streams:
            each.end()

    # --- coming in ------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        """One connection, or a pause: what else there is to do on the loop goes on in between."""
        if not self._knocks.take(""):
            self._pause()
            return
        try:
            sock, address = self._sock.accept()
        except (BlockingIOError, InterruptedError, ConnectionError):
            return
        except OSError:  # no descriptor or no memory is left (accept(2)): the table needs the next one more
            self._pause()
            return
        client = client_of(address)
        if self.inside >= self.bounds.connections or self._inside[client] >= self.bounds.connections_each:
            sock.close()
            return
        self._inside[client] += 1
        welcome = self._loop.create_task(self._welcome(sock, client))
        self._welcomes.add(welcome)
        welcome.add_done_callback(self._welcomes.discard)

    def _pause(self) -> None:
        self._loop.remove_reader(self._sock)
        self._again = self._loop.call_later(PAUSE_S, self._resume)

    def _resume(self) -> None:
        self._again = None
        if self._sock.fileno() >= 0:
            self._loop.add_reader(self._sock, self._accept)

    async def _welcome(self, sock: socket.socket, client: str) -> None:
        """TLS, where there is any, then HTTP. Who does not manage it in time is gone."""
        place = Place(self, client)
        try:
            sock.settimeout(0)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            times = {} if self.tls is None else {
                "ssl_handshake_timeout": self.bounds.handshake_s, "ssl_shutdown_timeout": SHUTDOWN_S
            }  # fmt: skip
            await self._loop.connect_accepted_socket(
                lambda: self._protocol(place), sock, ssl=self.tls, **times
            )
        except (OSError, asyncio.CancelledError) as error:  # an SSLError is an OSError
            place.leave()
            sock.close()
            if isinstance(error, asyncio.CancelledError):
                raise

    def _protocol(self, place: Place) -> Connection:
        if self._config is None:
            raise RuntimeError("a door that is not open lets nobody in")
        return Connection(self._config, self._state, place)

    def left(self, client: str) -> None:
        """A connection of this client is over."""
        self._inside[client] -= 1
        if self._inside[client] <= 0:
            del self._inside[client]


class Place:
    """One connection's place inside; given back once, however it ends."""

    def __init__(self, door: Door, client: str) -> None:
        self.door = door
        self.client = client
        self._left = False

    def leave(self) -> None:
        """The connection is over."""
        if not self._left:
            self._left = True
            self.door.left(self.client)


class Connection(H11Protocol):
    """One connection of uvicorn's, with an end to every wait for the client.

    The application finds its `Place` in the scope's `state` as `place`, and the door's visitor, if any, as `visitor`.
    """

    def __init__(self, config: uvicorn.Config, server_state: ServerState, place: Place) -> None:
        visitor = place.door.visitor
        super().__init__(
            config, server_state, {"place": place, **({} if visitor is None else {"visitor": visitor})}
        )
        self._place = place
        self._bounds = place.door.bounds
        self._due: asyncio.TimerHandle | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._stuck = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """It begins, and with it the time for its first request."""
        super().connection_made(transport)
        self._expect()
        self._look()

    def data_received(self, data: bytes) -> None:
        """Bytes of a request. The first ones start its time, the last ones end it."""
        if self._due is None and self._is_asking():
            self._expect()
        super().data_received(data)
        if not self._is_asking():
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._stop_waiting()
        if self._watch is not None:
            self._watch.cancel()
        self._place.leave()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def _is_asking(self) -> bool:
        """The client has not sent a whole request yet."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _expect(self) -> None:
        self._due = self.loop.call_later(self._bounds.request_s, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _look(self) -> None:
        """Cuts off who took nothing since the last look: his buffer is full still, or what closes cannot end."""
        stuck = self.flow.write_paused or self.transport.is_closing()
        if stuck and self._stuck:
            with suppress(OSError):
                self.transport.abort()
            return
        self._stuck = stuck
        self._watch = self.loop.call_later(self._bounds.stall_s, self._look)

    def resume_writing(self) -> None:
        """The client has taken most of what waited for him."""
        self._stuck = False
        super().resume_writing()
