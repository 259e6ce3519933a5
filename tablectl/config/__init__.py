"""A table's configuration: one TOML file and the deck files it names, checked as a whole.

Owns: `load` (file → Config, or every fault of it at once), and the configuration as it stands in the first
line of a recording. Nothing starts half-configured.
Refuses: what the sections hold (`config.model`, `config.panel`), TOML itself (`config.faults`), deck files
(`config.decks`), and everything that happens at run time: a port that is not there is waited for, not refused.

Paths in the file are relative to the folder of the file. The journal is `journal.sqlite` beside the
configuration unless `[journal] path` says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel

from tablectl import rulebooks
from tablectl.cards import FACES, Deck
from tablectl.config.cross import (
    active_faults,
    antenna_map,
    button_faults,
    calibration_map,
    deck_faults,
    driver_faults,
    name_faults,
    pin_faults,
    port_faults,
    port_notes,
    seats_of,
    zone_faults,
)
from tablectl.config.decks import deck_notes, read_deck
from tablectl.config.faults import (
    TomlFile,
    joined,
    listed,
    nearest,
    shape_faults,
    shortened,
    unknown_key,
)  # fmt: skip
from tablectl.config.kept import key_faults as audit_faults
from tablectl.config.kept import key_notes, placed
from tablectl.config.keys import bound, key_faults
from tablectl.config.model import (
    CalibrationSection,
    DeckSection,
    DisplaySection,
    FloorSection,
    JournalSection,
    ReaderSection,
    TableSection,
    TrackerSection,
)
from tablectl.config.panel import PanelSection, button_notes, pattern_faults
from tablectl.config.parts import Parts, parts_of
from tablectl.core.riffle import USUAL_P
from tablectl.core.settings import Calibration
from tablectl.errors import ABSENT, ConfigError, Fault, RulebookError
from tablectl.layout import SHOE, Layout

SECTIONS: Mapping[str, type[BaseModel]] = {
    "table": TableSection,
    "panel": PanelSection,
    "display": DisplaySection,
    "journal": JournalSection,
    "floor": FloorSection,
    "tracker": TrackerSection,
}
LISTS: Mapping[str, type[BaseModel]] = {"deck": DeckSection, "reader": ReaderSection}
KEYS = "keys"
"""The section whose keys are keys: its shape is checked by `config.keys`."""

_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True)
class Config:
    """A configuration in which everything fits; its `warnings` are for the installer and stop nothing."""

    table: TableSection
    decks: tuple[Deck, ...]
    active_deck: str | None
    """The id of the deck in play when the table starts; None only in a recording without decks."""
    readers: tuple[ReaderSection, ...]
    panel: PanelSection = field(default_factory=PanelSection)
    display: DisplaySection = field(default_factory=DisplaySection)
    journal: JournalSection = field(default_factory=JournalSection)
    floor: FloorSection | None = None
    tracker: TrackerSection = field(default_factory=TrackerSection)
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType(bound({})))
    """What each key enters while the display has the focus, the defaults included."""
    warnings: tuple[str, ...] = ()

    def in_language(self, code: str) -> Config:
        """The same table with another language, one of `core.entries.LANGUAGES`."""
        return replace(self, table=self.table.model_copy(update={"language": code}))

    def layout(self) -> Layout:
        """The antennas of the table, by reader and antenna number."""
        antennas = {
            (number, antenna): zone
            for number, reader in enumerate(self.readers)
            for antenna, zone in reader.antennas.items()
        }
        return Layout(self.table.seats, antennas)

    def calibration(self) -> dict[str, Calibration]:
        """Zone → what was measured there; of several antennas over one zone the mean of those that were measured."""
        measured: dict[str, list[CalibrationSection]] = {}
        for reader in self.readers:
            for antenna, each in reader.calibration.items():
                measured.setdefault(reader.antennas[antenna], []).append(each)
        return {zone: _mean(each) for zone, each in measured.items()}

    def shuffle_p(self) -> float:
        """Cards that come so improbably in the order in which they were picked up are asked about; 0: never."""
        given = self.tracker.shuffle_p
        if given is not None:
            return given
        return USUAL_P if SHOE in self.layout().zones else 0.0

    def as_recording(self) -> dict[str, Any]:
        """`config` in the first line of a recording: JSON-ready, without the floor's address and players' names."""
        sections = {
            "table": self.table,
            "panel": self.panel,
            "display": self.display,
            "journal": self.journal,
            "tracker": self.tracker,
        }
        out: dict[str, Any] = {
            name: section.model_dump(mode="json", exclude_none=True) for name, section in sections.items()
        }
        del out["table"]["names"]  # nothing follows from them, and a recording is handed on
        out["reader"] = [reader.model_dump(mode="json", exclude_defaults=True) for reader in self.readers]
        return out


def _mean(measured: Sequence[CalibrationSection]) -> Calibration:
    """What to expect of a zone of which any of its antennas makes the next look."""
    reads = [each.read for each in measured if each.read is not None]
    spreads = [each.spread for each in measured if each.spread is not None]
    strengths = [each.strength for each in measured if each.strength is not None]
    return Calibration(
        read=fmean(reads) if reads else None,
        spread=fmean(spreads) if spreads else None,
        strength=round(fmean(strengths)) if strengths else None,
    )


def load(path: Path) -> Config:
    """The configuration in that file. ConfigError holds every fault of it and of the deck files it names."""
    file = TomlFile(path, str(path))
    if file.data is None:
        raise ConfigError(file.faults)
    reading = _Reading(str(path), path.absolute().parent, lenient=False)
    reading.faults += file.faults
    reading.read(file.data)
    reading.read_deck_files()
    return reading.config()


def load_parts(path: Path) -> Parts:
    """As much of the configuration in that file as fits section by section: for looking, not for running."""
    file = TomlFile(path, str(path))
    if file.data is None:
        return Parts()
    reading = _Reading(str(path), path.absolute().parent, lenient=False)
    reading.read(file.data)
    reading.read_deck_files()
    decks = tuple(deck for _, deck in reading.decks)
    return parts_of(reading.raw, reading.folder, decks, reading.active)


def load_to_enrol(path: Path, target: Path) -> Config:
    """The same for a table of which the deck file `target` is being written, without that deck.

    Deck files that are not there yet are no faults, nor is a table without a deck in play.
    """
    file = TomlFile(path, str(path))
    if file.data is None:
        raise ConfigError(file.faults)
    reading = _Reading(str(path), path.absolute().parent, lenient=False)
    reading.faults += file.faults
    reading.read(file.data)
    reading.read_deck_files(but=target)
    return reading.config()


def from_recording(
    config: Mapping[str, Any],
    decks: Sequence[Deck],
    active_deck: str | None,
    *,
    shown: str = "recording",
    rulebook: str | None = None,
) -> Config:
    """The configuration of a recording (`recording.Header`), which may come from another table and version.

    Unknown keys pass; display, journal, panel and floor are left at their defaults; ports need not exist; the
    decks are the recording's. `rulebook` replaces the recording's own. ConfigError holds every fault.
    """
    reading = _Reading(shown, Path.cwd(), lenient=True)
    data: dict[str, Any] = {name: config[name] for name in ("table", "reader", "tracker") if name in config}
    if isinstance(data.get("table"), dict):
        chosen = {"rulebook": rulebook} if rulebook is not None else {}
        data["table"] = {"id": "-", **data["table"], **chosen}
    reading.read(data)
    reading.decks = [(shown, deck) for deck in decks]
    reading.active = active_deck
    return reading.config()


class _Reading:
    """One reading of a configuration: collects sections and faults; `config()` gives one or the other."""

    def __init__(self, shown: str, folder: Path, *, lenient: bool) -> None:
        self.shown = shown
        self.folder = folder
        self.lenient = lenient
        self.faults: list[Fault] = []
        self.warnings: list[str] = []
        self.raw: dict[str, Any] = {}
        self.decks: list[tuple[str, Deck]] = []
        self.active: str | None = None

    def fault(self, key: str, value: object, right: str) -> None:
        self.faults.append(Fault(self.shown, key, shortened(value), right))

    def read(self, data: Mapping[str, Any]) -> None:
        """Check every section by itself, then what needs two of them."""
        known = (*SECTIONS, *LISTS, KEYS)
        for key in data:
            if key not in known:
                self.fault(key, data[key], unknown_key(key, known))
        for name, model in SECTIONS.items():
            self.raw[name] = self._table(data, name, required=name == "table")
            if name in data or name == "table":
                self._shape(model, self.raw[name], name)
        self.raw |= {name: self._array(data, name) for name in LISTS}
        self._readers()
        self._table_words()
        seats = seats_of(self.raw["table"])
        if not self.lenient:
            self.faults += port_faults(self.raw["reader"], self.shown)
            self.faults += audit_faults(self.raw["journal"], self.folder, self.shown)
        self.faults += pin_faults(self.raw["panel"], seats, self.shown)
        self.faults += pattern_faults(self.raw["panel"], self.shown)
        self.raw[KEYS] = self._table(data, KEYS, required=False)
        self.faults += key_faults(self.raw[KEYS], seats, self.shown)
        self.faults += name_faults(self.raw["table"].get("names"), seats, self.shown)
        self._notes()

    def _table(self, data: Mapping[str, Any], name: str, *, required: bool) -> dict[str, Any]:
        section = data.get(name, ABSENT if required else {})
        if isinstance(section, dict):
            return dict(section)
        self.fault(name, section, f"must be a section, written [{name}]")
        return {}

    def _array(self, data: Mapping[str, Any], name: str) -> list[Any]:
        sections = data.get(name, [])
        if isinstance(sections, list) and all(isinstance(section, dict) for section in sections):
            return list(sections)
        self.fault(name, sections, f"must be written with double brackets, [[{name}]]")
        return [sections] if isinstance(sections, dict) else []

    def _shape(self, model: type[BaseModel], data: dict[str, Any], path: str) -> None:
        if self.lenient:
            for key in data.keys() - model.model_fields.keys():
                del data[key]
        if path == "table" and not data:
            return  # a missing section is one fault, not one for each of its keys
        self.faults += shape_faults(model, data, self.shown, path)

    def _readers(self) -> None:
        """Shape and antennas of every reader; the antenna map itself is checked number by number."""
        maps = []
        if not self.raw["reader"]:
            self.fault("reader", ABSENT, "no reader; add [[reader]] with driver, port and antennas")
        for number, given in enumerate(self.raw["reader"]):
            path = f"reader[{number}]"
            reader = dict(given)
            self._calibration(reader, path)
            antennas, faults = antenna_map(
                reader.get("antennas"), reader.get("driver"), self.shown, f"{path}.antennas"
            )
            self.faults += faults
            if antennas or faults:
                reader["antennas"] = antennas or {0: "?"}  # its faults are told already
            if not self.lenient:
                self.faults += driver_faults(reader.get("driver"), antennas, self.shown, path)
            else:
                reader |= {"driver": "tablewire", "port": str(reader.get("port") or "-")}
            self._shape(ReaderSection, reader, path)
            self.raw["reader"][number] = reader
            maps.append((path, antennas))
        if maps:
            self.faults += zone_faults(maps, seats_of(self.raw["table"]), self.shown)

    def _calibration(self, reader: dict[str, Any], path: str) -> None:
        """What was measured of the reader's antennas: each is checked by itself, then put into the reader."""
        if "calibration" not in reader:
            return
        path = f"{path}.calibration"
        figures, faults = calibration_map(reader["calibration"], reader.get("antennas"), self.shown, path)
        self.faults += faults
        for number, each in figures.items():
            before = len(self.faults)
            self._shape(CalibrationSection, each, joined(path, str(number)))
            if len(self.faults) > before:
                each.clear()  # its faults are told already
        reader["calibration"] = figures

    def _table_words(self) -> None:
        """The rulebook: a known name, or the path of a file, which must be a rulebook."""
        table = self.raw["table"]
        name = table.get("rulebook")
        if not isinstance(name, str) or not name or name in rulebooks.known():
            return
        if "/" not in name and not name.endswith(".toml"):
            right = f"must be {listed(rulebooks.known())}, or the path of a rulebook file (.toml)"
            self.fault("table.rulebook", name, right + nearest(name.lower(), rulebooks.known(), "."))
            return
        path = self.folder / name
        table["rulebook"] = str(path)
        try:
            rulebooks.load(str(path))
        except (RulebookError, OSError) as error:
            self.fault("table.rulebook", name, f"is not a rulebook that can be used: {error}")

    def _notes(self) -> None:
        panel = self.raw["panel"]
        if panel.get("pins", "none") == "none" and panel.keys() - {"pins"}:
            self.warnings.append(
                'panel.pins is "none": the lamps, buzzer and buttons named there are not used'
            )
        self.warnings += button_notes(panel, self.raw["table"].get("betting"))
        if not self.lenient:
            self.warnings += port_notes(self.raw["reader"])
            self.warnings += key_notes(self.raw["journal"], self.raw["table"].get("mode", "blind"))
        if self.raw["floor"]:
            self.warnings.append("floor: this version has no link to the floor yet; the section is not used")

    def read_deck_files(self, but: Path | None = None) -> None:
        """The decks of a configuration file, each in a file of its own; `but` is one that is being enrolled."""
        sections = self.raw["deck"]
        self.faults += active_faults(sections, self.shown) if but is None else ()
        for number, section in enumerate(sections):
            self.faults += shape_faults(DeckSection, section, self.shown, f"deck[{number}]")
            name = section.get("file")
            if not isinstance(name, str) or not name:
                continue
            path = self.folder / name
            if but is not None and (path.resolve() == but.resolve() or not path.exists()):
                continue
            deck, faults = read_deck(path, str(path))
            for fault in faults:
                if fault.key:
                    self.faults.append(fault)
                else:  # the file as a whole: what can be mended is the line that names it
                    self.fault(f"deck[{number}].file", name, f"{fault.right} ({path})")
            if deck is not None:
                self.decks.append((str(path), deck))
                self._faces(deck, str(path))
                self.warnings += deck_notes(deck, str(path), str(self.raw["table"].get("mode", "blind")))
                if section.get("active") is True:
                    self.active = deck.id
        self.faults += deck_faults(self.decks)
        self.faults += button_faults(self.raw["table"].get("button_tags"), self.decks, self.shown)

    def _faces(self, deck: Deck, shown: str) -> None:
        if self.raw["table"].get("mode") != "open":
            return
        for uid, token in deck.cards.items():
            if token not in FACES:
                right = 'an open table needs card names such as "As", "Td"; for tokens set mode = "blind"'
                self.faults.append(Fault(shown, f"cards.{uid}", shortened(token), right))
                return  # one is enough: the whole deck was enrolled blind

    def config(self) -> Config:
        """The configuration if nothing is wrong with it."""
        if self.faults:
            raise ConfigError(self.faults)
        journal, panel = self._built(JournalSection, "journal"), self._built(PanelSection, "panel")
        if panel.simulated_file is not None:
            panel = panel.model_copy(update={"simulated_file": self.folder / panel.simulated_file})
        return Config(
            table=self._built(TableSection, "table"),
            decks=tuple(deck for _, deck in self.decks),
            active_deck=self.active,
            readers=tuple(ReaderSection.model_validate(reader) for reader in self.raw["reader"]),
            panel=panel,
            display=self._built(DisplaySection, "display"),
            journal=placed(journal, self.folder),
            floor=self._built(FloorSection, "floor") if self.raw["floor"] else None,
            tracker=self._built(TrackerSection, "tracker"),
            keys=MappingProxyType(bound(self.raw[KEYS])),
            warnings=tuple(self.warnings),
        )

    def _built(self, model: type[_Model], name: str) -> _Model:
        return model.model_validate(self.raw[name])
