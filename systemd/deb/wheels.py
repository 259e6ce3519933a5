"""The wheels of the lock file for another machine: what a package carries to be installed without a network.

    python wheels.py LOCK OUT MACHINE VERSION…      MACHINE as `uname -m` says it; VERSION of Python, such as 3.11

Owns: which lines of the lock hold for which Python there, fetching them by hash, and a list for each version with the
hashes of what was fetched. Refuses: resolving anything; whatever the lock does not name is not there.

pip itself asks the Python it runs under whether a line holds, not the one it fetches for; so they are sorted out here.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pip._vendor.packaging.markers import Marker, default_environment

GLIBC = 36
"""Debian bookworm has glibc 2.36, and so has every later one at least."""
OLDEST_GLIBC = 17
"""PEP 600 begins there."""
NO_WHEEL = frozenset({"pydes"})
"""Published as source alone; it is pure Python, so one wheel that is built here serves everywhere."""


def entries(lock: Path) -> Iterator[tuple[str, str, str]]:
    """(name, marker, entry without the marker) of each package in the lock; the entry holds its hashes."""
    for block in re.split(r"\n(?=[A-Za-z0-9])", "\n" + lock.read_text(encoding="utf-8")):
        text = "\n".join(line for line in block.splitlines() if not line.lstrip().startswith("#"))
        first, _, hashes = text.strip().partition("\\\n")
        pin, _, marker = first.partition(";")
        if "==" in pin:
            yield pin.split("==")[0].strip(), marker.strip(), f"{pin.strip()} \\\n{hashes}\n"


def wanted(lock: Path, machine: str, version: str) -> dict[str, str]:
    """Name → entry of what that Python on that machine needs."""
    there = {
        **default_environment(),
        "python_version": version,
        "python_full_version": f"{version}.0",
        "platform_machine": machine,
        "sys_platform": "linux",
    }
    return {
        name: entry for name, marker, entry in entries(lock) if not marker or Marker(marker).evaluate(there)
    }


def fetch(lock: Path, out: Path, machine: str, version: str) -> None:
    """The wheels for that Python into `out`, and the list `VERSION.txt` of them."""
    need = wanted(lock, machine, version)
    tags = [f"manylinux_2_{minor}_{machine}" for minor in range(GLIBC, OLDEST_GLIBC - 1, -1)]
    platforms = [word for tag in (*tags, f"manylinux2014_{machine}") for word in ("--platform", tag)]
    with tempfile.TemporaryDirectory() as folder:
        built, ready = Path(folder, "built.txt"), Path(folder, "ready.txt")
        built.write_text("".join(need[name] for name in need if name in NO_WHEEL))
        ready.write_text("".join(need[name] for name in need if name not in NO_WHEEL))
        wheels = Path(folder, "wheels")
        pip("wheel", "--use-pep517", "--wheel-dir", str(wheels), "-r", str(built))
        pip(
            "download", "--dest", str(wheels), "--only-binary=:all:", "--implementation=cp",
            f"--python-version={version}", *platforms, "-r", str(ready),
        )  # fmt: skip
        lines = []
        for wheel in sorted(wheels.iterdir()):
            name, number = wheel.name.split("-")[:2]
            kept = out / wheel.name
            if not kept.exists():  # one that is built here differs by its times from build to build
                wheel.replace(kept)
            lines.append(f"{name}=={number} --hash=sha256:{hashlib.sha256(kept.read_bytes()).hexdigest()}\n")
        if len(lines) != len(need):
            sys.exit(f"{len(need)} packages are locked for Python {version}, {len(lines)} were found")
        (out / f"{version}.txt").write_text("".join(lines))


def pip(command: str, *arguments: str) -> None:
    """pip of this Python, with the hashes of the lock and nothing beyond it."""
    usual = ("--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes")
    subprocess.run([sys.executable, "-m", "pip", command, *usual, *arguments], check=True)  # noqa: S603


def main() -> None:
    """As the module's first lines say."""
    lock, out, machine, *versions = sys.argv[1:]
    for version in versions:
        fetch(Path(lock), Path(out), machine, version)


if __name__ == "__main__":
    main()
