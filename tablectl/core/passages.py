"""What the optical sensor at the mouth of the shoe saw go by, and which cards these were.

Theory of operation. Each passage is laid against the cards that left the deck, in order and by time: a passage and a
card fit if the card can have left then. A card without a passage is nothing strange (a frame was lost, two cards
stuck together). A passage without a card is a card whose tag nobody has read, yet: as soon as some antenna reads it,
late at its seat perhaps, it is matched like any other.

Owns: the passages of a hand and this matching. Refuses: what follows from a face, or from a missing tag
(`core.strange`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tablectl.core.card import Card

SAME_MS = 40
"""Two reports of one antenna this close are of one card: none follows another one so fast (assumption)."""
EARLY_MS, LATE_MS = 150, 500
"""A report comes at most this long before the last read at the mouth, or after the card must have left: lines delay."""
USUAL_LAG_MS = 60
"""From the last read at the mouth to the report, usually (assumption)."""
PER_MS = 1 / 200
UNMATCHED_CARD = 2.5
"""What it costs that a card has no passage …"""
UNMATCHED_PASSAGE = 6.0
"""… and a passage no card, in units of 200 ms by which the times of a pair differ."""


@dataclass(slots=True)
class Passed:
    """One card that went by the sensor at `t`, ms."""

    t: int
    face: Literal["up", "down"] | None
    uid: str | None = None
    """The card it was; None while no tag was read."""
    k: int | None = None
    """Its place in the order in which the cards left the deck, kept for it while no tag was read."""


def note(passed: list[Passed], t: int, face: Literal["up", "down"] | None) -> None:
    """One more report; a second one of the same card only adds the face that the first could not tell."""
    if passed and t - passed[-1].t < SAME_MS:
        passed[-1].face = passed[-1].face or face
    else:
        passed.append(Passed(t, face))


def match(passed: Sequence[Passed], cards: Sequence[Card]) -> None:
    """Says of each passage which of the cards (in order of leaving) it was, by the cheapest alignment of the two."""
    best: list[list[float]] = [[j * UNMATCHED_CARD for j in range(len(cards) + 1)]]
    for i, each in enumerate(passed):
        row, above = [(i + 1) * UNMATCHED_PASSAGE], best[-1]
        for j, card in enumerate(cards):
            pair = above[j] + _misfit(each, card)
            row.append(min(pair, above[j + 1] + UNMATCHED_PASSAGE, row[j] + UNMATCHED_CARD))
        best.append(row)
    i, j = len(passed), len(cards)
    while i:
        if j and best[i][j] == best[i][j - 1] + UNMATCHED_CARD:
            j -= 1
        elif best[i][j] == best[i - 1][j] + UNMATCHED_PASSAGE:
            i -= 1
            passed[i].uid = None
        else:
            i, j = i - 1, j - 1
            passed[i].uid = cards[j].uid


def _misfit(passage: Passed, card: Card) -> float:
    """How badly the two times fit; infinity if the card cannot have left then."""
    if not card.earliest_out - EARLY_MS <= passage.t <= card.latest_out + LATE_MS:
        return inf
    usual = card.shoe_read + USUAL_LAG_MS if card.from_shoe else card.out_at
    return abs(passage.t - usual) * PER_MS


def untagged(passed: Sequence[Passed], first: str | None, second: str | None) -> Sequence[Passed]:
    """The cards that went by without a tag after the first of these and before the second (None: no bound).

    None at all if a bound did not go by itself: then their order is not known.
    """
    places = {each.uid: at for at, each in enumerate(passed) if each.uid is not None}
    if any(uid is not None and uid not in places for uid in (first, second)):
        return ()
    start = places[first] + 1 if first is not None else 0
    end = places[second] if second is not None else len(passed)
    return [each for each in passed[start:end] if each.uid is None]
