"""What one table counts, as Prometheus text for `GET /metrics`.

Owns: names, labels and the text format (version 0.0.4). Refuses: identities: no UID, token or card is ever a
label, only numbers of readers and names of the contract.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

from tablectl.core.decisions import Decision, Irregularity, Suspicion
from tablectl.core.sensed import Entry, Sensed, Sweep

STEP_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25)
"""Upper bounds of the histogram of one step, from the sweep's arrival to the written pins, s."""
PAGE = 4096

Labels = Mapping[str, object]
Sample = tuple[Labels, float]


class Metrics:
    """Counts of one running table."""

    def __init__(self, began: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`began` is when `t` was 0, in seconds of the clock: CLOCK_MONOTONIC."""
        self._began = began
        self._clock = clock
        self._sweeps: Counter[int] = Counter()
        self._sightings: Counter[int] = Counter()
        self._inputs: Counter[str] = Counter()
        self._decisions: Counter[str] = Counter()
        self._kinds: Counter[str] = Counter()
        self._buckets = [0] * (len(STEP_S) + 1)
        self._seconds = 0.0

    def stepped(self, event: Sensed, decisions: Iterable[Decision], seconds: float) -> None:
        """One event went through the core to the pins, and took so many seconds."""
        if isinstance(event, Sweep):
            self._sweeps[event.reader] += 1
            self._sightings[event.reader] += len(event.seen)
        elif isinstance(event, Entry):
            self._inputs[event.do] += 1
        for decision in decisions:
            self._decisions[decision.type] += 1
            if isinstance(decision, Irregularity) and not isinstance(decision, Suspicion):
                self._kinds[decision.kind] += 1
        self._buckets[bisect_left(STEP_S, seconds)] += 1
        self._seconds += seconds

    def text(
        self,
        readers: Iterable[tuple[int, str, Mapping[str, int]]],
        gauges: Mapping[str, tuple[str, float]],
    ) -> str:
        """All of it. `readers`: number, state and counters of each; `gauges`: name → (help, value)."""
        lines: list[str] = []
        for name, about, samples in (
            ("sweeps_total", "Sweeps of a reader that reached the core.", _by("reader", self._sweeps)),
            ("sightings_total", "Tags read in those sweeps.", _by("reader", self._sightings)),
            ("inputs_total", "Inputs of the dealer.", _by("do", self._inputs)),
            ("decisions_total", "Decisions of the core.", _by("type", self._decisions)),
            ("irregularities_total", "Confirmed irregularities.", _by("kind", self._kinds)),
        ):
            lines += _family(f"tablectl_{name}", "counter", about, samples)
        lines += self._histogram()
        lines += _readers(list(readers))
        started = {"start_monotonic_seconds": ("When t was 0, on CLOCK_MONOTONIC.", self._began)}
        uptime = {"uptime_seconds": ("Since t was 0.", self._clock() - self._began)}
        for gauge, (about, value) in {**gauges, **started, **uptime}.items():
            lines += _family(f"tablectl_{gauge}", "gauge", about, [({}, value)])
        lines += _family("process_resident_memory_bytes", "gauge", "Resident memory.", [({}, resident())])
        return "\n".join(lines) + "\n"

    def _histogram(self) -> Iterator[str]:
        name = "tablectl_step_seconds"
        yield f"# HELP {name} From an event's arrival to the written pins."
        yield f"# TYPE {name} histogram"
        counts = list(accumulate(self._buckets))
        for bound, count in zip((*STEP_S, "+Inf"), counts, strict=True):
            yield f'{name}_bucket{{le="{bound}"}} {count}'
        yield f"{name}_sum {self._seconds:.6f}"
        yield f"{name}_count {counts[-1]}"


def resident() -> int:
    """Resident memory of this process in bytes; 0 where /proc does not say."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE
    except (OSError, ValueError, IndexError):
        return 0


def _by(label: str, counts: Mapping[Any, int]) -> list[Sample]:
    return [({label: key}, counts[key]) for key in sorted(counts)]


def _readers(readers: list[tuple[int, str, Mapping[str, int]]]) -> Iterator[str]:
    up: list[Sample] = [({"reader": number}, float(state == "ok")) for number, state, _ in readers]
    yield from _family("tablectl_reader_up", "gauge", "1 while the board answers.", up)
    for counter in dict.fromkeys(counter for _, _, counts in readers for counter in counts):
        samples: list[Sample] = [
            ({"reader": number}, counts[counter]) for number, _, counts in readers if counter in counts
        ]
        yield from _family(f"tablectl_reader_{counter}_total", "counter", "See the reader driver.", samples)


def _family(name: str, kind: str, about: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        inside = ",".join(f'{key}="{_escaped(str(text))}"' for key, text in labels.items())
        number = f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
        yield f"{name}{{{inside}}} {number}" if inside else f"{name} {number}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
