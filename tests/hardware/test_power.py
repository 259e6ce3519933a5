"""The supplies carry the worst case, the cables leave enough voltage, and the cable plan fits boards and bill."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest

from hardware import kinds
from hardware.antenna.design import design, transmitter_current
from hardware.antenna.zones import read_zones
from hardware.bill import bills, whole_table
from hardware.boards import boards
from hardware.needs import board_counts, table_needs, tuning_values
from hardware.pins import ROOT, pin_map
from hardware.power import CABLES_OF, budget, cable_plan, cables, fuses, rails, regulator


@pytest.mark.parametrize("name", list(CABLES_OF))
def test_a_rail_at_its_worst(name: str) -> None:
    """All loads at once stay within the supply's limit, and what is left behind the cable is enough."""
    rail = rails()[name]
    assert rail.total() <= rail.limit
    assert rail.left(cables()[CABLES_OF[name]]) >= rail.least


def test_a_long_thin_cable_is_noticed() -> None:
    """The same reader board on five metres of thin USB cable has too little voltage: the sum is able to fail."""
    cable = replace(cables()["W4"], metres=5.0, area=0.08)
    assert rails()["usb"].left(cable) < rails()["usb"].least


def test_fuses_hold_in_a_hot_box() -> None:
    """What a resettable fuse still holds at 60 °C is more than it carries at worst, with a tenth to spare; and the
    boards have those fuses."""
    for fuse in fuses():
        assert fuse.holds >= 1.1 * fuse.carries > 0, fuse.name
    fitted = {
        (name, part.ref): part.value
        for name, board in boards().items()
        for part in board.parts
        if part.kind is kinds.FUSE
    }
    assert fitted == {("panel", "F1"): "4 A", ("panel", "F2"): "0.5 A", ("reader", "F1"): "0.2 A"}
    every = {load.fuse for load in rails()["panel"].loads}
    assert every == {"F1", "F2"}


def test_a_smaller_fuse_is_noticed() -> None:
    """Three amperes at 20 °C would not carry Pi and display at 60 °C."""
    main = fuses()[0]
    assert main.holds * 3 / 4 < main.carries


def test_the_regulator_stays_cool_enough() -> None:
    """At worst, with a torn antenna in a hot box, its junction stays below the limit, and it still regulates at the
    least voltage; without the resistor it would get too hot."""
    hot = regulator()
    assert hot.junction() <= hot.most
    assert hot.room(rails()["usb"].left(cables()["W4"])) > 0
    assert replace(hot, ohm=0.0).junction() > hot.most


def test_the_shoe_s_plug_is_protected() -> None:
    """Its 3.3 V come through a fuse, and every line that leaves the board has a suppressor."""
    board = boards()["reader"]
    plug = board.at("J2").nets
    assert plug["1"] not in ("+3V3", "+3V3_RF")
    assert any(
        part.kind is kinds.FUSE and set(part.nets.values()) == {"+3V3", plug["1"]} for part in board.parts
    )
    guarded = {
        net for part in board.parts if part.kind in (kinds.TVS, kinds.DUAL_ESD) for net in part.nets.values()
    }
    assert {plug["3"], plug["4"], plug["5"]} <= guarded


def test_the_cables_lose_what_the_plan_allows() -> None:
    """No cable of the plan loses more than its own limit at its own current."""
    for cable in cables().values():
        if cable.lost is not None:
            assert cable.drop() <= cable.lost, cable.ident


def test_the_rails_agree() -> None:
    """What the budget takes from elsewhere is what is computed there: transmitter, converter."""
    usb, panel, supply = rails()["usb"], rails()["panel"], rails()["supply"]
    transmitter = next(load for load in usb.loads if "transmitter" in load.what)
    assert 1000 * transmitter_current() < transmitter.milliamperes
    converter = next(load for load in supply.loads if load.what == "converter")
    assert converter.milliamperes == pytest.approx(panel.total() * panel.volts / 0.8 / supply.volts, rel=0.02)


def test_the_plan_fits_the_boards() -> None:
    """There is a cable for every connector: lamps, buttons, antennas, readers, sensors; and the bill has as many."""
    plan, pins, counts = cables(), pin_map(), board_counts()
    antennas = sum(count for name, count in counts.items() if name.startswith("antenna-"))
    assert plan["W9"].quantity == len(pins.seat_lamps())
    assert plan["W12"].quantity == len(pins.buttons())
    assert plan["W7"].quantity == antennas
    assert {plan[name].quantity for name in ("W4", "W5", "W6")} == {counts["reader"]}
    lines = {row["mpn"]: int(row["quantity"]) for row in csv.DictReader(io.StringIO(bills()["table.csv"]))}
    assert lines["135101-01-M1.50"] == plan["W7"].quantity
    assert lines["135101-01-M0.10"] == plan["W6"].quantity
    two = sum(plan[name].quantity for name in ("W9", "W10", "W11", "W12"))
    assert lines["XHP-2"] == two == lines["B2B-XH-A(LF)(SN)"]
    assert lines["XHP-6"] == 2 * plan["W5"].quantity + 1
    named = r"\b(panel|reader|multiplexer) (J\d+(?: to J\d+)?)"
    for cable in plan.values():
        for board, refs in re.findall(named, f"{cable.start} {cable.end}"):
            for ref in refs.split(" to "):
                assert boards()[board].at(ref)


