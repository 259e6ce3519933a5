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
FRONT_MS = 400
FRONT_READS = 2
"""A card that leaves was read at least this often in its last moments at the mouth."""
FRESH_MS = 10_000
"""A card last read longer ago than this says nothing about the deal that is on."""
RECENT_MS = 2500
"""A card that left the mouth is found somewhere else within this time."""
KEPT = 16


@dataclass(slots=True)
class _Mouth:
    first: int
    last: int
    reads: list[int] = field(default_factory=list)
    missed: int = 0
    hits: int = 0
    looks: int = 0


class Shoe:
    """What the shoe antenna read, card by card."""

    def __init__(self) -> None:
        self._cards: dict[str, _Mouth] = {}

    def look(self, look: Look) -> None:
        """Takes one look at the shoe."""
        seen = set()
        for read in look.reads:
            seen.add(read.uid)
            mouth = self._cards.get(read.uid)
            if mouth is None or read.t - mouth.last > FRESH_MS:
                mouth = self._cards[read.uid] = _Mouth(read.t, read.t)
            mouth.last = max(mouth.last, read.t)
            mouth.missed = 0
            mouth.hits += 1
            mouth.reads.append(read.t)
            if len(mouth.reads) > 2 * KEPT:
                del mouth.reads[:KEPT]
        if look.complete:
            for uid, mouth in self._cards.items():
                mouth.looks += 1
                if uid not in seen:
                    mouth.missed += 1

    def last_read(self, uid: str, since: int) -> int | None:
        """When the card was last read at the mouth, if that was at or after `since` (ms)."""
        mouth = self._cards.get(uid)
        return mouth.last if mouth is not None and mouth.last >= since else None

    def recent(self, t: int) -> list[tuple[str, int]]:
        """(uid, first read) of the cards that are at the mouth, or were a moment ago, each read twice or more."""
        return [
            (uid, mouth.first)
            for uid, mouth in self._cards.items()
            if len(mouth.reads) >= 2 and t - mouth.last < RECENT_MS
        ]

    def left(self, t: int, located: Callable[[str], bool]) -> list[tuple[str, int]]:
        """(uid, last read) of the cards that left the shoe and are nowhere yet, in order of leaving."""
        out = []
        for uid, mouth in self._cards.items():
            if located(uid) or t - mouth.last > FRESH_MS or not self._gone(mouth, t):
                continue
            ahead = [m for m in self._cards.values() if m is not mouth and m.first < mouth.first]
            if any(not self._gone(m, t) for m in ahead):
                continue  # still behind a card that has not left
            if self._was_in_front(mouth):
                out.append((uid, mouth.last))
        return sorted(out, key=lambda card: (card[1], card[0]))

    def surely_left(self, uid: str) -> bool:
        """True if the card was read well at the mouth and has been missed for so long that it cannot be there."""
        mouth = self._cards.get(uid)
        return mouth is not None and _surprise(mouth) >= SURE_ODDS

    def clear(self) -> None:
        """The deck was changed or shuffled: nothing read so far counts."""
        self._cards.clear()

    def _was_in_front(self, mouth: _Mouth) -> bool:
        """No other card was read as often in its last moments: it lay at the mouth, not behind another one."""
        start = max(mouth.first, mouth.last - FRONT_MS)
        own = sum(at >= start for at in mouth.reads)
        most = max(
            (
                sum(start <= at <= mouth.last for at in m.reads)
                for m in self._cards.values()
                if m is not mouth
            ),
            default=0,
        )
        return own >= FRONT_READS and (most == 0 or own > 1.5 * most)

    @staticmethod
    def _gone(mouth: _Mouth, t: int) -> bool:
        if mouth.missed < LEFT_LOOKS or t - mouth.last < LEFT_MS:
            return False
        return _surprise(mouth) >= LEFT_ODDS


def _surprise(mouth: _Mouth) -> float:
    """How unlikely (nats) the run of misses is for a card that is still there, at the rate at which it was read."""
    rate = (mouth.hits + 1) / (mouth.looks - mouth.missed + 2)
    return mouth.missed * -log(1 - min(rate, 0.9))
