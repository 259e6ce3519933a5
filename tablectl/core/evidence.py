"""How likely a run of looks is, under each explanation of where a card is.

Owns: the read models and the signal model. A landing has its own read probability, drawn once and kept (a badly
placed card stays badly placed), so it is integrated out: r reads in n polls have the Beta-Bernoulli probability
B(α+r, β+n−r) / B(α, β). Runs of misses therefore have a heavy tail, as they do on a real felt. In the same way
a landing has its own signal strength, on which the single reads scatter.
Refuses: state. Everything here is a function of counts; all results are natural logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, lgamma, log, pi


@dataclass(frozen=True, slots=True)
class ReadModel:
    """Mean read probability of a landing and κ = α + β, how alike the landings are (tracking notes §3)."""

    mean: float
    kappa: float


OWN = ReadModel(0.85, 3.0)
"""A card at rest in the zone of the antenna that polls it; assumption, where no calibration says otherwise."""
DEALT = ReadModel(0.90, 6.0)
"""A card that was just dealt to a seat, flat and alone or on one other; to tell whether one is missing there."""
SPREAD = ReadModel(0.75, 2.5)
"""A card on the board, where several lie close together."""
BURNED = ReadModel(0.70, 3.5)
"""A card on the burn pile: at most a few on top of each other, which detune one another."""
PILE = ReadModel(0.55, 2.5)
"""A card in the muck, which is expected to be read in part only."""
WEAK = ReadModel(0.2, 4.0)
"""A card whose tag answers badly, wherever it lies."""
CROSS = ReadModel(0.05, 5.0)
"""A card read by a neighbouring zone's antenna."""
APART = ReadModel(0.004, 5.0)
"""A card read by the antenna of a zone that is not a neighbour: a garbled frame, an arm's sleeve."""
FAR = ReadModel(0.02, 15.0)
"""A card in the air, or where nothing reads it, read by the antenna of the muck or the burn, out of reach of it."""
FLYING = ReadModel(0.12, 4.0)
"""A card in flight, read by an antenna below it: 2–20 % (assumption)."""
SLIDING = ReadModel(0.55, 4.0)
"""A card that glides slowly over an antenna (assumption)."""

SLIDE = log(0.015)
"""ln of how many cards glide slowly over a neighbour of their place: 1–5 %, to either side."""
FLIGHT_MS = 150
"""A card in flight is over one zone no longer than this (50–120 ms; assumption), a late time stamp included."""
SLIDE_MS = 265
"""The same for a slow slide (120–250 ms; assumption)."""
BOARD_MS = 380
"""The same over the board, which a pitched card may cross in the air and again on its slide (assumption)."""
OVERSTAY = 12.0
"""What a passing explanation loses (nats) once the reads span more than that."""
KEPT = 1 << 12
"""So many results of each formula are kept: the same counts come again and again. More of them fill memory for hours
and save nothing."""


@lru_cache(maxsize=KEPT)
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


@lru_cache(maxsize=KEPT)
def passing(r: int, n: int, dwell_ms: int, *, may_slide: bool, longest_ms: int = SLIDE_MS) -> float:
    """ln P(r reads in the n polls of one visit) for a card that flies over; or glides, where it may."""
    fly = reads(FLYING, r, n) - (OVERSTAY if dwell_ms > FLIGHT_MS else 0.0)
    if not may_slide:
        return fly
    return log_sum(fly, SLIDE + reads(SLIDING, r, n) - (OVERSTAY if dwell_ms > longest_ms else 0.0))


UNEVEN = 0.2
"""Scatter of ln of the time between two cards of a deal, of one dealer in one hand (assumption)."""
PAUSE = 0.08
"""Share of the intervals in which the dealer pauses or hurries."""


def beats(ratio: float, number: int) -> float:
    """ln P(the time between two cards is `ratio` times the usual one | it took the dealer that number of cards)."""
    off = (log(ratio) - log(number)) / UNEVEN
    steady = exp(-off * off / 2) / (UNEVEN * (2 * pi) ** 0.5)
    return log((1 - PAUSE) * steady + PAUSE / 4)


@dataclass(frozen=True, slots=True)
class SignalModel:
    """How much weaker (dB) a card is than those that lie well in the zone, and how far that scatters."""

    mean: float
    sigma: float


LIES = SignalModel(0.0, 3.0)
"""It lies there: placements differ by 2–3 dB (assumption)."""
LIES_NEAR = SignalModel(-11.0, 4.0)
"""It lies in a neighbouring zone: 7–15 dB weaker (assumption)."""
PASSES = SignalModel(-5.5, 3.8)
"""It flies or glides over: 2–9 dB weaker (assumption)."""
READ_SIGMA = 1.8
"""Scatter of one read, dB, the reader's coarse steps included (assumption)."""
OUTLIERS = 0.02
"""Share of landings whose strength says nothing."""
SPAN_DB = 40.0


@lru_cache(maxsize=KEPT)
def signal(model: SignalModel, count: int, total: int) -> float:
    """ln P(the mean of `count` reads, `total` dB in all above the zone's usual level), against no opinion."""
    if not count:
        return 0.0
    variance = model.sigma**2 + READ_SIGMA**2 / count
    off = total / count - model.mean
    density = exp(-off * off / (2 * variance)) / (2 * pi * variance) ** 0.5
    return log((1 - OUTLIERS) * density + OUTLIERS / SPAN_DB) - log(1 / SPAN_DB)


def log_sum(*terms: float) -> float:
    """ln Σ eˣ."""
    top = max(terms)
    return top + log(sum([exp(term - top) for term in terms]))
