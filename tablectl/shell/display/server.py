"""The display's web server, run inside the controller's own event loop.

Owns: the routes, one independent stream per watching page, and the two doors: on loopback for the table's own screen,
and, where the configuration opens the display to a network, one with TLS and a doorkeeper.
Refuses: signals (the app owns them), threads, the meaning of a state or an input.

How a change travels: `publish()` only raises a version number and wakes the streams. Each stream then writes
the *newest* state as soon as its own socket takes it, at most once per `COALESCE_S`; a page that reads slowly
skips states in between and delays nobody. The state is built and spelled as JSON once per version, and not at
all while nobody watches.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tablectl.config.opened import context_of, is_loopback
from tablectl.config.tokens import read_tokens
from tablectl.errors import LinkError
from tablectl.shell.display.bounds import BACKLOG, NETWORK, OWN, Bounds, Rate
from tablectl.shell.display.doorkeeper import WRONG_PER_S, Doorkeeper
from tablectl.shell.display.doors import Door
from tablectl.shell.display.guard import Guard
from tablectl.shell.display.keyring import Keyring
from tablectl.shell.display.pages import Pages
from tablectl.shell.display.posted import hand_on
from tablectl.shell.display.roles import TABLE
from tablectl.shell.display.stream import Feed, state_answer, stream_answer
from tablectl.shell.display.technician import Technician, TechnicianPage

CUT_S = 0.4
"""How long a connection may take to end by itself when the display closes, in seconds."""

log = logging.getLogger("tablectl.display")


class _Server(uvicorn.Server):
    """uvicorn without its claim on SIGINT and SIGTERM, and with a definite end."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        cut = asyncio.get_running_loop().call_later(CUT_S, self._cut)
        try:
            await super().shutdown(sockets)
        finally:
            cut.cancel()

    def _cut(self) -> None:
        """Drops what is still open: a page that does not read would hold the whole table's exit."""
        for connection in list(self.server_state.connections):
            if connection.transport is not None:
                connection.transport.abort()


@dataclass(frozen=True, slots=True)
class Opened:
    """Where the display is open to a network, and with what: as `[display]` says, `config.opened` has checked it."""

    host: str
    port: int
    certificate: Path
    key: Path
    tokens: Path
    names: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """Where browsers of the network find it."""
        return f"https://{_named(self.host)}:{self.port}/"


