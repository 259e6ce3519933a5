"""The journal: what goes in comes back, nothing acknowledged is lost, and only a journal is taken for one."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablectl import recording
from tablectl.cards import Deck
from tablectl.core.sensed import AntennaHealth, Entry, Gap, Lost, Passage, Seen, Sensed, Sweep
from tablectl.errors import JournalError
from tablectl.shell.journal import Journal, as_recording, is_journal, lines, nights
from tablectl.shell.journal.file import APPLICATION_ID, FORMAT
from tablectl.shell.journal.writer import GROUP_ENTRIES

DEADLINE_S = 30.0
ROOT = Path(__file__).parents[2]
DECK = Deck("blue", {"E004015012345601": "As"})
HEADER = recording.header({"table": {"id": "T12", "seats": 9}}, [DECK], "blue")


def note(n: int, size: int = 0) -> dict[str, Any]:
    """The n-th sensed line of a test: its content can be told from its number."""
    return {"t": n, "input": {"do": "note", "text": f"{n} " + "x" * size}}


@contextmanager
def opened(path: Path, told: Callable[[str], None] | None = None) -> Iterator[Journal]:
    journal = Journal(path, HEADER, told or (lambda text: pytest.fail(text)))
    try:
        yield journal
    finally:
        journal.close()


# --- writing and reading back ------------------------------------------------------------------------------


def test_entries_come_back_in_order_with_their_kind(tmp_path: Path) -> None:
    """Sensed lines and decisions are read as they were handed over, numbered from 1 without a hole."""
    path = tmp_path / "journal.db"
    made = [{"t": 1, "type": "deal", "k": 1, "zone": "seat:1", "seen_at": 1}, {"t": 1, "type": "hand"}]
    with opened(path) as journal:
        assert journal.sensed(note(1)) == 1
        assert journal.decisions(made) == 3
        assert journal.decisions([]) == 3
        assert journal.sensed(note(2)) == 4
        assert journal.flush()
        assert (journal.acknowledged, journal.state, journal.fault) == (4, "ok", None)
        night = journal.night
        assert night == 1
    assert list(lines(path, night)) == [
        (1, "sensed", note(1)),
        (2, "decision", made[0]),
        (3, "decision", made[1]),
        (4, "sensed", note(2)),
    ]


def test_entries_are_committed_without_being_asked(tmp_path: Path) -> None:
    """Nobody calls flush, and yet `committed` soon tells that the entry is on the disk."""
    acknowledged: list[int] = []
    done = threading.Event()

    def committed(seq: int) -> None:
        acknowledged.append(seq)
        done.set()

    journal = Journal(tmp_path / "journal.db", HEADER, pytest.fail, committed=committed)
    journal.sensed(note(1))
    assert done.wait(DEADLINE_S)
    assert acknowledged == [1]
    assert [seq for seq, _, _ in lines(tmp_path / "journal.db", 1)] == [1]
    journal.close()


def test_close_writes_what_waits(tmp_path: Path) -> None:
    """More entries than one transaction takes, closed at once: all of them are there."""
    path = tmp_path / "journal.db"
    with opened(path) as journal:
        for n in range(1, GROUP_ENTRIES + 51):
            journal.sensed(note(n))
    assert [seq for seq, _, _ in lines(path, 1)] == list(range(1, GROUP_ENTRIES + 51))


def test_what_comes_after_close_is_reported_as_lost(tmp_path: Path) -> None:
    """An entry that comes too late is not lost silently, and closing twice does no harm."""
    told: list[str] = []
    with opened(tmp_path / "journal.db", told.append) as journal:
        journal.close()
        journal.sensed(note(1))
    assert told == [f"{journal.path}: the journal loses entries: it is closed"]
    assert journal.dropped == 1


def test_each_start_is_a_night_of_its_own(tmp_path: Path) -> None:
    """Two runs append to one file; each keeps its own numbering, header and time of start."""
    path = tmp_path / "journal.db"
    for run in (1, 2):
        with opened(path) as journal:
            for n in range(run):
                journal.sensed(note(10 * run + n))
    first, second = nights(path)
    assert (first.id, first.last_seq, second.id, second.last_seq) == (1, 1, 2, 2)
    assert first.started_at <= second.started_at
    assert first.started_at.endswith("+00:00")
    assert [entry for _, _, entry in lines(path, 1)] == [note(10)]
    assert [entry for _, _, entry in lines(path, 2)] == [note(20), note(21)]


def test_a_night_replays_as_what_was_sensed(tmp_path: Path) -> None:
    """What the core was given is what `as_recording` gives back, event by event, without the decisions."""
    path = tmp_path / "journal.db"
    events: list[Sensed] = [
        Sweep(10, 0, (0, 1), (Seen(1, "E004015012345601", -41, 3), Seen(1, "04A1B2C3", None))),
        Passage(11, 0, 0, "up"),
        Gap(12, 0),
        AntennaHealth(13, 0, 1, "weak"),
        Lost(14, 0),
        Entry(15, "seats", {"eligible": (1, 4)}),
        Entry(16, "note", {"text": "zażółć gęślą"}),
    ]
    with opened(path) as journal:
        for event in events:
            journal.sensed(recording.dump(event))
            journal.decisions([{"t": event.t, "type": "degraded"}])
    header, sensed = as_recording(path)
    told: list[Any] = []
    head, found = recording.from_objects(header, sensed, strict=True, report=lambda *what: told.append(what))
    assert (list(found), head.decks, head.active_deck, told) == (events, (DECK,), "blue", [])


def test_it_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    """A reader in the middle of the night neither fails nor holds up the writer."""
    path = tmp_path / "journal.db"
    with opened(path) as journal:
        journal.sensed(note(1))
        assert journal.flush()
        reader = lines(path, 1)
        assert next(reader)[0] == 1
        journal.sensed(note(2))
        assert journal.flush()
        reader.close()  # type: ignore[attr-defined]
        assert [seq for seq, _, _ in lines(path, 1)] == [1, 2]


def test_a_journal_can_be_told_from_a_recording(tmp_path: Path) -> None:
    """`replay FILE` can see which of the two it was given."""
    with opened(tmp_path / "journal.db"):
        pass
    (tmp_path / "night.jsonl").write_text('{"recording": 1}\n')
    assert is_journal(tmp_path / "journal.db")
    assert not is_journal(tmp_path / "night.jsonl")
    assert not is_journal(tmp_path / "none")


def test_the_file_is_not_for_everybody(tmp_path: Path) -> None:
    """An open table's journal names cards: neither the file nor its log may be read by other users."""
    path = tmp_path / "journal.db"
    with opened(path) as journal:
        journal.sensed(note(1))
        assert journal.flush()
        for each in tmp_path.iterdir():
            assert each.stat().st_mode & 0o007 == 0, each


