"""What a blind spell means for the hands: which one goes on, which one is not followed, and what is not known any more.

Owns: these conclusions, and which findings may be told while they stand. Refuses: when the table is blind and what lay
there at the end of it (`core.watch`), and the checks (`core.detector`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from tablectl.core import hands
from tablectl.core.card import FLIGHT_MS
from tablectl.core.decisions import Decision
from tablectl.core.docket import Docket
from tablectl.core.explanation import Part
from tablectl.core.finding import Finding
from tablectl.core.hand import Hand
from tablectl.core.track import Placed
from tablectl.core.watch import KNOWN_ALONE, ROUND_MS, Watch, found_at_seats, lying
from tablectl.layout import SHOE, seat_of

if TYPE_CHECKING:
    from tablectl.core.table import Table

UNSEEN_SEATS = 2
"""What one seat got unseen shows when it is looked at again; of two, whose card was whose does not."""


class Unseen:
    """What one table did not see."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.watch = Watch(table.setting.layout)
        self._looked_round = self._begun_after = self.watch.spell
        """The blind spells after which it was last found out whose cards lie there, and a hand last began."""
        self._unsure = False
        """Cards lie there that were dealt unseen, and whose they are is being found out."""

    def look(self, zone: str, t: int) -> None:
        """One look at a zone, ms. A spell that ends between two hands may have hidden another one."""
        spell = self.watch.look(zone, t)
        between = self._table.hand is None or self._table.hand.ended
        if spell is not None and spell.hides_a_hand and spell.began >= 0 and between:
            self.lose_thread(None)

    def begins(self, placed: Placed) -> bool:
        """A hand begins with this card: was its beginning not seen?"""
        if self.must_look_round and self.watch.spell.hides_a_hand:
            self.lose_thread(None)  # a whole hand may have come in between
        self._begun_after = self.watch.spell
        return self.watch.blind or self._lay_there(placed)

    def placed(self, hand: Hand, placed: Placed) -> None:
        """A card came to rest in a hand that has begun since."""
        if hand.followed and self._begun_after == self.watch.spell and self._lay_there(placed):
            self.lose_thread(hand)

    def finishes(self, hand: Hand) -> None:
        """The hand ends: was it given up in mid-deal, or was the rest of the deal not seen?"""
        if (self.watch.blind or self.must_look_round) and not (hand.deal_done or hand.voided):
            self.lose_thread(hand)

    def lose_thread(self, hand: Hand | None) -> None:
        """Cards were dealt unseen: whose button it is and in which order they lay is not known, until it shows."""
        table = self._table
        table.held, table.picked_up = None, (None, ())
        if table.redeal is not None:
            table.redeal = (table.redeal[0], None)
        if not table.setting.button_tags:
            table.setup = replace(table.setup, button=None)
        if hand is not None:
            hand.lose_thread()

    @property
    def must_look_round(self) -> bool:
        """There was a blind spell since the hand began, and whose cards lie there now is not found out yet."""
        return self.watch.spell not in {self._looked_round, self._begun_after}

    def look_round(self, out: list[Decision]) -> None:
        """Whose cards lie there after the spell: those of the hand before it, or of another one."""
        table, hand, spell = self._table, self._table.hand, self.watch.spell
        # A board that has just gone may be back before it matters: until then nothing new is told.
        self._unsure = hand is not None and hand.followed and self._dealt_unseen(hand, just_lost=True)
        if self._unsure and hand is not None and self._dealt_unseen(hand, just_lost=False):
            self.lose_thread(hand)
        if hand is None or not self.must_look_round:
            return
        found = found_at_seats(hand, table.tracker, table.shoe, spell)
        if self.watch.looks_round(table.now):
            self._unsure = self._unsure or bool(found.strange)
            return
        self._looked_round = spell
        gone = not found.own and (spell.hides_a_hand or not hand.deal_done)
        if hand.followed and found.is_another_hand and hand.deal_done:
            self._another_hand(out)
        elif hand.followed and (found.is_another_hand or gone):
            self.lose_thread(hand)

    def _dealt_unseen(self, hand: Hand, *, just_lost: bool) -> bool:
        """While cards were dealt the shoe, or two seats, were not looked at for so long that their order is lost.

        A pause after that hides nothing of it: what lay at a seat before it is known.
        """
        if hand.ended or hand.voided:
            return False
        return any(self._went_unseen(hand, part, just_lost=just_lost) for part in hand.parts)

    def _went_unseen(self, hand: Hand, part: Part, *, just_lost: bool) -> bool:
        # What ended before its first card lay there hid nothing of it.
        start = hand.started_at + FLIGHT_MS
        if part.street is not None:
            left = (reading.item.since for reading in part.readings)
            start = min(left, default=self._table.now) - ROUND_MS

        def hides_cards(zones: Collection[str], seats: Collection[int]) -> bool:
            last = self.watch.pause(zones, start, self._table.now, just_lost=just_lost)
            if last is None or (part.over_at is not None and part.over_at <= last):
                return False
            full = (_full_since(part, seat) for seat in seats)
            return any(since is None or since > last for since in full)

        seat_zones = self._table.setting.layout.seat_zones
        unseen = sum(hides_cards(seat_zones(seat), (seat,)) for seat in part.order)
        return unseen >= UNSEEN_SEATS or hides_cards((SHOE,), part.order)

    def _another_hand(self, out: list[Decision]) -> None:
        """The cards that lie there are those of a hand that was dealt unseen."""
        table = self._table
        there = sorted(lying(table.tracker), key=lambda each: seat_of(each[1]) is None)
        placed = [
            Placed(uid, zone, table.tracker.tracks[uid].since, table.now, settled=True, around=table.now)
            for uid, zone in there
        ]
        hands.begin(table, placed[0], out)
        hand = table.hand
        assert hand is not None  # noqa: S101 (begun above)
        self.lose_thread(hand)
        for each in placed:
            table.handover.dealt(each.uid)
            table.arrivals.place(hand, table.docket, each, table.now)

    def known(self, findings: list[Finding], hand: Hand, docket: Docket) -> list[Finding]:
        """The findings that may be told: where the thread is lost, those that rest on nothing that was before."""
        if hand.followed and not self._unsure:
            return findings
        told = {entry.finding.key for entry in docket.entries if entry.open and hand.followed}
        return [each for each in findings if each.kind in KNOWN_ALONE or each.key in told]

    def _lay_there(self, placed: Placed) -> bool:
        """The card was dealt to a seat before the table saw anything again."""
        at_seat = seat_of(placed.zone) is not None and self.watch.lay_there(placed.zone, placed.since)
        return at_seat and self._table.shoe.last_read(placed.uid, self.watch.spell.ended) is None


def _full_since(part: Part, seat: int) -> int | None:
    """Since when the seat has all its cards of that part of the deal, ms; None while it has not, by what was seen."""
    items = [reading.item for reading in part.readings]
    landed = sorted(item.since for item in items if item.seat == seat and item.settled)
    return landed[part.need - 1] if len(landed) >= part.need else None
