"""The software that tablectl rests on: Python, packages, and the package that moves the pins.

Owns: the lines `python`, `packages`, `pi`, `gpio`, `kernel`. Refuses: whether pins are held (`pins`).
"""

from __future__ import annotations

import importlib.metadata
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import tablectl
from tablectl import __version__
from tablectl.doctor.line import Line
from tablectl.doctor.machine import Machine, normal

OLDEST = (3, 11)
_NEED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?\s*\(?([^;)]*)\)?\s*(?:;(.*))?$")
_BOUND = re.compile(r"(>=|<=|==|!=|~=|>|<)\s*([0-9][0-9A-Za-z.]*)")
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)
EDGES_BROKEN = (6, 6)
"""From this kernel on, the edge detection of RPi.GPIO fails: it rests on /sys/class/gpio, whose numbers moved
(field failure 24: raspberrypi/linux#6037, gpiozero/gpiozero#1136)."""


def python(version: tuple[int, ...] = sys.version_info[:3]) -> Line:
    """Whether this Python can run tablectl."""
    said = ".".join(map(str, version))
    if version[:2] < OLDEST:
        return Line("python", "fault", f"Python {said}", "tablectl needs Python 3.11 or newer")
    return Line("python", "ok", f"Python {said}, tablectl {__version__}")


def packages(machine: Machine, extras: frozenset[str], requires: list[str] | None = None) -> Iterator[Line]:
    """What tablectl asks for (`Requires-Dist` of its own metadata, for the extras in use), against what is there."""
    if requires is None:
        requires = importlib.metadata.requires("tablectl") or []
    wrong = 0
    for need in requires:
        parts = _NEED.match(need)
        if parts is None or not _applies(parts[3] or "", extras):
            continue
        name, version = normal(parts[1]), machine.packages.get(normal(parts[1]))
        install = f'pip install "{parts[1]}{parts[2].strip()}" into the environment of tablectl'
        if version is None:
            wrong += 1
            yield Line("packages", "fault", f"{name} is missing", install, name)
        elif not _fits(version, parts[2]):
            wrong += 1
            text = f"{name} {version} does not fit: {parts[2].strip()} is needed"
            yield Line("packages", "fault", text, install, name)
    if not wrong:
        yield Line("packages", "ok", "all that tablectl needs is there" + _with(extras))
    yield from _locked(machine)


def _with(extras: frozenset[str]) -> str:
    return f", with what the configuration uses ({', '.join(sorted(extras))})" if extras else ""


def _applies(marker: str, extras: frozenset[str]) -> bool:
    asked = re.search(r"""extra\s*==\s*["']([^"']+)["']""", marker)
    return asked is None or asked[1] in extras


def _fits(version: str, bounds: str) -> bool:
    have = _numbers(version)
    for sign, bound in _BOUND.findall(bounds):
        want = _numbers(bound)
        longest = max(len(have), len(want))
        a, b = _filled(have, longest), _filled(want, longest)
        held = {
            ">=": a >= b, "<=": a <= b, "==": a == b, "!=": a != b, ">": a > b, "<": a < b,
            "~=": a >= b and have[: len(want) - 1] == want[:-1],
        }[sign]  # fmt: skip
        if not held:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    release = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, release[0].split("."))) if release else ()


def _filled(numbers: tuple[int, ...], length: int) -> tuple[int, ...]:
    return numbers + (0,) * (length - len(numbers))


def _locked(machine: Machine) -> Iterator[Line]:
    """In a source tree, what the lock file pins; elsewhere there is none."""
    lock = Path(tablectl.__file__).parents[1] / ".locks" / "run.txt"
    if not lock.is_file():
        return
    other = [
        f"{name} {machine.packages[normal(name)]} instead of {version}"
        for name, version in _PINNED.findall(lock.read_text(encoding="utf-8"))
        if machine.packages.get(normal(name), version) != version
    ]
    if other:
        yield Line(
            "packages", "warning", "other versions than the tested ones: " + "; ".join(other),
            "pip install --require-hashes -r .locks/run.txt", "lock",
        )  # fmt: skip


def pi(machine: Machine) -> Line:
    """Which Raspberry Pi it is."""
    if machine.model:
        return Line("pi", "ok", machine.model)
    return Line("pi", "ok", f"no Raspberry Pi ({platform.machine()}): a panel on its pins cannot work here")


def gpio(machine: Machine, pins: str | None) -> Line:
    """Which package moves the pins, and whether it can do so on this Pi. `pins`: the panel's driver; None: unknown."""
    old, new = "rpi-gpio" in machine.packages, "rpi-lgpio" in machine.packages
    needed = pins == "rpi"
    instead = "pip uninstall RPi.GPIO, then pip install --force-reinstall rpi-lgpio"
    if old and new:
        text = "RPi.GPIO and rpi-lgpio are both installed: each overwrites the other's files"
        return Line("gpio", "fault" if needed else "warning", text, instead)
    if old and "Raspberry Pi 5" in machine.model:
        # Field failure 25: pimylifeup/MFRC522-python#61, "Cannot determine SOC peripheral base address".
        return Line("gpio", "fault" if needed else "warning", "RPi.GPIO does not know a Pi 5", instead)
    if needed and not machine.model and machine.is_here:
        text = 'panel.pins = "rpi", but this is no Raspberry Pi'
        return Line("gpio", "fault", text, 'run it on a Pi, or set [panel] pins = "none"')
    if needed and not (old or new):
        text = 'panel.pins = "rpi", but no package for the pins is installed'
        return Line("gpio", "fault", text, 'pip install "tablectl[pi]", which brings rpi-lgpio')
    if not (old or new):
        return Line("gpio", "ok", "no package for the pins is installed, and none is needed")
    return Line("gpio", "ok", "RPi.GPIO" if old else f"rpi-lgpio {machine.packages['rpi-lgpio']}")


def kernel(machine: Machine) -> Line:
    """Which kernel runs, and whether RPi.GPIO can see edges on it."""
    release = machine.text("/proc/sys/kernel/osrelease") or platform.release()
    if _numbers(release)[:2] >= EDGES_BROKEN and "rpi-gpio" in machine.packages:
        text = (
            f"Linux {release}: RPi.GPIO sees no edges on it; tablectl asks its buttons in turn and needs none"
        )
        return Line(
            "kernel",
            "warning",
            text,
            "nothing for tablectl; another program that waits for edges needs rpi-lgpio",
        )
    return Line("kernel", "ok", f"Linux {release}; buttons are asked in turn, edges are not needed")
