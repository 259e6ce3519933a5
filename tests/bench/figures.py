"""The figures of the main job on this machine, each measured on real processes: `make bench`.

    figures.py [--quick | --long] [--only latency|throughput|startup|memory|rulings]

Nothing here is asserted: times are for people to read. Owns: running the measurements one after the other
(they would disturb one another), printing the figures of each as soon as they are there, and saying on
standard error what it is at. Each measurement is a file beside this one.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup
from tablectl.simulate import BRISK

HERE = Path(__file__).parent
SEAT_PINS = [5, 6, 13, 19, 26, 16, 20, 21, 12]
PANEL = {"pins": "simulated", "buzzer": 18, "alarm_led": 17, "seat_leds": SEAT_PINS}
Row = tuple[str, str, str]
"""What, how much, the aim."""
SLIPS = "wrong_first_seat, joker, ineligible_seat, foreign_card, too_many_cards, wrong_seat, duplicate_card"


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


QUICK, NORMAL, LONG = Size(1, 10, 3, 40), Size(2, 60, 10, 400), Size(4, 60, 10, 1000)
"""About two, six and eleven minutes on a machine with two cores."""


def progress(text: str) -> None:
    sys.stderr.write(f"  {text}\n")
    sys.stderr.flush()


@contextmanager
def process(*command: str | Path, **options: Any) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, *map(str, command)], text=True, **options) as running:
        try:
            yield running
        finally:
            if running.poll() is None:
                running.terminate()


def line_with(stream: Any, part: str) -> str:
    for line in stream:
        if part in line:
            return str(line)
    raise SystemExit(f"bench: a process ended before it said {part!r}")


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def spread(values: list[float]) -> str:
    p50, p99 = percentile(values, 0.5), percentile(values, 0.99)
    return f"p50 {p50:.2f}  p99 {p99:.2f}  worst {max(values):.2f}  n {len(values)}"


# --- pty byte to pin ----------------------------------------------------------------------------------------


def latency(size: Size) -> list[Row]:
    """From the write of a sweep's last byte to a pty by another process to the pin's change, with a full
    table of nine, two boards, betting entered over HTTP, journal on disk and a page that watches."""
    steps = script.parse(f"clean, {', '.join([SLIPS] * size.rounds)}, clean")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        setup = TableSetup()
        ports = [str(folder / f"reader{number}") for number in range(setup.boards)]
        config = setup.write(folder, ports, panel=PANEL, display={"port": 0})
        recording = folder / "night.jsonl"
        seconds = 0
        with recording.open("w") as file:
            for line in generate(setup, steps, preset("light"), seed=1, habits=BRISK):
                file.write(json.dumps(line) + "\n")
                seconds = line.get("t", 0) // 1000
        progress(f"{len(steps)} hands on two ptys in real time: {seconds} s")
        result = folder / "served.json"
        with process(HERE / "controller.py", config, result, stderr=subprocess.PIPE) as controller:
            url = line_with(controller.stderr, "started ").split()[1]
            threading.Thread(target=_drain, args=(controller.stderr,), daemon=True).start()
            threading.Thread(target=_watch, args=(f"{url}events",), daemon=True).start()
            command = (HERE / "player.py", folder, recording, f"{url}input")
            pipe = subprocess.PIPE
            with process(*command, stdin=pipe, stdout=pipe) as player:
                for said in player.stdout or ():
                    if said == "played\n":
                        break
                    progress(f"{said.strip()} of {seconds} s")
                controller.send_signal(signal.SIGTERM)
                controller.wait(30)
        what = f"pty byte → pin change, {len(steps)} hands, ms"
        return _latencies(
            what, json.loads(result.read_text()), json.loads((folder / "written.json").read_text())
        )


def _latencies(what: str, result: dict[str, Any], written: dict[str, list[int]]) -> list[Row]:
    to_served, to_pin = [], []
    for reader, served in result["served"].items():
        # The first sweep after a HELLO may say nothing and make no event: the ends are the same.
        for sent, (done, rose) in zip(reversed(written[reader]), reversed(served), strict=False):
            to_served.append((done - sent) / 1e6)
            if rose is not None:
                to_pin.append((rose - sent) / 1e6)
        if len(written[reader]) - len(served) not in (0, 1):
            raise SystemExit(f"bench: reader {reader}: {len(served)} events of {len(written[reader])} sweeps")
    return [
        (what, spread(to_pin), "p99 < 20"),
        ("pty byte → pins served, every sweep, ms", spread(to_served), "p99 < 20"),
        ("resident memory at the end of it, MB", f"{result['resident'] / 1e6:.0f}", "< 80"),
    ]


def _drain(stream: Any) -> None:
    for _ in stream:
        pass


def _watch(url: str) -> None:
    try:
        with httpx.stream("GET", url, timeout=60) as stream:
            for _ in stream.iter_bytes():
                pass
    except httpx.HTTPError:
        pass


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
            threading.Thread(target=_drain, args=(simulator.stdout,), daemon=True).start()
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
        _drain(running.stderr)
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
    sizes.add_argument("--quick", dest="size", action="store_const", const=QUICK, help="two minutes")
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
