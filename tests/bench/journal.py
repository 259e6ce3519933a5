"""What the journal costs: how long the table waits for it, how soon an entry is safe, what a table hour writes, how
fast it is proved.

    python tests/bench/journal.py [seconds] [entries]      90 s of a simulated table at its own pace; 10,000,000 entries

A night is fed in real time, decisions included; then once more with a disk whose fsync does not come back for five
seconds (`writes.c`, below SQLite). Then a journal of so many entries is written and proved.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "shell"))

from power_cut import library

from tablectl import recording
from tablectl.app.metrics import resident
from tablectl.app.replay import replay
from tablectl.sealed import keygen
from tablectl.shell.journal import Journal
from tablectl.shell.journal.book import Book, Limits
from tablectl.shell.journal.chain import Head, entry_hash
from tablectl.shell.journal.file import entry_id, open_for_writing, tail
from tablectl.shell.journal.verify import verify
from tablectl.shell.journal.waiting import Row
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup

STALL_S = 5.0
MIB = 1 << 20
BLOCK, DECISION = 650, 150
"""What a block's sealed part and a decision take, bytes: as in the night above."""


def night(folder: Path, seconds: float) -> list[tuple[int, dict[str, Any], list[dict[str, Any]]]]:
    """Every sensed line with its time in ms and the decisions that it led to."""
    steps = script.parse("clean, wrong_seat, clean, premature_card@turn, joker, clean*9")
    lines = list(generate(TableSetup(seats=9, boards=2), steps, preset("light"), seed=7))
    path = folder / "night.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    decided = [each.as_json() for each in replay(path)]
    _, events = recording.read(path)
    made, at = [], 0
    for event in events:
        if event.t > seconds * 1000:
            break
        end = at
        while end < len(decided) and decided[end]["t"] <= event.t:
            end += 1
        made.append((event.t, recording.dump(event), decided[at:end]))
        at = end
    return made


def played(folder: Path, seconds: float, stall: Path | None) -> None:
    """The night at its own pace, into a journal; its figures on standard output."""
    made = night(folder, seconds)
    waits: list[float] = []
    asked: dict[int, tuple[float, bool]] = {}
    took: dict[bool, list[float]] = {False: [], True: []}
    commits = 0

    def committed(seq: int) -> None:
        nonlocal commits
        commits += 1
        now = time.monotonic()
        for each in [each for each in asked if each <= seq]:
            since, alarm = asked.pop(each)
            took[alarm].append(now - since)

    path = folder / "journal.sqlite"
    journal = Journal(path, {"recording": 1}, tell, sensitive=keygen().public, committed=committed)
    written, stalled = _written(), False
    began = time.monotonic()
    for t, line, decisions in made:
        time.sleep(max(0.0, began + t / 1000 - time.monotonic()))
        if stall is not None and not stalled and t > seconds * 500:
            stalled = True
            stall.touch()
            threading.Timer(STALL_S, stall.unlink).start()
        start = time.perf_counter()
        journal.sensed(line)
        waits.append(time.perf_counter() - start)
        if decisions:
            start = time.perf_counter()
            seq = journal.decisions(decisions)
            waits.append(time.perf_counter() - start)
            asked[seq] = (time.monotonic(), any(each["type"] == "irregularity" for each in decisions))
    journal.flush(60)
    hours = (time.monotonic() - began) / 3600
    written = _written() - written
    journal.close()
    tell(f"  enqueue: {spread(waits)}")
    for alarm, name in ((False, "acknowledged"), (True, "acknowledged after an alarm")):
        if took[alarm]:
            tell(f"  {name}: {spread(took[alarm])}")
    size = path.stat().st_size / hours / 1e6
    tell(
        f"  an hour of table: {size:.1f} MB of journal, {commits / hours:,.0f} commits, {written / hours / 1e6:.0f} MB"
    )
    tell(f"  given to the disk; {len(made) / hours:,.0f} sensed lines; lost {journal.dropped}")


def tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def spread(values: list[float]) -> str:
    """Median, 99th percentile and the longest of these times in s, as ms; how many."""
    ordered = sorted(values)
    middle, late = (1e3 * ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.99))
    return f"p50 {middle:.2f} ms, p99 {late:.2f}, most {1e3 * ordered[-1]:.1f}; of {len(ordered):,}"


def _written() -> int:
    """What this process gave to disks so far, bytes (Linux: /proc/PID/io)."""
    return int(Path("/proc/self/io").read_text().split("write_bytes: ")[1].split()[0])


def big(path: Path, entries: int) -> None:
    """A journal of so many entries, half of them blocks; a head at every two hundredth."""
    book = Book(path, {"recording": 1}, "clear", Limits(1 << 50, 1 << 50), tell)
    book.open()
    book.commit([Row(1, "decision", "{}")], sign=True)
    key = book._key
    assert key is not None
    book.close()
    dice = random.Random(1)
    blob = dice.randbytes(1 << 20)
    with closing(open_for_writing(path)) as file:
        file.execute("PRAGMA synchronous = OFF")
        found = tail(file)
        assert found is not None
        night, seq, last = found
        while seq < entries:
            rows = []
            for seq in range(seq + 1, min(seq + 200, entries) + 1):  # noqa: B020
                if seq % 2:
                    at = dice.randrange(len(blob) - BLOCK)
                    kind, public, sealed = (
                        "sensed",
                        f'{{"from":{seq},"to":{seq},"lines":40}}',
                        blob[at : at + BLOCK],
                    )
                else:
                    public = f'{{"t":{seq},"type":"deal","k":1,"zone":"seat:1","seen_at":{seq}}}'.ljust(
                        DECISION
                    )
                    kind, sealed = "decision", None
                last = entry_hash(last, night, seq, kind, public, sealed)
                rows.append((entry_id(night, seq), kind, public, sealed, last))
            bare = Head(night, seq, last, "2026-12-01T00:00:00.000+00:00")
            file.execute("BEGIN")
            file.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
            head = (night, seq, last, bare.at, key.sign(bare.signed))
            file.execute("INSERT INTO heads VALUES (?, ?, ?, ?, ?)", head)
            file.execute("COMMIT")
    book.release()


def main() -> None:
    if len(sys.argv) > 3:
        stall = os.environ.get("TABLECTL_DISK_STALL")
        played(Path(sys.argv[3]), float(sys.argv[1]), Path(stall) if stall else None)
        return
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 90.0
    entries = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    with tempfile.TemporaryDirectory(prefix="tablectl-journal-") as name:
        folder = Path(name)
        for what in ("a disk that is well", f"a disk that stalls for {STALL_S:.0f} s"):
            place = folder / what.split()[-1]
            place.mkdir()
            env = {**os.environ}
            if "stalls" in what:
                env |= {
                    "LD_PRELOAD": str(library(folder)), "TABLECTL_DISK": str(place),
                    "TABLECTL_DISK_STALL": str(folder / "stall"),
                }  # fmt: skip
            tell(f"{seconds:.0f} s at a table of nine, {what}:")
            subprocess.run([sys.executable, __file__, str(seconds), "0", str(place)], env=env, check=True)
        path = folder / "journal.sqlite"
        began = time.monotonic()
        big(path, entries)
        tell(
            f"{entries:,} entries, {path.stat().st_size / 1e9:.1f} GB, written in {time.monotonic() - began:.0f} s"
        )
        before, began, cpu = resident(), time.monotonic(), time.process_time()
        proof = verify(path)
        took, used = time.monotonic() - began, time.process_time() - cpu
        assert proof.fault is None, proof.fault
        assert proof.entries == entries
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        tell(f"proved in {took:.0f} s ({used:.0f} s of CPU) with {proof.heads:,} heads")
        tell(f"memory {before / MIB:.0f} MiB before, {resident() / MIB:.0f} after, {most:.0f} at most")


if __name__ == "__main__":
    main()
