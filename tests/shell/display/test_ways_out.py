"""No page is a dead end: from the technician's page back to the table, and from a page whose scripts failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
import technician_states as told
from playwright.sync_api import Page, Route, expect
from states import ALL

if TYPE_CHECKING:
    from serving import Served

Break = Callable[[Route], None]


def lost(route: Route) -> None:
    """The file cannot be had."""
    route.abort()


def wrong(route: Route) -> None:
    """The file comes without what others want of it."""
    route.fulfill(body="export const nothing = 0;", content_type="text/javascript")


def from_the_menu(page: Page, served: Served, technician: dict[str, Any] | None = None) -> None:
    """On the dealer's own screen: the menu, then the technician's page."""
    served.show(ALL["calm"]())
    served.workshop.show(technician or told.playing())
    page.goto(served.display.url)
    page.locator("#rail [data-rail=menu]").tap()
    page.locator("#sheet [data-menu=technician]").tap()


@pytest.mark.parametrize(
    "trouble", [{"alarm": ["i3"]}, {"stopped": True}], ids=["an alarm", "a stopped core"]
)
def test_trouble_calls_the_dealers_screen_back(page: Page, served: Served, trouble: dict[str, Any]) -> None:
    """The dealer's screen shows the antennas, reached by its menu; an alarm, or a core that takes nothing any more,
    brings the table back with no touch."""
    from_the_menu(page, served)
    expect(page.locator("#antennas [data-antenna]").first).to_be_visible()
    served.show(ALL["wrong_first_seat"]())
    served.workshop.show(told.playing() | trouble)
    expect(page).to_have_url(served.display.url)
    expect(page.locator("#panel h1")).to_have_text("First card to seat 9, not 8")


def test_a_laptop_is_told_of_a_stopped_core(page: Page, served: Served) -> None:
    """Opened by its own address the page stays, and covers figures that are of the past."""
    served.show(ALL["calm"]())
    served.workshop.show(told.playing() | {"stopped": True})
    page.goto(f"{served.display.url}technician")
    expect(page.locator("#cover h1")).to_have_text("The table has stopped")
    page.locator("#cover a").tap()
    expect(page).to_have_url(served.display.url)


@pytest.mark.parametrize("how", [lost, wrong])
def test_the_way_back_needs_no_script(page: Page, served: Served, page_errors: list[str], how: Break) -> None:
    """A module of the technician's page is missing or not the right one: its cover still leads back, in words of the
    table's language, and what a menu did not open the dealer can leave."""
    page.route(
        "**/static/geometry.js", lambda route: how(route) if "technician" in page.url else route.continue_()
    )
    served.state = ALL["calm"]()
    served.state["table"]["language"] = "it"
    page.goto(f"{served.display.url}technician")
    expect(page.locator("#cover a")).to_have_text("Torna al tavolo")
    page.locator("#cover a").tap()
    expect(page.locator("#top .hand-no")).to_contain_text("128")
    page_errors.clear()


@pytest.mark.parametrize("path", ["", "technician"])
@pytest.mark.parametrize("how", [lost, wrong])
def test_a_page_that_never_began_begins_anew(
    page: Page, served: Served, page_errors: list[str], path: str, how: Break
) -> None:
    """A script fails while the page loads, once: nobody has to touch anything for the page to come."""
    broken: list[str] = []

    def once(route: Route) -> None:
        if broken:
            route.continue_()
        else:
            broken.append(route.request.url)
            how(route)

    page.route("**/static/dom.js", once)
    served.show(ALL["calm"]())
    served.workshop.show(told.playing())
    page.goto(f"{served.display.url}{path}")
    expect(page.locator("#top .id")).to_have_text("T12")
    expect(page.locator("#cover")).to_be_hidden()
    assert broken
    page_errors.clear()


def test_there_is_no_way_to_a_table_that_does_not_answer(page: Page, served: Served) -> None:
    """The link is dead: the way back leads to no error page of the browser's; once the table answers it leads back."""
    served.show(ALL["calm"]())
    served.workshop.show(told.playing())
    page.goto(f"{served.display.url}technician")
    expect(page.locator("#cover")).to_be_hidden()
    served.stop()
    expect(page.locator("#cover h1")).to_have_text("No link to the table")
    with page.expect_event("requestfailed", lambda request: request.url == served.display.url):
        page.locator("#cover a").tap()
    expect(page.locator("#cover h1")).to_have_text("No link to the table")
    served.start_again()
    expect(page.locator("#cover")).to_be_hidden()
    page.locator("#rail [data-rail=table]").tap()
    expect(page).to_have_url(served.display.url)
