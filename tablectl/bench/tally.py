"""The results of many chunks, added up to figures.

Owns: counts, intervals and latencies per tracker, group and kind, as one JSON object. Refuses: how it is shown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablectl.bench import intervals
from tablectl.bench.campaign import CLEAN, Campaign
from tablectl.bench.judge import GROUPS, NEEDS_READS

PER = 10_000
"""False alarms are given per so many clean hands."""
BOARD_CARDS = ("premature_card", "too_many_board_cards")
TIMED: Mapping[str, tuple[str, ...]] = {
    "board card": BOARD_CARDS,
    "wrong seat and extra": (*GROUPS["wrong seat"], *GROUPS["extra and stuck"]),
}
"""Whose latency is asked for."""

Outcome = Mapping[str, Any]


@dataclass(slots=True)
class Slips:
    """What became of the slips of one kind, group or variant."""

    results: Counter[str] = field(default_factory=Counter)
    left_out: int = 0
    """Cards that were not readable for long enough."""
    confirmed: list[int] = field(default_factory=list)
    soft: list[int] = field(default_factory=list)

    def add(self, result: str, confirmed: int | None, soft: int | None, *, counts: bool) -> None:
        """One more slip."""
        if not counts:
            self.left_out += 1
            return
        self.results[result] += 1
        if confirmed is not None:
            self.confirmed.append(confirmed)
        if soft is not None:
            self.soft.append(soft)

    @property
    def of(self) -> int:
        """How many count."""
        return self.results.total()

    @property
    def missed(self) -> int:
        """How many were not found under their own name."""
        return self.of - self.results["found"]

    def as_json(self) -> dict[str, Any]:
        """Counts, the share that was missed with its interval in percent, and latencies, ms."""
        low, high = intervals.share(self.missed, self.of)
        return {
            "of": self.of,
            "missed": self.missed,
            "misnamed": self.results["misnamed"],
            "soft_only": self.results["soft"],
            "left_out": self.left_out,
            "missed_percent": 100 * self.missed / self.of if self.of else None,
            "interval_percent": [100 * low, 100 * high] if self.of else None,
            "confirmed_ms": spread(self.confirmed),
            "soft_ms": spread(self.soft),
        }


def spread(values: Sequence[int]) -> dict[str, float | None]:
    """Three percentiles, ms."""
    return {f"p{of}": intervals.percentile(values, of) for of in (50, 90, 99)}


@dataclass(slots=True)
class Reads:
    """How often and how soon the cards of some slips were read where they lay: the floor of every tracker."""

    first: list[int] = field(default_factory=list)
    second: list[int] = field(default_factory=list)
    of: int = 0
    found: int = 0
    """Of the cards that were not read twice, those whose slip tablectl found all the same, by other cards."""
    sooner: int = 0
    """Of those that were, the slips that it confirmed before."""

    def add(self, first: int | None, second: int | None, confirmed: int | None) -> None:
        """One more card, with the time at which tablectl confirmed its slip; ms from the rest."""
        self.of += 1
        if first is not None:
            self.first.append(first)
        if second is not None:
            self.second.append(second)
            self.sooner += confirmed is not None and confirmed < second
        else:
            self.found += confirmed is not None

    @property
    def unreadable(self) -> int:
        """How many were read once or never."""
        return self.of - len(self.second)

    def as_json(self) -> dict[str, Any]:
        """Counts, the share that cannot be told by its card with its interval in percent, and the floors, ms."""
        low, high = intervals.share(self.unreadable, self.of)
        return {
            "of": self.of,
            "unreadable": self.unreadable,
            "unreadable_found": self.found,
            "sooner": self.sooner,
            "unreadable_percent": 100 * self.unreadable / self.of if self.of else None,
            "interval_percent": [100 * low, 100 * high] if self.of else None,
            "floor_ms": {"first": spread(self.first), "second": spread(self.second)},
        }


@dataclass(slots=True)
class Tracker:
    """All figures of one tracker."""

    hands: int = 0
    """Clean hands."""
    false: int = 0
    false_hands: int = 0
    """Clean hands with a false alarm: one error in the deal can make a plain checker raise many."""
    soft: int = 0
    corrected: int = 0
    beside: int = 0
    """Confirmed claims in chunks with slips that no slip explains."""
    kinds: defaultdict[str, Slips] = field(default_factory=lambda: defaultdict(Slips))
    variants: defaultdict[str, Slips] = field(default_factory=lambda: defaultdict(Slips))

    def add(self, counts: Mapping[str, Any], *, clean_hands: int) -> None:
        """One more chunk."""
        self.hands += clean_hands
        self.corrected += counts["corrected"]
        if clean_hands:
            self.false += counts["false"]
            self.false_hands += counts["false_hands"]
            self.soft += counts["soft"]
        else:
            self.beside += counts["false"]
        for label, kind, result, readable, confirmed, soft in counts["slips"]:
            counted = readable or kind not in NEEDS_READS
            for each in (self.kinds[kind], self.variants[label]):
                each.add(result, confirmed, soft, counts=counted)

    def together(self, kinds: Iterable[str]) -> Slips:
        """Several kinds as one."""
        total = Slips()
        for kind in kinds:
            if kind in self.kinds:
                one = self.kinds[kind]
                total.results += one.results
                total.left_out += one.left_out
                total.confirmed += one.confirmed
                total.soft += one.soft
        return total

    def as_json(self) -> dict[str, Any]:
        """The figures as the JSON output has them."""
        low, high = (PER * bound / self.hands if self.hands else None for bound in intervals.rate(self.false))
        every = [kind for kinds in GROUPS.values() for kind in kinds]
        groups = {name: self.together(kinds) for name, kinds in GROUPS.items()}
        return {
            "clean_hands": self.hands,
            "false": self.false,
            "false_per_10000": PER * self.false / self.hands if self.hands else None,
            "interval_per_10000": [low, high] if self.hands else None,
            "false_hands": self.false_hands,
            "false_hands_per_10000": PER * self.false_hands / self.hands if self.hands else None,
            "soft": self.soft,
            "soft_per_10000": PER * self.soft / self.hands if self.hands else None,
            "corrected": self.corrected,
            "beside_slips": self.beside,
            "groups": {name: slips.as_json() for name, slips in groups.items() if slips.of or slips.left_out},
            "all_groups": self.together(every).as_json(),
            "kinds": {kind: self.kinds[kind].as_json() for kind in sorted(self.kinds)},
            "variants": {name: self.variants[name].as_json() for name in sorted(self.variants)},
            "latency": {
                name: {"confirmed_ms": spread(both.confirmed), "soft_ms": spread(both.soft), "of": both.of}
                for name, kinds in TIMED.items()
                if (both := self.together(kinds)).of
            },
        }


@dataclass(slots=True)
class Tally:
    """A campaign as far as it is done."""

    campaign: Campaign
    hands: int = 0
    chunks: int = 0
    trackers: dict[str, Tracker] = field(default_factory=dict)
    reads: defaultdict[str, Reads] = field(default_factory=lambda: defaultdict(Reads))
    """By kind, what the antennas gave to every tracker alike."""
    wrong: list[dict[str, Any]] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """One more chunk; in whatever order they come, the figures are the same."""
        kind, _ = outcome["chunk"]
        self.chunks += 1
        self.hands += outcome["hands"]
        for name, counts in outcome["trackers"].items():
            tracker = self.trackers.setdefault(name, Tracker())
            tracker.add(counts, clean_hands=outcome["hands"] if kind == CLEAN else 0)
        for slip, readable, first, second, confirmed in outcome["floor"]:
            if readable or slip not in NEEDS_READS:
                self.reads[slip].add(first, second, confirmed)
        self.wrong += outcome["wrong"]

    @property
    def complete(self) -> bool:
        """All chunks are in."""
        return self.chunks == len(self.campaign.chunks)

    def failures(self) -> list[dict[str, Any]]:
        """tablectl's wrong outcomes, in the order of the chunks."""

        def place(wrong: dict[str, Any]) -> tuple[str, int, int]:
            kind, _, number = wrong["chunk"].partition("/")
            return kind, int(number), wrong["t"]

        return sorted(self.wrong, key=place)

    def as_json(self) -> dict[str, Any]:
        """The one object of `--json`."""
        return {
            "campaign": self.campaign.as_json(),
            "complete": self.complete,
            "hands": self.hands,
            "trackers": {name: tracker.as_json() for name, tracker in self.trackers.items()},
            "floor": {
                "groups": self._floors(GROUPS),
                "latency": self._floors(TIMED),
                "kinds": {kind: self.reads[kind].as_json() for kind in sorted(self.reads)},
            },
        }

    def _floors(self, families: Mapping[str, Iterable[str]]) -> dict[str, Any]:
        """The floor of several kinds as one, where there is any."""
        made = {}
        for name, kinds in families.items():
            known = [self.reads[kind] for kind in kinds if kind in self.reads]
            if known:
                made[name] = Reads(
                    [ms for one in known for ms in one.first], [ms for one in known for ms in one.second],
                    sum(one.of for one in known), sum(one.found for one in known),
                    sum(one.sooner for one in known),
                ).as_json()  # fmt: skip
        return made
