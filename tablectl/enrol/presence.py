"""One card at a time on one antenna: from looks to "a card lies here", or "several tags do".

Owns: how often a tag must be read before it counts, and which tags came together. Refuses: what they are for.

A look that was not complete proves no absence; a UID that was read once is noise (a damaged frame). A card counts
once it was read several times and no other tag among these reads; two tags lie there when the reads of each go on
after the other's have begun, which those of one card that gives way to the next do not. After several tags the
antenna must be empty before anything counts again: one of two tags on a card may be missed for a while.

    empty ──FIRM_READS of one tag──▶ one card ──another tag, too──▶ several
      ▲                                 │ ▲ the next card                │
      └──── GONE_LOOKS looks without ───┴─┴──────────────────────────────┘
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

FIRM_READS = 4
"""So many reads of one tag alone make a card: a second tag on it answers a slotted inventory within them."""
SURE_READS = 2
"""A tag that was read so often is there; once is noise."""
GONE_LOOKS = 3
"""A tag that so many complete looks in a row did not read is gone."""


@dataclass(frozen=True, slots=True)
class Laid:
    """One card lies on the antenna, alone."""

    uid: str


@dataclass(frozen=True, slots=True)
class Several:
    """More than one tag lies there. `again`: two of them came together before, with the antenna empty between."""

    uids: frozenset[str]
    again: bool


Event = Laid | Several


@dataclass(slots=True)
class _Tag:
    """One tag that is there, or was a moment ago."""

    reads: int = 0
    mixed: int = 0
    """Reads since another tag was there, too."""
    missed: int = 0


class Presence:
    """What lies on the antenna, look by look."""

    def __init__(self) -> None:
        self._tags: dict[str, _Tag] = {}
        self._told: Event | None = None
        self._together: set[frozenset[str]] = set()

    def look(self, uids: Collection[str], *, complete: bool) -> Event | None:
        """One look: the tags it read. `complete` says that it would have read others that lie there."""
        for uid in set(uids):
            self._tags.setdefault(uid, _Tag())
        for uid in set(uids):
            tag = self._tags[uid]
            tag.reads, tag.missed = tag.reads + 1, 0
            tag.mixed += len(self._tags) > 1
        if complete:
            self._miss(self._tags.keys() - set(uids))
        event = self._news()
        self._told = event or self._told
        return event

    def _miss(self, uids: Collection[str]) -> None:
        for uid in uids:
            self._tags[uid].missed += 1
        gone = [uid for uid, tag in self._tags.items() if tag.missed >= GONE_LOOKS]
        if len(gone) == len(self._tags):
            self.forget()
        elif not isinstance(self._told, Several):
            for uid in gone:
                del self._tags[uid]
                if self._told == Laid(uid):
                    self._told = None
            if gone and len(self._tags) == 1:
                [alone] = self._tags.values()
                alone.mixed = 0

    def _news(self) -> Event | None:
        if isinstance(self._told, Several):
            return None
        mixed = frozenset(uid for uid, tag in self._tags.items() if tag.mixed >= SURE_READS)
        if len(mixed) > 1:
            return Several(mixed, again=any(len(mixed & before) > 1 for before in self._together))
        there = [uid for uid, tag in self._tags.items() if tag.reads >= SURE_READS]
        if self._told is None and len(there) == 1 and self._tags[there[0]].reads >= FIRM_READS:
            return Laid(there[0])
        return None

    def forget(self) -> None:
        """Begin anew: the antenna is empty, or its reader was away."""
        if isinstance(self._told, Several):
            self._together.add(self._told.uids)
        self._told = None
        self._tags.clear()
