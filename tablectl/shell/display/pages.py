"""The files of the pages and their words, held in memory.

Owns: `static/`, the words of each language as one JSON file, their media types and ETags; each page in the table's
language. Refuses: any path outside, and wording (`static/words.js`, `tablectl.locale`).

They are read and packed once at start, so that the page still loads when the disk has failed, and are small (under
200 kB over the line for a page in all). A browser asks each time whether its copy is current: after an upgrade no page
runs old code.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
from collections.abc import Callable
from importlib.resources import files
from string import Template

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tablectl.core.entries import LANGUAGES
from tablectl.locale import Catalogue, catalogue
from tablectl.said import Said

MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


PAGES = ("index", "technician", "sign-in")
"""The dealer's page, the technician's, and the one for signing in: an HTML file each, which is made once for every
language."""
AGAIN = "sign-in-again"
"""The page for signing in, after a token that is not known here."""


class Pages:
    """Serves the pages and `/static/<name>`."""

    def __init__(self, language: Callable[[], str]) -> None:
        """`language` tells the table's language at this moment. Raises CatalogueError if a catalogue is damaged."""
        self._language = language
        folder = files("tablectl.shell.display") / "static"
        self._files = {
            entry.name: entry.read_bytes()
            for entry in folder.iterdir()
            if entry.name.rpartition(".")[2] in MEDIA_TYPES
        }
        pages = {name: Template(self._files.pop(f"{name}.html").decode()) for name in PAGES}
        for code in LANGUAGES:
            words = catalogue(code)
            self._files[f"{code}.json"] = json.dumps(words, ensure_ascii=False).encode()
            for name, page in pages.items():
                self._files[f"{name}.{code}.html"] = _page(page, code, words)
            self._files[f"{AGAIN}.{code}.html"] = _page(pages["sign-in"], code, words, again=True)
        self._packed = {name: gzip.compress(body, mtime=0) for name, body in self._files.items()}
        # Weak, because plain and packed are one file to a browser (RFC 9110, 8.8.3.3).
        self._etags = {
            name: f'W/"{hashlib.sha256(body).hexdigest()[:20]}"' for name, body in self._files.items()
        }
        every = "".join(f"{name}{etag}" for name, etag in sorted(self._etags.items()))
        self.fingerprint = hashlib.sha256(every.encode()).hexdigest()[:16]

    def page(self, request: Request, name: str) -> Response:
        """One of PAGES, or AGAIN; what it says before its script runs is in the table's language too."""
        language = self._language()
        return self._answer(request, f"{name}.{language if language in LANGUAGES else LANGUAGES[0]}.html")

    async def static(self, request: Request) -> Response:
        """One of the page's files."""
        return self._answer(request, request.path_params["name"])

    def _answer(self, request: Request, name: str) -> Response:
        body = self._files.get(name)
        if body is None:
            return PlainTextResponse("no such file\n", 404)
        headers = {"ETag": self._etags[name], "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == self._etags[name]:
            return Response(status_code=304, headers=headers)
        if _takes_gzip(request.headers.get("accept-encoding", "")):
            body, headers["Content-Encoding"] = self._packed[name], "gzip"
        return Response(body, headers=headers, media_type=MEDIA_TYPES[name.rpartition(".")[2]])


def _takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding names gzip and does not refuse it (RFC 9110, 12.5.3)."""
    given = {
        name.strip(): weight for name, _, weight in (each.partition(";") for each in accepted.split(","))
    }
    return "gzip" in given and given["gzip"].replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}


def _page(page: Template, language: str, words: Catalogue, *, again: bool = False) -> bytes:
    def said(text: Said) -> str:
        return html.escape(str(words.get(text.id, text)))

    unknown = said(Said("This table does not know that token."))
    return page.substitute(
        language=language,
        title=said(Said("No link to the table")),
        text=said(Said("Watch the cards yourself and call the floor.")),
        back=said(Said("Back to the table")),
        sign_in=said(Said("Sign in")),
        sign_out=said(Said("Sign out")),
        token=said(Said("Token")),
        wrong=f'<p role="alert">{unknown}</p>' if again else "",
    ).encode()
