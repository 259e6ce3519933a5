"""README's pictures: each one that it shows is part of the project."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]*\ssrc=\"([^\"]+)\"")
PNG = b"\x89PNG\r\n\x1a\n"


def shown() -> list[str]:
    """The files of the pictures in README, relative to the project."""
    found = [one or other for one, other in IMAGE.findall((ROOT / "README.md").read_text(encoding="utf-8"))]
    return [path for path in found if "://" not in path]


def test_readme_shows_a_calm_table_and_an_alarm() -> None:
    """Both pictures that `make screenshots` takes, as pictures and not as something else by that name."""
    assert {Path(path).name for path in shown()} >= {"calm.png", "display.png"}
    for path in shown():
        assert (ROOT / path).read_bytes().startswith(PNG), path


def test_every_picture_of_readme_is_tracked() -> None:
    """A file that lies here and is not committed is missing for everybody else (a copy without git has what it has)."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        assert all((ROOT / path).is_file() for path in shown())
        return
    known = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(shown()) <= set(known.stdout.splitlines())
