"""Who comes in from a network: a program by its bearer token, a browser by a session, and nobody else.

Owns: finding out who a request is from, signing in and out, and turning away. Refuses: what a role may (`roles`), and
tokens in an address: those end up in histories and logs.

A browser shows its token once, in the body of a form; from then on it has a cookie that no script can read, that goes
over TLS alone and with no request that another site began.
"""

from __future__ import annotations

import logging
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tablectl.said import Said, say
from tablectl.shell.display.bounds import Rate
from tablectl.shell.display.guard import SECURITY_HEADERS, cross_site
from tablectl.shell.display.keyring import SESSION_S, Keyring
from tablectl.shell.display.pages import Pages
from tablectl.shell.display.posted import TooLongError, whole_body
from tablectl.shell.display.roles import ROLES, Visitor

COOKIE: Final = "__Host-tablectl"
"""A name that browsers take only with Secure, for this host alone and for every path (RFC 6265bis, 4.1.3.2)."""
SIGN_IN: Final = "/sign-in"
SIGN_OUT: Final = "/sign-out"
UNSIGNED: Final = frozenset({"/static/sign-in.css", "/static/icon.svg"})
"""What the page for signing in is made of."""
WRONG_PER_S: Final = 1 / 60
"""Wrong tokens of one client that the log tells of, by the second; the first five at once."""
NO_STORE: Final = {"Cache-Control": "no-store"}
FORM: Final = {
    **NO_STORE,
    "Content-Security-Policy": SECURITY_HEADERS["Content-Security-Policy"].replace(
        "form-action 'none'", "form-action 'self'"
    ),
    # With no-referrer a browser sends its form with `Origin: null` (Fetch, 3.2), and that is refused.
    "Referrer-Policy": "same-origin",
}

log = logging.getLogger("tablectl.display")


class Doorkeeper:
    """Wraps the application of the door to a network. What passes has its `visitor` in the scope's `state`."""

    def __init__(self, app: ASGIApp, keyring: Keyring, pages: Pages, told: Rate) -> None:
        self._app = app
        self._keyring = keyring
        self._pages = pages
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes one request on, or answers it."""
        request = Request(scope, receive)
        answer = await self._answer(request)
        await (self._app if answer is None else answer)(scope, receive, send)

    async def _answer(self, request: Request) -> Response | None:
        """The doorkeeper's own answer; None lets the request pass."""
        path, browsing = request.url.path, request.method in ("GET", "HEAD")
        if path in (SIGN_IN, SIGN_OUT):
            if request.method == "POST":
                return await self._posted(request)
            return self._page(request) if browsing and path == SIGN_IN else _plain(405, "POST only")
        if path in UNSIGNED and browsing:
            return None
        visitor = self._visitor(request)
        if visitor is None:
            if browsing and _wants_page(request):
                return RedirectResponse(SIGN_IN, 303, headers=NO_STORE)
            return _refused(401, Said("sign in first"), {"WWW-Authenticate": 'Bearer realm="tablectl"'})
        if not visitor.may_see(path):
            home = ROLES[visitor.role].home if visitor.role is not None else "/"
            if browsing and _wants_page(request) and path != home:
                return RedirectResponse(home, 303, headers=NO_STORE)
            return _refused(403, Said("this sign-in may not see that"))
        request.state.visitor = visitor
        return None

    def _visitor(self, request: Request) -> Visitor | None:
        given = request.headers.get("authorization")
        if given is not None:  # whoever shows a token means it: no cookie beside it counts
            scheme, _, token = given.partition(" ")
            found = self._keyring.bearer(token.strip()) if scheme.lower() == "bearer" else None
            if found is None:
                self._tell(request)
            return found
        cookie = request.cookies.get(COOKIE)
        return self._keyring.session(cookie) if cookie is not None else None

    def _page(self, request: Request, *, again: bool = False) -> Response:
        answer = self._pages.page(request, "sign-in-again" if again else "sign-in")
        answer.headers.update(FORM)
        answer.status_code = 401 if again else answer.status_code
        return answer

    async def _posted(self, request: Request) -> Response:
        if reason := cross_site(request.url.scheme, request.headers):
            return JSONResponse({"error": reason}, 403)
        try:
            form = parse_qs((await whole_body(request)).decode("ascii", "replace"), max_num_fields=8)
        except (TooLongError, ValueError):
            return _plain(413, "too long")
        if request.url.path == SIGN_OUT:
            self._keyring.sign_out(request.cookies.get(COOKIE, ""))
            gone = RedirectResponse(SIGN_IN, 303, headers=NO_STORE)
            gone.delete_cookie(COOKIE, secure=True, httponly=True, samesite="strict")
            return gone
        signed = self._keyring.sign_in(form.get("token", [""])[0].strip())
        if signed is None:
            self._tell(request)
            return self._page(request, again=True)
        session, visitor = signed
        home = ROLES[visitor.role].home if visitor.role is not None else "/"
        answer = RedirectResponse(home, 303, headers=NO_STORE)
        answer.set_cookie(COOKIE, session, max_age=SESSION_S, secure=True, httponly=True, samesite="strict")
        return answer

    def _tell(self, request: Request) -> None:
        """A wrong token is told, but nobody fills the log with it, and never what was shown."""
        client = request.state.place.client
        if self._told.take(client):
            log.warning("display: a token that this table does not know was shown by %s", client)


def _wants_page(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")


def _plain(status: int, error: str) -> Response:
    return JSONResponse({"error": error}, status, headers=NO_STORE)


def _refused(status: int, why: Said, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": str(why), **say(why)}, status, headers={**NO_STORE, **(headers or {})})
