"""The alarm panel, where irregularities meet, and where the table says what its page does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect
from states import ALL

if TYPE_CHECKING:
    from serving import Served


def governed(**changes: Any) -> dict[str, Any]:
    """A misdeal, and a wrong seat whose ruling was provisional before; its question has been withdrawn."""
    state: dict[str, Any] = ALL["wrong_first_seat"]()
    [old] = [each for each in ALL["question"]()["irregularities"] if each["id"] == "i4"]
    state["irregularities"].append(old | {"question": None, "step": None} | changes)
    return state


def second(page: Page, served: Served, state: dict[str, Any]) -> Any:
    """The panel, turned to the second irregularity."""
    served.show(state)
    page.goto(served.display.url)
    page.locator("#panel [data-do=ahead]").tap()
    expect(page.locator("#panel h1")).to_contain_text("Seat 4")
    return page.locator("#panel")


def test_a_misdeal_decides_the_others_too(page: Page, served: Served) -> None:
    """Looked at in its turn, the other says so: no answer is asked for, no step of an old ruling stands there."""
    panel = second(page, served, governed())
    expect(panel.locator(".verdict strong")).to_have_text("Misdeal")
    expect(panel.locator(".verdict")).to_contain_text("decides this one, too")
    expect(panel.locator(".provisional")).to_have_count(0)
    expect(panel.locator(".steps")).to_have_count(0)
    expect(page.locator("#say")).to_contain_text("Misdeal")


FOLLOWING = 4
"""`Node.DOCUMENT_POSITION_FOLLOWING`: what comes later is painted on top."""


@pytest.mark.parametrize("changes", [{"step": 1, "steps_done": [0]}, {"steps_done": [0, 1]}])
def test_a_remedy_under_way_keeps_its_own_ruling(page: Page, served: Served, changes: dict[str, Any]) -> None:
    """What the dealer has begun to mend, or has mended, is not said to be another's."""
    panel = second(page, served, governed(**changes))
    expect(panel.locator(".verdict")).not_to_contain_text("decides this one, too")
    expect(panel.locator(".steps")).to_be_visible()
    expect(panel.locator(".provisional")).to_have_count(0)


@pytest.mark.parametrize("places", [{"seat": 9, "expected": 12}, {"seat": 12, "expected": 8}])
def test_a_seat_that_is_not_there_costs_no_alarm(page: Page, served: Served, places: dict[str, Any]) -> None:
    """The table speaks of a seat that it does not have: the alarm stands in words, only the arrow is left out."""
    state = ALL["wrong_first_seat"]()
    state["irregularities"][0] |= places
    served.show(state)
    page.goto(served.display.url)
    expect(page.locator("#panel h1")).to_contain_text(f"seat {places['seat']}")
    expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator("#table .arrow")).to_have_count(0)


def test_a_broken_picture_is_never_taken_for_the_new_one(
    page: Page, served: Served, look: Any, page_errors: list[str]
) -> None:
    """What cannot be drawn cannot be drawn the next time either: the cover stays until a state that can."""
    look("calm")
    broken = ALL["calm"]()
    broken["seats"][0]["name"] = broken["hand"]["straddles"] = 7
    for t in (1, 2):
        with page.expect_event("pageerror"):
            served.show(broken | {"t": t})
        expect(page.locator("#cover h1")).to_have_text("Display fault")
    page_errors.clear()
    served.show(ALL["calm"]())
    expect(page.locator("#cover")).to_be_hidden()


@pytest.mark.parametrize("state", ["out_of_order", "crowded", "wrong_first_seat"])
def test_no_arrow_covers_a_word(page: Page, look: Any, state: str) -> None:
    """Where an arrow crosses a pile's name or count, the words lie on top."""
    look(state)
    assert page.locator("#table .arrow").count() > 0
    last = page.locator("#table .arrow").last
    for words in page.locator("#table :is(.pile-label, .pile-count)").all():
        after = words.evaluate("(node, arrow) => arrow.compareDocumentPosition(node)", last.element_handle())
        assert after & FOLLOWING, words.text_content()
