"""Where every card lies, from looks at zones.

Theory of operation. A card has a *home*, the zone where it was last found at rest. While it is read there,
nothing happens. A read anywhere else opens a *trial*: from then on every look at the zones concerned, hits and
misses alike, is kept, and these explanations compete by their likelihood (`core.evidence`):

    it rests in zone z since its first read there      own reads of z, cross reads elsewhere
    it still rests at home                             own reads of home, cross reads elsewhere
    it is only passing                                 fly-over or slow slide, never longer than 260 ms over a zone
    it rests where no antenna reads it                 cross reads only

    at home ──read elsewhere──▶ trial ──odds > SOFT──▶ probable ──odds > SETTLE──▶ at home (new zone)
       ▲                          └──────no read for TRIAL_MS / home explains it──────┘
       └──read again── lifted ◀──missed for LIFT_MS and LIFT_LOOKS── at home

Owns: homes, trials, what was polled when. Refuses: rules, seats, order; whether a place is the right one is
for the detector to say. The movements it emits are the interface to the rest of the core.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from math import log

from tablectl.core import evidence
from tablectl.core.evidence import BURNED, CROSS, FAR, OWN, PILE, SPREAD, ReadModel, log_sum
from tablectl.core.sightings import Look
from tablectl.layout import BURN, MUCK, SHOE, is_board, seat_of

SETTLE = log(200.0)
"""Log odds at which a card counts as at rest."""
SETTLE_READS = 2
"""No card counts as at rest on a single read."""
SOFT = 2.5
"""Log odds at which it probably does."""
HIDDEN_PRIOR = -2.0
"""ln P(a card lies where nothing reads it)."""
LIFTED_PRIOR = -3.2
"""ln P(a card is picked up at once, or is in a hand now): 1–5 % of cards (assumption)."""
STAY_GAP_MS = 700
SNATCHED_MS = 1500
TRIAL_MS = 1500
"""A trial without a read outside the home for this long is over."""
TRIAL_LOOKS = 96
WEIGH_EVERY = 4
VISITS_KEPT = 3
RECENT_MS = 2000
MOVE_PRIOR = -5.0
REVISIT = -3.0
"""ln P(a card that is only passing comes over the same zone again)."""
LIFT_MS = 450
LIFT_LOOKS = 4
POLLS_KEPT = 256


@dataclass(frozen=True, slots=True)
class Placed:
    """A card came to rest in `zone` at `since`; `settled` False means probably.

    `around` is since when it has been read in other places than the shoe, ms: a card that comes from the deck
    has not been around before it lands.
    """

    uid: str
    zone: str
    since: int
    t: int
    settled: bool
    around: int


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A card that probably rested in `zone` does not."""

    uid: str
    zone: str
    t: int


@dataclass(frozen=True, slots=True)
class Lifted:
    """A card is no longer read where it rested; last read there at `since`. It may come back, or go elsewhere."""

    uid: str
    zone: str
    since: int
    t: int


Movement = Placed | Unplaced | Lifted


@dataclass(slots=True)
class _Trial:
    first: dict[str, int] = field(default_factory=dict)
    """Zone → since when the card rests there, if it does: the beginning of one of its visits."""
    visits: dict[str, list[int]] = field(default_factory=dict)
    """Zone → the first read of each visit; a pause of STAY_GAP_MS begins another one."""
    last: dict[str, int] = field(default_factory=dict)
    looks: list[tuple[int, str, bool]] = field(default_factory=list)
    lead: str | None = None
    before: int = 0
    """When the card was read last, elsewhere than at the shoe, before the trial began, ms."""


@dataclass(slots=True)
class Track:
    """What is known of one card: its home, since when, and the running trial."""

    uid: str
    home: str | None = None
    since: int = 0
    last: int = 0
    missed: int = 0
    lifted: bool = False
    trial: _Trial | None = None
    dealt_to: str | None = None
    """Its first home after the shoe."""
    reads: dict[str, int] = field(default_factory=dict)
    """Reads per zone since it came to its home."""


def _model(zone: str) -> ReadModel:
    if is_board(zone):
        return SPREAD
    return {MUCK: PILE, BURN: BURNED}.get(zone, OWN)


