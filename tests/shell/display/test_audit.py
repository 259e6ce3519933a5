"""The page's judge can fail: each kind of damage to a good page is complained of, and nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from states import TARGET_PX

AUDIT = (Path(__file__).parent / "audit.js").read_text()
SVG = """(markup, before) => {
  const whole = `<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`;
  const made = new DOMParser().parseFromString(whole, "image/svg+xml").documentElement.firstElementChild;
  document.querySelector("#table").insertBefore(document.importNode(made, true), before);
}"""


def style(selector: str, rules: str) -> str:
    """Damage: the parts that match look otherwise."""
    return (
        "() => { for (const each of document.querySelectorAll(`" + selector + "`)) "
        "each.style.cssText += `;" + rules + "`; }"
    )


def shape(markup: str) -> str:
    """Damage: one more shape in the drawing, over everything."""
    return f"() => ({SVG})(`{markup}`, null)"


DAMAGE: dict[str, tuple[str, str, str]] = {
    "a seat's number that is hardly there": ("calm", style(".number", "opacity: 0.03"), "contrast"),
    "a seat that is hardly there": ("calm", style("#table .seat", "opacity: 0.2"), "contrast"),
    "ink that is let through": ("calm", style(".number", "fill-opacity: 0.1"), "contrast"),
    "a pale sentence": ("question", style(".question p", "opacity: 0.3"), "contrast"),
    "half the table behind a black rectangle": (
        "calm", shape('<rect x="0" y="0" width="350" height="400" fill="#000"/>'), "covered by rect"),
    "a card on a number": (
        "calm", shape('<g class="hand"><rect class="paper" x="300" width="90" height="70"/></g>'), "covered by rect"),
    "the board behind a plate": (
        "calm", shape('<circle cx="250" cy="150" r="60" fill="#333"/>'), "covered by circle"),
    "a text that leaves the drawing": ("calm", style(".pile-label", "transform: translate(0, 140px)"), "drawing"),
    "a shape that leaves the drawing": (
        "calm", shape('<circle cx="40" cy="4" r="20" fill="#333"/>'), "leaves the drawing"),
    "a step's picture that leaves its frame": (
        "wrong_first_seat", style(".picture .back", "transform: translate(0, 60px)"), "leaves the drawing"),
    "a sentence behind a box": (
        "question", "() => { const box = document.createElement('div'); box.style.cssText = 'position:fixed;"
        "left:330px;top:150px;width:300px;height:40px;background:#000'; document.body.append(box); }",
        "covered by div"),
    "a line under the frame of an alarm": ("crowded", style(".strip", "padding-top: 0"), "under the frame"),
    "a small target": ("calm", style("#row button", "height: 30px"), "small target"),
    "a target behind another": ("calm", style("#rail button", "margin-top: -60px"), "covered by"),
    "a sentence that is cut": ("calm", style("#row .say strong", "font-size: 60px"), "leaves its box"),
    "a part off the screen": ("calm", style("#rail", "transform: translate(20px, 0)"), "off the screen"),
}  # fmt: skip
"""What is done to which state, and what must be said of it."""


@pytest.mark.parametrize("what", list(DAMAGE))
def test_damage_is_complained_of(page: Page, look: Any, what: str) -> None:
    """A good page has no complaint; the damaged one has the right one."""
    state, damage, complaint = DAMAGE[what]
    look(state)
    assert page.evaluate(f"({AUDIT})({TARGET_PX})") == []
    page.evaluate(damage)
    found = page.evaluate(f"({AUDIT})({TARGET_PX})")
    assert any(complaint in each for each in found), found
