"""The mouth of the shoe: which card waits there, and which has left.

Owns: the reads at the shoe. Refuses: where a card went.

The antenna reads the card at the mouth, at rest or leaving, and now and then the one behind it. A card has left
when it is not read any more, everything that was in front of it is gone, and it was itself seen at the mouth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tablectl.core.sightings import Look

LEFT_LOOKS = 4
"""Looks without the card after which it has left (a tag may be missed at every second poll: field note 10)."""
LEFT_MS = 150
FRESH_MS = 10_000
"""A card last read longer ago than this says nothing about the deal that is on."""
KEPT = 16


@dataclass(slots=True)
class _Mouth:
    first: int
    last: int
    reads: list[int] = field(default_factory=list)
    missed: int = 0


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
            mouth.reads.append(read.t)
            if len(mouth.reads) > 2 * KEPT:
                del mouth.reads[:KEPT]
        if look.complete:
            for uid, mouth in self._cards.items():
                if uid not in seen:
                    mouth.missed += 1

    def last_read(self, uid: str, since: int) -> int | None:
        """When the card was last read at the mouth, if that was at or after `since` (ms)."""
        mouth = self._cards.get(uid)
        return mouth.last if mouth is not None and mouth.last >= since else None

    def resting(self, t: int) -> list[tuple[str, int]]:
        """(uid, first read) of the cards that are at the mouth now, each read twice or more."""
        return [
            (uid, mouth.first)
            for uid, mouth in self._cards.items()
            if len(mouth.reads) >= 2 and mouth.missed < LEFT_LOOKS and t - mouth.last < FRESH_MS
        ]

    def left(self, t: int, located: Callable[[str], bool]) -> list[tuple[str, int]]:
        """(uid, last read) of the cards that left the shoe and are nowhere yet, in order of leaving."""
        out = []
        for uid, mouth in self._cards.items():
            if located(uid) or t - mouth.last > FRESH_MS or not self._gone(mouth, t):
                continue
            ahead = [
                m
                for u, m in self._cards.items()
                if u != uid and (m.first, -len(m.reads)) < (mouth.first, -len(mouth.reads))
            ]
            if any(not self._gone(m, t) for m in ahead):
                continue  # still behind a card that has not left
            front = max((m.last for m in ahead if m.last <= mouth.last), default=-1)
            if sum(at > front for at in mouth.reads) >= 2:
                out.append((uid, mouth.last))
        return sorted(out, key=lambda card: (card[1], card[0]))

    def followed(self, uid: str, t: int) -> bool:
        """True if a later card took the card's place at the mouth: the proof that it has left."""
        mouth = self._cards.get(uid)
        return mouth is not None and any(
            other is not mouth and other.first >= mouth.last - LEFT_MS and len(other.reads) >= 3
            for other in self._cards.values()
        )

    def forget(self, uid: str) -> None:
        """The card has been dealt: its reads at the mouth are spent."""
        self._cards.pop(uid, None)

    def clear(self) -> None:
        """The deck was changed or shuffled: nothing read so far counts."""
        self._cards.clear()

    @staticmethod
    def _gone(mouth: _Mouth, t: int) -> bool:
        return mouth.missed >= LEFT_LOOKS and t - mouth.last >= LEFT_MS
