"""Betting as the dealer enters it: who acted, which round is open, who is still in.

Owns: the facts about actions and when each betting round was closed. Refuses: amounts, and guessing: what was
not entered stays unknown (None).

    preflop → flop → turn → river → closed      a round closes by `round_closed`, or in `actions` mode when every
    third → fourth → … → seventh → closed       live seat that can act has answered the last bet or raise
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from tablectl.core.games import BLINDS, PREFLOP, Game

Mode = Literal["actions", "rounds", "none"]

CHIPS = frozenset({"call", "bet", "raise"})
OPENS = frozenset({"bet", "raise"})


@dataclass(frozen=True, slots=True)
class Action:
    """One action in turn, as entered; `street` is the round it belongs to."""

    t: int
    seat: int
    action: str
    street: str
    all_in: bool = False


@dataclass(frozen=True, slots=True)
class Betting:
    """The betting of one hand. Immutable: every input makes a new one, which is what makes `undo` simple."""

    mode: Mode
    game: Game
    seats: tuple[int, ...]
    """Seats dealt in, in dealing order."""
    round: str | None = PREFLOP
    """The betting round that is on; None once the last one is closed."""
    actions: tuple[Action, ...] = ()
    closed: dict[str, int] = field(default_factory=dict)
    """When each round was closed (ms)."""
    to_answer: frozenset[int] = frozenset()
    """Seats whose action closes the round (in `actions` mode)."""
    killed: dict[int, int] = field(default_factory=dict)
    """Seats whose hand was killed, by a ruling or because the player is away, and when (ms): nobody waits for them."""
    over_at: int | None = None
    """When the last but one live seat folded."""
    straddles: tuple[int, ...] = ()
    """Seats with a straddle, in the order in which they were posted. Each is a blind and no action (TDA 36)."""

    @classmethod
    def start(cls, mode: Mode, game: Game, seats: Iterable[int], straddles: Iterable[int] = ()) -> Betting:
        """The betting of a new hand: nobody has acted. Straddles that cannot be (a blind's, in stud) are left out."""
        order = tuple(seats)
        begun = cls(mode=mode, game=game, seats=order, round=game.opening, to_answer=frozenset(order))
        return begun.straddled(straddles)

    def straddled(self, straddles: Iterable[int]) -> Betting:
        """The same with these straddles, as far as they can be."""
        may = self.game.may_straddle(self.seats)
        return replace(self, straddles=tuple(seat for seat in straddles if seat in may))

    @property
    def folded(self) -> frozenset[int]:
        """Seats that folded."""
        return frozenset(a.seat for a in self.actions if a.action == "fold")

    @property
    def dead(self) -> frozenset[int]:
        """Seats whose hand was killed."""
        return frozenset(self.killed)

    @property
    def live(self) -> tuple[int, ...]:
        """Seats that did not fold and were not killed, in dealing order."""
        out = self.folded | self.dead
        return tuple(seat for seat in self.seats if seat not in out)

    @property
    def to_act(self) -> int | None:
        """The seat proposed next: clockwise from the last one that acted in this round, None if unknown.

        Who opens a round of stud is told by the cards that lie face up, which no antenna knows.
        """
        if self.mode != "actions" or self.round is None or not self.to_answer or self.over_at is not None:
            return None
        acted = [a.seat for a in self.actions if a.street == self.round]
        if acted:
            start = self.seats.index(acted[-1]) + 1 if acted[-1] in self.seats else 0
        elif self.game.to_seats:
            return None
        else:
            start = self._opener() if self.round == PREFLOP else 0
        turn = self.seats[start:] + self.seats[:start]
        return next((seat for seat in turn if seat in self.to_answer), None)

    def _opener(self) -> int:
        """The place in dealing order of the seat that opens the betting before the flop.

        The two blinds act last; heads-up the button is the small blind and acts first. Whoever straddled last acts last
        of all (WSOP live action rules, 11), so that it begins at the next seat; the blinds act in their turn.
        """
        if self.straddles:
            return self.seats.index(self.straddles[-1]) + 1
        return BLINDS if len(self.seats) > BLINDS else 1

    def act(self, t: int, seat: int, action: str, *, all_in: bool = False) -> Betting:
        """The betting after one more action; it belongs to the round that is on (or to the last one)."""
        if self.round is not None and seat not in self.to_answer and self.may_be_over(self.round, t):
            return self.close(t).act(t, seat, action, all_in=all_in)  # it is the first one of the next round
        street = self.round or self.game.streets[-1].name
        entry = Action(t, seat, action, street, all_in)
        gone = {a.seat for a in self.actions if a.all_in} | self.folded | self.dead | {seat}
        waiting = frozenset(self.seats) - gone if action in OPENS else self.to_answer - {seat}
        return replace(self, actions=(*self.actions, entry), to_answer=waiting).settled(t, street)

    def kill(self, t: int, seat: int) -> Betting:
        """The betting after a seat's hand was declared dead."""
        street = self.round or self.game.streets[-1].name
        after = replace(self, killed={**self.killed, seat: t}, to_answer=self.to_answer - {seat})
        return after.settled(t, street)

    def settled(self, t: int, street: str) -> Betting:
        """The same, with the round closed or the hand over if that was the last seat waited for."""
        if self.mode != "actions":
            return self
        if len(self.live) == 1 and self.over_at is None:
            return replace(self, over_at=t, closed={**self.closed, street: t}, round=None)
        return self.close(t) if not self.to_answer and self.round else self

    def may_be_over(self, name: str, t: int) -> bool:
        """The round may have been over by then although one seat had not answered: stud's bring-in, if nobody raised.

        The bring-in is a forced bet and no action (TDA 36): where all others call it or fold, that was the round.
        """
        if self.mode != "actions" or not self.game.to_seats or name != self.game.opening:
            return False
        acts = [action for action in self.actions if action.street == name and action.t <= t]
        waiting = set(self.seats) - {action.seat for action in acts} - self.dead
        return len(waiting) == 1 and not any(action.action in OPENS for action in acts)

    def close(self, t: int) -> Betting:
        """The betting after the round that is on was closed; once all are closed this changes nothing."""
        if self.round is None:
            return self
        gone = {a.seat for a in self.actions if a.all_in} | self.folded | self.dead
        waiting = frozenset(self.seats) - gone
        following = replace(
            self,
            closed={**self.closed, self.round: t},
            round=self.game.next_round(self.round),
            to_answer=waiting,
        )
        # With at most one seat that can still bet, there is nothing to wait for on the later streets.
        if self.mode == "actions" and len(waiting) <= 1 and len(self.live) > 1 and following.round:
            return following.close(t)
        return following

    def all_in(self, t: int) -> Betting:
        """The betting after the dealer said that nobody can bet any more: every round that was open is closed.

        Without any betting entered nothing changes: then nothing is known of rounds.
        """
        after = self
        while after.mode != "none" and after.round is not None:
            after = after.close(t)
        return after

    @property
    def run_out(self) -> bool:
        """At most one live seat can still bet: the rest of the board is dealt without betting."""
        can_bet = set(self.live) - {a.seat for a in self.actions if a.all_in}
        return self.mode == "actions" and len(self.live) > 1 and len(can_bet) <= 1

    def closed_at(self, street: str) -> int | None:
        """When the round was closed, ms; None if it is open."""
        return self.closed.get(street)

    @property
    def known(self) -> bool:
        """True if every action is entered, so that counts of actions are facts."""
        return self.mode == "actions"
