"""Backup and restore as commands: of a table that runs, onto disks that are full, from archives that are none."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tarfile
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

Rows = dict[tuple[int, int], tuple[str, str, bytes]]


def tablectl(*args: object, before: Callable[[], None] | None = None) -> subprocess.CompletedProcess[str]:
    """The command as a technician gives it."""
    command = [sys.executable, "-m", "tablectl.cli", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, preexec_fn=before)


def done(*args: object) -> str:
    """The same, of which nothing may go wrong."""
    ended = tablectl(*args)
    assert (ended.returncode, ended.stderr) == (0, ""), ended
    return ended.stdout


def refused(*args: object, before: Callable[[], None] | None = None) -> str:
    """The same, which must end with status 2 and one sentence."""
    ended = tablectl(*args, before=before)
    assert ended.returncode == 2, ended
    assert "Traceback" not in ended.stderr
    return " ".join(ended.stderr.split())


def rows(journal: Path) -> Rows:
    """Every entry of the journal, by night and number."""
    with closing(sqlite3.connect(f"{journal.as_uri()}?mode=ro", uri=True)) as file:
        query = "SELECT id >> 40, id & ((1 << 40) - 1), kind, public, hash FROM entries"
        return {(night, seq): tuple(rest) for night, seq, *rest in file.execute(query)}


def archives(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.tablectl.tar.gz"))


def content(folder: Path) -> dict[str, str]:
    """Every file below the folder by its SHA-256, but for what SQLite makes anew as it reads."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def kept(bench: Any, place: Path) -> Path:
    """A table with one night of notes, stopped, and its backup."""
    bench.board()
    table = bench.run(bench.config())
    table.line("READY after")
    for n in range(5):
        assert table.post(do="note", text=f"note {n}").status_code == 200
    assert table.ends(signal.SIGTERM) == 0
    done("backup", bench.folder / "table.toml", "--into", place)
    (archive,) = archives(place)
    return archive


def test_a_running_table_is_backed_up_and_comes_back_row_by_row(bench: Any, place: Path) -> None:
    """While cards are dealt and notes come as fast as the table takes them, five backups are made. Each is one
    moment of the journal: no hole, and every entry as it is in the journal of the end. Then all files are lost,
    the last archive brings them back byte for byte, and the table opens with them."""
    board = bench.board()
    config = bench.config()
    table = bench.run(config)
    table.line("READY after")
    ending = threading.Event()

    def write() -> None:
        while not ending.is_set():
            table.post(do="note", text="x" * 500)

    writer = threading.Thread(target=write)
    writer.start()
    table.until(lambda now: now["journal"]["head"])  # the first commit signs one
    try:
        for number in range(5):
            board.deal(bench.uids[number], 1 + number % 4)
            done("backup", config, "--into", place / str(number))
    finally:
        ending.set()
        writer.join()
    assert table.ends(signal.SIGTERM) == 0
    journal, deck = bench.folder / "journal.sqlite", bench.folder / "blue.toml"
    whole, texts = rows(journal), (config.read_text(), deck.read_text())
    sizes = []
    for number in range(5):
        (archive,) = archives(place / str(number))
        assert archive.stat().st_mode & 0o777 == 0o600
        trial = place / f"trial{number}"
        done("restore", archive, "--to", trial)
        found = rows(trial / journal.relative_to("/"))
        assert found.items() <= whole.items()
        assert sorted(found) == [(1, seq) for seq in range(1, len(found) + 1)]
        sizes.append(len(found))
    assert 0 < sizes[0] < sizes[-1] <= len(whole)
    for lost in (journal, deck, config):
        lost.unlink()
    told = done("restore", archive)
    assert (config.read_text(), deck.read_text()) == texts
    assert rows(journal) == found
    assert str(journal) in told
    again = bench.run(config)
    again.line("READY after")
    assert again.get("state").json()["faults"] == []
    assert again.ends(signal.SIGTERM) == 0
    assert {key: row for key, row in rows(journal).items() if key[0] == 1} == found


def test_what_is_replaced_is_kept(bench: Any, kept: Path) -> None:
    """Files that changed since: the old state comes back, and the newer one lies beside it, its write-ahead log
    too."""
    config, journal = bench.folder / "table.toml", bench.folder / "journal.sqlite"
    text, before = config.read_text(), rows(journal)
    config.write_text(text + "# changed\n")
    with closing(sqlite3.connect(journal)) as file:
        file.execute("INSERT INTO entries VALUES (1 << 40 | 999, 'sensed', '{}', NULL, x'00')")
        file.commit()
        os.link(journal, bench.folder / "held")  # what a killed table leaves: a log that was never folded in
        done("restore", kept)
    assert (config.read_text(), rows(journal)) == (text, before)
    (newer,) = bench.folder.glob("table.toml.before-*")
    assert newer.read_text() == text + "# changed\n"
    newer = next(path for path in bench.folder.glob("journal.sqlite.before-*Z"))
    assert rows(newer) == {**before, (1, 999): ("sensed", "{}", b"\x00")}


