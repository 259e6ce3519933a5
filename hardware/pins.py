"""The pin map of `pins.toml`, and what elsewhere in the project disagrees with it.

Owns: reading the map, and the comparison with the firmware, the configurations and the documents.
Refuses: circuits (`boards`). Nothing is corrected here: a disagreement is named, a person decides who is right.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.inputs import reading

ROOT = Path(__file__).resolve().parent.parent
PINS = Path("hardware/pins.toml")
SEAT = "seat_lamp_"
BUTTON = "button_"


@dataclass(frozen=True)
class PiLine:
    """One line of the Raspberry Pi: its BCM number, its pin of the 40-pin header."""

    bcm: int
    header: int
    optional: bool = False


@dataclass(frozen=True)
class ReaderLine:
    """One line of the reader board: GPIO of the RP2040, pin of the Pico (None: not led out)."""

    gpio: int
    pico: int | None


@dataclass(frozen=True)
class PinMap:
    """The whole map. `connectors`: the names of the pins, pin 1 first."""

    raspberry_pi: Mapping[str, PiLine]
    reader: Mapping[str, ReaderLine]
    connectors: Mapping[str, tuple[str, ...]]

    def seat_lamps(self) -> list[int]:
        """BCM numbers of the seats' lamps, seat 1 first."""
        lamps = {int(name.removeprefix(SEAT)): line for name, line in self._pi(SEAT)}
        return [lamps[seat].bcm for seat in sorted(lamps)]

    def buttons(self) -> dict[str, int]:
        """BCM numbers of all push buttons, the optional ones included."""
        return {name.removeprefix(BUTTON): line.bcm for name, line in self._pi(BUTTON)}

    def _pi(self, prefix: str) -> list[tuple[str, PiLine]]:
        return [(name, line) for name, line in self.raspberry_pi.items() if name.startswith(prefix)]


def pin_map(root: Path = ROOT) -> PinMap:
    """Read the map below `root`. InputError: it cannot be read."""
    with reading(root / PINS):
        return _pin_map(tomllib.loads((root / PINS).read_text()))


def _pin_map(data: Mapping[str, Any]) -> PinMap:
    return PinMap(
        {
            name: PiLine(line["bcm"], line["header"], line.get("optional", False))
            for name, line in data["raspberry_pi"].items()
        },
        {name: ReaderLine(line["gpio"], line.get("pico")) for name, line in data["reader"].items()},
        {name: tuple(pins) for name, pins in data["connectors"].items()},
    )


def disagreements(root: Path = ROOT) -> list[str]:
    """What below `root` says otherwise than the map, each as "file: what is there, what the map has"."""
    pins = pin_map(root)
    return [
        *_firmware(root, pins),
        *_firmware_table(root, pins),
        *_panel_table(root, pins),
        *_configurations(root, pins),
        *_simulated(root, pins),
    ]


def _differing(where: str, found: Mapping[str, object], wanted: Mapping[str, object]) -> Iterator[str]:
    for name in sorted(found.keys() | wanted.keys()):
        if found.get(name) != wanted.get(name):
            yield f"{where}: {name} is {found.get(name)}, the pin map has {wanted.get(name)}"


def _firmware(root: Path, pins: PinMap) -> Iterator[str]:
    file = "firmware/board.py"
    for node in ast.parse((root / file).read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "PINS":
            found = ast.literal_eval(node.value)
            yield from _differing(file, found, {name: line.gpio for name, line in pins.reader.items()})
            return
    yield f"{file}: has no PINS"


def _rows(text: str, heading: str) -> dict[str, str]:
    """The two columns of the first table below a heading."""
    below = text.partition(heading)[2]
    rows: dict[str, str] = {}
    for line in below.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 2:
            rows[cells[0]] = cells[1]
        elif rows:
            break
    return dict(list(rows.items())[2:])


def _firmware_table(root: Path, pins: PinMap) -> Iterator[str]:
    file = "firmware/README.md"
    found = _rows((root / file).read_text(), "## Pins")
    yield from _differing(file, found, {name: str(line.gpio) for name, line in pins.reader.items()})


def panel_rows(pins: PinMap) -> dict[str, str]:
    """The table of the panel's pins as `hardware/README.md` shows it."""
    lamps = pins.seat_lamps()
    buttons = pins.buttons()
    return {
        "seat lamps 1 to 10": ", ".join(str(bcm) for bcm in lamps),
        "alarm lamp": str(pins.raspberry_pi["alarm_lamp"].bcm),
        "buzzer (active)": str(pins.raspberry_pi["buzzer"].bcm),
        "buttons: " + ", ".join(name.replace("_", " ") for name in buttons): ", ".join(
            str(bcm) for bcm in buttons.values()
        ),
    }


def _panel_table(root: Path, pins: PinMap) -> Iterator[str]:
    file = "hardware/README.md"
    yield from _differing(
        file, _rows((root / file).read_text(), "## Panel: pins of the Raspberry Pi"), panel_rows(pins)
    )


_SAMPLES = {
    "README.md": r"^```toml\n(.*?)^```",
    "tablectl/config/panel.py": r"buttons: .*?a table such as (\{[^}]*\})",
}
"""Where configurations are shown, and how to find them there."""


def _configurations(root: Path, pins: PinMap) -> Iterator[str]:
    """Every `[panel]` that a user may copy: READMEs, the configuration's own words, the installed samples."""
    for file, pattern in _SAMPLES.items():
        panels = 0
        for block in re.findall(pattern, (root / file).read_text(), re.MULTILINE | re.DOTALL):
            text = f"[panel]\nbuttons = {block}" if block.startswith("{") else block
            try:
                panel = tomllib.loads(text).get("panel", {})
            except tomllib.TOMLDecodeError:
                continue  # not every block of a README is a whole file
            panels += "buttons" in panel
            yield from _panel(file, panel, pins)
        if not panels:
            yield f"{file}: no panel to compare was found"
    for path in sorted((root / "systemd" / "config").glob("*.toml")):
        panel = tomllib.loads(path.read_text()).get("panel", {})
        if panel.get("pins") == "rpi":
            yield from _panel(str(path.relative_to(root)), panel, pins)


def _simulated(root: Path, pins: PinMap) -> Iterator[str]:
    """The panel of the simulated table, which soak and demo take over."""
    file = "tablectl/sim/__main__.py"
    found: dict[str, Any] = {}
    for node in ast.parse((root / file).read_text()).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            name = getattr(target, "id", "")
            if name in ("SIMULATED_PANEL", "SEAT_PINS"):
                found[name] = ast.literal_eval(node.value)
    if len(found) < 2:
        yield f"{file}: has no SIMULATED_PANEL or no SEAT_PINS"
        return
    yield from _panel(file, {**found["SIMULATED_PANEL"], "seat_leds": list(found["SEAT_PINS"])}, pins)


def _panel(file: str, panel: Mapping[str, Any], pins: PinMap) -> Iterator[str]:
    """What is named must be as the map has it; what is left out is not fitted."""
    lamps = pins.seat_lamps()
    wanted: dict[str, object] = {
        "buzzer": pins.raspberry_pi["buzzer"].bcm,
        "alarm_led": pins.raspberry_pi["alarm_lamp"].bcm,
        "seat_leds": lamps[: len(panel.get("seat_leds", []))],
    }
    yield from _differing(
        file,
        {key: panel[key] for key in wanted if key in panel},
        {key: wanted[key] for key in wanted if key in panel},
    )
    buttons = panel.get("buttons", {})
    mapped = pins.buttons()
    yield from _differing(file, buttons, {name: mapped.get(name) for name in buttons})
