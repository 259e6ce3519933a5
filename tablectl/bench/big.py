"""The big campaign of `make accuracy`, and the table in the README that quotes it.

Owns: which tables are measured, how many hands each, and the Markdown of the README's accuracy table.
Refuses: measuring (`accuracy`). An incomplete campaign writes nothing: a README quotes what was measured to its end.

Every campaign is kept in a folder named after the code that was measured, so that figures of two versions never mix.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tablectl.bench import plot, readme, report
from tablectl.bench.accuracy import INTERRUPTED, Wishes, measure
from tablectl.bench.baselines import NAMED
from tablectl.bench.campaign import Campaign
from tablectl.bench.evening import OURS
from tablectl.bench.judge import GROUPS
from tablectl.bench.ledger import code
from tablectl.bench.report import NOTHING, counts, false_alarms, found, number, span, unreadable
from tablectl.bench.tally import TIMED, Tally
from tablectl.errors import TablectlError

SEED = 9202
"""Not used in tuning."""
NOISES = ("light", "heavy")
SHARES: Mapping[int, int] = {4: 1, 2: 20, 1: 20}
"""Reader boards → by what the clean hands are divided there."""
SLIP_SHARE = 250
"""One hand for each variant of each slip for so many clean hands; a trial of a few hands has none."""
CALIBRATED_SHARE = 10
"""By what the clean hands are divided of a table whose antennas were calibrated for the other noise."""
LEAST_SLIPS = 10
"""Such rounds of slips in the smaller campaigns: with fewer a p99 says nothing. Never more than at four."""
TABLE = "accuracy"
"""The name of the README's markers."""

Figures = Mapping[str, Any]
Measured = Mapping[str, Figures]
"""What a column is called → the figures."""


