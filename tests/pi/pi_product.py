"""tablectl's package on the Pi's root, and the configuration of the table that it stands under.

Owns: building the package by its one command, and the two ways onto a card. Refuses: Debian (`pi_debian`).

A technician's way is `dpkg -i` on the Pi: the package makes its environment there, which takes an emulated Pi minutes.
`at_once` puts the same files and the same wheels of the same package in place from outside, for the short run.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from pi_debian import call, untar

from tablectl.sealed import keygen
from tablectl.sim.setup import TableSetup

ROOT = Path(__file__).parents[2]
OPT = "opt/tablectl"
SEAT_PINS = (5, 6, 13, 19, 26, 16, 20, 21, 12)
ALARM, BUZZER = 17, 18
"""BCM numbers, those of README's example."""
OUTPUTS = frozenset({*SEAT_PINS, ALARM, BUZZER})
PORTS = tuple(f"/dev/serial/by-path/platform-3f980000.usb-usb-0:1.{place}:1.0-port0" for place in (2, 3))
"""The first adapter of the emulated Pi is in the second socket of its hub: the network has the first."""
JOURNAL = "/var/lib/tablectl/journal.sqlite"
REACHED = "/etc/systemd/system/display-reached"
SOCKET = "[Socket]\nListenStream=10.0.2.15:8080\nFreeBind=yes\n"
PROXY = "[Service]\nExecStart=/lib/systemd/systemd-socket-proxyd 127.0.0.1:8080\n"
"""The display stays on the Pi's loopback, as it is shipped: this brings the tests there from the emulated network."""
PATIENT = "[Unit]\nWants=display-reached.socket\n[Service]\nTimeoutStartSec=900\nTimeoutStopSec=300\nWatchdogSec=60\n"
"""The emulated Pi is much slower than a real one, and more so beside other work: what is shipped would end it."""


def package() -> Path:
    """dist/tablectl_…_arm64.deb, built now."""
    # The same sources make the same package, bit for bit: what was made of it once is used again.
    env = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}
    command = ("make", "--no-print-directory", "-C", ROOT, "deb", "ARCH=arm64", f"PYTHON={sys.executable}")
    said = call(*command, env=env)
    return ROOT / said.split()[-1]


def configuration() -> dict[str, str]:
    """The files, by their path on the Pi, that a technician writes: a nine-handed table with two reader boards."""
    sections = {
        "panel": {"pins": "rpi", "buzzer": BUZZER, "alarm_led": ALARM, "seat_leds": list(SEAT_PINS)},
        "display": {"host": "127.0.0.1", "port": 8080},
        "journal": {"path": JOURNAL, "audit_key": "audit.pub"},
    }
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        TableSetup(betting="none", confirms=()).write(place, PORTS, **sections)
        secret = keygen()
        secret.public.write(place / "audit.pub")
        # Never on a real table: here the night is replayed where it was played.
        secret.write(place / "audit.key")
        files = {
            f"/etc/tablectl/{each.relative_to(place)}": each.read_text()
            for each in place.rglob("*")
            if each.is_file()
        }
    return {
        **files,
        "/etc/systemd/system/tablectl.service.d/emulated.conf": PATIENT,
        f"{REACHED}.socket": SOCKET,
        f"{REACHED}.service": PROXY,
    }


def configure(root: Path) -> None:
    """The same in a root tree, and the service enabled."""
    for name, text in configuration().items():
        file = root / name.removeprefix("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    wanted = root / "etc/systemd/system/multi-user.target.wants/tablectl.service"
    wanted.symlink_to("/lib/systemd/system/tablectl.service")


def at_once(root: Path, deb: Path) -> None:
    """The package's files, and the environment that its postinst would make, into a root tree."""
    untar(deb, root)
    version = next((root / "usr/lib").glob("python3.*")).name.removeprefix("python")
    wheels = root / "usr/share/tablectl/wheels"
    site = root / OPT / f"lib/python{version}/site-packages"
    (root / OPT / "bin").mkdir(parents=True)
    platforms = [f"--platform=manylinux_2_{minor}_aarch64" for minor in range(17, 37)]
    # An environment of Debian's Python may have been made without pip; a new one has it.
    with tempfile.TemporaryDirectory() as builder:
        call(sys.executable, "-m", "venv", builder)
        call(
            f"{builder}/bin/python", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--require-hashes",
            "--find-links", wheels, "--target", site, "--only-binary=:all:", "--implementation=cp",
            f"--python-version={version}", *platforms, "--platform=manylinux2014_aarch64",
            "-r", wheels / f"{version}.txt",
        )  # fmt: skip
    shutil.rmtree(site / "bin")
    (root / OPT / "bin/python").symlink_to("/usr/bin/python3")
    (root / OPT / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
    command = root / OPT / "bin/tablectl"
    command.write_text(f"#!/{OPT}/bin/python\nfrom tablectl.cli import main\n\nmain()\n")
    command.chmod(0o755)
