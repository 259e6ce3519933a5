"""The panel's pins after the end of a real `tablectl run`, however it ends, as another process sees them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LIT = {18, 17, 5}
"""Buzzer, alarm lamp and seat 1: what is on in the alarm that these tests raise, at the moment of the first beep."""
STEADY = {17, 5}
"""Those of them that do not beep."""

GPIO = """
import os, sys
from pathlib import Path
from gpio_fakes import StrictGpio
sys.modules[__name__] = StrictGpio(file=Path(os.environ["HEADER"]))
"""
"""RPi.GPIO with its real rules; its header is a file that outlives the process, as a real header does."""


class Wire:
    """A way to the pins: how a table is configured for it, and what a probe shows."""

    def __init__(self, bench: Any, header: Any) -> None:
        self.bench = bench
        self._header = header

    panel: dict[str, Any]
    env: dict[str, str]

    def high(self) -> set[int]:
        raise NotImplementedError

    def driven(self) -> set[int]:
        """The pins that are outputs now."""
        raise NotImplementedError

    def leave_on(self, pins: set[int]) -> None:
        """These are lit, by nobody who is there any more."""
        raise NotImplementedError

    def config(self) -> Path:
        """A table of which all outputs are wired."""
        path: Path = self.bench.config(panel={**self.bench.panel, **self.panel})
        return path

    def alarmed(self, config: Path, program: str | None = None) -> Any:
        """The table in mid-alarm: seat 1 got a card of another deck."""
        board = self.bench.board()
        table = self.bench.run(config, program=program, **self.env)
        table.line("READY after")
        table.post(do="button", seat=4)
        board.deal("E0040150DEADBEEF", 1)
        table.until(lambda now: any(each["stage"] == "confirmed" for each in now["irregularities"]))
        assert self.high() >= STEADY
        return table

    def safe(self, config: Path) -> subprocess.CompletedProcess[str]:
        """`tablectl panel-safe` as a service runs it."""
        return subprocess.run(
            [sys.executable, "-m", "tablectl.cli", "panel-safe", str(config)],
            env={**os.environ, **self.env},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


class Simulated(Wire):
    """Simulated pins, in a file."""

    panel = {"simulated_file": "pins"}  # noqa: RUF012 - a constant of the class
    env: dict[str, str] = {}  # noqa: RUF012

    def pins(self) -> dict[int, tuple[str, int]]:
        found: dict[int, tuple[str, int]] = self._header(self.bench.folder / "pins").pins()
        return found

    def high(self) -> set[int]:
        return {pin for pin, (way, level) in self.pins().items() if (way, level) == ("out", 1)}

    def driven(self) -> set[int]:
        return {pin for pin, (way, _) in self.pins().items() if way == "out"}

    def leave_on(self, pins: set[int]) -> None:
        lines = [f"{pin:>2} {'out 1' if pin in pins else 'in  0'}   0     0\n" for pin in range(54)]
        (self.bench.folder / "pins").write_text("".join(lines))


class Strict(Wire):
    """A module with RPi.GPIO's interface and rules."""

    panel = {"pins": "rpi"}  # noqa: RUF012

    def __init__(self, bench: Any, header: Any) -> None:
        super().__init__(bench, header)
        package = bench.folder / "RPi"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "GPIO.py").write_text(GPIO)
        path = os.pathsep.join(
            [str(bench.folder), str(ROOT / "tests/shell"), os.environ.get("PYTHONPATH", "")]
        )
        self.file = bench.folder / "header.json"
        self.env = {"PYTHONPATH": path, "HEADER": str(self.file)}

    def pins(self) -> dict[int, dict[str, Any]]:
        return {int(pin): state for pin, state in json.loads(self.file.read_text()).items()}

    def high(self) -> set[int]:
        return {pin for pin, state in self.pins().items() if state["out"] and state["level"]}

    def driven(self) -> set[int]:
        return {pin for pin, state in self.pins().items() if state["out"]}

    def leave_on(self, pins: set[int]) -> None:
        self.file.write_text(json.dumps({pin: {"out": True, "level": 1} for pin in pins}))


