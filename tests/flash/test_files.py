"""The files of a firmware: built, listed, checked, and found wherever tablectl is installed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import tablectl
from tablectl import __version__, wire
from tablectl.errors import UsageError
from tablectl.firmware import load, release

ROOT = Path(tablectl.__file__).parents[1]
SOURCES = {path.name: path.read_bytes() for path in (ROOT / "firmware").glob("*.py")}


def build(folder: Path, *, cwd: Path = ROOT, path: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """`tablectl firmware build`, of the tablectl that is found at `path`."""
    return subprocess.run(
        [sys.executable, "-m", "tablectl.cli", "firmware", "build", str(folder)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": str(path)},
    )


def test_a_set_is_every_file_of_the_firmware_the_wire_and_the_version() -> None:
    """Nothing else, and byte for byte; the version is the package's."""
    files = release()
    assert set(files.files) == {*SOURCES, "wire.py", "version.py"}
    assert {name: files.files[name] for name in SOURCES} == SOURCES
    assert files.files["wire.py"] == Path(wire.__file__).read_bytes()
    assert files.version == __version__
    assert files.in_order[-1] == ("main.py" if "main.py" in SOURCES else files.in_order[-1])


def test_a_built_folder_has_sums_that_sha256sum_takes(tmp_path: Path) -> None:
    """The list holds for coreutils, too; a second build removes what an earlier one left there, and nothing else."""
    done = build(tmp_path / "dist" / "firmware")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "dist" / "firmware"
    check = subprocess.run(
        ["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=folder, capture_output=True, check=False
    )
    assert check.returncode == 0
    assert len(check.stdout.splitlines()) == len(release().files)
    assert load(folder) == release()
    before = (folder / "SHA256SUMS").read_bytes()
    (folder / "of_an_older_version.py").write_text("")
    (folder / "mine.py").write_text("")
    with (folder / "SHA256SUMS").open("a") as sums:
        sums.write(f"{'0' * 64}  of_an_older_version.py\n{'0' * 64}  ../../kept.py\n")
    (tmp_path / "kept.py").write_text("")
    assert build(folder).returncode == 0
    assert not (folder / "of_an_older_version.py").exists()
    assert (folder / "mine.py").exists()
    assert (tmp_path / "kept.py").exists()
    assert (folder / "SHA256SUMS").read_bytes() == before


def test_the_version_that_the_board_runs_is_the_stamped_one(tmp_path: Path) -> None:
    """`version.py` is plain Python for MicroPython: it gives VERSION."""
    build(tmp_path)
    vm = Path(sys.executable).with_name("micropython")
    said = subprocess.run(
        [vm, "-c", "import version; print(version.VERSION)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == __version__


@pytest.mark.parametrize("spoil", ["changed", "missing", "unlisted", "no list", "strange list"])
def test_a_folder_that_is_not_what_it_lists_is_refused(tmp_path: Path, spoil: str) -> None:
    """A changed, missing or unlisted file, a list that is none: named, with what would be right."""
    release().write(tmp_path)
    if spoil == "changed":
        (tmp_path / "wire.py").write_bytes(b"# not it\n")
    elif spoil == "missing":
        (tmp_path / "wire.py").unlink()
    elif spoil == "unlisted":
        (tmp_path / "extra.py").write_bytes(b"")
    elif spoil == "no list":
        (tmp_path / "SHA256SUMS").unlink()
    else:
        (tmp_path / "SHA256SUMS").write_text(hashlib.sha256().hexdigest() + "  ../wire.py\n")
    with pytest.raises(UsageError) as caught:
        load(tmp_path)
    named = {"changed": "wire.py", "missing": "wire.py", "unlisted": "extra.py"}.get(spoil, "SHA256SUMS")
    assert str(tmp_path / named) in str(caught.value)


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """Exit status 2 and the path, no traceback."""
    (tmp_path / "file").write_text("")
    done = build(tmp_path / "file" / "below")
    assert done.returncode == 2
    assert str(tmp_path / "file") in done.stderr
    assert "Traceback" not in done.stderr


def test_an_installed_wheel_brings_the_firmware(tmp_path: Path) -> None:
    """Built from this checkout, unpacked elsewhere and run from there: the same files as here."""
    wheel = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(wheel, cwd=ROOT, check=True, capture_output=True, timeout=100)
    [built] = (tmp_path / "dist").glob(f"tablectl-{__version__}-*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(built) as packed:
        packed.extractall(site)
    done = build(tmp_path / "files", cwd=tmp_path, path=site)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "files" / "SHA256SUMS").read_text() == release().sums()


def test_a_package_without_the_files_says_so(tmp_path: Path) -> None:
    """Somebody packed tablectl without its firmware: exit status 2, and what to do."""
    with zipfile.ZipFile(tmp_path / "bare.zip", "w") as packed:
        for path in (ROOT / "tablectl").rglob("*.py"):
            packed.write(path, path.relative_to(ROOT))
    with zipfile.ZipFile(tmp_path / "bare.zip") as packed:
        packed.extractall(tmp_path / "bare")
    done = build(tmp_path / "files", cwd=tmp_path, path=tmp_path / "bare")
    assert done.returncode == 2
    assert "came without the firmware's files; install tablectl again" in done.stderr
