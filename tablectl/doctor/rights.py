"""What the service's user may read and write of the table's files, whoever asks: root may everything, the service not.

Owns: the line `rights`. Refuses: changing a mode, and files that carry an access control list (acl(5)), of which owner,
group and mode do not tell all: those pass.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from tablectl.backup import contents
from tablectl.config import load_parts
from tablectl.config.opened import is_loopback
from tablectl.doctor.account import Account, owner
from tablectl.doctor.line import Line
from tablectl.doctor.machine import Machine
from tablectl.doctor.service import Service
from tablectl.errors import BackupError

READ, WRITE, ENTER = 4, 2, 1
HOMES = (Path("/home"), Path("/root"), Path("/run/user"))
"""What ProtectHome= takes away, systemd.exec(5)."""


def rights(machine: Machine, service: Service | None, file: Path) -> Iterator[Line]:
    """A fault for each file or folder of the configuration `file` that bars the service from its work."""
    if service is None or not service.user:
        return
    place = machine.path(file.absolute()) if not _is_below(file, machine.root) else file.absolute()
    if not any(_same(machine.path(word), place) for word in service.command if word.startswith("/")):
        text = f"tablectl.service does not run {file}: whether its user may read it was not looked at"
        yield Line("rights", "ok", text)
        return
    who = service.account(machine)
    if who is None:
        text = f"tablectl.service runs as {service.user}, whom /etc/passwd does not name"
        yield Line("rights", "warning", text, "sudo systemd-sysusers makes it; or install the .deb anew")
        return
    found = {line.about: line for line in _Bars(machine, service, who).of(place)}
    yield from found.values()
    if not found:
        yield Line(
            "rights", "ok", f"tablectl.service, as {who.name}, may read its files and write its journal"
        )


def _is_below(path: Path, folder: Path) -> bool:
    return path.absolute().is_relative_to(folder)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class _Bars:
    """What stands in the way of one account."""

    machine: Machine
    service: Service
    who: Account

    def of(self, config: Path) -> Iterator[Line]:
        """All of it for the table with that configuration."""
        try:
            parts = contents.parts_of(config, lambda path: path.read_text(encoding="utf-8"))
        except (OSError, BackupError):  # the line `config` says what is wrong
            parts = [contents.Part("configuration", config)]
        for part in parts:
            path = self._there(part.path)
            if part.role == "journal":
                yield from self._journal(path)
            else:
                yield from self._way(path) or self._file(path, READ)

        for path in map(self._there, _display_files(config)):
            yield from self._way(path) or self._file(path, READ)

    def _there(self, path: Path) -> Path:
        """Where it is, links followed: the folders on the way to the file itself are what counts."""
        path = path if _is_below(path, self.machine.root) else self.machine.path(path)
        return Path(os.path.realpath(path))

    def _shown(self, path: Path) -> Path:
        """Its path on that machine."""
        root = os.path.realpath(self.machine.root)
        return Path("/") / path.relative_to(root) if path.is_relative_to(root) else path

    def _journal(self, path: Path) -> Iterator[Line]:
        folder, shown = path.parent, self._shown(path.parent)
        allowed = self.service.writable
        if allowed is not None and not any(shown.is_relative_to(each) for each in allowed):
            text = (
                f"{shown}: tablectl.service may write only below {', '.join(map(str, allowed)) or 'nothing'}"
            )
            do = '[journal] path = "/var/lib/tablectl/journal.sqlite"; or systemctl edit tablectl, ReadWritePaths='
            yield Line("rights", "fault", text, do, str(shown))
            return
        if barred := self._way(path) or self._folder(folder):
            yield from barred
            return
        for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            yield from self._file(each, READ | WRITE)
        with suppress(PermissionError):  # this user may not look into the folder
            for part in contents.beside(path):
                yield from self._file(part.path, READ | WRITE)

    def _way(self, path: Path) -> list[Line]:
        """The first folder on the way to the file that may not be entered."""
        shown = self._shown(path)
        if not self.service.sees_homes and any(shown.is_relative_to(home) for home in HOMES):
            text = f"{shown}: for tablectl.service there is nothing in people's homes (ProtectHome=)"
            return [
                Line(
                    "rights",
                    "fault",
                    text,
                    "move it to /etc/tablectl, the journal to /var/lib/tablectl",
                    str(shown),
                )
            ]
        root = Path(os.path.realpath(self.machine.root))
        for folder in reversed([each for each in path.parents if each != root and each.is_relative_to(root)]):
            if self._is_barred(folder, ENTER):
                return [self._line(folder, "entered", "sudo chgrp {group} {path}; sudo chmod ug+x {path}")]
        return []

    def _folder(self, folder: Path) -> list[Line]:
        if self._is_barred(folder, WRITE | ENTER):
            return [
                self._line(folder, "written in", "sudo chown {name}:{group} {path}; sudo chmod u+rwx {path}")
            ]
        return []

    def _file(self, path: Path, bits: int) -> list[Line]:
        if not self._is_barred(path, bits):
            return []
        if bits & WRITE:
            return [self._line(path, "written", "sudo chown {name}:{group} {path}; sudo chmod 640 {path}")]
        return [self._line(path, "read", "sudo chgrp {group} {path}; sudo chmod 640 {path}")]

    def _is_barred(self, path: Path, bits: int) -> bool:
        """What is not there, or may not be looked at, bars nobody: other lines say so."""
        try:
            status = path.stat()
        except OSError:
            return False
        return not self.who.may(status, bits) and not _has_list(path)

    def _line(self, path: Path, done: str, do: str) -> Line:
        shown = self._shown(path)
        whose = owner(self.machine, path.stat())
        text = f"{shown} ({whose}) may not be {done} by {self.who.name}, as whom tablectl.service runs"
        do = do.format(name=self.who.name, group=self.who.group, path=quote(str(shown)))
        return Line("rights", "fault", text, do, str(shown))


def _display_files(config: Path) -> list[Path]:
    """What a display that is open to a network reads; they are in no backup, so `contents` does not know them."""
    display = load_parts(config).display
    if display is None or is_loopback(display.host):
        return []
    return [path for path in (display.certificate, display.key, display.tokens) if path is not None]


def _has_list(path: Path) -> bool:
    """It has an access control list."""
    try:
        return bool(os.getxattr(path, "system.posix_acl_access"))
    except OSError:
        return False
