"""The same targets for minutes each, led by the code that an input reaches (atheris on libFuzzer)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from targets import TARGETS

HERE = Path(__file__).parent
SECONDS = int(os.environ.get("TABLECTL_FUZZ_S", "120"))
"""For each target; TABLECTL_FUZZ_S=3600 for a night."""
HANG_S = 10
"""One input may take so long at most, s: a thousand times what the slowest takes."""
MEMORY_MB = 512
"""What the process may use at most, the interpreter, its libraries and the corpus included, MB."""


def fuzz(target: str, folder: Path, seconds: int) -> subprocess.CompletedProcess[str]:
    """A run of its own process: a hang or a crash of the interpreter is found, too."""
    return subprocess.run(
        [
            sys.executable, str(HERE / "guided.py"), target, str(folder / "corpus"), f"-max_total_time={seconds}",
            f"-timeout={HANG_S}", f"-rss_limit_mb={MEMORY_MB}", "-max_len=2048", f"-artifact_prefix={folder}/",
        ],
        capture_output=True, text=True, check=False, timeout=seconds + 300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip


@pytest.mark.long
@pytest.mark.timeout(SECONDS + 400)
@pytest.mark.parametrize("target", TARGETS)
def test_no_input_that_leads_further_breaks_it(target: str, tmp_path: Path) -> None:
    """Led by coverage, no input crashes a target, takes longer than HANG_S, or makes the process outgrow MEMORY_MB."""
    done = fuzz(target, tmp_path, SECONDS)
    assert done.returncode == 0, done.stderr[-4000:]
    executed = [line for line in done.stderr.splitlines() if line.startswith("Done ")]
    sys.stdout.write(f"{target}: {executed}\n")
    assert executed, done.stderr[-4000:]


@pytest.mark.long
def test_a_bug_behind_four_branches_is_found(tmp_path: Path) -> None:
    """The counter-proof: the same run over a target with a bug ends with the input that meets it."""
    done = fuzz("planted", tmp_path, 60)
    assert done.returncode != 0
    found = [path.read_bytes() for path in tmp_path.glob("crash-*")]
    assert [each[:4] for each in found] == [b"card"]
