"""Asks whether weaknesses of the locked packages are known: what `make audit` runs.

    python tests/locks/known.py .locks/run.txt …

Owns: what counts as an answer. Exit status 0: every package was looked up and none has a known weakness. 1: one has.
2: nothing was checked, because the service cannot be reached, does not know the packages, or pip-audit failed.

The locks pin every version and hash, so nothing is resolved or installed for it. A service that knows nothing would say
the same as one that finds nothing: so it is first asked for a package whose weakness is known for years, and each of
ours that it does not know fails the run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

CLEAN, WEAK, UNCHECKED = 0, 1, 2
KNOWN_WEAK = "pyyaml==5.3 --hash=sha256:" + "0" * 64 + "\n"
"""CVE-2020-1747, of 2020. Nothing is downloaded, so its hash is of no account."""
WAIT_S = 300


class Unchecked(Exception):  # noqa: N818 (nothing was found wrong: nothing was found out)
    """There is no answer; the text says why."""


def ask(lock: Path, command: Sequence[str]) -> list[dict[str, Any]]:
    """What is known of each package of the lock file. Raises Unchecked."""
    given = [
        *command, "--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json",
        "--requirement", str(lock),
    ]  # fmt: skip
    try:
        done = subprocess.run(given, capture_output=True, text=True, timeout=WAIT_S, check=False)
        found: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unchecked(f"pip-audit cannot be run: {error}") from None
    except (ValueError, KeyError, TypeError):
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise Unchecked(f"no answer: is the network there? {last[:300]}") from None
    return found


def weaknesses(lock: Path, command: Sequence[str]) -> list[str]:
    """A line for each known weakness. Raises Unchecked if a package is not known where we ask."""
    lines = []
    for each in ask(lock, command):
        if "skip_reason" in each:
            raise Unchecked(f"{each['name']}: {each['skip_reason']}")
        for found in each["vulns"]:
            better = ", ".join(found["fix_versions"]) or "no version yet"
            lines.append(f"{each['name']} {each['version']}: {found['id']}, mended in {better}")
    return lines


def main(locks: Sequence[Path], command: Sequence[str]) -> int:
    """Looks the lock files up; the exit status."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            proof = Path(folder) / "weak.txt"
            proof.write_text(KNOWN_WEAK)
            if not weaknesses(proof, command):
                raise Unchecked(f"{KNOWN_WEAK.split()[0]} has a known weakness, and it was not found")
        found = {line: lock.name for lock in locks for line in weaknesses(lock, command)}
    except Unchecked as why:
        sys.stderr.write(f"audit: nothing was checked: {why}\n")
        return UNCHECKED
    for line, lock in sorted(found.items()):
        sys.stdout.write(f"{lock}: {line}\n")
    sys.stdout.write(f"audit: {len(found)} known weaknesses in {', '.join(each.name for each in locks)}\n")
    return WEAK if found else CLEAN


if __name__ == "__main__":
    sys.exit(main([Path(each) for each in sys.argv[1:]], [sys.executable, "-m", "pip_audit"]))
