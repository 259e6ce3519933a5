"""`board.py` under the real MicroPython VM, on the simulated pins."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from vm_board import HERE, VM, flash, path_of_the_vm


def test_the_pins_do_what_the_rest_relies_on(tmp_path: Path) -> None:
    """The multiplexer never touches a third antenna, edges wait in a bounded ring, the id is always the same."""
    flash(tmp_path)
    os.mkfifo(tmp_path / "felt")
    nobody = os.open(tmp_path / "felt", os.O_RDWR)
    try:
        done = subprocess.run(
            [VM, "-c", f"import sys; sys.path[0] = '{tmp_path}'; import check_board"],
            env={
                **os.environ,
                **path_of_the_vm(),
                "FELT": str(tmp_path / "felt"),
                "BOARD_ID": "vm-board-and-more",
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(nobody)
    checks = [
        line for line in (HERE / "vm" / "check_board.py").read_text().splitlines() if line.startswith("def ")
    ]
    assert done.stderr == ""
    assert len(done.stdout.split()) == len(checks), done.stdout
