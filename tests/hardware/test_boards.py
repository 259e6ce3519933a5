"""The boards: clean by SKiDL's rules, joined as the pin map says, drawn whole, and every part can be ordered."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hardware import kinds
from hardware.bill import HERE, bills, catalogue, ordered, whole_table
from hardware.boards import boards
from hardware.boards.reader import reader
from hardware.circuit import Circuit, CircuitError
from hardware.drawing import schematic
from hardware.inputs import InputError
from hardware.needs import board_counts
from hardware.netlist import check, floating, joins, pairs
from hardware.pins import ReaderLine, pin_map

BOARDS = boards()


@pytest.mark.parametrize("name", list(BOARDS))
def test_electrical_rules(name: str) -> None:
    """SKiDL finds nothing wrong, no wire leads nowhere, and the exported netlist joins what the circuit joins."""
    checked = check(BOARDS[name])
    assert checked.complaints == ()
    assert floating(BOARDS[name]) == []
    assert pairs(checked.netlist) == joins(BOARDS[name])
    footprints = re.findall(r'\(footprint "?([^")]+)"?\)', checked.netlist)
    assert len(footprints) == len(BOARDS[name].parts)
    assert all(":" in footprint for footprint in footprints)


def _small(nets: dict[str, str | None]) -> Circuit:
    circuit = Circuit("small", "A regulator")
    circuit.add(
        kinds.connector(pin_map(), "power", feeds=("+5V", "GND")),
        "in",
        "terminal 2",
        {"+5V": "IN", "GND": "GND"},
    )
    circuit.add(kinds.LDO, "ldo", "ldo", nets)
    circuit.two(kinds.RESISTOR, "1 kΩ", "R 1k", "OUT", "GND")
    return circuit


def test_the_rules_are_able_to_fail() -> None:
    """A supply pin that nothing feeds, and two outputs on one net, are complaints; done right, there is none."""
    right: dict[str, str | None] = {"VIN": "IN", "GND": "GND", "EN": "IN", "VOUT": "OUT"}
    assert check(_small(right)).complaints == ()
    assert check(_small(right | {"VIN": "OTHER", "EN": "OTHER"})).complaints
    twice = _small(right)
    twice.add(kinds.LDO, "second", "ldo", right)
    assert check(twice).complaints


def test_a_forgotten_pin_is_refused() -> None:
    """A pin that is not named, a pin that does not exist, and a reference used twice are errors of the description."""
    circuit = Circuit("small", "")
    with pytest.raises(CircuitError, match="pin 3 \\(EN\\) goes nowhere"):
        circuit.add(kinds.LDO, "", "ldo", {"VIN": "A", "GND": "B", "VOUT": "C"})
    with pytest.raises(CircuitError, match="has no pin X"):
        circuit.add(kinds.RESISTOR, "", "R 1k", {"1": "A", "2": "B", "X": "C"})
    circuit.two(kinds.RESISTOR, "", "R 1k", "A", "B", "R1")
    with pytest.raises(CircuitError, match="R1 is placed twice"):
        circuit.two(kinds.RESISTOR, "", "R 1k", "A", "B", "R1")


def test_the_boards_follow_the_pin_map() -> None:
    """Each line of the pin map is at its pin of the Pi's header or of the Pico, in the netlist and on the drawing."""
    pins = pin_map()
    header, pico = BOARDS["panel"].at("J1"), BOARDS["reader"].at("A1")
    drawn = {name: schematic(BOARDS[name]).render() for name in ("panel", "reader")}
    for name, line in pins.raspberry_pi.items():
        assert header.nets[str(line.header)] == f"BCM{line.bcm}_{name.upper()}"
        assert f">BCM{line.bcm}_{name.upper()}</text>" in drawn["panel"]
    for name, led_out in pins.reader.items():
        if led_out.pico is not None:
            assert pico.nets[str(led_out.pico)] == f"GP{led_out.gpio}_{name.upper()}"
            assert f">GP{led_out.gpio}_{name.upper()}</text>" in drawn["reader"]


def test_another_pin_map_makes_another_board() -> None:
    """A line that moves in the map moves in the netlist and on the drawing: they are made from it, not beside it."""
    pins = pin_map()
    moved = replace(pins, reader={**pins.reader, "mux_a0": ReaderLine(22, 29)})
    board = reader(moved)
    assert board.at("A1").nets["29"] == "GP22_MUX_A0"
    assert "14" not in board.at("A1").nets
    assert ">GP22_MUX_A0</text>" in schematic(board).render()


