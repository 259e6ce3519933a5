"""`tablectl doctor`: what is wrong with a table's computer, its boards and its files, and what to do.

Owns: which checks are made, and in which order. Each check is a small function: what it looks at → lines. Looking is
behind one seam, `machine`, but for ports, sockets and the journal, which are real wherever they are asked.
Refuses: repairing anything, and disturbing a running table: a port that is held is never opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tablectl.config import Config, load
from tablectl.doctor import boards, pins, ports, power, rights, service, software, storage, table
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
    """Look at everything. Without a configuration `file`, or with a bad one, at what can be seen without it."""
    config: Config | None = None
    lines: list[Line] = []
    if file is not None:
        try:
            config = load(file)
            lines.append(Line("config", "ok", f"{file}: everything fits"))
            lines += [Line("config", "ok", note) for note in config.warnings]
        except ConfigError as error:
            lines += map(_faulty, error.faults)
    unit = service.look(machine)
    lines += _machine(machine, config, unit)
    if file is not None:
        lines += rights.rights(machine, unit, file)
    if loopback is not None:
        lines.append(boards.loopback(machine, loopback))
    if config is not None:
        lines += _table(machine, config, unit)
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


def _machine(machine: Machine, config: Config | None, unit: Service | None) -> Iterator[Line]:
    """What can be seen of the computer; more, once it is known what the table needs of it."""
    driver = config.panel.pins if config is not None else None
    names = [reader.port for reader in config.readers] if config is not None else []
    yield software.python()
    yield from software.packages(machine, _extras(config))
    yield software.pi(machine)
    yield software.gpio(machine, driver)
    yield software.kernel(machine)
    if (line := power.power(machine)) is not None:
        yield line
    yield storage.clock(machine)
    yield from ports.ports(machine)
    yield from ports.thieves(machine)
    yield from ports.console(machine, names)
    account = unit.account(machine) if unit is not None else None
    yield from ports.user(machine, names, pins=driver == "rpi", service=account)
    yield from service.unit(unit, pins=driver == "rpi", begun=_has_begun(unit, config))
    if config is None:
        yield from storage.disk(machine, Path.cwd() / "journal.sqlite")


def _has_begun(unit: Service | None, config: Config | None) -> bool:
    """Whether the table may have run: not if there is a service that rests, and no journal."""
    rests = unit is not None and unit.told.get("ActiveState") == "inactive"
    return not rests or config is None or is_there(config.journal.path) is not False


def _extras(config: Config | None) -> frozenset[str]:
    """The extras of the package that a configuration uses. A panel's is told by `gpio`, which takes either package."""
    used = config is not None and any(reader.driver == "pn532" for reader in config.readers)
    return frozenset({"nfc"}) if used else frozenset()


def _table(machine: Machine, config: Config, unit: Service | None) -> Iterator[Line]:
    yield from ports.configured(machine, [reader.port for reader in config.readers])
    url = table.url_of(config)
    running = table.running_state(url)
    if running is not None:
        yield from boards.of_running(running)
    else:
        found = list(boards.free(machine, config.readers))
        yield from (each for each in found if isinstance(each, Line))
        yield from boards.told(
            config.readers, boards.ask(config.readers, [n for n in found if isinstance(n, int)])
        )
    yield from table.display(url)
    if config.panel.pins == "rpi":
        line = pins.pins(machine, pins.of(config.panel), running=running is not None)
        if line is not None:
            yield line
    yield from storage.disk(machine, config.journal.path)
    yield from storage.journal(config.journal.path, begun=_has_begun(unit, config))
    yield from table.decks(config)
    if (line := table.floor(config)) is not None:
        yield line
