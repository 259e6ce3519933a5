"""What a restart leaves unseen: simulated evenings with a gap of some seconds, judged by the truth. Minutes."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import pytest

from tablectl import recording
from tablectl.app import table_of
from tablectl.app.kept.moment import dump, load
from tablectl.bench.judge import claims_of, judge
from tablectl.config import Config, from_recording
from tablectl.core.alerts import Alerts
from tablectl.core.decisions import Decision
from tablectl.core.sensed import Entry, Lost, Sensed
from tablectl.core.table import Table
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth

EVENINGS = 24
GAPS_MS = (0, 1500, 3000, 6000)
"""From the last look of the old process to the first one of the new; 0: none was killed."""


def evening(seed: int) -> tuple[Config, list[Sensed], Truth]:
    """Three hands at a table, one or two of them with a slip."""
    rng, truth = random.Random(f"gaps {seed}"), Truth()
    setup = TableSetup(betting=rng.choice(["actions", "none"]), seats=rng.choice([6, 9]))
    if setup.betting == "actions":
        steps = list(islice(script.endless(rng, 0.4), 3))
    else:
        steps = [*rng.sample(script.one_of_each("none"), 1), *script.clean(2)]
    lines = generate(setup, steps, preset("light"), seed=seed, truth=truth)
    head, events = recording.from_objects(next(lines), lines, strict=True)
    return from_recording(head.config, head.decks, head.active_deck), list(events), truth


def restarted(config: Config, events: Sequence[Sensed], at: int, gap: int) -> tuple[list[Decision], bool]:
    """What is decided with a restart before that event, and whether a hand was on. What is entered in the gap comes
    after it.

    A table that is not restarted, and whose readers are away as long, must decide the same at every event.
    """
    table, made = table_of(config), list[Decision]()
    for event in events[:at]:
        made += table.step(event)
    in_hand = table.hand is not None and not table.hand.ended
    other, _ = load(dump(table, Alerts()), table.setting, table.book)
    until = events[at].t + gap
    losses = [Lost(table.now, number) for number in range(len(config.readers))]
    late = [event for event in events[at:] if event.t >= until or isinstance(event, Entry)]
    for event in [*losses, *late]:
        decided = both(table, other, event)
        made += decided
    return made, in_hand


def both(table: Table, other: Table, event: Sensed) -> Sequence[Decision]:
    decided = table.step(event)
    assert [each.as_json() for each in other.step(event)] == [each.as_json() for each in decided]
    return decided


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_gap_is_what_an_outage_of_the_readers_is(capsys: pytest.CaptureFixture[str]) -> None:
    """A restart at a random moment of each evening, with gaps of 1.5, 3 and 6 s: it is to the table what the loss of
    all its readers for that time is, to the last decision. Who is accused wrongly, and what is missed, is printed."""
    count = Counter[str]()
    for seed in range(EVENINGS):
        config, events, truth = evening(seed)
        for gap in GAPS_MS:
            at = random.Random(f"{seed} {gap}").randrange(200, len(events) - 200)
            made, in_hand = restarted(config, events, at if gap else len(events) - 1, gap)
            verdict = judge(truth.events, claims_of(made), {})
            count[f"{gap} ms, in a hand"] += in_hand and gap > 0
            count[f"{gap} ms, slips"] += len(verdict.slips)
            count[f"{gap} ms, found"] += sum(each.result == "found" for each in verdict.slips)
            count[f"{gap} ms, false"] += len(verdict.false)
    with capsys.disabled():
        sys.stdout.write(f"\n{dict(count)}\n")
    assert sum(number for name, number in count.items() if "in a hand" in name) > EVENINGS
    # Measured: one in 72 restarts, after 6 s; the core does the same when its readers are away as long.
    assert sum(count[f"{gap} ms, false"] for gap in GAPS_MS) <= 1
    assert count["0 ms, found"] > 0.8 * count["0 ms, slips"]
    assert all(count[f"{gap} ms, found"] > 0.6 * count[f"{gap} ms, slips"] for gap in GAPS_MS)
