"""`make audit`, with programs in pip-audit's place that answer as it does: no answer is never taken for a good one.

And the locks themselves: every package of every lock has a version and hashes.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from known import CLEAN, UNCHECKED, WEAK, main

ROOT = Path(__file__).parents[2]
BAD = {"id": "CVE-2020-1747", "fix_versions": ["5.4"]}


def answering(folder: Path, answers: dict[str, Any], *, status: int = 0) -> list[str]:
    """A program that answers by the name of the lock file that it is given, like pip-audit on its standard output."""
    program = folder / "answers.py"
    program.write_text(
        "import json, pathlib, sys\n"
        f"answers = json.loads({json.dumps(json.dumps(answers))})\n"
        "print(json.dumps({'dependencies': answers[pathlib.Path(sys.argv[-1]).name]}))\n"
        f"sys.exit({status})\n"
    )
    return [sys.executable, str(program)]


def known(name: str, *vulns: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "version": "1", "vulns": list(vulns)}


@pytest.mark.parametrize(
    ("proof", "ours", "status", "says"),
    [
        ([known("pyyaml", BAD)], [known("a"), known("b")], CLEAN, "0 known weaknesses"),
        ([known("pyyaml", BAD)], [known("a"), known("b", BAD)], WEAK, "b 1: CVE-2020-1747, mended in 5.4"),
        ([known("pyyaml")], [known("a")], UNCHECKED, "was not found"),
        ([{"name": "pyyaml", "skip_reason": "not found"}], [known("a")], UNCHECKED, "pyyaml: not found"),
        ([known("pyyaml", BAD)], [{"name": "a", "skip_reason": "not found"}], UNCHECKED, "a: not found"),
    ],
)
def test_only_a_whole_answer_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], proof: Any, ours: Any, status: int, says: str
) -> None:
    """A weakness is told with what mends it; a service that does not know ours, or not the one that everybody knows,
    has checked nothing."""
    command = answering(tmp_path, {"weak.txt": proof, "run.txt": ours}, status=int(status == WEAK))
    assert main([Path("run.txt")], command) == status
    out, err = capsys.readouterr()
    assert says in out + err
    assert ("nothing was checked" in err) == (status == UNCHECKED)


def test_without_a_network_it_fails_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A program that ends with a traceback, or is not there at all, is no answer."""
    dead = [sys.executable, "-c", "raise ConnectionError('name resolution failed')"]
    for command in (dead, [str(tmp_path / "none")]):
        assert main([Path("run.txt")], command) == UNCHECKED
        assert "nothing was checked" in capsys.readouterr().err


def test_every_locked_package_has_a_version_and_hashes() -> None:
    """No line of a lock lets anything else be installed than what was looked at; and none names where it comes from."""
    locks = sorted((ROOT / ".locks").glob("*.txt"))
    assert {each.name for each in locks} >= {"run.txt", "dev.txt", "table.txt", "build.txt", "audit.txt"}
    for lock in locks:
        text = lock.read_text().replace("\\\n", " ")
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        assert lines
        for line in lines:
            assert re.match(r"[a-z0-9][a-z0-9._-]*==\S+ .*--hash=sha256:[0-9a-f]{64}", line), (
                lock.name,
                line[:80],
            )
        assert "://" not in text
    assert re.search(r"--require-hashes", (ROOT / "Makefile").read_text())