class Tracker:
    """All cards of one table."""

    def __init__(self) -> None:
        self.tracks: dict[str, Track] = {}
        self._near: dict[str, set[str]] = {}
        self._polls: dict[str, list[int]] = {}
        self._last_read: dict[str, int] = {}
        """Card → when it was read last anywhere but at the shoe or at rest, ms; kept when the card is forgotten."""
        self._visits: dict[str, dict[str, int]] = {}
        """Zone → card → when it was first read there, for cards that have not come to rest since."""

    def look(self, look: Look) -> list[Movement]:
        """Takes one look; returns what it changed, in order."""
        out: list[Movement] = []
        hit = set()
        for read in look.reads:
            hit.add(read.uid)
            track = self.tracks.get(read.uid)
            if track is None:
                track = self.tracks[read.uid] = Track(read.uid)
            if track.home == look.zone and track.trial is None and not track.lifted:
                track.last = read.t  # the ordinary case, by far: a card at rest is read again
                track.reads[look.zone] = track.reads.get(look.zone, 0) + 1
                track.missed = 0
            else:
                self._hit(track, look.zone, read.t, out)
        if look.complete:
            self._note_poll(look.zone, look.t)
            near = self._near.get(look.zone)
            if near and not near <= hit:
                for uid in sorted(near - hit):
                    self._miss(self.tracks[uid], look.zone, look.t, out)
        return out

    def doubt(self, uid: str, other: str) -> float:
        """ln P(the card lies in the `other` zone after all) − ln P(it lies at home), from all reads since it came.

        What speaks for the other zone is that a neighbour's antenna may read a card that its own one misses.
        """
        track = self.tracks.get(uid)
        if track is None or track.home is None:
            return 0.0
        (r, n), (ro, no) = (self._since(track, zone) for zone in (track.home, other))
        at_home = evidence.reads(_model(track.home), r, n) + evidence.reads(CROSS, ro, no)
        return evidence.reads(_model(other), ro, no) + evidence.reads(CROSS, r, n) - at_home

    def _since(self, track: Track, zone: str) -> tuple[int, int]:
        n = self.polls_since(zone, track.since - 1)
        return min(track.reads.get(zone, 0), n), n

    def polls_since(self, zone: str, t: int) -> int:
        """How many complete looks at the zone came after `t`."""
        polls = self._polls.get(zone, [])
        return len(polls) - bisect_right(polls, t)

    def cycle(self, zone: str) -> float:
        """How long (ms) it takes from one complete look at the zone to the next, of late."""
        polls = self._polls.get(zone, [])[-9:]
        return (polls[-1] - polls[0]) / (len(polls) - 1) if len(polls) > 1 else 0.0

    def polls_between(self, zone: str, start: int, end: int) -> int:
        """How many complete looks at the zone came after `start` and not after `end`."""
        return max(0, self.polls_since(zone, start) - self.polls_since(zone, end))

    def last_read(self, uid: str) -> int:
        """When the card was last read anywhere but at the shoe, ms; -1 if it never was."""
        track = self.tracks.get(uid)
        if track is None:
            return -1
        at_rest = track.last if track.home not in {None, SHOE} else -1
        return max(self._last_read.get(uid, -1), at_rest)

    def unsettled(self, zone: str, since: int, until: int) -> bool:
        """True if a card that has not come to rest anywhere was first read in the zone between the times (ms)."""
        visits = self._visits.get(zone)
        return visits is not None and any(since <= t <= until for t in visits.values())

    def forget_polls(self, zone: str) -> None:
        """What was not seen in the zone so far proves nothing any more (lost frames, a reader that was away)."""
        self._polls.pop(zone, None)
        for uid in self._near.get(zone, ()):
            track = self.tracks[uid]
            track.missed = 0

    def doubt_zone(self, zone: str, t: int) -> list[Movement]:
        """The zone was not seen for a while: what rested there counts as lifted until it is read again."""
        out: list[Movement] = []
        for uid in sorted(self._near.get(zone, ())):
            track = self.tracks[uid]
            if track.home == zone and not track.lifted and zone != SHOE:
                track.lifted = True
                out.append(Lifted(uid, zone, track.last, t))
        return out

    def forget(self, uid: str) -> None:
        """Drops a card, for tags that left for good."""
        track = self.tracks.pop(uid, None)
        if track is not None:
            for near in self._near.values():
                near.discard(uid)
            self._forget_visits(uid)

    def _forget_visits(self, uid: str) -> None:
        for visits in self._visits.values():
            visits.pop(uid, None)

    def _note_poll(self, zone: str, t: int) -> None:
        polls = self._polls.setdefault(zone, [])
        polls.append(t)
        if len(polls) > 2 * POLLS_KEPT:
            del polls[:POLLS_KEPT]

    def _hit(self, track: Track, zone: str, t: int, out: list[Movement]) -> None:
        if track.home is None and zone == SHOE and track.trial is None:
            # A card at the mouth of the shoe is still in the deck: a home, but nothing that happened.
            self._move(track, SHOE, t)
            return
        track.reads[zone] = track.reads.get(zone, 0) + 1
        before = self._last_read.get(track.uid, -RECENT_MS)
        if zone != SHOE:
            self._last_read[track.uid] = max(before, t)
        if zone == track.home:
            track.last, track.missed = t, 0
            if track.lifted:
                track.lifted = False
                out.append(Placed(track.uid, zone, t, t, settled=True, around=track.since))
        elif track.trial is None:
            track.trial = _Trial(before=before)
        if track.trial is not None:
            trial = track.trial
            if zone != track.home:
                if zone not in trial.last or t - trial.last[zone] > STAY_GAP_MS:
                    visits = trial.visits.setdefault(zone, [])
                    visits.append(t)
                    del visits[1:-VISITS_KEPT]
                    trial.first.setdefault(zone, t)
                self._visits.setdefault(zone, {}).setdefault(track.uid, t)
                trial.last[zone] = max(t, trial.last.get(zone, t))
                self._near.setdefault(zone, set()).add(track.uid)
            self._weigh(track, trial, (t, zone, True), t, out)

    def _miss(self, track: Track, zone: str, t: int, out: list[Movement]) -> None:
        if zone == track.home:
            track.missed += 1
        if track.trial is not None:
            if t - max(track.trial.last.values()) > TRIAL_MS:
                self._end_trial(track, track.trial, t, out)
            else:
                self._weigh(track, track.trial, (t, zone, False), t, out)
        if zone == track.home and not track.lifted and self._gone(track, t):
            track.lifted = True
            if zone != SHOE:
                out.append(Lifted(track.uid, zone, track.last, t))

    def _gone(self, track: Track, t: int) -> bool:
        return track.missed >= LIFT_LOOKS and t - track.last >= LIFT_MS

    def _weigh(
        self, track: Track, trial: _Trial, look: tuple[int, str, bool], t: int, out: list[Movement]
    ) -> None:
        trial.looks.append(look)
        if len(trial.looks) > TRIAL_LOOKS:
            del trial.looks[: TRIAL_LOOKS // 4]
        _, where, hit = look
        if (where == track.home if hit else trial.lead is None) and len(trial.looks) % WEIGH_EVERY:
            return  # what only speaks against a move, or for nothing yet, is weighed now and then
        zone, odds = self._best(track, trial)
        if odds >= SETTLE and sum(hit for _, at, hit in trial.looks if at == zone) >= SETTLE_READS:
            since, around = trial.first[zone], self._around(track, trial)
            counts = _count([each for each in trial.looks if each[0] >= since])
            track.trial = None
            self._forget_visits(track.uid)
            for other in trial.first:
                if other != track.home:
                    self._near[other].discard(track.uid)
            self._move(track, zone, t)
            track.since = since
            if track.dealt_to is None:
                track.dealt_to = zone
            track.reads = {each: r for each, (r, _) in counts.items()}
            out.append(Placed(track.uid, zone, since, t, settled=True, around=around))
        elif odds >= SOFT and trial.lead != zone:
            self._withdraw_lead(track, trial, t, out)
            trial.lead = zone
            around = self._around(track, trial)
            out.append(Placed(track.uid, zone, trial.first[zone], t, settled=False, around=around))
        elif trial.lead is not None and (odds < 0 or zone != trial.lead):
            self._withdraw_lead(track, trial, t, out)

    def _around(self, track: Track, trial: _Trial) -> int:
        if track.home not in {None, SHOE}:
            return track.since
        first = min(visits[0] for zone, visits in trial.visits.items() if zone != SHOE)
        return trial.before if trial.before > first - RECENT_MS else first

    def _withdraw_lead(self, track: Track, trial: _Trial, t: int, out: list[Movement]) -> None:
        if trial.lead is not None:
            out.append(Unplaced(track.uid, trial.lead, t))
            trial.lead = None

    def _end_trial(self, track: Track, trial: _Trial, t: int, out: list[Movement]) -> None:
        self._withdraw_lead(track, trial, t, out)
        for zone in trial.first:
            if zone != track.home:
                self._near[zone].discard(track.uid)
        track.trial = None

    def _move(self, track: Track, zone: str, t: int) -> None:
        if track.home is not None:
            self._near[track.home].discard(track.uid)
        track.home, track.since, track.last = zone, t, t
        track.missed, track.lifted = 0, False
        self._near.setdefault(zone, set()).add(track.uid)

    def _best(self, track: Track, trial: _Trial) -> tuple[str, float]:
        """The likeliest new place of rest and its log odds against everything else."""
        scores = {}
        for zone, visits in trial.visits.items():
            rests = {since: self._rests(zone, since, trial) for since in visits}
            trial.first[zone] = max(rests, key=lambda since: (rests[since], -since))
            scores[zone] = rests[trial.first[zone]] + self._prior(track, zone)
        rivals = [self._passes(track, trial), self._hides(track, trial)]
        if track.home is not None:
            rivals.append(self._rests(track.home, 0, trial))
        zone = max(scores, key=lambda z: (scores[z], z))
        rivals += [score for other, score in scores.items() if other != zone]
        return zone, scores[zone] - log_sum(*rivals)

    def _prior(self, track: Track, zone: str) -> float:
        """ln of how rarely a card that rests at a seat goes to another one; back to where it was dealt is no news."""
        seats = track.home is not None and seat_of(track.home) is not None and seat_of(zone) is not None
        return MOVE_PRIOR if seats and zone != track.dealt_to else 0.0

    def _rests(self, zone: str, since: int, trial: _Trial) -> float:
        """ln P(looks | at rest in the zone since then, passing over the others before)."""
        score = 0.0
        for other, (r, n) in _count([look for look in trial.looks if look[0] >= since]).items():
            score += evidence.reads(_model(zone) if other == zone else CROSS, r, n)
        before = [look for look in trial.looks if look[0] < since]
        for other, (r, n) in _count(before).items():
            if r:
                score += self._passed(other, r, n, before)
        return score

    def _passed(self, zone: str, r: int, n: int, looks: list[tuple[int, str, bool]]) -> float:
        """ln P(reads of a zone | only passing): one short visit; another one, or a long one, is unlikely."""
        longest, visits = _stays(looks, zone)
        return evidence.passing(r, n, longest) + REVISIT * (visits - 1)

    def _passes(self, track: Track, trial: _Trial) -> float:
        score = 0.0
        for zone, (r, n) in _count(trial.looks).items():
            if zone == track.home:
                score += evidence.reads(CROSS, r, n) if r else 0.0
            else:
                score += self._passed(zone, r, n, trial.looks) if r else 0.0
        return score

    def _hides(self, track: Track, trial: _Trial) -> float:
        counts = _count(trial.looks)
        longest = max(n for _, n in counts.values())
        crossing = sum(
            evidence.reads(FAR if zone in {MUCK, BURN} else CROSS, r, n)
            for zone, (r, n) in counts.items()
            if zone != track.home or r
        )
        lifted = LIFTED_PRIOR
        if track.home in {None, SHOE}:
            # A new card that is snatched up comes down again within a few seconds (1–3 s).
            span = trial.looks[-1][0] - min(trial.first.values())
            lifted -= max(0.0, (span - SNATCHED_MS) / 1000)
        return crossing + log_sum(HIDDEN_PRIOR + evidence.reads(OWN, 0, longest), lifted)


def _stays(looks: list[tuple[int, str, bool]], zone: str) -> tuple[int, int]:
    """(longest, visits): how long (ms) the reads of one visit span at most, and how many visits there were."""
    longest, visits, first, last = 0, 0, 0, 0
    for t, at, hit in looks:
        if at == zone and hit:
            if not visits or t - last > STAY_GAP_MS:
                first = t
                visits += 1
            last = t
            longest = max(longest, last - first)
    return longest, visits


def _count(looks: list[tuple[int, str, bool]]) -> dict[str, list[int]]:
    """Zone → [reads, looks]. The busiest loop of the core."""
    counts: dict[str, list[int]] = {}
    for _, zone, hit in looks:
        count = counts.get(zone)
        if count is None:
            counts[zone] = count = [0, 0]
        if hit:
            count[0] += 1
        count[1] += 1
    return counts
