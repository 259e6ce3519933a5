"""The same simulated evenings, watched by a table with its defaults and by one whose antennas were calibrated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import median
from typing import Any

from by_hand import Calibrated

from tablectl import recording
from tablectl.app import table_of
from tablectl.bench.campaign import Campaign, Chunk, label
from tablectl.bench.judge import Verdict, claims_of, judge
from tablectl.calibrate.results import results_of
from tablectl.config import from_recording
from tablectl.core.decisions import Decision
from tablectl.core.sensed import Sweep
from tablectl.layout import Antenna
from tablectl.sim.record import generate
from tablectl.sim.truth import Truth

Figures = Mapping[Antenna, Mapping[str, float | int]]


def measured(campaign: Campaign, chunk: Chunk) -> Figures:
    """What `tablectl calibrate` would write for the very table of that evening, before it begins."""
    table = Calibrated(
        campaign.physics, campaign.seed_of(chunk), seats=campaign.seats, boards=campaign.readers
    )  # fmt: skip
    results = results_of(table.course.table, table.layout)
    found = {each.antenna: results.calibration(each) for each in results.antennas}
    return {antenna: figures for antenna, figures in found.items() if figures is not None}


def watched(campaign: Campaign, chunk: Chunk, figures: Figures | None, hands: int | None = None) -> Verdict:
    """The evening, or its first hands, watched by a table that is configured with these figures, or with none."""
    truth = Truth()
    plans = campaign.plans(chunk)[:hands]
    lines = generate(
        campaign.setup, plans, campaign.physics, campaign.seed_of(chunk), truth=truth, habits=campaign.habits
    )
    first: dict[str, Any] = next(lines)
    for (reader, antenna), each in (figures or {}).items():
        first["config"]["reader"][reader].setdefault("calibration", {})[str(antenna)] = dict(each)
    head, events = recording.from_objects(first, lines, strict=True)
    table = table_of(from_recording(head.config, head.decks, head.active_deck))
    decisions: list[Decision] = []
    read: set[str] = set()
    for event in events:
        decisions += table.step(event)
        if isinstance(event, Sweep):
            read.update(seen.uid for seen in event.seen)
    labels = {number: label(plan) for number, plan in enumerate(plans, start=1)}
    return judge(truth.events, claims_of(decisions), labels, ever_read=frozenset(read))


class Tally:
    """What a table told over all evenings."""

    def __init__(self) -> None:
        self.hands = self.false = self.soft = 0
        self.results: Counter[str] = Counter()
        self.ms: list[float] = []

    def add(self, verdict: Verdict) -> None:
        """One evening."""
        self.hands += verdict.hands
        self.false += len(verdict.false)
        self.soft += len(verdict.soft)
        self.results.update(slip.result for slip in verdict.slips)
        self.ms += [slip.confirmed_ms for slip in verdict.slips if slip.confirmed_ms is not None]

    @property
    def missed(self) -> int:
        """Slips that were not found."""
        return sum(self.results.values()) - self.results["found"]

    def __str__(self) -> str:
        latency = f"{median(self.ms):.0f} ms" if self.ms else "-"
        slips = sum(self.results.values())
        false = f"{self.hands} hands, {self.false} false, {self.soft} soft"
        return f"{false}; {self.missed} of {slips} slips missed, {latency}"


def both(campaign: Campaign, chunks: int, hands: int | None = None) -> tuple[Tally, Tally]:
    """So many evenings of the campaign, or the first hands of each: (with defaults, calibrated)."""
    plain, calibrated = Tally(), Tally()
    for chunk in campaign.chunks[:chunks]:
        plain.add(watched(campaign, chunk, None, hands))
        calibrated.add(watched(campaign, chunk, measured(campaign, chunk), hands))
    return plain, calibrated
