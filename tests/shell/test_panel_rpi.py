"""The Raspberry Pi driver without a Raspberry Pi.

Against three things: a module as strict as RPi.GPIO 0.7.1 (with the checks and texts of its C source), the
real rpi-lgpio over a chip in memory, and the real rpi-lgpio over the real lgpio with no chip at all.
"""

from __future__ import annotations

import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablectl.core.alerts import Signals
from tablectl.shell.panel import NoGpioError, Panel, PanelError, RpiPins, Wiring

IN, OUT, BCM, PUD_OFF, PUD_DOWN, PUD_UP = 1, 0, 11, 20, 21, 22
LOUD = Signals(seats={1: "steady"}, alarm="steady", buzzer="alarm")
WIRING = Wiring(seats=1, buzzer=18, alarm_led=17, seat_leds={1: 5}, buttons={"acknowledge": 24})


class StrictGpio(types.ModuleType):
    """RPi.GPIO as it behaves: numbering mode first, then set-up, then use. It offers no edge detection."""

    BOARD, BCM, IN, OUT, LOW, HIGH = 10, BCM, IN, OUT, 0, 1
    PUD_OFF, PUD_DOWN, PUD_UP = PUD_OFF, PUD_DOWN, PUD_UP

    def __init__(self, setup_fails: str | None = None) -> None:
        super().__init__("RPi.GPIO")
        self.setup_fails = setup_fails
        self.mode: int | None = None
        self.warnings = True
        self.direction: dict[int, int] = {}
        self.pull: dict[int, int] = {}
        self.level: dict[int, int] = {}
        self.grounded: set[int] = set()

    def setwarnings(self, on: bool) -> None:  # noqa: FBT001 - as in RPi.GPIO
        self.warnings = on

    def setmode(self, mode: int) -> None:
        if self.mode is not None and mode != self.mode:
            raise ValueError("A different mode has already been set!")
        self.mode = mode

    def _channel(self, channel: int) -> None:
        if type(channel) is not int:
            raise ValueError("Channel must be an integer or list/tuple of integers")
        if self.mode is None:
            raise RuntimeError(
                "Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or GPIO.setmode(GPIO.BCM)"
            )
        if not 0 <= channel <= 53:
            raise ValueError("The channel sent is invalid on a Raspberry Pi")

    def setup(
        self, channel: int, direction: int, pull_up_down: int = PUD_OFF, initial: int | None = None
    ) -> None:
        if self.setup_fails is not None:
            raise RuntimeError(self.setup_fails)
        if direction == OUT and pull_up_down != PUD_OFF:
            raise ValueError("pull_up_down parameter is not valid for outputs")
        if direction == IN and initial is not None:
            raise ValueError("initial parameter is not valid for inputs")
        self._channel(channel)
        if self.warnings and channel in self.direction:
            raise AssertionError("This channel is already in use, continuing anyway.")
        self.direction[channel] = direction
        self.pull[channel] = pull_up_down
        if initial is not None:
            self.level[channel] = initial

    def output(self, channel: int, value: int) -> None:
        self._channel(channel)
        if self.direction.get(channel) != OUT:
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        self.level[channel] = value

    def input(self, channel: int) -> int:
        self._channel(channel)
        if channel not in self.direction:
            raise RuntimeError("You must setup() the GPIO channel first")
        if self.direction[channel] == OUT:
            return self.level[channel]
        return int(self.pull[channel] == PUD_UP and channel not in self.grounded)

    def cleanup(self, channel: int | None = None) -> None:
        if channel is None:
            found = bool(self.direction)
            self.direction.clear()
            self.mode = None
        else:
            self._channel(channel)
            found = self.direction.pop(channel, None) is not None
        if not found and self.warnings:
            raise AssertionError("No channels have been set up yet - nothing to clean up!")


def install(monkeypatch: pytest.MonkeyPatch, gpio: types.ModuleType) -> None:
    package = types.ModuleType("RPi")
    package.__path__ = []
    package.GPIO = gpio  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", gpio)


@pytest.fixture
def gpio(monkeypatch: pytest.MonkeyPatch) -> StrictGpio:
    module = StrictGpio()
    install(monkeypatch, module)
    return module


