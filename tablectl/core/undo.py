"""Taking back inputs: the state that inputs change, as it was before each of the last ones.

Owns: the stack. Refuses: cards; what the antennas saw is never taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablectl.cards import Deck
    from tablectl.core.betting import Betting
    from tablectl.core.entered import Entered, Setup
    from tablectl.core.games import Game
    from tablectl.core.hand import Hand
    from tablectl.core.succession import Held
    from tablectl.core.table import Table

DEPTH = 50
"""How many inputs can be taken back."""


@dataclass(frozen=True, slots=True)
class _Before:
    """What an input may change, as it was."""

    waiting: Entered
    setup: Setup
    held: Held | None
    button_entered: tuple[int | None] | None
    game: Game
    deck: Deck | None
    language: str
    dealer: str | None
    names: Mapping[int, str]
    hand: Hand | None
    betting: Betting | None
    entered: Entered | None
    seated: Setup | None
    answers: dict[tuple[str, str], Any]


class Undo:
    """The inputs that can be taken back, the last one first."""

    def __init__(self) -> None:
        self._stack: list[_Before] = []

    def clear(self) -> None:
        """Another hand has begun: what was entered before stays."""
        self._stack.clear()

    def remember(self, table: Table) -> None:
        """Keeps the state before an input."""
        hand = table.hand
        self._stack.append(
            _Before(
                waiting=table.entered.copy(),
                setup=table.setup,
                held=table.held,
                button_entered=table.button.entered_at,
                game=table.game,
                deck=table.deck,
                language=table.language,
                dealer=table.dealer,
                names=table.names,
                hand=hand,
                betting=hand.betting if hand else None,
                entered=hand.entered.copy() if hand else None,
                seated=hand.setup if hand else None,
                answers=dict(table.docket.answers) if table.docket else {},
            )
        )
        del self._stack[:-DEPTH]

    def take_back(self, table: Table) -> None:
        """Restores the state before the last input; does nothing if there is none."""
        if not self._stack:
            return
        before = self._stack.pop()
        table.entered, table.setup, table.game = before.waiting, before.setup, before.game
        table.deck, table.language, table.held = before.deck, before.language, before.held
        table.dealer, table.names = before.dealer, before.names
        table.button.entered_at = before.button_entered
        hand = table.hand
        if hand is None or hand is not before.hand or before.betting is None or before.entered is None:
            return
        if before.seated is not None and before.seated != hand.setup:
            hand.reseat(before.seated)
            hand.button_due = table.button_due(before.seated)
        hand.betting, hand.entered = before.betting, before.entered
        if table.docket is not None:
            table.docket.answers = before.answers
