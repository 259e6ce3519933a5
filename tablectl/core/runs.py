"""The board run more than once after an all-in: how it stands, and which of its cards may be put away.

    flop, turn, river │ turn, river │ turn, river      agreed on the flop: three times from the turn on
    ──── run 1 ────────── run 2 ─────── run 3 ───      each run whole, a burn before each street

When a run is whole its cards are pushed up the board, or taken off it; the streets before the first one that is run
again are common to all runs and stay.
Owns: these facts of a hand. Refuses: what was agreed (`core.entered`), when it can be (`core.moment`), and reading the
streets (`core.streets`), which follow one another as in any hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablectl.core.hand import Hand


def put_away(hand: Hand) -> frozenset[str]:
    """The cards of the board that may be moved by now: those of runs that are whole, the common streets left out."""
    runs = hand.entered.runs
    if runs is None:
        return frozenset()
    whole = [run for run in range(1, runs.times + 1) if is_whole(hand, run)]
    return frozenset(uid for run in whole for key in _own(hand, run) for uid in cards_of(hand, key))


def is_whole(hand: Hand, run: int) -> bool:
    """The board is run more than once, and all cards of that run were dealt."""
    return hand.entered.runs is not None and all(_own(hand, run).values())


def to_come(hand: Hand) -> bool:
    """The board was agreed to be run more than once, and not all of it has been dealt."""
    return hand.entered.runs is not None and hand.board.current + 1 < len(hand.streets)


def _own(hand: Hand, run: int) -> dict[str, bool]:
    """The streets that are dealt in that run alone, by their keys, and whether each has all its cards."""
    runs = hand.entered.runs
    names = [street.name for street in hand.game.streets]
    again = frozenset(names[names.index(runs.first) :] if runs is not None else ())
    return {
        street.key: hand.board.counts.get(at, 0) >= street.cards
        for at, street in enumerate(hand.streets)
        if street.run == run and street.name in again
    }


def cards_of(hand: Hand, key: str) -> tuple[str, ...]:
    """The cards of a street, by its key, in the order in which they came; those that a remedy laid out first."""
    laid, read = hand.base.streets.get(key, ()), hand.board.streets.get(key, ())
    return tuple(dict.fromkeys((*laid, *read)))


def boards_of(hand: Hand) -> Iterator[tuple[str, ...]]:
    """The cards of the board run by run, as far as they have been dealt; the common ones are on each."""
    for run in range(1, hand.run + 1):
        yield tuple(uid for _, street in hand.board_of(run) for uid in cards_of(hand, street.key))


def view_of(hand: Hand, *, faces: bool) -> dict[str, Any] | None:
    """The runs as `/state` shows them; None where the board is run once. With `faces` their cards, too."""
    runs = hand.entered.runs
    if runs is None:
        return None
    boards = list(boards_of(hand))
    shown: dict[str, Any] = {
        "times": runs.times,
        "first": runs.first,
        "run": hand.run,
        "boards": [len(board) for board in boards],
    }
    if faces:
        tokens = [[hand.cards[uid].token for uid in board if uid in hand.cards] for board in boards]
        shown["board_cards"] = [[token for token in board if token is not None] for board in tokens]
    return shown
