"""`[panel]` of a configuration: its keys and defaults, and every fault and note of it; the README's tables of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tablectl.config import Config, from_recording, load
from tablectl.config.panel import BUTTONS, PatternsSection, alike
from tablectl.errors import ConfigError, Fault
from tablectl.sim.setup import TableSetup

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def written(folder: Path, **panel: Any) -> Path:
    """A configuration of three seats in which everything fits, with that panel."""
    return TableSetup(seats=3, boards=1).write(folder, [str(folder / "reader0")], panel=panel)


def good(folder: Path, **panel: Any) -> Config:
    return load(written(folder, **panel))


def faults(folder: Path, **panel: Any) -> list[Fault]:
    with pytest.raises(ConfigError) as caught:
        good(folder, **panel)
    return list(caught.value.faults)


def test_every_key_is_read(tmp_path: Path) -> None:
    """A panel with everything that can be set."""
    panel = good(
        tmp_path,
        pins="simulated", simulated_file="pins", buzzer=18, buzzer_hz=2700, alarm_led=17, seat_leds=[5, 6, 13],
        seat_leds_amber=[19, 26, 16], seat_light_complete=True, brightness=80, volume=60,
        night={"on": True, "brightness": 10, "volume": 5},
        patterns={"soft": [250, 250], "confirmed": "on", "alarm": [200, 200]},
        buttons={"raise": 20, "yes": 21},
    ).panel  # fmt: skip
    assert (panel.buzzer_hz, panel.seat_light_complete) == (2700, True)
    assert (panel.brightness, panel.volume) == (80, 60)
    assert (panel.night.on, panel.night.brightness, panel.night.volume) == (True, 10, 5)
    assert (panel.patterns.soft, panel.patterns.confirmed, panel.patterns.alarm) == (
        (250, 250),
        (),
        (200, 200),
    )
    assert panel.patterns.floor == PatternsSection().floor
    assert panel.buttons.fitted() == {"raise": 20, "yes": 21}


def test_without_a_word_everything_is_as_ever(tmp_path: Path) -> None:
    """Full brightness and volume, by day, no light for served seats."""
    panel = good(tmp_path).panel
    assert (panel.brightness, panel.volume, panel.night.on) == (100, 100, False)
    assert (panel.seat_light_complete, panel.buzzer_hz, panel.simulated_file) == (False, None, None)
    assert panel.buttons.fitted() == {}


def test_the_file_of_the_pins_is_beside_the_configuration(tmp_path: Path) -> None:
    """A path that is not absolute is one from the folder of the file, wherever the table is started."""
    assert good(tmp_path, pins="simulated", simulated_file="pins").panel.simulated_file == tmp_path / "pins"


def test_any_button_may_be_fitted(tmp_path: Path) -> None:
    """Twenty-eight pins of a header, one button each."""
    buttons = {name: pin for pin, name in enumerate(sorted(BUTTONS)[:28])}
    assert good(tmp_path, buttons=buttons).panel.buttons.fitted() == buttons


@pytest.mark.parametrize(
    ("panel", "key", "value", "right"),
    [
        ({"volume": 0}, "panel.volume", 0, "5 to 100"),
        ({"brightness": 101}, "panel.brightness", 101, "5 to 100"),
        ({"brightness": 50.5}, "panel.brightness", 50.5, "5 to 100"),
        ({"buzzer_hz": 20}, "panel.buzzer_hz", 20, "100 to 10000 Hz"),
        ({"night": {"volume": 1}}, "panel.night.volume", 1, "5 to 100"),
        ({"night": {"dim": 1}}, "panel.night.dim", 1, "Known here: on, brightness, volume"),
        ({"night": True}, "panel.night", True, "must be a table"),
        ({"seat_light_complete": 1}, "panel.seat_light_complete", 1, "true"),
        ({"patterns": {"soft": []}}, "panel.patterns.soft", [], "a list of times in ms"),
        ({"patterns": {"soft": "off"}}, "panel.patterns.soft", "off", '"on"'),
        ({"patterns": {"soft": [500, 20]}}, "panel.patterns.soft", [500, 20], "0 or 50 to 5000"),
        ({"patterns": {"soft": [500, 9000]}}, "panel.patterns.soft", [500, 9000], "0 or 50 to 5000"),
        ({"patterns": {"soft": [500, True]}}, "panel.patterns.soft", [500, True], "0 or 50 to 5000"),
        (
            {"patterns": {"soft": [0, 500, 500]}},
            "panel.patterns.soft",
            [0, 500, 500],
            "first of them above 0",
        ),
        ({"patterns": {"complete": [0, 500]}}, "panel.patterns.complete", [0, 500], "on, off"),
        ({"patterns": {"alarm": "on"}}, "panel.patterns.alarm", "on", "a list of times"),
        ({"patterns": {"alarm": [500]}}, "panel.patterns.alarm", [500], "a list of times"),
        ({"patterns": {"sfot": [500, 500]}}, "panel.patterns.sfot", [500, 500], "'soft'"),
        ({"patterns": {"soft": [100] * 21}}, "panel.patterns.soft", [100] * 21, "20 at most"),
        ({"buttons": {"fodl": 4}}, "panel.buttons.fodl", 4, "'fold'"),
        ({"buttons": {"raise": 28}}, "panel.buttons.raise", 28, "0 to 27"),
        ({"buttons": {"yes": 4, "no": 4}}, "panel.buttons.no", 4, "panel.buttons.yes"),
    ],
)
def test_each_fault_is_named_with_what_would_be_right(
    tmp_path: Path, panel: dict[str, Any], key: str, value: object, right: str
) -> None:
    """One fault, at its key, with its value."""
    [fault] = faults(tmp_path, **panel)
    assert (fault.key, right in fault.right) == (key, True), fault
    assert str(fault.value)[:40] == str(value)[:40]


@pytest.mark.parametrize(
    ("patterns", "key", "rival"),
    [
        ({"soft": "on"}, "soft", "confirmed"),
        ({"soft": [1000]}, "soft", "confirmed"),
        ({"soft": [900, 100]}, "soft", "confirmed"),
        ({"confirmed": [500, 500]}, "confirmed", "soft"),
        ({"confirmed": [600, 600]}, "confirmed", "soft"),
        ({"complete": [500, 600]}, "complete", "soft"),
        ({"complete": "on"}, "complete", "confirmed"),
        ({"degraded": [0, 500, 500]}, "degraded", "soft"),
        ({"floor": [300, 100, 300, 100, 300, 800]}, "floor", "alarm"),
        ({"alarm": [800, 300]}, "alarm", "floor"),
    ],
)
def test_two_states_of_one_lamp_never_have_one_rhythm(
    tmp_path: Path, patterns: dict[str, Any], key: str, rival: str
) -> None:
    """Colour is never the only sign: what blinks alike, or looks steady alike, is refused, with the other's name."""
    [fault] = faults(tmp_path, patterns=patterns)
    assert fault.key == f"panel.patterns.{key}"
    assert f"too much like {rival}, which is" in fault.right


