"""What is being written when an alarm comes is there again; what was given up is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect
from states import ALL

from tablectl.errors import UsageError
from tablectl.said import Said

if TYPE_CHECKING:
    from conftest import Served

HALF = "Seat 4 says he"


def line(page: Page) -> Any:
    """The line that is written in."""
    return page.locator("#sheet input")


def menu(page: Page, entry: str) -> None:
    """Opens a sheet with two touches."""
    page.locator("#rail [data-rail=menu]").tap()
    page.locator(f"#sheet [data-menu={entry}]").tap()


@pytest.fixture
def written(page: Page, look: Any) -> None:
    """A note is half written."""
    look("calm")
    menu(page, "note")
    page.keyboard.type(HALF)
    expect(line(page)).to_have_value(HALF)


@pytest.mark.usefixtures("written")
def test_an_alarm_costs_no_words(page: Page, served: Served, look: Any) -> None:
    """The alarm closes the sheet; opened again it has the half note, which can be finished and is entered once."""
    look("wrong_first_seat")
    expect(page.locator("#sheet")).to_be_hidden()
    menu(page, "note")
    expect(line(page)).to_have_value(HALF)
    page.keyboard.type(" folded")
    page.keyboard.press("Enter")
    assert served.wait_inputs(1) == [{"do": "note", "text": f"{HALF} folded"}]
    menu(page, "note")
    expect(line(page)).to_have_value("")


@pytest.mark.usefixtures("written")
def test_what_is_closed_by_hand_is_given_up(page: Page) -> None:
    """Escape, or another sheet, leaves nothing behind for the next note."""
    page.keyboard.press("Escape")
    menu(page, "note")
    expect(line(page)).to_have_value("")


@pytest.mark.usefixtures("written")
def test_a_note_that_was_not_taken_is_not_lost(page: Page, served: Served) -> None:
    """The table refuses it: the words stand in the sheet when it is opened again."""

    def refuse(_: object) -> None:
        raise UsageError(Said("question {given} is not open; open now: {names}", given=3, names="-"))

    served.submit = refuse
    page.keyboard.press("Enter")
    expect(page.locator("#toast.refused")).to_be_visible()
    menu(page, "note")
    expect(line(page)).to_have_value(HALF)


@pytest.mark.usefixtures("written")
def test_a_sheet_that_is_drawn_anew_keeps_its_words(page: Page, served: Served) -> None:
    """Another display changes the dealer meanwhile: the sheet is another one, the words are the same."""
    state = ALL["calm"]()
    state["table"]["dealer"] = "Tomek"
    page.locator("#sheet").evaluate("(node) => { node.firstChild.dataset.old = '1'; }")
    served.show(state)
    expect(page.locator("#sheet [data-old]")).to_have_count(0)
    expect(line(page)).to_have_value(HALF)


def test_an_alarm_costs_no_answers_either(page: Page, look: Any) -> None:
    """The floor's ruling was half told, verdict and all: it goes on where the alarm cut it off."""
    look("four_card_flop")
    menu(page, "override")
    page.locator("#sheet [data-verdict=correct]").tap()
    page.keyboard.type("Cameras")
    look("wrong_first_seat")
    expect(page.locator("#sheet")).to_be_hidden()
    menu(page, "override")
    expect(line(page)).to_have_value("Cameras")


def test_a_name_is_kept_with_its_seat(page: Page, look: Any) -> None:
    """Not the name alone: the seat that it was for."""
    look("calm")
    menu(page, "name")
    page.locator("#sheet [data-seat='3']").tap()
    page.keyboard.type("Mar")
    look("wrong_first_seat")
    menu(page, "name")
    expect(page.locator("#sheet h2")).to_contain_text("3")
    expect(line(page)).to_have_value("Mar")
