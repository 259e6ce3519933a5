"""The display's web server, run inside the controller's own event loop.

Owns: the listening socket, the routes, and one independent stream per watching page.
Refuses: signals (the app owns them), threads, the meaning of a state or an input.

How a change travels: `publish()` only raises a version number and wakes the streams. Each stream then writes
the *newest* state as soon as its own socket takes it, at most once per `COALESCE_S`; a page that reads slowly
skips states in between and delays nobody. The state is built and spelled as JSON once per version, and not at
all while nobody watches.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tablectl.errors import LinkError, RecordingError, TablectlError, UsageError
from tablectl.said import Said, said_by, say
from tablectl.shell.display.guard import Guard, cross_site
from tablectl.shell.display.pages import Pages
from tablectl.shell.display.stream import MAX_STREAMS, EventStream, Feed

INPUT_BYTES = 16 * 1024
"""Largest body of `POST /input`, in bytes; the longest real input is a note of some hundred characters."""

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


class Display:
    """The display of one table.

    `state` returns what the page shows, JSON-ready. `submit` checks and applies one input of the dealer and
    raises `UsageError` or `RecordingError` with a text for the dealer if it cannot be. `metrics` returns
    Prometheus text. All three are called in the event loop and must not block. Port 0 takes any free port.
    """

    def __init__(
        self,
        host: str,
        port: int,
        state: Callable[[], Mapping[str, Any]],
        submit: Callable[[dict[str, Any]], None],
        metrics: Callable[[], str],
    ) -> None:
        self.host = host
        self.port = port
        self._submit = submit
        self._metrics = metrics
        self._state = state
        self._pages = Pages(self._language)
        self._feed = Feed(state, self._pages.fingerprint)
        self._server: _Server | None = None
        self._running: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Where the page is, with the port really taken."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"

    @property
    def watching(self) -> int:
        """How many pages are listening now."""
        return len(self._feed.streams)

    async def start(self) -> None:
        """Opens the port and serves from now on; raises `LinkError` if the port cannot be had."""
        sock = _listen(self.host, self.port)
        self.port = sock.getsockname()[1]
        config = uvicorn.Config(
            Guard(self._app(), self.host),
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        self._server = _Server(config)
        self._running = asyncio.create_task(self._server.serve(sockets=[sock]), name="display")
        up = asyncio.create_task(self._server.up.wait())
        await asyncio.wait({self._running, up}, return_when=asyncio.FIRST_COMPLETED)
        up.cancel()
        if self._running.done():
            sock.close()
            raise LinkError(
                f"display: the web server did not start on {self.url}"
            ) from self._running.exception()

    def publish(self) -> None:
        """Says that the state has changed. Costs next to nothing, never waits; call it after every change."""
        self._feed.publish()

    def beat(self) -> None:
        """Says that what was published is still true; call it from the core's own loop, twice a second.

        A page that hears neither this nor a change for two seconds says that its link is dead.
        """
        self._feed.beat()

    async def close(self) -> None:
        """Ends all streams and gives the port back; safe to call twice or without `start`."""
        self._feed.close()
        if self._server is not None:
            self._server.should_exit = True
        if self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)
        self._server = self._running = None

    def _app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self._pages.index),
                Route("/static/{name}", self._pages.static),
                Route("/events", self._events),
                Route("/state", self._get_state),
                Route("/input", self._post_input, methods=["POST"]),
                Route("/metrics", self._get_metrics),
                Route("/healthz", self._get_healthz),
            ]
        )

    def _language(self) -> str:
        try:
            return str(self._state()["table"]["language"])
        except Exception:  # a state that cannot be read keeps nobody from the page, which will say so
            log.exception("the language cannot be read")
            return ""

    async def _events(self, _: Request) -> Response:
        if self._feed.closing or len(self._feed.streams) >= MAX_STREAMS:
            text = f"{MAX_STREAMS} pages are watching already"
            return JSONResponse({"error": text}, 503, headers={"Retry-After": "2"})
        return EventStream(self._feed)

    async def _get_state(self, _: Request) -> Response:
        try:
            body = self._feed.state_json()
        except Exception:  # a fault in the core must not take the web server down with it
            log.exception("the state cannot be read")
            return JSONResponse({"error": "the state cannot be read; see the log"}, 500)
        return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})

    async def _get_metrics(self, _: Request) -> Response:
        return Response(
            self._metrics(),
            media_type="text/plain; version=0.0.4; charset=utf-8",
            headers={"Cache-Control": "no-store"},
        )

    async def _get_healthz(self, _: Request) -> Response:
        try:
            self._feed.state_json()
            stopped = self._state().get("stopped")
        except Exception:  # whatever it is, the table is not healthy
            log.exception("the state cannot be read")
            return PlainTextResponse("the state cannot be read\n", 503)
        if stopped:
            return PlainTextResponse("the core has stopped; see the log\n", 503)
        return PlainTextResponse("ok\n", headers={"Cache-Control": "no-store"})

    async def _post_input(self, request: Request) -> Response:
        if reason := cross_site(request.headers):
            return JSONResponse({"error": reason}, 403)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return JSONResponse({"error": "Content-Type must be application/json"}, 415)
        raw = bytearray()
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > INPUT_BYTES:
                return JSONResponse({"error": f"an input has at most {INPUT_BYTES} bytes"}, 413)
        try:
            self._submit(parse_input(bytes(raw)))
        except (UsageError, RecordingError) as wrong:
            return JSONResponse(_refusal(wrong), 400)
        except TablectlError as refused:
            return JSONResponse(_refusal(refused), 503)
        except Exception:  # no traceback reaches the dealer, and the log has it
            log.exception("an input could not be applied")
            return JSONResponse(
                _refusal(UsageError(Said("the input could not be applied; see the log"))), 500
            )
        return JSONResponse({"ok": True})


def _refusal(error: TablectlError) -> dict[str, Any]:
    """Why an input was not taken, in English and as what the page needs to say it in its own language."""
    return {"error": str(error), **say(said_by(error))}


def parse_input(raw: bytes) -> dict[str, Any]:
    """One input of the dealer from the body of a request.

    Raises UsageError, with what would be right, unless it is a JSON object with a `do`, free of NaN and of
    lone surrogates (the journal could not write those).
    """
    try:
        body = json.loads(raw, parse_constant=_no_constant)
        json.dumps(body, ensure_ascii=False).encode()
    except RecursionError:
        raise UsageError("the input is nested too deeply") from None
    except ValueError as wrong:
        raise UsageError(f"the input is not valid JSON: {_first_line(wrong)}") from None
    if not isinstance(body, dict):
        raise UsageError('an input is a JSON object such as {"do": "round_closed"}')
    if not isinstance(body.get("do"), str):
        raise UsageError('"do" is missing: it names the input, for example "round_closed"')
    return body


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _first_line(wrong: Exception) -> str:
    return str(wrong).partition("\n")[0][:200]


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket on host and port; raises LinkError that names both and says what to do."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as wrong:
        raise LinkError(
            f"display: [display] host = {host!r} is no address of this machine ({wrong})"
        ) from None
    sock = socket.socket(family, kind, proto)
    try:
        # Lets a restarted controller take its port back at once; on Linux it does not allow two listeners.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(64)
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
