"""Which looks count for a card's wear: those in which it surely lay where the tracker says.

Every two seconds the cards at rest are looked through, not with each sighting. Between two such looks a card counts
from its last read at the first to its last read at the second: that it lay there is proved at both ends, so that a card
that a player took up is not blamed for it. What was lifted, or is perhaps on its way elsewhere, counts no more.

Owns: those stretches, put together to landings. Refuses: what they mean (`book`); it changes nothing in the core.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tablectl.app.wear.book import Book
from tablectl.core.track import Track
from tablectl.core.tracker import Tracker
from tablectl.layout import is_board, seat_of

EVERY_MS = 2000
"""Much shorter than the looks that the tracker keeps of a zone (256: some 25 s)."""
LEAST_LOOKS = 12
"""A landing with fewer looks in a place says nothing."""
MOST_CARDS = 5
"""More cards than these in a zone are one place."""


@dataclass(slots=True)
class _Landing:
    """One card at its place: since when, what was counted up to which read, and looks and reads by number of cards."""

    home: str
    since: int
    last: int
    reads: int
    looks: dict[int, list[int]] = field(default_factory=dict)


class Counting:
    """Counts at one table. `decks` has the deck of each card, `today` the date."""

    def __init__(
        self, book: Book, tracker: Tracker, decks: Mapping[str, str], today: Callable[[], str]
    ) -> None:
        self._book, self._tracker, self._decks, self._today = book, tracker, decks, today
        self._landings: dict[str, _Landing] = {}
        self._due = 0

    def look(self, t: int) -> None:
        """Something was sensed at `t` ms; most calls return at once."""
        if t < self._due:
            return
        self._due = t + EVERY_MS
        lying = {track.uid: track for track in self._tracker.tracks.values() if _counts(track)}
        there = Counter(track.home for track in lying.values())
        for uid, landing in list(self._landings.items()):
            track = lying.get(uid)
            if track is None or (track.home, track.since) != (landing.home, landing.since):
                self._over(uid, self._landings.pop(uid))
        for uid, track in lying.items():
            self._goes_on(uid, track, min(there[track.home], MOST_CARDS))

    def _goes_on(self, uid: str, track: Track, cards: int) -> None:
        assert track.home is not None  # noqa: S101 (`_counts`)
        heard = track.heard.get(track.home)
        reads = heard.r if heard is not None else 0
        landing = self._landings.get(uid)
        if landing is None:
            if uid in self._decks:
                self._landings[uid] = _Landing(track.home, track.since, track.last, reads)
            return
        looks = self._tracker.polls_between(track.home, landing.last, track.last)
        sums = landing.looks.setdefault(cards, [0, 0])
        if reads >= landing.reads:  # after an outage the tracker counts afresh
            sums[0] += looks
            sums[1] += min(reads - landing.reads, looks)
        landing.last, landing.reads = track.last, reads

    def _over(self, uid: str, landing: _Landing) -> None:
        counted = {
            cards: (looks, reads) for cards, (looks, reads) in landing.looks.items() if looks >= LEAST_LOOKS
        }
        if counted:
            card = self._book.dealt(uid, self._decks[uid], self._today())
            self._book.lay(card, landing.home, counted)


def _counts(track: Track) -> bool:
    """It lies on a seat or the board, and nothing is known that speaks against it."""
    home = track.home
    at_rest = home is not None and track.trial is None and not (track.lifted or track.picked_up)
    return at_rest and home is not None and (seat_of(home) is not None or is_board(home))
