"""Compare: the same hands, decided by several rulebooks.

Owns: the rows of the conflict table (from `conflicts.toml`), and what each book says of them. Refuses: printing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tablectl import rulebooks
from tablectl.core.decisions import Irregularity, Ruling
from tablectl.core.facts import Facts
from tablectl.core.rulebook import Rulebook
from tablectl.rulebooks import scenario


@dataclass(frozen=True, slots=True)
class Case:
    """One hand of the conflict table: what went wrong, and what is known of the hand."""

    row: str
    trigger: str
    what: str | None
    facts: Facts
    slips: tuple[Irregularity, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """What each book says of one case, in the order of the books."""

    case: Case
    rulings: tuple[tuple[Ruling, ...], ...]

    @property
    def differ(self) -> bool:
        """Books that are not silent order different things."""
        orders = [
            [(each.verdict, each.steps, each.bets, each.button, each.seats) for each in cell]
            for cell in self.rulings
            if any(each.rule is not None for each in cell)
        ]
        return any(order != orders[0] for order in orders)

    def as_json(self, books: Sequence[Rulebook]) -> dict[str, Any]:
        """The line as `rules compare --json` prints it."""
        return {
            "row": self.case.row,
            "trigger": self.case.trigger,
            "what": self.case.what,
            "differ": self.differ,
            "books": {
                book.name: [ruling.as_json() for ruling in cell]
                for book, cell in zip(books, self.rulings, strict=True)
            },
        }


def cases() -> tuple[Case, ...]:
    """Every case of the conflict table, in its order."""
    return tuple(_case(row) for row in rulebooks.data("conflicts")["case"])


def compare(books: Sequence[Rulebook]) -> tuple[Line, ...]:
    """The whole conflict table for these books."""
    return tuple(
        Line(case, tuple(scenario.rulings(book, case.facts, *case.slips) for book in books))
        for case in cases()
    )


def _case(row: Mapping[str, Any]) -> Case:
    board, more = row.get("board"), dict(row.get("facts", {}))
    held = {int(seat): cards for seat, cards in row.get("held", {}).items()}
    if board is None:
        facts = scenario.table(*row.get("acts", ()), game=row.get("game", "holdem"), held=held)
    else:
        given = {key: board[key] for key in ("cards", "burns") if key in board}
        facts = scenario.on_board(board["street"], *board.get("acts", ()), **given)
    if "board_cards" in more:
        more["board"] = _spread(more.pop("board_cards"))
    more = {key: tuple(value) if isinstance(value, list) else value for key, value in more.items()}
    slips = tuple(scenario.slip(ident=f"i{n}", **each) for n, each in enumerate(row["slips"], 1))
    return Case(row["row"], row["trigger"], row.get("what"), replace(facts, **more), slips)


def _spread(cards: int) -> Mapping[str, int]:
    """So many cards, street by street."""
    return {"flop": min(cards, 3), "turn": min(max(cards - 3, 0), 1), "river": max(cards - 4, 0)}
