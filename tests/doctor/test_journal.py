"""The journal as the doctor finds it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tablectl.doctor import Line, storage
from tablectl.shell.journal import Journal

HEADER = {"recording": 1, "config": {}, "decks": [], "active_deck": None}


def written(path: Path, lines: int) -> Path:
    """A journal with one night of so many lines."""
    journal = Journal(path, HEADER, lambda text: None, sensitive="clear")
    for t in range(lines):
        journal.decisions([{"t": t, "type": "deal", "k": 1, "zone": "seat:1", "seen_at": t}])
    journal.close()
    return path


def test_a_journal_that_is_not_there_yet_is_no_fault(tmp_path: Path, the: Callable[..., Line]) -> None:
    """The first night makes it."""
    assert the(storage.journal(tmp_path / "journal.sqlite"), "journal").state == "warning"


def test_a_place_that_cannot_be_looked_at_is_said(tmp_path: Path, the: Callable[..., Line]) -> None:
    """No traceback: a name that no file can have stands for a folder that this user may not enter."""
    found = the(storage.journal(tmp_path / ("x" * 300) / "journal.sqlite"), "journal")
    assert (found.state, "may not be read" in found.text) == ("warning", True)


def test_a_whole_journal_says_how_big_it_is(tmp_path: Path, the: Callable[..., Line]) -> None:
    """Nights, size, when it was written last, and that it is whole."""
    found = the(storage.journal(written(tmp_path / "journal.sqlite", 50)), "journal")
    assert (found.state, "1 night," in found.text, found.text.endswith("whole")) == ("ok", True, True)


def test_a_damaged_journal_is_a_fault(tmp_path: Path, the: Callable[..., Line]) -> None:
    """Pages in the middle overwritten: found by the check, not by the first night that needs them."""
    path = written(tmp_path / "journal.sqlite", 20_000)
    with path.open("r+b") as file:
        for page in range(10, 60):
            file.seek(page * 4096)
            file.write(b"\x55" * 4096)
    found = the(storage.journal(path), "journal")
    assert (found.state, "restore" in found.do) == ("fault", True)


def test_another_file_in_its_place_is_a_fault(tmp_path: Path, the: Callable[..., Line]) -> None:
    """What is no journal is told in words."""
    path = tmp_path / "journal.sqlite"
    path.write_text("not a database, and long enough to be looked at " * 40)
    found = the(storage.journal(path), "journal")
    assert (found.state, "no SQLite file" in found.text) == ("fault", True)


def test_a_folder_in_its_place_is_told_with_what_to_write(tmp_path: Path, the: Callable[..., Line]) -> None:
    """No backup helps there, only another path."""
    found = the(storage.journal(tmp_path), "journal")
    assert (found.state, "is a folder" in found.text) == ("fault", True)
    assert f'path = "{tmp_path}/journal.sqlite"' in found.do
