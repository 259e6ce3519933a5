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
from contextlib import suppress
from pathlib import Path
from typing import Any

from tablectl import __version__
from tablectl.doctor import Report, table
from tablectl.doctor.filter import filter_of, shown
from tablectl.doctor.machine import Machine, is_there
from tablectl.errors import JournalError, UsageError

LOG_LINES = 400
README = """What `tablectl doctor --bundle` gathered: doctor.json (every line of the examination), versions.json,
config.json (the configuration; unknown keys, names, logins and tags are removed), journal.json (counts only), log.txt
(the service's last lines). UIDs are shortened to their last four digits; no token, card name, player's name or password
is in it.
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
    must_be_free(out)
    # Under another name until it is whole: a full disk leaves nothing that looks like a bundle.
    new = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
            target.write(packed.getvalue())
        new.rename(out)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise UsageError(f"{out}: cannot be written: {error.strerror}") from None


def must_be_free(out: Path) -> None:
    """Refuse at once what cannot become a bundle. UsageError if something is there, or if its folder is not."""
    if is_there(out) is not False:
        raise UsageError(f"{out} is there already; name another file")
    if not out.parent.is_dir():
        raise UsageError(f"{out}: cannot be written: there is no folder {out.parent}")
    if not os.access(out.parent, os.W_OK):
        raise UsageError(f"{out}: cannot be written: this user may not write into {out.parent}")


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
