"""A language made of marks: what a page shows that is not between them did not come from a catalogue."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

MESSAGES = runpy.run_path(str(Path(__file__).parents[2] / "locale" / "catalogues.py"))
MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
PLAIN = re.compile(
    r"[\d\s+·–↔.,:!?()/-]*|\w|T12|NL|IT|RU|PL|TDA2024|(IT|RU|PL|TDA)(-[\w.]+)? ·|· TDA-30"
    r"|blue|red|Polski|(, )?/dev/\w+"
)
"""The same in every language: numbers, signs, keys, names of the table, books, rules, decks and ports."""
TEXTS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const unseen = (node) => node.closest("#cover[hidden]");
  while (walker.nextNode()) if (!unseen(walker.currentNode.parentElement)) found.push(walker.currentNode.data);
  for (const node of document.querySelectorAll("body *")) {
    for (const name of ["aria-label", "placeholder", "title"]) found.push(node.getAttribute(name) ?? "");
  }
  return found.map((text) => text.trim()).filter(Boolean);
}"""


def marked() -> dict[str, Any]:
    """A catalogue that puts every message between marks."""
    words: dict[str, Any] = {}
    for message in MESSAGES["template"]():
        if message.id:
            one, *more = message.id if isinstance(message.id, tuple) else (message.id,)
            key = f"{message.context}\x04{one}" if message.context else one
            words[key] = [f"⟦{one}⟧", *[f"⟦{more[0]}⟧"] * 2] if more else f"⟦{one}⟧"
    return words


def outside(text: str) -> str:
    """What of a text is not between marks."""
    shorter = MARKED.sub("", text)
    return outside(shorter) if shorter != text else text


def speak_marked(page: Page) -> None:
    """Polish is the marked language on this page."""
    words = marked()

    def answer(route: Route) -> None:
        route.fulfill(json=words)

    page.route("**/static/pl.json", answer)
