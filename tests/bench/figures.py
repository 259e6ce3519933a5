"""The figures of the main job on this machine, each measured on real processes: `make bench`.

    figures.py [--quick] [--only latency|throughput|startup|memory]

Nothing here is asserted: times are for people to read. Owns: running the measurements one after the other
(they would disturb one another) and the table. Each measurement is a file beside this one.
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


def latency(*, quick: bool) -> list[Row]:
    """From the write of a sweep's last byte to a pty by another process to the pin's change, with a full
    table of nine, two boards, betting entered over HTTP, journal on disk and a page that watches."""
    hands = (
        "wrong_first_seat, joker, ineligible_seat, foreign_card, too_many_cards, wrong_seat, duplicate_card"
    )
    steps = script.parse(f"clean, {hands}" if quick else f"clean, {', '.join([hands] * 4)}, clean")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        setup = TableSetup()
        ports = [str(folder / f"reader{number}") for number in range(setup.boards)]
        config = setup.write(folder, ports, panel=PANEL, display={"port": 0})
        recording = folder / "night.jsonl"
        with recording.open("w") as file:
            for line in generate(setup, steps, preset("light"), seed=1, habits=BRISK):
                file.write(json.dumps(line) + "\n")
        result = folder / "served.json"
        with process(HERE / "controller.py", config, result, stderr=subprocess.PIPE) as controller:
            url = line_with(controller.stderr, "started ").split()[1]
            threading.Thread(target=_drain, args=(controller.stderr,), daemon=True).start()
            threading.Thread(target=_watch, args=(f"{url}events",), daemon=True).start()
            command = (HERE / "player.py", folder, recording, f"{url}input")
            pipe = subprocess.PIPE
            with process(*command, stdin=pipe, stdout=pipe) as player:
                line_with(player.stdout, "played")
                controller.send_signal(signal.SIGTERM)
                controller.wait(30)
        return _latencies(json.loads(result.read_text()), json.loads((folder / "written.json").read_text()))


def _latencies(result: dict[str, Any], written: dict[str, list[int]]) -> list[Row]:
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
        ("pty byte → pin change, ms", spread(to_pin), "p99 < 20"),
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


def throughput(*, quick: bool) -> list[Row]:
    """CPU time of one process, nothing but the core in it, against pokerkit 0.7 told the same hands."""
    command = [sys.executable, str(HERE / "throughput.py"), "10" if quick else "60"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    core, kit = found["core"], found["pokerkit"]
    return [
        ("core, sightings/s (tags that were read)", f"{core['sightings']:,.0f}", "20,000"),
        ("core, looks/s (antennas that were polled)", f"{core['looks']:,.0f}", ""),
        ("core, sweeps/s; times real time", f"{core['sweeps']:,.0f}; {core['real_time']:.0f}", ""),
        ("core, hands/s from raw sightings", f"{core['hands']:.1f}", ""),
        ("pokerkit, operations/s", f"{kit['operations']:,.0f}", ""),
        ("pokerkit, hands/s told to it card by card", f"{kit['hands']:.1f}", ""),
    ]


# --- start-up -----------------------------------------------------------------------------------------------


def startup(*, quick: bool) -> list[Row]:
    """From the start of the process `tablectl run` to its READY line, with boards that answer and without."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        pipe = subprocess.PIPE
        command = ("-m", "tablectl.sim", folder, "--display-port", "0", "--stay")
        with process(*command, stdin=pipe, stdout=pipe) as simulator:
            line_with(simulator.stdout, "ready")
            threading.Thread(target=_drain, args=(simulator.stdout,), daemon=True).start()
            with_boards = [_ready(folder / "table.toml") for _ in range(3 if quick else 10)]
        without = [_ready(folder / "table.toml") for _ in range(1 if quick else 2)]
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


def memory(*, quick: bool) -> list[Row]:
    """The whole table, journal and display included, fed as fast as it goes."""
    hands = 40 if quick else 1000
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, str(HERE / "memory.py"), place, str(hands)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    samples = [tuple(map(int, line.split())) for line in said.splitlines()]
    course = "  ".join(f"{count}: {size / 1e6:.0f}" for count, size in samples)
    return [(f"resident memory over {hands} hands, MB", course, "< 80, flat")]


MEASUREMENTS: dict[str, Callable[..., list[Row]]] = {
    "throughput": throughput,
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
    parser.add_argument("--quick", action="store_true", help="smaller numbers, a minute or two")
    parser.add_argument("--only", choices=tuple(MEASUREMENTS), help="one of the measurements")
    args = parser.parse_args()
    out = Console(width=None if sys.stdout.isatty() else 140)
    table = Table(
        "figure", "measured", "aim", title=machine(), title_justify="left", box=None, pad_edge=False
    )
    for name, measure in MEASUREMENTS.items():
        if args.only in (None, name):
            sys.stderr.write(f"{name} …\n")
            for row in measure(quick=args.quick):
                table.add_row(*row)
    out.print(table)


if __name__ == "__main__":
    main()
