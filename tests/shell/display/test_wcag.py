"""The page by WCAG: axe-core, level AA of 2.2, judges every state and every sheet in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import technician_states
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from states import ALL, SHEETS

if TYPE_CHECKING:
    from serving import Served

AUDIT = (Path(__file__).parent / "audit.js").read_text()
SMALLEST_TARGET_PX = 24
"""WCAG 2.2, 2.5.8."""
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


DECIDED_BY_US = {"color-contrast"}
"""What axe-core leaves undecided where a text lies on the drawing, or is one character: `audit.js` measures each."""


def violations(page: Page) -> list[str]:
    """What axe-core objects to, a line a node; what it cannot decide is an objection, too, unless we measure it."""
    page.evaluate(FAINTEST)
    found = Axe().run(page, options={"runOnly": LEVELS, "resultTypes": ["violations", "incomplete"]}).response
    assert len(found["passes"]) > 10, "axe-core judged next to nothing"
    left = [rule for rule in found["incomplete"] if rule["id"] not in DECIDED_BY_US]
    undecided = len(left) < len(found["incomplete"])
    measured = page.evaluate(f"({AUDIT})({SMALLEST_TARGET_PX})") if undecided else []
    contrasts = [each for each in measured if each.startswith(("contrast", "no text"))]
    return contrasts + [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for rule in (*found["violations"], *left)
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize(
    ("selector", "rules"),
    [("#row .say small", "color: #444"), ("#table .number", "opacity: 0.1"), ("#top .round", "opacity: 0.3")],
)
def test_what_is_hard_to_read_is_objected_to(page: Page, look: Any, selector: str, rules: str) -> None:
    """A pale word and a pale number on the drawing, of which axe-core alone decides nothing."""
    look("calm")
    assert violations(page) == []
    page.locator(selector).first.evaluate("(node, rules) => { node.style.cssText += `;${rules}`; }", rules)
    assert violations(page) != []


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
