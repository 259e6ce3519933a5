"""The journal on disks that are full, read-only, locked or stalled: it is said, and nothing is lost."""

from __future__ import annotations

import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from journal_bench import DEADLINE_S, HEADER, Told, can_mount, child, kept, note, opened, sensed

from tablectl.errors import JournalError
from tablectl.shell.journal import Journal, nights
from tablectl.shell.journal.verify import verify
from tablectl.shell.journal.waiting import DECISION_BYTES, SENSED_BYTES
from tablectl.shell.journal.writer import LAG_ENTRIES


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(journal: Journal, told: Told) -> int:
    """Adds entries of 4 kB until the disk has failed, and some more. Returns how many."""
    n = 0
    while journal.state == "ok" and n < 4000:
        n += 1
        journal.sensed(note(n, 4000))
        if n % 20 == 0:
            journal.flush(1.0)
    told.wait("cannot be written")
    for _ in range(20):
        n += 1
        journal.sensed(note(n, 4000))
    return n


if can_mount():

    def test_a_full_disk_is_said_and_nothing_is_lost(small_disk: Path) -> None:
        """ENOSPC in mid-night: one report, entries wait, and all are written once there is room."""
        path = small_disk / "journal.db"
        told = Told()
        with opened(path, told) as journal:
            n = fill(journal, told)
            assert journal.state == "failing"
            assert journal.fault is not None
            acknowledged = journal.acknowledged
            assert acknowledged > 0
            there = [seq for seq, _, _ in kept(path)]
            assert set(there) >= set(range(1, acknowledged + 1))
            subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
            assert "nothing was lost" in told.wait("is written again")
            assert journal.flush(DEADLINE_S)
            assert (journal.state, journal.fault, journal.dropped) == ("ok", None, 0)
        assert len(told.texts) == 2
        assert sensed(path) == [note(i, 4000) for i in range(1, n + 1)]
        assert verify(path).fault is None

    def test_a_full_disk_does_not_keep_the_table_from_opening(small_disk: Path) -> None:
        """Started on a disk without a free byte, the journal says so and writes as soon as there is room."""
        path = small_disk / "journal.db"
        with opened(path):
            pass
        subprocess.run(
            ["dd", "if=/dev/zero", f"of={small_disk}/ballast", "bs=4k"], check=False, capture_output=True
        )
        told = Told()
        with opened(path, told) as journal:
            assert journal.state == "failing"
            for n in range(1, 400):
                journal.sensed(note(n, 4000))
            assert "full" in told.wait("cannot be written")
            (small_disk / "ballast").unlink()
            subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
            told.wait("is written again")
            night = journal.night
        assert night is not None
        assert sensed(path, night) == [note(i, 4000) for i in range(1, 400)]

    def test_a_read_only_disk_is_refused_and_can_still_be_read(small_disk: Path) -> None:
        """On a read-only disk the writer says what must be, the reader reads, and later all goes on."""
        path = small_disk / "journal.db"
        with opened(path) as journal:
            journal.sensed(note(1))
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
        with pytest.raises(JournalError, match="writable"):
            Journal(path, HEADER, pytest.fail, sensitive="nothing")
        assert sensed(path) == [note(1)]
        assert verify(path).fault is None
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
        with opened(path) as journal:
            journal.sensed(note(2))
        assert [night.last_seq for night in nights(path)] == [1, 1]


FILE_LIMIT = """
import base64, random, resource, sys, threading
from pathlib import Path
from tablectl.shell.journal import Journal, lines

told, change = [], threading.Condition()

def report(text):
    with change:
        told.append(text)
        change.notify_all()

def wait(part):
    with change:
        assert change.wait_for(lambda: any(part in text for text in told), 30), told

def note(n):
    text = base64.b85encode(random.Random(n).randbytes(3200)).decode()
    return {"t": n, "input": {"do": "note", "text": text}}

path = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
journal = Journal(path, {"recording": 1}, report, sensitive="clear")
journal.sensed(note(1))
assert journal.flush(30)
for n in range(2, 301):
    journal.sensed(note(n))
wait("cannot be written")
with change:  # in the end neither the file nor its log can take what is left
    assert change.wait_for(lambda: journal.state == "failing", 30)
assert journal.state == "failing" and journal.acknowledged > 0
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
wait("nothing was lost")
assert journal.flush(30) and journal.waiting == 0
journal.close()
assert [entry for _, _, entry in lines(path, 1)] == [note(n) for n in range(1, 301)]
assert len(told) == 2, told
print("good")
"""


