"""What proves a journal: every change is found and named at its place, by whoever makes it and as far as it can be."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from journal_bench import HAND_END, child, note, opened

from tablectl.bench.soak.wall import WallClock
from tablectl.errors import JournalError
from tablectl.sealed import TableKey, TablePublic
from tablectl.shell.journal import Head, key_of
from tablectl.shell.journal.chain import entry_hash, night_hash
from tablectl.shell.journal.file import entry_id
from tablectl.shell.journal.verify import verify

NIGHTS, ROWS = 4, 40


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Head]]:
    """A journal of four nights with 40 entries each, a hand's end among every ten, and the heads that it published."""
    path = tmp_path_factory.mktemp("table") / "journal.db"
    heads: list[Head] = []
    for _ in range(NIGHTS):
        with opened(path, published=heads.append) as journal:
            for n in range(1, ROWS + 1, 2):
                journal.sensed(note(n))
                journal.decisions([HAND_END if n % 10 == 9 else {"t": n, "type": "deal", "k": n}])
                assert journal.flush()
    return path, heads


@pytest.fixture
def journal(written: tuple[Path, list[Head]], tmp_path: Path) -> Path:
    """A copy of it to be spoiled, with the table's key."""
    path = tmp_path / "journal.db"
    shutil.copy(written[0], path)
    shutil.copy(key_of(written[0]), key_of(path))
    return path


