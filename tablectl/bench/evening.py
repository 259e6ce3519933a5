"""One chunk of a campaign: an evening is simulated, every tracker watches it, the judge counts.

Owns: playing a chunk and its small result, plain JSON. Refuses: which chunks there are (`campaign`), and adding
results up (`tally`). The trackers get the recording's lines, parsed; the truth goes to the judge alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablectl import recording
from tablectl.app import table_of
from tablectl.bench.baselines import Baselines
from tablectl.bench.campaign import CLEAN, Campaign, Chunk, label
from tablectl.bench.floor import Floor
from tablectl.bench.judge import Claim, Slip, Verdict, claims_of, judge
from tablectl.config import from_recording
from tablectl.core.decisions import Decision
from tablectl.core.sensed import Sweep
from tablectl.sim.record import generate
from tablectl.sim.truth import Truth

OURS = "tablectl"
LOOK_UP = 512
"""The worker asks after so many lines whether it is to stop."""


class Halted(Exception):  # noqa: N818 - not an error: the campaign was interrupted
    """The evening was broken off; nothing of it counts."""


def play(campaign: Campaign, chunk: Chunk, halted: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """The result of one chunk. Raises Halted once `halted` says so."""
    truth = Truth()
    plans, seed = campaign.plans(chunk), campaign.seed_of(chunk)
    lines = generate(campaign.setup, plans, campaign.physics, seed, truth=truth, habits=campaign.habits)
    head, events = recording.from_objects(next(lines), lines, strict=True)
    config = from_recording(head.config, head.decks, head.active_deck)
    table = table_of(config)
    floor = Floor(truth.events, config.layout())
    others = Baselines(config) if campaign.with_baselines(chunk) else None
    decisions: list[Decision] = []
    ever_read: set[str] = set()
    for count, event in enumerate(events):
        if count % LOOK_UP == 0 and halted():
            raise Halted
        decisions += table.step(event)
        if isinstance(event, Sweep):
            ever_read.update(seen.uid for seen in event.seen)
            floor.step(event)
        if others is not None:
            others.step(event)
    labels = {number: label(plan) for number, plan in enumerate(plans, start=1)}
    read = frozenset(ever_read)
    ours = judge(truth.events, claims_of(decisions), labels, ever_read=read)
    trackers = {OURS: _counts(ours)}
    for other in others or ():
        verdict = judge(
            truth.events, other.claims, labels, ever_read=read, tolerant=True, only=other.checks
        )  # fmt: skip
        trackers[other.name] = _counts(verdict)
    return {
        "chunk": [chunk.kind, chunk.number],
        "hands": ours.hands,
        "trackers": trackers,
        "floor": _floor(ours, floor),
        "wrong": _wrong(ours, chunk, seed),
    }


def _counts(verdict: Verdict) -> dict[str, Any]:
    """What is added up: [label, kind, result, readable, confirmed ms, soft ms] for each slip, and counts."""
    return {
        "false": len(verdict.false),
        "false_hands": len({hand for hand, _ in verdict.false}),
        "soft": len(verdict.soft),
        "corrected": verdict.corrected,
        "doubles": verdict.doubles,
        "slips": [
            [slip.label, slip.kind, slip.result, slip.readable, slip.confirmed_ms, slip.soft_ms]
            for slip in verdict.slips
        ],
    }


def _floor(verdict: Verdict, floor: Floor) -> list[list[Any]]:
    """What anybody could read of each slip: [kind, readable, first read ms, second read ms, tablectl confirmed ms]."""
    return [
        [slip.kind, slip.readable, reads.first, reads.second, slip.confirmed_ms]
        for slip, reads in zip(verdict.slips, floor.all(), strict=True)
        if reads is not None
    ]


def _wrong(verdict: Verdict, chunk: Chunk, seed: str) -> list[dict[str, Any]]:
    """Every wrong outcome with all that is needed to see it again: `play` this chunk and look at that moment."""
    where = {"chunk": str(chunk), "seed": seed}
    besides = "false" if chunk.kind == CLEAN else "beside"
    wrong = [_told(besides, where, hand, claim) for hand, claim in verdict.false]
    wrong += [_told("soft alarm", where, hand, claim) for hand, claim in verdict.soft]
    wrong += [_of(slip, where) for slip in verdict.slips if slip.result != "found"]
    return sorted(wrong, key=lambda each: int(each["t"]))


def _told(what: str, where: dict[str, str], hand: int, claim: Claim) -> dict[str, Any]:
    return {"what": what, **where, "hand": hand, "t": claim.t, **claim.shown()}


def _of(slip: Slip, where: dict[str, str]) -> dict[str, Any]:
    told = {"told": {"t": slip.told.t, **slip.told.shown()}} if slip.told else {}
    return {
        "what": slip.result, **where, "hand": slip.hand, "t": slip.at, "kind": slip.kind, "slip": slip.label,
        "readable": slip.readable, **told,
    }  # fmt: skip
