"""What is told of an input covers nothing that can be pressed, on any sheet and in any state, in any language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect
from states import ALL, SHEETS

from tablectl.errors import UsageError
from tablectl.said import Said

if TYPE_CHECKING:
    from serving import Served

LONG = "the board is run twice after an all-in, when all have their cards and nobody can bet"
COVERED = """() => {
  const over = document.querySelector("#toast").getBoundingClientRect();
  const words = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const shown = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest("[inert]");
  const wide = (box) => Math.min(box.right, over.right) - Math.max(box.left, over.left);
  const high = (box) => Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top);
  const meets = (box) => wide(box) > 1 && high(box) > 1;
  const menu = document.querySelector("#sheet[data-sheet=menu]:not([hidden])");
  const box = (node) => (menu ? words(node) : node.getBoundingClientRect());
  const inside = over.top >= 0 && over.left >= 0 && over.right <= innerWidth && over.bottom <= innerHeight;
  const all = document.querySelectorAll("button:not(.seat-button), input, #panel h1, #table .number");
  return [...all].filter((node) => shown(node) && (!menu || !node.disabled) && meets(box(node)))
    .map((node) => node.outerHTML.slice(0, 90)).concat(inside ? [] : ["it leaves the screen"]);
}"""
"""Of a seat its number; a touch goes through what is told to the seat all the same. In the menu, which is full of
tiles, no word is covered; elsewhere nothing at all of what can be pressed."""


@pytest.fixture
def refused(page: Page, served: Served, look: Any) -> Any:
    """Shows a state in which the last input was just refused at length."""

    def refuse(_: object) -> None:
        raise UsageError(Said(LONG))

    def show(name: str, language: str) -> None:
        state = ALL[name]()
        state["table"]["language"] = language
        state["undo"] = {"do": "cut_done"}
        served.submit = refuse
        look(name)
        served.show(state)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.evaluate("document.querySelector('#toast').hidden = true")
        page.locator("#rail [data-rail=undo]").tap()
        expect(page.locator("#toast.refused")).to_be_visible()

    return show


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("state", ["calm", "wrong_first_seat", "crowded", "four_card_flop", "out_of_order", "full_ring",
                                   "question", "degraded", "heads_up"])  # fmt: skip
def test_no_button_is_covered_at_the_table(page: Page, refused: Any, state: str, language: str) -> None:
    """Not the seats, not the row, not the steps; nor the headline of an alarm."""
    refused(state, language)
    assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_key_and_no_tile_is_covered_on_a_sheet(page: Page, refused: Any, language: str) -> None:
    """A refusal that still stands there when the next sheet is opened lies over its title."""
    refused("full_ring", language)
    wrong = {}
    for sheet in ("menu", *SHEETS):
        direct = page.locator(f"#rail [data-rail={sheet}]")
        if not direct.count():
            page.locator("#rail [data-rail=menu]").tap()
            direct = page.locator(f"#sheet [data-menu={sheet}]")
        direct.tap()
        page.evaluate("document.querySelector('#toast').hidden = false")
        wrong[sheet] = page.evaluate(COVERED)
        page.keyboard.press("Escape")
        expect(page.locator("#sheet")).to_be_hidden()
    assert {sheet: found for sheet, found in wrong.items() if found} == {}
