"""What the page costs: bytes over the line, and memory over a day."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest
import technician_states
from playwright.sync_api import CDPSession, Page, expect
from states import ALL

from tablectl.core.entries import LANGUAGES
from tablectl.shell.display import stream

if TYPE_CHECKING:
    from serving import Served

# --- bytes --------------------------------------------------------------------------------------------------

PAGE_BYTES = 200_000
"""The most that the page may weigh: every answer with its headers, and the first state."""


class Scales:
    """Weighs every answer that a page gets, as Chromium's network layer counts it: headers, and bodies as they come."""

    def __init__(self, line: CDPSession) -> None:
        self.urls: dict[str, str] = {}
        self.weights: dict[str, int] = {}
        line.on("Network.requestWillBeSent", self._asked)
        line.on(
            "Network.responseReceived", lambda event: self._add(event, event["response"]["encodedDataLength"])
        )
        line.on("Network.dataReceived", lambda event: self._add(event, event["encodedDataLength"]))
        line.on(
            "Network.eventSourceMessageReceived", lambda event: self._add(event, len(event["data"].encode()))
        )
        line.on("Network.loadingFinished", self._ended)
        line.send("Network.enable")

    def _asked(self, event: dict[str, Any]) -> None:
        self.urls[event["requestId"]] = event["request"]["url"]

    def _add(self, event: dict[str, Any], size: float) -> None:
        url = self.urls[event["requestId"]]
        self.weights[url] = self.weights.get(url, 0) + int(size)

    def _ended(self, event: dict[str, Any]) -> None:
        url = self.urls[event["requestId"]]
        self.weights[url] = max(self.weights.get(url, 0), int(event["encodedDataLength"]))


@pytest.mark.parametrize("path", ["", "technician"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_light_and_asks_nobody_else(page: Page, served: Served, language: str, path: str) -> None:
    """Everything that a browser without a cache loads until the busiest table is drawn weighs less than 200 kB, in
    every language, and comes from the table alone. The same for the technician's page."""
    for state, show in (
        (ALL["crowded"](), served.show),
        (technician_states.troubles(), served.workshop.show),
    ):
        state["table"]["language"] = language
        show(state)
    scales = Scales(page.context.new_cdp_session(page))
    page.goto(served.display.url + path)
    expect(page.locator("#cover")).to_be_hidden()
    loaded = {served.display.url + name for name in (path, "static/words.js", f"static/{language}.json")}
    while not all(scales.weights.get(url, 0) > 500 for url in loaded):
        page.evaluate("0")  # the news of the last bytes may still be on their way
    assert {url for url in scales.urls.values() if not url.startswith(served.display.url)} == set()
    assert sum(scales.weights.values()) < PAGE_BYTES, scales.weights


# --- memory -------------------------------------------------------------------------------------------------

COUNT_STATES = """
  window.drawn = 0;
  window.version = 0;
  let told = () => {};
  window.until = (version) => new Promise((resolve) => {
    told = () => { if (window.version >= version) resolve(window.drawn); };
    told();
  });
  const add = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (kind, listener) {
    add.call(this, kind, kind !== "state" ? listener : (event) => {
      listener(event);
      window.drawn += 1;
      window.version = Number(event.lastEventId);
      told();
    });
  };
"""
"""Counts the states that the page has drawn, and tells when it has drawn a certain one."""
AT_ONCE = 50
"""So many states are under way at a time: enough to keep the page busy, too few to fill the line's buffers."""
DAY = 40_000
"""States in a day: about thirty hands an hour for a day and a night, with some fifty changes each."""
HEAP_BYTES = 256 * 1024
"""What two looks at an unchanged heap may differ by: code that was compiled meanwhile. A page that kept one state in
ten would grow by more within a thousand."""


class Flood:
    """A page that gets states as fast as it takes them, one of every kind after the other."""

    def __init__(self, page: Page, served: Served) -> None:
        page.add_init_script(COUNT_STATES)
        self._page, self._served = page, served
        self._states = cycle([make() for make in ALL.values()])
        self._version = 0
        served.state = ALL["calm"]()
        page.goto(served.display.url)
        self._line = page.context.new_cdp_session(page)
        self._line.send("Performance.enable")

    def send(self, count: int) -> None:
        """Lets the page draw at least so many more."""
        drawn = self._drawn()
        until = drawn + count
        while drawn < until:
            self._served.run(self._publish(next(self._states) for _ in range(AT_ONCE)))
            drawn = self._drawn()

    async def _publish(self, states: Iterable[dict[str, Any]]) -> None:
        for state in states:
            self._served.state = state
            self._served.display.publish()
            self._version += 1
            for _ in range(4):  # the stream's turns: wake, write, wait
                await asyncio.sleep(0)

    def _drawn(self) -> int:
        """How many states the page has drawn, once it has drawn the newest."""
        return int(self._page.evaluate("(version) => until(version)", self._version))

    def kept(self) -> dict[str, float]:
        """What the page holds on to, calm again and once the rubbish is gone: bytes of its heap, nodes, listeners."""
        self._served.run(self._publish([ALL["calm"]()]))
        self._drawn()
        for _ in range(2):  # nodes are let go of a round later than what held them
            self._line.send("HeapProfiler.collectGarbage")
        metrics = self._line.send("Performance.getMetrics")["metrics"]
        return {each["name"]: each["value"] for each in metrics}


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(1000, id="an hour"),
        pytest.param(DAY, id="a day", marks=[pytest.mark.long, pytest.mark.timeout(3600)]),
    ],
)
def test_a_page_left_open_does_not_grow(
    page: Page, served: Served, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """After as many states again, of every kind the page knows, it has not one node or listener more, and a heap as
    large. The states come without the pause that the display leaves between two."""
    monkeypatch.setattr(stream, "COALESCE_S", 0.0)
    flood = Flood(page, served)
    flood.send(count)
    before = flood.kept()
    flood.send(count)
    after = flood.kept()
    for name in ("Nodes", "JSEventListeners", "Documents", "Frames"):
        assert after[name] == before[name], (name, before, after)
    assert after["JSHeapUsedSize"] < before["JSHeapUsedSize"] + HEAP_BYTES, (before, after)
