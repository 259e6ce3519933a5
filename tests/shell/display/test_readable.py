"""How large the type is: what must be grasped in passing can be read from 1.5 m, everything else at arm's length.

The dealer's states and sheets are measured in every language with everything else of them (test_languages.py); here
the cover, the technician's page, and the proof that the measure can fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import technician_states
from playwright.sync_api import Page, expect
from sizes import TECHNICIANS, too_small
from states import ALL

from tablectl.core.entries import LANGUAGES

if TYPE_CHECKING:
    from serving import Served


def test_the_cover_is_large_enough(page: Page, served: Served, look: Any) -> None:
    """That nothing is heard of the table is read from 1.5 m; why and since when, at arm's length."""
    look("calm")
    served.stop()
    expect(page.locator("#cover")).to_be_visible()
    assert too_small(page) == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_technicians_type_is_large_enough(page: Page, served: Served, language: str) -> None:
    """Every pane of the technician's page, on the table's own screen, in every language: the smallest print."""
    served.state = ALL["calm"]()
    wrong = {}
    for number, (name, (pane, make)) in enumerate(technician_states.ALL.items()):
        state = make()
        state["table"] |= {"id": f"T{number}", "language": language}
        served.workshop.show(state)
        if page.url == "about:blank":
            page.goto(f"{served.display.url}technician")
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("#top .id")).to_have_text(f"T{number}")
        page.locator(f"#rail [data-rail={pane}]").tap()
        wrong[name] = too_small(page, TECHNICIANS)
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize(
    ("selector", "size"),
    [
        ("#panel h1", "37px"), ("#panel .verdict strong", "30px"), ("#table .seat.wrong .number", "30px"),
        ("#panel [aria-current=step] .do", "17px"), ("#panel .question p", "17px"), ("#table .pile-count", "16px"),
        (".verdict .law", "14px"),
    ],
)  # fmt: skip
def test_small_type_is_complained_of(page: Page, look: Any, selector: str, size: str) -> None:
    """One size too small for the place from which it is read, and it is named."""
    look("question")
    assert too_small(page) == []
    page.locator(selector).first.evaluate("(node, size) => { node.style.fontSize = size; }", size)
    assert len(too_small(page)) == 1
