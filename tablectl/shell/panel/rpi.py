"""Pins of a Raspberry Pi through RPi.GPIO's interface, which RPi.GPIO and rpi-lgpio both offer.

Owns: the only import of `RPi.GPIO`, made when the first pin is set up, and the translation of whatever goes
wrong there into one clear line. Refuses: edge detection (see `buttons`), board numbering.

A pin that was once pulsed stays in the hands of the package's PWM until it is closed, at 0 or 100 percent where it is
simply off or on: RPi.GPIO's PWM thread writes a last 0 some time after `stop`, which would put out a lamp that was lit
meanwhile (`pwm_thread` in its soft_pwm.c). The level is written besides, for a PWM begins its next cycle late: up to
20 ms later with lgpio (`lgPthTx` in its lgPthTx.c).

Neither package is needed to install or to run tablectl.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from tablectl.said import Said
from tablectl.shell.panel.pins import Level, NoGpioError, PanelError, Pull

T = TypeVar("T")

# What the packages say, and what it means to the person who reads it. The first text is searched in theirs.
_LASTING = (
    (
        "Cannot determine SOC peripheral base address",
        Said(
            "RPi.GPIO does not know this Pi (a Pi 5 or newer): install rpi-lgpio instead "
            "(pip uninstall RPi.GPIO; pip install rpi-lgpio)"
        ),
    ),
    ("can only be run on a Raspberry Pi", Said('this is not a Raspberry Pi; set [panel] pins = "none"')),
    ("old-style revision", Said("rpi-lgpio does not know Pis this old; install RPi.GPIO instead")),
    (
        ".lgd-nfy",
        Said("lgpio cannot write to its working directory; set the environment variable LG_WD to one it can"),
    ),
)
_PASSING = (
    ("can not open gpiochip", Said("/dev/gpiochip* cannot be opened; is the user in the group gpio?")),
    ("/dev/mem", Said("no access to /dev/gpiomem; is the user in the group gpio?")),
)


class RpiPins:
    """A pin driver for the Pi's own header, BCM numbering."""

    def __init__(self) -> None:
        self._gpio: Any = None
        self._outputs: list[int] = []
        self._inputs: list[int] = []
        self._pwms: dict[int, _Pwm] = {}

    def setup_output(self, pin: int) -> None:
        """See `Pins`."""
        gpio = self._open()
        _call(f"pin {pin}", partial(gpio.setup, pin, gpio.OUT, initial=gpio.LOW))
        self._outputs.append(pin)

    def setup_input(self, pin: int, pull: Pull) -> None:
        """See `Pins`."""
        gpio = self._open()
        pud = {"up": gpio.PUD_UP, "down": gpio.PUD_DOWN, "off": gpio.PUD_OFF}[pull]
        _call(f"pin {pin}", partial(gpio.setup, pin, gpio.IN, pull_up_down=pud))
        self._inputs.append(pin)

    def write(self, pin: int, level: Level) -> None:
        """See `Pins`."""
        gpio = self._open()
        pwm = self._pwms.get(pin)
        if pwm is not None:
            _call(f"pin {pin}", partial(pwm.run, pwm.hz, 100 * level))
        _call(f"pin {pin}", partial(gpio.output, pin, level))

    def pulse(self, pin: int, hz: int, duty: int) -> None:
        """See `Pins`."""
        gpio = self._open()
        _call(f"pin {pin}", partial(gpio.output, pin, gpio.HIGH))
        if pin not in self._pwms:
            self._pwms[pin] = _Pwm(_call(f"pin {pin}", lambda: gpio.PWM(pin, hz)), hz)
        _call(f"pin {pin}", partial(self._pwms[pin].run, hz, duty))

    def read(self, pin: int) -> Level:
        """See `Pins`."""
        gpio = self._open()
        return 1 if _call(f"pin {pin}", partial(gpio.input, pin)) else 0

    def close(self) -> None:
        """See `Pins`. Outputs become inputs with a pull-down: low, and low still when this process has ended.

        RPi.GPIO's own `cleanup` would leave them floating, and a floating gate may sound the buzzer.
        """
        gpio, self._gpio = self._gpio, None
        outputs, self._outputs = self._outputs, []
        inputs, self._inputs = self._inputs, []
        pwms, self._pwms = self._pwms, {}
        if gpio is None:
            return
        trouble: list[PanelError] = []

        def attempt(pin: int, action: Callable[[], object]) -> None:
            try:
                _call(f"pin {pin}", action)
            except PanelError as error:
                trouble.append(error)

        while pwms:
            # Each is gone before its pin becomes an input: rpi-lgpio's writes a last 0 then, and that makes the pin
            # an output again.
            pin, pwm = pwms.popitem()
            attempt(pin, pwm.stop)
            del pwm
        for pin in outputs:
            attempt(pin, partial(gpio.output, pin, gpio.LOW))
            attempt(pin, partial(gpio.setup, pin, gpio.IN, pull_up_down=gpio.PUD_DOWN))
        for pin in inputs:
            attempt(pin, partial(gpio.cleanup, pin))
        if trouble:
            raise trouble[0]

    def _open(self) -> Any:
        if self._gpio is None:
            gpio = _load()
            gpio.setwarnings(False)  # noqa: FBT003 - positional in RPi.GPIO's own interface
            _call("no GPIO here", partial(gpio.setmode, gpio.BCM))
            self._gpio = gpio
        return self._gpio


class _Pwm:
    """A PWM of the package with what it does now; `hz` is how often a second it was told to begin."""

    def __init__(self, pwm: Any, hz: int) -> None:
        self.hz = hz
        self.stop: Callable[[], object] = pwm.stop
        self._pwm = pwm
        self._duty: int | None = None

    def run(self, hz: int, duty: int) -> None:
        """From its next cycle on, `hz` times a second for `duty` percent of the time."""
        if hz != self.hz:
            self._pwm.ChangeFrequency(hz)
        if self._duty is None:
            self._pwm.start(duty)
        elif duty != self._duty:
            self._pwm.ChangeDutyCycle(duty)
        self.hz, self._duty = hz, duty


def _load() -> Any:
    """The module `RPi.GPIO`, or NoGpioError."""
    try:
        before = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        before = None  # the working directory is gone or not ours to read
    try:
        return importlib.import_module("RPi.GPIO")
    except ModuleNotFoundError as error:
        raise NoGpioError(
            Said(
                "no GPIO here: the Python package for it is not installed ({error}); "
                "on a Raspberry Pi: pip install rpi-lgpio",
                error=error,
            )
        ) from error
    except Exception as error:  # RPi.GPIO, rpi-lgpio and lgpio raise four unrelated types here
        raise _translated("no GPIO here", error, lasting=True) from error
    finally:
        # Importing lgpio changes the working directory of the whole process to LG_WD; relative paths in the
        # configuration must not depend on that.
        if before is not None:
            os.chdir(before)
            os.close(before)


def _call(what: str, action: Callable[[], T]) -> T:
    try:
        return action()
    except Exception as error:  # lgpio.error is an Exception only, and has no name without lgpio
        raise _translated(what, error, lasting=False) from error


def _translated(what: str, error: Exception, *, lasting: bool) -> PanelError:
    said = " ".join(str(error).split()).strip("'\"") or type(error).__name__
    for text, meaning in _LASTING:
        if text in said:
            return NoGpioError(Said("no GPIO here: {why} [{error}]", why=meaning, error=said))
    for text, meaning in _PASSING:
        if text in said:
            return PanelError(Said("no GPIO here: {why} [{error}]", why=meaning, error=said))
    return (NoGpioError if lasting else PanelError)(f"{what}: {said}")
