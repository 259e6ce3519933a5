"""The reader boards: who answers at each port, with which firmware, and how its antennas do.

Owns: the lines `reader` and `antenna`; asking the boards while no table does. Refuses: a port that somebody holds:
it is never opened, and what the running table knows of it is asked there (`running`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from tablectl import __version__, versions
from tablectl.config import drivers
from tablectl.config.model import ReaderSection
from tablectl.core.sensed import AntennaHealth, Sensed, Sweep
from tablectl.doctor.line import Line, counted
from tablectl.doctor.machine import Machine, Process
from tablectl.doctor.running import Running
from tablectl.errors import LinkError
from tablectl.shell.readers import ReaderState
from tablectl.shell.readers.alone import readers_of

ANSWER_S = 4.0
"""A board that runs answers at once, one that was just plugged in starts in three seconds, s."""
ILL = {
    "weak": (
        "warning",
        "weak",
        "retune it: its capacitor, metal that came near, a cracked solder joint (hardware/)",
    ),
    "open": ("fault", "reads nothing: its circuit is open", "check the cable and the plug of this antenna"),
    "shorted": ("fault", "reads nothing: it is shorted", "check the cable and the plug of this antenna"),
    "silent": (
        "fault",
        "its reader chip is silent",
        "power the board off and on; then replace its front end",
    ),
}


@dataclass
class Heard:
    """What one board said while it was listened to."""

    state: ReaderState | None = None
    health: dict[int, str] = field(default_factory=dict)
    looked: set[int] = field(default_factory=set)


def free(machine: Machine, sections: Mapping[int, ReaderSection]) -> Iterator[int | Line]:
    """The numbers of the readers whose ports nobody holds, and a line for each that somebody does hold."""
    for number, each in sections.items():
        holders = machine.holds(each.port)
        if not holders:
            yield number
            continue
        text, about = f"{each.port} is held by {', '.join(map(str, holders))}", f"reader {number}"
        if any(_runs_a_table(each) for each in holders):
            do = "its display does not answer here: look at what it logs; sudo systemctl stop tablectl ends a service"
            yield Line("reader", "warning", f"{text}, a table that runs", do, about)
        else:
            yield Line("reader", "fault", text, "end that program", about)


def _runs_a_table(process: Process) -> bool:
    return "run" in process.command and any("tablectl" in part for part in process.command)


def ask(sections: Mapping[int, ReaderSection], seconds: float = ANSWER_S) -> dict[int, Heard]:
    """What these readers say, each at its own port, until all antennas were looked at or the time is over."""
    return asyncio.run(_ask(sections, seconds))


async def _ask(sections: Mapping[int, ReaderSection], seconds: float) -> dict[int, Heard]:
    heard = {number: Heard() for number in sections}
    news = asyncio.Event()

    def emit(event: Sensed) -> None:
        if isinstance(event, Sweep):
            heard[event.reader].looked |= {*event.polled}
        elif isinstance(event, AntennaHealth):
            heard[event.reader].health[event.antenna] = event.state
        news.set()

    def report(state: ReaderState) -> None:
        heard[state.number].state = state
        news.set()

    def all_known() -> bool:
        return all(_is_known(heard[number], each.antennas) for number, each in sections.items())

    async with readers_of(sections, emit, report):
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not all_known():
                    news.clear()
                    await news.wait()
    return heard


def _is_known(heard: Heard, antennas: Mapping[int, str]) -> bool:
    if heard.state is None or heard.state.state in ("connecting", "lost"):
        return False
    ill = {number for number, state in heard.health.items() if state in ("open", "shorted", "silent")}
    return heard.state.state != "ok" or not antennas.keys() - heard.looked - ill


def told(sections: Mapping[int, ReaderSection], heard: Mapping[int, Heard]) -> Iterator[Line]:
    """The lines of boards that were asked."""
    for number, each in sorted(heard.items()):
        about, section = f"reader {number}", sections[number]
        state = each.state
        if state is None or state.state != "ok":
            why = state.text if state is not None and state.text else "nobody answers"
            missing = state is not None and state.state == "missing"
            do = "see its port above" if missing else _what_to_do(section)
            yield Line("reader", "fault", f"{section.port}: {why}", do, about)
            continue
        yield firmware(about, section.driver, state.firmware, state.board_id)
        for antenna, zone in sorted(section.antennas.items()):
            yield _antenna(number, antenna, zone, each.health.get(antenna), looked=antenna in each.looked)


def _what_to_do(section: ReaderSection) -> str:
    if drivers.DRIVERS[section.driver].has_id:
        return f"has it power, and firmware? tablectl firmware show {section.port}"
    return "power-cycle it, and check that the driver fits the device"


def firmware(about: str, driver: str, said: str, board_id: str) -> Line:
    """Who answers, and whether its firmware is of this version."""
    text = ", ".join(part for part in (driver, said, f"board {board_id}" if board_id else "") if part)
    if versions.is_older(said):
        return Line(
            "reader",
            "warning",
            f"{text}: older than tablectl {__version__}",
            "stop the table, then tablectl firmware flash PORT",
            about,
        )
    return Line("reader", "ok", text, about=about)


def _antenna(reader: int, antenna: int, zone: str, health: str | None, *, looked: bool) -> Line:
    about = f"reader {reader}, antenna {antenna}, {zone}"
    if health in ILL:
        state, text, do = ILL[health]
        return Line("antenna", "warning" if state == "warning" else "fault", text, do, about)
    if not looked:
        do = "wait a moment and ask again; then power the board off and on"
        return Line("antenna", "warning", "was not looked at while it was listened to", do, about)
    return Line("antenna", "ok", "looks", about=about)


def of_running(state: Running) -> Iterator[Line]:
    """The lines of boards as the running table sees them."""
    for each in state.readers:
        about = f"reader {each.reader}"
        if each.state != "ok":
            do = "its text says what; unplug it and plug it in again"
            yield Line("reader", "fault", f"{each.port}: {each.state}: {each.text}", do, about)
        else:
            yield firmware(about, "held by the running table", each.firmware, each.board_id)
    for row in state.antennas:
        about = f"reader {row.reader}, antenna {row.antenna}, {row.zone}"
        if row.health in ILL:
            kind, text, do = ILL[row.health]
            yield Line("antenna", "warning" if kind == "warning" else "fault", text, do, about)
        else:
            rate = "" if row.rate is None else f", reads {row.rate:.0%} of its card"
            yield Line("antenna", "ok", f"{row.looks} looks/s{rate}", about=about)


def loopback(machine: Machine, port: str) -> Line:
    """A port whose two lines are joined must give back what is written (field failure 27). Opened exclusively."""
    holders = machine.holds(port)
    if holders:
        text = f"{port} is held by {', '.join(map(str, holders))}"
        return Line("loopback", "fault", text, "end that program first", port)
    from tablectl.firmware.board import line_to

    try:
        with line_to(port) as line:
            lost, more = _echoed(line.write, line.read_for)
    except LinkError as error:
        return Line("loopback", "fault", str(error), "check the port", port)
    if lost:
        text = f"{port}: {lost} of {len(PATTERN)} bytes came back wrong, or did not"
        do = "join TX and RX; if they are: another UART (dtoverlay=disable-bt), another kernel, or a board on USB"
        return Line("loopback", "fault", text, do, port)
    if more:
        text = f"{port}: {counted(more, 'byte')} came that nobody had written"
        do = "something else writes on the line (a console?), or it catches noise: a shorter cable, its ground joined"
        return Line("loopback", "fault", text, do, port)
    return Line("loopback", "ok", f"{port}: {len(PATTERN)} bytes came back as they were", about=port)


PATTERN = bytes(range(256)) * 4
"""Every byte: one that a terminal setting swallows shows, too."""
ECHO_S, QUIET_S = 2.0, 0.3
"""A kilobyte takes 22 ms at the protocol's 460 800 bit/s; before and after it the line must be silent, s."""


def _echoed(write: Callable[[bytes], None], read_for: Callable[[float], Iterator[bytes]]) -> tuple[int, int]:
    """(How many of the bytes did not come back in their place, how many came that were not written)."""
    before = sum(map(len, read_for(QUIET_S)))
    write(PATTERN)
    back = b""
    for data in read_for(ECHO_S):
        back += data
        if len(back) >= len(PATTERN):
            break
    after = sum(map(len, read_for(QUIET_S)))
    lost = len(PATTERN) - sum(a == b for a, b in zip(PATTERN, back, strict=False))
    return lost, before + after + max(0, len(back) - len(PATTERN))
