"""The supplies carry the worst case, the cables leave enough voltage, and the cable plan fits boards and bill."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest

from hardware.antenna.design import transmitter_current
from hardware.bill import bills, board_counts
from hardware.boards import boards
from hardware.pins import pin_map
from hardware.power import CABLES_OF, budget, cable_plan, cables, rails


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


def test_the_tables() -> None:
    """Both tables of the documents have a line for each load and each cable."""
    assert budget().count("\n") == 2 + sum(len(rail.loads) + 1 for rail in rails().values())
    assert cable_plan().count("\n") == 2 + len(cables())