def test_a_write_that_the_system_refuses_is_retried(tmp_path: Path) -> None:
    """A file size limit makes the kernel refuse writes: one report, and all is written when it is lifted."""
    with child(FILE_LIMIT, str(tmp_path / "journal.db")) as process:
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "good\n")


NOBODY = """
import os, sys
from pathlib import Path
from tablectl.errors import JournalError
from tablectl.shell.journal import Journal, lines
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    Journal(Path(sys.argv[1]), {"recording": 1}, print, sensitive="nothing")
except JournalError as error:
    print(error)
"""


def test_a_directory_that_may_not_be_written_is_named() -> None:
    """A user without the right to write there gets the path and what would be right, not a traceback."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o555)
        path = f"{place}/journal.db"
        with child(NOBODY, path) as process:
            out, _ = process.communicate(timeout=60)
        Path(place).chmod(0o755)
    assert process.returncode == 0
    assert out.startswith(f"{path}: the journal cannot be opened: ")
    assert "must exist and be writable" in out


def test_memory_is_bounded_and_the_loss_is_written_down(tmp_path: Path) -> None:
    """With another program holding the file, entries wait up to the bound; then the loss is said, decisions
    still find room, and afterwards an entry says what was lost: the chain has no hole."""
    path = tmp_path / "journal.db"
    told = Told()
    size = 1 << 20
    with opened(path, told) as journal, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        fits = SENSED_BYTES // size - 1
        n = 0
        while journal.dropped < 3:
            n += 1
            journal.sensed(note(n, size))
        assert fits <= n - 3 <= fits + 4  # what was packed meanwhile takes a little less
        last = journal.decisions([{"t": n, "type": "irregularity", "id": "i1", "kind": "joker"}])
        assert journal.dropped == 3
        assert "loses entries: its memory is full" in told.wait("loses entries")
        assert journal.fault is not None
        other.execute("ROLLBACK")
        assert "3 entries were lost" in told.wait("is written again")
        assert journal.flush(DEADLINE_S)
        assert (journal.state, journal.fault, journal.dropped) == ("ok", None, 3)
    assert sensed(path) == [note(i, size) for i in range(1, n - 2)]
    [(seq, lost)] = [(seq, entry) for seq, kind, entry in kept(path) if kind == "lost"]
    assert (seq, lost) == (last - 1, {"lines": 3, "decisions": 0, "from": n - 2, "to": n})
    proof = verify(path)
    assert proof.fault is None
    assert any("the table itself lost 3 lines and 0 decisions" in each for each in proof.notes)
    assert SENSED_BYTES < DECISION_BYTES


def test_a_disk_that_stalls_is_said_before_anything_is_lost(tmp_path: Path) -> None:
    """Many entries wait and no error has come back yet: the journal lags, and says when it has caught up."""
    told = Told()
    with (
        opened(tmp_path / "journal.db", told) as journal,
        closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        for n in range(1, LAG_ENTRIES + 2):
            journal.sensed(note(n))
        assert journal.state in ("lagging", "failing")
        assert journal.fault is not None
        other.execute("ROLLBACK")
        assert "nothing was lost" in told.wait("is written again")
        assert journal.flush(DEADLINE_S)
        assert journal.waiting == 0
    assert len(sensed(tmp_path / "journal.db")) == LAG_ENTRIES + 1


def test_close_says_what_could_not_be_written(tmp_path: Path) -> None:
    """Closed while another program holds the file, the journal names the number of entries that are lost."""
    told = Told()
    path = tmp_path / "journal.db"
    with opened(path, told) as journal, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        journal.sensed(note(1))
        journal.sensed(note(2))
        told.wait("another program holds the file")
        journal.close()
        assert "2 entries could not be written" in told.texts[-1]
