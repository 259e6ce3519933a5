"""`make install` and `make uninstall`, into a folder and onto fresh systems; the package, from nothing to purge."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import System

ROOT = Path(__file__).parents[1]
OWN = (
    "etc/tablectl/table.toml",
    "var/lib/tablectl/journal.sqlite",
    "var/backups/tablectl/old.tablectl.tar.gz",
)
TRACES = ("var/log/tablectl/log", "var/lib/systemd/timers/stamp-tablectl-backup.timer")
"""What systemd makes of the units' own accord."""
PLACED = (
    "opt/tablectl/bin/tablectl",
    "usr/local/lib/systemd/system/tablectl.service",
    "usr/local/lib/systemd/system/tablectl-kiosk.service",
    "usr/local/lib/systemd/system/tablectl-backup.timer",
    "usr/local/lib/udev/rules.d/90-tablectl.rules",
    "usr/local/lib/sysusers.d/tablectl.conf",
    "usr/local/lib/tmpfiles.d/tablectl.conf",
)


def make(target: str, *settings: str) -> str:
    done = subprocess.run(
        ["make", "-s", target, f"PYTHON={sys.executable}", *settings],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done
    return done.stdout


def written(root: Path) -> None:
    """What a technician and a table have written."""
    for name in OWN:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)


def left(root: Path) -> dict[str, str]:
    return {name: (root / name).read_text() for name in OWN if (root / name).exists()}


def test_the_lock_of_a_table_has_all_that_it_needs() -> None:
    """Every dependency of the program, and of the extras that a table gets, is in .locks/table.txt with its hashes:
    nothing else is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["pi"], *extras["nfc"], *extras["firmware"]]
    names = {re.split(r"[^\w.-]", each)[0].lower() for each in needed}
    lock = (ROOT / ".locks" / "table.txt").read_text(encoding="utf-8")
    assert names - set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)) == set(), "make lock"


@pytest.mark.long
@pytest.mark.timeout(400)
def test_into_a_folder_and_away_again(tmp_path: Path) -> None:
    """All that a machine needs is below the folder and nowhere else, each script names the Python of its final
    place, the program runs without the source beside it, and no builder is left. Uninstalled, all of it is gone
    but for what is the house's own; PURGE=1 takes that, too."""
    root = tmp_path / "root"
    written(root)
    make("install", f"DESTDIR={root}")
    assert [name for name in PLACED if not (root / name).exists()] == []
    place = root / "opt/tablectl"
    assert (place / "bin/tablectl").read_text().startswith("#!/opt/tablectl/bin/python")
    assert str((root / "usr/local/bin/tablectl").readlink()) == "/opt/tablectl/bin/tablectl"
    said = subprocess.run(
        [place / "bin/python", "-I", "-m", "tablectl.cli", "firmware", "build", tmp_path / "firmware"],
        capture_output=True, text=True, cwd=tmp_path, timeout=60,
    )  # fmt: skip
    assert said.returncode == 0, said
    (packages,) = place.glob("lib/python*/site-packages")
    assert not [name for name in ("pip", "setuptools", "hatchling") if (packages / name).exists()]
    assert {"nfc", "serial", "uvicorn", "RPi"} <= {path.name for path in packages.iterdir()}
    assert sorted(path.name for path in (place / "share/doc/tablectl/config").iterdir()) == sorted(
        path.name for path in (ROOT / "systemd/config").iterdir()
    )
    assert str(root) not in (place / "pyvenv.cfg").read_text()
    own = {name: name for name in OWN}
    assert left(root) == own
    said_of = make("uninstall", f"DESTDIR={root}")
    assert all(str(root / Path(name).parent) in said_of for name in OWN)
    assert left(root) == own
    assert sorted(str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()) == sorted(OWN)
    for name in TRACES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    assert "users tablectl and tablectl-kiosk stay" in make("uninstall", f"DESTDIR={root}", "PURGE=1")
    assert [path for path in root.rglob("*") if not path.is_dir()] == []


@pytest.mark.long
@pytest.mark.trial
@pytest.mark.timeout(4000)
def test_a_fresh_system(system: System) -> None:
    """`make install`, the same again as an upgrade, `make uninstall`; then the package without a network:
    install, upgrade, another Python of the system, remove, purge. Configuration and journal outlive all but the
    purge, each service is one for this system's systemd, and its udev takes the rules. A brltty that is there is told
    by the one, and goes when the other comes."""
    own = {name: name for name in OWN}
    assert "Nothing is started" in system.run("make", "-s", "-C", "/src", "install", network=True)
    assert "tablectl-kiosk" in (system.root / "etc/passwd").read_text()
    assert system.run("stat", "-c", "%U %G %a", "/etc/tablectl").split() == ["root", "tablectl", "2750"]
    written(system.root)
    system.run("apt-get", "update", "-q", network=True)
    system.run("apt-get", "install", "-q", "-y", "--no-install-recommends", "brltty", network=True)
    again = system.run("make", "-s", "-C", "/src", "install", network=True)
    assert "/etc/tablectl is as it was" in again
    assert "brltty is installed" in again
    assert system.run("tablectl", "--version").startswith("tablectl ")
    system.run(
        "systemd-analyze", "verify", "tablectl.service", "tablectl-kiosk.service", "tablectl-backup.timer"
    )
    system.run("make", "-s", "-C", "/src", "uninstall")
    assert not (system.root / "opt/tablectl").exists()
    machine = system.run("dpkg", "--print-architecture").strip()
    package = (
        "/src/"
        + system.run("make", "-s", "-C", "/src", "deb", f"ARCH={machine}", network=True).splitlines()[-1]
    )
    assert "Removing brltty" in system.run("apt-get", "install", "-y", "--no-install-recommends", package)
    assert not (system.root / "usr/lib/systemd/system/brltty.service").exists()
    system.run("dpkg", "--install", package)
    assert system.run("tablectl", "--version").startswith("tablectl ")
    system.run(
        "systemd-analyze", "verify", "tablectl.service", "tablectl-kiosk.service", "tablectl-backup.timer"
    )
    if (system.root / "etc/debian_version").read_text().startswith("13"):
        system.run("udevadm", "verify", "/usr/lib/udev/rules.d/90-tablectl.rules")
    (system.root / "opt/tablectl/bin/python3").unlink()  # what a new Python leaves of the old environment
    system.run("dpkg-trigger", "--by-package=python3", "/usr/bin/python3")
    system.run("dpkg", "--triggers-only", "--pending")
    assert system.run("tablectl", "--version").startswith("tablectl ")
    assert system.run("dpkg", "--verify", "tablectl") == ""
    system.run("dpkg", "--remove", "tablectl")
    assert not (system.root / "opt/tablectl").exists()
    assert left(system.root) == own
    for name in TRACES:
        (system.root / name).parent.mkdir(parents=True, exist_ok=True)
        (system.root / name).write_text(name)
    system.run("dpkg", "--purge", "tablectl")
    assert left(system.root) == {}
    assert [name for name in TRACES if (system.root / name).exists()] == []
    users = (system.root / "etc/passwd").read_text()
    assert "tablectl:" in users
    assert "tablectl-kiosk:" in users
