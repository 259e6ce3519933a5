"""The bill of materials: what each board and a whole table need, by maker's part number.

Owns: the catalogue (`bom/parts.csv`), the lists made from the circuits, and what does not fit between them.
Refuses: prices and stock, which are another every day.

Capacitors of the radio and damping resistors follow from the antennas' calculation, so their part numbers are built by
the makers' numbering: KEMET C0805C…GACTU (C0G, 100 V, 1 %, or 0.25 pF below 10 pF), Vishay CRCW2512…FKEG (1 W, 1 %).
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hardware import needs
from hardware.boards import boards
from hardware.circuit import Circuit
from hardware.inputs import InputError, reading

HERE = Path(__file__).parent
PARTS = HERE / "bom" / "parts.csv"
COLUMNS = (
    "quantity",
    "references",
    "value",
    "description",
    "manufacturer",
    "mpn",
    "package",
    "footprint",
    "second source",
    "number checked by",
)
ETCHED = "etched"


@dataclass(frozen=True)
class Part:
    """A part that can be ordered. `footprint` is KiCad's, or one that has to be drawn; `checked` says against what
    the number was checked."""

    key: str
    manufacturer: str
    mpn: str
    description: str
    package: str
    footprint: str
    second: str
    checked: str


@dataclass(frozen=True)
class Line:
    """A line of a bill: a part, how many, where on the board, with which value."""

    part: Part
    quantity: int
    references: tuple[str, ...]
    value: str


def catalogue(file: Path = PARTS) -> dict[str, Part]:
    """Every part by its key. InputError: the file cannot be read."""
    with reading(file), file.open(newline="") as lines:
        return {row["part"]: Part(*row.values()) for row in csv.DictReader(lines)}


def ordered(key: str, parts: Mapping[str, Part]) -> Part:
    """The part of a key, from the catalogue or by the makers' numbering. InputError: neither has it."""
    if key in parts:
        return parts[key]
    kind, _, value = key.partition(" ")
    if kind == "C" and value.endswith("p RF"):
        return _kemet(key, float(value.removesuffix("p RF")))
    if kind == "R" and value.endswith(" 1W"):
        return _vishay(key, value.removesuffix(" 1W"))
    if kind in ("bare", "printed"):
        said = needs.MADE[kind].format(name=value)
        return Part(key, "made to order", "—", said, "board" if kind == "bare" else "box", "", "any", "—")
    raise InputError(f"{PARTS.name}: {key!r} is missing, which a board needs")


def _kemet(key: str, picofarad: float) -> Part:
    if picofarad < 10:
        code, tolerance, said = f"{picofarad * 10:.0f}9", "C", "0.25 pF"
    else:
        exponent = math.floor(math.log10(picofarad)) - 1
        code, tolerance, said = f"{picofarad / 10**exponent:.0f}{exponent}", "F", "1 %"
    return Part(
        key, "KEMET", f"C0805C{code}{tolerance}1GACTU", f"{picofarad:g} pF, 100 V, C0G, {said}", "0805",
        "Capacitor_SMD:C_0805_2012Metric", "Murata GRM21A5C2A, same value", "maker's numbering",
    )  # fmt: skip


def _vishay(key: str, ohm: str) -> Part:
    code = (ohm if "R" in ohm else ohm + "R").ljust(4, "0")
    return Part(
        key, "Vishay", f"CRCW2512{code}FKEG", f"{ohm.replace('R', '.')} Ω, 1 W, 1 %", "2512",
        "Resistor_SMD:R_2512_6332Metric", "any 1 W thick film resistor in 2512", "maker's numbering",
    )  # fmt: skip


def bill(circuit: Circuit, parts: Mapping[str, Part]) -> list[Line]:
    """What one board needs, in the order of its references."""
    found: dict[tuple[str, str], list[str]] = {}
    for placed in circuit.parts:
        value = "" if placed.ref.startswith(("J", "SW")) else placed.value
        found.setdefault((placed.part, value), []).append(placed.ref)
    return [
        Line(ordered(key, parts), len(refs), tuple(refs), value)
        for (key, value), refs in found.items()
        if key != ETCHED
    ]


def whole_table() -> list[Line]:
    """What one table needs, all boards together and what joins them; references say which board, or what for."""
    parts = catalogue()
    counts = needs.board_counts()
    found: dict[str, tuple[int, list[str]]] = {}
    for name, circuit in boards().items():
        for line in bill(circuit, parts):
            count = counts.get(name, 0) * line.quantity
            if count:
                before, where = found.setdefault(line.part.key, (0, []))
                where.append(f"{counts[name]} × {name}")
                found[line.part.key] = (before + count, where)
    for need in needs.table_needs():
        before, where = found.setdefault(need.part, (0, []))
        where.append(need.purpose)
        found[need.part] = (before + need.quantity, where)
    return [
        Line(ordered(key, parts), count, tuple(dict.fromkeys(where)), "")
        for key, (count, where) in sorted(found.items())
    ]


def as_csv(lines: Iterable[Line]) -> str:
    """A bill as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for line in lines:
        part = line.part
        writer.writerow(
            [line.quantity, ", ".join(line.references), line.value, part.description, part.manufacturer, part.mpn,
             part.package, part.footprint, part.second, part.checked]
        )  # fmt: skip
    return out.getvalue()


def bills() -> dict[str, str]:
    """Every bill as CSV by file name: one a board, and the table's."""
    parts = catalogue()
    made = {f"{name}.csv": as_csv(bill(circuit, parts)) for name, circuit in boards().items()}
    return made | {"table.csv": as_csv(whole_table())}


def write(folder: Path) -> None:
    """Write all bills into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in bills().items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    write(HERE / "bom")
