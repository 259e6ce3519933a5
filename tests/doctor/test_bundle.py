"""What leaves the house: every byte of a bundle is scanned for what must not be there."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tablectl.cards import FACES
from tablectl.config import load
from tablectl.doctor import Machine, bundle, examine
from tablectl.doctor.filter import Open
from tablectl.errors import UsageError

if TYPE_CHECKING:
    from conftest import Simulated, Tree

SECRETS = ("hunter2pass", "s3cr3t-floor", "Qz9tokenvalue", "innocent-looking", "Annegret", "longtimeago")
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


def test_a_bundle_overwrites_nothing(tmp_path: Path, tree: Tree) -> None:
    """A file that is there, or a folder that is not, is bad usage."""
    machine = tree.machine()
    report = examine(None, machine)
    (tmp_path / "mine.tar.gz").write_text("mine")
    for out in (tmp_path / "mine.tar.gz", tmp_path / "none" / "b.tar.gz"):
        with pytest.raises(UsageError):
            bundle.write(out, report, machine, None)
    assert (tmp_path / "mine.tar.gz").read_text() == "mine"
