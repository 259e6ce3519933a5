"""What is irregular about a hand, from its reading.

Owns: one `Finding` per slip, and whether it is confirmed. It is a function of the hand as it stands: a finding
that is not found again has been corrected or was none.
Refuses: rulings, ids, and accusing on absence. Every finding rests on where a card *is*, on an input, or on a
card seen to leave; what an antenna did not see only ever holds a finding back, or clears it.

One slip is one finding. Each has a key; the findings of one card share it, and the first one found stands: the
order of the checks in `find`, and of the branches in `core.slips`, is the order of the contract. The checks
themselves: `core.strange`, `core.slips`, `core.board`, `core.astray`, `core.told`.
"""

from __future__ import annotations

from typing import Any

from tablectl.core.astray import after_end, lost, mucked, other_hands
from tablectl.core.balance import missing_cards, short_stub
from tablectl.core.board import board_slips
from tablectl.core.explanation import How
from tablectl.core.faces import wrong_faces
from tablectl.core.finding import Finding, Scene
from tablectl.core.hand import Hand
from tablectl.core.riffle import order_kept
from tablectl.core.slips import deal_slips, short_seats
from tablectl.core.strange import boxed_cards, odd_cards, unread_yet, untagged_cards
from tablectl.core.told import entered_slips
from tablectl.layout import MUCK, lies_in, seat_of, seat_zone

SOON_MS = 20
LATER_MS = 100
"""How soon a hand is read again while only time can settle a finding, or a wait of seconds."""

LYING = frozenset({"board", "short", "mucked", "lost", "after end", "face", "up cards", "stub short"})
"""Keys of findings that rest on where cards lie now, not on where they came to rest first, or on what is still due."""


def find(scene: Scene) -> list[Finding]:
    """All findings of the hand, one for each key."""
    found: dict[tuple[Any, ...], Finding] = {}
    checks = (
        odd_cards,
        untagged_cards,
        boxed_cards,
        deal_slips,
        wrong_faces,
        board_slips,
        short_seats,
        other_hands,
        mucked,
        lost,
        after_end,
        entered_slips,
        missing_cards,
        short_stub,
        order_kept,
    )
    for check in checks:
        for finding in check(scene):
            found.setdefault(finding.key, finding)
    return list(found.values())


def stands(hand: Hand, finding: Finding) -> bool:
    """A confirmed finding that is not found any more stands, unless the cards or an input took it back.

    Findings that rest on where cards lie now vanish when these are moved by hand: that takes nothing back.
    """
    rests_on = finding.key[0]
    if rests_on == "moved":
        card = hand.cards.get(finding.cards[0])
        return card is not None and card.owner is not None and not lies_in(card.zone, seat_zone(card.owner))
    if rests_on == "board" and hand.base.settled.intersection(finding.cards):
        return True  # a remedy, or the floor, has dealt with these cards since
    lying = rests_on in LYING or finding.kind == "card_lost"
    return lying and (hand.settled_history or hand.emptied())


def next_look(scene: Scene, findings: list[Finding]) -> int | None:
    """In how many ms time alone may change the findings, so that the hand must be read again; None: never."""
    hand = scene.hand
    unseen = any(reading.how in {How.UNSEEN, How.MISLAID} for reading in hand.readings())
    doubtful = unseen or hand.board.shifted
    if doubtful or any(not finding.confirmed and finding.asks is None for finding in findings):
        return SOON_MS
    if unread_yet(scene):
        return LATER_MS
    if any(card.in_passing for card in hand.cards.values()):
        return LATER_MS
    short = any(part.closed_at is not None and part.dealt_at is None for part in hand.parts)
    if short or hand.in_flight or hand.emptied() or any(card.zone is None for card in hand.cards.values()):
        return LATER_MS
    if any(card.zone and seat_of(card.zone) not in {None, card.owner} for card in hand.cards.values()):
        return LATER_MS
    if any(card.zone == MUCK and card.owner not in hand.betting.folded for card in hand.cards.values()):
        return LATER_MS
    return None
