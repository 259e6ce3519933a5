"""The pin map is the one source: whatever names a pin elsewhere says the same, and a change of one side is noticed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hardware.pins import ROOT, disagreements, pin_map

HEADER_OF_BCM = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The 40-pin header as Raspberry Pi documents it: BCM number to pin."""
PICO_OF_GPIO = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20,
    16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 25: None, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
"""The Pico's pins as its data sheet has them (figure "Pinout"); GPIO 25 drives its lamp."""
FILES = (
    "hardware/pins.toml", "hardware/README.md", "firmware/board.py", "firmware/README.md", "README.md",
    "tablectl/config/panel.py", "tablectl/sim/__main__.py",
)  # fmt: skip
MUTANTS = [
    ("hardware/pins.toml", "seat_lamp_3 = { bcm = 13,", "seat_lamp_3 = { bcm = 14,"),
    ("hardware/pins.toml", "mux_a1 = { gpio = 11,", "mux_a1 = { gpio = 8,"),
    ("hardware/README.md", "16, 20, 21, 12, 22", "16, 20, 21, 12, 27"),
    ("hardware/README.md", "| alarm lamp | 17 |", "| alarm lamp | 7 |"),
    ("firmware/board.py", '"front_end_0_busy": 20', '"front_end_0_busy": 22'),
    ("firmware/board.py", '    "led": 6,\n', ""),
    ("firmware/README.md", "| optical_above | 15 |", "| optical_above | 14 |"),
    ("README.md", "buzzer = 18", "buzzer = 19"),
    ("README.md", "seat_leds = [5, 6, 13, 19", "seat_leds = [5, 6, 19, 13"),
    ("README.md", "acknowledge = 24", "acknowledge = 23"),
    ("tablectl/sim/__main__.py", "21, 12, 22)", "21, 12, 4)"),
    ("tablectl/sim/__main__.py", '"buzzer": 18', '"buzzer": 19'),
    ("tablectl/config/panel.py", "call_floor = 25", "call_floor = 22"),
]


def test_all_agree() -> None:
    """Firmware, configurations and documents name the pins of the map."""
    assert disagreements() == []


def test_the_map_fits_the_boards() -> None:
    """Each BCM number is at its pin of the header, each GPIO at its pin of the Pico, and none is used twice."""
    pins = pin_map()
    assert {name: HEADER_OF_BCM[line.bcm] for name, line in pins.raspberry_pi.items()} == {
        name: line.header for name, line in pins.raspberry_pi.items()
    }
    assert {name: PICO_OF_GPIO[line.gpio] for name, line in pins.reader.items()} == {
        name: line.pico for name, line in pins.reader.items()
    }
    for numbers in (
        [line.bcm for line in pins.raspberry_pi.values()],
        [line.gpio for line in pins.reader.values()],
    ):
        assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize(("file", "before", "after"), MUTANTS, ids=[f"{m[0]}:{m[1][:20]}" for m in MUTANTS])
def test_one_changed_pin_is_noticed(tmp_path: Path, file: str, before: str, after: str) -> None:
    """Whichever file changes one pin alone, the comparison names a file that no longer agrees."""
    for each in FILES:
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / each, tmp_path / each)
    assert disagreements(tmp_path) == []
    text = (tmp_path / file).read_text()
    assert text.count(before) == 1
    (tmp_path / file).write_text(text.replace(before, after))
    found = disagreements(tmp_path)
    assert found
    if file != "hardware/pins.toml":
        assert all(line.startswith(file) for line in found)


def test_an_installed_sample_is_compared(tmp_path: Path) -> None:
    """A configuration that is installed as a sample is held against the map as well."""
    for each in FILES:
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / each, tmp_path / each)
    folder = tmp_path / "systemd" / "config"
    folder.mkdir(parents=True)
    (folder / "ten.toml").write_text(
        '[panel]\npins = "rpi"\nseat_leds = [5, 6, 13, 19, 26, 16, 20, 21, 12, 27]\n'
    )
    assert disagreements(tmp_path) == [
        "systemd/config/ten.toml: seat_leds is [5, 6, 13, 19, 26, 16, 20, 21, 12, 27], "
        "the pin map has [5, 6, 13, 19, 26, 16, 20, 21, 12, 22]"
    ]


def test_no_other_file_of_the_product_has_pins_of_its_own() -> None:
    """The order of the seats' lamps stands in no file of the product that the comparison does not read."""
    lamps = ", ".join(str(bcm) for bcm in pin_map().seat_lamps()[:4])
    compared = {
        *FILES,
        *(f"systemd/config/{path.name}" for path in (ROOT / "systemd" / "config").glob("*.toml")),
    }
    found = {
        str(path.relative_to(ROOT))
        for folder in ("tablectl", "firmware", "hardware", "systemd")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".toml", ".md") and lamps in path.read_text()
    }
    assert found <= compared
    assert "SEAT_PINS" in (ROOT / "tablectl/bench/soak/command.py").read_text()
    assert '"buzzer": 18' not in (ROOT / "tablectl/bench/soak/command.py").read_text()


def test_the_copies_of_the_tests_agree() -> None:
    """What the tests of other parts write into a panel is the map's as well."""
    lamps = pin_map().seat_lamps()[:9]
    written = ", ".join(str(bcm) for bcm in lamps)
    for file in ("tests/pi/pi_product.py", "tests/bench/night.py"):
        assert written in (ROOT / file).read_text(), file
