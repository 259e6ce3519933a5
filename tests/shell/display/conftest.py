"""A display that really runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
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
