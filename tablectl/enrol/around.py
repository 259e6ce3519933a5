"""What is around a deck that is enrolled: the antenna on which its cards are laid, and the tags that are taken.

Owns: finding both from a table's configuration or from what was said instead. Refuses: reading tags.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tablectl.cards import Deck
from tablectl.config import Config, drivers, load_to_enrol
from tablectl.config.decks import read_deck
from tablectl.enrol.desk import Spot
from tablectl.enrol.tags import Taken
from tablectl.errors import UsageError
from tablectl.shell.readers import DRIVERS


@dataclass(frozen=True)
class Around:
    """The antenna, whether card names may be written down, and the tags that are no cards of this deck."""

    spot: Spot
    open: bool
    taken: Taken
    audit_key: Path | None = None
    """The public audit key that the table's configuration names."""


def at_table(deck_file: Path, table: Path, zone: str, *, open_asked: bool) -> Around:
    """At an antenna of that table. UsageError if it has none there or is blind; ConfigError if its file is wrong."""
    config = load_to_enrol(table, deck_file)
    is_open = config.table.mode == "open"
    if open_asked and not is_open:
        right = 'its deck files must not name the cards. For an open table set mode = "open"'
        raise UsageError(f"--open: the table of {table} is blind; {right}")
    spots = list(_spots(config))
    spot = next((each for each in spots if each.zone == zone), None)
    if spot is None:
        zones = ", ".join(dict.fromkeys(each.zone for each in spots))
        raise UsageError(f"--at {zone}: this table has no antenna there; it has {zones}")
    tags = frozenset(config.table.button_tags)
    return Around(spot, is_open, Taken(tags, _decks(deck_file, config.decks)), config.journal.audit_key)


def at_port(
    deck_file: Path, port: str, driver: str | None, antenna: int | None, *, open_asked: bool
) -> Around:
    """At a reader that belongs to no table; its first antenna if none is named.

    UsageError if there is no such driver, or its devices have no such antenna.
    """
    if driver is None or driver not in DRIVERS:
        given = "--driver is missing" if driver is None else f"--driver {driver}"
        raise UsageError(f"{given}: must be one of {', '.join(DRIVERS)}")
    demands = drivers.DRIVERS[driver]
    number = demands.antennas[0] if antenna is None else antenna
    if number not in demands.antennas:
        raise UsageError(f"--antenna {number}: {demands.right}")
    # The zone is only a name here; no driver treats one apart from another.
    return Around(Spot(driver, port, number, "aside"), open_asked, Taken(decks=_decks(deck_file, ())))


def _spots(config: Config) -> Iterator[Spot]:
    for number, reader in enumerate(config.readers):
        for antenna, zone in sorted(reader.antennas.items()):
            yield Spot(reader.driver, reader.port, antenna, zone, number)


def _decks(deck_file: Path, configured: tuple[Deck, ...]) -> tuple[Deck, ...]:
    """The table's other decks, and those whose files lie beside this one."""
    found = {deck.id: deck for deck in configured}
    for path in sorted(deck_file.absolute().parent.glob("*.toml")):
        if path.resolve() != deck_file.resolve():
            deck, faults = read_deck(path, str(path))
            if deck is not None and not faults:
                found.setdefault(deck.id, deck)
    return tuple(found.values())
