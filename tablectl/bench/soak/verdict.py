"""What a soak has proved: alarms against the truth, memory, journal, queues, and what failed of it.

Owns: the figures and the bounds that they must keep. Refuses: running anything, and how the figures are shown
(`report`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from tablectl.bench import intervals
from tablectl.bench.judge import Claim, judge
from tablectl.bench.soak.plan import HOUR_MS, Fault, Plan
from tablectl.bench.soak.trend import Slope, slope
from tablectl.shell.journal import lines as journal_lines
from tablectl.shell.journal.parts import files
from tablectl.shell.journal.verify import verify

PARTS = 24
"""The run is told in so many parts: hours, if it is a day."""
WARM_PARTS = 4
"""Not counted for the slope: caches fill, the tracker learns the table."""
MOST_GROWTH = 4e6
"""Memory grows too much if it surely grew by more, bytes over the time in which it was measured …"""
WARM_H, WARM_GROWTH = 0.5, 12e6
"""… and by so many more if that began in the first hours of the process, when its caches fill."""
MOST_FALSE, LEAST_FOUND = 0.01, 0.9
"""A soak is no campaign: it fails when surely more undisturbed hands had a false alarm, or fewer slips were found."""
MOST_FALSE_IN_FAULTS = 0.3
"""A hand in which a reader was not there may be told wrongly; surely more of them than so many is too much."""
MOST_REFUSED = 0.01
"""Entries that the table did not take, of all, where neither a fault nor a slip of that hand or the one before
explains it."""
SILENT_FAULTS = frozenset({"journal"})
"""The faults that a full disk makes."""
MIB = float(1 << 20)


@dataclass(slots=True)
class Alarms:
    """Alarms of some hands against the truth, by kind."""

    hands: int = 0
    found: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    """Slips that were not told, told under another name, or only lit softly."""
    false: Counter[str] = field(default_factory=Counter)
    false_hands: set[int] = field(default_factory=set)
    """The hands in which they were."""
    soft: int = 0
    """Soft lights that nothing explains."""

    def as_json(self) -> dict[str, Any]:
        """For `--report`."""
        kinds = sorted({*self.found, *self.missed, *self.false})
        return {
            "hands": self.hands,
            "found": self.found.total(), "missed": self.missed.total(), "false": self.false.total(),
            "hands_with_false": len(self.false_hands), "soft": self.soft,
            "kinds": {
                kind: {"found": self.found[kind], "missed": self.missed[kind], "false": self.false[kind]}
                for kind in kinds
            },
        }  # fmt: skip


@dataclass(slots=True)
class Book:
    """What is in the journal."""

    rows: int
    lines: int
    """Sensed lines in the blocks."""
    decisions: int
    missing: list[int]
    """The numbers of entries that are not there, up to the last that is."""
    lost: int
    """Lines and decisions of which the journal itself says that they were lost."""
    broken: str | None
    """What is wrong with the chain."""
    claims: list[Claim]
    size: int
    """bytes"""


@dataclass(frozen=True, slots=True)
class Run:
    """All that a soak left behind."""

    plan: Plan
    truth: Sequence[Mapping[str, Any]]
    looks: Sequence[Mapping[str, Any]]
    """How the controller was, in order; the last one has all its counts."""
    journal: Path
    disk: str
    """What a full disk was."""
    jumped: bool
    """The wall clock could jump."""

    @property
    def end_ms(self) -> float:
        """How far it came, ms of table time."""
        return float(self.looks[-1]["table_s"] * 1000)

    @property
    def faults(self) -> list[Fault]:
        """What failed by then."""
        return [fault for fault in self.plan.faults() if fault.begin < self.end_ms]


def read_book(path: Path) -> Book:
    """The journal's only night. Raises JournalError for a damaged file."""
    rows = lines = lost = 0
    told: list[Mapping[str, Any]] = []
    missing: list[int] = []
    for seq, kind, entry in journal_lines(path, 1):
        missing += range(rows + len(missing) + 1, seq)
        rows += 1
        lines += entry.get("lines", 0) if kind == "sealed" else 0
        lost += entry["lines"] + entry["decisions"] if kind == "lost" else 0
        if kind == "decision":
            told.append(entry)
    size = sum(each.stat().st_size for each in files(path))
    return Book(rows, lines, len(told), missing, lost, verify(path).fault, list(_claims(told)), size)


