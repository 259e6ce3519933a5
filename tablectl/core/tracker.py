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
from collections.abc import Iterable, Mapping
from math import log

from tablectl.core import evidence
from tablectl.core.evidence import CROSS, log_sum
from tablectl.core.experience import SAMPLE_READS, Experience
from tablectl.core.settings import Calibration
from tablectl.core.sightings import Look, Read
from tablectl.core.track import Lifted, Movement, Placed, Track, Unplaced
from tablectl.core.trial import (
    IDLE_PASS,
    LIFTED_PRIOR,
    MOVE_PRIOR,
    Count,
    Trial,
    held_over,
    lies,
    lies_beside,
    passes_over,
    read_beside,
)  # fmt: skip
from tablectl.layout import MUCK, SHOE, Layout, is_community, seat_of

SETTLE = log(200.0)
"""Log odds at which a card counts as at rest."""
SETTLE_READS = 2
"""No card counts as at rest on a single read."""
SOFT = 2.5
"""Log odds at which it probably does."""
TRIAL_MS = 1500
"""A trial without a read outside the home for this long is over."""
LOOKS = 96
"""It is judged by so many looks …"""
NEW_TRIAL_MS, NEW_LOOKS = 6000, 400
"""… and for so long by so many, for a card from the deck after the deal, which lies badly somewhere."""
WEIGH_EVERY = 4
AT_HOME_MS = 150
"""A card that was read at home this recently is not weighed: it lies there …"""
AWAY_READS = 4
"""… unless it was read elsewhere so often: the antenna at home may be the one that reads it from beside."""
RECENT_MS = 2000
NOWHERE = -10.0
"""ln P(a card from the deck lies neither on the board or the burn pile, where it is read, nor in a zone beside it)."""
IN_HAND = -4.0
"""The same of a card at a seat: a player may hold it."""
LIFT_MS = 450
LIFT_LOOKS = 4
LIFT_ODDS = 3.0
"""A run of misses this unlikely (nats) means that the card was lifted."""
COVERED = 0.6
"""How well a card is read under a hand or chips, against before."""
POLLS_KEPT = 256


