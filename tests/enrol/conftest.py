"""The desk of the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from enrol_desk import AtDesk, Desk


@pytest.fixture
def at_desk(tmp_path: Path) -> Iterator[AtDesk]:
    """Starts `tablectl enrol` with these arguments, at a reader of its own unless they say otherwise."""
    desks: list[Desk] = []

    def start(*arguments: object, keyboard: bool = True) -> Desk:
        if not {"--table", "--port"} & set(map(str, arguments)):
            arguments = (*arguments, "--port", tmp_path / "board", "--driver", "tablewire")
        for desk in desks:
            desk.close()
        desks.clear()
        desks.append(Desk(tmp_path, *arguments, keyboard=keyboard))
        return desks[-1]

    yield start
    for desk in desks:
        desk.close()