@pytest.fixture(params=[Simulated, Strict])
def wire(request: pytest.FixtureRequest, bench: Any, pins: Any) -> Wire:
    """The pins of a table, simulated or through RPi.GPIO's interface."""
    made: Wire = request.param(bench, pins)
    return made


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGABRT])
def test_killed_in_mid_alarm_the_pins_stay_on_until_panel_safe(wire: Wire, how: signal.Signals) -> None:
    """SIGKILL, and SIGABRT as a watchdog sends it: nothing of the process runs any more, its lamps are still lit;
    `panel-safe` brings every output low and lets go of it, and says which."""
    config = wire.config()
    table = wire.alarmed(config)
    assert table.ends(how) == -how
    assert wire.high() >= STEADY
    done = wire.safe(config)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "off: BCM pins 18, 17, 5, 6, 13, 19\n"
    assert wire.high() == wire.driven() == set()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_told_to_stop_the_process_sees_to_its_pins(wire: Wire, how: signal.Signals) -> None:
    """SIGTERM, Ctrl-C, and the terminal that is closed: an orderly end, every output low."""
    table = wire.alarmed(wire.config())
    assert table.ends(how) == 0
    assert wire.high() == wire.driven() == set()


def test_nohup_is_heeded(wire: Wire) -> None:
    """A table that was started to outlive its terminal does: SIGHUP changes nothing, SIGTERM ends it."""
    program = "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); " + MAIN
    table = wire.alarmed(wire.config(), program)
    table.process.send_signal(signal.SIGHUP)
    assert table.post(do="call_floor").status_code == 200
    table.until(lambda now: now["floor_called"])
    assert wire.high() >= STEADY
    assert table.ends(signal.SIGTERM) == 0
    assert wire.driven() == set()


MAIN = 'sys.argv = ["tablectl", "run", sys.argv[1]]; from tablectl.cli import main; main()'
CRASHES = """
import asyncio, signal, sys

def crash():
    {how}

class Policy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self):
        loop = super().new_event_loop()
        loop.add_signal_handler(signal.SIGUSR1, crash)
        return loop

asyncio.set_event_loop_policy(Policy())
"""
"""An event loop in which SIGUSR1 is an error of the kind that no task catches."""


@pytest.mark.parametrize("how", ["sys.exit(3)", "raise KeyboardInterrupt"])
def test_an_error_that_ends_the_loop_leaves_no_pin_on(wire: Wire, how: str) -> None:
    """The event loop itself is torn down in mid-alarm: the pins are low then, with no word of a traceback."""
    table = wire.alarmed(wire.config(), CRASHES.format(how=how) + MAIN)
    assert table.ends(signal.SIGUSR1) != 0
    assert wire.high() == wire.driven() == set()
    assert not [line for line in table.log if "Traceback" in line]


FORGETS = """
import asyncio, sys
from pathlib import Path
from tablectl.app import App
from tablectl.config import load
from tablectl.core.alerts import Signals

async def life():
    app = App(load(Path(sys.argv[1])), with_display=False)
    await app.start()
    app.panel.show(Signals(seats={1: "steady"}, alarm="steady", buzzer="alarm"))
    print("lit", flush=True)
    sys.stdin.readline()
    sys.exit("a program that closes nothing")

loop = asyncio.new_event_loop()
loop.run_until_complete(life())
"""