def test_every_cable_has_its_parts() -> None:
    """Each cable of the plan, but the display's own, is in the table's bill with its wire or as bought, and its ends:
    as many housings and ferrules as its line says, a contact for each place of a housing, wire for its length."""
    plan, bill = cables(), {line.part.key: line for line in whole_table()}
    for name, cable in plan.items():
        parts = {need.part: need.quantity for need in table_needs() if need.purpose == name}
        if name == "W13":
            continue
        assert any(part.startswith(("wire ", "cable ")) for part in parts), name
        assert all(name in bill[part].references for part in parts)
        assert ("sleeve" in parts) == ("sleeved" in cable.ends), name
        assert any(part.startswith("ferrule") for part in parts) == ("ferrules" in cable.ends), name
        assert {part[-1] for part in parts if part.startswith("plug XH")} == set(
            re.findall(r"XHP-(\d)", cable.ends)
        )
        for part, metres in parts.items():
            if part.startswith("wire "):
                assert metres >= cable.metres * cable.quantity, name
    places = sum(int(key[-1]) * line.quantity for key, line in bill.items() if key.startswith("plug XH"))
    assert places <= bill["contact XH"].quantity <= 1.2 * places
    assert bill["wire 2x0.75"].quantity >= 2 * plan["W1"].metres


@pytest.mark.parametrize(
    ("file", "words", "key"),
    [
        ("ASSEMBLY.md", "boards from their netlists", "bare reader"),
        ("ASSEMBLY.md", "20 mm spacers", "spacer"),
        ("ASSEMBLY.md", "stacking socket", "header stacking"),
        ("ASSEMBLY.md", "Print (`enclosure", "printed reader"),
        ("ASSEMBLY.md", "M2.5 × 8", "screw box"),
        ("ASSEMBLY.md", "M2.5 × 6", "screw panel"),
        ("ASSEMBLY.md", "wood screws 4 × 16", "screw table"),
        ("ASSEMBLY.md", "screws M3", "screw converter"),
        ("ASSEMBLY.md", "foam", "foam"),
        ("ASSEMBLY.md", "ferrite sheet", "ferrite"),
        ("TESTING.md", "change C22, then C12", "C 4.7p RF"),
        ("cables.csv", "5.5/2.1 mm socket", "socket DC"),
        ("cables.csv", "USB 2.0 A to B", "cable USB AB"),
    ],
)
def test_what_a_step_needs_is_in_the_bill(file: str, words: str, key: str) -> None:
    """What the steps name and no board carries has a line in the table's bill that can be ordered."""
    assert words in (ROOT / "hardware" / file).read_text()
    assert key in {line.part.key for line in whole_table()}


def test_what_fixes_the_boxes_is_counted() -> None:
    """A screw for each post that no spacer holds and for each corner of a lid; as many spacers as the panel has holes
    over the Pi."""
    counts = {line.part.key: line.quantity for line in whole_table()}
    assert counts["screw box"] == (7 - 4 + 4) + 4 * (8 + 4)
    assert counts["spacer"] == counts["screw panel"] == 4
    assert counts["foam"] == sum(n for name, n in board_counts().items() if name.startswith("antenna-"))


def test_an_antenna_can_be_tuned_from_the_bill() -> None:
    """For a coil of 3 % more or less every C12 and C22 that tuning may come to is in the assortment."""
    there = {float(value.removesuffix("p")) * 1e-12 for value in tuning_values()}
    for zone in read_zones().zones.values():
        if not zone.count:
            continue
        found = design(zone, read_zones())
        for main, trim in (found.series, found.parallel):
            for change in (0.97, 1.0, 1.03):
                wanted = max((main + trim) * change - main, 1e-12)
                nearest = min(there, key=lambda value, wanted=wanted: abs(value - wanted))  # type: ignore[misc]
                assert abs(nearest - wanted) <= 0.01 * (main + trim) + 0.05 * wanted, zone.name


def test_the_tables() -> None:
    """Both tables of the documents have a line for each load and each cable."""
    assert budget().count("\n") == 2 + sum(len(rail.loads) + 1 for rail in rails().values())
    assert cable_plan().count("\n") == 2 + len(cables())