# --- killed ------------------------------------------------------------------------------------------------

WRITE_FOR_EVER = """
import os, sys
from pathlib import Path
from tablectl.shell.journal import Journal

def say(word, n):
    os.write(1, f"{word} {n}\\n".encode())

journal = Journal(Path(sys.argv[1]), {"recording": 1}, print, committed=lambda n: say("ack", n))
journal.sensed({"t": 1, "input": {"do": "note", "text": "1 "}})
journal.flush()
say("night", journal.night)
n = 1
while True:
    n += 1
    journal.sensed({"t": n, "input": {"do": "note", "text": str(n) + " "}})
    if n % 50 == 0:
        journal.flush()
"""


def child(code: str, *args: str, **kwargs: Any) -> subprocess.Popen[str]:
    """A Python process of its own that can import tablectl."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *args], stdout=subprocess.PIPE, text=True, cwd=ROOT, **kwargs
    )


def test_killed_at_any_moment_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """Twenty processes on one file are killed with SIGKILL: each night holds 1, 2, 3 … up to at least the
    last acknowledged entry, unharmed, and the next process opens the file as it is."""
    path = tmp_path / "journal.db"
    dice = random.Random(20)
    kept = 0
    for _ in range(20):
        left = dice.randrange(-1, 25)  # lines to hear before the kill, which then hits any moment of the work
        with child(WRITE_FOR_EVER, str(path)) as process:
            assert process.stdout is not None
            night, acknowledged = 0, 0
            if left < 0:
                process.kill()
            for line in process.stdout:
                word, number = line.split()
                if word == "night":
                    night = int(number)
                else:
                    acknowledged = int(number)
                if left == 0:
                    process.kill()
                left -= 1
        if night == 0:  # killed before its first entry was there
            continue
        found = list(lines(path, night))
        assert [seq for seq, _, _ in found] == list(range(1, len(found) + 1))
        assert all(entry == note(seq) for seq, _, entry in found)
        assert len(found) >= acknowledged
        kept += acknowledged
    assert kept > 0
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_file_left_empty_by_a_kill_is_begun_anew(tmp_path: Path) -> None:
    """Killed between creating the file and its schema, the table starts again on the same path."""
    path = tmp_path / "journal.db"
    path.touch()
    with opened(path) as journal:
        journal.sensed(note(1))
    assert [night.last_seq for night in nights(path)] == [1]
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


# --- files that are none -----------------------------------------------------------------------------------


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.executescript("CREATE TABLE songs (name TEXT)")


def newer(path: Path) -> None:
    with opened(path):
        pass
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"PRAGMA user_version = {FORMAT + 1}")


def noise(path: Path) -> None:
    path.write_bytes(random.Random(3).randbytes(20_000))


def damaged(path: Path) -> None:
    with opened(path) as journal:
        for n in range(300):
            journal.sensed(note(n, 100))
    content = bytearray(path.read_bytes())
    content[100:4096] = random.Random(4).randbytes(3996)
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (foreign, "the SQLite file of another program"),
        (newer, f"a newer tablectl wrote this journal (format {FORMAT + 1}); this one knows format {FORMAT}"),
        (noise, "this is not a journal"),
        (damaged, "the file is damaged"),
        (Path.mkdir, ""),
        (lambda path: None, ""),
    ],
)
def test_a_file_that_is_no_journal_is_refused_and_left_alone(
    tmp_path: Path, make: Callable[[Path], None], text: str
) -> None:
    """Foreign, newer, random and damaged files and directories are JournalErrors with the path, for the
    writer and for the reader, and nothing in them is changed; an absent file is one for the reader."""
    path = tmp_path / "journal.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    for attempt in (lambda: nights(path), lambda: as_recording(path), lambda: list(lines(path, 1))):
        with pytest.raises(JournalError) as error:
            attempt()
        assert str(error.value).startswith(f"{path}: ")
        assert text in str(error.value)
    if path.exists():
        with pytest.raises(JournalError) as error:
            Journal(path, HEADER, pytest.fail)
        assert str(error.value).startswith(f"{path}: ")
        assert text in str(error.value)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    """The writer does not make directories up: it says what must exist."""
    with pytest.raises(JournalError, match="must exist and be writable"):
        Journal(tmp_path / "none" / "journal.db", HEADER, pytest.fail)


def test_a_night_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    """Asking for night 7 of two says which nights there are."""
    path = tmp_path / "journal.db"
    for n in range(2):
        with opened(path) as journal:
            journal.sensed(note(n))
    with pytest.raises(JournalError, match="there is no night 7; there are: 1, 2"):
        as_recording(path, 7)
