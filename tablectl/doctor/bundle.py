"""One file for whoever helps from outside: what the doctor saw, and nothing that must stay in the house.

Owns: what is in a bundle. Refuses: deciding what is secret (`filter`): every text passes there, names and all.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import platform
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tablectl import __version__
from tablectl.doctor import Report, table
from tablectl.doctor.filter import filter_of, shown
from tablectl.doctor.machine import Machine
from tablectl.errors import JournalError, UsageError

LOG_LINES = 400
README = """What `tablectl doctor --bundle` gathered: doctor.json (every line of the examination), versions.json,
config.json (the configuration; unknown keys, names, logins and tags are removed), journal.json (counts only), log.txt
(the service's last lines). UIDs are shortened to their last four digits; no token, card name or password is in it.
"""

Clean = Callable[[str], str]


def write(out: Path, report: Report, machine: Machine, file: Path | None, clean: Clean | None = None) -> None:
    """Write the bundle, for its owner's eyes only. UsageError if it cannot be written, or is there already.

    `clean` is the filter of this table; another one is for tests alone.
    """
    clean = filter_of(file) if clean is None else clean
    packed = io.BytesIO()
    # No time, no name and no user of this machine in the headers.
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as tar,
    ):
        for name, text in _parts(report, machine, file):
            data = clean(text).encode()
            entry = tarfile.TarInfo(f"tablectl-doctor/{name}")
            entry.size, entry.mode = len(data), 0o600
            tar.addfile(entry, io.BytesIO(data))
    try:
        descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as target:
            target.write(packed.getvalue())
    except FileExistsError:
        raise UsageError(f"{out} is there already; name another file") from None
    except OSError as error:
        raise UsageError(f"{out}: cannot be written: {error.strerror}") from None


def _parts(report: Report, machine: Machine, file: Path | None) -> Iterator[tuple[str, str]]:
    yield "README.txt", README
    yield "doctor.json", _json([line.as_json() for line in report.lines])
    yield "versions.json", _json(_versions(machine))
    if file is not None:
        yield "config.json", _json(shown(file))
    if report.config is not None:
        yield "journal.json", _json(_journal(report.config.journal.path))
    lines = table.log_lines(machine, LOG_LINES)
    yield (
        "log.txt",
        "\n".join(lines or ["(nothing: no journald here, or this user may not read it; ask with sudo)"])
        + "\n",
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _versions(machine: Machine) -> dict[str, Any]:
    return {
        "tablectl": __version__,
        "python": platform.python_version(),
        "kernel": machine.text("/proc/sys/kernel/osrelease"),
        "machine": machine.model or platform.machine(),
        "system": (machine.text("/etc/os-release") or "").splitlines()[:2],
        "packages": dict(sorted(machine.packages.items())),
    }


def _journal(path: Path) -> Any:
    """How much the journal holds; nothing of what."""
    from tablectl.shell.journal import nights

    try:
        told = nights(path)
        size = path.stat().st_size
    except (JournalError, OSError) as error:
        return str(error)
    return {
        "bytes": size,
        "nights": [
            {"night": night.id, "started_at": night.started_at, "entries": night.last_seq} for night in told
        ],
    }
