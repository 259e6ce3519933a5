"""Debian for arm64 as a folder: fetched by an APT with a state of its own, unpacked, and nothing of it is run here.

Owns: which packages the emulated Pi has, and the root tree that they make. Refuses: kernel and card (`pi_card`).

No debootstrap and no emulator of user programs: what maintainer scripts would do, systemd and the few lines below do.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

PACKAGES = (
    "?essential",
    "linux-image-arm64",
    "systemd-sysv",
    "udev",
    "kmod",
    "adduser",
    "python3-venv",
    "busybox-static",
)
"""What a Raspberry Pi OS Lite has of what matters here; `?essential` is what every Debian has."""
LEFT_OUT = ("./usr/share/doc/*", "./usr/share/man/*", "./usr/share/locale/*", "./usr/share/info/*")
APT = """
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
Acquire::Languages "none";
Dir::State "@";
Dir::State::status "@/status";
Dir::Cache "@";
"""
"""Mirrors, keys and proxies are those of this machine; what is installed here is not looked at."""


def debian(cache: Path) -> Path:
    """The folder with `root` (a root tree), `kernel` (that package's) and nothing else; made once, then kept.

    Raises subprocess.CalledProcessError with what apt-get or tar said.
    """
    done = cache / f"debian-{hashlib.sha256(repr((PACKAGES, LEFT_OUT)).encode()).hexdigest()[:12]}"
    if not done.exists():
        making = done.with_suffix(".new")
        shutil.rmtree(making, ignore_errors=True)
        _unpack(_fetched(cache / "apt"), making)
        making.rename(done)
    return done


def call(*command: str | Path, **more: Any) -> str:
    """Runs a program to its end; its output. CalledProcessError, with what it complained of in its notes."""
    done = subprocess.run(
        [str(each) for each in command],
        capture_output=True,
        text=True,
        check=False,
        **more,
    )
    if done.returncode:
        failed = subprocess.CalledProcessError(done.returncode, done.args)
        failed.add_note((done.stdout + done.stderr)[-2000:])
        raise failed
    return str(done.stdout)


def _fetched(apt: Path) -> list[Path]:
    """All packages as files."""
    for folder in ("lists/partial", "archives/partial"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    (apt / "apt.conf").write_text(APT.replace("@", str(apt)))
    env = {**os.environ, "APT_CONFIG": str(apt / "apt.conf")}
    for old in (apt / "archives").glob("*.deb"):
        old.unlink()
    call("apt-get", "update", env=env)
    call("apt-get", "install", "--yes", "--download-only", *PACKAGES, env=env)
    return sorted((apt / "archives").glob("*.deb"))


def _unpack(debs: list[Path], place: Path) -> None:
    root, kernel = place / "root", place / "kernel"
    kernel.mkdir(parents=True)
    for folder in ("bin", "sbin", "lib"):
        (root / "usr" / folder).mkdir(parents=True)
        (root / folder).symlink_to(f"usr/{folder}")
    known = root / "var/lib/dpkg"
    (known / "info").mkdir(parents=True)
    with (known / "status").open("w") as status:
        for deb in debs:
            if deb.name.startswith("linux-image-"):
                untar(deb, kernel)
                continue
            untar(deb, root)
            # dpkg knows them, so that it can tell whether the product's own package has what it depends on.
            fields = call("dpkg-deb", "--field", deb)
            status.write(fields.replace("\n", "\nStatus: install ok installed\n", 1) + "\n")
    # What base-passwd's and dash's maintainer scripts do.
    for name in ("passwd", "group"):
        shutil.copy(root / f"usr/share/base-passwd/{name}.master", root / "etc" / name)
    if not (root / "bin/sh").exists():
        (root / "bin/sh").symlink_to("dash")


def untar(deb: Path, place: Path) -> None:
    """The files of a package into a root tree, through its links of folders."""
    command = ["tar", "--extract", "--directory", str(place), "--keep-directory-symlink"]
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as packed:
        subprocess.run(
            [*command, *(f"--exclude={each}" for each in LEFT_OUT)], stdin=packed.stdout, check=True
        )
    if packed.returncode:
        raise subprocess.CalledProcessError(packed.returncode, packed.args)
