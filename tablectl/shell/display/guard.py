"""What is refused before anybody asks what it means: foreign names, foreign pages, too much, too often.

Owns: the Host and Origin checks, the size and rate of requests, and the headers that every answer carries.
Refuses: who the visitor is (`doorkeeper`), and connections (`doors`).
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablectl.shell.display.bounds import BODY_BYTES

SECURITY_HEADERS = {
    # Nothing but our own files, and no form; the page for signing in, which is one, says otherwise.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), serial=()",
}
TLS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}
"""A browser that was here once does not try without TLS any more (RFC 6797)."""


class Guard:
    """Wraps the whole application of one door. `names` are those that a network has for this table."""

    def __init__(self, app: ASGIApp, host: str, names: Iterable[str] = ()) -> None:
        self._app = app
        own = socket.gethostname().lower()
        self._names = frozenset({"localhost", host.lower(), own, f"{own}.local", *map(str.lower, names)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes one request on, or answers 403, 413 or 429."""
        if scope["type"] != "http":
            return
        headers = {**SECURITY_HEADERS, **(TLS_ONLY if scope["scheme"] == "https" else {})}

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in headers.items():
                    given.setdefault(name, value)
            await send(message)

        refused = self._refused(Request(scope))
        await (self._app if refused is None else refused)(scope, receive, send_guarded)

    def _refused(self, request: Request) -> Response | None:
        place = request.state.place
        if not place.door.requests.take(place.client):
            return _closing("too many requests; wait a moment", 429, {"Retry-After": "1"})
        name = host_name(request.headers.get("host", ""))
        if not self._own(name):
            return _closing(f"this table does not answer to the name {name!r}; use its address", 403)
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > BODY_BYTES:
            return _closing(f"an input has at most {BODY_BYTES} bytes", 413)
        return None

    def _own(self, name: str) -> bool:
        """An address, or a name of this machine. Any other name may be a foreign one pointed at us."""
        try:
            return not ipaddress.ip_address(name).is_unspecified
        except ValueError:
            return name in self._names


def _closing(error: str, status: int, headers: dict[str, str] | None = None) -> Response:
    """A refusal that ends the connection: who is not served shall not stay either."""
    return JSONResponse({"error": error}, status, headers={"Connection": "close", **(headers or {})})


def host_name(host: str) -> str:
    """The host of a Host header, without port and brackets, lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def cross_site(scheme: str, headers: Headers) -> str | None:
    """Why a request that changes something is refused, or None if it comes from our page or from a program.

    A browser names the page a request comes from in Origin and Sec-Fetch-Site; other programs send neither.
    """
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"{scheme}://{headers.get('host', '').lower()}":
        return f"inputs are taken from this table's own page only, not from {origin}"
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return "inputs are taken from this table's own page only"
    return None
