"""A trial: a card is read elsewhere than at home, and several explanations compete for its looks.

    it rests in zone z since one of its first reads there    own reads of z, cross reads at the neighbours
    it still rests at home                                   own reads of home, cross reads elsewhere
    it is only passing                                       each visit is a flight over the zone, or a slow slide
    it rests where no antenna reads it, or is in a hand      cross reads only

Owns: the looks of one card while it is on trial, and what each explanation makes of them.
Refuses: deciding; the tracker moves the card, the order of the deal judges it.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from tablectl.core import evidence
from tablectl.core.evidence import (
    APART,
    CROSS,
    FAR,
    LIES,
    LIES_NEAR,
    OWN,
    PASSES,
    ReadModel,
    log_sum,
)  # fmt: skip
from tablectl.core.experience import Experience
from tablectl.layout import BURN, MUCK, SHOE, Layout, is_board, is_community

HIDDEN_PRIOR = -2.0
"""ln P(a card lies where nothing reads it)."""
LIFTED_PRIOR = -3.2
"""ln P(a card is picked up at once, or is in a hand now): 1–5 % of cards (assumption)."""
IDLE_PASS = -5.0
"""ln P(a card from the deck passes over a zone while no cards are pitched to the seats)."""
IDLE_HIDDEN, IDLE_LIFTED = -6.0, -6.0
"""The same for a card that lies where nothing reads it, and for one that is held over the felt: it is laid on the board
or the burn pile, and nobody takes it up."""
STAY_GAP_MS = 700
"""A pause of this length between two reads makes two visits of them."""
SNATCHED_MS = 1500
MOVE_PRIOR = -5.0
LONG_PASS_MS, MS_A_NAT = 1000, 250
"""Nothing passes over a zone for longer than that; each so many ms more are one nat less."""
SHIFT_PRIOR = -10.0
"""The same between the board and the burn pile, whose antennas both read what lies badly on either; by hand only."""
REVISIT = -3.0
"""ln P(a card that is only passing comes over the same zone again)."""
VISITS_KEPT = 3

Look = tuple[int, str, bool, int | None]
"""(t, zone, read, strength as the reader gives it or None)."""


class Count:
    """Reads `r` in `n` looks at one zone; `heard` reads with a known strength, `total` dB in all."""

    __slots__ = ("heard", "n", "r", "total")

    def __init__(self, r: int = 0, n: int = 0, heard: int = 0, total: int = 0) -> None:
        self.r, self.n, self.heard, self.total = r, n, heard, total

    def read(self, strength: int | None) -> None:
        """One more read."""
        self.r += 1
        if strength is not None:
            self.heard += 1
            self.total += strength

    def plus(self, other: Count) -> Count:
        """Both together."""
        return Count(self.r + other.r, self.n + other.n, self.heard + other.heard, self.total + other.total)


def lies(model: ReadModel, there: Count) -> float:
    """ln P(looks at the zone | the card lies in it, and is read there as the model says)."""
    return evidence.reads(model, there.r, there.n) + evidence.signal(LIES, there.heard, there.total)


def read_beside(model: ReadModel, there: Count) -> float:
    """ln P(looks at the zone | the card does not lie in it, and is read there as the model says)."""
    return evidence.reads(model, there.r, there.n) + evidence.signal(LIES_NEAR, there.heard, there.total)


def lies_beside(layout: Layout, zone: str, other: str, there: Count) -> float:
    """ln P(looks at the `other` zone | the card lies in `zone`)."""
    return read_beside(CROSS if layout.near(zone, other) else APART, there)


def held_over(layout: Layout, zone: str, other: str, there: Count) -> float:
    """ln P(looks at the `other` zone | the card is held above `zone`)."""
    model = CROSS if zone == other or layout.near(zone, other) else APART
    if other in {MUCK, BURN}:
        model = FAR  # their antennas read no card in the air
    return read_beside(model, there)


def passes_over(layout: Layout, zone: str, other: str, there: Count, dwell_ms: int) -> float:
    """ln P(looks at the zone | the card passed over it once on its way to the `other` one)."""
    may_slide = is_board(zone) or layout.near(zone, other)
    return _visit(zone, there, dwell_ms, may_slide=may_slide)


@dataclass(slots=True)
class Trial:
    """The looks of one card since it was first read away from its home."""

    layout: Layout
    experience: Experience
    home: str | None
    dealt_to: str | None
    """Where it first came to rest after the shoe."""
    before: int = 0
    """When the card was read last, elsewhere than at the shoe, before the trial began, ms."""
    first: dict[str, int] = field(default_factory=dict)
    """Zone → since when the card rests there, if it does: the beginning of one of its visits."""
    visits: dict[str, list[int]] = field(default_factory=dict)
    """Zone → the first read of each visit."""
    last: dict[str, int] = field(default_factory=dict)
    looks: list[Look] = field(default_factory=list)
    lead: str | None = None
    """Where it probably rests."""
    _counts: dict[int, dict[str, Count]] = field(default_factory=dict)
    """What was counted since the last look …"""
    _known: dict[tuple[int | None, str | None], float] = field(default_factory=dict)
    """… and what was worked out of it."""

    def visit(self, zone: str, t: int) -> None:
        """The card was read away from its home."""
        if zone not in self.last or t - self.last[zone] > STAY_GAP_MS:
            visits = self.visits.setdefault(zone, [])
            visits.append(t)
            del visits[1:-VISITS_KEPT]
            self.first.setdefault(zone, t)
        self.last[zone] = max(t, self.last.get(zone, t))

    def add(self, look: Look, kept: int) -> None:
        """One look at a zone concerned; so many are kept."""
        self.looks.append(look)
        self._counts, self._known = {}, {}
        if len(self.looks) > kept:
            del self.looks[: kept // 4]

    def best(self, *, pitching: bool) -> tuple[str, float]:
        """The likeliest new place of rest and its log odds against everything else."""
        scores = {}
        for zone, visits in self.visits.items():
            rests = {since: self.rests(zone, since) for since in visits}
            self.first[zone] = max(rests, key=lambda since: (rests[since], -since))
            scores[zone] = rests[self.first[zone]] + self._prior(zone)
        idle = self.home in {None, SHOE} and not pitching
        rivals = [self.passes(None) + (IDLE_PASS if idle else 0.0), self._hides(idle=idle)]
        if self.home is not None:
            rivals.append(self.rests(self.home, 0))
        zone = max(scores, key=lambda z: (scores[z], z))
        rivals += [score for other, score in scores.items() if other != zone]
        return zone, scores[zone] - log_sum(*rivals)

    def _prior(self, zone: str) -> float:
        """ln of how rarely a card goes there: from the deck to the muck, or from where it was dealt to a new place."""
        if self.home is None or self.home == SHOE:
            return MOVE_PRIOR if zone == MUCK else 0.0
        if is_community(self.home):
            # Collected once the hand is over; until then an antenna beside it reads what lies badly.
            return SHIFT_PRIOR if is_community(zone) else MOVE_PRIOR
        return 0.0 if zone in {SHOE, MUCK, self.dealt_to} else MOVE_PRIOR

    def rests(self, zone: str, since: int) -> float:
        """ln P(looks | at rest in the zone since then, passing over the others before)."""
        score = 0.0
        own = self.experience.own(zone)
        for other, count in self.counts(since).items():
            score += lies(own, count) if other == zone else lies_beside(self.layout, zone, other, count)
        return score + self._passed(until=since, toward=zone)

    def rests_unread(self, zone: str) -> float:
        """The same for a zone where it may not have been read yet: since its first read anywhere."""
        return self.rests(zone, self.first.get(zone, min(self.first.values())))

    def passes(self, toward: str | None) -> float:
        """ln P(looks | only passing, on its way to that place, or to any)."""
        score = self._passed(until=None, toward=toward)
        if toward in self.first:
            score += lies(self.experience.own(toward), self.counts(self.first[toward])[toward])
        return score

    def _passed(self, until: int | None, toward: str | None) -> float:
        """ln P(reads before `until` | passing): short visits; another visit, or a long one, is unlikely."""
        if until == 0:
            return 0.0
        score = self._known.get((until, toward))
        if score is None:
            score = self._known[until, toward] = self._passing(until, toward)
        return score

    def _passing(self, until: int | None, toward: str | None) -> float:
        reads: dict[str, list[Look]] = {}
        for look in self.looks:
            if until is not None and look[0] >= until:
                continue
            if look[1] in reads or look[2]:
                reads.setdefault(look[1], []).append(look)
        if toward is None or SHOE not in reads:
            return self._passages(reads, until, toward)
        # At the shoe's mouth it lay as long as it liked, but no longer once it was on its way.
        mouth = reads.pop(SHOE)
        left = min((looks[0][0] for looks in reads.values()), default=mouth[-1][0])
        mouth = [look for look in mouth if look[0] > left]
        if not any(look[2] for look in mouth):
            return self._passages(reads, until, toward)
        beside = read_beside(CROSS, self._count(SHOE, mouth))
        return log_sum(
            self._passages(reads, until, toward) + beside, self._waited(reads, mouth, until, toward)
        )

    def _waited(
        self, reads: dict[str, list[Look]], mouth: list[Look], until: int | None, toward: str
    ) -> float:
        """ln P(the reads | it lay at the mouth of the shoe until its last read there, and was read from there)."""
        left = max(look[0] for look in mouth if look[2])
        score = lies(
            self.experience.own(SHOE), self._count(SHOE, [look for look in mouth if look[0] <= left])
        )
        score += read_beside(CROSS, self._count(SHOE, [look for look in mouth if look[0] > left]))
        later = {}
        for zone, looks in reads.items():
            early = [look for look in looks if look[0] <= left]
            if early and zone != toward:
                score += lies_beside(self.layout, SHOE, zone, self._count(zone, early))
            late = [look for look in looks if look[0] > left]
            if any(look[2] for look in late):
                later[zone] = late
        return score + self._passages(later, until, toward)

    def _passages(self, reads: dict[str, list[Look]], until: int | None, toward: str | None) -> float:
        """ln P(the looks at each zone, from the first read there on | passing over it)."""
        score = 0.0
        for zone, looks in reads.items():
            if zone == toward and until is None:
                continue  # what was read at its goal is no evidence against it
            if zone == toward and self.home is not None and self.home != SHOE:
                score += lies_beside(self.layout, self.home, zone, self._count(zone, looks))
                continue
            if zone == self.home:
                hits = sum(look[2] for look in looks)
                score += evidence.reads(CROSS, hits, len(looks))
                continue
            may_slide = toward in {None, zone} or is_board(zone) or self.layout.near(zone, toward)
            score += _visits(zone, looks, self.experience.levels.get(zone), may_slide=may_slide)
            if until is None and self.last[zone] - self.visits[zone][-1] > 2 * _longest_ms(zone):
                score -= evidence.OVERSTAY  # its first reads may be so long ago that they are not kept
        return score

    def _hides(self, *, idle: bool) -> float:
        counts = self.counts(0)
        longest = max(count.n for count in counts.values())
        crossing = 0.0
        for zone, count in counts.items():
            if zone != self.home or count.r:
                crossing += read_beside(FAR if zone in {MUCK, BURN} else CROSS, count)
        hidden, lifted = (IDLE_HIDDEN, IDLE_LIFTED) if idle else (HIDDEN_PRIOR, LIFTED_PRIOR)
        if self.home in {None, SHOE}:
            # A new card that is snatched up comes down again within a few seconds (1–3 s).
            span = self.looks[-1][0] - min(self.first.values())
            lifted -= max(0.0, (span - SNATCHED_MS) / 1000)
        return crossing + log_sum(hidden + evidence.reads(OWN, 0, longest), lifted)

    def in_hand(self, zone: str) -> float:
        """ln P(looks | it lay in the zone and was picked up at once, and is read from above)."""
        score = LIFTED_PRIOR
        for other, count in self.counts(min(self.first.values())).items():
            score += held_over(self.layout, zone, other, count) if count.r else 0.0
        return score

    def counts(self, since: int) -> dict[str, Count]:
        """Zone → its looks since then."""
        if since not in self._counts:
            moments = {since, 0}.union(*self.visits.values())
            self._counts = self._counts_from(sorted(moments))
        return self._counts[since]

    def _counts_from(self, moments: list[int]) -> dict[int, dict[str, Count]]:
        """Moment → zone → its looks since then, in one pass. The busiest loop of the core."""
        spans: list[dict[str, Count]] = [{} for _ in moments]
        levels = self.experience.levels
        for t, zone, hit, strength in self.looks:
            span = spans[bisect_right(moments, t) - 1]
            count = span.get(zone)
            if count is None:
                span[zone] = count = Count()
            count.n += 1
            if hit:
                count.r += 1
                if strength is not None and zone in levels:
                    count.heard += 1
                    count.total += strength - levels[zone]
        for earlier, later in zip(reversed(spans[:-1]), reversed(spans[1:]), strict=True):
            for zone, count in later.items():
                earlier[zone] = earlier[zone].plus(count) if zone in earlier else count
        return dict(zip(moments, spans, strict=True))

    def _count(self, zone: str, looks: list[Look]) -> Count:
        usual = self.experience.levels.get(zone)
        count = Count(0, len(looks))
        for _, _, hit, strength in looks:
            if hit:
                count.read(None if strength is None or usual is None else strength - usual)
        return count

    def heard(self, since: int) -> dict[str, Count]:
        """The reads only, zone by zone, with their strength as the reader gives it."""
        counts: dict[str, Count] = {}
        for t, zone, hit, strength in self.looks:
            if hit and t >= since:
                counts.setdefault(zone, Count()).read(strength)
        return counts


def _visits(zone: str, looks: list[Look], usual: int | None, *, may_slide: bool) -> float:
    """ln P(the looks at one zone, from the first read on | passing visits)."""
    score, count, first, last, pending = 0.0, Count(), 0, 0, 0
    number = 0
    for t, _, hit, strength in looks:
        if not hit:
            pending += 1
            continue
        if count.n and t - last > STAY_GAP_MS:
            score += _visit(zone, count, last - first, may_slide=may_slide) + REVISIT * (number > 0)
            count, number = Count(), number + 1
        if not count.n:
            first, pending = t, 0
        count.n += 1 + pending
        count.read(None if strength is None or usual is None else strength - usual)
        pending = 0
        last = t
    return score + _visit(zone, count, last - first, may_slide=may_slide) + REVISIT * (number > 0)


def _longest_ms(zone: str) -> int:
    """How long a card may glide over the zone."""
    return evidence.BOARD_MS if is_board(zone) else evidence.SLIDE_MS


def _visit(zone: str, count: Count, dwell_ms: int, *, may_slide: bool) -> float:
    longest = _longest_ms(zone)
    passing = evidence.passing(count.r, count.n, dwell_ms, may_slide=may_slide, longest_ms=longest)
    passing -= max(0, dwell_ms - LONG_PASS_MS) / MS_A_NAT
    return passing + evidence.signal(PASSES, count.heard, count.total)
