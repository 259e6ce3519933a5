"""The betting of a hand, invented: who folds, checks, calls, bets and raises, until each round closes.

Owns: legal sequences of actions. Refuses: amounts (the table is never told any) and all-ins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

Action = tuple[int, str]
"""(seat, fold | check | call | bet | raise)"""

ROUNDS = ("preflop", "flop", "turn", "river")
MOST_RAISES = 2
"""Bets and raises in one round at most; more would only make hands longer."""
FOLD_TO_BET: Mapping[str, float] = {"preflop": 0.5, "flop": 0.35, "turn": 0.3, "river": 0.3}
"""Chance that a player who faces a bet folds [A]."""


def hand(
    rng: Random, order: Sequence[int], *, keep: int = 2, ends_on: str | None = None
) -> dict[str, list[Action]]:
    """Every round's actions. `order` is the dealing order, the button last.

    At least `keep` players stay in, except that in the round `ends_on` all but one fold: the hand ends
    there, and later rounds are missing.
    """
    live, rounds = list(order), {}
    for name in ROUNDS:
        start = (2 if len(order) > 2 else 1) if name == "preflop" else 0
        turn = [seat for seat in (*order[start:], *order[:start]) if seat in live]
        if name == ends_on:
            rounds[name] = _surrender(turn, name)
            break
        rounds[name] = _round(rng, turn, name, min(keep, len(live)))
        gone = {seat for seat, action in rounds[name] if action == "fold"}
        live = [seat for seat in live if seat not in gone]
    return rounds


def _surrender(turn: Sequence[int], name: str) -> list[Action]:
    """All fold to one: before the flop to the big blind, later to the first player, who bets."""
    if name == "preflop":
        return [(seat, "fold") for seat in turn[:-1]]
    return [(turn[0], "bet"), *((seat, "fold") for seat in turn[1:])]


def _round(rng: Random, turn: Sequence[int], name: str, keep: int) -> list[Action]:
    waiting, live = list(turn), list(turn)
    big_blind = turn[-1] if name == "preflop" else None
    bets, actions = 0, []
    while waiting:
        seat = waiting.pop(0)
        free = bets == 0 and (big_blind is None or seat == big_blind)
        action = _choose(rng, name, free=free, may_fold=len(live) > keep, may_raise=bets < MOST_RAISES)
        if action == "fold":
            live.remove(seat)
        elif action in {"bet", "raise"}:
            bets += 1
            place = turn.index(seat)
            waiting = [other for other in (*turn[place + 1 :], *turn[:place]) if other in live]
        actions.append((seat, action))
    return actions


def _choose(rng: Random, name: str, *, free: bool, may_fold: bool, may_raise: bool) -> str:
    chance = rng.random()
    if free:
        if chance < 0.3 and may_raise:
            return "raise" if name == "preflop" else "bet"
        return "check"
    if may_fold and chance < FOLD_TO_BET[name]:
        return "fold"
    return "raise" if may_raise and chance > 0.9 else "call"
