"""Whatever is true of a seat at once, its number can be read: every state crossed with every other one."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from states import TARGET_PX, table

AUDIT = (Path(__file__).parent / "audit.js").read_text()
SEATS = 10
LOOKS = [
    {"mark": mark, "act": act, "chosen": chosen, sign: True}
    for mark, act, chosen, sign in product(
        (None, "wrong", "belongs", "unsure"), (False, True), (False, True), ("seen", "unseen", "weak")
    )
]
STATES = ({}, {"folded": True}, {"eligible": False}, {"absent": True})
ALL = [(look, state) for look in LOOKS for state in STATES]
DRAW = """async ([view, seats]) => {
  const [{ draw }, { place }, { words }, { tongue }] =
    await Promise.all(["table", "geometry", "words", "tongue"].map((each) => import(`/static/${each}.js`)));
  const stage = document.querySelector("#stage");
  const geo = place(stage.clientWidth, stage.clientHeight, view.seats.length);
  draw(document.querySelector("#table"), geo, view, { seats, zones: {}, arrows: [] }, words(tongue("en")));
}"""


@pytest.mark.parametrize("state", ["full_ring", "crowded"], ids=["calm", "beside an alarm"])
def test_every_state_of_a_seat_can_be_read(page: Page, look: Any, state: str) -> None:
    """The number of a seat that waits for its card, is to act, has folded and cannot be seen, all at once, too."""
    view = look(state)
    wrong = []
    for first in range(0, len(ALL), SEATS):
        shown = ALL[first : first + SEATS]
        seats = table(SEATS)["seats"]
        for seat, (_, changes) in zip(seats, shown, strict=False):
            seat |= changes
        drawn = {number: looks for number, (looks, _) in enumerate(shown, 1)}
        page.evaluate(DRAW, [view | {"seats": seats}, drawn])
        assert page.locator("#table .seat").count() == SEATS
        found = page.evaluate(f"({AUDIT})({TARGET_PX})")
        wrong += [(each, shown) for each in found if each.startswith("contrast") and ".number" in each]
    assert wrong == []