def test_a_program_that_forgets_to_close_leaves_no_pin_on(wire: Wire) -> None:
    """The panel sees to its pins by itself when Python ends."""
    with subprocess.Popen(
        [sys.executable, "-c", FORGETS, str(wire.config())],
        env={**os.environ, **wire.env},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "lit\n"
        assert wire.high() == LIT
        process.communicate("\n", timeout=60)
    assert process.returncode == 1
    assert wire.high() == wire.driven() == set()


@pytest.mark.parametrize(
    "damage",
    [
        "the deck is gone",
        "unknown keys",
        "a reader twice",
        "no TOML outside the panel",
        "some pins are none",
        "seats are wrong",
    ],
)
def test_whatever_else_is_wrong_the_buzzer_is_switched_off(wire: Wire, damage: str) -> None:
    """A file with which nothing would start: its pins are read all the same, and what was left out is said."""
    config = wire.config()
    wire.leave_on(LIT)
    assert wire.high() == LIT
    text = config.read_text()
    match damage:
        case "the deck is gone":
            (wire.bench.folder / "blue.toml").unlink()
        case "unknown keys":
            config.write_text(text + 'colour = "green"\n[extras]\nx = 1\n')
        case "a reader twice":
            config.write_text(text.replace("[[reader]]", "[[reader]]\n[[reader]]"))
        case "no TOML outside the panel":
            config.write_text("[table\n" + text.replace("seats = 4", "seats = = four"))
        case "some pins are none":
            config.write_text(text.replace("[5, 6, 13, 19]", '[5, "six", 99, 19]'))
        case "seats are wrong":
            config.write_text(text.replace("seats = 4", "seats = 40"))
    done = wire.safe(config)
    assert done.returncode == 0
    assert wire.high() == set()
    assert "Traceback" not in done.stderr
    assert ("99" in done.stderr and "six" in done.stderr) is (damage == "some pins are none")


def test_a_pin_that_fails_does_not_keep_the_others_on(bench: Any, pins: Any) -> None:
    """One pin cannot be had any more: it is named, exit status 1, and every other one is off."""
    wire = Strict(bench, pins)
    config = wire.config()
    wire.leave_on(LIT)
    gpio = bench.folder / "RPi" / "GPIO.py"
    gpio.write_text(gpio.read_text() + "sys.modules[__name__].broken = {18}\n")
    done = wire.safe(config)
    assert done.returncode == 1
    assert "pin 18: Mmap of GPIO registers failed" in done.stderr
    assert wire.high() == {18}


@pytest.mark.parametrize(
    ("panel", "said"),
    [
        ({"pins": "none"}, "no pins to switch off (pins none)\n"),
        ({"pins": "simulated", "buzzer": 18}, "off: BCM pins 18\n"),
        ({"pins": "rpi"}, "no pins to switch off (pins rpi)\n"),
        ({}, "no pins to switch off (pins none)\n"),
    ],
)
def test_a_table_without_pins_has_nothing_to_switch_off(
    bench: Any, pins: Any, panel: dict[str, Any], said: str
) -> None:
    """No panel, a simulated one, one without outputs: exit status 0."""
    done = Simulated(bench, pins).safe(bench.config(panel=panel))
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no such file"),
        ("[panel\nbuzzer = 18\n", "not TOML"),
        ("[panel]\nbuzzer = = 18\n", "not TOML"),
        ("panel = 5\n", "must be a section"),
    ],
)
def test_a_file_without_a_word_of_pins_is_a_clear_error(
    bench: Any, pins: Any, text: str | None, said: str
) -> None:
    """Nothing can be known of the pins: exit status 2, what and where, and no traceback."""
    config = bench.folder / "table.toml"
    if text is not None:
        config.write_text(text)
    done = Simulated(bench, pins).safe(config)
    assert done.returncode == 2
    assert said in done.stderr
    assert str(config) in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_gpio_package_it_says_what_to_install(bench: Any, pins: Any, tmp_path: Path) -> None:
    """Pins of a Pi, no package for them: exit status 1 and one line."""
    (tmp_path / "RPi.py").write_text("raise ModuleNotFoundError(\"No module named 'RPi'\")\n")
    wire = Simulated(bench, pins)
    wire.env = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    done = wire.safe(bench.config(panel={**bench.panel, "pins": "rpi"}))
    assert done.returncode == 1
    assert "pip install rpi-lgpio" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_service_makes_the_pins_safe() -> None:
    """The unit that is shipped starts a table and, after whatever end, makes the same table's pins safe; the README
    quotes both lines as they are."""
    lines = (ROOT / "systemd" / "tablectl.service").read_text(encoding="utf-8").splitlines()
    commands = dict(line.split("=", 1) for line in lines if line.startswith("Exec"))
    program, run, file = commands["ExecStart"].split()
    assert run == "run"
    assert commands["ExecStopPost"].split() == [program, "panel-safe", file]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = [line.strip() for line in readme.splitlines() if line.strip().startswith("Exec")]
    assert told == [f"{name}={command}" for name, command in commands.items()]
