"""The enclosures: what stands in them fits, and OpenSCAD gets their measures.

Owns: reading `enclosure/sizes.toml`, the check that everything fits, the call of OpenSCAD.
Refuses: the shape of a box (`enclosure/box.scad`).
"""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.inputs import reading

HERE = Path(__file__).parent / "enclosure"
WALLS = ("south", "east", "north", "west")
LID_SCREWS = 4
"""One in each corner (`box.scad`)."""
Triple = tuple[float, float, float]


class BoxError(Exception):
    """OpenSCAD is not there, or failed."""


@dataclass(frozen=True)
class Board:
    """Something in a box: where its corner is, how big it is with all that stands on it, its holes; mm."""

    name: str
    at: Triple
    size: Triple
    holes: tuple[tuple[float, float], ...]

    def spans(self, axis: int) -> tuple[float, float]:
        """From where to where it reaches along an axis."""
        return self.at[axis], self.at[axis] + self.size[axis]


@dataclass(frozen=True)
class Opening:
    """A hole in a wall: where its middle is along the wall and above the floor, its size; mm."""

    wall: str
    at: tuple[float, float]
    size: tuple[float, float]
    says: str


@dataclass(frozen=True)
class Box:
    """A box: its inner size, boards and openings, and how it is printed; mm."""

    name: str
    inner: Triple
    boards: tuple[Board, ...]
    openings: tuple[Opening, ...]
    printing: Mapping[str, float]
    says: str

    def posts(self) -> list[list[float]]:
        """Posts from the floor: place and height; none through another board, which carries spacers instead."""
        return [[*place, board.at[2]] for board, place in self._holes() if not self._carried(board, place)]

    def spacers(self) -> int:
        """How many spacers carry a board above another one."""
        return sum(self._carried(board, place) for board, place in self._holes())

    def _holes(self) -> Iterator[tuple[Board, tuple[float, float]]]:
        for board in self.boards:
            for x, y in board.holes:
                yield board, (board.at[0] + x, board.at[1] + y)

    def _carried(self, board: Board, place: tuple[float, float]) -> bool:
        return any(_over(place, other) for other in self.boards if other.at[2] < board.at[2])


def _over(place: tuple[float, float], board: Board) -> bool:
    return all(
        low <= value <= high for value, (low, high) in zip(place, map(board.spans, (0, 1)), strict=True)
    )


def boxes(file: Path = HERE / "sizes.toml") -> dict[str, Box]:
    """All boxes by name. InputError: the file cannot be read."""
    with reading(file):
        return _boxes(tomllib.loads(file.read_text()))


def _boxes(data: Mapping[str, Any]) -> dict[str, Box]:
    return {
        name: Box(
            name,
            tuple(box["inner"]),
            tuple(
                Board(each, tuple(board["at"]), tuple(board["size"]), tuple(map(tuple, board["holes"])))
                for each, board in box["boards"].items()
            ),
            tuple(
                Opening(hole["wall"], tuple(hole["at"]), tuple(hole["size"]), hole["says"])
                for hole in box["openings"]
            ),
            data["print"],
            box["says"],
        )
        for name, box in data["boxes"].items()
    }


def faults(box: Box) -> list[str]:
    """What does not fit: boards beyond the walls or in one another, openings beyond their wall."""
    return [*_beyond(box), *_crowded(box), *_torn(box)]


def _beyond(box: Box) -> Iterator[str]:
    for board in box.boards:
        for axis in range(3):
            low, high = board.spans(axis)
            room = box.printing["clearance"] if axis < 2 else 0.0
            if low < room or high > box.inner[axis] - room:
                along = f"of {box.inner[axis]:g} mm along {'xyz'[axis]}"
                yield f"{board.name} reaches from {low:g} to {high:g} {along}"


def _crowded(box: Box) -> Iterator[str]:
    gap = box.printing["clearance"]
    for one, other in itertools.combinations(box.boards, 2):
        apart = [
            max(one.spans(axis)[0] - other.spans(axis)[1], other.spans(axis)[0] - one.spans(axis)[1])
            for axis in range(3)
        ]
        if max(apart) < gap:
            yield f"{one.name} and {other.name} are nearer than {gap:g} mm"


def _torn(box: Box) -> Iterator[str]:
    for hole in box.openings:
        length = box.inner[0 if hole.wall in ("south", "north") else 1]
        for middle, size, most in zip(hole.at, hole.size, (length, box.inner[2]), strict=True):
            if middle - size / 2 < 0 or middle + size / 2 > most:
                yield f"the opening for {hole.says} is beyond the {hole.wall} wall"


def definitions(box: Box, part: str) -> list[str]:
    """OpenSCAD's -D arguments for a box."""
    values: dict[str, object] = {
        "inner": box.inner,
        "wall": box.printing["wall"],
        "floor_": box.printing["floor"],
        "post": box.printing["post"],
        "screw": box.printing["screw"],
        "round_": box.printing["round"],
        "lid": box.printing["lid"],
        "posts": box.posts(),
        "openings": [[WALLS.index(hole.wall), *hole.at, *hole.size] for hole in box.openings],
        "boards": [[board.at, board.size] for board in box.boards],
        "names": [board.name for board in box.boards],
        "part": part,
    }
    return [f"-D{name}={json.dumps(value)}" for name, value in values.items()]


def render(box: Box, part: str, file: Path) -> None:
    """A picture (.png) or a model to print (.stl) of a box by OpenSCAD. BoxError: it is not there, or failed."""
    command = ["openscad", "-o", str(file), *definitions(box, part), str(HERE / "box.scad")]
    if file.suffix == ".png":
        command += [
            "-Dlabels=true",
            "--imgsize=1400,1000",
            "--camera=0,0,0,38,0,12,500",
            "--colorscheme=Tomorrow",
            "--viewall",
            "--autocenter",
        ]
        command = ["xvfb-run", "-a", *command]
    for program in {command[0], "openscad"}:
        if shutil.which(program) is None:
            raise BoxError(f"{program} is not installed: apt-get install openscad xvfb xauth")
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)  # noqa: S603 - Debian's
    if done.returncode or not file.exists():
        raise BoxError(f"OpenSCAD failed: {done.stderr[-400:]}")
    if "WARNING" in done.stderr:
        raise BoxError(done.stderr[-400:])
