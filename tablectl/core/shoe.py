"""The mouth of the shoe: which card waits there, and which has left.

Owns: the reads at the shoe. Refuses: where a card went.

The antenna reads the card at the mouth, at rest or leaving, and now and then the one behind it. A card has left
when it is not read any more, everything that was in front of it is gone, and it was itself seen at the mouth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log

from tablectl.core.sightings import Look

LEFT_LOOKS = 4
"""Looks without the card after which it has left, at least (a tag may be missed at every second poll)."""
LEFT_ODDS = 9.0
"""How unlikely (nats) a run of misses must be, at the rate at which this card was read, to say that it left."""
SURE_ODDS = 30.0
"""The same to say that it is lost, if it is nowhere else either."""
LEFT_MS = 150
READ_IN_FRONT, MISSED_IN_FRONT = log(0.85 / 0.2), log(0.8 / 0.15)
"""What a read speaks for the card's lying at the mouth, and a miss against it, nats."""
BESIDE_DB = 8.0
"""A card behind the one at the mouth, or near the shoe, is read so much weaker (7–15 dB; assumption)."""
LEVEL_CARDS = 4
"""So many cards make a usual strength."""
LEVEL_MEMORY = 60
"""The usual strength is the mean of so many cards."""
FRONT_READS = 4
"""The last moments of a card at the mouth: so many of its reads."""
FRONT_MS = 150
"""… or this time at least: no card comes to the mouth and leaves it faster."""
FRONT_LEAST = 2
"""A card that leaves was read at least this often."""
STRAY_LOOKS = 5
"""A read after so many looks without one must be followed by another one as soon, to count."""
FRESH_MS = 10_000
"""A card last read longer ago than this says nothing about the deal that is on."""
RECENT_MS = 2500
"""A card that left the mouth is found somewhere else within this time."""
KEPT = 16


@dataclass(slots=True)
class _Mouth:
    first: int
    last: int
    reads: list[tuple[int, int, int | None]] = field(default_factory=list)
    """(time, how many looks there had been, strength) of its last reads."""
    glimpses: list[int] = field(default_factory=list)
    """When it was read last, those reads included that say nothing alone."""
    missed: int = 0
    hits: int = 0
    looks: int = 0
    strength_known: bool = False
    """Its strength was learned from."""
    stray_for: int = 1 << 30
    """Looks since it was read once, alone, after a pause."""

    def glimpse(self, t: int) -> None:
        """It was read, which may mean nothing."""
        self.glimpses.append(t)
        del self.glimpses[:-KEPT]

    def read(self, t: int, strength: int | None) -> None:
        """It was read at the mouth."""
        self.last = max(self.last, t)
        self.missed = 0
        self.hits += 1
        self.reads.append((t, self.looks, strength))
        if len(self.reads) > 2 * KEPT:
            del self.reads[:KEPT]

    def strength(self) -> float | None:
        """How strongly it was read of late, in the mean; None if it was read once or never, or without a strength."""
        known = [strength for _, _, strength in self.reads[-KEPT:] if strength is not None]
        return sum(known) / len(known) if len(known) >= FRONT_LEAST else None

    def front_since(self) -> int:
        """Since when it was read as often as a card that lies at the mouth, not behind another one; ms."""
        best = score = 0.0
        since, before = self.last, None
        for t, look, _ in reversed(self.reads):
            score += READ_IN_FRONT
            score -= MISSED_IN_FRONT * (before - look - 1) if before is not None else 0.0
            before = look
            if score >= best:
                best, since = score, t
        return since


