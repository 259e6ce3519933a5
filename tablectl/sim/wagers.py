"""The betting of a hand, invented: who folds, checks, calls, bets and raises, until each round closes.

Owns: legal sequences of actions, all-ins and absent players included. Refuses: amounts (the table is never
told any).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import NamedTuple


class Action(NamedTuple):
    """One player's action: fold, check, call, bet or raise; `all_in` if it takes all that he has."""

    seat: int
    action: str
    all_in: bool = False


PREFLOP = "preflop"
ROUNDS = (PREFLOP, "flop", "turn", "river")
MOST_RAISES = 2
"""Bets and raises in one round at most; more would only make hands longer."""
FOLD_TO_BET: Mapping[str, float] = {"preflop": 0.5, "flop": 0.35, "turn": 0.3, "river": 0.3}
"""Chance that a player who faces a bet folds [A] …"""
FOLD_LATER = 0.3
"""… and in the rounds of stud, which are more."""
CALLS_ALL_IN = 0.6
"""Chance that a player who calls an all-in has no more than that himself [A]."""


def hand(
    rng: Random,
    order: Sequence[int],
    *,
    keep: int = 2,
    ends_on: str | None = None,
    absent: Collection[int] = (),
    all_in: str | None = None,
    straddles: Sequence[int] = (),
    rounds: Sequence[str] = ROUNDS,
) -> dict[str, list[Action]]:
    """Every round's actions. `order` is the dealing order, the button last.

    At least `keep` players stay in, except that in the round `ends_on` all but one fold: the hand ends
    there, and later rounds are missing. Who is `absent` folds when it is his turn. In the round `all_in`
    somebody bets all he has; once one player at most can still bet, the later rounds are empty.
    Who straddled last acts last before the flop.
    In stud there are no blinds: each round begins with another player, and the first one ends with the player who
    brought it in, who need not act again unless somebody raised.
    """
    live, played = list(order), {}
    done: set[int] = set()
    for name in rounds:
        if rounds[0] == PREFLOP:
            start = _opens(order, straddles) if name == PREFLOP else 0
        else:
            start = rng.randrange(len(order))
        turn = [seat for seat in (*order[start:], *order[:start]) if seat in live and seat not in done]
        if name == ends_on:
            played[name] = _surrender(turn, forced=name == rounds[0])
            break
        if done and len(turn) < 2:
            played[name] = []
            continue
        least = min(keep, len(turn))
        make = _shove if name == all_in else _round
        played[name] = make(rng, turn, name, least, absent, forced=name == rounds[0])
        if name == rounds[0] != PREFLOP and played[name][-1:] == [Action(turn[-1], "check")]:
            played[name].pop()  # the bring-in: nobody raised it, so that is the round
        gone = {each.seat for each in played[name] if each.action == "fold"}
        done |= {each.seat for each in played[name] if each.all_in}
        live = [seat for seat in live if seat not in gone]
    return played


def _opens(order: Sequence[int], straddles: Sequence[int]) -> int:
    """The place of the player who opens before the flop: left of the big blind, or of the last straddle."""
    last = straddles[-1] if straddles else order[1] if len(order) > 2 else order[0]
    return order.index(last) + 1


def _surrender(turn: Sequence[int], *, forced: bool) -> list[Action]:
    """All fold to one: in the first round to the big blind or the bring-in, later to the first player, who bets."""
    if forced:
        return [Action(seat, "fold") for seat in turn[:-1]]
    return [Action(turn[0], "bet"), *(Action(seat, "fold") for seat in turn[1:])]


def _round(
    rng: Random, turn: Sequence[int], name: str, keep: int, absent: Collection[int] = (), *, forced: bool
) -> list[Action]:
    waiting, live = list(turn), list(turn)
    last = turn[-1] if forced else None
    bets, actions = 0, []
    while waiting:
        seat = waiting.pop(0)
        free = bets == 0 and (last is None or seat == last)
        present = sum(other not in absent for other in live)
        action = (
            "fold"
            if seat in absent
            else _choose(
                rng, name, free=free, may_fold=present > keep, may_raise=bets < MOST_RAISES, forced=forced
            )
        )
        if action == "fold":
            live.remove(seat)
        elif action in {"bet", "raise"}:
            bets += 1
            place = turn.index(seat)
            waiting = [other for other in (*turn[place + 1 :], *turn[:place]) if other in live]
        actions.append(Action(seat, action))
    return actions


def _shove(
    rng: Random, turn: Sequence[int], name: str, keep: int, absent: Collection[int], *, forced: bool
) -> list[Action]:
    """A round in which one player bets all he has, and the others call or fold."""
    present = [seat for seat in turn if seat not in absent]
    shover = rng.choice(present[: len(present) - keep + 1])
    place = turn.index(shover)
    live, actions = list(present), []
    for seat in turn[:place]:
        if seat in absent:
            actions.append(Action(seat, "fold"))
        elif not forced:
            actions.append(Action(seat, "check"))
        else:
            live.remove(seat)
            actions.append(Action(seat, "fold"))
    actions.append(Action(shover, "raise" if forced else "bet", all_in=True))
    for seat in (*turn[place + 1 :], *(other for other in turn[:place] if other in live)):
        if seat in absent or (len(live) > keep and rng.random() < FOLD_TO_BET.get(name, FOLD_LATER)):
            actions.append(Action(seat, "fold"))
            if seat in live:
                live.remove(seat)
        else:
            actions.append(Action(seat, "call", all_in=rng.random() < CALLS_ALL_IN))
    return actions


def _choose(rng: Random, name: str, *, free: bool, may_fold: bool, may_raise: bool, forced: bool) -> str:
    chance = rng.random()
    if free:
        if chance < 0.3 and may_raise:
            return "raise" if forced else "bet"
        return "check"
    if may_fold and chance < FOLD_TO_BET.get(name, FOLD_LATER):
        return "fold"
    return "raise" if may_raise and chance > 0.9 else "call"
