"""The technician's page of one table: its figures, live, and the test of its antennas.

Owns: the routes below `/technician` and their stream. Refuses: the figures and the test (they are handed in).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tablectl.shell.display.pages import Pages
from tablectl.shell.display.posted import hand_on
from tablectl.shell.display.stream import Feed, state_answer, stream_answer


class Technician(Protocol):
    """What the page shows and enters; called in the event loop, and never blocking."""

    def state(self) -> Mapping[str, Any]:
        """What the page shows, JSON-ready."""

    def enter(self, command: dict[str, Any]) -> None:
        """One command of the page; raises UsageError with a text for the technician if it cannot be done now."""


class TechnicianPage:
    """Serves `/technician`, and below it `state`, `events` and `test`."""

    def __init__(self, technician: Technician, pages: Pages) -> None:
        self._technician = technician
        self._pages = pages
        self.feed = Feed(technician.state, pages.fingerprint)
        self.routes = [
            Route("/technician", self._index),
            Route("/technician/state", self._state),
            Route("/technician/events", self._events),
            Route("/technician/test", self._test, methods=["POST"]),
        ]

    async def _index(self, request: Request) -> Response:
        return self._pages.page(request, "technician")

    async def _state(self, _: Request) -> Response:
        return state_answer(self.feed)

    async def _events(self, request: Request) -> Response:
        self.feed.publish()  # while nobody listens the figures are not kept up
        return stream_answer(self.feed, request)

    async def _test(self, request: Request) -> Response:
        enter: Callable[[dict[str, Any]], None] = self._technician.enter
        answer = await hand_on(request, enter)
        self.feed.publish()
        return answer