class Tracker:
    """All cards of one table."""

    def __init__(self, layout: Layout, calibration: Mapping[str, Calibration] | None = None) -> None:
        self._layout = layout
        self.experience = Experience(layout, calibration or {})
        self.pitching = False
        """Cards are pitched to the seats now, so that any card from the deck may be passing over a zone."""
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
                track.missed = 0
                if track.read(look.zone, read.rssi) == SAMPLE_READS:
                    self._learn(track)
            else:
                self._hit(track, look.zone, read, out)
        if look.complete:
            self._note_poll(look.zone, look.t)
            expected = self._near.get(look.zone)
            if expected and not expected <= hit:
                for uid in sorted(expected - hit):
                    self._miss(self.tracks[uid], look.zone, look.t, out)
        return out

    def doubt(self, uid: str, other: str | None) -> float:
        """ln P(the card lies in the `other` zone after all) − ln P(it lies where it was found), from all its looks.

        What speaks for the other zone is that a neighbour's antenna may read a card that its own one misses, that
        the card may be on its way there, or that a hand picked it up. None: it is on its way to anywhere.
        """
        track = self.tracks.get(uid)
        if track is None:
            return 0.0
        trial = track.trial
        if trial is not None and trial.lead is not None:
            astray = [trial.passes(other)]
            if other is None:
                astray[0] += IDLE_PASS
            else:
                astray.append(trial.rests_unread(other))
                if self._layout.near(trial.lead, other):
                    astray.append(trial.in_hand(other))
            return log_sum(*astray) - trial.rests(trial.lead, trial.first[trial.lead])
        if track.home is None:
            return 0.0
        if other is None:
            return evidence.OVERSTAY * -2
        here, there = self._count(track, track.home), self._count(track, other)
        layout, home = self._layout, track.home
        at_home = lies(self.experience.own(home), here) + lies_beside(layout, home, other, there)
        at_other = lies(self.experience.own(other), there)
        beside = lies_beside(layout, other, home, here)
        held = held_over(layout, other, home, here) + held_over(layout, other, other, there)
        over = passes_over(layout, home, other, here, track.last - track.since)
        return log_sum(at_other + beside, LIFTED_PRIOR + held, at_other + over) - at_home

    def certainty(self, uid: str) -> float:
        """Log odds that the card lies where it was found against all other explanations, from all its looks."""
        track = self.tracks.get(uid)
        if track is None:
            return 0.0
        if track.trial is not None and track.trial.lead is not None:
            return track.trial.best(pitching=self.pitching)[1]
        if track.home is None:
            return 0.0
        layout, home = self._layout, track.home
        here = self._count(track, home)
        crossing = read_beside(CROSS, here)
        over = passes_over(layout, home, home, here, track.last - track.since)
        # Against each: what else was read besides, and where it would lie then.
        nowhere = NOWHERE if is_community(home) else IN_HAND
        odds = [nowhere + crossing, over + (0.0 if self.pitching else IDLE_PASS)]
        for zone in layout.zones:
            if zone not in {home, SHOE} and layout.near(zone, home):
                there = self._count(track, zone)
                own = lies(self.experience.own(zone), there)
                if zone == MUCK and home == track.dealt_to:
                    own += MOVE_PRIOR  # no card is dealt to the muck
                odds.append(own - lies_beside(layout, home, zone, there) + crossing)
        return lies(self.experience.own(home), here) - log_sum(*odds)

    def _count(self, track: Track, zone: str) -> Count:
        """The looks at a zone since the card came to its home."""
        n = self.polls_since(zone, track.since - 1)
        heard = track.heard.get(zone)
        if heard is None:
            return Count(0, n)
        r = min(heard.r, n)
        usual = self.experience.levels.get(zone)
        if usual is None or not heard.heard:
            return Count(r, n)
        return Count(r, n, heard.heard, heard.total - heard.heard * usual)

    def place(self, uid: str) -> str | None:
        """Where the card lies, or probably does; None for one that lies nowhere."""
        track = self.tracks.get(uid)
        if track is None:
            return None
        if track.trial is not None and track.trial.lead is not None:
            return track.trial.lead
        return track.home

    def missing(self, uid: str, t: int) -> bool:
        """The card has not been read of late, whether or not that proves anything."""
        track = self.tracks.get(uid)
        return track is None or _unread(track, t)

    def absence(self, uid: str) -> float:
        """How unlikely (nats) it is that the card still lies at home, by the looks that missed it; 0 if it is read."""
        track = self.tracks.get(uid)
        if track is None or track.home is None or not track.missed:
            return 0.0
        return self._absence(track)

    def rate(self, uid: str) -> tuple[int, int]:
        """(reads, looks) at the card's home since it came there."""
        track = self.tracks.get(uid)
        if track is None or track.home is None:
            return 0, 0
        count = self._count(track, track.home)
        return count.r, count.n

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

    def astray(self, zones: Iterable[str], since: int) -> bool:
        """True if a card that lies nowhere, nor waits in the shoe, was read in one of the zones since then (ms)."""
        return any(
            (track.home is None or track.lifted)
            and track.trial is not None
            and track.trial.last.get(zone, -1) >= since
            for zone in zones
            for track in (self.tracks[uid] for uid in self._visits.get(zone, ()))
        )

    def forget_polls(self, zone: str) -> None:
        """What was not seen in the zone so far proves nothing any more (lost frames, a reader that was away)."""
        self._polls.pop(zone, None)
        for track in self.tracks.values():
            track.heard.pop(zone, None)
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
            if track.home is not None:
                self._learn_bad(track)
            for uids in self._near.values():
                uids.discard(uid)
            self._forget_visits(uid)

    def _forget_visits(self, uid: str) -> None:
        for visits in self._visits.values():
            visits.pop(uid, None)

    def _note_poll(self, zone: str, t: int) -> None:
        polls = self._polls.setdefault(zone, [])
        polls.append(t)
        if len(polls) > 2 * POLLS_KEPT:
            del polls[:POLLS_KEPT]

    def _hit(self, track: Track, zone: str, read: Read, out: list[Movement]) -> None:
        t = read.t
        if track.home is None and zone == SHOE and track.trial is None:
            # A card at the mouth of the shoe is still in the deck: a home, but nothing that happened.
            self._move(track, SHOE, t)
            return
        track.read(zone, read.rssi)
        before = self._last_read.get(track.uid, -RECENT_MS)
        if zone != SHOE:
            self._last_read[track.uid] = max(before, t)
        if zone == track.home:
            track.last, track.missed = t, 0
            if track.lifted:
                track.lifted = False
                out.append(Placed(track.uid, zone, t, t, settled=True, around=track.since))
        elif track.trial is None:
            track.trial = Trial(self._layout, self.experience, track.home, track.dealt_to, before=before)
        if track.trial is not None:
            if zone != track.home:
                track.trial.visit(zone, t)
                if track.home in {None, SHOE}:
                    self._visits.setdefault(zone, {}).setdefault(track.uid, t)
                self._near.setdefault(zone, set()).add(track.uid)
            self._weigh(track, track.trial, (t, zone, True, read.rssi), t, out)

    def _miss(self, track: Track, zone: str, t: int, out: list[Movement]) -> None:
        if zone == track.home:
            track.missed += 1
        if track.trial is not None:
            longest, _ = self._trial_of(track)
            if t - max(track.trial.last.values()) > longest:
                self._end_trial(track, track.trial, t, out)
            else:
                self._weigh(track, track.trial, (t, zone, False, None), t, out)
        if zone == track.home and not track.lifted and self._gone(track, t):
            track.lifted = track.picked_up = True
            if zone != SHOE:
                out.append(Lifted(track.uid, zone, track.last, t))

    def _trial_of(self, track: Track) -> tuple[int, int]:
        """How long a trial of the card may last without a read, ms, and how many looks it is judged by."""
        new = track.home in {None, SHOE} and not self.pitching
        return (NEW_TRIAL_MS, NEW_LOOKS) if new else (TRIAL_MS, LOOKS)

    def _gone(self, track: Track, t: int) -> bool:
        return _unread(track, t) and (track.home == SHOE or self._absence(track) >= LIFT_ODDS)

    def _absence(self, track: Track) -> float:
        """How unlikely (nats) its run of misses is for a card that still lies there, even if something covers it."""
        assert track.home is not None  # noqa: S101 (by the callers)
        count = self._count(track, track.home)
        rate = (count.r + 1) / (max(0, count.n - track.missed) + 2)
        return track.missed * -log(1 - COVERED * min(rate, 1.0))

    def _weigh(
        self,
        track: Track,
        trial: Trial,
        look: tuple[int, str, bool, int | None],
        t: int,
        out: list[Movement],
    ) -> None:
        _, kept = self._trial_of(track)
        trial.add(look, kept)
        _, where, hit, _ = look
        if (where == track.home if hit else trial.lead is None) and len(trial.looks) % WEIGH_EVERY:
            return  # what only speaks against a move, or for nothing yet, is weighed now and then
        if trial.lead is None and track.home is not None and t - track.last < AT_HOME_MS:
            away = sum(hit for _, at, hit, _ in trial.looks if at != track.home)
            if away < AWAY_READS:
                return  # it is still read at home: a neighbour's antenna reads it, too
        zone, odds = trial.best(pitching=self.pitching)
        if odds >= SETTLE and sum(hit for _, at, hit, _ in trial.looks if at == zone) >= SETTLE_READS:
            self._settle(track, trial, zone, t, out)
        elif odds >= SOFT and trial.lead != zone:
            self._withdraw_lead(track, trial, t, out)
            trial.lead = zone
            around = self._around(track, trial)
            out.append(Placed(track.uid, zone, trial.first[zone], t, settled=False, around=around))
        elif trial.lead is not None and (odds < 0 or zone != trial.lead):
            self._withdraw_lead(track, trial, t, out)

    def _settle(self, track: Track, trial: Trial, zone: str, t: int, out: list[Movement]) -> None:
        since, around = trial.first[zone], self._around(track, trial)
        heard = trial.heard(since)
        track.trial = None
        self._forget_visits(track.uid)
        for other in trial.first:
            if other != track.home:
                self._near[other].discard(track.uid)
        self._move(track, zone, t)
        track.since, track.heard = since, heard
        if track.dealt_to is None:
            track.dealt_to = zone
        out.append(Placed(track.uid, zone, since, t, settled=True, around=around))

    def _around(self, track: Track, trial: Trial) -> int:
        if track.home not in {None, SHOE}:
            return track.since
        first = min(visits[0] for zone, visits in trial.visits.items() if zone != SHOE)
        return trial.before if trial.before > first - RECENT_MS else first

    def _withdraw_lead(self, track: Track, trial: Trial, t: int, out: list[Movement]) -> None:
        if trial.lead is not None:
            out.append(Unplaced(track.uid, trial.lead, t))
            trial.lead = None

    def _end_trial(self, track: Track, trial: Trial, t: int, out: list[Movement]) -> None:
        self._withdraw_lead(track, trial, t, out)
        for zone in trial.first:
            if zone != track.home:
                self._near[zone].discard(track.uid)
        track.trial = None

    def _move(self, track: Track, zone: str, t: int) -> None:
        if track.home is not None:
            self._near[track.home].discard(track.uid)
            self._learn_bad(track)
        track.home, track.since, track.last = zone, t, t
        track.missed, track.lifted, track.picked_up = 0, False, False
        track.heard = {}
        self._near.setdefault(zone, set()).add(track.uid)

    def _learn(self, track: Track) -> None:
        """The card was read at home for the SAMPLE_READS-th time."""
        zone = track.home
        if zone is None or zone in {SHOE, MUCK} or track.picked_up:
            return
        heard = track.heard[zone]
        strength = heard.total / heard.heard if heard.heard else None
        self.experience.sampled(zone, self.polls_since(zone, track.since - 1), strength)

    def _learn_bad(self, track: Track) -> None:
        """The card leaves its home."""
        zone = track.home
        if zone is None or seat_of(zone) is None or track.lifted:
            return
        heard = track.heard.get(zone)
        self.experience.left(heard.r if heard else 0, self.polls_since(zone, track.since - 1))


def _unread(track: Track, t: int) -> bool:
    return track.missed >= LIFT_LOOKS and t - track.last >= LIFT_MS
