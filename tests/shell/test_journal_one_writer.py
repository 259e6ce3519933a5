"""One writer for each journal, however it ends; and a night is in the file only with what happened in it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from journal_bench import HEADER, ROOT, SECRET, note

from tablectl.errors import JournalError
from tablectl.shell.journal import Journal, chosen, nights

WRITER = """
import sys
from pathlib import Path
from tablectl.shell.journal import Journal

journal = Journal(Path(sys.argv[1]), {"recording": 1, "config": {"table": {"seats": 9}}}, print, sensitive="clear")
journal.sensed({"t": 1, "input": {"do": "note", "text": "1"}})
journal.flush()
print("writing", flush=True)
sys.stdin.readline()
journal.close()
"""


def journal_at(path: Path) -> Journal:
    return Journal(path, HEADER, pytest.fail, sensitive=SECRET.public)


@contextmanager
def writer(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has the journal open, with one entry in it, until it gets a line or is killed."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        yield process
        process.kill()


def test_a_second_writer_is_refused_by_name_and_changes_nothing(tmp_path: Path) -> None:
    """While a process writes: JournalError with the file and that process's number, also by another name of
    the same file; its entries stay as they are, and reading needs no leave."""
    path = tmp_path / "journal.db"
    other = tmp_path / "link.db"
    with writer(path) as process:
        other.symlink_to(path)
        for name in (path, other):
            with pytest.raises(JournalError) as error:
                journal_at(name)
            assert str(error.value).startswith(f"{name}: another tablectl (pid {process.pid}) writes")
        assert [(night.id, night.last_seq) for night in nights(path)] == [(1, 1)]
        assert process.communicate("\n") == ("", None)
        assert process.returncode == 0
    assert [(night.id, night.last_seq) for night in nights(path)] == [(1, 1)]


def test_a_killed_writer_leaves_nothing_locked(tmp_path: Path) -> None:
    """SIGKILL: the next writer opens the journal at once, although the killed one's lock file still lies there;
    in the end none is left."""
    path = tmp_path / "journal.db"
    with writer(path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert (tmp_path / "journal.db.lock").exists()
        journal = journal_at(path)
        journal.sensed(note(2))
        journal.close()
    assert [(night.id, night.last_seq) for night in nights(path)] == [(1, 1), (2, 1)]
    assert not (tmp_path / "journal.db.lock").exists()


def test_reading_does_not_unlock(tmp_path: Path) -> None:
    """In the writer's own process the file is read and closed again and again: a second writer is refused all
    the same, and the first one goes on."""
    path = tmp_path / "journal.db"
    journal = journal_at(path)
    for n in range(1, 4):
        journal.sensed(note(n))
        assert journal.flush()
        assert nights(path)[0].last_seq == n
        with pytest.raises(JournalError, match="another tablectl"):
            journal_at(path)
    journal.close()
    journal_at(path).close()


def test_a_lock_that_was_taken_away_is_taken_again(tmp_path: Path) -> None:
    """Somebody removes the lock file, and a disk that refuses a write makes the writer open the journal anew:
    from then on a second writer is refused again."""
    path = tmp_path / "journal.db"
    said: list[str] = []
    journal = Journal(path, HEADER, said.append, sensitive=SECRET.public)
    (tmp_path / "journal.db.lock").unlink()
    journal._book.close()  # as after a failed commit
    journal.sensed(note(1))
    assert journal.flush()
    with pytest.raises(JournalError, match="another tablectl"):
        journal_at(path)
    journal.close()
    assert (said, [night.last_seq for night in nights(path)]) == ([], [1])


def test_a_start_in_which_nothing_happens_leaves_no_night(tmp_path: Path) -> None:
    """Opened and closed: no night. The first entry brings the night, with the time at which it was opened."""
    path = tmp_path / "journal.db"
    journal_at(path).close()
    assert nights(path) == []
    with pytest.raises(JournalError, match="there is no night in this journal yet"):
        chosen(path)
    journal = journal_at(path)
    assert journal.night is None
    journal.sensed(note(1))
    assert journal.flush()
    assert journal.night == 1
    journal.close()
    assert [(night.id, night.last_seq) for night in nights(path)] == [(1, 1)]
