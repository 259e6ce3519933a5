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

POLL_PERIOD_MS: Mapping[str, int] = MappingProxyType({SHOE: 15, BOARD: 25, BURN: 40, MUCK: 120, ASIDE: 120})
"""How often a zone should be looked at, ms. The order of the deal hangs on the shoe, and no alarm may come sooner
than one about the board; a card in the muck is in no hurry, and a muck of twenty tags takes 100 ms to read."""
SEAT_PERIOD_MS = 40

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


def is_up(zone: str) -> bool | None:
    """True for the half of a seat where its up cards lie, False for the other half, None for any other zone."""
    return {"up": True, "down": False}.get(zone.partition("/")[2])


def lies_in(zone: str | None, place: str) -> bool:
    """The zone is the place, or a half of it: a card in `seat:3/up` lies at `seat:3`."""
    return zone is not None and (zone == place or zone.partition("/")[0] == place)


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


def poll_period(zone: str) -> int:
    """How often a zone should be looked at, ms; a board short of air time keeps the proportions."""
    return POLL_PERIOD_MS.get(zone.partition(":")[0], SEAT_PERIOD_MS)


@dataclass(frozen=True)
class Layout:
    """The antennas of one table: which zone each one sees, and how many seats there are."""

    seats: int
    antennas: Mapping[Antenna, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "antennas", MappingProxyType(dict(self.antennas)))

    def near(self, zone: str, other: str) -> bool:
        """The zones lie next to each other, so that the antenna of one may read a card that lies in the other.

        Seats are neighbours by number; the dealer sits between the first and the last one, with the shoe at his left
        and the muck at his right. The places of the middle are neighbours of one another.
        """
        return other in self._beside(zone)

    def _beside(self, zone: str) -> frozenset[str]:
        found = self._neighbours.get(zone)
        if found is None:
            found = frozenset(each for each in zone_names(self.seats) if self._touch(zone, each))
            self._neighbours[zone] = found
        return found

    def _touch(self, zone: str, other: str) -> bool:
        one, two = seat_of(zone), seat_of(other)
        if one is not None and two is not None:
            return abs(one - two) <= 1
        if one is None and two is None:
            return True
        seat, place = (one, other) if one is not None else (two, zone)
        return (seat, place) in {(1, SHOE), (self.seats, MUCK)}

    @cached_property
    def _neighbours(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def zones(self) -> frozenset[str]:
        """The zones that have at least one antenna."""
        return frozenset(self.antennas.values())

    @cached_property
    def _of_seat(self) -> Mapping[int, tuple[str, ...]]:
        whole = {seat: seat_zone(seat) for seat in range(1, self.seats + 1)}
        halves = {seat: (f"{zone}/down", f"{zone}/up") for seat, zone in whole.items()}
        found = {seat: tuple(half for half in halves[seat] if half in self.zones) for seat in whole}
        return {seat: found[seat] or (whole[seat],) for seat in whole}

    def seat_zones(self, seat: int) -> tuple[str, ...]:
        """The zones of a seat: one, or the halves where its down cards and its up cards lie."""
        return self._of_seat.get(seat) or (seat_zone(seat),)

    def tells_faces(self, seat: int) -> bool:
        """The seat has an antenna for its up cards and another one for its down cards."""
        return len(self.seat_zones(seat)) > 1

    def place_of(self, seat: int, *, up: bool) -> str:
        """Where a card of the seat lies that is dealt face up, or face down."""
        zones = self.seat_zones(seat)
        return zones[-1] if up else zones[0]

    @cached_property
    def board_zones(self) -> tuple[str, ...]:
        """The zones of the board that have an antenna, in dealing order."""
        return tuple(zone for zone in (BOARD, *BOARD_STREETS) if zone in self.zones)

    def of_reader(self, reader: int) -> frozenset[str]:
        """The zones that the given reader serves."""
        return frozenset(zone for (number, _), zone in self.antennas.items() if number == reader)