def _claims(decisions: Iterable[Mapping[str, Any]]) -> Iterable[Claim]:
    for made in decisions:
        if made["type"] in {"suspicion", "irregularity"}:
            stage = "soft" if made["type"] == "suspicion" else "confirmed"
            named = {name: made.get(name) for name in ("seat", "expected", "street")}
            yield Claim(t=made["t"], id=made["id"], stage=stage, kind=made["kind"], **named)
        elif made["type"] == "cleared":
            yield Claim(t=made["t"], id=made["id"], stage="cleared", why=made.get("why"))


@dataclass(slots=True)
class Verdict:
    """The figures, JSON-ready in `figures`, and what is wrong, a sentence each."""

    figures: dict[str, Any]
    faults: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Nothing is wrong."""
        return not self.faults


def verdict(run: Run) -> Verdict:
    """What the run has proved."""
    book = read_book(run.journal)
    outcome = _alarms(run, book.claims)
    quiet, disturbed, in_full_disk = outcome.quiet, outcome.disturbed, outcome.in_full_disk
    memory, growth = _memory(run)
    last = run.looks[-1]
    made = Verdict(
        {
            "hours": run.plan.hours, "seed": run.plan.seed, "noise": run.plan.noise,
            "table_s": round(last["table_s"], 1),
            "took_s": round(last["real_s"] - run.looks[0]["real_s"], 1),
            "cpu_s": round(last["cpu_s"], 1),
            "alarms": {"undisturbed": quiet.as_json(), "in faults": disturbed.as_json()},
            "wrong_outcomes": outcome.wrong,
            "faults": dict(Counter(fault.what for fault in run.faults)),
            "memory": {
                "start_mib": memory[0], "by_part_mib": memory[1:], "slope": _slope_json(growth),
            },
            "journal": _journal(run, book, quiet.hands + disturbed.hands),
            "disk_full": {**_disk(run), "slips": in_full_disk.found.total() + in_full_disk.missed.total(),
                          "slips_found": in_full_disk.found.total()},
            "wall_clock": _wall(run),
            "queues": _queues(last),
            "page": {"states": last["page"]["states"], "beats": last["page"]["beats"]},
            "entries": {"made": last["entered"], "refused": _refused(run, last["refused"], outcome.bad)},
        }
    )  # fmt: skip
    made.faults += _wrong(run, made.figures, growth)
    return made


# --- alarms -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Outcome:
    """Alarms of undisturbed hands, of those in which or before which a reader failed, and those in the full disk."""

    quiet: Alarms = field(default_factory=Alarms)
    disturbed: Alarms = field(default_factory=Alarms)
    in_full_disk: Alarms = field(default_factory=Alarms)
    bad: Collection[int] = ()
    """The disturbed hands."""
    wrong: list[dict[str, Any]] = field(default_factory=list)
    """Every slip that was not found and every false alarm, to be looked for in the recording of the same seed."""


def _alarms(run: Run, claims: Sequence[Claim]) -> _Outcome:
    starts = _starts(run)
    ends = [*(each["t"] for each in starts[1:]), run.end_ms]
    bad = {
        number
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1)
        if any(fault.begin <= end and start["t"] <= fault.end for fault in run.faults)
    }
    bad |= {
        number + 1 for number in bad if number < len(starts)
    }  # what it left behind shows in the next hand
    result = judge(
        run.truth, claims, {number: each["slip"] or "" for number, each in enumerate(starts, start=1)}
    )
    made = _Outcome(Alarms(len(starts) - len(bad)), Alarms(len(bad)), bad=bad)
    begin, end = run.plan.disk_full
    for slip in result.slips:
        side = made.disturbed if slip.hand in bad else made.quiet
        for alarms in (side, made.in_full_disk) if begin <= slip.at <= end else (side,):
            (alarms.found if slip.result == "found" else alarms.missed)[slip.kind] += 1
        if slip.result != "found":
            told = slip.told.shown() if slip.told else {}
            made.wrong.append(
                {"what": slip.result, "t": slip.at, "kind": slip.kind, "told": told, **_where(slip.hand, bad)}
            )
    for hand, claim in result.false:
        side = made.disturbed if hand in bad else made.quiet
        side.false[claim.kind] += 1
        side.false_hands.add(hand)
        made.wrong.append({"what": "false", "t": claim.t, **claim.shown(), **_where(hand, bad)})
    for hand, _ in result.soft:
        (made.disturbed if hand in bad else made.quiet).soft += 1
    return made


def _refused(run: Run, refused: Mapping[tuple[int, str], int], bad: Collection[int]) -> dict[str, Any]:
    """The entries that were not taken, by what explains it.

    A table that did not see a deal follows none; and one that called a misdeal has ended the hand, while the
    dealer of a soak, who noticed nothing, plays it to its end.
    """
    slips = {number for number, each in enumerate(_starts(run), start=1) if each["slip"]}
    made: dict[str, Counter[str]] = {
        "in faults": Counter(),
        "after a slip": Counter(),
        "unexplained": Counter(),
    }
    for (hand, what), count in refused.items():
        why = "in faults" if hand in bad else "after a slip" if {hand, hand - 1} & slips else "unexplained"
        made[why][what] += count
    return {why: dict(each) for why, each in made.items()}


def _where(hand: int, bad: Collection[int]) -> dict[str, Any]:
    return {"hand": hand, "in_fault": hand in bad}


def _starts(run: Run) -> list[Mapping[str, Any]]:
    return [event for event in run.truth if event["event"] == "hand_start"]


# --- memory -------------------------------------------------------------------------------------------------


def _part(run: Run, table_s: float) -> int:
    return min(int(table_s * 1000 / run.plan.end_ms * PARTS), PARTS - 1)


def _memory(run: Run) -> tuple[list[float], Slope | None]:
    """Resident memory at the start and of each part, MiB, and how it grows, bytes an hour."""
    by_part: dict[int, list[float]] = {}
    for look in run.looks:
        by_part.setdefault(_part(run, look["table_s"]), []).append(look["resident"])
    means = {part: fmean(values) for part, values in sorted(by_part.items())}
    hours = run.plan.hours / PARTS
    full = {_part(run, ms / 1000) for ms in run.plan.disk_full}
    first, last = min(full), max(full) + 1
    pieces = [
        {part * hours: mean for part, mean in means.items() if WARM_PARTS <= part < first},
        {part * hours: mean for part, mean in means.items() if part > last},
    ]
    shown = [round(value / MIB, 2) for value in (run.looks[0]["resident"], *means.values())]
    return shown, slope(pieces)


def _slope_json(growth: Slope | None) -> dict[str, Any] | None:
    if growth is None:
        return None
    return {
        "kib_per_hour": round(growth.an_hour / 1024, 1),
        "interval": [round(growth.low / 1024, 1), round(growth.high / 1024, 1)],
        "hours": round(growth.hours, 2), "samples": growth.samples,
    }  # fmt: skip


# --- journal, disk, clock -----------------------------------------------------------------------------------


def _journal(run: Run, book: Book, hands: int) -> dict[str, Any]:
    last = run.looks[-1]
    acknowledged_lost = max(bisect_right(book.missing, look["acknowledged"]) for look in run.looks)
    told = sum(last["decisions"].values())
    hours = run.end_ms / HOUR_MS
    return {
        "rows": book.rows, "rows_per_hand": round(book.rows / hands) if hands else None, "lines": book.lines,
        "bytes": book.size, "bytes_per_hand": round(book.size / hands) if hands else None,
        "mb_per_hour": round(book.size / 1e6 / hours, 2), "rows_per_hour": round(book.rows / hours),
        "acknowledged": last["acknowledged"], "dropped": last["dropped"], "lost": book.lost,
        "missing": len(book.missing), "acknowledged_lost": acknowledged_lost, "chain": book.broken or "whole",
        "decisions_told": told, "decisions_kept": book.decisions, "decisions_lost": told - book.decisions,
    }  # fmt: skip


def _disk(run: Run) -> dict[str, Any]:
    begin, end = (ms / 1000 for ms in run.plan.disk_full)
    inside = [look for look in run.looks if begin <= look["table_s"] <= end]
    said = {
        text: count for text, count in run.looks[-1]["page"]["faults"].items() if text.startswith("journal")
    }
    rises = inside[-1]["rises"] - inside[0]["rises"] if inside else 0
    log = [line for line in run.looks[-1]["log"] if "journal" in line]
    return {
        "how": run.disk, "hours": round((end - begin) / 3600, 3), "lamps_and_buzzer_switched_on": rises,
        "said_on_the_page": said, "said_in_the_log": log,
    }  # fmt: skip


def _wall(run: Run) -> dict[str, Any]:
    """The steps of the wall clock, and those that the controller really saw."""
    first = run.looks[0]
    ahead = [round(look["wall"] - look["real_s"] - first["wall"] + first["real_s"], 1) for look in run.looks]
    seen = [now for before, now in zip([0.0, *ahead], ahead, strict=False) if abs(now - before) > 0.2]
    return {
        "possible": run.jumped,
        "planned": [round(s, 1) for ms, s in run.plan.jumps() if ms < run.end_ms],
        "seen": seen,
    }


def _queues(last: Mapping[str, Any]) -> dict[str, int]:
    names = ("unsent_frames", "stolen_reads", "command_timeouts", "lost_frames", "gaps", "reboots", "opened")
    counted = {name: sum(counts.get(name, 0) for counts in last["readers"].values()) for name in names}
    return {**counted, "port_dropped": last["port_dropped"], "journal_dropped": last["dropped"]}


# --- what is wrong ------------------------------------------------------------------------------------------


def _wrong(run: Run, figures: Mapping[str, Any], growth: Slope | None) -> list[str]:
    found = [
        *_wrong_journal(run, figures),
        *_wrong_alarms(figures["alarms"]),
        *_wrong_entries(figures["entries"]),
    ]
    warm = WARM_PARTS / PARTS * run.plan.hours >= WARM_H
    if growth is not None and growth.low * growth.hours > MOST_GROWTH + (0 if warm else WARM_GROWTH):
        found.append(
            f"memory grows: {growth.an_hour / MIB:.2f} MiB an hour ({growth.low / MIB:.2f}–{growth.high / MIB:.2f}) "
            f"over {growth.hours:.1f} h"
        )
    wall = figures["wall_clock"]
    if wall["possible"] and len(wall["seen"]) < len(wall["planned"]):
        found.append(
            "the controller did not see every step of the wall clock: this run proves nothing about it"
        )
    others = {
        text
        for look in run.looks
        for text in look["faults"]
        if text.partition(":")[0] not in SILENT_FAULTS
    }  # fmt: skip
    found += [f"the table had a fault that nobody made: {text}" for text in sorted(others)]
    if not figures["page"]["beats"]:
        found.append("the page that listened heard no beat")
    return found


def _wrong_journal(run: Run, figures: Mapping[str, Any]) -> list[str]:
    journal, found = figures["journal"], []
    if journal["acknowledged_lost"]:
        found.append(f"{journal['acknowledged_lost']} entries are lost that the journal had acknowledged")
    if journal["chain"] != "whole":
        found.append(f"the journal's chain is broken: {journal['chain']}")
    if journal["missing"]:
        found.append(f"{journal['missing']} entries are missing")
    if journal["lost"] != journal["dropped"]:
        found.append(
            f"the journal says that it lost {journal['lost']} entries, and it lost {journal['dropped']}"
        )
    if journal["decisions_lost"]:
        found.append(f"{journal['decisions_lost']} decisions are not in the journal")
    begin, end = run.plan.disk_full
    if run.looks[-1]["journal"]:
        found.append(f"at the end the journal is not well: {run.looks[-1]['journal']}")
    before = [look["dropped"] for look in run.looks if look["table_s"] * 1000 < begin]
    if before and before[-1]:
        found.append(f"{before[-1]} entries were dropped while the disk was well")
    inside = [look for look in run.looks if begin <= look["table_s"] * 1000 <= end]
    if inside and not any(look["journal"] for look in inside):
        found.append("nobody was told that the disk was full")
    return found


def _wrong_alarms(sides: Mapping[str, Mapping[str, Any]]) -> list[str]:
    found = []
    for side, most in (("undisturbed", MOST_FALSE), ("in faults", MOST_FALSE_IN_FAULTS)):
        hands, of = sides[side]["hands_with_false"], sides[side]["hands"]
        low, _ = intervals.share(min(hands, of), of)
        if hands > 1 and low > most:
            found.append(f"false alarms in {hands} of {of} hands {side}: surely more than {100 * most:.0f} %")
    quiet = sides["undisturbed"]
    told = quiet["found"] + quiet["missed"]
    _, high = intervals.share(quiet["found"], told)
    if high < LEAST_FOUND:
        found.append(f"only {quiet['found']} of {told} slips of undisturbed hands were found")
    return found


def _wrong_entries(entries: Mapping[str, Any]) -> list[str]:
    refused = entries["refused"]["unexplained"]
    low, _ = intervals.share(sum(refused.values()), max(entries["made"], 1))
    if low <= MOST_REFUSED:
        return []
    words = "; ".join(f"{count} × {what}" for what, count in refused.items())
    return [f"entries were not taken, and neither a fault nor a slip explains it: {words}"]
