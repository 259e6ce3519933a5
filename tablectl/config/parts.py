"""The sections of a configuration, each by itself, for whoever looks for what is wrong.

Owns: `Parts`, what can be said of a table although something in its file is not right. Refuses: running a table with
it: nothing starts half-configured (`config.load`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from tablectl.cards import Deck
from tablectl.config.drivers import DRIVERS
from tablectl.config.model import DisplaySection, FloorSection, JournalSection, ReaderSection
from tablectl.config.opened import at
from tablectl.config.panel import PanelSection

_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Parts:
    """What stands in a file and fits by itself; None where a section does not."""

    table: str | None = None
    readers: Mapping[int, ReaderSection] = field(default_factory=dict)
    unreadable: tuple[int, ...] = ()
    """The numbers of the readers whose sections do not fit."""
    panel: PanelSection | None = None
    display: DisplaySection | None = None
    journal: Path | None = None
    floor: FloorSection | None = None
    decks: tuple[Deck, ...] = ()
    active_deck: str | None = None

    @property
    def ports(self) -> dict[int, str]:
        """Reader → the name of its port."""
        return {number: each.port for number, each in self.readers.items()}


def parts_of(raw: Mapping[str, Any], folder: Path, decks: tuple[Deck, ...], active: str | None) -> Parts:
    """The parts of a file whose sections are `raw`, and whose paths start at `folder`."""
    named = raw["table"].get("id")
    readers = {number: _reader(given) for number, given in enumerate(raw["reader"])}
    journal = _fits(JournalSection, raw["journal"])
    display = _fits(DisplaySection, raw["display"])
    return Parts(
        table=named if isinstance(named, str) else None,
        readers={number: each for number, each in readers.items() if each is not None},
        unreadable=tuple(number for number, each in readers.items() if each is None),
        panel=_fits(PanelSection, raw["panel"]),
        display=at(folder, display) if display is not None else None,
        journal=folder / journal.path if journal is not None else None,
        floor=_fits(FloorSection, raw["floor"]) if raw["floor"] else None,
        decks=decks,
        active_deck=active,
    )


def _reader(given: Mapping[str, Any]) -> ReaderSection | None:
    reader = _fits(ReaderSection, given)
    known = reader is not None and reader.driver in DRIVERS and "?" not in reader.antennas.values()
    return reader if known else None


def _fits(model: type[_Model], given: Mapping[str, Any]) -> _Model | None:
    """The section, without keys that it does not know; None if a value does not fit."""
    try:
        return model.model_validate({key: given[key] for key in given if key in model.model_fields})
    except ValidationError:
        return None
