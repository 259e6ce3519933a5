"""The journal after a power cut: below SQLite writes are torn and lost, and what was acknowledged is there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from journal_bench import HAND_END, HEADER
from power_cut import Disk, Op, watched

from tablectl.shell.journal import Head, Journal
from tablectl.shell.journal.verify import verify

NIGHTS = """
import os, random, sys
from pathlib import Path
from tablectl.shell.journal import Journal, Limits

folder, nights, rows, synchronous = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
acks = os.open(folder / "acks", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

def committed(seq):
    os.write(acks, f"ack {journal.night} {seq} {journal._book._tail.hex()}\\n".encode())

dice = random.Random(nights)
for night in range(nights):
    journal = Journal(
        folder / "journal.db", {"recording": 1}, lambda text: None, sensitive="clear", committed=committed,
        limits=Limits(part=48 << 10, keep=150 << 10),
    )
    journal._book._file.execute(f"PRAGMA synchronous = {synchronous}")
    for n in range(rows):
        journal.sensed({"t": n, "input": {"do": "note", "text": dice.randbytes(300).hex()}})
        kind = {"type": "hand", "event": "end"} if n % 7 == 6 else {"type": "deal"}
        journal.decisions([{"t": n, **kind}])
        assert journal.flush(60)
    if night < nights - 1:  # the last one is at work when the power goes
        journal.close()
os._exit(0)
"""


def woken(disk: Disk, folder: Path, dice: random.Random) -> str | None:
    """The power goes, and the next night begins: what is wrong with the journal then; None if it is whole, with the
    last acknowledged entry in its place."""
    disk.cut(folder, dice)
    path = folder / "journal.db"
    published = []
    if disk.acknowledged:
        _, night, seq, digest = disk.acknowledged[-1].split()
        published = [Head(int(night), int(seq), bytes.fromhex(digest), "")]
        fault = verify(path, published=published).fault
        if fault is not None:
            return fault
    journal = Journal(path, HEADER, lambda text: None, sensitive="clear")
    journal.decisions([HAND_END])
    journal.close()
    return verify(path, published=published).fault


def found(ops: list[Op], folder: Path, cuts: int, *, deaf: bool = False, seed: int = 1) -> list[str]:
    """What was wrong after so many cuts at random moments of that run; nothing is right."""
    dice = random.Random(seed)
    moments = sorted(dice.randrange(len(ops)) for _ in range(cuts))
    disk, wrong = Disk(deaf=deaf), []
    for number, op in enumerate(ops):
        while moments and moments[0] == number:
            del moments[0]
            try:
                fault = woken(disk, folder, dice)
            except OSError as error:
                fault = str(error)
            if fault is not None:
                wrong.append(f"operation {number}: {fault}")
        disk.step(op)
    return wrong


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> list[Op]:
    """Two nights that put files aside and remove the oldest, as the disk saw them."""
    folder = tmp_path_factory.mktemp("run") / "disk"
    folder.mkdir()
    return watched(NIGHTS, folder, "2", "120", "FULL")


def test_after_a_power_cut_the_chain_is_whole_up_to_what_was_acknowledged(
    run: list[Op], tmp_path: Path
) -> None:
    """150 cuts at random moments, with parts put aside and removed meanwhile: each time the chain is proved with the
    last acknowledged entry in it, and the next night follows on it."""
    assert {kind for kind, *_ in run} == set("NWTSDRU")
    assert found(run, tmp_path / "disk", 150) == []


def test_a_disk_that_ignores_fsync_is_noticed(run: list[Op], tmp_path: Path) -> None:
    """The counter-proof: the same cuts, but fsync did nothing. Acknowledged entries are lost, and that is found."""
    assert len(found(run, tmp_path / "disk", 40, deaf=True)) > 10


def test_a_commit_without_fsync_is_noticed(tmp_path: Path) -> None:
    """The counter-proof: a journal that acknowledges what it has not waited for (synchronous=NORMAL) is found."""
    folder = tmp_path / "run"
    folder.mkdir()
    ops = watched(NIGHTS, folder, "1", "60", "NORMAL")
    assert found(ops, tmp_path / "disk", 40) != []


FAILING = NIGHTS.replace(
    "    for n in range(rows):\n",
    """    reader = sqlite3.connect(folder / "journal.db")  # so that a close folds nothing by itself
    reader and reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    for n in range(rows):
        if n % 15 == 14:
            Path(os.environ["TABLECTL_DISK_FAIL"]).touch()
""",
).replace("import os, random, sys", "import os, random, sqlite3, sys")


def failing(program: str, folder: Path) -> list[Op]:
    """A night in which every fifteenth fsync or so fails, and what it was asked for never comes to the disk."""
    (folder / "run").mkdir()
    return watched(program, folder / "run", "1", "60", "FULL", TABLECTL_DISK_FAIL=str(folder / "fail"))


def test_what_a_failed_fsync_dropped_is_written_again_before_it_is_acknowledged(tmp_path: Path) -> None:
    """The system forgets what a failed fsync was asked for, and the next one says that all is well: after a cut all
    that was acknowledged is there, whether or not somebody reads the file meanwhile."""
    for number, program in enumerate((FAILING, FAILING.replace("reader = ", "reader = None and "))):
        (tmp_path / str(number)).mkdir()
        ops = failing(program, tmp_path / str(number))
        assert len([kind for kind, *_ in ops if kind == "F"]) >= 3
        assert found(ops, tmp_path / "disk", 60) == []


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_after_three_thousand_power_cuts(tmp_path: Path) -> None:
    """The same with longer nights and 3,000 cuts, in three runs."""
    for seed in range(3):
        folder = tmp_path / f"run{seed}"
        folder.mkdir()
        ops = watched(NIGHTS, folder, "3", str(200 + seed), "FULL")
        assert found(ops, tmp_path / "disk", 1000, seed=seed) == []
