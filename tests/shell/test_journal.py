"""The journal: what goes in comes back, nothing acknowledged is lost, and only a journal is taken for one."""

from __future__ import annotations

import random
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from journal_bench import DEADLINE_S, HEADER, SECRET, child, kept, note, opened, sensed

from tablectl import recording
from tablectl.cards import Deck
from tablectl.core.sensed import AntennaHealth, Entry, Gap, Lost, Passage, Seen, Sensed, Sweep
from tablectl.errors import JournalError
from tablectl.sealed import keygen
from tablectl.shell.journal import Journal, as_recording, is_journal, lines, nights
from tablectl.shell.journal.file import APPLICATION_ID, FORMAT
from tablectl.shell.journal.verify import verify
from tablectl.shell.journal.waiting import BLOCK_MS, GROUP_ROWS

DECK = Deck("blue", {"E004015012345601": "As"})


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
    assert kept(path, night) == [
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

    with opened(tmp_path / "journal.db", committed=committed) as journal:
        journal.sensed(note(1))
        assert done.wait(DEADLINE_S)
        assert acknowledged == [1]
        assert kept(tmp_path / "journal.db") == [(1, "sensed", note(1))]


def test_close_writes_what_waits(tmp_path: Path) -> None:
    """More entries than one transaction takes, closed at once: all of them are there."""
    path = tmp_path / "journal.db"
    with opened(path) as journal:
        for n in range(GROUP_ROWS + 50):
            journal.sensed(note(n * BLOCK_MS))
    assert [seq for seq, _, _ in kept(path)] == list(range(1, GROUP_ROWS + 51))
    assert sensed(path) == [note(n * BLOCK_MS) for n in range(GROUP_ROWS + 50)]


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
    assert (first.id, first.last_seq, second.id, second.last_seq) == (1, 1, 2, 1)
    assert first.started_at <= second.started_at
    assert first.started_at.endswith("+00:00")
    assert sensed(path, 1) == [note(10)]
    assert sensed(path, 2) == [note(20), note(21)]


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
    header = recording.header({"table": {"id": "T12", "seats": 9}}, [DECK], "blue")
    journal = Journal(path, header, pytest.fail, sensitive=SECRET.public)
    for event in events:
        journal.sensed(recording.dump(event))
        journal.decisions([{"t": event.t, "type": "degraded"}])
    journal.close()
    header, found_lines = as_recording(path, None, SECRET)
    told: list[Any] = []
    head, found = recording.from_objects(
        header, found_lines, strict=True, report=lambda *what: told.append(what)
    )
    assert (list(found), head.decks, head.active_deck, told) == (events, (DECK,), "blue", [])


def test_it_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    """A reader in the middle of the night neither fails nor holds up the writer."""
    path = tmp_path / "journal.db"
    with opened(path) as journal:
        journal.sensed(note(1))
        assert journal.flush()
        reader = lines(path, 1, SECRET)
        assert next(reader)[0] == 1
        journal.sensed(note(2))
        assert journal.flush()
        reader.close()  # type: ignore[attr-defined]
        assert sensed(path) == [note(1), note(2)]


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

journal = Journal(
    Path(sys.argv[1]), {"recording": 1}, print, sensitive="clear", committed=lambda n: say("ack", n)
)
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


def killed(path: Path, dice: random.Random) -> int:
    """One process that writes is killed at some moment of its work. What it had acknowledged is there, unharmed, and
    all before it; how many entries that was."""
    left = dice.randrange(-1, 25)  # lines to hear before the kill, which then hits any moment of the work
    night, acknowledged = 0, 0
    with child(WRITE_FOR_EVER, str(path)) as process:
        assert process.stdout is not None
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
        return 0
    found = list(lines(path, night))
    assert [entry for _, _, entry in found] == [note(n) for n in range(1, len(found) + 1)]
    assert found[-1][0] >= acknowledged
    return acknowledged


def whole(path: Path) -> None:
    """The file is sound and its chain is proved; it is the journal that says so, and SQLite."""
    proof = verify(path)
    assert proof.fault is None
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_killed_at_any_moment_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """Twenty processes on one file are killed with SIGKILL: each night holds 1, 2, 3 … up to at least the
    last acknowledged entry, unharmed, the next process opens the file as it is, and the chain runs through all."""
    path = tmp_path / "journal.db"
    dice = random.Random(20)
    assert sum(killed(path, dice) for _ in range(20)) > 0
    whole(path)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_killed_a_thousand_times(tmp_path: Path) -> None:
    """The same a thousand times, on one file that is put aside again and again."""
    path = tmp_path / "journal.db"
    dice = random.Random(1000)
    kept_entries = sum(killed(path, dice) for _ in range(1000))
    assert kept_entries > 1000
    assert len(nights(path)) > 500
    whole(path)


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
            journal.decisions([{"t": n, "type": "deal", "zone": "x" * 100}])
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
            Journal(path, HEADER, pytest.fail, sensitive="nothing")
        assert str(error.value).startswith(f"{path}: ")
        assert text in str(error.value)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    """The writer does not make directories up: it says what must exist."""
    with pytest.raises(JournalError, match="must exist and be writable"):
        Journal(tmp_path / "none" / "journal.db", HEADER, pytest.fail, sensitive="nothing")


def test_a_night_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    """Asking for night 7 of two says which nights there are."""
    path = tmp_path / "journal.db"
    for n in range(2):
        with opened(path) as journal:
            journal.sensed(note(n))
    with pytest.raises(JournalError, match="there is no night 7; there are: 1, 2"):
        as_recording(path, 7)


# --- what nobody at the table may read ----------------------------------------------------------------------


def test_what_is_sealed_stands_nowhere_in_the_file(tmp_path: Path) -> None:
    """A blind table's sensed lines and its header are not in the file, its decisions are; the right key opens them, no
    other does, and without one it is said what is needed. An open table's can be read by anybody."""
    path = tmp_path / "journal.db"
    head = recording.header({"table": {"id": "T12", "seats": 9}}, [DECK], "blue")
    journal = Journal(path, head, pytest.fail, sensitive=SECRET.public)
    journal.sensed({"t": 1, "sweep": {"reader": 0, "polled": [1], "seen": [[1, "E004015012345601", None]]}})
    journal.decisions([{"t": 1, "type": "deal", "k": 1}])
    journal.close()
    there = path.read_bytes()
    assert b"E0040150" not in there
    assert b'"type":"deal"' in there
    assert as_recording(path, None, SECRET)[0] == head
    with pytest.raises(JournalError, match=f"night 1 is sealed to the audit key {SECRET.public.fingerprint}"):
        as_recording(path)
    with pytest.raises(JournalError, match="sealed to another key"):
        as_recording(path, None, keygen())
    assert [kind for _, kind, _ in lines(path, 1)] == ["sealed", "decision"]

    clear = tmp_path / "open.db"
    journal = Journal(clear, head, pytest.fail, sensitive="clear")
    journal.sensed(note(1))
    journal.close()
    assert as_recording(clear)[0] == head
    assert [entry for _, _, entry in lines(clear, 1)] == [note(1)]


def test_a_blind_table_without_a_key_keeps_decisions_only(tmp_path: Path) -> None:
    """Nothing that was sensed and nothing of the decks is kept anywhere; that is said to whoever wants to replay it."""
    path = tmp_path / "journal.db"
    with opened(path, sensitive="nothing") as journal:
        journal.sensed(note(1))
        journal.decisions([{"t": 1, "type": "deal", "k": 1}])
        journal.sensed(note(2))
    assert kept(path) == [(1, "decision", {"t": 1, "type": "deal", "k": 1})]
    assert b'"do"' not in path.read_bytes()
    with pytest.raises(
        JournalError, match="what was sensed was not kept: the table was blind and had no audit key"
    ):
        as_recording(path, None, SECRET)
