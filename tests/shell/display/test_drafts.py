"""What is being written when an alarm comes is there again; what was given up is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect
from states import ALL

from tablectl.config.keys import bound
from tablectl.errors import UsageError
from tablectl.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable

    from serving import Served

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


@pytest.fixture
def keys_bound(page: Page, served: Served, look: Any) -> Callable[[str], None]:
    """Shows a state at a table whose keys are bound; the page's own clock stands still, as far as the keys ask it."""
    page.clock.install()

    def show(name: str) -> None:
        state = look(name)
        state["keys"] = bound({})
        state["irregularities"] = [each | {"acknowledged": False} for each in state["irregularities"]]
        state["hand"]["number"] += 1
        served.show(state)
        expect(page.locator("#top .hand-no")).to_contain_text(str(state["hand"]["number"]))

    return show


@pytest.mark.parametrize("entry", ["note", "stub_count"])
def test_typing_that_goes_on_enters_nothing(
    page: Page, served: Served, keys_bound: Callable[[str], None], entry: str
) -> None:
    """Letters and digits that were meant for the sheet are no inputs when the alarm has closed it: no floor is called,
    no step is done, no seat is chosen."""
    keys_bound("calm")
    menu(page, entry)
    page.clock.pause_at(page.evaluate("Date.now()") + 1)
    keys_bound("four_card_flop")
    expect(page.locator("#sheet")).to_be_hidden()
    for key in ("KeyO", "KeyA", "KeyD", "KeyS", "KeyK", "Digit4", "NumpadEnter", "Enter", "Space"):
        page.keyboard.press(key)
        page.clock.run_for(900)
    expect(page.locator(".seat-button[aria-pressed=true]")).to_have_count(0)
    page.clock.run_for(1000)
    page.keyboard.press("KeyO")
    assert served.wait_inputs(1) == [{"do": "call_floor"}], "after a pause the keys are the table's again"


def test_a_touch_gives_the_keys_back(page: Page, served: Served, keys_bound: Callable[[str], None]) -> None:
    """Whoever touches the screen has seen the alarm."""
    keys_bound("calm")
    menu(page, "note")
    page.clock.pause_at(page.evaluate("Date.now()") + 1)
    keys_bound("four_card_flop")
    expect(page.locator("#sheet")).to_be_hidden()
    page.keyboard.press("KeyO")
    page.locator("#panel h1").tap()
    page.keyboard.press("KeyO")
    assert served.wait_inputs(1) == [{"do": "call_floor"}]
