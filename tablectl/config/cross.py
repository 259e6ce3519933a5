"""What is wrong between the keys of a table configuration, each of which may be right by itself.

Owns: the checks that need two keys at once: every seat has an antenna, every antenna one zone and a
device that has it, every calibration an antenna, every pin one purpose, every port one reader, one deck in play.
They read the raw data, so that they speak even when another key of the same section is wrong.
Refuses: the shape of one key (`config.model`) and reading files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from tablectl.cards import Deck, normal_uid
from tablectl.config.drivers import DRIVERS, LAST_ANTENNA
from tablectl.config.faults import joined, nearest, shortened
from tablectl.config.panel import PIN_KEYS
from tablectl.errors import ABSENT, Fault
from tablectl.layout import BOARD, BOARD_STREETS, MAX_SEATS, seat_of, seat_zone, zone_names

NUMBERED_PORTS = ("/dev/ttyUSB", "/dev/ttyACM")
"""USB serial ports by the number that the kernel gave them."""


def seats_of(table: Any) -> int | None:
    """The number of seats, if it is one that a table can have."""
    seats = table.get("seats") if isinstance(table, dict) else None
    return seats if type(seats) is int and 2 <= seats <= MAX_SEATS else None


def antenna_map(raw: Any, driver: Any, shown: str, path: str) -> tuple[dict[int, str], list[Fault]]:
    """Antenna number → zone as written in one reader, and what is wrong with the numbers."""
    antennas: dict[int, str] = {}
    faults: list[Fault] = []
    if not isinstance(raw, dict):
        return antennas, faults
    for name, zone in raw.items():
        key = str(name)
        where = joined(path, key)
        number = _antenna_number(key)
        if number is None:
            known = DRIVERS.get(driver) if isinstance(driver, str) else None
            right = _no_antenna_number(key) if known is None else known.right
            faults.append(Fault(shown, where, shortened(zone), right))
        elif number in antennas:
            right = f"antenna {number} is mapped twice; the first says {antennas[number]!r}"
            faults.append(Fault(shown, where, shortened(zone), right))
        elif not isinstance(zone, str):
            faults.append(Fault(shown, where, shortened(zone), 'must be the name of a zone such as "seat:1"'))
        else:
            antennas[number] = zone
    return antennas, faults


def _antenna_number(key: str) -> int | None:
    number = int(key) if key.isascii() and key.isdigit() and len(key) < 4 else None
    return number if number is not None and number <= LAST_ANTENNA else None


def _no_antenna_number(key: str) -> str:
    return f"antenna numbers go from 0 to {LAST_ANTENNA}; {shortened(key)!r} is none"


def driver_faults(driver: Any, antennas: dict[int, str], shown: str, path: str) -> list[Fault]:
    """Antennas that the driver's device does not have, or that may not watch their zone; `path` is the reader's."""
    if not isinstance(driver, str) or driver not in DRIVERS:
        return []
    demands = DRIVERS[driver]
    return [
        Fault(shown, joined(f"{path}.antennas", str(number)), shortened(zone), demands.right)
        for number, zone in antennas.items()
        if number not in demands.antennas or (demands.zones and zone not in demands.zones)
    ]


def port_notes(readers: list[Any]) -> list[str]:
    """Readers that are known by their port alone, at a port that the kernel numbers as it likes."""
    return [
        f"reader[{number}].port: {reader['port']} names no socket, and this reader has no id of its own: "
        "after a restart it may be another one; name it by path, /dev/serial/by-path/…"
        for number, reader in enumerate(readers)
        if reader.get("driver") in DRIVERS
        and not DRIVERS[reader["driver"]].has_id
        and str(reader.get("port")).startswith(NUMBERED_PORTS)
    ]


def calibration_map(
    raw: Any, antennas: Any, shown: str, path: str
) -> tuple[dict[int, dict[str, Any]], list[Fault]]:
    """Antenna number → its calibration as written in one reader, and what is wrong with the numbers.

    `antennas` is the reader's antenna map as written.
    """
    figures: dict[int, dict[str, Any]] = {}
    faults: list[Fault] = []
    if not isinstance(raw, dict):
        right = "must be a table for each antenna that was measured, written [reader.calibration.3]"
        return figures, [Fault(shown, path, shortened(raw), right)]
    fitted = {_antenna_number(str(key)) for key in antennas} if isinstance(antennas, dict) else None
    for name, given in raw.items():
        key = str(name)
        number = _antenna_number(key)
        right = ""
        if number is None:
            right = _no_antenna_number(key)
        elif number in figures:
            right = f"antenna {number} is calibrated twice; keep one of the two"
        elif fitted is not None and number not in fitted:
            has = ", ".join(str(each) for each in sorted(each for each in fitted if each is not None))
            right = f"this reader has no antenna {number}; its antennas are {has or 'none'}"
        elif not isinstance(given, dict):
            right = "must be a table of what was measured, such as { read = 0.9, strength = -38 }"
        else:
            figures[number] = dict(given)
        if right:
            faults.append(Fault(shown, joined(path, key), shortened(given), right))
    return figures, faults


def zone_faults(readers: list[tuple[str, dict[int, str]]], seats: int | None, shown: str) -> list[Fault]:
    """Zones that this table cannot have, and seats that no antenna sees.

    `readers` holds for each reader its key path and its antennas. Without a valid number of seats only names
    that no table knows are faults.
    """
    faults = []
    known = zone_names(seats or MAX_SEATS)
    zones: set[str] = set()
    for path, antennas in readers:
        for number, zone in antennas.items():
            if zone in known:
                zones.add(zone)
            else:
                where = joined(joined(path, "antennas"), str(number))
                faults.append(Fault(shown, where, shortened(zone), _zone_right(zone, seats, known)))
    if seats is not None:
        covered = {seat_of(zone) for zone in zones}
        for seat in range(1, seats + 1):
            if seat not in covered:
                right = f"seat {seat} has no antenna; map one to {seat_zone(seat)!r} in a reader's antennas"
                faults.append(Fault(shown, "reader", ABSENT, right))
        faults += _half_faults(zones, seats, shown)
    streets = zones & set(BOARD_STREETS)
    if BOARD in zones and streets:
        also = ", ".join(sorted(streets))
        right = f"the board is either one zone, board, or one per street; {also} is mapped too"
        faults.append(Fault(shown, "reader", ABSENT, right))
    return faults


def _half_faults(zones: set[str], seats: int, shown: str) -> list[Fault]:
    """Seats that are neither one zone nor two whole halves."""
    faults = []
    for whole in map(seat_zone, range(1, seats + 1)):
        halves = [half for half in (f"{whole}/up", f"{whole}/down") if half in zones]
        if whole in zones and halves:
            also = " and ".join(halves)
            right = f"a seat is either one zone, {whole}, or two, /up and /down; {also} is mapped too"
            faults.append(Fault(shown, "reader", ABSENT, right))
        elif len(halves) == 1:
            other = "down" if halves[0].endswith("/up") else "up"
            right = f"{halves[0]} is only half of the seat; map an antenna to '{whole}/{other}' too"
            faults.append(Fault(shown, "reader", ABSENT, right))
    return faults


def _zone_right(zone: str, seats: int | None, known: tuple[str, ...]) -> str:
    if seats is not None and zone in zone_names(MAX_SEATS):
        return f"this table has {seats} seats, {seat_zone(1)} to {seat_zone(seats)}"
    few = "shoe, seat:1 … or seat:1/up seat:1/down …, board or board:flop board:turn board:river, burn, muck, aside"
    return f"is not a zone.{nearest(zone.lower(), known)} Zones: {few}"


def port_faults(readers: list[Any], shown: str) -> list[Fault]:
    """Ports that two readers name, also by two names of one device."""
    faults = []
    first: dict[str, str] = {}
    for number, reader in enumerate(readers):
        port = reader.get("port") if isinstance(reader, dict) else None
        if not isinstance(port, str) or not port or "\0" in port:
            continue
        device = os.path.realpath(port)
        if device in first:
            right = f"reader[{first[device]}] has this port already; every reader has its own"
            faults.append(Fault(shown, f"reader[{number}].port", shortened(port), right))
        else:
            first[device] = str(number)
    return faults


def pin_faults(panel: Any, seats: int | None, shown: str) -> list[Fault]:
    """Pins that serve two purposes, and seat lamps that are not one per seat."""
    if not isinstance(panel, dict):
        return []
    faults = []
    first: dict[int, str] = {}
    for path, pin in _pins({key: panel[key] for key in PIN_KEYS if key in panel}, "panel"):
        if pin in first:
            right = f"BCM pin {pin} is used by {first[pin]} already; every pin serves one purpose"
            faults.append(Fault(shown, path, pin, right))
        else:
            first[pin] = path
    for key in ("seat_leds", "seat_leds_amber"):
        leds = panel.get(key)
        if seats is not None and isinstance(leds, list) and leds and len(leds) != seats:
            right = f"must be one pin for each of the {seats} seats; here are {len(leds)}"
            faults.append(Fault(shown, f"panel.{key}", shortened(leds), right))
    return faults


def _pins(node: dict[str, Any], path: str) -> Iterator[tuple[str, int]]:
    for key, value in node.items():
        where = joined(path, key)
        if isinstance(value, dict):
            yield from _pins(value, where)
        for number, item in enumerate(value if isinstance(value, list) else [value]):
            if type(item) is int:
                yield (f"{where}[{number}]" if isinstance(value, list) else where), item


def active_faults(sections: list[Any], shown: str) -> list[Fault]:
    """One deck is in play, no more and no fewer."""
    active = [n for n, deck in enumerate(sections) if isinstance(deck, dict) and deck.get("active") is True]
    if not sections:
        right = 'no deck; add [[deck]] with file = "decks/blue.toml" and active = true'
        return [Fault(shown, "deck", ABSENT, right)]
    if not active:
        return [Fault(shown, "deck", ABSENT, "no deck is in play; set active = true in one [[deck]]")]
    right = f"deck[{active[0]}] is active already; one deck is in play"
    return [Fault(shown, f"deck[{number}].active", value=True, right=right) for number in active[1:]]


def button_faults(tags: Any, decks: list[tuple[str, Deck]], shown: str) -> list[Fault]:
    """Tags of the dealer button, as written, that are a card's tag too."""
    faults = []
    for number, tag in enumerate(tags if isinstance(tags, list) else ()):
        uid = normal_uid(tag) if isinstance(tag, str) else None
        for of, deck in decks:
            if uid in deck:
                right = f"this tag is in {of} too; the button needs a tag that is no card's"
                faults.append(Fault(shown, f"table.button_tags[{number}]", tag, right))
    return faults


def name_faults(names: Any, seats: int | None, shown: str) -> list[Fault]:
    """Names of seats that the table does not have."""
    if seats is None or not isinstance(names, list) or len(names) <= seats:
        return []
    right = f"this table has {seats} seats, so at most as many names; here are {len(names)}"
    return [Fault(shown, "table.names", shortened(names), right)]


def deck_faults(decks: list[tuple[str, Deck]]) -> list[Fault]:
    """Tags and names that two decks share; each deck comes with how its place is shown."""
    faults = []
    owner: dict[str, str] = {}
    named: dict[str, str] = {}
    for shown, deck in decks:
        if deck.id in named:
            right = f"the deck of {named[deck.id]} has this id already"
            faults.append(Fault(shown, "id", shortened(deck.id), right))
        named.setdefault(deck.id, shown)
        for uid in (*deck.cards, *sorted(deck.jokers)):
            if uid in owner:
                key = joined("cards", uid) if uid in deck.cards else "jokers"
                right = f"this tag is in {owner[uid]} too; every tag belongs to one deck"
                faults.append(Fault(shown, key, uid, right))
            owner.setdefault(uid, shown)
    return faults
