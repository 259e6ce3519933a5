"""What becomes of a configuration into which figures are written."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tablectl.calibrate.results import strange_tags
from tablectl.calibrate.written import with_figures, write
from tablectl.cards import Deck
from tablectl.errors import UsageError

CONFIG = """# our table, by the window
[table]
id = "T12"          # on the door
seats = 2

[[reader]]
driver = "tablewire"
port = "/dev/a"
antennas = { 0 = "shoe", 1 = "seat:1" }   # left

[reader.calibration.1]
read = 0.5          # old
strength = -60

[[reader]]
driver = "tablewire"
port = "/dev/b"
antennas = { 0 = "seat:2", 1 = "board" }
# the end
"""
FIGURES: Mapping[tuple[int, int], Mapping[str, float | int]] = {
    (0, 1): {"read": 0.91, "spread": 6.2, "strength": -47}, (1, 0): {"read": 0.8, "spread": 6.2},
}  # fmt: skip


def test_only_the_figures_change() -> None:
    """Comments, order and every other key stay; a figure that stood there is replaced, a missing one added."""
    made = with_figures(CONFIG, FIGURES)
    data = tomllib.loads(made)
    assert data["reader"][0]["calibration"] == {"1": {"read": 0.91, "spread": 6.2, "strength": -47}}
    assert data["reader"][1]["calibration"] == {"0": {"read": 0.8, "spread": 6.2}}
    kept = [line for line in CONFIG.splitlines() if line and not line.startswith(("read", "strength"))]
    lines = made.splitlines()
    assert [line for line in kept if line in lines] == kept
    assert "# old" in made


def test_what_stands_there_of_an_antenna_that_was_not_measured_stays() -> None:
    """No figures, no change."""
    made = tomllib.loads(with_figures(CONFIG, {(1, 0): {"read": 0.8}}))
    assert made["reader"][0]["calibration"] == {"1": {"read": 0.5, "strength": -60}}


def test_the_file_before_is_kept_every_time(tmp_path: Path) -> None:
    """A copy beside it that overwrites no earlier one; mode and content as they were."""
    path = tmp_path / "t12.toml"
    path.write_text(CONFIG)
    path.chmod(0o640)
    first, second = write(path, FIGURES), write(path, FIGURES)
    assert (first.name, second.name) == ("t12.toml.bak", "t12.toml.bak1")
    assert first.read_text() == CONFIG
    assert {each.stat().st_mode & 0o777 for each in (path, first)} == {0o640}
    assert sorted(each.name for each in tmp_path.iterdir()) == ["t12.toml", "t12.toml.bak", "t12.toml.bak1"]


@pytest.mark.parametrize(
    "text", ["[table]\nid = 1\n", '[reader]\nport = "x"\n', "not toml [", '[[reader]]\nport = "/dev/a"\n']
)
def test_a_file_of_another_table_is_left_alone(tmp_path: Path, text: str) -> None:
    """Fewer readers, none, or no TOML: bad usage, and the file is as it was."""
    path = tmp_path / "t.toml"
    path.write_text(text)
    with pytest.raises(UsageError):
        write(path, FIGURES)
    assert (path.read_text(), [each.name for each in tmp_path.iterdir()]) == (text, ["t.toml"])


def test_the_houses_own_cards_must_be_read_fully() -> None:
    """Field failure 11: four bytes of seven are told, and so are cards that are in no deck."""
    deck = Deck("blue", {"04A1B2C3D4E5F6": "t"})
    assert strange_tags({7: 1}, {"04A1B2C3D4E5F6"}, [deck]) is None
    short = strange_tags({4: 1}, {"04A1B2C3"}, [deck])
    assert short is not None
    assert "4 bytes" in short
    other = strange_tags({7: 1}, {"04FFFFFFFFFFFF"}, [deck])
    assert other is not None
    assert "in a deck of this table" in other
    assert strange_tags({}, set(), [deck]) is None