class StillClock:
    """A clock for panels whose patterns are not of interest here; `due` is what was asked of it last."""

    def time(self) -> float:
        return 0.0

    def call_at(self, when: float, callback: Any, /) -> StillClock:
        self.due = callback
        return self

    def cancel(self) -> None:
        pass


def panel_on(pins: RpiPins, reports: list[str], wiring: Wiring = WIRING) -> Panel:
    return Panel(wiring, pins, StillClock(), reports.append, reports.append)


def test_the_whole_panel_on_a_strict_rpi_gpio(gpio: StrictGpio) -> None:
    """Start, alarm and end through the real interface's rules: BCM, low first, alarm high, no warnings."""
    reports: list[str] = []
    panel = panel_on(RpiPins(), reports)
    panel.start()
    assert gpio.mode == BCM
    assert gpio.level == {17: 0, 18: 0, 5: 0}
    panel.show(LOUD)
    assert gpio.level == {17: 1, 18: 1, 5: 1}
    panel.close()
    assert reports == []


def test_close_leaves_outputs_low_with_a_pull_down_and_frees_the_buttons(gpio: StrictGpio) -> None:
    """The safe level outlives the process: an input with a pull-down floats nowhere."""
    panel = panel_on(RpiPins(), [])
    panel.start()
    panel.show(LOUD)
    panel.close()
    assert gpio.level == {17: 0, 18: 0, 5: 0}
    assert gpio.direction == {17: IN, 18: IN, 5: IN}
    assert {gpio.pull[pin] for pin in (17, 18, 5)} == {PUD_DOWN}


def test_buttons_are_read_with_a_pull_up_and_without_edge_detection(gpio: StrictGpio) -> None:
    """Levels only: the module offers no edge detection at all, and a grounded pin reads as 0."""
    pins = RpiPins()
    pins.setup_input(24, "up")
    assert pins.read(24) == 1
    gpio.grounded.add(24)
    assert pins.read(24) == 0
    assert not hasattr(gpio, "add_event_detect")


def test_pins_can_be_opened_again_after_close(gpio: StrictGpio) -> None:
    """After a failure the panel closes and opens the driver: numbering and outputs are set up anew."""
    pins = RpiPins()
    for _ in range(2):
        pins.setup_output(18)
        pins.write(18, 1)
        assert gpio.level[18] == 1
        pins.close()
        assert gpio.level[18] == 0


def test_a_pin_that_does_not_exist_is_named(gpio: StrictGpio) -> None:
    """ValueError becomes one line with the pin in it."""
    with pytest.raises(PanelError, match="pin 99: The channel sent is invalid on a Raspberry Pi"):
        RpiPins().setup_output(99)


def test_use_before_set_up_is_a_panel_error(gpio: StrictGpio) -> None:
    """RuntimeError of the package never gets through."""
    pins = RpiPins()
    with pytest.raises(PanelError, match="pin 5: The GPIO channel has not been set up as an OUTPUT"):
        pins.write(5, 1)
    with pytest.raises(PanelError, match=r"pin 6: You must setup\(\) the GPIO channel first"):
        pins.read(6)


def test_close_makes_safe_what_it_can(gpio: StrictGpio) -> None:
    """One pin that fails does not keep the others from going low; the first trouble is raised."""
    pins = RpiPins()
    for pin in (5, 18):
        pins.setup_output(pin)
        pins.write(pin, 1)
    del gpio.direction[5]
    with pytest.raises(PanelError, match="pin 5"):
        pins.close()
    assert gpio.level[18] == 0
    assert gpio.direction[18] == IN


@pytest.mark.parametrize(
    ("said", "advice", "lasting"),
    [
        ("Cannot determine SOC peripheral base address", "install rpi-lgpio", True),
        ("No access to /dev/mem.  Try running as root!", "is the user in the group gpio?", False),
        ("Mmap of GPIO registers failed", "pin 17: Mmap of GPIO registers failed", False),
    ],
)
def test_a_pi_that_the_package_cannot_drive_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, said: str, advice: str, *, lasting: bool
) -> None:
    """RPi.GPIO on a Pi 5, or without rights: the line says what to do, and the table runs on."""
    install(monkeypatch, StrictGpio(setup_fails=said))
    reports: list[str] = []
    panel = panel_on(RpiPins(), reports)
    panel.start()
    panel.show(LOUD)
    assert len(reports) == 1
    assert advice in reports[0]
    assert "\n" not in reports[0]
    assert reports[0].endswith("runs on without it" if lasting else "trying again")
    assert panel.panel_state()["alarm_led"] == 1


