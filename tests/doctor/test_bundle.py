"""What leaves the house: every byte of a bundle is scanned for what must not be there."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tablectl.cards import FACES
from tablectl.config import load
from tablectl.doctor import Machine, bundle, examine
from tablectl.doctor.filter import Filter, Open, filter_of
from tablectl.errors import UsageError

if TYPE_CHECKING:
    from conftest import Simulated, Tree

SECRETS = ("hunter2pass", "s3cr3t-floor", "Qz9tokenvalue", "innocent-looking", "Annegret", "longtimeago")
SPOKEN = (
    ("password=correct horse battery", "correct horse battery"), ("wifi_passcode: blue moon", "blue moon"),
    ("the PIN is 4711", "4711"), ("pin=8265", "8265"), ("pin-code: 9090", "9090"), ('pwd="two words"', "two words"),
    ("Set-Cookie: id=zebra; Path=/", "zebra"), ("API-Key: giraffe and more", "giraffe"),
)  # fmt: skip
RAW = (
    r"b'\xe0\x04\x01P\x99\x99\x00\x01'", r"bytearray(b\"\xe0\x04'P\x99\x99\x00\x01\")", r"\xe0\x04\x01P\x99\x99",
    "[224, 4, 1, 80, 153, 153, 0, 1]", "0xE0, 0x04, 0x01, 0x50, 0x99, 0x99", "E0, 04, 01, 50, 99, 99, 00, 01",
)  # fmt: skip
LONG = "correct-horse-battery-staple-" * 9
TAGS = ("E004015099990001", "04A1B2C3D4E5F6", "DEADBEEF")


@pytest.fixture
def house(simulated: Callable[..., Simulated], tree: Tree) -> tuple[Path, Machine]:
    """A table whose configuration and log hold everything that must stay in the house."""
    config = simulated("--mode", "blind").config
    text = config.read_text().replace(
        "[table]", f'[table]\nnames = ["{SECRETS[4]}"]\nbutton_tags = ["{TAGS[0]}"]'
    )
    text += f'\n[floor]\nurl = "mqtts://dealer:{SECRETS[1]}@floor.invalid:1?key={SECRETS[2]}"\nsite = "x"\n'
    config.write_text(text)
    decks = load(config).decks
    tree.file("/log", "\n".join([
        f"the floor refused password={SECRETS[0]}",
        f'Authorization: Bearer {SECRETS[5]}', f"again {SECRETS[1]} and {SECRETS[2]} of {SECRETS[4]}",
        *(f"tag {uid} is {token}" for deck in decks for uid, token in deck.cards.items()),
        *(f"joker {uid.lower()}" for deck in decks for uid in deck.jokers),
        *(f"tag {uid}" for uid in TAGS), ":".join(re.findall("..", TAGS[0])),
        *(f"seat 3 shows {face}, {face}." for face in FACES),
    ]))  # fmt: skip
    tree.program("journalctl", f"cat {tree.root}/log")
    return config, tree.machine()


def found(packed: Path, config: Path) -> set[str]:
    """Every forbidden word in any byte of the bundle, its names and headers included."""
    raw = subprocess.run(["gzip", "-dc", packed], capture_output=True, check=True).stdout.decode(
        errors="replace"
    )
    decks = load(config).decks
    words = {
        *SECRETS, *TAGS, *(uid for deck in decks for uid in (*deck.cards, *deck.jokers)),
        *(token for deck in decks for token in deck.cards.values()),
    }  # fmt: skip
    hits = {word for word in words if word.lower() in raw.lower()}
    return hits | {face for face in FACES if re.search(rf"(?<![0-9A-Za-z]){face}(?![0-9A-Za-z])", raw)}


def test_no_card_no_tag_and_no_secret_leaves_the_house(house: tuple[Path, Machine], tmp_path: Path) -> None:
    """The scan finds nothing; the same scan finds every single one in a bundle made with the filter off."""
    config, machine = house
    report = examine(config, machine)
    bundle.write(tmp_path / "open.tar.gz", report, machine, config, Open())
    shown = found(tmp_path / "open.tar.gz", config)
    decks = load(config).decks
    in_the_log = {*FACES, *(uid for deck in decks for uid in (*deck.cards, *deck.jokers))}
    assert in_the_log | {token for deck in decks for token in deck.cards.values()} <= shown
    assert {*SECRETS[:3], *SECRETS[4:], *TAGS} <= shown
    bundle.write(tmp_path / "safe.tar.gz", report, machine, config)
    assert found(tmp_path / "safe.tar.gz", config) == set()


def test_a_bundle_still_helps(house: tuple[Path, Machine], tmp_path: Path) -> None:
    """The examination, versions, the known part of the configuration and the log's words are in it, for its owner."""
    config, machine = house
    bundle.write(tmp_path / "b.tar.gz", examine(config, machine), machine, config)
    assert (tmp_path / "b.tar.gz").stat().st_mode & 0o777 == 0o600
    with tarfile.open(tmp_path / "b.tar.gz") as tar:
        files = {each.name.split("/")[1]: tar.extractfile(each).read().decode() for each in tar}  # type: ignore[union-attr]
        assert {(each.uname, each.uid, each.mtime) for each in tar} == {("", 0, 0)}
    assert set(files) == {
        "README.txt",
        "doctor.json",
        "versions.json",
        "config.json",
        "journal.json",
        "log.txt",
    }
    assert {line["check"] for line in json.loads(files["doctor.json"])} >= {
        "python",
        "reader",
        "antenna",
        "disk",
    }
    shown = json.loads(files["config.json"])
    assert shown["table"]["seats"] == 2
    assert "floor.invalid" in shown["floor"]["url"]
    assert "password=(removed)" in files["log.txt"]
    assert f"tag …{TAGS[0][-4:]}" in files["log.txt"]


