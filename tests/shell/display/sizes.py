"""How large the type is, measured on the page, and how large it must be.

Measured is the height of a capital letter as the fonts of this machine draw it, on a 7 inch screen of 800 by 480.
ISO 9241-303:2011 (5.5.4, character height) and NUREG-0700 rev. 2 (guideline 1.3.1-4) ask for 16 minutes of arc for
continuous reading. A glance at a word or two needs less: what an eye of half the usual acuity (20/40) resolves is 10
minutes of arc (G. Howett, NBS Technical Note 1180, 1983).

Whoever walks by or stands behind the dealer is 1.5 m away, and must grasp that something is wrong, what, where, and the
verdict. What is to be done about it, answered or entered is for the dealer, whose hands are at the screen: a step in
capitals of 5.2 mm would leave no room for its picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from browser import MM_PER_PX

if TYPE_CHECKING:
    from playwright.sync_api import Page

GLANCE, LEAST = 12, 10
"""Minutes of arc: to grasp a few words, and below which nothing is written."""
PASSING_MM, ARM_MM, BENT_MM = 1500, 700, 500
"""From where the display is looked at: in passing, by the dealer, and by a technician who bends over it."""

AT_A_GLANCE = (
    "#panel h1, #panel .verdict strong, #cover h1, #row:is(.next, .halt) .say strong,"
    " #table .seat:is(.wrong, .act) .number"
)
"""What is wrong, where, and the verdict; whose card or whose turn it is; that the link is dead."""
AT_ARMS_LENGTH = (
    "#panel [aria-current=step] .do, #panel .question p, #panel .choices button, #row .say strong, #row > button,"
    " #table :is(.number, .pile-count), [data-alarm=none] .strip b, #sheet .tile > span, #sheet .enter, #sheet .key"
)
"""What the dealer has to do, to answer or to enter now; what is counted; what does not work."""
CAPITALS = """(selector) => {
  const pen = document.createElement("canvas").getContext("2d");
  const found = {};
  for (const node of document.querySelectorAll(selector)) {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest(".unseen, defs")) continue;
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


DEMANDS = (
    (AT_A_GLANCE, needed(GLANCE, PASSING_MM)),
    (AT_ARMS_LENGTH, needed(GLANCE, ARM_MM)),
    ("body *", needed(LEAST, ARM_MM)),
)
"""Which texts of the dealer's page must be how large, in CSS pixels."""
TECHNICIANS = (("#cover h1", needed(GLANCE, PASSING_MM)), ("body *", needed(LEAST, BENT_MM)))
"""The same for the technician's page."""


def too_small(page: Page, demands: Sequence[tuple[str, float]] = DEMANDS) -> list[str]:
    """The texts that are smaller than they must be, each with its height in CSS pixels."""
    found: dict[str, float] = {}
    for selector, least in demands:
        heights: dict[str, float] = page.evaluate(CAPITALS, selector)
        found |= {text: px for text, px in heights.items() if px < least}
    return [f"small type, {px:.1f} px: {text}" for text, px in found.items()]
