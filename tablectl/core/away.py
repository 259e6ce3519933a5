"""Players who are away, or sit out a penalty: their seats get cards, and in some houses these are dead at once.

A book that says so names its rule (`book.absent`): whoever is not there when the last card of the opening is dealt has
a dead hand (TDA 30, 71-C). The dealer is reminded of it, once, until the cards are taken. It is no irregularity.

Owns: that reminder. Refuses: who is away, which is entered, and hands that a ruling kills (`core.remedy`).
"""

from __future__ import annotations

from typing import Literal

from tablectl.core.decisions import Reminder
from tablectl.core.hand import Hand

SETTLED_MS = 1000
"""The deal was over this long ago: it is not being corrected any more (assumption)."""


class Away:
    """The reminders of one hand, by a book's rule; without one there are none."""

    def __init__(self, hand: Hand, rule: str | None) -> None:
        self._hand = hand
        self._rule = rule
        self._reminded: list[int] = []

    @property
    def dead(self) -> tuple[int, ...]:
        """Seats whose cards are still to be taken."""
        return tuple(self._reminded)

    @property
    def rule(self) -> str | None:
        """The rule by which their hands are dead."""
        return self._rule

    def look(self, now: int) -> list[Reminder]:
        """What there is to say by now; of a hand that is void or over nothing needs to be taken."""
        hand = self._hand
        if self._rule is None or hand.deal_over_at is None:
            return []
        if hand.ended or hand.voided or hand.over_at is not None:
            return self._say(now, "withdrawn", self._reminded)
        said = self._say(now, "done", [seat for seat in self._reminded if hand.gone_from_seat(seat)])
        said += self._say(
            now, "withdrawn", [seat for seat in self._reminded if seat not in hand.setup.absent]
        )
        if now < hand.deal_over_at + SETTLED_MS:
            return said
        for seat in sorted(hand.setup.absent & set(hand.betting.live)):
            if not hand.gone_from_seat(seat):
                said += [self._of(now, seat, "due")]
                self._reminded.append(seat)
            hand.betting = hand.betting.kill(now, seat)
        return said

    def waits(self, now: int) -> bool:
        """Time alone will bring a reminder."""
        over = self._hand.deal_over_at
        waiting = self._rule is not None and bool(self._hand.setup.absent & set(self._hand.betting.live))
        return waiting and over is not None and now <= over + SETTLED_MS

    def _say(self, now: int, event: Literal["done", "withdrawn"], seats: list[int]) -> list[Reminder]:
        said = [self._of(now, seat, event) for seat in seats]
        self._reminded = [seat for seat in self._reminded if seat not in seats]
        return said

    def _of(self, now: int, seat: int, event: Literal["due", "done", "withdrawn"]) -> Reminder:
        rule = self._rule or ""
        return Reminder(t=now, what="kill", seat=seat, rule=rule, event=event, hand=self._hand.number)