def test_whoever_could_read_a_file_can_read_it_again(bench: Any, kept: Path) -> None:
    """A file that is replaced hands on its mode; where none was, the new one is for its owner and the folder's
    group."""
    config, deck = bench.folder / "table.toml", bench.folder / "blue.toml"
    config.chmod(0o644)
    deck.unlink()
    done("restore", kept)
    assert [path.stat().st_mode & 0o777 for path in (config, deck)] == [0o644, 0o640]
    assert deck.stat().st_gid == bench.folder.stat().st_gid


def test_a_running_table_is_not_restored(bench: Any, kept: Path) -> None:
    """Exit status 2, the process that writes the journal named, and not a file is touched."""
    table = bench.run(bench.config())
    table.line("READY after")
    config = content(bench.folder)["table.toml"]
    said = refused("restore", kept)
    assert f"another tablectl (pid {table.process.pid}) writes this journal; stop it first" in said
    assert content(bench.folder)["table.toml"] == config
    assert not [*bench.folder.glob("*.before-*"), *bench.folder.glob(".*.restoring")]
    assert table.ends(signal.SIGTERM) == 0
    done("restore", kept)


def test_only_the_newest_are_kept(bench: Any, kept: Path, place: Path) -> None:
    """Three old archives of this table, one of another and a stranger's file: the oldest of ours go, once the new
    one is proved."""
    old = [place / f"T1-2020010{n}T000000Z.tablectl.tar.gz" for n in (1, 2, 3)]
    others = [place / "T12-20200101T000000Z.tablectl.tar.gz", place / "T1-notes.txt"]
    for path in (*old, *others):
        path.write_bytes(b"x")
    kept.unlink()
    done("backup", bench.folder / "table.toml", "--into", place, "--keep", 2)
    there = archives(place)
    assert [path.exists() for path in (*old, *others)] == [False, False, True, True, True]
    assert len(there) == 3


def test_a_table_that_never_ran_and_its_own_rulebook(bench: Any, place: Path) -> None:
    """Without a journal the rest is kept; a house's own rulebook, what it inherits, and what else the table keeps
    beside its journal, too."""
    config = bench.config(journal={"path": "state/journal.sqlite"})
    (bench.folder / "house").mkdir()
    (bench.folder / "house/ours.toml").write_text('inherit = "base.toml"\n')
    (bench.folder / "house/base.toml").write_text('inherit = "pl"\n')
    config.write_text(config.read_text().replace('rulebook = "pl"', 'rulebook = "house/ours.toml"'))
    (bench.folder / "state").mkdir()
    with closing(sqlite3.connect(bench.folder / "state/wear.sqlite")) as wear:
        wear.execute("CREATE TABLE tags (uid TEXT)")
    expected = content(bench.folder)
    done("backup", config, "--into", place)
    trial = place / "trial"
    done("restore", *archives(place), "--to", trial)
    found = content(trial / bench.folder.relative_to("/"))
    assert found.pop("state/wear.sqlite")
    others = ("state", "backups", "audit.key")
    assert found == {name: each for name, each in expected.items() if not name.startswith(others)}