def spoil(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.executescript(";".join(statements))


def at(night: int, seq: int) -> int:
    return entry_id(night, seq)


def moved(one: int, to: int) -> list[str]:
    """Two entries change their places, with all that belongs to them."""
    return [
        f"UPDATE entries SET id = {there} WHERE id = {here}"
        for here, there in ((one, -1), (to, one), (-1, to))
    ]


def test_a_journal_that_nobody_touched_is_proved(written: tuple[Path, list[Head]]) -> None:
    """All entries, nights and heads are counted; with the table's key and every published head nothing is wrong. What
    cannot be known is said."""
    path, heads = written
    key = TableKey.read(key_of(path)).public
    proof = verify(path, keys=[key], published=heads)
    assert (proof.fault, proof.entries, proof.nights, proof.unsigned) == (None, NIGHTS * ROWS, NIGHTS, 0)
    assert proof.heads == len(heads) > NIGHTS
    assert proof.last is not None
    assert (proof.last.night, proof.last.seq, proof.last.hash) == (
        heads[-1].night,
        heads[-1].seq,
        heads[-1].hash,
    )
    assert any("cut off at the end" in each for each in proof.notes)
    assert any("the key that the journal names itself" in each for each in verify(path).notes)


NIGHT_2 = "DELETE FROM nights WHERE id = 2"
ITS_ENTRIES = f"DELETE FROM entries WHERE id BETWEEN {at(2, 0)} AND {at(3, 0)}"
ITS_HEADS = "DELETE FROM heads WHERE night = 2"


@pytest.mark.parametrize(
    ("statements", "says"),
    [
        ([f"UPDATE entries SET public = '{{}}' WHERE id = {at(2, 6)}"], "night 2, entry 6: altered"),
        ([f"UPDATE entries SET public = NULL || 'x' WHERE id = {at(9, 9)}"], None),
        ([f"UPDATE entries SET sealed = x'00' WHERE id = {at(2, 5)}"], "night 2, entry 5: altered"),
        ([f"UPDATE entries SET sealed = NULL WHERE id = {at(2, 5)}"], "night 2, entry 5: altered"),
        ([f"UPDATE entries SET kind = 'note' WHERE id = {at(2, 5)}"], "night 2, entry 5: altered"),
        ([f"UPDATE entries SET hash = x'00' WHERE id = {at(2, 5)}"], "night 2, entry 5: altered"),
        ([f"DELETE FROM entries WHERE id = {at(2, 6)}"], "night 2: entry 6 is missing: removed (entry 7 follows)"),
        (
            [f"DELETE FROM entries WHERE id BETWEEN {at(2, 1)} AND {at(2, 9)}"],
            "night 2: the entries from 1 to 9 are missing: removed (entry 10 follows)",
        ),
        (moved(at(3, 5), at(3, 6)), "night 3, entry 5: put elsewhere: it was written as entry 6"),
        (moved(at(3, 5), at(3, 30)), "night 3, entry 5: put elsewhere: it was written as entry 30"),
        ([f"UPDATE entries SET id = {at(4, ROWS + 1)} WHERE id = {at(2, ROWS)}"], "from entry 40 on it was cut off"),
        ([f"DELETE FROM entries WHERE id > {at(4, 20)}"], "from entry 21 on it was cut off"),
        (
            [f"DELETE FROM entries WHERE id BETWEEN {at(3, 21)} AND {at(4, 0)}", "DELETE FROM heads WHERE night = 3"],
            "night 4: it began after another entry than night 3, entry 20",
        ),
        (
            [
                f"DELETE FROM entries WHERE id BETWEEN {at(3, 32)} AND {at(4, 0)}",
                "DELETE FROM heads WHERE night = 3 AND seq > 31",
            ],
            "night 4: it began after another entry than night 3, entry 31",
        ),
        ([NIGHT_2], "night 2 was removed: its entry 1 is there"),
        ([NIGHT_2, ITS_ENTRIES, ITS_HEADS], "night 3: it follows on night 1: what lay between was removed"),
        (
            ["DELETE FROM nights WHERE id = 1", f"DELETE FROM entries WHERE id < {at(2, 0)}"],
            "begins here with night 2, entry 1: what was before is missing",
        ),
        (["UPDATE nights SET started_at = '' WHERE id = 2"], "night 2: its header was altered"),
        (["UPDATE nights SET sealed = NULL WHERE id = 2"], "night 2: its header was altered"),
        (["DELETE FROM heads WHERE night = 4"], "night 4, entry 40: the head that was signed at the end"),
        (["UPDATE heads SET at = '2020' WHERE night = 4"], "its head was not signed by the table's key"),
        (["UPDATE heads SET signature = x'00' WHERE night = 4"], "its head was not signed by the table's key"),
    ],
)  # fmt: skip
def test_what_is_changed_is_named(journal: Path, statements: list[str], says: str | None) -> None:
    """Altered, removed, put elsewhere, cut off: the first entry that does not fit, by night and number, and what is
    wrong with it. A statement that changes nothing changes nothing."""
    spoil(journal, *statements)
    fault = verify(journal).fault
    assert fault is None if says is None else says in str(fault), fault


def forged(path: Path, night: int, seq: int, *, sign: bool) -> None:
    """An entry is replaced and the whole chain behind it computed anew, as whoever knows this program can; with the
    table's key also the heads."""
    key = TableKey.read(key_of(path))
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE entries SET public = '{\"t\":1}' WHERE id = ?", (at(night, seq),))
        last = bytes(32)
        for row in file.execute(
            "SELECT id, after, started_at, public, sealed FROM nights ORDER BY id"
        ).fetchall():
            before, last = last, night_hash(last, *row)
            file.execute("UPDATE nights SET before = ?, hash = ? WHERE id = ?", (before, last, row[0]))
            bounds = (at(row[0], 0), at(row[0] + 1, 0) - 1)
            query = "SELECT id, kind, public, sealed FROM entries WHERE id BETWEEN ? AND ? ORDER BY id"
            for number, kind, public, sealed in file.execute(query, bounds).fetchall():
                last = entry_hash(last, row[0], number & (1 << 40) - 1, kind, public, sealed)
                file.execute("UPDATE entries SET hash = ? WHERE id = ?", (last, number))
        if sign:
            query = """SELECT night, seq, (SELECT hash FROM entries WHERE id = night << 40 | seq), at FROM heads"""
            for head in [Head(*row) for row in file.execute(query).fetchall()]:
                signed = (head.hash, key.sign(head.signed), head.night, head.seq)
                file.execute("UPDATE heads SET hash = ?, signature = ? WHERE night = ? AND seq = ?", signed)


def test_a_chain_that_was_computed_anew_is_found_by_the_next_head(journal: Path) -> None:
    """Whoever has no key of the table: all hashes fit, and the signed head behind the change does not."""
    forged(journal, 3, 15, sign=False)
    fault = str(verify(journal).fault)
    assert (
        "night 3, entry 20: it is not what the table signed here: an entry from 11 to 20 was altered" in fault
    )


def test_whoever_has_the_tables_key_is_found_by_a_published_head(
    journal: Path, written: tuple[Path, list[Head]]
) -> None:
    """Chain and heads fit one another, and that alone proves nothing; a head that was published before does not fit."""
    forged(journal, 3, 15, sign=True)
    assert verify(journal).fault is None
    later = [head for head in written[1] if (head.night, head.seq) >= (3, 15)]
    fault = str(verify(journal, published=later).fault)
    assert f"night 3, entry {later[0].seq}: it is not what was published" in fault
    earlier = [head for head in written[1] if (head.night, head.seq) < (3, 15)]
    assert verify(journal, published=earlier).fault is None


def test_a_tail_that_was_cut_off_with_its_heads_is_found_by_a_published_head(
    journal: Path, written: tuple[Path, list[Head]]
) -> None:
    """The last night is taken out whole: only whoever has one of its heads can know."""
    spoil(
        journal,
        "DELETE FROM nights WHERE id = 4",
        f"DELETE FROM entries WHERE id > {at(4, 0)}",
        "DELETE FROM heads WHERE night = 4",
    )
    assert verify(journal).fault is None
    fault = str(verify(journal, published=written[1]).fault)
    assert f"it ends with night 3, entry {ROWS}, but a head was published of night 4" in fault
    assert fault.endswith("cut off")


def test_heads_of_another_key_are_not_the_tables(journal: Path, tmp_path: Path) -> None:
    """With the key of another table nothing is proved; with several, one must fit."""
    own, other = TableKey.read(key_of(journal)).public, TableKey.new().public
    assert "was not signed by the table's key" in str(verify(journal, keys=[other]).fault)
    assert verify(journal, keys=[other, own]).fault is None
    assert isinstance(own, TablePublic)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-8192])


