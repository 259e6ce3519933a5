"""Raspberry Pi headers in memory, for tests.

`StrictGpio` has the checks and texts of RPi.GPIO 0.7.1's C source; `MemoryLgpio` is a chip below the real rpi-lgpio,
and does what lgpio 0.2.2's C source does.
"""

from __future__ import annotations

import json
import types
from pathlib import Path
from typing import Any

IN, OUT, BCM, PUD_OFF, PUD_DOWN, PUD_UP = 1, 0, 11, 20, 21, 22


class StrictGpio(types.ModuleType):
    """RPi.GPIO as it behaves: numbering mode first, then set-up, then use. It offers no edge detection.

    With a `file` the header is a thing of its own, as a real one is: levels stay there when the process is gone.
    """

    BOARD, BCM, IN, OUT, LOW, HIGH = 10, BCM, IN, OUT, 0, 1
    PUD_OFF, PUD_DOWN, PUD_UP = PUD_OFF, PUD_DOWN, PUD_UP

    def __init__(self, setup_fails: str | None = None, file: Path | None = None) -> None:
        super().__init__("RPi.GPIO")
        self.file = file
        self.broken: set[int] = set()
        self.pwm: dict[int, tuple[float, float]] = {}
        """Pins that a PWM thread drives now: Hz and percent."""
        self.late: set[int] = set()
        """Pins whose PWM was stopped, and whose thread has not written its last 0 yet."""
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
        if channel in self.broken:
            raise RuntimeError("Mmap of GPIO registers failed")
        if direction == IN and initial is not None:
            raise ValueError("initial parameter is not valid for inputs")
        self._channel(channel)
        if self.warnings and channel in self.direction:
            raise AssertionError("This channel is already in use, continuing anyway.")
        self.direction[channel] = direction
        self.pull[channel] = pull_up_down
        if initial is not None:
            self.level[channel] = initial
        self._keep(channel)

    def output(self, channel: int, value: int) -> None:
        self._channel(channel)
        if self.direction.get(channel) != OUT:
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        self.level[channel] = value
        self._keep(channel)

    def PWM(self, channel: int, frequency: float) -> StrictPwm:  # noqa: N802 - RPi.GPIO's name
        return StrictPwm(self, channel, frequency)

    def cycles_end(self) -> None:
        """Every PWM thread comes to the end of its cycle: those that were stopped write their last 0."""
        for channel in self.late:
            if self.direction.get(channel) == OUT:
                self.level[channel] = 0
        self.late.clear()

    def _keep(self, channel: int) -> None:
        """What a probe at the pin shows, in the file."""
        if self.file is None:
            return
        header = json.loads(self.file.read_text()) if self.file.exists() else {}
        out = self.direction.get(channel) == OUT
        pull = {PUD_UP: 1, PUD_DOWN: 0}.get(self.pull.get(channel, PUD_OFF))
        header[str(channel)] = {"out": out, "level": self.level[channel] if out else pull}
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(header))
        part.replace(self.file)

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


class StrictPwm:
    """RPi.GPIO.PWM: one for a pin at a time; as long as it runs, a thread of its own drives the pin."""

    def __init__(self, gpio: StrictGpio, channel: int, frequency: float) -> None:
        self._gpio, self._channel, self._running = gpio, channel, False
        gpio._channel(channel)
        if channel in gpio.pwm:
            raise RuntimeError("A PWM object already exists for this GPIO channel")
        if gpio.direction.get(channel) != OUT:
            raise RuntimeError("You must setup() the GPIO channel as an output first")
        if frequency <= 0.0:
            raise ValueError("frequency must be greater than 0.0")
        self._frequency, self._duty = frequency, 0.0
        gpio.pwm[channel] = (frequency, 0.0)

    def _set(self, frequency: float, duty: float) -> None:
        if not 0.0 <= duty <= 100.0:
            raise ValueError("dutycycle must have a value from 0.0 to 100.0")
        self._frequency, self._duty = frequency, duty
        self._gpio.pwm[self._channel] = (frequency, duty)

    def start(self, dutycycle: float) -> None:
        self._running = True
        self._set(self._frequency, dutycycle)

    def ChangeDutyCycle(self, dutycycle: float) -> None:  # noqa: N802 - RPi.GPIO's name
        self._set(self._frequency, dutycycle)

    def ChangeFrequency(self, frequency: float) -> None:  # noqa: N802 - RPi.GPIO's name
        self._set(frequency, self._duty)

    def stop(self) -> None:
        self._gpio.pwm.pop(self._channel, None)
        if self._running:
            self._running = False
            self._gpio.late.add(self._channel)

    def __del__(self) -> None:
        self.stop()


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
        self.pwm: dict[int, tuple[float, float]] = {}
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

    def _output(self, gpio: int) -> None:
        """A pin that is written, or pulsed, becomes an output, whatever it was."""
        if not self.mode.get(gpio, 0) & 512:
            self.mode[gpio], self.flags[gpio] = 2 | 512, 0

    def tx_pwm(self, chip: int, gpio: int, frequency: float, duty: float) -> int:
        self._alive()
        self._output(gpio)
        if frequency == 0:
            if self.pwm.pop(gpio, None) is None:
                raise self.error("bad PWM micros")
            return 0
        self.pwm[gpio] = (frequency, duty)
        return 9

    def gpio_claim_input(self, chip: int, gpio: int, flags: int) -> int:
        self._alive()
        self.mode[gpio], self.flags[gpio] = 256, flags
        return 0

    def gpio_free(self, chip: int, gpio: int) -> int:
        self._alive()
        self.mode.pop(gpio, None)
        self.pwm.pop(gpio, None)
        return 0

    def gpio_write(self, chip: int, gpio: int, level: int) -> int:
        self._alive()
        self._output(gpio)
        self.level[gpio] = int(level)
        return 0

    def gpio_read(self, chip: int, gpio: int) -> int:
        self._alive()
        return self.level.get(gpio, 1 if self.flags.get(gpio) == self.SET_PULL_UP else 0)

    def error_text(self, number: int) -> str:
        return f"lgpio error {number}"
