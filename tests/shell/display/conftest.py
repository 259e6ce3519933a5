"""A display that really runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NeverCame
from serving import Served
from states import ALL


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
