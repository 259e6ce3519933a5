"""Was the beginning of a hand seen? The hand that was not is not followed: what it looks like accuses nobody.

A table that is started in mid-hand, or whose readers were away over a deal, finds cards lying there and knows neither
who got the first one nor what was shuffled, entered or folded before. Everything that follows from the order would be
a guess, until the next hand begins before its eyes.

It is *blind* while it looks at less than half of its seats, or at just half of them and not at the shoe; so it is
before its first look. One antenna is another matter: its own checks are off, and the explanation of the deal leaves a
gap there.

A shorter time does as much harm while cards are dealt, whatever it came from: a board without power, lost frames, a
computer that stood still. So what counts there are the times of the looks themselves (`pauses`).

A card that lies where nobody looks any more may be in the deck again: it holds no next hand back (`Watch.away`).

Owns: since when each place is looked at, the last blind spell, which cards lay there at its end, and the pauses between
two looks. What follows from that for the hands is `core.unseen`'s.
Refuses: when a hand begins (`core.handover`), and cards found by one antenna alone (`core.sense`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tablectl.core.hand import Hand
from tablectl.core.shoe import Shoe
from tablectl.core.tracker import Tracker
from tablectl.layout import SHOE, Layout, seat_of

ROUND_MS = 1500
"""So long after a blind spell every place has been looked at often enough to know what lies there."""
PAUSE_MS = 2500
"""A place that was not looked at for longer may have got more cards than can be told apart afterwards. The slowest
board comes round within a second, and one that restarts by itself is mostly back before that (assumption)."""
TAKEN_MS = 2000
"""Cards are gathered and shuffled before they are dealt again: that takes longer, even at a table with one deck only
(assumption). So lost frames and a board that restarts by itself hide no end of a hand."""
SHORTEST_HAND_MS = 10_000
"""No hand is dealt, folded, gathered and followed by the next one in less (two players, another deck; assumption)."""
KNOWN_ALONE = frozenset({
    "foreign_card", "joker", "duplicate_card", "boxed_card", "untagged_card", "exposed_card", "exposed_in_cut",
    "damaged_card", "stub_disordered",
})  # fmt: skip
"""Irregularities that show by themselves, or were entered: they rest on nothing that was before."""


@dataclass(frozen=True, slots=True)
class Spell:
    """A time in which the table was blind, ms; before its first look it was, too."""

    began: int
    ended: int

    @property
    def hides_a_hand(self) -> bool:
        """A whole hand may have been played meanwhile."""
        return self.ended - self.began >= SHORTEST_HAND_MS


class Watch:
    """When the places of one table were looked at."""

    def __init__(self, layout: Layout) -> None:
        self._seats = [zones for seat in range(1, layout.seats + 1) if (zones := layout.seat_zones(seat))]
        self._places = {SHOE, *(zone for zones in self._seats for zone in zones)}
        self._first: dict[str, int] = {}
        """Place → its first look since the start, or since it was seen again."""
        self._last: dict[str, int] = {}
        """Zone → its latest look."""
        self._latest = self._steady_since = 0
        """The latest look of all, and since when one has followed another, ms."""
        self._pauses: dict[str, tuple[int, int]] = {}
        """Place → the last pause in which it was not looked at for long: the looks before and after, ms."""
        self._blind_since: int | None = -1
        self.spell = Spell(-1, -1)
        """The last one that has ended."""

    @property
    def blind(self) -> bool:
        """Nothing that was dealt now would be seen in its order."""
        return self._blind_since is not None

    def look(self, zone: str, t: int) -> Spell | None:
        """One look at a zone, ms; returns the blind spell that it ends."""
        if t - self._latest > ROUND_MS:
            self._steady_since = t  # nothing at all was looked at: what is away shows itself from now on
        self._latest = max(self._latest, t)
        last = self._last.get(zone, t)
        if t - last > PAUSE_MS:
            self._pauses[zone] = last, t
        self._last[zone] = max(last, t)
        if zone not in self._places or zone in self._first:
            return None
        self._first[zone] = t
        if self._blind_since is None or self._sees_little():
            return None
        self.spell, self._blind_since = Spell(self._blind_since, t), None
        return self.spell

    def lost(self, zone: str, t: int) -> None:
        """The zone is not seen from here on, ms."""
        self._first.pop(zone, None)
        if self._blind_since is None and self._sees_little():
            self._blind_since = t

    def _sees_little(self) -> bool:
        seen = sum(all(zone in self._first for zone in zones) for zones in self._seats)
        return 2 * seen + (SHOE in self._first) <= len(self._seats)

    def pause(self, zones: Collection[str], start: int, now: int, *, just_lost: bool = False) -> int | None:
        """The last look before one of these places was not looked at for long since `start`, ms; None if none was so.

        With `just_lost` also before one that was lost and is not seen again yet, however lately.
        One that was away by then already, and is still, is no news: it is watched no more, and nothing is found there.
        """
        before = []
        for zone in zones:
            pause, last = self._pauses.get(zone), self._last.get(zone)
            if pause is not None and pause[1] > start:
                before.append(pause[0])
            if last is None or last <= start - PAUSE_MS:
                continue
            if now - last > PAUSE_MS or (just_lost and zone not in self._first):
                before.append(last)
        return min(before, default=None)

    def away(self, zone: str, t: int) -> bool:
        """The zone has not been looked at for so long, at `t` (ms), that what lay there may be in the deck again."""
        last = self._last.get(zone)
        return last is not None and t - max(last, self._steady_since) > TAKEN_MS

    def lay_there(self, zone: str, since: int) -> bool:
        """A card first read then (ms) lay in the zone when that was looked at again after the blind spell."""
        first = self._first.get(zone)
        if first is None or since > first:
            return False
        return self.spell.began <= first <= self.spell.ended + ROUND_MS

    def looks_round(self, now: int) -> bool:
        """The table has only just begun to see again: what lies there is being found out."""
        return now < self.spell.ended + ROUND_MS


@dataclass(frozen=True, slots=True)
class Found:
    """The cards that lie at the seats: those that this hand dealt there, and the others, each with its zone."""

    own: Collection[str]
    strange: Collection[str]

    @property
    def is_another_hand(self) -> bool:
        """Most of what lies there was dealt unseen."""
        return len(self.strange) > max(1, len(self.own))


def found_at_seats(hand: Hand, tracker: Tracker, shoe: Shoe, spell: Spell) -> Found:
    """What lies at the seats after the spell; cards that the shoe has read since were dealt before the table's eyes."""
    own, strange = [], []
    for uid, zone in lying(tracker):
        landing = hand.cards[uid].landing if uid in hand.cards else None
        if seat_of(zone) is None:
            continue
        if landing is not None and landing.since <= spell.began and seat_of(landing.zone) == seat_of(zone):
            own.append(uid)
        elif shoe.last_read(uid, spell.ended) is None:
            strange.append(uid)
    return Found(own, strange)


def lying(tracker: Tracker) -> list[tuple[str, str]]:
    """(uid, zone) of every card that is at rest outside the shoe."""
    tracks = tracker.tracks.values()
    return [(each.uid, each.home) for each in tracks if each.home not in {None, SHOE} and not each.lifted]
