"""The sample configurations that are shipped: each fits, and a simulated table of its shape plays a hand with it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tablectl import recording
from tablectl.app import table_of
from tablectl.config import Config, load
from tablectl.core.decisions import Decision, HandEvent, Irregularity
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.script import parse
from tablectl.sim.setup import TableSetup

SAMPLES = sorted((Path(__file__).parents[1] / "systemd" / "config").glob("*.toml"))
DECKS = ("blue", "red")


def placed(sample: Path, folder: Path) -> Path:
    """The sample where it belongs, with the decks that a technician has enrolled for it."""
    TableSetup(deck_ids=DECKS).write(folder, [f"port{n}" for n in range(2)])
    path = folder / "table.toml"
    path.write_text(sample.read_text(encoding="utf-8"), encoding="utf-8")
    return path


def test_every_kind_of_table_has_a_sample() -> None:
    """Six, nine and ten seats, each with a shoe and without, and what the name says is what the file has."""
    assert [path.stem for path in SAMPLES] == sorted(
        f"{seats}-seats-{shoe}" for seats in (6, 9, 10) for shoe in ("shoe", "no-shoe")
    )
    for path in SAMPLES:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        zones = [zone for reader in data["reader"] for zone in reader["antennas"].values()]
        shoe = [] if "no-shoe" in path.stem else ["shoe"]
        seats = [f"seat:{seat}" for seat in range(1, int(path.stem.split("-")[0]) + 1)]
        assert sorted(zones) == sorted([*seats, *shoe, "board", "burn", "muck"])
        assert len(data["panel"]["seat_leds"]) == data["table"]["seats"] == len(seats)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_fits(sample: Path, tmp_path: Path) -> None:
    """With its decks enrolled `check-config` finds nothing wrong; without them it names both files. Each word that it
    marks to be changed is there."""
    path = placed(sample, tmp_path)
    command = [sys.executable, "-m", "tablectl.cli", "check-config", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    for deck in DECKS:
        (tmp_path / "decks" / f"{deck}.toml").unlink()
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert all(f"decks/{deck}.toml" in done.stderr for deck in DECKS)
    text = sample.read_text(encoding="utf-8")
    assert text.count("←") >= 4 + text.count("[[reader]]")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_fits_a_table_with_one_deck(sample: Path, tmp_path: Path) -> None:
    """Every line of the second deck is marked to be changed; with a # before them the table fits with the first one
    alone enrolled."""
    path = placed(sample, tmp_path)
    (tmp_path / "decks/red.toml").unlink()
    first, *rest = path.read_text(encoding="utf-8").split("[[deck]]")[1:]
    assert "←" not in first
    (lines,) = (("[[deck]]" + text).split("\n\n")[0] for text in rest)
    assert all("←" in line for line in lines.split("\n"))
    one = path.read_text(encoding="utf-8").replace(
        lines, "\n".join(f"# {line}" for line in lines.split("\n"))
    )
    path.write_text(one, encoding="utf-8")
    assert [deck.id for deck in load(path).decks] == ["blue"]


def night(config: Config, script: str) -> list[Decision]:
    """What the core of that table decides of simulated hands over its own antennas."""
    layout, table = config.layout(), config.table
    setup = TableSetup(
        seats=table.seats,
        boards=len(config.readers),
        antennas=layout,
        deck_ids=DECKS,
        rulebook=table.rulebook,
        betting=table.betting,
        confirms=table.confirms,
    )
    steps = parse(script)
    core = table_of(config)
    decisions: list[Decision] = []
    for number, line in enumerate(generate(setup, steps, preset("light"), 7, header=False)):
        decisions += core.step(recording.parse(line, line=number, seats=table.seats))
    return decisions


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_hand_is_played_with_a_sample(sample: Path, tmp_path: Path) -> None:
    """A clean hand raises nothing; in the next one a card goes to the wrong seat, which is found and ruled by the
    book of the sample."""
    decisions = night(load(placed(sample, tmp_path)), "clean, wrong_seat")
    hands = [each for each in decisions if isinstance(each, HandEvent) and each.event == "start"]
    assert len(hands) == 2
    found = [each for each in decisions if isinstance(each, Irregularity) and each.type == "irregularity"]
    assert {each.kind for each in found} == {"wrong_seat"}
    assert {each.hand for each in found} == {2}
