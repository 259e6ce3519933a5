"""The dealer's screen as the README starts it: Chromium as a kiosk, with those very flags."""

from __future__ import annotations

import re
import shlex
import subprocess
import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import CHROMIUM, HEIGHT, WIDTH
from playwright.sync_api import CDPSession, Page, Playwright, expect, sync_playwright
from states import ALL

if TYPE_CHECKING:
    from serving import Served

pytestmark = pytest.mark.timeout(300)

README = Path(__file__).parents[3] / "README.md"
START_MS = 60_000
"""How long a kiosk may take to come up on a busy machine, in ms; nothing is asserted about how soon."""


def command() -> list[str]:
    """What the README says starts the dealer's screen."""
    lines = re.search(r"^    chromium --kiosk(?:.*\\\n)*.*$", README.read_text(), re.MULTILINE)
    assert lines is not None
    return shlex.split(lines.group().replace("\\\n", ""))


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Ends with the module, as the `chromium` fixture does."""
    with sync_playwright() as running:
        yield running


@pytest.fixture
def kiosk(playwright: Playwright, served: Served, tmp_path: Path) -> Iterator[Page]:
    """A Chromium started by that command on a screen of 800 by 480 that nobody sees, with the calm table in it."""
    served.show(ALL["calm"]())
    _, *flags, address = command()
    assert address == "http://127.0.0.1:8080/"
    unseen = ["--headless=new", f"--screen-info={{{WIDTH}x{HEIGHT}}}", "--no-sandbox", "--disable-gpu"]
    watched = [f"--user-data-dir={tmp_path}", "--remote-debugging-port=0", "--touch-events=enabled"]
    with subprocess.Popen(
        [CHROMIUM, *flags, *unseen, *watched, served.display.url], stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield _page(playwright, process)
        finally:
            process.kill()  # whatever happened: else its end is waited for, for ever


def _page(playwright: Playwright, process: subprocess.Popen[str]) -> Page:
    """Its one page, once the table is on it."""
    assert process.stderr is not None
    where = next(found.group() for line in process.stderr if (found := re.search(r"ws://\S+", line)))
    # Somebody must read on, or it fills, and Chromium waits.
    threading.Thread(target=deque, args=(process.stderr, 0), daemon=True).start()
    browser = playwright.chromium.connect_over_cdp(where, timeout=START_MS)
    page = browser.contexts[0].pages[0]
    expect(page.locator("#cover")).to_be_hidden(timeout=START_MS)
    return page


def fingers(line: CDPSession, *courses: tuple[tuple[int, int], tuple[int, int]]) -> None:
    """Fingers that go down, glide in ten steps from one point to another, and are lifted together."""

    def touch(kind: str, step: int) -> None:
        points = [
            {"id": n, "x": x + (to_x - x) * step / 10, "y": y + (to_y - y) * step / 10}
            for n, ((x, y), (to_x, to_y)) in enumerate(courses)
        ]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 0)
    for step in range(1, 11):
        touch("touchMove", step)
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_the_page_is_all_there_is(kiosk: Page, served: Served) -> None:
    """It has the whole screen, and no scroll bar in any state."""
    sizes = "[innerWidth, innerHeight, screen.width, screen.height]"
    assert kiosk.evaluate(sizes) == [WIDTH, HEIGHT] * 2
    assert kiosk.evaluate("matchMedia('(display-mode: fullscreen)').matches")
    for number, make in enumerate(ALL.values(), 1000):
        state = make()
        state["hand"]["number"] = number
        served.show(state)
        expect(kiosk.locator("#top .hand-no")).to_contain_text(str(number))
        bars = kiosk.evaluate(
            "[...document.querySelectorAll('*')].filter((node) => !node.matches('svg *') && getComputedStyle(node)"
            ".overflowY !== 'hidden' && node.scrollHeight > node.clientHeight && node.clientHeight > 0 &&"
            " node.offsetWidth - node.clientWidth > 8).map((node) => node.outerHTML.slice(0, 80))"
        )
        assert bars == [], make
        assert kiosk.evaluate("[document.scrollingElement.scrollHeight, innerWidth]") == [HEIGHT, WIDTH]


def test_two_fingers_do_not_zoom_and_none_leaves_the_page(kiosk: Page) -> None:
    """Two fingers that part, and a swipe to the side: the page stays as it is, where it is."""
    line = kiosk.context.new_cdp_session(kiosk)
    where = kiosk.url
    fingers(line, ((370, 240), (200, 240)), ((430, 240), (600, 240)))
    fingers(line, ((100, 300), (700, 300)))
    fingers(line, ((300, 400), (300, 100)))
    assert kiosk.evaluate("[visualViewport.scale, scrollX, scrollY]") == [1, 0, 0]
    assert kiosk.url == where


def test_nothing_is_selected_and_no_menu_opens(kiosk: Page) -> None:
    """Dragging over the texts and tapping twice selects nothing, and the browser's own menu is refused everywhere."""
    kiosk.evaluate(
        "() => { window.refused = []; addEventListener('contextmenu', (e) => refused.push(e.defaultPrevented)); }"
    )
    kiosk.mouse.move(90, 20)
    kiosk.mouse.down()
    kiosk.mouse.move(680, 430, steps=5)
    kiosk.mouse.up()
    kiosk.mouse.dblclick(150, 20)
    assert kiosk.evaluate("String(getSelection())") == ""
    spots = [(150, 20), (350, 240), (60, 440), (750, 200)]
    for x, y in spots:
        kiosk.mouse.click(x, y, button="right")
    assert kiosk.evaluate("refused") == [True] * len(spots)


def test_a_long_text_still_scrolls_under_a_finger(kiosk: Page, served: Served) -> None:
    """The one thing that may be longer than the screen, the table's status, follows the finger."""
    state: dict[str, Any] = ALL["degraded"]()
    state["checks_off"] = [
        "exposed_card",
        "boxed_card",
        "untagged_card",
        "joker",
        "foreign_card",
        "duplicate_card",
    ]
    served.show(state)
    expect(kiosk.locator(".strip.red")).to_be_visible()
    kiosk.locator("#rail [data-rail=menu]").click()
    kiosk.locator("#sheet [data-menu=status]").click()
    expect(kiosk.locator("#sheet .status")).to_be_visible()
    fingers(kiosk.context.new_cdp_session(kiosk), ((300, 320), (300, 100)))
    kiosk.wait_for_function("() => document.querySelector('#sheet .status').scrollTop > 0", timeout=START_MS)