def torn(data: bytes) -> Iterator[bytes]:
    """Cut off, or with one bit turned: of what is packed, of the checksum behind it, of the size behind that."""
    yield from (data[:size] for size in (0, 1, 20, len(data) // 2, len(data) - 4, len(data) - 1))
    for place in (len(data) // 3, len(data) // 2, len(data) - 7, len(data) - 2):
        yield data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]


def turned(data: bytes) -> Iterator[bytes]:
    """One bit of the unpacked tar turned, beneath a checksum that is still the old one: what a disk does to it."""
    plain = gzip.decompress(data)
    head, tail = data[:3] + b"\0" + data[4:10], data[-8:]  # RFC 1952: no name in it; CRC-32 and size
    for place in (0, 124, 156, 512, len(plain) // 2):
        packer = zlib.compressobj(0, zlib.DEFLATED, -zlib.MAX_WBITS)
        other = plain[:place] + bytes([plain[place] ^ 0x11]) + plain[place + 1 :]
        yield head + packer.compress(other) + packer.flush() + tail


def test_a_torn_archive_changes_nothing(bench: Any, kept: Path) -> None:
    """Cut off anywhere, or with one bit turned: exit status 2, a sentence with the archive's name, no file
    touched."""
    before = content(bench.folder)
    data = kept.read_bytes()
    for number, piece in enumerate((*torn(data), *turned(data))):
        archive = kept.with_name(f"torn{number}.tar.gz")
        archive.write_bytes(piece)
        said = refused("restore", archive)
        assert said.count(str(archive)) == 1
        assert "torn or damaged" in said or (len(piece) < 2 and "or a torn one" in said), said
        archive.unlink()
    assert content(bench.folder) == before


def changed(kept: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> Path:
    """The archive with another manifest or other files, packed anew."""
    with tarfile.open(kept) as tar:
        files = {member.name: tar.extractfile(member).read() for member in tar}  # type: ignore[union-attr]
    manifest = json.loads(files.pop("manifest.json"))
    change(manifest, files)
    path = kept.with_name("changed.tar.gz")
    with gzip.open(path, "wb") as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for name, data in {"manifest.json": json.dumps(manifest).encode(), **files}.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def newer(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
    manifest |= {"format": 2, "version": "9.9.0"}


def other_product(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
    manifest["product"] = "something else"


def other_bytes(_: dict[str, Any], files: dict[str, bytes]) -> None:
    name = next(name for name in files if "deck" in name)
    files[name] = files[name].replace(b"blue", b"blew")


def elsewhere(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
    manifest["files"][1]["path"] = "/etc/passwd"


def no_configuration(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
    manifest["files"][0]["path"] = "/etc/passwd"


def one_more(_: dict[str, Any], files: dict[str, bytes]) -> None:
    files["extra"] = b"x"


def climbing(_: dict[str, Any], files: dict[str, bytes]) -> None:
    files["../extra"] = b"x"


def one_less(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    del files[manifest["files"].pop(1)["name"]]


def newer_journal(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    entry = next(each for each in manifest["files"] if each["role"] == "journal")
    data = bytearray(files[entry["name"]])
    data[60:64] = (99).to_bytes(4, "big")  # user_version, in SQLite's header
    files[entry["name"]] = bytes(data)
    entry["sha256"] = hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (newer, "tablectl 9.9.0 wrote this backup"),
        (other_product, "no backup of tablectl"),
        (other_bytes, "deck in it is damaged: its SHA-256"),
        (elsewhere, "does not speak of /etc/passwd"),
        (no_configuration, "/etc/passwd: this is no place for a configuration"),
        (one_more, "does not hold what its manifest says"),
        (climbing, "no backup of tablectl"),
        (one_less, "the backup lacks"),
        (newer_journal, "a newer tablectl wrote this journal (format 99)"),
    ],
)
def test_an_archive_that_is_not_ours_changes_nothing(bench: Any, kept: Path, change: Any, words: str) -> None:
    """Of a later version, another program's, changed, or made to write elsewhere: refused in words, nothing
    touched."""
    archive = changed(kept, change)
    before = content(bench.folder)
    assert words in refused("restore", archive)
    assert content(bench.folder) == before


def limited() -> None:
    """No file may grow beyond 4 kB: what a full disk looks like to a program."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_a_disk_that_takes_no_more(bench: Any, kept: Path, place: Path) -> None:
    """A backup leaves nothing half-done and the old archives alone; a restore leaves everything as it was."""
    archive = place / "kept"
    kept.rename(archive)
    before = content(bench.folder)
    said = refused("backup", bench.folder / "table.toml", "--into", place, before=limited)
    assert "the disk reports an error (full," in said
    assert content(bench.folder) == before
    assert [path.name for path in place.iterdir()] == ["kept"]
    assert "too large" in refused("restore", archive, before=limited).lower()
    assert content(bench.folder) == before


def test_many_archives_are_proved_at_once(bench: Any, kept: Path, place: Path) -> None:
    """`--check` takes several archives, and of a folder the newest of each table; each is named, and a bad one hides
    none behind it. One archive alone is put back."""
    second = place / "T1-29990101T000000Z.tablectl.tar.gz"
    other = place / "T2-20200101T000000Z.tablectl.tar.gz"
    for path in (second, other):
        path.write_bytes(kept.read_bytes())
    said = done("restore", "--check", kept, second)
    assert f"{kept}: whole" in said
    assert f"{second}: whole" in said
    said = done("restore", "--check", place)
    assert [name for name in (kept, second, other) if f"{name}: whole" in said] == [second, other]
    kept.write_bytes(b"x")
    both = tablectl("restore", "--check", kept, second)
    assert both.returncode == 2
    assert str(kept) in both.stderr
    assert f"{second}: whole" in both.stdout
    before = content(bench.folder)
    for given in ((second, other), (place,)):
        assert "one archive is put back" in refused("restore", *given)
    empty = bench.folder / "empty"
    empty.mkdir()
    assert f"{empty}: there is no backup of tablectl" in refused("restore", "--check", empty)
    assert content(bench.folder) == before


def test_no_such_archive_or_configuration(tmp_path: Path) -> None:
    """Each named, with the system's word for it."""
    assert "nothing.tar.gz: No such file" in refused("restore", tmp_path / "nothing.tar.gz")
    assert "table.toml" in refused("backup", tmp_path / "table.toml", "--into", tmp_path)


def test_nothing_of_the_cards_is_told(bench: Any, kept: Path, place: Path) -> None:
    """What both commands print names files and sizes: no tag and no token."""
    said = done("backup", bench.folder / "table.toml", "--into", place / "more") + done(
        "restore", kept, "--check"
    )
    assert not [each for each in (*bench.uids, *bench.tokens) if each in said]
