"""How likely a run of reads is, under each explanation of where a card is.

Owns: the read model. A landing has its own read probability, drawn once and kept (a badly placed card stays
badly placed), so it is integrated out: r reads in n polls have the Beta-Bernoulli probability
B(α+r, β+n−r) / B(α, β). Runs of misses therefore have a heavy tail, as they do on a real felt.
Refuses: state. Everything here is a function of counts; all results are natural logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, lgamma, log


@dataclass(frozen=True, slots=True)
class ReadModel:
    """Mean read probability of a landing and κ = α + β, how alike the landings are (tracking notes §3)."""

    mean: float
    kappa: float


OWN = ReadModel(0.85, 3.0)
"""A card at rest in the zone of the antenna that polls it; assumption, to be replaced by calibration."""
DEALT = ReadModel(0.90, 6.0)
"""A card that was just dealt to a seat, flat and alone or on one other; to tell whether one is missing there."""
SPREAD = ReadModel(0.75, 2.5)
"""A card on the board, where several lie close together."""
BURNED = ReadModel(0.70, 3.5)
"""A card on the burn pile: at most a few on top of each other, which detune one another."""
PILE = ReadModel(0.55, 2.5)
"""A card in the muck, which is expected to be read in part only."""
CROSS = ReadModel(0.05, 5.0)
"""A card read by a neighbouring zone's antenna."""
FAR = ReadModel(0.02, 15.0)
"""A card in the air, or where nothing reads it, read by the antenna of the muck or the burn, out of reach of it."""

FLY_READ = 0.10
"""Probability that a poll reads a card that is only passing."""
SLIDE = 0.03
"""Share of cards that glide slowly over a zone on their way (1–5 %)."""
PASSING_MS = 260
"""A card in flight or sliding is over one zone no longer than this."""
OVERSTAY = 9.0
"""What a passing explanation loses (nats) once the reads span more than PASSING_MS."""


@lru_cache(maxsize=16384)
def reads(model: ReadModel, r: int, n: int) -> float:
    """ln P(r reads in n polls, in the order they came) for one landing of the model."""
    a = model.mean * model.kappa
    b = model.kappa - a
    return (
        lgamma(a + r)
        + lgamma(b + n - r)
        - lgamma(model.kappa + n)
        - (lgamma(a) + lgamma(b) - lgamma(model.kappa))
    )


def passing(r: int, n: int, dwell_ms: int) -> float:
    """ln P(r reads in n polls) for a card that flies or slides over and rests somewhere else."""
    fly = r * log(FLY_READ) + (n - r) * log(1 - FLY_READ)
    slide = log(SLIDE) + n * log(0.5) + 0.4 * r
    return log_sum(fly, slide) - (OVERSTAY if dwell_ms > PASSING_MS else 0.0)


def log_sum(*terms: float) -> float:
    """ln Σ eˣ."""
    top = max(terms)
    return top + log(sum(exp(term - top) for term in terms))
