"""How large the type is: what must be grasped in passing can be read from 1.5 m, everything else at arm's length.

Measured is the height of a capital letter as the fonts of this machine draw it, on a 7 inch screen of 800 by 480.
ISO 9241-303:2011 (5.5.4, character height) and NUREG-0700 rev. 2 (guideline 1.3.1-4) ask for 16 minutes of arc for
continuous reading. A glance at a word or two needs less: what an eye of half the usual acuity (20/40) resolves is 10
minutes of arc (G. Howett, NBS Technical Note 1180, 1983).
"""

from __future__ import annotations

import math
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from browser import MM_PER_PX
from playwright.sync_api import Page, expect
from states import ALL

from tablectl.core.entries import LANGUAGES

if TYPE_CHECKING:
    from conftest import Served

READING, GLANCE, LEAST = 16, 12, 10
"""Minutes of arc: to read on, to grasp a few words, and below which nothing is written."""
PASSING_MM, ARM_MM = 1500, 700
"""From where the display is looked at: in passing, and by the dealer."""

AT_A_GLANCE = (
    "#panel h1, #panel .verdict strong, #cover h1, #row:is(.next, .halt) .say strong,"
    " #table .seat:is(.wrong, .act) .number"
)
"""What is wrong, where, and the verdict; whose card or whose turn it is; that the link is dead."""
CAPITALS = """(selector) => {
  const pen = document.createElement("canvas").getContext("2d");
  const found = {};
  for (const node of document.querySelectorAll(selector)) {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest(".unseen")) continue;
    if (![...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim())) continue;
    const style = getComputedStyle(node);
    pen.font = `${style.fontWeight} 100px ${style.fontFamily}`;
    const scale = node.ownerSVGElement ? node.getScreenCTM().a : 1;
    const height = (pen.measureText("H").actualBoundingBoxAscent / 100) * Number.parseFloat(style.fontSize) * scale;
    const text = node.textContent.trim();
    found[text] = Math.min(height, found[text] ?? height);
  }
  return found;
}"""
"""Every text with the height of its capitals in CSS pixels, the smallest where it stands twice."""


def needed(arc: int, distance: int) -> float:
    """The height that subtends so many minutes of arc at that distance in mm, in CSS pixels."""
    return distance * math.tan(math.radians(arc / 60)) / MM_PER_PX


NUMBERS = count(5000)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LANGUAGES)
def test_type_is_large_enough(page: Page, served: Served, language: str) -> None:
    """In every state: twelve minutes of arc from 1.5 m for what is grasped in passing (5.2 mm, and so sixteen from
    1.1 m); ten from 0.7 m for the smallest print."""
    small: dict[str, float] = {}
    for name, make in ALL.items():
        state: dict[str, Any] = make()
        state["table"]["language"] = language
        state["hand"]["number"] = next(NUMBERS)
        served.show(state)
        if page.url == "about:blank":
            page.goto(served.display.url)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("#top .hand-no")).to_contain_text(str(state["hand"]["number"]))
        for selector, least in ((AT_A_GLANCE, needed(GLANCE, PASSING_MM)), ("body *", needed(LEAST, ARM_MM))):
            heights = page.evaluate(CAPITALS, selector)
            small |= {f"{name}: {text}": px for text, px in heights.items() if px < least}
    assert small == {}