def test_a_cable_joins_the_same_names() -> None:
    """Reader board and multiplexer have their cable's pins in one order, which is the pin map's."""
    pins = pin_map()
    for board, ref in (("reader", "J1"), ("multiplexer", "J1")):
        assert tuple(pin.name for pin in BOARDS[board].at(ref).kind.pins) == pins.connectors["multiplexer"]
    here, there = BOARDS["reader"].at("J1").nets, BOARDS["multiplexer"].at("J1").nets
    assert [here["1"], there["1"], here["2"], there["2"]] == ["+3V3", "+3V3", "GND", "GND"]
    assert [here[str(n)].partition("MUX_")[2] for n in range(3, 7)] == [there[str(n)] for n in range(3, 7)]


def test_safe_without_a_program() -> None:
    """Undriven, the front end is in reset, the multiplexer joins no antenna, and every driver's input is low."""
    resistors = {
        frozenset(placed.nets.values())
        for board in ("panel", "reader", "multiplexer")
        for placed in BOARDS[board].parts
        if placed.kind is kinds.RESISTOR
    }
    assert frozenset({"GP21_FRONT_END_0_RESET", "GND"}) in resistors
    assert frozenset({"+3V3", "GP9_FRONT_END_0_MUX_OFF"}) in resistors
    assert frozenset({"+3V3", "OFF"}) in resistors
    inputs = [
        net
        for net in BOARDS["panel"].nets()
        if re.fullmatch(r"BCM\d+_(SEAT_LAMP_\d+|ALARM_LAMP|BUZZER)", net)
    ]
    assert len(inputs) == 12
    assert all(frozenset({net, "GND"}) in resistors for net in inputs)


@pytest.mark.parametrize("name", list(BOARDS))
def test_the_drawing_is_whole(name: str) -> None:
    """Every part and every net is on the sheet, and no word runs over its edge."""
    sheet = schematic(BOARDS[name])
    drawn = sheet.render()
    for placed in BOARDS[name].parts:
        assert f">{placed.ref} {placed.value}</text>" in drawn
    for net in BOARDS[name].nets():
        assert f">{net}</text>" in drawn
    places = [float(x) for x in re.findall(r'<text x="([-\d.]+)"', drawn)]
    assert min(places) > 20
    assert max(places) < sheet.width - 20


def test_no_channel_is_broken_over_columns() -> None:
    """The rows of one push button stand below one another, in one column, without another's row between them."""
    drawn = schematic(BOARDS["panel"]).render()
    switches = [part.nets["1"] for part in BOARDS["panel"].parts if part.ref.startswith("J3")]
    assert len(switches) == 5
    for switch in switches:
        line = next(
            part.nets["2"]
            for part in BOARDS["panel"].parts
            if part.nets.get("1") == switch and part.ref.startswith("R")
        )
        refs = [
            part
            for part in BOARDS["panel"].parts
            if {switch, line} & set(part.nets.values()) and len(part.kind.pins) == 2
        ]
        places = []
        for part in refs:
            found = re.search(rf'x="([\d.]+)" y="([\d.]+)"[^>]*>{part.ref} {re.escape(part.value)}<', drawn)
            assert found
            places.append((float(found[1]), float(found[2])))
        assert len({x for x, _ in places}) == 1, switch
        heights = sorted(y for _, y in places)
        assert heights[-1] - heights[0] == 24 * (len(places) - 1), switch


def test_the_bills_are_those_of_the_circuits() -> None:
    """The bills of materials in `hardware/bom` are what circuits need now (`python -m hardware.bill` writes them)."""
    folder = Path(HERE / "bom")
    kept = {file.name: file.read_text() for file in folder.glob("*.csv") if file.name != "parts.csv"}
    assert kept == bills()


def test_every_part_can_be_ordered() -> None:
    """Each part of each board has a maker and a number, none stands in the catalogue in vain, and no number twice."""
    parts = catalogue()
    needed = {placed.part for circuit in BOARDS.values() for placed in circuit.parts}
    for key in needed - {"etched"}:
        part = ordered(key, parts)
        assert part.manufacturer
        assert part.mpn
        assert part.footprint
        assert part.second
        assert part.checked
    numbers = [part.mpn for part in parts.values() if part.mpn != "—"]
    assert len(numbers) == len(set(numbers))
    used = {line.part.key for line in whole_table()} | needed
    unused = [key for key in parts if key not in used]
    assert unused == []
    assert board_counts().keys() == BOARDS.keys()


def test_numbers_by_the_makers_scheme() -> None:
    """A capacitor's and a resistor's number say its value as KEMET and Vishay write it."""
    assert ordered("C 4.7p RF", {}).mpn == "C0805C479C1GACTU"
    assert ordered("C 47p RF", {}).mpn == "C0805C470F1GACTU"
    assert ordered("C 220p RF", {}).mpn == "C0805C221F1GACTU"
    assert ordered("R 6R8 1W", {}).mpn == "CRCW25126R80FKEG"
    assert ordered("R 12 1W", {}).mpn == "CRCW251212R0FKEG"
    with pytest.raises(InputError, match="'C 3 apples' is missing, which a board needs"):
        ordered("C 3 apples", {})