class Display:
    """The display of one table.

    `state` returns what the page shows, JSON-ready. `submit` checks and applies one input of the dealer and
    raises `UsageError` or `RecordingError` with a text for the dealer if it cannot be. `metrics` returns
    Prometheus text. `turn` is told which irregularity a page shows from now on, `{"do": "turn", "irregularity": id}`,
    and refuses as `submit` does. All are called in the event loop and must not block. Port 0 takes any free port.
    With a `technician` there is a page for that person, too. `host` must be loopback; `opened` is the door to a network
    beside it. `own` and `network` bound what clients of the two may take.
    """

    def __init__(
        self,
        host: str,
        port: int,
        state: Callable[[], Mapping[str, Any]],
        submit: Callable[[dict[str, Any]], None],
        metrics: Callable[[], str],
        *,
        technician: Technician | None = None,
        turn: Callable[[dict[str, Any]], None] = lambda _: None,
        opened: Opened | None = None,
        own: Bounds = OWN,
        network: Bounds = NETWORK,
    ) -> None:
        self.host = host
        self.port = port
        self.opened = opened
        self._own = own
        self._network = network
        self._submit = submit
        self._turn = turn
        self._metrics = metrics
        self._state = state
        self._pages = Pages(self._language)
        self._feed = Feed(state, self._pages.fingerprint)
        self._technician = TechnicianPage(technician, self._pages) if technician is not None else None
        self._server: _Server | None = None
        self._running: asyncio.Task[None] | None = None
        self._doors: list[Door] = []
        self._keeping: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Where the page is on this machine, with the port really taken."""
        return f"http://{_named(self.host)}:{self.port}/"

    @property
    def watching(self) -> int:
        """How many dealer's pages are listening now."""
        return len(self._feed.streams)

    @property
    def technicians(self) -> int:
        """How many technician's pages are listening now."""
        return len(self._technician.feed.streams) if self._technician is not None else 0

    @property
    def connections(self) -> int:
        """How many connections there are now, of both doors."""
        return sum(door.inside for door in self._doors)

    async def start(self) -> None:
        """Opens the doors and serves from now on; raises `LinkError` if a port cannot be had, or with a certificate
        that has gone since the configuration was read `ConfigError`."""
        app = self._app()
        own = _listen(self.host, self.port, beyond=False)
        self.port = own.getsockname()[1]
        door = Door(own, self._own, visitor=TABLE)
        served = [(door, door.config(Guard(app, self.host)))]
        self._doors.append(door)
        try:
            if self.opened is not None:
                served.append(self._network_door(app, self.opened))
            await self._serve(served)
        except BaseException:
            await self.close()
            raise

    def _network_door(self, app: Starlette, opened: Opened) -> tuple[Door, uvicorn.Config]:
        tls = context_of(opened.certificate, opened.key)
        sock = _listen(opened.host, opened.port, beyond=True)
        self.opened = replace(opened, port=sock.getsockname()[1])
        door = Door(sock, self._network, visitor=None, tls=tls)
        self._doors.append(door)
        tokens, _ = read_tokens(opened.tokens)
        keyring = Keyring(opened.tokens, tokens, door.end_streams)
        self._keeping = asyncio.create_task(keyring.keep(), name="display tokens")
        told = Rate(WRONG_PER_S, 5, asyncio.get_running_loop().time)
        keeper = Doorkeeper(app, keyring, self._pages, told)
        return door, door.config(Guard(keeper, opened.host, opened.names))

    async def _serve(self, served: list[tuple[Door, uvicorn.Config]]) -> None:
        """uvicorn's server runs without a socket of its own: it knows the connections, and ends them."""
        self._server = _Server(served[0][1])
        self._running = asyncio.create_task(self._server.serve(sockets=[]), name="display")
        up = asyncio.create_task(self._server.up.wait())
        await asyncio.wait({self._running, up}, return_when=asyncio.FIRST_COMPLETED)
        up.cancel()
        if self._running.done():
            raise LinkError(
                f"display: the web server did not start on {self.url}"
            ) from self._running.exception()
        for door, config in served:
            door.open(config, self._server.server_state)

    def publish(self) -> None:
        """Says that the state has changed. Costs next to nothing, never waits; call it after every change."""
        self._feed.publish()

    def beat(self) -> None:
        """Says that what was published is still true; call it from the core's own loop, twice a second.

        A page that hears neither this nor a change for two seconds says that its link is dead.
        """
        self._feed.beat()
        if self.technicians and self._technician is not None:
            self._technician.feed.publish()  # figures change all the time

    async def close(self) -> None:
        """Ends all streams and gives the port back; safe to call twice or without `start`."""
        self._feed.close()
        if self._technician is not None:
            self._technician.feed.close()
        if self._keeping is not None:
            self._keeping.cancel()
        for door in self._doors:
            door.close()
        self._doors.clear()
        if self._server is not None:
            self._server.should_exit = True
        if self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)
        self._server = self._running = None

    def _app(self) -> Starlette:
        return Starlette(
            routes=[
                *(self._technician.routes if self._technician is not None else ()),
                Route("/", self._index),
                Route("/static/{name}", self._pages.static),
                Route("/events", self._events),
                Route("/state", self._get_state),
                Route("/input", self._post_input, methods=["POST"]),
                Route("/front", self._post_front, methods=["POST"]),
                Route("/metrics", self._get_metrics),
                Route("/healthz", self._get_healthz),
            ]
        )

    async def _index(self, request: Request) -> Response:
        return self._pages.page(request, "index")

    def _language(self) -> str:
        try:
            return str(self._state()["table"]["language"])
        except Exception:  # a state that cannot be read keeps nobody from the page, which will say so
            log.exception("the language cannot be read")
            return ""

    async def _events(self, request: Request) -> Response:
        return stream_answer(self._feed, request)

    async def _get_state(self, _: Request) -> Response:
        return state_answer(self._feed)

    async def _get_metrics(self, _: Request) -> Response:
        return Response(
            self._metrics(),
            media_type="text/plain; version=0.0.4; charset=utf-8",
            headers={"Cache-Control": "no-store"},
        )

    async def _get_healthz(self, _: Request) -> Response:
        try:
            self._feed.state_json()
            state = self._state()
        except Exception:  # whatever it is, the table is not healthy
            log.exception("the state cannot be read")
            return PlainTextResponse("the state cannot be read\n", 503)
        if state.get("stopped"):
            return PlainTextResponse("the core has stopped; see the log\n", 503)
        return PlainTextResponse(f"ok\n{_of_kept(state)}", headers={"Cache-Control": "no-store"})

    async def _post_input(self, request: Request) -> Response:
        return await hand_on(request, self._submit, signed=True)

    async def _post_front(self, request: Request) -> Response:
        return await hand_on(request, self._turn)


def _of_kept(state: Mapping[str, Any]) -> str:
    """Whether a hand in progress survives the process, in a line; nothing of a table that does not know."""
    kept = state.get("kept")
    if kept is None:
        return ""
    how = "yes" if kept["on"] else f"no: {kept['why']}"
    return f"a hand in progress survives a restart: {how}\n"


def _named(host: str) -> str:
    """The host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def _listen(host: str, port: int, *, beyond: bool) -> socket.socket:
    """A listening socket on host and port; raises LinkError that names both and says what to do.

    What is served without TLS stays on this machine, whatever a name leads to; `beyond` is for what need not.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as wrong:
        raise LinkError(
            f"display: [display] host = {host!r} is no address of this machine ({wrong})"
        ) from None
    if not beyond and not is_loopback(str(address[0])):
        raise LinkError(
            f"display: [display] host = {host!r} leads to a network ({address[0]}), and that takes a certificate, a "
            "key and tokens"
        )
    sock = socket.socket(family, kind, proto)
    try:
        # Lets a restarted controller take its port back at once; on Linux it does not allow two listeners.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(BACKLOG)
        sock.settimeout(0)
    except OSError as wrong:
        sock.close()
        raise LinkError(f"display: cannot open {host}:{port}: {_why(wrong)}") from None
    return sock


def _why(wrong: OSError) -> str:
    """The system's reason in words that say what to do."""
    if isinstance(wrong, PermissionError):
        return "ports below 1024 need a privilege; choose a higher [display] port"
    words = (wrong.strerror or str(wrong)).lower()
    if "in use" in words:
        return "the port is in use by another program; stop that one or choose another [display] port"
    if "assign" in words:
        return "no network interface of this machine has that address; correct [display] host"
    return words
