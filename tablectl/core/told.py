"""Irregularities that only people can know of, as they were entered or not confirmed.

Owns: turning entries into findings. Refuses: doubting them; what was entered is taken for true until it is undone.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.core.finding import Finding, Scene
from tablectl.core.hand import Hand


def entered_slips(scene: Scene) -> Iterator[Finding]:
    """Irregularities that only the dealer can know of."""
    hand, entered = scene.hand, scene.hand.entered
    if hand.announced:
        if "shuffle" in scene.setting.confirms and not entered.shuffled:
            yield Finding(("not shuffled",), "not_shuffled", {}, since=hand.started_at)
        if "cut" in scene.setting.confirms and not entered.cut:
            yield Finding(("not cut",), "not_cut", {}, since=hand.started_at)
        # Not before a card lies there: an empty table would look as if its remedy had begun.
        if entered.cut_exposed:
            yield Finding(("cut",), "exposed_in_cut", {"count": entered.cut_exposed})
    yield from _button(scene)
    for number, (t, seat, k, by) in enumerate(entered.exposed):
        fields = {"seat": seat, "k": k if k is not None else _newest(hand, seat, t), "by": by}
        yield Finding(("exposed", number), "exposed_card", fields, since=t)
    for number, (t, do, args) in enumerate(entered.reported):
        kind = {"damaged": "damaged_card", "stub_disordered": "stub_disordered"}.get(do)
        if kind is not None:
            fields = {key: args[key] for key in ("seat", "k", "zone") if args.get(key) is not None}
            yield Finding(("entered", number), kind, fields, since=t)


def _button(scene: Scene) -> Iterator[Finding]:
    """In a redeal the button must lie where it lay; else where it may lie after the hand before."""
    hand = scene.hand
    button, before, due = hand.setup.button, hand.button_before, hand.button_due
    if before is not None:
        expected = before if button != before else None
    else:
        astray = due is not None and button is not None and button not in due.seats
        expected = due.expected if due is not None and astray and hand.announced else None
    if expected is not None:
        fields = {"seat": button, "expected": expected}
        yield Finding(("button",), "button_misplaced", fields, since=hand.started_at)


def _newest(hand: Hand, seat: int, t: int) -> int | None:
    """The number of the card the seat was dealt last by then, ms: the one that is meant where none was named.

    What becomes of it later changes nothing: it stays the one that showed when it is replaced and burned.
    """
    lay_there = (card for card in hand.dealt_cards() if card.owner == seat and (card.held or card.since > t))
    return max((card.k for card in lay_there if card.k is not None and card.out_at <= t), default=None)
