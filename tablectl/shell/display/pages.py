"""The page's files, held in memory.

Owns: `static/`, its media types, its ETags. Refuses: any path outside it.

They are read once at start, so that the page still loads when the disk has failed, and are small (under
200 kB in all). A browser asks each time whether its copy is current: after an upgrade no page runs old code.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class Pages:
    """Serves `/` and `/static/<name>`."""

    def __init__(self) -> None:
        folder = files("tablectl.shell.display") / "static"
        self._files = {
            entry.name: entry.read_bytes()
            for entry in folder.iterdir()
            if entry.name.rpartition(".")[2] in MEDIA_TYPES
        }
        self._etags = {
            name: f'"{hashlib.sha256(body).hexdigest()[:20]}"' for name, body in self._files.items()
        }
        every = "".join(f"{name}{etag}" for name, etag in sorted(self._etags.items()))
        self.fingerprint = hashlib.sha256(every.encode()).hexdigest()[:16]

    async def index(self, request: Request) -> Response:
        """The page itself."""
        return self._answer(request, "index.html")

    async def static(self, request: Request) -> Response:
        """One of the page's files."""
        return self._answer(request, request.path_params["name"])

    def _answer(self, request: Request, name: str) -> Response:
        body = self._files.get(name)
        if body is None:
            return PlainTextResponse("no such file\n", 404)
        headers = {"ETag": self._etags[name], "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == self._etags[name]:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type=MEDIA_TYPES[name.rpartition(".")[2]])
