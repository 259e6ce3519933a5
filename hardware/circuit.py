"""A circuit as data: kinds of parts with their pins, parts with their nets.

Owns: what a kind, a part and a circuit are, and that no pin is forgotten or joined twice.
Refuses: electrical rules (`netlist`, by SKiDL), part numbers (`bill`), pictures (`drawing`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PASSIVE, INPUT, OUTPUT, BOTH, OPEN, POWER, SUPPLY, NONE = (
    "passive", "input", "output", "both", "open", "power", "supply", "none",
)  # fmt: skip
"""What a pin does: SUPPLY feeds a net, POWER needs a fed one, OPEN is an open collector, NONE is not connected."""
GROUND = "GND"


@dataclass(frozen=True)
class Pin:
    """A pin of a kind: its number, its name, what it does."""

    number: str
    name: str
    does: str = PASSIVE


@dataclass(frozen=True)
class Kind:
    """A kind of part: the letter of its references, its pins, and how many of them are drawn on the left."""

    name: str
    letter: str
    pins: tuple[Pin, ...]
    left: int
    symbol: str = "box"


@dataclass(frozen=True)
class Placed:
    """A part of a circuit. `part` is its key in the catalogue, `nets` is net by pin number."""

    ref: str
    kind: Kind
    value: str
    part: str
    group: str
    nets: Mapping[str, str]


class CircuitError(Exception):
    """The circuit's description contradicts itself."""


@dataclass
class Circuit:
    """A board: its parts in the order in which they were placed, grouped as they are drawn."""

    name: str
    title: str
    parts: list[Placed] = field(default_factory=list)
    _group: str = ""
    _counts: dict[str, int] = field(default_factory=dict)

    def group(self, title: str) -> None:
        """What is placed from here on belongs together and is drawn in one frame."""
        self._group = title

    def add(self, kind: Kind, value: str, part: str, nets: Mapping[str, str | None], ref: str = "") -> Placed:
        """Place a part. nets: net by pin name or number; None leaves a pin open on purpose; each pin must be named.

        A name that several pins share joins all of them. CircuitError: a pin is missing, or unknown.
        """
        if not ref:
            self._counts[kind.letter] = self._counts.get(kind.letter, 0) + 1
            ref = f"{kind.letter}{self._counts[kind.letter]}"
        if any(ref == other.ref for other in self.parts):
            raise CircuitError(f"{self.name}: {ref} is placed twice")
        joined: dict[str, str] = {}
        named = set()
        for pin in kind.pins:
            key = pin.number if pin.number in nets else pin.name
            if key in nets:
                named.add(key)
                net = nets[key]
                if net is not None:
                    joined[pin.number] = net
            elif pin.does != NONE:
                raise CircuitError(f"{self.name}: {ref} pin {pin.number} ({pin.name}) goes nowhere")
        unknown = set(nets) - named
        if unknown:
            raise CircuitError(f"{self.name}: {ref} has no pin {', '.join(sorted(unknown))}")
        placed = Placed(ref, kind, value, part, self._group, joined)
        self.parts.append(placed)
        return placed

    def two(self, kind: Kind, value: str, part: str, first: str, second: str, ref: str = "") -> Placed:
        """Place a part with two pins between two nets."""
        return self.add(kind, value, part, {"1": first, "2": second}, ref)

    def nets(self) -> dict[str, list[tuple[str, str]]]:
        """Every net with its pins as (reference, pin number)."""
        found: dict[str, list[tuple[str, str]]] = {}
        for placed in self.parts:
            for number, net in placed.nets.items():
                found.setdefault(net, []).append((placed.ref, number))
        return found

    def at(self, ref: str) -> Placed:
        """The part with that reference."""
        return next(placed for placed in self.parts if placed.ref == ref)
