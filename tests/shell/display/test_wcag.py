"""The page by WCAG: axe-core, level AA of 2.2, judges every state and every sheet in a real Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import technician_states
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from states import ALL, SHEETS

if TYPE_CHECKING:
    from conftest import Served

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
FAINTEST = """() => {
  for (const each of document.getAnimations()) {
    each.pause();
    each.currentTime = each.effect.getComputedTiming().duration / 2;
  }
}"""
"""Whatever breathes or pulses is faintest half-way."""


def open_sheet(page: Page, sheet: str) -> None:
    """Opens one of the sheets with touches."""
    direct = page.locator(f"#rail [data-rail={sheet}]")
    if direct.count():
        direct.tap()
    else:
        page.locator("#rail [data-rail=menu]").tap()
        page.locator(f"#sheet [data-menu={sheet}]").tap()
    expect(page.locator("#sheet")).to_have_attribute("data-sheet", sheet)


def violations(page: Page) -> list[str]:
    """What axe-core objects to, a line a node. What it cannot decide (a number alone, a text on the drawn table) is
    measured by `audit.js`."""
    page.evaluate(FAINTEST)
    found = Axe().run(page, options={"runOnly": LEVELS, "resultTypes": ["violations"]}).response
    assert len(found["passes"]) > 10, "axe-core judged next to nothing"
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.timeout(300)
def test_each_state_and_sheet_meets_wcag_aa(page: Page, look: Any) -> None:
    """No violation of WCAG 2.2, A or AA, in any state and on any sheet, with every animation where it is faintest."""
    wrong = {}
    for name in ALL:
        look(name)
        wrong[name] = violations(page)
    look("full_ring")
    for sheet in SHEETS:
        open_sheet(page, sheet)
        wrong[sheet] = violations(page)
        page.keyboard.press("Escape")
        expect(page.locator("#sheet")).to_be_hidden()
    assert [f"{name}: {each}" for name, found in wrong.items() for each in found] == []


def test_a_dead_link_meets_wcag_aa(page: Page, served: Served, look: Any) -> None:
    """The same for what covers the table when nothing is heard of it."""
    look("calm")
    served.stop()
    expect(page.locator("#cover")).to_be_visible()
    assert violations(page) == []


@pytest.mark.timeout(300)
def test_the_technicians_page_meets_wcag_aa(page: Page, served: Served) -> None:
    """The same for every pane of the technician's page, on the table's own screen and on a laptop."""
    wrong = {}
    served.state = ALL["calm"]()
    for number, (name, (pane, make)) in enumerate(technician_states.ALL.items()):
        state = make()
        state["table"]["id"] = f"T{number}"
        served.workshop.show(state)
        if page.url == "about:blank":
            page.goto(f"{served.display.url}technician")
        expect(page.locator("#top .id")).to_have_text(f"T{number}")
        page.locator(f"#rail [data-rail={pane}]").tap()
        wrong[name] = violations(page)
    assert [f"{name}: {each}" for name, found in wrong.items() for each in found] == []
