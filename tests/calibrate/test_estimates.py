"""Figures against the truth: do the intervals hold what they promise, on tables that nothing was tuned on?"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import pytest
from by_hand import Calibrated

from tablectl.calibrate.estimate import Estimate
from tablectl.calibrate.results import results_of
from tablectl.sim.noise import preset

BOUND = {"read": {"light": 0.11, "heavy": 0.16}, "strength": {"light": 2.2, "heavy": 3.2}}
"""Nine in ten figures are no further from the truth: a share of looks, and dB."""


@dataclass
class Score:
    """How many intervals hold the truth, and how far the figures are from it."""

    held: int = 0
    errors: list[float] = field(default_factory=list)

    def add(self, estimate: Estimate, truth: float) -> None:
        """One figure."""
        self.held += estimate.low <= truth <= estimate.high
        self.errors.append(abs(estimate.mean - truth))

    @property
    def share(self) -> float:
        """Of all intervals, those that hold the truth."""
        return self.held / len(self.errors)

    def within(self, bound: float) -> float:
        """The share of figures that are that near to the truth."""
        return sum(error <= bound for error in self.errors) / len(self.errors)


def scored(noise: str, seeds: range) -> dict[str, Score]:
    """Calibrations of so many tables, against the truth."""
    scores: dict[str, Score] = defaultdict(Score)
    for seed in seeds:
        table = Calibrated(preset(noise), f"truth/{seed}")
        results = results_of(table.course.table, table.layout)
        assert results.kappa is not None
        scores["kappa"].add(results.kappa, table.kappa())
        for each in results.antennas:
            assert each.read is not None
            assert each.strength is not None
            scores["read"].add(each.read, table.read(each.antenna))
            scores["strength"].add(each.strength, table.antenna(each.antenna).level)
            for zone, rate in each.beside.items():
                truth = table.beside(each.antenna, zone)
                if truth:
                    scores["beside"].add(rate, truth)
    return scores


@pytest.mark.timeout(400)
@pytest.mark.parametrize("noise", ["light", pytest.param("heavy", marks=pytest.mark.long)])
def test_a_few_tables_are_estimated_within_the_stated_error(noise: str) -> None:
    """Three tables: most intervals hold, most figures are near."""
    scores = scored(noise, range(3))
    for name, bounds in BOUND.items():
        assert scores[name].share >= 0.85, (name, scores[name].share)
        assert scores[name].within(bounds[noise]) >= 0.85, (name, scores[name].within(bounds[noise]))
    assert scores["beside"].share >= 0.85


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("noise", ["light", "heavy"])
def test_the_intervals_hold_as_often_as_they_promise(noise: str) -> None:
    """Twenty-four other tables: 95 % intervals hold the truth in about 95 of 100 cases, errors stay in their bounds."""
    scores = scored(noise, range(100, 124))
    for name, score in scores.items():
        print(noise, name, f"{score.held} of {len(score.errors)}")  # noqa: T201 - the figures are the result
    for name in ("read", "strength", "beside"):
        assert 0.90 <= scores[name].share <= 0.995, (name, scores[name].share)
    assert scores["kappa"].held >= 21
    for name, bounds in BOUND.items():
        assert scores[name].within(bounds[noise]) >= 0.9, (name, scores[name].within(bounds[noise]))
