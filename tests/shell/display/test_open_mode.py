"""A table that knows its cards says so: on both pages, in every language, also in an alarm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import states as told
import technician_states
from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from conftest import Served

OPEN = {"en": "OPEN", "nl": "OPEN", "it": "APERTO", "ru": "ОТКРЫТО", "pl": "JAWNY"}


def in_mode(state: dict[str, Any], mode: str, language: str) -> dict[str, Any]:
    """That state, at such a table."""
    state["table"] |= {"mode": mode, "language": language}
    return state


@pytest.mark.parametrize("language", OPEN)
def test_the_dealer_sees_it(served: Served, page: Page, language: str) -> None:
    """In the top line while all is well, and in the alarm that covers that line."""
    served.show(in_mode(told.ALL["calm"](), "open", language))
    page.goto(served.display.url)
    expect(page.locator("html")).to_have_attribute("lang", language)
    mode = page.locator("#top .mode")
    expect(mode).to_be_visible()
    assert mode.inner_text() == OPEN[language]
    served.show(in_mode(told.ALL["four_card_flop"](), "open", language))
    expect(page.locator("#open")).to_be_visible()
    assert page.locator("#open").inner_text() == OPEN[language]


@pytest.mark.parametrize("language", OPEN)
def test_the_technician_sees_it(served: Served, page: Page, language: str) -> None:
    """Beside the table's name, on every pane; at a blind table nothing stands there."""
    served.show(in_mode(told.ALL["calm"](), "open", language))
    served.workshop.show(in_mode(technician_states.playing(), "open", language))
    page.goto(f"{served.display.url}technician")
    expect(page.locator("html")).to_have_attribute("lang", language)
    for pane in ("antennas", "readers", "test"):
        page.locator(f"#rail [data-rail={pane}]").tap()
        expect(page.locator("#top .mode")).to_be_visible()
        assert page.locator("#top .mode").inner_text() == OPEN[language]
    served.workshop.show(in_mode(technician_states.playing(), "blind", language))
    expect(page.locator("#top .mode")).to_have_count(0)
