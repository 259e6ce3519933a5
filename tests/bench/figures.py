"""The figures of the main job on this machine, each measured on real processes: `make bench`.

    figures.py [--quick | --long] [--only latency|throughput|startup|memory|rulings|paint|screen|faults]

Nothing here is asserted: times are for people to read. Owns: running the measurements one after the other
(they would disturb one another), printing the figures of each as soon as they are there, and saying on
standard error what it is at. Each measurement is a file beside this one.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import night
from faults import to_the_screen
from night import drain, line_with, process, progress
from rich.console import Console
from rich.table import Table
from screen import to_the_alarm, to_the_first_paint

HERE = Path(__file__).parent
Row = tuple[str, str, str]
"""What, how much, the aim."""


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    rounds: int
    """Latency: so many times seven hands, each with an alarm, in real time."""
    dealt: int
    """Throughput: hands."""
    starts: int
    kept: int
    """Memory: hands."""
    painted: int
    """The dealer's screen: so many times seven hands, each with an alarm, in real time."""
    opened: int
    """First paint: how often the page is opened."""
    broken: int
    """Faults: how often each of them is made."""


QUICK, NORMAL, LONG = (
    Size(1, 10, 3, 40, 1, 5, 1),
    Size(2, 60, 10, 400, 4, 20, 5),
    Size(4, 60, 10, 1000, 30, 50, 10),
)
"""About four, 13 and 45 minutes on a machine with two cores. The long one paints more than 200 alarms."""
ENOUGH = 100
"""So many values have a 99th percentile; of fewer the worst is all that can be said."""


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def spread(values: list[float]) -> str:
    """The middle, the 99th percentile where there is one, and the worst."""
    p99 = f"  p99 {percentile(values, 0.99):.2f}" if len(values) >= ENOUGH else ""
    return f"p50 {percentile(values, 0.5):.2f}{p99}  worst {max(values):.2f}  n {len(values)}"


# --- pty byte to pin ----------------------------------------------------------------------------------------


def latency(size: Size) -> list[Row]:
    """From the write of a sweep's last byte to a pty by another process to the pin's change, with a full
    table of nine, two boards, betting entered over HTTP, journal on disk and a page that watches."""
    hands = f"clean, {', '.join([night.SLIPS] * size.rounds)}, clean"
    served, resident = night.play(hands, _watched)
    to_pin = [(each.rose - each.written) / 1e6 for each in served if each.rose is not None]
    to_served = [(each.done - each.written) / 1e6 for each in served]
    return [
        (f"pty byte → pin change, {7 * size.rounds + 2} hands, ms", spread(to_pin), "p99 < 20"),
        ("pty byte → pins served, every sweep, ms", spread(to_served), "p99 < 20"),
        ("resident memory at the end of it, MB", f"{resident / 1e6:.0f}", "< 80"),
    ]


@contextmanager
def _watched(url: str) -> Iterator[None]:
    def watch() -> None:
        with suppress(httpx.HTTPError), httpx.stream("GET", f"{url}events", timeout=60) as stream:
            for _ in stream.iter_bytes():
                pass

    threading.Thread(target=watch, daemon=True).start()
    yield


# --- the dealer's screen ------------------------------------------------------------------------------------


def screen(size: Size) -> list[Row]:
    """From the write of a sweep's last byte to the painted alarm, with the table and the evening of `latency` and a
    real Chromium that draws with the processor, as one without a graphics chip does."""
    took = to_the_alarm(", ".join([night.SLIPS] * size.painted))
    return [(f"pty byte → painted alarm, {7 * size.painted} hands, ms", spread(took), "p99 < 150")]


def paint(size: Size) -> list[Row]:
    """From the address to the page's first paint and to the first true picture, with an empty cache each time."""
    progress(f"{size.opened} times the page in a Chromium with an empty cache")
    with tempfile.TemporaryDirectory() as place, night.controller(Path(place)) as (_, url):
        texts, pictures = to_the_first_paint(url, size.opened)
    return [
        ("first paint of the page, ms", spread(texts), "< 300"),
        ("first true picture, ms", spread(pictures), ""),
    ]


def shown(size: Size) -> list[Row]:
    """From the moment at which something breaks to the page that says so."""
    progress(f"nine faults, {size.broken} times each, at a table of their own")
    took = to_the_screen(size.broken)
    return [(f"{what} → screen, s", spread(seconds), "< 3") for what, seconds in took.items()]


# --- throughput ---------------------------------------------------------------------------------------------


