"""What the page says of the table's push buttons."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from serving import Served

CALM = runpy.run_path(str(Path(__file__).with_name("states.py")))["ALL"]["calm"]


@pytest.fixture
def press(served: Served, page: Page, said: Any) -> Any:
    """Opens the page at a table whose buttons were pressed once before; returns what presses one now."""
    number = 1

    def show(given: dict[str, Any] | None, **more: Any) -> None:
        nonlocal number
        number += 1
        served.show(
            CALM() | {"press": {"number": number, "button": "-", "input": given, "refused": None, **more}}
        )

    before = {"number": 1, "button": "undo", "input": {"do": "undo"}, "refused": None}
    served.show(CALM() | {"press": before})
    page.goto(served.display.url)
    expect(
        page.locator("#cover:not(.first)")
    ).to_be_attached()  # before that it is there, and not yet to be seen
    return show


def test_a_press_of_before_is_not_told(page: Page, press: Any, said: Any) -> None:
    """A page that is opened, or opened again, has no news of an old press; the next one it tells."""
    expect(page.locator("#toast")).to_be_hidden()
    press({"do": "round_closed"})
    said("taken", "Entered: Round closed")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"do": "action", "seat": 3, "action": "raise", "all_in": True}, "Seat 3: raise, all-in"),
        ({"do": "exposed", "seat": 5, "k": 9}, "Entered: Exposed card at seat 5"),
        ({"do": "cut_exposed", "count": 1}, "Entered: 1 card exposed in the cut"),
        ({"do": "deck", "id": "red"}, "Entered: New deck red"),
        ({"do": "answer", "question": "q1", "value": False}, "Answered: No"),
        ({"do": "name", "seat": 2, "text": "Eve"}, "Entered: Eve at seat 2"),
        ({"do": "language", "code": "pl"}, "Polski"),
        ({"do": "night", "on": True}, "Night: lamps and buzzer softer"),
        ({"do": "night", "on": False}, "Day: lamps and buzzer in full"),
        ({"do": "undo"}, "Last input undone"),
        ({"do": "shuffle_done"}, "Entered: Shuffle done"),
    ],
)
def test_a_press_is_told_in_words(
    page: Page, press: Any, said: Any, given: dict[str, Any], words: str
) -> None:
    """Every kind of input that a button enters, as the display's own buttons would say it."""
    press(given)
    said("taken", words)


def test_a_press_that_means_nothing_is_refused_in_words(page: Page, press: Any, said: Any) -> None:
    """In red, with the reason; the picture of the table stays."""
    press(None, refused="no question is open", say=["no question is open", {}])
    said("refused", "Not entered: no question is open")
    expect(page.locator("#cover")).to_be_hidden()
