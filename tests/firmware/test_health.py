"""How antennas and front ends do: coils, fields, chips that hang."""

from __future__ import annotations

import pytest
from desk import Desk

from tablectl import wire

OK = 0
WELL, WEAK, OPEN, SHORTED, SILENT = range(5)


def test_a_plan_is_followed_by_the_health_of_its_antennas() -> None:
    """A host that has just come knows of each antenna how it does, without asking."""
    desk = Desk()
    desk.plan(0, 5)
    assert desk.run(200).health() == {0: WELL, 5: WELL}
    assert desk.run(2000).health() == {}


@pytest.mark.parametrize(("tuning", "state"), [(5, SHORTED), (0, SHORTED), (1023, OPEN), (480, WELL)])
def test_a_torn_or_shorted_coil_is_told_by_its_tuning(tuning: int, state: int) -> None:
    """No carrier is a short, all of it an open coil."""
    desk = Desk()
    desk.radios[0].tunings[2] = tuning
    desk.plan(1, 2)
    assert desk.run(200).health() == {1: WELL, 2: state}


def test_a_tuning_that_changes_is_told_and_when_it_is_mended_too() -> None:
    """Measured again and again while it polls: far from what it was at the start, the antenna is weak."""
    desk = Desk()
    desk.plan(0, 1)
    assert desk.run(500).health() == {0: WELL, 1: WELL}
    desk.radios[0].tunings[1] = 200
    assert desk.run(11_000).health() == {1: WEAK}
    desk.radios[0].tunings[1] = 510
    assert desk.run(11_000).health() == {1: WELL}


def test_many_failed_looks_are_a_weak_antenna_and_a_few_are_not() -> None:
    """Half of the looks spoilt: weak; it is well again once most looks go well; one in five is nothing."""
    spoilt = {0: lambda nth: nth % 2 and nth < 60, 1: lambda nth: nth % 5 == 0}
    desk = Desk(lambda antenna, nth: (6, [], "protocol" if spoilt[antenna](nth) else None))
    desk.plan(0, 1)
    states = [(each["antenna"], each["state"]) for each in desk.run(10_000).fields(wire.ANTENNA_HEALTH)]
    assert states == [(0, WELL), (1, WELL), (0, WEAK), (0, WELL)]
    counts = Desk(lambda _antenna, nth: (6, [], "protocol" if nth % 2 else None))
    counts.plan(0)
    counts.run(1000)
    counts.say(wire.SELF_TEST, antenna=0)
    last = counts.run(100).fields(wire.ANTENNA_HEALTH)[-1]
    assert last["reads"] > 5
    assert last["errors"] > 5


def test_an_antenna_whose_field_does_not_come_on_is_shorted_and_the_others_go_on() -> None:
    """The front end is reset each time, but it is the antenna that is named, and not in a flood of LOG."""
    desk = Desk(lambda antenna, _nth: (6, [], "field" if antenna == 3 else None))
    desk.plan(2, 3)
    found = desk.run(5000).got(wire.ANTENNA_HEALTH, wire.SIGHTINGS, wire.LOG)
    health = {f["antenna"]: f["state"] for kind, f in found if kind == wire.ANTENNA_HEALTH}
    assert health == {2: WELL, 3: SHORTED}
    assert len([1 for kind, f in found if kind == wire.LOG and "played fault" in f["text"]]) == 1
    assert {f["polled"] for kind, f in found if kind == wire.SIGHTINGS} == {0b100}


def test_a_spark_is_no_short() -> None:
    """Twice in a row the field does not come on, and once more later: the antenna stays well."""
    desk = Desk(lambda _antenna, nth: (6, [], "field" if nth in {5, 6, 20} else None))
    desk.plan(0)
    states = [each["state"] for each in desk.run(5000).fields(wire.ANTENNA_HEALTH)]
    assert set(states) == {WELL}


def test_a_front_end_that_hangs_is_told_and_comes_back_by_itself() -> None:
    """Its antennas are silent and not polled, those of the other front end are polled all the while; once it can be
    started again everything is as before."""
    desk = Desk(fronts=2)
    desk.plan(0, 1, 8)
    assert desk.run(500).health() == {0: WELL, 1: WELL, 8: WELL}
    desk.radios[0].dead = True
    found = desk.run(3000).got(wire.ANTENNA_HEALTH, wire.SIGHTINGS, wire.LOG)
    health = {f["antenna"]: f["state"] for kind, f in found if kind == wire.ANTENNA_HEALTH}
    assert health == {0: SILENT, 1: SILENT}
    assert {f["polled"] for kind, f in found if kind == wire.SIGHTINGS} == {0b1_0000_0000}
    assert len([1 for kind, _ in found if kind == wire.SIGHTINGS]) > 50
    log = [f["text"] for kind, f in found if kind == wire.LOG]
    assert any("front end 0 does not answer: BUSY stays high" in text for text in log)
    assert 2 <= desk.radios[0].starts <= 5
    desk.radios[0].dead = False
    found = desk.run(3000).got(wire.ANTENNA_HEALTH, wire.SIGHTINGS)
    assert {f["antenna"]: f["state"] for kind, f in found if kind == wire.ANTENNA_HEALTH} == {
        0: WELL,
        1: WELL,
    }
    polled = 0
    for kind, fields in found:
        polled |= fields["polled"] if kind == wire.SIGHTINGS else 0
    assert polled == 0b1_0000_0011


def test_a_board_whose_front_end_never_answers_says_so_and_sights_nothing() -> None:
    """Not one antenna counts as polled, and the host hears why as soon as it sets a plan."""
    desk = Desk()
    desk.radios[0].dead = True
    desk.run(2500)
    desk.plan(0, 1)
    found = desk.run(2000).got()
    assert not [kind for kind, _ in found if kind == wire.SIGHTINGS]
    assert {f["antenna"]: f["state"] for kind, f in found if kind == wire.ANTENNA_HEALTH} == {
        0: SILENT,
        1: SILENT,
    }


def test_a_self_test_measures_also_antennas_that_are_off() -> None:
    """The RESULT comes at once, then the health of every antenna, though no plan was set."""
    desk = Desk()
    desk.radios[0].tunings[6] = 1023
    desk.say(wire.SELF_TEST, antenna=0xFF)
    found = desk.run(300).got(wire.RESULT, wire.ANTENNA_HEALTH)
    assert found[0][0] == wire.RESULT
    assert found[0][1]["status"] == OK
    health = {f["antenna"]: f["state"] for kind, f in found if kind == wire.ANTENNA_HEALTH}
    assert health == {n: OPEN if n == 6 else WELL for n in range(8)}
    assert not desk.radios[0].looks
