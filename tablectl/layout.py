"""Zones of a table and the antennas that see them.

Owns: the zone names of the contract (`seat:3`, `board:turn`, …) and the map antenna → zone of one table.
Refuses: anything about cards or rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType

SHOE = "shoe"
BOARD = "board"
BOARD_STREETS = ("board:flop", "board:turn", "board:river")
BURN = "burn"
MUCK = "muck"
ASIDE = "aside"
MAX_SEATS = 10

Antenna = tuple[int, int]
"""(reader number, antenna number on that reader), both counted from 0."""


def seat_zone(seat: int) -> str:
    """The zone of a seat: `seat:3`."""
    return f"seat:{seat}"


@lru_cache(maxsize=128)  # a table has a few dozen zones, and each is asked about thousands of times a second
def seat_of(zone: str) -> int | None:
    """The seat number of `seat:3`, `seat:3/up` or `seat:3/down`; None for any other zone."""
    if not zone.startswith("seat:"):
        return None
    return int(zone[5:].partition("/")[0])


def is_board(zone: str) -> bool:
    """True for `board` and for the zones of a board with one antenna field per street."""
    return zone == BOARD or zone.startswith("board:")


def is_community(zone: str) -> bool:
    """True for the board and the burn pile: where the cards go that belong to no seat."""
    return zone == BURN or is_board(zone)


def zone_names(seats: int) -> tuple[str, ...]:
    """Every zone name a table with that many seats may use."""
    per_seat = [f"seat:{n}{part}" for n in range(1, seats + 1) for part in ("", "/up", "/down")]
    return (SHOE, *per_seat, BOARD, *BOARD_STREETS, BURN, MUCK, ASIDE)


@dataclass(frozen=True)
class Layout:
    """The antennas of one table: which zone each one sees, and how many seats there are."""

    seats: int
    antennas: Mapping[Antenna, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "antennas", MappingProxyType(dict(self.antennas)))

    @cached_property
    def zones(self) -> frozenset[str]:
        """The zones that have at least one antenna."""
        return frozenset(self.antennas.values())

    @cached_property
    def board_zones(self) -> tuple[str, ...]:
        """The zones of the board that have an antenna, in dealing order."""
        return tuple(zone for zone in (BOARD, *BOARD_STREETS) if zone in self.zones)

    def of_reader(self, reader: int) -> frozenset[str]:
        """The zones that the given reader serves."""
        return frozenset(zone for (number, _), zone in self.antennas.items() if number == reader)
