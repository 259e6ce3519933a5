"""Who may talk to the display: this machine's own page, and programs, but no foreign web page.

Owns: the Host and Origin checks and the headers that every answer carries.
Refuses: accounts and encryption. The display listens on loopback unless configured otherwise.
"""

from __future__ import annotations

import ipaddress
import socket

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Wraps the whole application: refuses foreign host names, adds the security headers."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        own = socket.gethostname().lower()
        self._names = frozenset({"localhost", host.lower(), own, f"{own}.local"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes one request on, or answers 403."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SECURITY_HEADERS)
            await send(message)

        name = host_name(Headers(scope=scope).get("host", ""))
        if self._own(name):
            await self._app(scope, receive, send_guarded)
        else:
            text = f"this table does not answer to the name {name!r}; use its address"
            await JSONResponse({"error": text}, 403)(scope, receive, send_guarded)

    def _own(self, name: str) -> bool:
        """An address, or a name of this machine. Any other name may be a foreign one pointed at us."""
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self._names
        return True


def host_name(host: str) -> str:
    """The host of a Host header, without port and brackets, lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def cross_site(headers: Headers) -> str | None:
    """Why a request that changes something is refused, or None if it comes from our page or from a program.

    A browser names the page a request comes from in Origin and Sec-Fetch-Site; other programs send neither.
    """
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"http://{headers.get('host', '').lower()}":
        return f"inputs are taken from this table's own page only, not from {origin}"
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return "inputs are taken from this table's own page only"
    return None
