"""Server-sent events: one stream per page, the newest state always last.

Owns: the versions of the state, its JSON (made once per version), the streams.
Refuses: queues of old states. A stream that cannot keep up has one thing waiting for it: the newest state. It also
refuses to say by itself that the table lives: a `beat` is passed on, never made here.

Events on the stream: `hello` (`page`: fingerprint of the page's files, so that a page left open over an
upgrade reloads itself), `state` (the full state; its id is the version), and `beat` with the version that is still
true. A beat comes from whoever runs the core, in the core's own loop, after a look at the core. So a page hears
nothing as soon as the process, the loop or the core hangs, and takes that for what it is. A `hello` proves nothing:
a server that answers may have no state to show.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

if TYPE_CHECKING:
    from tablectl.shell.display.doors import Place

COALESCE_S = 0.03
"""Least time between two states on one stream, in seconds: two frames of a 60 Hz screen."""

RETRY_MS = 500
"""How soon a browser tries again after a broken stream, in ms."""

log = logging.getLogger("tablectl.display")


class Feed:
    """The state as the streams see it: a version number, and the bytes of the newest version."""

    def __init__(self, state: Callable[[], Mapping[str, Any]], fingerprint: str) -> None:
        self.streams: set[EventStream] = set()
        self.version = 0
        self.beats = 0
        self.closing = False
        self.fingerprint = fingerprint
        self._state = state
        self._frame: tuple[int, bytes] | None = None

    def publish(self) -> None:
        """A new version is there; whoever listens will fetch it."""
        self.version += 1
        self._wake()

    def beat(self) -> None:
        """What was published last is still true."""
        self.beats += 1
        self._wake()

    def close(self) -> None:
        """Ends every stream."""
        self.closing = True
        self._wake()

    def _wake(self) -> None:
        for stream in self.streams:
            stream.changed.set()

    def state_json(self) -> bytes:
        """The state of this moment, as JSON on one line."""
        return json.dumps(self._state(), separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()

    def frame(self) -> tuple[int, bytes]:
        """The newest version and its event, made once and shared by all streams."""
        if self._frame is None or self._frame[0] != self.version:
            version = self.version
            event = b"event: state\nid: %d\ndata: %s\n\n" % (version, self.state_json())
            self._frame = (version, event)
        return self._frame


class EventStream(Response):
    """The answer to `GET /events`: runs until the page goes away or the display closes."""

    def __init__(self, feed: Feed, place: Place) -> None:
        super().__init__(media_type="text/event-stream", headers={"Cache-Control": "no-store"})
        del self.headers["content-length"]
        self.changed = asyncio.Event()
        self._feed = feed
        self._place = place
        self._gone = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Writes the stream; each write waits for this page's own socket only."""
        del scope
        self._feed.streams.add(self)
        self._place.door.streams[self] = self._place.client
        watcher = asyncio.create_task(self._watch(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await self._write(send)
        except Exception:  # a stream that stops makes the page say so; the log has the reason
            log.exception("a display stream broke off")
        finally:
            self._feed.streams.discard(self)
            self._place.door.streams.pop(self, None)
            watcher.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _write(self, send: Send) -> None:
        async def put(body: bytes) -> None:
            await send({"type": "http.response.body", "body": body, "more_body": True})

        hello = json.dumps({"page": self._feed.fingerprint})
        await put(f"retry: {RETRY_MS}\nevent: hello\ndata: {hello}\n\n".encode())
        sent, beaten = -1, self._feed.beats
        while not self._over():
            self.changed.clear()
            version, event = self._feed.frame()
            if version != sent:
                await put(event)
                sent = version
                # Changes of the next moments share one event; the last of them is never left out, because
                # `changed` stays set until the newest version has been taken.
                await asyncio.sleep(COALESCE_S)
            elif beaten != self._feed.beats:
                beaten = self._feed.beats
                # A comment keeps proxies awake but is invisible to a page, and the page must notice silence.
                await put(b": beat\nevent: beat\ndata: %d\n\n" % version)
            await self.changed.wait()

    def _over(self) -> bool:
        return self._gone or self._feed.closing

    async def _watch(self, receive: Receive) -> None:
        """Notices that the page went away."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()

    def end(self) -> None:
        """Nothing more is written."""
        self._gone = True
        self.changed.set()


def stream_answer(feed: Feed, request: Request) -> Response:
    """The answer to a page that wants to listen: a stream, or 503 if there are too many or no more."""
    place: Place = request.state.place
    if feed.closing or not place.door.may_watch(place.client):
        text = f"{len(place.door.streams)} pages are watching already"
        return JSONResponse({"error": text}, 503, headers={"Retry-After": "2"})
    return EventStream(feed, place)


def state_answer(feed: Feed) -> Response:
    """The state of this moment; 500 if it cannot be had."""
    try:
        body = feed.state_json()
    except Exception:  # a fault in the core must not take the web server down with it
        log.exception("the state cannot be read")
        return JSONResponse({"error": "the state cannot be read; see the log"}, 500)
    return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})
