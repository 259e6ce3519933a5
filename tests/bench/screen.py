"""The dealer's screen with a stop watch: a real Chromium, 800 by 480, that notes when an alarm is painted.

Owns: the page's two figures, from the byte to the painted alarm, and from the address to the first paint.
Refuses: playing the evening (`night`).

A picture counts as painted when the frame after it begins: by then the one before was handed to the screen. So each
figure is up to one frame (17 ms) too long, never too short.
"""

from __future__ import annotations

import runpy
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import night
from playwright.sync_api import Page, sync_playwright

BROWSER = runpy.run_path(str(Path(__file__).parents[1] / "shell" / "display" / "browser.py"))
WATCH = """
  window.painted = [];
  const next = (call) => requestAnimationFrame(call);
  const note = (what) => next(() => next(() => painted.push([what, performance.now()])));
  let [loud, drawn] = ["", false];
  new MutationObserver(() => {
    const now = document.body?.dataset.alarm === "loud" ? document.querySelector("#panel header").textContent : "";
    if (now && now !== loud) note("alarm");
    if (loud && !now) painted.push(["calm", performance.now()]);
    loud = now;
    if (!drawn && document.querySelector("#cover[hidden]")) {
      drawn = true;
      note("picture");
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
"""
"""Notes, in ms of the page's clock, when an alarm and when the first true picture are painted, and when one ends.
An alarm that comes while another one stands changes the headline, or how many there are beside it."""
LOOKS = 20
"""So often the two clocks are compared; the comparison that took least is the best one."""
APART_MS = 5.0
"""What the clocks may differ by between the beginning and the end; more is a fault of the measurement."""


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser without a window."""
    with sync_playwright() as playwright:
        browser = BROWSER["launch"](playwright)
        yield browser
        browser.close()


@contextmanager
def pages(browser: Any) -> Iterator[Page]:
    """A page with the stop watch and an empty cache."""
    context = BROWSER["screen"](browser)
    page = context.new_page()
    page.add_init_script(WATCH)
    yield page
    context.close()


def _zero(page: Page) -> float:
    """The page's 0 on CLOCK_MONOTONIC, in ms."""
    best, zero = float("inf"), 0.0
    for _ in range(LOOKS):
        before = time.monotonic_ns() / 1e6
        there = page.evaluate("performance.now()")
        after = time.monotonic_ns() / 1e6
        if after - before < best:
            best, zero = after - before, (before + after) / 2 - there
    return zero


class Watched:
    """The page open on a table; afterwards `alarms`: when the picture before and when its own was painted, in ns."""

    def __init__(self) -> None:
        self.alarms: list[tuple[int, int]] = []

    @contextmanager
    def __call__(self, url: str) -> Iterator[None]:
        with chromium() as browser, pages(browser) as page:
            page.goto(url)
            page.wait_for_selector("#cover", state="hidden")
            zero = _zero(page)
            yield
            if abs(_zero(page) - zero) > APART_MS:
                raise SystemExit("bench: the browser's clock does not keep step with CLOCK_MONOTONIC")
            painted = page.evaluate("painted")
        before = 0
        for what, at in painted:
            when = round((at + zero) * 1e6)
            if what == "alarm":
                self.alarms.append((before, when))
            before = max(before, when)


def to_the_alarm(hands: str) -> list[float]:
    """From the last byte of the sweep that confirms an irregularity to the frame after the alarm's, in ms each."""
    watched = Watched()
    served, _ = night.play(hands, watched)
    confirmed = sorted(each.written for each in served if each.confirmed)
    took = []
    for before, painted in watched.alarms:
        causes = [sent for sent in confirmed if before < sent < painted]
        if causes:  # else an older one stands in front again
            took.append((painted - causes[0]) / 1e6)
    if len(took) * 2 < len(confirmed):
        raise SystemExit(f"bench: {len(took)} alarms painted of {len(confirmed)} confirmed")
    return took


def to_the_first_paint(url: str, times: int) -> tuple[list[float], list[float]]:
    """From the address to the first text and to the first true picture, in ms each, every time with an empty cache."""
    texts, pictures = [], []
    with chromium() as browser:
        for _ in range(times + 1):
            with pages(browser) as page:
                page.goto(url)
                page.wait_for_function("() => painted.length")
                texts.append(
                    page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
                )
                pictures.append(page.evaluate("painted[0][1]"))
    # The first one starts a renderer, and the display reads nothing from disk after it.
    return texts[1:], pictures[1:]
