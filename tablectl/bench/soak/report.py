"""The figures of a soak as a person reads them.

Owns: words and tables. Refuses: figures and bounds (`verdict`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tablectl.bench import intervals
from tablectl.bench.soak.verdict import (
    LEAST_FOUND,
    MOST_FALSE,
    MOST_FALSE_IN_FAULTS,
    MOST_REFUSED,
    Verdict,
)

Figures = Mapping[str, Any]


def lines(found: Verdict) -> Iterator[str]:
    """The report, line by line."""
    figures = found.figures
    hands = sum(figures["alarms"][side]["hands"] for side in figures["alarms"])
    hours, speed = figures["table_s"] / 3600, figures["table_s"] / max(figures["took_s"], 0.1)
    yield (
        f"{hours:.2f} h at the table, {hands:,} hands, {figures['noise']} noise, seed {figures['seed']}; "
        f"in {figures['took_s'] / 60:.1f} min ({speed:.0f} times as fast; controller {figures['cpu_s']:.0f} s CPU)"
    )
    faults = ", ".join(f"{count} × {what}" for what, count in figures["faults"].items())
    yield f"faults at the readers: {faults}"
    for side, alarms in figures["alarms"].items():
        yield from _alarms(f"hands {side}", alarms)
    yield from _memory(figures["memory"])
    yield from _journal(figures)
    queues = ", ".join(f"{name} {count}" for name, count in figures["queues"].items())
    yield f"queues and lines: {queues}"
    page, entries = figures["page"], figures["entries"]
    yield f"page: {page['states']:,} states, {page['beats']:,} beats heard"
    yield from _entries(entries)
    bounds = (
        f"bounds: false alarms in surely no more than {100 * MOST_FALSE:.0f} % of undisturbed hands and "
        f"{100 * MOST_FALSE_IN_FAULTS:.0f} % of hands in faults, {100 * LEAST_FOUND:.0f} % of undisturbed slips found, "
        f"{100 * MOST_REFUSED:.0f} % of entries not taken without a reason"
    )
    yield bounds
    yield "good" if found.good else "\n".join(f"✗ {fault}" for fault in found.faults)


def _alarms(name: str, alarms: Figures) -> Iterator[str]:
    of = alarms["found"] + alarms["missed"]
    low, high = intervals.share(alarms["found"], of)
    bounds = intervals.rate(alarms["false"])
    rate = (
        f"{1e4 * alarms['false'] / alarms['hands']:.0f} per 10,000 hands "
        f"({1e4 * bounds[0] / alarms['hands']:.0f}–{1e4 * bounds[1] / alarms['hands']:.0f})"
        if alarms["hands"]
        else "no hand"
    )
    share = f" ({100 * low:.1f}–{100 * high:.1f} %)" if of else ""
    yield (
        f"{name}: {alarms['hands']:,}; slips found {alarms['found']} of {of}{share}; "
        f"false alarms {alarms['false']} in {alarms['hands_with_false']} hands: {rate}; "
        f"soft lights without cause {alarms['soft']}"
    )
    for kind, row in alarms["kinds"].items():
        if row["missed"] or row["false"]:
            yield f"    {kind}: found {row['found']}, missed {row['missed']}, false {row['false']}"


def _entries(entries: Figures) -> Iterator[str]:
    counts = {why: sum(each.values()) for why, each in entries["refused"].items()}
    yield (
        f"entries: {entries['made']:,}; not taken: {counts['in faults']} of hands in faults, whose deal was not seen; "
        f"{counts['after a slip']} after a slip, when the table had ended the hand and the dealer had not; "
        f"{counts['unexplained']} unexplained"
    )
    yield from (
        f"    unexplained: {count} × {what}" for what, count in entries["refused"]["unexplained"].items()
    )


def _memory(memory: Figures) -> Iterator[str]:
    course = " ".join(f"{value:.1f}" for value in memory["by_part_mib"])
    yield f"memory, MiB: {memory['start_mib']:.1f} at the start, then by 24th part: {course}"
    slope = memory["slope"]
    if slope is None:
        yield "    too short for a slope"
    else:
        low, high = slope["interval"]
        yield (
            f"    {slope['kib_per_hour']:.1f} KiB an hour ({low:.1f}–{high:.1f}), {slope['samples']} parts over "
            f"{slope['hours']:.1f} h, the start and the full disk left out"
        )


def _journal(figures: Figures) -> Iterator[str]:
    journal, disk, wall = figures["journal"], figures["disk_full"], figures["wall_clock"]
    hand = f"{journal['rows_per_hand']:,} rows and {journal['bytes_per_hand'] / 1024:.0f} KiB a hand"
    yield (
        f"journal: {journal['rows']:,} rows with {journal['lines']:,} sensed lines, {journal['mb_per_hour']:.1f} MB "
        f"and {journal['rows_per_hour']:,} rows an hour, {hand}; chain {journal['chain']}; "
        f"acknowledged and lost {journal['acknowledged_lost']}, "
        f"decisions lost {journal['decisions_lost']} of {journal['decisions_told']:,}"
    )
    yield (
        f"disk full for {disk['hours']:.2f} h ({disk['how']}): {disk['slips_found']} of {disk['slips']} slips found, "
        f"lamps and buzzer switched on {disk['lamps_and_buzzer_switched_on']} times; "
        + (
            f"{journal['dropped']:,} entries found no room in memory, and that was said"
            if journal["dropped"]
            else "every entry found room in memory"
        )
    )
    yield from (f"    on the page: {text}" for text in disk["said_on_the_page"])
    yield from (f"    in the log: {text}" for text in disk["said_in_the_log"])
    if wall["possible"]:
        yield f"wall clock, s ahead: planned {wall['planned']}, seen by the controller {wall['seen']}"
    else:
        yield "wall clock: left out, there is no C compiler (Debian: apt-get install gcc libc6-dev)"
