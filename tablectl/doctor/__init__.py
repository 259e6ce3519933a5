"""`tablectl doctor`: what is wrong with a table's computer, its boards and its files, and what to do.

Owns: which checks are made, and in which order. Each check is a small function: what it looks at → lines. Looking is
behind one seam, `machine`, but for ports, sockets and the journal, which are real wherever they are asked.
Refuses: repairing anything, and disturbing a running table: a port that is held is never opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tablectl.config import Config, load, load_parts
from tablectl.config.parts import Parts
from tablectl.doctor import (
    boards,
    keys,
    memory,
    pins,
    ports,
    power,
    rights,
    running,
    service,
    software,
    storage,
    table,
)
from tablectl.doctor.line import Line, State, worst
from tablectl.doctor.machine import Machine, is_there
from tablectl.doctor.service import Service
from tablectl.errors import ConfigError, Fault

__all__ = ["Line", "Machine", "Report", "State", "examine"]


@dataclass(frozen=True)
class Report:
    """Every line, and the configuration if there was a good one."""

    lines: tuple[Line, ...]
    config: Config | None

    @property
    def worst(self) -> State:
        """The gravest state of all lines."""
        return worst(self.lines)


def examine(file: Path | None, machine: Machine, *, loopback: str | None = None) -> Report:
    """Look at everything. Without a configuration `file` at what can be seen without it, with a bad one besides at what
    its good sections tell of."""
    config: Config | None = None
    parts: Parts | None = None
    lines: list[Line] = []
    if file is not None:
        try:
            config = load(file)
            lines.append(Line("config", "ok", f"{file}: everything fits"))
            lines += [Line("config", "ok", note) for note in config.warnings]
        except ConfigError as error:
            lines += map(_faulty, error.faults)
        parts = load_parts(file)
    unit = service.look(machine)
    lines += _machine(machine, parts, unit)
    if file is not None:
        lines += rights.rights(machine, unit, file)
        lines += keys.private([file, *([parts.journal] if parts is not None and parts.journal else [])])
    if loopback is not None:
        lines.append(boards.loopback(machine, loopback))
    if parts is not None:
        lines += _table(machine, parts, config, unit)
    return Report(tuple(lines), config)


def _faulty(fault: Fault) -> Line:
    """Where and why, without the value: it may be a password under a name that nobody knows."""
    where = ": ".join(part for part in (fault.file, fault.key) if part)
    return Line(
        "config",
        "fault",
        f"{where}: {fault.right}",
        "tablectl check-config shows what stands there",
        fault.key,
    )


def _machine(machine: Machine, parts: Parts | None, unit: Service | None) -> Iterator[Line]:
    """What can be seen of the computer; more, once it is known what the table needs of it."""
    driver = parts.panel.pins if parts is not None and parts.panel is not None else None
    names = [*parts.ports.values()] if parts is not None else []
    yield software.python()
    yield from software.packages(machine, _extras(parts))
    yield software.pi(machine)
    yield software.gpio(machine, driver)
    yield software.kernel(machine)
    if (line := power.power(machine)) is not None:
        yield line
    yield storage.clock(machine)
    yield from memory.memory(machine, unit)
    yield from ports.ports(machine)
    yield from ports.thieves(machine)
    yield from ports.console(machine, names)
    account = unit.account(machine) if unit is not None else None
    yield from ports.user(machine, names, pins=driver == "rpi", service=account)
    yield from service.unit(unit, pins=driver == "rpi", begun=_has_begun(unit, parts))
    if parts is None or parts.journal is None:
        yield from storage.disk(machine, Path.cwd() / "journal.sqlite")


def _has_begun(unit: Service | None, parts: Parts | None) -> bool:
    """Whether the table may have run: not if there is a service that rests, and no journal."""
    rests = unit is not None and unit.told.get("ActiveState") == "inactive"
    return not rests or parts is None or parts.journal is None or is_there(parts.journal) is not False


def _extras(parts: Parts | None) -> frozenset[str]:
    """The extras of the package that a configuration uses. A panel's is told by `gpio`, which takes either package."""
    used = parts is not None and any(reader.driver == "pn532" for reader in parts.readers.values())
    return frozenset({"nfc"}) if used else frozenset()


def _table(machine: Machine, parts: Parts, config: Config | None, unit: Service | None) -> Iterator[Line]:
    """What the sections that fit tell of; `config` where all of them do, and together."""
    yield from ports.configured(machine, parts.ports)
    url = running.url_of(parts.display) if parts.display is not None else None
    state = running.state_of(url, parts.table)
    if state is not None:
        yield from table.same(state, parts.readers)
        yield from boards.of_running(state)
    else:
        found = list(boards.free(machine, parts.readers))
        yield from (each for each in found if isinstance(each, Line))
        free = {number: parts.readers[number] for number in found if isinstance(number, int)}
        yield from boards.told(free, boards.ask(free))
    if parts.display is not None:
        yield from table.display(url, parts.table)
    if parts.panel is not None and parts.panel.pins == "rpi":
        line = pins.pins(machine, pins.of(parts.panel), running=state is not None)
        if line is not None:
            yield line
    if parts.journal is not None:
        yield from storage.disk(machine, parts.journal)
        yield from storage.journal(parts.journal, begun=_has_begun(unit, parts))
    yield from table.decks(parts.decks, parts.active_deck)
    if config is not None:
        yield from table.worn(config)
    if parts.floor is not None:
        yield table.floor(parts.floor)
    yield from _left_out(parts, whole=config is not None)


def _left_out(parts: Parts, *, whole: bool) -> Iterator[Line]:
    """What was not looked at, for a fault that is told above; wear needs a `whole` configuration."""
    missing = [("reader", f"reader {number}") for number in parts.unreadable]
    if not parts.readers and not parts.unreadable:
        missing.append(("reader", ""))
    for check, part in (("display", parts.display), ("pins", parts.panel), ("journal", parts.journal)):
        if part is None:
            missing.append((check, ""))
    if not whole:
        missing.append(("wear", ""))
    for check, about in missing:
        text = "was not looked at: the configuration does not tell enough of it"
        yield Line(check, "warning", text, "mend the faults of the configuration, and ask again", about)