def throughput(size: Size) -> list[Row]:
    """CPU time of one process, nothing but the core in it, against pokerkit 0.7 told the same hands."""
    progress(f"{size.dealt} hands from raw sightings through the core, then the same told to pokerkit")
    command = [sys.executable, str(HERE / "throughput.py"), str(size.dealt)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    core, kit = found["core"], found["pokerkit"]
    return [
        (f"core, sightings/s (tags read), {size.dealt} hands", f"{core['sightings']:,.0f}", "20,000"),
        ("core, looks/s (antennas that were polled)", f"{core['looks']:,.0f}", ""),
        ("core, sweeps/s; times real time", f"{core['sweeps']:,.0f}; {core['real_time']:.0f}", ""),
        ("core, hands/s from raw sightings", f"{core['hands']:.1f}", ""),
        ("pokerkit, operations/s", f"{kit['operations']:,.0f}", ""),
        ("pokerkit, hands/s told to it card by card", f"{kit['hands']:.1f}", ""),
    ]


# --- rulings ------------------------------------------------------------------------------------------------


def rulings(size: Size) -> list[Row]:
    """CPU time of one process: all books loaded, and every case of the conflict table decided by each of them."""
    progress(f"{10 * size.rounds} times the conflict table, by every book")
    command = [sys.executable, str(HERE / "rulings.py"), str(10 * size.rounds)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    took = found["decide_ms"]
    return [
        (f"all {found['books']} rulebooks loaded, ms", f"{found['load_ms']:.0f}", "< 100"),
        (
            f"a ruling decided, ms, {len(took):,} decisions",
            f"p50 {took[len(took) // 2]:.2f}  p99 {took[len(took) * 99 // 100]:.2f}  worst {took[-1]:.2f}",
            "< 1",
        ),
    ]


# --- start-up -----------------------------------------------------------------------------------------------


def startup(size: Size) -> list[Row]:
    """From the start of the process `tablectl run` to its READY line, with boards that answer and without."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        pipe = subprocess.PIPE
        command = ("-m", "tablectl.sim", folder, "--display-port", "0", "--stay")
        with process(*command, stdin=pipe, stdout=pipe) as simulator:
            line_with(simulator.stdout, "ready")
            threading.Thread(target=drain, args=(simulator.stdout,), daemon=True).start()
            progress(f"{size.starts} starts of tablectl run with two simulated boards")
            with_boards = [_ready(folder / "table.toml") for _ in range(size.starts)]
        progress("2 starts without a board: it is waited for until READY is said all the same")
        without = [_ready(folder / "table.toml") for _ in range(2)]
    return [
        ("start-up to READY, all boards answer, s", spread(with_boards), "< 2"),
        ("start-up to READY, no board there, s", spread(without), "4"),
    ]


def _ready(config: Path) -> float:
    began = time.monotonic()
    with process("-m", "tablectl.cli", "run", config, stderr=subprocess.PIPE) as running:
        line_with(running.stderr, "READY")
        took = time.monotonic() - began
        running.terminate()
        drain(running.stderr)
    return took


# --- memory -------------------------------------------------------------------------------------------------


def memory(size: Size) -> list[Row]:
    """The whole table, journal and display included, fed as fast as it goes."""
    progress(f"{size.kept} hands through a whole table as fast as it takes them")
    samples: list[tuple[int, int]] = []
    with (
        tempfile.TemporaryDirectory() as place,
        process(HERE / "memory.py", place, str(size.kept), stdout=subprocess.PIPE) as running,
    ):
        for line in running.stdout or ():
            hand, used = map(int, line.split())
            samples.append((hand, used))
            progress(f"hand {hand}: {used / 1e6:.0f} MB")
        if running.wait():
            raise SystemExit("bench: the table whose memory is measured broke down")
    course = "  ".join(f"{hand}: {used / 1e6:.0f}" for hand, used in samples)
    return [(f"resident memory by hand, {size.kept} hands, MB", course, "< 80, flat")]


MEASUREMENTS: dict[str, Callable[[Size], list[Row]]] = {
    "throughput": throughput,
    "rulings": rulings,
    "startup": startup,
    "latency": latency,
    "memory": memory,
    "paint": paint,
    "screen": screen,
    "faults": shown,
}


def machine() -> str:
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith(("model name", "Model")):
            model = line.partition(":")[2].strip()
            break
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} cores, {model}; Linux {platform.release()}; Python {platform.python_version()}; "
        f"load {load:.1f} at the start"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="The figures of the main job on this machine.")
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--quick", dest="size", action="store_const", const=QUICK, help="four minutes")
    sizes.add_argument("--long", dest="size", action="store_const", const=LONG, help="1,000 hands for memory")
    parser.add_argument("--only", choices=tuple(MEASUREMENTS), help="one of the measurements")
    args = parser.parse_args()
    out = Console(width=None if sys.stdout.isatty() else 140, highlight=False)
    out.print(machine())
    for name, measure in MEASUREMENTS.items():
        if args.only in (None, name):
            sys.stderr.write(f"{name} …\n")
            out.print(block(name, measure(args.size or NORMAL)))


def block(name: str, rows: list[Row]) -> Table:
    """The figures of one measurement, in columns as wide as those of the others."""
    table = Table(box=None, pad_edge=False)
    table.add_column(name, width=54)
    table.add_column("measured", width=68)
    table.add_column("aim", width=10)
    for row in rows:
        table.add_row(*row)
    return table


if __name__ == "__main__":
    main()
