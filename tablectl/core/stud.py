"""Stud: which cards at the seats are of the opening deal, and which of the later streets.

A card at a seat belongs to the part of the deal in progress until the dealer has moved on: because the betting is
closed, because the part is complete and a burn came or somebody has acted, or, where no betting is entered,
because of the burn or a pause. Burns and early cards are judged as on the board (`core.streets`).

Owns: that division, and what is wrong with burns and early streets. Refuses: who got a card that another seat was
due (`core.order`), and up or down (`core.faces`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tablectl.core.streets import (
    PAUSE_MS,
    Base,
    BoardReading,
    CommunityCard,
    Context,
    StreetReader,
    read_cards,
)

OPENING = -1
"""The index of the opening deal, before that of the first street."""


class _StudReader(StreetReader):
    def __init__(self, context: Context, base: Base) -> None:
        super().__init__(context, base)
        self._playing: dict[int, int] = {OPENING: context.opening}

    def due(self, at: int) -> int:
        if at not in self._playing:
            self._playing[at] = len(self.context.playing(self.streets[at]))
        return self._playing[at]

    def burn(self, card: CommunityCard) -> None:
        if not card.sure and not card.zone and self._is_waited_for(card):
            self.street(card)
        else:
            super().burn(card)

    def _is_waited_for(self, card: CommunityCard) -> bool:
        """Somebody waits for a card, and the dealer has not gone on: this one is on its way there."""
        at = self.out.current
        return not (self._burnt or self.is_complete(at) or self.begun_before(self._round(at), card.out))

    def _round(self, at: int) -> str:
        return self.streets[at].name if at >= 0 else self.streets[0].after

    @property
    def _burnt(self) -> bool:
        return any(burn.sure for burn in self.pending)

    def street_of(self, card: CommunityCard) -> int:
        at = self.out.current
        return at + 1 if at + 1 < len(self.streets) and self._moved_on(at, card) else at

    def _moved_on(self, at: int, card: CommunityCard) -> bool:
        """The dealer was done with that part when he dealt this card."""
        context, complete = self.context, self.is_complete(at)
        name = self._round(at)
        # A card that lies badly is first read long after it was dealt.
        closed = context.closed_before(name, card.since if complete else card.out)
        if context.run_out:
            # Every round was closed in advance: that tells no street from the next one.
            return complete and (self._burnt or not context.has_burn or self._paused(card))
        if closed:
            return True
        if complete:
            return (
                self._burnt or self.begun_before(name, card.since) or (closed is None and self._paused(card))
            )
        begun = at >= 0 or self.due(at) - self.out.counts.get(at, 0) < context.opening_seats
        return closed is None and self._burnt and begun

    def _paused(self, card: CommunityCard) -> bool:
        return card.since - self.last_since > PAUSE_MS

    def lay(self, at: int, card: CommunityCard) -> None:
        if at == OPENING:
            self.out.opening.append(card.uid)
            self.last_since = max(self.last_since, card.since)
        else:
            super().lay(at, card)

    def one_more(self, at: int, card: CommunityCard) -> None:
        if at != OPENING and ("premature_card", self.streets[at].key) in self.slips:
            super().one_more(at, card)

    def close_short(self, card: CommunityCard) -> None:
        """Who is short is told seat by seat."""

    def close_by_betting(self) -> None:
        """Who is short is told seat by seat."""


def read_stud(cards: Sequence[CommunityCard], context: Context, base: Base) -> BoardReading:
    """Divides the cards at the seats into opening and streets, by them and by the burns."""
    return read_cards(_StudReader(context, base), cards, base)