def overwritten(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[5 * 4096 : 6 * 4096] = b"\x55" * 4096
    path.write_bytes(content)


def proved(path: Path) -> bool:
    try:
        return verify(path).fault is None
    except JournalError:
        return False


@pytest.mark.parametrize("damage", [cut, overwritten])
def test_a_damaged_file_is_never_taken_for_whole(journal: Path, damage: Callable[[Path], None]) -> None:
    """Pages that are missing or overwritten: a fault or an error, never a proof."""
    assert proved(journal)
    damage(journal)
    assert not proved(journal)


ONE_NIGHT = """
import sys
from pathlib import Path
from tablectl.shell.journal import Journal

journal = Journal(Path(sys.argv[1]), {"recording": 1}, print, sensitive="nothing")
journal.decisions([{"t": 1, "type": "hand", "event": "end", "hand": 1}])
journal.close()
"""


def test_a_clock_that_goes_back_an_hour_is_a_note_and_no_fault(tmp_path: Path) -> None:
    """The wall clock of the table's process is an hour ahead in the first night and right in the second: the chain does
    not rest on it, and the step is told."""
    path, wall = tmp_path / "journal.db", WallClock(tmp_path)
    assert wall.can_jump, "a C compiler is needed (Debian: gcc, libc6-dev)"
    for ahead in (3600.0, 0.0):
        wall.set(ahead)
        with child(ONE_NIGHT, str(path), env=wall.environment) as process:
            assert process.communicate(timeout=60)[0] == ""
    proof = verify(path)
    assert (proof.fault, proof.nights) == (None, 2)
    assert any("the clock of the table went back from" in each for each in proof.notes)
