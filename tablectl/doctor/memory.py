"""Whether what a table keeps in memory stays there, and over a restart.

Owns: the lines `swap` and `kept` of a service that is not asked itself. Refuses: what a running table says (`table`).
"""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.doctor.line import Line
from tablectl.doctor.machine import Machine
from tablectl.doctor.service import ANEW, Service

IN_MEMORY = "/dev/zram"
"""Swap that is compressed memory, proc(5): what is swapped there dies with the power as well."""


def memory(machine: Machine, service: Service | None) -> Iterator[Line]:
    """Whether memory may be written to a disk, and whether the unit lets a hand in progress survive a restart."""
    disks = swaps(machine)
    if disks:
        where = ", ".join(disks)
        text = f"memory is swapped to {where}: what the table holds may come to that disk and stay there"
        yield Line("swap", "warning", text, "turn it off (sudo swapoff -a, and for good), or swap to zram")
    else:
        yield Line("swap", "ok", "no memory is swapped to a disk")
    if service is not None and service.is_loaded:
        preserved = service.told.get("RuntimeDirectoryPreserve", "")
        if not service.told.get("RuntimeDirectory") or preserved not in ("restart", "yes"):
            text = "the unit does not leave RuntimeDirectory over a restart: a hand in progress is lost then"
            yield Line("kept", "warning", text, ANEW, "unit")


def swaps(machine: Machine) -> list[str]:
    """The files and devices that are swapped to and are no memory. /proc/swaps: a heading, then a line each."""
    lines = (machine.text("/proc/swaps") or "").splitlines()[1:]
    return [name for line in lines if (name := line.split()[0]) and not name.startswith(IN_MEMORY)]