class Shoe:
    """What the shoe antenna read, card by card."""

    def __init__(self) -> None:
        self.cards: dict[str, _Mouth] = {}
        self._left = 0
        self._usual = 0.0
        """How strong a card at the mouth is read in the mean, as the reader gives it."""

    def look(self, look: Look) -> None:
        """Takes one look at the shoe."""
        seen = set()
        for read in look.reads:
            mouth = self.cards.get(read.uid)
            if self._is_beside(read.rssi, mouth):
                continue
            seen.add(read.uid)
            if mouth is None or read.t - mouth.last > FRESH_MS:
                mouth = self.cards[read.uid] = _Mouth(read.t, read.t)
            mouth.glimpse(read.t)
            if mouth.missed > STRAY_LOOKS and mouth.stray_for > STRAY_LOOKS:
                mouth.stray_for = 0
                continue  # a card that lies near the shoe, perhaps: one read alone says nothing
            mouth.read(read.t, read.rssi)
        if look.complete:
            for uid, mouth in self.cards.items():
                mouth.looks += 1
                mouth.stray_for += 1
                if uid not in seen:
                    mouth.missed += 1

    def last_read(self, uid: str, since: int) -> int | None:
        """When the card was last read at the mouth, if that was at or after `since` (ms)."""
        mouth = self.cards.get(uid)
        return mouth.last if mouth is not None and mouth.hits >= FRONT_LEAST and mouth.last >= since else None

    def read_before(self, uid: str, t: int) -> int | None:
        """When the card was last read at the mouth before that (ms), as far as its last reads are kept."""
        mouth = self.cards.get(uid)
        return max((at for at, _, _ in mouth.reads if at < t), default=None) if mouth is not None else None

    def pause(self, first: str, second: str) -> tuple[int, int] | None:
        """From the last read of one card at the mouth to the first one of another; None if either was not read there.

        The antenna may read a card from behind the one at the mouth, now and then.
        """
        one, other = self.cards.get(first), self.cards.get(second)
        if one is None or other is None:
            return None
        return one.last, other.front_since()

    def glimpsed(self, first: str, second: str, known: Callable[[str], bool]) -> bool:
        """A card that nobody has seen since was read at the mouth after the one card had left, before the other did."""
        one, other = self.cards.get(first), self.cards.get(second)
        if one is None or other is None:
            return False
        arrived = other.front_since()
        for uid, mouth in self.cards.items():
            if uid in {first, second} or known(uid) or mouth.glimpses[-1] >= other.last:
                continue
            if any(one.last < t < arrived for t in mouth.glimpses):
                return True
        return False

    def left_before(self, first: str, second: str) -> bool:
        """The one card was missed at the mouth, so often that it had left, while the other one was still read there."""
        one, other = self.cards.get(first), self.cards.get(second)
        if one is None or other is None or not self.is_in_front(second):
            return False
        if one.glimpses[-1] > other.last:
            return False  # a stray read, perhaps; but it may have waited behind the other one until then
        missed = one.missed - other.missed
        return missed >= LEFT_LOOKS and _surprise(one, missed) >= LEFT_ODDS

    def gap(self, first: str, second: str) -> int | None:
        """From one card's leaving to another's, ms, by their last reads; None if either was not read."""
        one, other = self.cards.get(first), self.cards.get(second)
        return other.last - one.last if one is not None and other is not None else None

    def recent(self, t: int) -> list[tuple[str, int]]:
        """(uid, first read) of the cards that are at the mouth, or were a moment ago, each read twice or more."""
        return [
            (uid, mouth.first)
            for uid, mouth in self.cards.items()
            if len(mouth.reads) >= 2 and t - mouth.last < RECENT_MS
        ]

    def left(self, t: int, located: Callable[[str], bool]) -> list[tuple[str, int]]:
        """(uid, last read) of the cards that left the shoe and are nowhere yet, in order of leaving."""
        out = []
        for uid, mouth in self.cards.items():
            if located(uid) or t - mouth.last > FRESH_MS or not self._gone(mouth, t):
                continue
            ahead = (
                m for u, m in self.cards.items() if m.first < mouth.first and u != uid and not located(u)
            )
            if any(not self._gone(m, t) for m in ahead):
                continue  # still behind a card that has not left
            if self.is_in_front(uid):
                out.append((uid, mouth.last))
                self._learn(mouth)
        return sorted(out, key=lambda card: (card[1], card[0]))

    def surely_left(self, uid: str) -> bool:
        """True if the card was read well at the mouth and has been missed for so long that it cannot be there."""
        mouth = self.cards.get(uid)
        return mouth is not None and _surprise(mouth) >= SURE_ODDS

    def _is_beside(self, strength: int | None, mouth: _Mouth | None) -> bool:
        """So weak a read is of the card behind the one at the mouth, or of one that lies near the shoe.

        Before a usual strength is known a card's own tells: one that lay at the mouth is never read so weakly there.
        """
        if strength is None:
            return False
        usual = self._usual if self._left >= LEVEL_CARDS else mouth.strength() if mouth is not None else None
        return usual is not None and strength < usual - BESIDE_DB

    def _learn(self, mouth: _Mouth) -> None:
        strengths = [strength for _, _, strength in mouth.reads[-FRONT_READS:] if strength is not None]
        if not strengths or mouth.strength_known:
            return
        mouth.strength_known = True
        self._left = min(self._left + 1, LEVEL_MEMORY)
        self._usual += (sum(strengths) / len(strengths) - self._usual) / self._left

    def clear(self) -> None:
        """The deck was changed or shuffled: nothing read so far counts."""
        self.cards.clear()

    def is_in_front(self, uid: str) -> bool:
        """No other card was read as often in its last moments: it lay at the mouth, not behind another one."""
        mouth = self.cards[uid]
        latest = sorted(mouth.reads)[-FRONT_READS:]
        start = min(latest[0][0], mouth.last - FRONT_MS)
        own = sum(start <= at <= mouth.last for at, _, _ in mouth.reads)
        most = max(
            (
                sum(start <= at <= mouth.last for at, _, _ in m.reads)
                for m in self.cards.values()
                if m is not mouth
            ),
            default=0,
        )
        return own >= FRONT_LEAST and (most == 0 or own > 1.5 * most)

    @staticmethod
    def _gone(mouth: _Mouth, t: int) -> bool:
        if mouth.missed < LEFT_LOOKS or t - mouth.last < LEFT_MS:
            return False
        return _surprise(mouth) >= LEFT_ODDS


def _surprise(mouth: _Mouth, missed: int | None = None) -> float:
    """How unlikely (nats) the run of misses is for a card that is still there, at the rate at which it was read."""
    rate = (mouth.hits + 1) / (mouth.looks - mouth.missed + 2)
    return (mouth.missed if missed is None else missed) * -log(1 - min(rate, 0.9))
