"""The Raspberry Pi driver without a Raspberry Pi.

Against three things: a module as strict as RPi.GPIO 0.7.1 (with the checks and texts of its C source), the
real rpi-lgpio over a chip in memory, and the real rpi-lgpio over the real lgpio with no chip at all.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpio_fakes import BCM, IN, PUD_DOWN, MemoryLgpio, StrictGpio

from tablectl.core.alerts import Signals
from tablectl.shell.panel import LED_HZ, NoGpioError, Panel, PanelError, RpiPins, Strength, Wiring

LOUD = Signals(seats={1: "steady"}, alarm="steady", buzzer="alarm")
WIRING = Wiring(seats=1, buzzer=18, alarm_led=17, seat_leds={1: 5}, buttons={"acknowledge": 24})


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


NIGHT = Strength(brightness=20, volume=30)


def panel_on(pins: RpiPins, reports: list[str], wiring: Wiring = WIRING) -> Panel:
    return Panel(wiring, pins, StillClock(), reports.append, reports.append, at_night=NIGHT)


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


def test_by_day_no_pwm_is_made(gpio: StrictGpio) -> None:
    """A package without PWM, or with a bad one, costs a table by day nothing."""
    panel = panel_on(RpiPins(), [])
    panel.start()
    panel.show(LOUD)
    assert gpio.pwm == {}


def test_a_night_on_a_strict_rpi_gpio(gpio: StrictGpio) -> None:
    """Dimmed at once, bright at once when the night ends, dark when it is over, and dimmed again: levels and duty."""
    reports: list[str] = []
    panel = panel_on(RpiPins(), reports)
    panel.start()
    panel.night(on=True)
    panel.show(LOUD)
    assert gpio.level == {17: 1, 18: 1, 5: 1}
    assert gpio.pwm == {17: (LED_HZ, 20), 5: (LED_HZ, 20)}
    panel.night(on=False)
    assert gpio.pwm == {17: (LED_HZ, 100), 5: (LED_HZ, 100)}
    panel.show(Signals())
    assert gpio.level == {17: 0, 18: 0, 5: 0}
    assert gpio.pwm == {17: (LED_HZ, 0), 5: (LED_HZ, 0)}
    panel.night(on=True)
    panel.show(LOUD)
    assert gpio.pwm == {17: (LED_HZ, 20), 5: (LED_HZ, 20)}
    panel.close()
    assert gpio.pwm == {}
    assert gpio.direction == {17: IN, 18: IN, 5: IN}
    assert reports == []


def test_no_pwm_thread_puts_a_lamp_out_that_is_lit_meanwhile(gpio: StrictGpio) -> None:
    """A stopped PWM writes a last 0 later. From dim to bright, and from dark to bright, no lamp is lost by that."""
    panel = panel_on(RpiPins(), [])
    panel.start()
    panel.night(on=True)
    for signals in (LOUD, Signals()):
        panel.show(signals)
        panel.night(on=False)
        panel.show(LOUD)
        gpio.cycles_end()
        assert gpio.level == {17: 1, 18: 1, 5: 1}
        panel.night(on=True)


def test_a_tone_on_a_strict_rpi_gpio(gpio: StrictGpio) -> None:
    """The buzzer's tone by its frequency, softer at night, and silent with the end of the alarm."""
    panel = panel_on(RpiPins(), [], Wiring(seats=1, buzzer=18, buzzer_hz=2700))
    panel.start()
    panel.show(LOUD)
    assert gpio.pwm == {18: (2700, 50)}
    panel.night(on=True)
    assert gpio.pwm == {18: (2700, 15)}
    panel.show(Signals())
    assert gpio.pwm == {18: (2700, 0)}
    assert gpio.level[18] == 0


def test_pins_can_be_pulsed_again_after_close(gpio: StrictGpio) -> None:
    """One PWM object for a pin at a time is all that the package allows; close leaves none behind."""
    pins = RpiPins()
    for _ in range(2):
        pins.setup_output(5)
        pins.pulse(5, 200, 20)
        pins.pulse(5, 100, 30)
        assert gpio.pwm == {5: (100, 30)}
        pins.close()
        assert gpio.pwm == {}


def test_a_package_without_pwm_lights_in_full(gpio: StrictGpio, monkeypatch: pytest.MonkeyPatch) -> None:
    """At night: one line says that nothing can be softened, and every lamp of the alarm is on."""
    monkeypatch.setattr(gpio, "PWM", None)
    reports: list[str] = []
    panel = panel_on(RpiPins(), reports)
    panel.start()
    panel.night(on=True)
    panel.show(LOUD)
    assert gpio.level == {17: 1, 18: 1, 5: 1}
    assert len(reports) == 1
    assert reports[0].startswith("panel: LEDs and buzzer can be switched, but not softened: pin 5: ")


# The real rpi-lgpio over a chip in memory


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


def test_a_night_on_the_real_rpi_lgpio(lgpio: MemoryLgpio) -> None:
    """Its own PWM over lgpio's: dimmed, bright, dark; and after the end each pin is an input with a pull-down,
    although the package's PWM writes to its pin when it is thrown away."""
    reports: list[str] = []
    panel = panel_on(RpiPins(), reports, Wiring(seats=1, buzzer=18, buzzer_hz=2700, seat_leds={1: 5}))
    panel.start()
    panel.night(on=True)
    panel.show(LOUD)
    assert lgpio.level == {18: 1, 5: 1}
    assert lgpio.pwm == {18: (2700, 15), 5: (LED_HZ, 20)}
    panel.night(on=False)
    assert lgpio.pwm == {18: (2700, 50), 5: (LED_HZ, 100)}
    panel.show(Signals())
    assert lgpio.level == {18: 0, 5: 0}
    panel.close()
    del panel
    gc.collect()
    assert reports == []
    assert lgpio.pwm == {}
    assert lgpio.mode == {18: 256, 5: 256}
    assert {lgpio.flags[pin] for pin in (18, 5)} == {lgpio.SET_PULL_DOWN}


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
