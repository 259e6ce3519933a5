"""The table's service: what systemd says of it, and as whom it runs.

Owns: the lines `unit`, `watchdog`, `lg_wd`. Refuses: starting or stopping it, and what its user may touch (`rights`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tablectl.doctor.account import Account, account
from tablectl.doctor.line import Line
from tablectl.doctor.machine import Machine

UNIT = "tablectl"
ANEW = "another unit stands before ours (systemctl cat tablectl): take it away; or install the .deb anew"
"""For a service without what ours has."""
FOLDERS = {"StateDirectory": "/var/lib", "LogsDirectory": "/var/log", "RuntimeDirectory": "/run"}
"""Below what systemd makes the folders that a unit names, systemd.exec(5)."""
ASKED = (
    "LoadState", "ActiveState", "SubState", "NRestarts", "ActiveEnterTimestampMonotonic", "WatchdogUSec",
    "Environment", "ExecStart", "User", "Group", "SupplementaryGroups", "ProtectSystem", "ProtectHome",
    "ReadWritePaths", "RuntimeDirectoryPreserve", *FOLDERS,
)  # fmt: skip
OFTEN, FRESH_S = 3, 60.0
"""So many restarts, the last one less than so long ago, are no accident of some night: it is going on now [A]."""


@dataclass(frozen=True, slots=True)
class Service:
    """The unit as systemd has it: `told` is property → value, nothing where systemd has no such unit."""

    told: Mapping[str, str]
    clock_s: float = 0.0
    """How long the computer had been up, s, when that was told."""

    @property
    def restarts(self) -> int:
        """How often systemd started it anew since a person did."""
        told = self.told.get("NRestarts", "")
        return int(told) if told.isdigit() else 0

    @property
    def up_s(self) -> float | None:
        """For how long it has been active, s; None if systemd does not tell."""
        since = self.told.get("ActiveEnterTimestampMonotonic", "")
        return self.clock_s - int(since) / 1e6 if since.isdigit() and int(since) else None

    @property
    def is_loaded(self) -> bool:
        """systemd has such a unit."""
        return self.told.get("LoadState") == "loaded"

    @property
    def user(self) -> str:
        """As whom it runs, by name or number; empty where the unit names nobody, or root: that may all."""
        user = self.told.get("User", "") if self.is_loaded else ""
        return "" if user in ("root", "0") else user

    @property
    def command(self) -> list[str]:
        """What it starts, word for word."""
        found = re.search(r"argv\[\]=(.*?) ;", self.told.get("ExecStart", ""))
        return found[1].split() if found else []

    @property
    def writable(self) -> list[Path] | None:
        """The folders in which it may write at all; None if the unit bars it from none."""
        if self.told.get("ProtectSystem") != "strict":
            return None
        made = [
            f"{top}/{each.split(':')[0]}"
            for key, top in FOLDERS.items()
            for each in self.told.get(key, "").split()
        ]
        return [Path(each.lstrip("-+")) for each in (*made, *self.told.get("ReadWritePaths", "").split())]

    @property
    def sees_homes(self) -> bool:
        """Whether there is anything for it below /home and /root."""
        return self.told.get("ProtectHome", "no") in ("no", "read-only", "")

    def account(self, machine: Machine) -> Account | None:
        """Its user and groups; None if that user is root, or not known here."""
        more = self.told.get("SupplementaryGroups", "").split()
        return account(machine, self.user, self.told.get("Group", ""), more) if self.user else None


def look(machine: Machine) -> Service | None:
    """The service; None where there is no systemd to ask."""
    told = machine.ask("systemctl", "show", UNIT, f"--property={','.join(ASKED)}")
    if told is None:
        return None
    uptime = re.match(r"[\d.]+", machine.text("/proc/uptime") or "")
    of = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    return Service(of, float(uptime[0]) if uptime else 0.0)


def unit(service: Service | None, *, pins: bool, begun: bool = True) -> Iterator[Line]:
    """The service: is it loaded, active, restarted often, guarded by a watchdog? `begun`: it may have run before."""
    if service is None:
        yield Line("unit", "ok", "no systemd to ask here")
        return
    if not service.is_loaded:
        yield Line(
            "unit", "warning", "tablectl.service is not installed", "install the .deb, or sudo make install"
        )
        return
    yield _standing(service, begun=begun)
    watchdog = service.told.get("WatchdogUSec", "0")
    if service.told.get("ActiveState") != "active":
        pass  # before its first start systemd tells no time, whatever the unit says
    elif watchdog in ("", "0", "infinity"):
        yield Line("watchdog", "warning", "no watchdog: a core that hangs is not restarted", ANEW)
    else:
        yield Line("watchdog", "ok", f"a core that hangs is restarted after {watchdog}")
    if pins and "LG_WD=" not in service.told.get("Environment", ""):
        # Field failure 26: gpiozero#1106, #1130.
        text = "lgpio writes a file where it runs, and the unit does not say where it may (LG_WD)"
        yield Line("lg_wd", "warning", text, ANEW)


def _standing(service: Service, *, begun: bool) -> Line:
    active, restarts, up = service.told.get("ActiveState", ""), service.restarts, service.up_s
    often = "once" if restarts == 1 else f"{restarts} times"
    again = f", restarted {often}" if restarts else ""
    if active == "failed":
        do = "journalctl -u tablectl -n 50 says why; then systemctl reset-failed tablectl, systemctl start tablectl"
        return Line("unit", "fault", f"tablectl.service has failed{again}", do)
    if active in ("activating", "deactivating"):
        # Between two tries it is "auto-restart"; a service that falls again and again is also seen starting or ending.
        if again or service.told.get("SubState", "").startswith("auto-restart"):
            text = f"tablectl.service does not stay up{again}"
            return Line("unit", "fault", text, "journalctl -u tablectl -n 50 says why it ends")
        text = f"tablectl.service is just {'starting' if active == 'activating' else 'stopping'}"
        return Line("unit", "warning", text, "ask again in ten seconds")
    if active != "active":
        text = (
            f"is {active}{again}"
            if begun
            else "is not started yet, and its journal comes with its first start"
        )
        return Line("unit", "warning", f"tablectl.service {text}", "sudo systemctl enable --now tablectl")
    if restarts >= OFTEN and up is not None and up < FRESH_S:
        # One that hangs or ends a while after it was ready is active most of the time.
        text = f"tablectl.service does not stay up{again}, the last time {max(up, 0.0):.0f} s ago"
        return Line("unit", "fault", text, "journalctl -u tablectl -n 50 says why it ends")
    if again:
        do = "journalctl -u tablectl tells why it was restarted"
        return Line("unit", "warning", f"tablectl.service is active{again}", do)
    return Line("unit", "ok", "tablectl.service is active")