def test_what_tablectl_does_not_know_is_not_shown(tmp_path: Path, tree: Tree) -> None:
    """An unknown key or section may hold anything: its value is removed, there and everywhere else."""
    config = tmp_path / "t.toml"
    config.write_text(
        f'[table]\nid = "T"\nmotto = "{SECRETS[3]}"\n[cloud]\nlogin = "{SECRETS[0]}"\nlong = "{LONG}"\n'
    )
    tree.program("journalctl", f"echo {SECRETS[3]} {SECRETS[0]}")
    machine = tree.machine()
    bundle.write(tmp_path / "b.tar.gz", examine(config, machine), machine, config)
    raw = subprocess.run(
        ["gzip", "-dc", tmp_path / "b.tar.gz"], capture_output=True, check=True
    ).stdout.decode()
    assert SECRETS[3] not in raw
    assert SECRETS[0] not in raw
    assert LONG[:8] not in raw
    config.write_text(f'[table\npassword = "{SECRETS[0]}"')
    bundle.write(tmp_path / "c.tar.gz", examine(config, machine), machine, config)


@pytest.mark.parametrize(("line", "secret"), SPOKEN)
def test_a_secret_that_is_named_goes_with_all_its_words(line: str, secret: str) -> None:
    """Without quotes nobody knows where it ends; JSON around it stays JSON."""
    clean = Filter()
    assert secret not in clean(f"12:00 said {line}\nnext line stays")
    assert "next line stays" in clean(f"12:00 said {line}\nnext line stays")
    packed = json.loads(clean(json.dumps({"text": f"said {line}", "more": "stays"}, indent=1)))
    assert (secret in packed["text"], packed["more"]) == (False, "stays")


@pytest.mark.parametrize("spelling", RAW)
def test_a_tag_spelt_in_bytes_is_taken_out(spelling: str) -> None:
    """As Python prints bytes, and as lists of numbers; in JSON, too, where each backslash is doubled."""
    for text in (f"read {spelling} here", json.dumps(f"read {spelling} here")):
        shown = Filter()(text)
        assert "read " in shown
        assert not re.search(r"x04|04, 01|, 80|E0|224", shown), shown
    keys = json.dumps({"b": "check", "text": "seat b", "leds": [5, 6, 13]}, indent=1)
    assert Filter()(keys) == keys


def test_tokens_and_short_names_leave_nothing_behind(tmp_path: Path) -> None:
    """Not the last four characters of a token, not a name of two letters, not a number under a key that nobody knows;
    words that only contain them stay."""
    (tmp_path / "deck.toml").write_text(
        'id = "d"\n[cards]\nE004015099990001 = "tok-7f3a9"\nE004015099990002 = "q7"\n'
    )
    config = tmp_path / "t.toml"
    config.write_text(
        '[table]\nnames = ["Al", "Bo", "Anna"]\n[cloud]\nnumber = 4711\n[[deck]]\nfile = "deck.toml"\n'
    )
    clean = filter_of(config)
    assert clean("Al: seat 2; ANNA left, Bo too; tok-7f3a9 q7 4711") == (
        "(removed): seat 2; (removed) left, (removed) too; (removed) (removed) (removed)"
    )
    assert clean("Also all of Boston, at q70 and 47110") == "Also all of Boston, at q70 and 47110"


def test_a_full_disk_leaves_no_half_bundle(tmp_path: Path) -> None:
    """No file of 0 bytes, which the next try would find in its place; no other remains. Exit status 2."""
    done = subprocess.run(
        [sys.executable, "-m", "tablectl.cli", "doctor", "--bundle", tmp_path / "b.tar.gz"],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )  # fmt: skip
    assert (done.returncode, "cannot be written" in done.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_a_bundle_that_is_there_is_refused_before_anything_is_looked_at(
    tmp_path: Path, command: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """Nobody waits for an examination to hear it; a folder that is not there likewise."""
    (tmp_path / "mine.tar.gz").write_text("mine")
    for out in (tmp_path / "mine.tar.gz", tmp_path / "none" / "b.tar.gz"):
        done = command("--bundle", out)
        assert (done.returncode, done.stdout, str(out) in done.stderr) == (2, "", True)


def test_a_bundle_overwrites_nothing(tmp_path: Path, tree: Tree) -> None:
    """A file that is there, or a folder that is not, is bad usage."""
    machine = tree.machine()
    report = examine(None, machine)
    (tmp_path / "mine.tar.gz").write_text("mine")
    for out in (tmp_path / "mine.tar.gz", tmp_path / "none" / "b.tar.gz"):
        with pytest.raises(UsageError):
            bundle.write(out, report, machine, None)
    assert (tmp_path / "mine.tar.gz").read_text() == "mine"
