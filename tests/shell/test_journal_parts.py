"""A journal's files: old formats and full files are put aside, the chain goes on, and the oldest parts go."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from journal_bench import DEADLINE_S, HAND_END, HEADER, SECRET, Told, kept, note, old_journal, opened, sensed

from tablectl.shell.journal import Limits, as_recording, chosen, nights
from tablectl.shell.journal.parts import parts
from tablectl.shell.journal.verify import verify
from tablectl.shell.journal.waiting import BLOCK_MS

SMALL = Limits(part=64 << 10, keep=1 << 30)


def a_month(path: Path, rows: int, limits: Limits, first: int = 0) -> list[str]:
    """One night of so many blocks of 2 kB and as many decisions, a hand's end among every ten; what was reported."""
    told: list[str] = []
    with opened(path, told.append, limits=limits) as journal:
        for n in range(first, first + rows):
            journal.sensed(note(n * BLOCK_MS, 2000))
            journal.decisions([HAND_END if n % 10 == 9 else {"t": n, "type": "deal"}])
            if n % 5 == 4:
                assert journal.flush(DEADLINE_S)
    return told


def test_a_night_that_outgrows_its_file_goes_on_in_the_next(tmp_path: Path) -> None:
    """In mid-night full files are put aside; numbers and chain go on, the night is read as one from all its files, and
    the next night follows on it. Nothing is left in the folder but parts, journal and key."""
    path = tmp_path / "journal.db"
    told = a_month(path, 200, SMALL)
    there = parts(path)
    assert len(there) > 3
    assert len([each for each in told if "put aside as" in each]) == len(there) == len(told)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(
        [path.name, "journal.key", *(each.name for each in there)]
    )
    a_month(path, 10, SMALL)
    assert sensed(path, 1) == [note(n * BLOCK_MS, 2000) for n in range(200)]
    assert sensed(path, 2) == [note(n * BLOCK_MS, 2000) for n in range(10)]
    seqs = [seq for seq, _, _ in kept(path, 1)]
    assert seqs == list(range(1, len(seqs) + 1))
    assert as_recording(path, 1, SECRET)[0] == HEADER
    proof = verify(path)
    assert (proof.fault, proof.nights) == (None, 2)
    assert proof.entries == len(seqs) + len(kept(path, 2))


def test_a_part_that_was_taken_away_or_changed_is_noticed(tmp_path: Path) -> None:
    """A part from the middle is gone, the first one is gone, or an entry in one differs: each is named. A part is
    proved alone."""
    path = tmp_path / "journal.db"
    a_month(path, 200, SMALL)
    first, second, *_ = parts(path)
    alone = verify(second)
    assert alone.fault is None
    assert any("what was before was not looked at" in each for each in alone.notes)
    aside = second.rename(tmp_path / "aside")
    assert "it goes on after entry" in str(verify(path).fault)
    aside.rename(second)
    first.rename(aside)
    assert "what was before is missing" in str(verify(path).fault)
    aside.rename(first)
    assert verify(path).fault is None
    with closing(sqlite3.connect(second)) as file:
        (number,) = file.execute("SELECT max(id) FROM entries").fetchone()
        file.execute("UPDATE entries SET public = '{}' WHERE id = ?", (number,))
        file.commit()
    assert f"{second}: night 1, entry {number & (1 << 40) - 1}: altered" in str(verify(path).fault)


def test_the_oldest_parts_go_and_the_journal_says_so(tmp_path: Path) -> None:
    """Beyond what is kept the oldest parts are removed, each after an entry that names its end: the rest is proved,
    with a note of where it begins. What was removed by anybody else is still noticed."""
    path = tmp_path / "journal.db"
    told = a_month(path, 400, Limits(part=64 << 10, keep=300 << 10))
    there = parts(path)
    assert sum(each.stat().st_size for each in there) < 400 << 10
    assert there[0].name > "journal.part-0005.db"
    assert any("was removed" in each for each in told)
    proof = verify(path)
    assert proof.fault is None
    assert any("the table has removed its oldest parts, and noted it" in each for each in proof.notes)
    assert chosen(path).last_seq > 400
    for stolen in there[:-1]:
        stolen.unlink()
    assert "what was before is missing" in str(verify(path).fault)


def test_whoever_reads_a_file_only_holds_up_that_it_is_put_aside(tmp_path: Path) -> None:
    """A program has the journal open all the time: it grows on, nothing is lost, and its file is whole."""
    path = tmp_path / "journal.db"
    with opened(path, limits=SMALL) as journal:
        journal.sensed(note(0))
        assert journal.flush()
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as reader:
            reader.execute("SELECT count(*) FROM entries").fetchone()
            for n in range(1, 100):
                journal.sensed(note(n * BLOCK_MS, 2000))
                assert journal.flush(DEADLINE_S)
        assert parts(path) == []
    assert verify(path).fault is None
    told = a_month(path, 5, SMALL)  # the next night finds it too large
    assert any("put aside as journal.part-0001.db" in each for each in told)
    assert [night.id for each in (*parts(path), path) for night in nights(each)] == [1, 2, 2]
    assert verify(path).fault is None


def test_a_journal_of_the_first_format_is_put_aside_and_can_be_read(tmp_path: Path) -> None:
    """It is never written to again: it is renamed, that is said, and its nights are read as they were. A second one
    takes the next name."""
    path = tmp_path / "journal.db"
    lines: list[dict[str, Any]] = [note(1), note(2)]
    for place in ("journal.format-1.db", "journal.format-1-2.db"):
        path.unlink(missing_ok=True)
        old_journal(path, HEADER, [lines])
        told = Told()
        with opened(path, told) as journal:
            journal.sensed(note(3))
        assert f"it is now {place}" in told.texts[0]
        header, found = as_recording(tmp_path / place)
        assert (header, list(found)) == (HEADER, lines)
        assert (sensed(path), verify(path).fault) == ([note(3)], None)
    with pytest.raises(OSError, match="has no chain"):
        verify(tmp_path / "journal.format-1.db")
