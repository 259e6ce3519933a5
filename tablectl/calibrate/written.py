"""The figures written into a configuration, and nothing else changed there.

Owns: `[reader.calibration.N]` in the file's own TOML, comments and order kept, and the copy of the file before.
Refuses: figures of an antenna that was not measured: what stands there stays.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT

from tablectl.errors import UsageError
from tablectl.layout import Antenna
from tablectl.whole import write_whole

Figures = Mapping[Antenna, Mapping[str, float | int]]


def must_take(path: Path, antennas: Iterable[Antenna]) -> None:
    """Try beforehand whether figures of these antennas can be written. UsageError if not."""
    try:
        text = path.read_text(encoding="utf-8")
        try:
            with_figures(text, {antenna: {"read": 0.5} for antenna in antennas})
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None
        if not os.access(path.parent, os.W_OK):
            raise UsageError(f"{path}: its folder may not be written by this user; ask again with sudo")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: is not a TOML file: {error}") from None


def write(path: Path, figures: Figures) -> Path:
    """Write the figures into the file; returns where the file as it was is kept.

    A power cut leaves the old file or the new one. UsageError if the file cannot be read or written, or has not these
    readers.
    """
    try:
        before = path.read_text(encoding="utf-8")
        after = with_figures(before, figures)
        copy = _free(path)
        write_whole(copy, before, path.stat().st_mode & 0o777)
        write_whole(path, after)
    except OSError as error:
        raise UsageError(f"{error.filename or path}: cannot be written: {error.strerror}") from None
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: is not a TOML file: {error}") from None
    return copy


def with_figures(text: str, figures: Figures) -> str:
    """The configuration with these figures. UsageError if it has not these readers."""
    document = tomlkit.parse(text)
    readers = document.get("reader")
    last = max((reader for reader, _ in figures), default=-1)
    if not isinstance(readers, AoT) or last >= len(readers):
        raise UsageError(f"the file has no [[reader]] number {last}, counted from 0: it is of another table")
    for (reader, antenna), values in sorted(figures.items()):
        section = readers[reader]
        if "calibration" not in section:
            section["calibration"] = tomlkit.table(is_super_table=True)
        calibration: Any = section["calibration"]
        there = str(antenna) in calibration
        if not there:
            calibration[str(antenna)] = tomlkit.table()
        for name, value in values.items():
            calibration[str(antenna)][name] = value
        if not there:
            calibration[str(antenna)].add(tomlkit.nl())
    made = tomlkit.dumps(document)
    if _without(tomllib.loads(made)) != _without(tomllib.loads(text)):
        raise UsageError(
            "the file is written in a way that cannot be changed safely; add the figures by hand"
        )
    return made


def _without(data: dict[str, Any]) -> dict[str, Any]:
    """A configuration without its calibration, which alone may change."""
    readers = [{key: value for key, value in each.items() if key != "calibration"} for each in data["reader"]]
    return {**data, "reader": readers}


def _free(path: Path) -> Path:
    """A name for the copy that is not taken: an earlier one is never overwritten."""
    number = 0
    while (copy := path.with_name(f"{path.name}.bak{number or ''}")).exists():
        number += 1
    return copy
