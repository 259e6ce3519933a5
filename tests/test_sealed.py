"""Keys and their files: who can open and sign what, and what is said of a file that is no key."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.errors import SealError
from tablectl.sealed import (
    AuditKey,
    AuditSecret,
    TableKey,
    TablePublic,
    is_locked,
    is_private_audit_key,
    keygen,
)

SECRET = keygen()
OTHER = keygen()


@given(st.binary(max_size=500))
def test_only_the_private_part_opens_what_the_public_part_sealed(data: bytes) -> None:
    """The data comes back whole; the sealed form differs each time, holds none of it, and no other key opens it."""
    sealed = SECRET.public.seal(data)
    assert SECRET.open(sealed) == data
    assert sealed != SECRET.public.seal(data)
    assert len(data) < 8 or data not in sealed
    with pytest.raises(SealError, match="another key"):
        OTHER.open(sealed)


@given(st.integers(min_value=0), st.integers(min_value=1, max_value=255))
def test_what_was_altered_is_not_opened(place: int, flip: int) -> None:
    """Each byte of a sealed box counts; so does its end."""
    sealed = bytearray(SECRET.public.seal(b"E004015012345601"))
    sealed[place % len(sealed)] ^= flip
    for wrong in (bytes(sealed), bytes(sealed[:-1]), b""):
        with pytest.raises(SealError):
            SECRET.open(wrong)


def test_the_parts_of_an_audit_key_come_back_from_their_files(tmp_path: Path) -> None:
    """Both files say what they are in their first line and show the same fingerprint; the private one is 0600."""
    private, public = tmp_path / "audit.key", tmp_path / "audit.pub"
    SECRET.write(private)
    SECRET.public.write(public)
    assert AuditKey.read(public).raw == SECRET.public.raw
    assert AuditSecret.read(private).open(AuditKey.read(public).seal(b"x")) == b"x"
    assert public.read_text().startswith("tablectl audit key, public (never secret)\n")
    assert private.read_text().startswith("tablectl audit key, PRIVATE: never on a table\n")
    shown = f"fingerprint {SECRET.public.fingerprint}\n"
    assert shown in public.read_text()
    assert shown in private.read_text()
    assert len(SECRET.public.fingerprint) == 16
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert (is_private_audit_key(private), is_private_audit_key(public)) == (True, False)


def test_a_passphrase_is_needed_if_there_is_one(tmp_path: Path) -> None:
    """With it the key opens; without it, or with another, it does not, and the file does not hold it in clear."""
    plain, locked = tmp_path / "plain.key", tmp_path / "locked.key"
    SECRET.write(plain)
    SECRET.write(locked, "koń by się uśmiał")
    assert (is_locked(plain), is_locked(locked)) == (False, True)
    assert AuditSecret.read(locked, "koń by się uśmiał").open(SECRET.public.seal(b"x")) == b"x"
    with pytest.raises(SealError, match="under a passphrase"):
        AuditSecret.read(locked)
    with pytest.raises(SealError, match="wrong"):
        AuditSecret.read(locked, "kon")
    key_line = plain.read_text().splitlines()[-1]
    assert key_line.startswith("key ")
    assert key_line not in locked.read_text()


def test_a_forged_file_cannot_ask_for_all_memory(tmp_path: Path) -> None:
    """What a passphrase line may ask for has a bound; a line that is none is called damaged."""
    path = tmp_path / "audit.key"
    SECRET.write(path, "x")
    whole = path.read_text()
    for line in ("passphrase argon2id 3 4398046511104 c2FsdA==", "passphrase scrypt", "passphrase"):
        lines = [line if old.startswith("passphrase") else old for old in whole.splitlines()]
        path.write_text("\n".join(lines) + "\n")
        with pytest.raises(SealError, match="damaged"):
            AuditSecret.read(path, "x")


READERS: dict[str, Callable[[Path], object]] = {
    "audit public": AuditKey.read,
    "audit private": AuditSecret.read,
    "table public": TablePublic.read,
    "table private": TableKey.read,
}


@pytest.mark.parametrize("reader", READERS)
def test_a_file_of_another_sort_is_named(reader: str, tmp_path: Path) -> None:
    """Each reader refuses the other three sorts and anything else, and says what it was given; its own it reads."""
    table = TableKey.at(tmp_path / "table private")
    table.public.write(tmp_path / "table public")
    SECRET.write(tmp_path / "audit private")
    SECRET.public.write(tmp_path / "audit public")
    READERS[reader](tmp_path / reader)
    for other in READERS:
        if other != reader:
            with pytest.raises(SealError, match=r"this is a tablectl (audit|table) key, .*; needed is a"):
                READERS[reader](tmp_path / other)
    for text in (b"", b"\xff\x00" * 5000, b"-----BEGIN OPENSSH PRIVATE KEY-----\n"):
        (tmp_path / "else").write_bytes(text)
        with pytest.raises(SealError, match="no key of tablectl"):
            READERS[reader](tmp_path / "else")
    with pytest.raises(FileNotFoundError):
        READERS[reader](tmp_path / "absent")


@pytest.mark.parametrize("reader", READERS)
def test_a_key_that_was_copied_wrongly_is_noticed(reader: str, tmp_path: Path) -> None:
    """A changed letter, a missing line, a key cut short: damaged, before anything is sealed for nobody."""
    table = TableKey.at(tmp_path / "table private")
    table.public.write(tmp_path / "table public")
    SECRET.write(tmp_path / "audit private")
    SECRET.public.write(tmp_path / "audit public")
    path = tmp_path / reader
    first, fingerprint, key = path.read_text().splitlines()
    changed = key[:10] + ("A" if key[10] != "A" else "B") + key[11:]
    wrongs = (
        [first, fingerprint, changed],
        [first, key],
        [first, fingerprint],
        [first, fingerprint, "key ="],
    )
    for lines in (*wrongs, [first, fingerprint, key[:24]], [first, fingerprint, key + "!"]):
        path.write_text("\n".join(lines) + "\n")
        with pytest.raises(SealError, match="damaged"):
            READERS[reader](path)


def test_no_key_is_written_over(tmp_path: Path) -> None:
    """A file that is there stays as it is, whatever it is."""
    path = tmp_path / "audit.key"
    path.write_text("mine")
    for write in (SECRET.write, SECRET.public.write, TableKey.new().public.write):
        with pytest.raises(FileExistsError):
            write(path)
    assert path.read_text() == "mine"


def test_a_table_signs_and_others_prove_it(tmp_path: Path) -> None:
    """The key is made once, for its owner alone; what it signed is proved by its public part, and nothing else is."""
    path = tmp_path / "table.key"
    key = TableKey.at(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    key.public.write(tmp_path / "table.pub")
    public = TablePublic.read(tmp_path / "table.pub")
    signature = TableKey.at(path).sign(b"head")
    assert len(signature) == 64
    assert public.signed(b"head", signature)
    assert not public.signed(b"tail", signature)
    assert not public.signed(b"head", signature[:-1])
    assert not public.signed(b"head", b"\x00" * 64)
    assert not TableKey.new().public.signed(b"head", signature)


def test_reading_a_public_key_does_not_load_the_ciphers(tmp_path: Path) -> None:
    """A table starts as fast as ever: PyNaCl is imported only when something is sealed."""
    SECRET.public.write(tmp_path / "audit.pub")
    code = (
        "import sys; from pathlib import Path; from tablectl.sealed import AuditKey\n"
        "key = AuditKey.read(Path(sys.argv[1])); key.fingerprint\n"
        "before = 'nacl' in sys.modules; key.seal(b'x'); print(before, 'nacl' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "audit.pub"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False True\n"
