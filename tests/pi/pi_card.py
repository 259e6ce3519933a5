"""Kernel, device tree, first root and SD card of the emulated Pi.

Owns: files that QEMU is started with. Refuses: what is installed on the card (`pi_product`).

The card is the root file system, as on a real Pi: what a power cut leaves behind is what was written to it. A small
first root with Debian's modules finds it, for Debian's kernel has neither the card's driver nor ext4 built in.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from pi_debian import call

MODULES = (
    "bcm2835", "crc32c_generic", "ext4",  # the card
    "phy-generic", "bcm2835_wdt", "dwc2", "ftdi_sio", "cdc_ether",  # USB, the reader boards' lines, the network
)  # fmt: skip
CARD_BYTES = 1 << 30
"""QEMU takes powers of two only; the file is sparse."""
REVISION = "a02082"
"""Of a Pi 3B, 1 GB, by Sony (Raspberry Pi's list of revision codes): rpi-lgpio reads it from the device tree."""
FIRST = """#!/bin/sh
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
modprobe -a {modules}
until mount -t ext4 /dev/mmcblk0 /new 2>/dev/null; do sleep 0.1; done
exec switch_root /new /lib/systemd/systemd
"""
SHELL = """[Service]
ExecStart=/bin/sh -s
StandardInput=socket
StandardOutput=socket
StandardError=socket
"""
"""A root shell on a port that only this machine reaches: what is written there is run, and its output comes back."""
SETTINGS = {
    "etc/hostname": "pi\n",
    "etc/machine-id": "",
    "etc/fstab": "",
    "etc/hosts": "127.0.0.1 localhost pi\n",
    "etc/systemd/network/10-usb.network": "[Match]\nName=en*\n[Network]\nAddress=10.0.2.15/24\n",
    "etc/systemd/system/shell@.service": SHELL,
    "etc/systemd/system/shell.socket": "[Socket]\nListenStream=7\nAccept=yes\n",
    # The whole log goes out by the serial line, where tests wait for its lines.
    "etc/systemd/journald.conf.d/console.conf": "[Journal]\nForwardToConsole=yes\nTTYPath=/dev/ttyAMA0\n"
    "MaxLevelConsole=info\nRateLimitBurst=0\n",
}
WANTED = {
    "multi-user.target.wants/systemd-networkd.service": "/lib/systemd/system/systemd-networkd.service",
    "sockets.target.wants/shell.socket": "/etc/systemd/system/shell.socket",
    "serial-getty@ttyAMA0.service": "/dev/null",
    "getty@tty1.service": "/dev/null",
}


@dataclass(frozen=True)
class Boot:
    """What the machine needs besides its card."""

    kernel: Path
    initrd: Path
    tree: Path
    """The device tree."""


def boot_files(debian: Path, place: Path) -> Boot:
    """Kernel, first root and device tree, made anew."""
    place.mkdir(parents=True, exist_ok=True)
    kernel = debian / "kernel"
    version = next((kernel / "lib/modules").iterdir()).name
    tree = place / "pi.dtb"
    shutil.copy(kernel / f"usr/lib/linux-image-{version}/broadcom/bcm2837-rpi-3-b.dtb", tree)
    # Without Bluetooth on it the good serial port is the console's; the rest is what a Pi's boot loader adds.
    call("fdtput", "-r", tree, "/soc/serial@7e201000/bluetooth")
    call("fdtput", "-c", tree, "/system")
    call("fdtput", "-t", "x", tree, "/system", "linux,revision", REVISION)
    return Boot(kernel / f"boot/vmlinuz-{version}", _first_root(debian, version, place), tree)


def _first_root(debian: Path, version: str, place: Path) -> Path:
    first = place / "first"
    shutil.rmtree(first, ignore_errors=True)
    for folder in ("bin", "dev", "proc", "sys", "new"):
        (first / folder).mkdir(parents=True)
    shutil.copy(debian / "root/bin/busybox", first / "bin")
    for name in ("sh", "mount", "modprobe", "sleep", "switch_root"):
        (first / "bin" / name).symlink_to("busybox")
    init = first / "init"
    init.write_text(FIRST.format(modules=" ".join(MODULES)))
    init.chmod(0o755)
    copy_modules(debian / "kernel", version, first)
    made = place / "first.cpio"
    files = "\n".join(str(each.relative_to(first)) for each in sorted(first.rglob("*")))
    with made.open("wb") as out:
        command = ["cpio", "--create", "--format=newc", "--quiet"]
        subprocess.run(command, input=files.encode(), cwd=first, stdout=out, check=True)
    return made


def copy_modules(kernel: Path, version: str, root: Path) -> None:
    """The modules of this rig and what they need, with an index of their own."""
    found = kernel / "lib/modules" / version
    if not (found / "modules.dep").exists():
        call("depmod", "-b", kernel, version)
    needed: set[Path] = set()
    for module in MODULES:
        listed = call("modprobe", "-d", kernel, "-S", version, "--show-depends", module)
        needed |= {Path(line.split()[1]) for line in listed.splitlines() if line.startswith("insmod")}
    needed |= {found / f"modules.{each}" for each in ("order", "builtin", "builtin.modinfo")}
    for file in needed:
        to = root / "lib/modules" / version / file.relative_to(found)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, to)
    call("depmod", "-b", root, version)


def settle(root: Path) -> None:
    """Makes the root tree one of this machine: name, address, and a way for tests to give it orders."""
    for name, text in SETTINGS.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for name, target in WANTED.items():
        link = root / "etc/systemd/system" / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(target)


def root_of(debian: Path, place: Path) -> Path:
    """A root tree of this machine's own, with nothing of ours in it yet but what tests need."""
    shutil.rmtree(place, ignore_errors=True)
    call("cp", "--archive", debian / "root", place)
    version = next((debian / "kernel/lib/modules").iterdir()).name
    copy_modules(debian / "kernel", version, place)
    settle(place)
    return place


def card(root: Path, file: Path) -> Path:
    """A card with this root tree on it."""
    making = file.with_suffix(".new")
    making.unlink(missing_ok=True)
    with making.open("wb") as empty:
        empty.truncate(CARD_BYTES)
    call("mke2fs", "-q", "-t", "ext4", "-d", root, making)
    making.rename(file)
    return file


def copy_of(card_file: Path, to: Path) -> Path:
    """Another card with the same on it."""
    call("cp", "--sparse=always", card_file, to)
    return to