def campaigns(hands: int) -> Iterator[Campaign]:
    """Light and heavy at four boards, at two and at one; then tables that were calibrated for the other noise."""

    def of(share: int, **parameters: Any) -> Campaign:
        clean = max(1, hands // share)
        slips = min(hands // SLIP_SHARE, max(LEAST_SLIPS, clean // SLIP_SHARE))
        return Campaign(hands=clean, slips=slips, seed=SEED, **parameters)

    for readers, share in SHARES.items():
        for noise in NOISES:
            yield of(share, noise=noise, readers=readers, baseline_hands=1000 if readers == 4 else 0)
    for noise, other in zip(NOISES, reversed(NOISES), strict=True):
        yield of(CALIBRATED_SHARE, noise=noise, calibrated=other, baseline_hands=0)


def column(campaign: Campaign) -> str:
    """What its column is called."""
    boards = f"{campaign.readers} board{'s' if campaign.readers > 1 else ''}"
    return f"{campaign.noise}, calibrated for {campaign.calibrated}" if campaign.calibrated else (
        f"{campaign.noise}, {boards}"
    )  # fmt: skip


def run(hands: int, folder: Path, text: Path, jobs: int | None) -> None:
    """Measure what is not measured yet, then fill the README `text`. UsageError if it has no place for the table."""
    readme.parts(text, TABLE)
    store = folder / f"{code()}-{hands}"
    store.mkdir(parents=True, exist_ok=True)
    said = report.terminal(stderr=True)
    measured: dict[str, Figures] = {}
    for campaign in campaigns(hands):
        name = f"{campaign.noise}-{campaign.readers}{campaign.calibrated and '-' + campaign.calibrated}"
        said.print(f"{column(campaign)}, hands: {campaign.total_hands:,}")
        tally = Tally(campaign)
        measure(tally, Wishes(resume=store / f"{name}.jsonl", jobs=jobs))
        measured[column(campaign)] = tally.as_json()
        if campaign.baseline_hands:
            plot.draw(tally, store / f"{name}.png")
    readme.fill(text, TABLE, markdown(measured))
    said.print(f"{text}: the table is filled in; pictures and results are in {store}")


# --- Markdown -----------------------------------------------------------------------------------------------


def markdown(measured: Measured) -> str:
    """All that the README quotes."""
    campaign = next(iter(measured.values()))["campaign"]
    pace = "–".join(f"{value:g}" for value in campaign["pace"])
    hands = sum(figures["hands"] for figures in measured.values())
    intro = (
        f"{campaign['seats']} seats, whole hands of hold'em, {pace} cards a second, {hands:,} simulated hands, seed "
        f"{campaign['seed']}, which no tuning has seen. In brackets: exact 95 % intervals. Latencies in ms, from the "
        "moment the card came to rest. `make accuracy` measures all of it again."
    )
    parts = [intro, readme.table(*_ours(measured)), "The floor: " + report.FLOOR]
    compared = {name: figures for name, figures in measured.items() if len(figures["trackers"]) > 1}
    if compared:
        hands = max(figures["trackers"][NAMED[0]]["clean_hands"] for figures in compared.values())
        parts += [
            f"What plain trackers do with the same reads (the first {hands:,} clean hands of each campaign). Missed: "
            "of all board, burn, extra and wrong-seat slips. A hand counts once, however many false alarms it has.",
            readme.table(*_others(compared)),
        ]
    return "\n\n".join(parts)


def _ours(measured: Measured) -> tuple[list[str], list[list[str]]]:
    columns = [figures["trackers"][OURS] for figures in measured.values()]
    floors = [figures["floor"] for figures in measured.values()]
    head = ["", *measured]
    rows = [["clean hands", *(f"{each['clean_hands']:,}" for each in columns)]]
    rows += [["false alarms per 10,000", *(f"{false_alarms(each)}: {each['false']}" for each in columns)]]
    rows += [[f"found: {group}", *(found(each["groups"].get(group)) for each in columns)] for group in GROUPS]
    rows += [
        [f"card not read twice: {group}", *(unreadable(each["groups"].get(group)) for each in floors)]
        for group in GROUPS
    ]
    for what, key in (("confirmed", "confirmed_ms"), ("soft", "soft_ms")):
        for name in TIMED:
            spreads = [each["latency"].get(name, {}).get(key) for each in columns]
            rows.append([f"{what}, {name}: p50 / p90 / p99", *map(report.times, spreads)])
    for which in ("second", "first"):
        for name in TIMED:
            spreads = [report.floor(each, name, which) for each in floors]
            rows.append(
                [f"floor: {which} read of the card, {name}: p50 / p90 / p99", *map(report.times, spreads)]
            )
    return head, rows


def _others(measured: Measured) -> tuple[list[str], list[list[str]]]:
    head = [""]
    for name in measured:
        head += [f"{name}: false per 10,000", "missed"]
    rows = []
    for tracker in (OURS, *NAMED):
        row = [tracker]
        for figures in measured.values():
            each = figures["trackers"][tracker]
            row += [number(each["false_hands_per_10000"]), _all_missed(each)]
        rows.append(row)
    return head, rows


def _all_missed(tracker: Figures) -> str:
    every = tracker["all_groups"]
    if not every["of"]:
        return NOTHING
    return f"{number(every['missed_percent'])} % {span(*every['interval_percent'])}: {counts(every)}"


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m tablectl.bench.big`: exit status 0, 2 bad usage, 130 interrupted."""
    parser = argparse.ArgumentParser(description="The big accuracy campaign, and the README's table.")
    parser.add_argument("--hands", type=int, default=10_000, help="clean hands at four boards")
    parser.add_argument("--folder", type=Path, default=Path(".accuracy"), help="where results are kept")
    parser.add_argument("--readme", type=Path, default=Path("README.md"))
    parser.add_argument("--jobs", type=int)
    given = parser.parse_args(argv)
    try:
        run(given.hands, given.folder, given.readme, given.jobs)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; the same command goes on from here\n")
        return INTERRUPTED
    except (TablectlError, OSError) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
