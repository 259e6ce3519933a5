"""Users and groups of the computer, and what the kernel lets one of them do.

Owns: reading /etc/passwd and /etc/group, and judging owner, group and mode as the kernel does. Refuses: os.access: root
asks here what somebody else may.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tablectl.doctor.machine import Machine


@dataclass(frozen=True, slots=True)
class Account:
    """A user as the kernel knows one: numbers of user and groups. Names are for whoever reads of it."""

    user: int
    groups: frozenset[int]
    name: str = ""
    group: str = ""
    """The name of its first group."""

    def may(self, status: os.stat_result, bits: int) -> bool:
        """Whether owner, group and mode give it all of `bits`: 4 to read, 2 to write, 1 to enter or execute."""
        if self.user == 0:
            return True
        shift = 6 if status.st_uid == self.user else 3 if status.st_gid in self.groups else 0
        return status.st_mode >> shift & bits == bits


def account(machine: Machine, name: str, group: str = "", more: Sequence[str] = ()) -> Account | None:
    """Whom systemd's User=, Group= and SupplementaryGroups= mean, by name or number; None if there is no such user."""
    groups = list(_groups(machine))
    by_name = {each: number for each, number, _ in groups}
    for user, number, first in _users(machine):
        if name not in (user, str(number)):
            continue
        own = by_name.get(group, int(group) if group.isdigit() else first)
        belongs = {each for _, each, members in groups if user in members}
        added = {by_name[each] for each in more if each in by_name}
        names = {each: group_name for group_name, each, _ in groups}
        return Account(number, frozenset({own, *belongs, *added}), user, names.get(own, str(own)))
    return None


def owner(machine: Machine, status: os.stat_result) -> str:
    """`root:tablectl, mode 640`: whose a file is; numbers where there is no name."""
    user = next((name for name, number, _ in _users(machine) if number == status.st_uid), status.st_uid)
    group = next((name for name, number, _ in _groups(machine) if number == status.st_gid), status.st_gid)
    return f"{user}:{group}, mode {status.st_mode & 0o7777:o}"


def _users(machine: Machine) -> Iterator[tuple[str, int, int]]:
    """(name, number, number of the first group), passwd(5). systemd-sysusers writes the service's user there."""
    for line in (machine.text("/etc/passwd") or "").splitlines():
        fields = line.split(":")
        if len(fields) == 7 and fields[2].isdigit() and fields[3].isdigit():
            yield fields[0], int(fields[2]), int(fields[3])


def _groups(machine: Machine) -> Iterator[tuple[str, int, list[str]]]:
    """(name, number, members), group(5)."""
    for line in (machine.text("/etc/group") or "").splitlines():
        fields = line.split(":")
        if len(fields) == 4 and fields[2].isdigit():
            yield fields[0], int(fields[2]), fields[3].split(",")
