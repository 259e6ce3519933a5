"""The directions of the design, proved on the code itself: each is kept, and a breach would be noticed."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import tablectl

PACKAGE = Path(tablectl.__file__).parent
ROOT = PACKAGE.parent
LINTER = Path(sys.executable).with_name("lint-imports")

BREACHES = {
    "one-direction": ("layout.py", "from tablectl.core import sensed"),
    "shells-apart": ("shell/journal/__init__.py", "from tablectl.shell import panel"),
    "pure-core": ("core/facts.py", "import time"),
    "sim-outside": ("sim/__init__.py", "from tablectl.core import table"),
    "wire-alone": ("wire.py", "from tablectl import errors"),
}
"""For each contract of pyproject.toml, a file and the line that would break it there."""


PURE = frozenset({
    "__future__", "ast", "bisect", "collections", "copy", "dataclasses", "difflib", "enum", "functools",
    "heapq", "itertools", "math", "operator", "pydantic", "re", "reprlib", "tablectl", "types", "typing",
})  # fmt: skip
"""What the core may import: no clock, no file, no task, no log, no chance."""


def imports(path: Path) -> Iterator[str]:
    """Every module that the file imports at run time, also inside functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for block in ast.walk(tree):
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test):
            block.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "." * node.level


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINTER, "--no-cache", "--no-logo"],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_every_contract_has_a_breach_to_be_noticed() -> None:
    """A contract that is added to pyproject.toml gets a breach here, so that none is only decoration."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert {contract["id"] for contract in settings["tool"]["importlinter"]["contracts"]} == set(BREACHES)


def test_all_contracts_are_kept_and_a_breach_of_each_is_noticed(tmp_path: Path) -> None:
    """The linter passes on the code as it is; one forbidden import a contract breaks each."""
    shutil.copytree(PACKAGE, tmp_path / "tablectl", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    clean = lint(tmp_path)
    assert clean.returncode == 0, clean.stdout + clean.stderr
    for file, line in BREACHES.values():
        with (tmp_path / "tablectl" / file).open("a", encoding="utf-8") as target:
            target.write(f"\n{line}\n")
    broken = lint(tmp_path)
    assert broken.returncode == 1
    assert f"Contracts: 0 kept, {len(BREACHES)} broken." in broken.stdout


@pytest.mark.parametrize("path", sorted((PACKAGE / "core").rglob("*.py")), ids=lambda path: path.name)
def test_the_core_calls_no_clock_and_opens_nothing(path: Path) -> None:
    """No module of the core prints, opens, asks or waits: not by import, not by a builtin, not by await."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}
    asynchronous = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    assert not any(isinstance(node, asynchronous) for node in ast.walk(tree))
    assert {name.partition(".")[0] for name in imports(path)} <= PURE


def test_the_wire_imports_only_what_micropython_has() -> None:
    """The firmware runs the same file: nothing of ours, nothing that MicroPython lacks."""
    assert set(imports(PACKAGE / "wire.py")) <= {"binascii", "struct", "micropython"}


def test_nothing_dead_is_depended_on() -> None:
    """Libraries that are abandoned or unfit stay out, in the code and among the dependencies."""
    dead = {"serial_asyncio", "asyncio_mqtt", "hbmqtt", "pigpio", "fluent", "construct", "crcmod"}
    for path in PACKAGE.rglob("*.py"):
        assert not {name.partition(".")[0] for name in imports(path)} & dead, path


def test_every_module_says_what_it_is() -> None:
    """Every module opens with a docstring, and none has grown past what one sitting can read."""
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert ast.get_docstring(ast.parse(text)), f"{path}: no docstring"
        assert text.count("\n") <= 500, f"{path}: {text.count(chr(10))} lines"
