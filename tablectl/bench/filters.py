"""Three filters of the literature that turn looks into places: last read, k of n, and SMURF's adaptive window.

Owns: where each card lies, as each filter has it, and for how long. Refuses: what a place means (`checker`).

They get the same looks as tablectl, noise rules for tags included, and a fresh start with every hand.
SMURF: Jeffery, Garofalakis, Franklin, "Adaptive Cleaning for RFID Data Streams", VLDB 2006.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, log, sqrt
from typing import Protocol

from tablectl.core.sightings import Look


@dataclass(frozen=True, slots=True)
class Rest:
    """A filter says: since `since` (ms) this card lies in that zone; said at `t`."""

    uid: str
    zone: str
    since: int
    t: int


class Filter(Protocol):
    """A smoothing filter."""

    def look(self, look: Look) -> Iterator[Rest]:
        """The cards that came to rest, as far as this look decides it."""

    def forget(self) -> None:
        """A new hand: nothing is known of any card."""


@dataclass(slots=True)
class _Dwell:
    """Places that must stand for `grace` ms before they are told."""

    grace: int
    _candidates: dict[str, tuple[str, int]] = field(default_factory=dict)
    _told: dict[str, str] = field(default_factory=dict)

    def place(self, uid: str, zone: str, since: int) -> None:
        """The filter has the card there now."""
        candidate = self._candidates.get(uid)
        if candidate is None or candidate[0] != zone:
            if self._told.get(uid) == zone:
                self._candidates.pop(uid, None)
            else:
                self._candidates[uid] = (zone, since)

    def ripe(self, t: int) -> Iterator[Rest]:
        """The places that have stood for long enough at `t`."""
        if not self._candidates:
            return
        for uid, (zone, since) in list(self._candidates.items()):
            if t - since >= self.grace:
                del self._candidates[uid]
                self._told[uid] = zone
                yield Rest(uid, zone, since, t)

    def forget(self) -> None:
        self._candidates.clear()
        self._told.clear()


class LastRead:
    """The last antenna that read a card has it, once no other one has read it for `grace` ms."""

    def __init__(self, grace: int) -> None:
        self._dwell = _Dwell(grace)

    def look(self, look: Look) -> Iterator[Rest]:
        """See Filter."""
        for read in look.reads:
            self._dwell.place(read.uid, look.zone, read.t)
        return self._dwell.ripe(look.t)

    def forget(self) -> None:
        """See Filter."""
        self._dwell.forget()


class KOfN:
    """A card is where `k` of the last `n` polls of an antenna have read it, none of them older than `within` ms."""

    def __init__(self, k: int, n: int, within: int) -> None:
        self.k, self.n, self.within = k, n, within
        self._polls: dict[str, int] = {}
        self._reads: dict[tuple[str, str], deque[tuple[int, int]]] = {}
        """(number of the poll, ms) of the latest reads of a card in a zone."""
        self._place: dict[str, str] = {}

    def look(self, look: Look) -> Iterator[Rest]:
        """See Filter."""
        poll = self._polls.get(look.zone, 0) + (1 if look.complete else 0)
        self._polls[look.zone] = poll
        for read in look.reads:
            reads = self._reads.setdefault((read.uid, look.zone), deque(maxlen=self.k))
            if not reads or reads[-1][0] != poll:
                reads.append((poll, read.t))
            if len(reads) < self.k or self._place.get(read.uid) == look.zone:
                continue
            first_poll, first_t = reads[0]
            if poll - first_poll < self.n and read.t - first_t <= self.within:
                self._place[read.uid] = look.zone
                yield Rest(read.uid, look.zone, first_t, look.t)

    def forget(self) -> None:
        """See Filter."""
        self._reads.clear()
        self._place.clear()


@dataclass(slots=True)
class _Window:
    """SMURF's window over the polls of one zone, for one card; True is a read."""

    polls: deque[bool] = field(default_factory=deque)
    width: int = 1
    since: int = 0
    """The first read of the present stay, ms."""

    @property
    def reads(self) -> int:
        return sum(self.polls)

    def poll(self, delta: float, *, read: bool) -> None:
        """One more poll: the window grows until a card is seen with 1 − δ, and shrinks at a transition."""
        self.polls.append(read)
        self._cut()
        present, reads = self._present()
        if not reads:
            return
        p = reads / present
        wanted = ceil(log(1 / delta) / p)
        width = len(self.polls)
        if abs(reads - width * p) > 2 * sqrt(width * p * (1 - p)):
            self.width = max(1, min(self.width // 2, wanted))
            self._cut()
        elif wanted > self.width:
            self.width = min(self.width + 2, wanted)
        else:
            self.width = wanted

    def _present(self) -> tuple[int, int]:
        """Polls from the first read in the window to the last one, and the reads: p̄ is measured where the card was.

        The paper averages over the epochs that had reads, each with several polls; here each epoch is one poll.
        """
        places = [place for place, read in enumerate(self.polls) if read]
        return (places[-1] - places[0] + 1, len(places)) if places else (0, 0)

    def _cut(self) -> None:
        while len(self.polls) > self.width:
            self.polls.popleft()


class Smurf:
    """SMURF for each card and zone; of the zones that claim a card, the one with most reads in its window has it."""

    def __init__(self, delta: float, grace: int) -> None:
        self.delta = delta
        self._dwell = _Dwell(grace)
        self._windows: defaultdict[str, dict[str, _Window]] = defaultdict(dict)
        """Zone → card → window."""
        self._claims: defaultdict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
        """Card → zone → (reads in the window, since)."""
        self._place: dict[str, str] = {}

    def look(self, look: Look) -> Iterator[Rest]:
        """See Filter."""
        windows = self._windows[look.zone]
        seen = {read.uid: read.t for read in look.reads}
        for uid in seen.keys() - windows.keys():
            windows[uid] = _Window(since=seen[uid])
        for uid, window in list(windows.items()):
            if uid in seen or look.complete:
                window.poll(self.delta, read=uid in seen)
                self._claim(uid, look.zone, window)
        return self._dwell.ripe(look.t)

    def _claim(self, uid: str, zone: str, window: _Window) -> None:
        claims, reads = self._claims[uid], window.reads
        if reads:
            claims[zone] = (reads, window.since)
        else:
            del self._windows[zone][uid]
            claims.pop(zone, None)
        if not claims:
            return
        before = self._place.get(uid)
        best = max(claims, key=lambda each: (claims[each][0], each == before))
        if best != before:
            self._place[uid] = best
        self._dwell.place(uid, best, claims[best][1])

    def forget(self) -> None:
        """See Filter."""
        self._windows.clear()
        self._claims.clear()
        self._place.clear()
        self._dwell.forget()
