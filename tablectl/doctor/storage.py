"""What is kept: the clock that dates it, the disk, the journal.

Owns: the lines `clock`, `disk`, `sd_card`, `journal`. Refuses: repairing any of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tablectl.doctor.line import Line, counted
from tablectl.doctor.machine import Machine, is_there
from tablectl.errors import JournalError

RELEASED = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""No clock can be right that is before the year of this version."""
MIB = 1 << 20
FULL, NARROW = 100 * MIB, 1024 * MIB
"""Below the first a night may not fit any more, below the second some nights [A]."""
CHECK_S = 5.0
"""A journal of years takes minutes to check; so much of it is checked as fits into this, s."""
KEEP = (
    "move it away, for what it still holds; then `sudo tablectl restore` with the last backup, or begin anew"
)
"""For a journal that is none any more."""


def clock(machine: Machine) -> Line:
    """Whether the time of day can be right: synchronised, of this century, kept without power."""
    year = datetime.fromtimestamp(machine.now, UTC).year
    synchronised = _synchronised(machine)
    rtc = bool(machine.glob("/sys/class/rtc/rtc*"))
    if machine.now < RELEASED:
        do = (
            "give it a network with a time server, or a clock chip with a battery; no Pi before the 5 has one"
        )
        return Line("clock", "fault", f"it is the year {year} here", do)
    if synchronised:
        return Line(
            "clock",
            "ok",
            "synchronised" + ("" if rtc else "; without a clock chip wrong after a start offline"),
        )
    how = "not synchronised" if synchronised is False else "whether it is synchronised cannot be seen"
    if rtc:
        return Line(
            "clock", "warning", f"{how}; a clock chip is there", "timedatectl set-ntp true, and a network"
        )
    text = f"{how}, and there is no clock chip"
    return Line(
        "clock", "warning", text, "timedatectl set-ntp true, and a network; or a clock chip with a battery"
    )


def _synchronised(machine: Machine) -> bool | None:
    if machine.path("/run/systemd/timesync/synchronized").exists():
        return True
    told = machine.ask("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return {"yes": True, "no": False}.get(told or "")


def disk(machine: Machine, path: Path, *, full: int = FULL, narrow: int = NARROW) -> Iterator[Line]:
    """Room where the journal `path` is, bytes; whether it can be written; what the card says of its own wear."""
    folder = next((each for each in path.parents if is_there(each)), Path("/"))
    try:
        room = os.statvfs(folder)
    except OSError as error:
        yield Line("disk", "fault", f"{folder}: {error.strerror}", "mount the disk of the journal")
        return
    free = room.f_bavail * room.f_frsize
    said = f"{folder}: {free // MIB} MiB free of {room.f_blocks * room.f_frsize // MIB}"
    if room.f_flag & os.ST_RDONLY:
        do = "an SD card that fails turns read-only (dmesg): replace it, then `sudo tablectl restore` with a backup"
        yield Line("disk", "fault", f"{folder} is mounted read-only", do)
    elif free < full:
        yield Line("disk", "fault", f"{said}: too little", "make room: old journals, recordings, /var/log")
    elif free < narrow:
        yield Line("disk", "warning", said, "make room soon: old journals, recordings, /var/log")
    elif room.f_files and room.f_favail < 100:
        yield Line("disk", "fault", f"{folder}: only {room.f_favail} more files", "delete what is not needed")
    else:
        yield Line("disk", "ok", said)
    yield from wear(machine)


def wear(machine: Machine) -> Iterator[Line]:
    """What file systems and cards have counted of their own faults, where they tell."""
    told = 0
    for path in machine.glob("/sys/fs/ext4/*/errors_count"):  # Documentation/ABI/testing/sysfs-fs-ext4
        told += 1
        errors, name = machine.text(path) or "0", path.split("/")[4]
        if errors != "0":
            do = "sudo systemctl start tablectl-backup; fsck at the next start; if it comes again, replace the card"
            yield Line("sd_card", "fault", f"ext4 counted {errors} errors on {name}", do, name)
    for path in machine.glob(
        "/sys/block/mmcblk*/device/pre_eol_info"
    ):  # driver-api/mmc/mmc-dev-attrs: 1 normal … 3
        told += 1
        name = path.split("/")[3]
        end = int(machine.text(path) or "0", 16)
        if end > 1:
            text = f"{name}: {'most' if end == 2 else 'nearly all'} of its reserve is used up"
            yield Line(
                "sd_card",
                "warning" if end == 2 else "fault",
                text,
                "sudo systemctl start tablectl-backup, then replace it",
                name,
            )
    for path in machine.glob("/proc/mounts"):
        for device, point in re.findall(
            r"^(/dev/\S+) (\S+) \S+ ro[, ]", machine.text(path) or "", re.MULTILINE
        ):
            if point == "/":
                told += 1
                text = f"{device} at / is mounted read-only"
                yield Line("sd_card", "warning", text, "dmesg tells whether the card failed", device)
    if not told:
        yield Line("sd_card", "ok", "the disks here tell nothing of their wear")


def journal(path: Path, *, begun: bool = True) -> Iterator[Line]:
    """Whether the journal can be read and is whole, how big it is, and when it was written last.

    Without `begun` the service waits for its first start, which the line `unit` says: then there can be none.
    """
    from tablectl.shell.journal import reading

    there = is_there(path)
    if there is None or (there and not os.access(path, os.R_OK)):
        yield Line("journal", "warning", f"{path} may not be read by this user", "ask again with sudo")
        return
    if not there and not begun:
        yield Line("journal", "ok", f"{path} is not there yet: the service's first start makes it")
        return
    if not there:
        yield Line("journal", "warning", f"{path} is not there yet", "the first `tablectl run` makes it")
        return
    if path.is_dir():
        do = f'name a file in it: [journal] path = "{path / "journal.sqlite"}"'
        yield Line("journal", "fault", f"{path} is a folder, and the journal is a file", do)
        return
    try:
        nights = reading.nights(path)
        broken, whole = reading.damage(path, CHECK_S)
    except JournalError as error:
        yield Line("journal", "fault", str(error), KEEP)
        return
    if broken:
        yield Line("journal", "fault", f"{path} is damaged: {broken}", KEEP)
        return
    log = path.with_name(path.name + "-wal")
    last = max(each.stat().st_mtime for each in (path, log) if each.exists())
    written = datetime.fromtimestamp(last, UTC).strftime("%Y-%m-%d %H:%M UTC")
    size = sum(each.stat().st_size for each in (path, log) if each.exists()) / MIB
    checked = "whole" if whole else f"what {CHECK_S:.0f} s could check of it is whole"
    yield Line(
        "journal",
        "ok",
        f"{path}: {size:.1f} MiB, {counted(len(nights), 'night')}, written {written}, {checked}",
    )
