"""A table that was calibrated is no worse at its work than one with its defaults, on the same evenings."""

from __future__ import annotations

import pytest
from evenings import both

from tablectl.bench.campaign import Campaign


@pytest.mark.long
@pytest.mark.timeout(400)
def test_calibrated_antennas_accuse_nobody_and_find_what_the_defaults_find() -> None:
    """Four hands of a light evening, two of them with slips: no false alarm, and nothing more is missed."""
    plain, calibrated = both(Campaign(hands=10, noise="light", seed=7, slips=2), 1, 4)
    assert calibrated.false <= plain.false
    assert calibrated.missed <= plain.missed
    assert calibrated.hands == plain.hands


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("noise", ["light", "heavy"])
def test_the_alarm_figures_do_not_get_worse(noise: str) -> None:
    """Twenty evenings each, clean and with slips: false alarms and missed slips stay within the chance of so few."""
    plain, calibrated = both(Campaign(hands=100, noise=noise, seed=778, slips=2), 20)
    print(f"{noise}: defaults {plain}; calibrated {calibrated}")  # noqa: T201 - the figures are the result
    assert calibrated.false <= plain.false + 2
    assert calibrated.missed <= plain.missed + max(2, plain.missed // 4)
