"""Finished chunks on disk, so that an interrupted campaign goes on where it was.

Owns: the file of `--resume`: a first line with the campaign and the code it was measured with, then a line for each
finished chunk. Refuses: adding results up (`tally`).

A last line that a kill cut short is dropped. Results of another campaign, or of other code, are never mixed in.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import tablectl
from tablectl.bench.campaign import Campaign
from tablectl.errors import UsageError

FORMAT = 1
_NO_FIGURES = frozenset(
    {"accuracy", "big", "crew", "ledger", "limits", "plot", "readme", "report", "tally", "intervals"}
)
"""Modules of this package that only show or store what others measured."""
_MEASURES = ("bench", "config", "core", "recording", "rulebooks", "sim")


def code() -> str:
    """A digest of the code that makes the figures: the simulator, the core, the judge, the baselines."""
    root = Path(tablectl.__file__).parent
    files = [path for room in _MEASURES for path in sorted((root / room).rglob("*")) if path.is_file()]
    files += [root / "cards.py", root / "layout.py"]
    digest = hashlib.sha256()
    for path in files:
        shows = path.parent.name == "bench" and path.stem in _NO_FIGURES
        if path.suffix in {".py", ".toml"} and not shows:
            digest.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class Ledger:
    """The open file. UsageError if it is another campaign's, another program's, or somebody writes it now."""

    def __init__(self, path: Path, campaign: Campaign) -> None:
        self.path = path
        self.outcomes: list[dict[str, Any]] = []
        """What was finished before."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: IO[bytes] = path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise UsageError(
                f"{path}: another campaign is writing it now; wait for it or name another file"
            ) from None
        try:
            self._read(campaign)
        except BaseException:
            self._file.close()
            raise

    def _read(self, campaign: Campaign) -> None:
        self._file.seek(0)
        lines = self._file.read()
        whole = lines[: lines.rfind(b"\n") + 1]
        objects = self._objects(whole)
        first = next(objects, None)
        if first is None:
            if lines and not lines.startswith(b'{"accuracy"'[: len(lines)]):
                raise self._not_ours()
            self._file.truncate(0)
            self.add({"accuracy": FORMAT, "code": code(), "campaign": campaign.as_json()})
            return
        self._check(first, campaign)
        self.outcomes = list(objects)
        if len(whole) < len(lines):
            self._file.truncate(len(whole))

    def _objects(self, text: bytes) -> Iterator[dict[str, Any]]:
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                made = json.loads(line)
            except ValueError:
                made = None
            if not isinstance(made, dict) or not {"accuracy", "chunk"} & made.keys():
                if number == 1:
                    raise self._not_ours()
                raise UsageError(
                    f"{self.path}: line {number} is damaged; cut the file off before it, or start a new one"
                )
            yield made

    def _not_ours(self) -> UsageError:
        return UsageError(f"{self.path}: holds no results of `tablectl bench accuracy`; name a new file")

    def _check(self, first: Mapping[str, Any], campaign: Campaign) -> None:
        if first.get("accuracy") != FORMAT:
            raise self._not_ours()
        try:
            before = Campaign.of(first["campaign"])
        except (KeyError, TypeError):
            raise self._not_ours() from None
        if differences := campaign.differs(before):
            raise UsageError(
                f"{self.path}: was begun with other options ({'; '.join(differences)}); "
                "give the same, or name a new file"
            )
        if first.get("code") != code():
            raise UsageError(
                f"{self.path}: was measured with other code than this; its figures cannot be mixed, name a new file"
            )

    def add(self, made: Mapping[str, Any]) -> None:
        """One more line, written at once."""
        self._file.write(json.dumps(made, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
