"""`[keys]` of a configuration: what keys mean by default, what can be bound, and every fault of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablectl.cards import FACES, Deck
from tablectl.config import Config, load
from tablectl.config.decks import deck_as_toml
from tablectl.config.keys import DEFAULTS, SEATS
from tablectl.errors import ConfigError

README = Path(__file__).parents[1] / "README.md"
TABLE = """
[table]
id = "T12"
seats = 3
game = "holdem"
rulebook = "pl"
[[deck]]
file = "blue.toml"
active = true
[[reader]]
driver = "tablewire"
port = "/dev/serial/by-path/one"
antennas = { 0 = "shoe", 1 = "seat:1", 2 = "seat:2", 3 = "seat:3" }
[keys]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a deck, where a test writes its configuration."""
    deck = Deck("blue", {f"E0040150{n:08X}": face for n, face in enumerate(FACES)}, frozenset())
    (tmp_path / "blue.toml").write_text(deck_as_toml(deck), encoding="utf-8")
    return tmp_path


def loaded(folder: Path, keys: str) -> Config:
    """The configuration with those keys."""
    (folder / "t.toml").write_text(TABLE + keys, encoding="utf-8")
    return load(folder / "t.toml")


def test_keys_have_meanings_unless_the_configuration_says_otherwise(folder: Path) -> None:
    """What is bound replaces or joins the defaults; a key that is off means nothing."""
    assert loaded(folder, "").keys == DEFAULTS
    keys = loaded(folder, 'NumpadEnter = "check"\nF1 = "open_absent"\nKeyC = "off"\n').keys
    expected = {**DEFAULTS, "NumpadEnter": "check", "F1": "open_absent"}
    del expected["KeyC"]
    assert keys == expected


@pytest.mark.parametrize(
    ("line", "key", "right"),
    [
        ('Numpad11 = "fold"', "keys.Numpad11", "Did you mean 'Numpad1'?"),
        ('f = "fold"', "keys.f", "KeyboardEvent.code"),
        ('Enter = "fold"', "keys.Enter", "moves about on the display"),
        ('F1 = "foldd"', "keys.F1", "Did you mean 'fold'?"),
        ("F1 = 7", "keys.F1", "must be one of acknowledge"),
        ('F1 = "seat_4"', "keys.F1", "seat_1 to seat_3"),
    ],
)
def test_a_key_that_cannot_be_bound_is_told_with_what_is_right(
    folder: Path, line: str, key: str, right: str
) -> None:
    """Each fault names the key and its value; they are told together with all others."""
    with pytest.raises(ConfigError) as caught:
        loaded(folder, f"{line}\n[display]\nport = -1\n")
    first, second = caught.value.faults
    faults = {first.key: first, second.key: second}
    assert set(faults) == {key, "display.port"}
    assert right in faults[key].right


def test_keys_are_a_section(folder: Path) -> None:
    """What is not a table of keys is one fault."""
    (folder / "t.toml").write_text("keys = 3\n" + TABLE.replace("[keys]", ""), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(folder / "t.toml")
    assert [(fault.key, fault.right) for fault in caught.value.faults] == [
        ("keys", "must be a section, written [keys]")
    ]


def test_the_readme_says_what_the_keys_mean() -> None:
    """Its table has every default, and no other."""
    table = README.read_text(encoding="utf-8").split("<!-- keys -->")[1].split("<!-- /keys -->")[0]
    rows = [
        [re.findall(r"`(\w+)`", cell) for cell in line.split("|")[1:3]]
        for line in table.splitlines()
        if "`" in line
    ]
    (seats, _), *others = rows
    told = {f"{kind}{seat}": f"seat_{seat}" for kind in ("Numpad", "Digit") for seat in range(1, 10)}
    assert seats == ["Numpad1", "Numpad9", "Digit1", "Digit9", "Digit0"]
    told["Digit0"] = SEATS[9]
    for keys, meanings in others:
        told |= dict(zip(keys, meanings if len(meanings) == len(keys) else meanings * len(keys), strict=True))
    assert told == DEFAULTS
