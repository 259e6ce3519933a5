"""The tables that the README quotes, each between two markers of its own.

Owns: where a table goes, and how rows become Markdown. Refuses: what is in them (`big`, `limits`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tablectl.errors import UsageError


def markers(name: str) -> tuple[str, str]:
    """The lines between which the table of that name stands."""
    return f"<!-- {name} -->", f"<!-- /{name} -->"


def parts(readme: Path, name: str) -> tuple[str, str]:
    """What stands before and behind the table. UsageError if the README has no place for it."""
    begin, end = markers(name)
    text = readme.read_text(encoding="utf-8")
    before, begun, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not begun or not ended:
        raise UsageError(
            f"{readme}: must have a line {begin} and below it a line {end}; the table goes between them"
        )
    return before, after


def fill(readme: Path, name: str, table: str) -> None:
    """Put the table between its markers. UsageError if they are not there."""
    before, after = parts(readme, name)
    begin, end = markers(name)
    readme.write_text(f"{before}{begin}\n{table}\n{end}{after}", encoding="utf-8")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