def test_nothing_is_imported_before_a_pin_is_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver may be built anywhere; without the package only its use fails, and says what to install."""
    for name in ("RPi", "RPi.GPIO"):
        monkeypatch.setitem(sys.modules, name, None)
    pins = RpiPins()
    pins.close()
    with pytest.raises(NoGpioError, match=r"no GPIO here: .* not installed .* pip install rpi-lgpio"):
        pins.setup_output(17)


# The real rpi-lgpio over a chip in memory


class MemoryLgpio(types.ModuleType):
    """As much of lgpio as rpi-lgpio uses for levels, with lgpio's own numbers."""

    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN, GPIO_BUSY = 128, 32, 64, -81

    class error(Exception):  # noqa: N801, N818 - lgpio's name
        """lgpio's only exception; it is no RuntimeError and no OSError."""

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.mode: dict[int, int] = {}
        self.flags: dict[int, int] = {}
        self.level: dict[int, int] = {}
        self.open = False
        self.broken = False

    def gpiochip_open(self, number: int) -> int:
        self.open = True
        return 0

    def gpiochip_close(self, chip: int) -> int:
        self.open = False
        self.mode.clear()
        return 0

    def gpio_get_chip_info(self, chip: int) -> list[Any]:
        return [0, 54, "gpiochip0", "pinctrl-bcm2835"]

    def _alive(self) -> None:
        if self.broken or not self.open:
            raise self.error("unknown handle")

    def gpio_get_mode(self, chip: int, gpio: int) -> int:
        self._alive()
        return self.mode.get(gpio, 0)

    def gpio_claim_output(self, chip: int, gpio: int, level: int, flags: int) -> int:
        self._alive()
        self.mode[gpio], self.flags[gpio], self.level[gpio] = 2 | 512, flags, int(level)
        return 0

    def gpio_claim_input(self, chip: int, gpio: int, flags: int) -> int:
        self._alive()
        self.mode[gpio], self.flags[gpio] = 256, flags
        return 0

    def gpio_free(self, chip: int, gpio: int) -> int:
        self._alive()
        self.mode.pop(gpio, None)
        return 0

    def gpio_write(self, chip: int, gpio: int, level: int) -> int:
        self._alive()
        self.level[gpio] = int(level)
        return 0

    def gpio_read(self, chip: int, gpio: int) -> int:
        self._alive()
        return self.level.get(gpio, 1 if self.flags.get(gpio) == self.SET_PULL_UP else 0)

    def error_text(self, number: int) -> str:
        return f"lgpio error {number}"


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryLgpio]:
    chip = MemoryLgpio()
    monkeypatch.setitem(sys.modules, "lgpio", chip)
    monkeypatch.setenv("RPI_LGPIO_REVISION", "c04170")  # a Pi 5, 4 GB
    for name in ("RPi", "RPi.GPIO"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield chip
    for name in ("RPi", "RPi.GPIO"):
        sys.modules.pop(name, None)


def test_the_whole_panel_on_the_real_rpi_lgpio(lgpio: MemoryLgpio) -> None:
    """rpi-lgpio's own code accepts everything the driver does, from set-up to the safe level."""
    reports: list[str] = []
    pins = RpiPins()
    panel = panel_on(pins, reports)
    panel.start()
    assert reports == []
    assert lgpio.level == {17: 0, 18: 0, 5: 0}
    assert pins.read(24) == 1
    panel.show(LOUD)
    assert lgpio.level == {17: 1, 18: 1, 5: 1}
    panel.close()
    assert reports == []
    assert lgpio.level == {17: 0, 18: 0, 5: 0}
    assert {lgpio.flags[pin] for pin in (17, 18, 5)} == {lgpio.SET_PULL_DOWN}


def test_a_chip_that_goes_away_under_rpi_lgpio_is_survived(lgpio: MemoryLgpio) -> None:
    """lgpio.error inherits from nothing useful; it still becomes one line, and the panel comes back."""
    reports: list[str] = []
    clock = StillClock()
    panel = Panel(WIRING, RpiPins(), clock, reports.append, reports.append)
    panel.start()
    lgpio.broken = True
    panel.show(LOUD)
    assert reports == ["no panel: pin 5: unknown handle; the table runs on without it, trying again"]
    lgpio.broken = False
    panel.start()
    assert reports[1:] == ["panel: works again"]
    assert lgpio.level == {17: 1, 18: 1, 5: 1}
    panel.close()


# The real rpi-lgpio over the real lgpio, in a process of its own: its import starts a thread and changes
# the working directory

PROGRAM = """
import os
from tablectl.core.alerts import Signals
from tablectl.shell.panel import Panel, RpiPins, Wiring

class Clock:
    def time(self): return 0.0
    def call_at(self, when, callback, /): return self
    def cancel(self): pass

before = os.getcwd()
panel = Panel(Wiring(seats=1, buzzer=18, seat_leds={1: 5}), RpiPins(), Clock(), print, print)
panel.start()
panel.show(Signals(seats={1: "steady"}, buzzer="alarm"))
print(panel.panel_state())
panel.close()
print("same directory" if os.getcwd() == before else "directory changed to " + os.getcwd())
"""
STATE = "{'alarm_led': 0, 'buzzer': 1, 'seat_led:1': 1}"


def run(tmp_path: Path, **environment: str) -> tuple[list[str], str]:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(root), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.splitlines(), done.stderr


def test_the_real_package_without_a_chip(tmp_path: Path) -> None:
    """A Pi by its revision, but no gpiochip to open (chip 99): one line, and the table goes on."""
    out, err = run(tmp_path, LG_WD=str(tmp_path), RPI_LGPIO_REVISION="a02082", RPI_LGPIO_CHIP="99")
    assert out[0].startswith("no panel: no GPIO here: /dev/gpiochip* cannot be opened")
    assert out[0].endswith("trying again")
    assert out[1:] == [STATE, "same directory"]
    assert "Traceback" not in err


def test_the_real_package_on_a_machine_that_is_no_pi(tmp_path: Path) -> None:
    """What a developer with rpi-lgpio on a laptop sees. (On a Pi, chip 99 stands for the laptop.)"""
    out, err = run(tmp_path, LG_WD=str(tmp_path), RPI_LGPIO_CHIP="99")
    if Path("/proc/device-tree/system/linux,revision").exists():
        assert out[0].startswith("no panel: no GPIO here: /dev/gpiochip*")
    else:
        assert out[0] == (
            'no panel: no GPIO here: this is not a Raspberry Pi; set [panel] pins = "none" '
            "[This module can only be run on a Raspberry Pi!]; the table runs on without it"
        )
    assert out[1:] == [STATE, "same directory"]
    assert "Traceback" not in err


def test_importing_the_real_lgpio_does_not_move_the_process(tmp_path: Path) -> None:
    """lgpio changes into LG_WD when it is imported; relative paths of the configuration do not follow."""
    elsewhere = tmp_path / "lg"
    elsewhere.mkdir()
    out, _ = run(tmp_path, LG_WD=str(elsewhere), RPI_LGPIO_REVISION="a02082", RPI_LGPIO_CHIP="99")
    assert list(elsewhere.iterdir()), "lgpio did not use LG_WD: this test proves nothing any more"
    assert out[-1] == "same directory"


def test_the_real_lgpio_without_a_directory_to_write_in(tmp_path: Path) -> None:
    """Under systemd the working directory may not be writable: the line names LG_WD, the table runs on."""
    out, err = run(tmp_path, LG_WD=str(tmp_path / "missing"), RPI_LGPIO_REVISION="a02082")
    assert out[0].startswith("no panel: no GPIO here: lgpio cannot write to its working directory; set")
    assert "LG_WD" in out[0]
    assert out[1:] == [STATE, "same directory"]
    assert "Traceback" not in err
