"""A circuit in SKiDL: electrical rules checked, netlist exported.

Owns: the translation to SKiDL, what its checks found, and the KiCad netlist that it writes.
Refuses: the circuits themselves (`boards`). SKiDL's own parts are used (tool SKIDL), so no symbol library is needed.

SKiDL writes logs into the working directory and looks for KiCad's libraries when it is imported; it is therefore
imported here alone, when it is needed, and its complaints about the libraries that we do not use are not shown.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.bill import catalogue, ordered
from hardware.circuit import (
    BOTH,
    GROUND,
    INPUT,
    NONE,
    OPEN,
    OUTPUT,
    PASSIVE,
    POWER,
    SUPPLY,
    Circuit,
    Placed,
)  # fmt: skip

THROUGH = ("resettable fuse", "ferrite bead", "resistor in a supply")
"""Kinds through which supply goes on to another net."""


@dataclass(frozen=True)
class Checked:
    """What SKiDL made of a circuit: its complaints (empty: clean) and its netlist in KiCad's form."""

    complaints: tuple[str, ...]
    netlist: str


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """A working directory for what SKiDL drops, and silence on both streams."""
    here = Path.cwd()
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)


def fed(circuit: Circuit) -> set[str]:
    """Nets that a supply reaches, directly or through a fuse, a bead or a resistor."""
    found = {
        net
        for placed in circuit.parts
        for number, net in placed.nets.items()
        if next(pin for pin in placed.kind.pins if pin.number == number).does == SUPPLY
    }
    while True:
        ends = [set(placed.nets.values()) for placed in circuit.parts if placed.kind.name in THROUGH]
        more = {net for pair in ends if pair & found for net in pair} - found
        # A connector that brings 5 V feeds a fuse first.
        if not more:
            return found
        found |= more


def check(circuit: Circuit) -> Checked:
    """Build the circuit in SKiDL, check it, and export it."""
    with _elsewhere():
        import skidl
        from skidl.logger import erc_logger
        from skidl.pin import pin_drives, pin_types

        does = {
            PASSIVE: pin_types.PASSIVE, INPUT: pin_types.INPUT, OUTPUT: pin_types.OUTPUT, BOTH: pin_types.BIDIR,
            OPEN: pin_types.OPENCOLL, POWER: pin_types.PWRIN, SUPPLY: pin_types.PWROUT, NONE: pin_types.NOCONNECT,
        }  # fmt: skip
        whole = skidl.Circuit(name=circuit.name)
        parts = catalogue()
        nets = {name: skidl.Net(name, circuit=whole) for name in circuit.nets()}
        for name in fed(circuit) & nets.keys():
            nets[name].drive = pin_drives.POWER
        for placed in circuit.parts:
            footprint = ordered(placed.part, parts).footprint
            part = _part(skidl, placed, does)(
                circuit=whole, ref=placed.ref, tag=placed.ref, value=placed.value, footprint=footprint
            )
            for pin in placed.kind.pins:
                if pin.number in placed.nets:
                    nets[placed.nets[pin.number]] += part[pin.number]
                else:
                    whole.NC += part[pin.number]
        heard = io.StringIO()
        with _listening(erc_logger, heard):
            whole.ERC()
        written = io.StringIO()
        whole.generate_netlist(tool=skidl.KICAD, file_=written, do_backup=False)
    text = heard.getvalue()
    complaints = tuple(line for line in text.splitlines() if "ERC WARNING" in line or "ERC ERROR" in line)
    return Checked(complaints, written.getvalue())


def _part(skidl: Any, placed: Placed, does: dict[str, Any]) -> Any:
    template = skidl.Part(
        name=placed.kind.name.replace(" ", "_"),
        tool=skidl.SKIDL,
        dest=skidl.TEMPLATE,
        ref_prefix=placed.kind.letter,
    )
    for pin in placed.kind.pins:
        template += skidl.Pin(num=pin.number, name=pin.name, func=does[pin.does])
    return template


@contextlib.contextmanager
def _listening(logger: Any, heard: io.StringIO) -> Iterator[None]:
    """SKiDL's complaints go to a stream as they are made."""
    import logging

    ear = logging.StreamHandler(heard)
    ear.setFormatter(logging.Formatter("ERC %(levelname)s: %(message)s"))
    logger.addHandler(ear)
    try:
        yield
    finally:
        logger.removeHandler(ear)


def pairs(netlist: str) -> set[tuple[str, str, str]]:
    """(net, reference, pin) of everything that a KiCad netlist joins."""
    found = set()
    for body in re.split(r"\(net\s", netlist)[1:]:
        name = re.search(r'\(name "?([^")]+)"?\)', body)
        for node in re.finditer(r'\(node\s*\(ref "?([^")]+)"?\)\s*\(pin "?([^")]+)"?\)', body):
            found.add((name.group(1) if name else "", node.group(1), node.group(2)))
    return found


def joins(circuit: Circuit) -> set[tuple[str, str, str]]:
    """The same of a circuit's description."""
    return {(net, ref, number) for net, pins in circuit.nets().items() for ref, number in pins}


def floating(circuit: Circuit) -> list[str]:
    """Nets with one pin only: a wire that leads nowhere."""
    return [net for net, pins in circuit.nets().items() if len(pins) < 2 and net != GROUND]
