"""A display that really runs, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NeverCame
from states import ALL

from tablectl.app.news import BEAT_S
from tablectl.errors import UsageError
from tablectl.said import Said
from tablectl.shell.display import Display

DEADLINE_S = 20
"""How long a test waits for something that must happen, in seconds; nothing is asserted about how soon."""


class Workshop:
    """What the technician's page is shown and enters, as tests set it."""

    def __init__(self) -> None:
        self.shown: dict[str, Any] = {"table": {"id": "T1"}}
        self.entered: list[dict[str, Any]] = []
        self._arrived = threading.Condition()

    def wait(self, count: int) -> list[dict[str, Any]]:
        """The commands so far, once there are `count` of them."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.entered) >= count, DEADLINE_S), self.entered
            return list(self.entered)

    def show(self, state: dict[str, Any]) -> None:
        """The page gets this with the next beat."""
        self.shown = state

    def state(self) -> dict[str, Any]:
        """As the app gives it."""
        return self.shown

    def enter(self, command: dict[str, Any]) -> None:
        """Keeps a command; one of a table that plays is refused."""
        if self.shown.get("between_hands") is False:
            raise UsageError(Said("a hand is being played: test the antennas when it is over"))
        with self._arrived:
            self.entered.append(command)
            self._arrived.notify_all()


class Served:
    """A running display with a state that tests set and a record of the inputs it was given."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.state = state
        self.inputs: list[dict[str, Any]] = []
        self.submit: Callable[[dict[str, Any]], None] = self._take
        self.workshop = Workshop()
        self.display = self._make(0)
        self._arrived = threading.Condition()
        self._free = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.run(self.display.start())
        self._loop.call_soon_threadsafe(self._beat)

    def _beat(self) -> None:
        """What the app does from the core's own loop: what was published is still true."""
        self.display.beat()
        self._loop.call_later(BEAT_S, self._beat)

    def _make(self, port: int) -> Display:
        return Display(
            "127.0.0.1",
            port,
            lambda: self.state,
            lambda body: self.submit(body),
            lambda: "tablectl_up 1\n",
            technician=self.workshop,
        )

    def _take(self, body: dict[str, Any]) -> None:
        with self._arrived:
            self.inputs.append(body)
            self._arrived.notify_all()

    def run(self, work: Any) -> Any:
        """Runs a coroutine in the display's loop and waits for its end."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(DEADLINE_S)

    def show(self, state: dict[str, Any]) -> None:
        """Makes `state` the table's state and publishes it, in the display's own thread as the app would."""

        async def change() -> None:
            self.state = state
            self.display.publish()

        self.run(change())

    def wait_inputs(self, count: int) -> list[dict[str, Any]]:
        """The inputs so far, once there are `count` of them."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.inputs) >= count, DEADLINE_S), self.inputs
            return list(self.inputs)

    def stop(self) -> None:
        """Stops the display; the port stays remembered."""
        self.run(self.display.close())

    def start_again(self) -> None:
        """A new display on the same port, as after a restart of the controller."""
        self.display = self._make(self.display.port)
        self.run(self.display.start())

    def hang(self) -> None:
        """Blocks the display's whole event loop, as a controller would that hangs; `unhang` frees it."""
        self._free = threading.Event()
        self._loop.call_soon_threadsafe(self._free.wait)

    def unhang(self) -> None:
        """Lets the loop go on."""
        self._free.set()

    def end(self) -> None:
        """Stops everything."""
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(DEADLINE_S)
        self._loop.close()


@pytest.fixture
def served() -> Iterator[Served]:
    """A display with an empty table."""
    one = Served({"table": {"id": "T1"}})
    yield one
    one.end()


@pytest.fixture
def look(served: Served, page: Page) -> Any:
    """Opens the page on a state; returns a function that shows another one."""

    def show(name: str) -> dict[str, Any]:
        state: dict[str, Any] = ALL[name]()
        served.show(state)
        if page.url == "about:blank":
            page.goto(served.display.url)
        expect(page.locator("#cover")).to_be_hidden()
        expect(page.locator("#top .hand-no")).to_have_text(f"Hand {state['hand']['number']}")
        return state

    return show


TOASTS = """
addEventListener("DOMContentLoaded", () => {
  const toast = document.querySelector("#toast");
  window.toasts = [];
  const keep = () => toast.hidden || window.toasts.push([toast.className, toast.textContent]);
  new MutationObserver(keep).observe(toast, { attributes: true, childList: true });
});
"""
"""Keeps what the page said: a toast is gone again before a busy machine comes to look for it."""


@pytest.fixture
def said(page: Page) -> Any:
    """Waits until the page, opened after this, has said something, in that colour."""
    page.add_init_script(TOASTS)

    def wait(kind: str, text: str) -> None:
        try:
            page.wait_for_function(
                "(wanted) => toasts.some((each) => `${each}` === `${wanted}`)", arg=[kind, text]
            )
        except NeverCame as error:
            raise AssertionError(page.evaluate("toasts")) from error

    return wait
