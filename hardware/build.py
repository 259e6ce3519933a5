"""Everything about the hardware, made into one folder: `python -m hardware.build dist/hardware`.

Owns: which files are made, in which order, and saying what could not be made and why. Refuses: what is in them. Exit
status 1 if a circuit breaks a rule, a bill is stale, a pin disagrees or something does not fit; 2 if a file is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from hardware import bill, boxes, channels, etching, guides, netlist, path, power, report
from hardware.antenna import spice
from hardware.antenna.design import Design, design
from hardware.antenna.zones import Zones, read_zones
from hardware.boards import boards
from hardware.circuit import CircuitError
from hardware.drawing import schematic
from hardware.inputs import InputError
from hardware.mouth import mouth
from hardware.pins import disagreements
from hardware.section import section

Say = Callable[[str], object]
NOT_BUILT = "Computed, not built and not measured.\n\n"


def circuits(folder: Path, say: Say) -> list[str]:
    """Schematics, netlists and the electrical rules of all boards; what was found wrong."""
    made = boards()
    for name, circuit in made.items():
        schematic(circuit).save(folder / "schematics" / f"{name}.svg")
    try:
        checked = {name: netlist.check(circuit) for name, circuit in made.items()}
    except ModuleNotFoundError:
        say("left out: electrical rules and netlists; pip install skidl")
        checked = {}
    (folder / "netlists").mkdir(parents=True, exist_ok=True)
    for name, found in checked.items():
        (folder / "netlists" / f"{name}.net").write_text(found.netlist)
    wrong = [f"{name}: {complaint}" for name, found in checked.items() for complaint in found.complaints]
    return wrong + [
        f"{name}: {net} leads nowhere" for name, circuit in made.items() for net in netlist.floating(circuit)
    ]


def lists(folder: Path) -> list[str]:
    """Bills of materials, power budget and cable plan; what no longer fits what is kept."""
    bill.write(folder / "bom")
    kept = bill.HERE / "bom"
    stale = [
        f"hardware/bom/{name} is not what the circuits need: python -m hardware.bill"
        for name, text in bill.bills().items()
        if not (kept / name).exists() or (kept / name).read_text() != text
    ]
    (folder / "power.md").write_text(NOT_BUILT + power.budget() + "\n" + power.heat())
    (folder / "cables.md").write_text(NOT_BUILT + power.cable_plan())
    return stale + disagreements()


def antennas(folder: Path, zones: Zones, say: Say) -> None:
    """The antennas' table, each one's copper, and ngspice's opinion."""
    designs = [design(zone, zones) for zone in zones.zones.values()]
    text = NOT_BUILT + "\n".join([report.reader(), report.antennas(designs), report.around(designs, zones)])
    (folder / "antennas.md").write_text(text)
    for found in designs:
        etching.sheet(found).save(folder / "antennas" / f"{found.zone.name}.svg")
    try:
        _simulate(folder, designs)
    except spice.SpiceError as missing:
        say(f"left out: the simulation of the antennas; {missing}")


def _simulate(folder: Path, designs: list[Design]) -> None:
    answers = [spice.ask(found) for found in designs]
    (folder / "ngspice.md").write_text(NOT_BUILT + report.spice(designs, answers))
    for found in designs:
        (folder / "ngspice").mkdir(exist_ok=True)
        (folder / "ngspice" / f"{found.zone.name}.cir").write_text(spice.chain_netlist(found))


def enclosures(folder: Path, say: Say) -> list[str]:
    """Pictures of the boxes and models to print; what does not fit."""
    wrong = [f"{name}: {fault}" for name, box in boxes.boxes().items() for fault in boxes.faults(box)]
    (folder / "enclosure").mkdir(parents=True, exist_ok=True)
    try:
        for name, box in boxes.boxes().items():
            boxes.render(box, "both", folder / "enclosure" / f"{name}.png")
            for part in ("box", "lid"):
                boxes.render(box, part, folder / "enclosure" / f"{name}-{part}.stl")
    except boxes.BoxError as missing:
        say(f"left out: the boxes; {missing}")
    return wrong


def drawings(folder: Path, zones: Zones) -> None:
    """What is drawn for whoever builds a table."""
    made = boards()
    for zone in zones.zones:
        way = path.signal_path(made["reader"], made["multiplexer"], made[f"antenna-{zone}"])
        way.save(folder / "antennas" / f"{zone}-path.svg")
    for name, drawn in channels.channels(made["panel"], made["sensor"]).items():
        drawn.save(folder / "schematics" / f"channel-{name}.svg")
    for name, sheet in {
        "table": guides.table(zones),
        "section": section(zones),
        "mouth": mouth(zones),
        "wiring": guides.wiring(),
        "tuning": guides.tuning(),
    }.items():
        sheet.save(folder / "drawings" / f"{name}.svg")


def make(folder: Path, say: Say) -> list[str]:
    """Make everything; what was found wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    zones = read_zones()
    wrong = circuits(folder, say) + lists(folder)
    antennas(folder, zones, say)
    drawings(folder, zones)
    return wrong + enclosures(folder, say)


def main() -> int:
    """Make everything into the folder that was named; the exit status."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python -m hardware.build FOLDER\n")
        return 2
    left: list[str] = []

    def say(words: str) -> None:
        left.append(words.removeprefix("left out: ").partition(";")[0])
        sys.stdout.write(words + "\n")

    try:
        wrong = make(Path(sys.argv[1]), say)
    except (InputError, CircuitError) as unusable:
        sys.stderr.write(f"{unusable}\n")
        return 2
    for line in wrong:
        sys.stderr.write(line + "\n")
    files = sum(file.is_file() for file in Path(sys.argv[1]).rglob("*"))
    verdict = f"{len(wrong)} faults" if wrong else "no fault found"
    if left:
        verdict += f" in what was checked; not checked: {', '.join(left)}"
    sys.stdout.write(f"{files} files in {sys.argv[1]}; {verdict}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
