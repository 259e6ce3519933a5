"""The page in every language, in a real Chromium at 800 by 480: nothing left in English, nothing cut off."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from tablectl.core.case import ASKABLE
from tablectl.core.decisions import KINDS
from tablectl.core.entries import LANGUAGES
from tablectl.core.steps import STEPS

if TYPE_CHECKING:
    from conftest import Served

HERE = Path(__file__).parent
STATES = runpy.run_path(str(HERE / "states.py"))
ALL = STATES["ALL"]
MESSAGES = runpy.run_path(str(HERE.parents[1] / "locale" / "catalogues.py"))
AUDIT = (HERE / "audit.js").read_text()
TARGET_PX = 63
"""12 mm on a 7 inch panel of 800 by 480."""

FOREIGN = [code for code in LANGUAGES if code != "en"]
SHEETS = ("menu", "exposed", "button", "seats", "absent", "cut_exposed", "deck", "note", "language", "status")
WORDS = """async (language) => {
  const { tongue } = await import("/static/tongue.js");
  const { words } = await import("/static/words.js");
  return words(tongue(language, await (await fetch(`/static/${language}.json`)).json()));
}"""


def in_language(state: dict[str, Any], language: str) -> dict[str, Any]:
    """The state of a table with that language."""
    state["table"]["language"] = language
    return state


def look(page: Page, served: Served, state: dict[str, Any]) -> None:
    """Shows a state, and waits until the page shows it in its language."""
    served.show(state)
    if page.url == "about:blank":
        page.goto(served.display.url)
    expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator("html")).to_have_attribute("lang", state["table"]["language"])
    expect(page.locator("#top .hand-no")).to_contain_text(str(state["hand"]["number"]))


def open_sheet(page: Page, sheet: str) -> None:
    """Opens one of the sheets with touches."""
    if sheet == "exposed":
        page.locator("#rail [data-rail=exposed]").tap()
        return
    page.locator("#rail [data-rail=menu]").tap()
    if sheet != "menu":
        page.locator(f"#sheet [data-menu={sheet}]").tap()
    expect(page.locator("#sheet")).to_have_attribute("data-sheet", sheet)


def close_sheet(page: Page) -> None:
    """Closes it again."""
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()


def complaints(page: Page) -> list[str]:
    """What a person would find wrong with the page as it stands."""
    found: list[str] = page.evaluate(f"({AUDIT})({TARGET_PX})")
    return found


@pytest.mark.parametrize("language", FOREIGN)
def test_each_state_and_sheet_fits_in_each_language(
    page: Page, served: Served, shots: Path | None, language: str
) -> None:
    """In every language nothing leaves the screen or its box, in every state and on every sheet."""
    wrong = {}
    for name, make in ALL.items():
        look(page, served, in_language(make(), language))
        wrong[name] = complaints(page)
        if shots is not None:
            page.screenshot(path=shots / f"{language}-{name}.png", animations="disabled")
    for sheet in SHEETS:
        look(page, served, in_language(ALL["degraded" if sheet == "status" else "full_ring"](), language))
        open_sheet(page, sheet)
        wrong[sheet] = complaints(page)
        if shots is not None:
            page.screenshot(path=shots / f"{language}-sheet-{sheet}.png", animations="disabled")
        close_sheet(page)
    assert [f"{name}: {each}" for name, found in wrong.items() for each in found] == []
