"""Worlds: the values that the unknown facts of an irregularity may have, alone and together.

Owns: the likeliest value of an unknown fact, the other ones, and which combinations can happen at a table at all.
Refuses: the words and what is known (`core.case`), and what follows in each world (`core.ruling`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import inf
from typing import Any

from tablectl.core.case import ASKABLE, FLOP_STREETS, STUD_STREETS, Case
from tablectl.core.logic import Slot

_UNSURE = ("actions", "players_acted", "chips_in", "alike")


def worlds(case: Case, unknown: Sequence[Slot]) -> list[dict[Slot, Any]]:
    """Every combination of values the unknown slots can have together, the likeliest first."""
    choices = [values(case, slot) for slot in unknown]
    every = [dict(zip(unknown, combination, strict=True)) for combination in product(*choices)]
    # What is known may contradict itself (an action was entered twice); then every combination is looked at.
    return [world for world in every if possible(case, world)] or every


def values(case: Case, slot: Slot) -> list[Any]:
    """Every value an unknown slot may have, the likeliest first."""
    first = likely(case, slot)
    return [first, *(value for value in ASKABLE[slot[0]][1] if value != first)]


def likely(case: Case, slot: Slot) -> Any:
    """The likeliest value of an unknown slot: what a ruling rests on until somebody answers.

    Three cards on the board were seen; dealt cards were not looked at; a card let fall was the dealer's;
    a mucked hand can be told apart; a round is open from the current street on. As long as no board is
    dealt nobody acted more often than they must have; after that the seats that are in have acted.
    """
    word, *args = slot
    if word == "flop_exposed":
        return (case.board("flop") or 0) >= 3
    if word == "round_open":
        row = FLOP_STREETS if args[0] in FLOP_STREETS else STUD_STREETS
        return case.facts.street not in row or row.index(args[0]) >= row.index(case.facts.street)
    if word == "acted":
        return _betting_is_on(case) and args[0] in case.facts.live
    if word in _UNSURE and _betting_is_on(case):
        return ASKABLE[word][1][-1]
    return ASKABLE[word][1][0]


def _betting_is_on(case: Case) -> bool:
    """Cards of the flop lie there rightly, or a round was closed: the seats have acted."""
    if case.facts.round_open.get("preflop") is False:
        return True
    premature = case.slip.kind == "premature_card" or case.others("premature_card", street="flop")
    return bool(case.board("flop")) and not premature


def possible(case: Case, world: Mapping[Slot, Any]) -> bool:
    """True if the slots can have these values together.

    Players who acted, actions with chips and actions of one street are never more than all actions, and
    whoever has acted counts. Actions that are all folds or all checks put no chips in.
    """
    facts = case.facts
    seats = {*facts.order, *facts.seat_acted, *(slot[1] for slot in world if slot[0] == "acted")}
    acted = [_in(case, world, "acted", seat) for seat in seats]
    did, not_yet = acted.count(True), acted.count(False)
    actions, players = _in(case, world, "actions"), _in(case, world, "players_acted")
    most, most_players = _most("actions", actions), _most("players_acted", players)
    chips, alike = _in(case, world, "chips_in"), _in(case, world, "alike")
    bounds = [(did, most_players), (did, most), (players, most), (chips, most)]
    if alike is not None:
        bounds.append((chips, 0) if alike else (1, most))
    if seats:
        bounds.append((players, len(seats) - not_yet))
        bounds.append((actions, 0 if not_yet == len(seats) or players == 0 else inf))
    for street in _streets(case, world):
        on, by = _in(case, world, "actions_on", street), _in(case, world, "players_on", street)
        bounds += [(on, most), (by, most_players), (by, _most("actions_on", on))]
        bounds.append((on, 0 if by == 0 or players == 0 else inf))
    return all(low is None or low <= high for low, high in bounds)


def _in(case: Case, world: Mapping[Slot, Any], *slot: Any) -> Any:
    return world[slot] if slot in world else case.peek(slot)


def _streets(case: Case, world: Mapping[Slot, Any]) -> set[str]:
    asked = {slot[1] for slot in world if slot[0] in ("actions_on", "players_on")}
    return asked.union(case.facts.street_actions, case.facts.street_players)


def _most(word: str, value: int | None) -> float:
    """The greatest number a count can stand for: unbounded if it is unknown or means "or more"."""
    return inf if value is None or value >= ASKABLE[word][1][-1] else value
