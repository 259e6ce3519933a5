"""The scan itself: what it must notice, in each spelling, and what comes together by chance."""

from __future__ import annotations

import gzip
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from blind_scan import Found, Scan

UID, TOKEN = "E004015012345601", "9f3c61d07a52be84"
SCAN = Scan({UID: "As", TOKEN: "As", "E004015012345602": "Kd"})


@pytest.mark.parametrize(
    "text",
    [
        f'{{"{UID}": "As"}}', f"{UID} = 'As'", f"{UID.lower()},As\n", f"seat 3: As ({UID})", f"{UID} ace of spades.",
        f'{{"card":"As","tag":"{UID}"}}', f"{TOKEN}\tAs\t", f"{UID} AS ",
    ],
)  # fmt: skip
def test_a_name_beside_its_own_tag(text: str) -> None:
    """JSON, TOML, CSV, a log's sentence; either order, either case, short or in words; in UTF-8 and in UTF-16."""
    identity = TOKEN if TOKEN in text else UID
    padding = b"\xa7" * 99
    for code in ("utf-8", "utf-16-le"):
        assert SCAN.bytes(padding + f" {text} ".encode(code) + padding).relations == {identity}


def test_raw_bytes() -> None:
    """A UID as the reader sent it, with the name behind a NUL."""
    assert SCAN.bytes(b"\x00" + bytes.fromhex(UID) + b"\x00As\x00").relations == {UID}


@pytest.mark.parametrize(
    "text",
    [
        f'{{"{UID}": "Kd"}}', f"{UID} Ask me", f"{UID} {'x' * 40} As ", f"{UID}0 As ", f'"{UID}": "9f3c61d07a52be8f"',
    ],
)  # fmt: skip
def test_what_is_no_relation(text: str) -> None:
    """Another card's name, part of a word, far away, part of a longer number, another token."""
    assert SCAN.bytes(text.encode()).relations == set()


def test_files_are_unpacked(tmp_path: Path) -> None:
    """A gzip, a cell of a database, a packed block in a cell: each is looked into."""
    text = f'{{"{UID}": "As"}}'.encode()
    (tmp_path / "a.gz").write_bytes(gzip.compress(text))
    assert SCAN.folder(tmp_path).relations == {UID}
    for cell in (text.decode(), zlib.compress(text)):
        path = tmp_path / "b.sqlite"
        path.unlink(missing_ok=True)
        (tmp_path / "a.gz").unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as file, file:
            file.execute("CREATE TABLE t (c)")
            file.execute("INSERT INTO t VALUES (?)", (cell,))
        assert SCAN.folder(tmp_path) == Found({"As"}, {UID})


def test_pointers_in_memory() -> None:
    """A process that holds a dict of UIDs and names, made so that no text has them side by side, is found out; one that
    holds both apart is not."""
    for made, found in (("dict(zip(uids, faces))", {UID, "E004015012345602"}), ("(uids, faces)", set())):
        code = (
            "import sys\nuids = [bytes.fromhex(each).hex().upper() for each in sys.argv[1].split()]\n"
            f"faces = sys.argv[2].split()\nkept = {made}\nprint(flush=True)\nsys.stdin.read()"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code, f"{UID} E004015012345602", "As x x x x x x x Kd".replace("x ", "")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        memory = SCAN.memory(process.pid)
        process.communicate(b"")
        assert memory.pointed == found
