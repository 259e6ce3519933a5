"""Debian's Chromium with the dealer's screen: 7 inches, 800 by 480, touched.

Owns: how Chromium is started and how large its screen is. Refuses: what is shown there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Playwright

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
WIDTH, HEIGHT = 800, 480
"""The dealer's screen in CSS pixels."""
MM_PER_PX = 25.4 * 7 / (WIDTH**2 + HEIGHT**2) ** 0.5
"""How large one CSS pixel is there: 7 inches of diagonal, 0.1906 mm."""


def launch(playwright: Playwright, *flags: str) -> Browser:
    """Chromium with a fresh profile."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])


def screen(browser: Browser, **options: Any) -> BrowserContext:
    """The dealer's screen in it; `options` are Playwright's, such as `device_scale_factor`."""
    return browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, **options)