def test_the_defaults_of_rivals_are_told_apart() -> None:
    """The table's own rhythms keep the rule that it makes for others'."""
    given = PatternsSection()
    assert not alike(given.soft, given.confirmed)
    assert not alike(given.complete, given.soft)
    assert not alike(given.complete, given.confirmed)
    assert not alike(given.degraded, given.soft)
    assert not alike(given.alarm, given.floor)


def test_a_house_may_choose_other_rhythms(tmp_path: Path) -> None:
    """Fast for confirmed, slow for soft: any rhythms that differ."""
    patterns = {"soft": [900, 900], "confirmed": [200, 200]}
    assert good(tmp_path, patterns=patterns).panel.patterns.confirmed == (200, 200)


def test_figures_that_are_no_pins_are_not_taken_for_pins(tmp_path: Path) -> None:
    """A brightness of 18, a volume of 17 and pin 18 for the buzzer do not meet."""
    panel = good(tmp_path, buzzer=18, alarm_led=17, brightness=18, volume=17, night={"volume": 18})
    assert panel.panel.buzzer == 18


@pytest.mark.parametrize(
    ("betting", "useless"), [("actions", []), ("rounds", ["fold"]), ("none", ["fold", "round_closed"])]
)
def test_buttons_from_which_nothing_comes_are_noted(tmp_path: Path, betting: str, useless: list[str]) -> None:
    """Where no actions, or no rounds, are entered, their buttons stop nothing but are told."""
    path = written(tmp_path, pins="simulated", buttons={"fold": 4, "round_closed": 5, "undo": 6})
    path.write_text(re.sub(r'betting = "\w+"', f'betting = "{betting}"', path.read_text()))
    noted = [each for each in load(path).warnings if each.startswith("panel.buttons")]
    assert [each.split(":")[0].removeprefix("panel.buttons.") for each in noted] == useless


def test_a_recording_keeps_the_panel_and_is_read_without_it(tmp_path: Path) -> None:
    """What was set is in the first line of a recording, as it was written; a replay needs none of it."""
    config = good(tmp_path, patterns={"soft": [250, 250]}, buttons={"raise": 4}, night={"on": True})
    kept = config.as_recording()["panel"]
    assert (kept["patterns"]["soft"], kept["patterns"]["confirmed"]) == ([250, 250], "on")
    assert (kept["buttons"], kept["night"]["on"]) == ({"raise": 4}, True)
    back = from_recording(config.as_recording(), config.decks, config.active_deck)
    assert back.panel.buttons.fitted() == {}


# The README


def rows(heading: str) -> list[list[str]]:
    """The cells of the README's table whose first column is headed so."""
    lines = README.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_readmes_table_of_patterns_is_that_of_the_defaults() -> None:
    """Every state in it, each with its times in ms as the configuration would have them."""
    told = {row[0].strip("`"): row[2] for row in rows("`[panel.patterns]`")}
    given = PatternsSection().model_dump(mode="json")
    assert told == {
        name: times if times == "on" else ", ".join(map(str, times)) for name, times in given.items()
    }


def test_the_readmes_table_of_buttons_has_every_one() -> None:
    """No more and no fewer than the configuration takes."""
    told = [name for row in rows("`[panel.buttons]`") for name in re.findall(r"`(\w+)`", row[0])]
    assert sorted(told) == sorted(BUTTONS)
