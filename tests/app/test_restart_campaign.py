"""SIGKILL at random moments of simulated evenings, and what the table decides all the same. Minutes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("killed.py")
EVENINGS, KILLS = 12, 25


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_killed_at_any_moment_it_decides_what_it_would_have_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some three hundred kills in twelve evenings, in deals, remedies, between hands and while starting: the journal
    has each line and each decision once, in its order, and they are those of a table that was never killed."""
    memory = tempfile.mkdtemp(prefix="tablectl-", dir="/dev/shm")
    command = [sys.executable, str(PROGRAM), str(tmp_path), memory, str(EVENINGS), str(KILLS), "1"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        shutil.rmtree(memory)
    assert done.returncode == 0, done.stderr
    count = json.loads(done.stdout)
    with capsys.disabled():
        sys.stdout.write(f"\n{count}\n")
    assert count["evenings"] == EVENINGS
    assert count["kills"] > EVENINGS * KILLS / 2
    assert count["in a hand"] > EVENINGS
    assert count["while starting"] > 0
    wrong = ("refused", "lines wrong", "evenings that differ", "journals that do not verify")
    assert [count[what] for what in wrong] == [0, 0, 0, 0]
